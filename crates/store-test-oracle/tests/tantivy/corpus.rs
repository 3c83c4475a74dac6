//! Documents and queries: English, identifiers, CJK, accents, and the project's own pages.

use precedent_core::{Memory, analyze, lexical_text};
use precedent_store_test::data::clean;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tantivy::fieldnorm::FieldNormReader;

/// Few enough that documents and queries share words, inflected and not, alone and in identifiers.
pub const WORDS: &[&str] = &[
    "deploy",
    "deploys",
    "deployed",
    "deploying",
    "Deployment",
    "generate",
    "generates",
    "generating",
    "generation",
    "the",
    "of",
    "not",
    "failed",
    "failing",
    "failure",
    "test",
    "tests",
    "testing",
    "db:generate",
    "db",
    "HTTPServer",
    "http",
    "server",
    "servers",
    "parseURL",
    "parseUrlFromText",
    "snake_case_tests",
    "src/lib/generate.rs",
    "sha256",
    "--force-with-lease",
    "$HOME/.cargo",
    "x86",
    "caf\u{e9}",
    "cafe\u{301}",
    "cafe",
    "na\u{ef}ve",
    "Z\u{fc}rich",
    "\u{c9}TUDES",
    "\u{39f}\u{394}\u{39f}\u{3a3}",
    "\u{43e}\u{448}\u{438}\u{431}\u{43a}\u{430}",
    "\u{939}\u{93f}\u{928}\u{94d}\u{926}\u{940}",
    "\u{6570}\u{636e}\u{5e93}",
    "\u{6570}\u{636e}",
    "\u{5e93}",
    "\u{90e8}\u{7f72}\u{5931}\u{8d25}",
    "\u{6771}\u{4eac}\u{30bf}\u{30ef}\u{30fc}",
    "\u{c11c}\u{bc84}",
    "\u{6570}\u{636e}\u{5e93}server",
    "\u{ff21}\u{ff30}\u{ff29}",
    "\u{fb01}le",
    "\u{1f680}",
];

/// Texts of up to `most` words with all kinds of separators.
pub fn texts(most: usize) -> impl Strategy<Value = String> {
    let separator = prop::sample::select(&[" ", " ", " ", ", ", "/", "_", "\n", "-", ""][..]);
    prop::collection::vec((prop::sample::select(WORDS), separator), 0..most).prop_map(|words| {
        words
            .into_iter()
            .flat_map(|(word, gap)| [word, gap])
            .collect()
    })
}

/// Mostly short texts, and some that fall into several chunks.
pub fn documents() -> impl Strategy<Value = String> {
    prop_oneof![8 => texts(12), 3 => texts(40), 1 => texts(150)]
}

/// What may be asked: short questions, and longer ones than the analyser reads.
pub fn questions(most: usize) -> impl Strategy<Value = Vec<String>> {
    let question = prop_oneof![1 => texts(2), 6 => texts(6), 1 => texts(50)];
    prop::collection::vec(question, 1..most)
}

/// The lines of two pages of this project and of two of its sources, blank ones left out.
pub fn pages() -> impl Iterator<Item = &'static str> {
    const PAGES: [&str; 4] = [
        include_str!("../../../../README.md"),
        include_str!("../../../../ARCHITECTURE.md"),
        include_str!("../../../core/src/analyze.rs"),
        include_str!("../../../core/src/recall.rs"),
    ];
    let lines = PAGES.into_iter().flat_map(str::lines);
    lines.filter(|line| !line.trim().is_empty())
}

/// Lengthens a memory's text until tantivy can represent the length of each of its chunks, by a
/// word of its own that nobody asks for.
pub fn with_exact_lengths(mut memory: Memory) -> Memory {
    while !lengths(&memory).into_iter().all(is_exact) {
        memory.text = clean(&format!("{} zz", memory.text.as_str()));
    }
    memory
}

/// Tells whether tantivy represents a length exactly.
pub fn is_exact(length: u32) -> bool {
    FieldNormReader::id_to_fieldnorm(FieldNormReader::fieldnorm_to_id(length)) == length
}

fn lengths(memory: &Memory) -> Vec<u32> {
    let chunks = analyze::document(&lexical_text(memory));
    chunks.iter().map(|chunk| chunk.length).collect()
}

/// Settings of a law that is tried on `cases` inputs; a failing one is made smaller for seconds, not
/// for minutes.
pub fn laws(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters: 200,
        // A run that fails by chance tells nobody anything; other seeds are for longer runs.
        rng_seed: RngSeed::Fixed(0x5EED),
        ..ProptestConfig::default()
    }
}
