//! Tells expressions of programming languages from values.

use super::looks_random;
use crate::entropy::Makeup;
use crate::key::{self, Sensitivity};

/// Tells whether the value is an expression: a call, a member access, a path of types.
pub(super) fn is_code(value: &str, quoted: bool) -> bool {
    if quoted && value.contains(' ') {
        return false;
    }
    let value = value.trim_end_matches([';', ',']);
    let name_end = value
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '&' | '!' | '?')))
        .unwrap_or(value.len());
    let (name, rest) = value.split_at(name_end);
    let makeup = Makeup::of(name);
    if quoted {
        return is_quoted_call(name, rest, &makeup);
    }
    let named = makeup.letters() > 0 && makeup.digits <= 3;
    if named && opens_expression(rest) || value.starts_with("&#x") {
        return true;
    }
    // A variable named like its key is code, not a password.
    let namesake = rest.is_empty() && makeup.digits == 0;
    if namesake && key::classify(name) >= Sensitivity::Medium {
        return true;
    }
    let path = name.contains("::") && makeup.digits == 0;
    let member = name.contains('.') && rest.is_empty() && name.split('.').all(is_identifier);
    let heads = ["=>", "function", "&mut "];
    path || member || is_group(value) || heads.iter().any(|head| value.starts_with(head))
}

/// Tells whether a string holds a call of a plainly named function: `env('X')`, `getToken()`.
fn is_quoted_call(name: &str, rest: &str, makeup: &Makeup) -> bool {
    let inner = rest
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let argument =
        inner.is_some_and(|inner| inner.is_empty() || inner.starts_with(['\'', '"', '\\']));
    let path = name.contains("::") && makeup.digits == 0 && rest.is_empty();
    path || argument && makeup.letters() > 1 && makeup.digits == 0
}

fn is_group(value: &str) -> bool {
    value.strip_prefix('(').is_some_and(|inner| {
        inner.starts_with(|c: char| c.is_ascii_alphabetic())
            && is_identifier(inner.split(['.', ')', ' ']).next().unwrap_or(""))
    })
}

fn opens_expression(rest: &str) -> bool {
    rest.starts_with(['(', '<', '[']) || rest.starts_with("->")
}

fn is_identifier(part: &str) -> bool {
    let starts = part
        .bytes()
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    starts && Makeup::of(part).digits <= 2 && !looks_random(part, 8)
}
