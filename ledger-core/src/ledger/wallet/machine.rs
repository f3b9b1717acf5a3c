//! The operations of USDT wallets among the ledger's.

use crate::accounting::{RowKind, Side};
use crate::id::AccountId;
use crate::ledger::notification::key::InstructionKey;
use crate::ledger::notification::step::Step;
use crate::ledger::notification::task::{Task, TaskKind};
use crate::ledger::notification::topic::Topic;
use crate::ledger::state::due::Due;
use crate::ledger::state::machine::LedgerMachine;
use crate::ledger::state::outgoing::{Outgoing, Unsent};
use crate::machine::wallet::{deposit, payment, quote, withdrawal};
use crate::time::Instant;

impl LedgerMachine for deposit::State {
    fn created(event: &deposit::Event) -> Option<(AccountId, Option<&str>)> {
        let deposit::Event::Requested(order) = event else { return None };
        Some((order.account, None))
    }

    fn row_kind(_: &deposit::Event, _: Side) -> RowKind {
        RowKind::Reversal
    }

    fn commission_row(_: &deposit::Event) -> RowKind {
        RowKind::CommissionReversed
    }

    fn outgoing(&self) -> Option<Outgoing> {
        None
    }

    fn deadline(&self) -> Option<(Instant, Due)> {
        match self {
            Self::Waiting(order) => Some((order.expires_at, Due::Expiry)),
            _ => None,
        }
    }

    fn may_notify(_: &deposit::Event) -> bool {
        true
    }

    fn topics(&self, event: &deposit::Event) -> [Option<Topic>; 2] {
        let credited =
            matches!(event, deposit::Event::Credited { .. } | deposit::Event::Cleared { .. });
        [credited.then_some(Topic::WalletDepositCredited), None]
    }
}

impl LedgerMachine for withdrawal::State {
    fn created(event: &withdrawal::Event) -> Option<(AccountId, Option<&str>)> {
        let withdrawal::Event::Requested(order) = event else { return None };
        Some((order.terms.account, Some(&order.external_id)))
    }

    fn row_kind(_: &withdrawal::Event, _: Side) -> RowKind {
        RowKind::Reversal
    }

    fn commission_row(_: &withdrawal::Event) -> RowKind {
        RowKind::CommissionReversed
    }

    /// It sends crypto, and no reais.
    fn outgoing(&self) -> Option<Outgoing> {
        None
    }

    fn may_notify(_: &withdrawal::Event) -> bool {
        true
    }

    fn may_instruct(_: &withdrawal::Event) -> bool {
        true
    }

    fn task(&self, event: &withdrawal::Event) -> Option<Task> {
        match (event, self) {
            (
                withdrawal::Event::Requested(_) | withdrawal::Event::Resumed,
                Self::UnderWay(progress),
            ) => Some(Task::Withdraw(progress.order.clone())),
            _ => None,
        }
    }

    fn step(&self, key: InstructionKey) -> Step {
        match self {
            Self::UnderWay(progress) if key.kind == TaskKind::Withdraw => {
                if progress.stage != withdrawal::Stage::Reserved {
                    return Step::Taken;
                }
                Step::Told
            }
            _ => Step::Over,
        }
    }
}

impl LedgerMachine for payment::State {
    fn created(event: &payment::Event) -> Option<(AccountId, Option<&str>)> {
        let payment::Event::Requested(order) = event else { return None };
        Some((order.account, order.external_id.as_deref()))
    }

    fn row_kind(_: &payment::Event, _: Side) -> RowKind {
        RowKind::Reversal
    }

    fn commission_row(_: &payment::Event) -> RowKind {
        RowKind::CommissionEarned
    }

    /// A payment sends from its request on, unless it failed or its reserve went back.
    fn outgoing(&self) -> Option<Outgoing> {
        let progress = self.progress()?;
        let returned = matches!(progress.resolution, Some(payment::Resolution::Returned(_)));
        let order = &progress.order;
        (progress.stage != payment::Stage::Failed && !returned).then_some(Outgoing {
            account: order.account,
            amount: order.net,
            counterparty: order.payee.counterparty(),
            at: order.created_at,
        })
    }

    fn unsent(&self) -> Option<Unsent> {
        let known = self.progress().filter(|known| known.stage < payment::Stage::Completed)?;
        let (account, at) = (known.order.account, known.order.created_at);
        Some(Unsent { account, at, until: None })
    }

    fn may_notify(_: &payment::Event) -> bool {
        true
    }

    fn topics(&self, event: &payment::Event) -> [Option<Topic>; 2] {
        let topic = match event {
            payment::Event::Completed { .. } => Some(Topic::WalletPaymentCompleted),
            payment::Event::Failed { .. } | payment::Event::FailedAfterSend(_) => {
                Some(Topic::WalletPaymentFailed)
            }
            _ => None,
        };
        [topic, None]
    }

    fn may_instruct(_: &payment::Event) -> bool {
        true
    }

    fn task(&self, event: &payment::Event) -> Option<Task> {
        match (event, self) {
            (payment::Event::Requested(_), Self::Known(progress)) => {
                Some(Task::Pay(progress.order.clone()))
            }
            _ => None,
        }
    }

    fn step(&self, key: InstructionKey) -> Step {
        let under_way = self.progress().is_some_and(|known| known.stage <= payment::Stage::Sent);
        if under_way && key.kind == TaskKind::Pay { Step::Noted } else { Step::Over }
    }
}

impl LedgerMachine for quote::State {
    fn created(event: &quote::Event) -> Option<(AccountId, Option<&str>)> {
        let quote::Event::Issued(order) = event else { return None };
        Some((order.account, None))
    }

    fn row_kind(_: &quote::Event, _: Side) -> RowKind {
        RowKind::Reversal
    }

    fn commission_row(_: &quote::Event) -> RowKind {
        RowKind::CommissionReversed
    }

    /// A quote promises, and sends nothing.
    fn outgoing(&self) -> Option<Outgoing> {
        None
    }

    fn deadline(&self) -> Option<(Instant, Due)> {
        match self {
            Self::Open(order) => Some((order.expires_at, Due::Expiry)),
            _ => None,
        }
    }
}
