//! Payers and days as the oracle counts them: from the charges themselves, every time anew
//! (rulings 12; LIM-04 to LIM-16).

use ledger_core::id::{AccountId, Token};
use ledger_core::ledger::{ChargeRequest, Outcome, Refusal};
use ledger_core::money::Cents;
use ledger_core::terms::{Allowance, Ladder, Review, Stage, Terms};
use ledger_core::time::{Instant, Span};

use super::ChargeStatus;
use crate::goal::Goal;
use crate::oracle::{Oracle, later, next_midnight};

impl Oracle {
    /// Somebody looked at a payer.
    pub(in crate::oracle) fn payer_reviewed(&mut self, payer: Token, review: Review) -> Outcome {
        self.reviews.insert(payer, review);
        Outcome::Applied(None)
    }

    /// Returns what the payer may pay and what the account may charge today; the hours the ladder
    /// holds it.
    pub(in crate::oracle) fn admit(
        &mut self,
        account: AccountId,
        terms: &Terms,
        request: &ChargeRequest,
        at: Instant,
    ) -> Result<(Option<Allowance>, Option<u16>), Refusal> {
        if self.review_of(&request.payer) == Review::Blocked {
            self.reach(Goal::PayerBlocked);
            return Err(Refusal::PayerBlocked);
        }
        let cents = request.amount.cents();
        let of = (&request.payer, account);
        let allowance = self.policy.ladder.map(|ladder| self.allowance(of, ladder, at));
        let mut hours = None;
        if let Some(allowance) = allowance {
            let ends = allowance.matures_at;
            if cents > allowance.most.cents() {
                if ends.is_some_and(|ends| ends.since(at).micros() == 1) {
                    self.reach(Goal::LastOfFirstDay);
                }
                self.reach(match allowance.stage {
                    Stage::FirstQr => Goal::RefusedFirstQr,
                    Stage::FirstTransaction => Goal::RefusedFirstTransaction,
                    Stage::FirstDay => Goal::RefusedFirstDay,
                    Stage::Mature => Goal::RefusedMature,
                });
                return Err(Refusal::PayerLimit { allowance: Box::new(allowance) });
            }
            hours = (cents > allowance.at_once.cents()).then_some(allowance.ladder.hours);
            if hours.is_some() {
                self.reach(Goal::HeldByLadder);
            } else if cents == allowance.at_once.cents() {
                self.reach(Goal::LadderExact);
            }
        }
        if let Some(left) = self.left_to_charge(account, terms, at) {
            if cents > left {
                self.reach(Goal::ChargeCeiling);
                self.last_of_the_day(at);
                return Err(Refusal::DailyCeiling { until: next_midnight(at) });
            }
            if cents == left {
                self.reach(Goal::ChargeFillsDay);
            }
            if is_midnight(at) {
                self.reach(Goal::NewDay);
            }
        }
        let matured = allowance.is_some_and(|allowance| allowance.stage == Stage::Mature);
        if matured && self.first_day_ends(&request.payer) == Some(at) {
            self.reach(Goal::MaturedAtOnce);
        }
        Ok((allowance, hours))
    }

    /// Notes a ceiling that held to the last microsecond of its day.
    pub(in crate::oracle) fn last_of_the_day(&mut self, at: Instant) {
        if next_midnight(at).since(at).micros() == 1 {
            self.reach(Goal::LastOfDay);
        }
    }

    fn first_day_ends(&self, payer: &Token) -> Option<Instant> {
        let own = self.paid_by.get(payer)?.iter();
        let first = own.filter_map(|op| self.charges[op].counted_at).min()?;
        Some(later(first, Span::hours(24)))
    }

    fn review_of(&self, payer: &Token) -> Review {
        self.reviews.get(payer).copied().unwrap_or_default()
    }

