//! Every command in every state of a payout, and every event's legs.

use ledger_core::machine::payout::{Command, Order, State, decide, entry};
use ledger_core::terms::PayoutFees;

use super::{after, first, generous, give_back, order, pay, step, this};
use crate::grid::{cell, page};
use crate::legs::line;
use crate::samples::as_cents;

#[test]
fn every_command_in_every_state() {
    let columns = [
        ("Submit", Command::Submit),
        ("Pay", pay()),
        ("PayOther", Command::Pay("E2".into())),
        ("Refuse", Command::Refuse),
        ("Lose", Command::Lose),
        ("Stop", Command::Stop),
        ("Clear", Command::Clear),
        ("Return", give_back(4_000)),
    ];
    let then = |facts: &[Command]| after(order(), facts.iter().cloned());
    let states = [
        ("Absent", State::Absent),
        ("Requested", then(&[])),
        ("Stopped", then(&[Command::Stop])),
        ("Submitted", then(&[Command::Submit])),
        ("Uncertain", then(&[Command::Submit, Command::Lose])),
        ("Failed", then(&[Command::Refuse])),
        ("Completed", then(&[Command::Submit, pay()])),
        ("Returned", then(&[Command::Submit, pay(), give_back(10_000)])),
    ];
    let lines = states.map(|(name, state)| {
        let cells = columns.iter().map(|(_, fact)| cell(&decide(&state, fact.clone())));
        (name, cells.collect())
    });
    assert_eq!(
        page(&columns.each_ref().map(|(name, _)| *name), lines),
        "\
State     Submit    Pay       PayOther  Refuse    Lose      Stop      Clear     Return
Absent    set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside
Requested Submitted Completed Completed Failed    Uncertain Stopped   known     set_aside
Stopped   set_aside Completed Completed Failed    set_aside known     Cleared   set_aside
Submitted known     Completed Completed Failed    Uncertain set_aside set_aside set_aside
Uncertain known     Completed Completed Failed    known     set_aside set_aside set_aside
Failed    known     set_aside set_aside known     known     set_aside set_aside set_aside
Completed known     known     set_aside set_aside known     set_aside set_aside Returned
Returned  known     known     set_aside set_aside known     set_aside set_aside set_aside
"
    );
}

#[test]
fn every_event_and_its_legs() {
    // W24, W30, W31: principal and fee are separate rows (rulings 19).
    let event = |order: Order, between: &[Command], last| {
        step(&after(order, between.iter().cloned()), last).1
    };
    let free = Order { fees: PayoutFees::default(), ..order() };
    let house = PayoutFees { house: as_cents(75), ..PayoutFees::default() };
    let plain = Order { fees: house, amount: crate::samples::amount(5_000), ..order() };
    let events = [
        ("Requested", first(order())),
        ("Requested, house fee only", first(plain.clone())),
        ("Requested, no fees", first(free.clone())),
        ("Submitted", event(order(), &[], Command::Submit)),
        ("Uncertain", event(order(), &[], Command::Lose)),
        ("Stopped", event(order(), &[], Command::Stop)),
        ("Cleared", event(order(), &[Command::Stop], Command::Clear)),
        ("Completed, though stopped", event(order(), &[Command::Stop], pay())),
        ("Failed, having been stopped", event(order(), &[Command::Stop], Command::Refuse)),
        ("Completed", event(order(), &[], pay())),
        ("Completed, house fee only", event(plain, &[], pay())),
        ("Completed, no fees", event(free.clone(), &[], pay())),
        ("Failed", event(order(), &[], Command::Refuse)),
        ("Failed, no fees", event(free, &[], Command::Refuse)),
        ("Returned in part", event(order(), &[pay()], give_back(4_000))),
        ("Returned, the rest", event(order(), &[pay(), give_back(4_000)], give_back(6_000))),
        ("Returned in part, fee refunded", event(generous(), &[pay()], give_back(4_000))),
        (
            "Returned, the rest, fee refunded",
            event(generous(), &[pay(), give_back(4_000)], give_back(6_000)),
        ),
    ];
    let table: String =
        events.iter().map(|(title, event)| line(title, &entry(this(), event))).collect();
    assert_eq!(table, TABLE);
}

const TABLE: &str = "\
Requested
  Dr cust.avail[1] 10000, cust.avail[1] 350 / Cr flight.payout[Payout#9] 10350
  -10000 principal, -350 fee
Requested, house fee only
  Dr cust.avail[1] 5000, cust.avail[1] 75 / Cr flight.payout[Payout#9] 5075
  -5000 principal, -75 fee
Requested, no fees
  Dr cust.avail[1] 10000 / Cr flight.payout[Payout#9] 10000
  -10000 principal
Submitted: nothing
Uncertain: nothing
Stopped: nothing
Cleared: nothing
Completed, though stopped
  Dr flight.payout[Payout#9] 10350 / Cr prov.pay 10000, rev.payout 150, comm[3] 100, tariff.due 100
Failed, having been stopped
  Dr flight.payout[Payout#9] 10350 / Cr cust.avail[1] 10000, cust.avail[1] 350
  +10000 principal, +350 fee
Completed
  Dr flight.payout[Payout#9] 10350 / Cr prov.pay 10000, rev.payout 150, comm[3] 100, tariff.due 100
Completed, house fee only
  Dr flight.payout[Payout#9] 5075 / Cr prov.pay 5000, rev.payout 75
Completed, no fees
  Dr flight.payout[Payout#9] 10000 / Cr prov.pay 10000
Failed
  Dr flight.payout[Payout#9] 10350 / Cr cust.avail[1] 10000, cust.avail[1] 350
  +10000 principal, +350 fee
Failed, no fees
  Dr flight.payout[Payout#9] 10000 / Cr cust.avail[1] 10000
  +10000 principal
Returned in part
  Dr prov.pay 4000 / Cr cust.avail[1] 4000
  +4000 principal
Returned, the rest
  Dr prov.pay 6000 / Cr cust.avail[1] 6000
  +6000 principal
Returned in part, fee refunded
  Dr prov.pay 4000 / Cr cust.avail[1] 4000
  +4000 principal
Returned, the rest, fee refunded
  Dr prov.pay 6000, rev.payout 150, comm[3] 100 / Cr cust.avail[1] 6000, cust.avail[1] 250
  +6000 principal, +150 fee, +100 fee
";
