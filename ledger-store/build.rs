//! Builds again when a migration is added: they are embedded, and the compiler cannot see new
//! files. Hashes the store's own sources, so that a snapshot of one version is never taken up by
//! another; those of the rules hash themselves.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=migrations");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the folder"));
    let mut files = BTreeSet::new();
    println!("cargo::rerun-if-changed=src");
    collect(&root.join("src"), &mut files);
    // FNV-1a: nobody chooses sources to collide.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        for byte in fs::read(&file).expect("a source can be read") {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    println!("cargo::rustc-env=LEDGER_SOURCES={hash:016x}");
}

fn collect(folder: &Path, files: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the sources can be listed") {
        let path = entry.expect("the sources can be listed").path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.insert(path);
        }
    }
}
