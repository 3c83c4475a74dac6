//! Rules of a user's own, and rules imported from gitleaks.

mod allowance;
mod budget;
mod error;
mod fields;
mod gate;
mod gitleaks;
mod notes;
mod own;
mod pattern;
mod re2;
mod rule;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

pub use error::RuleError;
pub use notes::{ImportLoss, ImportNote, ImportNotes};

pub(crate) use fields::{Fields, parse};
pub(crate) use pattern::{compile_any, parse as parse_pattern};

use budget::Budget;
use gate::Gate;
use rule::Rule;

/// Most rules in one set.
const MAX_RULES: usize = 2_000;
/// Longest class name, from the marker's format.
const MAX_CLASS: usize = 40;

/// Holds compiled rules of a user's own.
///
/// Immutable, without I/O, and cheap to search where no keyword occurs. A file of rules is TOML
/// with a table for each rule:
///
/// ```
/// use precedent_redact::RuleSet;
///
/// let rules = RuleSet::from_toml(r#"
/// [[rules]]
/// id = "acme-token"              # a-z, 0-9 and single dashes
/// class = "acme_token"           # in the marker; 2 to 40 of a-z, 0-9, _; default: id with _
/// regex = 'acme_([a-z0-9]{24})'  # syntax of the regex crate
/// keywords = ["acme_"]           # at least 3 bytes each, in any case, near every secret
/// ## always = true               # in place of keywords: run on all text
/// group = 1                      # number or name of the group that is the secret
/// min_entropy = 3.0              # least Shannon entropy in bits per byte; default 0
/// max_len = 512                  # longest secret in bytes, at most 4096; default 512
/// hit = ["token: acme_0a1b2c3d4e5f6g7h8i9j0k1l"]
/// miss = ["acme_corporation"]
/// "#)?;
///
/// let text = "with ACME_x or acme_z9y8x7w6v5u4t3s2r1q0p9o8";
/// let mut found = Vec::new();
/// rules.find(text, &mut found);
/// assert_eq!(&text[found[0].range.clone()], "z9y8x7w6v5u4t3s2r1q0p9o8");
/// assert_eq!(&*found[0].class, "acme_token");
/// # Ok::<(), precedent_redact::RuleError>(())
/// ```
///
/// Every text of `hit` must give a finding and no text of `miss` may, or the file is refused: a
/// rule that finds nothing protects nothing. Unknown fields are refused for the same reason.
/// Without `group` the first group that took part in the match is the secret, and without groups
/// the whole match; a match in which a given `group` took no part is no finding.
///
/// Patterns run on the bytes of UTF-8 text: `\w`, `\d`, `\s`, `\b` and `(?i)` are ASCII, a dot is
/// one byte, and `(?u:…)` switches to Unicode. A pattern runs only near its keywords, `max_len`
/// and 128 bytes to each side, so that the work stays linear in the length of any text. A match
/// longer than that may be missed; a secret that reaches beyond is masked to the end of its run.
///
/// Limits: 2,000 rules, 1 MiB of TOML, 2 MiB for each compiled pattern, 64 MiB for a file's rules.
pub struct RuleSet {
    rules: Vec<Rule>,
    gate: Gate,
}

/// Locates one secret that a custom rule found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CustomFinding {
    /// Byte range in the text, on character boundaries and not empty.
    pub range: Range<usize>,
    /// Index of the rule, for [`RuleSet::id`].
    pub rule: usize,
    /// Class of the rule.
    pub class: Arc<str>,
}

impl RuleSet {
    /// Reads rules in the project's own format and holds each to its examples.
    ///
    /// # Errors
    /// Names the rule, the field and what to do next; never an example's text.
    pub fn from_toml(text: &str) -> Result<Self, RuleError> {
        Self::build(own::read(text)?)
    }

