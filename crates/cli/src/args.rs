//! The command line.

mod redact;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use precedent::{
    CertificateId, Classification, ContradictionId, Kind, MemoryId, Outcome, Salience, Source,
    Timestamp,
};

pub use redact::RedactArgs;

/// A memory for software agents that rules on the next action.
#[derive(Debug, Parser)]
#[command(name = "precedent", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 success or allow; 1 failure; 2 block; 10 warn with \
    --fail-on-warn, or masked with --fail-on-find; 64 misuse. `run` passes its command's status on and ends with 125 when the \
    guard blocks it; `hook` ends with 0 or 2.";

/// What every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// The store: a folder, sqlite:PATH or mem: [default: $PRECEDENT_STORE, else the data folder]
    #[arg(long, global = true, value_name = "ADDRESS")]
    pub store: Option<String>,
    /// The namespace to act in, such as acme/kitchen [default: default]
    #[arg(long, global = true, value_name = "PATH")]
    pub namespace: Option<String>,
    /// The agent that acts [default: local]
    #[arg(long, global = true, value_name = "NAME")]
    pub agent: Option<String>,
    /// Whom the agent acts for [default: local]
    #[arg(long, global = true, value_name = "NAME")]
    pub actor: Option<String>,
    /// Print one JSON object instead of words
    #[arg(long, global = true)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Remember a text
    Remember(RememberArgs),
    /// Recall memories for a text
    Recall(RecallArgs),
    /// Record how a use of a tool ended
    Observe(ObserveArgs),
    /// Rule on an action before it runs
    Guard(GuardArgs),
    /// Guard a command, run it unless it is blocked, and record how it ended
    Run(RunArgs),
    /// Answer an agent host's hook: JSON on stdin, the host's contract on stdout
    Hook(HookArgs),
    /// Collect what an agent should have in mind for a task
    Capsule(CapsuleArgs),
    /// Mask secrets in a file or in what comes through a pipe
    Redact(RedactArgs),
    /// Bring memories in from a file, one JSON object a line
    Import(ImportArgs),
    /// Write the memories of this namespace, one JSON object a line
    Export,
    /// Show what was ever stated under a key, or the life of one memory
    History(HistoryArgs),
    /// Hide a memory until it is restored; nothing is erased
    Retire(OneMemory),
    /// Bring a retired memory back
    Restore(OneMemory),
    /// Hold a memory back, with all that was made of it
    Quarantine(OneMemory),
    /// Vouch for a memory that is held back
    Promote(OneMemory),
    /// Put what holds under a key back to what was believed at an instant
    Revert(RevertArgs),
    /// Say that two memories contradict each other
    Dispute(DisputeArgs),
    /// Resolve a contradiction
    Resolve(ResolveArgs),
    /// List contradictions
    Contradictions(ContradictionsArgs),
    /// List this namespace and those below it
    Namespaces,
    /// Erase a memory and print its deletion certificate
    Forget(ForgetArgs),
    /// Show or verify deletion certificates
    Certificate(CertificateArgs),
    /// Verify or list the audit log
    Audit(AuditArgs),
    /// Clean up after erasures, or rebuild indexes
    Maintain(MaintainArgs),
    /// Say what the store holds and how it is
    Status,
    /// Speak guardbench-jsonl/1 on stdin and stdout, as the benchmark's subject
    Guardbench(GuardbenchArgs),
    /// Play the story of a repeated failure in a throw-away store
    Demo,
}

