//! The one normal form under which texts, names and keys count as the same.

use unicode_normalization::UnicodeNormalization;

/// Returns the form under which two texts count as the same: NFKC, lower case, single spaces.
///
/// ```
/// assert_eq!(precedent_core::normalise("  Deploy\n on\u{a0}FRIDAY "), "deploy on friday");
/// ```
pub fn normalise(text: &str) -> String {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
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
        #[test]
        fn normalising_twice_changes_nothing(text in "\\PC{0,40}") {
            let once = normalise(&text);
            prop_assert_eq!(normalise(&once), once);
        }
    }
}
