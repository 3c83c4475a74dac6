//! The entry point: one immutable redactor with everything that can be asked of it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::allow::AllowList;
use crate::clean::CleanText;
use crate::context::{Context, Settings};
use crate::custom::RuleSet;
use crate::detail::MarkerDetail;
use crate::literals::Literals;
use crate::report::Report;
use crate::rule::Rule;
use crate::scan::personal::PersonalData;
use crate::span::Span;
use crate::stream::StreamRedactor;
use crate::{decode, json, key, pipeline, scan, truncate};

/// Finds and masks secrets. Immutable, without I/O, cheap to make and to clone.
///
/// The tables behind it are compiled once in a process, at first need.
///
/// The law `redact(redact(x)) == redact(x)` holds for text whose lines have at most 16 KiB; a
/// longer line is cut in pieces, and where none of its last 4 KiB is a safe place to cut, the
/// piece's end is masked as a whole.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    settings: Arc<Settings>,
}

/// Holds a redacted text and the account of what was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redacted<'a> {
    /// The text with markers; borrowed when nothing was found.
    pub text: Cow<'a, str>,
    /// What was masked.
    pub report: Report,
}

impl Redactor {
    /// Makes a redactor with the built-in catalogue.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds rules of a user's own to the catalogue; they run beside it, unit by unit, and win
    /// nothing over it: where both find something, all of it is masked.
    #[must_use]
    pub fn with_rules(mut self, rules: RuleSet) -> Self {
        Arc::make_mut(&mut self.settings).set_rules(rules);
        self
    }

    /// Adds registered secrets, such as values of the process environment.
    #[must_use]
    pub fn with_literals(mut self, literals: Literals) -> Self {
        Arc::make_mut(&mut self.settings).set_literals(literals);
        self
    }

    /// Lets the findings of an allow list pass. Each is counted in the report.
    ///
    /// Remarks in the text itself, such as `gitleaks:allow`, are ignored: whoever writes a trace
    /// could write them.
    #[must_use]
    pub fn with_allow_list(mut self, allowed: AllowList) -> Self {
        Arc::make_mut(&mut self.settings).set_allowed(allowed);
        self
    }

    /// Lets markers show more than the class.
    #[must_use]
    pub fn with_marker_detail(mut self, detail: MarkerDetail) -> Self {
        Arc::make_mut(&mut self.settings).detail = detail;
        self
    }

    /// Masks personal data of these kinds too.
    #[must_use]
    pub fn with_personal_data(mut self, kinds: PersonalData) -> Self {
        Arc::make_mut(&mut self.settings).personal = kinds;
        self
    }

    /// Lists the rules of the catalogue, and those of personal data if any is asked for.
    pub fn rules(&self) -> Vec<Rule> {
        let mut rules = scan::rules();
        if self.settings.personal != PersonalData::NONE {
            rules.extend(scan::personal::RULES.iter().copied().flatten());
        }
        rules
    }

