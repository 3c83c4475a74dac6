//! What an import could not carry over.

use std::fmt;

/// Lists what an imported configuration says and the imported rules do not do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ImportNotes(Vec<ImportNote>);

/// One thing that was not carried over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportNote {
    /// The id of the rule, or nothing where the whole file is meant.
    pub rule: Option<String>,
    /// What was lost.
    pub loss: ImportLoss,
}

/// Names what was not carried over.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ImportLoss {
    /// The rule looks at file names only and was left out: text has none.
    PathOnlyRule,
    /// The rule's path filter was left out: the rule applies to all text.
    PathFilter,
    /// An allowlist's paths were left out; its other entries hold.
    AllowedPaths,
    /// An allowlist's commits were left out; its other entries hold.
    AllowedCommits,
    /// An allowlist needs a path or commit and can never apply; it was left out.
    UnreachableAllowlist,
    /// An allowlist names a rule that this file does not have.
    UnknownTarget,
    /// The file extends another: import that one as well and join the sets.
    Extends,
    /// The file turns rules of another file off: leave them out of that file.
    DisabledRules,
    /// The rule only changes one of the extended file and was left out.
    ChangesExtended,
    /// The rule needs other rules' findings nearby; it applies without them.
    RequiredRules,
    /// The rule only serves others, which no longer need it, and was left out.
    SkipReport,
    /// The id makes no class, so the class was formed from it by replacement and cutting.
    ClassFormed,
    /// The field has no meaning in this format and was ignored.
    UnknownField(String),
}

impl ImportNotes {
    /// Returns the notes in the order of the file.
    pub fn as_slice(&self) -> &[ImportNote] {
        &self.0
    }

    /// Tells whether everything was carried over.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn add(&mut self, rule: Option<&str>, loss: ImportLoss) {
        let rule = rule.map(str::to_owned);
        self.0.push(ImportNote { rule, loss });
    }
}

impl fmt::Display for ImportNotes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}

impl fmt::Display for ImportNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(rule) = &self.rule {
            write!(f, "rule `{rule}`: ")?;
        }
        let text = match &self.loss {
            ImportLoss::PathOnlyRule => "left out, it looks at file names only",
            ImportLoss::PathFilter => "path filter left out, the rule applies to all text",
            ImportLoss::AllowedPaths => "allowlist paths left out",
            ImportLoss::AllowedCommits => "allowlist commits left out",
            ImportLoss::UnreachableAllowlist => {
                "allowlist left out, it needs a path or commit to apply"
            }
            ImportLoss::UnknownTarget => "allowlist left out, this file has no such rule",
            ImportLoss::Extends => "extends another file; import that one too and join the sets",
            ImportLoss::DisabledRules => {
                "turns rules of another file off; leave them out of that file"
            }
            ImportLoss::ChangesExtended => "left out, it only changes a rule of the extended file",
            ImportLoss::RequiredRules => "applies without the other rules that it requires",
            ImportLoss::SkipReport => "left out, it only serves other rules",
            ImportLoss::ClassFormed => "its class differs from its id",
            ImportLoss::UnknownField(field) => {
                return write!(f, "field `{}` ignored", field.escape_debug());
            }
        };
        f.write_str(text)
    }
}
