//! The command line of `redact`.

use std::path::PathBuf;

use clap::Args;

const NOTES: &str = "\
Without a mode it is a filter: a line leaves as soon as it is complete, unless it belongs together \
with those that follow, as in a private key or a JSON document, and memory stays bounded. Bytes that \
are no UTF-8 become U+FFFD; UTF-16 is read, with a byte order mark or by its zero bytes, and written \
as UTF-8. It opens no store and needs no key.

--json waits for the end, holds everything in memory and prints one object with the output and the \
account.

--jsonl reads {\"id\", \"text\", \"max_chars\"?, \"splits\"?} and writes {\"id\", \"output\", \"truncated\", \
\"findings\": [{\"class\", \"rule\", \"confidence\", \"out_offset\", \"len\"}]}, one line for each and in order. \
max_chars cuts what is redacted to so many characters. splits are offsets at which the text arrives \
in pieces; where they are makes no difference to the output, so whether they count bytes or \
characters makes none either. A broken line is answered with {\"id\": null, \"error\"} and ends the \
command with 1, after all lines.

Exit codes: 0 done; 1 reading or writing failed, or a line of --jsonl was broken; 10 something was \
masked and --fail-on-find was given; 64 misuse, such as a file that cannot be opened or a rule that \
is refused.";

#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct RedactArgs {
    /// What to redact; - or nothing reads stdin
    pub file: Option<PathBuf>,
    /// Write an account of what was masked to stderr, as one JSON object that grows with the
    /// number of findings
    #[arg(long)]
    pub report: bool,
    /// Redact one JSON object a line, and answer with one
    #[arg(long, conflicts_with = "report")]
    pub jsonl: bool,
    /// List the catalogue's rules instead
    #[arg(long, conflicts_with_all = ["file", "report", "jsonl", "rules", "gitleaks_rules", "allow", "env", "fail_on_find"])]
    pub list_rules: bool,
    /// Rules of your own, in TOML, beside the catalogue; may be repeated
    #[arg(long = "rules", value_name = "FILE")]
    pub rules: Vec<PathBuf>,
    /// Rules in the format of gitleaks; what is not carried over is told on stderr
    #[arg(long, value_name = "FILE")]
    pub gitleaks_rules: Option<PathBuf>,
    /// What is not to be masked, in TOML: values, keys, patterns, classes_off
    #[arg(long, value_name = "FILE")]
    pub allow: Option<PathBuf>,
    /// The key of the allow list's value_macs: 64 hexadecimal digits
    #[arg(long, value_name = "FILE", requires = "allow")]
    pub allow_key_file: Option<PathBuf>,
    /// Mask the values of environment variables whose names announce secrets, wherever they occur;
    /// values below 8 characters are too common to mask
    #[arg(long)]
    pub env: bool,
    /// End with 10 when anything was masked
    #[arg(long)]
    pub fail_on_find: bool,
}
