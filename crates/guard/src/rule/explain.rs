//! Says what was understood, so that its author can check it.

use precedent_core::{ActionPattern, Control};
use precedent_redact::CleanText;

/// Says a control as one sentence: `when …, then …`.
#[must_use]
pub fn explain(control: &Control) -> String {
    let trigger = describe(control.trigger());
    match control {
        Control::Requires { prerequisites, .. } => {
            let wanted: Vec<String> = prerequisites.iter().map(describe).collect();
            format!(
                "when {trigger}, then first require success of {}",
                wanted.join(" and ")
            )
        }
        Control::Prohibits { unless, .. } if unless.is_empty() => {
            format!("when {trigger}, then hold it back")
        }
        Control::Prohibits { unless, .. } => {
            let forms: Vec<String> = unless.iter().map(describe).collect();
            format!(
                "when {trigger}, then hold it back unless {}",
                forms.join(" or ")
            )
        }
        Control::Prefers { prefer, .. } => {
            format!("when {trigger}, then use {} in its place", describe(prefer))
        }
    }
}

/// Names the actions of a pattern, such as "the command `npm ci`".
#[must_use]
pub fn describe(pattern: &ActionPattern) -> String {
    let mut line: Vec<&str> = pattern.program.iter().map(|p| &**p).collect();
    line.extend(pattern.words.iter().map(|w| &**w));
    line.extend(pattern.flags.iter().map(|f| &**f));
    let mut parts = Vec::new();
    if !line.is_empty() {
        let kind = match pattern.words.first() {
            _ if pattern.program.is_some() => "the command",
            Some(word) if crate::pattern::is_sql_verb(word) => "the statement",
            Some(_) => "an action named",
            None => "a command with",
        };
        parts.push(format!("{kind} `{}`", line.join(" ")));
    }
    let reads = pattern.tool.as_deref() == Some(crate::pattern::READ);
    if let Some(tool) = pattern
        .tool
        .as_deref()
        .filter(|_| !reads || pattern.paths.is_empty())
    {
        parts.push(format!("the tool `{tool}`"));
    }
    if !pattern.paths.is_empty() {
        let does = if reads {
            "reading or changing"
        } else {
            "changing"
        };
        let does = if parts.is_empty() { does } else { "on" };
        parts.push(format!("{does} {}", list(&pattern.paths)));
    }
    if !pattern.environment.is_empty() {
        let at = if parts.is_empty() { "acting on" } else { "for" };
        parts.push(format!("{at} {}", list(&pattern.environment)));
    }
    if parts.is_empty() {
        "nothing".to_owned()
    } else {
        parts.join(" ")
    }
}

fn list(texts: &[CleanText]) -> String {
    texts
        .iter()
        .map(|t| format!("`{}`", &**t))
        .collect::<Vec<_>>()
        .join(" or ")
}
