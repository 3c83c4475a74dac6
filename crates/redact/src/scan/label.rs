//! Labels: how they are spelled, and where one is a word.

use aho_corasick::AhoCorasick;

use super::bytes::starts_token;

/// Least head of a label for the gate to look for that alone.
const MIN_HEAD: usize = 5;

/// Writes each label in the ways of texts and of programs: a blank also as `_`, `-` or nothing.
pub(super) fn spelled(labels: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = labels
        .iter()
        .flat_map(|label| [" ", "_", "-", ""].map(|joint| label.replace(' ', joint)))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Makes what finds the spellings, in any case of ASCII letters.
pub(super) fn automaton(spellings: &[String]) -> AhoCorasick {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(spellings)
        .expect("the list of labels is small and fixed")
}

/// A literal for the gate, and the label that it stands for.
type Head = (&'static str, &'static str);

/// Lists what the gate looks for: of each label the first word, if that is long enough to be
/// rare, and the ASCII head of a word, since that is quickly compared. The spellings are sorted.
pub(super) fn heads(spellings: impl Iterator<Item = &'static str>) -> impl Iterator<Item = Head> {
    shortest(spellings.map(|label| (head(label), label)))
}

/// Lists what the gate looks for if the first words are too common: the labels, but for those
/// that start with another.
pub(super) fn prefixes(
    spellings: impl Iterator<Item = &'static str>,
) -> impl Iterator<Item = Head> {
    shortest(spellings.map(|label| (label, label)))
}

/// Drops what starts with the one before, unless that is a whole label, which might have to end
/// as a word; in order of the alphabet that drops what is covered.
fn shortest(sorted: impl Iterator<Item = Head>) -> impl Iterator<Item = Head> {
    let mut last: Head = ("", "");
    sorted.filter(move |(head, label)| {
        let (shorter, of) = last;
        let whole = shorter.len() == of.len();
        let covered =
            !shorter.is_empty() && (*head == shorter || head.starts_with(shorter) && !whole);
        if !covered {
            last = (head, label);
        }
        !covered
    })
}

fn head(label: &str) -> &str {
    let ascii = label.find(|c: char| !c.is_ascii()).unwrap_or(label.len());
    let word = label.find([' ', '_', '-']).unwrap_or(label.len());
    let head = ascii.min(word);
    if head >= MIN_HEAD {
        &label[..head]
    } else {
        label
    }
}

/// Tells whether a label is a word, or one of the words of a name: at a sign or a change of case.
pub(super) fn is_word(bytes: &[u8], start: usize, end: usize) -> bool {
    let first = bytes[start];
    let before = start.checked_sub(1).map(|at| bytes[at]);
    let starts = match before {
        Some(b) if b.is_ascii_lowercase() || b.is_ascii_digit() => {
            first.is_ascii_uppercase() || !first.is_ascii() || starts_token(bytes, start)
        }
        Some(b) if b.is_ascii_uppercase() => !first.is_ascii_alphabetic(),
        _ => true,
    };
    let last = bytes[end - 1];
    let ends = match bytes.get(end) {
        Some(b) if b.is_ascii_lowercase() => !last.is_ascii_alphabetic(),
        Some(b) if b.is_ascii_uppercase() => !last.is_ascii_uppercase(),
        _ => true,
    };
    starts && ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_and_heads() {
        assert_eq!(spelled(&["a b", "c"]), ["a b", "a-b", "a_b", "ab", "c"]);
        assert_eq!(head("henkilötunnus"), "henkil");
        assert_eq!(head("prüfziffer"), "prüfziffer");
        assert_eq!(head("ssn"), "ssn");
        assert_eq!(head("social security"), "social");
        assert_eq!(head("tax file"), "tax file");
    }

    #[test]
    fn words_end_at_signs_and_changes_of_case() {
        let word = |text: &str, label: &str| {
            let start = text.find(label).expect("the label is in the text");
            is_word(text.as_bytes(), start, start + label.len())
        };
        for (text, label) in [
            ("my_cvv:", "cvv"),
            ("cardCvv", "Cvv"),
            ("CVV2", "CVV"),
            ("\\ncvv", "cvv"),
        ] {
            assert!(word(text, label), "{text}");
        }
        for (text, label) in [("acvv", "cvv"), ("cvvs", "cvv"), ("ACVV", "CVV")] {
            assert!(!word(text, label), "{text}");
        }
    }
}
