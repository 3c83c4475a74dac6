//! Check digits of identity numbers, over the characters without separators, in capitals.

/// Tells whether a number's own check holds.
pub(super) type Check = fn(&[u8]) -> bool;

/// Holds for numbers without a check digit.
pub(super) fn none(_: &[u8]) -> bool {
    true
}

fn digit(b: u8) -> u32 {
    u32::from(b.saturating_sub(b'0'))
}

fn number(digits: &[u8]) -> u64 {
    digits
        .iter()
        .fold(0, |sum, b| sum * 10 + u64::from(digit(*b)))
}

fn weighted(number: &[u8], weights: &[u32]) -> u32 {
    number.iter().zip(weights).map(|(b, w)| digit(*b) * w).sum()
}

fn varied(number: &[u8]) -> bool {
    number.iter().any(|b| *b != number[0])
}

/// The Luhn digit (ISO/IEC 7812-1, annex B).
pub(super) fn luhn(number: &[u8]) -> bool {
    let doubled = |d: u32| d * 2 / 10 + d * 2 % 10;
    let digits = number.iter().rev().enumerate();
    let sum: u32 = digits
        .map(|(at, b)| {
            if at % 2 == 0 {
                digit(*b)
            } else {
                doubled(digit(*b))
            }
        })
        .sum();
    sum.is_multiple_of(10) && varied(number)
}

/// Area, group and serial of a US number (Social Security Administration, number randomisation).
pub(super) fn ssn(number: &[u8]) -> bool {
    let part = |from: usize, to: usize| self::number(&number[from..to]);
    let (area, group, serial) = (part(0, 3), part(3, 5), part(5, 9));
    area != 0 && area != 666 && area < 900 && group != 0 && serial != 0
}

/// A Canadian number has a Luhn digit and starts with no zero.
pub(super) fn sin(number: &[u8]) -> bool {
    number[0] != b'0' && luhn(number)
}

/// The prefixes that a British number may have.
pub(super) fn nino(number: &[u8]) -> bool {
    let outside = |b: u8, set: &[u8]| !set.contains(&b);
    outside(number[0], b"DFIQUV")
        && outside(number[1], b"DFIQUVO")
        && ![b"BG", b"GB", b"KN", b"NK", b"NT", b"TN", b"ZZ"].contains(&&[number[0], number[1]])
        && matches!(number[8], b'A'..=b'D')
}

/// The key of a French number: 97 less the remainder of the number by 97; Corsica's letters count
/// as 19 and 18.
pub(super) fn nir(number: &[u8]) -> bool {
    let mut plain = [0; 15];
    plain.copy_from_slice(&number[..15]);
    match &number[5..7] {
        b"2A" => plain[5..7].copy_from_slice(b"19"),
        b"2B" => plain[5..7].copy_from_slice(b"18"),
        _ => {}
    }
    let month = self::number(&plain[3..5]);
    matches!(plain[0], b'1' | b'2' | b'3' | b'4' | b'7' | b'8')
        && matches!(month, 1..=12 | 20..=42 | 50..=99)
        && plain.iter().all(u8::is_ascii_digit)
        && 97 - self::number(&plain[..13]) % 97 == self::number(&plain[13..])
}

/// The letter of a Spanish number, for citizens or (with X, Y, Z before) for foreigners.
pub(super) fn spanish(number: &[u8]) -> bool {
    const LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";
    let head = match number[0] {
        b'X' => 0,
        b'Y' => 10_000_000,
        b'Z' => 20_000_000,
        b => u64::from(digit(b)) * 10_000_000,
    };
    let rest = (head + self::number(&number[1..8])) % 23;
    usize::try_from(rest).is_ok_and(|rest| LETTERS[rest] == number[8])
}

/// The control letter of an Italian number (Ministero delle Finanze, decree of 23 December 1976).
pub(super) fn italian(number: &[u8]) -> bool {
    const ODD: [u32; 26] = [
        1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24,
        23,
    ];
    let place = |b: u8| {
        let from = if b.is_ascii_digit() { b'0' } else { b'A' };
        usize::from(b.saturating_sub(from))
    };
    let value = |(at, b): (usize, &u8)| {
        if at % 2 == 0 {
            ODD.get(place(*b)).copied().unwrap_or(0)
        } else {
            u32::try_from(place(*b)).unwrap_or(0)
        }
    };
    let sum: u32 = number[..15].iter().enumerate().map(value).sum();
    number[15] == b'A' + u8::try_from(sum % 26).unwrap_or(0)
}

