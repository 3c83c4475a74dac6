//! Tokens that source code splits: string concatenation and line continuation.

use aho_corasick::AhoCorasick;
use std::ops::Range;
use std::sync::OnceLock;

use super::vendor;
use crate::span::Span;

/// What joins two halves where no plain quotes do: line continuation and escaped quotes.
const JOINTS: &[&str] = &["\\\n", "\\\r\n", "\\\" + \\\""];

/// Longest joint between two quotes, in bytes.
const MAX_JOINT: usize = 64;

/// Tells whether a line ends a literal that the next one may continue.
pub(crate) fn awaits_half(line: &str) -> bool {
    let line = line.trim_end_matches(['+', '.', '&', '\\', ' ']);
    line.ends_with(['"', '\''])
}

/// Tells whether a line starts with a literal that continues one.
pub(crate) fn is_half(line: &str) -> bool {
    line.trim_start_matches(['+', '.', '&', ' ', '\t'])
        .starts_with(['"', '\''])
}

/// Searches the text without its joints and maps what spans one back.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let joints = joints(text);
    if joints.is_empty() {
        return;
    }
    let mut view = String::with_capacity(text.len());
    // For each joint, where it was in the view.
    let mut places = Vec::with_capacity(joints.len());
    let mut at = 0;
    for joint in &joints {
        view.push_str(&text[at..joint.start]);
        places.push(view.len());
        at = joint.end;
    }
    view.push_str(&text[at..]);
    let mut found = Vec::new();
    vendor::find(&view, &mut found);
    for mut span in found {
        let before = places.partition_point(|place| *place <= span.range.start);
        let until = places.partition_point(|place| *place < span.range.end);
        if until > before {
            let removed = |count: usize| joints[..count].iter().map(|j| j.len()).sum::<usize>();
            span.range = span.range.start + removed(before)..span.range.end + removed(until);
            spans.push(span);
        }
    }
}

/// Finds what joins literals: in order and apart.
fn joints(text: &str) -> Vec<Range<usize>> {
    let listed = gate().find_iter(text).map(|hit| hit.start()..hit.end());
    let quotes = memchr::memchr2_iter(b'"', b'\'', text.as_bytes());
    let mut joints: Vec<_> = quotes
        .filter_map(|at| between_quotes(text.as_bytes(), at))
        .chain(listed)
        .collect();
    joints.sort_by_key(|joint| joint.start);
    joints.dedup_by(|next, joint| next.start < joint.end);
    joints
}

/// Reads the joint whose first quote is here: between two equal quotes a sign, a line end, blanks or
/// nothing, as C and shells join literals.
fn between_quotes(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let of_joint = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'+' | b'.' | b'&' | b'\\');
    let rest = &bytes[at + 1..];
    let gap = rest
        .iter()
        .take(MAX_JOINT)
        .take_while(|b| of_joint(b))
        .count();
    // Text stands on both sides, or the quotes are an empty literal.
    let within = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_alphanumeric)
    };
    let literal = within(at.checked_sub(1)) && within(Some(at + gap + 2));
    let telling = rest[..gap].iter().any(|b| !matches!(b, b' ' | b'\t'));
    ((telling || literal) && rest.get(gap) == Some(&bytes[at])).then(|| at..at + gap + 2)
}

fn gate() -> &'static AhoCorasick {
    static GATE: OnceLock<AhoCorasick> = OnceLock::new();
    GATE.get_or_init(|| AhoCorasick::new(JOINTS).expect("the list of joints is small and fixed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_are_signs_or_line_ends_between_quotes() {
        for (text, count) in [
            ("\"a\" + \"b\"", 1),
            ("\"a\"\n    + \"b\"", 1),
            ("(\"a\"\n   \"b\")", 1),
            ("'a' . 'b' . 'c'", 2),
            ("\"a\" \"b\"", 1),
            ("'a''b'", 1),
            ("x = \"\"", 0),
            ("\"a\", \"b\"", 0),
            ("\"a\" + 'b'", 0),
        ] {
            assert_eq!(joints(text).len(), count, "{text}");
        }
    }

    #[test]
    fn a_split_token_is_masked_with_its_joint() {
        let halves = ["a1b2".repeat(5), "c3d4".repeat(5)];
        let text = format!("t = \"ghp_{}\" + \"{}\";", halves[0], halves[1]);
        let mut spans = Vec::new();
        find(&text, &mut spans);
        assert_eq!(spans.len(), 1);
        let expected = format!("ghp_{}\" + \"{}", halves[0], halves[1]);
        assert_eq!(&text[spans[0].range.clone()], expected);
    }
}
