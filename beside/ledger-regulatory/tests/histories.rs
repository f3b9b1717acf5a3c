//! Simulated journals: at each record, rows are the moves of entries, a client's rows are what its
//! balances change by, and the position is the trial balance. `REGULATORY=N` runs so many.
#![allow(missing_docs)] // The names of tests are sentences.

use std::collections::{BTreeMap, BTreeSet};

use ledger_core::ledger::{Event, Record};
use ledger_regulatory::{
    Balance, Commodity, CustodyPosition, Person, Row, RowClass, record_rows, sum_parts,
};
use ledger_sim::{Faults, Settings, Store, simulate_on};
use ledger_store::report::TrialBalance;
use ledger_store::sequencer::Sequencer;
use ledger_store::{OpenMode, SqliteJournal};

/// The name of the ledger that the simulator keeps.
const NAME: &str = "simulated";

/// How many histories a test run reads.
const HISTORIES: u64 = 4;

/// Runs one simulated history and shows each of its records with the ledger after it.
fn each_record(seed: u64, commands: u64, mut observe: impl FnMut(&Sequencer, &Record)) {
    let folder = tempfile::tempdir().expect("a folder for the store");
    let path = folder.path().join("simulated.db");
    let store = Store::parse(&format!("sqlite:{}", path.display())).expect("a store");
    let settings = Settings::commands(seed, commands).with_faults(Faults::Many);
    simulate_on(&settings, &store, &mut |_| ()).expect("the simulator finds no fault");
    let mut journal = SqliteJournal::open(&path, NAME, OpenMode::ReadOnly).expect("its journal");
    Sequencer::open(&mut journal, NAME, |sequencer, record| observe(sequencer, record))
        .expect("it replays");
}

/// Each move of a record's entries: event, commodity, accounts of the chart, amount.
type Moves = Vec<(usize, Commodity, &'static str, &'static str, u128)>;

fn moves_of(record: &Record) -> Moves {
    let mut moves = Moves::new();
    for (place, entry) in record.events.iter().map(Event::entry).enumerate() {
        for one in entry.moves() {
            let amount = u128::from(one.amount.cents().unsigned_abs());
            let names = (one.debit.control().name(), one.credit.control().name());
            moves.push((place, Commodity::Reais, names.0, names.1, amount));
        }
        for one in entry.coin_moves() {
            let names = (one.debit.name(), one.credit.name());
            moves.push((place, Commodity::Asset(one.asset), names.0, names.1, one.units.get()));
        }
    }
    moves.sort_unstable();
    moves
}

fn parts_of(rows: &[Row]) -> Moves {
    let parts = rows.iter().flat_map(|row| row.parts().map(move |part| (row.event, part)));
    let parts = parts.map(|(event, part)| {
        let names = (part.from.account.chart(), part.to.account.chart());
        (event, part.commodity, names.0, names.1, part.amount)
    });
    let mut parts: Moves = parts.collect();
    parts.sort_unstable();
    parts
}

/// The holdings of each client, by commodity.
type Held = BTreeMap<(Person, Commodity), i128>;

fn client_holdings(sequencer: &Sequencer) -> Held {
    let mut held = Held::new();
    for balance in Balance::all(sequencer).unwrap() {
        let person = balance.person.clone();
        if balance.is_owed_to(&person) {
            *held.entry((person, balance.account.commodity())).or_default() += balance.net_credit;
        }
    }
    held.retain(|_, amount| *amount != 0);
    held
}

fn add_effects(held: &mut Held, rows: &[Row]) {
    for row in rows {
        let ends = row.parts().flat_map(|part| [&part.from.person, &part.to.person]);
        let persons: BTreeSet<&Person> = ends.collect();
        for person in persons {
            for (commodity, amount) in row.effect_on(person) {
                *held.entry((person.clone(), commodity)).or_default() += amount;
            }
        }
    }
    held.retain(|_, amount| *amount != 0);
}

fn check_position(sequencer: &Sequencer) {
    let position = CustodyPosition::read(sequencer).unwrap();
    for balance in TrialBalance::all(sequencer) {
        let asset = position.assets.iter().find(|asset| asset.asset == balance.commodity).unwrap();
        assert_eq!(asset.total, asset.clients + asset.creditors + asset.own, "{}", asset.asset);
        let by_client: i128 = asset.by_client.values().sum();
        assert_eq!(asset.clients, by_client, "{}", asset.asset);
        let named = ["cust.avail", "susp.pix", "wal.avail", "dep"];
        for chart in named {
            let parts = asset.by_client.iter().filter(|((_, of), _)| *of == chart);
            let trial = balance.accounts.iter().find(|account| account.name == chart);
            let parts: i128 = parts.map(|(_, units)| units).sum();
            assert_eq!(parts, trial.map_or(0, |account| account.net_credit), "{chart}");
        }
    }
}

#[test]
fn each_unit_moved_stands_in_one_row_and_a_client_s_rows_are_what_its_balances_change_by() {
    let histories = std::env::var("REGULATORY").map_or(HISTORIES, |text| text.parse().unwrap());
    let (mut records, mut classes) = (0_u64, BTreeMap::<RowClass, u64>::new());
    let mut unknown = BTreeMap::<&str, u64>::new();
    for seed in 1..=histories {
        let mut running = Held::new();
        each_record(seed, 2_500, |sequencer, record| {
            records += 1;
            let rows = record_rows(sequencer, record);
            assert_eq!(parts_of(&rows), moves_of(record), "seed {seed}, record {}", record.seq.0);
            let moved: u128 = sum_parts(&rows).values().sum();
            assert_eq!(moved, moves_of(record).iter().map(|of| of.4).sum::<u128>());
            add_effects(&mut running, &rows);
            for row in &rows {
                *classes.entry(row.class).or_default() += 1;
                row.unknown().into_iter().for_each(|name| *unknown.entry(name).or_default() += 1);
            }
            if record.seq.0 % 100 == 0 {
                assert_eq!(
                    running,
                    client_holdings(sequencer),
                    "seed {seed}, record {}",
                    record.seq.0
                );
                check_position(sequencer);
            }
        });
    }
    println!("{records} records, rows {classes:?}, unknown {unknown:?}");
    assert!(records > histories * 1_000 && classes.len() >= 11, "{records}: {classes:?}");
}
