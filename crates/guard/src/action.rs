//! What a host proposes, and what the guard makes of it before it looks at any memory.

use std::fmt;

use precedent_audit::key::HmacKey;
use precedent_core::{ActionKeys, CleanText, Digest, FileState, Name, Redactor, mask_json};

use crate::identity::{ActionInput, CanonicalAction, canonicalise, normalise};
use crate::pattern::lookup_keys;
use crate::shell::Connector;
use crate::workspace::Workspace;

/// Longest stored command or input, in characters.
const COMMAND_CHARS: usize = 4000;
/// Largest file whose content is compared whole, in bytes; of larger ones the beginning counts.
const CONTENT_BYTES: usize = 4 * 1024 * 1024;
/// Domain of the digests of file contents.
const CONTENT_DOMAIN: &[u8] = b"precedent/file-content/v1";
/// Domain of the digests of credentials.
const CREDENTIAL_DOMAIN: &[u8] = b"precedent/credential/v1";

/// A use of a tool, as a host reports it; nothing of it is redacted yet, but `Debug` prints none of
/// it.
#[derive(Clone, Default)]
pub struct Action {
    /// The tool, as the host names it.
    pub tool: String,
    /// What is meant: an intent in words, or the tool's input as JSON text.
    pub action: String,
    /// The shell command that will run, where there is one.
    pub command: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// The files that it concerns, as far as the host says.
    pub files: Vec<String>,
    /// The session, as the host names it.
    pub session: Option<String>,
    /// The host.
    pub host: Option<Name>,
    /// The host's own id of this use, to pair the outcome with the decision.
    pub tool_use: Option<String>,
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Action")
            .field("host", &self.host)
            .finish_non_exhaustive()
    }
}

impl Action {
    /// Makes the action of running `command` in a shell.
    pub fn shell(command: impl Into<String>) -> Self {
        let command = command.into();
        Self {
            tool: "Bash".to_owned(),
            action: command.clone(),
            command: Some(command),
            ..Self::default()
        }
    }

    /// Returns what will be executed: the command, or the input.
    pub fn input(&self) -> &str {
        self.command.as_deref().unwrap_or(&self.action)
    }
}

/// An action with its identity, everything redacted.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Its canonical form.
    pub canonical: CanonicalAction,
    /// Its identities.
    pub keys: ActionKeys,
    /// Keyed digest of the secrets in it, if it has any.
    pub credential: Option<Digest>,
    /// Keys under which rules find it.
    pub lookup: Vec<CleanText>,
    /// The tool.
    pub tool: CleanText,
    /// The command or input.
    pub command: CleanText,
    /// Intent, command and files, for recall.
    pub text: CleanText,
    /// The working directory, links resolved.
    pub cwd: Option<CleanText>,
    /// The project.
    pub project: Option<CleanText>,
    /// The files in scope with their present content.
    pub files: Vec<FileState>,
    on_disk: OnDisk,
}

/// Working directory and project as they are on disk: to read files by, never to be kept or told.
#[derive(Clone)]
struct OnDisk {
    base: Option<String>,
    root: Option<String>,
}

impl fmt::Debug for OnDisk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnDisk").finish_non_exhaustive()
    }
}

/// Brings an action to canonical form and looks at the files that it concerns.
pub fn prepare(
    action: &Action,
    redactor: &Redactor,
    key: &HmacKey,
    workspace: &dyn Workspace,
) -> Prepared {
    let base = action.cwd.as_deref().map(|cwd| workspace.resolve(cwd));
    let root = base
        .as_deref()
        .and_then(|base| workspace.project(base))
        .or_else(|| base.clone());
    let masked = Masked::of(action, base.as_deref(), root.as_deref(), redactor);
    let files: Vec<String> = (action.files.iter())
        .map(|file| masked.file(file, base.as_deref(), redactor, workspace))
        .collect();
    let branch = base.as_deref().and_then(|base| workspace.branch(base));
    let input = ActionInput {
        tool: &action.tool,
        input: action.input(),
        directory: masked.base.as_deref(),
        project: masked.root.as_deref(),
        files: &files,
        intent: &action.action,
        branch: branch.as_deref(),
    };
    let digest = |bytes: &[u8]| *key.mac(CREDENTIAL_DOMAIN, &[bytes]).as_bytes();
    let canonical = canonicalise(&input, redactor, &digest);
    let keys = canonical.keys();
    let lookup = lookup_keys(&canonical)
        .iter()
        .map(|key| redactor.clean(key))
        .collect();
    let mut prepared = Prepared {
        keys: ActionKeys {
            exact: Digest::from_bytes(keys.exact),
            shape: Digest::from_bytes(keys.shape),
            family: Digest::from_bytes(keys.family),
        },
        credential: canonical.fingerprint.map(Digest::from_bytes),
        lookup,
        tool: redactor.clean(&action.tool),
        command: clean_and_cut(action.input(), COMMAND_CHARS, redactor),
        text: recall_text(action, redactor),
        cwd: masked.base,
        project: masked.root,
        files: Vec::new(),
        canonical,
        on_disk: OnDisk { base, root },
    };
    let paths = prepared.canonical.files.clone();
    prepared.files = paths
        .iter()
        .map(|path| prepared.file_state(path, false, redactor, key, workspace))
        .collect();
    prepared
}

