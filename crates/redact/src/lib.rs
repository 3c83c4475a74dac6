//! Finds secrets and personal data in agent traces and masks them with typed markers.
//!
//! All findings are located on the original text, overlaps are resolved, and the text is spliced
//! once. Cleaned text has a type of its own, [`CleanText`], which only a [`Redactor`] makes, so
//! that storage code can demand it and nothing can bypass the catalogue.
//!
//! ```
//! use precedent_redact::Redactor;
//!
//! let redactor = Redactor::new();
//! let result = redactor.redact("DB_PASSWORD=tr0ub4dor and the rest");
//! assert_eq!(result.text, "DB_PASSWORD=[REDACTED:password_assignment] and the rest");
//! assert_eq!(result.report.counts.values().sum::<u64>(), 1);
//!
//! let clean = redactor.clean("nothing to hide");
//! assert_eq!(clean.as_ref(), "nothing to hide");
//! ```
//!
//! Properties that hold for every input: the result is the same when redaction runs again, text
//! outside the findings is unchanged byte for byte, clean text is borrowed and not copied, and
//! the work grows linearly with the length.

#![forbid(unsafe_code)]

mod allow;
mod class;
mod clean;
mod context;
mod custom;
mod decode;
mod detail;
mod entropy;
mod forms;
mod gate;
mod json;
mod key;
mod lexicon;
mod literals;
mod marker;
mod openings;
mod pipeline;
mod redactor;
mod report;
mod rule;
mod scan;
mod span;
mod splice;
mod stream;
mod sweep;
mod text;
mod truncate;
mod unit;
mod value;
mod view;
mod walk;

pub use allow::AllowList;
pub use class::Class;
pub use clean::CleanText;
pub use custom::{CustomFinding, ImportLoss, ImportNote, ImportNotes, RuleError, RuleSet};
pub use detail::MarkerDetail;
pub use literals::Literals;
pub use redactor::{Redacted, Redactor};
pub use report::{Confidence, Report, ReportSpan, RulesetId, State};
pub use rule::Rule;
pub use scan::personal::PersonalData;
pub use span::Span;
pub use stream::StreamRedactor;
pub use sweep::{sweep, sweep_fragments};
