//! A case of the suite, and the list of all of them.

use crate::{CaseFuture, Harness, Need};

/// The code of a case; it panics where the backend breaks the contract.
#[derive(Clone, Copy)]
pub enum Body {
    /// A story about one or two stores.
    Story(for<'a> fn(&'a dyn Harness) -> CaseFuture<'a>),
    /// A law over generated inputs, which enters the backend's runtime for each of them.
    Law(fn(&dyn Harness)),
}

/// One thing that the contract promises, as a test.
#[derive(Clone, Copy)]
pub struct Case {
    /// The part of the contract.
    pub area: &'static str,
    /// The case's name within its area.
    pub name: &'static str,
    /// What it needs of the backend.
    pub need: Need,
    /// The code.
    pub body: Body,
}

impl Case {
    /// Runs the case.
    ///
    /// # Panics
    /// Where the backend breaks the contract.
    pub fn run(&self, harness: &dyn Harness) {
        match self.body {
            Body::Story(story) => harness.block_on(story(harness)),
            Body::Law(law) => law(harness),
        }
    }
}

/// Lists the stories of an area; one that is written but not listed is dead code, which the
/// compiler reports.
macro_rules! stories {
    ($area:literal: $( $name:ident $(needs $need:expr)? ),+ $(,)?) => {
        &[ $( $crate::Case {
            area: $area,
            name: stringify!($name),
            need: $crate::case::need!($($need)?),
            body: $crate::Body::Story(|harness| Box::pin($name(harness))),
        } ),+ ]
    };
}

/// Lists the laws of an area.
macro_rules! laws {
    ($area:literal: $( $name:ident ),+ $(,)?) => {
        &[ $( $crate::Case {
            area: $area,
            name: stringify!($name),
            need: $crate::Need::Nothing,
            body: $crate::Body::Law($name),
        } ),+ ]
    };
}

macro_rules! need {
    () => {
        $crate::Need::Nothing
    };
    ($need:expr) => {
        $need
    };
}

pub(crate) use {laws, need, stories};
