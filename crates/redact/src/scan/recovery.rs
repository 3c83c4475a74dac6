//! Lists of one-time recovery codes under their heading, and recovery keys of disks.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::{label, phrase};
use crate::class::RECOVERY;
use crate::gate::{Entry, Families};
use crate::marker;
use crate::rule::Rule;
use crate::span::{Span, Stage};

/// Most codes of one list; providers issue 8 to 16.
const MAX_CODES: usize = 64;
/// Shortest and longest code, with its hyphens.
const LENGTHS: std::ops::RangeInclusive<usize> = 6..=60;
/// Longest rest of the heading's sentence.
const MAX_HEADING: usize = 120;

const CODES: &str = "recovery-codes";
const BITLOCKER: &str = "bitlocker-recovery-key";

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[
    Rule {
        id: CODES,
        class: RECOVERY,
        source: "GitHub, Google, Microsoft and Apple documentation, recovery codes and keys",
    },
    Rule {
        id: BITLOCKER,
        class: RECOVERY,
        source: "Microsoft documentation, BitLocker recovery password",
    },
];

/// What a heading says, with a blank for a blank, `_`, `-` or nothing.
const HEADINGS: &[&str] = &[
    "recovery code",
    "backup code",
    "scratch code",
    "bypass code",
    "emergency code",
    "emergency scratch code",
    "2fa code",
    "mfa code",
    "rescue code",
    "recovery key",
    "backup verification code",
    "wiederherstellungscode",
    "wiederherstellungsschlüssel",
    "sicherungscode",
    "ersatzcode",
    "de secours",
    "de récupération",
    "de recuperación",
    "de respaldo",
    "de recuperação",
    "di recupero",
    "di backup",
    "herstelcode",
    "kody zapasowe",
    "kody odzyskiwania",
    "коды восстановления",
    "резервные коды",
    "恢复代码",
    "恢复码",
    "备用验证码",
    "復旧コード",
    "リカバリーコード",
    "バックアップコード",
    "복구 코드",
    "백업 코드",
    "filevault",
    "bitlocker",
];

fn spellings() -> &'static [String] {
    static SPELLINGS: OnceLock<Vec<String>> = OnceLock::new();
    SPELLINGS.get_or_init(|| label::spelled(HEADINGS))
}

fn headings() -> &'static AhoCorasick {
    static HEADINGS: OnceLock<AhoCorasick> = OnceLock::new();
    HEADINGS.get_or_init(|| {
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(spellings())
            .expect("the list of headings is small and fixed")
    })
}

/// Lists the headings.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    label::heads(spellings().iter().map(String::as_str))
        .map(|(head, _)| Entry::any_case(head, Families::RECOVERY))
}

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut done = 0;
    for hit in headings().find_iter(text) {
        // The class in a marker is no heading.
        let in_marker = text[..hit.start()].ends_with(marker::OPEN);
        if hit.start() >= done && !in_marker {
            done = codes(text, hit.end(), spans);
        }
    }
    disks(text.as_bytes(), spans);
}

/// Tells whether a line holds a heading of such a list, or of the words of a seed phrase.
pub(crate) fn has_heading(line: &str) -> bool {
    let in_marker = |at: usize| line[..at].ends_with(marker::OPEN);
    headings()
        .find_iter(line)
        .any(|hit| !in_marker(hit.start()))
        || phrase::has_label(line)
}

/// Tells whether a line is blank or one or several codes or words, numbered or not.
pub(crate) fn is_item(line: &str) -> bool {
    let of_item = |c: char| c.is_alphanumeric() || is_gap(c) || c == ']';
    line.chars().all(of_item) && !line.split(is_gap).any(|word| word.len() > 60)
}

/// Tells whether this may stand between codes.
fn is_gap(c: char) -> bool {
    matches!(
        c,
        ' ' | '\n'
            | '\r'
            | '\t'
            | ','
            | ';'
            | ':'
            | '"'
            | '\''
            | '*'
            | '['
            | '-'
            | '='
            | '.'
            | '|'
            | '\\'
            | '`'
            | '('
            | ')'
            | '>'
            | '：'
            | '•'
            | '☐'
            | '#'
            | '{'
    )
}

/// Masks the codes of one list and returns where it ends.
///
/// All codes of a list have one form, and some hold digits, which tells them from prose.
fn codes(text: &str, from: usize, spans: &mut Vec<Span>) -> usize {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = list_start(text, from);
    while found.len() < MAX_CODES {
        let Some(item) = next_item(text, at) else {
            break;
        };
        let content = &text[item.clone()];
        // What stood directly after the heading is masked already.
        if found.is_empty() && text[from..item.start].contains(marker::OPEN) {
            break;
        }
        at = item.end;
        // The number of the item, or the letters of an escape.
        if content.len() <= 2 {
            if found.is_empty() && at > from + MAX_HEADING {
                break;
            }
            continue;
        }
        let alike = found
            .first()
            .is_none_or(|first| form(&text[first.clone()]).eq(form(content)));
        if !LENGTHS.contains(&content.len()) || !alike || !is_code(content) {
            break;
        }
        found.push(item);
    }
    let digits = |range: &Range<usize>| text[range.clone()].bytes().any(|b| b.is_ascii_digit());
    if !found.iter().any(digits) {
        return from;
    }
    let end = found.last().map_or(from, |last| last.end);
    let mask = |range| Span::new(range, RECOVERY, Stage::KeyValue).by(CODES);
    spans.extend(found.into_iter().map(mask));
    end
}