impl Prepared {
    /// Looks at a file, named relative to the project or the working directory.
    pub(crate) fn file_state(
        &self,
        path: &str,
        named_by_error: bool,
        redactor: &Redactor,
        key: &HmacKey,
        workspace: &dyn Workspace,
    ) -> FileState {
        FileState {
            path: redactor.clean(path),
            content: self.content(path, key, workspace),
            named_by_error,
        }
    }

    /// Returns each command of the line as an action by itself.
    pub(crate) fn steps(&self) -> impl Iterator<Item = CanonicalAction> + '_ {
        let own = self
            .canonical
            .commands
            .iter()
            .filter(|command| !command.derived);
        own.map(|command| {
            let mut command = command.clone();
            command.connector = Connector::Start;
            CanonicalAction {
                commands: vec![command],
                control: Vec::new(),
                unparsed: Vec::new(),
                ..self.canonical.clone()
            }
        })
    }

    /// Digests a file's present content, if it can be read.
    pub(crate) fn content(
        &self,
        path: &str,
        key: &HmacKey,
        workspace: &dyn Workspace,
    ) -> Option<Digest> {
        let places = [self.on_disk.root.as_deref(), self.on_disk.base.as_deref()];
        let content = places
            .into_iter()
            .find_map(|base| workspace.content(&normalise(base, path), CONTENT_BYTES))?;
        Some(key.mac(CONTENT_DOMAIN, &[&content]))
    }
}

/// Where an action takes place, masked before it is put together with anything.
struct Masked {
    base: Option<CleanText>,
    root: Option<CleanText>,
    /// Whether the directory held a secret.
    secret: bool,
}

impl Masked {
    fn of(action: &Action, base: Option<&str>, root: Option<&str>, redactor: &Redactor) -> Self {
        let said = action.cwd.as_deref().map(|cwd| redactor.clean(cwd));
        // What was normalised or resolved may no longer show what it held.
        let secret = said.as_deref() != action.cwd.as_deref();
        if secret {
            return Self {
                root: said.clone(),
                base: said,
                secret,
            };
        }
        Self {
            base: base.map(|base| redactor.clean(base)),
            root: root.map(|root| redactor.clean(root)),
            secret,
        }
    }

    /// Names a file in scope: resolved, unless it holds a secret.
    fn file(
        &self,
        file: &str,
        base: Option<&str>,
        redactor: &Redactor,
        workspace: &dyn Workspace,
    ) -> String {
        let masked = redactor.clean(file);
        if self.secret || *masked != *file {
            masked.to_string()
        } else {
            workspace.resolve(&normalise(base, file))
        }
    }
}

/// Cleans what a tool was given or printed and cuts it: JSON by its structure, so that what a name
/// makes a secret is one.
pub(crate) fn clean_and_cut(text: &str, max_chars: usize, redactor: &Redactor) -> CleanText {
    redactor.clean_truncated(&mask_json(text, redactor), max_chars)
}

fn recall_text(action: &Action, redactor: &Redactor) -> CleanText {
    let mut text = mask_json(&action.action, redactor).into_owned();
    if let Some(command) = action
        .command
        .as_deref()
        .filter(|command| *command != action.action)
    {
        text.push('\n');
        text.push_str(&mask_json(command, redactor));
    }
    for file in &action.files {
        text.push('\n');
        text.push_str(&redactor.clean(file));
    }
    redactor.clean_truncated(&text, COMMAND_CHARS)
}
