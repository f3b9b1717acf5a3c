//! Sales of crypto for PIX (cash-out).

pub(super) mod ceiling;
mod contradiction;
pub(super) mod deposit;
pub(super) mod early_payment;
pub(super) mod early_refund;
pub(super) mod fact;
mod lookup;
pub(super) mod notification;
pub(super) mod recipient;
mod refund;
pub(super) mod report;
pub(super) mod request;
mod row;
mod transition;

use crate::accounting::{Account, CoinAccount, RowKind, Side};
use crate::coin::Units;
use crate::id::{AccountId, AssetId, ChainId, OpId, Token};
use crate::ledger::ledger_machine::operation_row::OperationRow;
use crate::ledger::ledger_machine::{LedgerMachine, REVERSED, RowKinds};
use crate::ledger::notification::step::Step;
use crate::ledger::notification::{InstructionKey, Task, TaskKind, Topic};
use crate::ledger::record::{ExternalId, Scope};
use crate::ledger::state::due::Due;
use crate::ledger::state::outgoing::{Crypto, Outgoing, Unsent};
use crate::ledger::waiting::{Awaited, Waiting, WaitingReason, WaitingSum};
use crate::machine::cash_out::{
    self, DepositAccount, Funding, Liquidation, Progress, Stage, Waits,
};
use crate::machine::refund::{Coins, Refund};
use crate::machine::unmatched_deposit;
use crate::money::Amount;
use crate::terms::Catalogue;
use crate::time::Instant;

impl LedgerMachine for cash_out::State {
    const NOTIFIES: bool = true;
    const INSTRUCTS: bool = true;

    fn creation(event: &cash_out::Event) -> Option<(AccountId, Option<&str>)> {
        let cash_out::Event::Quoted(order) = event else { return None };
        Some((order.account, order.external_id.as_deref()))
    }

    fn outside(event: &cash_out::Event) -> Option<ExternalId> {
        match event {
            cash_out::Event::DepositSeen { deposit, sighting, .. } => {
                Some(ExternalId::deposit(&deposit.hash, *sighting))
            }
            cash_out::Event::Completed { pix, .. } => {
                Some(ExternalId::new(Scope::SentPix, &pix.e2e))
            }
            _ => None,
        }
    }

    fn hands_out(event: &cash_out::Event) -> Option<(TaskKind, u32)> {
        matches!(event, cash_out::Event::SellingBegun(_)).then_some((TaskKind::Sell, 1))
    }

    fn chain(event: &cash_out::Event) -> Option<ChainId> {
        match event {
            cash_out::Event::DepositSeen { deposit, .. } => Some(deposit.coins.chain),
            cash_out::Event::DepositConfirmed { coins, .. }
            | cash_out::Event::DepositVanished { coins, .. } => Some(coins.chain),
            _ => None,
        }
    }

    fn transaction(event: &cash_out::Event) -> Option<&str> {
        match event {
            cash_out::Event::DepositSeen { deposit, .. } => Some(&deposit.hash),
            cash_out::Event::DepositConfirmed { hash, .. }
            | cash_out::Event::DepositVanished { hash, .. }
            | cash_out::Event::RefundSent { hash, .. } => Some(hash),
            _ => None,
        }
    }

    fn paid_pix(event: &cash_out::Event) -> Option<(&str, Instant)> {
        let cash_out::Event::Completed { pix, .. } = event else { return None };
        Some((&pix.e2e, pix.paid_at))
    }

    fn valueless(event: &cash_out::Event) -> Option<Token> {
        let cash_out::Event::Quoted(order) = event else { return None };
        order.payee.valueless()
    }

    fn address(event: &cash_out::Event) -> Option<&str> {
        match event {
            cash_out::Event::RefundDecided { to, .. } => to.as_deref(),
            cash_out::Event::RefundAddressed(to) => Some(to),
            _ => None,
        }
    }

