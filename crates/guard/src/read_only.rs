//! Which commands only read, judged by their parsed structure.
//!
//! A list of what is known to read, not of what is known to write: an unknown
//! program, a word known only at run time in a program's place, a redirection
//! into a file or an unparsed text all make the answer no.

mod remote;

use crate::identity::{CanonicalAction, CanonicalCommand, is_shell_tool};

/// Tells whether an action changes nothing outside its own process.
#[must_use]
pub fn read_only(action: &CanonicalAction) -> bool {
    if !is_shell_tool(&action.tool) {
        return matches!(
            action.tool.as_str(),
            "Read"
                | "Glob"
                | "Grep"
                | "LS"
                | "read_file"
                | "list_directory"
                | "glob"
                | "grep"
                | "search_file_content"
                | "TodoRead"
                | "WebSearch"
                | "NotebookRead"
        );
    }
    action.unparsed.is_empty()
        && !action.commands.is_empty()
        && action.control.iter().all(|text| !text.contains("()"))
        && action.commands.iter().all(command_reads)
}

/// Tells whether a failure of this action is an ordinary answer: a search
/// without a match, a false test, a difference found, a service that is not up.
///
/// Status 1 is such an answer (grep(1), diff(1), test(1)), for health checks
/// and queries any; the caller knows the status.
#[must_use]
pub fn is_probe(action: &CanonicalAction) -> bool {
    let probes = |c: &CanonicalCommand| {
        let git = c.program == "git"
            && c.subcommand.first().is_some_and(|s| {
                matches!(
                    s.as_str(),
                    "diff"
                        | "grep"
                        | "show-ref"
                        | "check-ignore"
                        | "merge-base"
                        | "ls-files"
                        | "rev-parse"
                        | "cat-file"
                )
            });
        // A request that names itself and is refused has failed.
        let anonymous = action.fingerprint.is_none()
            && !c.has_flag(&["-H", "--header", "-u", "--user", "-b", "--cookie"]);
        git || anonymous && remote::asks(c)
            || matches!(
                c.program.as_str(),
                "grep"
                    | "egrep"
                    | "fgrep"
                    | "rg"
                    | "ag"
                    | "ack"
                    | "test"
                    | "["
                    | "[["
                    | "diff"
                    | "cmp"
                    | "which"
                    | "command"
                    | "type"
                    | "pgrep"
                    | "ls"
                    | "stat"
                    | "cat"
                    | "find"
                    | "fd"
                    | "false"
                    | "jq"
                    | "head"
                    | "tail"
                    | "file"
                    | "wc"
                    | "readlink"
                    | "realpath"
            )
    };
    if matches!(action.tool.as_str(), "Grep" | "Glob" | "Read" | "LS") {
        return true;
    }
    read_only(action) && action.commands.last().is_some_and(probes)
}

/// Tells whether one command only reads.
#[must_use]
pub fn command_reads(command: &CanonicalCommand) -> bool {
    command.outputs.is_empty() && operands_are_read(command)
}

/// Tells whether one command only reads what it names, wherever its output
/// goes.
pub(crate) fn operands_are_read(command: &CanonicalCommand) -> bool {
    if command.dynamic || loads_code(command) {
        return false;
    }
    let help = command.has_flag(&["--help", "--version"]);
    if help && command.operands.is_empty() && !is_runner(&command.program) {
        return true;
    }
    if reads(&command.program) || remote::asks(command) {
        return true;
    }
    let words = command.positional();
    let sub = words.first().copied().unwrap_or("");
    match command.program.as_str() {
        "git" => git_reads(command),
        "find" | "fd" => find_reads(command),
        "sed" => sed_reads(command),
        "awk" | "gawk" => !command.operands.first().is_some_and(|o| awk_acts(&o.text)),
        "sort" => !command.has_flag(&["-o", "--output"]),
        "xargs" => command.operands.first().is_some_and(|o| reads(&o.text)),
        "env" | "printenv" | "set" => words.is_empty() || command.program == "printenv",
        "date" => !command.has_flag(&["-s", "--set"]),
        "rg" => !command.has_flag(&["--pre"]),
        "make" | "gmake" => command.has_flag(&["-n", "--dry-run", "--just-print", "--recon"]),
        "cargo" => matches!(sub, "tree" | "metadata" | "search" | "locate-project"),
        "pip" | "pip3" => matches!(sub, "list" | "show" | "freeze" | "check"),
        "terraform" | "tofu" => match sub {
            "plan" => !command.has_flag(&["-out", "--out", "-destroy"]),
            "state" => matches!(words.get(1), Some(&("list" | "show"))),
            _ => matches!(
                sub,
                "show" | "output" | "validate" | "version" | "providers"
            ),
        },
        "brew" => matches!(sub, "list" | "info" | "search"),
        "go" => {
            matches!(sub, "version" | "list" | "doc" | "env") && !command.has_flag(&["-w", "-u"])
        }
        _ => false,
    }
}

