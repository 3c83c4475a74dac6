//! What is known of programs' command lines: sub-commands, flags, aliases.
//!
//! Each table follows the program's own manual. A program that is not listed
//! is treated cautiously: a word after one of its flags may be that flag's
//! value, and its flags are not moved across operands.

/// How deep the sub-commands of a program go; 0 for programs without any.
#[must_use]
pub(crate) fn subcommand_depth(program: &str, words: &[&str]) -> usize {
    let first = words.first().copied().unwrap_or("");
    match program {
        "git" => match first {
            "stash" | "remote" | "worktree" | "submodule" | "bisect" | "notes" | "lfs" => 2,
            _ => 1,
        },
        "npm" | "pnpm" | "yarn" | "bun" | "deno" | "composer" => match first {
            "run" | "exec" | "task" | "dlx" | "config" | "cache" => 2,
            _ => 1,
        },
        "docker" | "podman" => match first {
            "compose" | "container" | "image" | "volume" | "network" | "system" | "builder"
            | "buildx" => 2,
            _ => 1,
        },
        "kubectl" | "oc" => match first {
            "rollout" | "config" | "set" | "auth" | "certificate" | "create" | "delete" => 2,
            _ => 1,
        },
        "terraform" | "tofu" => match first {
            "state" | "workspace" => 2,
            _ => 1,
        },
        "aws" | "gh" | "az" | "fly" | "flyctl" | "heroku" | "nomad" | "vault" | "consul" => 2,
        "gcloud" => 3,
        "artisan" | "rails" | "rake" | "make" | "just" | "task" | "mix" | "cargo" | "go"
        | "swift" | "zig" | "sbt" | "gradle" | "mvn" | "helm" | "pip" | "pip3" | "uv"
        | "poetry" | "bundle" | "apt" | "apt-get" | "brew" | "dnf" | "yum" | "apk"
        | "systemctl" | "dotnet" | "flutter" | "dart" | "gem" | "conda" | "rustup"
        | "ansible-galaxy" | "pulumi" | "sls" | "supabase" | "prisma" | "vercel" | "netlify"
        | "wrangler" | "firebase" | "alembic" | "flask" => 1,
        _ => 0,
    }
}

/// Flags that take the next word as their value, by program; `*` for all.
const VALUE_FLAGS: &[(&str, &str)] = &[
    (
        "*",
        "--message --output --config --env --file --title --body --name --namespace \
         --context --region --profile --project --format",
    ),
    (
        "git",
        "-m -C -c -F -b -B --git-dir --work-tree --author --date --grep --since --until \
         --depth -o --onto --trailer",
    ),
    ("gh", "-t -b -F -R -l -B -H --repo --base --head"),
    (
        "kubectl",
        "-n -f -l -o -c --cluster --user --kubeconfig --selector --replicas --container \
         --filename -k",
    ),
    (
        "helm",
        "-n -f --kube-context --set --values --version --kubeconfig",
    ),
    ("npm", "--prefix -w --workspace -C --registry --tag --otp"),
    ("pnpm", "--filter -F -C --dir -w --registry --tag"),
    ("yarn", "--cwd --registry --tag"),
    ("make", "-C -f"),
    (
        "cargo",
        "--manifest-path -p --package --features -F --target --bin --example --test \
         --profile --target-dir -j --exclude",
    ),
    ("go", "-C -run -o -tags"),
    ("docker", "-H -c -f -t --tag -v -p -e -w -u --network"),
    ("podman", "-f -t --tag -v -p -e -w -u --network"),
    (
        "psql",
        "-c -f -h -p -U -d --command --dbname --host --username -v",
    ),
    ("mysql", "-e -h -u -P -D --execute --host --user --database"),
    ("sqlite3", "-cmd"),
    (
        "curl",
        "-X -H -d -o -u -A -b -F --data --header --request --user --url",
    ),
    ("ssh", "-i -p -l -o -F -J -L -R"),
    ("scp", "-i -P -o -F"),
    ("rsync", "-e --exclude --include"),
    ("terraform", "-var -var-file -target"),
    ("swift", "-c --configuration --filter --package-path"),
    ("pytest", "-k -m -n -c -p"),
    (
        "grep",
        "-e -f -m -A -B -C --include --exclude --exclude-dir",
    ),
    ("rg", "-e -f -m -A -B -C -g -t -T"),
    ("head", "-n -c"),
    ("tail", "-n -c"),
    ("sort", "-k -t -o"),
    ("aws", "--profile --region --query"),
    ("sed", "-e -f"),
    ("python", "-m -c"),
    ("python3", "-m -c"),
    ("node", "-e -p -r"),
    ("ruby", "-e"),
    ("perl", "-e"),
    ("php", "-r"),
    ("tar", "-f -C"),
];

