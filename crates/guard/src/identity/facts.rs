//! What an action says about where it acts: branch, cluster, host, stage.

use super::CanonicalAction;
use super::command::CanonicalCommand;

/// What kind of place a fact names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactKind {
    /// A version-control branch.
    Branch,
    /// A cluster context (`kubectl --context`, `helm --kube-context`).
    Context,
    /// A cluster namespace.
    Namespace,
    /// A network host.
    Host,
    /// A stage of deployment, a profile or a workspace.
    Stage,
    /// A directory.
    Directory,
    /// The user that a command is raised to.
    User,
}

impl FactKind {
    /// Returns its name in an environment pattern (`branch:main`).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Branch => "branch",
            Self::Context => "context",
            Self::Namespace => "namespace",
            Self::Host => "host",
            Self::Stage => "stage",
            Self::Directory => "directory",
            Self::User => "user",
        }
    }
}

/// One place that a command names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What kind of place it is.
    pub kind: FactKind,
    /// Its name as written.
    pub value: String,
}

impl CanonicalAction {
    /// Returns the places that the action names, in no particular order.
    #[must_use]
    pub fn facts(&self) -> Vec<Fact> {
        let mut facts: Vec<Fact> = self.commands.iter().flat_map(command_facts).collect();
        facts.extend(
            self.targets
                .iter()
                .filter_map(|t| host_of(t))
                .map(|h| fact(FactKind::Host, h)),
        );
        facts
    }
}

impl CanonicalCommand {
    /// Returns the places that this command names.
    #[must_use]
    pub fn facts(&self) -> Vec<Fact> {
        command_facts(self)
    }
}

fn fact(kind: FactKind, value: impl Into<String>) -> Fact {
    Fact {
        kind,
        value: value.into(),
    }
}

fn command_facts(command: &CanonicalCommand) -> Vec<Fact> {
    let mut facts = Vec::new();
    for flag in &command.flags {
        let Some(value) = flag.value.as_deref() else {
            if matches!(flag.name.as_str(), "--prod" | "--production") {
                facts.push(fact(FactKind::Stage, "production"));
            }
            continue;
        };
        facts.extend(flag_kind(&flag.name).map(|kind| fact(kind, value)));
        facts.extend(host_of(value).map(|host| fact(FactKind::Host, host)));
    }
    for (name, value) in &command.environment {
        let stage = [
            "ENV",
            "STAGE",
            "PROFILE",
            "ENVIRONMENT",
            "WORKSPACE",
            "TARGET",
        ];
        if stage.iter().any(|suffix| name.ends_with(suffix)) {
            facts.push(fact(FactKind::Stage, value));
        }
        if name.contains("CONTEXT") {
            facts.push(fact(FactKind::Context, value));
        }
        let host = host_of(value).or_else(|| name.ends_with("HOST").then(|| value.clone()));
        facts.extend(host.map(|h| fact(FactKind::Host, h)));
    }
    facts.extend(
        command
            .operands
            .iter()
            .filter_map(|o| host_of(&o.text))
            .map(|h| fact(FactKind::Host, h)),
    );
    if matches!(command.program.as_str(), "ssh" | "scp" | "rsync" | "mosh") {
        let hosts = command
            .operands
            .iter()
            .map(|o| o.text.split(':').next().unwrap_or(""));
        let named = hosts.map(|h| h.rsplit('@').next().unwrap_or(h));
        let single = if command.program == "ssh" {
            1
        } else {
            usize::MAX
        };
        facts.extend(named.take(single).map(|h| fact(FactKind::Host, h)));
    }
    facts.extend(
        command
            .directory
            .iter()
            .map(|d| fact(FactKind::Directory, d)),
    );
    facts.extend(
        branches(command)
            .into_iter()
            .map(|b| fact(FactKind::Branch, b)),
    );
    facts.extend(selected(command));
    facts.extend(command.user.iter().map(|u| fact(FactKind::User, u)));
    facts
}

fn flag_kind(flag: &str) -> Option<FactKind> {
    Some(match flag.trim_start_matches('-') {
        "context" | "kube-context" | "cluster" => FactKind::Context,
        "namespace" => FactKind::Namespace,
        "env" | "environment" | "stage" | "target-env" | "profile" | "workspace" | "e" | "app"
        | "configuration" | "project" | "remote" => FactKind::Stage,
        "host" | "address" | "server" | "hostname" | "H" | "endpoint" | "url" => FactKind::Host,
        "branch" | "base" => FactKind::Branch,
        _ => return None,
    })
}

