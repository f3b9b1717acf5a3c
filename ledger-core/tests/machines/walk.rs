//! Every path to a bounded depth, with the balances that the entries on it add up to.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Debug;

use ledger_core::accounting::{Account, CoinAccount, Control, Entry};
use ledger_core::id::AssetId;

use crate::legs::{imbalance, touched};

/// Net credits by account, in reais and in crypto.
#[derive(Clone, Debug, Default)]
pub struct Tally(BTreeMap<Account, i128>, BTreeMap<(AssetId, CoinAccount), i128>);

impl Tally {
    pub fn add(&mut self, entry: &Entry) {
        assert_eq!(imbalance(entry), 0, "{entry:?} does not balance");
        for account in touched(entry) {
            *self.0.entry(account).or_default() += entry.net_credit(account);
        }
        self.0.retain(|_, sum| *sum != 0);
        for m in entry.coin_moves() {
            *self.1.entry((m.asset, m.debit)).or_default() -= m.units.to_i128();
            *self.1.entry((m.asset, m.credit)).or_default() += m.units.to_i128();
        }
        self.1.retain(|_, sum| *sum != 0);
    }

    pub fn balance(&self, account: Account) -> i128 {
        self.0.get(&account).copied().unwrap_or(0)
    }

    pub fn coin(&self, asset: AssetId, account: CoinAccount) -> i128 {
        self.1.get(&(asset, account)).copied().unwrap_or(0)
    }

    /// The net credit of all accounts of one name.
    pub fn under(&self, control: Control) -> i128 {
        let sums = self.0.iter().filter(|(account, _)| account.control() == control);
        sums.map(|(_, sum)| sum).sum()
    }

    /// Returns what all buckets of all subaccounts hold.
    pub fn subaccount(&self) -> i128 {
        [Control::Available, Control::Held, Control::Frozen].map(|c| self.under(c)).iter().sum()
    }
}

/// Breadth-first over `steps` from `start`, each place once; gives the places seen.
pub fn walk<State: Clone + Debug>(
    start: State,
    depth: usize,
    mut steps: impl FnMut(&State, &Tally) -> Vec<(State, Entry)>,
) -> Vec<(State, Tally)> {
    let mut places = vec![(start, Tally::default())];
    let mut seen: HashSet<String> = places.iter().map(|place| format!("{place:?}")).collect();
    let mut fresh = 0..1;
    for _ in 0..depth {
        for index in fresh.clone() {
            let (state, tally) = places[index].clone();
            for (next, entry) in steps(&state, &tally) {
                let mut tally = tally.clone();
                tally.add(&entry);
                let place = (next, tally);
                if seen.insert(format!("{place:?}")) {
                    places.push(place);
                }
            }
        }
        fresh = fresh.end..places.len();
    }
    places
}

/// An event decided somewhere that `follows` admits elsewhere is decided first there too.
pub fn follows_as_decided<State: Debug + PartialEq, Event: Debug + PartialEq>(
    places: &[(State, Tally)],
    decided: impl Fn(&State) -> Vec<Vec<Event>>,
    follows: impl Fn(&State, &Event) -> bool,
) {
    let mut states: Vec<(&State, Vec<Vec<Event>>)> = Vec::new();
    for (state, _) in places {
        if !states.iter().any(|(other, _)| *other == state) {
            states.push((state, decided(state)));
        }
    }
    let mut events: Vec<&Event> = Vec::new();
    for event in states.iter().flat_map(|(_, here)| here.iter().flatten()) {
        if !events.contains(&event) {
            events.push(event);
        }
    }
    for (state, here) in &states {
        for event in &events {
            let first = here.iter().any(|steps| steps[0] == **event);
            assert_eq!(follows(state, event), first, "{event:?} at {state:?}");
        }
    }
}
