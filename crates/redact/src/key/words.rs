//! Splits a key into its words.

/// Splits on case, punctuation and blanks; digits belong to the word before them.
pub(super) fn words(key: &str) -> impl Iterator<Item = &str> {
    let mut rest = key;
    std::iter::from_fn(move || {
        rest = &rest[word_start(rest)..];
        let (word, tail) = rest.split_at(word_end(rest));
        rest = tail;
        (!word.is_empty()).then_some(word)
    })
}

/// Tells whether a character is part of a word; in the scripts of India and Thailand vowels and
/// tones are marks.
pub(super) fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{900}'..='\u{e7f}')
}

/// Returns where the first word starts.
fn word_start(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(b) = bytes.get(at) {
        let sign = if b.is_ascii() {
            (!b.is_ascii_alphanumeric()).then_some(1)
        } else {
            wide(text, at)
                .filter(|c| !is_of_word(*c))
                .map(char::len_utf8)
        };
        let Some(length) = sign else {
            break;
        };
        at += length;
    }
    at
}

/// Returns where the word ends that starts here: before punctuation, before a capital that follows
/// a small letter or digit, and before the last capital of an acronym that a word follows.
fn word_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut previous_low = false;
    let (mut at, mut length) = (0, 0);
    while let Some(b) = bytes.get(at) {
        if b.is_ascii() {
            if !b.is_ascii_alphanumeric() {
                break;
            }
            let ends_acronym =
                || length > 1 && bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            if b.is_ascii_uppercase() && (previous_low || ends_acronym()) {
                break;
            }
            previous_low = !b.is_ascii_uppercase();
            at += 1;
        } else {
            let Some(c) = wide(text, at).filter(|c| is_of_word(*c)) else {
                break;
            };
            previous_low = false;
            at += c.len_utf8();
        }
        length += 1;
    }
    at
}

/// Returns the character beyond ASCII that starts here.
fn wide(text: &str, at: usize) -> Option<char> {
    text[at..].chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(key: &str) -> Vec<&str> {
        words(key).collect()
    }

    #[test]
    fn words_split_on_case_and_punctuation() {
        assert_eq!(
            split("AWS_SECRET_ACCESS_KEY"),
            ["AWS", "SECRET", "ACCESS", "KEY"]
        );
        assert_eq!(split("cloudflareApiKey"), ["cloudflare", "Api", "Key"]);
        assert_eq!(split("X-APIKey"), ["X", "API", "Key"]);
        assert_eq!(split("--db.password2 "), ["db", "password2"]);
        assert_eq!(split("пароль"), ["пароль"]);
        assert_eq!(split("--"), Vec::<&str>::new());
    }
}
