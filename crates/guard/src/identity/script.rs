//! Turns a parsed command line into canonical commands.

use super::command::{self, CanonicalCommand};
use super::wrappers::{self, Setting};
use super::{indirect, input, path, status};
use crate::shell::{self, Connector, Place, SimpleCommand, Word};

/// Deepest nesting of `bash -c`, `eval` and piped scripts that is unwrapped.
const MAX_NESTED: usize = 4;

/// What a command line holds.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) commands: Vec<CanonicalCommand>,
    pub(super) control: Vec<String>,
    pub(super) unparsed: Vec<String>,
    pub(super) patched: Vec<String>,
}

/// Reads `source` as a shell would.
pub(super) fn read(source: &str, directory: Option<&str>, project: Option<&str>) -> Lines {
    let mut builder = Builder {
        project,
        expansions: shell::MAX_BYTES,
        lines: Lines::default(),
    };
    let start = Context {
        directory: directory.map(str::to_owned),
        heeded: true,
        ..Context::default()
    };
    builder.script(source, &start, 0);
    set_aside_endings(&mut builder.lines.commands);
    builder.lines
}

/// What the commands of one script start with.
#[derive(Debug, Clone, Default)]
struct Context {
    directory: Option<String>,
    environment: Vec<(String, String)>,
    user: Option<String>,
    connector: Connector,
    place: Place,
    negated: bool,
    heeded: bool,
    aliases: Vec<(String, String)>,
}

struct Builder<'a> {
    project: Option<&'a str>,
    /// Bytes of expanded lines that may still be read.
    expansions: usize,
    lines: Lines,
}

