//! Dependencies are under licences and from sources that `.cargo/deny.toml` allows.
//!
//! `cargo deny check licenses bans sources` says the same and more, where cargo-deny is installed.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod expression;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use expression::is_allowed;
use serde_json::Value;

/// The only source of what is not our own.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// What `.cargo/deny.toml` allows.
struct Lists {
    licences: BTreeSet<String>,
    /// Names of crates, each with a licence that it alone may have.
    exceptions: BTreeSet<(String, String)>,
}

impl Lists {
    fn read() -> Self {
        let text = std::fs::read_to_string(root().join(".cargo/deny.toml")).unwrap();
        let licences = quoted(section(&text, "allow = ["));
        let exceptions = section(&text, "exceptions = [").lines().filter_map(|line| {
            let said: Vec<String> = quoted(line).into_iter().collect();
            let [name, licence] = &said[..] else { return None };
            Some((name.clone(), licence.clone()))
        });
        Self { licences: licences.into_iter().collect(), exceptions: exceptions.collect() }
    }

    fn allow(&self, name: &str, expression: &str) -> bool {
        is_allowed(expression, &|licence| {
            self.licences.contains(licence)
                || self.exceptions.contains(&(name.to_owned(), licence.to_owned()))
        })
    }
}

/// Returns what stands after `head`, up to the bracket that closes the list on a line of its own.
fn section<'a>(text: &'a str, head: &str) -> &'a str {
    let rest = text.split_once(&format!("\n{head}\n")).expect("the list is there").1;
    rest.split_once("\n]").expect("the list ends").0
}

/// The texts in quotes, in their order.
fn quoted(text: &str) -> Vec<String> {
    text.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Every package that a build on this machine may take, for whatever feature and test.
fn packages() -> Vec<Value> {
    let version = Command::new("rustc").arg("-vV").output().expect("rustc");
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let told = Command::new(cargo)
        .args(["metadata", "--locked", "--offline", "--format-version=1", "--filter-platform"])
        .arg(host)
        .current_dir(root())
        .output()
        .expect("cargo");
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    told["packages"].as_array().expect("packages").clone()
}

#[test]
fn every_dependency_has_a_licence_and_a_source_that_are_listed() {
    let (lists, packages) = (Lists::read(), packages());
    assert!(packages.len() > 100, "{} packages are too few to be all", packages.len());
    let text = |package: &Value, field: &str| package[field].as_str().map(str::to_owned);
    let mut wrong = Vec::new();
    for package in &packages {
        let name = text(package, "name").unwrap();
        let licence = text(package, "license").unwrap_or_default();
        if licence.is_empty() || !lists.allow(&name, &licence) {
            wrong.push(format!("{name}: licence {licence:?} is not on the list"));
        }
        if let Some(source) = text(package, "source").filter(|source| source != REGISTRY) {
            wrong.push(format!("{name}: {source} is not the registry"));
        }
    }
    assert!(wrong.is_empty(), ".cargo/deny.toml: {wrong:#?}");
}

#[test]
fn what_asks_for_more_than_we_do_is_named_in_the_readme() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let licence = readme.split_once("\n## Licence\n").expect("a section").1;
    for (name, other) in Lists::read().exceptions {
        let family = name.split('-').next().unwrap();
        assert!(licence.contains(family) && licence.contains(&other), "{name}: {other}");
    }
}

#[test]
fn a_choice_of_licences_is_allowed_by_one_of_them_and_a_sum_by_all() {
    let mit = |licence: &str| licence == "MIT";
    for (expression, allowed) in [
        ("MIT", true),
        ("MPL-2.0+", false),
        ("MIT/GPL-3.0", true),
        ("GPL-3.0 OR MIT", true),
        ("MIT AND GPL-3.0", false),
        ("GPL-3.0 OR MIT AND ISC", false),
        ("(GPL-3.0 OR MIT) AND MIT", true),
        ("MIT WITH LLVM-exception", true),
    ] {
        assert_eq!(is_allowed(expression, &mit), allowed, "{expression}");
    }
}
