//! Several engines on one ledger, in a file and on a server: only the last one goes on.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use ledger_store::audit::{Expect, audit};
use ledger_store::engine::{Engine, EngineError};
use ledger_store::journal::OpenMode;

use super::setup::medium::{Medium, Postgres, Sqlite};
use super::setup::{LIVE, mode};
use super::{OPEN, call, charge, count_of, undisturbed};

/// How many engines want the ledger.
const RIVALS: u64 = 3;

/// How many charges each of them makes.
const CHARGES: u64 = 60;

fn engine(medium: &impl Medium) -> Engine {
    Engine::builder(LIVE).take_over().start(medium.open(LIVE, mode()).unwrap()).unwrap()
}

fn an_overtaken_engine_says_so_and_lands_nothing<M: Medium>() {
    let medium = M::default();
    let older = engine(&medium);
    assert_eq!(older.call(call(OPEN)).wait().unwrap().status, 200);
    older.call(charge(1)).wait().unwrap();
    let newer = engine(&medium);
    for number in 2..5 {
        let answer = older.call(charge(number)).wait();
        assert_eq!(answer, Err(EngineError::Fenced));
        let said = answer.unwrap_err().to_string();
        assert!(said.contains("another writer has taken over"), "{said}");
    }
    newer.call(charge(5)).wait().unwrap();
    drop((older, newer));
    let head = medium.open(LIVE, OpenMode::ReadOnly).unwrap().head().unwrap();
    assert_eq!(head, undisturbed([1, 5]));
}

/// Each rival takes over, makes a few charges, and takes over again, overtaken or not.
fn constant_take_overs_lose_and_double_nothing<M: Medium>() {
    let medium = M::default();
    assert_eq!(engine(&medium).call(call(OPEN)).wait().unwrap().status, 200);
    let overtaken = AtomicUsize::new(0);
    let charged: BTreeMap<u64, String> = std::thread::scope(|scope| {
        let rival = |rival: u64| {
            let (medium, overtaken) = (&medium, &overtaken);
            let insists = move || {
                let mut charged = Vec::new();
                while charged.len() < usize::try_from(CHARGES).unwrap() {
                    let engine = engine(medium);
                    for _ in 0..4 {
                        let number = rival * CHARGES + charged.len() as u64;
                        match engine.call(charge(number)).wait() {
                            Ok(answer) => {
                                assert_eq!(answer.status, 200);
                                let id = answer.body["cashin_id"].as_str().unwrap();
                                charged.push((number, id.to_owned()));
                            }
                            Err(EngineError::Fenced | EngineError::NotWritten(_)) => {
                                overtaken.fetch_add(1, Ordering::Relaxed);
                                break;
                            }
                            Err(error) => panic!("{error}"),
                        }
                    }
                }
                charged.truncate(usize::try_from(CHARGES).unwrap());
                charged
            };
            scope.spawn(insists)
        };
        let threads: Vec<_> = (0..RIVALS).map(rival).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(overtaken.into_inner() > 10, "the rivals hardly met");

    let last = engine(&medium);
    assert_eq!(charged.len() as u64, RIVALS * CHARGES);
    for (number, id) in &charged {
        assert_eq!(count_of(&last, *number), 1);
        assert_eq!(last.call(charge(*number)).wait().unwrap().body["cashin_id"], **id);
    }
    drop(last);
    let mut journal = medium.open(LIVE, OpenMode::ReadOnly).unwrap();
    audit(&mut *journal, LIVE, Expect::default(), |_| ()).unwrap();
    // The account, every charge, and those a rival began a new round of four with.
    let head = journal.head().unwrap().seq;
    assert!(head > RIVALS * CHARGES && head <= RIVALS * (CHARGES + 3) + 1, "{head}");
}

macro_rules! on_disk {
    ($($fact:ident,)*) => {
        mod sqlite {
            $(#[test] fn $fact() { super::$fact::<super::Sqlite>(); })*
        }
        mod postgres {
            $(#[test] fn $fact() { super::$fact::<super::Postgres>(); })*
        }
    };
}

on_disk! {
    an_overtaken_engine_says_so_and_lands_nothing,
    constant_take_overs_lose_and_double_nothing,
}
