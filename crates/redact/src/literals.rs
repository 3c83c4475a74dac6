//! Registered secrets: values that are known, so that no shape is needed to find them.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use aho_corasick::AhoCorasick;

use crate::custom::RuleError;
use crate::forms;

/// Fewest characters of a value; what is shorter occurs by chance.
const MIN_CHARS: usize = 8;
/// Most bytes of all values together: the automaton holds each in a score of forms.
const MAX_BYTES: usize = 64 * 1024;

/// Values of eight letters and more that name no secret: settings, accounts, kinds of machine.
const COMMON: &[&str] = &[
    "administrator",
    "anonymous",
    "application",
    "changeme",
    "container",
    "database",
    "debugging",
    "default_value",
    "developer",
    "development",
    "disabled",
    "everyone",
    "example.com",
    "information",
    "interactive",
    "internal",
    "localhost",
    "localhost.localdomain",
    "localtime",
    "password",
    "postgres",
    "postgresql",
    "preproduction",
    "production",
    "rabbitmq",
    "readonly",
    "required",
    "runneradmin",
    "sandboxed",
    "standard",
    "superuser",
    "undefined",
    "unlimited",
    "username",
    "utf-8-sig",
    "workspace",
    "xterm-256color",
];

/// Finds registered secrets, verbatim and encoded.
///
/// The values stay in memory and nowhere else: `Debug` shows their number only.
pub struct Literals {
    automaton: Option<AhoCorasick>,
    /// For each form whether its outermost characters hold bits of the value outside of it.
    base64: Vec<bool>,
    registered: usize,
    passed_over: usize,
}

impl Literals {
    /// Registers values, such as those of secret variables of the process environment.
    ///
    /// Blanks around a value do not count. A value below 8 characters, of one repeated character
    /// or from a small list of common words is passed over: masking it would destroy ordinary
    /// text. [`Literals::passed_over`] tells how many were.
    ///
    /// # Errors
    /// More than 64 KiB of values.
    pub fn new<V: AsRef<str>>(values: impl IntoIterator<Item = V>) -> Result<Self, RuleError> {
        let mut forms: BTreeMap<String, bool> = BTreeMap::new();
        let (mut registered, mut passed_over, mut bytes) = (0, 0, 0_usize);
        for value in values {
            let value = value.as_ref().trim();
            if is_common(value) {
                passed_over += 1;
                continue;
            }
            registered += 1;
            bytes = bytes.saturating_add(value.len());
            if bytes > MAX_BYTES {
                let problem = "more than 64 KiB of values; register only those that are secret";
                return Err(RuleError::of_file(problem));
            }
            forms.extend(forms::base64(value).into_iter().map(|form| (form, true)));
            forms.extend(forms::escaped(value).into_iter().map(|form| (form, false)));
            forms.insert(value.to_owned(), false);
        }
        let automaton = (!forms.is_empty())
            .then(|| AhoCorasick::new(forms.keys()))
            .transpose()
            .map_err(|_| RuleError::of_file("too many values; register fewer"))?;
        Ok(Self {
            automaton,
            base64: forms.into_values().collect(),
            registered,
            passed_over,
        })
    }

    /// Adds the places of registered values to the list, sorted and disjoint among themselves.
    pub fn find(&self, text: &str, found: &mut Vec<Range<usize>>) {
        let Some(automaton) = &self.automaton else {
            return;
        };
        let first = found.len();
        // Hits come by their end, so a new one can only touch the latest ranges.
        for hit in automaton.find_overlapping_iter(text) {
            let mut range = hit.range();
            if self.base64[hit.pattern().as_usize()] {
                range = with_shared(text.as_bytes(), range);
            }
            while found.len() > first && found[found.len() - 1].end > range.start {
                let last = found
                    .pop()
                    .expect("the list was just seen to have a last element");
                range = range.start.min(last.start)..range.end.max(last.end);
            }
            found.push(range);
        }
    }

    /// Returns the number of values that are sought.
    pub fn len(&self) -> usize {
        self.registered
    }

    /// Tells whether no value is sought.
    pub fn is_empty(&self) -> bool {
        self.registered == 0
    }

    /// Returns the number of values that are too short or too common to be sought.
    pub fn passed_over(&self) -> usize {
        self.passed_over
    }
}

impl fmt::Debug for Literals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Literals")
            .field("registered", &self.registered)
            .field("passed_over", &self.passed_over)
            .finish_non_exhaustive()
    }
}

/// Tells whether a value occurs in ordinary text.
fn is_common(value: &str) -> bool {
    let mut chars = value.chars();
    let first = chars.next();
    value.chars().count() < MIN_CHARS
        || chars.all(|c| Some(c) == first)
        || COMMON.contains(&value.to_ascii_lowercase().as_str())
}

