//! Writes the seed corpora into the folder that is named: `seeds FOLDER`.
//!
//! Values that look like credentials are drawn here in the documented forms and never committed.

use std::error::Error;
use std::fs;
use std::path::Path;

#[path = "../benches/random.rs"]
mod random;
#[expect(dead_code, reason = "seeds take passages and forms, not whole traces")]
#[path = "../benches/trace/mod.rs"]
mod trace;

use random::Random;

/// Longest passage around a secret, so that seeds stay short.
const CONTEXT: usize = 200;

const RULES: [&str; 3] = [
    r#"[[rules]]
id = "acme-token"
class = "acme_token"
regex = 'acme_([a-z0-9]{12})'
keywords = ["acme_"]
group = 1
min_entropy = 1.0
max_len = 64
hit = ["token: acme_0a1b2c3d4e5f"]
miss = ["acme_corporation"]
"#,
    r#"title = "gitleaks config"
[[rules]]
id = "generic-api-key"
description = "key"
regex = '''(?i)[\w.-]{0,50}?(?:access|auth)[\w]{0,20}[\s'"]{0,3}=[\s'"]{0,5}([\w.=-]{10,150}|[a-z0-9][a-z0-9+/]{11,}={0,3})(?:[\x60'"\s;]|\\[nr]|$)'''
entropy = 3.5
secretGroup = 1
keywords = ["access", "auth"]
[[rules.allowlists]]
condition = "AND"
regexTarget = "line"
regexes = ['''(?i)example''']
stopwords = ["sample"]
paths = ['''go\.sum$''']
[allowlist]
regexes = ['''^\$\{.*\}$''']
"#,
    "values = []\nkeys = [\"build_token\"]\npatterns = ['test-[a-z]{4}']\nclasses_off = [\"email\"]\n",
];

const STRUCTURES: [&str; 12] = [
    r#"{"name":"password","value":"granite42"}"#,
    r#"[{"key":"api_key","value":"Zz91kkQ4Zt8KxW2pLm9R"},[1,-0.5e3,null,true,"\u00e9\n"]]"#,
    r#"{"log":"{\"password\":\"gr4nite\"}","a":{"credentials":{"b":"c","pin":1234}}}"#,
    "user,password,host\nann,gr4nite-b1shop,db\n",
    "| name | secret |\n|---|---|\n| a | gr4nite-b1shop |\n",
    "machine db.internal login ann password gr4nite\n",
    "password:\n  gr4nite-b1shop\nnext: line\n",
    "mysql -h db \\\n  -u root \\\n  -pgr4nite\n",
    "recovery codes:\nabcd-1234\nefgh-5678\nijkl-9012\n",
    "<password>gr4nite</password> <a key='b'/>\n",
    "card 4111 1111 1111 1111 cvv 123, DE89 3704 0044 0532 0130 00\n",
    "[REDACTED:jwt] and [REDACTED:unknown] and \u{1b}[32mpassword\u{1b}[0m=gr4nite %22token%22\n",
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: seeds FOLDER")?;
    let folder = Path::new(&folder);
    write(&folder.join("redact"), &redact())?;
    write(&folder.join("rules"), &RULES.map(str::to_owned))?;
    let entries = include_str!("../crates/audit/tests/vectors/entries.jsonl");
    let entries: Vec<String> = entries.lines().map(str::to_owned).collect();
    write(&folder.join("canonical"), &entries)?;
    let certificate = [
        include_str!("../crates/audit/tests/vectors/certificate.payload.json").to_owned(),
        include_str!("../crates/audit/tests/vectors/certificate.dsse.json").to_owned(),
        include_str!("../crates/audit/tests/vectors/certificate.spki.b64")
            .trim()
            .to_owned(),
    ];
    write(&folder.join("certificate"), &certificate)
}

/// Makes each form of secret alone and between lines of a trace, and the structures that a
/// secret can stand in.
fn redact() -> Vec<String> {
    let mut random = Random::new(1);
    let mut seeds: Vec<String> = STRUCTURES.map(str::to_owned).to_vec();
    for form in 0..trace::FORMS {
        let secret = trace::formed(form, &mut random);
        let before = trace::clean(random.below(CONTEXT), &mut random);
        let after = trace::clean(random.below(CONTEXT), &mut random);
        seeds.push(format!("{before}\n{secret}\n{after}"));
        seeds.push(secret);
    }
    seeds
}

fn write(folder: &Path, seeds: &[String]) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for (number, seed) in seeds.iter().enumerate() {
        fs::write(folder.join(format!("seed-{number:02}")), seed)?;
    }
    Ok(())
}
