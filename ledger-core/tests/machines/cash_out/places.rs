//! Every place an order can be in, by name: every stage, every reason to wait, the liquidation, the
//! refund.

use ledger_core::machine::cash_out::{Command, Deposit, Order, State};
use ledger_core::machine::refund::{Coins, RefundReport};
use ledger_core::terms::Route;

use super::{
    ELSEWHERE, accept, accepted, ceilings, completed, confirm, confirmed, decide_refund, deposit,
    detected, noon, now, operator_refunds, pay, paying, quoted, see, sent, sold_for, step_under,
    swapped, then, vanish,
};
use crate::samples::{amount, units};

pub type NamedState = (&'static str, State);

/// The same asset on a network it was not quoted on.
pub fn strange(order: &Order) -> Deposit {
    let chain = if order.coins.chain == ELSEWHERE { crate::samples::POLYGON } else { ELSEWHERE };
    deposit(Coins { chain, ..order.coins }, "0xs1", noon())
}

fn part(order: &Order, parts: u128) -> Coins {
    Coins { units: units(order.coins.units.get() / parts), ..order.coins }
}

/// Under a ceiling that is used up.
fn with_no_room(state: &State, command: Command) -> State {
    let now = ledger_core::machine::cash_out::Context { ceilings: ceilings(0), ..now() };
    step_under(state, command, &now).0
}

/// Without a price.
fn unpriced(state: &State, command: Command) -> State {
    let now = ledger_core::machine::cash_out::Context { quote: None, ..now() };
    step_under(state, command, &now).0
}

/// Before anything is paid: the same on every route.
pub fn early(order: &Order) -> Vec<NamedState> {
    let order = || order.clone();
    let open = || accepted(order());
    let expired = || then(&open(), [Command::Expire]);
    let late = deposit(order().coins, "0xa1", super::at("2026-10-20T12:20:00Z"));
    let twice = Coins { units: units(order().coins.units.get() * 2), ..order().coins };
    vec![
        ("Absent", State::Absent),
        ("Quoted", quoted(order())),
        ("Awaiting", open()),
        ("Expired, never accepted", then(&quoted(order()), [Command::Expire])),
        ("Expired", expired()),
        ("Failed", then(&open(), [Command::Cancel])),
        ("Detected", detected(order())),
        ("Detected, delayed", then(&detected(order()), [Command::Delay])),
        (
            "Detected, delayed and confirmed",
            then(&detected(order()), [Command::Delay, confirm("0xa1")]),
        ),
        ("Detected, vanished", then(&detected(order()), [vanish("0xa1")])),
        ("Review, short", then(&open(), [see(part(&order(), 1_000), "0xa1"), confirm("0xa1")])),
        (
            "Review, over the ceiling",
            with_no_room(&then(&open(), [see(twice, "0xa1")]), confirm("0xa1")),
        ),
        ("Review, unpriced", unpriced(&expired(), Command::See(late))),
    ]
}

/// Returns what only a seller's deposit can come to.
pub fn strange_ones(order: &Order) -> Vec<NamedState> {
    let open = accepted(order.clone());
    let seen = then(&open, [Command::See(strange(order))]);
    vec![
        ("Review, strange", seen.clone()),
        ("Review, strange and confirmed", then(&seen, [confirm("0xs1")])),
    ]
}

/// Sold before it is paid.
pub fn sold_first(order: &Order) -> Vec<NamedState> {
    let start = Command::StartSale;
    let mut places = vec![("Secured", confirmed(order.clone()))];
    let then = |commands: Vec<Command>| then(&confirmed(order.clone()), commands);
    places.push(("Secured, delayed", then(vec![Command::Delay])));
    places.push(("Selling", then(vec![start.clone()])));
    places.push(("Review, sale lost", then(vec![start.clone(), Command::LoseSale])));
    if order.route == Route::Convert {
        places.push(("Sold", then(vec![start.clone(), sold_for(10_480)])));
        places.push(("Forwarding", then(vec![start.clone(), sold_for(10_480), Command::Forward])));
    } else {
        places.push(("Sold", then(vec![start.clone(), swapped()])));
    }
    let sold = if order.route == Route::Convert { sold_for(10_480) } else { swapped() };
    let sold = then(vec![start.clone(), sold]);
    places.push(("Review, sold over the ceiling", with_no_room(&sold, Command::StartPayment)));
    places.push(("Completed, selling", then(vec![start, pay()])));
    places.push(("Completed, unsold", then(vec![pay()])));
    places
}

/// The payment and what follows.
pub fn paid(order: &Order) -> Vec<NamedState> {
    let order = || order.clone();
    let on = |commands: Vec<Command>| then(&paying(order()), commands);
    vec![
        ("Paying", on(vec![])),
        ("Paying, delayed", on(vec![Command::Delay])),
        ("Paying, failed once", on(vec![Command::FailSend])),
        ("Paying, tried again", on(vec![Command::FailSend, Command::Retry])),
        ("Review, not tried again", with_no_room(&on(vec![Command::FailSend]), Command::Retry)),
        (
            "Review, not tried again, lost",
            then(
                &with_no_room(&on(vec![Command::FailSend]), Command::Retry),
                [Command::LosePayment],
            ),
        ),
        ("Paying, lost", on(vec![Command::LosePayment])),
        ("Review, stopped", on(vec![Command::LosePayment, Command::Stop])),
        ("Completed", on(vec![pay()])),
    ]
}

/// What goes back to a seller.
pub fn returned(order: &Order) -> Vec<NamedState> {
    let order = || order.clone();
    let on = |commands: Vec<Command>| then(&paying(order()), commands);
    let homeless = || paying(Order { refund_address: None, ..order() });
    let small = || Order { refund_alone: Some(units(1)), ..order() };
    let refused = || Command::RefuseKey(amount(9_900));
    let (failed, lost) =
        (Command::Refund(RefundReport::Failed), Command::Refund(RefundReport::Lost));
    let back = || Command::Reverse(amount(4_000));
    vec![
        ("Review, key refused", on(vec![refused()])),
        ("Refunding", on(vec![Command::GiveUpPayment])),
        ("Refunding, second attempt", on(vec![Command::GiveUpPayment, failed])),
        ("Refunding, lost", on(vec![Command::GiveUpPayment, lost.clone()])),
        ("Refunding, no wallet", then(&homeless(), [Command::GiveUpPayment])),
        ("Refunding, too large", then(&paying(small()), [Command::GiveUpPayment])),
        ("Refunding, of a refused key", on(vec![refused(), decide_refund()])),
        ("Refunded", on(vec![Command::GiveUpPayment, sent("0xb1")])),
        ("Completed, reversed", then(&completed(order()), [back()])),
        (
            "Completed, reversed, no wallet",
            then(&completed(Order { refund_address: None, ..order() }), [back()]),
        ),
        ("Completed, reversed, lost", then(&completed(order()), [back(), lost])),
        ("Refunded, of a reversal", then(&completed(order()), [back(), sent("0xb1")])),
    ]
}

/// A token at the provider.
pub fn handed(order: &Order) -> Vec<NamedState> {
    let on = |commands: Vec<Command>| then(&paying(order.clone()), commands);
    let hand = || Command::HandOver;
    vec![
        ("Paying, handed over", on(vec![hand()])),
        ("Review, stopped, handed over", on(vec![hand(), Command::LosePayment, Command::Stop])),
        ("Review, return awaited", on(vec![hand(), Command::GiveUpPayment])),
        (
            "Refunding, returned",
            on(vec![hand(), Command::GiveUpPayment, Command::GiveBack(order.coins)]),
        ),
        ("Completed, handed over", on(vec![hand(), pay()])),
    ]
}

/// An operator's way out of everything that waits.
pub fn decided(order: &Order) -> Vec<NamedState> {
    let strange = then(
        &accepted(order.clone()),
        [Command::See(strange(order)), confirm("0xs1"), operator_refunds(Some("0xnamed"))],
    );
    vec![
        ("Refunding, of a strange token", strange),
        ("Accepted again", then(&accepted(order.clone()), [accept()])),
    ]
}