    /// A payment from the wallet settles its own volume.
    fn settlement(event: &cash_out::Event) -> Option<(AccountId, Amount)> {
        let cash_out::Event::Completed { account, sale, booked_in: DepositAccount::Order, .. } =
            event
        else {
            return None;
        };
        Some((*account, sale.deal.net))
    }

    fn fails(event: &cash_out::Event) -> bool {
        matches!(event, cash_out::Event::Failed | cash_out::Event::PaymentUnwound(_))
    }

    fn told_of(self, unmatched: (OpId, Coins)) -> Self {
        self.with_unmatched(unmatched)
    }

    fn row_kinds(_: &cash_out::Event, _: Side) -> RowKinds {
        [RowKind::Reversal, RowKind::CommissionEarned]
    }

    fn crypto(&self) -> Crypto<'_> {
        let Some(known) = self.progress() else { return Crypto::default() };
        let held = known.deposits.iter().map(|held| &held.deposit);
        let deposits = held.chain(&known.split_off).chain(&known.vanished);
        let deposits = deposits.map(|deposit| (deposit.coins.chain, &*deposit.hash));
        let refund = known.refund.as_ref();
        let sent = refund.and_then(|it| Some((it.coins.chain, it.sent_hash()?)));
        Crypto {
            chain: Some(refund.map_or(known.order.coins.chain, |refund| refund.coins.chain)),
            transactions: deposits.chain(sent).collect(),
        }
    }

    fn row(&self, _: &Catalogue) -> OperationRow<'_> {
        row::cash_out(self)
    }

    fn waits(&self, _: Instant) -> Option<Waiting> {
        let progress = self.progress()?;
        let (reason, review) = match (progress.stage, progress.refund_waits_for()) {
            (Stage::Review(review), _) => (WaitingReason::SaleReview, Some(review)),
            (Stage::Refunding, Some(Waits::Address)) => (WaitingReason::RefundAddress, None),
            (Stage::Refunding, Some(Waits::Operator)) => (WaitingReason::RefundApproval, None),
            (Stage::Refunding, Some(Waits::Evidence)) => (WaitingReason::UnknownRefund, None),
            (Stage::Paying, _) if progress.attempts.lost.is_on() => {
                (WaitingReason::UnknownSale, None)
            }
            _ => return None,
        };
        let coins = progress.order.coins;
        let sum = coins.units.text(progress.order.scale);
        let text = format!("{sum} {}", progress.order.asset_name);
        let (asset, units) = (Some(coins.asset), coins.units.get());
        let sum = WaitingSum::Crypto { asset, units, text };
        Some(Waiting { reason, review, sum, overdue: None })
    }

    fn awaited_amount(&self) -> Option<Awaited> {
        let progress = self.progress()?;
        let moves = match progress.stage {
            Stage::Detected | Stage::Secured | Stage::Paying => true,
            Stage::Refunding => progress.refund_waits_for() == Some(Waits::Network),
            _ => false,
        };
        let coins = progress.order.coins;
        let sum = WaitingSum::crypto(Some(coins.asset), coins.units);
        moves.then(|| Awaited::new(sum).ended_by("cashout.stopped"))
    }

    fn under_way(&self, op: OpId) -> Option<(Account, i64)> {
        Some((Account::SaleInFlight(op), self.progress()?.in_flight().cents()))
    }

    fn coins_under_way(&self, op: OpId) -> Vec<(CoinAccount, AssetId, Units)> {
        let Some(known) = self.progress() else { return Vec::new() };
        coins_held(op, [known.in_deposit(), known.in_suspense(), known.to_refund()])
    }

    /// A sale sends from its quote on, so that two quotes cannot promise one ceiling twice; a
    /// payment from the wallet counts itself.
    fn outgoing(&self) -> Option<Outgoing> {
        let progress = self.progress()?;
        let order = &progress.order;
        let ended = matches!(progress.stage, Stage::Expired | Stage::Failed | Stage::Refunding);
        if ended || order.funding != Funding::Seller {
            return None;
        }
        Some(Outgoing {
            account: order.account,
            amount: progress.sale.map_or(order.deal.net, |sale| sale.deal.net),
            counterparty: progress.payee.counterparty(),
            at: progress.counts_at(),
        })
    }

    fn unsent(&self) -> Option<Unsent> {
        let known = self.progress().filter(|_| !self.has_ended())?;
        let (account, at) = (known.order.account, known.counts_at());
        let until = known.may_revive_until();
        known.order.is_sellers().then_some(Unsent { account, at, until })
    }

    fn deadline(&self) -> Option<(Instant, Due)> {
        // The order of a wallet's payment moves with it, and ends with it (rulings 35).
        let known = self.progress().filter(|known| known.order.funding == Funding::Seller)?;
        match known.stage {
            Stage::Quoted | Stage::Awaiting => Some((known.order.expires_at, Due::Expiry)),
            Stage::Paying => known.attempts.retry_at.map(|at| (at, Due::Retry)),
            _ => None,
        }
    }

    /// An order of a wallet payment is the payment's own affair.
    fn topics(&self, event: &cash_out::Event) -> [Option<Topic>; 2] {
        let known = self.progress().filter(|known| known.order.is_sellers());
        known.map_or([None, None], |known| notification::topics(event, known))
    }

    fn task(&self, event: &cash_out::Event) -> Option<Task> {
        notification::task(event, self.progress()?)
    }

    fn step(&self, key: InstructionKey) -> Step {
        let Some(known) = self.progress() else { return Step::Over };
        match key.kind {
            TaskKind::PaySale if is_paying(known, key.attempt) => paying(known),
            TaskKind::Sell => selling(known),
            TaskKind::Refund => refunding(known.refund.as_ref(), key),
            _ => Step::Over,
        }
    }
}

