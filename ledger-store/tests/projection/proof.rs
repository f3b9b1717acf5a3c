//! The proof names the first value that is not what the journal says, in whatever table.

use ledger_store::projection::{Projector, prove};

use crate::stage::LIVE;
use crate::{Home, journal, told};

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
    let told = told(20, 400);
    for (forgery, expected) in FORGERIES {
        let home = Home::sqlite();
        let mut journal = journal(&told.commits);
        Projector::open(&mut journal, LIVE, &home.place).unwrap();
        let proved = prove(&mut journal, LIVE, &home.place).unwrap().unwrap();
        assert_eq!(proved.head, told.book.head());
        home.execute(forgery);
        let found = prove(&mut journal, LIVE, &home.place);
        let found = found.expect_err(forgery).to_string();
        assert!(found.contains(expected), "{forgery}: {found}");
        // Whatever was done to them, they can be made again.
        Projector::rebuild(&mut journal, LIVE, &home.place).unwrap();
        assert_eq!(prove(&mut journal, LIVE, &home.place).unwrap(), Some(proved));
    }
}

#[test]
fn tables_are_proved_on_both_databases_as_far_as_they_have_come() {
    let told = told(20, 300);
    for home in Home::both() {
        let half = &told.commits[..told.commits.len() / 2];
        Projector::open(&mut journal(half), LIVE, &home.place).unwrap();
        let proved = prove(&mut journal(&told.commits), LIVE, &home.place).unwrap().unwrap();
        assert_eq!(proved.head, half.last().unwrap().head());
        assert!(proved.rows > 100);
        home.execute("UPDATE balances SET held_cents = 1 WHERE subaccount = 0");
        let found = prove(&mut journal(&told.commits), LIVE, &home.place).unwrap_err();
        assert!(found.to_string().contains("subaccount 0: column held_cents"), "{found}");
    }
}
