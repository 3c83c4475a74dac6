//! Inputs made to be slow, beside clean text of the same length.

use std::error::Error;
use std::hint::black_box;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use precedent_redact::Redactor;

use crate::figure::{Figure, Target};
use crate::measure::Samples;
use crate::pieces::PIECES;
use crate::random::Random;
use crate::trace;
use crate::turns::timed;

/// Bytes of each input.
const LENGTH: usize = 1024 * 1024;
const ROUNDS: usize = 3;
/// A first round that takes longer is the only one.
const PATIENCE: Duration = Duration::from_secs(3);
/// Times the processor time of clean text.
const RATIO: Target = Target::AtMost(3.0);

/// Further pieces, beside those that the tests repeat.
const MORE: [&str; 44] = [
    "4111 1111 ",
    "a.a.a.",
    "0",
    "0123456789abcdef",
    "Zz91kk",
    " ",
    "\n",
    "\t",
    "=",
    ":",
    "\"",
    "'",
    "%22",
    "\\u003d",
    "\\\"",
    "&quot;",
    "\u{1b}[32m",
    "é",
    "\u{1f600}",
    "a,b\n",
    "user,password\n",
    "| name | secret |\n",
    "machine x login y password ",
    "password:\n",
    "export X=\\\n",
    "${",
    "{{",
    "<a>",
    "Bearer ",
    "sk-",
    "AKIA",
    "xoxb-",
    "abandon ",
    "token: ",
    "{\"password\":1}\n",
    "{\"k\":\"v\"}\n",
    "[1,",
    "//r/:_authToken=",
    "x:y@",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\n",
    "PuTTY-User-Key-File-2: ",
    "MIIEvQIBADANBgkqhkiG\n",
    "Set-Cookie: a=b\n",
    "key=value&",
];

/// Measures every input: times the clean text's, and nanoseconds a byte.
pub fn figures(random: &mut Random) -> Result<Vec<Figure>, Box<dyn Error>> {
    let redactor = Redactor::new();
    let clean = trace::clean(LENGTH, random);
    let mut figures = Vec::new();
    for (name, text) in inputs() {
        let (mut base, mut hostile) = (Samples::default(), Samples::default());
        for _ in 0..ROUNDS {
            base.push(timed(|| drop(black_box(redactor.redact(&clean))))?);
            let took = timed(|| drop(black_box(redactor.redact(&text))))?;
            hostile.push(took);
            if took > PATIENCE {
                break;
            }
        }
        let (base, hostile) = (per_byte(&base, &clean), per_byte(&hostile, &text));
        let name = format!("  {name} ({hostile:.1} ns/B)");
        figures.push(Figure::new(name, hostile / base, "x").target(RATIO));
    }
    Ok(figures)
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
fn per_byte(samples: &Samples, text: &str) -> f64 {
    samples.median() * 1e6 / text.len() as f64
}

/// Makes the inputs: repeated pieces, then nested ones.
fn inputs() -> Vec<(String, String)> {
    let pieces = PIECES.iter().chain(&MORE);
    let mut inputs: Vec<(String, String)> = pieces
        .map(|piece| (format!("{piece:?}"), piece.repeat(LENGTH / piece.len())))
        .collect();
    let half = LENGTH / 2;
    let brackets = format!("{}{}", "[".repeat(half), "]".repeat(half));
    inputs.push(("closed brackets".to_owned(), brackets));
    let mut encoded = "password=granite42 ".repeat(LENGTH / 45);
    for _ in 0..3 {
        encoded = STANDARD.encode(encoded);
    }
    inputs.push(("base64 in base64 in base64".to_owned(), encoded));
    let mut quoted = "\"x\"".to_owned();
    while quoted.len() < LENGTH / 3 {
        quoted = serde_json::Value::String(quoted).to_string();
    }
    inputs.push(("JSON in JSON strings".to_owned(), quoted));
    inputs
}
