//! Accounts and entries of a product's own, as the oracle sees them: each leg by itself, in a plain
//! list, and the rows of customers from how debits and credits lie beside one another.

mod arithmetic;
mod opening;
mod template;
mod unit;

use std::collections::{BTreeMap, BTreeSet};

use ledger_core::accounting::{Commodity, RowKind, Side};
use ledger_core::id::{AccountId, Kind, OpId, SubaccountId};
use ledger_core::ledger::product::{DeclaredAccount, Fact, Leg};
use ledger_core::ledger::{Outcome, OwnAccount};
use ledger_core::template::Template;
use ledger_core::time::Instant;

use super::Oracle;
use super::books::RowOf;
use crate::goal::Goal;

/// A book that a leg names: a customer's spendable money, one of our own, or a product's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Book {
    Customer(SubaccountId),
    Ours(&'static str),
    Product(usize, Option<SubaccountId>),
}

/// An entry that was posted: what it added to the credit of each book.
#[derive(Clone, Debug)]
pub(crate) struct Posted {
    pub(crate) legs: Vec<(Book, i64)>,
    /// As they were reported.
    pub(crate) named: Vec<Leg>,
    pub(crate) reversed: bool,
}

/// The accounts and templates of products, each in the order in which they came, and the balances.
#[derive(Clone, Debug, Default)]
pub(crate) struct Products {
    pub(crate) accounts: Vec<DeclaredAccount>,
    /// Net credits of the books of products that are kept in reais.
    pub(crate) balances: BTreeMap<Book, i64>,
    pub(crate) templates: Vec<Template>,
    /// Accounts that take no opening balances any more.
    closed: Vec<AccountId>,
}

/// A book with its side and amount: credits above zero.
type Signed = (Book, i64);

impl Oracle {
    /// Foresees what is reported of accounts and entries of a product's own.
    pub(super) fn product_fact(&mut self, fact: &Fact, at: Instant) -> Outcome {
        match fact {
            Fact::AccountDeclared { declared, .. } => self.declare(declared),
            Fact::EntryPosted { legs, .. } => self.post_entry(legs, at),
            Fact::EntryReversed { entry, legs, .. } => {
                self.reverse_entry(*entry, legs.as_deref(), at)
            }
            Fact::TemplateAdopted { template, .. } => self.adopt_template(template),
            Fact::TemplatePosted { posting, .. } => self.post_by_template(posting, at),
            Fact::BalanceOpened { holder, amount, .. } => self.open_balance(holder, *amount),
            Fact::OpeningBalancesClosed { account, .. } => self.close_opening_balances(account),
        }
    }

    fn declare(&mut self, declared: &DeclaredAccount) -> Outcome {
        let Some(declared) = self.with_number(declared) else { return Outcome::SetAside(None) };
        match self.products.accounts.iter().find(|known| known.name == declared.name) {
            Some(known) if *known == declared => Outcome::Known,
            Some(_) => Outcome::SetAside(None),
            None => {
                if let Some(unit) = declared.commodity.as_ref().and_then(Commodity::unit) {
                    self.market.count_in(&unit.name, unit.scale.decimals());
                }
                self.products.accounts.push(declared);
                Outcome::Applied(None)
            }
        }
    }

    pub(super) fn post_entry(&mut self, legs: &[Leg], at: Instant) -> Outcome {
        let opened = self.subaccounts.len();
        let signed = self.books_of(legs, true);
        let stands = |signed: &Vec<_>| self.balance_each(signed) && self.may_stand(signed, at);
        let Some(signed) = signed.filter(stands) else {
            self.subaccounts.truncate(opened);
            return Outcome::SetAside(None);
        };
        let op = self.next_op(Kind::Entry);
        self.move_entry(op, &signed, RowKind::Entry);
        let named = legs.to_vec();
        if signed.iter().any(|(book, _)| self.commodity_of(*book).is_some()) {
            self.reach(Goal::UnitsMoved);
        }
        self.entries.insert(op, Posted { legs: signed, named, reversed: false });
        self.reach(Goal::EntryPosted);
        Outcome::Applied(Some(op))
    }

    fn reverse_entry(&mut self, entry: Option<OpId>, legs: Option<&[Leg]>, at: Instant) -> Outcome {
        let Some((op, posted)) = entry.and_then(|op| Some((op, self.entries.get(&op)?.clone())))
        else {
            return Outcome::SetAside(None);
        };
        let opposite: Vec<Signed> = posted.legs.iter().map(|(book, c)| (*book, -c)).collect();
        let signed = match legs {
            None => Some(opposite),
            Some(legs) => self.books_of(legs, false).filter(|signed| {
                signed.iter().all(|(book, cents)| {
                    opposite.iter().any(|(of, most)| {
                        of == book && (0 < *cents && cents <= most || most <= cents && *cents < 0)
                    })
                })
            }),
        };
        let signed = signed.filter(|signed| {
            !posted.reversed && self.balance_each(signed) && self.may_stand(signed, at)
        });
        let Some(signed) = signed else { return Outcome::SetAside(None) };
        self.move_entry(op, &signed, RowKind::Reversal);
        if let Some(posted) = self.entries.get_mut(&op) {
            posted.reversed = true;
        }
        let part = legs.is_some();
        self.reach(if part { Goal::EntryReversedInPart } else { Goal::EntryReversed });
        Outcome::Applied(Some(op))
    }

