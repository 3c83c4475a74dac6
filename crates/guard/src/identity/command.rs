//! One command in canonical form: program, sub-command, flags, operands.

use super::grammar::{self, Arity};
use super::{fold, path};
use crate::shell::{Connector, Place, Redirect, Word};

/// An option of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    /// Its name with the dashes, in the program's longer spelling if known.
    pub name: String,
    /// Its value, whether written with `=` or as the next word.
    pub value: Option<String>,
    /// Whether the program's grammar is known to give it that value; if not,
    /// the value may as well be an operand.
    pub certain: bool,
    /// Whether it stands after `--` and so belongs to what the program runs.
    pub passed: bool,
    /// How many operands stand before it, where that may matter.
    pub after: usize,
}

/// An operand of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// Its text after quote removal; a path inside the project is relative.
    pub text: String,
    /// Whether its value is known only when the command runs.
    pub dynamic: bool,
}

/// A command in canonical form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CanonicalCommand {
    /// Variables set for this command, sorted by name.
    pub environment: Vec<(String, String)>,
    /// The user it runs as, when raised by `sudo` or `doas`.
    pub user: Option<String>,
    /// The directory it runs in, relative to the project where inside it.
    pub directory: Option<String>,
    /// The branch that is checked out, where known; no part of the identity.
    pub branch: Option<String>,
    /// The program's name without a system path.
    pub program: String,
    /// The sub-command words, in one spelling.
    pub subcommand: Vec<String>,
    /// The flags, ordered by name where the program's grammar permits it.
    pub flags: Vec<Flag>,
    /// The operands in the order written.
    pub operands: Vec<Operand>,
    /// What feeds standard input.
    pub inputs: Vec<Redirect>,
    /// Files that redirections and `tee` write to.
    pub outputs: Vec<String>,
    /// How it follows the command before it.
    pub connector: Connector,
    /// Where it stands.
    pub place: Place,
    /// Whether which program runs is known only when it runs.
    pub dynamic: bool,
    /// Whether another command on the line starts it (`xargs`, `find -exec`).
    pub derived: bool,
    /// Whether its status is turned round by `!`; no part of the identity.
    pub negated: bool,
    /// Whether the line can only succeed if this command did; no part of the
    /// identity.
    pub heeded: bool,
    /// The words it was read from, wrappers removed.
    pub words: Vec<Word>,
}

impl CanonicalCommand {
    /// Returns sub-command words and operands in order, for matching.
    ///
    /// A word that may be a flag's value is among them.
    #[must_use]
    pub fn positional(&self) -> Vec<&str> {
        let doubtful = self
            .flags
            .iter()
            .filter(|f| !f.certain)
            .filter_map(|f| f.value.as_deref());
        let mut words: Vec<&str> = self.subcommand.iter().map(String::as_str).collect();
        words.extend(doubtful);
        words.extend(self.operands.iter().map(|o| o.text.as_str()));
        words
    }

    /// Returns the value of the first of `names` that is given.
    #[must_use]
    pub fn flag_value(&self, names: &[&str]) -> Option<&str> {
        let flag = self
            .flags
            .iter()
            .find(|f| names.contains(&f.name.as_str()))?;
        flag.value.as_deref()
    }

    /// Tells whether one of `names` is given, also within a cluster.
    #[must_use]
    pub fn has_flag(&self, names: &[&str]) -> bool {
        self.flags.iter().any(|f| names.contains(&f.name.as_str()))
    }
}

/// Names a program without its system directory or `./gradlew`-style wrapper.
pub(super) fn program_name(text: &str) -> String {
    let text = fold::fold(text);
    let system = [
        "/usr/local/bin/",
        "/usr/bin/",
        "/bin/",
        "/sbin/",
        "/usr/sbin/",
    ];
    for prefix in system
        .iter()
        .chain(&["/opt/homebrew/bin/", "node_modules/.bin/"])
    {
        let rest = text.trim_start_matches("./").strip_prefix(prefix);
        if let Some(name) = rest.filter(|n| !n.contains('/') && !n.is_empty()) {
            return name.to_owned();
        }
    }
    match text.trim_start_matches("./") {
        "gradlew" => "gradle".to_owned(),
        "mvnw" => "mvn".to_owned(),
        "bin/rails" => "rails".to_owned(),
        "bin/rake" => "rake".to_owned(),
        "vendor/bin/phpunit" => "phpunit".to_owned(),
        _ if text.contains('/') && !text.contains('$') => {
            let clean = path::normalise(None, &text);
            if text.starts_with("./") {
                format!("./{clean}")
            } else {
                clean
            }
        }
        _ => text,
    }
}

