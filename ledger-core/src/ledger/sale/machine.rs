//! A cash-out order, and crypto that no order took, among the ledger's operations.

use super::notification;
use crate::accounting::{RowKind, Side};
use crate::id::AccountId;
use crate::ledger::notification::task::Task;
use crate::ledger::notification::topic::Topic;
use crate::ledger::state::due::Due;
use crate::ledger::state::machine::LedgerMachine;
use crate::ledger::state::outgoing::{Outgoing, Unsent};
use crate::machine::cash_out::{self, Funding, Stage};
use crate::machine::unmatched_deposit;
use crate::time::Instant;

impl LedgerMachine for cash_out::State {
    fn created(event: &cash_out::Event) -> Option<(AccountId, Option<&str>)> {
        let cash_out::Event::Quoted(order) = event else { return None };
        Some((order.account, order.external_id.as_deref()))
    }

    fn row_kind(_: &cash_out::Event, _: Side) -> RowKind {
        RowKind::Reversal
    }

    fn commission_row(_: &cash_out::Event) -> RowKind {
        RowKind::CommissionEarned
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
            counterparty: progress.payee.tax_number,
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

    fn may_notify(_: &cash_out::Event) -> bool {
        true
    }

    /// An order of a wallet payment is the payment's own affair.
    fn topics(&self, event: &cash_out::Event) -> [Option<Topic>; 2] {
        let known = self.progress().filter(|known| known.order.is_sellers());
        known.map_or([None, None], |known| notification::topics(event, known))
    }

    fn may_instruct(_: &cash_out::Event) -> bool {
        true
    }

    fn task(&self, event: &cash_out::Event) -> Option<Task> {
        notification::task(event, self.progress()?)
    }
}

impl LedgerMachine for unmatched_deposit::State {
    /// What no client asked for is no client's.
    fn created(_: &unmatched_deposit::Event) -> Option<(AccountId, Option<&str>)> {
        None
    }

    fn row_kind(_: &unmatched_deposit::Event, _: Side) -> RowKind {
        RowKind::Reversal
    }

    fn commission_row(_: &unmatched_deposit::Event) -> RowKind {
        RowKind::CommissionReversed
    }

    fn outgoing(&self) -> Option<Outgoing> {
        None
    }

    fn may_notify(_: &unmatched_deposit::Event) -> bool {
        true
    }

    fn may_instruct(_: &unmatched_deposit::Event) -> bool {
        true
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
}
