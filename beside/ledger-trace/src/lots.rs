//! Sources, where money entered the part of the ledger that owes it to somebody; lots, which are
//! money of one source that came by one arrival; and the lines in which they stand.

use std::collections::VecDeque;

use ledger_core::id::{OpId, Seq};

use crate::account::LedgerAccount;
use crate::rule::Rule;

/// A source, by its number in a tracer: an earlier one has a smaller number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// How money came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// It came in from one of our own accounts: a PIX by `prov.pix`, coins by `transit`, a gift of
    /// the house by `rev.deposit`.
    Came,
    /// It was advanced: an account paid it that had nothing left, and fell below zero.
    Advanced,
}

/// One entrance of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// How it came to be.
    pub origin: Origin,
    /// The account that it came out of.
    pub place: LedgerAccount,
    /// The record that booked it.
    pub record: Seq,
    /// The operation that it came by, if it came by one.
    pub op: Option<OpId>,
    /// How much came, in centavos or in the asset's smallest units.
    pub amount: u128,
}

/// Money of one source, in one part of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lot {
    /// The arrival at its home by which it stands in line: a later one has a larger number, and 0
    /// had none yet.
    pub arrival: u64,
    /// Where it came from.
    pub source: SourceId,
    /// Tells whether it is money that the trace follows.
    pub traced: bool,
    /// How much, in centavos or in the asset's smallest units; above zero.
    pub amount: u128,
}

impl Lot {
    const fn key(&self) -> (u64, SourceId, bool) {
        (self.arrival, self.source, self.traced)
    }
}

/// The lots of one part of an account, in their line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lots {
    line: VecDeque<Lot>,
    total: u128,
}

impl Lots {
    pub(crate) const fn total(&self) -> u128 {
        self.total
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Lot> {
        self.line.iter()
    }

    /// Puts a lot in its place in the line.
    pub(crate) fn insert(&mut self, lot: Lot) {
        self.total += lot.amount;
        match self.line.back_mut() {
            Some(last) if last.key() == lot.key() => last.amount += lot.amount,
            Some(last) if last.key() > lot.key() => {
                match self.line.binary_search_by_key(&lot.key(), Lot::key) {
                    Ok(place) => self.line[place].amount += lot.amount,
                    Err(place) => self.line.insert(place, lot),
                }
            }
            Some(_) => self.line.push_back(lot),
            None => {
                // Most parts of accounts hold one lot at a time.
                self.line.reserve_exact(1);
                self.line.push_back(lot);
            }
        }
    }

    /// Takes so much by the rule, or all that there is; in the order in which the rule takes.
    pub(crate) fn take(&mut self, amount: u128, rule: Rule) -> Vec<Lot> {
        let amount = amount.min(self.total);
        self.total -= amount;
        match rule {
            Rule::FirstIn => self.take_from_end(amount, VecDeque::front_mut, VecDeque::pop_front),
            Rule::LastIn => self.take_from_end(amount, VecDeque::back_mut, VecDeque::pop_back),
            Rule::Proportion => {
                let sizes: Vec<u128> = self.line.iter().map(|lot| lot.amount).collect();
                let parts = rule.divide(amount, &sizes);
                let taken = self.line.iter_mut().zip(parts).filter_map(|(lot, part)| {
                    lot.amount -= part;
                    (part > 0).then_some(Lot { amount: part, ..*lot })
                });
                let taken = taken.collect();
                self.line.retain(|lot| lot.amount > 0);
                taken
            }
        }
    }

    fn take_from_end(
        &mut self,
        amount: u128,
        end: fn(&mut VecDeque<Lot>) -> Option<&mut Lot>,
        pop: fn(&mut VecDeque<Lot>) -> Option<Lot>,
    ) -> Vec<Lot> {
        let mut left = amount;
        let mut taken = Vec::with_capacity(1);
        while left > 0 {
            let lot = end(&mut self.line).expect("the lots sum to the total");
            if lot.amount > left {
                lot.amount -= left;
                taken.push(Lot { amount: left, ..*lot });
                break;
            }
            left -= lot.amount;
            taken.extend(pop(&mut self.line));
        }
        taken
    }

    /// Takes so much of the lots that are `chosen`, by the rule, or all of them.
    pub(crate) fn take_chosen(
        &mut self,
        amount: u128,
        rule: Rule,
        chosen: impl Fn(&Lot) -> bool,
    ) -> Vec<Lot> {
        let mut among = Self::default();
        for lot in self.line.iter().filter(|lot| chosen(lot)) {
            among.insert(*lot);
        }
        let taken = among.take(amount, rule);
        for lot in &taken {
            self.remove(lot);
        }
        taken
    }

    /// Takes a lot out, or a part of one, that stands in the line.
    pub(crate) fn remove(&mut self, lot: &Lot) {
        let place = self.line.binary_search_by_key(&lot.key(), Lot::key);
        let place = place.expect("the lot stands in this line");
        self.line[place].amount -= lot.amount;
        self.total -= lot.amount;
        if self.line[place].amount == 0 {
            self.line.remove(place);
        }
    }
}
