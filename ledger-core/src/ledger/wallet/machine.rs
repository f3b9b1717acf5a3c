//! The operations of USDT wallets among the ledger's.

use super::row;
use crate::accounting::{CoinAccount, RowKind, Side};
use crate::coin::Units;
use crate::id::{AccountId, AssetId, ChainId, OpId, Token};
use crate::ledger::ledger_machine::operation_row::OperationRow;
use crate::ledger::ledger_machine::{LedgerMachine, REVERSED, RowKinds};
use crate::ledger::notification::step::Step;
use crate::ledger::notification::{InstructionKey, Task, TaskKind, Topic};
use crate::ledger::record::ExternalId;
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::ledger::state::apply::{Applied, Moved};
use crate::ledger::state::due::Due;
use crate::ledger::state::outgoing::{Crypto, Outgoing, Unsent};
use crate::ledger::waiting::{Awaited, Waiting, WaitingReason, WaitingSum};
use crate::machine::Verdict;
use crate::machine::wallet::{deposit, payment, quote, withdrawal};
use crate::money::Amount;
use crate::terms::Catalogue;
use crate::time::Instant;

impl LedgerMachine for deposit::State {
    const NOTIFIES: bool = true;

    fn creation(event: &deposit::Event) -> Option<(AccountId, Option<&str>)> {
        let deposit::Event::Requested(order) = event else { return None };
        Some((order.account, None))
    }

    fn outside(event: &deposit::Event) -> Option<ExternalId> {
        match event {
            deposit::Event::Seen { transfer, .. }
            | deposit::Event::Mismatched(transfer)
            | deposit::Event::Found { transfer, .. } => Some(transfer.outside()),
            _ => None,
        }
    }

    fn chain(event: &deposit::Event) -> Option<ChainId> {
        match event {
            deposit::Event::Seen { transfer, .. }
            | deposit::Event::Mismatched(transfer)
            | deposit::Event::Found { transfer, .. } => Some(transfer.chain),
            _ => None,
        }
    }

    fn transaction(event: &deposit::Event) -> Option<&str> {
        match event {
            deposit::Event::Seen { transfer, .. }
            | deposit::Event::Mismatched(transfer)
            | deposit::Event::Found { transfer, .. }
            | deposit::Event::MinedAgain(transfer)
            | deposit::Event::Credited { transfer, .. }
            | deposit::Event::Settled(transfer) => Some(&transfer.mark.hash),
            _ => None,
        }
    }

    fn takes_back_deposit(event: &deposit::Event) -> bool {
        matches!(event, deposit::Event::Reversed { .. })
    }

    fn row_kinds(_: &deposit::Event, _: Side) -> RowKinds {
        REVERSED
    }

    fn crypto(&self) -> Crypto<'_> {
        let arrived = self.arrival().map(|arrival| &arrival.transfer);
        let chain = arrived.map(|it| it.chain);
        Crypto {
            chain: chain.or_else(|| Some(self.order()?.chain)),
            transactions: arrived.map(|it| (it.chain, &*it.mark.hash)).into_iter().collect(),
        }
    }

    fn row(&self, catalogue: &Catalogue) -> OperationRow<'_> {
        row::deposit(self, catalogue)
    }

    fn waits(&self, _: Instant) -> Option<Waiting> {
        let Self::UnderReview(progress) = self else { return None };
        Some(Waiting::crypto(WaitingReason::DepositReview, None, progress.transfer.units))
    }

    fn awaited_amount(&self) -> Option<Awaited> {
        let Self::Confirming(arrival) = self else { return None };
        let transfer = &arrival.transfer;
        Some(Awaited::new(WaitingSum::crypto(Some(transfer.asset), transfer.units)))
    }

    fn coins_under_way(&self, _: OpId) -> Vec<(CoinAccount, AssetId, Units)> {
        let Self::UnderReview(progress) = self else { return Vec::new() };
        vec![(CoinAccount::Suspense, progress.transfer.asset, progress.transfer.units)]
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

    fn topics(&self, event: &deposit::Event) -> [Option<Topic>; 2] {
        let credited =
            matches!(event, deposit::Event::Credited { .. } | deposit::Event::Cleared { .. });
        [credited.then_some(Topic::WalletDepositCredited), None]
    }
}

impl LedgerMachine for withdrawal::State {
    const NOTIFIES: bool = true;
    const INSTRUCTS: bool = true;

    fn creation(event: &withdrawal::Event) -> Option<(AccountId, Option<&str>)> {
        let withdrawal::Event::Requested(order) = event else { return None };
        Some((order.terms.account, Some(&order.external_id)))
    }

    fn hands_out(event: &withdrawal::Event) -> Option<(TaskKind, u32)> {
        matches!(event, withdrawal::Event::Begun).then_some((TaskKind::Withdraw, 1))
    }

    fn transaction(event: &withdrawal::Event) -> Option<&str> {
        let withdrawal::Event::Completed { sent, .. } = event else { return None };
        Some(&sent.hash)
    }

    fn address(event: &withdrawal::Event) -> Option<&str> {
        let withdrawal::Event::Requested(order) = event else { return None };
        Some(&order.terms.address)
    }

    fn fails(event: &withdrawal::Event) -> bool {
        matches!(event, withdrawal::Event::Failed { .. })
    }

    fn row_kinds(_: &withdrawal::Event, _: Side) -> RowKinds {
        REVERSED
    }

