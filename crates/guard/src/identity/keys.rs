//! The three keys of an action: exact, shape and family.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::command::{CanonicalCommand, Flag};
use super::{CanonicalAction, fold, payload};
use crate::shell::{Connector, Place, Redirect};

/// SHA-256 digests of an action's canonical bytes at three distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Keys {
    /// Equal for actions that do the same in the same directory.
    pub exact: [u8; 32],
    /// Equal for actions with the same program, sub-command, targets and
    /// payload, whatever their flags, numbers, hashes and temporary names.
    pub shape: [u8; 32],
    /// Equal for actions with the same program and sub-command.
    pub family: [u8; 32],
}

impl CanonicalAction {
    /// Returns the digests of the three canonical byte strings.
    #[must_use]
    pub fn keys(&self) -> Keys {
        let digest = |bytes: Vec<u8>| Sha256::digest(bytes).into();
        Keys {
            exact: digest(self.exact_bytes()),
            shape: digest(self.shape_bytes()),
            family: digest(self.family_bytes()),
        }
    }

    /// Returns the bytes under the exact key.
    ///
    /// Only arrays are written, so the order of a JSON map cannot matter.
    #[must_use]
    pub fn exact_bytes(&self) -> Vec<u8> {
        let commands: Vec<Value> = self.own_commands().map(exact_command).collect();
        let unparsed: Vec<String> = self.unparsed.iter().map(|t| squeeze(t)).collect();
        let control: Vec<String> = self.control.iter().map(|t| squeeze(t)).collect();
        let form = json!([
            "action/1",
            "exact",
            self.tool,
            self.directory,
            commands,
            self.input,
            control,
            unparsed
        ]);
        form.to_string().into_bytes()
    }

    /// Returns the bytes under the shape key.
    #[must_use]
    pub fn shape_bytes(&self) -> Vec<u8> {
        let mut parts: Vec<Vec<String>> = self.own_commands().map(shape_command).collect();
        if self.commands.is_empty() {
            let mut targets: Vec<String> = self.files.clone();
            targets.extend(self.targets.iter().filter(|t| !is_volatile(t)).cloned());
            let mut part: Vec<String> = targets.iter().map(|t| squeeze(t).to_lowercase()).collect();
            part.extend(self.input.iter().map(|input| payload::class(input)));
            parts.push(part);
        }
        let unparsed: Vec<String> = self
            .unparsed
            .iter()
            .map(|t| squeeze(t).to_lowercase())
            .collect();
        json!(["action/1", "shape", self.tool, parts, unparsed])
            .to_string()
            .into_bytes()
    }

    /// Returns the bytes under the family key.
    #[must_use]
    pub fn family_bytes(&self) -> Vec<u8> {
        let parts: Vec<Vec<String>> = self.own_commands().map(family_command).collect();
        let files = if self.commands.is_empty() {
            self.files.clone()
        } else {
            Vec::new()
        };
        json!(["action/1", "family", self.tool, parts, files])
            .to_string()
            .into_bytes()
    }

    fn own_commands(&self) -> impl Iterator<Item = &CanonicalCommand> {
        self.commands.iter().filter(|c| !c.derived)
    }
}

fn squeeze(text: &str) -> String {
    fold::fold(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn exact_command(command: &CanonicalCommand) -> Value {
    let operands: Vec<Value> = command
        .operands
        .iter()
        .map(|o| json!([o.text, o.dynamic]))
        .collect();
    let inputs: Vec<Value> = command.inputs.iter().map(exact_input).collect();
    let outputs: &[String] = if prints(&command.program) {
        &command.outputs
    } else {
        &[]
    };
    json!([
        connector(command.connector),
        command.place == Place::Substitution,
        command.directory,
        command.program,
        command.subcommand,
        command.flags.iter().map(exact_flag).collect::<Vec<_>>(),
        operands,
        inputs,
        outputs
    ])
}

fn exact_flag(flag: &Flag) -> Value {
    json!([flag.name, flag.value, flag.passed, flag.after])
}

fn exact_input(input: &Redirect) -> Value {
    json!([
        input.operator.trim_end_matches('-'),
        input.target.text,
        input.target.dynamic
    ])
}

/// Programs whose only effect is what they print, so where to is the action.
fn prints(program: &str) -> bool {
    matches!(
        program,
        "echo" | "printf" | "cat" | "sed" | "awk" | "jq" | "sort" | "envsubst"
    )
}

fn connector(connector: Connector) -> &'static str {
    match connector {
        Connector::Start => "",
        Connector::And => "&&",
        Connector::Or => "||",
        Connector::Sequence => ";",
        Connector::Pipe => "|",
        Connector::Background => "&",
    }
}

fn family_command(command: &CanonicalCommand) -> Vec<String> {
    let words = std::iter::once(&command.program).chain(&command.subcommand);
    words
        .map(|w| w.trim_start_matches("./").to_lowercase())
        .collect()
}

fn shape_command(command: &CanonicalCommand) -> Vec<String> {
    let mut words = family_command(command);
    let targets = command.operands.iter().filter(|o| !is_volatile(&o.text));
    words.extend(targets.map(|o| squeeze(&o.text).to_lowercase()));
    words.extend(payload::classes(command));
    words
}

/// Tells whether an operand changes from run to run: numbers, hashes,
/// versions, times, identifiers and temporary paths.
pub(super) fn is_volatile(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let hex = text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    let numeric = text
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b':' | b'-' | b'+' | b'/' | b'_' | b'%'));
    let version = text
        .strip_prefix('v')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()) && rest.contains('.'));
    let temporary = text.starts_with("/tmp/") || text.starts_with("/var/tmp/");
    (digits > 0 && numeric) || (digits > 0 && hex && text.len() >= 7) || version || temporary
}

/// Writes an action on one line for people.
pub(super) fn readable(action: &CanonicalAction) -> String {
    let mut out = String::new();
    let shown = |c: &&CanonicalCommand| c.place != Place::Substitution;
    for command in action.own_commands().filter(shown) {
        let sign = connector(command.connector);
        if !out.is_empty() {
            out.push_str(if sign == ";" { "; " } else { " " });
            if !matches!(sign, ";" | "") {
                out.push_str(sign);
                out.push(' ');
            }
        }
        out.push_str(&readable_command(command));
    }
    if !action.commands.is_empty() && action.unparsed.is_empty() {
        return out;
    }
    match &action.input {
        Some(input) if action.commands.is_empty() => format!("{} {input}", action.tool),
        _ => action
            .unparsed
            .iter()
            .map(|t| squeeze(t))
            .collect::<Vec<_>>()
            .join(" "),
    }
}

fn readable_command(command: &CanonicalCommand) -> String {
    let mut words = vec![quoted(&command.program, command.dynamic)];
    words.extend(command.subcommand.iter().map(|w| quoted(w, false)));
    let (own, passed): (Vec<&Flag>, Vec<&Flag>) = command.flags.iter().partition(|f| !f.passed);
    for flag in own {
        words.push(flag.name.clone());
        words.extend(flag.value.iter().map(|v| quoted(v, v.contains('$'))));
    }
    words.extend(command.operands.iter().map(|o| quoted(&o.text, o.dynamic)));
    if !passed.is_empty() {
        words.push("--".to_owned());
    }
    for flag in passed {
        words.push(flag.name.clone());
        words.extend(flag.value.iter().map(|v| quoted(v, v.contains('$'))));
    }
    words.join(" ")
}

/// Quotes a word that a shell would read otherwise; what is expanded stays.
fn quoted(word: &str, dynamic: bool) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_@%+=:,./~*?[]{}^-".contains(c);
    if dynamic || !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