/// This attempt of the PIX is asked for, or its outcome is not known yet.
fn is_paying(known: &Progress, attempt: u32) -> bool {
    let tried = known.attempts;
    known.stage == Stage::Paying && tried.count == attempt && tried.retry_at.is_none()
}

/// An attempt whose outcome is unknown may have failed before: who was not handed it does not begin
/// it.
const fn paying(known: &Progress) -> Step {
    if known.attempts.lost.is_on() { Step::Again } else { Step::Noted }
}

/// The coins of a paid order may be sold after its end, too: they are ours then. Coins that go back
/// to the seller are not sold.
fn selling(known: &Progress) -> Step {
    let kept = match known.stage {
        Stage::Secured | Stage::Paying | Stage::Completed => known.sale.is_some(),
        Stage::Quoted
        | Stage::Awaiting
        | Stage::Detected
        | Stage::Refunding
        | Stage::Expired
        | Stage::Failed
        | Stage::Review(_) => false,
    };
    match known.liquidation {
        Liquidation::None if kept && known.refund.is_none() => Step::Told,
        Liquidation::Selling(_) | Liquidation::Lost(_) => Step::Taken,
        Liquidation::None
        | Liquidation::Sold(_)
        | Liquidation::Forwarding(_)
        | Liquidation::Done => Step::Over,
    }
}

/// A refund whose outcome is unknown is a person's, and is not sent again.
fn refunding(due: Option<&Refund>, key: InstructionKey) -> Step {
    let asked = |refund: &Refund| refund.is_under_way() && refund.attempt == key.attempt;
    if due.is_some_and(asked) { Step::Noted } else { Step::Over }
}

impl LedgerMachine for unmatched_deposit::State {
    const NOTIFIES: bool = true;
    const INSTRUCTS: bool = true;

    /// Returns none: no client asked for it.
    fn creation(_: &unmatched_deposit::Event) -> Option<(AccountId, Option<&str>)> {
        None
    }

    fn outside(event: &unmatched_deposit::Event) -> Option<ExternalId> {
        let unmatched_deposit::Event::Received(order) = event else { return None };
        Some(ExternalId::deposit(&order.deposit.hash, order.sighting))
    }

