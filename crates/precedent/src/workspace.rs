//! The file system as the guard sees it.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use precedent_guard::Workspace;

/// The files of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct LocalFiles;

impl Workspace for LocalFiles {
    fn resolve(&self, path: &str) -> String {
        resolve_existing(Path::new(path))
            .to_string_lossy()
            .into_owned()
    }

    fn project(&self, directory: &str) -> Option<String> {
        let root = Path::new(directory)
            .ancestors()
            .find(|dir| dir.join(".git").exists())?;
        let git = root.join(".git");
        let root = if git.is_file() {
            main_worktree(&git).unwrap_or_else(|| root.into())
        } else {
            root.into()
        };
        Some(root.to_string_lossy().into_owned())
    }

    fn branch(&self, directory: &str) -> Option<String> {
        let git = work_tree(directory)?.join(".git");
        let folder = if git.is_file() {
            linked_folder(&git)?
        } else {
            git
        };
        let head = std::fs::read_to_string(folder.join("HEAD")).ok()?;
        head.trim()
            .strip_prefix("ref: refs/heads/")
            .map(str::to_owned)
    }

    fn content(&self, path: &str, limit: usize) -> Option<Vec<u8>> {
        let metadata = std::fs::metadata(path)
            .ok()
            .filter(std::fs::Metadata::is_file)?;
        let mut content = Vec::new();
        File::open(path)
            .ok()?
            .take(limit as u64)
            .read_to_end(&mut content)
            .ok()?;
        if metadata.len() > limit as u64 {
            content.extend_from_slice(&metadata.len().to_be_bytes());
        }
        Some(content)
    }
}

/// Resolves the longest part of a path that exists, so that a file that is still missing has the
/// name that it will have.
fn resolve_existing(path: &Path) -> PathBuf {
    for ancestor in path.ancestors() {
        if let Ok(real) = ancestor.canonicalize() {
            let rest = path.strip_prefix(ancestor).unwrap_or(Path::new(""));
            return if rest.as_os_str().is_empty() {
                real
            } else {
                real.join(rest)
            };
        }
    }
    path.to_owned()
}

/// Finds the nearest ancestor under version control.
fn work_tree(directory: &str) -> Option<&Path> {
    Path::new(directory)
        .ancestors()
        .find(|dir| dir.join(".git").exists())
}

/// Returns the folder that a worktree's `.git` file names.
fn linked_folder(git: &Path) -> Option<PathBuf> {
    let text = std::fs::read_to_string(git).ok()?;
    Some(git.parent()?.join(text.strip_prefix("gitdir:")?.trim()))
}

/// Follows a worktree's `.git` file to the repository that it belongs to: the file names a folder
/// below the common directory, which names its parent in `commondir`.
fn main_worktree(git: &Path) -> Option<PathBuf> {
    let folder = linked_folder(git)?;
    let common = std::fs::read_to_string(folder.join("commondir")).ok()?;
    let common = folder.join(common.trim()).canonicalize().ok()?;
    common.parent().map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_behind_a_link_has_its_real_name() {
        let dir = tempfile::tempdir().unwrap();
        let real = dir.path().canonicalize().unwrap();
        std::fs::create_dir(real.join("real")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(real.join("real"), real.join("link")).unwrap();
        let resolved = LocalFiles.resolve(&real.join("link/later.txt").to_string_lossy());
        assert_eq!(resolved, real.join("real/later.txt").to_string_lossy());
    }

    #[test]
    fn projects_are_found_upwards_and_worktrees_belong_to_their_repository() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("main/.git/worktrees/side")).unwrap();
        std::fs::create_dir_all(root.join("main/src")).unwrap();
        std::fs::create_dir_all(root.join("side")).unwrap();
        std::fs::write(root.join("main/.git/worktrees/side/commondir"), "../..\n").unwrap();
        std::fs::write(
            root.join("side/.git"),
            format!(
                "gitdir: {}\n",
                root.join("main/.git/worktrees/side").display()
            ),
        )
        .unwrap();
        let project = |dir: &str| LocalFiles.project(&root.join(dir).to_string_lossy());
        let main = Some(root.join("main").to_string_lossy().into_owned());
        assert_eq!(project("main/src"), main);
        assert_eq!(project("side"), main);
        std::fs::write(root.join("main/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        std::fs::write(
            root.join("main/.git/worktrees/side/HEAD"),
            "ref: refs/heads/fix/one\n",
        )
        .unwrap();
        let branch = |dir: &str| LocalFiles.branch(&root.join(dir).to_string_lossy());
        assert_eq!(branch("main/src").as_deref(), Some("main"));
        assert_eq!(branch("side").as_deref(), Some("fix/one"));
    }

    #[test]
    fn long_files_count_by_their_beginning_and_length() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        std::fs::write(&path, "abcdef").unwrap();
        let path = path.to_string_lossy();
        assert_eq!(LocalFiles.content(&path, 6).unwrap(), b"abcdef");
        assert_eq!(
            LocalFiles.content(&path, 3).unwrap(),
            [b"abc".as_slice(), &6u64.to_be_bytes()].concat()
        );
        assert_eq!(LocalFiles.content(&dir.path().to_string_lossy(), 3), None);
    }
}
