//! What stands on the lines after a key: the output of a command that shows a secret, and the
//! default in a block that is named like one.

use std::ops::Range;

use crate::class::PASSWORD;
use crate::gate::{Entry, Families};
use crate::key::{self, Sensitivity};
use crate::marker;
use crate::openings::Openings;
use crate::rule::Rule;
use crate::span::{Span, Stage};
use crate::value::{is_dense, is_phrase, is_secret, looks_random};

/// Longest line that is looked at, in bytes.
const MAX_LINE: usize = 512;
/// Most words of a command that are looked at.
const MAX_WORDS: usize = 48;

const OUTPUT: &str = "command-output";
const BLOCK: &str = "block-default";

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[
    Rule {
        id: OUTPUT,
        class: PASSWORD,
        source: "the manuals of programs that print the secret that they are asked for",
    },
    Rule {
        id: BLOCK,
        class: PASSWORD,
        source: "HCL native syntax specification, blocks; Terraform language, input variables",
    },
];

/// Programs that print what they are asked for.
static PRINTERS: Openings<59> = Openings::new([
    "cat",
    "head",
    "tail",
    "echo",
    "printenv",
    "pass",
    "kubectl",
    "oc",
    "vault",
    "op",
    "bw",
    "gcloud",
    "aws",
    "az",
    "heroku",
    "terraform",
    "tofu",
    "argocd",
    "security",
    "secret-tool",
    "gh",
    "glab",
    "docker",
    "podman",
    "sudo",
    "lpass",
    "gopass",
    "doppler",
    "infisical",
    "fly",
    "flyctl",
    "consul",
    "sops",
    "chamber",
    "gpg",
    "pulumi",
    "systemd-creds",
    "helm",
    "nomad",
    "keyring",
    "openssl",
    "pwgen",
    "htpasswd",
    "grep",
    "juju",
    "minikube",
    "rancher",
    "railway",
    "vercel",
    "wp",
    "rails",
    "python",
    "python3",
    "node",
    "base64",
    "jq",
    "yq",
    "sh",
    "bash",
]);

/// Lists the commands that make a secret and name none.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    ["openssl rand", "pwgen ", "gh auth"]
        .into_iter()
        .map(|word| Entry::exact(word, Families::KEY))
}

/// Tells whether the line is a command that prints a secret.
pub(crate) fn is_expected(line: &str) -> bool {
    expected(line) > Sensitivity::None
}

/// Judges by the words of a command how secret its output is.
fn expected(line: &str) -> Sensitivity {
    let line = line.trim();
    if line.len() > MAX_LINE {
        return Sensitivity::None;
    }
    let command = &line[prompt_end(line)..];
    let mut words = command
        .split(|c: char| c.is_whitespace() || matches!(c, '/' | '=' | '{' | '}' | '"' | '\'' | '$'))
        .filter(|word| !word.is_empty());
    let Some(program) = words.next() else {
        return Sensitivity::None;
    };
    let ends = || command.ends_with([':', ',']) || command.contains(['>', '<']);
    // The class in a marker asks for nothing.
    let prints = PRINTERS.of(program).any(|printer| printer == program);
    if !prints || ends() || command.contains(marker::OPEN) {
        return Sensitivity::None;
    }
    if matches!(program, "openssl" | "pwgen") && !command.contains("-in ") {
        return Sensitivity::Medium;
    }
    let asked = words.take(MAX_WORDS).map(asked_for).max();
    asked.unwrap_or(Sensitivity::None)
}

/// Returns where a shell's prompt at the start of a line ends, or the line's start.
fn prompt_end(line: &str) -> usize {
    /// Longest prompt, in bytes.
    const MAX: usize = 64;
    let bytes = line.as_bytes();
    // A blank follows the sign; some shells have one beyond ASCII.
    let ends = |blank: &usize| {
        let head = &bytes[..*blank];
        let before = match head {
            [before @ .., b'$' | b'#' | b'%' | b'>'] => before,
            _ => match head.strip_suffix("❯".as_bytes()) {
                Some(before) => before,
                None => return false,
            },
        };
        before.len() < MAX
            && matches!(
                before,
                [] | [.., b':' | b'~' | b')' | b']' | b'>' | b'S' | b' ']
            )
    };
    let reach = bytes.len().min(MAX + "❯".len());
    memchr::memchr_iter(b' ', &bytes[..reach])
        .find(ends)
        .map_or(0, |blank| blank + 1)
}

/// Judges a word of a command that names a secret, as a file, a field or a variable.
fn asked_for(word: &str) -> Sensitivity {
    let word = word.trim_start_matches(['-', '.']);
    let stem = word.strip_suffix(".txt").unwrap_or(word);
    let known = ["secret", "secrets", "config:get", "print-access-token"];
    if stem == "pass" {
        Sensitivity::Strong
    } else if known.contains(&word) {
        Sensitivity::Medium
    } else {
        match key::classify(stem) {
            Sensitivity::Weak => Sensitivity::None,
            sensitivity => sensitivity,
        }
    }
}

/// Tells whether the line is one word that a command may have printed.
pub(crate) fn is_output(line: &str) -> bool {
    let content = line.trim();
    let plain = |c: char| {
        c.is_ascii_graphic()
            && !matches!(
                c,
                '/' | '(' | ')' | '<' | '>' | '{' | '}' | '"' | '\'' | '`'
            )
    };
    (8..=MAX_LINE).contains(&content.len())
        && content.chars().all(plain)
        && !content.ends_with([':', ',', ';'])
        // What was a secret in it is masked already.
        && !content.contains(marker::OPEN)
}

