//! Every event of a charge, its legs and its statement rows.

use ledger_core::id::SubaccountId;
use ledger_core::machine::charge::{Command, Event, Into, entry};

use super::{
    event_after, first, give_back, next_day, order, payment, receive, retained, see, this,
};
use crate::legs::line;
use crate::samples::{ANA, amount};

fn taken(into: Into) -> Event {
    Event::PartTaken { subaccount: ANA, amount: amount(2_500), into }
}

#[test]
fn every_event_and_its_legs() {
    let after_paid = |facts: &[_], last| {
        let facts = [receive(10_000)].into_iter().chain(facts.iter().cloned());
        event_after(order(), facts, last)
    };
    let attach = || Command::Attach(payment(4_000));
    let delayed = |last| event_after(retained(), [receive(10_000)], last);
    let reviewed = |order, last| event_after(order, [see(10_000)], last);
    let events = [
        ("Requested", first(order())),
        ("Expired", event_after(order(), [], Command::Expire)),
        ("Failed", event_after(order(), [], Command::Cancel)),
        ("Delayed", event_after(retained(), [], receive(10_000))),
        ("Credited from the provider, at once", event_after(order(), [], receive(10_000))),
        ("Credited from the provider, held", event_after(next_day(), [], receive(10_000))),
        ("Credited from flight", delayed(Command::Release)),
        ("UnderReview", event_after(order(), [], see(10_000))),
        ("Withheld", reviewed(order(), Command::Withhold(None))),
        ("Credited from review, at once", reviewed(order(), Command::Settle)),
        ("Credited from review, held", reviewed(next_day(), Command::Settle)),
        ("ReturnedUncredited from review", reviewed(order(), give_back(4_000))),
        ("Credited from suspense, at once", event_after(order(), [], attach())),
        ("Credited from suspense, held", event_after(next_day(), [], attach())),
        ("Matured", event_after(next_day(), [receive(10_000)], Command::Mature)),
        ("PartTaken into available", taken(Into::Available)),
        ("PartTaken into frozen", taken(Into::Frozen)),
        ("PartRestored", Event::PartRestored { subaccount: ANA, amount: amount(2_500) }),
        ("ReturnedUncredited", delayed(give_back(4_000))),
        ("Returned, all principal", after_paid(&[], give_back(6_000))),
        ("Returned, reaching the fee", after_paid(&[], give_back(9_950))),
        ("Returned, all fee", after_paid(&[give_back(9_950)], give_back(50))),
        ("Returned, the whole at once", after_paid(&[], give_back(10_000))),
        (
            "ReturnedTraced",
            Event::ReturnedTraced { subaccount: SubaccountId(2), amount: amount(4_000) },
        ),
    ];
    let table: String =
        events.iter().map(|(title, event)| line(title, &entry(this(), event))).collect();
    assert_eq!(table, TABLE);
}

const TABLE: &str = "\
Requested: nothing
Expired: nothing
Failed: nothing
Delayed
  Dr prov.pix 10000 / Cr flight.pix_in[Charge#7] 10000
Credited from the provider, at once
  Dr prov.pix 10000, cust.avail[1] 100 / Cr cust.avail[1] 10000, rev.deposit 100
  +10000 principal, -100 fee
Credited from the provider, held
  Dr prov.pix 10000, cust.held[1] 100 / Cr cust.held[1] 10000, rev.deposit 100
  +10000 principal, -100 fee
Credited from flight
  Dr flight.pix_in[Charge#7] 10000, cust.avail[1] 100 / Cr cust.avail[1] 10000, rev.deposit 100
  +10000 principal, -100 fee
UnderReview
  Dr prov.pix 10000 / Cr flight.pix_in[Charge#7] 10000
Withheld: nothing
Credited from review, at once
  Dr flight.pix_in[Charge#7] 10000, cust.avail[1] 100 / Cr cust.avail[1] 10000, rev.deposit 100
  +10000 principal, -100 fee
Credited from review, held
  Dr flight.pix_in[Charge#7] 10000, cust.held[1] 100 / Cr cust.held[1] 10000, rev.deposit 100
  +10000 principal, -100 fee
ReturnedUncredited from review
  Dr flight.pix_in[Charge#7] 4000 / Cr prov.pix 4000
Credited from suspense, at once
  Dr susp.pix 4000, cust.avail[1] 100 / Cr cust.avail[1] 4000, rev.deposit 100
  +4000 principal, -100 fee
Credited from suspense, held
  Dr susp.pix 4000, cust.held[1] 100 / Cr cust.held[1] 4000, rev.deposit 100
  +4000 principal, -100 fee
Matured
  Dr cust.held[1] 9900 / Cr cust.avail[1] 9900
PartTaken into available
  Dr cust.held[1] 2500 / Cr cust.avail[1] 2500
PartTaken into frozen
  Dr cust.held[1] 2500 / Cr cust.frozen[1] 2500
PartRestored
  Dr cust.frozen[1] 2500 / Cr cust.held[1] 2500
ReturnedUncredited
  Dr flight.pix_in[Charge#7] 4000 / Cr prov.pix 4000
Returned, all principal
  forced Dr cust.avail[1] 6000 / Cr prov.pix 6000
  -6000 principal
Returned, reaching the fee
  forced Dr cust.avail[1] 9950, rev.deposit 50 / Cr prov.pix 9950, cust.avail[1] 50
  -9950 principal, +50 fee
Returned, all fee
  forced Dr cust.avail[1] 50, rev.deposit 50 / Cr prov.pix 50, cust.avail[1] 50
  -50 principal, +50 fee
Returned, the whole at once
  forced Dr cust.avail[1] 10000, rev.deposit 100 / Cr prov.pix 10000, cust.avail[1] 100
  -10000 principal, +100 fee
ReturnedTraced
  Dr cust.frozen[2] 4000 / Cr prov.pix 4000
  -4000 principal
";
