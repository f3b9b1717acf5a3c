//! Journals of the simulator, followed record by record and held against the books.

use std::collections::BTreeSet;

use ledger_core::accounting::{Account, Books, CoinAccount, Control};
use ledger_core::id::OpId;
use ledger_core::ledger::Record;
use ledger_sim::{Faults, Settings, Store, simulate_on};
use ledger_store::sequencer::Sequencer;
use ledger_store::{OpenMode, SqliteJournal};
use ledger_trace::{LedgerAccount, Reader, Rule, Step, Tracer};

/// The name of the ledger that the simulator keeps.
const NAME: &str = "simulated";

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

/// The balance that the books have of an account.
fn booked(books: &Books, place: LedgerAccount) -> i128 {
    match place {
        LedgerAccount::Coins(asset, account) => books.coin(asset, account),
        LedgerAccount::Reais(account) => match account {
            Account::Available(of) => books.subaccount(of).available.cents().into(),
            Account::Held(of) => books.subaccount(of).held.cents().into(),
            Account::Frozen(of) => books.subaccount(of).frozen.cents().into(),
            Account::Commission(of) => books.commission(of).balance.cents().into(),
            Account::TariffDue => books.net_credit(Control::TariffDue),
            Account::SuspensePix => books.net_credit(Control::SuspensePix),
            _ => books.flight(account).into(),
        },
    }
}

/// Tells whether only its own operation takes what it put in an account.
fn is_kept_apart(place: LedgerAccount) -> bool {
    matches!(
        place,
        LedgerAccount::Reais(Account::Held(_) | Account::Frozen(_) | Account::SuspensePix)
            | LedgerAccount::Coins(
                _,
                CoinAccount::Suspense
                    | CoinAccount::WalletReserved(_)
                    | CoinAccount::WalletConfirming(_)
            )
    )
}

fn check_kept_apart(tracer: &Tracer, step: &Step) {
    for flow in step.flows.iter().filter(|flow| is_kept_apart(flow.from.place)) {
        let comes = step.flows.iter().filter(|other| other.to == flow.from);
        let comes: u128 = comes.map(|other| other.amount).sum();
        let there = tracer.total(flow.from) + comes;
        assert!(there >= flow.amount, "{there} of {flow:?} stand there: {step:#?}");
    }
}

#[test]
fn lots_and_books_agree_at_every_record_of_simulated_journals_under_every_rule() {
    let mut records = 0;
    let mut kinds = BTreeSet::new();
    for seed in 1..=6 {
        let mut reader = Reader::new(None);
        let mut tracers = Rule::ALL.map(Tracer::new);
        let mut places = BTreeSet::new();
        each_record(seed, 3_000, |sequencer, record| {
            records += 1;
            let books = &sequencer.ledger().state.books;
            let steps = reader.steps(record);
            for step in &steps {
                kinds.extend(step.op.map(OpId::kind));
                for tracer in &mut tracers {
                    check_kept_apart(tracer, step);
                    tracer.step(step, &mut |_| ());
                }
            }
            let flows = steps.iter().flat_map(|step| &step.flows);
            let touched = flows.flat_map(|flow| [flow.from.place, flow.to.place]);
            let touched: BTreeSet<LedgerAccount> =
                touched.filter(|place| place.is_owed()).collect();
            check_balances(&tracers, books, record, &touched);
            places.extend(touched);
            if record.seq.0 % 500 == 0 {
                check_balances(&tracers, books, record, &places);
            }
        });
    }
    println!("{records} records, operations of {kinds:?}");
    assert!(records > 10_000 && kinds.len() > 12, "{records} records of {kinds:?}");
}

fn check_balances(
    tracers: &[Tracer; 3],
    books: &Books,
    record: &Record,
    places: &BTreeSet<LedgerAccount>,
) {
    for place in places {
        let booked = booked(books, *place);
        for (tracer, rule) in tracers.iter().zip(Rule::ALL) {
            let traced = tracer.balance(*place);
            assert_eq!(traced, booked, "{rule:?}, record {}: {place:?}", record.seq.0);
        }
    }
}
