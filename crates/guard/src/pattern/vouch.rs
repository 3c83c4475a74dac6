//! What an action's success says about the commands in it.

use precedent_core::ActionPattern;

use super::matches;
use crate::identity::{CanonicalAction, CanonicalCommand};

/// Tells whether the success of the whole action (status 0) implies that a
/// command which the pattern describes was run in earnest and succeeded.
///
/// False where the status may be another command's (`a || true`, `a; b`,
/// `! a`, `a &`), where the command ran elsewhere (another host, outside the
/// project) and where it only rehearsed (`--dry-run`, `--help`).
#[must_use]
pub fn vouches(pattern: &ActionPattern, action: &CanonicalAction) -> bool {
    if action.commands.is_empty() {
        return action.unparsed.is_empty() && matches(pattern, action);
    }
    let defines = action.control.iter().any(|text| text.contains("()"));
    action.unparsed.is_empty()
        && !defines
        && action
            .commands
            .iter()
            .any(|c| c.heeded && !c.negated && performs(pattern, c, action))
}

/// Tells whether a command is what the pattern describes, here and in earnest.
pub(super) fn performs(
    pattern: &ActionPattern,
    command: &CanonicalCommand,
    action: &CanonicalAction,
) -> bool {
    matches(pattern, &alone(command, action))
        && !rehearses(pattern, command)
        && (is_inside(command, action) || names_directory(pattern))
}

/// Returns the action as if it were this command alone.
pub(super) fn alone(command: &CanonicalCommand, action: &CanonicalAction) -> CanonicalAction {
    CanonicalAction {
        commands: vec![CanonicalCommand {
            derived: false,
            ..command.clone()
        }],
        unparsed: Vec::new(),
        control: Vec::new(),
        intent: String::new(),
        files: Vec::new(),
        ..action.clone()
    }
}

fn names_directory(pattern: &ActionPattern) -> bool {
    pattern
        .environment
        .iter()
        .any(|place| place.starts_with("directory:"))
}

/// Tells whether a command runs in the project, or where the action starts.
fn is_inside(command: &CanonicalCommand, action: &CanonicalAction) -> bool {
    let Some(directory) = command.directory.as_deref() else {
        return true;
    };
    let below = |base: &str| {
        directory
            .strip_prefix(base)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    !directory.starts_with(['/', '~', '$', '-']) && directory.split('/').next() != Some("..")
        || action.directory.as_deref().is_some_and(below)
}

/// Tells whether a command was asked only to show what it would do, in a form
/// that the pattern does not ask for.
fn rehearses(pattern: &ActionPattern, command: &CanonicalCommand) -> bool {
    const SHOWS: [&str; 14] = [
        "--dry-run",
        "--dryrun",
        "--help",
        "--version",
        "-h",
        "-V",
        "--just-print",
        "--recon",
        "--simulate",
        "--no-run",
        "--collect-only",
        "--list-tests",
        "--listTests",
        "--what-if",
    ];
    // `-n` is a rehearsal to these and a number to others (make(1), git-push(1), rsync(1)).
    let short = matches!(
        command.program.as_str(),
        "make" | "gmake" | "rsync" | "just" | "git"
    );
    let wanted = |name: &str| {
        let root = |flag: &str| flag.split('=').next() == Some(name);
        pattern.flags.iter().any(|flag| root(flag))
    };
    let bare = |name: &str| {
        command
            .flags
            .iter()
            .any(|f| f.name == name && f.value.is_none())
    };
    let mut found = command.flags.iter().filter(|f| {
        let shows = SHOWS.contains(&f.name.as_str()) && (f.name != "-h" || f.value.is_none());
        shows && !wanted(&f.name)
    });
    found.next().is_some() || short && bare("-n") && !wanted("-n")
}

#[cfg(test)]
mod tests {
    use precedent_redact::Redactor;

    use super::*;
    use crate::identity::{ActionInput, AlreadyMasked, canonicalise};

    fn act(command: &str) -> CanonicalAction {
        let action = ActionInput {
            tool: "Bash",
            input: command,
            directory: Some("/p"),
            project: Some("/p"),
            ..ActionInput::default()
        };
        canonicalise(&action, &AlreadyMasked, &|_| [0; 32])
    }

    fn smoke() -> ActionPattern {
        let redactor = Redactor::new();
        ActionPattern {
            program: Some(redactor.clean("make")),
            words: vec![redactor.clean("smoke")],
            ..ActionPattern::default()
        }
    }

    #[test]
    fn success_of_the_line_is_success_of_the_command() {
        for command in [
            "make smoke",
            "make smoke && make deploy",
            "make lint && make smoke",
            "cd web && make smoke",
            "make smoke 2>&1 | tail -20",
            "make smoke | tee log | head",
            "make lint; make smoke",
            "make lint || true; make smoke",
            "bash -c 'make smoke'",
            "set -e; make smoke; make deploy",
            "set -euo pipefail\nmake smoke | grep x\nmake deploy",
            "make smoke || exit 1",
            "make smoke || exit 1; make deploy",
            "timeout 60 make smoke",
            "docker compose exec app make smoke",
            "sleep 1 & make smoke",
            "(cd web && make smoke)",
            "{ make lint; make smoke; } 2>&1 | tail",
            "(make smoke) && make deploy",
            "(make lint; make smoke) && make deploy",
        ] {
            assert!(vouches(&smoke(), &act(command)), "{command}");
        }
    }

    #[test]
    fn success_of_the_line_says_nothing() {
        for command in [
            "! make smoke",
            "make smoke || true",
            "make smoke || make deploy",
            "make smoke && make deploy || true",
            "make smoke; make deploy",
            "make smoke; echo done",
            "make smoke &",
            "make smoke && make deploy &",
            "true || make smoke",
            "cd /other && make smoke",
            "cd ../other && make smoke",
            "make -C /other smoke",
            "ssh h make smoke",
            "make smoke --dry-run",
            "make -n smoke",
            "make smoke --help",
            "make smoke --version",
            "make smoke | grep ok",
            "if make smoke; then ls; fi",
            "(make smoke; make lint)",
            "make lint || (make deploy && make smoke)",
            "(make smoke || make lint) && make deploy",
            "(make smoke) || true",
            "! (make smoke)",
            "(make smoke) &",
            "for x in a; do make smoke; done",
            "[ -f x ] && { false || make smoke; }",
            "echo make smoke",
            "make() { true; }; make smoke",
            "alias make=true; make smoke",
            "exit 0; make smoke",
            "find . -exec make smoke {} ;",
            "bash -c 'make smoke; true'",
            "bash -c 'make smoke' || true",
            "echo \"$(make smoke)\"",
            "make smoke 'open",
            "make lint",
        ] {
            assert!(!vouches(&smoke(), &act(command)), "{command}");
        }
    }

    #[test]
    fn a_rehearsal_counts_where_it_is_what_is_asked_for() {
        let redactor = Redactor::new();
        let pack = ActionPattern {
            program: Some(redactor.clean("npm")),
            words: vec![redactor.clean("pack")],
            flags: vec![redactor.clean("--dry-run")],
            ..ActionPattern::default()
        };
        assert!(vouches(&pack, &act("npm pack --dry-run")));
        assert!(!vouches(&pack, &act("npm pack")));
    }
}
