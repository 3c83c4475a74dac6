//! Laws that hold for every input.

use precedent_redact::Redactor;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The same cases in every run; `cargo xtask fuzz` looks for others.
const SEED: RngSeed = RngSeed::Fixed(0x5EED);

/// Pieces that meet in traces and that rules react to, so that random joins of them are hard.
const PIECES: &[&str] = &[
    " ",
    "\n",
    "\\n",
    "\"",
    "'",
    "\\\"",
    "=",
    ": ",
    ":",
    "&",
    ";",
    ", ",
    "{",
    "}",
    "[",
    "]",
    "|",
    "`",
    "@",
    "/",
    "://",
    "-",
    "--",
    "_",
    "=>",
    "$",
    "${",
    "密码：",
    "é",
    "%22",
    "\\u003d",
    "\u{1b}[32m",
    "password",
    "api_key",
    "token",
    "KEY",
    "Authorization",
    "cookie: ",
    "Bearer ",
    "Basic ",
    "cvv ",
    "ssn ",
    "name",
    "value",
    "--password ",
    "mysql -p",
    "echo ",
    " | sudo -S",
    "<password>",
    "</password>",
    " is ",
    "recovery codes",
    "[REDACTED:jwt]",
    "[REDACTED:jwt:aZ09]",
    "[REDACTED:password_assignment]",
    "[REDACTED:unknown_name]",
    "[REDACTED:",
    "postgres://u:",
    "@db.internal:5432/x",
    "granite42",
    "Zz91kkQ4Zt8KxW2pLm9RvB3nYs7DcF1gHj6QeA5uTo0IiP",
    "4111",
    "1111",
    "288-80-3538",
    "DE89370400440532013000",
    "6768705f634865736f",
    "eyJhbGciOiJIUzI1NiJ9",
    ".",
    "..",
    "-----BEGIN ",
    "-----END ",
    "PRIVATE KEY-----",
    "Private-Lines: 2",
    "user",
    "pass",
];

fn trace() -> impl Strategy<Value = String> {
    let vendor = (0..4usize, "[a-zA-Z0-9]{0,44}").prop_map(|(kind, body)| {
        let prefix = ["ghp_", "sk-ant-", "AKIA", "xoxb-"][kind];
        format!("{prefix}{body}")
    });
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => vendor,
        1 => "[a-zA-Z0-9+/=_-]{0,60}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        trace().prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        let key = prop_oneof![
            prop::sample::select(PIECES).prop_map(str::to_owned),
            trace()
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::btree_map(key, inner, 0..5)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, rng_seed: SEED, ..ProptestConfig::default() })]

    #[test]
    fn redaction_is_idempotent(text in trace()) {
        let redactor = Redactor::new();
        let once = redactor.redact(&text).text.into_owned();
        prop_assert_eq!(&redactor.redact(&once).text, &once);
        prop_assert!(redactor.scan(&once).is_empty());
    }

    #[test]
    fn a_stream_equals_the_whole_text(text in trace(), cuts in prop::collection::vec(0..400usize, 0..6)) {
        let redactor = Redactor::new();
        let whole = redactor.redact(&text);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (text.len() + 1)).collect();
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();
        let mut stream = redactor.stream();
        let mut output = String::new();
        for pair in cuts.windows(2) {
            output += &stream.push_bytes(&text.as_bytes()[pair[0]..pair[1]]);
        }
        let (rest, report) = stream.finish();
        output += &rest;
        prop_assert_eq!(&output, &whole.text);
        prop_assert_eq!(report, whole.report);
    }

    #[test]
    fn bytes_outside_the_spans_are_unchanged(text in trace()) {
        let redactor = Redactor::new();
        let mut expected = String::new();
        let mut at = 0;
        for span in redactor.scan(&text) {
            prop_assert!(span.range.start >= at && !span.range.is_empty());
            expected.push_str(&text[at..span.range.start]);
            expected.push_str(&format!("[REDACTED:{}]", span.class));
            at = span.range.end;
        }
        expected.push_str(&text[at..]);
        let redacted = redactor.redact(&text);
        prop_assert_eq!(&redacted.text, &expected);
        for span in &redacted.report.spans {
            let marker = &expected[span.out_offset..span.out_offset + span.len];
            prop_assert_eq!(marker, format!("[REDACTED:{}]", span.class));
        }
    }

    #[test]
    fn cuts_keep_to_the_budget_and_stay_clean(text in trace(), max in 0..200usize) {
        let redactor = Redactor::new();
        let cut = redactor.clean_truncated(&text, max);
        prop_assert!(cut.chars().count() <= max);
        prop_assert_eq!(&redactor.clean(&cut), &cut);
    }

    #[test]
    fn the_account_of_a_cut_locates_what_it_shows(text in trace(), max in 0..200usize) {
        let redactor = Redactor::new();
        let whole = redactor.redact(&text);
        let cut = redactor.redact_truncated(&text, max);
        prop_assert_eq!(cut.report.truncated, cut.text != whole.text);
        prop_assert_eq!(cut.report.bytes_out, cut.text.len());
        let mut at = 0;
        for span in &cut.report.spans {
            prop_assert!(span.out_offset >= at);
            at = span.out_offset + span.len;
            let marker = format!("[REDACTED:{}]", span.class);
            prop_assert_eq!(&cut.text[span.out_offset..at], marker);
        }
        for (class, count) in &whole.report.counts {
            prop_assert!(cut.report.counts.get(class).is_some_and(|all| all >= count));
        }
        prop_assert_eq!(redactor.truncate(whole, max), cut);
    }

    #[test]
    fn json_stays_valid_and_idempotent(value in json()) {
        let redactor = Redactor::new();
        let source = value.to_string();
        let once = redactor.redact_json_text(&source).text.into_owned();
        prop_assert!(serde_json::from_str::<serde_json::Value>(&once).is_ok(), "{}", once);
        prop_assert_eq!(&redactor.redact_json_text(&once).text, &once);
        let (once, _) = redactor.redact_value(&value);
        prop_assert_eq!(&redactor.redact_value(&once).0, &once);
    }

    #[test]
    fn a_token_is_masked_wherever_it_stands(
        head in trace(),
        body in "[a-zA-Z0-9]{34}ZZ",
        tail in "[ \n\"',;)]",
    ) {
        // Split so that the letters before cannot glue to it.
        let token = ["ghp_", &body].concat();
        let text = format!("{head} {token}{tail}");
        prop_assert!(!Redactor::new().redact(&text).text.contains(&token));
    }
}
