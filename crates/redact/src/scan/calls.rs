//! Secrets that are plain literals at a known place of a call or a statement.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use crate::class::PASSWORD;
use crate::gate::{Entry, Families};
use crate::rule::Rule;
use crate::span::{Span, Stage};
use crate::value::{is_dense, looks_random, stands_for_another};

/// A call that takes a secret.
struct Call {
    id: &'static str,
    /// What the call begins with, up to its opening bracket.
    head: &'static str,
    /// The place of the secret among the arguments, counted from nought.
    place: usize,
    source: &'static str,
}

const fn call(id: &'static str, head: &'static str, place: usize, source: &'static str) -> Call {
    Call {
        id,
        head,
        place,
        source,
    }
}

const CALLS: &[Call] = &[
    call(
        "call-cassandra-plain-text",
        "PlainTextAuthProvider(",
        1,
        "DataStax drivers, PlainTextAuthProvider",
    ),
    call(
        "call-password-authenticator",
        "PasswordAuthenticator(",
        1,
        "gocql, PasswordAuthenticator",
    ),
    call(
        "call-mongo-credential",
        "MongoCredential.createCredential(",
        2,
        "MongoDB Java driver, MongoCredential",
    ),
    call("call-jedis-auth", "jedis.auth(", 0, "Jedis, auth"),
    call(
        "call-redis-auth",
        "redis.auth(",
        0,
        "node-redis and phpredis, auth",
    ),
    call(
        "call-authenticate",
        "authenticate(",
        1,
        "clients with authenticate(user, secret)",
    ),
    call(
        "call-pgp-sym-encrypt",
        "pgp_sym_encrypt(",
        1,
        "PostgreSQL documentation, pgcrypto",
    ),
    call(
        "call-pgp-sym-decrypt",
        "pgp_sym_decrypt(",
        1,
        "PostgreSQL documentation, pgcrypto",
    ),
    call(
        "call-crypt",
        "crypt(",
        0,
        "PostgreSQL documentation, pgcrypto; crypt(3)",
    ),
    call(
        "call-wifi-begin",
        "WiFi.begin(",
        1,
        "Arduino WiFi library, WiFi.begin",
    ),
    call(
        "call-http-basic-auth",
        "HTTPBasicAuth(",
        1,
        "Requests, Authentication",
    ),
    call(
        "call-http-digest-auth",
        "HTTPDigestAuth(",
        1,
        "Requests, Authentication",
    ),
    call(
        "call-http-proxy-auth",
        "HTTPProxyAuth(",
        1,
        "Requests, Authentication",
    ),
    call(
        "call-basic-auth",
        "BasicAuth(",
        1,
        "aiohttp and HTTPX, BasicAuth; Go net/http, SetBasicAuth",
    ),
    call(
        "call-basic-auth-lower",
        "basic_auth(",
        1,
        "reqwest, RequestBuilder::basic_auth; Faraday",
    ),
    call("call-digest-auth", "DigestAuth(", 1, "HTTPX, DigestAuth"),
    call("call-auth-pair", "auth=(", 1, "Requests, Authentication"),
    call(
        "call-auth-pair-spaced",
        "auth = (",
        1,
        "Requests, Authentication",
    ),
    call(
        "call-auth-list",
        "auth=[",
        1,
        "HTTP clients, pairs of credentials",
    ),
    call(
        "call-auth-array",
        "auth: [",
        1,
        "HTTP clients, pairs of credentials",
    ),
    call(
        "call-auth-php",
        "'auth' => [",
        1,
        "Guzzle, request option auth",
    ),
    call(
        "call-network-credential",
        "NetworkCredential(",
        1,
        ".NET, NetworkCredential",
    ),
    call(
        "call-password-authentication",
        "PasswordAuthentication(",
        1,
        "Java SE, PasswordAuthentication",
    ),
    call(
        "call-user-credentials",
        "UsernamePasswordCredentials(",
        1,
        "Apache HttpClient",
    ),
    call(
        "call-user-token",
        "UsernamePasswordAuthenticationToken(",
        1,
        "Spring Security",
    ),
    call(
        "call-okhttp-basic",
        "Credentials.basic(",
        1,
        "OkHttp, Credentials",
    ),
    call("call-pdo", "PDO(", 2, "PHP manual, PDO::__construct"),
    call(
        "call-mysqli",
        "mysqli(",
        2,
        "PHP manual, mysqli::__construct",
    ),
    call(
        "call-mysqli-connect",
        "mysqli_connect(",
        2,
        "PHP manual, mysqli_connect",
    ),
    call(
        "call-mysql-connect",
        "mysql_connect(",
        2,
        "PHP manual, mysql_connect",
    ),
    call(
        "call-oci-connect",
        "oci_connect(",
        1,
        "PHP manual, oci_connect",
    ),
    call(
        "call-odbc-connect",
        "odbc_connect(",
        2,
        "PHP manual, odbc_connect",
    ),
    call(
        "call-get-connection",
        "DriverManager.getConnection(",
        2,
        "Java SE, DriverManager.getConnection",
    ),
    call("call-dbi-connect", "DBI->connect(", 2, "Perl DBI, connect"),
    call("call-ldap-bind", "ldap_bind(", 2, "PHP manual, ldap_bind"),
    call(
        "call-simple-bind",
        "simple_bind_s(",
        1,
        "python-ldap, simple_bind_s",
    ),
    call("call-ftp-login", "ftp_login(", 2, "PHP manual, ftp_login"),
    call(
        "call-ssh2-auth",
        "ssh2_auth_password(",
        2,
        "PHP manual, ssh2_auth_password",
    ),
    call("call-imap-open", "imap_open(", 2, "PHP manual, imap_open"),
    call(
        "call-login",
        "login(",
        1,
        "Python smtplib, imaplib and ftplib, login",
    ),
    call(
        "call-pdo-construct",
        "PDO->__construct(",
        2,
        "PHP manual, PDO::__construct, in a stack trace",
    ),
    call(
        "call-mysqli-construct",
        "mysqli->__construct(",
        2,
        "PHP manual, mysqli::__construct, in a stack trace",
    ),
    call(
        "call-mysqli-real-connect",
        "mysqli_real_connect(",
        3,
        "PHP manual, mysqli_real_connect",
    ),
    call(
        "call-ado-open-dsn",
        "Open \"DSN=",
        2,
        "Microsoft Learn, ADO, Open method of Connection",
    ),
    call(
        "call-ado-open-provider",
        "Open \"Provider=",
        2,
        "Microsoft Learn, ADO, Open method of Connection",
    ),
    call(
        "call-ado-open-driver",
        "Open \"Driver=",
        2,
        "Microsoft Learn, ADO, Open method of Connection",
    ),
    call(
        "call-ps-credential",
        "PSCredential(",
        1,
        "Microsoft Learn, PSCredential",
    ),
    call(
        "call-sp-addlogin",
        "sp_addlogin ",
        1,
        "Microsoft Learn, sp_addlogin",
    ),
    call("call-mongo-auth", "db.auth(", 1, "MongoDB manual, db.auth"),
    call(
        "call-mongo-change",
        "changeUserPassword(",
        1,
        "MongoDB manual, db.changeUserPassword",
    ),
    call(
        "call-sqlcipher-key",
        "PRAGMA key",
        0,
        "SQLCipher API, PRAGMA key",
    ),
    call(
        "call-sqlcipher-rekey",
        "PRAGMA rekey",
        0,
        "SQLCipher API, PRAGMA rekey",
    ),
    call(
        "call-keyring-set",
        "keyring.set_password(",
        2,
        "keyring documentation, set_password",
    ),
    call(
        "call-set-password",
        "set_password(",
        0,
        "Django documentation, set_password",
    ),
    call(
        "call-make-password",
        "make_password(",
        0,
        "Django documentation, make_password",
    ),
    call(
        "call-bcrypt-hashpw",
        "hashpw(",
        0,
        "bcrypt for Python, hashpw",
    ),
    call(
        "call-bcrypt-hash-sync",
        "bcrypt.hashSync(",
        0,
        "bcrypt for Node.js, hashSync",
    ),
    call(
        "call-bcrypt-hash",
        "bcrypt.hash(",
        0,
        "bcrypt for Node.js, hash",
    ),
    call(
        "call-werkzeug-hash",
        "generate_password_hash(",
        0,
        "Werkzeug documentation, generate_password_hash",
    ),
    call(
        "call-php-password-hash",
        "password_hash(",
        0,
        "PHP manual, password_hash",
    ),
    call(
        "call-php-password-verify",
        "password_verify(",
        0,
        "PHP manual, password_verify",
    ),
    call(
        "call-cx-oracle-connect",
        "cx_Oracle.connect(",
        1,
        "python-oracledb documentation, connect",
    ),
    call(
        "call-oracledb-connect",
        "oracledb.connect(",
        1,
        "python-oracledb documentation, connect",
    ),
    call(
        "call-pymysql-connect",
        "pymysql.connect(",
        2,
        "PyMySQL documentation, connect",
    ),
    call(
        "call-mysqldb-connect",
        "MySQLdb.connect(",
        2,
        "mysqlclient documentation, connect",
    ),
    call(
        "call-data-source-connection",
        "getConnection(",
        1,
        "Java SE, DataSource.getConnection",
    ),
    call("call-pbe-key-spec", "PBEKeySpec(", 0, "Java SE, PBEKeySpec"),
    call(
        "call-set-credentials",
        "setCredentials(",
        1,
        "clients with setCredentials(user, secret)",
    ),
    call(
        "call-go-user-password",
        "UserPassword(",
        1,
        "Go net/url, UserPassword",
    ),
    call(
        "call-go-plain-auth",
        "PlainAuth(",
        2,
        "Go net/smtp, PlainAuth",
    ),
    call(
        "call-go-bcrypt-generate",
        "GenerateFromPassword(",
        0,
        "Go x/crypto/bcrypt",
    ),
    call(
        "call-go-bcrypt-compare",
        "CompareHashAndPassword(",
        1,
        "Go x/crypto/bcrypt",
    ),
    call("call-totp", "TOTP(", 0, "PyOTP, TOTP"),
    call("call-hotp", "HOTP(", 0, "PyOTP, HOTP"),
    call("call-fernet", "Fernet(", 0, "pyca/cryptography, Fernet"),
    call(
        "call-create-hmac",
        "createHmac(",
        1,
        "Node.js crypto, createHmac",
    ),
    call("call-hmac-new", "hmac.new(", 0, "Python hmac, new"),
    call("call-jwt-sign", "jwt.sign(", 1, "jsonwebtoken, jwt.sign"),
    call(
        "call-jwt-verify",
        "jwt.verify(",
        1,
        "jsonwebtoken, jwt.verify",
    ),
    call("call-jwt-encode", "jwt.encode(", 1, "PyJWT, encode"),
    call("call-jwt-decode", "jwt.decode(", 1, "PyJWT, decode"),
    call(
        "call-secret-key-spec",
        "SecretKeySpec(",
        0,
        "Java SE, SecretKeySpec",
    ),
];

