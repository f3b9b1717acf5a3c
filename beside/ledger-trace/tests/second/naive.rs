//! A second implementation of tracing, written apart: every centavo is a coin of its own in a heap,
//! and whoever takes some sorts the heap and picks them one by one.

use std::collections::BTreeMap;

use ledger_core::accounting::{Account, Class};
use ledger_core::id::OpId;
use ledger_trace::{Begins, Flow, LedgerAccount, Rule, Slot, Step};

/// One centavo, or one unit of an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Coin {
    /// Its place in line, as an arrival's number; 0 before the first.
    pub arrival: usize,
    /// Its source's number.
    pub source: usize,
    /// True where the trace follows it.
    pub traced: bool,
}

#[derive(Default)]
pub struct Naive {
    pub heaps: BTreeMap<Slot, Vec<Coin>>,
    /// For each centavo that an account fell below zero: the advance.
    pub owing: BTreeMap<LedgerAccount, Vec<usize>>,
    pub covered: BTreeMap<usize, Vec<Coin>>,
    /// By whom each source came, for those that take it first.
    belongs: Vec<(OpId, usize)>,
    sources: usize,
    /// Homes and operations of arrivals.
    arrivals: Vec<(LedgerAccount, Option<OpId>)>,
    /// Traced coins that came into being, by commodity.
    pub begun: u128,
}

/// Why a coin is in a hand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    Stood,
    Came,
    Exchanged,
    Advanced,
}

impl Naive {
    pub fn step(&mut self, rule: Rule, step: &Step) {
        let mut rest: Vec<Flow> = step.flows.clone();
        'again: while !rest.is_empty() {
            for at in 0..rest.len() {
                let blocked = rest.iter().any(|other| {
                    let same = other.to.place == rest[at].from.place;
                    let fx = other.to.place.is_exchange()
                        && rest[at].from.place.is_exchange()
                        && other.to.of == rest[at].from.of;
                    other.from.place != other.to.place && (same || fx)
                });
                if !blocked || self.enough(&rest[at]) {
                    let flow = rest.remove(at);
                    self.flow(rule, step, flow);
                    continue 'again;
                }
            }
            let flow = rest.remove(0);
            self.flow(rule, step, flow);
        }
    }

    fn enough(&self, flow: &Flow) -> bool {
        let there = self.heaps.get(&flow.from).map_or(0, Vec::len) as u128;
        there >= flow.amount || self.given_for(flow.from).is_some()
    }

    fn given_for(&self, from: Slot) -> Option<Slot> {
        if !from.place.is_exchange() || from.of.is_none() {
            return None;
        }
        let other = |slot: &Slot| {
            slot.place.is_exchange() && slot.of == from.of && slot.place != from.place
        };
        let mut given = self.heaps.iter().filter(|(slot, heap)| other(slot) && !heap.is_empty());
        given.next().map(|(slot, _)| *slot)
    }

    fn flow(&mut self, rule: Rule, step: &Step, flow: Flow) {
        if flow.from.place == flow.to.place {
            let coins = self.pick(rule, flow.from, flow.amount, |_| true);
            self.heaps.entry(flow.to).or_default().extend(coins);
            return;
        }
        let mine =
            step.op.is_some() && (flow.from.of == step.op || flow.from.place.op() == step.op);
        let brought = self.belongs.iter().any(|(op, _)| Some(*op) == step.op);
        let mut hand = self.hand(rule, step, flow);
        if let Some(op) = step.op {
            let found = flow.from.place == LedgerAccount::Reais(Account::SuspensePix)
                && flow.from.of != step.op;
            for (coin, why) in &hand {
                if *why == Why::Came || found {
                    self.belongs.push((op, coin.source));
                }
            }
        }
        let mut new_arrival = None;
        for (coin, why) in &mut hand {
            let start = match (step.begins, *why) {
                (Begins::Nothing, _) | (Begins::Drawn, Why::Exchanged) => false,
                (Begins::Incoming, Why::Came) => flow.from.place.class() == Class::Asset,
                (Begins::Incoming, _) => false,
                (Begins::Drawn, Why::Came) => true,
                (Begins::Drawn, Why::Stood | Why::Advanced) => !mine && !brought,
            };
            if coin.traced && *why == Why::Exchanged || start && !coin.traced {
                self.begun += 1;
            }
            coin.traced |= start;
            if let Some(owing) = self.owing.get_mut(&flow.to.place)
                && !owing.is_empty()
            {
                let advance = owing.remove(0);
                self.covered.entry(advance).or_default().push(*coin);
                continue;
            }
            if let Some(home) = flow.to.place.home() {
                let at_home = coin.arrival > 0 && self.arrivals[coin.arrival - 1].0 == home;
                if !at_home {
                    if new_arrival.is_none() {
                        self.arrivals.push((home, step.op));
                        new_arrival = Some(self.arrivals.len());
                    }
                    coin.arrival = new_arrival.unwrap();
                }
            }
            self.heaps.entry(flow.to).or_default().push(*coin);
        }
    }

    /// Fills a hand with coins for a flow.
    fn hand(&mut self, rule: Rule, step: &Step, flow: Flow) -> Vec<(Coin, Why)> {
        let owed = flow.from.place.is_owed();
        let mut coins = Vec::new();
        let missing = |coins: &Vec<Coin>| flow.amount - coins.len() as u128;
        if let (true, None, Some(first)) = (owed, flow.from.of, step.prefers) {
            let belongs = self.belongs.clone();
            let arrivals = self.arrivals.clone();
            let wanted = move |coin: &Coin| {
                let by = coin.arrival > 0 && arrivals[coin.arrival - 1].1 == Some(first);
                by || belongs.contains(&(first, coin.source))
            };
            coins.extend(self.pick(rule, flow.from, flow.amount, wanted));
        }
        if owed || flow.from.of.is_some() {
            let more = missing(&coins);
            coins.extend(self.pick(rule, flow.from, more, |_| true));
        }
        if owed {
            let more = missing(&coins);
            coins.extend(self.pick_elsewhere(rule, flow.from, more));
        }
        let mut hand: Vec<_> = coins.into_iter().map(|coin| (coin, Why::Stood)).collect();
        let more = flow.amount - hand.len() as u128;
        if more == 0 {
            return hand;
        }
        if let Some(given) = self.given_for(flow.from) {
            let mut groups: BTreeMap<(usize, bool), u128> = BTreeMap::new();
            for coin in &self.heaps[&given] {
                *groups.entry((coin.source, coin.traced)).or_default() += 1;
            }
            let groups: Vec<_> = groups.into_iter().collect();
            let sizes: Vec<u128> = groups.iter().map(|(_, size)| *size).collect();
            for (place, part) in shares(more, &sizes).into_iter().enumerate() {
                let (source, traced) = groups[place].0;
                for _ in 0..part {
                    hand.push((Coin { arrival: 0, source, traced }, Why::Exchanged));
                }
            }
            return hand;
        }
        let source = self.sources;
        self.sources += 1;
        for _ in 0..more {
            if owed {
                self.owing.entry(flow.from.place).or_default().push(source);
            }
            let why = if owed { Why::Advanced } else { Why::Came };
            hand.push((Coin { arrival: 0, source, traced: false }, why));
        }
        hand
    }

    fn pick(
        &mut self,
        rule: Rule,
        slot: Slot,
        amount: u128,
        wanted: impl Fn(&Coin) -> bool,
    ) -> Vec<Coin> {
        let heap = self.heaps.entry(slot).or_default();
        let candidates: Vec<Coin> = heap.iter().copied().filter(|coin| wanted(coin)).collect();
        let chosen = choose(rule, candidates, amount, |coin| *coin);
        for coin in &chosen {
            let at = heap.iter().position(|other| other == coin).unwrap();
            heap.remove(at);
        }
        chosen
    }

    fn pick_elsewhere(&mut self, rule: Rule, from: Slot, amount: u128) -> Vec<Coin> {
        let heaps =
            self.heaps.iter().filter(|(slot, _)| slot.place == from.place && **slot != from);
        let all: Vec<(Coin, Slot)> =
            heaps.flat_map(|(slot, heap)| heap.iter().map(|coin| (*coin, *slot))).collect();
        let chosen = choose(rule, all, amount, |both| *both);
        for (coin, slot) in &chosen {
            let heap = self.heaps.get_mut(slot).unwrap();
            let at = heap.iter().position(|other| other == coin).unwrap();
            heap.remove(at);
        }
        chosen.into_iter().map(|(coin, _)| coin).collect()
    }
}