impl Builder<'_> {
    fn script(&mut self, source: &str, context: &Context, nested: usize) {
        let script = shell::parse(source);
        self.lines.control.extend(script.control);
        self.lines.unparsed.extend(script.unparsed);
        let heeded = status::heeded(&script.commands);
        let mut context = context.clone();
        let outer = context.heeded;
        let mut first = true;
        let count = script.commands.len();
        for (at, mut simple) in script.commands.into_iter().enumerate() {
            if first && simple.place != Place::Substitution {
                simple.connector = context.connector;
                first = false;
            }
            if context.place != Place::Top && simple.place == Place::Top {
                simple.place = context.place;
            }
            let more = at + 1 < count;
            if self.changes_context(&simple, &mut context, more) {
                first = true;
                continue;
            }
            context.heeded = outer && heeded[at];
            self.simple(simple, &context, nested);
        }
    }

    /// Takes `cd`, `export`, bare assignments and `set` into the context.
    fn changes_context(&self, simple: &SimpleCommand, context: &mut Context, more: bool) -> bool {
        if simple.place == Place::Substitution || !more {
            return false;
        }
        let words: Vec<&str> = simple.words.iter().map(|w| w.text.as_str()).collect();
        match words.as_slice() {
            ["cd" | "pushd"] => false,
            ["cd" | "pushd", .., target] if words.len() <= 3 => {
                let base = context.directory.as_deref();
                context.directory = Some(path::normalise(base, target));
                true
            }
            [] | ["export" | "declare", ..] if !simple.assignments.is_empty() => {
                let set = simple.assignments.iter();
                context
                    .environment
                    .extend(set.map(|a| (a.name.clone(), a.value.text.clone())));
                true
            }
            ["alias", definitions @ ..] => {
                let split = definitions.iter().filter_map(|d| wrappers::assignment(d));
                let named = split.map(|(name, line)| (name.to_owned(), line.to_owned()));
                context.aliases.extend(named);
                false
            }
            ["set", ..] => true,
            _ => false,
        }
    }

    fn simple(&mut self, simple: SimpleCommand, context: &Context, nested: usize) {
        let mut words = simple.words.clone();
        let setting = wrappers::unwrap(&mut words);
        let inner = self.inherit(&simple, setting, context);
        if let Some(script) = wrappers::inline_script(&words) {
            let mut inner = inner;
            if wrappers::is_carrier(&words) {
                // A rule may be about `eval` itself.
                let mut carrier = self.command(&words, &inner);
                carrier.derived = true;
                self.lines.commands.push(carrier);
                inner.heeded &= wrappers::carries_status(&words);
            }
            self.nested(&script, &inner, nested);
            self.add_outputs(&simple);
            return;
        }
        if wrappers::reads_stdin(&words)
            && let Some((script, connector)) = self.standard_input(&simple)
        {
            let inner = Context { connector, ..inner };
            self.nested(&script, &inner, nested);
            return;
        }
        self.push(&simple, &words, &inner);
        for line in wrappers::delegated(&words) {
            let mut line = line;
            let setting = wrappers::unwrap(&mut line);
            let mut started = self.inherit(&simple, setting, &inner);
            started.heeded &= wrappers::passes_status(&words);
            if let Some(script) = wrappers::inline_script(&line) {
                self.derived(&script, &started, nested);
                continue;
            }
            let mut command = self.command(&line, &started);
            command.derived = true;
            self.lines.commands.push(command);
        }
        if let Some(text) = indirect::expanded(&words, &context.environment, &context.aliases) {
            let started = Context {
                heeded: false,
                aliases: Vec::new(),
                ..inner
            };
            match self.expansions.checked_sub(text.len()) {
                Some(left) => {
                    self.expansions = left;
                    self.derived(&text, &started, nested);
                }
                None if self.expansions > 0 => {
                    self.expansions = 0;
                    self.lines.unparsed.push(text);
                }
                None => {}
            }
        }
    }

    /// Reads a script within a script; too deep a one stays unparsed text.
    fn nested(&mut self, script: &str, context: &Context, nested: usize) {
        if nested < MAX_NESTED {
            self.script(script, context, nested + 1);
        } else {
            self.lines.unparsed.push(script.to_owned());
        }
    }

    /// Reads what another command on the line starts.
    fn derived(&mut self, script: &str, context: &Context, nested: usize) {
        let from = self.lines.commands.len();
        self.nested(script, context, nested);
        self.lines.commands[from..]
            .iter_mut()
            .for_each(|c| c.derived = true);
    }

    fn inherit(&self, simple: &SimpleCommand, setting: Setting, context: &Context) -> Context {
        let mut inner = context.clone();
        let own = simple
            .assignments
            .iter()
            .map(|a| (a.name.clone(), a.value.text.clone()));
        inner.environment.extend(own.chain(setting.environment));
        inner.user = setting.user.or(inner.user);
        if let Some(dir) = setting.directory {
            inner.directory = Some(path::normalise(inner.directory.as_deref(), &dir));
        }
        inner.connector = simple.connector;
        inner.place = simple.place;
        inner.negated |= simple.negated;
        inner
    }

    /// Returns the literal script that is fed to a shell on this line, and
    /// how the line that feeds it follows what is before.
    fn standard_input(&mut self, simple: &SimpleCommand) -> Option<(String, Connector)> {
        if let Some(input) = simple
            .redirects
            .iter()
            .find(|r| r.operator.starts_with("<<"))
        {
            return Some((input.target.text.clone(), simple.connector));
        }
        if simple.connector != Connector::Pipe {
            return None;
        }
        let source = self.lines.commands.last()?;
        let text = match source.program.as_str() {
            "cat" => source
                .inputs
                .iter()
                .find(|r| r.operator.starts_with("<<"))?
                .target
                .text
                .clone(),
            "echo" | "printf" => {
                let texts: Vec<&str> = source.operands.iter().map(|o| o.text.as_str()).collect();
                texts.join(" ")
            }
            _ => return None,
        };
        let connector = source.connector;
        self.lines.commands.pop();
        Some((text, connector))
    }

    fn command(&self, words: &[Word], context: &Context) -> CanonicalCommand {
        let base = context.directory.as_deref();
        let mut command = command::read(words, base, self.project);
        let own = command
            .directory
            .take()
            .map(|dir| path::normalise(base, &dir));
        command.directory = own
            .or(context.directory.clone())
            .map(|dir| path::relative(self.project, None, &dir));
        command.environment = last_of_each(&context.environment);
        command.user.clone_from(&context.user);
        command.connector = context.connector;
        command.place = context.place;
        command.negated = context.negated;
        command.heeded = context.heeded;
        command
    }

    fn push(&mut self, simple: &SimpleCommand, words: &[Word], context: &Context) {
        let mut command = self.command(words, context);
        command.inputs = simple
            .redirects
            .iter()
            .filter(|r| r.reads())
            .cloned()
            .collect();
        if is_filter(&command) && context.connector == Connector::Pipe && has_previous(&self.lines)
        {
            if command.program == "tee" {
                let base = command.directory.clone();
                let targets: Vec<String> = command
                    .operands
                    .iter()
                    .map(|o| in_directory(base.as_deref(), &o.text))
                    .collect();
                self.last_outputs(targets);
            }
            self.add_outputs(simple);
            return;
        }
        if command.program == "apply_patch" {
            let texts = command.operands.iter().map(|o| o.text.clone());
            let fed = command.inputs.iter().map(|r| r.target.text.clone());
            self.lines
                .patched
                .extend(texts.chain(fed).flat_map(|t| input::patch_paths(&t)));
        }
        self.lines.commands.push(command);
        self.add_outputs(simple);
    }

    fn add_outputs(&mut self, simple: &SimpleCommand) {
        let base = self.lines.commands.last().and_then(|c| c.directory.clone());
        let targets = simple.redirects.iter().filter(|r| r.writes_file());
        let targets: Vec<String> = targets
            .map(|r| in_directory(base.as_deref(), &r.target.text))
            .collect();
        self.last_outputs(targets);
    }

    fn last_outputs(&mut self, targets: Vec<String>) {
        if let Some(last) = self.lines.commands.last_mut() {
            last.outputs.extend(targets);
        }
    }
}