/// Statements that a secret follows (SQL `CREATE USER`: MySQL, MariaDB, Oracle, ClickHouse).
const STATEMENTS: &[(&str, &str)] = &[
    ("sql-identified-by", "IDENTIFIED BY "),
    ("sql-identified-with", "IDENTIFIED WITH "),
    ("openvpn-management", "password \"Auth\" "),
    ("openvpn-management", "password \"Private Key\" "),
    ("bind-key-secret", "secret "),
    ("expect-send", "send \""),
    ("expect-send-dashes", "send -- \""),
    ("expect-send-braces", "send -- {"),
    ("expect-send-single", "send '"),
    ("pexpect-sendline", "sendline('"),
    ("pexpect-sendline-double", "sendline(\""),
];

/// The first statement whose secret is typed at a prompt.
const FIRST_SENT: usize = 5;
/// The statement whose word is one of prose too.
const SECRET: usize = 4;

/// Longest list of arguments that is read, in bytes.
const MAX_ARGUMENTS: usize = 512;

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut done = 0;
    for hit in gate().find_iter(text) {
        if hit.start() < done {
            continue;
        }
        let at = hit.pattern().as_usize();
        let Some(call) = CALLS.get(at) else {
            statement(text, hit.end(), at - CALLS.len(), spans);
            continue;
        };
        // Another letter before the name makes another name, but for a constructor's or a
        // method's prefix.
        // A head that holds a quote begins in the first argument.
        let inside = call.head.rfind('"').map_or(0, |at| call.head.len() - at);
        let (end, range) = argument(text, hit.end() - inside, call.place);
        done = end;
        if let Some(range) = range {
            push(text, range, call.id, spans);
        }
    }
}

