//! Exit codes, and what ends with which.

use std::process::ExitCode;

use precedent::{CleanText, Error, ErrorKind, Redactor};

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done, or the guard allows.
    Success,
    /// 1: something failed, or a check found something.
    Failure,
    /// 2: the guard blocks; nothing else ends so.
    Block,
    /// 10: the guard warns, and `--fail-on-warn` was given.
    Warn,
    /// 10 too: something was masked, and `--fail-on-find` was given.
    Found,
    /// 64: the call cannot be carried out as it was given.
    Usage,
    /// `run` passes its child's status on, and ends with 125 where it blocked it.
    Child(u8),
}

/// The status of `run` when the guard blocks the command.
pub const RUN_BLOCKED: u8 = 125;

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Success => 0,
            Exit::Failure => 1,
            Exit::Block => 2,
            Exit::Warn | Exit::Found => 10,
            Exit::Usage => 64,
            Exit::Child(status) => status,
        })
    }
}

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The call is at fault.
    Usage(String),
    /// The memory is.
    Memory(Error),
    /// The system is.
    Io(&'static str, std::io::Error),
    /// The program is.
    Internal(CleanText),
    /// So many lines of the input were broken; the rest is done.
    BrokenLines(u64),
}

impl Failure {
    /// Returns the exit code that tells of it.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::Memory(error) => match error.kind {
                ErrorKind::InvalidInput | ErrorKind::InvalidAddress => Exit::Usage,
                _ => Exit::Failure,
            },
            Self::Io(..) | Self::Internal(_) | Self::BrokenLines(_) => Exit::Failure,
        }
    }

    /// Returns the kind, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Usage(_) => "usage",
            Self::Memory(error) => error.kind.as_str(),
            Self::Io(..) => "io",
            Self::Internal(_) => "internal",
            Self::BrokenLines(_) => "broken_lines",
        }
    }

    /// Returns the advice on trying again, for programs.
    pub fn retry(&self) -> &'static str {
        match self {
            Self::Memory(error) => error.retry.as_str(),
            _ => "never",
        }
    }
}

impl Failure {
    /// Says what failed, without the secrets that an argument may have brought into it.
    pub fn told(&self) -> CleanText {
        Redactor::new().clean(&self.to_string())
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Usage(text) => f.write_str(text),
            Self::Memory(error) => write!(f, "{error}"),
            Self::Io(operation, error) => write!(f, "{operation} failed: {error}"),
            Self::Internal(text) => write!(f, "{text}"),
            Self::BrokenLines(1) => f.write_str("one line was broken; its answer says why"),
            Self::BrokenLines(count) => {
                write!(f, "{count} lines were broken; their answers say why")
            }
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Memory(error)
    }
}
