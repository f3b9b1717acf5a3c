//! Charges: a PIX collected, and what becomes of it.

pub(super) mod early;
pub(super) mod fact;
pub(super) mod request;
pub(super) mod reversal;
mod row;
pub(super) mod usage;

use crate::accounting::{Account, CoinAccount, RowKind, Side};
use crate::coin::Units;
use crate::id::{AccountId, AssetId, OpId};
use crate::ledger::ledger_machine::operation_row::OperationRow;
use crate::ledger::ledger_machine::{LedgerMachine, REVERSED, RowKinds};
use crate::ledger::notification::step::Step;
use crate::ledger::notification::{DeliveryInstruction, InstructionKey, Task, TaskKind, Topic};
use crate::ledger::purchase::delivery_step::{
    begun_attempt, delivery_step, is_after, sent_hash, undelivered_coins,
};
use crate::ledger::record::early_report::EarlyReport;
use crate::ledger::record::event::Event;
use crate::ledger::record::{ExternalId, Scope};
use crate::ledger::state::State;
use crate::ledger::state::apply::{Applied, Moved};
use crate::ledger::state::due::Due;
use crate::ledger::state::outgoing::{Crypto, Outgoing};
use crate::ledger::waiting::{Awaited, Waiting, WaitingReason, WaitingSum};
use crate::machine::purchase::{self, End, Remainder};
use crate::machine::{Verdict, charge, delivery};
use crate::money::Amount;
use crate::terms::Catalogue;
use crate::terms::Switch;
use crate::time::Instant;

pub use fact::Fact;

impl LedgerMachine for charge::State {
    const NOTIFIES: bool = true;

    fn creation(event: &charge::Event) -> Option<(AccountId, Option<&str>)> {
        let charge::Event::Requested(order) = event else { return None };
        Some((order.account, order.external_id.as_deref()))
    }

    fn outside(event: &charge::Event) -> Option<ExternalId> {
        let (scope, id) = match event {
            charge::Event::Delayed { payment, .. }
            | charge::Event::UnderReview { payment }
            | charge::Event::Purchase(purchase::Event::Paid {
                payment,
                from_suspense: Switch::Off,
            }) => (Scope::ReceivedPix, &payment.e2e),
            charge::Event::Credited { payment, credit }
                if credit.origin == charge::Origin::Provider =>
            {
                (Scope::ReceivedPix, &payment.e2e)
            }
            charge::Event::Purchase(purchase::Event::GivenUp {
                to: Remainder::Payer(return_id),
                ..
            }) => (Scope::ReturnedDeposit, return_id),
            _ => return None,
        };
        Some(ExternalId::new(scope, id))
    }

    fn hands_out(event: &charge::Event) -> Option<(TaskKind, u32)> {
        let charge::Event::Purchase(purchase::Event::Delivery(event)) = event else { return None };
        begun_attempt(event)
    }

    fn transaction(event: &charge::Event) -> Option<&str> {
        let charge::Event::Purchase(purchase::Event::Delivery(event)) = event else { return None };
        sent_hash(event)
    }

    fn paid_pix(event: &charge::Event) -> Option<(&str, Instant)> {
        match event {
            charge::Event::Delayed { payment, .. }
            | charge::Event::UnderReview { payment }
            | charge::Event::Credited { payment, .. }
            | charge::Event::Purchase(purchase::Event::Paid { payment, .. }) => {
                Some((&payment.e2e, payment.paid_at))
            }
            _ => None,
        }
    }

    fn address(event: &charge::Event) -> Option<&str> {
        let charge::Event::Requested(order) = event else { return None };
        order.delivery.address.as_deref()
    }

    /// A purchase's own amount is what was charged: the crypto's cost and the fees.
    fn settlement(event: &charge::Event) -> Option<(AccountId, Amount)> {
        let charge::Event::Purchase(purchase::Event::Delivery(delivery::Event::Sent {
            delivery_terms,
            earned,
            ..
        })) = event
        else {
            return None;
        };
        Some((earned.account, delivery_terms.cost.plus(earned.fees.total()?)?))
    }

    fn fails(event: &charge::Event) -> bool {
        use charge::Event as E;
        matches!(event, E::Failed | E::Purchase(purchase::Event::GivenUp { .. }))
    }

    fn row_kinds(event: &charge::Event, _: Side) -> RowKinds {
        use {delivery::Event as D, purchase::Event as P};
        match event {
            charge::Event::Credited { .. } | charge::Event::Purchase(P::GivenUp { .. }) => {
                [RowKind::Deposit, RowKind::CommissionReversed]
            }
            charge::Event::Purchase(P::Delivery(D::Sent { .. })) => {
                [RowKind::Reversal, RowKind::CommissionEarned]
            }
            charge::Event::Requested(_)
            | charge::Event::Expired
            | charge::Event::Failed
            | charge::Event::UnderReview { .. }
            | charge::Event::Withheld { .. }
            | charge::Event::Delayed { .. }
            | charge::Event::Matured { .. }
            | charge::Event::PartTaken { .. }
            | charge::Event::PartRestored { .. }
            | charge::Event::ReturnedUncredited { .. }
            | charge::Event::Returned { .. }
            | charge::Event::ReturnedTraced { .. }
            | charge::Event::Purchase(
                P::Paid { .. }
                | P::Cleared
                | P::Delivery(
                    D::Begun(_) | D::BegunAgain { .. } | D::Accepted | D::Failed | D::Unknown,
                )
                | P::ReturnedUndelivered { .. }
                | P::ReturnedDelivered { .. }
                | P::ReturnedCredited { .. }
                | P::Halted { .. }
                | P::Resumed(_),
            ) => REVERSED,
        }
    }