fn gate() -> &'static AhoCorasick {
    static GATE: OnceLock<AhoCorasick> = OnceLock::new();
    GATE.get_or_init(|| {
        let heads = CALLS.iter().map(|call| call.head);
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(aho_corasick::MatchKind::LeftmostLongest)
            .build(heads.chain(STATEMENTS.iter().map(|(_, head)| *head)))
            .expect("the list of calls is small and fixed")
    })
}

/// Lists the literals that calls and statements begin with.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    let calls = CALLS.iter().map(|call| call.head.trim_start_matches('\''));
    calls
        .chain(STATEMENTS.iter().map(|(_, head)| *head))
        .map(|head| Entry::any_case(head, Families::CLI))
}

/// Lists the rules: one for each call and statement.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    let calls = CALLS.iter().map(|call| (call.id, call.source));
    let repeated = |at: usize| at > 0 && STATEMENTS[at - 1].0 == STATEMENTS[at].0;
    let statements = STATEMENTS.iter().enumerate();
    let statements = statements.filter(move |(at, _)| !repeated(*at));
    let statements = statements.map(|(_, (id, _))| {
        (
            *id,
            "CREATE USER in the SQL references of MySQL and Oracle; expect(1), send; \
             OpenVPN, management interface notes; BIND 9 reference, key",
        )
    });
    calls.chain(statements).map(|(id, source)| Rule {
        id,
        class: PASSWORD,
        source,
    })
}

