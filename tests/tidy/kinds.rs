//! How far a machine's kind reaches beyond its own folders, and how long production code is.

use super::sources::{CRATES, Source, sources};

/// Each kind, how its own folders and files begin, and the most other files that may name it: of
/// the ledger and its doors, and of [`SECOND`].
///
/// The goal is ten. A limit only ever goes down.
const KINDS: [(&str, &[&str], [usize; 2]); 16] = [
    ("Charge", &["charge", "purchase"], [8, 10]),
    ("Transfer", &["transfer"], [5, 7]),
    ("Payout", &["payout"], [10, 10]),
    ("Hold", &["hold", "recover"], [8, 6]),
    ("Suspense", &["suspense"], [10, 7]),
    ("Adjustment", &["adjustment"], [6, 5]),
    ("Conversion", &["conversion"], [7, 7]),
    ("CommissionWithdrawal", &["conversion"], [1, 4]),
    ("ErroneousDelivery", &["erroneous_delivery", "purchase"], [7, 3]),
    ("CashOut", &["cash_out", "sale"], [14, 8]),
    ("UnmatchedDeposit", &["unmatched", "sale"], [7, 5]),
    ("WalletDeposit", &["wallet"], [4, 3]),
    ("WalletPayment", &["wallet"], [4, 5]),
    ("CryptoWithdrawal", &["wallet"], [2, 5]),
    ("Entry", &["entry", "product"], [5, 2]),
    ("Quote", &["quote", "wallet"], [2, 2]),
];

/// What states everything a second time, by its own reading, and so names what it is of.
const SECOND: [&str; 2] = ["ledger-sim/", "ledger-core/src/ledger/outcome/"];

/// Enumerations that list no machines: a word of theirs is an account, a fee, a row or a place.
const OTHERS: [&str; 12] = [
    "Account",
    "CoinAccount",
    "DepositAccount",
    "Before",
    "Float",
    "From",
    "Income",
    "Origin",
    "PixPurpose",
    "RefundSource",
    "RowKind",
    "Scenario",
];

/// Prints the table: `cargo test --test tidy kind -- --nocapture`.
#[test]
fn a_kind_is_named_in_few_files_beside_its_own() {
    let files: Vec<Source> = CRATES.iter().flat_map(|(_, folder)| sources(folder)).collect();
    println!("{} lines of production code", files.iter().map(Source::lines).sum::<usize>());
    let tests: Vec<String> = files.iter().flat_map(Source::test_modules).collect();
    let shipped = |file: &&Source| {
        !file.path.starts_with("tests/") && !tests.iter().any(|test| file.path.starts_with(test))
    };
    let files: Vec<(&Source, String)> =
        files.iter().filter(shipped).map(|file| (file, file.code())).collect();
    for (kind, own, most) in KINDS {
        let mut counts = [0, 0];
        for (file, code) in &files {
            if !file.stands_in(own) && names(code, kind) {
                let second = SECOND.iter().any(|folder| file.path.starts_with(folder));
                counts[usize::from(second)] += 1;
            }
        }
        println!("{kind:22}{counts:?} files, at most {most:?}");
        let holds = counts.iter().zip(most).all(|(count, most)| *count <= most);
        assert!(holds, "{counts:?} files name the kind {kind}, at most {most:?} may");
    }
}

#[test]
fn a_kind_is_named_as_a_variant_of_its_whole_name() {
    assert!(names("Machine::Payout(state)", "Payout") && names("Kind::Payout", "Payout"));
    assert!(!names("PayoutReport::Done, payout::State, Kind::PayoutReport", "Payout"));
    assert!(!names("Income::Payout.account()", "Payout") && names("(Self::Payout)", "Payout"));
}

#[test]
fn comments_and_tests_name_no_kind() {
    let text =
        "/// Kind::Payout\nmod a;\n#[cfg(test)]\nmod b;\n#[cfg(test)]\nmod tests {\nKind::Hold";
    let (path, module) = ("ledger-sim/src/lib.rs".to_owned(), Vec::new());
    let source = Source { path, module, text: text.to_owned() };
    assert!(!names(&source.code(), "Payout") && !names(&source.code(), "Hold"));
    assert_eq!(source.test_modules(), ["ledger-sim/src/b"]);
}

/// Tells whether the kind is named as a variant of an enumeration of machines, of their events or of
/// what is asked of them: `Machine::Payout`, `Event::Payout`, `Request::Payout`.
fn names(text: &str, kind: &str) -> bool {
    let mut after = text.match_indices(kind).map(|(at, _)| text.split_at(at));
    let is_part = |letter: char| letter == '_' || letter.is_alphanumeric();
    after.any(|(before, rest)| {
        let Some(before) = before.strip_suffix("::") else { return false };
        let listed = before.rsplit(|letter| !is_part(letter)).next().unwrap_or_default();
        let enumeration = listed.starts_with(char::is_uppercase) && !OTHERS.contains(&listed);
        enumeration && !rest[kind.len()..].starts_with(is_part)
    })
}

impl Source {
    fn lines(&self) -> usize {
        self.text.lines().count()
    }

    /// Its code without comments, up to its own tests.
    fn code(&self) -> String {
        let shipped = self.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let code = shipped.lines().filter(|line| !line.trim_start().starts_with("//"));
        code.collect::<Vec<_>>().join("\n")
    }

    /// The paths that the modules begin with which it declares for tests alone.
    fn test_modules(&self) -> Vec<String> {
        let (folder, file) = self.path.rsplit_once('/').expect("a source stands in a folder");
        let stem = file.trim_end_matches(".rs");
        let folder = match stem {
            "mod" | "lib" | "main" => folder.to_owned(),
            _ => format!("{folder}/{stem}"),
        };
        let declared = self.text.split("#[cfg(test)]\nmod ").skip(1);
        let names = declared.filter_map(|rest| rest.lines().next()?.strip_suffix(';'));
        names.map(|name| format!("{folder}/{name}")).collect()
    }

    /// Tells whether it, or a folder that it stands in, is named for one of these.
    fn stands_in(&self, own: &[&str]) -> bool {
        self.path.split('/').any(|part| own.iter().any(|own| part.starts_with(own)))
    }
}
