//! The shape of the house: dependencies between our crates only go down, never sideways.

use std::collections::BTreeMap;

use cargo_metadata::{DependencyKind, MetadataCommand};

/// Floors as in ARCHITECTURE.md; below floor 0 stands what knows of nothing else. A crate that is not listed fails the test: say where it belongs.
const FLOORS: [(&str, i8); 28] = [
    ("cgroup", -1),
    ("codes", -1),
    ("luajit", -1),
    ("messages", -1),
    ("random", -1),
    ("model", 0),
    ("script", 0),
    ("stats", 0),
    ("wire", 0),
    ("data", 1),
    ("disk", 1),
    ("knowledge", 1),
    ("load", 1),
    ("network", 1),
    ("probe", 1),
    ("sandbox", 1),
    ("spec", 1),
    ("store", 1),
    ("analysis", 2),
    ("topology", 2),
    ("calibrate", 3),
    ("import", 3),
    ("report", 3),
    ("runner", 3),
    ("mydyno", 4),
    ("bench", 4),
    ("acceptance", 4),
    ("testkit", 1),
];

#[test]
fn dependencies_only_go_down() {
    let floors: BTreeMap<&str, i8> = FLOORS.into();
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let metadata =
        MetadataCommand::new().manifest_path(manifest).no_deps().exec().expect("cargo metadata runs");
    let packages = metadata.workspace_packages();
    assert_eq!(packages.len(), FLOORS.len(), "every crate has a floor, and every floor's crates exist");
    for package in packages {
        let own = floors.get(package.name.as_str());
        let own = own.unwrap_or_else(|| panic!("crate {} has no floor", package.name));
        for dependency in package.dependencies.iter().filter(|d| d.kind == DependencyKind::Normal) {
            let Some(below) = floors.get(dependency.name.as_str()) else { continue };
            assert!(
                below < own,
                "{} (floor {own}) must not depend on {} (floor {below})",
                package.name,
                dependency.name
            );
            assert_ne!(dependency.name, "testkit", "{} depends on testkit outside its tests", package.name);
        }
    }
}

#[test]
fn floor_0_and_the_pure_crates_do_no_input_or_output() {
    // The administration client of wire opens sockets and reads certificates, see docs/design/floors.md.
    let allowed = ["wire/src/client.rs", "wire/src/connect.rs", "wire/src/tls.rs"];
    let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    for name in
        ["codes", "messages", "model", "random", "spec", "stats", "wire", "knowledge", "analysis", "report"]
    {
        for file in rust_files(&format!("{crates}/{name}/src")) {
            if allowed.iter().any(|end| file.ends_with(end)) {
                continue;
            }
            let text = std::fs::read_to_string(&file).expect("a source file can be read");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for banned in
                ["std::fs", "std::net", "std::process", "std::thread", "Instant::now", "SystemTime::now"]
            {
                assert!(
                    !code.contains(banned),
                    "{file} uses {banned}, but its crate does no input or output"
                );
            }
        }
    }
}

fn rust_files(directory: &str) -> Vec<String> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).expect("the crate has a src directory") {
        let path = entry.expect("a directory entry can be read").path();
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() {
            files.extend(rust_files(&name));
        } else if name.ends_with(".rs") {
            files.push(name);
        }
    }
    files
}
