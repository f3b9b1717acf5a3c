//! What goes back: how much, to whom, by whom, once.

use ledger_core::machine::Verdict;
use ledger_core::machine::cash_out::{
    Command, Event, Order, Refusal, Request, ReviewReason, Stage, State, Waits,
};
use ledger_core::machine::refund::{Coins, RefundReport};
use ledger_core::terms::Switch;

use super::places::strange;
use super::{
    accepted, completed, confirm, decide_refund, homeless, of_code, of_wallet, on_liquid,
    operator_refunds, order, paying, progress, quoted, refusal, see, sent, stage, step, then, usdt,
    verdict,
};
use crate::samples::{amount, units};

fn address(text: &str) -> Request {
    Request::Address(text.into())
}

fn waits(state: &State) -> Option<Waits> {
    progress(state).refund_waits_for()
}

fn back(cents: i64) -> Command {
    Command::Reverse(amount(cents))
}

#[test]
fn two_returns_in_part_are_one_refund_while_it_waits_and_never_pass_what_was_paid() {
    let twice = then(&completed(homeless()), [back(4_000), back(6_000)]);
    // 7.407407 and 11.111111.
    assert_eq!(progress(&twice).to_refund(), Some(usdt(18_518_518)));
    assert_eq!(verdict(&twice, back(1)), Verdict::SetAside);
    assert_eq!(verdict(&completed(order()), back(10_001)), Verdict::SetAside);
    // On its way it grows no more: the rest waits for a person (INV-30).
    let going = then(&completed(order()), [back(4_000)]);
    assert_eq!(waits(&going), Some(Waits::Network));
    assert_eq!(verdict(&going, back(6_000)), Verdict::SetAside);
    assert_eq!(
        verdict(&then(&going, [Command::Refund(RefundReport::Lost)]), back(1)),
        Verdict::SetAside
    );
    assert_eq!(verdict(&then(&going, [sent("0xb1")]), back(6_000)), Verdict::SetAside);
    assert_eq!(verdict(&completed(of_wallet()), back(4_000)), Verdict::SetAside);
}

#[test]
fn returns_that_together_pass_the_limit_need_an_operator() {
    let limited = Order { refund_alone: Some(units(10_000_000)), ..homeless() };
    let first = then(&completed(limited), [back(4_000)]);
    assert_eq!(progress(&first).refund.as_ref().unwrap().allowed, Switch::On);
    let both = then(&first, [back(6_000)]);
    assert_eq!(progress(&both).refund.as_ref().unwrap().allowed, Switch::Off);
    let addressed = then(&both, [address("0xhome")]);
    assert_eq!(waits(&addressed), Some(Waits::Operator));
    assert_eq!(verdict(&addressed, sent("0xb1")), Verdict::SetAside);
    assert_eq!(waits(&then(&addressed, [operator_refunds(None)])), Some(Waits::Network));
}

#[test]
fn without_a_wallet_a_refund_waits_for_one_and_takes_one_once() {
    // COUT-54, COUT-57 to COUT-59.
    let due = then(&paying(homeless()), [Command::GiveUpPayment]);
    assert_eq!(waits(&due), Some(Waits::Address));
    assert_eq!(verdict(&due, sent("0xb1")), Verdict::SetAside);
    let addressed = then(&due, [address("0xhome")]);
    assert_eq!(waits(&addressed), Some(Waits::Network));
    assert_eq!(verdict(&addressed, address("0xhome")), Verdict::Applied(Vec::new()));
    assert_eq!(refusal(&addressed, address("0xother")), Some(Refusal::AddressFixed));
    assert_eq!(refusal(&paying(homeless()), address("0xhome")), Some(Refusal::OutOfTurn));
    assert_eq!(refusal(&quoted(order()), address("0xother")), Some(Refusal::AddressFixed));
    assert_eq!(verdict(&quoted(order()), address("0xhome")), Verdict::Applied(Vec::new()));
    // DePix is asked for its wallet only now (COUT-55).
    let liquid = Order { refund_address: None, ..on_liquid() };
    assert_eq!(waits(&then(&paying(liquid), [Command::GiveUpPayment])), Some(Waits::Address));
}

