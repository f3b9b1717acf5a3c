//! Balances of past instants: a reader finds by blocks what the rows of a statement say one by one.

use ledger_core::id::SubaccountId;
use ledger_core::ledger::Archive as _;
use ledger_core::money::Balance;
use ledger_core::time::Instant;
use ledger_store::sequencer::Sequencer;

use super::read_beside::prepare;
use super::setup::call;
use super::started;

/// The house balance of the first account.
const HOUSE: SubaccountId = SubaccountId(0);

/// The balances at the instant of each row, right before and right after it, which are those of
/// the rows looked at one by one.
fn balances(sequencer: &mut Sequencer) -> Vec<Option<Balance>> {
    let (archive, state) = (&sequencer.ledger().archive, &sequencer.ledger().state);
    let rows = state.books.subaccount(HOUSE).rows;
    let dated = (1..=rows).map(|number| archive.row(HOUSE, number).unwrap().at.micros());
    let around = dated.flat_map(|at| at - 1..=at + 1);
    let balance = |at| {
        let at = Instant::from_micros(at).unwrap();
        let found = archive.balance_at(HOUSE, rows, at);
        assert_eq!(found, archive.balance_by_rows(HOUSE, rows, at), "at {at}");
        found
    };
    around.map(balance).collect()
}

#[test]
fn a_reader_finds_the_balance_of_a_past_instant_at_every_edge_of_a_block() {
    let (engine, ..) = started();
    let mut reads = Vec::new();
    // A row a second, and a reader after each: after the last record of every block, too.
    for number in 1..=70 {
        let (minute, second) = (number / 60, number % 60);
        let line = format!(
            r#"{{"at":"2026-11-20T13:{minute:02}:{second:02}Z","fact":"fee.adjusted","body":{{"id":"g-{number}","account":"loja","effect_cents":100,"actor":"bia","reason":"a gift","evidence":"case-1"}}}}"#
        );
        assert_eq!(engine.call(call(&line)).wait().unwrap().status, 200);
        let expected = engine.decide(balances).wait().unwrap();
        assert_eq!(expected.len(), 3 * number);
        reads.push((expected, prepare(&engine, balances)));
    }
    for (expected, read) in reads {
        assert_eq!(read.carry_out().unwrap(), expected);
    }
}
