//! A pattern while a sentence is being read: plain text, cleaned at the end.

use precedent_core::ActionPattern;
use precedent_redact::Redactor;

use crate::identity::canonicalise_command;

/// The fields of an action pattern as plain text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Sketch {
    pub(super) tool: Option<String>,
    pub(super) program: Option<String>,
    pub(super) words: Vec<String>,
    pub(super) flags: Vec<String>,
    pub(super) paths: Vec<String>,
    pub(super) environment: Vec<String>,
}

impl Sketch {
    /// Reads a command as the actions are read, so that both compare equal.
    ///
    /// Placeholders such as `<id>` and `…` become wildcards. Returns nothing
    /// for text that is not one simple command.
    pub(super) fn command(text: &str) -> Option<Self> {
        if is_tool(text) {
            return Some(Self {
                tool: Some(text.to_owned()),
                ..Self::default()
            });
        }
        let action = canonicalise_command(&wildcards(text));
        let [command] = action.commands.as_slice() else {
            return None;
        };
        if !action.unparsed.is_empty() || command.program.is_empty() || command.dynamic {
            return None;
        }
        let flags = command.flags.iter().map(|flag| match &flag.value {
            Some(value) if flag.certain => format!("{}={value}", flag.name),
            _ => flag.name.clone(),
        });
        let environment = command.environment.iter().map(|(_, value)| value.clone());
        let user = command.user.iter().map(|user| format!("user:{user}"));
        let mut words: Vec<String> = command
            .positional()
            .into_iter()
            .map(str::to_owned)
            .collect();
        while words.last().is_some_and(|w| w == "*") {
            words.pop();
        }
        Some(Self {
            program: Some(command.program.clone()),
            words,
            flags: flags.collect(),
            environment: environment.chain(user).collect(),
            ..Self::default()
        })
    }

    /// Cleans every text, which is the only way into a stored rule.
    pub(super) fn pattern(&self, redactor: &Redactor) -> ActionPattern {
        let all = |texts: &[String]| texts.iter().map(|t| redactor.clean(t)).collect();
        ActionPattern {
            tool: self.tool.as_deref().map(|t| redactor.clean(t)),
            program: self.program.as_deref().map(|p| redactor.clean(p)),
            words: all(&self.words),
            flags: all(&self.flags),
            paths: all(&self.paths),
            environment: all(&self.environment),
        }
    }
}

/// Tells whether a word is the name of a host's tool (MCP's naming, and the
/// tools whose names are no ordinary words).
pub(super) fn is_tool(word: &str) -> bool {
    let known = [
        "WebFetch",
        "WebSearch",
        "NotebookEdit",
        "MultiEdit",
        "apply_patch",
    ];
    known.contains(&word) || word.starts_with("mcp__") && !word.contains(char::is_whitespace)
}

/// Turns `<placeholder>`, `…` and `...` into `*`.
pub(super) fn wildcards(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        let after = &rest[open + 1..];
        let close = after.find('>').filter(|at| {
            *at > 0
                && after[..*at]
                    .chars()
                    .all(|c| c.is_alphanumeric() || "-_ .".contains(c))
                && !after.starts_with(' ')
        });
        let Some(close) = close else { break };
        out.push_str(&rest[..open]);
        out.push('*');
        rest = &after[close + 1..];
    }
    out.push_str(rest);
    out.replace("...", "*").replace('…', "*")
}