/// Tells whether the line opens a block whose name is sensitive: `variable "db_password" {`.
pub(crate) fn opens_block(line: &str) -> bool {
    let Some(head) = line.trim_end().strip_suffix('{') else {
        return false;
    };
    let Some(head) = head.trim_end().strip_suffix('"') else {
        return false;
    };
    let name = head.rsplit('"').next().unwrap_or("");
    let kind = head.split_whitespace().next().unwrap_or("");
    matches!(
        kind,
        "variable" | "resource" | "output" | "parameter" | "secret" | "data"
    ) && key::classify(name) >= Sensitivity::Medium
}

/// Tells whether the line ends a block.
pub(crate) fn closes_block(line: &str) -> bool {
    line.starts_with('}') || line.is_empty()
}

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut at = 0;
    let mut awaited = Sensitivity::None;
    let mut block = None;
    while at < text.len() {
        let start = at;
        let (line, length) = first_line(&text[at..]);
        at += length;
        let ended = length > line.len();
        let body = line.trim_end();
        if awaited > Sensitivity::None && is_output(line) {
            let from = start + line.len() - line.trim_start().len();
            push_output(from, body.trim(), awaited, spans);
        }
        awaited = if ended {
            expected(body)
        } else {
            Sensitivity::None
        };
        if opens_block(body) {
            let name = body.rsplit('"').nth(1).unwrap_or("");
            block = Some(key::classify(name));
        } else if closes_block(body) {
            block = None;
        } else if let Some(sensitivity) = block {
            push_default(text, start..start + body.len(), sensitivity, spans);
        }
    }
}

/// Returns the first line and where the next starts; a string in a string writes `\\n`.
fn first_line(text: &str) -> (&str, usize) {
    let escape = |at: &usize| text.as_bytes().get(at + 1) == Some(&b'n');
    let end = memchr::memchr2_iter(b'\n', b'\\', text.as_bytes())
        .find(|at| text.as_bytes()[*at] == b'\n' || escape(at));
    match end {
        Some(end) if text.as_bytes()[end] == b'\n' => (&text[..end], end + 1),
        Some(end) => (&text[..end], end + 2),
        None => (text, text.len()),
    }
}

fn push_output(start: usize, content: &str, asked: Sensitivity, spans: &mut Vec<Span>) {
    // `NAME=value` is judged as an assignment.
    let assigns = content.trim_end_matches('=').contains('=');
    let telling = looks_random(content, 8)
        || asked == Sensitivity::Strong && (is_dense(content) || is_phrase(content));
    if !assigns && telling && is_secret(content, asked, true) {
        let range = start..start + content.len();
        spans.push(Span::new(range, PASSWORD, Stage::KeyValue).by(OUTPUT));
    }
}

/// Masks the literal of `default = "x"` and its like.
fn push_default(text: &str, line: Range<usize>, sensitivity: Sensitivity, spans: &mut Vec<Span>) {
    let body = &text[line.clone()];
    let Some((name, value)) = body.split_once('=') else {
        return;
    };
    if !matches!(
        name.trim(),
        "default" | "value" | "secret_string" | "plaintext" | "content"
    ) {
        return;
    }
    let value = value.trim_start_matches([' ', '\\']);
    let inner = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let Some(inner) = inner.map(|inner| inner.strip_suffix('\\').unwrap_or(inner)) else {
        return;
    };
    if !inner.contains("${") && is_secret(inner, sensitivity, true) {
        let quote = body.len() - value.len() + 1;
        let range = line.start + quote..line.start + quote + inner.len();
        spans.push(Span::new(range, PASSWORD, Stage::KeyValue).by(BLOCK));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    #[test]
    fn outputs_of_commands() {
        for (text, secret) in [
            (
                "$ cat .vault_pass\nTxuHWNAorBnR3cxKQ\n",
                "TxuHWNAorBnR3cxKQ",
            ),
            (
                "argocd admin initial-password -n argocd\n1mFCGCS0K3Qr\n",
                "1mFCGCS0K3Qr",
            ),
            (
                "ann@web:~$ terraform output -raw db_password\n8sKq2mPz7x\n",
                "8sKq2mPz7x",
            ),
            (
                "$ kubectl get secret db -o jsonpath='{.data.password}'\ncTFXMmUzUjRU\n",
                "cTFXMmUzUjRU",
            ),
            ("$ openssl rand -base64 12\nk8sQ2mPz7xVb\n", "k8sQ2mPz7xVb"),
        ] {
            assert_eq!(masked_by(find, text), [secret], "{text}");
        }
        for text in [
            "$ cat README.md\nTxuHWNAorBnR3cxKQ\n",
            "$ cat password_policy.md\nminimum-length\n",
            "$ kubectl get secret\nNAME TYPE DATA AGE\n",
            "the pass command prints:\nTxuHWNAorBnR3cxKQ\n",
        ] {
            assert_eq!(masked_by(find, text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn defaults_of_blocks() {
        let text = "variable \"db_password\" {\n  type = string\n  default = \"N1ck3l-l4dd\"\n}\n";
        assert_eq!(masked_by(find, text), ["N1ck3l-l4dd"]);
        for text in [
            "variable \"db_name\" {\n  default = \"N1ck3l-l4dd\"\n}\n",
            "variable \"db_password\" {\n  default = \"${var.x}\"\n}\n",
            "variable \"db_password\" {\n  description = \"N1ck3l-l4dd\"\n}\n",
        ] {
            assert_eq!(masked_by(find, text), Vec::<&str>::new(), "{text}");
        }
    }
}
