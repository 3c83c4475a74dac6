//! What a command is given to work on as text: scripts, statements, messages
//! and bodies.
//!
//! Such text is what an action does, so two of them are no variants of one
//! action; numbers, hashes and temporary names in it are no difference.

use super::command::{CanonicalCommand, Flag};
use super::keys::is_volatile;

/// Returns the payloads of a command with what is volatile taken out.
pub(super) fn classes(command: &CanonicalCommand) -> Vec<String> {
    let given = command
        .flags
        .iter()
        .filter_map(|flag| text_of(&command.program, flag));
    let fed = command
        .inputs
        .iter()
        .map(|input| input.target.text.as_str());
    given
        .chain(fed)
        .map(class)
        .filter(|text| !text.is_empty())
        .collect()
}

/// Returns the part of a flag's value that tells what is done.
fn text_of<'f>(program: &str, flag: &'f Flag) -> Option<&'f str> {
    let value = flag.value.as_deref()?;
    if carries(program, &flag.name) || value.contains(char::is_whitespace) {
        return Some(value);
    }
    let (_, rest) = value.split_once("://")?;
    rest.split(['/', '?', '#']).next()
}

/// Flags whose value is code, a statement, a message or a body.
fn carries(program: &str, flag: &str) -> bool {
    match program {
        "python" | "python3" | "node" | "deno" | "bun" | "ruby" | "perl" | "php" | "lua"
        | "rscript" | "osascript" => {
            matches!(
                flag,
                "-c" | "-e" | "-p" | "-r" | "-E" | "--eval" | "--print"
            )
        }
        "psql" | "mysql" | "mariadb" | "sqlite3" | "duckdb" | "sqlcmd" => {
            matches!(flag, "--command" | "--execute" | "-c" | "-e" | "-Q" | "-q")
        }
        "curl" | "wget" => {
            flag.starts_with("--data") || matches!(flag, "-d" | "--json" | "--post-data" | "-F")
        }
        "sed" | "awk" | "grep" | "rg" => matches!(flag, "-e" | "-f"),
        _ => matches!(
            flag,
            "--message" | "--body" | "--title" | "--patch" | "--query"
        ),
    }
}

/// Brings a text to the class of texts that differ in volatile words only.
pub(super) fn class(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    let within = |c: char| c.is_alphanumeric() || "._-/:+%".contains(c);
    for c in super::fold::fold(text).to_lowercase().chars() {
        if within(c) {
            word.push(c);
            continue;
        }
        close(&mut word, &mut out);
        // Runs of blanks are one.
        if !c.is_whitespace() {
            out.push(c);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    close(&mut word, &mut out);
    out.trim().to_owned()
}

/// Writes a word with its numbers as one, or as a mark if it is volatile.
fn close(word: &mut String, out: &mut String) {
    if is_volatile(word) {
        out.push('#');
    } else {
        let mut number = false;
        for c in word.chars() {
            let digit = c.is_ascii_digit();
            if !digit {
                out.push(c);
            } else if !number {
                out.push('0');
            }
            number = digit;
        }
    }
    word.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volatile_words_make_no_class() {
        assert_eq!(class("seek 10  times"), class("seek 250 times"));
        assert_eq!(class("open('/tmp/a1')"), class("open('/tmp/zz')"));
        assert_eq!(class("show 5f0aa12"), class("show 99bb01c"));
        assert_ne!(class("select a"), class("select b"));
    }
}
