//! How a delivery stands: its instruction, and what was bought for it.

use crate::accounting::CoinAccount;
use crate::coin::Units;
use crate::id::{AssetId, OpId};
use crate::ledger::decision::fact_context::FactContext;
use crate::ledger::notification::TaskKind;
use crate::ledger::notification::key::InstructionKey;
use crate::ledger::notification::step::Step;
use crate::machine::charge;
use crate::machine::delivery::{self, DeliveryReport, DeliveryTerms};

/// How an instruction to deliver stands, where the delivery stands as `known`.
pub(in crate::ledger) fn delivery_step(known: &delivery::State, key: InstructionKey) -> Step {
    use delivery::State as At;
    let due = match known {
        At::Waiting => key.attempt == 1,
        At::Retrying(failed) => failed.checked_add(1) == Some(key.attempt),
        At::Sending(current) | At::Accepted(current) | At::Unknown(current) => {
            return if *current == key.attempt { Step::Taken } else { Step::Over };
        }
        At::Sent(_) => false,
    };
    if due { Step::Told } else { Step::Over }
}

/// Tells whether this attempt comes after the last one that began, and may still.
pub(in crate::ledger) fn is_after(attempt: u32, delivery: &delivery::State) -> bool {
    delivery.sent_delivery().is_none() && delivery.attempt() < attempt
}

/// What was bought for operation `op` and is not delivered yet, with the account it stands in.
pub(in crate::ledger) fn undelivered_coins(
    op: OpId,
    delivery: &delivery::State,
    terms: DeliveryTerms,
) -> Vec<(CoinAccount, AssetId, Units)> {
    let open = delivery.bought_terms(terms).filter(|_| delivery.sent_delivery().is_none());
    let held = open.map(|terms| (CoinAccount::DeliveryInFlight(op), terms.asset, terms.units));
    held.into_iter().collect()
}

/// The transaction that an event of a delivery is of.
pub(in crate::ledger) fn sent_hash(event: &delivery::Event) -> Option<&str> {
    let delivery::Event::Sent { hash, .. } = event else { return None };
    Some(hash)
}

/// The attempt that an event of a delivery begins, which hands its instruction out.
pub(in crate::ledger) const fn begun_attempt(event: &delivery::Event) -> Option<(TaskKind, u32)> {
    match event {
        delivery::Event::Begun(_) => Some((TaskKind::Deliver, 1)),
        delivery::Event::BegunAgain { attempt } => Some((TaskKind::Deliver, *attempt)),
        _ => None,
    }
}

/// The transaction that a report tells of.
pub(super) fn hash_of(command: &delivery::Command) -> Option<Box<str>> {
    match &command.report {
        DeliveryReport::Confirm(hash) => Some(hash.clone()),
        _ => None,
    }
}

impl FactContext<'_> {
    /// Tells whether an attempt to deliver is under way, or its outcome unknown.
    pub(super) fn has_attempt_open(&self) -> bool {
        use delivery::State::{Accepted, Sending, Unknown};
        matches!(self.delivery_state(), Some(Sending(_) | Accepted(_) | Unknown(_)))
    }

    /// How the delivery stands of the purchase or conversion that the fact names.
    pub(super) fn delivery_state(&self) -> Option<&delivery::State> {
        match (self.conversion(), self.charge()) {
            (Some((_, state)), _) => state.progress().map(|known| &known.delivery),
            (None, Some((_, charge::State::Bought(bought)))) => Some(&bought.delivery),
            (None, _) => None,
        }
    }
}
