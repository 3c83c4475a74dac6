//! The guard's view of the file system: a seam, so that the guard itself reads nothing.

/// Answers questions about files; the facade has the real one.
pub trait Workspace: Send + Sync {
    /// Resolves symbolic links as far as the path exists; the rest is kept as it is.
    fn resolve(&self, path: &str) -> String;

    /// Returns the root of the project that a directory belongs to: the nearest ancestor under
    /// version control.
    fn project(&self, directory: &str) -> Option<String>;

    /// Returns the branch that is checked out in a directory's working tree.
    fn branch(&self, directory: &str) -> Option<String>;

    /// Returns a regular file's content, of a file longer than `limit` bytes its first `limit`
    /// bytes and its length; nothing when it cannot be read.
    fn content(&self, path: &str, limit: usize) -> Option<Vec<u8>>;
}

/// A workspace without files: every path is what it is called, nothing has content.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Workspace for NoFiles {
    fn resolve(&self, path: &str) -> String {
        path.to_owned()
    }

    fn project(&self, _directory: &str) -> Option<String> {
        None
    }

    fn branch(&self, _directory: &str) -> Option<String> {
        None
    }

    fn content(&self, _path: &str, _limit: usize) -> Option<Vec<u8>> {
        None
    }
}
