//! Remembering what happened to a cash-out order.

use std::sync::Arc;

use super::ceiling::ReviewReason;
use super::event::{DepositAccount, Event, RefundSource};
use super::follows::follows;
use super::{
    CorrectedKey, DepositInstructions, HeldDeposit, Liquidation, PayoutAttempts, Progress, Stage,
    State,
};
use crate::machine::refund::{Coins, Refund, RefundStatus};
use crate::money::{Amount, Cents};
use crate::terms::Switch;
use crate::time::Instant;

/// Remembers `event`, which happened at `at`.
///
/// # Panics
///
/// When `event` cannot follow `state`; replay checks [`follows`] first.
#[must_use]
pub fn evolve(state: &State, event: &Event, at: Instant) -> State {
    assert!(follows(state, event), "{event:?} cannot follow {state:?}");
    let mut next = match (state, event) {
        (State::Absent, Event::Quoted(order)) => Progress {
            payee: order.payee,
            order: Arc::new(order.as_ref().clone()),
            stage: Stage::Quoted,
            delayed: Switch::Off,
            accepted: None,
            repriced: None,
            counted_in: None,
            deposits: Vec::new(),
            vanished: Vec::new(),
            split_off: Vec::new(),
            odd: Vec::new(),
            counted: Cents::ZERO,
            sale: None,
            liquidation: Liquidation::None,
            handed: None,
            kept: None,
            attempts: PayoutAttempts::default(),
            pix: None,
            reversed: Cents::ZERO,
            given_back: None,
            refund: None,
            entered: Vec::new(),
            parted: None,
            unmatched: Vec::new(),
            beside: 0,
        },
        (State::Known(progress), event) => {
            let mut next = Progress::clone(progress);
            next.remember(event, at);
            next
        }
        (State::Absent, _) => unreachable!("follows admits a quote only"),
    };
    if matches!(next.stage, Stage::Expired | Stage::Failed) || next.was_refunded() {
        next.counted = Cents::ZERO;
    }
    next.enter(at);
    State::Known(Arc::new(next))
}

