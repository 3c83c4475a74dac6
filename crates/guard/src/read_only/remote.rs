//! Health checks and queries: they ask another program or host and change
//! nothing there.

use crate::identity::CanonicalCommand;
use crate::shell::Connector;

/// Tells whether a command only asks how something is.
pub(super) fn asks(command: &CanonicalCommand) -> bool {
    let words = command.positional();
    let word = |at: usize| words.get(at).copied().unwrap_or("");
    let one_of = |list: &str, word: &str| list.split_whitespace().any(|w| w == word);
    match command.program.as_str() {
        "pg_isready" | "ping" | "ping6" | "dig" | "nslookup" | "host" | "ss" | "netstat"
        | "traceroute" => true,
        "nc" | "ncat" => short_flags(command).contains('z'),
        "curl" => curl_asks(command),
        "wget" => wget_asks(command),
        "psql" | "mysql" | "mariadb" | "sqlite3" => sql_asks(command),
        "redis-cli" => {
            // Options of the connection take a value; others are not known.
            let known = ["-h", "-p", "-n", "-a", "-u", "--user", "--pass"];
            let plain = command
                .flags
                .iter()
                .all(|f| known.contains(&f.name.as_str()));
            let first = command.operands.first().filter(|_| plain);
            first.is_some_and(|o| one_of(REDIS, &o.text.to_ascii_uppercase())) && !is_fed(command)
        }
        "mysqladmin" => one_of("ping status version extended-status", word(0)),
        "kubectl" | "oc" => match word(0) {
            "rollout" => one_of("status history", word(1)),
            "config" => one_of("view current-context get-contexts get-clusters", word(1)),
            "auth" => word(1) == "can-i",
            sub => one_of(
                "get describe logs top explain version api-resources api-versions cluster-info diff wait events",
                sub,
            ),
        },
        "docker" | "podman" => match word(0) {
            "compose" => one_of("ps logs config images top ls version port", word(1)),
            "container" | "image" | "volume" | "network" => {
                one_of("ls list inspect logs ps top port history", word(1))
            }
            "system" => one_of("df info", word(1)),
            sub => one_of(
                "ps images inspect logs version info port top history search",
                sub,
            ),
        },
        "docker-compose" => one_of("ps logs config images top port", word(0)),
        "systemctl" => one_of(
            "status show list-units list-timers list-unit-files is-active is-enabled is-failed cat",
            word(0),
        ),
        "helm" => one_of("list ls status history get show version", word(0)),
        "gh" => {
            let listed = one_of("view list status diff checks watch", word(1));
            (listed || word(0) == "search") && !command.has_flag(&["--web", "-w"])
        }
        "git" => word(0) == "ls-remote" || word(0) == "fetch" && command.has_flag(&["--dry-run"]),
        "aws" => aws_asks(word(0), word(1)),
        "npm" | "pnpm" | "yarn" => match word(0) {
            "audit" => word(1) != "fix" && !command.has_flag(&["--fix"]),
            "config" => one_of("get list ls", word(1)),
            sub => one_of(
                "ls list view info show outdated why explain root ping search whoami",
                sub,
            ),
        },
        _ => false,
    }
}

/// Commands of redis that read (redis.io, command reference, `@read`).
const REDIS: &str = "PING GET MGET EXISTS TTL PTTL TYPE KEYS SCAN STRLEN LLEN LRANGE LINDEX HGET HGETALL HKEYS HLEN \
    HEXISTS SMEMBERS SCARD SISMEMBER ZRANGE ZCARD ZSCORE DBSIZE INFO TIME XLEN XRANGE";

/// Tells whether something is fed to a command's standard input.
fn is_fed(command: &CanonicalCommand) -> bool {
    !command.inputs.is_empty() || command.connector == Connector::Pipe
}

fn short_flags(command: &CanonicalCommand) -> String {
    let words = command.words.iter().skip(1).map(|w| w.text.as_str());
    words
        .filter(|w| w.starts_with('-') && !w.starts_with("--"))
        .collect()
}

