//! Allowances: what a user has looked at and found not to be a secret.

mod file;
mod wide;

use std::collections::BTreeSet;
use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use regex_automata::meta::Regex;
use regex_syntax::hir::{Hir, Look};
use sha2::Sha256;

use crate::class::PRIVATE_KEY;
use crate::custom::{RuleError, compile_any, is_class, parse_pattern};

/// Separates the codes of values from other uses of the key.
const VALUE_DOMAIN: &[u8] = b"precedent/allow-value/1\0";
/// Separates the name of the key from other uses of it.
const KEY_DOMAIN: &[u8] = b"precedent/allow-key/1";
/// Most patterns in a list.
const MAX_PATTERNS: usize = 1_000;

type Code = [u8; 32];

/// Holds what is not to be masked.
///
/// An allowance is an exact value, the name of a key, a pattern for whole values, or a class that
/// is turned off. Only the host sets them. Remarks in the text itself, such as `gitleaks:allow`
/// or `pragma: allowlist secret`, are not honoured: the text of a trace is under the control of
/// whoever wrote it, and would free its own secrets. Private keys are never a matter of taste: an
/// exact value frees one, nothing else does.
///
/// Exact values are kept as HMAC-SHA256 (RFC 2104) under the caller's key, since some of them are
/// secrets after all and an unkeyed hash of a short value is the value.
#[derive(Clone)]
pub struct AllowList {
    mac: Hmac<Sha256>,
    codes: BTreeSet<Code>,
    keys: BTreeSet<String>,
    patterns: Vec<Pattern>,
    /// All patterns, compiled together.
    compiled: Option<Regex>,
    classes_off: BTreeSet<String>,
}

/// One pattern with the form that covers a whole value.
#[derive(Clone)]
struct Pattern {
    source: String,
    whole: Hir,
}

impl AllowList {
    /// Makes an empty list whose values are kept under this key.
    pub fn new(key: &[u8; 32]) -> Self {
        Self {
            mac: Hmac::new_from_slice(key).expect("HMAC takes keys of any length (RFC 2104)"),
            codes: BTreeSet::new(),
            keys: BTreeSet::new(),
            patterns: Vec::new(),
            compiled: None,
            classes_off: BTreeSet::new(),
        }
    }

    /// Reads a list. All fields are optional, unknown ones are refused:
    ///
    /// ```toml
    /// values = ["a test token"]        # exact values as a person writes them
    /// value_macs = ["9c1e…"]           # exact values as kept, 64 hexadecimal digits each
    /// key_check = "0123456789abcdef"   # names the key of the codes, needed beside them
    /// keys = ["build_id"]              # names of keys, in any case
    /// patterns = ['demo-[0-9]{4}']     # for whole values, syntax of the regex crate
    /// classes_off = ["email"]
    /// ```
    ///
    /// # Errors
    /// Names the field and what to do next, never a value: a malformed field, codes that were
    /// made under another key, or a pattern that would let unrelated values pass.
    pub fn from_toml(text: &str, key: &[u8; 32]) -> Result<Self, RuleError> {
        file::read(text, Self::new(key))
    }

    /// Writes the list in the form for storage: values as codes only.
    pub fn to_toml(&self) -> String {
        file::write(self)
    }

    /// Allows an exact value.
    ///
    /// # Errors
    /// The value is empty.
    pub fn add_value(&mut self, value: &str) -> Result<(), RuleError> {
        if value.is_empty() {
            return Err(error("values", "give the value, this one is empty"));
        }
        let code = self.code(value);
        self.codes.insert(code);
        Ok(())
    }

    /// Allows every value of a key, by the key's whole name in any case.
    ///
    /// # Errors
    /// The name is empty.
    pub fn add_key(&mut self, name: &str) -> Result<(), RuleError> {
        if name.is_empty() {
            return Err(error("keys", "give the name, this one is empty"));
        }
        self.keys.insert(name.to_lowercase());
        Ok(())
    }

