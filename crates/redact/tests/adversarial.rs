//! Inputs made to be slow: the work stays proportional to the length.
//!
//! The first version read a whole line again for each `cookie:` on it and a whole chain again for
//! each `password=` in it. Times are measured by `cargo xtask bench redact`; here a quadratic rule
//! would not end before the runner's limit.

use precedent_redact::Redactor;

use pieces::PIECES;

mod pieces;

const LENGTH: usize = 192 * 1024;
const LINE: usize = 12 * 1024;

#[test]
fn repetition_stays_linear() {
    let redactor = Redactor::new();
    for piece in PIECES {
        // It ends, at any length; what it leaves is clean for lines of up to 16 KiB.
        redactor.redact_json_text(&piece.repeat(LENGTH / piece.len()));
        let text = piece.repeat(LINE / piece.len());
        let once = redactor.redact_json_text(&text).text.into_owned();
        assert!(redactor.scan(&once).is_empty(), "{piece:?}");
    }
}

#[test]
fn long_values_and_deep_nesting_are_handled() {
    let redactor = Redactor::new();
    for body in ["é", "a1", "\u{1F600}"] {
        let text = format!("password=\"{}", body.repeat(9000));
        assert!(
            redactor
                .redact(&text)
                .text
                .starts_with("password=\"[REDACTED:")
        );
        let text = format!("password={}", body.repeat(9000));
        assert_eq!(
            redactor.redact(&text).text,
            "password=[REDACTED:password_assignment]"
        );
    }
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    assert_eq!(redactor.redact_json_text(&deep).text, deep);
    let mut value = serde_json::json!("x");
    for _ in 0..300 {
        value = serde_json::json!([value]);
    }
    let (_, report) = redactor.redact_value(&value);
    assert!(!report.is_clean());
}