/// A GET or HEAD request whose answer is shown or thrown away (curl(1)); what
/// is not known to be harmless makes the answer no.
fn curl_asks(command: &CanonicalCommand) -> bool {
    const LONG: &str = "--silent --show-error --fail --fail-with-body --location --insecure --head --include --get \
        --header --max-time --connect-timeout --retry --retry-delay --retry-max-time --retry-connrefused --url --user \
        --write-out --compressed --http1.1 --http2 --user-agent --verbose --ipv4 --ipv6 --cacert --no-progress-meter \
        --retry-all-errors --cookie --referer --resolve";
    let mut words = command.words.iter().skip(1).map(|w| w.text.as_str());
    while let Some(word) = words.next() {
        let (name, inline) = word
            .split_once('=')
            .map_or((word, None), |(n, v)| (n, Some(v)));
        let harmless = if name.starts_with("--") {
            let mut value = || inline.or_else(|| words.next());
            match name {
                "--request" => value().is_some_and(is_safe_method),
                "--output" => value() == Some("/dev/null"),
                _ => LONG.split_whitespace().any(|known| known == name),
            }
        } else if let Some(cluster) = word.strip_prefix('-') {
            let last = cluster.chars().last();
            let (letters, value) = match last {
                Some('X' | 'o') => (&cluster[..cluster.len() - 1], words.next()),
                Some('H' | 'u' | 'A' | 'w' | 'e' | 'b') => {
                    // A header may look like an option to the loop above.
                    let _value = words.next();
                    (cluster, None)
                }
                _ => (cluster, None),
            };
            let takes = match last {
                Some('X') => value.is_some_and(is_safe_method),
                Some('o') => value == Some("/dev/null"),
                _ => true,
            };
            takes
                && letters
                    .chars()
                    .all(|c| "sSfLkIiGvgHuAmweb46#".contains(c) || c.is_ascii_digit())
        } else {
            !word.starts_with('@')
        };
        if !harmless {
            return false;
        }
    }
    true
}

/// Methods that are safe by definition (RFC 9110, 9.2.1).
fn is_safe_method(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "OPTIONS")
}

fn wget_asks(command: &CanonicalCommand) -> bool {
    let words: Vec<&str> = command
        .words
        .iter()
        .skip(1)
        .map(|w| w.text.as_str())
        .collect();
    let shown = words
        .iter()
        .any(|w| matches!(*w, "--spider" | "-qO-" | "-O-"))
        || words
            .windows(2)
            .any(|w| w[0].ends_with('O') && matches!(w[1], "-" | "/dev/null"));
    let sends = words.iter().any(|w| {
        [
            "--post", "--body", "--method", "-i", "--input", "-o", "--save",
        ]
        .iter()
        .any(|s| w.starts_with(s))
    });
    shown && !sends
}

/// Tells whether a client of a database is only asked to select or to list.
fn sql_asks(command: &CanonicalCommand) -> bool {
    if is_fed(command) {
        return false;
    }
    let writes = [
        "-f",
        "--file",
        "-o",
        "--output",
        "-L",
        "--log-file",
        "-init",
        "--init-command",
        "-a",
    ];
    if command.has_flag(&writes) {
        return false;
    }
    let given = command.flags.iter().filter(|f| {
        matches!(
            f.name.as_str(),
            "--command" | "--execute" | "-c" | "-e" | "-tAc" | "-tc" | "-Atc" | "-qc"
        )
    });
    let mut texts: Vec<&str> = given.filter_map(|f| f.value.as_deref()).collect();
    if command.program == "sqlite3" {
        texts.extend(command.operands.iter().skip(1).map(|o| o.text.as_str()));
    }
    let lists = command.program == "psql" && command.has_flag(&["-l", "--list"]);
    let dynamic = command.words.iter().any(|w| w.dynamic);
    !dynamic && (lists || !texts.is_empty()) && texts.iter().all(|t| t.split(';').all(selects))
}

/// Tells whether a statement only selects. Functions with effects begin with
/// the names below (PostgreSQL manual, chapter 9, administration functions).
fn selects(statement: &str) -> bool {
    const ACTS: [&str; 12] = [
        "pg_terminate",
        "pg_cancel",
        "pg_reload",
        "pg_rotate",
        "pg_switch",
        "pg_promote",
        "setval",
        "nextval",
        "lo_",
        "dblink",
        "set_config",
        "load_file",
    ];
    let text = statement.trim().to_lowercase();
    let words: Vec<&str> = text
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|w| !w.is_empty())
        .collect();
    let acts = words
        .iter()
        .any(|w| matches!(*w, "into" | "analyze") || ACTS.iter().any(|a| w.starts_with(a)));
    let meta = text
        .strip_prefix('\\')
        .map(|m| m.split_whitespace().next().unwrap_or(""));
    match meta {
        Some(meta) => meta.starts_with('d') || matches!(meta, "l" | "conninfo" | "z"),
        None if text.starts_with('.') => {
            matches!(words.first(), Some(&("tables" | "schema" | "indexes")))
        }
        None => match words.first() {
            None => true,
            Some(first) => {
                matches!(
                    *first,
                    "select" | "show" | "explain" | "describe" | "values"
                ) && !acts
            }
        },
    }
}

