//! `export`: writes the memories of this namespace, one JSON object a line, oldest id first.

use super::{Ended, wait};
use crate::args::Global;
use crate::exit::Exit;
use crate::output::{Line, print, with_schema};
use crate::settings;

/// How many memories are read at a time.
const PAGE: usize = 512;

pub(super) fn run(global: &Global) -> Ended {
    let memory = settings::open(global)?;
    let mut after = None;
    loop {
        let page = wait(memory.export(after, PAGE))?;
        let Some(last) = page.last() else {
            return Ok(Exit::Success);
        };
        after = Some(last.id);
        for exported in &page {
            print(&Line::json(&with_schema("memory", exported)))?;
        }
    }
}
