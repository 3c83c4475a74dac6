//! tantivy as the oracle of the analyser and of BM25.
//!
//! What a store answers is compared with what an independent search engine computes from the same
//! documents; where the two differ on purpose, `differences` holds the difference as a test.
//!
//! tantivy keeps a document's length in one byte: lengths up to 40 exactly, then ever coarser
//! steps. The documents here have lengths that it can represent ([`corpus::with_exact_lengths`]), so
//! scores agree but for the rounding of its 32-bit arithmetic ([`scores::ROUNDING`]).

mod corpus;
mod differences;
mod erasure;
mod index;
mod partitions;
mod reference;
mod scores;
mod stores;
mod words;
