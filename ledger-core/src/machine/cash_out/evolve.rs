//! Remembering what happened to a cash-out order.

use std::sync::Arc;

use super::event::{Event, Place, Source, Why};
use super::follows::follows;
use super::{Accepted, Held, Own, Stage, Standing, State, Tries};
use crate::machine::refund::{Coins, Course, Refund};
use crate::money::{Amount, Share};
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
        (State::Absent, Event::Quoted(order)) => Standing {
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
            counted: Share::ZERO,
            sale: None,
            own: Own::None,
            handed: None,
            kept: None,
            tries: Tries::default(),
            pix: None,
            reversed: Share::ZERO,
            given_back: None,
            refund: None,
            entered: Vec::new(),
            parted: None,
            receipts: Vec::new(),
        },
        (State::Known(standing), event) => {
            let mut next = Standing::clone(standing);
            next.remember(event, at);
            next
        }
        (State::Absent, _) => unreachable!("follows admits a quote only"),
    };
    if matches!(next.stage, Stage::Expired | Stage::Failed) || next.was_refunded() {
        next.counted = Share::ZERO;
    }
    next.enter(at);
    State::Known(Arc::new(next))
}

impl Standing {
    #[allow(clippy::too_many_lines)] // A flat table, one arm an event.
    fn remember(&mut self, event: &Event, at: Instant) {
        match event {
            Event::Quoted(_) => unreachable!("follows admits no second quote"),
            Event::Accepted { address, tag } => {
                let (address, tag) = (address.clone(), tag.clone());
                self.accepted = Some(Accepted { address, tag, at });
                self.count(Some(self.order.deal.net));
                self.stage = Stage::Awaiting;
            }
            Event::Expired => self.stage = Stage::Expired,
            Event::Failed => {
                self.stage = Stage::Failed;
                self.delayed = Switch::Off;
            }
            Event::DepositSeen { deposit, place, repriced, counted, .. } => {
                let (deposit, place) = (deposit.clone(), *place);
                let confirmations = deposit.confirmations;
                self.deposits.push(Held { deposit, place, confirmed: Switch::Off, confirmations });
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
                let place = self.deposits.iter().position(|held| held.deposit.hash == *hash);
                let place = place.expect("follows admits a deposit that was seen");
                let gone = self.deposits.remove(place).deposit;
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
            Event::ReviewOpened(why) => {
                self.stage = Stage::Review(*why);
                self.delayed = Switch::Off;
                if let (Why::SaleLost, Own::Selling(coins)) = (why, self.own) {
                    self.own = Own::Lost(coins);
                }
            }
            Event::Cleared { repriced, scale, .. } => {
                for held in self.deposits.iter_mut().filter(|h| h.place == Place::Suspense) {
                    held.place = Place::Order;
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
            Event::SellingBegun(coins) => self.own = Own::Selling(*coins),
            Event::SaleFilled { proceeds, forwards, .. } => {
                self.own = if forwards.is_on() { Own::Sold(*proceeds) } else { Own::Done };
                if self.stage == Stage::Review(Why::SaleLost) {
                    self.stage = Stage::Secured;
                }
            }
            Event::SaleFailed(_) => {
                self.own = Own::None;
                if self.stage == Stage::Review(Why::SaleLost) {
                    self.stage = Stage::Secured;
                }
            }
            Event::Forwarding => {
                if let Own::Sold(proceeds) = self.own {
                    self.own = Own::Forwarding(proceeds);
                }
            }
            Event::Forwarded { .. } => self.own = Own::Done,
            Event::PaymentBegun { sale, counted, .. } => {
                self.sale = Some(*sale);
                self.count(*counted);
                self.stage = Stage::Paying;
                self.tries = Tries { count: 1, ..Tries::default() };
            }
            Event::SendFailed { first, retry_at } => {
                let (first, retry_at) = (Some(*first), Some(*retry_at));
                self.tries = Tries { first, retry_at, lost: Switch::Off, ..self.tries };
                self.stage = Stage::Paying;
            }
            Event::RetryDue => {
                self.tries.retry_at = None;
                self.tries.count += 1;
            }
            Event::PaymentLost => {
                self.tries.lost = Switch::On;
                self.tries.retry_at = None;
            }
            Event::KeyRefused(back) => {
                self.given_back = Some(*back);
                self.tries = Tries { count: self.tries.count, ..Tries::default() };
                self.stage = Stage::Review(Why::KeyRefused);
                self.delayed = Switch::Off;
            }
            Event::PaymentResumed { pix_key, key_type, .. } => {
                self.given_back = None;
                if pix_key.is_some() {
                    self.payee.key_type = *key_type;
                }
                self.payee.pix_key = pix_key.or(self.payee.pix_key);
                self.tries = Tries { count: self.tries.count + 1, ..Tries::default() };
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
                self.tries.retry_at = None;
                self.delayed = Switch::Off;
                self.stage = Stage::Review(Why::ReturnAwaited);
            }
            Event::Completed { pix, .. } => {
                self.pix = Some(pix.clone());
                self.tries = Tries { count: self.tries.count, ..Tries::default() };
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
                self.refund_mut().course = Course::Sent(hash.clone());
                self.stage = Stage::Refunding;
            }
            Event::RefundFailed => {
                let refund = self.refund_mut();
                refund.course = Course::Due;
                refund.attempt += 1;
            }
            Event::RefundLost => self.refund_mut().course = Course::Lost,
        }
    }

    fn decide_refund(
        &mut self,
        coins: Coins,
        source: Source,
        to: Option<Box<str>>,
        allowed: Switch,
    ) {
        if let Source::Reversal(back) = source {
            let sum = self.reversed.plus(back.share());
            self.reversed = sum.expect("follows admits no more than was paid");
        } else {
            self.stage = Stage::Refunding;
        }
        self.delayed = Switch::Off;
        if matches!(source, Source::Returned { .. }) {
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

    /// What a receipt takes is no longer the order's: of the latest deposits first.
    fn take(&mut self, coins: Coins) {
        self.parted = Some(self.parted.and_then(|known| known.plus(coins)).unwrap_or(coins));
        let mut left = Some(coins.units);
        while let Some(units) = left {
            let Some(mut held) = self.deposits.pop() else { return };
            let of = held.deposit.coins.units;
            left = units.minus(Some(of));
            match of.minus(Some(units)) {
                Some(rest) => {
                    held.deposit.coins.units = rest;
                    self.deposits.push(held);
                }
                None => self.split_off.push(held.deposit),
            }
        }
    }

    fn count(&mut self, amount: Option<Amount>) {
        let sum = amount.and_then(|amount| self.counted.plus(amount.share()));
        self.counted = sum.unwrap_or(self.counted);
    }

    fn was_refunded(&self) -> bool {
        let sent = self.refund.as_ref().is_some_and(|refund| refund.sent().is_some());
        sent && self.stage == Stage::Refunding
    }
}
