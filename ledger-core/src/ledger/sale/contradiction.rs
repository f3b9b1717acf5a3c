//! A confirmation that reports other coins than were seen: nobody is paid what the sighting said,
//! and what the network confirmed waits for a person (rulings 1 and 54).

use super::deposit::{unmatched_order, unmatched_steps};
use crate::id::{Kind, OpId};
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::FactContext;
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::machine::cash_out::{
    Deposit, DepositAccount, Event as Moved, HeldDeposit, Progress, ReviewReason, Stage,
};
use crate::machine::refund::Coins;
use crate::machine::{Verdict, unmatched_deposit};

impl FactContext<'_> {
    /// Ends the sighting and books the coins `told`: in suspense for the order that had it alone,
    /// or as an unmatched deposit that only an operator refunds.
    pub(super) fn sighting_contradicted(&self, told: &Deposit) -> Decision {
        if let Some((op, state)) = self.unmatched_by_hash(&told.hash) {
            return self.receipt_contradicted(op, state, told);
        }
        let (op, state) = self.cash_out().expect("an order saw what it contradicts");
        let progress = state.progress().expect("what saw a deposit was quoted");
        let mut held = progress.deposits.iter();
        let held = held.find(|held| held.deposit.hash == told.hash);
        let held = held.expect("an order saw what it contradicts");
        let (hash, coins, booked_in) = (told.hash.clone(), held.deposit.coins, held.booked_in);
        let ended = Moved::DepositVanished { hash, coins, booked_in };
        let reason = why(coins, told.coins);
        let of_order = |steps: Vec<Moved>| {
            steps.into_iter().map(|event| Event::CashOut { op, event }).collect::<Vec<_>>()
        };
        if progress.deposits.len() == 1 {
            let steps = [vec![ended], self.held_in_suspense(held, told)].concat();
            return self.waits(of_order(steps), Some(op), reason);
        }
        // The others are less than was seen, or there is more than anybody saw.
        let more = coins.same_kind(told.coins) && coins.units < told.coins.units;
        let why = if more { ReviewReason::TooMuch } else { ReviewReason::Short };
        let opened = Moved::ReviewOpened(why);
        let opened = Some(opened).filter(|_| progress.stage == Stage::Detected);
        let mut events = of_order([ended].into_iter().chain(opened).collect());
        let about = Some((op, Progress::clone(progress)));
        let order = unmatched_order(told.clone(), about.as_ref().map(|(op, it)| (*op, it)));
        let (receipt, booked) = self.confirmed_receipt(order);
        events.extend(booked);
        self.waits(events, Some(receipt), reason)
    }

    /// Puts the confirmed coins in suspense instead of an order's only deposit, seen when that was.
    fn held_in_suspense(&self, held: &HeldDeposit, told: &Deposit) -> Vec<Moved> {
        let (hash, coins) = (told.hash.clone(), told.coins);
        let deposit = Deposit { seen_at: held.deposit.seen_at, ..told.clone() };
        let seen = Moved::DepositSeen {
            deposit,
            booked_in: DepositAccount::Suspense,
            repriced: None,
            counted: None,
            sighting: Some(self.next_sighting()),
        };
        let opened = Moved::ReviewOpened(ReviewReason::Strange);
        vec![seen, opened, Moved::DepositConfirmed { hash, coins }]
    }

    fn receipt_contradicted(
        &self,
        op: OpId,
        state: &unmatched_deposit::State,
        told: &Deposit,
    ) -> Decision {
        let known = state.order().expect("a receipt is of what was seen");
        let ended = match unmatched_deposit::decide(state, unmatched_deposit::Command::Vanish) {
            Verdict::Applied(steps) => unmatched_steps(op, steps).events,
            Verdict::Known | Verdict::SetAside => {
                unreachable!("only an unconfirmed sighting is contradicted")
            }
        };
        let seen = &known.deposit;
        let to = known.to.clone().filter(|_| seen.coins.same_kind(told.coins));
        let deposit = Deposit { seen_at: seen.seen_at, ..told.clone() };
        let order = unmatched_deposit::Order::clone(known);
        let (receipt, booked) =
            self.confirmed_receipt(unmatched_deposit::Order { deposit, to, ..order });
        let events = ended.into_iter().chain(booked).collect();
        self.waits(events, Some(receipt), why(seen.coins, told.coins))
    }

    /// A receipt that is confirmed as it comes, and that only an operator refunds.
    fn confirmed_receipt(&self, order: unmatched_deposit::Order) -> (OpId, Vec<Event>) {
        let (coins, sighting) = (order.deposit.coins, Some(self.next_sighting()));
        let order = unmatched_deposit::Order { refund_alone: None, sighting, ..order };
        let op = OpId::new(Kind::UnmatchedDeposit, self.state.seq.next());
        let steps = vec![
            unmatched_deposit::Event::Received(Box::new(order)),
            unmatched_deposit::Event::Confirmed(coins),
        ];
        (op, unmatched_steps(op, steps).events)
    }

    fn next_sighting(&self) -> u32 {
        self.observation().number.unwrap_or(1) + 1
    }
}

/// The reason that coins are not those that were seen.
fn why(seen: Coins, told: Coins) -> Reason {
    if seen.same_kind(told) { Reason::AmountDiffers } else { Reason::NotAwaited }
}
