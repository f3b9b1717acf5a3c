//! Pages from tables are the contract's own, and a walk does not shift while others append.

use std::time::Duration;

use ledger_core::contract::{StatementQuery, View};
use ledger_core::ledger::Archive;
use ledger_store::journal::{Journal, MemoryDisk, MemoryJournal, OpenMode};
use ledger_store::projection::{Following, PageError, Projector, Statement, Tables, WaitError};
use serde_json::Value;

use crate::setup::{self, LIVE};
use crate::{Home, journal, lived, vault};

const VIEWS: [View; 2] = [View::Entries, View::Operations];

#[test]
fn every_page_of_every_statement_is_the_contracts() {
    let story = lived(50, 600);
    let (ledger, harness) = (story.sequencer.ledger(), story.sequencer.views());
    for home in Home::both() {
        let mut journal = journal(&story.commits);
        Projector::open(&mut journal, LIVE, &home.target).unwrap();
        let vault = vault(&mut journal);
        let mut tables = Tables::open(&home.target, LIVE).unwrap().unwrap();
        let mut pages = 0;
        for (account, known) in ledger.state.accounts() {
            for (subaccount, _) in ledger.state.subaccounts_of(account, None) {
                let customer = ledger.archive.customer(subaccount);
                for (view, limit) in VIEWS.into_iter().flat_map(|view| [(view, 3), (view, 200)]) {
                    paged(|before| {
                        let subaccount = Some(subaccount);
                        let asked =
                            StatementQuery { account, subaccount, customer, view, limit, before };
                        let expected = harness.statement(&asked).unwrap();
                        let account = &known.name;
                        let asked = Statement { account, customer, view, limit, before };
                        let page = tables.statement(&asked, &vault).unwrap();
                        assert_eq!(page.body, expected);
                        assert_eq!(page.seq, story.sequencer.head().seq);
                        pages += 1;
                        page.body
                    });
                }
            }
        }
        assert!(pages > 100, "{pages}");
    }
}

#[test]
fn wrong_cursors_unknown_customers_and_accounts_are_answered_as_the_contract_answers() {
    let story = lived(50, 100);
    let home = Home::sqlite();
    let mut journal = journal(&story.commits);
    Projector::open(&mut journal, LIVE, &home.target).unwrap();
    let vault = vault(&mut journal);
    let mut tables = Tables::open(&home.target, LIVE).unwrap().unwrap();
    let asked = Statement {
        account: "loja",
        customer: Some("ana"),
        view: View::Entries,
        limit: 2,
        before: Some("1234567"),
    };
    let refused = tables.statement(&asked, &vault).unwrap_err();
    let PageError::Problem(problem) = refused else { panic!("{refused:?}") };
    assert!(problem.detail.starts_with("before must be"), "{}", problem.detail);
    let nobody = Statement { customer: Some("nobody"), before: None, ..asked };
    assert_eq!(tables.statement(&nobody, &vault).unwrap().body["items"], serde_json::json!([]));
    let unknown = Statement { account: "nowhere", before: None, ..asked };
    let refused = tables.statement(&unknown, &vault).unwrap_err().to_string();
    assert_eq!(refused, "no account of ledger live is named nowhere");
    let zero = Statement { limit: 0, before: None, ..asked };
    assert!(matches!(tables.statement(&zero, &vault), Err(PageError::Problem(_))));
}

/// STM-20: pages of one walk do not shift under appends.
#[test]
fn a_walk_under_constant_appends_repeats_and_skips_no_row() {
    for home in Home::both() {
        let story = lived(3, 500);
        let (first, rest) = story.commits.split_at(story.commits.len() / 2);
        let disk = MemoryDisk::new();
        let mut writer = setup::memory(&disk);
        setup::write(&mut writer, first);
        let open = || MemoryJournal::open(&disk, LIVE, OpenMode::ReadOnly).unwrap();
        let projector = Projector::open(&mut open(), LIVE, &home.target).unwrap();
        let following = Following::start(projector, Box::new(open()), Duration::from_millis(1));
        let vault = vault(&mut open());
        let mut tables = Tables::open(&home.target, LIVE).unwrap().unwrap();
        let mut moved = 0;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for commit in rest {
                    writer.append(commit).unwrap();
                    following.notify();
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
            for view in [View::Entries, View::Operations].into_iter().cycle().take(10) {
                moved += u64::from(walk(&mut tables, &vault, view));
            }
        });
        let head = open().head().unwrap().seq;
        assert_eq!(following.wait_for(head, Duration::from_secs(30)).unwrap(), head);
        assert_eq!(following.failure(), None);
        assert_eq!(tables.wait_for(head, Duration::ZERO).unwrap(), head);
        assert!(tables.wait_for(head + 1, Duration::from_millis(5)).is_err());
        assert!(moved > 0, "nothing was projected while a walk was under way");
    }
}

