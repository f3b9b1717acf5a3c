//! Entries that balance because nothing else can be built.

use minicbor::{Decode, Encode};

use super::chart::Account;
use super::coins::{CoinAccount, CoinMove};
use crate::coin::Units;
use crate::id::AssetId;
use crate::money::{Amount, Cents};

/// Debit or credit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Side {
    /// Left: adds to what is owned or spent.
    #[n(0)]
    Debit,
    /// Right: adds to what is owed or earned.
    #[n(1)]
    Credit,
}

/// Why money moves, as a statement tells it (rulings 19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Nature {
    /// The operation's own amount.
    Principal,
    /// A fee on that amount.
    Fee,
    /// A move between buckets of one subaccount: no statement row.
    Shift,
}

/// One amount debited to one account and credited to another: the smallest balanced thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The account debited.
    pub debit: Account,
    /// The account credited.
    pub credit: Account,
    /// How much, in centavos.
    pub amount: Amount,
    /// Why it moves, as a statement tells it.
    pub nature: Nature,
}

/// One leg of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The account that it is on.
    pub account: Account,
    /// Debited or credited: amounts have no sign.
    pub side: Side,
    /// How much, in centavos.
    pub amount: Amount,
}

/// A balanced set of postings.
///
/// Invariant (INV-01): debits equal credits in every commodity, because an entry is a list of
/// [`Move`]s of reais and of [`CoinMove`]s of one asset each.
/// A *forced* entry is the only class that may take available money below zero (rulings 21).
/// Most events make one move or two, and few move crypto: the room for the rest is not carried
/// about by all of them.
///
/// ```
/// use ledger_core::accounting::{Account, Entry};
/// use ledger_core::id::SubaccountId;
/// use ledger_core::money::{Amount, Cents};
///
/// let ana = Account::Available(SubaccountId(0));
/// let amount = Amount::new(10_000).expect("it is above zero");
/// let fee = Cents::new(250).expect("it is not negative");
/// let deposit = Entry::NONE
///     .principal(Account::ProviderPix, ana, amount)
///     .fee(ana, Account::DepositIncome, fee);
/// assert_eq!(deposit.postings().len(), 4);
/// assert_eq!(deposit.net_credit(ana), 9_750);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    moves: [Option<Move>; 2],
    more: Option<Box<More>>,
    coins: Option<Box<[Option<CoinMove>; Self::COINS]>>,
    forced: bool,
}

/// The moves of an entry beyond the first two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct More {
    few: [Option<Move>; Entry::MORE],
    /// The moves beyond those, which only groups of transfers make.
    many: Vec<Move>,
}

impl Entry {
    /// How many moves any event but a group of transfers makes at most beyond the first two.
    const MORE: usize = 3;
    /// The most moves of crypto any event makes.
    const COINS: usize = 4;

    /// An entry that moves nothing.
    pub const NONE: Self = Self { moves: [None; 2], more: None, coins: None, forced: false };

    /// A forced entry that moves nothing yet.
    pub const FORCED: Self = Self { forced: true, ..Self::NONE };

    /// With the operation's own amount moved as well; nothing happens when `as_cents` is zero.
    #[must_use]
    #[inline]
    pub fn principal(self, debit: Account, credit: Account, as_cents: impl Into<Cents>) -> Self {
        self.with(debit, credit, as_cents.into(), Nature::Principal)
    }

    /// With a fee moved as well; nothing happens when `as_cents` is zero.
    #[must_use]
    #[inline]
    pub fn fee(self, debit: Account, credit: Account, as_cents: impl Into<Cents>) -> Self {
        self.with(debit, credit, as_cents.into(), Nature::Fee)
    }

    /// With money moved between buckets of one subaccount as well.
    ///
    /// # Panics
    ///
    /// When the two accounts are not buckets of one subaccount: then the move is not a shift.
    #[must_use]
    #[inline]
    pub fn shift(self, debit: Account, credit: Account, as_cents: impl Into<Cents>) -> Self {
        assert!(
            debit.subaccount().is_some() && debit.subaccount() == credit.subaccount(),
            "{debit} to {credit} is not a move between buckets of one subaccount"
        );
        self.with(debit, credit, as_cents.into(), Nature::Shift)
    }

