//! Makes the redactor that the flags describe.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use precedent::Redactor;
use precedent::crates::redact::{AllowList, ImportNotes, Literals, RuleSet};
use serde_json::json;

use crate::args::RedactArgs;
use crate::exit::Failure;
use crate::output::{Line, Output, note};
use crate::settings;

/// Longest file of rules or allowances in bytes; the redactor's own bound is the same.
const FILE_BYTES: u64 = 1024 * 1024;
/// The key of values that a list gives in the clear: their codes never leave the process.
const IN_MEMORY: [u8; 32] = [0; 32];

/// A redactor, and what its making has to say.
pub struct Setup {
    pub redactor: Redactor,
    notes: ImportNotes,
}

/// Makes the redactor.
///
/// # Errors
/// [`Failure::Usage`]: a file cannot be read or is refused; nothing of a value is in the message.
pub fn setup(args: &RedactArgs) -> Result<Setup, Failure> {
    let mut redactor = Redactor::new();
    let (rules, notes) = rules(args)?;
    if let Some(rules) = rules {
        redactor = redactor.with_rules(rules);
    }
    if let Some(path) = &args.allow {
        let allowed = allow_list(path, args.allow_key_file.as_deref())?;
        redactor = redactor.with_allow_list(allowed);
    }
    if args.env {
        let literals = Literals::new(settings::secret_variables())
            .map_err(|error| Failure::Usage(format!("--env: {error}")))?;
        redactor = redactor.with_literals(literals);
    }
    Ok(Setup { redactor, notes })
}

impl Setup {
    /// Tells on stderr what an import left behind.
    pub fn tell(&self, output: Output) {
        let notes: Vec<String> = self
            .notes
            .as_slice()
            .iter()
            .map(ToString::to_string)
            .collect();
        if output.json && !notes.is_empty() {
            let object = json!({ "schema": "precedent.redact.notes/1", "notes": notes });
            note(&Line::json(&object));
        } else {
            for told in notes {
                note(&Line::words(&format!("note: {told}")));
            }
        }
    }
}

fn rules(args: &RedactArgs) -> Result<(Option<RuleSet>, ImportNotes), Failure> {
    let mut sets = Vec::new();
    for path in &args.rules {
        let set = RuleSet::from_toml(&read(path)?);
        sets.push((
            path,
            set.map_err(|error| unusable(path, &error.to_string()))?,
        ));
    }
    let mut notes = ImportNotes::default();
    if let Some(path) = &args.gitleaks_rules {
        let imported = RuleSet::from_gitleaks_toml(&read(path)?);
        let (set, lost) = imported.map_err(|error| unusable(path, &error.to_string()))?;
        notes = lost;
        sets.push((path, set));
    }
    let mut joined: Option<RuleSet> = None;
    for (path, set) in sets {
        let both = match joined {
            None => Ok(set),
            Some(before) => before.join(set),
        };
        joined = Some(both.map_err(|error| unusable(path, &error.to_string()))?);
    }
    Ok((joined, notes))
}

/// Reads an allow list. Codes of values need the key that they were made under; values in the
/// clear do not.
fn allow_list(path: &Path, key_file: Option<&Path>) -> Result<AllowList, Failure> {
    let text = read(path)?;
    let key = match key_file {
        Some(path) => read_key(path)?,
        None if has_codes(&text) => {
            let problem = "holds value_macs; give the key they were made under with \
                --allow-key-file, or list the values themselves";
            return Err(unusable(path, problem));
        }
        None => IN_MEMORY,
    };
    AllowList::from_toml(&text, &key).map_err(|error| unusable(path, &error.to_string()))
}

fn has_codes(text: &str) -> bool {
    let table: Result<toml::Table, _> = toml::from_str(text);
    table.is_ok_and(|table| table.contains_key("value_macs") || table.contains_key("key_check"))
}

fn read_key(path: &Path) -> Result<[u8; 32], Failure> {
    let text = read(path)?;
    parse_key(text.trim()).ok_or_else(|| unusable(path, "is no key; give 64 hexadecimal digits"))
}

fn parse_key(digits: &str) -> Option<[u8; 32]> {
    let mut key = [0; 32];
    if digits.len() != 2 * key.len() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (at, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(key)
}

fn read(path: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(FILE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| unreadable(path, &error))?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > FILE_BYTES) {
        return Err(unusable(
            path,
            "is longer than 1 MiB; split it into several files",
        ));
    }
    String::from_utf8(bytes).map_err(|_| unusable(path, "is not valid UTF-8; save it as UTF-8"))
}

/// Says that a file cannot be used as it was given.
pub fn unusable(path: &Path, problem: &str) -> Failure {
    Failure::Usage(format!("{}: {problem}", path.display()))
}

/// Says that a file cannot be read.
pub fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    let problem = match error.kind() {
        ErrorKind::NotFound => "does not exist; check the path".to_owned(),
        ErrorKind::PermissionDenied => "is not readable; change its permissions".to_owned(),
        ErrorKind::IsADirectory => "is a folder; give a file".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    unusable(path, &problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_64_digits() {
        let key = parse_key(&"0aF9".repeat(16)).unwrap();
        assert_eq!(&key[..4], [0x0a, 0xf9, 0x0a, 0xf9]);
        for digits in [
            "",
            "0a",
            &"0x".repeat(32),
            &"+1".repeat(32),
            &"é".repeat(32),
        ] {
            assert_eq!(parse_key(digits), None, "{digits}");
        }
    }
}
