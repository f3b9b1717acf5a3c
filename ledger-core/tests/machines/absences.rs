//! What the core does not do: its invariants of absence, read from its own text.

use std::fs;
use std::path::{Path, PathBuf};

/// What no line of the core may name: clocks, chance, files, the environment, threads, hash order.
const ABSENT: [&str; 14] = [
    "std::time",
    "SystemTime",
    "Utc::now",
    "Local::now",
    "rand::",
    "getrandom",
    "std::fs",
    "std::io",
    "std::env",
    "std::net",
    "std::thread",
    "async fn",
    "HashMap",
    "HashSet",
];

/// All that the core may depend on.
const DEPENDENCIES: [&str; 20] = [
    "base64",
    "bech32",
    "blake2",
    "blake3",
    "bs58",
    "chrono",
    "chrono-tz",
    "crc",
    "form_urlencoded",
    "hmac",
    "im",
    "minicbor",
    "percent-encoding",
    "rust_decimal",
    "serde",
    "serde_json",
    "sha2",
    "sha3",
    "thiserror",
    "time",
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn the_core_reads_no_clock_no_chance_no_medium_and_no_hash_order() {
    let sources = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(sources.len() > 50, "the sources were found");
    for path in sources {
        let text = fs::read_to_string(&path).unwrap();
        // Instants convert from and to the types of clocks, which nobody reads there.
        let converts = path.ends_with("time/conversions.rs");
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let absent = |word: &&&str| !(converts && ["std::time", "SystemTime"].contains(*word));
            let named = ABSENT.iter().filter(absent).find(|word| line.contains(**word));
            assert!(!line.contains("::now("), "{} reads a clock: {line}", path.display());
            assert!(named.is_none(), "{} names {}: {line}", path.display(), named.unwrap());
        }
    }
}

#[test]
fn the_core_uses_no_float() {
    for path in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = fs::read_to_string(&path).unwrap();
        // The strict reader of JSON must meet a float to refuse it where cents are asked for.
        let strict = path.ends_with("contract/input/json.rs");
        let found = text.lines().find(|line| line.contains("f64") || line.contains("f32"));
        assert!(strict || found.is_none(), "{}: {}", path.display(), found.unwrap());
    }
}

#[test]
fn the_core_depends_on_no_database_runtime_or_other_room() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let text = fs::read_to_string(manifest).unwrap();
    let section = text.split("[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
    let named: Vec<&str> = section
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|line| line.split(['.', ' ', '=']).next().unwrap())
        .collect();
    assert_eq!(named, DEPENDENCIES);
}
