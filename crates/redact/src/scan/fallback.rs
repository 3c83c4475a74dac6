//! The last resort: long runs that look random and have no harmless form.

use std::ops::Range;

use super::armour::Armour;
use super::bytes::is_base64;
use super::{key_body, private_key};
use crate::class::ENTROPY;
use crate::entropy::{Makeup, is_hex, is_uuid, shannon, transitions};
use crate::rule::Rule;
use crate::span::{Span, Stage};

/// Shortest run that is judged; shorter ones are too often ids.
const MIN_RUN: usize = 40;
/// Least bits per byte; English text joined without blanks stays below 4.2.
const MIN_ENTROPY: f64 = 4.2;
/// Shortest line that fills its width.
const MIN_LINE: usize = 60;
/// Longest run that is judged whole; longer ones are data (an image, a bundle).
const MAX_RUN: usize = 2048;

const ID: &str = "random-run";

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[Rule {
    id: ID,
    class: ENTROPY,
    source: "Shannon, A Mathematical Theory of Communication, section 6",
}];

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut public = None;
    let exact = spans.len();
    for run in runs(text.as_bytes()) {
        if is_random(text, &run) && !is_told(&spans[..exact], &run) {
            let blocks = public.get_or_insert_with(|| public_blocks(text));
            let at = blocks.partition_point(|block| block.end <= run.start);
            if blocks.get(at).is_some_and(|block| block.start <= run.start) {
                continue;
            }
            let last = last_line(text.as_bytes(), &run);
            for range in std::iter::once(run).chain(last) {
                spans.push(Span::new(range, ENTROPY, Stage::Fallback).by(ID));
            }
        }
    }
}

/// Finds the short last line of an encoding whose line before fills its width.
fn last_line(bytes: &[u8], line: &Range<usize>) -> Option<Range<usize>> {
    let whole = line
        .start
        .checked_sub(1)
        .is_none_or(|at| bytes[at] == b'\n');
    let start = line.end + 1;
    let end = key_body::run_end(bytes, start.min(bytes.len()));
    let ends = bytes.get(end).is_none_or(|b| matches!(b, b'\n' | b'\r'));
    let short = (4..MIN_RUN).contains(&end.saturating_sub(start));
    (whole && line.len() >= MIN_LINE && bytes.get(line.end) == Some(&b'\n') && ends && short)
        .then_some(start..end)
        .filter(|range| key_body::is_mixed(&bytes[range.clone()]))
}

/// Tells whether an exact rule has found the run but for a rest too short to be judged random,
/// such as the tail of an escape before a token or the path that leads to it.
fn is_told(exact: &[Span], run: &Range<usize>) -> bool {
    exact.iter().any(|span| {
        let start = span.range.start.max(run.start);
        let end = span.range.end.min(run.end);
        start < end && run.len() - (end - start) < MIN_RUN
    })
}

/// Finds the armoured blocks that hold nothing secret (RFC 7468, section 5 and later), also those
/// that were cut.
fn public_blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut open = None;
    let mut done = 0;
    for (at, armour) in private_key::armours(text) {
        match armour {
            Armour::Begin { private, .. } => open = (!private).then_some(at),
            Armour::End {
                end,
                private: false,
            } => {
                let start = open.or_else(|| private_key::start_of_body(text, done, at));
                blocks.extend(start.map(|start| start..at));
                open = None;
                done = end;
            }
            Armour::End { .. } => open = None,
        }
    }
    blocks.extend(open.map(|start| start..text.len()));
    blocks
}

fn runs(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            // Nothing of sufficient length lies before a foreign byte at the probe.
            if at + MIN_RUN <= bytes.len()
                && let Some(last) = bytes[at..at + MIN_RUN].iter().rposition(|b| !is_base64(*b))
            {
                at += last + 1;
                continue;
            }
            let start = at;
            while at < bytes.len() && is_base64(bytes[at]) {
                at += 1;
            }
            if (MIN_RUN..=MAX_RUN).contains(&(at - start)) {
                return Some(start..at);
            }
            at += 1;
        }
        None
    })
}

fn is_random(text: &str, run: &Range<usize>) -> bool {
    let content = &text[run.clone()];
    let makeup = Makeup::of(content);
    let classes = [makeup.lower, makeup.upper, makeup.digits]
        .iter()
        .all(|count| *count > 0);
    classes
        && makeup.digits >= 4
        && !is_hex(content)
        && !is_structured(content)
        && !is_address_of_digest(content)
        && !is_labelled_harmless(text, run)
        && !super::encoded::holds_text(content)
        && transitions(content) * 3 >= content.len()
        && shannon(content) > MIN_ENTROPY
}

/// Least bytes of a run in parts that look random themselves.
const MIN_RANDOM: usize = 24;

/// Tells whether separators cut the run into words, digests and ids, as in paths, addresses, snake
/// names and mangled symbols, so that little is left that could be random.
fn is_structured(content: &str) -> bool {
    let parts = || content.split(['-', '_', '/', '+']);
    let words = parts()
        .filter(|part| part.len() >= 2 && part.bytes().all(|b| b.is_ascii_alphabetic()))
        .count();
    let random: usize = parts()
        .filter(|part| is_random_part(part))
        .map(str::len)
        .sum();
    let longest = parts().map(str::len).max().unwrap_or(0);
    longest < 12
        || words >= 4
        || random < MIN_RANDOM
        || is_uuid_in(content)
        || content.starts_with("_Z")
        || content.starts_with("_R")
}