#[derive(Debug, Args)]
pub struct RememberArgs {
    /// What to remember; - reads it from stdin
    pub text: String,
    /// What it is about: episodic, semantic or procedural
    #[arg(long, default_value = "episodic")]
    pub kind: Kind,
    /// Where it comes from
    #[arg(long, default_value = "told-by-user")]
    pub source: Source,
    /// Vouch for it, so that a rule in it controls the guard
    #[arg(long)]
    pub trust: Option<Vouch>,
    /// A label; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// A further fact, NAME=VALUE; may be repeated
    #[arg(long = "context", value_name = "NAME=VALUE")]
    pub context: Vec<String>,
    /// How much it matters, from 0 to 1
    #[arg(long, default_value = "0.5")]
    pub salience: Salience,
    /// Show it to this agent only
    #[arg(long)]
    pub private: bool,
    /// When it began to hold, in RFC 3339 with an offset
    #[arg(long, value_name = "TIME")]
    pub valid_from: Option<Timestamp>,
    /// When it ceases to hold, in RFC 3339 with an offset
    #[arg(long, value_name = "TIME")]
    pub valid_to: Option<Timestamp>,
    /// The memory that it replaces
    #[arg(long, value_name = "ID")]
    pub supersedes: Option<MemoryId>,
    /// What it states a property of [default: the actor]
    #[arg(long, value_name = "NAME", requires = "key")]
    pub subject: Option<String>,
    /// The property that it states; a newer statement under the same subject and key replaces it
    #[arg(long, value_name = "NAME")]
    pub key: Option<String>,
    /// The property's value [default: what the text says]
    #[arg(long, value_name = "TEXT", requires = "key")]
    pub value: Option<String>,
    /// What it is about; may be repeated
    #[arg(long = "entity", value_name = "NAME")]
    pub entities: Vec<String>,
    /// Show it only to this actor or group; may be repeated
    #[arg(long = "reader", value_name = "NAME")]
    pub readers: Vec<String>,
    /// How widely it may travel: public, internal, confidential or restricted
    #[arg(long, default_value = "internal")]
    pub classification: Classification,
    /// The memory that it was made of; may be repeated
    #[arg(long = "derived-from", value_name = "ID")]
    pub derived_from: Vec<MemoryId>,
    /// Hold it back until somebody vouches for it
    #[arg(long)]
    pub untrusted: bool,
    /// Store the words as they are, without looking for what they state
    #[arg(long, conflicts_with_all = ["extract", "local_only"])]
    pub verbatim: bool,
    /// Let nothing leave this process, and register no names
    #[arg(long, conflicts_with = "extract")]
    pub local_only: bool,
    /// Take the text apart into facts, each a memory of its own
    #[arg(long)]
    pub extract: bool,
    /// Store at most so many facts
    #[arg(long, value_name = "COUNT")]
    pub max_facts: Option<usize>,
    /// The same key means the same request
    #[arg(long, value_name = "KEY")]
    pub idempotency_key: Option<String>,
}

/// Who vouches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Vouch {
    /// The user.
    User,
}

#[derive(Debug, Args)]
pub struct RecallArgs {
    /// What to look for
    pub query: String,
    /// How many hits at most
    #[arg(long, default_value = "10")]
    pub limit: NonZeroUsize,
    /// Search this kind only; may be repeated
    #[arg(long = "kind", value_name = "KIND")]
    pub kinds: Vec<Kind>,
    /// Only memories with this label; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Show where each hit stands in each lane
    #[arg(long)]
    pub explain: bool,
    /// Ask for what held at this instant, in RFC 3339 with an offset
    #[arg(long, value_name = "TIME")]
    pub as_of: Option<Timestamp>,
    /// Ask for what the store believed at this instant
    #[arg(long, value_name = "TIME")]
    pub as_known_at: Option<Timestamp>,
}

#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The file; - reads stdin
    pub file: PathBuf,
    /// Hold everything back until somebody vouches for it
    #[arg(long)]
    pub untrusted: bool,
    /// Print what became of each line, one JSON object a line
    #[arg(long, conflicts_with = "json")]
    pub jsonl: bool,
}

#[derive(Debug, Args)]
pub struct OneMemory {
    /// The memory
    pub id: MemoryId,
}

#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// The key, or the id of a memory
    pub key: String,
    /// Whose property it is [default: the actor's]
    #[arg(long, value_name = "NAME")]
    pub subject: Option<String>,
}

#[derive(Debug, Args)]
pub struct RevertArgs {
    /// The key
    pub key: String,
    /// Whose property it is [default: the actor's]
    #[arg(long, value_name = "NAME")]
    pub subject: Option<String>,
    /// The instant, in RFC 3339 with an offset
    #[arg(long, value_name = "TIME")]
    pub to: Timestamp,
}

#[derive(Debug, Args)]
pub struct DisputeArgs {
    /// One of the memories
    pub first: MemoryId,
    /// The other one
    pub second: MemoryId,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("ruling").required(true))]
pub struct ResolveArgs {
    /// The contradiction
    pub id: ContradictionId,
    /// This memory holds
    #[arg(long, value_name = "ID", group = "ruling")]
    pub keep: Option<MemoryId>,
    /// Both hold, each under its own conditions
    #[arg(long, group = "ruling")]
    pub both: bool,
    /// The newer one holds, unless the older one has more trust
    #[arg(long, group = "ruling")]
    pub newer_trusted: bool,
}

#[derive(Debug, Args)]
pub struct ContradictionsArgs {
    /// Show those that are resolved as well
    #[arg(long)]
    pub all: bool,
    /// Only those that this memory is part of
    #[arg(long, value_name = "ID")]
    pub memory: Option<MemoryId>,
}