#[test]
fn an_operator_names_a_wallet_where_none_is_known_and_never_replaces_one() {
    // P:NoRefundAddress, P:RefundImmutable.
    let due = then(&paying(homeless()), [Command::GiveUpPayment]);
    let (named, events) = step(&due, operator_refunds(Some("0xnamed")));
    assert_eq!(events, [Event::RefundAddressed("0xnamed".into())]);
    assert_eq!(verdict(&named, operator_refunds(Some("0xother"))), Verdict::SetAside);
    assert_eq!(refusal(&named, address("0xother")), Some(Refusal::AddressFixed));
    let short = |order| then(&accepted(order), [see(usdt(1), "0xa1"), confirm("0xa1")]);
    let held = short(order());
    assert_eq!(verdict(&held, operator_refunds(Some("0xother"))), Verdict::SetAside);
    let (_, events) = step(&held, operator_refunds(Some("0xhome")));
    assert!(
        matches!(&events[..], [Event::RefundDecided { to: Some(to), .. }] if **to == *"0xhome")
    );
    let anybody = Command::DecideRefund { to: Some("0xnamed".into()), operator: Switch::Off };
    assert_eq!(verdict(&short(homeless()), anybody), Verdict::SetAside);
    let (_, events) = step(&short(homeless()), operator_refunds(Some("0xnamed")));
    assert!(
        matches!(&events[..], [Event::RefundDecided { to: Some(to), .. }] if **to == *"0xnamed")
    );
}

#[test]
fn a_deposit_on_another_network_does_not_go_to_the_orders_own_wallet() {
    // COUT-51: the confirmed wallet is one on the order's network.
    let held = then(&accepted(order()), [Command::See(strange(&order())), confirm("0xs1")]);
    assert_eq!(stage(&held), Stage::Review(ReviewReason::Strange));
    assert_eq!(verdict(&held, decide_refund()), Verdict::SetAside);
    let unnamed = then(&held, [operator_refunds(None)]);
    assert_eq!(waits(&unnamed), Some(Waits::Address));
    assert_eq!(refusal(&unnamed, address("0xother")), Some(Refusal::AddressFixed));
    let named = then(&unnamed, [operator_refunds(Some("0xnamed"))]);
    assert_eq!(waits(&named), Some(Waits::Network));
    assert_eq!(progress(&named).to_refund(), Some(strange(&order()).coins));
    // A client's wallet is checked for the order's network alone.
    let open = then(&accepted(homeless()), [Command::See(strange(&order())), confirm("0xs1")]);
    let open = then(&open, [operator_refunds(None)]);
    assert_eq!(refusal(&open, address("0xhome")), Some(Refusal::OutOfTurn));
    // On the order's own network it does.
    let token = then(&accepted(order()), [see(super::weth(7), "0xs1"), confirm("0xs1")]);
    let (_, events) = step(&token, operator_refunds(None));
    assert!(
        matches!(&events[..], [Event::RefundDecided { to: Some(to), .. }] if **to == *"0xhome")
    );
}

#[test]
fn a_refund_is_sent_once_and_a_lost_one_waits_for_evidence() {
    // INV-30, INV-32.
    let due = then(&paying(order()), [Command::GiveUpPayment]);
    let lost = then(&due, [Command::Refund(RefundReport::Lost)]);
    assert_eq!(waits(&lost), Some(Waits::Evidence));
    assert_eq!(verdict(&lost, operator_refunds(None)), Verdict::Known);
    assert_eq!(verdict(&lost, Command::Refund(RefundReport::Lost)), Verdict::Known);
    let again = then(&lost, [Command::Refund(RefundReport::Failed)]);
    assert_eq!(progress(&again).refund.as_ref().unwrap().attempt, 2);
    assert_eq!(waits(&again), Some(Waits::Network));
    let done = then(&lost, [sent("0xb1")]);
    assert_eq!(verdict(&done, sent("0xb1")), Verdict::Known);
    assert_eq!(verdict(&done, sent("0xb2")), Verdict::SetAside);
    assert_eq!(verdict(&done, Command::Refund(RefundReport::Failed)), Verdict::SetAside);
}

#[test]
fn nothing_is_refunded_before_it_is_confirmed() {
    let seen = then(&accepted(order()), [Command::See(strange(&order()))]);
    assert_eq!(verdict(&seen, operator_refunds(Some("0xnamed"))), Verdict::SetAside);
    let seen = super::detected(order());
    assert_eq!(verdict(&seen, operator_refunds(None)), Verdict::SetAside);
    let late = then(&seen, [Command::Delay, confirm("0xa1")]);
    assert_eq!(verdict(&late, decide_refund()), Verdict::SetAside);
    assert_eq!(stage(&then(&late, [operator_refunds(None)])), Stage::Refunding);
}

#[test]
fn the_surplus_of_a_code_is_not_refunded_by_its_order() {
    // Rulings 32: it is an unmatched deposit's.
    let over = then(&accepted(of_code()), [see(usdt(25_000_000), "0xa1"), confirm("0xa1")]);
    let due = then(&over, [Command::GiveUpPayment]);
    assert_eq!(progress(&due).to_refund(), Some(usdt(super::W44)));
    assert!(progress(&due).to_refund().unwrap().same_kind(Coins { ..order().coins }));
}