/// Reads `words`, wrappers already removed, into a command.
pub(super) fn read(words: &[Word], base: Option<&str>, project: Option<&str>) -> CanonicalCommand {
    let mut command = CanonicalCommand {
        words: words.to_vec(),
        ..CanonicalCommand::default()
    };
    let Some((first, rest)) = words.split_first() else {
        return command;
    };
    command.program = program_name(&first.text);
    command.dynamic = first.dynamic;
    let rest = interpreter(&mut command, rest);
    let place = |text: &str| operand_path(base, project, text);
    Reader {
        command: &mut command,
        place: &place,
    }
    .arguments(rest);
    take_subcommand(&mut command);
    take_directory(&mut command);
    finish_flags(&mut command);
    command
}

/// Reads the line that starts at word `at` of `command`, in its setting.
pub(crate) fn reread(command: &CanonicalCommand, at: usize) -> Option<CanonicalCommand> {
    let words = command.words.get(at..).filter(|w| !w.is_empty())?;
    let mut inner = read(words, None, None);
    inner.environment.clone_from(&command.environment);
    inner.user.clone_from(&command.user);
    inner.directory = inner.directory.or_else(|| command.directory.clone());
    inner.branch.clone_from(&command.branch);
    inner.outputs.clone_from(&command.outputs);
    inner.connector = command.connector;
    inner.place = command.place;
    inner.negated = command.negated;
    inner.heeded = command.heeded;
    Some(inner)
}

/// Names the program that an interpreter runs as the program itself, for the
/// frameworks whose command line it is.
fn interpreter<'w>(command: &mut CanonicalCommand, rest: &'w [Word]) -> &'w [Word] {
    let first = rest.first().map_or("", |w| w.text.as_str());
    let named = match (command.program.as_str(), first) {
        ("php", "artisan" | "./artisan") => Some(("artisan", 1)),
        ("python" | "python3" | "py", "manage.py" | "./manage.py") => Some(("manage.py", 1)),
        ("python" | "python3" | "py", "-m") => rest
            .get(1)
            .filter(|w| !w.dynamic)
            .map(|w| (w.text.as_str(), 2)),
        ("ruby", "bin/rails" | "./bin/rails") => Some(("rails", 1)),
        _ => None,
    };
    match named {
        Some((program, taken)) => {
            command.program = program.to_owned();
            &rest[taken..]
        }
        None => rest,
    }
}

struct Reader<'c> {
    command: &'c mut CanonicalCommand,
    place: &'c dyn Fn(&str) -> String,
}

impl Reader<'_> {
    fn arguments(&mut self, words: &[Word]) {
        let program = self.command.program.clone();
        let mut passed = false;
        let mut literal = false;
        let mut at = 0;
        while let Some(word) = words.get(at) {
            at += 1;
            let text = fold::fold(&word.text);
            if text == "--" && !literal {
                passed = true;
                literal = !forwards_flags(&program);
                continue;
            }
            let is_flag = text.len() > 1 && text.starts_with('-') && !is_number(&text);
            if !is_flag || literal || self.stops_flags() {
                let text = if word.quoted {
                    text
                } else {
                    (self.place)(&text)
                };
                self.command.operands.push(Operand {
                    text,
                    dynamic: word.dynamic,
                });
                continue;
            }
            let next = words.get(at).filter(|w| !w.text.starts_with('-'));
            at += usize::from(self.flag(&program, &text, next, passed));
        }
    }

    /// Records a flag; returns whether it takes the next word.
    fn flag(&mut self, program: &str, text: &str, next: Option<&Word>, passed: bool) -> bool {
        let after = if is_known(program) {
            0
        } else {
            self.command.operands.len()
        };
        let mut flag = Flag {
            name: text.to_owned(),
            value: None,
            certain: true,
            passed,
            after,
        };
        if let Some((name, value)) = text.split_once('=') {
            flag.name = name.to_owned();
            flag.value = Some(value.to_owned());
            self.command.flags.push(flag);
            return false;
        }
        let before_subcommand =
            self.command.operands.is_empty() && grammar::subcommand_depth(program, &[]) > 0;
        let takes = match grammar::arity(program, text) {
            Arity::None => false,
            Arity::Value => true,
            Arity::Unknown => {
                flag.certain = false;
                !before_subcommand
            }
        };
        let value = next.filter(|_| takes);
        flag.value = value.map(|w| fold::fold(&w.text));
        let spread = grammar::clusters(program) && grammar::is_cluster(text);
        if spread {
            self.cluster(text, flag);
        } else {
            self.command.flags.push(flag);
        }
        value.is_some()
    }

    /// Spreads `-rf` into `-r` and `-f`; a value belongs to the last letter.
    fn cluster(&mut self, text: &str, flag: Flag) {
        let letters: Vec<char> = text.chars().skip(1).collect();
        let last = letters.len().saturating_sub(1);
        for (at, letter) in letters.into_iter().enumerate() {
            let value = flag.value.clone().filter(|_| at == last);
            self.command.flags.push(Flag {
                name: format!("-{letter}"),
                value,
                ..flag.clone()
            });
        }
    }

    /// Tells whether the words that follow belong to another program.
    fn stops_flags(&self) -> bool {
        let operands = &self.command.operands;
        let program = self.command.program.as_str();
        let sub: Vec<String> = operands.iter().take(1).map(|o| o.text.clone()).collect();
        let own = grammar::subcommand_depth(program, &[]).min(1);
        operands.len() > own && grammar::is_positional(program, &sub)
    }
}