/// What describes an action: a command, an intent, or both.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true).multiple(true))]
pub struct ActionArgs {
    /// The tool, as the host names it
    #[arg(long, default_value = "Bash")]
    pub tool: String,
    /// The shell command
    #[arg(long, group = "what")]
    pub command: Option<String>,
    /// What is meant, or the tool's input as JSON
    #[arg(long, value_name = "TEXT", group = "what")]
    pub action: Option<String>,
    /// The working directory [default: the present one]
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<String>,
    /// A file in its scope; may be repeated
    #[arg(long = "file", value_name = "PATH")]
    pub files: Vec<String>,
    /// The session
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
}

#[derive(Debug, Args)]
pub struct ObserveArgs {
    #[command(flatten)]
    pub action: ActionArgs,
    /// How it ended: succeeded, failed, blocked, skipped, in-flight or unknown
    #[arg(long)]
    pub outcome: Outcome,
    /// What it said when it failed
    #[arg(long)]
    pub error: Option<String>,
    /// What it printed
    #[arg(long)]
    pub output: Option<String>,
    /// Its exit status
    #[arg(long)]
    pub exit_code: Option<i32>,
}

#[derive(Debug, Args)]
pub struct GuardArgs {
    #[command(flatten)]
    pub action: ActionArgs,
    /// End with 10 on a warning
    #[arg(long)]
    pub fail_on_warn: bool,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// A file in the command's scope; may be repeated
    #[arg(long = "file", value_name = "PATH")]
    pub files: Vec<String>,
    /// Do not run on a warning either
    #[arg(long)]
    pub fail_on_warn: bool,
    /// The command and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

#[derive(Debug, Args)]
pub struct HookArgs {
    /// The host whose contract to follow
    #[arg(long)]
    pub host: Host,
    /// The event; must agree with the JSON's own, if that names one
    #[arg(long)]
    pub event: HookEvent,
    /// Deny when the hook itself fails, instead of letting the tool run
    #[arg(long)]
    pub strict: bool,
}

/// An agent host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Host {
    /// Claude Code.
    ClaudeCode,
}

/// A host's event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "PascalCase")]
pub enum HookEvent {
    /// Before a tool runs.
    PreToolUse,
    /// After it succeeded.
    PostToolUse,
    /// After it failed.
    PostToolUseFailure,
}

#[derive(Debug, Args)]
pub struct CapsuleArgs {
    /// The task
    pub task: String,
    /// How many characters it may have
    #[arg(long, default_value_t = 4000)]
    pub budget: usize,
}

#[derive(Debug, Args)]
pub struct ForgetArgs {
    /// The memory
    pub id: MemoryId,
    /// The ground, such as gdpr.art17.1.b; never content
    #[arg(long)]
    pub reason: Option<String>,
}

#[derive(Debug, Args)]
pub struct CertificateArgs {
    #[command(subcommand)]
    pub command: CertificateCommand,
}

#[derive(Debug, Subcommand)]
pub enum CertificateCommand {
    /// Verify a certificate offline against a key that you trust
    Verify {
        /// The certificate, a DSSE envelope; - reads it from stdin
        file: PathBuf,
        /// The public key that you trust, as SPKI PEM
        #[arg(long, value_name = "FILE")]
        trusted_key: PathBuf,
    },
    /// Print a certificate of this store
    Show {
        /// The certificate
        id: CertificateId,
    },
    /// Print this store's public certificate key, as SPKI PEM
    Key,
}

#[derive(Debug, Args)]
pub struct AuditArgs {
    #[command(subcommand)]
    pub command: AuditCommand,
}

#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Verify the whole chain against the stored head
    Verify {
        /// Only hash the stored bytes and follow the links
        #[arg(long)]
        fast: bool,
    },
    /// List entries, oldest first
    List {
        /// The first sequence number
        #[arg(long, default_value_t = 0)]
        from: u64,
        /// How many at most
        #[arg(long, default_value_t = 50)]
        limit: usize,
    },
}

#[derive(Debug, Args)]
pub struct MaintainArgs {
    #[command(subcommand)]
    pub command: MaintainCommand,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub enum MaintainCommand {
    /// Remove the erased from the store's files and certify it
    Purge,
    /// Rebuild the lexical and vector indexes from the records
    Reindex,
}

#[derive(Debug, Args)]
pub struct GuardbenchArgs {
    /// Speak on stdin and stdout
    #[arg(long, required = true)]
    pub stdio: bool,
}
