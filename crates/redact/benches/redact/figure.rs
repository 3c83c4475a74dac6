//! Figures with their targets, as a table and as JSON.

use serde_json::{Value, json};

/// What a figure should be.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    AtLeast(f64),
    AtMost(f64),
}

impl Target {
    fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
        }
    }
}

/// One measured number.
#[derive(Clone, Debug)]
pub struct Figure {
    name: String,
    value: f64,
    unit: &'static str,
    target: Option<Target>,
}

impl Figure {
    /// Names a number; a NaN meets no target.
    pub fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            value,
            unit,
            target: None,
        }
    }

    /// Adds what it should be.
    pub fn target(mut self, target: Target) -> Self {
        self.target = Some(target);
        self
    }

    /// Tells whether it has a target that it misses.
    pub fn is_missed(&self) -> bool {
        self.target.is_some_and(|target| !target.is_met(self.value))
    }

    /// Writes the line of a table.
    pub fn line(&self) -> String {
        let target = self.target.map_or_else(String::new, |target| {
            let (sign, bound) = match target {
                Target::AtLeast(least) => (">=", least),
                Target::AtMost(most) => ("<=", most),
            };
            let met = if self.is_missed() { "missed" } else { "met" };
            format!("{sign} {bound:<4} {met}")
        });
        let digits = if self.unit.is_empty() { 0 } else { 2 };
        let Self {
            name, value, unit, ..
        } = self;
        let line = format!("{name:54} {value:>9.digits$} {unit:5} {target}");
        line.trim_end().to_owned()
    }

    /// Returns the JSON of the same.
    pub fn json(&self) -> Value {
        let (bound, met) = match self.target {
            None => (Value::Null, Value::Null),
            Some(Target::AtLeast(least)) => (json!({"at_least": least}), json!(!self.is_missed())),
            Some(Target::AtMost(most)) => (json!({"at_most": most}), json!(!self.is_missed())),
        };
        json!({"name": self.name, "value": self.value, "unit": self.unit, "target": bound, "met": met})
    }
}
