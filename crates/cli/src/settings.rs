//! Where the memory is and how it is set: flags, environment, `config.toml`. The only place of the
//! project that reads the environment.

use std::path::Path;

use etcetera::BaseStrategy;
use precedent::{Address, Builder, Limits, Memory, Policy, Redactor};
use serde::Deserialize;

use crate::args::Global;
use crate::exit::Failure;

/// Variables of the shell that hold a folder (POSIX.1-2024, "cd"), though their names read like
/// passwords.
const FOLDERS: [&str; 2] = ["PWD", "OLDPWD"];
/// Names the store when no flag does.
const STORE_VARIABLE: &str = "PRECEDENT_STORE";
/// A day in milliseconds.
const DAY_MS: i64 = 86_400_000;

/// `config.toml` in the store's folder.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    limits: LimitsConfig,
    guard: GuardConfig,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LimitsConfig {
    /// Longest text of a memory, in bytes.
    text_bytes: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct GuardConfig {
    /// How many days an exact failure blocks.
    failure_decay_days: Option<u32>,
    /// How many failed variants turn a warning into a block.
    retry_limit: Option<usize>,
}

/// Opens the memory that the flags and the environment name.
pub fn open(global: &Global) -> Result<Memory, Failure> {
    Ok(builder(global)?.open()?)
}

/// Starts opening the memory that the flags and the environment name.
pub fn builder(global: &Global) -> Result<Builder, Failure> {
    let address = address(global)?;
    let config = read_config(&address)?;
    let mut limits = Limits::default();
    if let Some(bytes) = config.limits.text_bytes {
        limits.text_bytes = bytes;
    }
    let mut policy = Policy::default();
    if let Some(days) = config.guard.failure_decay_days {
        policy.failure_decay_ms = i64::from(days) * DAY_MS;
    }
    if let Some(limit) = config.guard.retry_limit {
        policy.retry_limit = limit;
    }
    let mut builder = Memory::builder(&address).limits(limits).policy(policy);
    if let Some(namespace) = &global.namespace {
        builder = builder.namespace(namespace);
    }
    if let Some(agent) = &global.agent {
        builder = builder.agent(agent);
    }
    if let Some(actor) = &global.actor {
        builder = builder.actor(actor);
    }
    Ok(builder)
}

/// Returns the store's address: flag, environment, or the user's data folder.
fn address(global: &Global) -> Result<String, Failure> {
    if let Some(store) = &global.store {
        return Ok(store.clone());
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "the command line reads the environment, here only"
    )]
    let variable = std::env::var_os(STORE_VARIABLE);
    if let Some(store) = variable.filter(|store| !store.is_empty()) {
        return store.into_string().map_err(|_| {
            Failure::Usage(format!(
                "{STORE_VARIABLE} is not valid UTF-8; name the store with --store"
            ))
        });
    }
    let folders = etcetera::choose_base_strategy().map_err(|_| {
        Failure::Usage("there is no home folder; name the store with --store".to_owned())
    })?;
    Ok(folders
        .data_dir()
        .join("precedent")
        .to_string_lossy()
        .into_owned())
}

/// Returns the values of variables whose names announce secrets.
///
/// A name or value that is no UTF-8 is passed over: it could not be found in text.
pub fn secret_variables() -> Vec<String> {
    let variables = std::env::vars_os();
    let text = variables.filter_map(|(name, value)| {
        let pair = (name.into_string().ok()?, value.into_string().ok()?);
        Some(pair)
    });
    text.filter(|(name, _)| Redactor::is_sensitive_key(name) && !FOLDERS.contains(&name.as_str()))
        .map(|(_, value)| value)
        .collect()
}

fn read_config(address: &str) -> Result<Config, Failure> {
    let Address::Sqlite(file) = Address::parse(address)? else {
        return Ok(Config::default());
    };
    let path = file.parent().unwrap_or(Path::new("")).join("config.toml");
    match std::fs::read_to_string(&path) {
        Ok(text) => parse_config(&text, &path),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Config::default()),
        // A path whose folder is no folder is told apart when the store is opened.
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => Ok(Config::default()),
        Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            let said = format!("{} is not valid UTF-8; save it as UTF-8", path.display());
            Err(Failure::Usage(said))
        }
        Err(error) => Err(Failure::Io("reading config.toml", error)),
    }
}

fn parse_config(text: &str, path: &Path) -> Result<Config, Failure> {
    // The parser's own message would quote the file.
    toml::from_str(text).map_err(|error| {
        let line = error
            .span()
            .map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        Failure::Usage(format!(
            "{} is malformed at line {line}; it takes numbers for text_bytes below [limits], and \
             for failure_decay_days and retry_limit below [guard]",
            path.display(),
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_settings_are_refused_and_known_ones_read() {
        let path = Path::new("config.toml");
        let config = parse_config(
            "[limits]\ntext_bytes = 10\n[guard]\nretry_limit = 3\n",
            path,
        )
        .unwrap();
        assert_eq!(
            (config.limits.text_bytes, config.guard.retry_limit),
            (Some(10), Some(3))
        );
        assert!(parse_config("[limits]\ntext = 1\n", path).is_err());
    }
}