impl Progress {
    #[allow(clippy::too_many_lines)] // A flat table, one arm an event.
    fn remember(&mut self, event: &Event, at: Instant) {
        match event {
            Event::Quoted(_) => unreachable!("follows admits no second quote"),
            Event::Accepted { address, tag } => {
                let (address, tag) = (address.clone(), tag.clone());
                self.accepted = Some(DepositInstructions { address, tag, at });
                self.count(Some(self.order.deal.net));
                self.stage = Stage::Awaiting;
            }
            Event::Expired => self.stage = Stage::Expired,
            Event::Failed => {
                self.stage = Stage::Failed;
                self.delayed = Switch::Off;
            }
            Event::DepositSeen { deposit, booked_in, repriced, counted, .. } => {
                let (deposit, booked_in) = (deposit.clone(), *booked_in);
                let confirmations = deposit.confirmations;
                self.deposits.push(HeldDeposit {
                    deposit,
                    booked_in,
                    confirmed: Switch::Off,
                    confirmations,
                });
                self.repriced = repriced.clone().or(self.repriced.take());
                self.count(*counted);
                if matches!(self.stage, Stage::Awaiting | Stage::Expired) {
                    self.stage = Stage::Detected;
                }
            }
            Event::DepositConfirmed { hash, .. } => {
                let held = self.deposits.iter_mut().find(|held| held.deposit.hash == *hash);
                held.expect("follows admits a deposit that was seen").confirmed = Switch::On;
            }
            Event::DepositConfirming { hash, confirmations } => {
                let held = self.deposits.iter_mut().find(|held| held.deposit.hash == *hash);
                let held = held.expect("follows admits a deposit that was seen");
                held.confirmations = Some(*confirmations);
            }
            Event::DepositVanished { hash, .. } => {
                let booked_in = self.deposits.iter().position(|held| held.deposit.hash == *hash);
                let booked_in = booked_in.expect("follows admits a deposit that was seen");
                let gone = self.deposits.remove(booked_in).deposit;
                self.vanished.retain(|known| known.hash != *hash);
                self.vanished.push(gone);
                if self.deposits.is_empty() {
                    let over = self.order.expires_at <= at;
                    self.stage = if over { Stage::Expired } else { Stage::Awaiting };
                    self.delayed = Switch::Off;
                    // Its price goes with it: the next deposit counts at its own.
                    self.repriced = None;
                }
            }
            Event::OddParted { unmatched, hash, .. } => {
                self.deposits.retain(|held| held.deposit.hash != *hash);
                self.odd.push((hash.clone(), *unmatched));
                self.stage = Stage::Detected;
            }
            Event::ReviewEnded => self.stage = Stage::Detected,
            Event::ReviewOpened(reason) => {
                self.stage = Stage::Review(*reason);
                self.delayed = Switch::Off;
                if let (ReviewReason::SaleLost, Liquidation::Selling(coins)) =
                    (reason, self.liquidation)
                {
                    self.liquidation = Liquidation::Lost(coins);
                }
            }
            Event::Cleared { repriced, scale, .. } => {
                for held in
                    self.deposits.iter_mut().filter(|h| h.booked_in == DepositAccount::Suspense)
                {
                    held.booked_in = DepositAccount::Order;
                }
                self.counted_in = *scale;
                self.repriced = repriced.clone().or(self.repriced.take());
                self.stage = match self.sale {
                    Some(_) if self.payment_began() => Stage::Paying,
                    Some(_) => Stage::Secured,
                    None => Stage::Detected,
                };
            }
            Event::Split { coins, .. } => self.take(*coins),
            Event::Delayed => self.delayed = Switch::On,
            Event::Resumed => self.delayed = Switch::Off,
            Event::Secured { sale, counted } => {
                self.sale = Some(*sale);
                self.count(*counted);
                self.stage = Stage::Secured;
            }
            Event::SellingBegun(coins) => self.liquidation = Liquidation::Selling(*coins),
            Event::SaleFilled { proceeds, forwards, .. } => {
                self.liquidation =
                    if forwards.is_on() { Liquidation::Sold(*proceeds) } else { Liquidation::Done };
                if self.stage == Stage::Review(ReviewReason::SaleLost) {
                    self.stage = Stage::Secured;
                }
            }
            Event::SaleFailed(_) => {
                self.liquidation = Liquidation::None;
                if self.stage == Stage::Review(ReviewReason::SaleLost) {
                    self.stage = Stage::Secured;
                }
            }
            Event::Forwarding => {
                if let Liquidation::Sold(proceeds) = self.liquidation {
                    self.liquidation = Liquidation::Forwarding(proceeds);
                }
            }
            Event::Forwarded { .. } => self.liquidation = Liquidation::Done,
            Event::PaymentBegun { sale, counted, .. } => {
                self.sale = Some(*sale);
                self.count(*counted);
                self.stage = Stage::Paying;
                self.attempts = PayoutAttempts { count: 1, ..PayoutAttempts::default() };
            }
            Event::SendFailed { first, retry_at } => {
                let (first, retry_at) = (Some(*first), Some(*retry_at));
                self.attempts =
                    PayoutAttempts { first, retry_at, lost: Switch::Off, ..self.attempts };
                self.stage = Stage::Paying;
            }
            Event::RetryDue => {
                self.attempts.retry_at = None;
                self.attempts.count += 1;
            }
            Event::PaymentLost => {
                self.attempts.lost = Switch::On;
                self.attempts.retry_at = None;
            }
            Event::KeyRefused(back) => {
                self.given_back = Some(*back);
                self.attempts =
                    PayoutAttempts { count: self.attempts.count, ..PayoutAttempts::default() };
                self.stage = Stage::Review(ReviewReason::KeyRefused);
                self.delayed = Switch::Off;
            }
            Event::PaymentResumed { pix_key, key_type: kind, counted_as, owner, .. } => {
                self.given_back = None;
                match (*pix_key, *counted_as, *owner) {
                    (Some(token), Some(counted_as), Some(owner)) => {
                        let key = CorrectedKey { token, kind: *kind, counted_as, owner };
                        self.payee = self.payee.with_corrected_key(key);
                    }
                    (Some(_), ..) => {
                        (self.payee.pix_key, self.payee.key_type) = (*pix_key, *kind);
                    }
                    (None, ..) => {}
                }
                self.attempts =
                    PayoutAttempts { count: self.attempts.count + 1, ..PayoutAttempts::default() };
                self.stage = Stage::Paying;
            }
            Event::HandedOver(coins) => self.handed = Some(*coins),
            Event::TokenKept(_) => self.kept = self.handed.take(),
            Event::TokenRecovered(coins) => {
                let had = self.handed.expect("follows admits it of a token at the provider");
                let left = had.units.minus(Some(coins.units));
                self.handed = left.map(|units| Coins { units, ..had });
            }
            Event::PaymentUnwound(_) => {
                self.attempts.retry_at = None;
                self.delayed = Switch::Off;
                self.stage = Stage::Review(ReviewReason::ReturnAwaited);
            }
            Event::Completed { pix, .. } => {
                self.pix = Some(pix.clone());
                self.attempts =
                    PayoutAttempts { count: self.attempts.count, ..PayoutAttempts::default() };
                self.stage = Stage::Completed;
                self.delayed = Switch::Off;
                self.kept = self.handed.take();
            }
            Event::RefundDecided { coins, source, to, allowed } => {
                self.decide_refund(*coins, *source, to.clone(), *allowed);
            }
            Event::RefundAddressed(address) => {
                self.refund_mut().to = Some(address.clone());
            }
            Event::RefundAllowed => self.refund_mut().allowed = Switch::On,
            Event::RefundSent { hash, .. } => {
                self.refund_mut().status = RefundStatus::Sent(hash.clone());
                self.stage = Stage::Refunding;
            }
            Event::RefundFailed => {
                let refund = self.refund_mut();
                refund.status = RefundStatus::Due;
                refund.attempt += 1;
            }
            Event::RefundLost => self.refund_mut().status = RefundStatus::Lost,
            Event::RefundForgone { coins, .. } => {
                let refund = self.refund_mut();
                match refund.coins.units.minus(Some(coins.units)) {
                    Some(units) => refund.coins.units = units,
                    None => {
                        self.refund = None;
                        self.stage = Stage::Failed;
                    }
                }
            }
        }
    }