    /// The book of each leg; none where one names nothing. A leg that `opens` customers posts, and
    /// may not name the account of opening balances.
    pub(in crate::oracle) fn books_of(&mut self, legs: &[Leg], opens: bool) -> Option<Vec<Signed>> {
        let mut signed = Vec::new();
        for leg in legs {
            let mut holder = None;
            if let Some(named) = &leg.holder {
                let account = self.account_named(&named.account)?;
                holder = self.subaccount_of(account, named.customer.as_deref());
                if holder.is_none() {
                    if !opens || self.is_seen(Some(account), "", named.customer.as_deref()).is_err()
                    {
                        return None;
                    }
                    holder = Some(self.open_subaccount(account, named.customer.clone()));
                }
            }
            let book = match (&*leg.account, holder) {
                ("cust.avail", Some(holder)) => Book::Customer(holder),
                ("cust.avail", None) | ("cells", _) => return None,
                (opening::ACCOUNT, _) if opens => return None,
                (name, holder) => match (OwnAccount::parse(name), holder) {
                    (Some(own), None) => Book::Ours(own.account().control().name()),
                    (Some(_), Some(_)) => return None,
                    (None, holder) => {
                        let mut known = self.products.accounts.iter();
                        let number = known.position(|known| *known.name == *name)?;
                        let each = self.products.accounts[number].per_customer.is_on();
                        if each != holder.is_some() {
                            return None;
                        }
                        Book::Product(number, holder)
                    }
                },
            };
            let cents = leg.amount.cents();
            signed.push((book, if leg.side == Side::Credit { cents } else { -cents }));
        }
        Some(signed)
    }

    /// Nobody spends what is not there or still waits, and what may not stand below zero does not.
    pub(in crate::oracle) fn may_stand(&self, signed: &[Signed], at: Instant) -> bool {
        signed.iter().all(|(book, cents)| match book {
            Book::Customer(id) if *cents < 0 => {
                self.waits(*id, at).is_none() && self.spendable(*id).cents() + cents >= 0
            }
            Book::Product(number, _) => {
                let declared = &self.products.accounts[*number];
                let sign =
                    if matches!(declared.class.name(), "asset" | "expense") { -1 } else { 1 };
                let before = self.product_balance(*book);
                let falls = sign * cents < 0;
                !falls || declared.overdraft.is_on() || sign * (before + cents) >= 0
            }
            Book::Customer(_) | Book::Ours(_) => true,
        })
    }

    /// Debits and credits of a commodity lie beside one another, and every part that two of them
    /// share is a move.
    fn move_entry(&mut self, op: OpId, signed: &[Signed], kind: RowKind) {
        let commodities: BTreeSet<_> =
            signed.iter().map(|(book, _)| self.commodity_of(*book)).collect();
        for commodity in commodities {
            let own = signed.iter().filter(|(book, _)| self.commodity_of(*book) == commodity);
            self.move_commodity(op, &own.copied().collect::<Vec<_>>(), kind);
        }
    }

    fn move_commodity(&mut self, op: OpId, signed: &[Signed], kind: RowKind) {
        let laid = |sign: i64| {
            let mut from = 0;
            let mut laid = Vec::new();
            for (book, cents) in signed.iter().filter(|(_, cents)| cents.signum() == sign) {
                laid.push((*book, from, from + cents.abs()));
                from += cents.abs();
            }
            laid
        };
        let credits = laid(1);
        for (debit, from, to) in laid(-1) {
            for (credit, begins, ends) in &credits {
                let shared = to.min(*ends) - from.max(*begins);
                if shared > 0 {
                    self.move_book(op, debit, -shared, kind);
                    self.move_book(op, *credit, shared, kind);
                }
            }
        }
    }

    pub(in crate::oracle) fn move_book(
        &mut self,
        op: OpId,
        book: Book,
        credit: i64,
        kind: RowKind,
    ) {
        match book {
            Book::Customer(id) => {
                self.give(id, credit);
                self.row(id, op, kind, RowOf::Principal(credit));
            }
            Book::Ours(name) => {
                if let Some(own) = OwnAccount::parse(name) {
                    self.own_money(own, -credit);
                }
            }
            Book::Product(..) => match self.coins_of(book) {
                Some(coins) => self.add_coins(coins, credit.into()),
                None => *self.products.balances.entry(book).or_default() += credit,
            },
        }
    }
}