    /// Imports a configuration in the format of gitleaks 8 (its README, "Configuration").
    ///
    /// Rules, secret groups, entropies, keywords and allowlists of patterns and stopwords are
    /// carried over. Paths, commits and extended files are not; each such loss is noted. A rule
    /// runs near its keywords only, where gitleaks accepts them anywhere in a fragment, and an
    /// entropy exactly at the rule's threshold is a finding.
    ///
    /// # Errors
    /// Names the rule, the field and what to do next.
    pub fn from_gitleaks_toml(text: &str) -> Result<(Self, ImportNotes), RuleError> {
        let (rules, notes) = gitleaks::read(text)?;
        Ok((Self::build(rules)?, notes))
    }

    /// Joins two sets into one.
    ///
    /// # Errors
    /// An id occurs in both sets, or the set becomes too large.
    pub fn join(mut self, other: Self) -> Result<Self, RuleError> {
        self.rules.extend(other.rules);
        let joined = Self::build(self.rules)?;
        joined.bound_size()?;
        Ok(joined)
    }

    /// Adds the secrets in a text to the list, by rule and then by place; findings of different
    /// rules may overlap.
    ///
    /// The text comes in units of at most 16 KiB where latency matters; any length is accepted.
    pub fn find(&self, text: &str, found: &mut Vec<CustomFinding>) {
        let windows = self.gate.windows(text);
        for windows in windows.chunk_by(|a, b| a.rule == b.rule) {
            let index = windows[0].rule;
            let rule = &self.rules[index];
            let ranges = windows.iter().map(|window| window.range.clone());
            rule.search(text, ranges, &mut |range| {
                found.push(CustomFinding {
                    range,
                    rule: index,
                    class: Arc::clone(&rule.class),
                });
            });
        }
    }

    /// Returns the class names of the rules, sorted and each once.
    pub fn classes(&self) -> Vec<&str> {
        let classes: BTreeSet<&str> = self.rules.iter().map(|rule| &*rule.class).collect();
        classes.into_iter().collect()
    }

    /// Returns the id of a rule by its index.
    pub fn id(&self, rule: usize) -> Option<&str> {
        self.rules.get(rule).map(|rule| &*rule.id)
    }

    /// Returns the number of rules.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Tells whether the set has no rules.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    fn build(rules: Vec<Rule>) -> Result<Self, RuleError> {
        bound_count(rules.len())?;
        let mut ids = BTreeSet::new();
        if let Some(twice) = rules.iter().find(|rule| !ids.insert(&rule.id)) {
            let problem = "given twice; rename one of the rules";
            return Err(RuleError::new(Some(&twice.id), "id", problem));
        }
        let gate = Gate::new(&rules)?;
        Ok(Self { rules, gate })
    }

    /// Adds up the size of a joined set; shared allowlists count once.
    fn bound_size(&self) -> Result<(), RuleError> {
        let mut seen = BTreeSet::new();
        let mut budget = Budget::default();
        for rule in &self.rules {
            budget.take(rule.regex.memory_usage())?;
            let new = rule
                .allowances
                .iter()
                .filter(|list| seen.insert(Arc::as_ptr(list)));
            new.map(|list| list.memory())
                .try_for_each(|bytes| budget.take(bytes))?;
        }
        Ok(())
    }
}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleSet")
            .field("rules", &self.rules.len())
            .finish_non_exhaustive()
    }
}

fn bound_count(count: usize) -> Result<(), RuleError> {
    if count > MAX_RULES {
        return Err(RuleError::new(None, "rules", "more than 2000; use fewer"));
    }
    Ok(())
}

/// Tells whether a name can be a class: 2 to 40 bytes of `[a-z0-9_]`.
pub(crate) fn is_class(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    (2..=MAX_CLASS).contains(&name.len()) && name.bytes().all(plain)
}

/// Forms a class from any id.
fn formed_class(id: &str) -> String {
    let plain = |c: char| match c.to_ascii_lowercase() {
        c if c.is_ascii_alphanumeric() => c,
        _ => '_',
    };
    let class: String = id.chars().map(plain).take(MAX_CLASS).collect();
    if class.len() < 2 {
        return format!("rule_{class}");
    }
    class
}

#[cfg(test)]
mod tests;
