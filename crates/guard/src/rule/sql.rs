//! Finds SQL statements that a sentence names.

use super::sketch::Sketch;
use super::token::Token;
use crate::pattern::is_sql_verb;

pub(super) fn sql(text: &str) -> Option<Sketch> {
    let words: Vec<String> = text
        .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
        .filter(|w| !w.is_empty())
        .map(str::to_uppercase)
        .collect();
    let first = words.first()?;
    let written = text.split_whitespace().next() == Some(first);
    let second = words.get(1).map_or("", String::as_str);
    let object = matches!(
        second,
        "TABLE" | "DATABASE" | "FROM" | "INTO" | "INDEX" | "SCHEMA" | "COLUMN"
    );
    (first == "WHERE" && written || is_sql_verb(first) && (written || object)).then(|| Sketch {
        words,
        ..Sketch::default()
    })
}

/// Finds the table in `statements on the orders table`.
pub(super) fn table_after(tokens: &[Token]) -> Option<(String, usize)> {
    let text = |token: &Token| match token {
        Token::Word(word) | Token::Code(word) => word.to_lowercase(),
        _ => String::new(),
    };
    let filler = |word: &str| {
        matches!(
            word,
            "statement"
                | "statements"
                | "query"
                | "queries"
                | "on"
                | "from"
                | "against"
                | "the"
                | "table"
        )
    };
    let at = tokens.iter().take(5).position(|t| !filler(&text(t)))?;
    let name = text(&tokens[at]);
    let before = at.checked_sub(1).map(|b| text(&tokens[b]));
    let after = tokens.get(at + 1).map(text);
    let named = before.as_deref() == Some("table") || after.as_deref() == Some("table");
    let plain = name
        .chars()
        .all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    (named && plain && !name.is_empty()).then_some((name, at + 1))
}

pub(super) fn sql_words(tokens: &[Token]) -> Option<(Sketch, usize)> {
    let capitals = |token: &Token| match token {
        Token::Word(word)
            if word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_') =>
        {
            Some(word.clone())
        }
        _ => None,
    };
    let words: Vec<String> = tokens.iter().map_while(capitals).collect();
    let first = words.first()?;
    if !is_sql_verb(first) && first != "WHERE" {
        return None;
    }
    let mut taken = words.len();
    let mut words = words.clone();
    if let Some((table, length)) = table_after(&tokens[taken..]) {
        words.push(table.to_uppercase());
        taken += length;
    }
    Some((
        Sketch {
            words,
            ..Sketch::default()
        },
        taken,
    ))
}
