//! International bank account numbers.

/// Account number lengths by country (ISO 13616-1; SWIFT, IBAN registry).
const IBAN_LENGTHS: &[(&str, usize)] = &[
    ("AD", 24),
    ("AE", 23),
    ("AL", 28),
    ("AT", 20),
    ("AZ", 28),
    ("BA", 20),
    ("BE", 16),
    ("BG", 22),
    ("BH", 22),
    ("BI", 27),
    ("BR", 29),
    ("BY", 28),
    ("CH", 21),
    ("CR", 22),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DJ", 27),
    ("DK", 18),
    ("DO", 28),
    ("EE", 20),
    ("EG", 29),
    ("ES", 24),
    ("FI", 18),
    ("FK", 18),
    ("FO", 18),
    ("FR", 27),
    ("GB", 22),
    ("GE", 22),
    ("GI", 23),
    ("GL", 18),
    ("GR", 27),
    ("GT", 28),
    ("HN", 28),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IQ", 23),
    ("IS", 26),
    ("IT", 27),
    ("JO", 30),
    ("KW", 30),
    ("KZ", 20),
    ("LB", 28),
    ("LC", 32),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("LY", 25),
    ("MC", 27),
    ("MD", 24),
    ("ME", 22),
    ("MK", 19),
    ("MN", 20),
    ("MR", 27),
    ("MT", 31),
    ("MU", 30),
    ("NI", 28),
    ("NL", 18),
    ("NO", 15),
    ("OM", 23),
    ("PK", 24),
    ("PL", 28),
    ("PS", 29),
    ("PT", 25),
    ("QA", 29),
    ("RO", 24),
    ("RS", 22),
    ("RU", 33),
    ("SA", 24),
    ("SC", 31),
    ("SD", 18),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("SM", 27),
    ("SO", 23),
    ("ST", 25),
    ("SV", 28),
    ("TL", 23),
    ("TN", 24),
    ("TR", 26),
    ("UA", 29),
    ("VA", 22),
    ("VG", 24),
    ("XK", 20),
    ("YE", 30),
];

/// Returns the end of the account number that starts here: a country's length and a valid check
/// (ISO 7064, MOD 97-10).
pub(super) fn end_at(bytes: &[u8], start: usize) -> Option<usize> {
    let country = bytes.get(start..start + 2)?;
    let (_, length) = IBAN_LENGTHS
        .iter()
        .find(|entry| entry.0.as_bytes() == country)?;
    if !super::bytes::starts_token(bytes, start) {
        return None;
    }
    let mut number = [0; MAX_LENGTH];
    let mut count = 0;
    let mut at = start;
    while count < *length {
        match *bytes.get(at)? {
            b' ' | b'-' if bytes[at - 1].is_ascii_alphanumeric() && count > 0 => {}
            b if b.is_ascii_digit() || b.is_ascii_uppercase() => {
                number[count] = b;
                count += 1;
            }
            _ => return None,
        }
        at += 1;
    }
    let open = bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let number = &mut number[..count];
    number.rotate_left(4);
    let remainder = number.iter().fold(0u32, |sum, b| match b {
        b'0'..=b'9' => (sum * 10 + u32::from(b - b'0')) % 97,
        _ => (sum * 100 + u32::from(b - b'A') + 10) % 97,
    });
    (remainder == 1 && !open).then_some(at)
}

/// Longest account number (ISO 13616-1).
const MAX_LENGTH: usize = 34;