/// Two check digits of a Brazilian person's number.
pub(super) fn cpf(number: &[u8]) -> bool {
    let check = |n: usize| {
        let weights = (2..=10 + u32::try_from(n - 9).unwrap_or(0)).rev();
        let sum: u32 = number[..n]
            .iter()
            .zip(weights)
            .map(|(b, w)| digit(*b) * w)
            .sum();
        sum * 10 % 11 % 10
    };
    varied(number) && check(9) == digit(number[9]) && check(10) == digit(number[10])
}

/// Two check digits of a Brazilian company's number.
pub(super) fn cnpj(number: &[u8]) -> bool {
    const WEIGHTS: [u32; 13] = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
    let check = |n: usize| {
        let rest = weighted(&number[..n], &WEIGHTS[13 - n..]) % 11;
        if rest < 2 { 0 } else { 11 - rest }
    };
    varied(number) && check(12) == digit(number[12]) && check(13) == digit(number[13])
}

/// The Verhoeff digit of an Indian number (Verhoeff, Error Detecting Decimal Codes, 1969).
pub(super) fn aadhaar(number: &[u8]) -> bool {
    // Multiplication in the dihedral group of ten elements.
    let times = |a: u32, b: u32| match (a < 5, b < 5) {
        (true, true) => (a + b) % 5,
        (true, false) => (a + b - 5) % 5 + 5,
        (false, true) => (a - 5 + 5 - b) % 5 + 5,
        (false, false) => (a + 5 - b) % 5,
    };
    const PERMUTED: [u32; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
    let permute = |digit: u32, times: usize| {
        (0..times).fold(digit, |d, _| PERMUTED[usize::try_from(d).unwrap_or(0)])
    };
    let digits = number.iter().rev().enumerate();
    let sum = digits.fold(0, |sum, (at, b)| times(sum, permute(digit(*b), at % 8)));
    sum == 0 && number[0] > b'1'
}

fn is_day(month: &[u8], day: &[u8]) -> bool {
    matches!(number(month), 1..=12) && matches!(number(day), 1..=31)
}

/// A Korean number: a date, the century and sex, and a check digit.
pub(super) fn korean(number: &[u8]) -> bool {
    const WEIGHTS: [u32; 12] = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];
    let rest = weighted(&number[..12], &WEIGHTS) % 11;
    is_day(&number[2..4], &number[4..6])
        && matches!(number[6], b'1'..=b'8')
        && (11 - rest) % 10 == digit(number[12])
}

/// A Chinese number: a date and a check character (GB 11643; ISO 7064, MOD 11-2).
pub(super) fn chinese(number: &[u8]) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    const CHECKS: &[u8; 11] = b"10X98765432";
    let rest = weighted(&number[..17], &WEIGHTS) % 11;
    matches!(&number[6..8], b"19" | b"20")
        && is_day(&number[10..12], &number[12..14])
        && usize::try_from(rest).is_ok_and(|rest| CHECKS[rest] == number[17])
}

/// The letter of a Singaporean number.
pub(super) fn singaporean(number: &[u8]) -> bool {
    let (offset, letters): (u32, &[u8; 11]) = match number[0] {
        b'S' => (0, b"JZIHGFEDCBA"),
        b'T' => (4, b"JZIHGFEDCBA"),
        b'F' => (0, b"XWUTRQPNMLK"),
        b'G' => (4, b"XWUTRQPNMLK"),
        b'M' => (3, b"XWUTRQPNJLK"),
        _ => return false,
    };
    let rest = (weighted(&number[1..8], &[2, 7, 6, 5, 4, 3, 2]) + offset) % 11;
    let at = if number[0] == b'M' { 10 - rest } else { rest };
    usize::try_from(at).is_ok_and(|at| letters[at] == number[8])
}

/// The check digit of a Swiss number is that of EAN-13.
pub(super) fn swiss(number: &[u8]) -> bool {
    let weights = [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1];
    number.starts_with(b"756") && weighted(number, &weights).is_multiple_of(10)
}

/// The check digit of a Polish number.
pub(super) fn pesel(number: &[u8]) -> bool {
    let sum = weighted(number, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]);
    sum.is_multiple_of(10) && varied(number)
}

