//! The lines that begin and end armoured text (RFC 7468, section 2; RFC 4716; RFC 9580).

/// One such line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Armour {
    Begin { end: usize, private: bool },
    End { end: usize, private: bool },
}

/// Longest line in bytes, dashes included.
const MAX_LINE: usize = 96;

/// Words of the labels whose text is secret: PKCS #1, PKCS #8, SEC 1, OpenSSH, SSH2, PGP, sigstore
/// and TPM keys; the static and client keys of OpenVPN (OpenVPN manual, `--secret` and
/// `--tls-crypt-v2`).
const PRIVATE: &[&[u8]] = &[
    b"PRIVATE KEY",
    b"SECRET KEY",
    b"Static key",
    b"tls-crypt-v2",
];

/// Reads `-----BEGIN LABEL-----` or `-----END LABEL-----` at its first dash.
pub(super) fn armour(text: &str, at: usize) -> Option<Armour> {
    let bytes = text.as_bytes();
    let line = &bytes[at..bytes.len().min(at + MAX_LINE)];
    let dashes = line.iter().take_while(|b| **b == b'-').count();
    let blanks = usize::from(line.get(dashes) == Some(&b' '));
    let rest = &line[dashes + blanks..];
    let begins = rest.starts_with(b"BEGIN ");
    if dashes < 4 || !begins && !rest.starts_with(b"END ") {
        return None;
    }
    let head = dashes + blanks + if begins { 6 } else { 4 };
    let label = line[head..].iter();
    let length = label
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'.' | b'#' | b'_' | b'/'))
        .count();
    // A label holds single hyphens (`tls-crypt-v2`), so what ends it is two of them.
    let mut close = head + length;
    while line.get(close) == Some(&b'-') && line.get(close + 1) != Some(&b'-') {
        let word = line[close + 1..].iter();
        close += 1 + word
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b' ')
            .count();
    }
    let closing = line[close..].iter().take(5).take_while(|b| **b == b'-');
    let closing = closing.count();
    let label = &line[head..close];
    if closing < 4 || label.iter().all(|b| *b == b' ') {
        return None;
    }
    let private = PRIVATE
        .iter()
        .any(|known| label.windows(known.len()).any(|part| part == *known));
    let end = at + close + closing;
    Some(if begins {
        Armour::Begin { end, private }
    } else {
        Armour::End { end, private }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read() {
        let read = |text: &str| armour(text, 0);
        let line = |word: &str, label: &str| format!("-----{word} {label}-----");
        for (label, private) in [
            ("RSA PRIVATE KEY", true),
            ("PGP PRIVATE KEY BLOCK", true),
            ("OpenVPN Static key V1", true),
            ("OpenVPN tls-crypt-v2 client key", true),
            ("CERTIFICATE", false),
            ("PUBLIC KEY", false),
        ] {
            let begin = line("BEGIN", label);
            let end = begin.len();
            assert_eq!(
                read(&begin),
                Some(Armour::Begin { end, private }),
                "{label}"
            );
            let last = line("END", label);
            let end = last.len();
            assert_eq!(read(&last), Some(Armour::End { end, private }), "{label}");
        }
        let ssh2 = format!("---- {} SSH2 ENCRYPTED PRIVATE KEY ----", "BEGIN");
        assert!(matches!(
            read(&ssh2),
            Some(Armour::Begin { private: true, .. })
        ));
        for text in ["----- BEGINNING", "-----BEGIN x", "---", "----"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