/// Names a path of a command by the project's root, or by where it starts.
pub(crate) fn in_directory(directory: Option<&str>, file: &str) -> String {
    match directory {
        Some(".") | None => path::normalise(None, file),
        Some(directory) => path::normalise(Some(directory), file),
    }
}

fn has_previous(lines: &Lines) -> bool {
    lines
        .commands
        .last()
        .is_some_and(|c| c.place != Place::Substitution)
}

fn last_of_each(environment: &[(String, String)]) -> Vec<(String, String)> {
    let map: std::collections::BTreeMap<_, _> = environment.iter().cloned().collect();
    map.into_iter().collect()
}

/// Programs at the end of a pipe that only show, cut or copy the output.
fn is_filter(command: &CanonicalCommand) -> bool {
    let shows = matches!(
        command.program.as_str(),
        "head" | "tail" | "less" | "more" | "most"
    );
    let copies = command.program == "tee";
    let passes = command.program == "cat" && command.operands.iter().all(|o| o.text == "-");
    (shows && command.operands.iter().all(|o| is_count(&o.text))) || copies || passes
}

fn is_count(text: &str) -> bool {
    text.trim_start_matches(['-', '+'])
        .bytes()
        .all(|b| b.is_ascii_digit())
}

/// Removes `|| true`, `; echo done` and their like from the end.
fn set_aside_endings(commands: &mut Vec<CanonicalCommand>) {
    let says = |c: &CanonicalCommand| {
        let quiet = matches!(c.program.as_str(), "true" | ":" | "echo" | "exit")
            && c.outputs.is_empty()
            && c.place == Place::Top;
        quiet && !matches!(c.connector, Connector::Start | Connector::Pipe)
    };
    while commands.len() > 1 && commands.last().is_some_and(says) {
        let inner = commands
            .iter()
            .rev()
            .skip(1)
            .any(|c| c.place == Place::Substitution);
        if inner {
            return;
        }
        commands.pop();
    }
}