    /// Masks every secret in the text.
    pub fn redact<'a>(&self, text: &'a str) -> Redacted<'a> {
        pipeline::redact(text, &self.context())
    }

    /// Masks every secret in bytes that may be no UTF-8: what is none becomes U+FFFD. UTF-16 is
    /// recognised by its byte order mark, or by zeros in every other of the first bytes.
    pub fn redact_bytes<'a>(&self, bytes: &'a [u8]) -> Redacted<'a> {
        match decode::text(bytes) {
            Cow::Borrowed(text) => self.redact(text),
            Cow::Owned(text) => {
                let redacted = self.redact(&text);
                let text = Cow::Owned(redacted.text.into_owned());
                Redacted { text, ..redacted }
            }
        }
    }

    /// Finds every secret without masking: sorted, disjoint, the same spans that
    /// [`redact`](Self::redact) masks.
    pub fn scan(&self, text: &str) -> Vec<Span> {
        pipeline::find_all(text, &self.context())
    }

    /// Starts the redaction of a text that arrives in pieces.
    pub fn stream(&self) -> StreamRedactor {
        StreamRedactor::new(Arc::clone(&self.settings))
    }

    /// Makes clean text.
    pub fn clean(&self, text: &str) -> CleanText {
        CleanText::new(self.redact(text).text.into_owned())
    }

    /// Makes clean text of at most `max_chars` characters: redacts first, then cuts.
    ///
    /// The cut never falls inside a marker, a character or a backslash escape. A cut text ends in
    /// `...[truncated]`, and a class of which every marker fell away gets one back, both within
    /// the budget as far as they fit.
    pub fn clean_truncated(&self, text: &str, max_chars: usize) -> CleanText {
        CleanText::new(self.redact_truncated(text, max_chars).text.into_owned())
    }

    /// Masks every secret, then cuts as [`clean_truncated`](Self::clean_truncated) does.
    ///
    /// The report counts all that was masked; its spans are the markers that the cut text shows,
    /// and `truncated` tells whether there was a cut.
    pub fn redact_truncated(&self, text: &str, max_chars: usize) -> Redacted<'static> {
        truncate::redact_then_cut(text, max_chars, &self.context())
    }

    /// Cuts what was redacted already, such as the joined output of a stream, to at most
    /// `max_chars` characters; equals [`redact_truncated`](Self::redact_truncated) of the whole.
    pub fn truncate(&self, redacted: Redacted<'_>, max_chars: usize) -> Redacted<'static> {
        truncate::cut_redacted(redacted, max_chars, &self.context())
    }

    /// Tells whether the name of a variable, field or header announces a secret, so that its
    /// value is one whatever it looks like.
    ///
    /// Judged by words: `DB_PASSWORD` and `apiKey` do, `monkey`, `MAX_TOKENS` and
    /// `PASSWORD_FILE` do not.
    pub fn is_sensitive_key(name: &str) -> bool {
        key::classify(name) >= key::Sensitivity::Medium
    }

    /// Masks secrets in the keys and strings of a JSON value; a sensitive key masks every scalar
    /// below it.
    ///
    /// The report's offsets are empty. Values nested deeper than 128 are masked as a whole.
    pub fn redact_value(&self, value: &serde_json::Value) -> (serde_json::Value, Report) {
        json::value::redact(value, &self.context())
    }

    /// Masks secrets in JSON source text by splicing: valid input stays valid, and bytes outside
    /// the findings (order, duplicate keys, number spellings, blanks) stay identical.
    ///
    /// Text that is not one valid JSON document is treated as plain text.
    pub fn redact_json_text<'a>(&self, text: &'a str) -> Redacted<'a> {
        pipeline::redact_json(text, &self.context())
    }

    /// Returns the byte ranges of the secrets in the original text, for a caller who holds a key
    /// and wants to fingerprint them. The ranges are those that [`redact`](Self::redact) masks.
    pub fn fingerprintable_secrets(&self, text: &str) -> Vec<Range<usize>> {
        let spans = self.scan(text).into_iter();
        spans.map(|span| span.range).collect()
    }

    fn context(&self) -> Context<'_> {
        Context::new(&self.settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn personal_data_is_masked_where_asked_for() {
        let text = "ann@example.com from 203.0.113.7";
        assert_eq!(Redactor::new().redact(text).text, text);
        let email = Redactor::new().with_personal_data(PersonalData::EMAIL);
        assert_eq!(
            email.redact(text).text,
            "[REDACTED:email_address] from 203.0.113.7"
        );
        assert!(email.rules().len() > Redactor::new().rules().len());
    }

    #[test]
    fn bytes_of_any_encoding_are_masked() {
        let text = "password=gr4nite-b1shop\n";
        let expected = "password=[REDACTED:password_assignment]\n";
        let wide = |swap: bool| -> Vec<u8> {
            let units = text.encode_utf16();
            units
                .flat_map(|unit| {
                    if swap {
                        unit.to_be_bytes()
                    } else {
                        unit.to_le_bytes()
                    }
                })
                .collect()
        };
        let redactor = Redactor::new();
        let redacted = |bytes: &[u8]| redactor.redact_bytes(bytes).text.into_owned();
        assert_eq!(redacted(text.as_bytes()), expected);
        assert_eq!(redacted(&wide(false)), expected);
        assert_eq!(
            redacted(&[&[0xff, 0xfe][..], &wide(false)].concat()),
            expected
        );
        assert_eq!(
            redacted(&[&[0xfe, 0xff][..], &wide(true)].concat()),
            expected
        );
        let broken = [b"\xff ", text.as_bytes()].concat();
        assert_eq!(redacted(&broken), format!("\u{fffd} {expected}"));
        assert_eq!(redacted(b""), "");
    }

    #[test]
    fn encodings_are_counted() {
        // `postgres://u:gr4nite-b1shop@db/x` in base64 (RFC 4648, section 4).
        let once = "cG9zdGdyZXM6Ly91OmdyNG5pdGUtYjFzaG9wQGRiL3g=";
        let report = Redactor::new().redact(&format!("see {once}")).report;
        assert_eq!(report.decoded_depth, 1);
        assert_eq!(
            Redactor::new()
                .redact("password=gr4nite-b1shop")
                .report
                .decoded_depth,
            0
        );
    }

    #[test]
    fn remarks_in_the_text_allow_nothing() {
        for remark in ["# gitleaks:allow", "# pragma: allowlist secret"] {
            let text = format!("password=gr4nite-b1shop {remark}");
            let expected = format!("password=[REDACTED:password_assignment] {remark}");
            assert_eq!(Redactor::new().redact(&text).text, expected);
        }
    }

    #[test]
    fn an_allow_list_lets_pass_and_is_counted() -> Result<(), crate::RuleError> {
        let mut allowed = AllowList::new(&[7; 32]);
        allowed.add_value("gr4nite-b1shop")?;
        allowed.add_key("TEST_PASSWORD")?;
        let redactor = Redactor::new().with_allow_list(allowed);
        let text = "A_PASSWORD=gr4nite-b1shop\nTEST_PASSWORD=0ther-w0rd\nB_PASSWORD=0ther-w0rd";
        let redacted = redactor.redact(text);
        let expected = text.replace(
            "B_PASSWORD=0ther-w0rd",
            "B_PASSWORD=[REDACTED:password_assignment]",
        );
        assert_eq!(redacted.text, expected);
        assert_eq!(redacted.report.suppressed_by_allow, 2);
        let value =
            serde_json::json!({"password": "gr4nite-b1shop", "b": {"password": "x1y2z3w4"}});
        let (value, report) = redactor.redact_value(&value);
        assert_eq!(value["password"], "gr4nite-b1shop");
        assert_eq!(report.suppressed_by_allow, 1);
        Ok(())
    }

    #[test]
    fn rules_and_literals_of_ones_own_are_masked_and_kept() -> Result<(), crate::RuleError> {
        let rules = RuleSet::from_toml(
            r#"
            [[rules]]
            id = "acme-ticket"
            regex = 'ACME-[0-9]{6}'
            keywords = ["acme"]
            hit = ["see ACME-123456"]
            miss = ["see ACME-12"]
            "#,
        )?;
        let redactor = Redactor::new()
            .with_rules(rules)
            .with_literals(Literals::new(["tall oak 7"])?);
        let text = "plain\nACME-123456 under the tall oak 7\n";
        let once = redactor.redact(text).text.into_owned();
        assert_eq!(
            once,
            "plain\n[REDACTED:acme_ticket] under the [REDACTED:registered_literal]\n"
        );
        assert_eq!(redactor.redact(&once).text, once);
        assert_ne!(
            redactor.redact("").report.ruleset_id,
            Redactor::new().redact("").report.ruleset_id
        );
        let mut stream = redactor.stream();
        let output = stream.push(text) + &stream.finish().0;
        assert_eq!(output, once);
        let json = r#"{"note": "ACME-123456"}"#;
        let masked = redactor.redact_json_text(json).text.into_owned();
        assert_eq!(masked, r#"{"note": "[REDACTED:acme_ticket]"}"#);
        Ok(())
    }
}
