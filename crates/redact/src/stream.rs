//! Redaction of a text that arrives in pieces.

use std::sync::Arc;

use crate::context::{Context, Settings};
use crate::pipeline;
use crate::report::{Report, ReportSpan};
use crate::unit::{Cutter, MAX_UNIT, Mode};

/// Redacts a stream with bounded memory.
///
/// For every way to divide a text, the joined output equals the redaction of the whole text. A
/// line leaves as soon as it is complete, unless it belongs together with those that follow, as
/// in a private key, a value below its key or a JSON document. At most about 16 KiB are held
/// back; a run longer than that, without a blank or sign to cut at, is masked as a whole and
/// counted as a forced cut.
///
/// ```
/// use precedent_redact::Redactor;
///
/// let mut stream = Redactor::new().stream();
/// let mut output = stream.push("export DB_PASS");
/// output += &stream.push("WORD=gr4nite-b1shop\nls\n");
/// let (rest, report) = stream.finish();
/// output += &rest;
/// assert_eq!(output, "export DB_PASSWORD=[REDACTED:password_assignment]\nls\n");
/// assert_eq!(report.counts.values().sum::<u64>(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct StreamRedactor {
    cutter: Cutter,
    /// Text that is not decided yet.
    held: String,
    /// The first bytes of a character that is not complete.
    partial: Vec<u8>,
    report: Report,
    settings: Arc<Settings>,
    /// Longest unit, [`MAX_UNIT`] but in tests.
    max: usize,
}

impl StreamRedactor {
    pub(crate) fn new(settings: Arc<Settings>) -> Self {
        Self {
            cutter: Cutter::default(),
            held: String::new(),
            partial: Vec::new(),
            report: Report::new(),
            settings,
            max: MAX_UNIT,
        }
    }

    /// Takes a piece of text and returns what is decided by now, redacted.
    pub fn push(&mut self, piece: &str) -> String {
        self.flush_partial();
        self.take(piece)
    }

    /// Takes a piece of bytes, which may end inside a character. What is no UTF-8 becomes
    /// U+FFFD.
    pub fn push_bytes(&mut self, piece: &[u8]) -> String {
        let mut bytes = std::mem::take(&mut self.partial);
        bytes.extend_from_slice(piece);
        let mut text = String::with_capacity(bytes.len());
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            text.push_str(chunk.valid());
            let invalid = chunk.invalid();
            if chunks.peek().is_none() && is_cut_character(invalid) {
                self.partial = invalid.to_vec();
            } else if !invalid.is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        self.take(&text)
    }

    /// Takes what the account says of single markers so far, so that an endless stream with many
    /// findings needs no more memory than one with few. Their offsets count in the joined output;
    /// those of [`finish`](Self::finish) are the ones that were not taken.
    pub fn take_spans(&mut self) -> Vec<ReportSpan> {
        std::mem::take(&mut self.report.spans)
    }

    /// Returns the rest, redacted, and the account of the whole stream; its offsets count in the
    /// joined output.
    pub fn finish(mut self) -> (String, Report) {
        self.flush_partial();
        let rest = self.advance(true);
        (rest, self.report)
    }

    fn flush_partial(&mut self) {
        if !self.partial.is_empty() {
            self.partial.clear();
            self.held.push(char::REPLACEMENT_CHARACTER);
            self.report.bytes_in += char::REPLACEMENT_CHARACTER.len_utf8();
        }
    }

    fn take(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        self.report.bytes_in += piece.len();
        // Nothing can be decided about a line that has neither ended nor grown too long.
        if piece.contains('\n') || self.held.len() > self.max {
            self.advance(false)
        } else {
            String::new()
        }
    }

    fn advance(&mut self, last: bool) -> String {
        let mut output = String::new();
        let mut at = 0;
        let first = self.report.spans.len();
        let (held, report) = (&self.held, &mut self.report);
        let context = Context::new(&self.settings);
        let mode = Mode {
            max: self.max,
            last,
            ..pipeline::WHOLE
        };
        let end = pipeline::walk(held, &mut self.cutter, mode, &context, |unit, found| {
            let text = &held[..unit.range.end];
            let found: Vec<_> = found
                .into_iter()
                .map(|span| span.moved(unit.range.start))
                .collect();
            at = pipeline::write(text, at, &found, &context, &mut output, report);
        });
        output.push_str(&held[at..end]);
        report.settle(&context);
        for span in &mut report.spans[first..] {
            span.out_offset += report.bytes_out;
        }
        report.bytes_out += output.len();
        self.held.drain(..end);
        output
    }
}