/// Programs that only read and print, whatever their arguments.
const READERS: &str = "ls cat head tail grep egrep fgrep wc pwd echo printf true false : test [ [[ diff cmp \
    stat file which whereis type whoami id hostname uname uptime df du free ps pgrep tree \
    basename dirname realpath readlink cut tr uniq nl tac rev jq column comm join paste fold \
    md5sum sha1sum sha256sum cksum strings xxd hexdump od man less more cd sleep seq lsof \
    command ag bat eza exa expr nproc arch groups getent locale tty cal watch";

fn reads(program: &str) -> bool {
    READERS.split(' ').any(|name| name == program)
}

/// Variables that make a harmless program run other code.
fn loads_code(command: &CanonicalCommand) -> bool {
    command.environment.iter().any(|(name, _)| {
        name.starts_with("LD_")
            || name.starts_with("DYLD_")
            || name.starts_with("GIT_")
            || matches!(
                name.as_str(),
                "PATH"
                    | "PAGER"
                    | "LESSOPEN"
                    | "MANPAGER"
                    | "BASH_ENV"
                    | "ENV"
                    | "EDITOR"
                    | "IFS"
                    | "PROMPT_COMMAND"
            )
    })
}

fn is_runner(program: &str) -> bool {
    matches!(program, "npx" | "bunx" | "xargs" | "find" | "ssh") || program.contains('/')
}

fn git_reads(command: &CanonicalCommand) -> bool {
    // `-c` may name a pager or an alias, `--output` a file.
    if command.has_flag(&[
        "-c",
        "--output",
        "-o",
        "--ext-diff",
        "--exec-path",
        "--open-files-in-pager",
    ]) {
        return false;
    }
    let operands = command.operands.len();
    let listing = operands == 0
        && !command.has_flag(&[
            "-d",
            "-D",
            "-m",
            "-M",
            "-c",
            "-C",
            "--delete",
            "--move",
            "--copy",
            "--edit-description",
            "--unset-upstream",
            "-u",
            "--set-upstream-to",
            "-f",
            "--force",
        ]);
    let second = command.subcommand.get(1).map_or("", String::as_str);
    match command.subcommand.first().map_or("", String::as_str) {
        "status" | "log" | "diff" | "show" | "blame" | "shortlog" | "describe" | "rev-parse"
        | "rev-list" | "ls-files" | "ls-tree" | "cat-file" | "grep" | "whatchanged"
        | "name-rev" | "merge-base" | "show-ref" | "for-each-ref" | "check-ignore"
        | "count-objects" | "var" | "diff-tree" | "cherry" | "version" | "help" | "range-diff"
        | "ls-remote" => true,
        "branch" | "tag" => {
            listing
                || command.has_flag(&["--list", "--contains", "--show-current"])
                    && !command.has_flag(&["-d", "-D", "--delete"])
        }
        "remote" => matches!(second, "" | "show" | "get-url"),
        "stash" | "worktree" => matches!(second, "list" | "show"),
        "reflog" => operands == 0 || command.operands[0].text == "show",
        "config" => command.has_flag(&["--get", "--list", "-l", "--get-all", "--get-regexp"]),
        _ => false,
    }
}

fn find_reads(command: &CanonicalCommand) -> bool {
    const ACTS: [&str; 12] = [
        "-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprintf", "-fls", "-fprint0",
        "-x", "-X", "--exec",
    ];
    command
        .words
        .iter()
        .all(|w| !ACTS.contains(&w.text.as_str()) && w.text != "--exec-batch")
}

