//! The encoded forms in which a known secret may stand in a text.
//!
//! Each form stands for a whole value: base64 at the three alignments that a longer text may give
//! it (only the characters that the value alone decides), hexadecimal, percent and JSON escapes.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Shortest form that is sought; what is shorter occurs by chance.
const MIN_FORM: usize = 8;
/// The 62 digits that both alphabets of RFC 4648 share.
const DIGITS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Returns the forms of a value other than itself and its base64.
pub(crate) fn escaped(value: &str) -> BTreeSet<String> {
    let mut forms: BTreeSet<String> = [hex(value, false), hex(value, true)].into();
    // Not kept by RFC 3986 (section 2.3), by encodeURIComponent (ECMA-262) and by forms (URL
    // standard, application/x-www-form-urlencoded), and everything.
    let kept: [&[u8]; 4] = [b"-._~", b"-_.!~*'()", b"*-._ ", b""];
    for (at, kept) in kept.into_iter().enumerate() {
        for upper in [true, false] {
            let all = at == 3;
            let text = percent(value, upper, |b| {
                kept.contains(&b) || !all && b.is_ascii_alphanumeric()
            });
            forms.insert(text.replace(' ', "+"));
        }
    }
    for style in JSON {
        let once = json(value, style);
        forms.insert(json(&once, &JSON[0]));
        forms.insert(once);
    }
    forms.retain(|form| form.len() >= MIN_FORM && form != value);
    forms
}

/// Returns the base64 characters that a value alone decides, at the three alignments and in both
/// alphabets (RFC 4648, sections 4 and 5).
pub(crate) fn base64(value: &str) -> BTreeSet<String> {
    let mut forms = BTreeSet::new();
    for before in 0..3 {
        for last in [b"+/", b"-_"] {
            let form = base64_inner(value.as_bytes(), before, last);
            if form.len() >= MIN_FORM {
                forms.insert(form);
            }
        }
    }
    forms
}

/// Encodes a value that follows `before` other bytes; drops the characters that those or later
/// bytes decide.
fn base64_inner(value: &[u8], before: usize, last: &[u8; 2]) -> String {
    let mut form = String::with_capacity(value.len() * 4 / 3 + 1);
    // Bits that belong to a character shared with the bytes before.
    let mut skip = (6 - before * 8 % 6) % 6;
    let (mut bits, mut count) = (0_u32, 0);
    for byte in value {
        bits = bits << 8 | u32::from(*byte);
        count += 8;
        if skip > 0 {
            count -= skip;
            skip = 0;
        }
        while count >= 6 {
            count -= 6;
            let digit = (bits >> count & 63) as usize;
            let symbol = DIGITS
                .get(digit)
                .unwrap_or_else(|| &last[digit - DIGITS.len()]);
            form.push(char::from(*symbol));
        }
        bits &= (1 << count) - 1;
    }
    form
}

fn hex(value: &str, upper: bool) -> String {
    let mut form = String::with_capacity(value.len() * 2);
    value
        .bytes()
        .for_each(|b| push_hex(&mut form, u32::from(b), 2, upper));
    form
}

fn percent(value: &str, upper: bool, keep: impl Fn(u8) -> bool) -> String {
    let mut form = String::with_capacity(value.len() * 3);
    for b in value.bytes() {
        if keep(b) {
            form.push(char::from(b));
        } else {
            form.push('%');
            push_hex(&mut form, u32::from(b), 2, upper);
        }
    }
    form
}

fn push_hex(form: &mut String, value: u32, digits: usize, upper: bool) {
    let written = if upper {
        write!(form, "{value:0digits$X}")
    } else {
        write!(form, "{value:0digits$x}")
    };
    debug_assert!(written.is_ok(), "text takes every write");
}

/// How a writer of JSON escapes beyond what RFC 8259 (section 7) asks.
struct JsonStyle {
    slash: bool,
    numeric: fn(char) -> bool,
    upper: bool,
}

/// Plain; with `\/`; ASCII only; and safe inside HTML, as the libraries of several languages do.
const JSON: &[JsonStyle] = &[
    style(false, |_| false, false),
    style(true, |_| false, false),
    style(false, |c| !c.is_ascii(), false),
    style(false, |c| !c.is_ascii(), true),
    style(true, |c| !c.is_ascii(), false),
    style(false, |c| matches!(c, '<' | '>' | '&'), false),
    style(
        false,
        |c| matches!(c, '"' | '<' | '>' | '&' | '\'' | '+' | '`') || !c.is_ascii(),
        true,
    ),
    style(true, |c| matches!(c, '"' | '<' | '>' | '&' | '\''), true),
];

