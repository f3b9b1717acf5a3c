//! The tracer: follows a journal record by record, and knows of every account which money stands
//! there.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ledger_core::accounting::{Account, Class};
use ledger_core::id::OpId;

use crate::account::{LedgerAccount, Slot};
use crate::lots::{Lot, Lots, Origin, Source, SourceId};
use crate::rule::{Rule, apportion};
use crate::step::{Begins, Flow, Hop, Step, Taken};

/// An arrival at a home: whose line it was, and by which operation.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    home: LedgerAccount,
    op: Option<OpId>,
}

/// Every lot of a ledger, under one rule.
///
/// A step costs its flows times the logarithm of the parts of accounts that there are; in
/// proportion, also times the lots of the account that it takes from.
#[derive(Clone, Debug)]
pub struct Tracer {
    rule: Rule,
    sources: Vec<Source>,
    /// Sources by the operations that brought them.
    brought: BTreeMap<OpId, BTreeSet<SourceId>>,
    arrivals: Vec<Arrival>,
    slots: BTreeMap<Slot, Lots>,
    /// Advances that are not made good, by account, the earliest first.
    owing: BTreeMap<LedgerAccount, VecDeque<(SourceId, u128)>>,
    /// Money that made an advance good.
    covered: BTreeMap<SourceId, Lots>,
    /// Into which accounts of exchange an operation has put money.
    exchanged: BTreeMap<OpId, BTreeSet<LedgerAccount>>,
}

impl Tracer {
    /// A tracer of a ledger that has no record yet.
    #[must_use]
    pub const fn new(rule: Rule) -> Self {
        Self {
            rule,
            sources: Vec::new(),
            brought: BTreeMap::new(),
            arrivals: Vec::new(),
            slots: BTreeMap::new(),
            owing: BTreeMap::new(),
            covered: BTreeMap::new(),
            exchanged: BTreeMap::new(),
        }
    }

    /// Returns the source of this number.
    ///
    /// # Panics
    ///
    /// When no source of this tracer has it.
    #[must_use]
    pub fn source(&self, id: SourceId) -> &Source {
        &self.sources[id.0 as usize]
    }

    /// The parts of accounts that hold money, each with its lots in their line.
    pub fn slots(&self) -> impl Iterator<Item = (Slot, impl Iterator<Item = &Lot>)> {
        self.slots
            .iter()
            .filter(|(_, lots)| lots.total() > 0)
            .map(|(slot, lots)| (*slot, lots.iter()))
    }

    /// The advances that were made good, in whole or in part, with what did it.
    pub fn covered_advances(&self) -> impl Iterator<Item = (SourceId, impl Iterator<Item = &Lot>)> {
        self.covered.iter().map(|(advance, lots)| (*advance, lots.iter()))
    }

    /// Returns how much stands in one part of an account.
    #[must_use]
    pub fn total(&self, slot: Slot) -> u128 {
        self.slots.get(&slot).map_or(0, Lots::total)
    }

    /// Returns the balance of an account of what is owed: its lots less the advances that are not
    /// made good. It equals the balance of the books after every record.
    #[must_use]
    pub fn balance(&self, place: LedgerAccount) -> i128 {
        let lots: u128 = self.parts(place).map(|(_, lots)| lots.total()).sum();
        let owing = self.owing.get(&place).into_iter().flatten();
        let owing: u128 = owing.map(|(_, amount)| amount).sum();
        to_signed(lots) - to_signed(owing)
    }

    fn parts(&self, place: LedgerAccount) -> impl Iterator<Item = (&Slot, &Lots)> {
        let first = Slot { place, of: None };
        self.slots.range(first..).take_while(move |(slot, _)| slot.place == place)
    }

    /// Follows one step, and shows each lot that it moves.
    ///
    /// Flows go in the order of the entry, but one that would take more than stands there waits
    /// for those of the same step that come there.
    pub fn step(&mut self, step: &Step, seen: &mut dyn FnMut(&Hop)) {
        let mut pending = step.flows.clone();
        while !pending.is_empty() {
            let waits = |flow: &Flow| {
                pending.iter().any(|other| feeds(other, flow)) && !self.suffices(flow)
            };
            let next = pending.iter().position(|flow| !waits(flow)).unwrap_or(0);
            let flow = pending.remove(next);
            if flow.from.place == flow.to.place {
                self.hand_over(&flow);
            } else {
                self.flow(step, &flow, seen);
            }
        }
    }

    fn suffices(&self, flow: &Flow) -> bool {
        self.total(flow.from) >= flow.amount || self.inputs(flow.from).is_some()
    }

    /// Gives another operation what one put aside, in the same account.
    fn hand_over(&mut self, flow: &Flow) {
        for lot in self.slots.entry(flow.from).or_default().take(flow.amount, self.rule) {
            self.slots.entry(flow.to).or_default().insert(lot);
        }
    }

