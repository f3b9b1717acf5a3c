//! What one event tells clients, and asks of the world: each domain says its own.

use super::{DeliveryInstruction, Task, Topic};
use crate::ledger::charge::notification::charge_topic;
use crate::ledger::conversion::notification::conversion_topic;
use crate::ledger::payout::notification::payout_topic;
use crate::ledger::record::event::Event;
use crate::ledger::sale::notification;
use crate::ledger::state::operation::Machine;
use crate::machine::conversion::{self};
use crate::machine::{charge, delivery, payout, purchase, wallet};

/// What an event tells of, given how its operation stands after it: at most two things.
pub(in crate::ledger) fn topics(event: &Event, after: &Machine) -> [Option<Topic>; 2] {
    use Topic::{ChargePaid, ChargeSettled};
    let one = |topic| [Some(topic), None];
    match event {
        Event::Charge { event: charge::Event::Credited { credit, .. }, .. } => {
            let settled = credit.available_at.is_none().then_some(ChargeSettled);
            [Some(ChargePaid), settled]
        }
        Event::Charge { event, .. } => charge_topic(event, after).map_or([None, None], one),
        Event::Payout { event, .. } => payout_topic(event).map_or([None, None], one),
        Event::Conversion { event, .. } => conversion_topic(event).map_or([None, None], one),
        Event::CashOut { event, .. } => notification::topics(event, after),
        Event::WalletDeposit { event, .. } => {
            let credited = matches!(
                event,
                wallet::deposit::Event::Credited { .. } | wallet::deposit::Event::Cleared { .. }
            );
            [credited.then_some(Topic::WalletDepositCredited), None]
        }
        Event::WalletPayment { event, .. } => match event {
            wallet::payment::Event::Completed { .. } => one(Topic::WalletPaymentCompleted),
            wallet::payment::Event::Failed { .. } | wallet::payment::Event::FailedAfterSend(_) => {
                one(Topic::WalletPaymentFailed)
            }
            _ => [None, None],
        },
        _ => [None, None],
    }
}

/// What an event asks for, if the operation still waits for it.
pub(in crate::ledger) fn task(event: &Event, after: &Machine) -> Option<Task> {
    if let Some(task) = notification::task(event, after) {
        return Some(task);
    }
    let begins = match event {
        Event::Charge { event: charge::Event::Purchase(event), .. } => matches!(
            event,
            purchase::Event::Paid { .. }
                | purchase::Event::Cleared
                | purchase::Event::Resumed(_)
                | purchase::Event::Delivery(delivery::Event::Failed)
        ),
        Event::Payout { event, .. } => {
            matches!(event, payout::Event::Requested(_) | payout::Event::Cleared)
        }
        Event::Conversion { event, .. } => matches!(
            event,
            conversion::Event::Requested(_)
                | conversion::Event::Delivery { event: delivery::Event::Failed, .. }
        ),
        Event::CryptoWithdrawal { event, .. } => matches!(
            event,
            wallet::withdrawal::Event::Requested(_) | wallet::withdrawal::Event::Resumed
        ),
        Event::WalletPayment { event, .. } => {
            matches!(event, wallet::payment::Event::Requested(_))
        }
        _ => false,
    };
    if !begins {
        return None;
    }
    match after {
        Machine::Payout(payout::State::Requested(order)) => Some(Task::SendPix(order.clone())),
        Machine::CryptoWithdrawal(wallet::withdrawal::State::UnderWay(progress)) => {
            Some(Task::Withdraw(progress.order.clone()))
        }
        Machine::WalletPayment(wallet::payment::State::Known(progress)) => {
            Some(Task::Pay(progress.order.clone()))
        }
        Machine::Charge(charge::State::Bought(bought))
            if bought.end.is_none() && bought.delivery.can_stop() =>
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
        Machine::Conversion(conversion::State::Paid(progress)) if progress.delivery.can_stop() => {
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
