//! Comparison of purchases, conversions and crypto gone astray.

use ledger_core::accounting::Account;
use ledger_core::coin::Units;
use ledger_core::id::OpId;
use ledger_core::ledger::{Operation, State};
use ledger_core::machine::{charge, conversion, delivery, purchase, stray};
use ledger_core::terms::ServiceFees;

use crate::oracle::{Course, Earned, End, Oracle, Parcel, Stage};

/// Stage, attempt and transaction of a delivery.
type CourseTold = (Stage, u32, Option<Box<str>>);

/// What was agreed of a delivery: house and partner fees, cost, units and network fee.
type AgreedTold = (i64, i64, i64, u128, u128);

/// Agreed; and once paid the delivery, the end, what was returned, and what is in flight.
type PurchaseTold = (AgreedTold, Option<(CourseTold, Option<End>, i64, i64)>);

/// Agreed, delivery, whether it was refunded, in flight.
type ConversionTold = (AgreedTold, CourseTold, bool, i64);

fn agreed_of(parcel: Parcel, earned: Earned) -> AgreedTold {
    (earned.house, earned.partner, parcel.cost, parcel.units, parcel.network_fee)
}

fn agreed_found(parcel: delivery::Parcel, fees: ServiceFees) -> AgreedTold {
    let fee = parcel.network_fee.map_or(0, Units::get);
    let (house, partner) = (fees.house.cents(), fees.partner.cents());
    (house, partner, parcel.cost.cents(), parcel.units.get(), fee)
}

fn course_of(course: &Course) -> CourseTold {
    (course.stage, course.attempt, course.hash.clone())
}

fn course_found(state: &delivery::State) -> CourseTold {
    use delivery::State;
    let place = match state {
        State::Waiting => Stage::Waiting,
        State::Sending(_) => Stage::Sending,
        State::Accepted(_) => Stage::Accepted,
        State::Unknown(_) => Stage::Unknown,
        State::Retrying(_) => Stage::Retrying,
        State::Sent(_) => Stage::Sent,
    };
    (place, state.attempt(), state.sent().map(|sent| sent.hash.clone()))
}

pub(super) fn purchase_of(oracle: &Oracle, op: OpId) -> Option<PurchaseTold> {
    let charge = &oracle.charges[&op];
    let buy = charge.buy.as_ref()?;
    let told = charge.credited.then(|| {
        let flight = match (buy.end, buy.course.stage) {
            (Some(End::Halted), _) | (None, Stage::Waiting) => charge.left(),
            (None, stage) if stage != Stage::Sent => charge.left() - buy.parcel.cost,
            (_, _) => 0,
        };
        (course_of(&buy.course), buy.end, charge.returned_since, flight)
    });
    Some((agreed_of(buy.parcel, buy.earned), told))
}

pub(super) fn purchase_found(
    state: &State,
    op: OpId,
    operation: &Operation,
) -> Option<PurchaseTold> {
    let charge = operation.charge()?;
    let terms = charge.order()?.purchase.as_ref()?;
    let agreed = match charge {
        charge::State::Bought(bought) => agreed_found(bought.parcel(), bought.fees()),
        _ => agreed_found(terms.parcel, terms.fees),
    };
    let told = match charge {
        charge::State::Bought(bought) => {
            let end = bought.end.map(|end| match end {
                purchase::End::Halted => End::Halted,
                purchase::End::Returned => End::Returned,
                purchase::End::Credited(custody, _) => End::Credited(custody),
            });
            let flight = state.books.flight(Account::PixInFlight(op));
            Some((course_found(&bought.delivery), end, bought.returned.cents(), flight))
        }
        _ => None,
    };
    Some((agreed, told))
}

pub(super) fn conversion_of(oracle: &Oracle, op: OpId) -> ConversionTold {
    let it = &oracle.conversions[&op];
    (agreed_of(it.parcel, it.earned), course_of(&it.course), it.refunded, it.in_flight())
}

pub(super) fn conversion_found(
    state: &State,
    op: OpId,
    operation: &Operation,
) -> Option<ConversionTold> {
    let found = operation.conversion()?;
    let standing = found.standing()?;
    let refunded = matches!(found, conversion::State::Refunded(_));
    let agreed = agreed_found(standing.order.parcel, standing.order.fees);
    let flight = state.books.flight(Account::ConversionInFlight(op));
    Some((agreed, course_found(&standing.delivery), refunded, flight))
}

/// What went astray, and how that ended.
type StrayTold = (u128, Option<stray::End>);

pub(super) fn stray_of(oracle: &Oracle, op: OpId) -> StrayTold {
    let stray = &oracle.strays[&op];
    (stray.units, stray.end)
}

pub(super) fn stray_found(operation: &Operation) -> Option<StrayTold> {
    match operation.stray()? {
        stray::State::Absent => None,
        stray::State::Waiting(order) => Some((order.units.get(), None)),
        stray::State::Settled(order, end) => Some((order.units.get(), Some(*end))),
    }
}
