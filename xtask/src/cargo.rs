//! Child processes: cargo with the shared target directory.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Failure;
use crate::report::Outcome;
use crate::target_dir;

/// Runs cargo in the workspace's root.
pub(crate) struct Cargo {
    program: String,
    root: PathBuf,
    target: PathBuf,
}

impl Cargo {
    /// Takes the program and the package folder that `cargo run` names, else
    /// those known when this program was built.
    pub(crate) fn new() -> Self {
        let package = environment("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = package.parent().unwrap_or(&package).to_path_buf();
        Self {
            program: environment("CARGO").unwrap_or_else(|| "cargo".to_owned()),
            target: target_dir::target_dir(&root, environment),
            root,
        }
    }

    /// The workspace's root folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Where builds go.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// The cargo program.
    pub(crate) fn program(&self) -> &str {
        &self.program
    }

    /// A cargo command in the workspace's root.
    pub(crate) fn command<S: AsRef<str>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(args.iter().map(AsRef::as_ref))
            .current_dir(&self.root);
        command.env("CARGO_TARGET_DIR", &self.target);
        // `cargo run` describes this package to us; a build script that
        // watches such a variable would rebuild for each way of starting.
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if [
                "CARGO_PKG_",
                "CARGO_MANIFEST_",
                "CARGO_BIN_NAME",
                "CARGO_CRATE_NAME",
            ]
            .iter()
            .any(|prefix| name.starts_with(prefix))
            {
                command.env_remove(name.as_ref());
            }
        }
        command
    }

    /// Runs cargo with its output shown; the outcome complains when it fails.
    pub(crate) fn run<S: AsRef<str>>(&self, args: &[S]) -> Result<Outcome, Failure> {
        self.run_with(args, &[])
    }

    /// Like [`Cargo::run`], with environment variables.
    pub(crate) fn run_with<S: AsRef<str>>(
        &self,
        args: &[S],
        variables: &[(&str, &str)],
    ) -> Result<Outcome, Failure> {
        let shown = args.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" ");
        let status = self
            .command(args)
            .envs(variables.iter().copied())
            .status()
            .map_err(|error| Failure::new(format!("could not start cargo {shown}: {error}")))?;
        let complaints = if status.success() {
            Vec::new()
        } else {
            vec![format!(
                "`cargo {shown}` ended with {status}; see its output above"
            )]
        };
        Ok(Outcome::from_complaints(complaints))
    }

    /// True when cargo succeeds, with its output discarded.
    pub(crate) fn succeeds<S: AsRef<str>>(&self, args: &[S]) -> bool {
        self.command(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }
}

/// Reads an environment variable; empty counts as not set.
#[expect(
    clippy::disallowed_methods,
    reason = "a development tool is configured by cargo's own environment variables"
)]
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
