//! What the state keeps of wallets besides their operations: which amounts are awaited where, and
//! which operations are the latest.

use im::{OrdMap, OrdSet};
use minicbor::{Decode, Encode};

use crate::coin::Units;
use crate::counted::hash_counted;
use crate::id::{AccountId, ChainId, Kind, OpId};
use crate::machine::wallet::deposit::{self, Mark, Order, Transfer};
use crate::time::Instant;

/// How many of an account's operations of one kind are listed (WAL-25, LIM-29).
const LISTED: usize = 100;

/// Indexes over wallets' operations. Clones in O(1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wallets {
    /// Open requests by where and how much is awaited (INV-38); addresses in their one spelling.
    awaited: OrdMap<DepositTarget, OpId>,
    /// Requests by the amount that they keep, with the instant until which they keep it (rulings
    /// 68); what is over is forgotten when the next request is made.
    kept: OrdMap<DepositTarget, (OpId, Instant)>,
    /// The same by when it is over.
    kept_until: OrdSet<(Instant, DepositTarget)>,
    /// Open requests by account.
    open: OrdSet<(AccountId, OpId)>,
    /// The latest operations by account and kind.
    latest: OrdMap<(AccountId, Kind), OrdSet<OpId>>,
    /// Which deposit has coins that are not confirmed, or gone, by network, transaction and output.
    unsettled: OrdMap<Output, OpId>,
}

/// A network, an address on it, and an amount.
type DepositTarget = (ChainId, Box<str>, Units);

/// An output of a transaction on a network.
type Output = (ChainId, Box<str>, u32);

fn output(transfer: &Transfer) -> Output {
    (transfer.chain, transfer.mark.hash.clone(), transfer.mark.index)
}

/// What is saved of wallets, which their open operations do not tell: what is listed, which coins
/// are not settled, and which amounts are kept.
#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
pub(in crate::ledger) struct SavedWallets {
    #[n(0)]
    listed: Vec<(AccountId, OpId)>,
    #[n(1)]
    unsettled: Vec<(Output, OpId)>,
    #[n(2)]
    kept: Vec<(DepositTarget, OpId, Instant)>,
}

hash_counted!(Wallets {} { awaited, kept, kept_until, open, latest, unsettled });

impl Wallets {
    /// The open request that awaits so much at this address, in its one spelling (rulings 64).
    #[must_use]
    pub fn awaiting(&self, chain: ChainId, address: &str, amount: Units) -> Option<OpId> {
        self.awaited.get(&(chain, address.into(), amount)).copied()
    }

    /// The request that keeps this amount at this address: open, or over for less than seven days.
    #[must_use]
    pub fn keeping(&self, chain: ChainId, address: &str, amount: Units) -> Option<OpId> {
        let kept = || self.kept.get(&(chain, address.into(), amount)).map(|(op, _)| *op);
        self.awaiting(chain, address, amount).or_else(kept)
    }

    /// Tells whether a request made at `at` may be given this amount at this address.
    #[must_use]
    pub fn is_free(&self, chain: ChainId, address: &str, amount: Units, at: Instant) -> bool {
        let place = (chain, address.into(), amount);
        let kept = self.kept.get(&place).is_some_and(|(_, until)| at < *until);
        !kept && !self.awaited.contains_key(&place)
    }

    /// Keeps the amount of a new request, and forgets those that are kept no longer.
    pub(crate) fn keep(&mut self, op: OpId, order: &Order) {
        while let Some((until, _)) = self.kept_until.get_min()
            && *until <= order.created_at
        {
            let (_, place) = self.kept_until.remove_min().expect("it was just looked at");
            self.kept.remove(&place);
        }
        let place = (order.chain, order.spelled_address().into(), order.amount);
        self.keep_until(place, op, order.kept_until());
    }

    fn keep_until(&mut self, place: DepositTarget, op: OpId, until: Instant) {
        if let Some((_, before)) = self.kept.insert(place.clone(), (op, until)) {
            self.kept_until.remove(&(before, place.clone()));
        }
        self.kept_until.insert((until, place));
    }

    /// How many requests of an account are open.
    #[must_use]
    pub fn open_deposits(&self, account: AccountId) -> usize {
        let next = AccountId(account.0.saturating_add(1));
        self.open.range((account, OpId::LEAST)..(next, OpId::LEAST)).count()
    }

    /// An account's latest operations of a kind, latest first.
    pub fn latest(&self, account: AccountId, kind: Kind) -> impl Iterator<Item = OpId> + '_ {
        self.latest.get(&(account, kind)).into_iter().flat_map(|ops| ops.iter().rev().copied())
    }

    /// The deposit that has these coins, while they are not confirmed or are gone.
    #[must_use]
    pub fn having(&self, chain: ChainId, mark: &Mark) -> Option<OpId> {
        self.unsettled.get(&(chain, mark.hash.clone(), mark.index)).copied()
    }

    /// Returns what is saved of them.
    pub(in crate::ledger) fn save(&self) -> SavedWallets {
        // Taken apart, so that what is added is not forgotten here.
        let Self { unsettled, kept, latest: _, kept_until: _, awaited: _, open: _ } = self;
        SavedWallets {
            listed: self.latest_operations().collect(),
            unsettled: unsettled.iter().map(|(output, op)| (output.clone(), *op)).collect(),
            // Most of their requests are over.
            kept: kept.iter().map(|(place, (op, until))| (place.clone(), *op, *until)).collect(),
        }
    }

    /// Those that were saved, without their open requests.
    pub(in crate::ledger) fn restore(saved: SavedWallets) -> Self {
        let mut wallets = Self::default();
        for (account, op) in saved.listed {
            wallets.list(account, op);
        }
        wallets.unsettled = saved.unsettled.into_iter().collect();
        for (place, op, until) in saved.kept {
            wallets.keep_until(place, op, until);
        }
        wallets
    }

    /// Iterates over the latest operations of every account.
    pub(crate) fn latest_operations(&self) -> impl Iterator<Item = (AccountId, OpId)> + '_ {
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
        if let Some(before) = before.unsettled_transfer() {
            self.unsettled.remove(&output(before));
        }
        if let Some(after) = after.unsettled_transfer() {
            self.unsettled.insert(output(after), op);
        }
        self.await_deposit(op, after);
    }

    /// Keeps what an open request awaits, and forgets it when it is open no longer.
    pub(crate) fn await_deposit(&mut self, op: OpId, deposit: &deposit::State) {
        let Some(order) = deposit.order() else { return };
        let place = (order.chain, order.spelled_address().into(), order.amount);
        if deposit.awaits().is_some() {
            // Two spellings of one address may both be awaited since before there was one.
            self.awaited.entry(place).or_insert(op);
            self.open.insert((order.account, op));
        } else if self.open.remove(&(order.account, op)).is_some()
            && self.awaited.get(&place) == Some(&op)
        {
            self.awaited.remove(&place);
        }
    }
}
