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
    // The tag of a field of a Go struct: `json:"password"`.
    if quoted && value.ends_with('"') && value.find(":\"").is_some_and(|at| at > 0 && at < 12) {
        return true;
    }
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
    let path = name.contains("::") && name.split("::").all(is_name);
    let member = name.contains('.') && rest.is_empty() && name.split('.').all(is_identifier);
    let heads = [
        "=>", "function", "&mut ", "*mut", "*const", "__u", "__i", "__s",
    ];
    path || member
        || is_group(value)
        || is_list_of_calls(value)
        || is_integer(value)
        || is_type(value)
        || heads.iter().any(|head| value.starts_with(head))
}

/// Tells whether a string holds a call of a plainly named function: `env('X')`, `getToken()`.
fn is_quoted_call(name: &str, rest: &str, makeup: &Makeup) -> bool {
    let inner = rest
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let argument =
        inner.is_some_and(|inner| inner.is_empty() || inner.starts_with(['\'', '"', '\\']));
    let path = name.contains("::") && makeup.digits == 0 && rest.is_empty();
    // `base64(user:password)` tells how a value is made.
    let formula = inner.is_some_and(|inner| inner.bytes().all(|b| !b.is_ascii_digit()))
        && makeup.upper == 0
        && name.len() >= 3
        && rest.len() >= 5
        && is_identifier(name);
    path || formula || argument && makeup.letters() > 1 && makeup.digits == 0
}

/// Tells whether a part of a path is a name, which may hold a short number: `avx2_cpuid`.
fn is_name(part: &str) -> bool {
    let of_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    part.bytes().all(of_name) && Makeup::of(part).digits <= 3
}

/// Tells whether the value is the head of an array type, a qualified type, the name of a C type
/// or a number with its type: `[u16`, `<T>::new`, `LPCWSTR`, `BCRYPT_KEY_HANDLE`, `1i32`.
fn is_type(value: &str) -> bool {
    let array = value.strip_prefix('[').is_some_and(|inner| {
        inner.len() <= 12
            && !inner.is_empty()
            && inner
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'_')
    });
    let shouted = value
        .trim_end_matches(|c: char| c.is_ascii_digit())
        .bytes()
        .all(|b| b.is_ascii_uppercase() || b == b'_');
    let number = value
        .trim_start_matches(|c: char| !c.is_ascii_digit())
        .len();
    let sized = matches!(number, 0)
        || ["8", "16", "32", "64"]
            .iter()
            .any(|size| value.ends_with(size) && number == size.len());
    let suffix = [
        "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64", "usize",
    ];
    let literal = suffix.iter().any(|suffix| {
        value.strip_suffix(suffix).is_some_and(|digits| {
            !digits.is_empty() && digits.len() < 6 && digits.bytes().all(|b| b.is_ascii_digit())
        })
    });
    array
        || is_constant(value)
        || value.starts_with('<') && value.contains(">::")
        || shouted && sized && value.len() >= 5 && (value.contains('_') || value.len() <= 9)
        || literal
}

/// Tells whether the value is a constant of three words and more: `D3D10_SB_RETURN_TYPE`.
fn is_constant(value: &str) -> bool {
    let word = |part: &str| part.len() > 1 && part.bytes().all(|b| b.is_ascii_uppercase());
    let of_name = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    value.bytes().all(of_name) && value.split('_').filter(|part| word(part)).count() >= 3
}

/// Tells whether a list begins with a call: `[generate(16)`.
fn is_list_of_calls(value: &str) -> bool {
    let Some((name, _)) = value
        .strip_prefix('[')
        .and_then(|inner| inner.split_once('('))
    else {
        return false;
    };
    name.split('.').all(is_identifier)
}

/// Tells whether the value is an integer as code writes them, but none as people choose them:
/// with a sign, or `0x` and at most eight digits.
fn is_integer(value: &str) -> bool {
    if let Some(digits) = value.strip_prefix('-') {
        return !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    }
    let hex = value
        .strip_prefix("0x")
        .or_else(|| value.strip_prefix("0X"));
    hex.is_some_and(|digits| digits.len() <= 8 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
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
    // `utf8_name` and `x2` are names; digits here and there are not.
    let runs = part
        .split(|c: char| !c.is_ascii_digit())
        .filter(|run| !run.is_empty())
        .count();
    starts && Makeup::of(part).digits <= 2 && runs <= 1 && !looks_random(part, 8)
}
