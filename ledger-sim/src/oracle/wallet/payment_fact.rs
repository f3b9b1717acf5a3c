//! What becomes of payments from wallets: Part A13; rulings 1, 8 and 35; W62; P:PaymentTransitions,
//! P:CostAboveReserve, P:PostFinalResolution.

use ledger_core::accounting::{CoinAccount, RowKind};
use ledger_core::coin::Units;
use ledger_core::id::{ChainId, Kind, OpId};
use ledger_core::ledger::wallet::{PaymentFinding, PaymentRequest, Step};
use ledger_core::ledger::{Outcome, Refusal, Topic};
use ledger_core::machine::wallet::payment::{Adjudication, Finding};
use ledger_core::money::Amount;
use ledger_core::time::Instant;

use super::payment::{FailureReason, Fate, Payment, PaymentStatus as Status};
use crate::goal::Goal;
use crate::oracle::facts::{Waiting, WaitingStatus};
use crate::oracle::{Coin, ErroneousDelivery, Oracle, Realm};

pub(in crate::oracle) const APPLIED: Outcome = Outcome::Applied(None);
const ASIDE: Outcome = Outcome::SetAside(None);

impl Oracle {
    /// A payment moved.
    pub(in crate::oracle) fn wallet_payment_moves(
        &mut self,
        named: Option<OpId>,
        step: &Step,
        at: Instant,
    ) -> Outcome {
        let Some(op) = named.filter(|op| self.payments.contains_key(op)) else { return ASIDE };
        let it = self.payments[&op].clone();
        let begun = it.status >= Status::Sending && it.order.is_some();
        let outcome = match step {
            Step::Order if it.status == Status::Reserved => self.payment_ordered(op, at),
            Step::Accept(_) if it.status == Status::Reserved => {
                self.reach(Goal::PaymentOrderImplied);
                match self.payment_ordered(op, at) {
                    APPLIED if self.payments[&op].status == Status::Ordered => {
                        self.payment_accepted(op, at)
                    }
                    outcome => outcome,
                }
            }
            Step::Accept(_) if it.status == Status::Ordered => self.payment_accepted(op, at),
            Step::Begin if it.status == Status::Accepted => {
                self.payment(op).status = Status::Sending;
                APPLIED
            }
            Step::Order if matches!(it.status, Status::Ordered | Status::Accepted) => {
                Outcome::Known
            }
            Step::Accept(_) if it.status == Status::Accepted => Outcome::Known,
            Step::Order | Step::Accept(_) | Step::Begin if begun => Outcome::Known,
            Step::Order | Step::Accept(_) | Step::Begin => ASIDE,
            Step::Send(hash, left) => self.payment_sent(op, &it, hash, left.map(Units::get)),
            Step::Confirm => self.payment_confirmed(op, &it, at),
            Step::Pay(pix) => return self.payment_paid(op, &pix.e2e, at),
            Step::Fail(reason) => self.payment_fails(op, &it, *reason),
            Step::Lose => match it.status {
                Status::Sending | Status::Sent => {
                    self.payment(op).status = Status::UnderReview;
                    APPLIED
                }
                Status::Reserved | Status::Ordered | Status::Accepted => ASIDE,
                _ => Outcome::Known,
            },
        };
        self.moved(op, outcome)
    }

    fn moved(&mut self, op: OpId, outcome: Outcome) -> Outcome {
        if outcome == APPLIED {
            self.note(op);
            if let Some((order, ..)) = self.payments[&op].order {
                self.note(order);
            }
        }
        outcome
    }

    /// Its order is created at today's cost, or it fails: too dear for its reserve, or not sold
    /// now.
    fn payment_ordered(&mut self, op: OpId, at: Instant) -> Outcome {
        let it = self.payments[&op].clone();
        let request = PaymentRequest {
            asked: it.asked,
            net: Amount::new(it.net),
            payee: it.payee,
            quote: None,
            external_id: None,
        };
        let sale = match self.sale_of_payment(it.account, &request, op, at) {
            Ok(sale) => sale,
            // Without a price it is tried again.
            Err(Refusal::RateUnavailable) => return ASIDE,
            Err(Refusal::RecipientCeiling { .. }) => {
                self.reach(Goal::PaymentOverCeiling);
                return self.payment_failed(op, FailureReason::Ceiling);
            }
            Err(_) => return self.payment_failed(op, FailureReason::Cost),
        };
        if sale.coin.units + it.fee > it.reserved {
            self.reach(Goal::PaymentTooDear);
            return self.payment_failed(op, FailureReason::Cost);
        }
        let order = self.next_op(Kind::CashOut);
        let it = self.payment(op);
        it.order = Some((order, sale.coin.units, sale.split));
        it.status = Status::Ordered;
        self.sales.insert(order, sale);
        self.await_time(order);
        APPLIED
    }

