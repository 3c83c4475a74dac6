//! Turns the model folder into structures the crate reads in place.
//!
//! Out come a hash index over the vocabulary, the token strings, the character classes and
//! the constants that name them, so that a process has nothing to parse before its first
//! embedding. The weights file is compiled in as it is; only its header is read here.

#[path = "build/classes.rs"]
mod classes;
#[path = "src/hash.rs"]
mod hash;
#[path = "build/space.rs"]
mod space;
#[path = "build/tensors.rs"]
mod tensors;
#[path = "build/vocabulary.rs"]
mod vocabulary;

use std::{
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

/// Anything that stops the build; its text is all the reader gets.
type Failure = Box<dyn Error>;

const WEIGHTS: &str = "model/model.safetensors";
const TOKENIZER: &str = "model/tokenizer.json";
const CLASSES: &str = "unicode/bert-classes.txt";

fn main() -> Result<(), Failure> {
    for input in [
        "build.rs",
        "build",
        "src/hash.rs",
        WEIGHTS,
        TOKENIZER,
        CLASSES,
    ] {
        println!("cargo::rerun-if-changed={input}");
    }
    let root = folder("CARGO_MANIFEST_DIR")?;
    let out = folder("OUT_DIR")?;
    let weights = read(&root, WEIGHTS)?;
    let tokenizer = read(&root, TOKENIZER)?;
    let classes = String::from_utf8(read(&root, CLASSES)?)?;

    let layout = tensors::layout(&weights)?;
    let vocabulary = vocabulary::parse(&tokenizer)?;
    if vocabulary.tokens.len() != layout.rows {
        return Err(format!(
            "the tokenizer has {} tokens and the table {} rows: rebuild them together",
            vocabulary.tokens.len(),
            layout.rows
        )
        .into());
    }
    vocabulary::write_index(&vocabulary.tokens, &out)?;

    let mut generated = String::new();
    layout.render(&mut generated)?;
    vocabulary.render(&mut generated)?;
    space::render(&mut generated, &weights, &tokenizer, layout.dimension)?;
    classes::render(&mut generated, &classes)?;
    fs::write(out.join("generated.rs"), generated)?;
    Ok(())
}

/// Reads one of the folders cargo names to a build script.
#[expect(
    clippy::disallowed_methods,
    reason = "the environment is how cargo speaks to a build script"
)]
fn folder(variable: &str) -> Result<PathBuf, Failure> {
    Ok(PathBuf::from(std::env::var(variable)?))
}

/// Reads one input, naming it when that fails.
fn read(root: &Path, input: &str) -> Result<Vec<u8>, Failure> {
    fs::read(root.join(input)).map_err(|error| format!("cannot read {input}: {error}").into())
}

/// Writes one documented constant.
fn constant(
    to: &mut String,
    doc: &str,
    name: &str,
    kind: &str,
    value: &str,
) -> Result<(), Failure> {
    writeln!(to, "/// {doc}\npub(crate) const {name}: {kind} = {value};")?;
    Ok(())
}
