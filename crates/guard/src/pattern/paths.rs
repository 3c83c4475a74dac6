//! Which paths an action touches, and whether it writes them.

use precedent_core::ActionPattern;

use super::READ;
use crate::identity::{
    CanonicalAction, CanonicalCommand, glob_matches, in_directory, is_file_writer, is_shell_tool,
};
use crate::read_only::operands_are_read;

/// A path and how it is touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Touch {
    pub(super) path: String,
    pub(super) writes: bool,
    /// Whether everything below the path goes with it (`rm`, `mv`).
    pub(super) whole: bool,
}

/// Tells whether an action touches one of the pattern's paths: writes it, or
/// also reads it if the pattern is about reading.
pub(super) fn matches(pattern: &ActionPattern, action: &CanonicalAction) -> bool {
    let reading = pattern.tool.as_deref() == Some(READ);
    touches(action)
        .iter()
        .filter(|touch| touch.writes || reading)
        .any(|touch| pattern.paths.iter().any(|glob| touch_matches(glob, touch)))
}

/// Tells whether an action names one of the pattern's paths at all.
pub(super) fn names_any(pattern: &ActionPattern, action: &CanonicalAction) -> bool {
    touches(action)
        .iter()
        .any(|t| pattern.paths.iter().any(|glob| touch_matches(glob, t)))
}

/// Tells whether one command, or the action's scope, names such a path.
pub(super) fn command_names(
    pattern: &ActionPattern,
    command: &CanonicalCommand,
    action: &CanonicalAction,
) -> bool {
    let own = command_touches(command);
    let scope = action.files.iter().map(|f| touch(f, true, false));
    own.into_iter()
        .chain(scope)
        .any(|t| pattern.paths.iter().any(|glob| touch_matches(glob, &t)))
}

fn touch_matches(glob: &str, touch: &Touch) -> bool {
    if glob_matches(glob, &touch.path) {
        return true;
    }
    // Removing or moving a directory touches the protected path inside it.
    let above = touch.path.trim_end_matches("/*").trim_end_matches('/');
    let inside = glob.trim_start_matches("./").strip_prefix(above);
    touch.whole && inside.is_some_and(|rest| rest.starts_with('/'))
}

fn touch(path: &str, writes: bool, whole: bool) -> Touch {
    Touch {
        path: path.trim_start_matches("./").to_owned(),
        writes,
        whole,
    }
}

/// Returns every path that the action names.
pub(super) fn touches(action: &CanonicalAction) -> Vec<Touch> {
    if !is_shell_tool(&action.tool) {
        let tool = action.tool.to_lowercase();
        let verb = [
            "write", "edit", "delete", "move", "create", "update", "remove", "rename",
        ];
        let writes = is_file_writer(&tool) || verb.iter().any(|v| tool.contains(v));
        return action
            .files
            .iter()
            .map(|f| touch(f, writes, false))
            .collect();
    }
    let mut found: Vec<Touch> = action.commands.iter().flat_map(command_touches).collect();
    // Broken syntax may not hide a path; what it would do is not known.
    let broken = action
        .unparsed
        .iter()
        .flat_map(|text| super::command::tokens(text));
    found.extend(broken.map(|word| touch(word, true, false)));
    let quiet = action
        .commands
        .iter()
        .all(|c| matches!(effect(c), Effect::Reads | Effect::Runs) && c.outputs.is_empty());
    found.extend(action.files.iter().map(|f| touch(f, !quiet, false)));
    found
}

