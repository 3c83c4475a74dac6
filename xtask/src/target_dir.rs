//! The shared target directory, and one checkout's claim to it.
//!
//! Cargo hashes workspace packages by their path inside the workspace and
//! decides freshness by file times, so two checkouts that share a target
//! directory can be handed each other's code when the second one's files are
//! older than the first one's build. The claim prevents it: the directory
//! remembers its checkout, and another checkout's workspace packages (never
//! its dependencies) are removed first.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use crate::Failure;
use crate::cargo::{Cargo, environment};
use crate::report::Report;
use crate::workspace::Workspace;

/// Names the file that holds the root of the checkout that built last.
const CLAIM: &str = "precedent-checkout";

/// Marks a run that was started again, so that it happens once.
const RERUN: &str = "PRECEDENT_XTASK_RERUN";

/// Where builds go: `CARGO_TARGET_DIR`, else `precedent/target` in the user's
/// cache folder (XDG Base Directory on Unix, `Library/Caches` on macOS,
/// `LOCALAPPDATA` on Windows), else `target` in the checkout.
pub(crate) fn target_dir(root: &Path, variable: impl Fn(&str) -> Option<String>) -> PathBuf {
    if let Some(chosen) = variable("CARGO_TARGET_DIR") {
        // Cargo reads a relative one against the working directory.
        return root.join(chosen);
    }
    let home = |rest: &str| variable("HOME").map(|home| Path::new(&home).join(rest));
    let cache = if cfg!(windows) {
        variable("LOCALAPPDATA").map(PathBuf::from)
    } else {
        variable("XDG_CACHE_HOME")
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
            .or_else(|| {
                home(if cfg!(target_os = "macos") {
                    "Library/Caches"
                } else {
                    ".cache"
                })
            })
    };
    cache.map_or_else(
        || root.join("target"),
        |cache| cache.join("precedent/target"),
    )
}

/// Holds the target directory for as long as it lives.
#[must_use = "the target directory is free again once this is dropped"]
pub(crate) struct Claim {
    _lock: File,
}

/// Waits for other checkouts, then makes the target directory this one's.
///
/// Errors: the directory cannot be created, or the other checkout's packages
/// cannot be removed.
pub(crate) fn claim(
    cargo: &Cargo,
    workspace: &Workspace,
    report: &Report,
) -> Result<Claim, Failure> {
    let lock = lock(cargo, report)?;
    let file = cargo.target().join(CLAIM);
    let here = cargo.root().to_string_lossy().into_owned();
    let before = fs::read_to_string(&file).ok();
    if before.as_deref() != Some(here.as_str()) {
        // Also without a claim: a plain cargo may have built there before.
        // Windows cannot remove a running program, and this one is our own.
        let names = workspace.members.iter().map(|member| member.name.as_str());
        remove_packages(
            cargo,
            names.filter(|name| !cfg!(windows) || *name != "xtask"),
        )?;
        fs::write(&file, here).map_err(|error| unusable(cargo, &error))?;
    }
    Ok(Claim { _lock: lock })
}

/// Starts this task again when this program was built from another checkout;
/// its result, or `None` when the program is this checkout's own.
///
/// Errors: the rebuilt program cannot be started.
pub(crate) fn rerun_if_foreign(
    cargo: &Cargo,
    words: &[String],
    report: &Report,
) -> Result<Option<bool>, Failure> {
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    if built_from == Some(cargo.root()) || environment(RERUN).is_some() {
        return Ok(None);
    }
    // The other checkout may be running what is about to be removed.
    let lock = lock(cargo, report)?;
    remove_packages(cargo, ["xtask"].into_iter())?;
    drop(lock);
    let mut args = vec!["run", "--quiet", "--package", "xtask", "--"];
    args.extend(words.iter().map(String::as_str));
    let status = cargo
        .command(&args)
        .env(RERUN, "1")
        .status()
        .map_err(|error| Failure::new(format!("could not start cargo again: {error}")))?;
    Ok(Some(status.success()))
}

/// Creates the target directory and locks it against other checkouts' tasks.
fn lock(cargo: &Cargo, report: &Report) -> Result<File, Failure> {
    let target = cargo.target();
    let cannot = |error: std::io::Error| unusable(cargo, &error);
    fs::create_dir_all(target).map_err(cannot)?;
    let lock = File::create(target.join("precedent-checkout.lock")).map_err(cannot)?;
    if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
        report.line(&format!(
            "waiting for another task that builds in {}",
            target.display()
        ));
        lock.lock().map_err(cannot)?;
    }
    Ok(lock)
}

fn unusable(cargo: &Cargo, error: &std::io::Error) -> Failure {
    Failure::new(format!(
        "could not use {}: {error}; set CARGO_TARGET_DIR to a folder that can be written",
        cargo.target().display()
    ))
}

fn remove_packages<'a>(cargo: &Cargo, names: impl Iterator<Item = &'a str>) -> Result<(), Failure> {
    let mut args = vec!["clean", "--quiet"];
    for name in names {
        args.extend(["--package", name]);
    }
    if cargo.succeeds(&args) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "could not remove another checkout's packages from {}; set CARGO_TARGET_DIR elsewhere",
        cargo.target().display()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(variables: &[(&str, &str)]) -> PathBuf {
        target_dir(Path::new("/checkout"), |name| {
            variables
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn cargo_target_dir_wins() {
        let both = [
            ("CARGO_TARGET_DIR", "/t"),
            ("XDG_CACHE_HOME", "/c"),
            ("HOME", "/h"),
        ];
        assert_eq!(chosen(&both), Path::new("/t"));
        assert_eq!(
            chosen(&[("CARGO_TARGET_DIR", "out")]),
            Path::new("/checkout/out")
        );
    }

    #[test]
    #[cfg(all(unix, not(target_os = "macos")))]
    fn the_cache_folder_is_the_default() {
        assert_eq!(
            chosen(&[("HOME", "/h")]),
            Path::new("/h/.cache/precedent/target")
        );
        let both = [("XDG_CACHE_HOME", "/c"), ("HOME", "/h")];
        assert_eq!(chosen(&both), Path::new("/c/precedent/target"));
        // The specification says that a relative path is to be ignored.
        let relative = [("XDG_CACHE_HOME", "c"), ("HOME", "/h")];
        assert_eq!(chosen(&relative), Path::new("/h/.cache/precedent/target"));
    }

    #[test]
    fn without_a_home_the_checkout_serves() {
        assert_eq!(chosen(&[]), Path::new("/checkout/target"));
    }
}