/// Takes in the characters on both sides that share bits with the value, and the padding.
fn with_shared(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let digit = |at: usize| {
        bytes
            .get(at)
            .is_some_and(|b| b.is_ascii_alphanumeric() || b"+/-_".contains(b))
    };
    let start = range.start - usize::from(range.start > 0 && digit(range.start - 1));
    let mut end = range.end + usize::from(digit(range.end));
    let padding = bytes[end..]
        .iter()
        .take(2)
        .take_while(|b| **b == b'=')
        .count();
    end += padding;
    start..end
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found<'t>(values: &[&str], text: &'t str) -> Vec<&'t str> {
        let mut found = Vec::new();
        Literals::new(values).unwrap().find(text, &mut found);
        found.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn values_are_found_verbatim_and_encoded() {
        for (text, expected) in [
            ("a gr4nite b1shop z", "gr4nite b1shop"),
            ("q=gr4nite%20b1shop&r", "gr4nite%20b1shop"),
            ("q=gr4nite+b1shop&r", "gr4nite+b1shop"),
            (
                "6772346e69746520623173686f70",
                "6772346e69746520623173686f70",
            ),
            // Python's base64 of "u:gr4nite b1shop" and of "user:gr4nite b1shop\n".
            ("Basic dTpncjRuaXRlIGIxc2hvcA== x", "pncjRuaXRlIGIxc2hvcA=="),
            ("dXNlcjpncjRuaXRlIGIxc2hvcAo=", "pncjRuaXRlIGIxc2hvcA"),
        ] {
            assert_eq!(found(&["gr4nite b1shop"], text), [expected], "{text}");
        }
        assert_eq!(
            found(&["say \"h1\" now"], r#""say \"h1\" now""#),
            [r#"say \"h1\" now"#]
        );
    }

    #[test]
    fn overlapping_values_are_found_as_one() {
        let values = ["abcdefgh1", "efgh12345", "gh123456789"];
        assert_eq!(
            found(&values, "-abcdefgh12345-abcdefgh1"),
            ["abcdefgh12345", "abcdefgh1"]
        );
        assert_eq!(found(&values, "abcdefgh123456789"), ["abcdefgh123456789"]);
        assert_eq!(
            found(&["aaaaaaa1", "1aaaaaaa"], "aaaaaaa1aaaaaaa"),
            ["aaaaaaa1aaaaaaa"]
        );
        assert_eq!(
            found(&["abcdefg1"], "abcdefg1abcdefg1"),
            ["abcdefg1", "abcdefg1"]
        );
    }

    #[test]
    fn short_and_common_values_are_passed_over() {
        let values = [
            "docker",
            "Production",
            "********",
            "",
            "  x  ",
            "s3cr3t-v4lue\n",
        ];
        let literals = Literals::new(values).unwrap();
        assert_eq!((literals.len(), literals.passed_over()), (1, 5));
        assert_eq!(
            found(&values, "docker Production ******** s3cr3t-v4lue"),
            ["s3cr3t-v4lue"]
        );
        assert!(Literals::new(["docker"]).unwrap().is_empty());
        assert_eq!(found(&[], "anything"), Vec::<&str>::new());
    }

    #[test]
    fn debug_and_errors_show_no_value() {
        let literals = Literals::new(["s3cr3t-v4lue"]).unwrap();
        assert_eq!(
            format!("{literals:?}"),
            "Literals { registered: 1, passed_over: 0, .. }"
        );
        let error = Literals::new(["s3cr3t".repeat(11_000)]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "more than 64 KiB of values; register only those that are secret"
        );
    }

    #[test]
    fn the_automaton_stays_small_at_the_bound() {
        let value = |at: usize| format!("{at:08x}{:056x}", at * 0x9e37_79b9);
        let literals = Literals::new((0..1_000).map(value)).unwrap();
        let bytes = literals.automaton.as_ref().unwrap().memory_usage();
        assert!(bytes < 32 << 20, "{bytes}");
    }

    proptest! {
        #[test]
        fn ranges_are_sorted_disjoint_and_on_boundaries(
            text in "([ab1é%=]{0,9}|abababa1|b1b1b1b1)*", value in "[ab1é]{8,12}"
        ) {
            let mut found = Vec::new();
            let literals = Literals::new([&*value, "abababa1", "b1b1b1b1"]).unwrap();
            literals.find(&format!("{text}{value}"), &mut found);
            prop_assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].start));
            let text = format!("{text}{value}");
            prop_assert!(found.iter().all(|range| text.get(range.clone()).is_some()));
            prop_assert!(is_common(&value) || found.last().is_some_and(|last| last.end == text.len()));
        }
    }
}