/// Tells whether a part mixes letters and digits as no word or digest does. A part of a random run
/// can be short, or letters only, if it changes case as words do not.
fn is_random_part(part: &str) -> bool {
    let makeup = Makeup::of(part);
    let mixed = makeup.lower > 0 && makeup.upper > 0 || makeup.digits > 0 && makeup.letters() > 0;
    part.len() >= 2 && mixed && !is_hex(part) && transitions(part) * 4 >= part.len()
}

/// Tells whether the run ends with a UUID or starts with one.
fn is_uuid_in(content: &str) -> bool {
    let tail = content
        .len()
        .checked_sub(36)
        .and_then(|at| content.get(at..));
    tail.is_some_and(is_uuid) || content.get(..36).is_some_and(is_uuid)
}

/// Tells whether the run is a path whose one long segment is a digest, or names a document.
fn is_address_of_digest(content: &str) -> bool {
    // Google Drive addresses: `/d/`, then the document's id.
    const DOCUMENTS: &[&str] = &[
        "/d/",
        "/folders/",
        "/tx/",
        "/ipfs/",
        "/commit/",
        "/blob/",
        "/tree/",
    ];
    content.contains('/')
        && (DOCUMENTS.iter().any(|kind| content.contains(kind))
            || content
                .split('/')
                .all(|part| part.len() < 24 || is_hex(part) || is_uuid(part)))
}

/// Tells whether the run is public by its own form: an extended public key (BIP-32), a content
/// identifier (IPFS CID version 0), a public key or certificate in DER, an integrity string.
fn is_public(content: &str) -> bool {
    const HEADS: &[&str] = &[
        "xpub", "ypub", "zpub", "Ypub", "Zpub", "tpub", "upub", "vpub", "Ltub", "dgub", "AAAA",
        "MII", "MIGf", "MFkw", "MCow", "sha256-", "sha384-", "sha512-",
    ];
    // Ids of objects of the model vendors' interfaces.
    const IDS: &[&str] = &[
        "resp_",
        "msg_",
        "toolu_",
        "call_",
        "run_",
        "thread_",
        "asst_",
        "batch_",
        "file_",
        "req_",
        "chatcmpl-",
        "file-",
        "ftjob-",
        "evt_",
        "conv_",
        "rs_",
        "fc_",
    ];
    IDS.iter().any(|head| content.starts_with(head))
        || HEADS.iter().any(|head| content.starts_with(head))
        || content.len() == 46 && content.starts_with("Qm")
}

/// Tells whether what precedes names a public value: an integrity string, a public key, an id.
fn is_labelled_harmless(text: &str, run: &Range<usize>) -> bool {
    const HEADS: &[&str] = &[
        "sha256",
        "sha384",
        "sha512",
        "SHA256:",
        "amz-id-2: ",
        "h1:",
        "go.mod h1:",
        "base64,",
        "integrity",
        "ssh-rsa ",
        "ssh-ed25519 ",
        "Cf-Id: ",
        "nistp256 ",
        "nistp384 ",
        "nistp521 ",
        "checksum",
        "boundary=",
        "etag",
        "ETag",
        "digest",
        "hash",
        "fingerprint",
        "/nix/store/",
        "ublic",
        "pubkey",
        "pub_key",
        "ertificate",
        "thumbprint",
        "signature\":",
        "txid",
        "Transaction",
        "transaction",
    ];
    let content = &text[run.clone()];
    let floor = text.floor_char_boundary(run.start.saturating_sub(24));
    let head = &text[floor..run.start];
    let head = &head[head.rfind('\n').map_or(0, |newline| newline + 1)..];
    is_public(content) || HEADS.iter().any(|label| head.contains(label)) || in_path(head)
}

fn in_path(head: &str) -> bool {
    let word = head.rsplit([' ', '"', '\'']).next().unwrap_or("");
    word.starts_with('/') && word.matches('/').count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    #[test]
    fn long_random_runs_only() {
        let random = ["q4Zt8KxW2pLm9RvB", "3nYs7DcF1gHj6QeA", "5uTo0IiPkXzCwVyN"].concat();
        assert_eq!(masked(&format!("got {random} here")), [random.as_str()]);
        let wide = [&random, "Q1w2E3r4T5y6U7i8"].concat();
        let block = format!("{wide}\n{wide}\nAb3dEf==\n");
        assert_eq!(masked(&block), [&*wide, &*wide, "Ab3dEf=="]);
        for text in [
            format!("integrity sha512-{random}"),
            "a".repeat(64),
            "notion.so/Spec-2b65976e3898375daf020834b8c13995".to_owned(),
            "docs.example/spreadsheets/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit"
                .to_owned(),
            "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPBdG".to_owned(),
            format!("xpub{random}"),
            "file-b52c34e1-d76c-4d01-9776-06b54bc3feb5".to_owned(),
            format!("publicKey: {random}"),
            "0123456789abcdef".repeat(4),
            "CustomerAccountManagementServiceInterfaceFactory2Bean".to_owned(),
            "_ZNSt6vectorIiSaIiEE17_M_realloc_insertIJRKiEEEvN9__gnu_cxx17".to_owned(),
        ] {
            assert_eq!(masked(&text), Vec::<&str>::new(), "{text}");
        }
    }
}