/// Passes the rest of the heading: a plural's end, and a sentence up to its line end or colon.
fn list_start(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let from = from + usize::from(matches!(bytes.get(from), Some(b's' | b'S' | b'n')));
    let limit = bytes.len().min(from + MAX_HEADING);
    let rest = &bytes[from..limit];
    let first = rest.iter().position(|b| b.is_ascii_alphanumeric());
    let directly = first.is_none_or(|first| {
        next_item(text, from + first)
            .is_some_and(|item| text[item].bytes().any(|b| b.is_ascii_digit()))
    });
    if directly {
        return from;
    }
    let sign = rest.iter().position(|b| matches!(b, b':' | b'\n' | b'='));
    sign.map_or(from, |sign| from + sign)
}

/// Finds the next letters, digits and inner hyphens after signs that may precede them.
fn next_item(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = text.get(from..)?;
    let gap: usize = rest
        .chars()
        .take(24)
        .take_while(|c| is_gap(*c))
        .map(char::len_utf8)
        .sum();
    let bytes = text.as_bytes();
    let mut start = from + gap;
    // The letter of an escape belongs to the gap.
    if gap > 0 && bytes[start - 1] == b'\\' && matches!(bytes.get(start), Some(b'n' | b'r' | b't'))
    {
        start += 1;
    }
    let of_code = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    let mut end = super::bytes::run_end(bytes, start, 64, of_code);
    // Two halves of four digits each are one code.
    let half = |range: Range<usize>| {
        bytes
            .get(range)
            .is_some_and(|half| half.iter().all(u8::is_ascii_digit))
    };
    if end - start == 4 && half(start..end) && half(end + 1..end + 5) && bytes[end] == b' ' {
        let far = super::bytes::run_end(bytes, end + 1, 5, of_code);
        end = if far == end + 5 { far } else { end };
    }
    let trimmed = text[start..end].trim_end_matches('-').len();
    (trimmed > 0).then(|| start..start + trimmed)
}

/// Returns the lengths of a code's groups.
fn form(code: &str) -> impl Iterator<Item = usize> + '_ {
    code.split(['-', ' ']).map(str::len)
}

/// Tells whether groups of equal length, or one, make this a code and no word of prose.
fn is_code(code: &str) -> bool {
    let digits = code.bytes().filter(u8::is_ascii_digit).count();
    let first = form(code).next().unwrap_or(0);
    let regular = first >= 3 && form(code).all(|length| length == first);
    regular && (form(code).count() > 1 || digits > 0)
}

/// Masks recovery passwords of disks: eight groups of six digits, each divisible by eleven.
fn disks(bytes: &[u8], spans: &mut Vec<Span>) {
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let end = super::digits::run_end(bytes, at);
        if is_disk_password(&bytes[at..end]) {
            spans.push(Span::new(at..end, RECOVERY, Stage::Payment).by(BITLOCKER));
        }
        at = end;
    }
}

/// Tells whether this run of digits and hyphens is a recovery password of a disk.
pub(crate) fn is_disk_password(run: &[u8]) -> bool {
    let group = |group: &[u8]| {
        let digits = group.len() == 6 && group.iter().all(u8::is_ascii_digit);
        let value = || group.iter().fold(0, |n, b| n * 10 + u32::from(b - b'0'));
        digits && value() % 11 == 0 && value() / 11 <= 0xffff
    };
    run.len() == 55 && run.split(|b| *b == b'-').all(group)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    #[test]
    fn codes_are_masked_until_the_list_ends() {
        for (text, codes) in [
            (
                "Recovery codes:\n1. 9ad5f-47207\n2. acf78-a76b4\nKeep them safe 12345678.",
                vec!["9ad5f-47207", "acf78-a76b4"],
            ),
            (
                "MFA recovery codes:\n1. N0KB-I9RC\n2. IKZQ-AFRV\n",
                vec!["N0KB-I9RC", "IKZQ-AFRV"],
            ),
            (
                "{\"recovery_codes\": [\"4vrvc-cmlsw\", \"a0zba-p7tic\"]}",
                vec!["4vrvc-cmlsw", "a0zba-p7tic"],
            ),
            (
                "backup codes\\n1234 5678\\n8765 4321",
                vec!["1234 5678", "8765 4321"],
            ),
            (
                "Your backup codes. Store them in a safe place:\n\ndaaa2b3054\n8d4fad5acf\n",
                vec!["daaa2b3054", "8d4fad5acf"],
            ),
            ("Backup code is 66754682.", vec!["66754682"]),
            ("códigos de recuperación: 8f3k-2m9x", vec!["8f3k-2m9x"]),
            ("recoveryCode=AB12-CD34-EF56", vec!["AB12-CD34-EF56"]),
        ] {
            assert_eq!(masked(text), codes, "{text}");
        }
        let disk = ["110011"; 8].join("-");
        assert_eq!(masked(&format!("found {disk} there")), [disk.as_str()]);
    }

    #[test]
    fn prose_about_codes_stays() {
        for text in [
            "Recovery codes are single-use; print them.",
            "recovery codes: one-time pass-word",
            "Backup codes were last generated on 2026-05-04",
            "recovery_codes_count: 10",
            "backup code path: src/backup2/mod.rs",
            "RecoveryCode::generate(16)",
        ] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }
}
