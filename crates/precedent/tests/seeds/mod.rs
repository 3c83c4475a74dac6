//! Secrets of documented forms, made up from a fixed seed, and the search for what is left of them.
//!
//! Forms are those of the vendors' own documentation and of RFC 3986 (URLs), RFC 6750 (bearer),
//! RFC 7468 (PEM), RFC 7515 (JWT) and RFC 7617 (basic). Every body is random, so that nothing here
//! opens anything.

use std::collections::HashMap;

/// How many bytes of a secret in a row count as the secret.
pub const FRAGMENT: usize = 8;

const ALPHANUMERIC: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &[u8] = b"0123456789abcdef";
const DIGITS: &[u8] = b"0123456789";
const BECH32: &[u8] = b"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";
const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A secret as somebody would give it, and the part of it that must not be seen again.
#[derive(Clone, Debug)]
pub struct Seed {
    /// What kind of secret it is, for messages.
    pub form: &'static str,
    /// The secret with what makes it recognisable.
    pub given: String,
    /// The secret part.
    pub private: String,
}

/// SplitMix64 (Steele, Lea and Flood 2014): the same seed gives the same secrets on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns characters of which the last two are digits, where the alphabet has some: a word of
    /// letters alone may be a name.
    fn word(&mut self, alphabet: &[u8], length: usize) -> String {
        let digits: Vec<u8> = alphabet
            .iter()
            .copied()
            .filter(u8::is_ascii_digit)
            .collect();
        (0..length)
            .map(|at| {
                let from = if at + 2 >= length && !digits.is_empty() {
                    &digits
                } else {
                    alphabet
                };
                let index = self.next() % from.len() as u64;
                char::from(from[usize::try_from(index).unwrap()])
            })
            .collect()
    }

    /// Returns the digits of a payment card of 16 digits, with its check digit (ISO/IEC 7812-1).
    fn card(&mut self) -> String {
        let body = format!("4{}", self.word(DIGITS, 14));
        let sum: u32 = body
            .bytes()
            .rev()
            .zip([true, false].into_iter().cycle())
            .map(|(digit, doubled)| match u32::from(digit - b'0') {
                digit if doubled && digit > 4 => digit * 2 - 9,
                digit if doubled => digit * 2,
                digit => digit,
            })
            .sum();
        format!("{body}{}", (10 - sum % 10) % 10)
    }
}

/// Forms whose secret part stands between two texts: name, before, alphabet, length, after.
const FORMS: &[(&str, &str, &[u8], usize, &str)] = &[
    ("github", "ghp_", ALPHANUMERIC, 36, ""),
    ("github oauth", "gho_", ALPHANUMERIC, 36, ""),
    ("github fine-grained", "github_pat_11", ALPHANUMERIC, 80, ""),
    ("gitlab", "glpat-", ALPHANUMERIC, 20, ""),
    ("aws id", "AKIA", UPPER, 16, ""),
    ("aws secret", "aws_secret_access_key=", BASE64, 40, ""),
    (
        "slack",
        "xoxb-123456789012-123456789012-",
        ALPHANUMERIC,
        24,
        "",
    ),
    (
        "slack hook",
        "https://hooks.slack.com/services/T0A1B2C3D/B0A1B2C3D/",
        ALPHANUMERIC,
        24,
        "",
    ),
    ("stripe", "sk_live_", ALPHANUMERIC, 24, ""),
    ("openai", "sk-proj-", ALPHANUMERIC, 48, ""),
    ("anthropic", "sk-ant-api03-", ALPHANUMERIC, 95, ""),
    ("google", "AIza", ALPHANUMERIC, 35, ""),
    ("twilio", "TWILIO_AUTH_TOKEN=", HEX, 32, ""),
    ("npm", "npm_", ALPHANUMERIC, 36, ""),
    ("pypi", "pypi-AgEIcHlwaS5vcmc", ALPHANUMERIC, 120, ""),
    ("digitalocean", "dop_v1_", HEX, 64, ""),
    ("hugging face", "hf_", ALPHANUMERIC, 34, ""),
    ("shopify", "shpat_", HEX, 32, ""),
    ("vault", "hvs.", ALPHANUMERIC, 90, ""),
    ("linear", "lin_api_", ALPHANUMERIC, 40, ""),
    ("age", "AGE-SECRET-KEY-1", BECH32, 58, ""),
    (
        "telegram",
        "TELEGRAM_BOT_TOKEN=123456789:AA",
        ALPHANUMERIC,
        33,
        "",
    ),
    (
        "postgres",
        "postgres://app:",
        ALPHANUMERIC,
        18,
        "@db.example.com/app",
    ),
    (
        "mongodb",
        "mongodb+srv://app:",
        ALPHANUMERIC,
        18,
        "@c0.example.net/app",
    ),
    (
        "redis",
        "redis://:",
        ALPHANUMERIC,
        18,
        "@cache.example.com/0",
    ),
    (
        "url",
        "https://ann:",
        ALPHANUMERIC,
        18,
        "@git.example.com/team/app.git",
    ),
    ("bearer", "Authorization: Bearer ", ALPHANUMERIC, 40, ""),
    ("basic", "Authorization: Basic ", ALPHANUMERIC, 32, ""),
    ("header", "X-Api-Key: ", ALPHANUMERIC, 32, ""),
    ("password", "password=", ALPHANUMERIC, 20, ""),
    ("variable", "export DB_PASSWORD=", ALPHANUMERIC, 20, ""),
    ("yaml", "db_password: ", ALPHANUMERIC, 20, ""),
    ("json", "{\"password\": \"", ALPHANUMERIC, 20, "\"}"),
    ("client secret", "client_secret=", ALPHANUMERIC, 32, ""),
    (
        "azure",
        "AccountName=app;AccountKey=",
        BASE64,
        86,
        "==;EndpointSuffix=core.windows.net",
    ),
    (
        "query",
        "https://api.example.com/v1?access_token=",
        ALPHANUMERIC,
        32,
        "",
    ),
    ("flag", "mysql --password=", ALPHANUMERIC, 20, " app"),
];

