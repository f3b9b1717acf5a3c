//! Conversions of custody into crypto, and withdrawals of commission.

pub(super) mod request;

use std::sync::Arc;

use crate::accounting::{Account, CoinAccount, RowKind, Side};
use crate::coin::Units;
use crate::id::{AccountId, AssetId, Kind, OpId};
use crate::ledger::charge::delivery_topic;
use crate::ledger::ledger_machine::operation_row::{OperationRow, text};
use crate::ledger::ledger_machine::{LedgerMachine, RowKinds};
use crate::ledger::notification::step::Step;
use crate::ledger::notification::{DeliveryInstruction, InstructionKey, Task, TaskKind, Topic};
use crate::ledger::purchase::delivery_step::{
    begun_attempt, delivery_step, is_after, sent_hash, undelivered_coins,
};
use crate::ledger::record::early_report::EarlyReport;
use crate::ledger::state::State;
use crate::ledger::state::apply::{Applied, Moved};
use crate::ledger::state::outgoing::{Crypto, Outgoing};
use crate::ledger::waiting::{Awaited, Waiting, WaitingReason, WaitingSum};
use crate::machine::conversion::{self, FundingSource};
use crate::machine::delivery;
use crate::money::Amount;
use crate::terms::Catalogue;
use crate::time::Instant;

impl LedgerMachine for conversion::State {
    const NOTIFIES: bool = true;
    const INSTRUCTS: bool = true;

    fn creation(event: &conversion::Event) -> Option<(AccountId, Option<&str>)> {
        let conversion::Event::Requested(order) = event else { return None };
        Some((order.account, order.external_id.as_deref()))
    }

    fn hands_out(event: &conversion::Event) -> Option<(TaskKind, u32)> {
        let conversion::Event::Delivery { event, .. } = event else { return None };
        begun_attempt(event)
    }

    fn transaction(event: &conversion::Event) -> Option<&str> {
        let conversion::Event::Delivery { event, .. } = event else { return None };
        sent_hash(event)
    }

    fn address(event: &conversion::Event) -> Option<&str> {
        let conversion::Event::Requested(order) = event else { return None };
        order.target.address.as_deref()
    }

    fn settlement(event: &conversion::Event) -> Option<(AccountId, Amount)> {
        let conversion::Event::Delivery {
            source: FundingSource::Custody(_),
            event: delivery::Event::Sent { delivery_terms, earned, .. },
        } = event
        else {
            return None;
        };
        Some((earned.account, delivery_terms.cost))
    }

    fn fails(event: &conversion::Event) -> bool {
        matches!(event, conversion::Event::Refunded { .. })
    }

    fn row_kinds(event: &conversion::Event, _: Side) -> RowKinds {
        match event {
            conversion::Event::Requested(_) => [RowKind::Conversion, RowKind::CommissionWithdrawn],
            conversion::Event::Refunded { .. } => [RowKind::Reversal, RowKind::CommissionRestored],
            conversion::Event::Delivery { .. } => [RowKind::Reversal, RowKind::CommissionEarned],
        }
    }

