//! A temporary home with a store and a project, and the binary run in it.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use regex::Regex;
use serde_json::Value;

/// The binary under test.
pub const PRECEDENT: &str = env!("CARGO_BIN_EXE_precedent");

/// A home folder of its own, in which nothing of the machine's user is seen.
pub struct Place {
    folder: tempfile::TempDir,
}

/// How a run of the binary ended.
#[derive(Debug)]
pub struct Done {
    /// Its exit status; of a run that a signal ended, -1.
    pub code: i32,
    /// What it printed.
    pub stdout: String,
    /// What it complained of.
    pub stderr: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("complaints are UTF-8"),
        }
    }
}

impl Done {
    /// Asserts the exit status.
    #[track_caller]
    pub fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}\n{}", self.stdout, self.stderr);
        self
    }

    /// Parses stdout as the one object that it has to be.
    #[track_caller]
    pub fn json(&self) -> Value {
        one_object(&self.stdout)
    }

    /// Parses the error on stderr, the one object that it has to be.
    #[track_caller]
    pub fn error(&self) -> Value {
        let error = one_object(&self.stderr);
        assert_eq!(error["schema"], "precedent.error/1");
        error
    }
}

#[track_caller]
fn one_object(text: &str) -> Value {
    assert_eq!(text.matches('\n').count(), 1, "one line: {text}");
    let value: Value = serde_json::from_str(text).expect("it is JSON");
    assert!(value.is_object());
    assert!(value["schema"].is_string(), "{value}");
    value
}

impl Place {
    /// Makes a home with an empty project.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("there is room for a temporary folder");
        std::fs::create_dir(folder.path().join("project")).expect("it is empty");
        Self { folder }
    }

    /// Returns the home folder, without links in its name.
    pub fn home(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("it exists")
    }

    /// Returns the working directory of commands.
    pub fn project(&self) -> PathBuf {
        self.home().join("project")
    }

    /// Returns the store's folder.
    pub fn store(&self) -> PathBuf {
        self.home().join("store")
    }

    /// Prepares any program to run in the project, with this home and this store.
    pub fn program(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let home = self.home();
        #[expect(
            clippy::disallowed_methods,
            reason = "commands under guard need a PATH"
        )]
        let path = std::env::var_os("PATH").unwrap_or_default();
        command
            .env_clear()
            .env("PATH", path)
            .env("HOME", &home)
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("PRECEDENT_STORE", self.store())
            .current_dir(self.project());
        command
    }

    /// Runs the binary with nothing on stdin.
    pub fn run(&self, args: &[&str]) -> Done {
        self.run_in(&self.store(), args, b"")
    }

    /// Runs the binary on bytes.
    pub fn run_on(&self, args: &[&str], stdin: &[u8]) -> Done {
        self.run_in(&self.store(), args, stdin)
    }

    /// Runs the binary on another store.
    pub fn run_in(&self, store: &Path, args: &[&str], stdin: &[u8]) -> Done {
        let mut command = self.program(PRECEDENT);
        command.env("PRECEDENT_STORE", store).args(args);
        feed(&mut command, stdin)
    }

    /// Runs the binary with arguments that need not be text.
    pub fn run_raw(&self, args: &[&OsStr]) -> Done {
        feed(self.program(PRECEDENT).args(args), b"")
    }

    /// Runs a command that has to succeed, with `--json`.
    #[track_caller]
    pub fn json(&self, args: &[&str]) -> Value {
        let done = self.run(&[args, &["--json"]].concat()).ended(0);
        assert_eq!(done.stderr, "", "success is silent on stderr");
        done.json()
    }

    /// Remembers a text and returns its id.
    #[track_caller]
    pub fn remember(&self, text: &str) -> String {
        stored(&self.json(&["remember", text]))
    }

    /// Returns the end of the audit log.
    #[track_caller]
    pub fn head(&self) -> Value {
        self.json(&["audit", "list"])["head"].clone()
    }

    /// Asks the hook with an event.
    pub fn hook(&self, event: &str, extra: &[&str], input: &Value) -> Done {
        let args = ["hook", "--host", "claude-code", "--event", event];
        self.run_on(&[&args, extra].concat(), input.to_string().as_bytes())
    }
}

/// Runs a command on bytes and waits for its end.
pub fn feed(command: &mut Command, stdin: &[u8]) -> Done {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("it was asked for");
    // A program that does not read its stdin may be gone already.
    let _ = pipe.write_all(stdin);
    drop(pipe);
    child.wait_with_output().expect("it ends").into()
}

/// Returns the id of the one memory that was stored.
#[track_caller]
pub fn stored(result: &Value) -> String {
    let id = result["stored"][0]["id"].as_str();
    id.expect("one memory was stored").to_owned()
}

/// Returns the texts of a list's members at a path such as `/memory/id`.
pub fn texts(list: &Value, path: &str) -> Vec<String> {
    let list = list.as_array().expect("it is a list");
    let text = |it: &Value| it.pointer(path).and_then(Value::as_str).map(str::to_owned);
    list.iter().filter_map(text).collect()
}

/// Masks what differs from run to run: ids, hashes, times, folders, versions.
pub fn mask(text: &str, place: &Place) -> String {
    static MASKS: OnceLock<Vec<(Regex, &str)>> = OnceLock::new();
    let masks = MASKS.get_or_init(|| {
        [
            (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "<time>"),
            (r"\b[0-9A-HJKMNP-TV-Z]{26}\b", "<id>"),
            (r"\b[0-9a-f]{64}\b", "<hash>"),
            (r"\b\d{1,2} [A-Z][a-z]+ 20\d\d\b", "<day>"),
            (r"\b3\.\d+\.\d+\b", "<engine>"),
            (r"/\S*/\.tmp\w+", "<temporary>"),
        ]
        .map(|(pattern, mask)| (Regex::new(pattern).expect("it is well formed"), mask))
        .to_vec()
    });
    let text = text.replace(&*place.home().to_string_lossy(), "<home>");
    masks.iter().fold(text, |text, (regex, mask)| {
        regex.replace_all(&text, *mask).into_owned()
    })
}