fn sed_reads(command: &CanonicalCommand) -> bool {
    let in_place = command.words.iter().skip(1).any(|w| {
        let cluster = w.text.starts_with('-') && !w.text.starts_with("--") && !w.quoted;
        cluster && w.text.contains(['i', 'f'])
            || w.text.starts_with("--in-place")
            || w.text.starts_with("--file")
    });
    // Scripts may write files (`w`) and run commands (`e`); only the plain
    // forms of print, delete, quit and substitute are known to be safe.
    let scripts = command
        .flags
        .iter()
        .filter(|f| f.name == "-e")
        .filter_map(|f| f.value.as_deref());
    let given: Vec<&str> = scripts.collect();
    let script = if given.is_empty() {
        command
            .operands
            .first()
            .map(|o| vec![o.text.as_str()])
            .unwrap_or_default()
    } else {
        given
    };
    !in_place && script.iter().all(|s| sed_script_reads(s))
}

fn sed_script_reads(script: &str) -> bool {
    script.split([';', '\n']).all(|part| {
        let part = part.trim();
        let address =
            part.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '$'));
        match address.chars().next() {
            None => true,
            Some('p' | 'd' | 'q') => address.len() == 1,
            Some('s') => {
                let Some(delimiter) = address.chars().nth(1) else {
                    return false;
                };
                let flags = address.rsplit(delimiter).next().unwrap_or("");
                flags
                    .chars()
                    .all(|c| matches!(c, 'g' | 'i' | 'I' | 'p') || c.is_ascii_digit())
            }
            _ => false,
        }
    })
}

fn awk_acts(script: &str) -> bool {
    script.contains("system") || script.contains(['>', '|']) || script.contains("getline")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::canonicalise_command;

    #[test]
    fn readers_are_known() {
        for command in [
            "ls third_party",
            "cat deploy.sh",
            "grep -r \"npm run deploy\" .",
            "git status",
            "git log --oneline -5 | head",
            "git diff HEAD~1",
            "find . -name '*.rs'",
            "git branch",
            "git branch --show-current",
            "ls 2>/dev/null",
            "cat a | sort | uniq -c",
            "sed -n 1,5p a",
            "sed 's/a/b/g' x",
            "cd src && ls",
            "test -f a && cat a",
            "kubectl get pods -n x",
            "cat $(git ls-files)",
            "npm ls",
            "git stash list",
            "sudo ls /root",
            "echo \"$(date)\"",
            "awk '{print $1}' a",
            "find . -type f | xargs grep x",
            "cargo --version",
        ] {
            assert!(read_only(&canonicalise_command(command)), "{command}");
        }
    }

    #[test]
    fn nothing_slips_past() {
        for command in [
            "ls > out",
            "cat a | tee b",
            "echo $(rm -rf x)",
            "ls `rm x`",
            "cat <(rm x)",
            "find . -delete",
            "find . -exec rm {} ;",
            "sed -i s/a/b/ f",
            "sed -ni p f",
            "sed 'w out' f",
            "sed 's/a/b/e' f",
            "git branch -D main",
            "git branch -d x",
            "git branch new",
            "git stash",
            "git push",
            "git -c core.pager=evil log",
            "sort -o f f",
            "xargs rm",
            "ls; rm x",
            "ls && npm i",
            "$CMD x",
            "PATH=/evil ls",
            "GIT_PAGER=evil git log",
            "LD_PRELOAD=x cat a",
            "awk 'BEGIN{system(\"rm x\")}'",
            "env rm x",
            "bash -c 'rm x'",
            "ls() { rm x; }; ls",
            "git diff --output=f",
            "echo 'open",
            "",
            "bash script.sh",
            "git log | xargs rm",
            "npx cowsay --help",
            "if true; then rm x; fi",
            "fd -x rm",
            "echo rm x | bash",
            "ls | sh",
            "git tag v1",
            "git config user.name x",
            "ls & rm x",
        ] {
            assert!(!read_only(&canonicalise_command(command)), "{command}");
        }
    }

    #[test]
    fn probes_answer_by_failing() {
        for command in [
            "grep -q x f",
            "test -f a",
            "diff a b",
            "cat a | grep b",
            "git diff --exit-code",
        ] {
            assert!(is_probe(&canonicalise_command(command)), "{command}");
        }
        for command in [
            "npm test",
            "grep x f && make",
            "make | grep x",
            "git status",
        ] {
            assert!(!is_probe(&canonicalise_command(command)), "{command}");
        }
    }
}