fn command_touches(command: &CanonicalCommand) -> Vec<Touch> {
    let base = command.directory.as_deref();
    let effect = effect(command);
    let mut found: Vec<Touch> = command
        .outputs
        .iter()
        .map(|path| touch(path, true, false))
        .collect();
    let last = command.operands.len().saturating_sub(1);
    if effect == Effect::Unpacks {
        let into = command.flag_value(&["-C", "--directory", "-d"]);
        found.push(touch(&in_directory(base, into.unwrap_or(".")), true, false));
    }
    for (at, operand) in command.operands.iter().enumerate() {
        let text = operand.text.strip_prefix("of=").unwrap_or(&operand.text);
        if text.contains("://") || text.is_empty() {
            continue;
        }
        let writes = match effect {
            Effect::Reads => false,
            Effect::WritesLast => at == last,
            Effect::WritesAt(place) => at == place,
            Effect::Runs | Effect::Unpacks => at > 0,
            Effect::Writes | Effect::Removes => true,
        };
        let path = in_directory(base, text);
        found.push(touch(&path, writes, effect == Effect::Removes));
    }
    for flag in &command.flags {
        let Some(value) = flag.value.as_deref().filter(|v| !v.contains("://")) else {
            continue;
        };
        let output = matches!(
            flag.name.as_str(),
            "-o" | "-O"
                | "--output"
                | "--out"
                | "--outfile"
                | "--out-dir"
                | "--write"
                | "--fix"
                | "-i"
                | "--in-place"
                | "-w"
                | "--target-directory"
        );
        let doubtful = !flag.certain && matches!(effect, Effect::Writes | Effect::Removes);
        let names = output || doubtful || value.contains('/');
        if names {
            found.push(touch(&in_directory(base, value), output || doubtful, false));
        }
    }
    found
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Reads,
    WritesLast,
    /// Writes one operand, an archive of the others.
    WritesAt(usize),
    /// Runs the first as a script; what becomes of the rest is not known.
    Runs,
    /// Takes the first apart into the current or a named directory.
    Unpacks,
    Writes,
    Removes,
}

/// Says what a command does to the paths among its operands.
fn effect(command: &CanonicalCommand) -> Effect {
    let sub = command.subcommand.first().map_or("", String::as_str);
    match command.program.as_str() {
        "rm" | "rmdir" | "mv" | "shred" | "unlink" => Effect::Removes,
        "cp" | "rsync" | "install" | "ln" | "scp" => Effect::WritesLast,
        "git" => match sub {
            "rm" | "mv" | "clean" => Effect::Removes,
            "checkout" | "restore" | "apply" => Effect::Writes,
            _ => Effect::Reads,
        },
        "tar" | "bsdtar" => archive(command),
        "unzip" => Effect::Unpacks,
        "node" | "python" | "python3" | "ruby" | "php" | "bash" | "sh" | "zsh" | "dash" | "tsx"
        | "ts-node" => Effect::Runs,
        _ if changes_in_place(command) => Effect::Writes,
        _ if operands_are_read(command) || leaves_alone(command) => Effect::Reads,
        _ => Effect::Writes,
    }
}

/// Reads tar's mode, which stands first, with or without a dash (tar(1)).
fn archive(command: &CanonicalCommand) -> Effect {
    let mode = command.words.get(1).map_or("", |w| w.text.as_str());
    let long = |name: &str| command.has_flag(&[name]);
    let short = !mode.starts_with("--");
    let has = |letter: char| short && mode.contains(letter);
    let bare = !mode.starts_with('-');
    if has('x') || long("--extract") || long("--get") || long("-x") {
        Effect::Unpacks
    } else if has('t') && !has('c') || long("--list") {
        Effect::Reads
    } else if short && mode.contains('f') {
        // Without a dash the mode itself is the first operand.
        Effect::WritesAt(usize::from(bare))
    } else {
        Effect::Reads
    }
}

fn changes_in_place(command: &CanonicalCommand) -> bool {
    let in_place = command.words.iter().skip(1).any(|w| {
        let text = w.text.as_str();
        matches!(text, "--fix" | "--write" | "--in-place" | "-w") || text.starts_with("--in-place")
    });
    let sed = matches!(command.program.as_str(), "sed" | "perl" | "gsed")
        && command.words.iter().skip(1).any(|w| {
            !w.quoted
                && w.text.starts_with('-')
                && !w.text.starts_with("--")
                && w.text.contains('i')
        });
    in_place || sed
}

/// Programs that work on what their operands name without changing it:
/// builders, test runners, linters and version control.
fn leaves_alone(command: &CanonicalCommand) -> bool {
    if changes_in_place(command) {
        return false;
    }
    LEAVES_ALONE.split(' ').any(|name| name == command.program)
}

const LEAVES_ALONE: &str = "git npm pnpm yarn bun cargo go make just pytest jest vitest mocha rspec phpunit eslint \
    ruff mypy pyright tsc flake8 pylint shellcheck clippy-driver docker kubectl terraform \
    helm gradle mvn mix rails rake swift zig dotnet gh curl ssh psql mysql sqlite3 export \
    source wget open code cloc tokei hyperfine time zip nc flutter dart deno playwright \
    cypress prettier stylelint cd pushd popd test kill systemctl aws gcloud set unset exit \
    return read wait npx bundle eval trap su script";
