//! Comparison of purchases, conversions and crypto gone astray.

use ledger_core::accounting::Account;
use ledger_core::coin::Units;
use ledger_core::id::OpId;
use ledger_core::ledger::{Operation, State};
use ledger_core::machine::{charge, conversion, delivery, erroneous_delivery, purchase};
use ledger_core::terms::ServiceFees;

use crate::oracle::{DeliveryProgress, DeliveryTerms, Earned, End, Oracle, Stage};
use crate::spelling::canonical;

/// Stage, attempt and transaction of a delivery.
type CourseView = (Stage, u32, Option<Box<str>>);

/// What was agreed of a delivery: house and partner fees, cost, units and network fee.
type AgreedView = (i64, i64, i64, u128, u128);

/// Agreed; and once paid the delivery, the end, what was returned, and what is in flight.
type PurchaseView = (AgreedView, Option<(CourseView, Option<End>, i64, i64)>);

/// Agreed, delivery, whether it was refunded, in flight.
type ConversionView = (AgreedView, CourseView, bool, i64);

fn agreed_of(delivery_terms: DeliveryTerms, earned: Earned) -> AgreedView {
    (
        earned.house,
        earned.partner,
        delivery_terms.cost,
        delivery_terms.units,
        delivery_terms.network_fee,
    )
}

fn agreed_found(delivery_terms: delivery::DeliveryTerms, fees: ServiceFees) -> AgreedView {
    let fee = delivery_terms.network_fee.map_or(0, Units::get);
    let (house, partner) = (fees.house.cents(), fees.partner.cents());
    (house, partner, delivery_terms.cost.cents(), delivery_terms.units.get(), fee)
}

fn course_of(course: &DeliveryProgress) -> CourseView {
    (course.stage, course.attempt, course.hash.clone())
}

fn course_found(state: &delivery::State) -> CourseView {
    use delivery::State;
    let place = match state {
        State::Waiting => Stage::Waiting,
        State::Sending(_) => Stage::Sending,
        State::Accepted(_) => Stage::Accepted,
        State::Unknown(_) => Stage::Unknown,
        State::Retrying(_) => Stage::Retrying,
        State::Sent(_) => Stage::Sent,
    };
    (place, state.attempt(), state.sent_delivery().map(|sent| canonical(&sent.hash)))
}

pub(super) fn purchase_of(oracle: &Oracle, op: OpId) -> Option<PurchaseView> {
    let charge = &oracle.charges[&op];
    let buy = charge.buy.as_ref()?;
    let reported = charge.credited.then(|| {
        let flight = match (buy.end, buy.course.stage) {
            (Some(End::Halted), _) | (None, Stage::Waiting) => charge.returnable(),
            (None, stage) if stage != Stage::Sent => charge.returnable() - buy.delivery_terms.cost,
            (_, _) => 0,
        };
        (course_of(&buy.course), buy.end, charge.returned_since, flight)
    });
    Some((agreed_of(buy.delivery_terms, buy.earned), reported))
}

pub(super) fn purchase_found(
    state: &State,
    op: OpId,
    operation: &Operation,
) -> Option<PurchaseView> {
    let charge = operation.charge()?;
    let terms = charge.order()?.purchase.as_ref()?;
    let agreed = match charge {
        charge::State::Bought(bought) => agreed_found(bought.delivery_terms(), bought.fees()),
        _ => agreed_found(terms.delivery_terms, terms.fees),
    };
    let reported = match charge {
        charge::State::Bought(bought) => {
            let end = bought.end.map(|end| match end {
                purchase::End::Halted => End::Halted,
                purchase::End::Returned => End::Returned,
                purchase::End::Credited(subaccount, _) => End::Credited(subaccount),
            });
            let flight = state.books.flight(Account::PixInFlight(op));
            Some((course_found(&bought.delivery), end, bought.returned.cents(), flight))
        }
        _ => None,
    };
    Some((agreed, reported))
}

pub(super) fn conversion_of(oracle: &Oracle, op: OpId) -> ConversionView {
    let it = &oracle.conversions[&op];
    (agreed_of(it.delivery_terms, it.earned), course_of(&it.course), it.refunded, it.in_flight())
}

pub(super) fn conversion_found(
    state: &State,
    op: OpId,
    operation: &Operation,
) -> Option<ConversionView> {
    let found = operation.conversion()?;
    let progress = found.progress()?;
    let refunded = matches!(found, conversion::State::Refunded(_));
    let agreed = agreed_found(progress.order.delivery_terms, progress.order.fees);
    let flight = state.books.flight(Account::ConversionInFlight(op));
    Some((agreed, course_found(&progress.delivery), refunded, flight))
}

/// What went astray, and how that ended.
type ErroneousDeliveryView = (u128, Option<erroneous_delivery::End>);

pub(super) fn erroneous_delivery_of(oracle: &Oracle, op: OpId) -> ErroneousDeliveryView {
    let erroneous_delivery = &oracle.erroneous_deliveries[&op];
    (erroneous_delivery.units, erroneous_delivery.end)
}

pub(super) fn erroneous_delivery_found(operation: &Operation) -> Option<ErroneousDeliveryView> {
    match operation.erroneous_delivery()? {
        erroneous_delivery::State::Absent => None,
        erroneous_delivery::State::Waiting(order) => Some((order.units.get(), None)),
        erroneous_delivery::State::Settled(order, end) => Some((order.units.get(), Some(*end))),
    }
}
