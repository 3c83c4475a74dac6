//! Extraction without a model: sentences, and what they state outright.

use precedent_core::{Claim, CleanText, Redactor};

/// A fact that was extracted, as it was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extracted {
    /// The fact, a sentence of its own.
    pub text: CleanText,
    /// What it states, where that is plain.
    pub claim: Option<Claim>,
    /// The names of what it is about.
    pub entities: Vec<CleanText>,
}

/// Fewest words of a sentence that says something; fewer count only with a claim.
const LEAST_WORDS: usize = 3;
/// Fewest characters of a sentence in a script without blanks.
const LEAST_CHARS: usize = 6;

/// Tells whether a text says too little to be worth a memory.
pub fn is_low_information(text: &str) -> bool {
    let words = text
        .split_whitespace()
        .filter(|word| word.contains(char::is_alphanumeric));
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    let wide = text.chars().any(is_wide);
    if wide {
        letters.count() < LEAST_CHARS
    } else {
        words.count() < LEAST_WORDS
    }
}

/// Tells whether a character belongs to a script that is written without blanks.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

/// Cuts a text into sentences: at line ends, and at a full stop, question or exclamation mark
/// (also of Chinese and Japanese) before a blank or the end. Code between backquotes stays whole.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let (mut start, mut quoted) = (0, false);
        let mut characters = line.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            quoted ^= c == '`';
            let next = characters.peek().map(|(_, next)| *next);
            let stops = matches!(c, '。' | '！' | '？')
                || matches!(c, '.' | '!' | '?')
                    && next.is_none_or(char::is_whitespace)
                    && !is_abbreviation(&line[start..at]);
            if stops && !quoted {
                found.push(&line[start..at + c.len_utf8()]);
                start = at + c.len_utf8();
            }
        }
        found.push(&line[start..]);
    }
    let trimmed = found.into_iter().map(|sentence| {
        let sentence = sentence.trim();
        let item = sentence.trim_start_matches(['-', '*', '•']);
        if item.len() < sentence.len() && item.starts_with(' ') {
            item.trim()
        } else {
            sentence
        }
    });
    trimmed
        .filter(|sentence| sentence.contains(char::is_alphanumeric))
        .collect()
}

/// Tells whether a text ends in a short form, after which a full stop ends no sentence.
fn is_abbreviation(before: &str) -> bool {
    const SHORT: [&str; 12] = [
        "e.g", "i.e", "etc", "vs", "mr", "mrs", "ms", "dr", "prof", "st", "no", "approx",
    ];
    let word = before.rsplit(char::is_whitespace).next().unwrap_or("");
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    initial || SHORT.iter().any(|short| short.eq_ignore_ascii_case(word))
}

/// Cuts a content into the facts that it states, without a model.
pub fn facts(content: &str, speaker: &str, redactor: &Redactor) -> Vec<Extracted> {
    let fact = |sentence: &str| Extracted {
        text: redactor.clean(sentence),
        claim: claim(sentence, speaker, redactor),
        entities: Vec::new(),
    };
    sentences(content).into_iter().map(fact).collect()
}

/// Verbs that state a property, in the third person and the first, with the property's name.
const RELATIONS: [(&str, &str); 12] = [
    ("lives in", "home"),
    ("live in", "home"),
    ("moved to", "home"),
    ("works at", "employer"),
    ("work at", "employer"),
    ("works for", "employer"),
    ("work for", "employer"),
    ("is called", "name"),
    ("am called", "name"),
    ("is owned by", "owner"),
    ("reports to", "manager"),
    ("report to", "manager"),
];
/// Most words of a key.
const KEY_WORDS: usize = 3;
/// Most words of a value.
const VALUE_WORDS: usize = 8;
/// Most words of a subject.
const SUBJECT_WORDS: usize = 4;

/// Reads what a sentence states outright: `My name is Ann`, `Ann's editor is vim`,
/// `the port of the API is 8080`, `Ann now lives in Berlin`. Anything less plain states nothing,
/// since a wrong key would hide another memory.
///
/// `speaker` is who says `my` and `I`.
pub fn claim(sentence: &str, speaker: &str, redactor: &Redactor) -> Option<Claim> {
    let sentence = sentence.trim().trim_end_matches(['.', '!', '。']);
    if sentence.contains(['?', '\n', ';', '`']) || is_hedged(sentence) {
        return None;
    }
    let (subject, key, value) =
        related(sentence, speaker).or_else(|| equated(sentence, speaker))?;
    let fits = |text: &str, most: usize| (1..=most).contains(&text.split_whitespace().count());
    let plain = fits(&subject, SUBJECT_WORDS) && fits(key, KEY_WORDS) && fits(value, VALUE_WORDS);
    (plain && !value.contains(',')).then(|| Claim {
        subject: redactor.clean(&subject),
        key: redactor.clean(key),
        value: Some(redactor.clean(value)),
    })
}

/// Tells whether a sentence does not say that something simply holds.
fn is_hedged(sentence: &str) -> bool {
    const HEDGES: [&str; 19] = [
        "not", "never", "if", "when", "unless", "maybe", "perhaps", "might", "may", "could",
        "should", "would", "was", "were", "used", "or", "but", "because", "isn't",
    ];
    sentence
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .any(|word| HEDGES.iter().any(|hedge| hedge.eq_ignore_ascii_case(word)))
}

