//! Purchases whose outcome depends on what went back, and when.

use ledger_core::machine::Verdict;
use ledger_core::machine::charge::{Command, Event, State};
use ledger_core::machine::delivery::DeliveryReport;
use ledger_core::machine::purchase::{self, Bought, End};
use ledger_core::terms::ServiceFees;
use proptest::prelude::*;

use super::{
    PurchaseCommand, after, bought, confirm, deliver, give_back, give_up, judge, order, paid_and,
    receive, retained, see, step, to_payer, to_subaccount,
};
use crate::samples::{ANA, amount, as_cents, delivery_terms};

fn sent() -> State {
    paid_and([deliver(DeliveryReport::Begin), deliver(confirm("0xa1"))])
}

/// Borne by the house, then reversed of house fee and commission, return by return.
fn borne(parts: &[i64]) -> Vec<[i64; 3]> {
    let mut state = sent();
    let mut borne = Vec::new();
    for part in parts {
        let (next, events) = step(&state, give_back(*part));
        let [Event::Purchase(purchase::Event::ReturnedDelivered { amount, reversed, .. })] =
            &events[..]
        else {
            panic!("{events:?}")
        };
        let fees = [reversed.house.cents(), reversed.partner.cents()];
        borne.push([amount.cents() - fees[0] - fees[1], fees[0], fees[1]]);
        state = next;
    }
    borne
}

#[test]
fn the_house_bears_returns_up_to_the_net_and_the_rest_reverses_the_fees_in_proportion() {
    // Rulings 28: net delivered 94.70; fees 5.30, of which 1.00 is the partner's.
    assert_eq!(borne(&[10_000]), [[9_470, 430, 100]]);
    assert_eq!(borne(&[9_470, 530]), [[9_470, 0, 0], [0, 430, 100]]);
    assert_eq!(borne(&[6_000, 4_000]), [[6_000, 0, 0], [3_470, 430, 100]]);
    // 1.30 of 5.30: the partner's part is 0.24 (24.52 rounded down), and the rest comes with 4.00.
    assert_eq!(borne(&[9_600, 400]), [[9_470, 106, 24], [0, 324, 76]]);
    assert_eq!(borne(&[9_999, 1]), [[9_470, 430, 99], [0, 0, 1]]);
}

#[test]
fn what_went_back_before_the_release_halts_what_is_released() {
    let delayed = after(retained(), [receive(), give_back(4_000)]);
    let (released, _) = step(&delayed, PurchaseCommand::Charge(Command::Release));
    assert_eq!(
        (bought(&released).end, bought(&released).returned),
        (Some(End::Halted), as_cents(4_000))
    );
    assert_eq!(bought(&released).in_flight(), as_cents(6_000));
}

#[test]
fn what_was_credited_instead_is_returned_from_where_it_was_credited() {
    let kept = paid_and([give_up(to_subaccount())]);
    let (less, events) = step(&kept, give_back(4_000));
    let back = purchase::Event::ReturnedCredited { subaccount: ANA, amount: amount(4_000) };
    assert_eq!(events, [Event::Purchase(back)]);
    assert_eq!(bought(&less).returnable_balance(), as_cents(6_000).into());
    assert!(bought(&step(&less, give_back(6_000)).0).is_refunded());
}

#[test]
fn a_pix_under_review_buys_once_it_is_settled_or_released() {
    let settled = after(order(), [see(), PurchaseCommand::Charge(Command::Settle)]);
    let held = [
        see(),
        PurchaseCommand::Charge(Command::Withhold(None)),
        PurchaseCommand::Charge(Command::Release),
    ];
    let released = after(order(), held);
    for state in [&settled, &released] {
        assert_eq!((bought(state).end, bought(state).in_flight()), (None, as_cents(10_000)));
    }
}

#[test]
fn a_delivery_reported_after_its_money_went_elsewhere_waits_for_a_person() {
    for ended in
        [give_back(4_000), give_back(10_000), give_up(to_payer()), give_up(to_subaccount())]
    {
        let state = paid_and([ended]);
        assert_eq!(judge(&state, deliver(confirm("0xa1"))), Verdict::SetAside);
        assert_eq!(judge(&state, deliver(DeliveryReport::Fail)), Verdict::Known);
        assert_eq!(judge(&state, deliver(DeliveryReport::Lose)), Verdict::Known);
    }
}

#[test]
fn a_purchase_without_fees_reverses_none() {
    // W17: on Liquid the whole is the net.
    let mut free = order();
    let terms = free.purchase.as_mut().unwrap();
    terms.fees = ServiceFees::default();
    terms.delivery_terms.cost = amount(10_000);
    let sent = [receive(), deliver(DeliveryReport::Begin), deliver(confirm("0xa1"))];
    let state = after(free, sent);
    assert_eq!(bought(&state).fees_reversed(amount(10_000)), ServiceFees::default());
}

/// What is left to reverse is judged on a purchase of any size.
fn any_purchase(net: i64, house: i64, partner: i64) -> Bought {
    let gross = amount(net + house + partner);
    let mut order = order();
    order.amount = gross;
    let terms = order.purchase.as_mut().unwrap();
    terms.fees = ServiceFees { house: as_cents(house), partner: as_cents(partner) };
    terms.delivery_terms =
        ledger_core::machine::delivery::DeliveryTerms { cost: amount(net), ..delivery_terms() };
    let payment = super::PixPayment { amount: gross, ..super::payment(1) };
    Bought::new(order.into(), payment, as_cents(0))
}

proptest! {
    #[test]
    fn the_order_of_returns_does_not_matter_for_the_totals(
        net in 1..2_000_000_i64,
        (house, partner) in (0..40_000_i64, 0..40_000_i64),
        cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..6),
        turn in any::<usize>(),
    ) {
        let gross = net + house + partner;
        let size = usize::try_from(gross).unwrap() + 1;
        let mut cuts: Vec<i64> = cuts.iter().map(|cut| i64::try_from(cut.index(size)).unwrap()).collect();
        cuts.extend([0, gross]);
        cuts.sort_unstable();
        let mut parts: Vec<i64> = cuts.windows(2).map(|w| w[1] - w[0]).filter(|p| 0 < *p).collect();
        let turns = turn % parts.len();
        parts.rotate_left(turns);
        let mut known = any_purchase(net, house, partner);
        let (mut back, mut reversed) = (0, [0, 0]);
        for part in parts {
            let fees = known.fees_reversed(amount(part));
            reversed = [reversed[0] + fees.house.cents(), reversed[1] + fees.partner.cents()];
            back += part;
            known.returned = as_cents(back);
            // In proportion at every point: what passes the net, and the partner's part of it.
            let passed = i128::from((back - net).max(0));
            let all = i128::from(house + partner);
            let its = if all == 0 { 0 } else { passed * i128::from(partner) / all };
            prop_assert_eq!(i128::from(reversed[0] + reversed[1]), passed);
            prop_assert_eq!(i128::from(reversed[1]), its);
        }
        prop_assert_eq!(reversed, [house, partner]);
    }
}

#[test]
fn giving_up_twice_is_giving_up_once() {
    for (to, other) in [(to_payer(), to_subaccount()), (to_subaccount(), to_payer())] {
        let state = paid_and([give_up(to.clone())]);
        assert_eq!(judge(&state, give_up(to)), Verdict::Known);
        assert_eq!(judge(&state, give_up(other)), Verdict::SetAside, "it went elsewhere");
    }
}
