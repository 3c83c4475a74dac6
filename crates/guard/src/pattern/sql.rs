//! Matches SQL statements by their words.

use precedent_core::ActionPattern;

use crate::identity::{CanonicalAction, CanonicalCommand, is_shell_tool};
use crate::shell::Connector;

/// Statement verbs that rules speak of (ISO/IEC 9075-2, statement names).
const VERBS: &[&str] = &[
    "DROP", "DELETE", "TRUNCATE", "UPDATE", "ALTER", "GRANT", "REVOKE", "INSERT", "CREATE",
    "MERGE", "VACUUM", "SELECT", "RENAME", "REINDEX",
];

/// Tells whether `word` is such a verb in capitals.
pub(crate) fn is_verb(word: &str) -> bool {
    VERBS.contains(&word)
}

/// Tells whether one statement of the action holds the pattern's words in
/// order, the first of them first.
pub(super) fn matches(pattern: &ActionPattern, action: &CanonicalAction) -> bool {
    statements(action).iter().any(|statement| {
        let mut words = statement.iter();
        let first = pattern.words.first().map(|w| w.to_uppercase());
        statement.first() == first.as_ref()
            && pattern
                .words
                .iter()
                .all(|w| words.any(|word| *word == w.to_uppercase()))
    })
}

/// Returns the SQL statements that the action sends, as words in capitals.
pub(super) fn statements(action: &CanonicalAction) -> Vec<Vec<String>> {
    let mut texts: Vec<String> = Vec::new();
    if is_shell_tool(&action.tool) {
        for (at, command) in action.commands.iter().enumerate() {
            if is_client(&command.program) {
                texts.extend(sent(command));
                if command.connector == Connector::Pipe && at > 0 {
                    texts.extend(sent(&action.commands[at - 1]));
                }
            }
        }
    } else if let Some(input) = &action.input {
        let name = action.tool.to_lowercase();
        let speaks = ["sql", "query", "postgres", "database", "db", "sqlite"];
        if speaks.iter().any(|s| name.contains(s)) {
            texts.extend(strings(input));
        }
    }
    let parsed = texts.iter().flat_map(|text| text.split(';')).map(words);
    let unparsed = action.unparsed.iter().flat_map(|text| hidden(text));
    parsed.chain(unparsed).filter(|w| !w.is_empty()).collect()
}

/// Finds statements in text that did not parse and names a client: from each
/// verb to the next, so that the work stays linear.
fn hidden(text: &str) -> Vec<Vec<String>> {
    let mut out: Vec<Vec<String>> = Vec::new();
    if !super::command::tokens(text).any(|t| is_client(t.rsplit('/').next().unwrap_or(t))) {
        return out;
    }
    for piece in text.split(';') {
        let mut open = false;
        for word in piece
            .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
            .filter(|w| !w.is_empty())
        {
            let word = word.to_uppercase();
            if is_verb(&word) {
                out.push(Vec::new());
                open = true;
            }
            if let Some(statement) = out.last_mut().filter(|_| open) {
                statement.push(word);
            }
        }
    }
    out
}

fn is_client(program: &str) -> bool {
    matches!(
        program,
        "psql"
            | "mysql"
            | "mariadb"
            | "sqlite3"
            | "duckdb"
            | "cockroach"
            | "sqlcmd"
            | "clickhouse-client"
            | "clickhouse"
            | "bq"
            | "snowsql"
            | "usql"
            | "pgcli"
            | "mycli"
            | "trino"
            | "cqlsh"
    )
}

fn sent(command: &CanonicalCommand) -> Vec<String> {
    let mut texts: Vec<String> = command
        .flags
        .iter()
        .filter_map(|f| f.value.clone())
        .collect();
    texts.extend(command.operands.iter().map(|o| o.text.clone()));
    texts.extend(command.inputs.iter().map(|r| r.target.text.clone()));
    texts
}

fn strings(json: &str) -> Vec<String> {
    fn collect(value: &serde_json::Value, out: &mut Vec<String>) {
        match value {
            serde_json::Value::String(text) => out.push(text.clone()),
            serde_json::Value::Array(items) => items.iter().for_each(|v| collect(v, out)),
            serde_json::Value::Object(fields) => fields.values().for_each(|v| collect(v, out)),
            _ => {}
        }
    }
    let mut out = Vec::new();
    match serde_json::from_str(json) {
        Ok(value) => collect(&value, &mut out),
        Err(_) => out.push(json.to_owned()),
    }
    out
}

/// Splits a statement into words, comments left out.
fn words(statement: &str) -> Vec<String> {
    let lines: Vec<&str> = statement
        .lines()
        .map(|line| line.split("--").next().unwrap_or(""))
        .collect();
    let text = lines.join(" ");
    let split = |c: char| !(c.is_alphanumeric() || c == '_' || c == '.');
    text.split(split)
        .filter(|w| !w.is_empty())
        .map(str::to_uppercase)
        .collect()
}
