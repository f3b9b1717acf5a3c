//! How far a machine's kind reaches beyond its own folders, and how long production code is.

use super::sources::{CRATES, Source, sources};

/// Each kind, how its own folders and files begin, and the most other files that may name it.
///
/// The goal is ten. A limit only ever goes down.
const KINDS: [(&str, &[&str], usize); 15] = [
    ("Charge", &["charge"], 62),
    ("Transfer", &["transfer"], 25),
    ("Payout", &["payout"], 54),
    ("Hold", &["hold"], 23),
    ("Suspense", &["suspense"], 48),
    ("Adjustment", &["adjustment"], 19),
    ("Conversion", &["conversion"], 34),
    ("CommissionWithdrawal", &["conversion"], 10),
    ("ErroneousDelivery", &["erroneous_delivery", "purchase"], 14),
    ("CashOut", &["cash_out", "sale"], 46),
    ("UnmatchedDeposit", &["unmatched", "sale"], 20),
    ("WalletDeposit", &["wallet"], 15),
    ("WalletPayment", &["wallet"], 18),
    ("CryptoWithdrawal", &["wallet"], 13),
    ("Quote", &["quote", "wallet"], 9),
];

/// Prints the table: `cargo test --test tidy kind -- --nocapture`.
#[test]
fn a_kind_is_named_in_few_files_beside_its_own() {
    let files: Vec<Source> = CRATES.iter().flat_map(|(_, folder)| sources(folder)).collect();
    println!("{} lines of production code", files.iter().map(Source::lines).sum::<usize>());
    for (kind, own, most) in KINDS {
        let others = files.iter().filter(|file| !file.stands_in(own) && names(&file.text, kind));
        let count = others.count();
        println!("{kind:22}{count:4} files, at most {most}");
        assert!(count <= most, "{count} files name the kind {kind}, at most {most} may");
    }
}

#[test]
fn a_kind_is_named_as_a_variant_of_its_whole_name() {
    assert!(names("Machine::Payout(state)", "Payout") && names("Kind::Payout", "Payout"));
    assert!(!names("PayoutReport::Done, payout::State, Kind::PayoutReport", "Payout"));
}

/// Whether the kind is named as a variant of some enum: `Machine::Payout`, `RowKind::Payout`.
fn names(text: &str, kind: &str) -> bool {
    let mut after = text.match_indices(kind).map(|(at, _)| text.split_at(at));
    after.any(|(before, rest)| {
        let next = rest[kind.len()..].chars().next();
        before.ends_with("::") && !next.is_some_and(|next| next == '_' || next.is_alphanumeric())
    })
}

impl Source {
    fn lines(&self) -> usize {
        self.text.lines().count()
    }

    /// Whether it, or a folder that it stands in, is named for one of these.
    fn stands_in(&self, own: &[&str]) -> bool {
        self.path.split('/').any(|part| own.iter().any(|own| part.starts_with(own)))
    }
}
