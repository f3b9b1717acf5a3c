//! What the world reports of payments from wallets, each with the order that pays it.

use super::with_order::{Pair, free};
use crate::coin::Units;
use crate::id::{Kind, OpId};
use crate::ledger::decision::fact_context::{FactContext, accept, already_known};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::sale::report::SaleReport;
use crate::ledger::wallet::report::{PaymentFinding, Step};
use crate::machine::suspense::{Direction, Float};
use crate::machine::wallet::payment::{self, Adjudication, Command, FailureReason, Finding, Stage};
use crate::machine::{Verdict, cash_out, erroneous_delivery};
use crate::money::{Amount, Cents};
use crate::terms::Switch;

impl FactContext<'_> {
    /// A payment moved, and its order with it.
    pub(in crate::ledger::wallet) fn payment_moves(&self, step: Step) -> Decision {
        let what = match &step {
            Step::Order => Command::Order(OpId::new(Kind::CashOut, self.state.seq), free()),
            Step::Accept(_) => Command::Accept,
            Step::Begin => Command::Begin,
            Step::Send(hash, _) => Command::Send(hash.clone(), None),
            Step::Confirm => Command::Confirm,
            Step::Pay(pix) => Command::Pay(pix.clone()),
            Step::Fail(reason) => Command::Fail(*reason),
            Step::Lose => Command::Lose,
        };
        let paid = match &step {
            Step::Pay(pix) => Some(pix.e2e.clone()),
            _ => None,
        };
        let sent = match &step {
            Step::Send(hash, left) => Some((hash.clone(), *left)),
            _ => None,
        };
        let moved = self.decide_pair(&what, |pair| match step {
            Step::Order => pair.create(),
            Step::Accept(address) => {
                if pair.progress().stage == Stage::Reserved {
                    pair.create()?;
                    // It may have failed for its cost.
                    if pair.progress().stage == Stage::Failed {
                        return Some(());
                    }
                }
                pair.accept(address)
            }
            Step::Begin => pair.pay(Command::Begin),
            Step::Send(hash, left) => pair.send(hash, left),
            Step::Confirm => pair.confirm(),
            Step::Pay(pix) => pair.complete(pix.clone(), Command::Pay(pix)),
            Step::Fail(reason) => pair.fall(Command::Fail(reason)),
            Step::Lose => pair.fall(Command::Lose),
        });
        self.or_erroneous(self.or_claimed(moved, paid, self.net_of_payment()), sent)
    }

    /// An operator found out, or decides what becomes of a reserve. That a payment failed whose
    /// outcome is unknown takes evidence (rulings 70).
    pub(in crate::ledger::wallet) fn payment_judged(
        &self,
        finding: PaymentFinding,
        decided_by: OperatorDecision,
    ) -> Decision {
        let named = self.lookup.operation.as_ref();
        let payment = named.and_then(|(_, known)| known.wallet_payment()?.progress());
        let unknown = payment.is_some_and(|known| known.stage == Stage::UnderReview);
        let failed = matches!(finding, PaymentFinding::Found(Finding::Failed));
        if failed && unknown && decided_by.evidence.is_none() {
            return self.aside(Reason::OutcomeUnknown);
        }
        self.payment_found(finding)
    }

    /// An operator found out, or decides what becomes of a reserve.
    pub(in crate::ledger::wallet) fn payment_found(&self, finding: PaymentFinding) -> Decision {
        let what = match &finding {
            PaymentFinding::Found(finding) => Command::Find(finding.clone()),
            PaymentFinding::Decided(decision) => Command::Resolve(decision.clone()),
        };
        let paid = match &finding {
            PaymentFinding::Found(Finding::Paid(pix))
            | PaymentFinding::Decided(Adjudication::Paid(pix)) => Some(pix.e2e.clone()),
            _ => None,
        };
        let paid = paid.filter(|_| self.lookup.pix_seen.is_none());
        let sent = match &finding {
            PaymentFinding::Found(Finding::Sent(hash)) => Some((hash.clone(), None)),
            _ => None,
        };
        let moved = self.decide_pair(&what, |pair| match finding {
            PaymentFinding::Found(Finding::Sent(hash)) => {
                let fresh = pair.progress().sent.is_none();
                pair.pay(Command::Find(Finding::Sent(hash.clone())))?;
                if fresh {
                    return pair.fund(hash);
                }
                if pair.progress().recovered.is_on() {
                    pair.book_found();
                }
                match pair.progress().stage {
                    Stage::Sent => pair.let_go(),
                    _ => Some(()),
                }
            }
            // Of one that did not fail it is what a report says.
            PaymentFinding::Found(Finding::Paid(pix))
            | PaymentFinding::Decided(Adjudication::Paid(pix))
                if pair.is_sent() =>
            {
                pair.complete(pix.clone(), Command::Pay(pix))
            }
            PaymentFinding::Found(Finding::Paid(pix)) => {
                pair.complete(pix.clone(), Command::Find(Finding::Paid(pix)))
            }
            PaymentFinding::Found(Finding::Failed) => pair.fall(Command::Find(Finding::Failed)),
            PaymentFinding::Decided(decision) => pair.settle(decision),
        });
        self.or_erroneous(self.or_claimed(moved, paid, self.net_of_payment()), sent)
    }

    /// Returns what the payment that a fact names pays.
    fn net_of_payment(&self) -> Option<Amount> {
        let (_, known) = self.lookup.operation.as_ref()?;
        known.wallet_payment()?.progress().map(|progress| progress.order.net)
    }

    /// A PIX that was paid and that nothing takes is money that left without a reason (rulings 1).
    fn or_claimed(&self, moved: Decision, e2e: Option<Box<str>>, paid: Option<Amount>) -> Decision {
        match (moved.outcome, e2e, paid) {
            (Outcome::SetAside(None), Some(e2e), Some(paid)) => {
                let reason = moved.reason().unwrap_or(Reason::OutOfTurn);
                let claim = self.suspense_order(Direction::Out, Float::Payout, &e2e, paid);
                self.to_suspense(claim, reason)
            }
            _ => moved,
        }
    }

    /// Both machines move, or nothing does.
    fn decide_pair(
        &self,
        what: &Command,
        moves: impl FnOnce(&mut Pair<'_>) -> Option<()>,
    ) -> Decision {
        let named = self.lookup.operation.as_ref();
        let named = named.and_then(|(op, known)| Some((*op, known.wallet_payment()?)));
        match named {
            Some((op, payment)) => self.paired_with((op, payment), what, moves),
            None => self.aside(Reason::Unmatched),
        }
    }

    /// A report of a payment's order: what it says of the PIX moves the payment.
    pub(in crate::ledger) fn part_of_payment(
        &self,
        op: OpId,
        order: &cash_out::Progress,
        report: SaleReport,
    ) -> Decision {
        use cash_out::Command as Told;
        let net = order.order.deal.net;
        let paying = order.stage == cash_out::Stage::Paying;
        match report {
            SaleReport::Paid { pix, amount } => self.payment_paid((op, net), pix, amount),
            // What came back of it is nobody's yet.
            SaleReport::Reversed { return_id, amount } => {
                let came = self.suspense_order(Direction::In, Float::Payout, &return_id, amount);
                self.to_suspense(came, Reason::PartOfPayment)
            }
            SaleReport::Moved(Told::LosePayment) if paying => {
                self.payment_answered(op, Command::Lose)
            }
            SaleReport::Moved(Told::FailSend | Told::GiveUpPayment) if paying => {
                self.payment_answered(op, Command::Fail(FailureReason::Provider))
            }
            SaleReport::Moved(Told::RefuseKey(back)) if paying => {
                let mut failed = self.payment_answered(op, Command::Fail(FailureReason::Key));
                // The provider owes what it kept; what it gave beyond that is nobody's yet.
                let (kept, more) = (net.minus(back.as_cents()), back.minus(net.as_cents()));
                let beside = if let Some(kept) = kept.and_then(Cents::amount) {
                    let outside = format!("{:?}", self.next_suspense());
                    let kept = self.suspense_order(Direction::Out, Float::Payout, &outside, kept);
                    self.to_suspense(kept, Reason::AmountDiffers)
                } else if let Some(more) = more.and_then(Cents::amount) {
                    self.pays_in(more, Reason::AmountExceeds)
                } else {
                    return failed;
                };
                failed.events.extend(beside.events);
                failed
            }
            SaleReport::Moved(Told::RefuseKey(back))
                if order.stage == cash_out::Stage::Completed =>
            {
                self.pays_in(back, Reason::PartOfPayment)
            }
            _ => self.aside(Reason::PartOfPayment),
        }
    }

    /// The provider answered what a payment's order asked of it: a definite answer is evidence of
    /// one under review, too.
    fn payment_answered(&self, op: OpId, answer: Command) -> Decision {
        let Some(payment) = self.state.open(op).and_then(|known| known.wallet_payment()) else {
            return self.aside(Reason::PartOfPayment);
        };
        let reviewed = payment.progress().is_some_and(|it| it.stage == Stage::UnderReview);
        let answer = match answer {
            Command::Fail(_) if reviewed => Command::Find(Finding::Failed),
            answer => answer,
        };
        self.paired_with((op, payment), &answer.clone(), |pair| pair.fall(answer))
    }

    /// The PIX of a payment's order was paid: the payment moves, and the order with it.
    fn payment_paid(
        &self,
        (op, owed): (OpId, Amount),
        pix: cash_out::Pix,
        paid: Option<Amount>,
    ) -> Decision {
        let known = self.state.open(op).and_then(|known| known.wallet_payment());
        let known = known.filter(|_| paid.is_none_or(|paid| paid == owed));
        let e2e = pix.e2e.clone();
        let command = Command::Pay(pix.clone());
        let moved = match known {
            Some(payment) => self
                .paired_with((op, payment), &command.clone(), |pair| pair.complete(pix, command)),
            None if paid.is_some_and(|paid| paid != owed) => self.aside(Reason::AmountDiffers),
            None => self.aside(Reason::OutOfTurn),
        };
        self.or_claimed(moved, Some(e2e), paid.or(Some(owed)))
    }

    fn paired_with(
        &self,
        (op, payment): (OpId, &payment::State),
        what: &Command,
        moves: impl FnOnce(&mut Pair<'_>) -> Option<()>,
    ) -> Decision {
        if payment::decide(payment, what.clone()) == Verdict::Known {
            return already_known();
        }
        let order = payment.progress().and_then(|progress| progress.cashout);
        let order = order.and_then(|(op, _)| {
            let named = self.lookup.order.iter().chain(&self.lookup.operation);
            let known = named.into_iter().find(|(known, _)| *known == op);
            Some((op, known?.1.cash_out()?.clone()))
        });
        let before = payment.progress().map(|progress| (progress.stage, progress.sent.is_some()));
        let (known, events, known_paid) = (payment.clone(), Vec::new(), Switch::Off);
        let mut pair = Pair { case: self, op, payment: known, order, known_paid, events };
        match moves(&mut pair) {
            // Under way, it is looked at; before that it stays as it is.
            Some(()) if pair.returns_contradicted() => {
                match payment::decide(payment, Command::Lose) {
                    Verdict::Applied(steps) => {
                        let of_payment = |event| Event::WalletPayment { op, event };
                        accept(steps.into_iter().map(of_payment).collect())
                    }
                    Verdict::Known | Verdict::SetAside => self.aside(Reason::OutcomeUnknown),
                }
            }
            Some(()) => {
                pair.with_early(before);
                accept(pair.events)
            }
            None => self.aside(Reason::OutOfTurn),
        }
    }
}

impl FactContext<'_> {
    /// A payment that was reported sent moved, or what left is a claim: as much as was reported, or
    /// what its order costs or was estimated to.
    pub(super) fn or_erroneous(
        &self,
        moved: Decision,
        sent: Option<(Box<str>, Option<Units>)>,
    ) -> Decision {
        let Some((hash, left)) = sent else { return moved };
        if moved.outcome != Outcome::SetAside(None) {
            return self.claim_ended(moved);
        }
        let named = self.lookup.operation.as_ref();
        let known = named.and_then(|(op, known)| Some((*op, known.wallet_payment()?.progress()?)));
        let Some((about, progress)) = known else { return moved };
        // What funded the payment did not go astray, whatever stands against going on with it.
        if progress.sent.as_ref() == Some(&hash) {
            return moved;
        }
        let order = &progress.order;
        let cost = progress.cashout.map(|(_, cost)| cost.units);
        let units = left.or(cost).unwrap_or(order.estimate);
        let (asset, chain) = (order.usdt, order.chain);
        self.claim_delivery(
            erroneous_delivery::Order { asset, chain, units, about, hash, again: None },
            Reason::NotDue,
        )
    }
}