    /// Its order is accepted, unless the recipient may not have so much today.
    fn payment_accepted(&mut self, op: OpId, at: Instant) -> Outcome {
        let (order, ..) = self.payments[&op].order.expect("the caller looked");
        if !self.accept_for_wallet(order, at) {
            self.reach(Goal::PaymentOverCeilingLater);
            return self.payment_failed(op, FailureReason::Ceiling);
        }
        self.payment(op).status = Status::Accepted;
        self.sent_early(op);
        APPLIED
    }

    /// What left before the order was accepted funds it, if it is enough and funded nothing else; a
    /// claim on the estimate does not say how much left.
    fn sent_early(&mut self, op: OpId) {
        let it = self.payments[&op].clone();
        let (_, cost, _) = it.order.expect("it was just accepted");
        let fits = |claim: &ErroneousDelivery| {
            let open = claim.about == op && claim.end.is_none();
            let funded = self.seen.contains(&(Realm::Deposit, claim.hash.clone()));
            open && !funded && (claim.units == it.estimate || claim.units >= cost)
        };
        let claim = self.erroneous_deliveries.values().find(|claim| fits(claim));
        let Some((hash, units)) = claim.map(|claim| (claim.hash.clone(), claim.units)) else {
            return;
        };
        self.reach(Goal::PaymentSentEarly);
        self.funded(op, &hash, Some(units).filter(|units| *units != it.estimate));
    }

    /// The PIX that was reported paid before anything was sent for it.
    fn paid_early(&mut self, op: OpId) {
        let net = self.payments[&op].net;
        let own = |it: &Waiting| {
            let waits = it.payment == Some(op) && it.status == WaitingStatus::Waiting;
            waits && it.amount == net && !it.came_in && !it.collection
        };
        let claim = self.suspense.iter().find(|(_, it)| own(it));
        let Some((claim, e2e)) = claim.map(|(claim, it)| (*claim, it.outside.clone())) else {
            return;
        };
        let (order, ..) = self.payments[&op].order.expect("what was sent has an order");
        self.claim_pays(claim, order);
        self.payment_completes(op, &e2e);
        self.reach(Goal::PaymentPaidEarly);
    }

    /// Coins left for the order, and what left beyond its cost is ours to bear.
    fn funded(&mut self, op: OpId, hash: &str, left: Option<u128>) {
        self.fund_payment(op, hash);
        let it = self.payments[&op].clone();
        let (_, cost, _) = it.order.expect("what is sent has an order");
        let excess = left.map_or(0, |left| left - cost);
        let stock = CoinAccount::Treasury(ChainId(it.chain));
        self.coins(it.usdt, CoinAccount::Slippage, stock, excess);
        if excess > 0 {
            self.payment(op).status = Status::UnderReview;
            self.reach(Goal::PaymentSentTooMuch);
        }
        self.paid_early(op);
    }

    /// Our own coins left for the order; what left beyond its cost is ours to bear.
    fn payment_sent(&mut self, op: OpId, it: &Payment, hash: &str, left: Option<u128>) -> Outcome {
        if it.sent.as_deref() == Some(hash) {
            return Outcome::Known;
        }
        let awaited = match it.status {
            Status::Accepted | Status::Sending => true,
            Status::UnderReview => it.sent.is_none(),
            _ => false,
        };
        let Some((_, cost, _)) = it.order.filter(|_| awaited) else {
            return self.payment_sent_in_error(op, it, hash, left);
        };
        if left.is_some_and(|left| left < cost) || self.funded_already(hash) {
            return self.payment_sent_in_error(op, it, hash, left);
        }
        match it.status {
            Status::Accepted => self.reach(Goal::PaymentSendImplied),
            Status::UnderReview => self.reach(Goal::PaymentSentInReview),
            _ => {}
        }
        self.funded(op, hash, left);
        APPLIED
    }

