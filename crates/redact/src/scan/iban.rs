//! International bank account numbers.

/// Account number lengths by country (ISO 13616, the SWIFT registry).
const IBAN_LENGTHS: &[(&str, usize)] = &[
    ("AT", 20),
    ("BE", 16),
    ("BG", 22),
    ("CH", 21),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DK", 18),
    ("EE", 20),
    ("ES", 24),
    ("FI", 18),
    ("FR", 27),
    ("GB", 22),
    ("GR", 27),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IS", 26),
    ("IT", 27),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("MC", 27),
    ("MT", 31),
    ("NL", 18),
    ("NO", 15),
    ("PL", 28),
    ("PT", 25),
    ("RO", 24),
    ("RS", 22),
    ("SA", 24),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("SM", 27),
    ("TR", 26),
    ("AE", 23),
    ("BR", 29),
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
            b' ' if bytes[at - 1] != b' ' => {}
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
