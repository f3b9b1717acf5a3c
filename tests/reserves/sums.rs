//! Sums against the trial balance at records of simulated journals, drawn by chance.
//!
//! `RESERVES_RECORDS=1000` draws so many; 60 unless it is said.

use std::process::Command;

use custody_ledger::reserves::Trees;
use custody_ledger::reserves::chart::{Treatment, coins, reais};
use ledger_core::accounting::{Class, Control};
use ledger_store::report::TrialBalance;
use ledger_store::sequencer::Sequencer;
use ledger_store::{Journal as _, OpenMode, SqliteJournal};

use crate::house::PROGRAM;

/// The histories, among which products have liabilities.
const SEEDS: std::ops::Range<u64> = 30..54;

/// How many commands each has.
const COMMANDS: &str = "2500";

/// A number that looks drawn, the same each time: a step of `SplitMix64`.
fn drawn(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Holds the trees of a ledger as it stands against its trial balance; returns how many holders
/// they have.
fn equals_the_trial_balance(then: &Sequencer, vault_key: &[u8; 32]) -> usize {
    let trees = Trees::read(then, vault_key, &[], 16).unwrap();
    let trial = TrialBalance::all(then);
    assert_eq!(trees.liabilities.assets.len(), trial.len());
    for (owed, classes) in trees.each() {
        let balance = trial.iter().find(|balance| balance.commodity == owed.asset).unwrap();
        let liabilities = balance.accounts.iter().filter(|known| known.class == Class::Liability);
        let expected: i128 = liabilities.map(|known| known.net_credit).sum();
        let found = classes.iter().map(|class| {
            let root = class.tree.root().sum;
            i128::try_from(root).unwrap() - i128::try_from(class.owed_by).unwrap()
        });
        assert_eq!(found.sum::<i128>(), expected, "{} at {}", owed.asset, trees.liabilities.record);
    }
    let holders = trees.liabilities.assets.iter().flat_map(|asset| &asset.classes);
    holders.map(|class| class.holders.len()).sum()
}

#[test]
fn sums_equal_the_trial_balance_at_records_drawn_by_chance() {
    let wanted = std::env::var("RESERVES_RECORDS").map_or(60, |text| text.parse().unwrap());
    let histories = SEEDS.end - SEEDS.start;
    let folder = tempfile::tempdir().unwrap();
    let (mut checked, mut most, mut classes) = (0, 0, std::collections::BTreeSet::new());
    for (place, seed) in (0..).zip(SEEDS) {
        let store = folder.path().join(format!("{seed}.db"));
        let at = format!("sqlite:{}", store.display());
        let given =
            ["simulate", "--seed", &seed.to_string(), "--commands", COMMANDS, "--store", &at];
        let done = Command::new(PROGRAM).args(given).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let mut journal = SqliteJournal::open(&store, "simulated", OpenMode::ReadOnly).unwrap();
        let (last, key) = (journal.head().unwrap().seq, journal.identity().vault_key);
        let share = wanted / histories + u64::from(place < wanted % histories);
        let mut records = std::collections::BTreeSet::new();
        for number in 0_u64.. {
            if records.len() as u64 == share.min(last) {
                break;
            }
            records.insert(drawn(seed << 32 | number) % last + 1);
        }
        Sequencer::open(&mut journal, "simulated", |then, record| {
            if records.contains(&record.seq.0) {
                most = most.max(equals_the_trial_balance(then, &key));
                checked += 1;
                let books = &then.ledger().state.books;
                classes.extend(Control::ALL.into_iter().filter_map(|control| {
                    let Treatment::Owed(class) = reais(control) else { return None };
                    (books.net_credit(control) != 0).then_some(class)
                }));
                classes.extend(books.coins().filter_map(|(_, account, _)| match coins(account) {
                    Treatment::Owed(class) => Some(class),
                    Treatment::NotOwed(_) => None,
                }));
            }
        })
        .unwrap();
    }
    assert_eq!(checked, wanted);
    println!("{checked} records, at most {most} holders, classes {classes:?}");
    // Of all classes only what cells owe each other does not come about there.
    assert_eq!(classes.len(), 11, "{classes:?}");
}
