//! Which event may come next. Written apart from the deciding, so that each checks the other: a
//! journal that no ledger wrote is found out here.

use super::ceiling::ReviewReason;
use super::event::{DepositAccount, Event, RefundSource};
use super::terms::{AmountBasis, Order, Proceeds};
use super::{Liquidation, Progress, Stage, State, Waits, payment, returns};
use crate::machine::refund::{Coins, Refund};
use crate::money::{Amount, Cents};
use crate::terms::{Route, Switch};

/// Tells whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Quoted(order)) => sound(order),
        (State::Known(progress), event) => progress.admits(event),
        (State::Absent, _) => false,
    }
}

/// Terms that can be carried out.
fn sound(order: &Order) -> bool {
    let gross = order.deal.checked_gross();
    let net = match order.asked {
        AmountBasis::Net(net) => net == order.deal.net,
        AmountBasis::Units(units) => units == order.coins.units,
        AmountBasis::Code(_) => true,
    };
    let (least, most) = order.range;
    gross.is_some() && net && least <= most && order.created_at < order.expires_at
}

impl Progress {
    #[allow(clippy::too_many_lines)] // A flat table, one arm an event.
    fn admits(&self, event: &Event) -> bool {
        let sellers = self.order.is_sellers();
        match event {
            Event::Quoted(_) => false,
            Event::Accepted { .. } => self.stage == Stage::Quoted,
            Event::Expired => matches!(self.stage, Stage::Quoted | Stage::Awaiting),
            Event::Failed => match self.stage {
                Stage::Quoted | Stage::Awaiting => true,
                Stage::Paying
                | Stage::Secured
                | Stage::Review(
                    ReviewReason::Stopped
                    | ReviewReason::Short
                    | ReviewReason::TooMuch
                    | ReviewReason::Unpriced,
                ) => !sellers,
                Stage::Review(reason) => reason.is_ceiling() && !sellers,
                _ => false,
            },
            Event::DepositSeen { deposit, booked_in, .. } => {
                let new = self.deposits.iter().all(|held| held.deposit.hash != deposit.hash);
                let waits = matches!(self.stage, Stage::Awaiting | Stage::Expired);
                let right = self.order.coins.same_kind(deposit.coins);
                let placed = match booked_in {
                    DepositAccount::Order => {
                        let strange = self.stage == Stage::Review(ReviewReason::Strange);
                        sellers && right && self.takes_more() && !strange
                    }
                    DepositAccount::Suspense => sellers && waits,
                    DepositAccount::Wallet => !sellers && right && waits,
                };
                new && self.accepted.is_some() && placed
            }
            Event::DepositConfirmed { hash, coins } => self.deposits.iter().any(|held| {
                held.deposit.hash == *hash
                    && held.deposit.coins == *coins
                    && !held.confirmed.is_on()
            }),
            Event::DepositConfirming { hash, confirmations } => self.deposits.iter().any(|held| {
                let more = held.confirmations < Some(*confirmations);
                held.deposit.hash == *hash && !held.confirmed.is_on() && more
            }),
            Event::DepositVanished { hash, coins, booked_in } => {
                let held = self.deposits.iter().any(|held| {
                    held.deposit.hash == *hash
                        && held.deposit.coins == *coins
                        && held.booked_in == *booked_in
                        && !held.confirmed.is_on()
                });
                held && matches!(self.stage, Stage::Detected | Stage::Review(_))
            }
            Event::ReviewOpened(reason) => match reason {
                ReviewReason::Strange
                | ReviewReason::Short
                | ReviewReason::TooMuch
                | ReviewReason::Unpriced => self.stage == Stage::Detected,
                ReviewReason::Stopped => self.stage == Stage::Paying && self.attempts.lost.is_on(),
                ReviewReason::SaleLost => {
                    self.stage == Stage::Secured
                        && matches!(self.liquidation, Liquidation::Selling(_))
                }
                ReviewReason::KeyRefused | ReviewReason::ReturnAwaited => false,
                ReviewReason::RecipientDay
                | ReviewReason::RecipientOrder
                | ReviewReason::MandateOperation
                | ReviewReason::MandateDay
                | ReviewReason::MandateRecipient => match self.stage {
                    Stage::Detected => true,
                    Stage::Secured => payment::is_sold(self),
                    Stage::Paying => self.attempts.retry_at.is_some(),
                    _ => false,
                },
            },
            Event::OddParted { hash, coins, .. } => {
                let strange = self.stage == Stage::Review(ReviewReason::Strange);
                let mut held = self.deposits.iter();
                strange
                    && held.any(|held| held.deposit.hash == *hash && held.deposit.coins == *coins)
            }
            Event::ReviewEnded => sellers && self.stage == Stage::Review(ReviewReason::Short),
            Event::Cleared { coins, .. } => {
                let waits = match self.stage {
                    Stage::Review(
                        ReviewReason::Strange
                        | ReviewReason::Short
                        | ReviewReason::TooMuch
                        | ReviewReason::Unpriced,
                    ) => true,
                    Stage::Review(reason) => reason.is_ceiling(),
                    _ => false,
                };
                waits && self.all_confirmed() && *coins == self.in_suspense()
            }
            Event::Split { coins, .. } => {
                let more = |whole: Coins| {
                    whole.same_kind(*coins) && whole.units.minus(Some(coins.units)).is_some()
                };
                let fits = self.deposit_sum(DepositAccount::Order).is_some_and(more);
                self.order.pays_code() && self.stage == Stage::Detected && fits
            }
            Event::Delayed => {
                let moving = matches!(self.stage, Stage::Detected | Stage::Secured | Stage::Paying);
                moving && !self.delayed.is_on()
            }
            Event::Resumed => self.delayed.is_on(),
            Event::Secured { sale, .. } => {
                let first = matches!(self.order.route, Route::Dex | Route::Convert);
                first && self.is_ready_for(sale.coins) && sale.deal.checked_gross().is_some()
            }
            Event::SellingBegun(coins) => {
                let may = matches!(
                    self.stage,
                    Stage::Secured | Stage::Paying | Stage::Completed | Stage::Refunding
                );
                may && self.liquidation == Liquidation::None
                    && self.sale.is_some_and(|sale| sale.coins == *coins)
            }
            Event::SaleFilled { coins, proceeds, forwards } => {
                let whose = matches!(self.liquidation, Liquidation::Selling(c) | Liquidation::Lost(c) if c == *coins);
                let here = forwards.is_on() == (self.order.route == Route::Convert);
                whose && here && (forwards.is_on() || matches!(proceeds, Proceeds::Coins(_)))
            }
            Event::SaleFailed(coins) => {
                matches!(self.liquidation, Liquidation::Selling(c) | Liquidation::Lost(c) if c == *coins)
            }
            Event::Forwarding => matches!(self.liquidation, Liquidation::Sold(_)),
            Event::Forwarded { proceeds, .. } => {
                matches!(self.liquidation, Liquidation::Sold(p) | Liquidation::Forwarding(p) if p == *proceeds)
            }
            Event::PaymentBegun { sale, booked_in, .. } => {
                let ready = match self.order.route {
                    Route::Fast | Route::Liquid => self.is_ready_for(sale.coins),
                    Route::Dex | Route::Convert => {
                        self.stage == Stage::Secured && self.sale == Some(*sale)
                    }
                };
                *booked_in == self.booked_in() && ready && sale.deal.checked_gross().is_some()
            }
            Event::SendFailed { first, .. } => {
                let known = self.attempts.first.is_none_or(|known| known == *first);
                self.is_paying() && known && self.attempts.retry_at.is_none()
            }
            Event::RetryDue => self.stage == Stage::Paying && self.attempts.retry_at.is_some(),
            Event::PaymentLost => {
                let stopped = self.stage == Stage::Review(ReviewReason::Stopped);
                self.is_paying() && !stopped && !self.attempts.lost.is_on()
            }
            Event::KeyRefused(back) => {
                let within = self.sale.is_some_and(|sale| *back <= sale.deal.net);
                self.is_paying() && sellers && within && self.handed.is_none()
            }
            Event::PaymentResumed { kept, pix_key, counted_as, owner, .. } => {
                let refused = self.stage == Stage::Review(ReviewReason::KeyRefused);
                let whose = counted_as.is_some() == owner.is_some();
                let named = pix_key.is_some() || owner.is_none();
                refused && self.kept_cents() == Some(*kept) && whose && named
            }
            Event::HandedOver(coins) => {
                let liquid = self.order.route == Route::Liquid && sellers;
                let whole = self.sale.is_some_and(|sale| sale.coins == *coins);
                liquid && whole && self.handed.is_none() && self.kept.is_none()
            }
            Event::TokenKept(sale) => {
                let paid = self.pix.is_some() && self.sale == Some(*sale);
                paid && self.handed == Some(sale.coins)
            }
            Event::TokenRecovered(coins) => match (self.stage, self.handed) {
                (Stage::Refunding, Some(had)) => had.same_kind(*coins) && coins.units <= had.units,
                (Stage::Review(ReviewReason::KeyRefused), had) => had == Some(*coins),
                (_, _) => false,
            },
            Event::PaymentUnwound(sale) => self.is_paying() && sellers && self.sale == Some(*sale),
            Event::Completed { account, sale, booked_in, handed, .. } => {
                let whose = *account == self.order.account && self.sale == Some(*sale);
                self.is_paying()
                    && whose
                    && *booked_in == self.booked_in()
                    && *handed == self.handed
            }
            Event::RefundDecided { coins, source, .. } => {
                sellers && self.may_refund(*coins, *source)
            }
            Event::RefundAddressed(_) => self.refund_waits_for() == Some(Waits::Address),
            Event::RefundAllowed => {
                let waits = self.refund.as_ref();
                waits.is_some_and(|refund| {
                    refund.is_under_way_or_waits() && refund.allowed == Switch::Off
                })
            }
            Event::RefundSent { coins, earned, .. } => {
                let due = matches!(self.refund_waits_for(), Some(Waits::Network | Waits::Evidence));
                due && self.to_refund() == Some(*coins) && *earned == returns::refund_earnings(self)
            }
            Event::RefundFailed => {
                matches!(self.refund_waits_for(), Some(Waits::Network | Waits::Evidence))
            }
            Event::RefundLost => self.refund_waits_for() == Some(Waits::Network),
            Event::RefundForgone { coins, earned } => {
                let due = self.to_refund().filter(|_| self.stage == Stage::Refunding);
                let within =
                    due.is_some_and(|due| due.same_kind(*coins) && coins.units <= due.units);
                within && *earned == returns::forgone_earnings(self, *coins)
            }
        }
    }

