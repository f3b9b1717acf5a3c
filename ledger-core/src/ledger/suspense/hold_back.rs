//! Payments and refunds that are not handed out yet, and are held back for a person: while a claim
//! says that their coins vanished or were sent back, or that the PIX of their order or payout was
//! paid, whatever its amount (rulings 45 and 70).

use super::after::{After, receipt_steps};
use super::waiting::{claimed_by, remains_paid, suspended_by};
use crate::id::{Kind, OpId};
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::notification::{InstructionKey, TaskKind};
use crate::ledger::record::event::Event;
use crate::ledger::registry::Machine;
use crate::ledger::sale::early_refund;
use crate::ledger::sale::early_refund::sent_before;
use crate::ledger::state::State;
use crate::machine::cash_out::{Command, Funding, Progress, Stage};
use crate::machine::refund::{Refund, RefundReport};
use crate::machine::{Verdict, payout, suspense, unmatched_deposit, wallet};
use crate::time::Instant;

/// Adds to a decision the refunds that were sent before it, and what holds back the payments and
/// refunds that it leaves without their money.
pub(in crate::ledger) fn follow(
    state: &State,
    lookup: &Lookup,
    events: &mut Vec<Event>,
    at: Instant,
) {
    early_refund::book(state, lookup, events, at);
    let claims = |event: &Event| claimed_by(event).is_some() || suspended_by(event).is_some();
    if state.set_aside.is_empty() && !events.iter().any(claims) {
        return;
    }
    let held = Held { after: After { state, lookup, at } };
    let mut ops: Vec<OpId> = events.iter().flat_map(|event| held.operations_of(event)).collect();
    ops.sort_unstable();
    ops.dedup();
    for op in ops {
        let more = match op.kind() {
            Kind::UnmatchedDeposit => held.of_receipt(op, events),
            Kind::Payout => held.of_payout(op, events),
            _ => held.of_order(op, events),
        };
        events.extend(more);
    }
}

/// The knowledge that it is judged with.
struct Held<'a> {
    after: After<'a>,
}

