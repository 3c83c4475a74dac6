//! Tokens that source code splits: string concatenation and line continuation.

use std::cell::Cell;
use std::ops::Range;

use super::vendor;
use crate::span::Span;

/// What joins two halves where no plain quotes do: line continuation and escaped quotes.
const JOINTS: &[&[u8]] = &[b"\\\n", b"\\\r\n", b"\\\" + \\\""];

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

thread_local! {
    /// The last view, whose memory the next one takes: joining costs no allocation then.
    static SPARE: Cell<View> = const { Cell::new(View::NONE) };
}

/// A text without its joints.
#[derive(Default)]
struct View {
    text: String,
    /// Where the joints are in the source, and where each was in the view.
    joints: Vec<(Range<usize>, usize)>,
}

impl View {
    const NONE: Self = Self {
        text: String::new(),
        joints: Vec::new(),
    };

    /// Joins the halves; returns whether there are any.
    fn join(&mut self, source: &str) -> bool {
        self.text.clear();
        self.joints.clear();
        let mut at = 0;
        for joint in joints(source) {
            self.text.push_str(&source[at..joint.start]);
            at = joint.end;
            self.joints.push((joint, self.text.len()));
        }
        if at > 0 {
            self.text.push_str(&source[at..]);
        }
        at > 0
    }

    /// Maps a span of the view back if it spans a joint.
    fn to_source(&self, mut span: Span) -> Option<Span> {
        let joints = &self.joints;
        let before = joints.partition_point(|(_, place)| *place <= span.range.start);
        let until = joints.partition_point(|(_, place)| *place < span.range.end);
        let removed = |count: usize| -> usize { joints[..count].iter().map(|j| j.0.len()).sum() };
        (until > before).then(|| {
            span.range = span.range.start + removed(before)..span.range.end + removed(until);
            span
        })
    }
}

/// Searches the text without its joints and maps what spans one back.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut view = SPARE.take();
    if view.join(text) {
        let mut found = Vec::new();
        vendor::find(&view.text, &mut found);
        spans.extend(found.into_iter().filter_map(|span| view.to_source(span)));
    }
    SPARE.set(view);
}

/// Finds what joins literals: in order and apart.
fn joints(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut done = 0;
    memchr::memchr3_iter(b'"', b'\'', b'\\', bytes).filter_map(move |at| {
        if at < done {
            return None;
        }
        let joint = match bytes[at] {
            b'\\' => listed(bytes, at),
            _ => between_quotes(bytes, at),
        }?;
        done = joint.end;
        Some(joint)
    })
}

fn listed(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let joint = JOINTS.iter().find(|joint| bytes[at..].starts_with(joint))?;
    Some(at..at + joint.len())
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
            assert_eq!(joints(text).count(), count, "{text}");
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
