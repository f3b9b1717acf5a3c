//! Every event of a purchase, its legs in reais and crypto, and its statement rows.

use ledger_core::machine::charge::{Command, entry};
use ledger_core::machine::delivery::DeliveryReport;

use super::{
    PurchaseCommand, after, attach, confirm, deliver, first, give_back, give_up, halt, order,
    paid_and, receive, resume, retained, see, step, this, to_payer, to_subaccount,
};
use crate::legs::line;

/// The legs of what `command` makes of `state`, one line a step.
fn legs(title: &str, state: &super::State, command: PurchaseCommand) -> String {
    let (_, events) = step(state, command);
    events.iter().map(|event| line(title, &entry(this(), event))).collect()
}

#[test]
fn the_pix_and_the_delivery() {
    // W70, at the fees of W08.
    let delayed = after(retained(), [receive()]);
    let sending = paid_and([deliver(DeliveryReport::Begin)]);
    let table = [
        line("Requested", &entry(this(), &first(order()))),
        legs("Paid", &after(order(), []), receive()),
        legs("Paid, from suspense", &after(order(), []), attach(10_000)),
        legs("UnderReview", &after(order(), []), see()),
        legs("Delayed", &after(retained(), []), receive()),
        legs("Cleared", &delayed, PurchaseCommand::Charge(Command::Release)),
        legs("Delivery, begun", &paid_and([]), deliver(DeliveryReport::Begin)),
        legs("Delivery, sent", &sending, deliver(confirm("0xa1"))),
    ];
    assert_eq!(
        table.concat(),
        "\
Requested: nothing
Paid
  Dr prov.pix 10000 / Cr flight.pix_in[Charge#7] 10000
Paid, from suspense
  Dr susp.pix 10000 / Cr flight.pix_in[Charge#7] 10000
UnderReview
  Dr prov.pix 10000 / Cr flight.pix_in[Charge#7] 10000
Delayed
  Dr prov.pix 10000 / Cr flight.pix_in[Charge#7] 10000
Cleared: nothing
Delivery, begun
  Dr flight.pix_in[Charge#7] 9470 / Cr fx 9470
  asset 0: Dr fx 17537037 / Cr flight.deliv[Charge#7] 17537037
Delivery, sent
  Dr flight.pix_in[Charge#7] 530 / Cr rev.purchase 430, comm[3] 100
  asset 0: Dr flight.deliv[Charge#7] 17437037 / Cr treas[0] 17437037
  asset 0: Dr flight.deliv[Charge#7] 100000 / Cr exp.gas 100000
"
    );
}

#[test]
fn returns_and_giving_up() {
    let failed = || paid_and([deliver(DeliveryReport::Begin), deliver(DeliveryReport::Fail)]);
    let sent = || paid_and([deliver(DeliveryReport::Begin), deliver(confirm("0xa1"))]);
    let rest = paid_and([give_back(4_000), resume()]);
    let credited = paid_and([give_up(to_subaccount())]);
    let table = [
        legs("ReturnedUndelivered, nothing bought", &paid_and([]), give_back(4_000)),
        legs("ReturnedUndelivered, bought", &failed(), give_back(4_000)),
        legs("ReturnedUndelivered, again", &step(&failed(), give_back(4_000)).0, give_back(6_000)),
        legs("GivenUp to the payer", &paid_and([]), give_up(to_payer())),
        legs("GivenUp to the payer, bought", &failed(), give_up(to_payer())),
        legs("GivenUp to custody", &paid_and([]), give_up(to_subaccount())),
        legs("GivenUp to custody, bought", &failed(), give_up(to_subaccount())),
        legs("Halted, nothing bought", &paid_and([]), halt()),
        legs("Halted, bought", &failed(), halt()),
        legs("Resumed, of the whole", &paid_and([halt()]), resume()),
        legs("Resumed, of what is left", &step(&failed(), give_back(4_000)).0, resume()),
        legs("Delivery, sent of what is left", &rest, deliver(confirm("0xa1"))),
        legs("GivenUp, what is left", &paid_and([give_back(4_000)]), give_up(to_subaccount())),
        legs("ReturnedCredited", &credited, give_back(4_000)),
        legs("ReturnedDelivered, all principal", &sent(), give_back(6_000)),
        legs("ReturnedDelivered, reaching the fees", &sent(), give_back(9_600)),
        legs("ReturnedDelivered, all fees", &step(&sent(), give_back(9_600)).0, give_back(400)),
        legs("ReturnedDelivered, the whole", &sent(), give_back(10_000)),
    ];
    assert_eq!(table.concat(), RETURNS);
}

const RETURNS: &str = "\
ReturnedUndelivered, nothing bought
  Dr flight.pix_in[Charge#7] 4000 / Cr prov.pix 4000
ReturnedUndelivered, bought
  Dr fx 9470, flight.pix_in[Charge#7] 4000 / Cr flight.pix_in[Charge#7] 9470, prov.pix 4000
  asset 0: Dr flight.deliv[Charge#7] 17537037 / Cr fx 17537037
ReturnedUndelivered, again
  Dr flight.pix_in[Charge#7] 6000 / Cr prov.pix 6000
GivenUp to the payer
  Dr flight.pix_in[Charge#7] 10000 / Cr prov.pix 10000
GivenUp to the payer, bought
  Dr fx 9470, flight.pix_in[Charge#7] 10000 / Cr flight.pix_in[Charge#7] 9470, prov.pix 10000
  asset 0: Dr flight.deliv[Charge#7] 17537037 / Cr fx 17537037
GivenUp to custody
  Dr flight.pix_in[Charge#7] 10000 / Cr cust.avail[1] 10000
  +10000 principal
GivenUp to custody, bought
  Dr fx 9470, flight.pix_in[Charge#7] 10000 / Cr flight.pix_in[Charge#7] 9470, cust.avail[1] 10000
  asset 0: Dr flight.deliv[Charge#7] 17537037 / Cr fx 17537037
  +10000 principal
Halted, nothing bought: nothing
Halted, bought
  Dr fx 9470 / Cr flight.pix_in[Charge#7] 9470
  asset 0: Dr flight.deliv[Charge#7] 17537037 / Cr fx 17537037
Resumed, of the whole
  Dr flight.pix_in[Charge#7] 9470 / Cr fx 9470
  asset 0: Dr fx 17537037 / Cr flight.deliv[Charge#7] 17537037
Resumed, of what is left
  Dr flight.pix_in[Charge#7] 5682 / Cr fx 5682
  asset 0: Dr fx 10522222 / Cr flight.deliv[Charge#7] 10522222
Delivery, sent of what is left
  Dr flight.pix_in[Charge#7] 318 / Cr rev.purchase 258, comm[3] 60
  asset 0: Dr flight.deliv[Charge#7] 10422222 / Cr treas[0] 10422222
  asset 0: Dr flight.deliv[Charge#7] 100000 / Cr exp.gas 100000
GivenUp, what is left
  Dr flight.pix_in[Charge#7] 6000 / Cr cust.avail[1] 6000
  +6000 principal
ReturnedCredited
  forced Dr cust.avail[1] 4000 / Cr prov.pix 4000
  -4000 principal
ReturnedDelivered, all principal
  forced Dr cust.avail[0] 6000 / Cr prov.pix 6000
  -6000 principal
ReturnedDelivered, reaching the fees
  forced Dr cust.avail[0] 9600, rev.purchase 130, comm[3] 24 / Cr prov.pix 9600, cust.avail[0] 130, rev.purchase 24
  -9600 principal, +130 fee
ReturnedDelivered, all fees
  forced Dr cust.avail[0] 400, rev.purchase 400, comm[3] 76 / Cr prov.pix 400, cust.avail[0] 400, rev.purchase 76
  -400 principal, +400 fee
ReturnedDelivered, the whole
  forced Dr cust.avail[0] 10000, rev.purchase 530, comm[3] 100 / Cr prov.pix 10000, cust.avail[0] 530, rev.purchase 100
  -10000 principal, +530 fee
";