    /// Allows the values that a pattern matches as a whole.
    ///
    /// # Errors
    /// The pattern is malformed, matches empty text, or matches unrelated values such as random
    /// tokens; or there are too many patterns.
    pub fn add_pattern(&mut self, source: &str) -> Result<(), RuleError> {
        self.add_patterns(&[source])
    }

    /// Turns a class off.
    ///
    /// # Errors
    /// The name is not one of a class, or the class is that of private keys.
    pub fn turn_off(&mut self, class: &str) -> Result<(), RuleError> {
        if class == PRIVATE_KEY.as_str() {
            let problem = "private keys stay masked; allow a test key by its exact value";
            return Err(error("classes_off", problem));
        }
        if !is_class(class) {
            let problem = "give the class as it stands in a marker, of a-z, 0-9 and _";
            return Err(error("classes_off", problem));
        }
        self.classes_off.insert(class.to_owned());
        Ok(())
    }

    /// Tells whether a found value is not to be masked; the caller counts what this frees.
    ///
    /// The key is the name that the value was assigned to, where it has one.
    pub fn allows(&self, value: &str, key: Option<&str>, class: &str) -> bool {
        if !self.codes.is_empty() && self.codes.contains(&self.code(value)) {
            return true;
        }
        if class == PRIVATE_KEY.as_str() {
            return false;
        }
        self.classes_off.contains(class)
            || !self.keys.is_empty()
                && key.is_some_and(|key| self.keys.contains(&key.to_lowercase()))
            || self
                .compiled
                .as_ref()
                .is_some_and(|any| any.is_match(value))
    }

    /// Tells whether nothing is allowed.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
            && self.keys.is_empty()
            && self.patterns.is_empty()
            && self.classes_off.is_empty()
    }

    fn add_patterns(&mut self, sources: &[&str]) -> Result<(), RuleError> {
        let mut patterns = self.patterns.clone();
        for source in sources {
            patterns.push(compile(source)?);
        }
        if patterns.len() > MAX_PATTERNS {
            return Err(error("patterns", "more than 1000; use fewer"));
        }
        let wholes: Vec<Hir> = patterns
            .iter()
            .map(|pattern| pattern.whole.clone())
            .collect();
        if !wholes.is_empty() {
            let compiled = compile_any(&wholes).map_err(|problem| error("patterns", problem))?;
            self.compiled = Some(compiled);
        }
        self.patterns = patterns;
        Ok(())
    }

    fn code(&self, value: &str) -> Code {
        let mac = self.mac.clone().chain_update(VALUE_DOMAIN);
        mac.chain_update(value).finalize().into_bytes().into()
    }

    /// Names the key without telling anything of it: 16 digits of an HMAC over a fixed text.
    fn key_check(&self) -> String {
        let code: Code = self
            .mac
            .clone()
            .chain_update(KEY_DOMAIN)
            .finalize()
            .into_bytes()
            .into();
        file::hex(&code[..8])
    }
}

impl fmt::Debug for AllowList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AllowList")
            .field("values", &self.codes.len())
            .field("keys", &self.keys.len())
            .field("patterns", &self.patterns.len())
            .field("classes_off", &self.classes_off.len())
            .finish_non_exhaustive()
    }
}

fn error(field: &str, problem: impl Into<std::borrow::Cow<'static, str>>) -> RuleError {
    RuleError::new(None, field, problem)
}

/// Compiles one pattern by itself, to judge it.
fn compile(source: &str) -> Result<Pattern, RuleError> {
    let refused = |problem: String| error("patterns", problem);
    let hir = parse_pattern(source).map_err(refused)?;
    // Joined as trees, since no text put around a pattern is safe from what the pattern holds.
    let (start, end) = (Hir::look(Look::Start), Hir::look(Look::End));
    let whole = Hir::concat(vec![start, hir.clone(), end]);
    let alone = compile_any(std::slice::from_ref(&whole)).map_err(refused)?;
    if wide::is_wide(&alone, hir.properties()) {
        let problem = "matches unrelated values; say more of the value, or allow it exactly";
        return Err(error("patterns", problem));
    }
    Ok(Pattern {
        source: source.to_owned(),
        whole,
    })
}

#[cfg(test)]
mod tests;
