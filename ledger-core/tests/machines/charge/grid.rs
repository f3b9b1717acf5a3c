//! Every command in every state of a charge.

use ledger_core::machine::charge::{Command, State, decide};

use super::{after, give_back, next_day, now, order, payment, receive, retained, see};
use crate::grid::{cell, page};

#[test]
fn every_command_in_every_state() {
    let columns = [
        ("Receive", receive(10_000)),
        ("Attach", Command::Attach(payment(10_000))),
        ("See", see(10_000)),
        ("Settle", Command::Settle),
        ("Withhold", Command::Withhold(None)),
        ("Release", Command::Release),
        ("Cancel", Command::Cancel),
        ("Expire", Command::Expire),
        ("Mature", Command::Mature),
        ("Return", give_back(4_000)),
    ];
    let states = [
        ("Absent", State::Absent),
        ("Pending", after(order(), [])),
        ("Retained", after(retained(), [])),
        ("Expired", after(order(), [Command::Expire])),
        ("Failed", after(order(), [Command::Cancel])),
        ("Reviewed", after(order(), [see(10_000)])),
        ("Withheld", after(order(), [see(10_000), Command::Withhold(None)])),
        ("Delayed", after(retained(), [receive(10_000)])),
        ("Held", after(next_day(), [receive(10_000)])),
        ("Paid", after(order(), [receive(10_000)])),
        ("Refunded", after(order(), [receive(10_000), give_back(10_000)])),
        ("Unbooked", after(retained(), [receive(10_000), give_back(10_000)])),
    ];
    let lines = states.map(|(name, state)| {
        let cells =
            columns.iter().map(|(_, command)| cell(&decide(&state, command.clone(), now())));
        (name, cells.collect())
    });
    assert_eq!(
        page(&columns.each_ref().map(|(name, _)| *name), lines),
        "\
State     Receive   Attach    See       Settle    Withhold  Release   Cancel    Expire    Mature    Return
Absent    set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside
Pending   Credited  Credited  UnderReview set_aside set_aside set_aside Failed    Expired   set_aside set_aside
Retained  Delayed   Credited  UnderReview set_aside set_aside set_aside Failed    Expired   set_aside set_aside
Expired   Credited  Credited  UnderReview set_aside set_aside set_aside known     set_aside set_aside set_aside
Failed    set_aside Credited  set_aside set_aside set_aside set_aside known     set_aside set_aside set_aside
Reviewed  set_aside set_aside set_aside Credited  Withheld  set_aside set_aside set_aside set_aside ReturnedUncredited
Withheld  set_aside set_aside set_aside set_aside known     Credited  set_aside set_aside set_aside ReturnedUncredited
Delayed   set_aside set_aside set_aside set_aside known     Credited  set_aside set_aside set_aside ReturnedUncredited
Held      set_aside set_aside set_aside known     known     known     set_aside set_aside Matured   Returned
Paid      set_aside set_aside set_aside known     known     known     set_aside set_aside set_aside Returned
Refunded  set_aside set_aside set_aside known     set_aside known     set_aside set_aside set_aside set_aside
Unbooked  set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside set_aside
"
    );
}
