//! Private keys and seeds of wallets in their own encodings.

use super::bytes::{run_end, starts_token};
use crate::class::WALLET;
use crate::entropy::Makeup;
use crate::gate::{Entry, Families};
use crate::rule::Rule;
use crate::span::{Span, Stage};

/// The alphabets of keys.
#[derive(Clone, Copy)]
enum Alphabet {
    /// Base58 (Bitcoin Core, `base58.h`): no `0`, `O`, `I` and `l`.
    Base58,
    /// Bech32 (BIP-173): small letters and digits without `1`, `b`, `i` and `o`.
    Bech32,
    /// Base32 (RFC 4648, section 6) in capitals.
    Base32,
    Hex,
    Alnum,
}

impl Alphabet {
    fn has(self, b: u8) -> bool {
        match self {
            Self::Base58 => b.is_ascii_alphanumeric() && !matches!(b, b'0' | b'O' | b'I' | b'l'),
            Self::Bech32 => {
                (b.is_ascii_lowercase() || b.is_ascii_digit())
                    && !matches!(b, b'1' | b'b' | b'i' | b'o')
            }
            Self::Base32 => b.is_ascii_uppercase() || matches!(b, b'2'..=b'7'),
            Self::Hex => b.is_ascii_hexdigit(),
            Self::Alnum => b.is_ascii_alphanumeric(),
        }
    }
}

/// Describes one encoding.
struct Shape {
    id: &'static str,
    prefix: &'static str,
    alphabet: Alphabet,
    /// Least and greatest number of characters after the prefix.
    from: usize,
    to: usize,
    source: &'static str,
}

const fn shape(
    id: &'static str,
    prefix: &'static str,
    alphabet: Alphabet,
    from: usize,
    to: usize,
    source: &'static str,
) -> Shape {
    Shape {
        id,
        prefix,
        alphabet,
        from,
        to,
        source,
    }
}

use Alphabet::{Alnum, Base32, Base58, Bech32, Hex};

const WIF: &str = "Bitcoin wiki, Wallet import format";
const BIP32: &str = "BIP-32, serialization format; SLIP-132, version bytes";
const CIP5: &str = "Cardano CIP-5, common bech32 prefixes";
const TEZOS: &str = "Tezos documentation, base58check prefixes";
const AIP80: &str = "Aptos AIP-80, private key format";

/// Every encoding. Those with one letter before the body need its exact length.
const SHAPES: &[Shape] = &[
    shape("bitcoin-wif-uncompressed", "5", Base58, 50, 50, WIF),
    shape("bitcoin-wif-compressed-k", "K", Base58, 51, 51, WIF),
    shape("bitcoin-wif-compressed-l", "L", Base58, 51, 51, WIF),
    shape("bitcoin-testnet-wif-uncompressed", "9", Base58, 50, 50, WIF),
    shape("bitcoin-testnet-wif-compressed", "c", Base58, 51, 51, WIF),
    shape(
        "bip38-encrypted-key",
        "6P",
        Base58,
        56,
        56,
        "BIP-38, encrypted private key",
    ),
    shape("bip49-multisig-yprv", "Yprv", Base58, 90, 120, BIP32),
    shape("bip84-multisig-zprv", "Zprv", Base58, 90, 120, BIP32),
    shape(
        "stellar-secret-seed",
        "S",
        Base32,
        55,
        55,
        "Stellar SEP-23, strkey",
    ),
    shape(
        "ripple-ed25519-seed",
        "sEd",
        Base58,
        28,
        28,
        "XRP Ledger documentation, base58 encodings",
    ),
    shape("tezos-secp256k1-secret-key", "spsk", Base58, 50, 50, TEZOS),
    shape("tezos-p256-secret-key", "p2sk", Base58, 50, 50, TEZOS),
    shape(
        "near-ed25519-secret-key",
        "ed25519:",
        Base58,
        86,
        90,
        "NEAR documentation, access keys",
    ),
    shape(
        "nostr-encrypted-key",
        "ncryptsec1",
        Bech32,
        100,
        200,
        "Nostr NIP-49, private key encryption",
    ),
    shape("cardano-stake-key", "stake_xsk1", Bech32, 100, 180, CIP5),
    shape("cardano-ed25519-key", "ed25519_sk1", Bech32, 50, 70, CIP5),
    shape(
        "cardano-extended-ed25519-key",
        "ed25519e_sk1",
        Bech32,
        90,
        120,
        CIP5,
    ),
    shape(
        "aptos-ed25519-private-key",
        "ed25519-priv-0x",
        Hex,
        64,
        64,
        AIP80,
    ),
    shape(
        "aptos-secp256k1-private-key",
        "secp256k1-priv-0x",
        Hex,
        64,
        64,
        AIP80,
    ),
    shape(
        "kaspa-extended-private-key",
        "kprv",
        Base58,
        90,
        120,
        "Kaspa, extended key version bytes",
    ),
    shape(
        "litecoin-extended-private-key",
        "Ltpv",
        Base58,
        90,
        120,
        BIP32,
    ),
    shape(
        "dogecoin-extended-private-key",
        "dgpv",
        Alnum,
        90,
        120,
        BIP32,
    ),
];