const fn style(slash: bool, numeric: fn(char) -> bool, upper: bool) -> JsonStyle {
    JsonStyle {
        slash,
        numeric,
        upper,
    }
}

fn json(value: &str, style: &JsonStyle) -> String {
    let mut form = String::with_capacity(value.len() + 8);
    for c in value.chars() {
        match c {
            _ if (style.numeric)(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    form.push_str("\\u");
                    push_hex(&mut form, u32::from(*unit), 4, style.upper);
                }
            }
            '/' if style.slash => form.push_str("\\/"),
            '"' => form.push_str("\\\""),
            '\\' => form.push_str("\\\\"),
            '\n' => form.push_str("\\n"),
            '\r' => form.push_str("\\r"),
            '\t' => form.push_str("\\t"),
            '\u{8}' => form.push_str("\\b"),
            '\u{c}' => form.push_str("\\f"),
            '\0'..='\u{1f}' => {
                form.push_str("\\u");
                push_hex(&mut form, u32::from(c), 4, style.upper);
            }
            _ => form.push(c),
        }
    }
    form
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escaped_forms_are_those_of_the_standards() {
        let forms = escaped("p&ss/ \"é\"");
        for form in [
            "7026 7373 2f20 22c3 a922".replace(' ', ""),
            "70267373 2F2022C3A922".replace(' ', ""),
            "p%26ss%2F%20%22%C3%A9%22".to_owned(),
            "p%26ss%2f%20%22%c3%a9%22".to_owned(),
            "p%26ss%2F+%22%C3%A9%22".to_owned(),
            "%70%26%73%73%2F%20%22%C3%A9%22".to_owned(),
            r#"p&ss/ \"é\""#.to_owned(),
            r#"p&ss\/ \"é\""#.to_owned(),
            r#"p&ss/ \"\u00e9\""#.to_owned(),
            r#"p&ss/ \"\u00E9\""#.to_owned(),
            r#"p\u0026ss/ \"é\""#.to_owned(),
            r#"p\u0026ss/ \u0022\u00E9\u0022"#.to_owned(),
            r#"p&ss/ \\\"é\\\""#.to_owned(),
        ] {
            assert!(forms.contains(&form), "{form} is not among {forms:#?}");
        }
        assert!(!forms.contains("p&ss/ \"é\""));
    }

    // The alignments of "light work." inside the encodings that Python's base64 gives for it.
    #[test]
    fn base64_matches_known_encodings() {
        let forms = base64("light work.");
        for encoded in [
            "bGlnaHQgd29yay4=",
            "eGxpZ2h0IHdvcmsu",
            "eHhsaWdodCB3b3JrLnk=",
        ] {
            assert!(
                forms.iter().any(|form| encoded.contains(form.as_str())),
                "{encoded}"
            );
        }
        assert_eq!(forms.len(), 3);
    }

    proptest! {
        #[test]
        fn base64_is_found_at_every_alignment(
            before in "[ -~]{0,5}", value in "[ -~é]{8,40}", after in "[ -~]{0,5}"
        ) {
            // Decoding is the independent computation: the digits around the form are free.
            let forms = base64(&value);
            let whole = encode(format!("{before}{value}{after}").as_bytes());
            prop_assert!(forms.iter().any(|form| whole.contains(form.as_str())));
        }

        #[test]
        fn plain_json_is_what_a_parser_reads_back(value in any::<String>()) {
            for style in JSON {
                let text = format!("\"{}\"", json(&value, style));
                prop_assert_eq!(&serde_json::from_str::<String>(&text).unwrap(), &value);
            }
        }
    }

    /// Encodes bit by bit, without any table of positions.
    fn encode(bytes: &[u8]) -> String {
        let bits: Vec<u8> = bytes
            .iter()
            .flat_map(|b| (0..8).rev().map(move |at| b >> at & 1))
            .collect();
        bits.chunks(6)
            .map(|six| {
                let digit = (0..6).fold(0_u8, |sum, at| sum << 1 | six.get(at).unwrap_or(&0));
                match digit {
                    0..=25 => char::from(b'A' + digit),
                    26..=51 => char::from(b'a' + digit - 26),
                    52..=61 => char::from(b'0' + digit - 52),
                    62 => '+',
                    _ => '/',
                }
            })
            .collect()
    }
}