    fn crypto(&self) -> Crypto<'_> {
        let Some(known) = self.progress() else { return Crypto::default() };
        let sent = known.delivery.sent_delivery().map(|sent| &*sent.hash);
        Crypto::on_chain(known.order.delivery_terms.chain, sent)
    }

    fn row(&self, _: &Catalogue) -> OperationRow<'_> {
        let Some(progress) = self.progress() else { return OperationRow::default() };
        let order = &progress.order;
        OperationRow {
            state: match self {
                Self::Absent => "absent",
                Self::Paid(_) => "paid",
                Self::Refunded(_) => "refunded",
            },
            subaccount: order.source.subaccount(),
            external_id: order.external_id.as_deref(),
            amount: Some(order.amount.cents()),
            fee: order.fees.total(),
            asset: Some(order.target.asset.to_string()),
            network: Some(order.target.chain.to_string()),
            coins: text(order.delivery_terms.delivered_units(), order.scale),
            transaction: progress.delivery.sent_delivery().map(|sent| &*sent.hash),
            ..OperationRow::default()
        }
    }

    fn waits(&self, _: Instant) -> Option<Waiting> {
        let Self::Paid(progress) = self else { return None };
        let unknown = matches!(progress.delivery, delivery::State::Unknown(_));
        let sum = progress.order.amount.as_cents().into();
        unknown.then(|| Waiting::reais(WaitingReason::UnknownDelivery, sum))
    }

    fn awaited_amount(&self) -> Option<Awaited> {
        let Self::Paid(progress) = self else { return None };
        let sum = WaitingSum::reais(progress.order.amount.as_cents());
        let awaited = || Awaited::new(sum).ended_by("delivery.evidence");
        progress.delivery.is_awaited().then(awaited)
    }

    fn under_way(&self, op: OpId) -> Option<(Account, i64)> {
        let Self::Paid(progress) = self else { return None };
        Some((Account::ConversionInFlight(op), progress.in_flight()))
    }

    fn coins_under_way(&self, op: OpId) -> Vec<(CoinAccount, AssetId, Units)> {
        let Self::Paid(progress) = self else { return Vec::new() };
        undelivered_coins(op, &progress.delivery, progress.order.delivery_terms)
    }

    /// A withdrawal of commission sends the partner's own earnings, and is no payment of an agent.
    fn outgoing(&self) -> Option<Outgoing> {
        match self {
            Self::Paid(progress) => {
                let order = &progress.order;
                order.source.subaccount().map(|_| Outgoing {
                    account: order.account,
                    amount: order.amount,
                    counterparty: order.tax_number,
                    at: order.created_at,
                })
            }
            Self::Absent | Self::Refunded(_) => None,
        }
    }

    fn topics(&self, event: &conversion::Event) -> [Option<Topic>; 2] {
        [conversion_topic(event), None]
    }

    fn task(&self, event: &conversion::Event) -> Option<Task> {
        let begins = matches!(
            event,
            conversion::Event::Requested(_)
                | conversion::Event::Delivery { event: delivery::Event::Failed, .. }
        );
        match self {
            Self::Paid(progress) if begins && progress.delivery.can_stop() => {
                Some(Task::Deliver(Box::new(DeliveryInstruction {
                    attempt: progress.delivery.attempt().checked_add(1)?,
                    delivery_terms: progress.order.delivery_terms,
                    scale: progress.order.scale,
                    target: progress.order.target.clone(),
                    memo: progress.order.memo.clone(),
                })))
            }
            _ => None,
        }
    }

    fn step(&self, key: InstructionKey) -> Step {
        match self {
            Self::Paid(progress) if key.kind == TaskKind::Deliver => {
                delivery_step(&progress.delivery, key)
            }
            _ => Step::Over,
        }
    }

    fn awaits_report(&self, report: EarlyReport) -> bool {
        match (self, report) {
            (Self::Paid(known), EarlyReport::Delivery { attempt, .. }) => {
                is_after(attempt, &known.delivery)
            }
            _ => false,
        }
    }
}

/// Commission withdrawals have no event on the wire (P:CommissionEvents).
fn conversion_topic(event: &conversion::Event) -> Option<Topic> {
    let source = match event {
        conversion::Event::Requested(order) => order.source,
        conversion::Event::Delivery { source, .. } | conversion::Event::Refunded { source, .. } => {
            *source
        }
    };
    let topic = match event {
        conversion::Event::Requested(_) => Some(Topic::ChargePaid),
        conversion::Event::Delivery { event, .. } => delivery_topic(event),
        conversion::Event::Refunded { .. } => Some(Topic::ChargeRefunded),
    };
    topic.filter(|_| source != FundingSource::Commission)
}

impl Applied for conversion::State {
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        let conversion::Event::Requested(order) = moved.event else { return Ok(()) };
        let of_commission = order.source == conversion::FundingSource::Commission;
        if of_commission != (moved.op.kind() == Kind::CommissionWithdrawal) {
            return Err("a conversion is named after what it takes from");
        }
        if of_commission {
            let known = state.accounts.get_mut(order.account.0 as usize);
            let known = known.ok_or("commission is withdrawn by an account that exists")?;
            Arc::make_mut(known).commission_withdrawn_at = Some(moved.at);
        }
        Ok(())
    }
}
