//! The documented forms of vendors' tokens, one row each; the tables are grouped by kind of vendor.
//!
//! Lengths are lower bounds, since vendors lengthen their tokens; they are exact only where that
//! tells the form from ordinary text. A row is in the table only if its literal hardly meets
//! ordinary text together with such a body; weaker forms need a label beside them and are found
//! by the rules for labelled values.

mod ai;
mod business;
mod cloud;
mod code;
mod data;
mod identity;
mod messaging;
mod monitoring;
mod payment;
mod work;

use crate::class::Class;

/// Describes one form of token.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// The rule's unique name, lower case with hyphens.
    pub(crate) id: &'static str,
    pub(crate) class: Class,
    /// The vendor's document that gives the form.
    pub(crate) source: &'static str,
    /// The literal that gates the rule.
    pub(crate) prefix: &'static str,
    /// What follows the prefix, matched greedily from left to right.
    pub(crate) parts: &'static [Part],
    /// What precedes the prefix and belongs to the token: the bytes and their least number.
    pub(crate) lead: Option<(Set, usize)>,
    /// What the body must show, where the form alone could be words.
    pub(crate) demand: Demand,
    /// Whether the prefix must stand where a token can start.
    pub(crate) bounded: bool,
}

/// One part of a token's body.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// This literal.
    Text(&'static str),
    /// As many bytes of the set as there are, at least this many: vendors lengthen tokens.
    Run(Set, usize),
    /// This many bytes of the set, and at the end of a token no further letter or digit.
    Exactly(Set, usize),
}

/// The alphabets of tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Set {
    Digit,
    Hex,
    /// Lower-case letters and digits.
    Lower,
    /// Upper-case letters and digits.
    Upper,
    Alnum,
    /// Letters, digits and the underscore.
    Word,
    /// Letters, digits and the hyphen.
    Dash,
    /// URL-safe base64 (RFC 4648, section 5).
    Url,
    /// URL-safe base64 and the full stop.
    Dotted,
    /// Either base64 with padding.
    Base64,
    /// The unreserved characters of a URI (RFC 3986, section 2.3).
    Unreserved,
}

/// What a body must show besides its form.
#[derive(Clone, Copy)]
pub(crate) enum Demand {
    Nothing,
    /// A digit or a capital, since words could form the rest.
    Mixed,
    /// At least this many digits.
    Digits(usize),
    /// A piece without separators of at least this length and with a digit in it: names are cut
    /// into words, and random text is not.
    Piece(usize),
    /// A digit, a capital and a small letter, and never more than [`LONGEST_CASE_RUN`] letters of
    /// one case in a row, as joined words have.
    Random,
}

/// Longest run of letters of one case in a random body of base62; seven or more come up in one
/// body of thirty in twenty.
const LONGEST_CASE_RUN: usize = 7;

impl Demand {
    /// Tells whether the body after the prefix shows what is demanded.
    pub(crate) fn is_met(self, body: &[u8]) -> bool {
        let digits = || body.iter().filter(|b| b.is_ascii_digit()).count();
        match self {
            Self::Nothing => true,
            Self::Mixed => body
                .iter()
                .any(|b| b.is_ascii_digit() || b.is_ascii_uppercase()),
            Self::Digits(least) => digits() >= least,
            Self::Piece(least) => body
                .split(|b| !b.is_ascii_alphanumeric())
                .any(|piece| piece.len() >= least && piece.iter().any(u8::is_ascii_digit)),
            Self::Random => {
                digits() > 0
                    && body.iter().any(u8::is_ascii_uppercase)
                    && body.iter().any(u8::is_ascii_lowercase)
                    && longest_case_run(body) <= LONGEST_CASE_RUN
            }
        }
    }
}

/// Returns the length of the longest run of letters of one case.
pub(super) fn longest_case_run(body: &[u8]) -> usize {
    body.chunk_by(|a, b| a.is_ascii_lowercase() == b.is_ascii_lowercase())
        .flat_map(|run| run.chunk_by(|a, b| a.is_ascii_uppercase() == b.is_ascii_uppercase()))
        .filter(|run| run[0].is_ascii_alphabetic())
        .map(<[u8]>::len)
        .max()
        .unwrap_or(0)
}