    /// Tells whether all that was deposited is confirmed and is exactly this.
    fn is_ready_for(&self, coins: Coins) -> bool {
        let whole = self.deposit_sum(self.booked_in());
        self.stage == Stage::Detected && self.all_confirmed() && whole == Some(coins)
    }

    /// Tells whether these coins are what so much of the PIX buys.
    fn buys(&self, back: Amount, coins: Coins) -> bool {
        let bought = self.sale.and_then(|sale| returns::bought_anew(self, sale, back));
        bought == Some(coins)
    }

    fn kept_cents(&self) -> Option<Cents> {
        let (sale, back) = self.sale.zip(self.given_back)?;
        sale.deal.net.minus(back.as_cents())
    }

    fn may_refund(&self, coins: Coins, source: RefundSource) -> bool {
        match source {
            RefundSource::Deposit => {
                let stage = match self.stage {
                    Stage::Detected
                    | Stage::Review(
                        ReviewReason::Short
                        | ReviewReason::TooMuch
                        | ReviewReason::Unpriced
                        | ReviewReason::ReturnAwaited,
                    ) => self.handed.is_none(),
                    Stage::Secured => self.liquidation == Liquidation::None,
                    Stage::Review(reason) => reason.is_ceiling() && self.handed.is_none(),
                    _ => false,
                };
                stage && self.all_confirmed() && self.in_deposit() == Some(coins)
            }
            RefundSource::Suspense => self.all_confirmed() && self.in_suspense() == Some(coins),
            RefundSource::Sale { back, kept } => {
                let refused = self.stage == Stage::Review(ReviewReason::KeyRefused);
                let whole = self.given_back == Some(back) && self.kept_cents() == Some(kept);
                refused && whole && self.buys(back, coins)
            }
            RefundSource::Reversal(back) => {
                let sum = self.reversed.plus(back.as_cents());
                let paid = self.sale.map(|sale| sale.deal.net.as_cents());
                let within = matches!((sum, paid), (Some(sum), Some(paid)) if sum <= paid);
                let unsent = self.refund.as_ref().is_none_or(Refund::may_grow);
                self.stage == Stage::Completed && within && unsent && self.buys(back, coins)
            }
            RefundSource::Returned { short } => {
                let whole = short.map_or(Some(coins), |units| coins.plus(Coins { units, ..coins }));
                let awaited = self.stage == Stage::Review(ReviewReason::ReturnAwaited);
                awaited && self.handed.is_some() && self.handed == whole
            }
        }
    }
}
