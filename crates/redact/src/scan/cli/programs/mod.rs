//! The programs that take secrets on their command lines, with the options that their manuals
//! give for them.

mod cloud;
mod data;
mod network;
mod platform;

use super::taking::Taking;

/// Programs that read their command line alike.
pub(super) struct Program {
    /// The names, divided by blanks.
    pub(super) names: &'static str,
    /// The manual.
    pub(super) source: &'static str,
    pub(super) options: &'static [Opt],
}

/// One place where a program takes a secret.
pub(super) struct Opt {
    /// The rule's name.
    pub(super) id: &'static str,
    /// Words that must stand among the first ones, in this order: the sub-command.
    pub(super) sub: &'static str,
    pub(super) taking: Taking,
}

const fn takes(id: &'static str, sub: &'static str, taking: Taking) -> Opt {
    Opt { id, sub, taking }
}

const fn program(names: &'static str, source: &'static str, options: &'static [Opt]) -> Program {
    Program {
        names,
        source,
        options,
    }
}

/// Lists all programs.
pub(super) fn all() -> impl Iterator<Item = &'static Program> {
    [
        data::PROGRAMS,
        network::PROGRAMS,
        cloud::PROGRAMS,
        platform::PROGRAMS,
    ]
    .into_iter()
    .flatten()
}

/// Names that are too short for the gate or are words of prose, as they stand in a command.
pub(super) const PLAIN_WORDS: &[&str] = &[
    "7z ",
    "az ",
    "eb ",
    "ab ",
    "bw ",
    "cf ",
    "mc ",
    "oc ",
    "p4 ",
    "tf ",
    "su ",
    "op ",
    "hey ",
    "http ",
    "https ",
    "xh ",
    "zip ",
    "net ",
    "mount ",
    "security ",
    "fly ",
    "chamber ",
    "medusa ",
    "hydra ",
    "sc ",
    "reg ",
    "knife ",
    "pass ",
    "nl ",
    "exp ",
    "imp ",
    "rar ",
    "arj ",
    "mail ",
    "iw ",
    "gsec ",
    "b2 ",
    "db2 ",
    "step ",
    "influx ",
    "scrypt ",
    "nuget ",
    "cargo ",
    "npm ",
    "hf ",
    "kitty ",
    "poetry ",
    "helm ",
    "vault ",
    "docker ",
    "curl ",
    "aws ",
    "kubectl ",
    "openssl ",
    "ssh-keygen ",
    "redis-cli ",
    "mysql ",
    "mongo ",
    "pulumi ",
    "snyk ",
    "gh ",
    "travis ",
    "consul ",
    "heroku ",
    "twine ",
    "git ",
    "svn ",
    "openvpn ",
];