    fn flow(&mut self, step: &Step, flow: &Flow, seen: &mut dyn FnMut(&Hop)) {
        let own = step.op.is_some() && (flow.from.of == step.op || flow.from.place.op() == step.op);
        let has_brought = step.op.is_some_and(|op| self.brought.contains_key(&op));
        let lots = self.take(step, flow);
        self.learn_brought(step, flow, &lots);
        let mut arrived = None;
        for (mut lot, taken) in lots {
            let begins = match step.begins {
                Begins::Nothing => false,
                Begins::Incoming => taken == Taken::Came && flow.from.place.class() == Class::Asset,
                Begins::Drawn => match taken {
                    Taken::Stood | Taken::Advanced => !own && !has_brought,
                    Taken::Came => true,
                    Taken::Exchanged => false,
                },
            };
            let begins = begins && !lot.traced;
            lot.traced |= begins;
            let mut show = |covers, amount| {
                let Step { record, event, op, .. } = *step;
                let Lot { source, traced, .. } = lot;
                let Flow { from, to, .. } = *flow;
                let hop = Hop {
                    record,
                    event,
                    op,
                    source,
                    taken,
                    traced,
                    begins,
                    from,
                    to,
                    covers,
                    amount,
                };
                seen(&hop);
            };
            for (advance, amount) in self.cover(flow.to.place, lot) {
                lot.amount -= amount;
                show(Some(advance), amount);
            }
            if lot.amount > 0 {
                show(None, lot.amount);
                self.credit(step, flow.to, lot, &mut arrived);
            }
        }
    }

    /// Remembers by which operation a source came: what a charge takes out of suspense is its own.
    fn learn_brought(&mut self, step: &Step, flow: &Flow, lots: &[(Lot, Taken)]) {
        let Some(op) = step.op else { return };
        let suspense = flow.from.place == LedgerAccount::Reais(Account::SuspensePix);
        for (lot, taken) in lots {
            if *taken == Taken::Came || (suspense && flow.from.of != step.op) {
                self.brought.entry(op).or_default().insert(lot.source);
            }
        }
    }

    /// Takes an amount out of a part of an account, in the order in which the rule takes lots.
    fn take(&mut self, step: &Step, flow: &Flow) -> Vec<(Lot, Taken)> {
        let Flow { from, amount, .. } = *flow;
        let rule = self.rule;
        let owed = from.place.is_owed();
        let mut taken = Vec::new();
        let mut left = amount;
        // Nobody says whose it is that stands in an account of our own by no operation.
        if owed || from.of.is_some() {
            if let Some(first) = step.prefers.filter(|_| owed && from.of.is_none()) {
                let lots = self.take_preferred(from, left, first);
                left -= sum(&lots);
                taken.extend(lots);
            }
            if let Some(lots) = self.slots.get_mut(&from) {
                let lots = lots.take(left, rule);
                left -= sum(&lots);
                taken.extend(lots);
            }
            if self.total(from) == 0 {
                self.slots.remove(&from);
            }
        }
        if owed && left > 0 {
            let lots = self.take_from_others(from, left);
            left -= sum(&lots);
            taken.extend(lots);
        }
        let mut taken: Vec<_> = taken.into_iter().map(|lot| (lot, Taken::Stood)).collect();
        if left > 0
            && let Some(lots) = self.exchange(from, left)
        {
            taken.extend(lots.into_iter().map(|lot| (lot, Taken::Exchanged)));
        } else if left > 0 {
            let (origin, how) = if owed {
                (Origin::Advanced, Taken::Advanced)
            } else {
                (Origin::Came, Taken::Came)
            };
            let source = self.new_source(step, from.place, origin, left);
            if owed {
                self.owing.entry(from.place).or_default().push_back((source, left));
            }
            taken.push((Lot { arrival: 0, source, traced: false, amount: left }, how));
        }
        taken
    }

    fn new_source(
        &mut self,
        step: &Step,
        place: LedgerAccount,
        origin: Origin,
        amount: u128,
    ) -> SourceId {
        let id = u32::try_from(self.sources.len()).expect("fewer than four billion sources");
        let Step { record, op, .. } = *step;
        self.sources.push(Source { origin, place, record, op, amount });
        SourceId(id)
    }

    /// Takes lots that an operation brought, or put where they stand.
    fn take_preferred(&mut self, from: Slot, amount: u128, first: OpId) -> Vec<Lot> {
        let Some(lots) = self.slots.get_mut(&from) else { return Vec::new() };
        let (brought, arrivals) = (self.brought.get(&first), &self.arrivals);
        lots.take_chosen(amount, self.rule, |lot| {
            brought.is_some_and(|sources| sources.contains(&lot.source))
                || arrival(arrivals, lot).is_some_and(|arrival| arrival.op == Some(first))
        })
    }

