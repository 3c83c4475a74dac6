//! Private keys in their textual encodings, whole or cut, in any of the line separators of traces.

use std::ops::Range;

use memchr::memmem;

use super::armour::{Armour, armour};
use super::bytes::Needle;
use super::key_body::{Ending, gap_end, is_body, is_mixed, run_end, walk};
use crate::class::PRIVATE_KEY;
use crate::rule::Rule;
use crate::span::{Span, Stage};

/// Least number of base64 bytes before a lone END line for them to be a key's tail.
const MIN_TAIL: usize = 40;

const BLOCK: &str = "private-key-block";
const HEADLESS: &str = "private-key-without-begin";
const PUTTY: &str = "putty-private-lines";
const XML: &str = "xml-rsa-private-key";

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[
    Rule {
        id: BLOCK,
        class: PRIVATE_KEY,
        source: "RFC 7468, sections 10 and 11; RFC 4716; RFC 9580, section 6.2; OpenSSH PROTOCOL.key; OpenVPN manual, --secret",
    },
    Rule {
        id: HEADLESS,
        class: PRIVATE_KEY,
        source: "RFC 7468, section 2",
    },
    Rule {
        id: PUTTY,
        class: PRIVATE_KEY,
        source: "PuTTY manual, appendix C",
    },
    Rule {
        id: XML,
        class: PRIVATE_KEY,
        source: ".NET documentation, RSA.ToXmlString",
    },
];

/// Lists the literals that need no armour.
pub(super) const LABELS: &[&str] = &["Private-Lines:", "RSAKeyValue"];

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    armoured(text, spans);
    putty(text, spans);
    xml(text, spans);
}

/// Returns how much of the text goes on with a private key that began before it.
pub(crate) fn continued(text: &str) -> usize {
    let body = walk(text, 0);
    if body.has_material { body.end } else { 0 }
}

/// Tells whether a private key is open at the end of a line, given whether one was before it.
pub(crate) fn is_open_after(line: &str, before: bool) -> bool {
    let mut open = false;
    let mut done = 0;
    if before {
        let body = walk(line, 0);
        open = body.how == Ending::Open || is_numbered_run(line);
        done = body.end;
    }
    for (at, armour) in armours(line) {
        if let Armour::Begin { end, private: true } = armour
            && at >= done
        {
            let body = walk(line, end);
            open = body.how == Ending::Open;
            done = body.end;
        }
    }
    open
}

/// Tells whether a line belongs to the body of a private key, or ends it.
pub(crate) fn is_body_or_end(line: &str) -> bool {
    let body = walk(line, 0);
    body.end > 0 || body.how == Ending::Open || is_numbered_run(line)
}

/// Tells whether a line is its number and a short run, as the last line of a body can be.
fn is_numbered_run(line: &str) -> bool {
    let rest = line.trim();
    let number = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let run = rest[number..].trim_start_matches(['\u{2192}', ':', '|', '\t', ' ']);
    number > 0
        && run.len() < rest.len() - number
        && run.len() >= 4
        && is_mixed(run.as_bytes())
        && run.bytes().all(is_body)
}

/// Tells whether a line ends a block that a line of its body may precede.
pub(crate) fn is_end(line: &str) -> bool {
    let at = gap_end(line.as_bytes(), 0);
    matches!(armour(line, at), Some(Armour::End { .. }))
}

/// Tells whether a line is the label of armoured text and nothing else.
pub(crate) fn is_label(line: &str) -> bool {
    let inner = line.trim().strip_prefix("-----BEGIN ");
    inner
        .and_then(|inner| inner.strip_suffix("-----"))
        .is_some_and(|label| label.bytes().all(|b| b.is_ascii_uppercase() || b == b' '))
}

/// Tells whether a line is nothing but at least this much of a key's alphabet, or, where one byte
/// suffices, a blank line or header of armoured text.
pub(crate) fn is_tail(line: &str, least: usize) -> bool {
    let bytes = line.as_bytes();
    let start = gap_end(bytes, 0);
    let end = run_end(bytes, start);
    let whole = gap_end(bytes, end) == bytes.len();
    let header = || walk(line, 0).how == Ending::Open;
    whole && (end - start >= least || least <= 1) || least <= 1 && start < end && header()
}

