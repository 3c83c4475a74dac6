//! Secrets in the forms that their vendors document, with values of chance.

use super::words::{NOUNS, hex, pick, run};
use crate::random::Random;

const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const URL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The number of forms.
pub const FORMS: usize = 14;

/// Makes a line or block with one secret of the form.
pub fn formed(form: usize, random: &mut Random) -> String {
    let mut alnum = |count| run(ALNUM, count, random);
    match form {
        0 => format!("remote: https://ghp_{}@github.com/acme/app.git", alnum(36)),
        1 => format!("AWS_ACCESS_KEY_ID=AKIA{}", run(UPPER, 16, random)),
        2 => format!("aws_secret_access_key = {}", run(BASE64, 40, random)),
        3 => format!("DB_PASSWORD={}", alnum(14)),
        4 => format!(
            "DATABASE_URL=postgres://app:{}@db.internal:5432/app",
            alnum(16)
        ),
        5 => format!(
            "> Authorization: Bearer eyJ{}.eyJ{}.{}",
            run(URL, 33, random),
            run(URL, 80, random),
            run(URL, 43, random)
        ),
        6 => format!(
            "\"anthropicKey\": \"sk-ant-api03-{}\",",
            run(URL, 93, random)
        ),
        7 => format!("SLACK_BOT_TOKEN=xoxb-2{}-{}", "1".repeat(11), alnum(24)),
        8 => format!("  password: '{} {}'", pick(&NOUNS, random), hex(6, random)),
        9 => format!("$ mysql -h db -u root -p{}", alnum(12)),
        10 => private_key(random),
        11 => format!("stripe.api_key = 'sk_live_{}'", alnum(24)),
        12 => format!("//registry.npmjs.org/:_authToken=npm_{}", alnum(36)),
        _ => format!("{{\"client_secret\":\"{}\",\"grant\":\"code\"}}", alnum(32)),
    }
}

/// Makes a block in the form of RFC 7468.
fn private_key(random: &mut Random) -> String {
    let mut block = String::from("-----BEGIN RSA PRIVATE KEY-----\n");
    for _ in 0..25 {
        block.push_str(&run(BASE64, 64, random));
        block.push('\n');
    }
    block + "-----END RSA PRIVATE KEY-----"
}