/// Reads the arguments from here; returns where reading ended, and the literal at this place.
pub(super) fn argument(text: &str, from: usize, place: usize) -> (usize, Option<Range<usize>>) {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(from + MAX_ARGUMENTS);
    let (mut at, mut count, mut depth) = (from, 0, 0_u32);
    // Whether the innermost bracket is the round one of a wrapping call, as in `Some("x")`.
    let mut wrapped = false;
    while at < limit {
        match bytes[at] {
            quote @ (b'"' | b'\'' | b'`') => {
                let Some(close) = close_of(bytes, at + 1, quote, limit) else {
                    return (at + 1, None);
                };
                if count == place && (depth == 0 || depth == 1 && wrapped) {
                    return (close, Some(at + 1..close));
                }
                at = close;
            }
            open @ (b'(' | b'[' | b'{') => {
                depth += 1;
                wrapped = open == b'(';
            }
            b')' | b']' | b'}' if depth == 0 => break,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => count += 1,
            b';' => break,
            _ => {}
        }
        if count > place {
            break;
        }
        at += 1;
    }
    (at, None)
}

fn close_of(bytes: &[u8], from: usize, quote: u8, limit: usize) -> Option<usize> {
    let mut at = from;
    while at < limit {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' => return None,
            b if b == quote => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

fn statement(text: &str, from: usize, which: usize, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = from;
    if which == 1 {
        // `IDENTIFIED WITH plugin BY 'secret'`.
        let limit = bytes.len().min(from + 64);
        let window = &bytes[from..limit];
        let by =
            memchr::memmem::find(window, b" BY ").or_else(|| memchr::memmem::find(window, b" by "));
        let Some(by) = by else {
            return;
        };
        at = from + by + 4;
    }
    let rule = STATEMENTS[which].0;
    if which >= FIRST_SENT {
        return sent(text, from, rule, spans);
    }
    let quote = bytes.get(at).copied();
    if let Some(quote @ (b'"' | b'\'')) = quote {
        let close = close_of(bytes, at + 1, quote, bytes.len().min(at + MAX_ARGUMENTS));
        let drawn = |close: &usize| which != SECRET || looks_random(&text[at + 1..*close], 16);
        if let Some(close) = close.filter(drawn) {
            push(text, at + 1..close, rule, spans);
        }
        return;
    }
    if which >= 2 {
        return;
    }
    let end = super::bytes::run_end(bytes, at, 128, |b| {
        b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'#' | b'!')
    });
    if is_dense(&text[at..end]) {
        push(text, at..end, rule, spans);
    }
}

/// Masks a word that a script types and ends with the return key (expect(1), `send`).
fn sent(text: &str, from: usize, rule: &'static str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(from + MAX_ARGUMENTS);
    let closer = match bytes[from - 1] {
        b'{' => b'}',
        quote => quote,
    };
    let Some(close) = memchr::memchr(closer, &bytes[from..limit]) else {
        return;
    };
    let content = &text[from..from + close];
    // In braces an escape is itself, and a line is sent with its end.
    let whole = closer == b'}' || rule.starts_with("pexpect");
    let word = content
        .strip_suffix("\\r")
        .or_else(|| content.strip_suffix("\\n"))
        .or(whole.then_some(content));
    let typed = |word: &&str| !word.contains([' ', '/', '=']) && looks_random(word, 8);
    if let Some(word) = word.filter(typed) {
        push(text, from..from + word.len(), rule, spans);
    }
}

fn push(text: &str, range: Range<usize>, rule: &'static str, spans: &mut Vec<Span>) {
    let content = &text[range.clone()];
    let written = content.contains(' ') && !content.bytes().any(|b| b.is_ascii_digit());
    let telling = is_dense(content) || looks_random(content, 8) || content.len() >= 6 && !written;
    if telling && !stands_for_another(content, true) {
        spans.push(Span::new(range, PASSWORD, Stage::Cli).by(rule));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    #[test]
    fn literals_at_their_places() {
        for (text, secret) in [
            ("auth=('ann', 'falcon-28')", "falcon-28"),
            ("HTTPBasicAuth(\"ann\", \"falcon-28\")", "falcon-28"),
            (
                "new PDO('mysql:host=x;dbname=y', 'app', 'falcon-28');",
                "falcon-28",
            ),
            (".basic_auth(\"ann\", Some(\"falcon-28\"))", "falcon-28"),
            ("req.SetBasicAuth(\"ann\", \"falcon-28\")", "falcon-28"),
            ("pyotp.TOTP('VJEYU4DBAXFUSD4Z')", "VJEYU4DBAXFUSD4Z"),
            ("CREATE USER a IDENTIFIED BY 'falcon 28'", "falcon 28"),
            ("create user a identified by falcon28", "falcon28"),
            (
                "IDENTIFIED WITH caching_sha2_password BY 'falcon-28'",
                "falcon-28",
            ),
        ] {
            assert_eq!(masked(text), [secret], "{text}");
        }
    }

    #[test]
    fn variables_and_placeholders_stay() {
        for text in [
            "HTTPBasicAuth(user, password)",
            "HTTPBasicAuth('ann', os.environ['PW'])",
            "auth=('user', 'password')",
            "login(user, '#main')",
            "jwt.sign(payload, process.env.KEY, { a: 'HS256' })",
            "IDENTIFIED BY ?",
            "IDENTIFIED BY PASSWORD",
            "new PDO($dsn, $user, $password)",
        ] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }
}