/// Tells whether a line could be in the middle of a private key, starts one without armour, or
/// starts a public block, whose lines would look random alone.
pub(crate) fn starts_tail(line: &str) -> bool {
    let at = gap_end(line.as_bytes(), 0);
    let begins = || matches!(armour(line, at), Some(Armour::Begin { private: false, .. }));
    is_tail(line, MIN_TAIL) || line[at..].starts_with("Private-Lines:") || begins()
}

/// Finds the lines of armour.
pub(super) fn armours(text: &str) -> impl Iterator<Item = (usize, Armour)> + '_ {
    let bytes = text.as_bytes();
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let at = from + memchr::memchr(b'-', bytes.get(from..)?)?;
            let dashes = bytes[at..].iter().take_while(|b| **b == b'-').count();
            from = at + dashes;
            // More dashes than a line of armour has are a ruler, or glued to one.
            let start = from - dashes.min(5);
            if dashes >= 4
                && let Some(found) = armour(text, start)
            {
                let (Armour::Begin { end, .. } | Armour::End { end, .. }) = found;
                from = end;
                return Some((start, found));
            }
        }
    })
}

/// Masks from BEGIN to END.
///
/// A BEGIN without END masks as far as the body goes; an END without BEGIN masks the body before
/// it. The lines alone, with no body, are no secret. Every byte is visited once.
fn armoured(text: &str, spans: &mut Vec<Span>) {
    let mut done = 0;
    for (at, armour) in armours(text) {
        if at < done {
            continue;
        }
        match armour {
            Armour::Begin { end, private: true } => {
                let body = walk(text, end);
                done = body.end.max(end);
                if body.has_material {
                    spans.push(Span::new(at..body.end, PRIVATE_KEY, Stage::Structure).by(BLOCK));
                }
            }
            Armour::End { end, private: true } => {
                if let Some(start) = start_of_body(text, done, at) {
                    spans.push(Span::new(start..end, PRIVATE_KEY, Stage::Structure).by(HEADLESS));
                }
                done = end;
            }
            Armour::Begin { end, .. } | Armour::End { end, .. } => done = end,
        }
    }
}

/// Finds the body that ends at this END line, not before `floor`.
pub(super) fn start_of_body(text: &str, floor: usize, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = floor;
    while at < end {
        let start = at;
        at = run_end(bytes, start).min(end);
        if at == start {
            at += 1;
            continue;
        }
        if at - start >= MIN_TAIL {
            let body = walk(&text[..end], start);
            if body.how == Ending::Open {
                return Some(start);
            }
            at = body.end.max(at);
        }
    }
    None
}

/// Masks the private lines of a key file.
fn putty(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    static LINES: Needle = Needle::new("Private-Lines:");
    static MAC: Needle = Needle::new("Private-MAC");
    for at in LINES.find_iter(bytes) {
        let from = at + "Private-Lines:".len();
        let count = bytes[from..].iter().take(8);
        let from = from
            + count
                .take_while(|b| matches!(b, b' ' | b'0'..=b'9'))
                .count();
        let body = walk(text, from);
        let end = MAC
            .find(&bytes[from..body.end])
            .map_or(body.end, |mac| from + mac);
        let start = gap_end(bytes, from);
        let end = start.max(end - separators_before(&bytes[start.min(end)..end]));
        let material = bytes[start..end].iter().filter(|b| is_body(**b)).count();
        if body.has_material && material >= MIN_TAIL {
            spans.push(Span::new(start..end, PRIVATE_KEY, Stage::Structure).by(PUTTY));
        }
    }
}

fn separators_before(body: &[u8]) -> usize {
    let blank = |b: &&u8| matches!(b, b' ' | b'\n' | b'\r');
    let blanks = body.iter().rev().take_while(blank).count();
    let escaped = body[..body.len() - blanks].ends_with(b"\\n");
    blanks + if escaped { 2 } else { 0 }
}

