//! What the tables say beside what the fold says, by ways of their own.

use std::collections::BTreeSet;

use ledger_core::ledger::{Archive, Event, Machine};
use ledger_store::Journal;
use ledger_store::projection::Projector;
use ledger_store::sequencer::Sequencer;

use crate::{Home, bodies, journal, lived, setup::LIVE};

const STEPS: usize = 600;

#[test]
fn replay_has_the_effects_that_execution_had() {
    let mut original = crate::setup::sequencer();
    let (mut rows, mut executed) = (Vec::new(), Vec::new());
    crate::setup::story::each_line(STEPS, |text| {
        let handled = original.handle(&crate::setup::call(text));
        executed.extend(
            handled.notifications.into_iter().map(|notification| format!("{notification:?}")),
        );
        executed.extend(handled.instructions.into_iter().map(|task| format!("{task:?}")));
        rows.extend(original.cut().into_iter().flat_map(|commit| commit.rows));
        handled.response
    });
    let mut sequencer = crate::setup::sequencer();
    let mut replayed = Vec::new();
    for row in &rows {
        // One call made one commit here, with all its notifications before its instructions.
        let (mut notifications, mut tasks) = (Vec::new(), Vec::new());
        sequencer
            .replay_row(row, &mut |sequencer: &Sequencer, record| {
                let effects = sequencer.ledger().effects(record);
                notifications.extend(
                    effects
                        .notifications
                        .into_iter()
                        .map(|notification| format!("{notification:?}")),
                );
                tasks.extend(effects.instructions.into_iter().map(|task| format!("{task:?}")));
            })
            .unwrap();
        replayed.extend(notifications);
        replayed.extend(tasks);
    }
    assert!(executed.len() > 100, "{}", executed.len());
    assert_eq!(replayed, executed);
}

#[test]
fn the_tables_say_what_the_books_say() {
    let story = lived(7, STEPS);
    for home in Home::both() {
        let mut journal = journal(&story.commits);
        Projector::open(&mut journal, LIVE, &home.target).unwrap();
        balances(&story.sequencer, &home);
        open_holds(&story.sequencer, &home);
        operations(&story.sequencer, &mut journal, &home);
        commissions(&story.sequencer, &home);
        coins(&story.sequencer, &home);
        let rows = home.query("SELECT count(*) FROM statement_rows WHERE ledger = 'live'");
        let books = &story.sequencer.ledger().state.books;
        let expected: u32 = books.subaccounts().map(|(_, buckets)| buckets.rows).sum();
        assert_eq!(rows[0][0], expected.to_string());
        assert_eq!(bodies(&home, &mut journal), story.effects);
    }
}

#[test]
fn a_balance_that_moves_to_another_ledger_is_a_row_of_the_tables() {
    let mut sequencer = crate::setup::sequencer();
    for text in [
        r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"a-1","account":"loja"},"supplied":{"key":"svc_live_loja"}}"#,
        r#"{"at":"2026-11-20T12:00:00Z","fact":"fee.adjusted","body":{"id":"gift","account":"loja","effect_cents":900,"actor":"bia","reason":"a gift","evidence":"case-1"}}"#,
        r#"{"at":"2026-11-20T12:00:00Z","fact":"account.moved","body":{"id":"mv-1","account":"loja","ledger":"live-2","step":"leaving"}}"#,
        r#"{"at":"2026-11-20T12:00:00Z","fact":"balance.carried","body":{"id":"mv-2","account":"loja","effect_cents":-900}}"#,
    ] {
        assert_eq!(sequencer.call(&crate::setup::call(text)).status, 200, "{text}");
    }
    let home = Home::sqlite();
    Projector::open(&mut journal(sequencer.cut().as_slice()), LIVE, &home.target).unwrap();
    let rows = home.query("SELECT kind, value_cents FROM statement_rows ORDER BY number");
    assert_eq!(rows, [["fee_adjustment", "900"], ["carried", "-900"]]);
}

fn balances(sequencer: &Sequencer, home: &Home) {
    let ledger = sequencer.ledger();
    let expected: Vec<Vec<String>> = ledger
        .state
        .books
        .subaccounts()
        .map(|(subaccount, buckets)| {
            let account = ledger.state.subaccount(subaccount).unwrap().account;
            vec![
                subaccount.0.to_string(),
                ledger.state.account(account).unwrap().name.to_string(),
                ledger.archive.customer(subaccount).unwrap_or("null").to_owned(),
                buckets.available.cents().to_string(),
                buckets.held.cents().to_string(),
                buckets.frozen.cents().to_string(),
                buckets.total().cents().to_string(),
            ]
        })
        .collect();
    let found = home.query(
        "SELECT subaccount, account, customer, available_cents, held_cents, frozen_cents, \
         balance_cents FROM balances WHERE ledger = 'live' ORDER BY subaccount",
    );
    assert_eq!(found, expected);
}