/// Lists the rules.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    SHAPES.iter().map(|shape| Rule {
        id: shape.id,
        class: WALLET,
        source: shape.source,
    })
}

/// Lists the prefixes that are words.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    SHAPES
        .iter()
        .filter(|shape| shape.prefix.len() >= 3)
        .map(|shape| Entry::exact(shape.prefix, Families::RUN))
}

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let end = run_end(bytes, at, usize::MAX, |b| b.is_ascii_alphanumeric());
        // A key follows a sign, or the tail of an escape of a few letters.
        let last = if could_hold(&bytes[at..], end - at) {
            end.min(at + 8)
        } else {
            at
        };
        let starts = (at..last).filter(|at| starts_token(bytes, *at));
        let found = starts
            .filter_map(|start| Some((start, key_at(bytes, start)?)))
            .next();
        at = end;
        if let Some((start, (stop, id))) = found {
            spans.push(Span::new(start..stop, WALLET, Stage::Vendor).by(id));
            at = at.max(stop);
        }
    }
}

/// Shortest key without its prefix, in bytes.
const MIN_BODY: usize = 28;

/// Tells whether a run of letters and digits is long enough for a key, or its prefix goes on after
/// a sign.
fn could_hold(rest: &[u8], length: usize) -> bool {
    length >= MIN_BODY || matches!(rest.get(length), Some(b'_' | b'-' | b':'))
}

/// Reads the key that starts here and returns its end.
fn key_at(bytes: &[u8], start: usize) -> Option<(usize, &'static str)> {
    SHAPES.iter().find_map(|shape| {
        let rest = &bytes[start..];
        if !rest.starts_with(shape.prefix.as_bytes()) {
            return None;
        }
        let from = start + shape.prefix.len();
        let end = run_end(bytes, from, shape.to + 1, |b| shape.alphabet.has(b));
        let glued = bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
        let body = std::str::from_utf8(&bytes[from..end]).ok()?;
        ((shape.from..=shape.to).contains(&body.len()) && !glued && is_drawn(body, shape.alphabet))
            .then_some((end, shape.id))
    })
}

/// Tells whether a body looks drawn at random from its alphabet.
fn is_drawn(body: &str, alphabet: Alphabet) -> bool {
    let makeup = Makeup::of(body);
    let mixed = match alphabet {
        Alphabet::Base58 | Alphabet::Alnum => makeup.upper >= 5 && makeup.lower >= 5,
        _ => true,
    };
    mixed && makeup.digits >= 2 && makeup.letters() >= 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    /// Draws a body of an alphabet, always the same.
    fn body(alphabet: Alphabet, length: usize) -> String {
        let signs: Vec<u8> = (b'0'..=b'z').filter(|b| alphabet.has(*b)).collect();
        (0..length)
            .map(|i| char::from(signs[i * 7 % signs.len()]))
            .collect()
    }

    #[test]
    fn every_encoding_is_found() {
        for shape in SHAPES {
            let key = format!("{}{}", shape.prefix, body(shape.alphabet, shape.from));
            for text in [
                format!("key {key} end"),
                format!("鍵{key}です"),
                format!("\"a\\n{key}\""),
            ] {
                assert_eq!(masked(&text), [key.as_str()], "{}", shape.id);
            }
            let long = format!("x{key}");
            assert_eq!(masked(&long), Vec::<&str>::new(), "{}", shape.id);
        }
    }

    #[test]
    fn public_forms_stay() {
        for text in [
            format!("xpub{}", body(Base58, 107)),
            format!("npub1{}", body(Bech32, 58)),
            format!("G{}", body(Base32, 55)),
            format!("1{}", body(Base58, 33)),
            format!("ed25519:{}", body(Base58, 44)),
            format!("K{}", "a".repeat(51)),
        ] {
            assert_eq!(masked(&text), Vec::<&str>::new(), "{text}");
        }
    }
}
