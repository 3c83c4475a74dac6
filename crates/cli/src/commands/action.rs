//! Actions as the flags describe them, and verdicts as people read them.

use anstyle::{AnsiColor, Style};
use precedent::{Action, Decision, Verdict};

use crate::args::ActionArgs;

/// Makes an action of the flags.
pub(super) fn action(args: ActionArgs) -> Action {
    let cwd = args.cwd.or_else(present_directory);
    let action = args
        .action
        .or_else(|| args.command.clone())
        .unwrap_or_default();
    Action {
        tool: args.tool,
        action,
        command: args.command,
        cwd,
        files: args.files,
        session: args.session,
        ..Action::default()
    }
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
