//! Writes values in the canonical form of RFC 8785.

use serde_json::{Map, Number, Value};

use super::{JsonFault, MAX_DEPTH, MAX_INTEGER, is_member_name};

/// Writes a value in canonical form.
///
/// # Errors
/// Refuses floats, integers beyond ±(2^53 − 1), member names outside `[a-z0-9_]` and nesting
/// deeper than [`MAX_DEPTH`].
pub fn canonical(value: &Value) -> Result<Vec<u8>, JsonFault> {
    let mut out = Vec::new();
    write_value(value, &mut out, 0)?;
    Ok(out)
}

/// Appends a value that stands at nesting level `depth`.
fn write_value(value: &Value, out: &mut Vec<u8>, depth: usize) -> Result<(), JsonFault> {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        Value::Number(number) => write_number(number, out)?,
        Value::String(text) => write_string(text, out),
        Value::Array(items) => write_array(items, out, depth)?,
        Value::Object(members) => write_object(members, out, depth)?,
    }
    Ok(())
}

fn write_array(items: &[Value], out: &mut Vec<u8>, depth: usize) -> Result<(), JsonFault> {
    let depth = deeper(depth)?;
    out.push(b'[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_value(item, out, depth)?;
    }
    out.push(b']');
    Ok(())
}

/// Appends an object that stands at nesting level `depth`.
pub(crate) fn write_object(
    members: &Map<String, Value>,
    out: &mut Vec<u8>,
    depth: usize,
) -> Result<(), JsonFault> {
    let depth = deeper(depth)?;
    // The map keeps insertion order when another crate turns that feature on: sort here.
    let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
    sorted.sort_unstable_by_key(|(name, _)| *name);
    out.push(b'{');
    for (index, (name, value)) in sorted.into_iter().enumerate() {
        if !is_member_name(name) {
            return Err(JsonFault::MemberName);
        }
        if index > 0 {
            out.push(b',');
        }
        write_string(name, out);
        out.push(b':');
        write_value(value, out, depth)?;
    }
    out.push(b'}');
    Ok(())
}

fn deeper(depth: usize) -> Result<usize, JsonFault> {
    if depth >= MAX_DEPTH {
        Err(JsonFault::Depth)
    } else {
        Ok(depth + 1)
    }
}

fn write_number(number: &Number, out: &mut Vec<u8>) -> Result<(), JsonFault> {
    if let Some(value) = number.as_i64() {
        return write_integer(value, out);
    }
    if number.is_u64() {
        Err(JsonFault::IntegerRange)
    } else {
        Err(JsonFault::Float)
    }
}

/// Appends an integer within ±(2^53 − 1).
pub(crate) fn write_integer(value: i64, out: &mut Vec<u8>) -> Result<(), JsonFault> {
    if value.unsigned_abs() > MAX_INTEGER {
        return Err(JsonFault::IntegerRange);
    }
    out.extend_from_slice(value.to_string().as_bytes());
    Ok(())
}

/// Appends a quoted string with the escapes of RFC 8785 section 3.2.2.2 and no others.
pub(crate) fn write_string(text: &str, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.push(b'"');
    for &byte in text.as_bytes() {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            0x08 => out.extend_from_slice(b"\\b"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            0x0c => out.extend_from_slice(b"\\f"),
            b'\r' => out.extend_from_slice(b"\\r"),
            0x00..=0x1f => {
                out.extend_from_slice(b"\\u00");
                out.push(DIGITS[usize::from(byte >> 4)]);
                out.push(DIGITS[usize::from(byte & 0x0f)]);
            }
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}
