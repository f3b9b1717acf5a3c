//! The source files of every crate, with the modules they are.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates, and where their sources stand.
pub const CRATES: [(&str, &str); 18] = [
    ("ledger-core", "ledger-core/src"),
    ("ledger-store", "ledger-store/src"),
    ("ledger-cells", "beside/ledger-cells/src"),
    ("ledger-proofs", "beside/ledger-proofs/src"),
    ("ledger-reconcile", "beside/ledger-reconcile/src"),
    ("ledger-matching", "beside/ledger-matching/src"),
    ("ledger-close", "beside/ledger-close/src"),
    ("ledger-reserves", "beside/ledger-reserves/src"),
    ("ledger-trace", "beside/ledger-trace/src"),
    ("ledger-regulatory", "beside/ledger-regulatory/src"),
    ("ledger-witness", "beside/ledger-witness/src"),
    ("ledger-sim", "ledger-sim/src"),
    ("ledger-http", "ledger-http/src"),
    ("custody-ledger, the library", "src"),
    ("custody-ledger, the program", "src/cli"),
    ("ledger-features", "tests/features/src"),
    ("ledger-program", "tests/program/src"),
    ("ledger-tools", "tests/tools/src"),
];

/// A source file.
pub struct Source {
    /// Its path from the root, with slashes.
    pub path: String,
    /// Its module's path within the crate; the crate itself has none.
    pub module: Vec<String>,
    /// What stands in it.
    pub text: String,
}

impl Source {
    /// The first sentence of what it says of itself.
    pub fn first_sentence(&self) -> String {
        let lines = self.text.lines().skip_while(|line| !line.starts_with("//!"));
        let lines = lines.map_while(|line| line.strip_prefix("//!"));
        let said: Vec<&str> = lines
            .map(str::trim)
            .skip_while(|line| line.is_empty())
            .take_while(|line| !line.is_empty())
            .collect();
        let said = said.join(" ");
        match said.split_once(". ") {
            Some((sentence, _)) => format!("{sentence}."),
            None => said,
        }
    }
}

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files under a folder of sources, those of a folder before its folders'.
pub fn sources(folder: &str) -> Vec<Source> {
    let mut found = Vec::new();
    collect(&root().join(folder), &mut Vec::new(), &mut found);
    assert!(!found.is_empty(), "{folder} has no sources");
    found
}

fn collect(folder: &Path, module: &mut Vec<String>, found: &mut Vec<Source>) {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it is read").path()).collect();
    paths.sort();
    let (folders, files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_dir());
    for path in files.iter().filter(|path| path.extension().is_some_and(|it| it == "rs")) {
        let stem = path.file_stem().expect("a file has a name").to_string_lossy();
        let own = (!matches!(&*stem, "mod" | "lib" | "main")).then(|| stem.into_owned());
        let path_from_root = path.strip_prefix(root()).expect("it stands under the root");
        found.push(Source {
            path: path_from_root.to_string_lossy().replace('\\', "/"),
            module: module.iter().cloned().chain(own).collect(),
            text: fs::read_to_string(path)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display())),
        });
    }
    // A crate that stands within another's folder is not part of it.
    let own = |path: &PathBuf| CRATES.iter().all(|(_, folder)| *path != root().join(folder));
    for path in folders.into_iter().filter(own) {
        module.push(path.file_name().expect("a folder has a name").to_string_lossy().into_owned());
        collect(&path, module, found);
        module.pop();
    }
}