    /// Takes what is missing from what other operations put into the same account, by the rule:
    /// commission is withdrawn from all that was earned.
    fn take_from_others(&mut self, from: Slot, amount: u128) -> Vec<Lot> {
        let mut all = Vec::new();
        for (slot, lots) in self.parts(from.place).filter(|(slot, _)| **slot != from) {
            all.extend(lots.iter().map(|lot| (*lot, *slot)));
        }
        all.sort_unstable();
        let sizes: Vec<u128> = all.iter().map(|(lot, _)| lot.amount).collect();
        let parts = self.rule.divide(amount.min(sizes.iter().sum()), &sizes);
        let parts = all.into_iter().zip(parts).filter(|(_, part)| *part > 0);
        let mut taken = Vec::new();
        for ((lot, slot), amount) in parts {
            let lot = Lot { amount, ..lot };
            let lots = self.slots.get_mut(&slot).expect("it has lots");
            lots.remove(&lot);
            if lots.total() == 0 {
                self.slots.remove(&slot);
            }
            taken.push(lot);
        }
        if self.rule == Rule::LastIn {
            taken.reverse();
        }
        taken
    }

    /// The account of exchange that holds what an operation gives for another commodity.
    fn inputs(&self, from: Slot) -> Option<Slot> {
        let of = from.of.filter(|_| from.place.is_exchange())?;
        let places = self.exchanged.get(&of)?.iter().filter(|place| **place != from.place);
        let mut slots = places.map(|place| Slot { place: *place, of: Some(of) });
        slots.find(|slot| self.total(*slot) > 0)
    }

    /// Returns what comes out of an exchange: the amount in proportion to what the same operation
    /// put in, by source. What it put in stays there, as given.
    fn exchange(&self, from: Slot, amount: u128) -> Option<Vec<Lot>> {
        let given = self.slots.get(&self.inputs(from)?)?;
        let mut by_source: BTreeMap<(SourceId, bool), u128> = BTreeMap::new();
        for lot in given.iter() {
            *by_source.entry((lot.source, lot.traced)).or_default() += lot.amount;
        }
        let weights: Vec<u128> = by_source.values().copied().collect();
        let parts = by_source.keys().zip(apportion(amount, &weights));
        let lots = parts.filter(|(_, part)| *part > 0);
        let lots = lots.map(|((source, traced), amount)| Lot {
            arrival: 0,
            source: *source,
            traced: *traced,
            amount,
        });
        Some(lots.collect())
    }

    /// Makes advances of the account good, the earliest first; gives how much of the lot each took.
    fn cover(&mut self, place: LedgerAccount, lot: Lot) -> Vec<(SourceId, u128)> {
        let Some(owing) = self.owing.get_mut(&place) else { return Vec::new() };
        let mut left = lot.amount;
        let mut covers = Vec::new();
        while left > 0
            && let Some((advance, owed)) = owing.front_mut()
        {
            let amount = left.min(*owed);
            let part = Lot { amount, ..lot };
            self.covered.entry(*advance).or_default().insert(part);
            covers.push((*advance, amount));
            left -= amount;
            *owed -= amount;
            if *owed == 0 {
                owing.pop_front();
            }
        }
        if owing.is_empty() {
            self.owing.remove(&place);
        }
        covers
    }

    /// Puts a lot where it goes. At a new home it stands last in line.
    fn credit(&mut self, step: &Step, to: Slot, mut lot: Lot, arrived: &mut Option<u64>) {
        if let Some(home) = to.place.home()
            && arrival(&self.arrivals, &lot).is_none_or(|last| last.home != home)
        {
            lot.arrival = *arrived.get_or_insert_with(|| {
                self.arrivals.push(Arrival { home, op: step.op });
                self.arrivals.len() as u64
            });
        }
        if let (true, Some(op)) = (to.place.is_exchange(), to.of) {
            self.exchanged.entry(op).or_default().insert(to.place);
        }
        self.slots.entry(to).or_default().insert(lot);
    }
}

/// Tells whether a flow comes to where another takes from.
fn feeds(other: &Flow, flow: &Flow) -> bool {
    let (to, from) = (other.to, flow.from);
    let exchanged = to.place.is_exchange() && from.place.is_exchange() && to.of == from.of;
    (to.place == from.place || exchanged) && other.from.place != other.to.place
}

fn arrival<'a>(arrivals: &'a [Arrival], lot: &Lot) -> Option<&'a Arrival> {
    let before = lot.arrival.checked_sub(1)?;
    arrivals.get(usize::try_from(before).ok()?)
}

fn sum(lots: &[Lot]) -> u128 {
    lots.iter().map(|lot| lot.amount).sum()
}

fn to_signed(amount: u128) -> i128 {
    i128::try_from(amount).expect("amounts are far from the end of 128 bits")
}