    /// Returns what the payer may pay this account. Other accounts' unpaid charges leave half of
    /// whatever bound there is.
    pub(super) fn allowance(
        &self,
        (payer, account): (&Token, AccountId),
        ladder: Ladder,
        at: Instant,
    ) -> Allowance {
        let own = self.paid_by.get(payer).map_or(&[][..], Vec::as_slice);
        let own = || own.iter().map(|op| &self.charges[op]);
        // The first window counts what was confirmed within it, a day what was paid on it.
        let confirmed = |since: Instant, until: Instant, paid: bool| -> i64 {
            let inside = own().filter(|charge| {
                charge.counted_at.is_some_and(|counted| {
                    let dated = if paid { charge.was_paid_at(counted) } else { counted };
                    since <= dated && dated < until
                })
            });
            inside.map(|charge| charge.received).sum()
        };
        let mut unpaid = (0, 0);
        for charge in own() {
            if matches!(charge.status, ChargeStatus::Pending | ChargeStatus::UnderReview) {
                let asker = self.subaccounts[charge.subaccount.0 as usize].account;
                let whose = if asker == account { &mut unpaid.0 } else { &mut unpaid.1 };
                *whose += charge.amount;
            }
        }
        let first = own().filter_map(|charge| charge.counted_at).min();
        let day_after = first.map(|first| later(first, Span::hours(24)));
        let (stage, paid) = match (first, day_after) {
            (Some(first), Some(ends)) if at < ends => {
                (Stage::FirstDay, confirmed(first, ends, false))
            }
            (Some(_), _) => {
                let midnight = next_midnight(at);
                let began = Instant::from_micros(midnight.micros() - 86_400_000_000);
                let began = began.expect("the simulator lives in this century");
                (Stage::Mature, confirmed(began, midnight, true))
            }
            (None, _) if self.review_of(payer) == Review::Unknown => (Stage::FirstQr, 0),
            (None, _) => (Stage::FirstTransaction, 0),
        };
        let band = match stage {
            Stage::FirstQr => ladder.first_qr.min(ladder.first_transaction),
            Stage::FirstTransaction => ladder.first_transaction,
            Stage::FirstDay => ladder.first_day,
            Stage::Mature => ladder.mature_day,
        };
        let used = |most: i64| paid + unpaid.0 + unpaid.1.min(most / 2);
        let left = |most: i64| Cents::new((most - used(most)).max(0)).expect("not negative");
        let held = left(ladder.held.cents());
        let first_qr = ladder.first_qr.as_cents();
        Allowance {
            stage,
            used: Cents::new(used(ladder.held.cents())).expect("not negative"),
            at_once: left(band.cents()),
            most: if stage == Stage::FirstQr { held.min(first_qr) } else { held },
            held,
            matures_at: day_after.filter(|ends| at < *ends),
            ladder,
        }
    }

    /// Returns what the account's daily ceiling leaves it to charge on the day of `at`, where there
    /// is one.
    pub(crate) fn left_to_charge(
        &self,
        account: AccountId,
        terms: &Terms,
        at: Instant,
    ) -> Option<i64> {
        terms.charged_daily.map(|most| most.cents() - self.charged_on(account, at))
    }

    /// The same for payouts.
    pub(crate) fn left_to_pay_out(
        &self,
        account: AccountId,
        terms: &Terms,
        at: Instant,
    ) -> Option<i64> {
        terms.paid_out_daily.map(|most| most.cents() - self.paid_out_on(account, at))
    }

    /// Returns what the account charged on the day of `at`: issued that day and not come to nothing
    /// since.
    fn charged_on(&self, account: AccountId, at: Instant) -> i64 {
        let until = next_midnight(at);
        let own = self.accounts[account.0 as usize].charged.iter().rev();
        let own = own.map(|op| &self.charges[op]);
        let today = own.take_while(|charge| next_midnight(charge.created_at) == until);
        let stands = today.filter(|charge| {
            !matches!(charge.status, ChargeStatus::Expired | ChargeStatus::Failed)
        });
        stands.map(|charge| charge.amount).sum()
    }

    /// Returns what the account paid out on the day of `at`: requested that day and not failed
    /// since.
    fn paid_out_on(&self, account: AccountId, at: Instant) -> i64 {
        let until = next_midnight(at);
        let own = self.accounts[account.0 as usize].paid_out.iter().rev();
        let own = own.map(|op| &self.payouts[op]);
        let today = own.take_while(|payout| next_midnight(payout.created_at) == until);
        let stands = today.filter(|payout| payout.status != crate::oracle::PayoutStatus::Failed);
        stands.map(|payout| payout.amount).sum()
    }
}

/// Tells whether a day of Brasilia begins at this very instant.
fn is_midnight(at: Instant) -> bool {
    next_midnight(at).since(at) == Span::hours(24)
}
