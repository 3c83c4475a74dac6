//! Where a JSON document ends that starts a line, told while it arrives.

use super::Mode;

/// Deepest nesting of a document that is walked; the parser's limit.
const MAX_DEPTH: u32 = 127;

/// What is known about a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// It ends with the line that ends here.
    At(usize),
    /// There is none, or it is longer than a unit.
    None,
    /// More text decides.
    Undecided,
}

/// What may come next (RFC 8259).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrEnd,
}

/// Finds the end of the document that starts at this line start.
pub(super) fn end(text: &str, start: usize, mode: Mode) -> End {
    let last = mode.last;
    let reach = text.len().min(start + mode.max);
    let bytes = &text.as_bytes()[start..reach];
    if !matches!(bytes.first(), Some(b'{' | b'[')) {
        return End::None;
    }
    let complete = last || reach == start + mode.max;
    match closes(bytes) {
        Ok(Some(close)) => {
            line_end(bytes, close, complete, last && reach == text.len()).map_or(End::None, |end| {
                match end {
                    Some(end) => End::At(start + end),
                    None => End::Undecided,
                }
            })
        }
        Ok(None) if !complete => End::Undecided,
        _ => End::None,
    }
}

/// Returns the end of the line if only blanks follow: `Some(None)` while that is not known.
fn line_end(bytes: &[u8], close: usize, complete: bool, ended: bool) -> Option<Option<usize>> {
    let rest = &bytes[close..];
    match rest.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r')) {
        Some(at) if rest[at] == b'\n' => Some(Some(close + at + 1)),
        Some(_) => None,
        None if ended => Some(Some(bytes.len())),
        None => (!complete).then_some(None),
    }
}

/// Walks the tokens: `Ok(Some)` where the outermost bracket closes, `Ok(None)` if the text ends
/// before, `Err` where it is no JSON.
fn closes(bytes: &[u8]) -> Result<Option<usize>, ()> {
    // One bit a level: whether it is an object.
    let mut objects = 0u128;
    let mut depth = 0;
    let mut expect = Expect::Value;
    let mut at = 0;
    while at < bytes.len() {
        let b = bytes[at];
        at += 1;
        match (b, expect) {
            (b' ' | b'\t' | b'\r' | b'\n', _) => {}
            (b'{' | b'[', Expect::Value | Expect::ValueOrEnd) => {
                if depth == MAX_DEPTH {
                    return Err(());
                }
                depth += 1;
                objects = objects << 1 | u128::from(b == b'{');
                expect = if b == b'{' {
                    Expect::KeyOrEnd
                } else {
                    Expect::ValueOrEnd
                };
            }
            (b'}', Expect::KeyOrEnd | Expect::CommaOrEnd) if objects & 1 == 1 => {
                depth -= 1;
                objects >>= 1;
                expect = Expect::CommaOrEnd;
            }
            (b']', Expect::ValueOrEnd | Expect::CommaOrEnd) if objects & 1 == 0 => {
                depth -= 1;
                objects >>= 1;
                expect = Expect::CommaOrEnd;
            }
            (b',', Expect::CommaOrEnd) => {
                expect = if objects & 1 == 1 {
                    Expect::Key
                } else {
                    Expect::Value
                };
            }
            (b':', Expect::Colon) => expect = Expect::Value,
            (b'"', Expect::Key | Expect::KeyOrEnd) => {
                at = string_end(bytes, at)?;
                expect = Expect::Colon;
            }
            (b'"', Expect::Value | Expect::ValueOrEnd) => {
                at = string_end(bytes, at)?;
                expect = Expect::CommaOrEnd;
            }
            (b'-' | b'0'..=b'9' | b't' | b'f' | b'n', Expect::Value | Expect::ValueOrEnd) => {
                at += bytes[at..]
                    .iter()
                    .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'+' | b'-'))
                    .count();
                expect = Expect::CommaOrEnd;
            }
            _ => return Err(()),
        }
        if depth == 0 {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Returns the end of the string whose content starts here, or the end of the text.
fn string_end(bytes: &[u8], from: usize) -> Result<usize, ()> {
    let mut at = from;
    while let Some(found) = memchr::memchr3(b'"', b'\\', b'\n', &bytes[at..]) {
        at += found;
        match bytes[at] {
            b'"' => return Ok(at + 1),
            b'\\' => at = (at + 2).min(bytes.len()),
            _ => return Err(()),
        }
    }
    Ok(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::MAX_UNIT;

    fn end(text: &str, start: usize, last: bool) -> End {
        let mode = Mode {
            max: MAX_UNIT,
            last,
            documents: true,
        };
        super::end(text, start, mode)
    }

    #[test]
    fn documents_end_with_their_line() {
        let text = "{\"a\": [1, {\"b\": \"]}\\\"\"}],\n \"c\": null} \nrest";
        assert_eq!(end(text, 0, false), End::At(text.len() - 4));
        assert_eq!(end("[1, 2]", 0, true), End::At(6));
        assert_eq!(end("[1, 2]", 0, false), End::Undecided);
        assert_eq!(end("[1, 2", 0, false), End::Undecided);
        assert_eq!(end("[1, 2", 0, true), End::None);
    }

    #[test]
    fn other_brackets_are_told_at_once() {
        for text in [
            "[INFO] x",
            "{ return 1; }",
            "[1] 4711 done",
            "[section]",
            "{a: 1",
            "[1 2",
            "{\"a\" 1",
        ] {
            assert_eq!(end(text, 0, false), End::None, "{text}");
        }
        let deep = "[".repeat(200);
        assert_eq!(end(&deep, 0, false), End::None);
        let long = format!("[\"{}\"]\n", "x".repeat(MAX_UNIT));
        assert_eq!(end(&long, 0, true), End::None);
    }
}