/// Long flags that take no value in the programs that use them.
const BOOLEAN_FLAGS: &str = "--force --yes --all --verbose --quiet --silent --dry-run --debug --recursive --help \
    --version --watch --amend --hard --soft --mixed --cached --staged --step --seed \
    --release --prod --production --dev --save-dev --global --delete --prune --tags \
    --force-with-lease --ci --check --fix --write --detach --build --frozen-lockfile \
    --frozen --locked --offline --workspace --all-targets --all-features --auto-approve \
    --interactive --json --color --rebase --ff-only --squash --signoff --confirm --now \
    --purge --cascade --coverage --skip --fresh --if-exists";

fn has_word(list: &str, word: &str) -> bool {
    list.split(' ').any(|name| name == word)
}

/// Whether a flag takes the next word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arity {
    /// It never does.
    None,
    /// It always does.
    Value,
    /// Its grammar is not known.
    Unknown,
}

/// Looks up whether `flag` of `program` takes the next word as its value.
#[must_use]
pub(crate) fn arity(program: &str, flag: &str) -> Arity {
    if flag.contains('=') {
        return Arity::None;
    }
    let listed = |name: &str| {
        VALUE_FLAGS
            .iter()
            .any(|(owner, flags)| *owner == name && has_word(flags, flag))
    };
    // `-am 'text'`: the last letter of a cluster may take the value.
    let cluster_value = program == "git" && is_cluster(flag) && flag.ends_with('m');
    if listed(program) || cluster_value {
        return Arity::Value;
    }
    if has_word(BOOLEAN_FLAGS, flag) || flag.starts_with("--no-") {
        return Arity::None;
    }
    if listed("*") {
        return Arity::Value;
    }
    if has_word(KNOWN, program) || subcommand_depth(program, &[]) > 0 && !flag.starts_with("--") {
        return Arity::None;
    }
    Arity::Unknown
}

/// Utilities whose flags are all listed above or take no value.
const KNOWN: &str = "ls cat rm cp mv mkdir rmdir chmod chown ln grep rg wc sort git touch sed tar du df ps \
    kill diff tee unlink";

/// Programs whose single-letter flags may be written as one cluster
/// (POSIX.1-2024, XBD 12.2, guideline 5).
#[must_use]
pub(crate) fn clusters(program: &str) -> bool {
    has_word(KNOWN, program) || program == "docker" || program == "gzip"
}

/// Tells whether `flag` is a cluster of single letters such as `-rf`.
#[must_use]
pub(crate) fn is_cluster(flag: &str) -> bool {
    flag.len() > 2
        && !flag.starts_with("--")
        && flag.starts_with('-')
        && flag.bytes().skip(1).all(|b| b.is_ascii_alphabetic())
}

/// Programs that hand the rest of their line to another program or whose
/// operands end their options, so that no flag may move across an operand.
#[must_use]
pub(crate) fn is_positional(program: &str, subcommand: &[String]) -> bool {
    let sub = subcommand.first().map_or("", String::as_str);
    match program {
        "ssh" | "python" | "python3" | "node" | "ruby" | "perl" | "php" | "java" | "find"
        | "xargs" | "awk" | "test" | "npx" | "bunx" | "gcc" | "clang" | "ld" | "ffmpeg"
        | "bash" | "sh" | "zsh" | "deno" | "watch" | "echo" | "printf" => true,
        "docker" | "podman" | "kubectl" => matches!(sub, "run" | "exec"),
        _ => false,
    }
}