    fn crypto(&self) -> Crypto<'_> {
        let Some(known) = self.progress() else { return Crypto::default() };
        let sent = known.sent.as_ref().map(|sent| &*sent.hash);
        Crypto::on_chain(known.order.terms.chain, sent)
    }

    fn row(&self, _: &Catalogue) -> OperationRow<'_> {
        row::withdrawal(self)
    }

    fn waits(&self, _: Instant) -> Option<Waiting> {
        let Self::UnderReview(progress) = self else { return None };
        let amount = progress.order.terms.amount;
        Some(Waiting::crypto(WaitingReason::WithdrawalReview, None, amount))
    }

    fn awaited_amount(&self) -> Option<Awaited> {
        let Self::UnderWay(progress) = self else { return None };
        Some(Awaited::new(WaitingSum::crypto(None, progress.order.terms.amount)))
    }

    fn coins_under_way(&self, op: OpId) -> Vec<(CoinAccount, AssetId, Units)> {
        let (Self::UnderWay(progress) | Self::UnderReview(progress)) = self else {
            return Vec::new();
        };
        let asset = progress.order.terms.asset;
        let flight = progress.flight.map(|it| (CoinAccount::WithdrawalInFlight(op), asset, it));
        flight.into_iter().collect()
    }

    /// It sends crypto, and no reais.
    fn outgoing(&self) -> Option<Outgoing> {
        None
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
    const NOTIFIES: bool = true;
    const INSTRUCTS: bool = true;

    fn creation(event: &payment::Event) -> Option<(AccountId, Option<&str>)> {
        let payment::Event::Requested(order) = event else { return None };
        Some((order.account, order.external_id.as_deref()))
    }

    fn paid_pix(event: &payment::Event) -> Option<(&str, Instant)> {
        let payment::Event::Completed { pix, .. } = event else { return None };
        Some((&pix.e2e, pix.paid_at))
    }

    fn valueless(event: &payment::Event) -> Option<Token> {
        let payment::Event::Requested(order) = event else { return None };
        order.payee.valueless()
    }

    fn transaction(event: &payment::Event) -> Option<&str> {
        let payment::Event::Sent { hash, .. } = event else { return None };
        Some(hash)
    }

    fn settlement(event: &payment::Event) -> Option<(AccountId, Amount)> {
        match event {
            payment::Event::Completed { reserve, cost, .. }
            | payment::Event::Resolved {
                reserve,
                cost,
                resolution: payment::Resolution::Paid(_),
            } => Some((reserve.account, cost.deal.net)),
            _ => None,
        }
    }

    fn fails(event: &payment::Event) -> bool {
        matches!(event, payment::Event::Failed { .. } | payment::Event::FailedAfterSend(_))
    }

    fn row_kinds(_: &payment::Event, _: Side) -> RowKinds {
        [RowKind::Reversal, RowKind::CommissionEarned]
    }

    fn crypto(&self) -> Crypto<'_> {
        let Some(known) = self.progress() else { return Crypto::default() };
        Crypto::on_chain(known.order.chain, known.sent.as_deref())
    }

    fn row(&self, _: &Catalogue) -> OperationRow<'_> {
        row::payment(self)
    }

    fn waits(&self, _: Instant) -> Option<Waiting> {
        let progress = self.progress()?;
        let what = match progress.stage {
            payment::Stage::UnderReview => WaitingReason::PaymentReview,
            payment::Stage::FailedAfterSend if progress.is_reserved() => WaitingReason::ReserveKept,
            _ => return None,
        };
        Some(Waiting::crypto(what, None, progress.order.reserved))
    }

    fn awaited_amount(&self) -> Option<Awaited> {
        let progress = self.progress()?;
        let moves = progress.stage <= payment::Stage::Sent;
        moves.then(|| Awaited::new(WaitingSum::crypto(None, progress.order.reserved)).of_pix())
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
    fn creation(event: &quote::Event) -> Option<(AccountId, Option<&str>)> {
        let quote::Event::Issued(order) = event else { return None };
        Some((order.account, None))
    }

    fn row_kinds(_: &quote::Event, _: Side) -> RowKinds {
        REVERSED
    }

    fn crypto(&self) -> Crypto<'_> {
        Crypto::default()
    }

    fn row(&self, _: &Catalogue) -> OperationRow<'_> {
        row::quote(self)
    }

    fn waits(&self, _: Instant) -> Option<Waiting> {
        None
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

impl Applied for deposit::State {
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        if let deposit::Event::Requested(order) = moved.event {
            state.awaits_alone(order)?;
            state.domains.wallets.keep(moved.op, order);
        }
        state.domains.wallets.deposit(moved.op, moved.before, moved.after);
        Ok(())
    }

    fn come_due(&self, _: &State, op: OpId, _: (Instant, Due)) -> Option<Vec<Event>> {
        match deposit::decide(self, deposit::Command::Expire) {
            Verdict::Applied(event) => Some(vec![Event::WalletDeposit { op, event }]),
            Verdict::Known | Verdict::SetAside => None,
        }
    }
}

impl Applied for withdrawal::State {
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        if let withdrawal::Event::Requested(order) = moved.event {
            state.domains.wallets.list(order.terms.account, moved.op);
        }
        Ok(())
    }
}

impl Applied for payment::State {
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        if let payment::Event::Requested(order) = moved.event {
            state.domains.wallets.list(order.account, moved.op);
        }
        Ok(())
    }
}

impl Applied for quote::State {
    fn come_due(&self, _: &State, op: OpId, _: (Instant, Due)) -> Option<Vec<Event>> {
        match quote::decide(self) {
            Verdict::Applied(event) => Some(vec![Event::Quote { op, event }]),
            Verdict::Known | Verdict::SetAside => None,
        }
    }
}
