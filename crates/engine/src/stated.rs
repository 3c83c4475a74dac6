//! What a sentence states outright: a subject, a key and a value.
//!
//! A wrong key would hide another memory, so anything less plain states nothing: properties that
//! people have several of, opinions, conditions, and values that tell a passing condition.

use precedent_core::{Claim, CleanText, Redactor};

/// Verbs that state a property, with its name. What else they may mean (`works for me`, `is called
/// twice`, `moved to Slack`) is told apart by who it is said of and by values that are names.
const RELATIONS: [(&str, &str); 8] = [
    ("now lives in", "home"),
    ("lives in", "home"),
    ("live in", "home"),
    ("works at", "employer"),
    ("work at", "employer"),
    ("work for", "employer"),
    ("is called", "name"),
    ("am called", "name"),
];
/// Most words of a key.
const KEY_WORDS: usize = 3;
/// Most words of a value.
const VALUE_WORDS: usize = 8;
/// Most words of a value that is not a name, a number or the like.
const PLAIN_WORDS: usize = 2;
/// Most words of a subject.
const SUBJECT_WORDS: usize = 4;

/// Words with which a sentence does not say that something simply holds.
const HEDGES: &[&str] = &[
    "not",
    "never",
    "no",
    "if",
    "when",
    "whenever",
    "unless",
    "until",
    "while",
    "once",
    "maybe",
    "perhaps",
    "probably",
    "possibly",
    "might",
    "may",
    "could",
    "should",
    "would",
    "will",
    "can",
    "cannot",
    "must",
    "was",
    "were",
    "been",
    "used",
    "or",
    "and",
    "but",
    "because",
    "since",
    "except",
    "only",
    "sometimes",
    "usually",
    "often",
    "mostly",
    "almost",
    "nearly",
    "still",
    "already",
    "again",
    "also",
    "too",
    "currently",
    "temporarily",
    "today",
    "tomorrow",
    "tonight",
    "think",
    "thinks",
    "believe",
    "suppose",
    "assume",
    "seems",
    "hope",
    "wish",
    "wonder",
    "whether",
    "says",
    "said",
    "claims",
    "claimed",
    "let",
    "let's",
    "todo",
    "fixme",
    "example",
    "imagine",
    "pretend",
    "isn't",
    "aren't",
    "wasn't",
    "don't",
    "doesn't",
    "can't",
    "won't",
    "why",
    "how",
    "where",
    "what",
    "which",
    "who",
    "that",
    "then",
    "than",
    "so",
];
/// Words that name nobody and nothing in particular, or an hour.
const NOBODY: &[&str] = &[
    "it",
    "this",
    "that",
    "these",
    "those",
    "there",
    "here",
    "he",
    "she",
    "they",
    "we",
    "you",
    "one",
    "each",
    "every",
    "everyone",
    "everybody",
    "everything",
    "someone",
    "somebody",
    "something",
    "anyone",
    "anybody",
    "anything",
    "nobody",
    "nothing",
    "none",
    "all",
    "both",
    "most",
    "some",
    "any",
    "other",
    "others",
    "another",
    "today",
    "yesterday",
    "tomorrow",
    "week",
    "month",
    "year",
    "morning",
    "night",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "last",
    "next",
    "previous",
    "current",
    "let",
    "what",
    "who",
    "where",
    "how",
    "your",
    "his",
    "her",
    "their",
    "its",
];
/// Words that join or place others; no plain name of a thing or a property has one.
const FUNCTION: &[&str] = &[
    "a", "an", "the", "to", "of", "in", "on", "at", "by", "for", "from", "with", "without", "as",
    "into", "onto", "over", "under", "about", "after", "before", "during", "between", "per", "via",
    "is", "are", "be", "being", "has", "have", "had", "do", "does", "did", "it", "me", "us",
    "them", "my", "our", "your", "very", "quite", "really", "just", "same", "like", "more", "less",
    "now", "up", "down", "out", "off", "away", "back", "there", "here",
];
/// Last words of keys that say what somebody thinks, a part, or one of several.
const LOOSE_KEYS: &[&str] = &[
    "guess",
    "plan",
    "point",
    "understanding",
    "hope",
    "idea",
    "question",
    "suggestion",
    "concern",
    "feeling",
    "bet",
    "take",
    "hunch",
    "worry",
    "assumption",
    "recommendation",
    "step",
    "goal",
    "impression",
    "theory",
    "problem",
    "issue",
    "bug",
    "task",
    "ticket",
    "pr",
    "fix",
    "answer",
    "advice",
    "mistake",
    "fear",
    "proposal",
    "thought",
    "opinion",
    "view",
    "favorite",
    "choice",
    "first",
    "second",
    "third",
    "last",
    "rest",
    "half",
    "part",
    "most",
    "majority",
    "one",
    "some",
    "kind",
    "sort",
    "type",
    "top",
    "bottom",
    "middle",
    "friend",
    "colleague",
    "teammate",
    "coworker",
    "brother",
    "sister",
    "son",
    "daughter",
    "child",
    "kid",
    "cousin",
    "uncle",
    "aunt",
    "neighbour",
    "neighbor",
    "client",
    "customer",
    "contact",
    "reviewer",
    "cause",
    "reason",
    "result",
    "output",
    "example",
    "member",
    "user",
    "side",
    "case",
    "way",
    "thing",
    "dog",
    "cat",
];
/// Last words of keys whose values are plain words.
const WORD_KEYS: &[&str] = &[
    "name",
    "nickname",
    "username",
    "editor",
    "shell",
    "browser",
    "terminal",
    "language",
    "framework",
    "colour",
    "color",
    "theme",
    "timezone",
    "hobby",
    "keyboard",
    "os",
    "branch",
    "linter",
    "formatter",
    "pronouns",
];
/// First words of keys that say that there is one of it.
const ONLY_ONE: &[&str] = &["favourite", "favorite", "preferred", "default"];
/// Plain values that tell a passing condition, or nothing.
const CONDITIONS: &[&str] = &[
    "broken",
    "slow",
    "fast",
    "late",
    "early",
    "ready",
    "done",
    "open",
    "closed",
    "missing",
    "unknown",
    "wrong",
    "right",
    "fine",
    "ok",
    "okay",
    "good",
    "bad",
    "great",
    "better",
    "worse",
    "best",
    "worst",
    "green",
    "red",
    "flaky",
    "stale",
    "empty",
    "full",
    "unset",
    "set",
    "gone",
    "clear",
    "unclear",
    "obvious",
    "important",
    "optional",
    "required",
    "mandatory",
    "invalid",
    "valid",
    "correct",
    "incorrect",
    "free",
    "busy",
    "sick",
    "frozen",
    "stuck",
    "down",
    "unique",
    "different",
    "similar",
    "new",
    "old",
    "long",
    "short",
    "true",
    "false",
    "too",
    "useless",
    "useful",
    "easy",
    "hard",
    "nice",
    "awful",
    "weird",
    "confusing",
    "case-sensitive",
    "amazing",
];

