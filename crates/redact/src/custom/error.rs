//! Why a file of rules or allowances was refused.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// Tells why rules, allowances or registered values were refused, where, and what to do next.
///
/// The message never holds a value of the file beyond a rule's id and a field's name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleError {
    rule: Option<String>,
    field: Option<String>,
    problem: Cow<'static, str>,
}

impl RuleError {
    /// Returns the id of the rule, or its number in the file where it has no usable id.
    pub fn rule(&self) -> Option<&str> {
        self.rule.as_deref()
    }

    /// Returns the name of the field at fault.
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }

    pub(crate) fn of_file(problem: impl Into<Cow<'static, str>>) -> Self {
        Self {
            rule: None,
            field: None,
            problem: problem.into(),
        }
    }

    pub(crate) fn new(
        rule: Option<&str>,
        field: &str,
        problem: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            rule: rule.map(str::to_owned),
            field: Some(printable(field)),
            problem: problem.into(),
        }
    }
}

/// Names longer or odder than any field's are not repeated: they may be a misplaced value.
fn printable(field: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    if field.len() <= 32 && field.bytes().all(plain) {
        field.to_owned()
    } else {
        "(unprintable)".to_owned()
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(rule) = &self.rule {
            write!(f, "rule `{rule}`, ")?;
        }
        if let Some(field) = &self.field {
            write!(f, "field `{field}`: ")?;
        }
        f.write_str(&self.problem)
    }
}

impl Error for RuleError {}
