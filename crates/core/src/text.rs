//! The one normal form under which texts, names and keys count as the same.

use unicode_normalization::UnicodeNormalization;

/// Returns the form under which two texts count as the same: NFKC, lower case, single spaces.
///
/// ```
/// assert_eq!(precedent_core::normalise("  Deploy\n on\u{a0}FRIDAY "), "deploy on friday");
/// ```
pub fn normalise(text: &str) -> String {
    if text.is_ascii() {
        return spaced(&text.to_ascii_lowercase());
    }
    let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
    spaced(&folded)
}

/// Puts single spaces between the words of a text.
fn spaced(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_that_differ_in_form_only_are_the_same() {
        assert_eq!(normalise("\u{ff24}eploy"), normalise("deploy"));
        assert_ne!(normalise("deploy on friday"), normalise("deploy on monday"));
    }

    proptest! {
        /// ASCII takes a shorter way to the same form.
        #[test]
        fn ascii_is_normalised_like_everything_else(text in "[ -~\\t\\n]{0,40}") {
            let marked = normalise(&format!("{text} \u{e9}"));
            let expected = format!("{} \u{e9}", normalise(&text));
            prop_assert_eq!(marked, expected.trim_start());
        }


        #[test]
        fn normalising_twice_changes_nothing(text in "\\PC{0,40}") {
            let once = normalise(&text);
            prop_assert_eq!(normalise(&once), once);
        }
    }
}
