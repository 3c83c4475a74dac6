//! Generated texts in the manner of shell tasks and the commands that answer them.

use crate::random::Random;

const VERBS: [&str; 16] = [
    "find", "list", "count", "delete", "rename", "archive", "compress", "copy", "move", "print",
    "search", "replace", "sort", "compare", "download", "monitor",
];
const THINGS: [&str; 16] = [
    "files",
    "directories",
    "symbolic links",
    "log lines",
    "processes",
    "archives",
    "images",
    "empty folders",
    "duplicate lines",
    "python scripts",
    "configuration files",
    "open sockets",
    "hidden files",
    "executables",
    "source files",
    "backups",
];
const PLACES: [&str; 12] = [
    "the current directory",
    "the home directory",
    "/var/log",
    "/etc",
    "a remote host",
    "all sub-directories",
    "the build folder",
    "the release branch",
    "/tmp",
    "the mounted volume",
    "the staging cluster",
    "the repository",
];
const FILTERS: [&str; 12] = [
    "modified in the last",
    "larger than",
    "owned by user",
    "matching pattern",
    "older than",
    "with permission",
    "whose name ends in",
    "excluding directory",
    "at depth",
    "accessed before",
    "containing the string",
    "in group",
];
const COMMANDS: [&str; 12] = [
    "find . -type f -name",
    "grep -rin",
    "tar czf",
    "sed -i",
    "awk -F:",
    "xargs -n1 rm",
    "rsync -avz",
    "du -sh",
    "sort -u -k",
    "ssh build@host",
    "chmod -R",
    "ps aux --sort",
];

/// Makes a sentence of 10 to 25 words; `number` and what is drawn make it differ from others.
pub fn sentence(number: usize, random: &mut Random) -> String {
    let mut pick = |list: &[&'static str]| list[random.below(list.len())];
    let (verb, thing, place) = (pick(&VERBS), pick(&THINGS), pick(&PLACES));
    let (filter, then, what) = (pick(&FILTERS), pick(&VERBS), pick(&THINGS));
    let command = pick(&COMMANDS);
    let detail = random.below(5_000);
    format!(
        "{verb} all {thing} in {place} {filter} item{detail} and then {then} the {what}; \
         `{command} target{number}` does it"
    )
}