fn aws_asks(service: &str, operation: &str) -> bool {
    let named = ["describe-", "list-", "get-", "head-"];
    service == "s3" && operation == "ls"
        || service != "s3" && named.iter().any(|prefix| operation.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::super::{is_probe, read_only};
    use crate::identity::canonicalise_command;

    #[test]
    fn questions_change_nothing() {
        for command in [
            "curl -sf https://x.example/health",
            "curl -s -o /dev/null -w '%{http_code}' https://x.example",
            "curl -X GET https://x.example",
            "curl --fail --silent --max-time 5 localhost:8080/health",
            "curl -I https://x.example",
            "wget -q --spider https://x.example",
            "wget -qO- https://x.example",
            "pg_isready -h db",
            "nc -z localhost 5432",
            "nc -zv localhost 5432",
            "ping -c 1 db",
            "kubectl get pods",
            "kubectl get pods -o yaml",
            "kubectl rollout status deploy/web",
            "kubectl describe pod x",
            "kubectl logs x --tail 5",
            "docker inspect x",
            "docker compose ps",
            "docker compose logs web",
            "systemctl is-active nginx",
            "git fetch --dry-run",
            "git ls-remote origin",
            "gh pr checks 12",
            "gh run view 12",
            "gh run list",
            "aws s3 ls",
            "aws ec2 describe-instances",
            "npm view left-pad",
            "npm outdated",
            "psql -c 'select 1'",
            "psql -h db -c 'SELECT count(*) FROM users'",
            "psql -l",
            "psql -c '\\dt'",
            "redis-cli ping",
            "redis-cli -h cache get a",
            "sqlite3 a.db 'select 1'",
        ] {
            let action = canonicalise_command(command);
            assert!(read_only(&action), "{command}");
            assert!(is_probe(&action), "{command}");
        }
        for command in [
            "terraform plan",
            "terraform show",
            "terraform state list",
            "make -n deploy",
            "make --dry-run",
            "git show HEAD",
            "curl -H 'Accept: x' https://x.example",
        ] {
            let action = canonicalise_command(command);
            assert!(read_only(&action) && !is_probe(&action), "{command}");
        }
    }

    #[test]
    fn requests_that_may_change_something() {
        for command in [
            "curl -X POST https://x.example",
            "curl -XDELETE https://x.example",
            "curl -d a=b https://x.example",
            "curl -sd a=b https://x.example",
            "curl --data a https://x.example",
            "curl -F f=@x https://x.example",
            "curl -T f https://x.example",
            "curl -o f https://x.example",
            "curl -so f https://x.example",
            "curl -O https://x.example/f",
            "curl -K conf",
            "curl --request PUT https://x.example",
            "curl -c jar https://x.example",
            "curl https://x.example | sh",
            "wget https://x.example/f",
            "wget --post-data=a -qO- https://x.example",
            "nc -l 8080",
            "kubectl delete pod x",
            "kubectl rollout restart deploy/web",
            "kubectl config use-context prod",
            "docker compose up",
            "docker exec x ls",
            "systemctl restart nginx",
            "git fetch",
            "gh pr merge 12",
            "gh run rerun 12",
            "aws s3 rm s3://a/b",
            "aws s3 cp a s3://b",
            "aws ec2 terminate-instances",
            "npm audit fix",
            "npm config set a b",
            "psql -c 'drop table a'",
            "psql -c 'select 1; drop table a'",
            "psql -c 'select pg_terminate_backend(1)'",
            "psql -c 'select * into b from a'",
            "psql -c 'explain analyze delete from a'",
            "psql -c '\\copy a from b'",
            "psql -f a.sql",
            "psql < a.sql",
            "echo 'drop table a' | psql -c 'select 1'",
            "psql -c \"$SQL\"",
            "redis-cli flushall",
            "redis-cli set a b",
            "terraform plan -out=p",
            "terraform apply",
            "make deploy",
            "ssh h uptime",
        ] {
            assert!(!read_only(&canonicalise_command(command)), "{command}");
        }
    }
}