    /// With units of an asset moved as well; nothing happens where there are none.
    #[must_use]
    pub fn coins(
        mut self,
        asset: AssetId,
        debit: CoinAccount,
        credit: CoinAccount,
        units: impl Into<Option<Units>>,
    ) -> Self {
        if let Some(units) = units.into() {
            let coins = self.coins.get_or_insert_default();
            let free = coins.iter_mut().find(|slot| slot.is_none());
            let free = free.expect("COINS holds the largest entry of any event");
            *free = Some(CoinMove { asset, debit, credit, units });
        }
        self
    }

    #[inline]
    fn with(mut self, debit: Account, credit: Account, as_cents: Cents, nature: Nature) -> Self {
        if let Some(amount) = as_cents.amount() {
            let added = Move { debit, credit, amount, nature };
            // One step for each, which a compiler follows where the moves are known: nothing is
            // written that is copied at once.
            match &mut self.moves {
                [first @ None, _] => *first = Some(added),
                [_, second @ None] => *second = Some(added),
                _ => self.add_more(added),
            }
        }
        self
    }

    #[cold]
    fn add_more(&mut self, added: Move) {
        let more = self.more.get_or_insert_default();
        match more.few.iter_mut().find(|slot| slot.is_none()) {
            Some(free) => *free = Some(added),
            None => more.many.push(added),
        }
    }

    /// The moves, in the order they were added.
    pub fn moves(&self) -> impl Iterator<Item = &Move> {
        let more = self
            .more
            .iter()
            .flat_map(|more| more.few.iter().map_while(Option::as_ref).chain(&more.many));
        self.moves.iter().map_while(Option::as_ref).chain(more)
    }

    /// The moves of crypto, in the order they were added.
    pub fn coin_moves(&self) -> impl Iterator<Item = CoinMove> + '_ {
        self.coins.iter().flat_map(|coins| coins.iter()).map_while(|slot| *slot)
    }

    /// The legs in reais: debits and credits, those on one account, side and nature side by side
    /// merged.
    #[must_use]
    pub fn postings(&self) -> Vec<Posting> {
        self.legs().collect()
    }

    /// The same, one by one.
    pub(crate) fn legs(&self) -> impl Iterator<Item = Posting> {
        let mut legs = [None; 2 * (2 + Self::MORE)];
        let many = self.more.as_ref().map_or(0, |more| more.many.len());
        let mut further = vec![None; 2 * many];
        for m in self.moves() {
            for (account, side) in [(m.debit, Side::Debit), (m.credit, Side::Credit)] {
                let mut places = legs.iter_mut().chain(&mut further);
                let place = places.find(|place| match place {
                    Some((Posting { account: known, side: on, .. }, nature)) => {
                        let one_row = account.subaccount().is_none() || *nature == m.nature;
                        *known == account && *on == side && one_row
                    }
                    None => true,
                });
                match place.expect("there is one for each leg of the largest entry") {
                    Some((leg, _)) => {
                        let sum = leg.amount.plus(m.amount.as_cents());
                        leg.amount =
                            sum.expect("the legs of one entry sum below the largest amount");
                    }
                    free => *free = Some((Posting { account, side, amount: m.amount }, m.nature)),
                }
            }
        }
        legs.into_iter().chain(further).map_while(|place| place.map(|(leg, _)| leg))
    }

    /// Returns what the entry adds to the credit balance of `account`, in centavos.
    #[must_use]
    pub fn net_credit(&self, account: Account) -> i128 {
        let signed = |m: &Move| {
            let amount = i128::from(m.amount.cents());
            let credited = if m.credit == account { amount } else { 0 };
            let debited = if m.debit == account { amount } else { 0 };
            credited - debited
        };
        self.moves().map(signed).sum()
    }

    /// Tells whether this entry may take available money below zero.
    #[must_use]
    pub const fn is_forced(&self) -> bool {
        self.forced
    }

    /// Tells whether nothing moves.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.moves[0].is_none() && self.coins.is_none()
    }
}