    /// What left and funds nothing is a claim on whoever received it: as much as was reported, or
    /// what the order costs, or was estimated to (rulings 1). The reserve is not touched.
    fn payment_sent_in_error(
        &mut self,
        op: OpId,
        it: &Payment,
        hash: &str,
        left: Option<u128>,
    ) -> Outcome {
        let cost = it.order.map(|(_, cost, _)| cost);
        let units = left.or(cost).unwrap_or(it.estimate);
        let (asset, chain) = (it.usdt, it.chain);
        let outcome = self.claim(op, Coin { asset, chain, units }, hash, Goal::SentInError);
        if outcome != Outcome::Known {
            let short = left.is_some_and(|left| cost.is_some_and(|cost| left < cost));
            self.reach(if it.sent.is_some() {
                Goal::PaymentSentTwice
            } else if short && matches!(it.status, Status::Accepted | Status::Sending) {
                Goal::PaymentSentShort
            } else {
                Goal::PaymentSentForNothing
            });
        }
        outcome
    }

    fn funded_already(&mut self, hash: &str) -> bool {
        let funded = self.seen.contains(&(Realm::Deposit, hash.into()));
        if funded {
            self.reach(Goal::PaymentFundedTwice);
        }
        funded
    }

    fn fund_payment(&mut self, op: OpId, hash: &str) {
        if self.claim_ends(op, hash) {
            self.reach(Goal::PaymentClaimEnds);
        }
        let it = self.payment(op);
        it.sent = Some(hash.into());
        it.status = Status::Sent;
        let (usdt, chain) = (it.usdt, ChainId(it.chain));
        let (order, cost, _) = it.order.expect("what is sent has an order");
        self.coins(usdt, CoinAccount::Transit(chain), CoinAccount::Treasury(chain), cost);
        self.fund_from_wallet(order, hash);
    }

    /// The network confirmed it: its order books that, and pays, unless the payment is over.
    fn payment_confirmed(&mut self, op: OpId, it: &Payment, at: Instant) -> Outcome {
        if it.sent.is_none() {
            return ASIDE;
        }
        if it.confirmed {
            return Outcome::Known;
        }
        if matches!(it.fate, Some(Fate::Lost | Fate::ReturnedAndLost)) {
            return self.coins_recovered(op, it);
        }
        self.payment(op).confirmed = true;
        let (order, ..) = it.order.expect("what was sent has an order");
        // Nothing is paid for what was settled before.
        let judged = it.fate.is_none();
        let reason = if judged { self.against_wallet(order, at) } else { None };
        self.arrive_from_wallet(order);
        if let Some(reason) = reason {
            self.wait_for_wallet(order, reason);
            if it.status == Status::Sent {
                self.payment(op).status = Status::UnderReview;
            }
        } else if it.status != Status::FailedAfterSend {
            self.ask_to_pay_for_wallet(order);
        } else if it.fate.is_none() {
            // Nobody is asked to pay what failed: its reserve waits for a person.
            self.stop_for_wallet(order);
            self.reach(Goal::PaymentFailedThenConfirmed);
        } else {
            self.fail_for_wallet(order);
            self.reach(Goal::PaymentSettledThenConfirmed);
        }
        APPLIED
    }

    /// The PIX of a payment was paid; one that contradicts it is money that left without a reason
    /// (rulings 1).
    pub(in crate::oracle) fn payment_paid(&mut self, op: OpId, e2e: &str, at: Instant) -> Outcome {
        let it = self.payments[&op].clone();
        match it.status {
            Status::Sent => {}
            // What was paid is evidence of itself.
            Status::UnderReview if it.sent.is_some() => self.reach(Goal::PaymentPaidInReview),
            _ => return self.paid_in_error(op, &it, e2e, at),
        }
        self.payment_completes(op, e2e);
        self.moved(op, APPLIED)
    }

