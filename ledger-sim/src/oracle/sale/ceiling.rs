//! What may be paid at all, judged in every decision that lets a PIX go: a recipient's day and
//! order, an agent's mandate; recounted from the operations each time (rulings 14, 44).

use std::collections::BTreeSet;

use ledger_core::id::{OpId, Token};
use ledger_core::ledger::{Outcome, Topic};
use ledger_core::time::Instant;

use super::{APPLIED, ASIDE, Phase, Reason, Sale};
use crate::goal::Goal;
use crate::oracle::{Oracle, next_midnight};

impl Sale {
    /// The day it counts on, by the midnight that ends it, once it was accepted.
    pub(super) fn day(&self) -> Option<Instant> {
        self.accepted.map(next_midnight)
    }

    /// When it counts: at its acceptance, or at its quote before that.
    pub(in crate::oracle) fn counts_at(&self) -> Instant {
        self.accepted.unwrap_or(self.made_at)
    }
}

impl Oracle {
    /// Why an order may not pay so much, if it may not: the mandate first (rulings 6).
    pub(super) fn against(&mut self, op: OpId, net: i64, at: Instant) -> Option<Reason> {
        let (to, proven) = (self.sales[&op].whom.clone(), self.sales[&op].document);
        self.against_payee(op, net, (&to, proven), at)
    }

    /// The same, where it goes to whom an operator corrected it to.
    pub(super) fn against_payee(
        &mut self,
        op: OpId,
        net: i64,
        (to, proven): (&BTreeSet<Token>, Option<Token>),
        at: Instant,
    ) -> Option<Reason> {
        let reason = self.mandate_against(op, net, proven).or_else(|| {
            let sale = &self.sales[&op];
            let most = self.policy.sale_limits().recipient_daily.cents();
            let day = sale.day()?;
            let rooms = to.iter().map(|of| {
                let own = if sale.whom.contains(of) { sale.promised } else { 0 };
                let promised = self.promised.get(&(*of, day)).copied().unwrap_or(0);
                // What was reserved at acceptance needs no further room (rulings 75).
                (most - (promised - own)).max(own.min(sale.split.net))
            });
            let room = rooms.min().unwrap_or(most);
            match net {
                _ if most.max(sale.promised.min(sale.split.net)) < net => {
                    Some(Reason::RecipientOrder)
                }
                _ if room < net => Some(Reason::RecipientDay),
                _ => None,
            }
        });
        self.trace.goals.extend(reason.map(|reason| match reason {
            Reason::RecipientOrder => Goal::RecipientOrderPassed,
            Reason::RecipientDay => Goal::RecipientDayPassed,
            Reason::MandateOperation => Goal::MandatePassedByDeposit,
            Reason::MandateDay => Goal::MandateDayPassedByDeposit,
            _ => Goal::MandateNamesOthersNow,
        }));
        if reason == Some(Reason::RecipientDay)
            && self.sales[&op].day().is_some_and(|day| day <= at)
        {
            self.reach(Goal::PassedAfterMidnight);
        }
        reason
    }

    /// The same for what was priced already.
    pub(super) fn sold_against(&mut self, op: OpId, at: Instant) -> Option<Reason> {
        let net = self.sales[&op].sold.expect("what is paid was priced").1.net;
        self.against(op, net, at)
    }

    /// Returns what an agent's mandate has against it; a wallet's order counts as its payment.
    fn mandate_against(&self, op: OpId, net: i64, to: Option<Token>) -> Option<Reason> {
        let sale = &self.sales[&op];
        let (counted, made) = match sale.payment {
            Some(payment) => (payment, self.payments[&payment].made_at),
            None => (op, sale.counts_at()),
        };
        let mandate = self.agents[self.agent_of(sale.account)?].mandate.as_ref()?;
        if mandate.per_operation.is_some_and(|most| most.cents() < net) {
            return Some(Reason::MandateOperation);
        }
        let day = next_midnight(made);
        if let Some(daily) = mandate.daily {
            let used = self.sent_on(sale.account, day, Some(counted)).0;
            if (daily.cents() - used).max(0) < net {
                return Some(Reason::MandateDay);
            }
        }
        let named = to.is_some_and(|to| mandate.counterparties.contains(&to));
        let others = !mandate.counterparties.is_empty() && !named;
        others.then_some(Reason::MandateRecipient)
    }

    /// An operator lets go what a ceiling stood against after it was sold or tried.
    pub(super) fn let_go(&mut self, op: OpId, at: Instant) -> Outcome {
        let attempts = self.sales[&op].attempts;
        let began = attempts.count > 0;
        if self.sold_against(op, at).is_some() {
            self.reach(Goal::CeilingStands);
            return ASIDE;
        }
        if began && attempts.again_at.is_none() {
            return ASIDE;
        }
        if began {
            let sale = self.sale(op);
            (sale.attempts.count, sale.attempts.again_at) = (attempts.count + 1, None);
            sale.phase = Phase::Paying;
            self.notify(op, Topic::CashOutProcessing);
        } else {
            self.begin_payment(op);
        }
        self.ask_to_pay(op);
        self.reach(Goal::CeilingLetGo);
        self.note(op);
        APPLIED
    }
}
