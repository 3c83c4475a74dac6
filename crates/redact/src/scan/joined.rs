//! Tokens that source code splits: string concatenation and line continuation.

use aho_corasick::AhoCorasick;
use std::sync::OnceLock;

use super::vendor;
use crate::span::Span;

/// What joins two halves of a literal in common languages and shells.
const JOINTS: &[&str] = &[
    "\" + \"",
    "' + '",
    "\"+\"",
    "'+'",
    "\" . \"",
    "' . '",
    "\" .. \"",
    "\" & \"",
    "\" \\\n\"",
    "\"\n\"",
    "\\\n",
    "\\\r\n",
    "\\\" + \\\"",
];

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
    let joints: Vec<_> = gate()
        .find_iter(text)
        .map(|hit| hit.start()..hit.end())
        .collect();
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

fn gate() -> &'static AhoCorasick {
    static GATE: OnceLock<AhoCorasick> = OnceLock::new();
    GATE.get_or_init(|| AhoCorasick::new(JOINTS).expect("the list of joints is small and fixed"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