/// Picks coins by the rule, in the order in which they are picked.
fn choose<C: Copy + Ord, K: Copy + Ord>(
    rule: Rule,
    mut coins: Vec<C>,
    amount: u128,
    lot: impl Fn(&C) -> K,
) -> Vec<C> {
    coins.sort_by_key(&lot);
    let amount = amount.min(coins.len() as u128);
    let count = usize::try_from(amount).unwrap();
    match rule {
        Rule::FirstIn => coins[..count].to_vec(),
        Rule::LastIn => coins.iter().rev().take(count).copied().collect(),
        Rule::Proportion => {
            let groups: Vec<Vec<C>> =
                coins.chunk_by(|a, b| lot(a) == lot(b)).map(<[C]>::to_vec).collect();
            let sizes: Vec<u128> = groups.iter().map(|group| group.len() as u128).collect();
            let parts = shares(amount, &sizes).into_iter();
            let picked = groups.iter().zip(parts);
            picked.flat_map(|(group, part)| group.iter().copied().take(part as usize)).collect()
        }
    }
}

/// Whole shares of an amount in proportion to sizes: rounded down, then what is left goes out one
/// by one, each time to the share that is furthest below its due.
fn shares(amount: u128, sizes: &[u128]) -> Vec<u128> {
    let whole: u128 = sizes.iter().sum();
    let mut parts: Vec<u128> = sizes.iter().map(|size| amount * size / whole.max(1)).collect();
    while whole > 0 && parts.iter().sum::<u128>() < amount {
        let mut best = 0;
        for at in 1..sizes.len() {
            // What a share is due less what it has, times the whole; negative once rounded up.
            let due =
                |at: usize| (amount * sizes[at]).cast_signed() - (parts[at] * whole).cast_signed();
            if due(at) > due(best) {
                best = at;
            }
        }
        parts[best] += 1;
    }
    parts
}
