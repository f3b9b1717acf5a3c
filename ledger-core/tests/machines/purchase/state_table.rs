//! Everything that is reported, in every state of a purchase.

use ledger_core::machine::charge::{Command, State};
use ledger_core::machine::delivery::DeliveryReport;

use super::{
    PurchaseCommand, after, attach, confirm, deliver, give_back, give_up, halt, inner, judge,
    order, paid_and, receive, resume, retained, see, to_payer, to_subaccount,
};
use crate::grid::{page, steps};

fn written(columns: &[(&str, PurchaseCommand)], states: Vec<(&'static str, State)>) -> String {
    let lines = states.into_iter().map(|(name, state)| {
        let cells =
            columns.iter().map(|(_, command)| steps(&judge(&state, command.clone()), inner));
        (name, cells.collect())
    });
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    page(&names, lines)
}

#[test]
fn everything_reported_of_the_pix_in_every_state() {
    let charge = PurchaseCommand::Charge;
    let columns = [
        ("Receive", receive()),
        ("Attach", attach(10_000)),
        ("AttachOther", attach(9_999)),
        ("See", see()),
        ("Settle", charge(Command::Settle)),
        ("Withhold", charge(Command::Withhold(None))),
        ("Release", charge(Command::Release)),
        ("Cancel", charge(Command::Cancel)),
        ("Expire", charge(Command::Expire)),
        ("Mature", charge(Command::Mature)),
        ("Return", give_back(4_000)),
    ];
    let states = vec![
        ("Absent", State::Absent),
        ("Pending", after(order(), [])),
        ("Retained", after(retained(), [])),
        ("Expired", after(order(), [charge(Command::Expire)])),
        ("Failed", after(order(), [charge(Command::Cancel)])),
        ("Reviewed", after(order(), [see()])),
        ("Delayed", after(retained(), [receive()])),
        ("Unbooked", after(retained(), [receive(), give_back(10_000)])),
        ("Bought", paid_and([])),
    ];
    assert_eq!(
        written(&columns, states),
        "\
State     Receive   Attach    AttachOther See       Settle    Withhold  Release   Cancel    Expire    Mature    Return
Absent    set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside
Pending   Paid      Paid      set_aside UnderReview set_aside set_aside set_aside Failed    Expired   set_aside set_aside
Retained  Delayed   Paid      set_aside UnderReview set_aside set_aside set_aside Failed    Expired   set_aside set_aside
Expired   Paid      Paid      set_aside UnderReview set_aside set_aside set_aside known     set_aside set_aside set_aside
Failed    set_aside Paid      set_aside set_aside set_aside set_aside set_aside known     set_aside set_aside set_aside
Reviewed  set_aside set_aside set_aside set_aside Cleared   Withheld  set_aside set_aside set_aside set_aside ReturnedUncredited
Delayed   set_aside set_aside set_aside set_aside set_aside known     Cleared   set_aside set_aside set_aside ReturnedUncredited
Unbooked  set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside
Bought    set_aside set_aside set_aside set_aside known     known     known     set_aside set_aside set_aside ReturnedUndelivered
"
    );
}

#[test]
fn everything_reported_of_the_delivery_in_every_state() {
    let columns = [
        ("Begin", deliver(DeliveryReport::Begin)),
        ("Accept", deliver(DeliveryReport::Accept)),
        ("Confirm", deliver(confirm("0xa1"))),
        ("Another", deliver(confirm("0xb2"))),
        ("Fail", deliver(DeliveryReport::Fail)),
        ("Lose", deliver(DeliveryReport::Lose)),
        ("Part", give_back(4_000)),
        ("Whole", give_back(10_000)),
        ("ToPayer", give_up(to_payer())),
        ("ToCustody", give_up(to_subaccount())),
        ("Halt", halt()),
        ("Resume", resume()),
    ];
    let (begin, fail) = (|| deliver(DeliveryReport::Begin), || deliver(DeliveryReport::Fail));
    let sent = || deliver(confirm("0xa1"));
    let states = vec![
        ("Waiting", paid_and([])),
        ("Sending", paid_and([begin()])),
        ("Accepted", paid_and([begin(), deliver(DeliveryReport::Accept)])),
        ("Unknown", paid_and([begin(), deliver(DeliveryReport::Lose)])),
        ("Retrying", paid_and([begin(), fail()])),
        ("Sent", paid_and([begin(), sent()])),
        ("SentPart", paid_and([begin(), sent(), give_back(4_000)])),
        ("SentGone", paid_and([begin(), sent(), give_back(10_000)])),
        ("Halted", paid_and([give_back(4_000)])),
        ("Kept", paid_and([halt()])),
        ("Resumed", paid_and([give_back(4_000), resume()])),
        ("RestSent", paid_and([give_back(4_000), resume(), sent()])),
        ("Stopped", paid_and([begin(), fail(), give_back(4_000)])),
        ("Returned", paid_and([give_back(10_000)])),
        ("GivenBack", paid_and([begin(), fail(), give_up(to_payer())])),
        ("Credited", paid_and([give_up(to_subaccount())])),
        ("CredPart", paid_and([give_up(to_subaccount()), give_back(4_000)])),
    ];
    assert_eq!(
        written(&columns, states),
        "\
State     Begin     Accept    Confirm   Another   Fail      Lose      Part      Whole     ToPayer   ToCustody Halt      Resume
Waiting   Begun     Begun+Accepted Begun+Sent Begun+Sent Begun+Failed Begun+Unknown ReturnedUndelivered ReturnedUndelivered GivenUp   GivenUp   Halted    set_aside
Sending   known     Accepted  Sent      Sent      Failed    Unknown   set_aside set_aside set_aside set_aside set_aside set_aside
Accepted  known     known     Sent      Sent      Failed    Unknown   set_aside set_aside set_aside set_aside set_aside set_aside
Unknown   known     known     Sent      Sent      Failed    known     set_aside set_aside set_aside set_aside set_aside set_aside
Retrying  BegunAgain known     Sent      Sent      known     known     ReturnedUndelivered ReturnedUndelivered GivenUp   GivenUp   Halted    set_aside
Sent      known     known     known     set_aside set_aside known     ReturnedDelivered ReturnedDelivered set_aside set_aside set_aside set_aside
SentPart  known     known     known     set_aside set_aside known     ReturnedDelivered set_aside set_aside set_aside set_aside set_aside
SentGone  known     known     known     set_aside set_aside known     set_aside set_aside set_aside set_aside set_aside set_aside
Halted    set_aside set_aside set_aside set_aside known     known     ReturnedUndelivered set_aside GivenUp   GivenUp   known     Resumed
Kept      set_aside set_aside set_aside set_aside known     known     ReturnedUndelivered ReturnedUndelivered GivenUp   GivenUp   known     Resumed
Resumed   BegunAgain known     Sent      Sent      known     known     ReturnedUndelivered set_aside GivenUp   GivenUp   Halted    known
RestSent  known     known     known     set_aside set_aside known     ReturnedDelivered set_aside set_aside set_aside set_aside known
Stopped   set_aside set_aside set_aside set_aside known     known     ReturnedUndelivered set_aside GivenUp   GivenUp   known     Resumed
Returned  set_aside set_aside set_aside set_aside known     known     set_aside set_aside known     set_aside set_aside set_aside
GivenBack set_aside set_aside set_aside set_aside known     known     set_aside set_aside known     set_aside set_aside set_aside
Credited  set_aside set_aside set_aside set_aside known     known     ReturnedCredited ReturnedCredited set_aside known     set_aside set_aside
CredPart  set_aside set_aside set_aside set_aside known     known     ReturnedCredited set_aside set_aside known     set_aside set_aside
"
    );
}
