//! Actions as the flags describe them, and verdicts as people read them.

use anstyle::{AnsiColor, Style};
use precedent::{Action, Decision, Verdict};

use crate::args::ActionArgs;
use crate::exit::Failure;

/// Makes an action of the flags; an empty one would be an action that everything is like.
pub(super) fn action(args: ActionArgs) -> Result<Action, Failure> {
    let said = args.command.as_ref().or(args.action.as_ref());
    if said.is_none_or(|text| text.trim().is_empty()) {
        return Err(empty_command());
    }
    let cwd = args.cwd.or_else(present_directory);
    let action = args
        .action
        .or_else(|| args.command.clone())
        .unwrap_or_default();
    Ok(Action {
        tool: args.tool,
        action,
        command: args.command,
        cwd,
        files: args.files,
        session: args.session,
        ..Action::default()
    })
}

/// Refuses a command that says nothing.
pub(super) fn empty_command() -> Failure {
    Failure::Usage("the action is empty; give the command or the intent to rule on".to_owned())
}

/// Returns the working directory, unless it has been removed.
pub(super) fn present_directory() -> Option<String> {
    std::env::current_dir()
        .ok()
        .map(|dir| dir.to_string_lossy().into_owned())
}

/// Says a verdict in words.
pub(super) fn describe(verdict: &Verdict) -> String {
    let style = style(verdict.decision);
    let mut lines = vec![format!(
        "{style}{}{style:#}  risk {:.2}  {}",
        verdict.decision, verdict.risk_score, verdict.summary
    )];
    lines.extend(
        verdict
            .rationale
            .iter()
            .skip(1)
            .map(|reason| format!("  also: {reason}")),
    );
    lines.extend(
        verdict
            .recommendations
            .iter()
            .map(|advice| format!("  do: {advice}")),
    );
    lines.extend(
        verdict
            .evidence
            .iter()
            .map(|evidence| format!("  evidence: {}", evidence.id)),
    );
    lines.extend(
        verdict
            .recall_errors
            .iter()
            .map(|error| format!("  degraded: {error}")),
    );
    lines.join("\n")
}

fn style(decision: Decision) -> Style {
    let color = match decision {
        Decision::Allow => AnsiColor::Green,
        Decision::Warn => AnsiColor::Yellow,
        Decision::Block => AnsiColor::Red,
    };
    color.on_default().bold()
}
