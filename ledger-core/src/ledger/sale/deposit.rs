//! Reports of deposits: for an order, or as an unmatched deposit of their own; vanished, and mined
//! again.

use crate::id::{Kind, OpId};
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, accept, already_known};
use crate::ledger::malformed::RETURNED;
use crate::ledger::record::event::Event;
use crate::ledger::record::observation::{TxObservation, is_old};
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::machine::cash_out::{self, Command, Deposit, Event as Moved, Progress};
use crate::machine::refund::Coins;
use crate::machine::{Verdict, erroneous_delivery, unmatched_deposit};
use crate::terms::Switch;

impl FactContext<'_> {
    /// A deposit was seen: for its order, or as an unmatched deposit of its own.
    pub(in crate::ledger) fn deposit_seen(&self, deposit: Deposit) -> Decision {
        // It was seen before; how often it is confirmed by now is new (rulings 51).
        if self.is_confirming(&deposit) {
            return self.cash_out_moves(Command::See(deposit));
        }
        let observation = self.observation();
        if observation.wrong.is_on() {
            return self.aside(Reason::IdTaken);
        }
        if observation.skipped.is_on() {
            return self.came_and_went(deposit);
        }
        if self.former().any(|known| is_old(&deposit, known)) {
            // It tells again of what vanished since (rulings 8).
            return already_known();
        }
        if observation.confirmed.is_on() {
            // Its confirmation came first, and could not be booked without it.
            let hash = deposit.hash.clone();
            return self.deposit_confirmed(&hash, Some(deposit));
        }
        let asset = deposit.coins.asset;
        match self.cash_out_verdict(Command::See(deposit.clone()), Some(asset)) {
            Some((op, Verdict::Applied(steps))) => self.sale_steps(op, steps),
            Some((_, Verdict::Known)) => already_known(),
            Some((_, Verdict::SetAside)) | None => self.book_unmatched(deposit, Switch::Off),
        }
    }

    /// Tells whether the named order has this deposit by the very sighting that is reported again,
    /// and it has more confirmations than the order knows of.
    pub(super) fn is_confirming(&self, deposit: &Deposit) -> bool {
        let order = self.cash_out().and_then(|(_, state)| state.progress());
        let seen = order.filter(|order| order.order.is_sellers() && self.lookup.seen.is_some());
        let mut held = seen.into_iter().flat_map(|order| &order.deposits);
        held.any(|held| held.deposit.hash == deposit.hash && held.is_short_of(deposit))
    }

    /// A deposit is confirmed; reported in full, or mined again, that implies that it was seen
    /// (rulings 8).
    pub(in crate::ledger) fn deposit_confirmed(
        &self,
        hash: &str,
        deposit: Option<Deposit>,
    ) -> Decision {
        let observation = self.observation();
        if observation.wrong.is_on() {
            return self.aside(Reason::IdTaken);
        }
        if let Some(told) = deposit.as_ref().filter(|_| observation.contradicted.is_on()) {
            return self.sighting_contradicted(told);
        }
        if let Some((op, state)) = self.unmatched_by_hash(hash) {
            return match unmatched_deposit::decide(state, unmatched_deposit::Command::Confirm) {
                Verdict::Applied(steps) => unmatched_steps(op, steps),
                Verdict::Known => already_known(),
                Verdict::SetAside => self.aside(Reason::OutOfTurn),
            };
        }
        if observation.brought.is_some() {
            return self.cash_out_moves(Command::Confirm(hash.into()));
        }
        match deposit.or_else(|| self.had_vanished(hash)) {
            Some(deposit) => self.seen_and_confirmed(deposit),
            // Its deposit is not known: it is once that is reported.
            None if observation.confirmed.is_on() => already_known(),
            None => self.aside(Reason::TooEarly),
        }
    }

    /// A deposit vanished before it was confirmed; what is confirmed and vanishes is a claim.
    pub(in crate::ledger) fn deposit_vanished(&self, hash: &str) -> Decision {
        let observation = self.observation();
        let again = observation.number.is_some() && !observation.replaced.is_on();
        if observation.wrong.is_on() {
            return self.aside(Reason::IdTaken);
        }
        if let Some((op, state)) = self.unmatched_by_hash(hash) {
            return match unmatched_deposit::decide(state, unmatched_deposit::Command::Vanish) {
                Verdict::Applied(steps) => unmatched_steps(op, steps),
                Verdict::Known => already_known(),
                Verdict::SetAside => {
                    self.claim_lost_coins(op, state.order().map(|o| o.deposit.coins), hash)
                }
            };
        }
        if observation.brought.is_none() && again {
            return already_known();
        }
        match self.cash_out_verdict(Command::Vanish(hash.into()), None) {
            Some((op, Verdict::Applied(steps))) => self.sale_steps(op, steps),
            Some((_, Verdict::Known)) => already_known(),
            Some((op, Verdict::SetAside)) => {
                let order = self.cash_out().and_then(|(_, state)| state.progress());
                let had = order.and_then(|known| known.had(hash));
                self.claim_lost_coins(op, had, hash)
            }
            None => self.aside(self.unfit()),
        }
    }

    pub(super) fn observation(&self) -> &TxObservation {
        self.lookup.observation.as_ref().expect("news of a deposit names its transaction")
    }

    /// The unmatched deposit that this transaction became.
    pub(super) fn unmatched_by_hash(
        &self,
        hash: &str,
    ) -> Option<(OpId, &unmatched_deposit::State)> {
        let (op, known) = self.lookup.holder.as_ref().or(self.lookup.operation.as_ref())?;
        let state = known.unmatched_deposit().filter(|state| state.is_of(hash))?;
        Some((*op, state))
    }

    /// Returns what vanished of the order that the report names, and what the transaction was
    /// before where that was sent for the same order.
    fn former(&self) -> impl Iterator<Item = &Deposit> {
        let named = self.cash_out();
        let order = named.and_then(|(_, state)| state.progress());
        let op = named.map(|(op, _)| op);
        let former = self.observation().former.as_ref().map(|(op, _)| *op);
        let itself = former.is_some() && former == self.about;
        let unmatched = self.former_unmatched().filter(move |order| itself || order.about == op);
        let vanished = order.into_iter().flat_map(|known| &known.vanished);
        vanished.chain(unmatched.map(|order| &order.deposit))
    }

    fn former_unmatched(&self) -> Option<&unmatched_deposit::Order> {
        let (_, known) = self.observation().former.as_ref()?;
        known.unmatched_deposit()?.order().map(AsRef::as_ref)
    }

    /// Returns what this transaction brought when it was seen before: it is seen again now.
    fn had_vanished(&self, hash: &str) -> Option<Deposit> {
        let order = self.cash_out().and_then(|(_, state)| state.progress());
        let mut vanished = order.into_iter().flat_map(|known| &known.vanished);
        let known = vanished.find(|known| *known.hash == *hash);
        let known = known.or(self.former_unmatched().map(|order| &order.deposit));
        known.map(|known| Deposit { seen_at: self.at, confirmations: None, ..known.clone() })
    }

    fn seen_and_confirmed(&self, deposit: Deposit) -> Decision {
        let command = Command::See(deposit.clone());
        let seen = self.cash_out_verdict(command, Some(deposit.coins.asset));
        let (Some((op, Verdict::Applied(first))), Some((_, state))) = (seen, self.cash_out())
        else {
            return self.book_unmatched(deposit, Switch::On);
        };
        let mut state = state.clone();
        for step in &first {
            state = cash_out::evolve(&state, step, self.at);
        }
        let now = self.sale_context(&state, None);
        let command = Command::Confirm(deposit.hash);
        match cash_out::decide(&state, command, &now) {
            Verdict::Applied(then) => self.sale_steps(op, first.into_iter().chain(then).collect()),
            Verdict::Known | Verdict::SetAside => {
                unreachable!("what was just seen is confirmed")
            }
        }
    }

    /// Crypto that no order takes is an unmatched deposit.
    fn book_unmatched(&self, deposit: Deposit, confirmed: Switch) -> Decision {
        let (op, mut steps) = self.receipt_of(deposit, self.observation().number);
        if confirmed.is_on() {
            let state = unmatched_deposit::evolve(&unmatched_deposit::State::Absent, &steps[0]);
            if let Verdict::Applied(then) =
                unmatched_deposit::decide(&state, unmatched_deposit::Command::Confirm)
            {
                steps.extend(then);
            }
        }
        self.waits(unmatched_steps(op, steps).events, Some(op), self.arrival_reason())
    }

    /// An order goes on without a deposit that it had in suspense.
    pub(in crate::ledger) fn odd_parted(&self, op: OpId, hash: &str) -> unmatched_deposit::Event {
        let progress = self.cash_out().and_then(|(_, state)| state.progress());
        let mut held = progress.into_iter().flat_map(|known| &known.deposits);
        let held = held.find(|held| *held.deposit.hash == *hash);
        let held = held.expect("an order parts with what it has");
        let about = progress.map(|progress| (op, progress.as_ref()));
        let order = Box::new(unmatched_order(held.deposit.clone(), about));
        unmatched_deposit::Event::Parted { order, confirmed: held.confirmed }
    }

    /// A token that the provider gave back and should not have had: it is in the stock, and whose
    /// it is a person finds out.
    pub(in crate::ledger) fn book_unmatched_token(&self, coins: Coins) -> Decision {
        let op = OpId::new(Kind::UnmatchedDeposit, self.state.seq.next());
        // The report names no transaction; the unmatched deposit's own number stands for it.
        let hash = format!("{RETURNED}{op:?}").into();
        let deposit = Deposit { coins, hash, from: None, seen_at: self.at, confirmations: None };
        let about = self.cash_out();
        let account = about.and_then(|(_, state)| Some(state.progress()?.order.account));
        let about = about.map(|(op, _)| op);
        let (to, refund_alone, sighting) = (None, None, None);
        let order =
            unmatched_deposit::Order { deposit, about, account, to, refund_alone, sighting };
        let steps = vec![
            unmatched_deposit::Event::Received(Box::new(order)),
            unmatched_deposit::Event::Confirmed(coins),
        ];
        self.waits(unmatched_steps(op, steps).events, Some(op), Reason::OutOfTurn)
    }

    /// A deposit reported after it vanished came and went: nothing waits for what has ended, and
    /// what it was is known when it is mined again.
    fn came_and_went(&self, deposit: Deposit) -> Decision {
        let coins = deposit.coins;
        let (op, mut steps) = self.receipt_of(deposit, None);
        steps.push(unmatched_deposit::Event::Vanished(coins));
        unmatched_steps(op, steps)
    }

    fn receipt_of(
        &self,
        deposit: Deposit,
        sighting: Option<u32>,
    ) -> (OpId, Vec<unmatched_deposit::Event>) {
        let about = self.cash_out().and_then(|(op, state)| Some((op, state.progress()?.as_ref())));
        let order = match (about, self.former_unmatched()) {
            // It is of the order it was of before.
            (None, Some(former)) => unmatched_deposit::Order { deposit, ..former.clone() },
            (about, _) => unmatched_order(deposit, about),
        };
        let order = Box::new(unmatched_deposit::Order { sighting, ..order });
        (
            OpId::new(Kind::UnmatchedDeposit, self.state.seq.next()),
            vec![unmatched_deposit::Event::Received(order)],
        )
    }

    /// What was confirmed is in the stock by the books and not on its network: a claim until it is
    /// mined again, or lost for good.
    fn claim_lost_coins(&self, about: OpId, coins: Option<Coins>, hash: &str) -> Decision {
        match coins {
            // The order went on without them, and it is known that they are gone.
            None if self.lookup.claimed.is_some() => already_known(),
            None => self.aside(self.unfit()),
            Some(Coins { asset, chain, units }) => {
                let (hash, again) = (hash.into(), self.observation().again);
                self.claim_delivery(
                    erroneous_delivery::Order { asset, chain, units, about, hash, again },
                    Reason::Vanished,
                )
            }
        }
    }

    /// A deposit that is seen again says so.
    pub(in crate::ledger) fn with_sighting(&self, event: Moved) -> Moved {
        match (event, &self.lookup.observation) {
            (Moved::DepositSeen { deposit, booked_in, repriced, counted, .. }, Some(known)) => {
                let sighting = known.number;
                Moved::DepositSeen { deposit, booked_in, repriced, counted, sighting }
            }
            (event, _) => event,
        }
    }
}

pub(super) fn unmatched_steps(op: OpId, steps: Vec<unmatched_deposit::Event>) -> Decision {
    accept(steps.into_iter().map(|event| Event::UnmatchedDeposit { op, event }).collect())
}

/// An unmatched deposit: of the order it was sent for, to the wallet confirmed for that one, where
/// both are on one network and of one asset (COUT-51).
pub(in crate::ledger) fn unmatched_order(
    deposit: Deposit,
    about: Option<(OpId, &Progress)>,
) -> unmatched_deposit::Order {
    let order = about.map(|(_, progress)| &progress.order);
    let same = order.filter(|order| order.coins.same_kind(deposit.coins));
    let alone = about.filter(|_| same.is_some()).and_then(|(_, known)| known.refunds_alone());
    unmatched_deposit::Order {
        about: about.map(|(op, _)| op),
        account: order.map(|order| order.account),
        to: same.and_then(|order| order.refund_address.clone()),
        refund_alone: alone,
        deposit,
        sighting: None,
    }
}