/// Makes a row: name, class, literal, body and the document that gives the form.
const fn shape(
    id: &'static str,
    class: &'static str,
    prefix: &'static str,
    parts: &'static [Part],
    source: &'static str,
) -> Shape {
    Shape {
        id,
        class: Class::vendor(class),
        source,
        prefix,
        parts,
        lead: None,
        demand: Demand::Nothing,
        bounded: true,
    }
}

impl Shape {
    /// Demands a digit or a capital.
    const fn mixed(self) -> Self {
        self.demanding(Demand::Mixed)
    }

    /// Demands at least this many digits.
    const fn digits(self, least: usize) -> Self {
        self.demanding(Demand::Digits(least))
    }

    /// Demands a piece with a digit of at least this length without separators.
    const fn piece(self, least: usize) -> Self {
        self.demanding(Demand::Piece(least))
    }

    /// Demands the look of a random body of letters in both cases and digits.
    const fn random(self) -> Self {
        self.demanding(Demand::Random)
    }

    const fn demanding(self, demand: Demand) -> Self {
        Self { demand, ..self }
    }

    /// Lets the literal stand inside the token, after at least so many bytes of the set.
    const fn after(self, set: Set, least: usize) -> Self {
        Self {
            lead: Some((set, least)),
            bounded: false,
            ..self
        }
    }

    /// Lifts the demand for a boundary where the literal is long and strange enough to tell a
    /// token that is glued to a word.
    const fn glued(self) -> Self {
        Self {
            bounded: false,
            ..self
        }
    }
}

const TABLES: &[&[Shape]] = &[
    ai::SHAPES,
    business::SHAPES,
    cloud::SHAPES,
    code::SHAPES,
    data::SHAPES,
    identity::SHAPES,
    messaging::SHAPES,
    monitoring::SHAPES,
    payment::SHAPES,
    work::SHAPES,
];

const COUNT: usize = count();

static ALL: [Shape; COUNT] = joined();

/// The catalogue: every row of every table.
pub(crate) static SHAPES: &[Shape] = &ALL;

const fn count() -> usize {
    let (mut rows, mut table) = (0, 0);
    while table < TABLES.len() {
        rows += TABLES[table].len();
        table += 1;
    }
    rows
}

const fn joined() -> [Shape; COUNT] {
    let mut all = [TABLES[0][0]; COUNT];
    let (mut at, mut table) = (0, 0);
    while table < TABLES.len() {
        let mut row = 0;
        while row < TABLES[table].len() {
            all[at] = TABLES[table][row];
            at += 1;
            row += 1;
        }
        table += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_are_unique_and_well_formed() {
        let mut seen = BTreeSet::new();
        for shape in SHAPES {
            let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
            assert!((4..=60).contains(&shape.id.len()), "{}", shape.id);
            assert!(shape.id.bytes().all(plain), "{}", shape.id);
            assert!(seen.insert(shape.id), "{} twice", shape.id);
        }
    }

    #[test]
    fn every_row_names_its_document() {
        for shape in SHAPES {
            assert!(shape.source.len() >= 8, "{}", shape.id);
        }
    }

    #[test]
    fn no_two_rows_are_the_same_form() {
        let mut seen = BTreeSet::new();
        for shape in SHAPES {
            let form = format!("{} {}", shape.prefix, shape.parts.len());
            let exact = shape.parts.iter().map(|part| match part {
                Part::Text(text) => (*text).to_owned(),
                Part::Run(set, least) => format!("+{}{least}", *set as u8),
                Part::Exactly(set, len) => format!("={}{len}", *set as u8),
            });
            assert!(
                seen.insert((form, exact.collect::<String>())),
                "{}",
                shape.id
            );
        }
    }

    #[test]
    fn demands_tell_random_bodies_from_words() {
        assert!(Demand::Random.is_met(b"q4Zt8KxW2pLm9RvB"));
        assert!(!Demand::Random.is_met(b"parseHttp2Responses"));
        assert!(!Demand::Random.is_met(b"q4zt8kxw2plm9rvb"));
        assert!(Demand::Digits(2).is_met(b"a1b2") && !Demand::Digits(3).is_met(b"a1b2"));
        assert!(Demand::Mixed.is_met(b"aB") && !Demand::Mixed.is_met(b"ab-c"));
        assert!(
            Demand::Piece(8).is_met(b"ab-c1d2e3f4") && !Demand::Piece(9).is_met(b"ab-c1d2e3f4")
        );
        assert_eq!(longest_case_run(b"abcDEFGh1"), 4);
        assert_eq!(longest_case_run(b"123--"), 0);
    }
}