/// One spelling for flags that a program gives two names.
#[must_use]
pub(crate) fn flag_alias(program: &str, subcommand: &str, flag: &str) -> Option<&'static str> {
    Some(match (program, subcommand, flag) {
        ("git", "push" | "checkout" | "clean" | "add" | "tag" | "rm" | "mv" | "switch", "-f")
        | ("rm" | "cp" | "mv" | "ln", _, "-f") => "--force",
        ("git", "push" | "fetch", "-d") => "--delete",
        ("git", "commit", "-n") => "--no-verify",
        ("git", "commit" | "tag" | "merge", "-m") => "--message",
        ("git", "commit" | "branch" | "fetch", "-a") => "--all",
        ("git", "commit", "-s") => "--signoff",
        ("rm" | "cp" | "grep" | "chmod" | "chown", _, "-r" | "-R") => "--recursive",
        ("npm" | "pnpm" | "yarn", _, "-g") => "--global",
        ("npm" | "pnpm", _, "-D") => "--save-dev",
        ("kubectl" | "helm", _, "-n") => "--namespace",
        ("kubectl", _, "-f") => "--filename",
        ("kubectl", _, "-l") => "--selector",
        ("kubectl", _, "-A") => "--all-namespaces",
        ("docker" | "podman", "compose" | "run", "-d") => "--detach",
        ("cargo", _, "-p") => "--package",
        ("cargo", _, "-r") => "--release",
        ("swift", _, "-c") => "--configuration",
        ("psql", _, "-h") => "--host",
        ("psql", _, "-c") => "--command",
        ("mysql", _, "-h") => "--host",
        ("mysql", _, "-e") => "--execute",
        ("apt" | "apt-get" | "dnf" | "yum", _, "-y") => "--yes",
        _ => return None,
    })
}

/// One spelling for sub-commands that a program gives several names
/// (npm-run(1), npm-test(1), npm-install(1), kubectl and yarn manuals).
#[must_use]
pub(crate) fn subcommand_alias(program: &str, words: &[&str]) -> Option<Vec<&'static str>> {
    let first = words.first().copied().unwrap_or("");
    Some(match (program, first) {
        ("npm" | "pnpm", "run-script" | "rum" | "urn") => vec!["run"],
        ("npm" | "pnpm", "t" | "tst") => vec!["test"],
        ("npm" | "pnpm" | "bun", "i" | "add" | "in") => vec!["install"],
        ("npm" | "pnpm" | "bun", "rm" | "un" | "remove" | "r") => vec!["uninstall"],
        ("npm", "clean-install" | "ic") => vec!["ci"],
        ("npm" | "pnpm", "run") if words.get(1) == Some(&"test") => vec!["test", ""],
        ("npm" | "pnpm", "run") if words.get(1) == Some(&"start") => vec!["start", ""],
        ("cargo", "b") => vec!["build"],
        ("cargo", "t") => vec!["test"],
        ("cargo", "r") => vec!["run"],
        ("cargo", "c") => vec!["check"],
        ("rails", "g") => vec!["generate"],
        ("rails", "c") => vec!["console"],
        ("rails", "s") => vec!["server"],
        ("gradle", "b") => vec!["build"],
        _ => return None,
    })
}

/// Flags that set the directory a program works in.
#[must_use]
pub(crate) fn directory_flag(program: &str, flag: &str) -> bool {
    matches!(
        (program, flag),
        ("git" | "make" | "npm" | "pnpm" | "go", "-C")
            | ("npm", "--prefix")
            | ("pnpm", "--dir")
            | ("yarn", "--cwd")
            | ("make", "--directory")
    )
}