/// The eleven-test of a Dutch number.
pub(super) fn bsn(number: &[u8]) -> bool {
    let sum = weighted(number, &[9, 8, 7, 6, 5, 4, 3, 2, 10]);
    sum.is_multiple_of(11) && varied(number)
}

/// The eleven-test of a British patient's number.
pub(super) fn nhs(number: &[u8]) -> bool {
    let sum = weighted(number, &[10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    sum.is_multiple_of(11) && varied(number)
}

/// A Mexican key: a date, the sex and a check digit.
pub(super) fn curp(number: &[u8]) -> bool {
    // The alphabet has Ñ after N.
    let value = |b: u8| match b {
        b'0'..=b'9' => digit(b),
        b'A'..=b'N' => u32::from(b - b'A') + 10,
        _ => u32::from(b.saturating_sub(b'A')) + 11,
    };
    let weights = (2..=18u32).rev();
    let sum: u32 = number[..17]
        .iter()
        .zip(weights)
        .map(|(b, w)| value(*b) * w)
        .sum();
    is_day(&number[6..8], &number[8..10])
        && matches!(number[10], b'H' | b'M' | b'X')
        && (10 - sum % 10) % 10 == digit(number[17])
}

/// The check digit of an Argentine number.
pub(super) fn cuit(number: &[u8]) -> bool {
    let rest = weighted(&number[..10], &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
    let check = (11 - rest) % 11;
    matches!(
        &number[..2],
        b"20" | b"23" | b"24" | b"25" | b"26" | b"27" | b"30" | b"33" | b"34"
    ) && check == digit(number[10])
        && varied(number)
}

/// The check character of a Finnish number: the remainder of its nine digits by 31.
pub(super) fn finnish(number: &[u8]) -> bool {
    const CHECKS: &[u8; 31] = b"0123456789ABCDEFHJKLMNPRSTUVWXY";
    let digits = self::number(&number[..6]) * 1000 + self::number(&number[6..9]);
    is_day(&number[2..4], &number[..2])
        && usize::try_from(digits % 31).is_ok_and(|rest| CHECKS[rest] == number[9])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that the authorities and their manuals print as examples.
    #[test]
    fn published_examples_hold() {
        let checks: &[(&str, Check, &str)] = &[
            ("luhn", luhn, "8112189876"),
            ("sin", sin, "193456787"),
            ("nino", nino, "AA123456C"),
            ("nir", nir, "255081416802538"),
            ("spanish", spanish, "12345678Z"),
            ("spanish", spanish, "X1234567L"),
            ("italian", italian, "RSSMRA85T10A562S"),
            ("cpf", cpf, "11144477735"),
            ("cnpj", cnpj, "11222333000181"),
            ("korean", korean, "9001012360339"),
            ("chinese", chinese, "11010519491231002X"),
            ("singaporean", singaporean, "S1234567D"),
            ("swiss", swiss, "7569217076985"),
            ("pesel", pesel, "44051401359"),
            ("bsn", bsn, "111222333"),
            ("nhs", nhs, "9434765919"),
            ("curp", curp, "HEGG560427MVZRRL04"),
            ("cuit", cuit, "20172543597"),
            ("finnish", finnish, "131052308T"),
            ("aadhaar", aadhaar, "799788397088"),
        ];
        for (name, check, number) in checks {
            assert!(check(number.as_bytes()), "{name} {number}");
        }
    }

    #[test]
    fn a_changed_digit_is_noticed() {
        let checks: &[(Check, &str)] = &[
            (luhn, "8112189976"),
            (nir, "255081416802638"),
            (spanish, "12345679Z"),
            (italian, "RSSMRA85T10A563S"),
            (cpf, "11144477835"),
            (korean, "9001012360439"),
            (chinese, "11010519491231012X"),
            (swiss, "7569217076995"),
            (pesel, "44051401459"),
            (bsn, "111222343"),
            (nhs, "9434765929"),
            (curp, "HEGG560427MVZRRL05"),
            (cuit, "20172543697"),
            (finnish, "131052309T"),
            (aadhaar, "799788397188"),
            (ssn, "000123456"),
            (ssn, "666123456"),
            (ssn, "123004567"),
        ];
        for (check, number) in checks {
            assert!(!check(number.as_bytes()), "{number}");
        }
    }
}
