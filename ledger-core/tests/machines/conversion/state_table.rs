//! Every command in every state of a conversion, and every event's legs.

use ledger_core::machine::conversion::{Command, Event, Order, State, decide, entry};
use ledger_core::machine::delivery::DeliveryReport;
use ledger_core::terms::ServiceFees;

use super::{after, confirm, deliver, first, of_commission, order, paid_and, step, this};
use crate::grid::{name, page, steps};
use crate::legs::line;

fn inner(event: &Event) -> String {
    match event {
        Event::Delivery { event, .. } => name(event),
        event => name(event),
    }
}

#[test]
fn every_command_in_every_state() {
    let columns = [
        ("Begin", deliver(DeliveryReport::Begin)),
        ("Accept", deliver(DeliveryReport::Accept)),
        ("Confirm", deliver(confirm("0xa1"))),
        ("Another", deliver(confirm("0xb2"))),
        ("Fail", deliver(DeliveryReport::Fail)),
        ("Lose", deliver(DeliveryReport::Lose)),
        ("GiveUp", Command::GiveUp),
    ];
    let begin = || deliver(DeliveryReport::Begin);
    let states = [
        ("Absent", State::Absent),
        ("Paid", paid_and([])),
        ("Sending", paid_and([begin()])),
        ("Accepted", paid_and([begin(), deliver(DeliveryReport::Accept)])),
        ("Unknown", paid_and([begin(), deliver(DeliveryReport::Lose)])),
        ("Retrying", paid_and([begin(), deliver(DeliveryReport::Fail)])),
        ("Sent", paid_and([begin(), deliver(confirm("0xa1"))])),
        ("Refunded", paid_and([Command::GiveUp])),
    ];
    let lines = states.map(|(name, state)| {
        let cells =
            columns.iter().map(|(_, command)| steps(&decide(&state, command.clone()), inner));
        (name, cells.collect())
    });
    assert_eq!(
        page(&columns.each_ref().map(|(name, _)| *name), lines),
        "\
State     Begin     Accept    Confirm   Another   Fail      Lose      GiveUp
Absent    set_aside set_aside set_aside set_aside set_aside set_aside set_aside
Paid      Begun     Begun+Accepted Begun+Sent Begun+Sent Begun+Failed Begun+Unknown Refunded
Sending   known     Accepted  Sent      Sent      Failed    Unknown   set_aside
Accepted  known     known     Sent      Sent      Failed    Unknown   set_aside
Unknown   known     known     Sent      Sent      Failed    known     set_aside
Retrying  BegunAgain known     Sent      Sent      known     known     Refunded
Sent      known     known     known     set_aside set_aside known     set_aside
Refunded  set_aside set_aside set_aside set_aside known     known     known
"
    );
}

fn legs(title: &str, state: &State, command: Command) -> String {
    let (_, events) = step(state, command);
    events.iter().map(|event| line(title, &entry(this(), event))).collect()
}

fn table(order: impl Fn() -> Order) -> String {
    let paid = || after(order(), []);
    let sending = || after(order(), [deliver(DeliveryReport::Begin)]);
    let failed = || after(order(), [deliver(DeliveryReport::Begin), deliver(DeliveryReport::Fail)]);
    [
        line("Requested", &entry(this(), &first(order()))),
        legs("Begun", &paid(), deliver(DeliveryReport::Begin)),
        legs("Accepted", &sending(), deliver(DeliveryReport::Accept)),
        legs("Failed", &sending(), deliver(DeliveryReport::Fail)),
        legs("Unknown", &sending(), deliver(DeliveryReport::Lose)),
        legs("BegunAgain", &failed(), deliver(DeliveryReport::Begin)),
        legs("Sent", &sending(), deliver(confirm("0xa1"))),
        legs("Refunded, nothing bought", &paid(), Command::GiveUp),
        legs("Refunded, bought", &failed(), Command::GiveUp),
    ]
    .concat()
}

#[test]
fn every_event_and_its_legs_of_custody() {
    // W18, W21.
    assert_eq!(
        table(order),
        "\
Requested
  Dr cust.avail[1] 10000, cust.avail[1] 380 / Cr flight.conv[Conversion#5] 10380
  -10000 principal, -380 fee
Begun
  Dr flight.conv[Conversion#5] 10000 / Cr fx 10000
  asset 0: Dr fx 18518518 / Cr flight.deliv[Conversion#5] 18518518
Accepted: nothing
Failed: nothing
Unknown: nothing
BegunAgain: nothing
Sent
  Dr flight.conv[Conversion#5] 380 / Cr rev.conv 330, comm[3] 50
  asset 0: Dr flight.deliv[Conversion#5] 18418518 / Cr treas[0] 18418518
  asset 0: Dr flight.deliv[Conversion#5] 100000 / Cr exp.gas 100000
Refunded, nothing bought
  Dr flight.conv[Conversion#5] 10380 / Cr cust.avail[1] 10000, cust.avail[1] 380
  +10000 principal, +380 fee
Refunded, bought
  Dr fx 10000, flight.conv[Conversion#5] 10380 / Cr flight.conv[Conversion#5] 10000, cust.avail[1] 10000, cust.avail[1] 380
  asset 0: Dr flight.deliv[Conversion#5] 18518518 / Cr fx 18518518
  +10000 principal, +380 fee
"
    );
}

#[test]
fn every_event_and_its_legs_of_commission() {
    // Rulings 38: from `comm`, without a fee; a definite failure returns it there.
    assert_eq!(
        table(of_commission),
        "\
Requested
  Dr comm[3] 10000 / Cr flight.conv[Conversion#5] 10000
Begun
  Dr flight.conv[Conversion#5] 10000 / Cr fx 10000
  asset 0: Dr fx 18518518 / Cr flight.deliv[Conversion#5] 18518518
Accepted: nothing
Failed: nothing
Unknown: nothing
BegunAgain: nothing
Sent
  asset 0: Dr flight.deliv[Conversion#5] 18418518 / Cr treas[0] 18418518
  asset 0: Dr flight.deliv[Conversion#5] 100000 / Cr exp.gas 100000
Refunded, nothing bought
  Dr flight.conv[Conversion#5] 10000 / Cr comm[3] 10000
Refunded, bought
  Dr fx 10000, flight.conv[Conversion#5] 10000 / Cr flight.conv[Conversion#5] 10000, comm[3] 10000
  asset 0: Dr flight.deliv[Conversion#5] 18518518 / Cr fx 18518518
"
    );
    assert_eq!(of_commission().fees, ServiceFees::default());
}