fn open_holds(sequencer: &Sequencer, home: &Home) {
    let state = &sequencer.ledger().state;
    let mut expected: Vec<Vec<String>> = state
        .open_operations()
        .filter_map(|(op, operation)| {
            let amounts = operation.hold()?.amounts()?;
            let blocked = amounts.blocked_cents().cents();
            let short = amounts.shortfall().cents();
            Some(vec![op.text(&LIVE.into()), blocked.to_string(), short.to_string()])
        })
        .collect();
    expected.sort();
    let found = home.query(
        "SELECT operation, blocked_cents, short_cents FROM open_holds WHERE ledger = 'live' \
         ORDER BY operation",
    );
    assert!(!expected.is_empty());
    assert_eq!(found, expected);
    let frozen = "SELECT CAST(sum(frozen_cents) AS bigint) FROM balances WHERE ledger = 'live'";
    let blocked = "SELECT CAST(sum(blocked_cents) AS bigint) FROM open_holds WHERE ledger = 'live'";
    assert_eq!(home.query(frozen), home.query(blocked));
}

fn operations(sequencer: &Sequencer, journal: &mut dyn Journal, home: &Home) {
    let mut all = BTreeSet::new();
    Sequencer::open(journal, LIVE, |_, record| {
        all.extend(record.events.iter().filter_map(Event::op));
    })
    .unwrap();
    let harness = sequencer.views();
    let mut expected: Vec<Vec<String>> = all
        .into_iter()
        .map(|op| (op, harness.operation(op).unwrap()))
        .map(|(op, operation)| {
            let amount = match &operation.machine {
                Machine::Charge(state) => state.order().map(|order| order.amount.cents()),
                Machine::Payout(state) => state.order().map(|order| order.amount.cents()),
                Machine::Conversion(state) => state.progress().map(|s| s.order.amount.cents()),
                Machine::Adjustment(adjustment) => Some(adjustment.value.cents()),
                Machine::Hold(state) => state.amounts().map(|s| s.order.requested.cents()),
                _ => return vec![op.text(&LIVE.into()), "-".to_owned()],
            };
            vec![op.text(&LIVE.into()), amount.map_or("null".to_owned(), |cents| cents.to_string())]
        })
        .collect();
    expected.sort();
    let found = home.query(
        "SELECT operation, CASE WHEN kind IN ('transfer', 'suspense', 'stray') THEN '-' \
         ELSE CAST(amount_cents AS text) END FROM operations WHERE ledger = 'live' \
         ORDER BY operation",
    );
    assert_eq!(found, expected);
}

fn commissions(sequencer: &Sequencer, home: &Home) {
    let state = &sequencer.ledger().state;
    let expected: Vec<Vec<String>> = state
        .books
        .commissions()
        .map(|(account, known)| {
            vec![
                account.0.to_string(),
                known.balance.cents().to_string(),
                known.rows.to_string(),
                known.balance.cents().to_string(),
            ]
        })
        .collect();
    let found = home.query(
        "SELECT c.account_number, c.balance_cents, count(*), CAST(sum(r.value_cents) AS bigint) \
         FROM commissions c JOIN commission_rows r \
         ON r.ledger = c.ledger AND r.account_number = c.account_number \
         WHERE c.ledger = 'live' GROUP BY c.account_number, c.balance_cents \
         ORDER BY c.account_number",
    );
    assert!(!expected.is_empty());
    assert_eq!(found, expected);
}

fn coins(sequencer: &Sequencer, home: &Home) {
    let books = &sequencer.ledger().state.books;
    let expected = books.coins().count().to_string();
    let found = home.query("SELECT count(*) FROM coin_balances WHERE ledger = 'live'");
    assert_eq!(found[0][0], expected);
    // Each asset's accounts sum to zero, as the books' do.
    let sums = home.query(
        "SELECT DISTINCT CAST(sum(CAST(units AS bigint)) AS bigint) FROM coin_balances \
         WHERE ledger = 'live' GROUP BY asset",
    );
    assert_eq!(sums, [["0"]]);
}
