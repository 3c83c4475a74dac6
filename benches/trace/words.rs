//! The vocabulary of traces, and the small things that are made of it.

use crate::random::Random;

pub const NOUNS: [&str; 48] = [
    "request",
    "session",
    "cache",
    "buffer",
    "config",
    "index",
    "store",
    "token_count",
    "user",
    "record",
    "query",
    "result",
    "handler",
    "client",
    "server",
    "path",
    "entry",
    "commit",
    "branch",
    "schema",
    "table",
    "column",
    "event",
    "queue",
    "worker",
    "job",
    "batch",
    "chunk",
    "offset",
    "cursor",
    "report",
    "metric",
    "label",
    "node",
    "edge",
    "graph",
    "parser",
    "lexer",
    "builder",
    "options",
    "response",
    "header",
    "payload",
    "message",
    "channel",
    "timeout",
    "retry",
    "key_path",
];
pub const VERBS: [&str; 24] = [
    "load",
    "store",
    "parse",
    "render",
    "merge",
    "split",
    "resolve",
    "open",
    "close",
    "flush",
    "update",
    "insert",
    "remove",
    "collect",
    "validate",
    "normalize",
    "fetch",
    "retry",
    "apply",
    "compute",
    "encode",
    "decode",
    "publish",
    "schedule",
];
pub const MODULES: [&str; 16] = [
    "auth",
    "billing",
    "search",
    "ingest",
    "api",
    "core",
    "worker",
    "storage",
    "gateway",
    "render",
    "scheduler",
    "metrics",
    "parser",
    "session",
    "export",
    "migrate",
];
pub const EXTENSIONS: [&str; 8] = ["rs", "py", "ts", "go", "java", "tsx", "sql", "toml"];
pub const PROSE: [&str; 16] = [
    "The migration has to run before the deployment, otherwise the old workers fail on the new column.",
    "I looked at the failing test first; it only fails when the cache is warm.",
    "Let me check how the handler treats an empty body.",
    "The fix is small: the offset was computed before the header had been removed.",
    "There are three callers, and two of them ignore the error.",
    "This keeps the public interface unchanged and moves the parsing into a function of its own.",
    "Next I'll run the whole suite, because the change touches the shared fixtures.",
    "The password reset page shows the wrong title, but the flow itself works.",
    "Token usage was high in this session, since the log file was read twice.",
    "According to the documentation the key of the map must be a string.",
    "We should not retry on 4xx; only timeouts and 503 are worth another attempt.",
    "Die Warteschlange ist voll, darum wartet der Aufruf länger als erlaubt.",
    "La requête échoue seulement quand l'index n'existe pas encore.",
    "The secret of the speed-up is that each page is decoded once.",
    "Both numbers agree within one percent, so the estimate is good enough.",
    "- [x] reproduce the bug\n- [ ] write the regression test\n- [ ] update the changelog",
];
pub const PACKAGES: [&str; 12] = [
    "serde",
    "tokio",
    "left-pad",
    "react",
    "lodash",
    "requests",
    "numpy",
    "axum",
    "esbuild",
    "typescript",
    "hyper",
    "rand",
];
pub const COMMANDS: [&str; 14] = [
    "git status --short",
    "cargo test -p",
    "npm run build",
    "ls -la",
    "rg -n",
    "docker compose up -d",
    "kubectl get pods -n",
    "python -m pytest -q",
    "make -j4",
    "sed -n 1,80p",
    "git log --oneline -5",
    "terraform plan",
    "psql -h localhost -U app -c",
    "curl -sS http://localhost:8080/healthz",
];
pub const LEVELS: [&str; 6] = ["INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"];

/// Picks one of a list.
pub fn pick<'a>(list: &[&'a str], random: &mut Random) -> &'a str {
    list[random.below(list.len())]
}

/// Makes a name in snake case.
pub fn snake(random: &mut Random) -> String {
    format!("{}_{}", pick(&VERBS, random), pick(&NOUNS, random))
}

/// Makes a name in camel case.
pub fn camel(random: &mut Random) -> String {
    let noun = pick(&NOUNS, random);
    let (first, rest) = noun.split_at(1);
    let noun = format!("{}{}", first.to_uppercase(), rest.replace('_', ""));
    format!("{}{noun}", pick(&VERBS, random))
}

/// Makes the path of a source file.
pub fn path(random: &mut Random) -> String {
    format!(
        "src/{}/{}.{}",
        pick(&MODULES, random),
        pick(&NOUNS, random),
        pick(&EXTENSIONS, random)
    )
}

/// Makes a run of `count` characters of an alphabet.
pub fn run(alphabet: &str, count: usize, random: &mut Random) -> String {
    let bytes = alphabet.as_bytes();
    (0..count)
        .map(|_| char::from(bytes[random.below(bytes.len())]))
        .collect()
}

/// Makes lower-case hexadecimal digits.
pub fn hex(count: usize, random: &mut Random) -> String {
    run("0123456789abcdef", count, random)
}

/// Makes a UUID.
pub fn uuid(random: &mut Random) -> String {
    [8, 4, 4, 4, 12].map(|count| hex(count, random)).join("-")
}

/// Makes a time of RFC 3339.
pub fn time(random: &mut Random) -> String {
    format!(
        "2026-03-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        1 + random.below(28),
        random.below(24),
        random.below(60),
        random.below(60),
        random.below(1000)
    )
}
