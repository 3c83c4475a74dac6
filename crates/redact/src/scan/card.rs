//! Card numbers: an issuer's prefix and length, a check digit, and no other label before.

use std::ops::Range;

use super::bytes::starts_token;
use super::digits::MAX_RUN;
use crate::class::CARD;
use crate::rule::Rule;

/// Longest card number (ISO/IEC 7812-1).
const MAX_DIGITS: usize = 19;

/// Finds the card number in a run of digits and single blanks or hyphens: all of it, or some of
/// its groups, since a date may stand before.
pub(super) fn find_in(bytes: &[u8], run: &Range<usize>) -> Option<(Range<usize>, &'static str)> {
    if run.len() > MAX_RUN {
        return None;
    }
    let starts = run
        .clone()
        .filter(|at| *at == run.start || matches!(bytes[at - 1], b' ' | b'-'));
    starts
        .filter(|start| bytes[*start].is_ascii_digit())
        .find_map(|start| number_at(bytes, start, run))
}

/// Reads the longest number that starts here and ends with its group.
fn number_at(
    bytes: &[u8],
    start: usize,
    run: &Range<usize>,
) -> Option<(Range<usize>, &'static str)> {
    let mut digits = [0; MAX_DIGITS];
    let mut count = 0;
    let mut found = None;
    for at in start..run.end {
        if !bytes[at].is_ascii_digit() {
            continue;
        }
        if count == MAX_DIGITS {
            break;
        }
        digits[count] = bytes[at] - b'0';
        count += 1;
        let ends_group = !bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        let range = start..at + 1;
        if ends_group
            && count >= 13
            && let Some(id) = fits(&digits[..count], bytes, &range, run)
        {
            found = Some((range, id));
        }
    }
    found
}

/// Tells by which rule these digits are a card number.
fn fits(
    digits: &[u8],
    bytes: &[u8],
    range: &Range<usize>,
    run: &Range<usize>,
) -> Option<&'static str> {
    let content = &bytes[range.clone()];
    let uniform = digits.iter().all(|d| *d == digits[0]);
    let whole = range == run;
    let id = issued(digits)?;
    let grouped = content.len() > digits.len();
    let fits = luhn(digits)
        && !uniform
        && well_grouped(content)
        && (whole || is_usual(content, digits.len()))
        && stands_alone(bytes, range)
        && !labelled_otherwise(bytes, range.start)
        && (id != LONG_VISA || grouped || labelled_card(bytes, range.start));
    fits.then_some(id)
}

/// Part of a run is a card only in the networks' usual groups, or undivided.
fn is_usual(content: &[u8], digits: usize) -> bool {
    content.len() == digits || groups(content).take(3).all(|len| len == 4)
}

/// Separators are all alike and stand between groups of two to seven digits.
fn well_grouped(content: &[u8]) -> bool {
    let Some(separator) = content.iter().find(|b| !b.is_ascii_digit()) else {
        return true;
    };
    let alike = content.iter().all(|b| b.is_ascii_digit() || b == separator);
    alike && groups(content).count() >= 3 && groups(content).all(|len| (2..=7).contains(&len))
}

fn groups(content: &[u8]) -> impl Iterator<Item = usize> + '_ {
    content.split(|b| !b.is_ascii_digit()).map(<[u8]>::len)
}

/// Tells whether no letter, digit or joining sign touches the number.
pub(super) fn stands_alone(bytes: &[u8], range: &Range<usize>) -> bool {
    let before = range.start.checked_sub(1).map(|at| bytes[at]);
    // The first track of a magnetic stripe starts with `%B` (ISO/IEC 7813).
    let track = bytes[..range.start].ends_with(b"%B");
    let glued_before = before.is_some_and(|b| matches!(b, b'_' | b'.' | b'-' | b'+' | b'/'))
        || !starts_token(bytes, range.start);
    let after = bytes.get(range.end).copied();
    let decimal = after == Some(b'.') && bytes.get(range.end + 1).is_some_and(u8::is_ascii_digit);
    let glued_after = after.is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    (track || !glued_before) && !glued_after && !decimal
}

/// A range of issuer identification numbers: the first digits, from and to, and the lengths.
struct Network {
    id: &'static str,
    /// How many first digits the bounds have.
    head: usize,
    from: u32,
    to: u32,
    /// Bit `n` is set if a number can have `n` digits.
    lengths: u32,
    source: &'static str,
}

const fn lengths(from: u32, to: u32) -> u32 {
    (1 << (to + 1)) - (1 << from)
}

const fn network(
    id: &'static str,
    head: usize,
    from: u32,
    to: u32,
    lengths: u32,
    source: &'static str,
) -> Network {
    Network {
        id,
        head,
        from,
        to,
        lengths,
        source,
    }
}