/// Reads what a sentence states outright: `My name is Ann`, `Ann's editor is vim`, `the port of
/// the API is 8080`, `Ann now lives in Berlin`.
///
/// `speaker` is who says `my` and `I`.
pub fn claim(sentence: &str, speaker: &str, redactor: &Redactor) -> Option<Claim> {
    let sentence = sentence.trim().trim_end_matches(['.', '!', '。', '！']);
    if !is_plain(sentence) {
        return None;
    }
    let (subject, key, value) =
        related(sentence, speaker).or_else(|| equated(sentence, speaker))?;
    let clean = |text: &str| redactor.clean(text);
    let (subject, key, value) = (clean(&subject), clean(key), clean(value));
    let masked = |text: &CleanText| text.contains('[');
    (!masked(&subject) && !masked(&key)).then_some(Claim {
        subject,
        key,
        value: Some(value),
    })
}

/// Tells whether a text is one sentence that says that something holds, and no more.
fn is_plain(sentence: &str) -> bool {
    const SIGNS: [char; 20] = [
        '?', '？', '\n', ';', '`', '"', '“', '”', '(', ')', '{', '}', '<', '>', '=', '|', '→', ',',
        '。', '*',
    ];
    const LONGEST: usize = 200;
    sentence.len() <= LONGEST
        && !sentence.contains(SIGNS)
        && ![". ", "! ", ": ", " - ", " – ", " — ", "..."]
            .iter()
            .any(|sign| sentence.contains(sign))
        && !sentence
            .split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '-' | '_' | '.'))
            .any(|word| is_one_of(&word.replace('’', "'"), HEDGES))
}

fn is_one_of(word: &str, list: &[&str]) -> bool {
    list.iter().any(|it| it.eq_ignore_ascii_case(word))
}