    fn crypto(&self) -> Crypto<'_> {
        let purchase = self.order().and_then(|order| order.purchase.as_ref());
        let Some(purchase) = purchase else { return Crypto::default() };
        let sent = match self {
            Self::Bought(bought) => bought.delivery.sent_delivery(),
            _ => None,
        };
        Crypto::on_chain(purchase.delivery_terms.chain, sent.map(|sent| &*sent.hash))
    }

    fn row(&self, _: &Catalogue) -> OperationRow<'_> {
        row::row(self)
    }

    fn waits(&self, now: Instant) -> Option<Waiting> {
        match self {
            Self::Delayed(arrived) => {
                let until = arrived.until.filter(|until| *until < now)?;
                let held = Waiting::reais(WaitingReason::ProviderHold, arrived.remaining_balance());
                Some(Waiting { overdue: Some(now.since(until).whole_hours()), ..held })
            }
            Self::UnderReview(arrived) => {
                Some(Waiting::reais(WaitingReason::PixReview, arrived.remaining_balance()))
            }
            Self::Bought(bought) => match (bought.end, &bought.delivery) {
                (Some(_), _) => {
                    Some(Waiting::reais(WaitingReason::HaltedPurchase, bought.returnable_balance()))
                }
                (None, delivery::State::Unknown(_)) => Some(Waiting::reais(
                    WaitingReason::UnknownDelivery,
                    bought.returnable_balance(),
                )),
                (None, _) => None,
            },
            Self::Absent
            | Self::Pending(_)
            | Self::Expired(_)
            | Self::Failed(_)
            | Self::Paid(_)
            | Self::Refunded(_) => None,
        }
    }

    fn awaited_amount(&self) -> Option<Awaited> {
        let awaited = |left| Awaited::new(WaitingSum::reais(left));
        match self {
            // A provider that says until when it holds a PIX is not late before.
            Self::Delayed(held) => held.until.is_none().then(|| awaited(held.remaining_balance())),
            Self::Bought(bought) => {
                let moves = bought.end.is_none() && bought.delivery.is_awaited();
                moves.then(|| awaited(bought.returnable_balance()).ended_by("delivery.evidence"))
            }
            _ => None,
        }
    }

    fn under_way(&self, op: OpId) -> Option<(Account, i64)> {
        let left = match self {
            Self::Delayed(arrived) | Self::UnderReview(arrived) => {
                arrived.remaining_balance().cents()
            }
            Self::Bought(bought) => bought.in_flight().cents(),
            _ => return None,
        };
        Some((Account::PixInFlight(op), left))
    }

    fn coins_under_way(&self, op: OpId) -> Vec<(CoinAccount, AssetId, Units)> {
        match self {
            Self::Bought(bought) if bought.end.is_none() => {
                undelivered_coins(op, &bought.delivery, bought.delivery_terms())
            }
            _ => Vec::new(),
        }
    }

    fn outgoing(&self) -> Option<Outgoing> {
        None
    }

    fn deadline(&self) -> Option<(Instant, Due)> {
        match self {
            Self::Pending(order) => Some((order.expires_at, Due::Expiry)),
            Self::Paid(paid) if paid.settled_at.is_none() => {
                paid.credit.available_at.map(|at| (at, Due::Maturity))
            }
            _ => None,
        }
    }

    fn topics(&self, event: &charge::Event) -> [Option<Topic>; 2] {
        match event {
            charge::Event::Credited { credit, .. } => {
                let settled = credit.available_at.is_none().then_some(Topic::ChargeSettled);
                [Some(Topic::ChargePaid), settled]
            }
            event => [charge_topic(event, self), None],
        }
    }

    fn may_instruct(event: &charge::Event) -> bool {
        matches!(event, charge::Event::Purchase(_))
    }

    fn task(&self, event: &charge::Event) -> Option<Task> {
        let charge::Event::Purchase(event) = event else { return None };
        let begins = matches!(
            event,
            purchase::Event::Paid { .. }
                | purchase::Event::Cleared
                | purchase::Event::Resumed(_)
                | purchase::Event::Delivery(delivery::Event::Failed)
        );
        match self {
            Self::Bought(bought)
                if begins && bought.end.is_none() && bought.delivery.can_stop() =>
            {
                let terms = bought.terms();
                Some(Task::Deliver(Box::new(DeliveryInstruction {
                    attempt: bought.delivery.attempt().checked_add(1)?,
                    delivery_terms: bought.delivery_terms(),
                    scale: terms.scale,
                    target: bought.order.delivery.clone(),
                    memo: terms.memo.clone(),
                })))
            }
            _ => None,
        }
    }

    fn step(&self, key: InstructionKey) -> Step {
        match self {
            Self::Bought(bought) if bought.end.is_none() && key.kind == TaskKind::Deliver => {
                delivery_step(&bought.delivery, key)
            }
            _ => Step::Over,
        }
    }

    fn awaits_report(&self, report: EarlyReport) -> bool {
        let EarlyReport::Delivery { attempt, .. } = report else { return false };
        match self {
            Self::Pending(order) | Self::Expired(order) | Self::Failed(order) => {
                order.purchase.is_some() && attempt > 0
            }
            Self::UnderReview(arrived) | Self::Delayed(arrived) => {
                arrived.order.purchase.is_some() && attempt > 0
            }
            Self::Bought(bought) => match bought.end {
                None => is_after(attempt, &bought.delivery),
                // The first attempt was asked for when it was paid.
                Some(End::Halted) => attempt > 1 && is_after(attempt, &bought.delivery),
                Some(End::Returned | End::Credited(..)) => false,
            },
            Self::Absent | Self::Paid(_) | Self::Refunded(_) => false,
        }
    }
}