fn related<'a>(sentence: &'a str, speaker: &str) -> Option<(String, &'static str, &'a str)> {
    let (verb, key) = RELATIONS
        .into_iter()
        .find(|(verb, _)| split_once_word(sentence, verb).is_some())?;
    let (subject, value) = split_once_word(sentence, verb)?;
    let subject = subject
        .trim()
        .trim_end_matches(" now")
        .trim_end_matches(" has")
        .trim();
    let named = subject == "I" || subject.chars().next().is_some_and(char::is_uppercase);
    let value = value.trim().trim_end_matches(" now");
    named.then(|| (subject_of(subject, speaker), key, value))
}

fn equated<'a>(sentence: &'a str, speaker: &str) -> Option<(String, &'a str, &'a str)> {
    let (head, value) = split_once_word(sentence, "is now")
        .or_else(|| split_once_word(sentence, "is"))
        .or_else(|| split_once_word(sentence, "are"))?;
    let head = head.trim();
    let (subject, key) = possessed(head).or_else(|| of_phrase(head))?;
    Some((subject_of(subject, speaker), key, value.trim()))
}

/// Splits `my name` and `Ann's editor` into who has it and what it is.
fn possessed(head: &str) -> Option<(&str, &str)> {
    let (first, rest) = head.split_once(' ')?;
    if ["my", "our", "your"]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(first))
    {
        return Some((first, rest.trim()));
    }
    let at = head.find("'s ").or_else(|| head.find("’s "))?;
    let (subject, rest) = head.split_at(at);
    let key = rest.trim_start_matches(['\'', '’']).strip_prefix("s ")?;
    Some((subject, key.trim()))
}

/// Splits `the port of the API` into what it is and whose.
fn of_phrase(head: &str) -> Option<(&str, &str)> {
    let head = without_article(head)?;
    let (key, subject) = head.split_once(" of ")?;
    Some((subject.trim(), key.trim()))
}

fn without_article(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once(' ')?;
    first.eq_ignore_ascii_case("the").then_some(rest)
}

fn subject_of(subject: &str, speaker: &str) -> String {
    let own = ["my", "i", "our"]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(subject));
    if own {
        return speaker.to_owned();
    }
    without_article(subject).unwrap_or(subject).to_owned()
}

/// Splits at the first occurrence of whole words, whatever their case.
fn split_once_word<'a>(text: &'a str, words: &str) -> Option<(&'a str, &'a str)> {
    let middle = format!(" {words} ");
    let at = text.char_indices().map(|(at, _)| at).find(|at| {
        text.get(*at..*at + middle.len())
            .is_some_and(|part| part.eq_ignore_ascii_case(&middle))
    })?;
    Some((&text[..at], &text[at + middle.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stated(sentence: &str) -> Option<[String; 3]> {
        let claim = claim(sentence, "ada", &Redactor::new())?;
        let value = claim
            .value
            .map_or_else(String::new, |value| value.to_string());
        Some([claim.subject.to_string(), claim.key.to_string(), value])
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        let text = "Ann works at Acme. She likes tea!\n- deploy on Friday, e.g. the 3rd. \
                    Use `a. b` always\n今日は雨です。明日は晴れ";
        assert_eq!(
            sentences(text),
            [
                "Ann works at Acme.",
                "She likes tea!",
                "deploy on Friday, e.g. the 3rd.",
                "Use `a. b` always",
                "今日は雨です。",
                "明日は晴れ"
            ]
        );
        assert_eq!(sentences("v1.2.3 is out. --- "), ["v1.2.3 is out."]);
        assert_eq!(sentences("J. Doe left."), ["J. Doe left."]);
    }

    #[test]
    fn what_is_stated_outright_is_a_claim() {
        for (sentence, expected) in [
            ("My name is Bea.", ["ada", "name", "Bea"]),
            (
                "Ann's favourite editor is vim",
                ["Ann", "favourite editor", "vim"],
            ),
            ("The port of the API is 8080.", ["API", "port", "8080"]),
            ("Ann now lives in Berlin", ["Ann", "home", "Berlin"]),
            ("Ann has moved to Oslo", ["Ann", "home", "Oslo"]),
            ("I work at Acme Corp", ["ada", "employer", "Acme Corp"]),
            (
                "Our deploy day is now Tuesday",
                ["ada", "deploy day", "Tuesday"],
            ),
        ] {
            assert_eq!(
                stated(sentence),
                Some(expected.map(str::to_owned)),
                "{sentence}"
            );
        }
    }

    #[test]
    fn what_is_less_plain_is_none() {
        for sentence in [
            "The release is late",
            "Is my name Ann?",
            "My name is not Ann",
            "If my port is 80, stop",
            "My plan is to first build the whole thing and then test all of it",
            "Note: my key is a, b",
            "She works at Acme when it rains",
            "never push to main",
            "the build of yesterday was red",
        ] {
            assert_eq!(stated(sentence), None, "{sentence}");
        }
    }

    #[test]
    fn little_is_told_from_enough() {
        for text in ["ok", "thank you", "--- ---", "了解です"] {
            assert!(is_low_information(text), "{text}");
        }
        for text in ["deploy on friday", "今日は雨が降ります"] {
            assert!(!is_low_information(text), "{text}");
        }
    }
}
