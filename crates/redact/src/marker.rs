//! The markers that stand where a secret was, and their recognition on input.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use crate::class::Class;
use crate::scan::bytes::Needle;

/// What every marker begins with.
pub(crate) const OPEN: &str = "[REDACTED:";
/// Finds where one could begin.
static OPENING: Needle = Needle::new(OPEN);
/// Longest class name, from the marker's format.
const MAX_NAME: usize = 40;
/// Longest tail that older stores may carry.
const MAX_TAIL: usize = 10;

/// Writes the marker of a class.
pub(crate) fn render(class: Class) -> String {
    let mut text = String::new();
    push(&mut text, class, None);
    text
}

/// Appends the marker of a class, with what it may show beside.
pub(crate) fn push(text: &mut String, class: Class, detail: Option<&str>) {
    text.push_str(OPEN);
    text.push_str(class.as_str());
    if let Some(detail) = detail {
        text.push(':');
        text.push_str(detail);
    }
    text.push(']');
}

/// Returns where the text already holds markers of known classes.
///
/// What merely looks like a marker but names no class of ours is not returned: it is ordinary
/// text and shields nothing.
pub(crate) fn find(text: &str) -> Vec<Range<usize>> {
    OPENING
        .find_iter(text.as_bytes())
        .filter_map(|start| parse_at(text, start).map(|(range, _)| range))
        .collect()
}

/// Longest marker in bytes.
pub(crate) const MAX_LENGTH: usize = OPEN.len() + MAX_NAME + MAX_TAIL + 2;

/// Moves an offset before the marker that it would divide.
pub(crate) fn before(text: &str, offset: usize) -> usize {
    let floor = text.floor_char_boundary(offset.saturating_sub(MAX_LENGTH));
    let reach = text.len().min(offset + OPEN.len());
    let divided = memmem::rfind(&text.as_bytes()[floor..reach], OPEN.as_bytes())
        .and_then(|at| parse_at(text, floor + at))
        .filter(|(marker, _)| marker.start < offset && offset < marker.end);
    divided.map_or(offset, |(marker, _)| marker.start)
}

/// Tells whether a text ends with a marker.
pub(crate) fn ends(text: &str) -> bool {
    let start = text.rfind(OPEN);
    start
        .and_then(|start| parse_at(text, start))
        .is_some_and(|(marker, _)| marker.end == text.len())
}

/// Tells whether the offset lies inside one of the sorted markers.
pub(crate) fn covers(markers: &[Range<usize>], offset: usize) -> bool {
    let at = markers.partition_point(|marker| marker.end <= offset);
    markers.get(at).is_some_and(|marker| marker.start <= offset)
}

/// Returns the text without its markers.
pub(crate) fn strip(text: &str) -> Cow<'_, str> {
    let markers = find(text);
    if markers.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut stripped = String::with_capacity(text.len());
    let mut at = 0;
    for marker in markers {
        stripped.push_str(&text[at..marker.start]);
        at = marker.end;
    }
    stripped.push_str(&text[at..]);
    Cow::Owned(stripped)
}

/// Reads the marker that starts at this byte, with its class.
pub(crate) fn parse_at(text: &str, start: usize) -> Option<(Range<usize>, Class)> {
    let body = text.get(start..)?.strip_prefix(OPEN)?;
    let close = body
        .bytes()
        .take(MAX_NAME + MAX_TAIL + 2)
        .position(|b| b == b']')?;
    let body = body.get(..close)?;
    let (name, tail) = body.split_once(':').unwrap_or((body, ""));
    let plain_tail =
        tail.len() <= MAX_TAIL && tail.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'~');
    let class = Class::parse(name).filter(|_| plain_tail && !body.ends_with(':'))?;
    Some((start..start + OPEN.len() + close + 1, class))
}

/// Tells whether a range holds nothing beside markers, blanks and quotes.
pub(crate) fn only_markers(text: &str, range: &Range<usize>, markers: &[Range<usize>]) -> bool {
    let first = markers.partition_point(|marker| marker.end <= range.start);
    let mut at = range.start;
    let mut seen = false;
    for marker in markers[first..]
        .iter()
        .take_while(|marker| marker.start < range.end)
    {
        seen = true;
        if marker.start > at && !trivial(&text[at..marker.start]) {
            return false;
        }
        at = marker.end;
    }
    seen && (at >= range.end || trivial(&text[at..range.end]))
}

fn trivial(text: &str) -> bool {
    text.bytes()
        .all(|b| b.is_ascii_whitespace() || b.is_ascii_punctuation())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::PASSWORD;

    #[test]
    fn known_markers_are_found_and_look_alikes_are_not() {
        let text =
            "a [REDACTED:jwt] b [REDACTED:x] c [REDACTED:jwt:1aZ9] [REDACTED:jwt:] [REDACTED:jwt";
        let found: Vec<&str> = find(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, ["[REDACTED:jwt]", "[REDACTED:jwt:1aZ9]"]);
    }

    #[test]
    fn rendered_markers_parse_back() {
        let text = render(PASSWORD);
        assert_eq!(parse_at(&text, 0), Some((0..text.len(), PASSWORD)));
    }

    #[test]
    fn only_markers_needs_a_marker_and_nothing_else() {
        let text = "\"[REDACTED:jwt]\" [REDACTED:jwt]x plain";
        let markers = find(text);
        assert!(only_markers(text, &(0..16), &markers));
        assert!(!only_markers(text, &(0..32), &markers));
        assert!(!only_markers(text, &(33..38), &markers));
    }
}
