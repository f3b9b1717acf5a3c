//! Which domains the ledger imports where all domains share it: none but in the tables in which they
//! register.

use super::circles::Imports;
use super::sources::sources;

/// The folders of `ledger/` that are domains.
const DOMAINS: [&str; 17] = [
    "account",
    "adjustment",
    "agent",
    "cell",
    "charge",
    "closing",
    "conversion",
    "hold",
    "payout",
    "product",
    "purchase",
    "recovery",
    "sale",
    "suspense",
    "transfer",
    "treasury",
    "wallet",
];

/// The files of `ledger/` in which domains register: requests, facts, events, what follows from a
/// decision, and what is kept in the state.
const TABLES: [&str; 6] = ["command", "request", "fact", "apply", "consequences", "domains"];

/// The most imports of domains by all tables together. It grows by a new domain alone.
const MOST: usize = 38;

/// Prints the count: `cargo test --test tidy domains -- --nocapture`.
#[test]
fn nothing_but_tables_imports_domains() {
    let imports = Imports::from_sources(&sources("ledger-core/src"));
    let part = |module: &[String]| match module {
        [ledger, part, ..] if ledger == "ledger" => Some(part.clone()),
        _ => None,
    };
    let domain = |part: &str| DOMAINS.contains(&part);
    let up = imports.arrows().filter(|(from, _)| !from.ends_with(&["tests".to_owned()]));
    let up = up.filter_map(|(from, to)| Some((part(from)?, from.join("::"), part(to)?)));
    let up = up.filter(|(from, _, to)| domain(to) && !domain(from));
    let (tables, others): (Vec<_>, Vec<_>) = up.partition(|(from, ..)| TABLES.contains(&&**from));
    println!("{} imports of domains by tables, at most {MOST}", tables.len());
    assert!(tables.len() <= MOST, "{tables:#?}");
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn every_domain_and_every_table_stands_where_it_is_looked_for() {
    let files = sources("ledger-core/src/ledger");
    for name in DOMAINS.iter().chain(&TABLES) {
        assert!(
            files.iter().any(|file| file.module.first().is_some_and(|it| it == name)),
            "{name}"
        );
    }
}