/// Tells whether the bytes are the beginning of a character that more bytes could complete.
fn is_cut_character(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Redactor;

    fn streamed(pieces: &[&[u8]]) -> String {
        let mut stream = Redactor::new().stream();
        let mut output: String = pieces
            .iter()
            .map(|piece| stream.push_bytes(piece))
            .collect();
        output += &stream.finish().0;
        output
    }

    #[test]
    fn lines_leave_as_soon_as_they_are_complete() {
        let mut stream = Redactor::new().stream();
        assert_eq!(stream.push("hello wor"), "");
        assert_eq!(stream.push("ld\npass"), "hello world\n");
        assert_eq!(
            stream.push("word=gr4nite-b1shop\n"),
            "password=[REDACTED:password_assignment]\n"
        );
        // The value may be on the next line.
        assert_eq!(stream.push("password:\n"), "");
        assert_eq!(stream.finish().0, "password:\n");
    }

    #[test]
    fn characters_may_be_divided_and_bytes_invalid() {
        let text = "密码：gr4nite-b1shop 密\n";
        let whole = Redactor::new().redact(text).text.into_owned();
        assert!(!whole.contains("gr4nite"));
        for at in 0..=text.len() {
            let (head, tail) = text.as_bytes().split_at(at);
            assert_eq!(streamed(&[head, tail]), whole, "{at}");
        }
        assert_eq!(streamed(&[b"a\xff\xe5", b"b"]), "a\u{fffd}\u{fffd}b");
        assert_eq!(streamed(&[b"a\xe5\xaf"]), "a\u{fffd}");
    }

    /// Redacts in pieces, with short units, so that cuts inside lines are common.
    fn in_pieces(text: &str, cuts: &[usize], max: usize) -> (String, Report) {
        let mut stream = Redactor::new().stream();
        stream.max = max;
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (text.len() + 1)).collect();
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();
        let mut output = String::new();
        for pair in cuts.windows(2) {
            output += &stream.push_bytes(&text.as_bytes()[pair[0]..pair[1]]);
        }
        let (rest, report) = stream.finish();
        (output + &rest, report)
    }

    /// What the cutting of units reacts to.
    const PIECES: &[&str] = &[
        "word ",
        "\n",
        "\n",
        " ",
        ",",
        "\"",
        "{\"a\": ",
        "}",
        "[",
        "]",
        "é",
        "密码：",
        "password=",
        "password:\n",
        "- name: DB_TOKEN\n",
        "value: ",
        "gr4nite42 ",
        "\\\n",
        "recovery codes:\n",
        "a1b2-c3d4 ",
        "user,password\n",
        "ann,Zk3!xq\n",
        "-----BEGIN PRIVATE KEY-----\n",
        "-----END PRIVATE KEY-----\n",
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjMIIEvQIB\n",
        "4111 1111 1111 1111 ",
        "ghp_0123456789abcdefghijABCDEFGHIJ012345",
        "\" +\n \"",
        "[REDACTED:jwt]",
        "Zz91kkQ4Zt8KxW2pLm9RvB3nYs7DcF1gHj6QeA5uTo0IiP",
        "mysql -pGr4nite ",
        "https://u:p4ss@h/ ",
    ];

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { cases: 1000, rng_seed: proptest::test_runner::RngSeed::Fixed(0x5EED), ..Default::default() })]

        #[test]
        fn every_division_gives_the_same(
            pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..60),
            cuts in proptest::collection::vec(0..4000usize, 0..12),
            max in 100..600usize,
        ) {
            let text = pieces.concat();
            let whole = in_pieces(&text, &[], max);
            let divided = in_pieces(&text, &cuts, max);
            proptest::prop_assert_eq!(divided, whole);
        }
    }

    #[test]
    fn taken_spans_and_the_rest_are_all_spans() {
        let text = "password=gr4nite-b1shop\nls\n".repeat(3);
        let whole = Redactor::new().redact(&text).report;
        let mut stream = Redactor::new().stream();
        let mut spans = Vec::new();
        for line in text.split_inclusive('\n') {
            stream.push(line);
            spans.extend(stream.take_spans());
        }
        let (_, report) = stream.finish();
        spans.extend(report.spans);
        assert_eq!(spans, whole.spans);
        assert_eq!(report.counts, whole.counts);
    }

    #[test]
    fn memory_is_bounded_and_forced_cuts_are_counted() {
        let mut stream = Redactor::new().stream();
        let mut output = String::new();
        for _ in 0..64 {
            output += &stream.push(&"Zz91kk".repeat(200));
            assert!(stream.held.len() < 2 * MAX_UNIT);
        }
        let (rest, report) = stream.finish();
        output += &rest;
        assert_eq!(output, "[REDACTED:encoded_secret]");
        assert!(report.forced_cuts >= 3);
        let key = format!(
            "-----BEGIN PRIVATE KEY-----\n{}",
            "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n".repeat(2000)
        );
        assert_eq!(
            streamed(&[key.as_bytes()]).trim_end(),
            "[REDACTED:private_key_block]"
        );
    }
}
