//! The programs that take secrets on their command lines, with the options that their manuals
//! give for them.

mod cloud;
mod data;
mod devices;
mod network;
mod platform;
mod services;

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
    pub(super) demand: Demand,
}

/// What must hold for an argument to be taken for a secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Demand {
    Nothing,
    /// It looks drawn, or mixes letters and digits: the program's name is a word of prose too.
    Telling,
    /// The same, and the program's name begins the line.
    Line,
}

const fn takes(id: &'static str, sub: &'static str, taking: Taking) -> Opt {
    Opt {
        id,
        sub,
        taking,
        demand: Demand::Nothing,
    }
}

const fn telling(id: &'static str, sub: &'static str, taking: Taking) -> Opt {
    Opt {
        demand: Demand::Telling,
        ..takes(id, sub, taking)
    }
}

const fn line(id: &'static str, taking: Taking) -> Opt {
    Opt {
        demand: Demand::Line,
        ..takes(id, "", taking)
    }
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
        devices::PROGRAMS,
        services::PROGRAMS,
    ]
    .into_iter()
    .flatten()
}

/// Names of [`PLAIN_WORDS`] as they stand in a list of arguments.
pub(super) const LISTED_WORDS: &[&str] = &[
    "mysql\"",
    "mysql'",
    "mongo\"",
    "mongo'",
    "redis-cli\"",
    "redis-cli'",
    "curl\"",
    "curl'",
    "openssl\"",
    "openssl'",
    "docker\"",
    "docker'",
    "kubectl\"",
    "kubectl'",
    "ssh-keygen\"",
    "ssh-keygen'",
    "vault\"",
    "vault'",
    "zip\"",
    "zip'",
    "7z\"",
    "7z'",
    "rar\"",
    "rar'",
    "helm\"",
    "helm'",
    "aws\"",
    "aws'",
    "net.exe",
    "net\"",
    "net'",
    "git\"",
    "git'",
];

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
    "NET ",
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
    "key ",
    "snmp ",
    "super ",
    "option ",
    "ENC ",
    "EAP ",
    "AUTH ",
    "OPER ",
    "oper ",
    "LOGIN ",
    "connect ",
    "CONNECT ",
    "conn ",
    "CONN ",
    "stats ",
    "allow ",
    "ftp ",
    "dig ",
    "pw ",
    "bx ",
    "gs ",
    "swift ",
    "mqtt ",
    "blat ",
];