impl Held<'_> {
    /// The operations that an event moves or makes a claim about: of a payment from a wallet its
    /// order, and with an order its receipts, which may have what vanished.
    fn operations_of(&self, event: &Event) -> Vec<OpId> {
        let about = match event {
            Event::CashOut { op, .. }
            | Event::UnmatchedDeposit { op, .. }
            | Event::Payout { op, .. } => return vec![*op],
            Event::Suspense { op, .. } => match (suspended_by(event), self.after.before(*op)) {
                (Some((_, order)), _) => order.about,
                // A return may have ended that a payment was held against.
                (None, Some(Machine::Suspense(suspense::State::Waiting(order)))) => order.about,
                _ => None,
            },
            event => claimed_by(event).map(|claim| claim.about),
        };
        let Some(about) = about else { return Vec::new() };
        match self.after.before(about) {
            Some(Machine::CashOut(order)) => {
                let receipts = order.progress().map(|known| &known.unmatched[..]);
                [&[about], receipts.unwrap_or_default()].concat()
            }
            Some(Machine::UnmatchedDeposit(_) | Machine::Payout(_)) => vec![about],
            Some(Machine::WalletPayment(payment)) => {
                let order = payment.progress().and_then(|known| known.cashout);
                order.map(|(order, _)| order).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn of_order(&self, op: OpId, events: &[Event]) -> Vec<Event> {
        let (claimed, paid) = (self.claims_on(op, events), self.is_reported_paid(op, events));
        if claimed.is_empty() && !paid {
            return Vec::new();
        }
        let Some(mut order) = self.after.order(op, events) else { return Vec::new() };
        let Some(known) = order.progress().cloned() else { return Vec::new() };
        let sellers = known.order.is_sellers();
        // A transaction that brought it nothing sent its coins back.
        let gone = |hash: &&str| known.had(hash).is_some() || !known.was_brought_by(hash);
        let lost = sellers && claimed.iter().any(gone);
        let mut steps = Vec::new();
        let mut take = |command| steps.extend(self.after.order_steps((op, &mut order), command));
        match known.stage {
            Stage::Paying if (lost || paid) && self.may_stop_payment(op, &known) => {
                take(Command::LosePayment);
                take(Command::Stop);
            }
            // Nothing is sold for coins that are not there: they are due back, or went back.
            Stage::Secured if lost => take(Command::GiveUpPayment),
            _ => {}
        }
        // Another attempt of a refund is no decision that makes it due.
        if !steps.is_empty() {
            let sent = sent_before(self.after, &[events, &steps].concat(), op);
            if !sent.is_empty() {
                return [steps, sent].concat();
            }
        }
        if let Funding::Wallet(payment) = known.order.funding
            && !steps.is_empty()
        {
            steps.extend(self.doubt_payment(payment, events));
        }
        let due = order.progress().and_then(|known| known.refund.as_ref());
        if (lost || paid) && due.is_some_and(|due| self.may_hold(op, due)) {
            let doubt = Command::Refund(RefundReport::Lost);
            steps.extend(self.after.order_steps((op, &mut order), doubt));
        }
        steps
    }

    fn of_receipt(&self, op: OpId, events: &[Event]) -> Vec<Event> {
        let Some(receipt) = self.after.receipt(op, events) else { return Vec::new() };
        let about = receipt.order().and_then(|order| order.about);
        let mut claims = std::iter::once(op).chain(about);
        let lost = claims.any(|of| self.claims_on(of, events).iter().any(|it| receipt.is_of(it)));
        if !lost || !receipt.refund().is_some_and(|due| self.may_hold(op, due)) {
            return Vec::new();
        }
        receipt_steps((op, &receipt), unmatched_deposit::Command::Refund(RefundReport::Lost))
    }

    /// Only evidence ends what is not known of a payout.
    fn of_payout(&self, op: OpId, events: &[Event]) -> Vec<Event> {
        if !self.is_reported_paid(op, events) {
            return Vec::new();
        }
        let Some(payout) = self.after.payout(op, events) else { return Vec::new() };
        match (&payout, payout::decide(&payout, payout::Command::Lose)) {
            (payout::State::Requested(_), Verdict::Applied(event)) => {
                vec![Event::Payout { op, event }]
            }
            (_, _) => Vec::new(),
        }
    }

    /// A person looks at a payment from a wallet whose PIX nobody is handed.
    fn doubt_payment(&self, op: OpId, events: &[Event]) -> Vec<Event> {
        let Some(payment) = self.after.payment(op, events) else { return Vec::new() };
        match wallet::payment::decide(&payment, wallet::payment::Command::Lose) {
            Verdict::Applied(steps) => {
                steps.into_iter().map(|event| Event::WalletPayment { op, event }).collect()
            }
            Verdict::Known | Verdict::SetAside => Vec::new(),
        }
    }

    /// The transactions that open claims about an operation say vanished, or were sent for it.
    fn claims_on<'e>(&'e self, op: OpId, events: &'e [Event]) -> Vec<&'e str> {
        let open =
            self.after.state.claims_about(op).filter(|(claim, _)| !has_ended(events, *claim));
        let new = events.iter().filter_map(claimed_by).filter(|order| order.about == op);
        open.map(|(_, order)| order).chain(new).map(|order| &*order.hash).collect()
    }

    /// Tells whether more of its PIX was reported paid, and waits as claims, than came back.
    fn is_reported_paid(&self, op: OpId, events: &[Event]) -> bool {
        let payment = match self.after.before(op) {
            Some(Machine::CashOut(order)) => order.progress().map(|known| known.order.funding),
            _ => None,
        };
        let payment = match payment {
            Some(Funding::Wallet(payment)) => Some(payment),
            _ => None,
        };
        let names = [Some(op), payment];
        let open = names.into_iter().flatten();
        let open = open.flat_map(|about| self.after.state.suspended_about(about, |_| true));
        let open = open.filter(|(waiting, _)| !has_ended(events, *waiting));
        let new = events.iter().filter_map(suspended_by);
        let new = new.filter(|(_, order)| order.about.is_some() && names.contains(&order.about));
        remains_paid(open.chain(new))
    }

    /// Tells whether the PIX that is asked for was handed to nobody, or another try is not due yet.
    fn may_stop_payment(&self, op: OpId, known: &Progress) -> bool {
        let tried = known.attempts;
        let waits = tried.retry_at.is_some();
        let key = InstructionKey { op, kind: TaskKind::PaySale, attempt: tried.count };
        !tried.lost.is_on() && (waits || !self.after.state.handed_out.contains(&key))
    }

    /// Tells whether a refund is to be sent and was handed to nobody.
    fn may_hold(&self, op: OpId, due: &Refund) -> bool {
        let key = InstructionKey { op, kind: TaskKind::Refund, attempt: due.attempt };
        due.is_under_way() && !self.after.state.handed_out.contains(&key)
    }
}

/// Tells whether these events end what waits as `op`.
fn has_ended(events: &[Event], op: OpId) -> bool {
    events.iter().any(|event| event.op() == Some(op))
}
