//! Tells a rule from words that are only quoted, taken back or shouted.

use crate::pattern::is_sql_verb;

/// What is said of words that hold no longer.
const RETRACTIONS: [&str; 14] = [
    "is wrong",
    "was wrong",
    "is false",
    "is outdated",
    "is obsolete",
    "is not true",
    "isn't true",
    "is a myth",
    "is bad advice",
    "no longer applies",
    "no longer holds",
    "does not apply",
    "doesn't apply",
    "is not correct",
];

/// Verbs that make a quotation somebody's words.
const SAYS: [&str; 14] = [
    "said",
    "says",
    "claims",
    "claimed",
    "told",
    "wrote",
    "writes",
    "thinks",
    "argues",
    "argued",
    "suggested",
    "believes",
    "sagte",
    "dit",
];

/// Tells whether a text quotes a rule as somebody's words or takes it back.
pub(super) fn retracted(text: &str) -> bool {
    let lower = text.to_lowercase().replace(['“', '”', '«', '»', '„'], "\"");
    let parts: Vec<&str> = lower.split('"').collect();
    let demands = |quoted: &&str| {
        [
            "never", "not ", "n't", "no ", "avoid", "before", "always", "`",
        ]
        .iter()
        .any(|word| quoted.contains(word))
    };
    let quotes = parts.len() > 2 && parts.iter().skip(1).step_by(2).any(demands);
    let said = parts.iter().step_by(2).any(|outside| {
        let words = outside.split(|c: char| !c.is_alphanumeric());
        words.into_iter().any(|w| SAYS.contains(&w))
    });
    let holds_no_more = |t: &str| RETRACTIONS.iter().any(|r| t.trim_start().starts_with(r));
    let closed = parts
        .iter()
        .skip(2)
        .step_by(2)
        .any(|after| holds_no_more(after.trim_start_matches([',', '.', ' '])));
    let pointed = lower.split(['.', '!', '\n', ';']).any(|sentence| {
        let subjects = [
            "that ",
            "this ",
            "the rule ",
            "this rule ",
            "that rule ",
            "the old rule ",
        ];
        let sentence = sentence.trim_start_matches([' ', '"']);
        subjects
            .iter()
            .filter_map(|s| sentence.strip_prefix(s))
            .any(holds_no_more)
    });
    quotes && (said || closed) || pointed
}

/// Lowers a sentence that is written in capitals throughout, code aside.
pub(super) fn calm(sentence: &str) -> String {
    let plain: String = sentence.split('`').step_by(2).collect();
    let letters = plain.chars().filter(|c| c.is_alphabetic()).count();
    let shouts = letters > 8 && !plain.chars().any(char::is_lowercase);
    if !shouts || plain.split_whitespace().any(is_sql_verb) {
        return sentence.to_owned();
    }
    let mut code = true;
    let parts = sentence.split('`').map(|part| {
        code = !code;
        if code {
            part.to_owned()
        } else {
            part.to_lowercase()
        }
    });
    parts.collect::<Vec<_>>().join("`")
}