/// Contexts and workspaces that a command switches to, and stage words that
/// are operands by themselves (`./deploy.sh production`, `cap prod deploy`).
fn selected(command: &CanonicalCommand) -> Vec<Fact> {
    let words = command.positional();
    let mut facts = Vec::new();
    match (command.program.as_str(), words.as_slice()) {
        ("kubectl", ["config", "use-context", name, ..]) | ("kubectx", [name, ..]) => {
            facts.push(fact(FactKind::Context, *name));
        }
        ("terraform" | "tofu", ["workspace", "select", name, ..]) => {
            facts.push(fact(FactKind::Stage, *name));
        }
        _ => {}
    }
    let data = ["git", "grep", "rg", "echo", "printf", "gh"].contains(&command.program.as_str());
    if !data {
        let script = command.program.contains('/');
        let names = |word: &str| {
            word.split([':', '-', '.', '_', '/', '=']).any(is_stage)
                || script && matches!(word, "dev" | "development" | "test" | "testing")
        };
        let stages = command.operands.iter().filter(|o| names(&o.text));
        facts.extend(stages.map(|o| fact(FactKind::Stage, o.text.as_str())));
    }
    facts
}

/// Tells whether a word names a stage and is hardly ever anything else;
/// `test` and `dev` are sub-commands and folders more often than stages.
fn is_stage(word: &str) -> bool {
    matches!(
        word.to_ascii_lowercase().as_str(),
        "prod"
            | "production"
            | "live"
            | "staging"
            | "stage"
            | "stg"
            | "qa"
            | "uat"
            | "preprod"
            | "sandbox"
    )
}

fn branches(command: &CanonicalCommand) -> Vec<String> {
    if command.program != "git" {
        return Vec::new();
    }
    let created = command.flag_value(&["-b", "-B", "-c", "-C", "--create", "--force-create"]);
    let operands: Vec<&str> = command.operands.iter().map(|o| o.text.as_str()).collect();
    let sub = command.subcommand.join(" ");
    let named: Vec<&str> = match sub.as_str() {
        "checkout" | "switch" => operands.iter().take(1).copied().collect(),
        "branch" | "merge" | "rebase" | "reset" => operands.clone(),
        "push" | "pull" | "fetch" => operands.iter().skip(1).copied().collect(),
        "worktree add" => operands.iter().skip(1).copied().collect(),
        _ => Vec::new(),
    };
    // What names no branch works on the one that is checked out.
    let writes = matches!(
        sub.as_str(),
        "commit" | "merge" | "rebase" | "revert" | "cherry-pick" | "am"
    ) || sub == "push" && operands.len() < 2;
    let current = command.branch.as_deref().filter(|_| writes);
    let named = named.into_iter().chain(created).chain(current);
    let mut found = Vec::new();
    for name in named {
        // A refspec names a source and a destination (gitrevisions(7)).
        let ends = name.trim_start_matches('+').split(':');
        found.extend(ends.filter(|n| !n.is_empty()).map(|n| {
            n.trim_start_matches("refs/heads/")
                .trim_start_matches("origin/")
                .to_owned()
        }));
    }
    found
}

/// Returns the host of a URL, without user, password and port (RFC 3986, 3.2).
fn host_of(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = host.split(':').next()?;
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

/// Tells whether `value` names the environment `wanted`: as a whole or as one
/// of its parts, with the usual short names taken as the long ones.
#[must_use]
pub fn same_environment(wanted: &str, value: &str) -> bool {
    if wanted.contains(['*', '?']) {
        return super::path::wildcard(wanted, value);
    }
    let wanted = stage_name(&wanted.to_lowercase());
    let value = value.to_lowercase();
    let parts = value.split(|c: char| !c.is_alphanumeric());
    wanted == stage_name(&value) || parts.map(stage_name).any(|part| part == wanted)
}

/// Names a stage by its long form.
pub(crate) fn stage_name(word: &str) -> String {
    match word {
        "prod" | "prd" => "production",
        "stage" | "stg" => "staging",
        "dev" => "development",
        "testing" => "test",
        other => other,
    }
    .to_owned()
}