fn related<'a>(sentence: &'a str, speaker: &str) -> Option<(String, &'static str, &'a str)> {
    let mut relations = RELATIONS.into_iter();
    let (subject, key, value) = relations.find_map(|(verb, key)| {
        let (subject, value) = split_once_word(sentence, verb)?;
        Some((subject.trim(), key, value.trim()))
    })?;
    let own = subject == "I";
    let named = subject.split(' ').all(is_name) && is_subject(subject);
    let value = value.trim_end_matches(" now");
    let values = value.split(' ').count();
    let fits = values <= PLAIN_WORDS + 1 && value.split(' ').all(is_name) && !is_hour(value);
    let subject = if own { speaker } else { subject };
    ((own || named) && fits).then(|| (subject.to_owned(), key, value))
}

fn equated<'a>(sentence: &'a str, speaker: &str) -> Option<(String, &'a str, &'a str)> {
    let (head, value) = split_once_word(sentence, "is now")
        .or_else(|| split_once_word(sentence, "is"))
        .or_else(|| split_once_word(sentence, "are"))?;
    let head = head.trim();
    let (subject, key) = possessed(head).or_else(|| of_phrase(head))?;
    let own = ["my", "our"]
        .iter()
        .any(|it| it.eq_ignore_ascii_case(subject));
    let subject = without_article(subject).unwrap_or(subject);
    let fits = (own || is_subject(subject)) && is_key(key) && is_value(key, value.trim());
    let subject = if own { speaker } else { subject };
    fits.then(|| (subject.to_owned(), key, value.trim()))
}

/// Splits `my name` and `Ann's editor` into who has it and what it is.
fn possessed(head: &str) -> Option<(&str, &str)> {
    let (first, rest) = head.split_once(' ')?;
    if ["my", "our"]
        .iter()
        .any(|it| it.eq_ignore_ascii_case(first))
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
    let (key, subject) = without_article(head)?.split_once(" of ")?;
    Some((subject.trim(), key.trim()))
}

fn without_article(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once(' ')?;
    first.eq_ignore_ascii_case("the").then_some(rest)
}

/// Tells whether a text names somebody or something.
fn is_subject(text: &str) -> bool {
    let fits = |word: &str| {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '@');
        word.chars().all(plain) && !is_one_of(word, NOBODY) && !is_one_of(word, FUNCTION)
    };
    let count = text.split(' ').count();
    count <= SUBJECT_WORDS && !text.is_empty() && text.split(' ').all(fits)
}

/// Tells whether a text names a property that a thing has one of.
fn is_key(text: &str) -> bool {
    let fits = |word: &str| {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let clean = word.strip_suffix("'s").unwrap_or(word);
        !clean.is_empty() && clean.chars().all(plain) && !is_one_of(word, FUNCTION)
    };
    let mut words = text.split(' ');
    let loose = text
        .rsplit(' ')
        .next()
        .is_none_or(|it| is_one_of(it, LOOSE_KEYS));
    text.split(' ').count() <= KEY_WORDS && words.all(fits) && !loose
}

/// Tells whether a text is what a property can be: a name, a number, an address, or a plain word
/// where the key asks for one.
fn is_value(key: &str, value: &str) -> bool {
    let words = || value.split(' ');
    let count = words().count();
    if value.is_empty() || count > VALUE_WORDS || words().any(|it| is_one_of(it, FUNCTION)) {
        return false;
    }
    if words().any(|it| is_one_of(it, CONDITIONS)) {
        return false;
    }
    let telling = |word: &str| {
        let sign = |c: char| c.is_numeric() || matches!(c, '/' | '@' | '_' | '.');
        is_name(word) || word.contains(sign)
    };
    let (first, last) = (key.split(' ').next(), key.rsplit(' ').next());
    let wordy = last.is_some_and(|it| is_one_of(it, WORD_KEYS))
        || first.is_some_and(|it| is_one_of(it, ONLY_ONE));
    let verbal = |word: &str| word.ends_with("ing") || word.ends_with("ed");
    words().all(telling) || (wordy && count <= PLAIN_WORDS && !words().any(verbal))
}

/// Tells whether a word is written like a name.
fn is_name(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

/// Tells whether a text names a day rather than a place or a person.
fn is_hour(value: &str) -> bool {
    value.split(' ').any(|word| is_one_of(word, NOBODY))
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
    fn what_is_stated_outright_is_a_claim() {
        for (sentence, expected) in [
            ("My name is Bea.", ["ada", "name", "Bea"]),
            (
                "Ann's favourite editor is vim",
                ["Ann", "favourite editor", "vim"],
            ),
            ("The port of the API is 8080.", ["API", "port", "8080"]),
            ("Ann now lives in Berlin", ["Ann", "home", "Berlin"]),
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
}
