//! The proof names the first value that is not what the journal says, in whatever table.

use ledger_store::projection::{Projector, prove};

use crate::setup::LIVE;
use crate::{Home, journal, lived};

/// What somebody did to the tables, and what the proof says of it.
const FORGERIES: [(&str, &str); 10] = [
    (
        "UPDATE balances SET available_cents = available_cents + 1 WHERE subaccount = 2",
        "table balances, subaccount 2: column available_cents says",
    ),
    (
        "UPDATE statement_rows SET value_cents = 7 WHERE subaccount = 2 AND number = 2",
        "table statement_rows, subaccount 2, number 2: column value_cents says 7",
    ),
    (
        "DELETE FROM statement_rows WHERE subaccount = 2 AND number = 3",
        "table statement_rows, subaccount 2, number 3: the row is missing",
    ),
    (
        "INSERT INTO open_holds VALUES \
         ('live', 'ho_z', 1, 'dispute', NULL, 1, 1, 0, 0, 0, 'x', NULL, 'y', 1)",
        "table open_holds, operation \"ho_z\": no record made this row",
    ),
    ("UPDATE operations SET state = 'paid' WHERE state = 'failed'", "column state says \"paid\""),
    ("UPDATE operations SET amount_cents = NULL WHERE kind = 'hold'", "amount_cents says null"),
    ("UPDATE commissions SET balance_cents = 0", "column balance_cents says 0"),
    ("UPDATE coin_balances SET amount = '1' WHERE asset = 'usdt'", "column amount says \"1\""),
    ("UPDATE outbox SET body = '{}' WHERE topic = 'pix.send'", "column body says \"{}\""),
    ("DELETE FROM outbox WHERE topic = 'payout.created'", "the row is missing"),
];

#[test]
fn every_forgery_is_named_by_table_key_and_column() {
    let story = lived(20, 400);
    for (forgery, expected) in FORGERIES {
        let home = Home::sqlite();
        let mut journal = journal(&story.commits);
        Projector::open(&mut journal, LIVE, &home.target).unwrap();
        let proved = prove(&mut journal, LIVE, &home.target).unwrap().unwrap();
        assert_eq!(proved.head, story.sequencer.head());
        home.execute(forgery);
        let found = prove(&mut journal, LIVE, &home.target);
        let found = found.expect_err(forgery).to_string();
        assert!(found.contains(expected), "{forgery}: {found}");
        // Whatever was done to them, they can be made again.
        Projector::rebuild(&mut journal, LIVE, &home.target).unwrap();
        assert_eq!(prove(&mut journal, LIVE, &home.target).unwrap(), Some(proved));
    }
}

#[test]
fn tables_are_proved_on_both_databases_as_far_as_they_have_come() {
    let story = lived(20, 300);
    for home in Home::both() {
        let half = &story.commits[..story.commits.len() / 2];
        Projector::open(&mut journal(half), LIVE, &home.target).unwrap();
        let proved = prove(&mut journal(&story.commits), LIVE, &home.target).unwrap().unwrap();
        assert_eq!(proved.head, half.last().unwrap().head());
        assert!(proved.rows > 100);
        home.execute("UPDATE balances SET held_cents = 1 WHERE subaccount = 0");
        let found = prove(&mut journal(&story.commits), LIVE, &home.target).unwrap_err();
        assert!(found.to_string().contains("subaccount 0: column held_cents"), "{found}");
    }
}

/// Returns what the proof says of tables to which this was done.
fn said_of(forgeries: &[&str]) -> String {
    let story = lived(20, 300);
    let home = Home::sqlite();
    let mut journal = journal(&story.commits);
    Projector::open(&mut journal, LIVE, &home.target).unwrap();
    for forgery in forgeries {
        home.execute(forgery);
    }
    let found = prove(&mut journal, LIVE, &home.target).expect_err(forgeries[0]);
    found.to_string()
}

#[test]
fn an_outbox_that_says_it_was_pruned_where_it_was_not_is_named() {
    let pruned = |seq: &str, check: &str| {
        format!(
            "UPDATE projection_checkpoint SET outbox_pruned_seq = {seq}, outbox_pruned_check = {check}"
        )
    };
    let empty = "DELETE FROM outbox";
    let found = said_of(&[empty, &pruned("seq + 1000", "''")]);
    assert!(found.contains("the journal ends before it"), "{found}");
    let found = said_of(&[empty, &pruned("seq", "'0011223344556677'")]);
    assert!(found.contains("outbox_pruned_check is not of that record"), "{found}");
    let of = |which: &str| format!("(SELECT {which} FROM outbox ORDER BY seq DESC LIMIT 1)");
    let whole = pruned(&of("seq"), &of("record_check"));
    let found = said_of(&[&whole]);
    assert!(found.contains("entries of before are pending in it"), "{found}");
    // The first record opens the ledger and tells nobody.
    let found =
        said_of(&[empty, &pruned("1", "(SELECT substr(link, 1, 0) FROM projection_checkpoint)")]);
    assert!(found.contains("is not of that record"), "{found}");
}

