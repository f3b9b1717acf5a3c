//! Every command in every place of an order, one page a route.
//!
//! A place lists what each command does there, what is known there already, and what is refused;
//! every other command is set aside (rulings 1).

use ledger_core::machine::Verdict;
use ledger_core::machine::cash_out::{Command, Event, Order, RefundSource, Request};
use ledger_core::machine::refund::RefundReport;
use ledger_core::terms::Route;

use super::places::{
    NamedState, decided, early, handed, paid, returned, sold_first, strange, strange_ones,
};
use super::{
    Input, accept, by_dex, by_exchange, confirm, corrected, decide_refund, judged, now, of_wallet,
    on_liquid, operator_refunds, order, pay, pix, progress, see, sent, sold_for, swapped, usdt,
    vanish,
};
use crate::grid::name;
use crate::samples::amount;

/// Returns what a client may ask of an order.
fn client_requests() -> [(&'static str, Request); 4] {
    [
        ("Accept", accept()),
        ("AcceptWithout", Request::Accept(None)),
        ("Address", Request::Address("0xhome".into())),
        ("OtherAddress", Request::Address("0xother".into())),
    ]
}

/// Returns what is reported of it.
fn reported(order: &Order) -> Vec<(&'static str, Command)> {
    let sold = if order.route == Route::Convert { sold_for(10_480) } else { swapped() };
    vec![
        ("Expire", Command::Expire),
        ("Cancel", Command::Cancel),
        ("See", see(order.coins, "0xa2")),
        ("SeeAgain", see(order.coins, "0xa1")),
        ("SeeStrange", Command::See(strange(order))),
        ("Confirm", confirm("0xa1")),
        ("ConfirmStrange", confirm("0xs1")),
        ("Vanish", vanish("0xa1")),
        ("VanishStrange", vanish("0xs1")),
        ("Delay", Command::Delay),
        ("Resume", Command::Resume),
        ("StartSale", Command::StartSale),
        ("Fill", sold),
        ("FailSale", Command::FailSale),
        ("LoseSale", Command::LoseSale),
        ("Forward", Command::Forward),
        ("Arrive", Command::Arrive(amount(10_470))),
        ("StartPayment", Command::StartPayment),
        ("Pay", pay()),
        ("PayAgain", Command::Pay(pix("E2"))),
        ("FailSend", Command::FailSend),
        ("GiveUp", Command::GiveUpPayment),
        ("RefuseKey", Command::RefuseKey(amount(9_900))),
        ("RefuseForMore", Command::RefuseKey(amount(10_001))),
        ("LosePayment", Command::LosePayment),
        ("Stop", Command::Stop),
        ("HandOver", Command::HandOver),
        ("GiveBack", Command::GiveBack(order.coins)),
        ("GiveBackStrange", Command::GiveBack(usdt(1))),
        ("Reverse", Command::Reverse(amount(6_000))),
        ("ReverseMore", Command::Reverse(amount(10_001))),
        ("Retry", Command::Retry),
        ("Clear", Command::Clear(None)),
        ("ClearKey", Command::Clear(Some(corrected()))),
        ("Decide", decide_refund()),
        ("Allow", operator_refunds(None)),
        ("AllowTo", operator_refunds(Some("0xnamed"))),
        ("Sent", sent("0xb1")),
        ("SentAgain", sent("0xb2")),
        ("NotSent", Command::Refund(RefundReport::Failed)),
        ("SendingLost", Command::Refund(RefundReport::Lost)),
    ]
}

/// An event by name, with what tells it from its like.
fn described(event: &Event) -> String {
    match event {
        Event::DepositSeen { booked_in, repriced, .. } => {
            let again = if repriced.is_some() { ", repriced" } else { "" };
            format!("DepositSeen({booked_in:?}{again})")
        }
        Event::ReviewOpened(reason) => format!("ReviewOpened({reason:?})"),
        Event::RefundDecided { source, to, allowed, .. } => {
            let source = match source {
                RefundSource::Deposit => "Deposit",
                RefundSource::Suspense => "Suspense",
                RefundSource::Sale { .. } => "Sale",
                RefundSource::Reversal(_) => "Reversal",
                RefundSource::Returned { .. } => "Returned",
            };
            let to = to.as_deref().unwrap_or("nowhere");
            format!("RefundDecided({source} to {to}, {allowed:?})")
        }
        event => name(event),
    }
}

fn booked_in(order: &Order, (title, state): &NamedState) -> String {
    let (mut does, mut known, mut refused) = (String::new(), Vec::new(), Vec::new());
    let asked = client_requests().into_iter().map(|(name, asked)| (name, Input::from(asked)));
    let reported = reported(order).into_iter().map(|(name, command)| (name, command.into()));
    for (command_name, command) in asked.chain(reported) {
        match judged(state, command, &now()) {
            Ok(Verdict::Applied(events)) => {
                let events: Vec<_> = events.iter().map(described).collect();
                let events = if events.is_empty() { "=".into() } else { events.join(" + ") };
                does.extend(["  ", command_name, ": ", &events, "\n"]);
            }
            Ok(Verdict::Known) => known.push(command_name),
            Ok(Verdict::SetAside) => {}
            Err(refusal) => refused.push(format!("{command_name} {}", name(&refusal))),
        }
    }
    let line = |head: &str, names: String| {
        if names.is_empty() { String::new() } else { format!("  {head}: {names}\n") }
    };
    let known = line("known", known.join(" "));
    format!("{title}\n{does}{known}{}", line("refused", refused.join(", ")))
}

fn page(order: &Order, places: impl IntoIterator<Item = Vec<NamedState>>) -> String {
    places.into_iter().flatten().map(|known| booked_in(order, &known)).collect()
}

fn matches(found: &str, expected: &str) {
    let lines = found.lines().zip(expected.lines());
    let first = lines.enumerate().find(|(_, (found, expected))| found != expected);
    assert!(found == expected, "they differ first in {first:?}:\n{found}");
}

#[test]
fn every_command_in_every_place_of_a_fast_order() {
    // A7, A8.
    let order = order();
    let places =
        [early(&order), strange_ones(&order), paid(&order), returned(&order), decided(&order)];
    matches(&page(&order, places), include_str!("state_table_fast.txt"));
}

#[test]
fn every_command_in_every_place_of_an_order_swapped_first() {
    // A9 is A7 with the liquidation before the payment: what the two share is on the page above.
    let order = by_dex();
    let places = [strange_ones(&order), sold_first(&order), paid(&order)];
    matches(&page(&order, places), include_str!("state_table_dex.txt"));
}

#[test]
fn every_command_in_every_place_of_an_order_sold_at_the_exchange() {
    // A10.
    let order = by_exchange();
    let places = [early(&order), sold_first(&order), paid(&order), returned(&order)];
    matches(&page(&order, places), include_str!("state_table_convert.txt"));
}

#[test]
fn every_command_in_every_place_of_an_order_on_liquid() {
    // A11.
    let order = on_liquid();
    let places = [paid(&order), handed(&order), returned(&order)];
    matches(&page(&order, places), include_str!("state_table_liquid.txt"));
}

#[test]
fn every_command_in_every_place_of_an_order_of_the_wallet() {
    // Rulings 35: nothing is refunded here, the payment decides.
    let order = of_wallet();
    matches(&page(&order, [early(&order), paid(&order)]), include_str!("state_table_wallet.txt"));
    assert!(!progress(&super::detected(order)).order.is_sellers());
}