    fn paid_in_error(&mut self, op: OpId, it: &Payment, e2e: &str, at: Instant) -> Outcome {
        self.reach(Goal::PaymentPixInError);
        let outcome = self.money_out(it.net, false, e2e, at);
        if let Outcome::SetAside(Some(claim)) = outcome {
            self.suspense.get_mut(&claim).expect("just put aside").payment = Some(op);
        }
        outcome
    }

    /// The claim on just this PIX, reported of this payment and not ended.
    fn claim_of(&self, op: OpId, e2e: &str) -> Option<OpId> {
        let mut all = self.suspense.iter();
        let own = |it: &Waiting| {
            it.payment == Some(op) && *it.outside == *e2e && it.status == WaitingStatus::Waiting
        };
        all.find(|(_, it)| own(it)).map(|(claim, _)| *claim)
    }

    /// Whether a PIX that is known may end a payment that is reported paid by a person: it is a
    /// claim of this payment's, and ends with it.
    fn takes_claim(&mut self, op: OpId, it: &Payment, e2e: &str, decided: bool) -> bool {
        let awaited = it.is_sent() || decided && it.waits_for_person();
        let claim = self.claim_of(op, e2e).zip(it.order).filter(|_| awaited);
        let Some((claim, (order, ..))) = claim else { return false };
        self.claim_pays(claim, order);
        self.reach(Goal::PaymentByClaim);
        true
    }

    /// That it was paid implies that what funded it arrived (rulings 8).
    fn payment_completes(&mut self, op: OpId, e2e: &str) {
        self.consumed_by_pix(op, e2e);
        let it = self.payment(op);
        it.status = Status::Completed;
        it.e2e = Some(e2e.into());
        let code = matches!(it.asked, ledger_core::machine::cash_out::Asked::Code(_));
        self.notify(op, Topic::WalletPaymentCompleted);
        self.reach(if code { Goal::PaymentOfCode } else { Goal::PaymentOfKey });
    }

    /// One entry closes the reserve: what the order cost, the network's fee, and what is left.
    pub(in crate::oracle) fn consumed_by_pix(&mut self, op: OpId, e2e: &str) {
        let it = self.payments[&op].clone();
        let (order, _, split) = it.order.expect("what was sent has an order");
        if !it.confirmed {
            self.payment(op).confirmed = true;
            self.arrive_from_wallet(order);
            self.reach(Goal::PaymentArrivalImplied);
        } else if self.waits_for_wallet(order) {
            self.begin_for_wallet(order);
        }
        self.complete_for_wallet(order, e2e);
        self.consume(op, CoinAccount::Fx);
        self.totals.fx -= split.gross();
        self.totals.provider_pay -= split.net;
        self.totals.sale_income += split.house;
        self.totals.reserve_income += split.reserve;
        self.totals.rounding += split.residue;
        self.commission(it.account, op, RowKind::CommissionEarned, split.partner);
        self.settles(it.account, split.net);
    }

    fn payment_fails(&mut self, op: OpId, it: &Payment, reason: FailureReason) -> Outcome {
        match it.status {
            Status::Reserved | Status::Ordered | Status::Accepted | Status::Sending => {
                self.reach(Goal::PaymentFailedBefore);
                self.payment_failed(op, reason)
            }
            Status::Sent => self.payment_failed_after(op, reason),
            Status::Failed | Status::FailedAfterSend => Outcome::Known,
            Status::UnderReview | Status::Completed => ASIDE,
        }
    }

    /// Nothing left: the reserve goes back whole.
    fn payment_failed(&mut self, op: OpId, reason: FailureReason) -> Outcome {
        let it = self.payment(op);
        it.status = Status::Failed;
        it.reason = Some(reason);
        let order = it.order;
        self.give_reserve_back(op);
        if let Some((order, ..)) = order {
            self.fail_for_wallet(order);
        }
        self.notify(op, Topic::WalletPaymentFailed);
        APPLIED
    }

    /// It failed after it was sent: the reserve stays until a person decides.
    fn payment_failed_after(&mut self, op: OpId, reason: FailureReason) -> Outcome {
        let it = self.payment(op);
        it.status = Status::FailedAfterSend;
        it.reason = Some(reason);
        self.notify(op, Topic::WalletPaymentFailed);
        self.reach(Goal::PaymentFailedAfter);
        APPLIED
    }

