//! Runs the suite as a test binary in which every case is a test of its own.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::{Case, Harness, cases};

/// Runs the suite on one backend, as the command line of a test binary says.
///
/// Cases that the backend lacks something for show as ignored, with the reason beside the
/// backend's name.
pub fn run(harness: Arc<dyn Harness>) -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = cases().map(|case| trial(case, &harness)).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(case: &'static Case, harness: &Arc<dyn Harness>) -> Trial {
    let harness = Arc::clone(harness);
    let name = format!("{}::{}", case.area, case.name);
    let backend = harness.backend();
    let lack = harness.lacks(case.need);
    let kind = lack.map_or_else(|| backend.to_owned(), |why| format!("{backend}, {why}"));
    let label = format!("{backend}: {name}");
    Trial::test(name, move || {
        catch_unwind(AssertUnwindSafe(|| case.run(harness.as_ref())))
            .map_err(|panic| Failed::from(format!("{label}: {}", message(panic.as_ref()))))
    })
    .with_kind(kind)
    .with_ignored_flag(lack.is_some())
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("panicked without a message")
}

/// Makes the `main` of a test binary that runs the suite on the backend of a [`Harness`].
///
/// The binary is declared with `harness = false` in the backend's manifest.
#[macro_export]
macro_rules! conformance {
    ($harness:expr) => {
        fn main() -> std::process::ExitCode {
            $crate::run(std::sync::Arc::new($harness))
        }
    };
}
