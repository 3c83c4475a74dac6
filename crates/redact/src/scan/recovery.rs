//! Lists of one-time recovery codes under their heading.

use memchr::memmem;

use crate::class::RECOVERY;
use crate::gate::{Entry, Families};
use crate::span::{Span, Stage};

/// What stands between codes.
const GAPS: [char; 15] = [
    ' ', '\n', '\r', '\t', ',', ';', ':', '"', '\'', '*', '[', '-', '=', '.', '|',
];
const HEADINGS: &[&str] = &[
    "ecovery code",
    "ackup code",
    "ecovery_codes",
    "ackup_codes",
    "ecoveryCodes",
    "ackupCodes",
    "cratch code",
    "RECOVERY CODE",
    "BACKUP CODE",
    "RECOVERY_CODES",
    "BACKUP_CODES",
];
/// Most codes of one list; providers issue 8 to 16.
const MAX_CODES: usize = 64;

/// Lists the first words of the headings.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    ["recovery", "backup", "scratch"]
        .into_iter()
        .map(|word| Entry::any_case(word, Families::RECOVERY))
}

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    for heading in HEADINGS {
        for at in memmem::find_iter(text.as_bytes(), heading) {
            codes(text, at + heading.len(), spans);
        }
    }
}

/// Tells whether a line holds a heading of such a list.
pub(crate) fn has_heading(line: &str) -> bool {
    HEADINGS.iter().any(|heading| line.contains(heading))
}

/// Tells whether a line is blank or one or several codes, numbered or not.
pub(crate) fn is_item(line: &str) -> bool {
    let of_item = |c: char| c.is_ascii_alphanumeric() || GAPS.contains(&c) || c == ']';
    line.chars().all(of_item) && !line.split(GAPS).any(|word| word.len() > 40)
}

/// Masks the items that follow as long as they look like codes.
fn codes(text: &str, from: usize, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = from + usize::from(bytes.get(from) == Some(&b's'));
    for _ in 0..MAX_CODES {
        let gap = |b: &&u8| GAPS.contains(&char::from(**b));
        let skipped = bytes[at..].iter().take(16).take_while(gap).count();
        let start = at + skipped;
        let rest = &bytes[start..];
        let length = rest
            .iter()
            .take(48)
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b'-')
            .count();
        if length <= 2
            && rest[..length].iter().all(u8::is_ascii_digit)
            && length > 0
            && rest.get(length) == Some(&b'.')
        {
            at = start + length;
            continue;
        }
        let code = &rest[..length];
        let digits = code.iter().filter(|b| b.is_ascii_digit()).count();
        if skipped == 0 || !(8..=40).contains(&length) || digits < 2 {
            return;
        }
        spans.push(Span::new(start..start + length, RECOVERY, Stage::KeyValue));
        at = start + length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_masked_until_the_list_ends() {
        let text = "Recovery codes:\n1. 9ad5f-47207\n2. acf78-a76b4\nKeep them safe 12345678.";
        let mut spans = Vec::new();
        find(text, &mut spans);
        let found: Vec<&str> = spans.into_iter().map(|span| &text[span.range]).collect();
        assert_eq!(found, ["9ad5f-47207", "acf78-a76b4"]);
    }
}
