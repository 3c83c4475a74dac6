//! Keys of chains in plain hexadecimal or base58, which only their label or the call that takes
//! them tells from a digest, an address or a signature.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::bytes::run_end;
use super::label;
use crate::class::WALLET;
use crate::gate::{Entry, Families};
use crate::rule::Rule;
use crate::span::{Span, Stage};

/// Most signs between a label and its key.
const MAX_GAP: usize = 24;
/// Most keys of one list.
const MAX_KEYS: usize = 32;

const ID: &str = "chain-private-key";

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[Rule {
    id: ID,
    class: WALLET,
    source: "ethers, viem, web3.py, Hardhat, Foundry, Monero and Solana web3.js documentation, private keys",
}];

/// Labels and calls, with a blank for a blank, `_`, `-` or nothing.
const LABELS: &[&str] = &[
    "private key",
    "priv key",
    "spend key",
    "view key",
    "secret key",
    "raw key",
    "deployer key",
    "signer key",
    "wallet key",
    "wallet pk",
    "eth pk",
    "nodekey",
    "nodekeyhex",
    "accounts",
    "account import",
    "keypair",
    "wallet(",
    "private key to account(",
    "from_key(",
    "fromkey(",
    "secret key(",
    "bs58.decode(",
    "base58.decode(",
    "signing key(",
    "wallet::from",
    "secret scalar",
    "clave privada",
    "privater schlüssel",
    "私钥",
    "秘密鍵",
    "개인키",
];

fn spellings() -> &'static [String] {
    static SPELLINGS: OnceLock<Vec<String>> = OnceLock::new();
    SPELLINGS.get_or_init(|| label::spelled(LABELS))
}

fn labels() -> &'static AhoCorasick {
    static LABELS: OnceLock<AhoCorasick> = OnceLock::new();
    LABELS.get_or_init(|| label::automaton(spellings()))
}

/// Lists the labels.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    label::prefixes(spellings().iter().map(String::as_str))
        .map(|(text, _)| Entry::any_case(text, Families::PHRASE))
}

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut done = 0;
    for hit in labels().find_overlapping_iter(text) {
        let mut at = hit.end().max(done);
        for _ in 0..MAX_KEYS {
            let Some(key) = key_after(bytes, at) else {
                break;
            };
            at = key.end;
            done = at;
            spans.push(Span::new(key, WALLET, Stage::KeyValue).by(ID));
        }
    }
}

/// Reads the key that follows here after signs and small words.
fn key_after(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let limit = bytes.len().min(from + MAX_GAP);
    let mut start = from;
    while start < limit {
        let word = run_end(bytes, start, 8, |b| b.is_ascii_lowercase()) - start;
        let small = matches!(
            &bytes[start..start + word],
            b"is" | b"ist" | b"es" | b"hex" | b"for" | b"new" | b"b" | b"s" | b"decode"
        );
        let boundary = !bytes
            .get(start + word)
            .is_some_and(u8::is_ascii_alphanumeric);
        if small && boundary {
            start += word;
        } else if matches!(
            bytes[start],
            b' ' | b'\n'
                | b'"'
                | b'\''
                | b'`'
                | b':'
                | b'='
                | b'('
                | b'['
                | b','
                | b'\\'
                | b'>'
                | b'.'
                | b'-'
                | b'{'
                | b']'
        ) || !bytes[start].is_ascii()
        {
            start += 1;
        } else {
            break;
        }
    }
    let end = run_end(bytes, start, 100, |b| b.is_ascii_alphanumeric());
    is_key(&bytes[start..end]).then_some(start..end)
}

/// Tells whether these are 32 bytes in hexadecimal, or 64 bytes in base58 (87 or 88 digits).
fn is_key(run: &[u8]) -> bool {
    let hex = run.strip_prefix(b"0x").unwrap_or(run);
    let any = |of: fn(&u8) -> bool| run.iter().any(of);
    let varied = hex.iter().any(|b| *b != hex[0]);
    let base58 = |b: &u8| b.is_ascii_alphanumeric() && !matches!(b, b'0' | b'O' | b'I' | b'l');
    hex.len() == 64 && hex.iter().all(u8::is_ascii_hexdigit) && varied
        || matches!(run.len(), 87..=88)
            && run.iter().all(base58)
            && any(u8::is_ascii_uppercase)
            && any(u8::is_ascii_lowercase)
            && any(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    #[test]
    fn keys_after_labels_and_calls() {
        let key = "2e8151bcd8b3b69e264bfe772907ee90909b8de87b0f19671e6474fb85044e13";
        let prefixed = format!("0x{key}");
        for text in [
            format!("new ethers.Wallet(\"{prefixed}\", provider)"),
            format!("accounts: [\"{prefixed}\"],"),
            format!("const a = privateKeyToAccount('{prefixed}')"),
            format!("w3.eth.account.from_key(\"{prefixed}\")"),
            format!("the private key is {prefixed}."),
            format!("cast wallet import d --private-key {prefixed}"),
        ] {
            assert_eq!(masked(&text), [prefixed.as_str()], "{text}");
        }
        assert_eq!(masked(&format!("Secret spend key: {key}")), [key]);
        let solana = "5vyYx6ZN1Dn6JmFBiuKCLMZmjAuma14aR6bEwnaYTTgHkK6PDrtL4tMAjP6Mw9maB2qu3ipszLXkfeWwgUKDfNEk";
        let text = format!("Keypair.fromSecretKey(bs58.decode(\"{solana}\"))");
        assert_eq!(masked(&text), [solana]);
        let two = format!("accounts: ['{key}', '{prefixed}']");
        assert_eq!(masked(&two), [key, prefixed.as_str()]);
    }

    #[test]
    fn digests_and_addresses_stay() {
        for text in [
            "accounts: [\"0x71C7656EC7ab88b098defB751B7401B5f6d8976F\"]",
            "tx 0x2e8151bcd8b3b69e264bfe772907ee90909b8de87b0f19671e6474fb85044e13",
            "private key digest sha256:2e8151bcd8b3b69e264bfe772907ee90909b8de87b0f19671e6474fb85044e13",
        ] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }
}