const VISA: &str = "Visa Core Rules, primary account numbers";
const MASTERCARD: &str = "Mastercard Rules, account ranges";
const DINERS: &str = "Discover Global Network, IIN ranges";
const DISCOVER: &str = "Discover Global Network, IIN ranges";
const JCB: &str = "JCB International, IIN range";
const UNIONPAY: &str = "UnionPay International, BIN ranges";
const MAESTRO: &str = "Mastercard Rules, Maestro account ranges";
const MIR: &str = "National Card Payment System, Mir BIN range";
const RUPAY: &str = "National Payments Corporation of India, RuPay BIN ranges";
const TROY: &str = "Bankalararasi Kart Merkezi, Troy BIN range";
const VERVE: &str = "Interswitch, Verve BIN ranges";
const ELO: &str = "Elo Servicos, BIN ranges";

/// The networks' ranges (ISO/IEC 7812-1 and the networks' own publications).
const NETWORKS: &[Network] = &[
    network("visa-card-number", 1, 4, 4, 1 << 13 | 1 << 16, VISA),
    network("mastercard-card-number", 2, 51, 55, 1 << 16, MASTERCARD),
    network(
        "mastercard-2-series-card-number",
        4,
        2221,
        2720,
        1 << 16,
        MASTERCARD,
    ),
    network(
        "american-express-card-number",
        2,
        34,
        34,
        1 << 15,
        "American Express, card number ranges",
    ),
    network(
        "american-express-37-card-number",
        2,
        37,
        37,
        1 << 15,
        "American Express, card number ranges",
    ),
    network(
        "diners-club-300-card-number",
        3,
        300,
        305,
        lengths(14, 14),
        DINERS,
    ),
    network(
        "diners-club-309-card-number",
        3,
        309,
        309,
        lengths(14, 14),
        DINERS,
    ),
    network(
        "diners-club-36-card-number",
        2,
        36,
        36,
        1 << 14 | 1 << 16,
        DINERS,
    ),
    network(
        "diners-club-38-card-number",
        2,
        38,
        39,
        1 << 14 | 1 << 16,
        DINERS,
    ),
    network(
        "discover-6011-card-number",
        4,
        6011,
        6011,
        lengths(16, 19),
        DISCOVER,
    ),
    network(
        "discover-644-card-number",
        3,
        644,
        649,
        lengths(16, 19),
        DISCOVER,
    ),
    network(
        "discover-65-card-number",
        2,
        65,
        65,
        lengths(16, 19),
        DISCOVER,
    ),
    network("jcb-card-number", 4, 3528, 3589, lengths(16, 19), JCB),
    network("unionpay-card-number", 2, 62, 62, lengths(16, 19), UNIONPAY),
    network(
        "unionpay-81-card-number",
        2,
        81,
        81,
        lengths(16, 19),
        UNIONPAY,
    ),
    network(
        "maestro-50-card-number",
        4,
        5018,
        5018,
        lengths(13, 19),
        MAESTRO,
    ),
    network(
        "maestro-5020-card-number",
        4,
        5020,
        5020,
        lengths(13, 19),
        MAESTRO,
    ),
    network(
        "maestro-5038-card-number",
        4,
        5038,
        5038,
        lengths(13, 19),
        MAESTRO,
    ),
    network(
        "maestro-5893-card-number",
        4,
        5893,
        5893,
        lengths(13, 19),
        MAESTRO,
    ),
    network(
        "maestro-6304-card-number",
        4,
        6304,
        6304,
        lengths(13, 19),
        MAESTRO,
    ),
    network(
        "maestro-6759-card-number",
        4,
        6759,
        6763,
        lengths(13, 19),
        MAESTRO,
    ),
    network(
        "maestro-67677-card-number",
        5,
        67677,
        67677,
        lengths(13, 19),
        MAESTRO,
    ),
    network("mir-card-number", 4, 2200, 2204, lengths(16, 19), MIR),
    network("rupay-60-card-number", 2, 60, 60, 1 << 16, RUPAY),
    network("rupay-82-card-number", 2, 82, 82, 1 << 16, RUPAY),
    network("rupay-508-card-number", 3, 508, 508, 1 << 16, RUPAY),
    network("troy-card-number", 4, 9792, 9792, 1 << 16, TROY),
    network(
        "verve-506-card-number",
        5,
        50609,
        50619,
        1 << 16 | 1 << 18 | 1 << 19,
        VERVE,
    ),
    network(
        "verve-507-card-number",
        5,
        50786,
        50796,
        1 << 16 | 1 << 18 | 1 << 19,
        VERVE,
    ),
    network("elo-5067-card-number", 4, 5066, 5067, 1 << 16, ELO),
    network("elo-636-card-number", 6, 636297, 636368, 1 << 16, ELO),
    network(
        "dankort-card-number",
        4,
        5019,
        5019,
        1 << 16,
        "Nets, Dankort BIN range",
    ),
    network(
        "instapayment-card-number",
        3,
        637,
        639,
        1 << 16,
        "InstaPayment, IIN range",
    ),
    network(
        "uzcard-card-number",
        4,
        8600,
        8600,
        1 << 16,
        "UzCard, BIN range",
    ),
    network(
        "humo-card-number",
        4,
        9860,
        9860,
        1 << 16,
        "HUMO, BIN range",
    ),
];