    fn decide_refund(
        &mut self,
        coins: Coins,
        source: RefundSource,
        to: Option<Box<str>>,
        allowed: Switch,
    ) {
        if let RefundSource::Reversal(back) = source {
            let sum = self.reversed.plus(back.as_cents());
            self.reversed = sum.expect("follows admits no more than was paid");
        } else {
            self.stage = Stage::Refunding;
        }
        self.delayed = Switch::Off;
        if matches!(source, RefundSource::Returned { .. }) {
            self.handed = None;
        }
        self.refund = Some(match self.refund.take() {
            Some(refund) => {
                let sum = refund.coins.plus(coins);
                let coins = sum.expect("follows admits what can be counted");
                Refund { coins, allowed, ..refund }
            }
            None => Refund::due(coins, to, allowed),
        });
    }

    fn refund_mut(&mut self) -> &mut Refund {
        self.refund.as_mut().expect("follows admits news of a refund that is due")
    }

    /// What an unmatched deposit takes is no longer the order's: of the latest deposits first.
    fn take(&mut self, coins: Coins) {
        self.parted = Some(self.parted.and_then(|known| known.plus(coins)).unwrap_or(coins));
        let mut left = Some(coins.units);
        while let Some(units) = left {
            let Some(mut held) = self.deposits.pop() else { return };
            let mut taken = held.deposit.clone();
            let of = held.deposit.coins.units;
            left = units.minus(Some(of));
            if let Some(rest) = of.minus(Some(units)) {
                taken.coins.units = units;
                held.deposit.coins.units = rest;
                self.deposits.push(held);
            }
            self.split_off.push(taken);
        }
    }

    fn count(&mut self, amount: Option<Amount>) {
        let sum = amount.and_then(|amount| self.counted.plus(amount.as_cents()));
        self.counted = sum.unwrap_or(self.counted);
    }

    fn was_refunded(&self) -> bool {
        let sent = self.refund.as_ref().is_some_and(|refund| refund.sent_hash().is_some());
        sent && self.stage == Stage::Refunding
    }
}
