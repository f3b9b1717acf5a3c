//! Refunds of crypto: decided, and reported sent, failed or lost.

use crate::id::OpId;
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, accept, already_known};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::machine::cash_out::Command;
use crate::machine::refund::{Coins, RefundReport};
use crate::machine::{Verdict, erroneous_delivery, unmatched_deposit};
use crate::network::address::{self, may_be_wallet};
use crate::terms::Switch;

impl FactContext<'_> {
    /// A refund is decided, by an operator or not.
    pub(super) fn refund_decided(&self, to: Option<Box<str>>, operator: Switch) -> Decision {
        if to.as_deref().is_some_and(|to| !self.may_return_to(to)) {
            return self.aside(Reason::WalletDiffers);
        }
        let to = to.map(|to| self.as_confirmed(to));
        let unfit = self.reason_to_keep(to.as_deref());
        match (self.unmatched_deposit(), operator) {
            (Some((op, state)), Switch::On) => {
                match unmatched_deposit::decide(state, unmatched_deposit::Command::DecideRefund(to))
                {
                    Verdict::Applied(steps) => accept(
                        steps
                            .into_iter()
                            .map(|event| Event::UnmatchedDeposit { op, event })
                            .collect(),
                    ),
                    Verdict::Known => already_known(),
                    Verdict::SetAside => self.aside(unfit),
                }
            }
            (Some(_), Switch::Off) => self.aside(Reason::OutOfTurn),
            (None, _) => {
                let moved = self.cash_out_moves(Command::DecideRefund { to, operator });
                if moved.reason().is_some() { self.aside(unfit) } else { moved }
            }
        }
    }

    /// The wallet that was confirmed for the coins.
    pub(in crate::ledger) fn confirmed_wallet(&self) -> Option<&str> {
        let unmatched = self.unmatched_deposit().and_then(|(_, state)| {
            let due = state.refund().and_then(|refund| refund.to.as_deref());
            due.or(state.order()?.to.as_deref())
        });
        let order = self.cash_out().and_then(|(_, state)| {
            let progress = state.progress()?;
            let due = progress.refund.as_ref().and_then(|refund| refund.to.as_deref());
            due.or(progress.order.refund_address.as_deref())
        });
        unmatched.or(order)
    }

    /// The wallet that was confirmed for the coins, where `to` is another spelling of it (rulings
    /// 64).
    fn as_confirmed(&self, to: Box<str>) -> Box<str> {
        let known = self.confirmed_wallet();
        let network = self.returns_on().unwrap_or_default();
        match known.filter(|_| address::is_same(network, known, Some(&*to))) {
            Some(known) => known.into(),
            None => to,
        }
    }

    /// Tells whether `to` may be a wallet on the network that the coins came on (rulings 65).
    fn may_return_to(&self, to: &str) -> bool {
        self.returns_on().is_none_or(|chain| may_be_wallet(chain, to))
    }

    /// The network that the coins came on, also once they were sent back, where it is on the
    /// catalogue.
    fn returns_on(&self) -> Option<&str> {
        let unmatched = self.unmatched_deposit().and_then(|(_, state)| state.order());
        let unmatched = unmatched.map(|order| order.deposit.coins.chain);
        let order = self.cash_out().and_then(|(_, state)| state.progress());
        let order = order.map(|progress| {
            let returned = progress.refund.as_ref().map(|refund| refund.coins);
            returned.or(progress.in_suspense()).unwrap_or(progress.order.coins).chain
        });
        unmatched.or(order).and_then(|chain| self.state.catalogue.chain_of(chain))
    }

    /// What became of a refund: of an order, or of an unmatched deposit. One that was sent without
    /// being due, or twice, is a claim on whoever received it.
    pub(super) fn refund_reported(&self, report: RefundReport) -> Decision {
        let sent = match &report {
            RefundReport::Sent(hash) => Some(hash.clone()),
            RefundReport::Failed | RefundReport::Lost => None,
        };
        if let Some((op, state)) = self.unmatched_deposit() {
            return match unmatched_deposit::decide(
                state,
                unmatched_deposit::Command::Refund(report),
            ) {
                Verdict::Applied(steps) => {
                    let steps =
                        steps.into_iter().map(|event| Event::UnmatchedDeposit { op, event });
                    self.claim_ended(accept(steps.collect()))
                }
                Verdict::Known => already_known(),
                Verdict::SetAside => {
                    let due = state.refund().map(|refund| refund.coins);
                    self.sent_in_error(op, due.or(state.in_suspense()), sent)
                }
            };
        }
        match self.cash_out_verdict(Command::Refund(report), None) {
            Some((op, Verdict::Applied(steps))) => self.claim_ended(self.sale_steps(op, steps)),
            Some((_, Verdict::Known)) => already_known(),
            Some((op, Verdict::SetAside)) => {
                let progress = self.cash_out().and_then(|(_, state)| state.progress());
                // Where it holds nothing to send back, what it sold or was to sell was sent.
                let due = progress.map(|known| {
                    let due = known.refund.as_ref().map(|refund| refund.coins);
                    let sold = known.sale.map(|sale| sale.coins);
                    due.or(known.may_go_back()).or(sold).unwrap_or(known.order.coins)
                });
                self.sent_in_error(op, due, sent)
            }
            None => self.aside(Reason::Unmatched),
        }
    }

    /// An attempt of a refund failed; one that another follows already is known by that.
    pub(super) fn refund_failed(&self, attempt: u32) -> Decision {
        let unmatched = self.unmatched_deposit().and_then(|(_, state)| state.refund());
        let order = self.cash_out().and_then(|(_, state)| state.progress()?.refund.as_ref());
        match unmatched.or(order) {
            Some(due) if attempt < due.attempt => already_known(),
            Some(due) if due.attempt < attempt => self.aside(Reason::TooEarly),
            _ => self.refund_reported(RefundReport::Failed),
        }
    }

    fn sent_in_error(&self, about: OpId, due: Option<Coins>, hash: Option<Box<str>>) -> Decision {
        match (due, hash) {
            (Some(Coins { asset, chain, units }), Some(hash)) => self.claim_delivery(
                erroneous_delivery::Order { asset, chain, units, about, hash, again: None },
                Reason::NotDue,
            ),
            (_, _) => self.aside(self.unfit()),
        }
    }
}
