//! The file form of allowances.

use std::fmt::Write as _;

use super::{AllowList, Code, error};
use crate::custom::{Fields, RuleError, parse};

const FIELDS: &[&str] = &[
    "values",
    "value_macs",
    "key_check",
    "keys",
    "patterns",
    "classes_off",
];

/// Reads a file into an empty list.
pub(super) fn read(text: &str, mut list: AllowList) -> Result<AllowList, RuleError> {
    let table = parse(text)?;
    let fields = Fields::new(&table, None);
    fields.only(FIELDS)?;
    let codes = fields.strings("value_macs")?;
    let check = fields.string("key_check")?;
    if !codes.is_empty() && check.is_none() {
        return Err(error(
            "key_check",
            "give it as it was stored beside value_macs",
        ));
    }
    if check.is_some_and(|check| check != list.key_check()) {
        let problem = "value_macs were made under another key; open the list with that key";
        return Err(error("key_check", problem));
    }
    for digits in codes {
        let problem = "give 64 lower-case hexadecimal digits each, as they were stored";
        let code = code(digits).ok_or_else(|| error("value_macs", problem))?;
        list.codes.insert(code);
    }
    for value in fields.strings("values")? {
        list.add_value(value)?;
    }
    for name in fields.strings("keys")? {
        list.add_key(name)?;
    }
    for class in fields.strings("classes_off")? {
        list.turn_off(class)?;
    }
    list.add_patterns(&fields.strings("patterns")?)?;
    Ok(list)
}

/// Writes a list; what it does not hold has no field.
pub(super) fn write(list: &AllowList) -> String {
    let mut text = String::new();
    if !list.codes.is_empty() {
        let written = writeln!(text, "key_check = \"{}\"", list.key_check());
        debug_assert!(written.is_ok(), "text takes every write");
        push_list(
            &mut text,
            "value_macs",
            list.codes.iter().map(|code| hex(code)),
        );
    }
    push_list(&mut text, "keys", list.keys.iter());
    push_list(
        &mut text,
        "patterns",
        list.patterns.iter().map(|pattern| &pattern.source),
    );
    push_list(&mut text, "classes_off", list.classes_off.iter());
    text
}

fn push_list(
    text: &mut String,
    field: &str,
    items: impl ExactSizeIterator<Item = impl AsRef<str>>,
) {
    if items.len() == 0 {
        return;
    }
    text.push_str(field);
    text.push_str(" = [\n");
    for item in items {
        text.push_str("  \"");
        push_escaped(text, item.as_ref());
        text.push_str("\",\n");
    }
    text.push_str("]\n");
}

/// Writes the inside of a basic string (TOML 1.0, "String").
fn push_escaped(text: &mut String, item: &str) {
    for c in item.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\0'..='\u{1f}' | '\u{7f}' => {
                let written = write!(text, "\\u{:04X}", u32::from(c));
                debug_assert!(written.is_ok(), "text takes every write");
            }
            _ => text.push(c),
        }
    }
}

/// Writes lower-case hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let written = write!(text, "{byte:02x}");
        debug_assert!(written.is_ok(), "text takes every write");
        text
    })
}

fn code(digits: &str) -> Option<Code> {
    let mut code = [0; 32];
    if digits.len() != code.len() * 2 {
        return None;
    }
    for (byte, pair) in code.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
        *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
    }
    Some(code)
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}