#[test]
fn a_pruned_check_of_an_outbox_that_was_never_pruned_is_named() {
    let found = said_of(&["UPDATE projection_checkpoint SET outbox_pruned_check = '00'"]);
    assert!(found.contains("outbox_pruned_check is not of that record"), "{found}");
    let found = said_of(&["UPDATE projection_checkpoint SET as_of = '2020-01-01T00:00:00Z'"]);
    assert!(found.contains("column as_of says \"2020-01-01T00:00:00Z\""), "{found}");
}

#[test]
fn a_pruned_check_beside_an_outbox_that_an_engine_keeps_is_named() {
    let story = lived(20, 200);
    for home in Home::both() {
        let mut journal = journal(&story.commits);
        Projector::open(&mut journal, LIVE, &home.target).unwrap();
        home.execute("INSERT INTO outbox_checkpoint SELECT * FROM projection_checkpoint");
        prove(&mut journal, LIVE, &home.target).unwrap().unwrap();
        for table in ["projection_checkpoint", "outbox_checkpoint"] {
            home.execute(&format!("UPDATE {table} SET outbox_pruned_check = '00'"));
            let found = prove(&mut journal, LIVE, &home.target).unwrap_err().to_string();
            assert!(found.contains("outbox_pruned_check is not of that record"), "{found}");
            home.execute(&format!("UPDATE {table} SET outbox_pruned_check = ''"));
        }
        prove(&mut journal, LIVE, &home.target).unwrap().unwrap();
    }
}

/// The table of deliveries, as the courier makes it.
const DELIVERIES: &str = "CREATE TABLE webhook_deliveries ( \
    ledger TEXT NOT NULL, event TEXT NOT NULL, account TEXT NOT NULL, topic TEXT NOT NULL, \
    state TEXT NOT NULL, PRIMARY KEY (ledger, event))";

#[test]
fn a_delivery_of_an_event_that_no_record_tells_is_named_and_so_is_one_that_says_otherwise() {
    let story = lived(20, 300);
    for home in Home::both() {
        let mut journal = journal(&story.commits);
        Projector::open(&mut journal, LIVE, &home.target).unwrap();
        home.execute(DELIVERIES);
        home.execute(
            "INSERT INTO webhook_deliveries SELECT ledger, id, coalesce(account, ''), topic, '' \
             FROM outbox WHERE kind = 'notice'",
        );
        let mut said = |sql: &str, back: &str| {
            prove(&mut journal, LIVE, &home.target).unwrap().unwrap();
            home.execute(sql);
            let found = prove(&mut journal, LIVE, &home.target).expect_err(sql).to_string();
            home.execute(back);
            found
        };
        let found = said(
            "INSERT INTO webhook_deliveries VALUES ('live', 'ev_x', 'loja', 'cashin.paid', '')",
            "DELETE FROM webhook_deliveries WHERE event = 'ev_x'",
        );
        assert_eq!(found, "table webhook_deliveries, event \"ev_x\": no record made this row");
        for (column, of) in [("topic", "payout.created"), ("account", "feira")] {
            let found = said(
                &format!("UPDATE webhook_deliveries SET {column} = 'x' WHERE {column} = '{of}'"),
                &format!("UPDATE webhook_deliveries SET {column} = '{of}' WHERE {column} = 'x'"),
            );
            assert!(found.contains(&format!("column {column} says \"x\"")), "{found}");
        }
    }
}

#[test]
fn an_outbox_that_was_pruned_is_proved() {
    let story = lived(20, 300);
    let home = Home::sqlite();
    let mut journal = journal(&story.commits);
    Projector::open(&mut journal, LIVE, &home.target).unwrap();
    let vault = crate::vault(&mut journal);
    let mut tables = home.tables();
    let mut given = 0;
    // Each round acknowledges the first of each line: there are fewer rounds than entries.
    for _ in 0..1_000 {
        let pending = tables.pending(None, 1_000, &vault).unwrap();
        if pending.is_empty() {
            break;
        }
        given += pending.len();
        for entry in pending {
            tables.acknowledge(&entry.id, ledger_core::time::Instant::default()).unwrap();
        }
    }
    let pruned = tables.prune(story.sequencer.head().seq).unwrap();
    assert_eq!(pruned, given as u64);
    prove(&mut journal, LIVE, &home.target).unwrap().unwrap();
}
