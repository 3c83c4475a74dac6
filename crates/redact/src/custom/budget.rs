//! The bound on the size of all compiled patterns together, held while they are compiled.

use super::error::RuleError;

/// Bound of a compiled set in bytes.
const MAX_COMPILED: usize = 64 * 1024 * 1024;

/// Counts the bytes of what was compiled.
#[derive(Default)]
pub(crate) struct Budget {
    used: usize,
}

impl Budget {
    /// Counts more bytes; refuses those beyond the bound.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), RuleError> {
        self.used = self.used.saturating_add(bytes);
        if self.used > MAX_COMPILED {
            let problem = "larger than 64 MiB when compiled; use fewer rules or lower counts";
            return Err(RuleError::of_file(problem));
        }
        Ok(())
    }
}
