//! Events that no purchase decided: `follows` refuses them, so a journal that holds one is corrupt.

use ledger_core::machine::charge::{Command, Event, State, follows};
use ledger_core::machine::delivery::DeliveryReport;
use ledger_core::machine::purchase::Event as Purchase;
use ledger_core::terms::{ServiceFees, Switch};

use super::{
    PurchaseCommand, after, confirm, deliver, give_back, give_up, order, paid_and, payment,
    receive, retained, to_payer, to_subaccount,
};
use crate::samples::{ANA, BIA, HOUSE, PARTNER, amount, as_cents, delivery_terms};

fn refused(state: &State, event: Purchase) {
    let event = Event::Purchase(event);
    assert!(!follows(state, &event), "{event:?} may follow {state:?}");
}

fn admitted(state: &State, event: Purchase) {
    let event = Event::Purchase(event);
    assert!(follows(state, &event), "{event:?} may not follow {state:?}");
}

fn paid(cents: i64, from_suspense: Switch) -> Purchase {
    Purchase::Paid { payment: payment(cents), from_suspense }
}

#[test]
fn a_purchase_is_paid_by_its_own_amount_in_time_and_only_once() {
    let pending = after(order(), []);
    admitted(&pending, paid(10_000, Switch::Off));
    admitted(&pending, paid(10_000, Switch::On));
    for from_suspense in [Switch::Off, Switch::On] {
        refused(&pending, paid(9_999, from_suspense));
        refused(&paid_and([]), paid(10_000, from_suspense));
        refused(&after(retained(), [receive()]), paid(10_000, from_suspense));
    }
    let mut late = payment(10_000);
    late.paid_at = crate::samples::at("2026-10-20T12:15:00.000001Z");
    let late = |from_suspense| Purchase::Paid { payment: late.clone(), from_suspense };
    let expired = after(order(), [PurchaseCommand::Charge(Command::Expire)]);
    refused(&expired, late(Switch::Off));
    admitted(&expired, late(Switch::On));
    let failed = after(order(), [PurchaseCommand::Charge(Command::Cancel)]);
    refused(&failed, paid(10_000, Switch::Off));
    refused(&failed, paid(9_999, Switch::On));
    admitted(&failed, paid(10_000, Switch::On));
}

#[test]
fn what_the_provider_holds_is_not_paid_before_it_is_released() {
    refused(&after(retained(), []), paid(10_000, Switch::Off));
    refused(&after(retained(), []), Purchase::Cleared);
    refused(&paid_and([]), Purchase::Cleared);
    admitted(&after(retained(), [receive()]), Purchase::Cleared);
}

#[test]
fn a_purchase_is_not_credited_as_a_deposit() {
    use super::PixPayment;
    use ledger_core::machine::charge::{Credit, Origin};
    let credit = |origin| Credit {
        subaccount: HOUSE,
        origin,
        gross: amount(10_000),
        fee: as_cents(100),
        available_at: None,
        waiting_until: None,
        booked_at: super::noon(),
    };
    let mut at_once = order();
    at_once.release = ledger_core::terms::Release::Immediate;
    let states = [
        after(at_once.clone(), []),
        after(at_once.clone(), [PurchaseCommand::Charge(Command::Cancel)]),
        after(at_once, [super::see()]),
        after(retained(), [receive()]),
    ];
    for state in states {
        for origin in [Origin::Provider, Origin::Flight, Origin::Suspense] {
            let payment: PixPayment = payment(10_000);
            let event = Event::Credited { payment, credit: credit(origin) };
            assert!(!follows(&state, &event), "{state:?}");
        }
    }
}

#[test]
fn a_return_after_delivery_is_the_houses_and_reverses_the_fees_it_must() {
    let sent = paid_and([deliver(DeliveryReport::Begin), deliver(confirm("0xa1"))]);
    let returned = |house, account, cents, fees: [i64; 2]| Purchase::ReturnedDelivered {
        house,
        account,
        amount: amount(cents),
        reversed: ServiceFees { house: as_cents(fees[0]), partner: as_cents(fees[1]) },
    };
    admitted(&sent, returned(HOUSE, PARTNER, 9_600, [106, 24]));
    refused(&sent, returned(ANA, PARTNER, 9_600, [106, 24]));
    refused(&sent, returned(HOUSE, ledger_core::id::AccountId(4), 9_600, [106, 24]));
    refused(&sent, returned(HOUSE, PARTNER, 9_600, [130, 0]));
    refused(&sent, returned(HOUSE, PARTNER, 9_600, [0, 0]));
    refused(&sent, returned(HOUSE, PARTNER, 10_001, [430, 100]));
    refused(&paid_and([]), returned(HOUSE, PARTNER, 9_600, [106, 24]));
    refused(&sent, Purchase::ReturnedUndelivered { amount: amount(1), undone: None });
    refused(&sent, Purchase::ReturnedCredited { subaccount: HOUSE, amount: amount(1) });
}

#[test]
fn what_is_given_up_is_all_that_is_left_and_undoes_what_was_bought() {
    let failed = paid_and([deliver(DeliveryReport::Begin), deliver(DeliveryReport::Fail)]);
    let up = |cents, undone| Purchase::GivenUp { to: to_payer(), amount: amount(cents), undone };
    admitted(&failed, up(10_000, Some(delivery_terms())));
    refused(&failed, up(10_000, None));
    refused(&failed, up(9_999, Some(delivery_terms())));
    admitted(&paid_and([]), up(10_000, None));
    refused(&paid_and([]), up(10_000, Some(delivery_terms())));
    let halted =
        paid_and([deliver(DeliveryReport::Begin), deliver(DeliveryReport::Fail), give_back(4_000)]);
    admitted(&halted, up(6_000, None));
    refused(&halted, up(6_000, Some(delivery_terms())));
    refused(&halted, up(10_000, None));
    for under_way in [DeliveryReport::Begin, DeliveryReport::Accept, DeliveryReport::Lose] {
        refused(&paid_and([deliver(under_way)]), up(10_000, Some(delivery_terms())));
    }
    refused(&paid_and([give_up(to_payer())]), up(10_000, None));
}

#[test]
fn what_went_back_undelivered_undoes_what_was_bought() {
    let failed = paid_and([deliver(DeliveryReport::Begin), deliver(DeliveryReport::Fail)]);
    let back = |cents, undone| Purchase::ReturnedUndelivered { amount: amount(cents), undone };
    admitted(&failed, back(4_000, Some(delivery_terms())));
    refused(&failed, back(4_000, None));
    refused(&failed, back(10_001, Some(delivery_terms())));
    let mut other = delivery_terms();
    other.cost = amount(9_469);
    refused(&failed, back(4_000, Some(other)));
    refused(&paid_and([give_up(to_subaccount())]), back(4_000, None));
}

#[test]
fn what_was_credited_is_returned_from_that_custody() {
    let kept = paid_and([give_up(to_subaccount())]);
    let back = |subaccount, cents| Purchase::ReturnedCredited { subaccount, amount: amount(cents) };
    admitted(&kept, back(ANA, 10_000));
    refused(&kept, back(BIA, 10_000));
    refused(&kept, back(ANA, 10_001));
    refused(&paid_and([]), back(ANA, 1));
}

#[test]
fn nothing_is_delivered_once_it_has_ended() {
    use ledger_core::machine::delivery;
    for ended in
        [give_back(4_000), give_back(10_000), give_up(to_payer()), give_up(to_subaccount())]
    {
        let state = paid_and([ended]);
        refused(&state, Purchase::Delivery(delivery::Event::Begun(delivery_terms())));
    }
}
