//! Rules: the control part of a memory, matched by structure and never retrieved by similarity.

use precedent_redact::{CleanText, Redactor};
use serde::Serialize;
use serde_json::Value;

use crate::text_enum::text_enum;
use crate::{MemoryId, Name, Namespace, RuleId, Timestamp};

text_enum! {
    /// How strongly a rule speaks.
    pub enum Severity as "severity" {
        /// Breaking it is noted.
        Advise = "advise",
        /// Breaking it is warned about.
        Warn = "warn",
        /// Breaking it is held back.
        Block = "block",
    }
}

/// A structural description of actions; every field that is set must match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ActionPattern {
    /// The tool, such as `Edit`; none means any.
    pub tool: Option<CleanText>,
    /// The program of a shell command; none means any.
    pub program: Option<CleanText>,
    /// Sub-commands and operands that must occur, in this order.
    pub words: Vec<CleanText>,
    /// Flags that must occur, in any order.
    pub flags: Vec<CleanText>,
    /// Globs of which one must match a path in scope.
    pub paths: Vec<CleanText>,
    /// Names of environments, contexts, hosts or branches of which one must be the target.
    pub environment: Vec<CleanText>,
}

/// What a rule demands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Control {
    /// Each prerequisite must have succeeded since the rule was given.
    Requires {
        /// The action that is controlled.
        trigger: ActionPattern,
        /// What must have been done first, all of it.
        prerequisites: Vec<ActionPattern>,
    },
    /// The action must not run, unless one of the exceptions holds.
    Prohibits {
        /// The action that is controlled.
        trigger: ActionPattern,
        /// Actions, or forms of the action itself, that lift the prohibition.
        unless: Vec<ActionPattern>,
    },
    /// Another action is wanted in its place.
    Prefers {
        /// The action to avoid.
        avoid: ActionPattern,
        /// The action to use.
        prefer: ActionPattern,
    },
}

impl Control {
    /// Returns the pattern of the actions that the rule is about.
    pub fn trigger(&self) -> &ActionPattern {
        match self {
            Self::Requires { trigger, .. } | Self::Prohibits { trigger, .. } => trigger,
            Self::Prefers { avoid, .. } => avoid,
        }
    }
}

/// A compiled rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// The id.
    pub id: RuleId,
    /// The memory whose control part it is; erased with it.
    pub memory: MemoryId,
    /// Where it applies, and below.
    pub namespace: Namespace,
    /// The agent that it was given to.
    pub agent: Name,
    /// Whether it guards `agent` alone.
    pub private: bool,
    /// The project that it is confined to, if any.
    pub project: Option<CleanText>,
    /// How strongly it speaks.
    pub severity: Severity,
    /// What it demands.
    pub control: Control,
    /// Keys under which an action finds it; a rule matches only actions that share one.
    pub keys: Vec<CleanText>,
    /// When it was recorded; the store sets this.
    pub recorded_at: Timestamp,
}

/// A stored rule body that cannot be read back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a stored rule cannot be read; run `precedent audit verify` and store the rule again")]
pub struct RuleBodyError;

impl Control {
    /// Writes the control as JSON, for a store to keep.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("strings and lists always serialise")
    }

    /// Reads what [`Control::to_json`] wrote, cleaning every text again.
    ///
    /// # Errors
    /// [`RuleBodyError`] when the JSON is not such a control.
    pub fn from_json(text: &str, redactor: &Redactor) -> Result<Self, RuleBodyError> {
        let value: Value = serde_json::from_str(text).map_err(|_| RuleBodyError)?;
        let pattern = |name: &str| read_pattern(value.get(name), redactor);
        let patterns = |name: &str| -> Result<Vec<ActionPattern>, RuleBodyError> {
            let list = value
                .get(name)
                .and_then(Value::as_array)
                .ok_or(RuleBodyError)?;
            list.iter()
                .map(|item| read_pattern(Some(item), redactor))
                .collect()
        };
        match value.get("type").and_then(Value::as_str) {
            Some("requires") => Ok(Self::Requires {
                trigger: pattern("trigger")?,
                prerequisites: patterns("prerequisites")?,
            }),
            Some("prohibits") => Ok(Self::Prohibits {
                trigger: pattern("trigger")?,
                unless: patterns("unless")?,
            }),
            Some("prefers") => Ok(Self::Prefers {
                avoid: pattern("avoid")?,
                prefer: pattern("prefer")?,
            }),
            _ => Err(RuleBodyError),
        }
    }
}

fn read_pattern(
    value: Option<&Value>,
    redactor: &Redactor,
) -> Result<ActionPattern, RuleBodyError> {
    let object = value.and_then(Value::as_object).ok_or(RuleBodyError)?;
    let text = |name: &str| match object.get(name) {
        Some(Value::String(text)) => Ok(Some(redactor.clean(text))),
        Some(Value::Null) | None => Ok(None),
        Some(_) => Err(RuleBodyError),
    };
    let list = |name: &str| -> Result<Vec<CleanText>, RuleBodyError> {
        let items = object
            .get(name)
            .and_then(Value::as_array)
            .ok_or(RuleBodyError)?;
        items
            .iter()
            .map(|item| {
                item.as_str()
                    .map(|text| redactor.clean(text))
                    .ok_or(RuleBodyError)
            })
            .collect()
    };
    Ok(ActionPattern {
        tool: text("tool")?,
        program: text("program")?,
        words: list("words")?,
        flags: list("flags")?,
        paths: list("paths")?,
        environment: list("environment")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_round_trip_through_json() {
        let redactor = Redactor::new();
        let trigger = ActionPattern {
            program: Some(redactor.clean("npm")),
            words: vec![redactor.clean("run"), redactor.clean("deploy")],
            ..ActionPattern::default()
        };
        let prefer = ActionPattern {
            program: Some(redactor.clean("pnpm")),
            ..trigger.clone()
        };
        for control in [
            Control::Requires {
                trigger: trigger.clone(),
                prerequisites: vec![prefer.clone()],
            },
            Control::Prohibits {
                trigger: trigger.clone(),
                unless: vec![],
            },
            Control::Prefers {
                avoid: trigger,
                prefer,
            },
        ] {
            assert_eq!(
                Control::from_json(&control.to_json(), &redactor),
                Ok(control)
            );
        }
        assert_eq!(Control::from_json("{}", &redactor), Err(RuleBodyError));
    }
}
