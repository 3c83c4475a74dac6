//! Splits rule text into sentences and sentences into tokens.

use super::markers::is_cjk;

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// Text between backticks.
    Code(String),
    /// A word as written, punctuation around it removed.
    Word(String),
    /// A run of Chinese or Japanese text.
    Cjk(String),
    /// A comma or another mark that ends a clause.
    Break,
}

/// Splits text at full stops, line ends and semicolons outside backticks.
pub(super) fn sentences(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut current = String::new();
    let mut code = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        code ^= c == '`';
        let next = chars.peek().copied();
        let ends = match c {
            '\n' | '。' | '！' => true,
            // `api.nomad`, `./x` and `e.g.` go on; a sentence ends with a blank.
            '.' | '!' => next.is_none_or(char::is_whitespace) && !abbreviates(&current),
            ';' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends && !code {
            out.push(std::mem::take(&mut current));
        } else {
            current.push(c);
        }
    }
    out.push(current);
    let out = joined(out);
    out.iter()
        .map(|s| unlabelled(s.trim()).to_owned())
        .filter(|s| !s.is_empty())
        .collect()
}

/// Words at the end of a label that only says what kind of sentence follows.
const LABELS: [&str; 19] = [
    "rule",
    "rules",
    "policy",
    "note",
    "reminder",
    "important",
    "warning",
    "guideline",
    "convention",
    "requirement",
    "instruction",
    "attention",
    "must-follow",
    "regel",
    "hinweis",
    "wichtig",
    "r\u{e8}gle",
    "regla",
    "nota",
];
/// Longest label, in words.
const LABEL_WORDS: usize = 4;

/// Removes a label such as `Release rule:` from the beginning of a sentence.
fn unlabelled(sentence: &str) -> &str {
    let Some((label, rest)) = sentence.split_once(": ") else {
        return sentence;
    };
    let words: Vec<&str> = label.split_whitespace().collect();
    let last = words
        .last()
        .map(|word| word.to_lowercase())
        .unwrap_or_default();
    let names_a_kind = LABELS.contains(&last.as_str()) && words.len() <= LABEL_WORDS;
    if names_a_kind {
        rest.trim_start()
    } else {
        sentence
    }
}

/// Joins a sentence that speaks of `it` to the one that says what it is.
fn joined(sentences: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for sentence in sentences {
        let points =
            |w: &str| matches!(w.to_lowercase().as_str(), "it" | "them" | "these" | "there");
        let names = sentence.contains(['`', '/']);
        match out.last_mut() {
            Some(last) if !names && sentence.split_whitespace().any(points) => {
                last.push_str(", ");
                last.push_str(&sentence);
            }
            _ => out.push(sentence),
        }
    }
    out
}

fn abbreviates(text: &str) -> bool {
    let word = text
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or("")
        .to_lowercase();
    matches!(
        word.trim_start_matches('('),
        "e.g" | "i.e" | "etc" | "vs" | "z.b" | "bzw" | "p.ej" | ""
    )
}

/// Splits a sentence into tokens.
pub(super) fn tokens(sentence: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut code = false;
    for part in sentence.split('`') {
        if code && !part.trim().is_empty() {
            out.push(Token::Code(part.trim().to_owned()));
        } else if !code {
            plain(part, &mut out);
        }
        code = !code;
    }
    out
}

fn plain(text: &str, out: &mut Vec<Token>) {
    for chunk in text.split_whitespace() {
        let mut rest = chunk;
        while let Some(first) = rest.chars().next() {
            let wide = is_cjk(first);
            let end = rest.find(|c| is_cjk(c) != wide).unwrap_or(rest.len());
            let (run, tail) = rest.split_at(end);
            if wide {
                out.push(Token::Cjk(run.to_owned()));
            } else {
                word(run, out);
            }
            rest = tail;
        }
    }
}

fn word(text: &str, out: &mut Vec<Token>) {
    let text = text.replace('\u{2019}', "'");
    let edge = |c: char| "\"'()[]{}“”«»„".contains(c);
    if matches!(text.as_str(), "|" | "&&" | "||") {
        out.push(Token::Word("|".to_owned()));
        return;
    }
    let start = text.trim_start_matches(edge);
    let body = start.trim_end_matches(|c: char| edge(c) || ",:;!?".contains(c));
    let body = body.strip_suffix('.').unwrap_or(body);
    if !body.is_empty() && body.chars().any(char::is_alphanumeric) {
        out.push(Token::Word(body.to_owned()));
    }
    if matches!(body, "—" | "-" | "–")
        || start.len() > body.len() && start[body.len()..].contains([',', ':', ';'])
    {
        out.push(Token::Break);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_go_and_triggers_stay() {
        let check = |text: &str, expected: &str| assert_eq!(sentences(text), [expected], "{text}");
        check(
            "Release rule: before npm run deploy, run npm ci",
            "before npm run deploy, run npm ci",
        );
        check("Must-follow: never run `x`", "never run `x`");
        check("Before a deploy: run npm ci", "Before a deploy: run npm ci");
        check("Run npm run db:generate", "Run npm run db:generate");
    }
}