/// Masks the private members of a key in XML.
fn xml(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    static XML_KEY: Needle = Needle::new("<RSAKeyValue");
    if XML_KEY.find(bytes).is_none() {
        return;
    }
    for name in ["P", "Q", "DP", "DQ", "InverseQ", "D"] {
        for at in memmem::find_iter(bytes, &format!("<{name}>")) {
            let start = at + name.len() + 2;
            let end = run_end(bytes, start);
            if end - start >= MIN_TAIL && is_mixed(&bytes[start..end]) {
                let range: Range<usize> = start..end;
                spans.push(Span::new(range, PRIVATE_KEY, Stage::Structure).by(XML));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    fn line(seed: u8) -> String {
        (0..32u8)
            .chain(0..32)
            .map(|i| char::from(b'A' + (i * 7 + seed) % 26 + if i % 3 == 0 { 32 } else { 0 }))
            .collect()
    }

    fn begin(kind: &str) -> String {
        format!("-----{} {kind}-----", "BEGIN")
    }

    fn end(kind: &str) -> String {
        format!("-----{} {kind}-----", "END")
    }

    #[test]
    fn blocks_are_masked_with_every_separator() {
        for kind in [
            "RSA PRIVATE KEY",
            "PRIVATE KEY",
            "OPENSSH PRIVATE KEY",
            "PGP PRIVATE KEY BLOCK",
        ] {
            for separator in [
                "\n",
                "\\n",
                "\\\\n",
                "\r\n",
                " ",
                "\n> ",
                "<br>",
                "<br/>\n",
                "&#10;",
                "%0A",
                "\\n' +\n  '",
                "\\n\"\n    \"",
                "\n    12\t",
                "\n12: ",
                "\n+ ",
                "\n// ",
                "\n# ",
                "",
                "\\u000a",
                "\",\n\"",
                "\n2026-05-04T10:00:00Z app[1]: ",
            ] {
                let block = [
                    begin(kind),
                    line(1),
                    line(2),
                    "fRtycEHw3W4=".into(),
                    end(kind),
                ]
                .join(separator);
                let text = format!("see {block} done");
                assert_eq!(masked(&text), [block.as_str()], "{kind} {separator:?}");
            }
        }
    }

    #[test]
    fn cut_keys_are_masked_and_public_ones_stay() {
        let headless = format!("{}\n{}\n{}", line(1), line(2), end("PRIVATE KEY"));
        assert_eq!(masked(&headless), [headless.as_str()]);
        let tailless = format!("{}\n{}\n{}", begin("PRIVATE KEY"), line(1), line(2));
        assert_eq!(masked(&tailless), [tailless.as_str()]);
        let public = format!(
            "{}\n{}\n{}",
            begin("PUBLIC KEY"),
            line(1),
            end("PUBLIC KEY")
        );
        assert_eq!(masked(&public), Vec::<&str>::new());
    }

    #[test]
    fn armour_without_a_body_is_no_secret() {
        for text in [
            format!("no start line, expecting: {}", begin("ANY PRIVATE KEY")),
            format!(
                "starts with {} and ends with {}",
                begin("PRIVATE KEY"),
                end("PRIVATE KEY")
            ),
            format!("{}\n...\n{}", begin("PRIVATE KEY"), end("PRIVATE KEY")),
            format!("if text.starts_with(\"{}\") {{", begin("RSA PRIVATE KEY")),
        ] {
            assert_eq!(masked(&text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_follows_a_cut_key_stays() {
        let key = format!("{}\n{}\n{}", begin("PRIVATE KEY"), line(1), line(2));
        for tail in [
            "\nError: connection reset by peer",
            "\n$ ls -la",
            "\", \"user\": \"ann\"}",
        ] {
            assert_eq!(masked(&format!("{key}{tail}")), [key.as_str()], "{tail}");
        }
    }

    #[test]
    fn a_decoy_end_does_not_end_the_mask() {
        for decoy in ["RSA PRIVATE KEY", "CERTIFICATE"] {
            let kind = "RSA PRIVATE KEY";
            let block = [begin(kind), line(1), end(decoy), line(2), end(kind)].join("\n");
            assert_eq!(masked(&block), [block.as_str()]);
        }
    }

    #[test]
    fn keys_without_armour() {
        let body = format!("{}\n{}", line(1), line(2));
        let file = format!("Private-Lines: 2\n{body}\nPrivate-MAC: 0a1b2c");
        assert_eq!(masked(&file), [body.as_str()]);
        let one = line(3);
        let xml = format!("<RSAKeyValue><Modulus>{one}</Modulus><D>{one}1</D></RSAKeyValue>");
        assert_eq!(masked(&xml), [format!("{one}1")]);
    }
}