/// Programs that hand flags after `--` to a script of the project.
fn forwards_flags(program: &str) -> bool {
    matches!(program, "npm" | "pnpm" | "yarn" | "bun" | "cargo")
}

fn is_known(program: &str) -> bool {
    grammar::clusters(program) || grammar::subcommand_depth(program, &[]) > 0
}

fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches('-');
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

fn operand_path(base: Option<&str>, project: Option<&str>, text: &str) -> String {
    let looks = text.starts_with("./")
        || text.starts_with('/')
        || text.starts_with("../")
        || text.contains("/../")
        || text.contains("/./");
    if !looks || text.contains("://") || text.contains('$') {
        return text.to_owned();
    }
    if text.starts_with('/') {
        let here = base.or(project);
        let named = path::relative(here, None, text);
        return if named.starts_with('/') {
            path::relative(project, None, text)
        } else {
            named
        };
    }
    path::normalise(None, text)
}

fn take_subcommand(command: &mut CanonicalCommand) {
    let texts: Vec<String> = command.operands.iter().map(|o| o.text.clone()).collect();
    let words: Vec<&str> = texts.iter().map(String::as_str).collect();
    if command.operands.first().is_some_and(|o| o.dynamic) {
        return;
    }
    let mut given = words.clone();
    if let Some(alias) = grammar::subcommand_alias(&command.program, &words) {
        let replaced = alias.len();
        given = alias.into_iter().filter(|w| !w.is_empty()).collect();
        given.extend(words.iter().skip(replaced));
    }
    let depth = if command.program == "manage.py" {
        1
    } else {
        grammar::subcommand_depth(&command.program, &given)
    };
    let dropped = words.len() - given.len();
    let depth = depth.min(given.len());
    command.subcommand = given[..depth].iter().map(|w| (*w).to_owned()).collect();
    command.operands.drain(..depth + dropped);
}

fn take_directory(command: &mut CanonicalCommand) {
    let program = command.program.clone();
    // `git switch -C name` makes a branch; `git -C dir` moves.
    if command
        .subcommand
        .first()
        .is_some_and(|s| matches!(s.as_str(), "switch" | "branch"))
    {
        return;
    }
    let found = command
        .flags
        .iter()
        .position(|f| grammar::directory_flag(&program, &f.name));
    if let Some(at) = found {
        command.directory = command.flags.remove(at).value;
    }
}

fn finish_flags(command: &mut CanonicalCommand) {
    let sub = command.subcommand.first().cloned().unwrap_or_default();
    // A plus in front of a refspec forces its update (git-push(1)).
    let forced = command.program == "git"
        && sub == "push"
        && command.operands.iter().any(|o| o.text.starts_with('+'));
    if forced && !command.has_flag(&["--force", "-f"]) {
        command.flags.push(Flag {
            name: "--force".to_owned(),
            value: None,
            certain: true,
            passed: false,
            after: 0,
        });
    }
    for flag in &mut command.flags {
        if let Some(name) = grammar::flag_alias(&command.program, &sub, &flag.name) {
            flag.name = name.to_owned();
        }
    }
    if !grammar::is_positional(&command.program, &command.subcommand) {
        // Stable: the last of a repeated flag wins, so their order is kept.
        command
            .flags
            .sort_by(|a, b| (a.after, a.passed, &a.name).cmp(&(b.after, b.passed, &b.name)));
    }
}