    /// A person found out how a payment stands, or decides what becomes of its reserve.
    pub(in crate::oracle) fn payment_found(
        &mut self,
        named: Option<OpId>,
        finding: &PaymentFinding,
        at: Instant,
    ) -> Outcome {
        let Some(op) = named.filter(|op| self.payments.contains_key(op)) else { return ASIDE };
        let it = self.payments[&op].clone();
        let paid = match finding {
            PaymentFinding::Found(Finding::Paid(pix)) => Some((pix, false)),
            PaymentFinding::Decided(Adjudication::Paid(pix)) => Some((pix, true)),
            _ => None,
        };
        if let Some((pix, decided)) = paid
            && self.seen.contains(&(Realm::PixOut, pix.e2e.clone()))
            && !self.takes_claim(op, &it, &pix.e2e, decided)
        {
            return ASIDE;
        }
        let outcome = match finding {
            PaymentFinding::Found(Finding::Sent(hash))
                if it.status != Status::UnderReview && it.sent.as_deref() == Some(hash) =>
            {
                self.coins_recovered(op, &it)
            }
            PaymentFinding::Found(finding) if it.status == Status::UnderReview => {
                self.payment_evidence(op, &it, finding, at)
            }
            // Of one that did not fail it is what a report says.
            PaymentFinding::Found(Finding::Paid(pix))
            | PaymentFinding::Decided(Adjudication::Paid(pix))
                if it.is_sent() =>
            {
                self.payment_completes(op, &pix.e2e);
                self.reach(Goal::PaymentFoundPaid);
                APPLIED
            }
            PaymentFinding::Decided(decision) if it.waits_for_person() => {
                self.adjudicated(op, &it, decision)
            }
            PaymentFinding::Found(Finding::Paid(pix))
            | PaymentFinding::Decided(Adjudication::Paid(pix)) => {
                self.paid_in_error(op, &it, &pix.e2e, at)
            }
            PaymentFinding::Found(Finding::Sent(hash)) => {
                self.payment_sent_in_error(op, &it, hash, None)
            }
            PaymentFinding::Decided(_) if it.fate.is_some() => {
                self.reach(Goal::ReserveDecidedOnce);
                ASIDE
            }
            PaymentFinding::Found(_) | PaymentFinding::Decided(_) => ASIDE,
        };
        self.moved(op, outcome)
    }

    fn payment_evidence(
        &mut self,
        op: OpId,
        it: &Payment,
        finding: &Finding,
        at: Instant,
    ) -> Outcome {
        match (finding, &it.sent) {
            (Finding::Sent(hash), None) => {
                if self.funded_already(hash) {
                    return self.payment_sent_in_error(op, it, hash, None);
                }
                self.reach(Goal::PaymentFoundSent);
                self.funded(op, hash, None);
            }
            (Finding::Sent(hash), Some(known)) if hash == known => {
                let (order, ..) = it.order.expect("what was sent has an order");
                if self.waits_for_wallet(order) {
                    if self.against_wallet(order, at).is_some() {
                        self.reach(Goal::CeilingStands);
                        return ASIDE;
                    }
                    self.begin_for_wallet(order);
                    self.ask_to_pay_for_wallet(order);
                }
                self.payment(op).status = Status::Sent;
                self.reach(Goal::PaymentResumed);
            }
            (Finding::Sent(hash), Some(_)) => {
                return self.payment_sent_in_error(op, it, hash, None);
            }
            (Finding::Paid(pix), Some(_)) => {
                self.payment_completes(op, &pix.e2e);
                self.reach(Goal::PaymentFoundPaid);
            }
            (Finding::Paid(pix), None) => return self.paid_in_error(op, it, &pix.e2e, at),
            (Finding::Failed, None) => {
                self.reach(Goal::PaymentFoundFailed);
                return self.payment_failed(op, FailureReason::Provider);
            }
            (Finding::Failed, Some(_)) => {
                self.reach(Goal::PaymentFoundFailedAfter);
                return self.payment_failed_after(op, FailureReason::Provider);
            }
        }
        APPLIED
    }

    pub(in crate::oracle) fn payment(&mut self, op: OpId) -> &mut Payment {
        self.payments.get_mut(&op).expect("the caller found it")
    }
}