#[test]
fn a_record_that_is_not_written_yet_is_waited_for_and_not_one_before_it() {
    for home in Home::both() {
        let commits = lived(5, 40).commits;
        let disk = MemoryDisk::new();
        let mut writer = setup::memory(&disk);
        let (last, first) = commits.split_last().expect("there are commits");
        setup::write(&mut writer, first);
        let head = last.previous.seq;
        let open = || MemoryJournal::open(&disk, LIVE, OpenMode::ReadOnly).unwrap();
        let projector = Projector::open(&mut open(), LIVE, &home.target).unwrap();
        let following = Following::start(projector, Box::new(open()), Duration::from_hours(1));
        assert_eq!(following.wait_for(head, Duration::from_secs(30)).unwrap(), head);
        let late = following.wait_for(head + 1, Duration::from_millis(20));
        assert!(
            matches!(late, Err(WaitError::Late { seq, at }) if (seq, at) == (head + 1, head)),
            "{late:?}"
        );
        // It is waited for until it is there.
        let after = last.head().seq;
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| following.wait_for(after, Duration::from_secs(30)));
            writer.append(last).unwrap();
            following.notify();
            assert_eq!(waiting.join().unwrap().unwrap(), after);
        });
        assert_eq!(following.seq(), after);
        assert_eq!(following.failure(), None);
    }
}

/// No statement here has so many pages.
const MOST: usize = 2_000;

/// Reads page after page by the cursor of the one before. With a cursor that is off by one, or a
/// row that is given again and again, a walk without a bound would fill memory instead of failing.
fn paged(mut read: impl FnMut(Option<&str>) -> Value) {
    let mut before: Option<String> = None;
    for _ in 0..MOST {
        let next = read(before.as_deref())["proxima_pagina"].as_str().map(str::to_owned);
        assert!(next.is_none() || next != before, "cursor {next:?} leads to itself");
        before = next;
        if before.is_none() {
            return;
        }
    }
    panic!("after {MOST} pages another one follows");
}

/// Walks a whole statement in small pages; says whether the tables moved meanwhile.
fn walk(tables: &mut Tables, vault: &ledger_store::Vault, view: View) -> bool {
    let mut ids: Vec<String> = Vec::new();
    let (mut seqs, mut balance) = (Vec::new(), None);
    paged(|before| {
        let asked = Statement { account: "loja", customer: Some("ana"), view, limit: 2, before };
        let page = tables.statement(&asked, vault).unwrap();
        seqs.push(page.seq);
        for item in page.body["items"].as_array().unwrap() {
            match view {
                View::Entries => {
                    // The balance after each row is that before the row above it.
                    let after = item["saldo_apos_cents"].as_i64().unwrap();
                    assert!(balance.is_none_or(|expected| expected == after));
                    balance = Some(after - item["valor_cents"].as_i64().unwrap());
                    ids.push(text(&item["movimento_id"]));
                }
                View::Operations => {
                    let step = item["movimentos_ids"].as_array().unwrap();
                    ids.extend(step.iter().rev().map(text));
                }
            }
        }
        page.body
    });
    let numbers: Vec<u64> = ids.iter().map(|id| id.parse::<u64>().unwrap() / 1_000_000).collect();
    let down_to_one: Vec<u64> = (1..=numbers.len() as u64).rev().collect();
    assert_eq!(numbers, down_to_one, "every row once, newest first");
    if view == View::Entries {
        assert_eq!(balance, Some(0), "the first row began with nothing");
    }
    seqs.first() != seqs.last()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
