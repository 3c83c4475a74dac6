//! The workspace as `cargo metadata` describes it, cut down to plain data
//! that the gates can be tested with.

use cargo_metadata::{DependencyKind, MetadataCommand, Package, TargetKind};

use crate::Failure;
use crate::cargo::Cargo;

/// Members that are costly to compile and are tested in a step of their own.
const HEAVY: &[&str] = &["precedent-store-lance"];

/// The members and every package they pull in.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// The workspace's own packages.
    pub(crate) members: Vec<Member>,
    /// All packages of the resolved graph, members included.
    pub(crate) packages: Vec<Licensed>,
}

/// One package of the workspace.
#[derive(Debug, Clone, Default)]
pub(crate) struct Member {
    /// The package's name.
    pub(crate) name: String,
    /// Its folder under the root, with `/` between segments.
    pub(crate) folder: String,
    /// What its manifest names, optional ones included.
    pub(crate) dependencies: Vec<Dependency>,
    /// Its cargo features.
    pub(crate) features: Vec<String>,
    /// Its library (when any), programs and benchmarks.
    pub(crate) targets: Vec<Target>,
}

/// A dependency as the manifest declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependency {
    /// The package's name (not its rename).
    pub(crate) name: String,
    /// True for a dev-dependency.
    pub(crate) dev: bool,
}

/// A compiled target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    /// The target's name.
    pub(crate) name: String,
    /// What it is.
    pub(crate) kind: Kind,
}

/// The kinds of target that the tasks tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A library that has doctests.
    Library,
    /// A program.
    Program,
    /// A `[[bench]]`.
    Bench,
}

/// A package and what it says about its licence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Licensed {
    /// Name and version.
    pub(crate) package: String,
    /// The `license` field.
    pub(crate) licence: Option<String>,
}

impl Member {
    /// True for a package of the benchmarks, which may compile peers.
    pub(crate) fn is_bench(&self) -> bool {
        self.folder.starts_with("benches/")
    }

    /// True when the package is left out of the ordinary test run.
    pub(crate) fn is_heavy(&self) -> bool {
        self.is_bench() || HEAVY.contains(&self.name.as_str())
    }

    /// True when the package has a library.
    pub(crate) fn has_library(&self) -> bool {
        self.targets
            .iter()
            .any(|target| target.kind == Kind::Library)
    }
}

impl Workspace {
    /// Reads `cargo metadata` for all features and platforms.
    ///
    /// Errors: cargo's own message, when it cannot resolve the workspace.
    pub(crate) fn load(cargo: &Cargo) -> Result<Self, Failure> {
        let metadata = MetadataCommand::new()
            .cargo_path(cargo.program())
            .current_dir(cargo.root())
            .exec()
            .map_err(|error| Failure::new(format!("cargo metadata failed: {error}")))?;
        let root = metadata.workspace_root.as_str();
        let mut members: Vec<Member> = metadata
            .workspace_packages()
            .into_iter()
            .map(|package| member(package, root))
            .collect();
        members.sort_by(|a, b| a.name.cmp(&b.name));
        let packages = metadata.packages.iter().map(licensed).collect();
        Ok(Self { members, packages })
    }

    /// Cargo words: these, then `--workspace` with an `--exclude` for each
    /// heavy member.
    pub(crate) fn light_words(&self, head: &[&str]) -> Vec<String> {
        let heavy = self.members.iter().filter(|member| member.is_heavy());
        let excluded = heavy.flat_map(|member| ["--exclude", member.name.as_str()]);
        let words = head.iter().copied().chain(["--workspace"]).chain(excluded);
        words.map(str::to_owned).collect()
    }
}

fn member(package: &Package, root: &str) -> Member {
    let manifest = package.manifest_path.as_str().replace('\\', "/");
    let folder = manifest
        .strip_prefix(&root.replace('\\', "/"))
        .unwrap_or(&manifest)
        .trim_end_matches("Cargo.toml")
        .trim_matches('/')
        .to_owned();
    Member {
        name: package.name.to_string(),
        folder,
        dependencies: package
            .dependencies
            .iter()
            .map(|dependency| Dependency {
                name: dependency.name.clone(),
                dev: dependency.kind == DependencyKind::Development,
            })
            .collect(),
        features: package.features.keys().cloned().collect(),
        targets: package
            .targets
            .iter()
            .filter_map(|target| {
                let kind = target.kind.iter().find_map(kind)?;
                Some(Target {
                    name: target.name.clone(),
                    kind,
                })
            })
            .collect(),
    }
}

fn kind(kind: &TargetKind) -> Option<Kind> {
    match kind {
        TargetKind::Lib | TargetKind::RLib | TargetKind::ProcMacro => Some(Kind::Library),
        TargetKind::Bin => Some(Kind::Program),
        TargetKind::Bench => Some(Kind::Bench),
        _ => None,
    }
}

fn licensed(package: &Package) -> Licensed {
    Licensed {
        package: format!("{} {}", package.name, package.version),
        licence: package.license.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavy_members_are_excluded() {
        let member = |name: &str, folder: &str| Member {
            name: name.to_owned(),
            folder: folder.to_owned(),
            ..Member::default()
        };
        let workspace = Workspace {
            members: vec![
                member("peers", "benches/peers"),
                member("precedent-core", "crates/core"),
                member("precedent-store-lance", "crates/store-lance"),
            ],
            packages: Vec::new(),
        };
        assert_eq!(
            workspace.light_words(&["doc"]),
            [
                "doc",
                "--workspace",
                "--exclude",
                "peers",
                "--exclude",
                "precedent-store-lance"
            ]
        );
    }
}
