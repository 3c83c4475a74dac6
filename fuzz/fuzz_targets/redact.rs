//! The redactor's laws on any bytes: what `precedent_redact::Redactor` promises for every input.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use precedent_redact::Redactor;
use serde::de::IgnoredAny;
use serde_json::Value;

#[path = "../../benches/random.rs"]
mod random;

use random::Random;

static REDACTOR: LazyLock<Redactor> = LazyLock::new(Redactor::new);

/// Longest line for which redaction is promised to change nothing when it runs again.
const LONGEST_LINE: usize = 16 * 1024;
/// Pieces that a stream is divided into, at most.
const PIECES: usize = 8;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    // Splits and budgets follow from the data, so that an input always repeats its result.
    let mut random = Random::new(data.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    }));
    spans_are_exact(&text);
    if text.lines().all(|line| line.len() <= LONGEST_LINE) {
        again_changes_nothing(&text);
    }
    a_stream_equals_the_whole(&text, &mut random);
    raw_bytes_stream_alike(data, &text, &mut random);
    a_cut_keeps_to_its_budget(&text, random.below(600));
    json_stays_json(&text);
});

/// Spans are sorted, disjoint, not empty and on character boundaries, and all bytes outside them
/// are in the output, in order.
fn spans_are_exact(text: &str) {
    let redacted = REDACTOR.redact(text);
    let mut rest = &*redacted.text;
    let mut at = 0;
    for span in REDACTOR.scan(text) {
        assert!(
            span.range.start >= at && !span.range.is_empty(),
            "spans overlap or are empty"
        );
        assert!(
            text.is_char_boundary(span.range.start) && text.is_char_boundary(span.range.end),
            "a span divides a character"
        );
        let gap = &text[at..span.range.start];
        rest = rest
            .strip_prefix(gap)
            .expect("bytes outside the spans changed");
        // A number of a JSON document becomes a string, and what only goes on from the span before
        // has no marker of its own.
        let marker = format!("[REDACTED:{}]", span.class);
        let quoted = format!("\"{marker}\"");
        rest = rest
            .strip_prefix(&marker)
            .or_else(|| rest.strip_prefix(&quoted))
            .unwrap_or(rest);
        at = span.range.end;
    }
    assert_eq!(rest, &text[at..], "bytes outside the spans changed");
    assert_eq!(redacted.report.bytes_in, text.len(), "bytes_in is wrong");
    assert_eq!(
        redacted.report.bytes_out,
        redacted.text.len(),
        "bytes_out is wrong"
    );
    for span in &redacted.report.spans {
        let marker = redacted
            .text
            .get(span.out_offset..span.out_offset + span.len);
        assert_eq!(
            marker,
            Some(&*format!("[REDACTED:{}]", span.class)),
            "the report points elsewhere"
        );
    }
}

fn again_changes_nothing(text: &str) {
    let once = REDACTOR.redact(text).text;
    let twice = REDACTOR.redact(&once);
    assert_eq!(twice.text, once, "redaction is not idempotent");
}

fn a_stream_equals_the_whole(text: &str, random: &mut Random) {
    let whole = REDACTOR.redact(text);
    let mut stream = REDACTOR.stream();
    let mut output = String::new();
    for piece in divided(text.as_bytes(), random) {
        output += &stream.push_bytes(piece);
    }
    let (rest, report) = stream.finish();
    output += &rest;
    assert_eq!(output, whole.text, "a stream differs from the whole text");
    assert_eq!(
        report, whole.report,
        "a stream's report differs from the whole text's"
    );
}

fn raw_bytes_stream_alike(data: &[u8], text: &str, random: &mut Random) {
    if data == text.as_bytes() {
        return;
    }
    let mut stream = REDACTOR.stream();
    let mut output = String::new();
    for piece in divided(data, random) {
        output += &stream.push_bytes(piece);
    }
    output += &stream.finish().0;
    assert_eq!(
        output,
        REDACTOR.redact(text).text,
        "a stream of bytes differs from their text"
    );
}

fn divided<'a>(data: &'a [u8], random: &mut Random) -> Vec<&'a [u8]> {
    let count = random.below(PIECES);
    let mut cuts: Vec<usize> = (0..count).map(|_| random.below(data.len() + 1)).collect();
    cuts.extend([0, data.len()]);
    cuts.sort_unstable();
    cuts.windows(2)
        .map(|pair| &data[pair[0]..pair[1]])
        .collect()
}

fn a_cut_keeps_to_its_budget(text: &str, max_chars: usize) {
    let cut = REDACTOR.clean_truncated(text, max_chars);
    assert!(
        cut.chars().count() <= max_chars,
        "a cut exceeds its budget of {max_chars}"
    );
    assert_eq!(
        REDACTOR.clean(&cut),
        cut,
        "a text cut to {max_chars} is not clean"
    );
}

fn json_stays_json(text: &str) {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let once = REDACTOR.redact_json_text(text).text;
    assert!(
        serde_json::from_str::<IgnoredAny>(&once).is_ok(),
        "valid JSON became invalid: {once}"
    );
    assert_eq!(
        REDACTOR.redact_json_text(&once).text,
        once,
        "redaction of JSON is not idempotent"
    );
    let (once, _) = REDACTOR.redact_value(&value);
    assert_eq!(
        REDACTOR.redact_value(&once).0,
        once,
        "redaction of a JSON value is not idempotent"
    );
}