fn charge_topic(event: &charge::Event, after: &charge::State) -> Option<Topic> {
    use charge::Event as E;
    let refunded = match after {
        charge::State::Refunded(_) => true,
        charge::State::Bought(bought) => bought.is_refunded(),
        _ => false,
    };
    match event {
        E::Requested(order) => {
            let subaccount = order.purchase.is_none();
            (subaccount && !order.credits_at_once()).then_some(Topic::ChargeHeld)
        }
        E::Expired => Some(Topic::ChargeExpired),
        E::Failed => Some(Topic::ChargeFailed),
        E::Delayed { .. } | E::Withheld { .. } => Some(Topic::ChargeDelayed),
        E::Matured { .. } => Some(Topic::ChargeSettled),
        E::ReturnedUncredited { .. } | E::Returned { .. } | E::ReturnedTraced { .. } => {
            refunded.then_some(Topic::ChargeRefunded)
        }
        E::Purchase(event) => match event {
            purchase::Event::Paid { .. } | purchase::Event::Cleared => Some(Topic::ChargePaid),
            purchase::Event::Delivery(event) => delivery_topic(event),
            purchase::Event::ReturnedUndelivered { .. }
            | purchase::Event::ReturnedDelivered { .. }
            | purchase::Event::ReturnedCredited { .. }
            | purchase::Event::GivenUp { .. } => refunded.then_some(Topic::ChargeRefunded),
            purchase::Event::Halted { .. } | purchase::Event::Resumed(_) => None,
        },
        E::Credited { .. }
        | E::UnderReview { .. }
        | E::PartTaken { .. }
        | E::PartRestored { .. } => None,
    }
}

pub(in crate::ledger) fn delivery_topic(event: &delivery::Event) -> Option<Topic> {
    match event {
        delivery::Event::Sent { .. } => Some(Topic::ChargeSettled),
        delivery::Event::Failed => Some(Topic::SettlementFailed),
        delivery::Event::Begun(_)
        | delivery::Event::BegunAgain { .. }
        | delivery::Event::Accepted
        | delivery::Event::Unknown => None,
    }
}

impl Applied for charge::State {
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        if let charge::Event::Credited { credit, .. } = moved.event {
            let known = state.subaccounts.get_mut(credit.subaccount.0 as usize);
            let known = known.ok_or("a credit goes to a subaccount that exists")?;
            known.deposited = true;
            known.waiting_until = known.waiting_until.or(credit.waiting_until);
        }
        state.count(moved.before, moved.after, moved.at);
        state.keep_part(moved.op, moved.before, moved.after);
        state.follow_cause(moved.op, moved.after);
        Ok(())
    }

    fn come_due(&self, _: &State, op: OpId, (at, due): (Instant, Due)) -> Option<Vec<Event>> {
        let command = match due {
            Due::Expiry => charge::Command::Expire,
            Due::Maturity => charge::Command::Mature,
            Due::Lapse | Due::End | Due::Retry => return None,
        };
        let now = charge::Context { at, first_deposit: Switch::Off };
        match charge::decide(self, command, now) {
            Verdict::Applied(event) => Some(vec![Event::Charge { op, event }]),
            Verdict::Known | Verdict::SetAside => None,
        }
    }
}

impl State {
    /// Keeps the release schedule equal to the held parts of paid charges.
    fn keep_part(&mut self, op: OpId, before: &charge::State, after: &charge::State) {
        let (old, new) = (before.unreleased_credit(), after.unreleased_credit());
        if old == new {
            return;
        }
        if let Some((subaccount, at, _)) = old {
            self.parts.remove(&(subaccount, at, op));
        }
        if let Some((subaccount, at, held)) = new {
            self.parts.insert((subaccount, at, op), held);
        }
    }
}
