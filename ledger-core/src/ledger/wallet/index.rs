//! What the state keeps of wallets besides their operations: which amounts are awaited where, and
//! which operations are the latest.

use im::{OrdMap, OrdSet};

use crate::coin::Units;
use crate::counted::hash_counted;
use crate::id::{AccountId, ChainId, Kind, OpId};
use crate::machine::wallet::deposit::{self, Transfer};

/// How many of an account's operations of one kind are listed (WAL-25, LIM-29).
const LISTED: usize = 100;

/// Indexes over wallets' operations. Clones in O(1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wallets {
    /// Open requests by where and how much is awaited (INV-38).
    awaited: OrdMap<(ChainId, Box<str>, Units), OpId>,
    /// Open requests by account.
    open: OrdSet<(AccountId, OpId)>,
    /// The latest operations by account and kind.
    latest: OrdMap<(AccountId, Kind), OrdSet<OpId>>,
    /// Which deposit has coins that are not confirmed, or gone, by network, transaction and output.
    unsettled: OrdMap<Output, OpId>,
}

/// An output of a transaction on a network.
type Output = (ChainId, Box<str>, u32);

fn output(transfer: &Transfer) -> Output {
    (transfer.chain, transfer.mark.hash.clone(), transfer.mark.index)
}

hash_counted!(Wallets {} { awaited, open, latest, unsettled });

impl Wallets {
    /// The open request that awaits so much at this address.
    #[must_use]
    pub fn awaiting(&self, chain: ChainId, address: &str, amount: Units) -> Option<OpId> {
        self.awaited.get(&(chain, address.into(), amount)).copied()
    }

    /// Every open request at this address, by amount.
    pub fn at_address<'a>(
        &'a self,
        chain: ChainId,
        address: &'a str,
    ) -> impl Iterator<Item = OpId> + 'a {
        let first = Units::new(1).expect("one is positive");
        let from = (chain, Box::from(address), first);
        let here = move |((on, at, _), _): &(&(ChainId, Box<str>, Units), &OpId)| {
            *on == chain && **at == *address
        };
        self.awaited.range(from..).take_while(here).map(|(_, op)| *op)
    }

    /// How many requests of an account are open.
    #[must_use]
    pub fn open_deposits(&self, account: AccountId) -> usize {
        let least = OpId::new(Kind::Charge, crate::id::Seq::default());
        let next = AccountId(account.0.saturating_add(1));
        self.open.range((account, least)..(next, least)).count()
    }

    /// An account's latest operations of a kind, latest first.
    pub fn latest(&self, account: AccountId, kind: Kind) -> impl Iterator<Item = OpId> + '_ {
        self.latest.get(&(account, kind)).into_iter().flat_map(|ops| ops.iter().rev().copied())
    }

    /// The deposit that has these coins, while they are not confirmed or are gone.
    #[must_use]
    pub fn having(&self, transfer: &Transfer) -> Option<OpId> {
        self.unsettled.get(&output(transfer)).copied()
    }

    /// Everything not settled, to be saved: what is gone no open operation tells.
    pub(crate) fn unsettled(&self) -> impl Iterator<Item = (Output, OpId)> + '_ {
        self.unsettled.iter().map(|(output, op)| (output.clone(), *op))
    }

    /// Restores what was saved.
    pub(crate) fn restore(&mut self, output: Output, op: OpId) {
        self.unsettled.insert(output, op);
    }

    /// Everything listed, to be saved.
    pub(crate) fn listed(&self) -> impl Iterator<Item = (AccountId, OpId)> + '_ {
        self.latest.iter().flat_map(|((account, _), ops)| ops.iter().map(|op| (*account, *op)))
    }

    /// Lists an operation among its account's latest.
    pub(crate) fn list(&mut self, account: AccountId, op: OpId) {
        let ops = self.latest.entry((account, op.kind())).or_default();
        ops.insert(op);
        if LISTED < ops.len() {
            ops.remove_min();
        }
    }

    /// A deposit moved.
    pub(crate) fn deposit(&mut self, op: OpId, before: &deposit::State, after: &deposit::State) {
        let (was, is) = (before.account(), after.account());
        if was != is {
            // Coins that nobody asked for may come again, and be another's.
            if let Some(latest) = was.and_then(|account| self.latest.get_mut(&(account, op.kind())))
            {
                latest.remove(&op);
            }
            if let Some(account) = is {
                self.list(account, op);
            }
        }
        if let Some(before) = before.unsettled() {
            self.unsettled.remove(&output(before));
        }
        if let Some(after) = after.unsettled() {
            self.unsettled.insert(output(after), op);
        }
        self.await_deposit(op, after);
    }

    /// Keeps what an open request awaits, and forgets it when it is open no longer.
    pub(crate) fn await_deposit(&mut self, op: OpId, deposit: &deposit::State) {
        let Some(order) = deposit.order() else { return };
        let place = (order.chain, order.address.clone(), order.amount);
        if deposit.awaits().is_some() {
            self.awaited.insert(place, op);
            self.open.insert((order.account, op));
        } else if self.open.remove(&(order.account, op)).is_some() {
            self.awaited.remove(&place);
        }
    }
}