/// Labels of private keys that span lines (RFC 7468, RFC 4716, RFC 9580).
const ARMOURS: [(&str, &str); 4] = [
    ("pkcs8", "PRIVATE KEY"),
    ("rsa", "RSA PRIVATE KEY"),
    ("openssh", "OPENSSH PRIVATE KEY"),
    ("pgp", "PGP PRIVATE KEY BLOCK"),
];

/// Makes every seed.
pub fn seeds() -> Vec<Seed> {
    let mut random = Random(20_261_130);
    let mut seeds: Vec<Seed> = FORMS
        .iter()
        .map(|(form, before, alphabet, length, after)| {
            let private = random.word(alphabet, *length);
            Seed {
                form,
                given: format!("{before}{private}{after}"),
                private,
            }
        })
        .collect();
    seeds.extend(ARMOURS.iter().map(|(form, label)| {
        let lines: Vec<String> = (0..6).map(|_| random.word(BASE64, 64)).collect();
        let private = lines.join("\n");
        let given = format!("-----BEGIN {label}-----\n{private}\n-----END {label}-----");
        Seed {
            form,
            given,
            private,
        }
    }));
    let (claims, signature) = (random.word(ALPHANUMERIC, 60), random.word(ALPHANUMERIC, 43));
    let private = format!("{claims}.{signature}");
    seeds.push(Seed {
        form: "jwt",
        given: format!("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{private}"),
        private,
    });
    let card = random.card();
    seeds.push(Seed {
        form: "card",
        given: card.clone(),
        private: card,
    });
    seeds
}

/// Finds fragments of seeds in bytes, whatever they were written as.
pub struct Search {
    /// Fragments by length, with the seed that each is of.
    fragments: Vec<(usize, HashMap<Vec<u8>, usize>)>,
    starts: Vec<bool>,
}

impl Search {
    /// Prepares the search: every secret as it is, in JSON, percent-encoded, in hexadecimal, and in
    /// base64 at its three alignments (RFC 4648).
    pub fn new(seeds: &[Seed]) -> Self {
        let mut search = Self {
            fragments: vec![
                (FRAGMENT, HashMap::new()),
                (FRAGMENT * 4 / 3, HashMap::new()),
                (FRAGMENT * 2, HashMap::new()),
            ],
            starts: vec![false; 1 << 16],
        };
        for (at, seed) in seeds.iter().enumerate() {
            let secret = &seed.private;
            let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
            for written in [secret.clone(), escaped(secret), percent(secret)] {
                search.add(0, written.as_bytes(), at);
            }
            for skipped in 0..3 {
                search.add(1, base64(&secret.as_bytes()[skipped..]).as_bytes(), at);
            }
            search.add(2, hex.as_bytes(), at);
            search.add(2, hex.to_uppercase().as_bytes(), at);
        }
        search
    }

    fn add(&mut self, list: usize, written: &[u8], seed: usize) {
        let (length, known) = &mut self.fragments[list];
        for fragment in written.to_ascii_lowercase().windows(*length) {
            self.starts[start(fragment)] = true;
            known.insert(fragment.to_vec(), seed);
        }
    }

    /// Returns the seeds of which there is a fragment, in whatever case, each with where the first
    /// stands.
    pub fn find(&self, bytes: &[u8]) -> HashMap<usize, usize> {
        let bytes = bytes.to_ascii_lowercase();
        let mut found = HashMap::new();
        for at in 0..bytes.len().saturating_sub(FRAGMENT - 1) {
            if !self.starts[start(&bytes[at..])] {
                continue;
            }
            for (length, known) in &self.fragments {
                let fragment = bytes.get(at..at + length);
                if let Some(seed) = fragment.and_then(|fragment| known.get(fragment)) {
                    found.entry(*seed).or_insert(at);
                }
            }
        }
        found
    }

    /// Describes what was found in a place, each with what stands before it; empty if nothing was.
    pub fn leaks(&self, seeds: &[Seed], place: &str, bytes: &[u8]) -> Vec<String> {
        let mut found: Vec<String> = self
            .find(bytes)
            .into_iter()
            .map(|(seed, at)| {
                let before = String::from_utf8_lossy(&bytes[at.saturating_sub(60)..at]);
                format!("{} in {place} after {before:?}", seeds[seed].form)
            })
            .collect();
        found.sort();
        found
    }
}

fn start(bytes: &[u8]) -> usize {
    usize::from(bytes[0]) << 8 | usize::from(bytes[1])
}

/// Writes text as it stands in a JSON string (RFC 8259).
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
        .replace('/', "\\/")
}

/// Writes text as it stands in a URL (RFC 3986).
fn percent(text: &str) -> String {
    text.bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

fn base64(bytes: &[u8]) -> String {
    let mut out = String::new();
    for group in bytes.chunks_exact(3) {
        let bits = u32::from(group[0]) << 16 | u32::from(group[1]) << 8 | u32::from(group[2]);
        out.extend([18, 12, 6, 0].map(|shift| {
            let digit = usize::try_from(bits >> shift & 63).unwrap();
            char::from(BASE64[digit])
        }));
    }
    out
}