    fn chain(event: &unmatched_deposit::Event) -> Option<ChainId> {
        match event {
            unmatched_deposit::Event::Received(order) => Some(order.deposit.coins.chain),
            unmatched_deposit::Event::Confirmed(coins)
            | unmatched_deposit::Event::Vanished(coins) => Some(coins.chain),
            _ => None,
        }
    }

    fn transaction(event: &unmatched_deposit::Event) -> Option<&str> {
        match event {
            unmatched_deposit::Event::Received(order) => Some(&order.deposit.hash),
            unmatched_deposit::Event::RefundSent { hash, .. } => Some(hash),
            _ => None,
        }
    }

    fn address(event: &unmatched_deposit::Event) -> Option<&str> {
        match event {
            unmatched_deposit::Event::RefundDecided { to, .. } => to.as_deref(),
            unmatched_deposit::Event::RefundAllowed { to } => Some(to),
            _ => None,
        }
    }

    fn unmatched_about(event: &unmatched_deposit::Event) -> Option<(OpId, Coins)> {
        match event {
            unmatched_deposit::Event::Received(order)
            | unmatched_deposit::Event::SplitOff(order)
            | unmatched_deposit::Event::Parted { order, .. } => {
                Some((order.about?, order.deposit.coins))
            }
            _ => None,
        }
    }

    fn row_kinds(_: &unmatched_deposit::Event, _: Side) -> RowKinds {
        REVERSED
    }

    fn crypto(&self) -> Crypto<'_> {
        let deposit = self.order().map(|order| &order.deposit);
        let deposit = deposit.map(|deposit| (deposit.coins.chain, &*deposit.hash));
        let sent = self.refund().and_then(|it| Some((it.coins.chain, it.sent_hash()?)));
        Crypto {
            chain: deposit.map(|(chain, _)| chain),
            transactions: deposit.into_iter().chain(sent).collect(),
        }
    }

    fn row(&self, catalogue: &Catalogue) -> OperationRow<'_> {
        row::unmatched_deposit(self, catalogue)
    }

    fn waits(&self, _: Instant) -> Option<Waiting> {
        let coins = self.order()?.deposit.coins;
        let waits = self.refund().is_none_or(|refund| !refund.is_under_way());
        waits.then(|| Waiting::crypto(WaitingReason::Unclaimed, Some(coins.asset), coins.units))
    }

    fn awaited_amount(&self) -> Option<Awaited> {
        let refund = self.refund().filter(|refund| refund.is_under_way())?;
        Some(Awaited::new(WaitingSum::crypto(Some(refund.coins.asset), refund.coins.units)))
    }

    fn coins_under_way(&self, op: OpId) -> Vec<(CoinAccount, AssetId, Units)> {
        coins_held(op, [None, self.in_suspense(), self.to_refund()])
    }

    fn outgoing(&self) -> Option<Outgoing> {
        None
    }

    fn task(&self, event: &unmatched_deposit::Event) -> Option<Task> {
        let asks = matches!(
            event,
            unmatched_deposit::Event::SplitOff(_)
                | unmatched_deposit::Event::RefundDecided { .. }
                | unmatched_deposit::Event::RefundAllowed { .. }
                | unmatched_deposit::Event::RefundFailed
        );
        self.refund().filter(|_| asks).and_then(notification::refund)
    }

    fn step(&self, key: InstructionKey) -> Step {
        match key.kind {
            TaskKind::Refund => refunding(self.refund(), key),
            _ => Step::Over,
        }
    }
}

/// Returns what was received and neither sold nor sent back, with the account it stands in: its
/// deposit, in suspense, or to be refunded.
fn coins_held(op: OpId, held: [Option<Coins>; 3]) -> Vec<(CoinAccount, AssetId, Units)> {
    let places = [CoinAccount::Deposited(op), CoinAccount::Suspense, CoinAccount::RefundDue(op)];
    let held = places.into_iter().zip(held).filter_map(|(account, coins)| Some((account, coins?)));
    held.map(|(account, coins)| (account, coins.asset, coins.units)).collect()
}