/// Visa's longest form is rare, and bare numbers of that length are common: it needs groups or a
/// label.
const LONG_VISA: &str = "visa-long-card-number";

/// Lists the rules.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    let long = std::iter::once((LONG_VISA, VISA));
    NETWORKS
        .iter()
        .map(|network| (network.id, network.source))
        .chain(long)
        .map(|(id, source)| Rule {
            id,
            class: CARD,
            source,
        })
}

/// Tells which network's number this is, by its first digits and its length.
fn issued(digits: &[u8]) -> Option<&'static str> {
    let head = |n: usize| {
        digits[..n]
            .iter()
            .fold(0, |sum, d| sum * 10 + u32::from(*d))
    };
    let fits = |network: &&Network| {
        network.lengths >> digits.len() & 1 != 0
            && (network.from..=network.to).contains(&head(network.head))
    };
    let found = NETWORKS.iter().find(fits).map(|network| network.id);
    let long = || (digits.len() == 19 && digits[0] == 4).then_some(LONG_VISA);
    found.or_else(long)
}

/// Checks the last digit (ISO/IEC 7812-1, annex B).
fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, d)| match (at % 2, u32::from(*d)) {
            (0, d) => d,
            (_, d) if d > 4 => d * 2 - 9,
            (_, d) => d * 2,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Tells whether a word before the number says that it is something else.
pub(super) fn labelled_otherwise(bytes: &[u8], at: usize) -> bool {
    const OTHER: &[&str] = &[
        "id",
        "ids",
        "ts",
        "order",
        "trace",
        "span",
        "tweet",
        "snowflake",
        "counter",
        "timestamp",
        "seq",
        "isbn",
        "imei",
        "po",
        "offset",
        "nonce",
        "time",
        "phone",
        "tel",
        "message_ts",
        "uid",
        "ean",
        "gtin",
        "upc",
        "tracking",
        "invoice",
        "epoch",
        "ns",
        "us",
        "count",
        "bytes",
        "size",
    ];
    let word = word_before(bytes, at);
    OTHER
        .iter()
        .any(|other| other.as_bytes().eq_ignore_ascii_case(word))
}

/// Tells whether a word shortly before the number says that it is a card's.
fn labelled_card(bytes: &[u8], at: usize) -> bool {
    const CARD_WORDS: &[&[u8]] = &[
        b"card",
        b"number",
        b"pan",
        b"cc",
        b"visa",
        b"ccnum",
        b"tarjeta",
        b"carte",
        b"karte",
        b"kreditkarte",
        b"kartennummer",
        b"cardnumber",
        b"carta",
        b"cartao",
        b"kaart",
        b"pay",
    ];
    let head = &bytes[at.saturating_sub(24)..at];
    head.split(|b| !b.is_ascii_alphanumeric())
        .any(|word| CARD_WORDS.iter().any(|known| ends_with_word(word, known)))
        || head.windows(9).any(|part| part == "カード".as_bytes())
        || head.windows(3).any(|part| part == "卡".as_bytes())
}

/// Tells whether a name in any case is or ends with this word: `cardNumber`.
fn ends_with_word(name: &[u8], word: &[u8]) -> bool {
    let Some(from) = name.len().checked_sub(word.len()) else {
        return false;
    };
    name[from..].eq_ignore_ascii_case(word)
        && (from == 0 || name[from].is_ascii_uppercase() && name[from - 1].is_ascii_lowercase())
}

/// Returns the letters and digits before the signs that precede a value.
fn word_before(bytes: &[u8], at: usize) -> &[u8] {
    let head = &bytes[at.saturating_sub(32)..at];
    let head = head.trim_ascii_end();
    let signs = head
        .iter()
        .rev()
        .take_while(|b| matches!(b, b' ' | b'"' | b'\'' | b':' | b'=' | b'#' | b'\\'))
        .count();
    let head = &head[..head.len() - signs];
    head.rsplit(|b| !b.is_ascii_alphanumeric())
        .next()
        .unwrap_or(&[])
}
