//! Which commands of a line must have succeeded for the line to succeed.
//!
//! The status of a list is that of its last pipeline, and of a pipeline that
//! of its last command (POSIX.1-2024, XCU 2.9.2 and 2.9.3); `set -e` and
//! `set -o pipefail` extend both.

use crate::shell::{Connector, Place, SimpleCommand};

/// Tells for each command whether the script's success implies its own.
///
/// Cautious: commands in conditions, loops, substitutions and behind `!` or `&`
/// never count, those of groups not where a group and `||` meet. A filter that shows or copies the output counts as the
/// command before it.
pub(super) fn heeded(commands: &[SimpleCommand]) -> Vec<bool> {
    let mut out = vec![false; commands.len()];
    let steps: Vec<usize> = (0..commands.len())
        .filter(|at| commands[*at].place != Place::Substitution)
        .collect();
    let options = Options::of(commands);
    let pipelines = pipelines(commands, &steps);
    if leaves_early(commands, &pipelines) {
        return out;
    }
    let mut required = true;
    for at in (0..pipelines.len()).rev() {
        let pipeline = &pipelines[at];
        let first = &commands[pipeline[0]];
        let quits = is_exit(commands, pipeline) && first.connector == Connector::Or;
        if quits {
            // `a || exit 1`: what is before must have succeeded.
            required = true;
            continue;
        }
        if required && first.connector != Connector::Or {
            mark(commands, pipeline, options, &mut out);
        }
        required = match first.connector {
            Connector::And => required,
            Connector::Or => false,
            Connector::Sequence => options.stops,
            Connector::Start | Connector::Pipe | Connector::Background => false,
        };
    }
    out
}

#[derive(Debug, Clone, Copy, Default)]
struct Options {
    stops: bool,
    pipes: bool,
}

impl Options {
    fn of(commands: &[SimpleCommand]) -> Self {
        let mut options = Self::default();
        let sets = |c: &&SimpleCommand| word(c, 0) == "set" && c.place == Place::Top;
        for words in commands.iter().take_while(sets).map(|c| &c.words) {
            for word in words.iter().skip(1) {
                let short = word.text.starts_with('-') && !word.text.starts_with("--");
                options.stops |= short && word.text.contains('e');
                options.pipes |= word.text == "pipefail";
            }
        }
        options
    }
}

fn word(command: &SimpleCommand, at: usize) -> &str {
    command.words.get(at).map_or("", |w| w.text.as_str())
}

fn pipelines(commands: &[SimpleCommand], steps: &[usize]) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = Vec::new();
    for at in steps {
        match out.last_mut() {
            Some(last) if commands[*at].connector == Connector::Pipe => last.push(*at),
            _ => out.push(vec![*at]),
        }
    }
    out
}

/// Tells whether the line may end with success before its end.
fn leaves_early(commands: &[SimpleCommand], pipelines: &[Vec<usize>]) -> bool {
    let shadowing = commands
        .iter()
        .any(|c| matches!(word(c, 0), "alias" | "trap" | "enable"));
    let last = pipelines.len().saturating_sub(1);
    shadowing
        || pipelines.iter().enumerate().any(|(at, pipeline)| {
            let command = &commands[pipeline[0]];
            let quits = matches!(word(command, 0), "exit" | "return" | "exec");
            let fails = is_exit(commands, pipeline) && command.connector == Connector::Or;
            quits && !fails && at != last
        })
}

/// Tells whether a pipeline only ends the line with a failure.
fn is_exit(commands: &[SimpleCommand], pipeline: &[usize]) -> bool {
    let [at] = pipeline else { return false };
    let command = &commands[*at];
    match word(command, 0) {
        "exit" | "return" => {
            word(command, 1) != "0" && command.words.get(1).is_none_or(|w| !w.dynamic)
        }
        "false" => true,
        _ => false,
    }
}

fn mark(commands: &[SimpleCommand], pipeline: &[usize], options: Options, out: &mut [bool]) {
    // The flat list does not show where a group ends, which only matters to
    // what `||` skips.
    let groups = !commands
        .iter()
        .any(|c| c.place == Place::Group && c.connector == Connector::Or);
    let counts = |at: usize| {
        let command = &commands[at];
        let stands = command.place == Place::Top || command.place == Place::Group && groups;
        stands && !command.conditional && !command.negated && !command.detached
    };
    let mut end = pipeline.len();
    while end > 1 && is_filter(word(&commands[pipeline[end - 1]], 0)) {
        end -= 1;
    }
    if !pipeline.iter().all(|at| counts(*at)) {
        return;
    }
    let from = if options.pipes { 0 } else { end - 1 };
    pipeline[from..].iter().for_each(|at| out[*at] = true);
}

fn is_filter(program: &str) -> bool {
    matches!(program, "tail" | "head" | "tee" | "cat" | "less" | "more")
}
