//! What operators and products report of accounts and entries of their own.

use std::collections::{BTreeMap, BTreeSet};

use crate::accounting::own_accounts::OwnAccount;
use crate::accounting::{Account, DeclaredAccount, Side};
use crate::id::{AccountId, AssetId, Kind, OpId, SubaccountId, Token};
use crate::ledger::account::opening::resolve;
use crate::ledger::archive::Archive;
use crate::ledger::decision::fact_context::{FactContext, attribute};
use crate::ledger::decision::refusal::affordable;
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::malformed::Malformed;
use crate::ledger::product::index::is_open_to_products;
use crate::ledger::product::posting::{Holder, TemplatePosting};
use crate::ledger::record::event::Event;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::state::State;
use crate::machine::entry::{self, Movement};
use crate::money::Amount;
use crate::template::Template;
use crate::terms::Switch;

facts! {
    /// What is reported of accounts and entries of a product's own.
    #[allow(missing_docs)] // Fields bear the wire's names; the contract module describes each.
    Fact {
        /// An account is declared.
        AccountDeclared { declared: DeclaredAccount, decided_by: OperatorDecision }
            is FactKind::ProductAccountDeclared;
        /// A balanced set of legs is posted.
        EntryPosted { legs: Box<[Leg]>, note: Option<Token>, decided_by: OperatorDecision }
            is FactKind::EntryPosted;
        /// An entry is taken back: by these legs, or as a whole.
        EntryReversed {
            entry: Option<OpId>,
            legs: Option<Box<[Leg]>>,
            decided_by: OperatorDecision,
        } is FactKind::EntryReversed, about *entry;
        /// A template of entries is adopted.
        TemplateAdopted { template: Box<Template>, decided_by: OperatorDecision }
            is FactKind::TemplateAdopted;
        /// An entry is posted by a template.
        TemplatePosted {
            posting: Box<TemplatePosting>,
            note: Option<Token>,
            decided_by: OperatorDecision,
        } is FactKind::TemplatePosted;
        /// A balance is brought from elsewhere.
        BalanceOpened {
            holder: Holder,
            amount: Amount,
            note: Option<Token>,
            decided_by: OperatorDecision,
        } is FactKind::BalanceOpened;
        /// An account takes no opening balances any more.
        OpeningBalancesClosed { account: Box<str>, decided_by: OperatorDecision }
            is FactKind::OpeningBalancesClosed;
    }
}

/// A leg of an entry, as it is reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The account's name: declared by a product, or one of ours.
    pub account: Box<str>,
    /// Whose it is, where customers have one each.
    pub holder: Option<Holder>,
    /// Debited or credited.
    pub side: Side,
    /// How much, in the smallest units of the account.
    pub amount: Amount,
}

/// The most legs that one entry may have.
const MOST_LEGS: usize = 100;

/// The name of customers' spendable money among the accounts that a leg may name.
pub(super) const AVAILABLE: &str = "cust.avail";

impl Leg {
    /// Checks that legs are 2 to 100, each of another account, and that they balance.
    ///
    /// # Errors
    ///
    /// What is wrong with them.
    pub fn check_balance(legs: &[Self]) -> Result<(), Malformed> {
        if legs.len() < 2 || legs.len() > MOST_LEGS {
            return Err(Malformed::EntryLegs(MOST_LEGS));
        }
        let accounts: BTreeSet<_> = legs.iter().map(|leg| (&leg.account, &leg.holder)).collect();
        if accounts.len() < legs.len() {
            return Err(Malformed::LegTwice);
        }
        let sum = |side| {
            let side = legs.iter().filter(move |leg| leg.side == side);
            side.map(|leg| i128::from(leg.amount.cents())).sum()
        };
        let (debits, credits) = (sum(Side::Debit), sum(Side::Credit));
        if debits == credits { Ok(()) } else { Err(Malformed::Unbalanced { debits, credits }) }
    }
}

impl Fact {
    /// The subaccount that each leg names, where it is known.
    pub(in crate::ledger) fn holders(
        &self,
        state: &State,
        archive: &impl Archive,
    ) -> Vec<Option<SubaccountId>> {
        let find = |leg: &Leg| leg.holder.as_ref()?.find(state, archive);
        match self {
            Self::EntryPosted { legs, .. } | Self::EntryReversed { legs: Some(legs), .. } => {
                legs.iter().map(find).collect()
            }
            Self::TemplatePosted { posting, .. } => {
                posting.holders.iter().map(|named| named.holder.find(state, archive)).collect()
            }
            Self::BalanceOpened { holder, .. } => vec![holder.find(state, archive)],
            Self::AccountDeclared { .. }
            | Self::TemplateAdopted { .. }
            | Self::OpeningBalancesClosed { .. }
            | Self::EntryReversed { legs: None, .. } => Vec::new(),
        }
    }
}

impl FactContext<'_> {
    /// A fact about accounts and entries of a product's own.
    pub(in crate::ledger) fn decide_product(&self, fact: Fact) -> Decision {
        match fact {
            Fact::AccountDeclared { declared, decided_by } => {
                attribute(self.account_declared(declared), decided_by)
            }
            Fact::EntryPosted { legs, note, decided_by } => {
                self.attributed_or_aside(self.entry_posted(&legs, note), decided_by)
            }
            Fact::EntryReversed { legs, decided_by, .. } => {
                self.attributed_or_aside(self.entry_reversed(legs.as_deref()), decided_by)
            }
            Fact::TemplateAdopted { template, decided_by } => {
                attribute(self.template_adopted(template), decided_by)
            }
            Fact::TemplatePosted { posting, note, decided_by } => {
                self.attributed_or_aside(self.template_posted(&posting, note), decided_by)
            }
            Fact::BalanceOpened { holder, amount, note, decided_by } => {
                self.attributed_or_aside(self.balance_opened(&holder, amount, note), decided_by)
            }
            Fact::OpeningBalancesClosed { account, decided_by } => {
                self.attributed_or_aside(self.opening_balances_closed(&account), decided_by)
            }
        }
    }

    fn entry_posted(&self, legs: &[Leg], note: Option<Token>) -> Result<Decision, Reason> {
        let open = legs.iter().all(|leg| is_open_to_products(&leg.account));
        open.then_some(()).ok_or(Reason::Unmatched)?;
        let mut events = Vec::with_capacity(legs.len());
        let legs = self.resolve_legs(legs, &mut events)?;
        self.may_stand(&legs, None)?;
        let op = OpId::new(Kind::Entry, self.state.seq.next());
        let event = |moved, last| entry::Event::Posted { moved, note, last, template: None };
        Ok(self.entry_decision(op, &legs, events, event))
    }

    /// An entry is taken back once; no leg gives back more than it took.
    fn entry_reversed(&self, legs: Option<&[Leg]>) -> Result<Decision, Reason> {
        let found = self.lookup.operation.as_ref();
        let (op, posted) =
            found.and_then(|(op, known)| Some((*op, known.entry()?))).ok_or(Reason::Unmatched)?;
        let entry::State::Posted(moves) = posted else { return Err(Reason::OutOfTurn) };
        let mut events = Vec::new();
        let back = match legs {
            Some(legs) => {
                let legs = self.resolve_legs(legs, &mut events)?;
                let within = |(account, cents): &(Account, i128)| {
                    let posted = -posted.net_credit(*account);
                    posted.signum() == cents.signum() && cents.abs() <= posted.abs()
                };
                if !events.is_empty() || !legs.iter().all(within) {
                    return Err(Reason::AmountExceeds);
                }
                legs
            }
            None => {
                let accounts = moves.iter().flat_map(|moved| [moved.debit, moved.credit]);
                let mut legs: Vec<(Account, i128)> = Vec::new();
                for account in accounts {
                    if legs.iter().all(|(known, _)| *known != account) {
                        legs.push((account, -posted.net_credit(account)));
                    }
                }
                legs
            }
        };
        self.may_stand(&back, None)?;
        Ok(self.entry_decision(op, &back, events, |moved, last| entry::Event::Reversed {
            moved,
            last,
        }))
    }

    /// The account of each leg, with what it adds to its credit balance, which balance in each
    /// commodity; a customer who is credited and not known yet is opened.
    fn resolve_legs(
        &self,
        legs: &[Leg],
        events: &mut Vec<Event>,
    ) -> Result<Vec<(Account, i128)>, Reason> {
        let holders = self.lookup.holders.iter().copied();
        let legs = legs.iter().zip(holders).map(|(leg, known)| {
            let named = (&*leg.account, leg.holder.as_ref());
            let account = self.resolved_account(named, known, None, events)?;
            let cents = i128::from(leg.amount.cents());
            Ok((account, if leg.side == Side::Credit { cents } else { -cents }))
        });
        let legs = legs.collect::<Result<Vec<_>, _>>()?;
        self.balance_each(&legs)?;
        Ok(legs)
    }

    /// The account of this name and holder, whose subaccount is looked up as `known`; a customer
    /// who is not known yet is opened, where its account may still change.
    pub(in crate::ledger) fn resolved_account(
        &self,
        (name, holder): (&str, Option<&Holder>),
        known: Option<SubaccountId>,
        ending: Option<AccountId>,
        events: &mut Vec<Event>,
    ) -> Result<Account, Reason> {
        let holder = match holder {
            Some(holder) => Some(known.map_or_else(|| self.opening(holder, ending, events), Ok)?),
            None => None,
        };
        self.account_of_leg(name, holder).ok_or(Reason::Unmatched)
    }

    /// A customer's subaccount that this decision opens, or has opened for another leg.
    fn opening(
        &self,
        holder: &Holder,
        ending: Option<AccountId>,
        events: &mut Vec<Event>,
    ) -> Result<SubaccountId, Reason> {
        let account = self.state.account_named(&holder.account).ok_or(Reason::Unmatched)?;
        self.may_change(account, ending)?;
        let customer = holder.customer.clone().ok_or(Reason::Unmatched)?;
        Malformed::look_alike(&customer).map_err(|_| Reason::Unmatched)?;
        Ok(resolve(self.state, account, None, Some(customer), events))
    }

    /// The account that a leg names: a customer's spendable money, one of our own, or a product's.
    pub(super) fn account_of_leg(
        &self,
        name: &str,
        holder: Option<SubaccountId>,
    ) -> Option<Account> {
        if name == AVAILABLE {
            return holder.map(Account::Available);
        }
        let own = OwnAccount::parse(name).filter(|own| *own != OwnAccount::Cells);
        match own {
            Some(own) => holder.is_none().then(|| own.account()),
            None => {
                let (number, declared) = self.state.domains.products.by_name(name)?;
                declared.account(number, holder)
            }
        }
    }

    /// Checks that balances of an account may change: it lives here, or it is the one whose open
    /// operation ends by this, on which its move waits, and none of its balances was carried yet.
    fn may_change(&self, account: AccountId, ending: Option<AccountId>) -> Result<(), Reason> {
        let waits = ending == Some(account) && self.state.has_balances_of(account);
        if waits || self.state.lives_here(account).is_ok() {
            Ok(())
        } else {
            Err(Reason::OutOfTurn)
        }
    }

    /// Checks that each account may stand where its leg would leave it: a customer spends no more
    /// than is available and no waiting money, nothing moves of an account that moves to another
    /// ledger, and an account of a product falls below zero only where it may.
    ///
    /// `ending` is the API account whose open operation the legs end, if they end one.
    pub(in crate::ledger) fn may_stand(
        &self,
        legs: &[(Account, i128)],
        ending: Option<AccountId>,
    ) -> Result<(), Reason> {
        for (account, cents) in legs {
            let books = &self.state.books;
            let product = account.product();
            let holder = account.subaccount().or_else(|| product.and_then(|of| of.holder));
            if let Some(known) = holder.and_then(|holder| self.state.subaccount(holder)) {
                self.may_change(known.account, ending)?;
            }
            match account {
                Account::Available(subaccount) if *cents < 0 => {
                    let debited = i64::try_from(-cents).ok().and_then(Amount::new);
                    affordable(self.state, *subaccount, debited, self.at)
                        .map_err(|_| Reason::AmountExceeds)?;
                }
                Account::Available(subaccount) => {
                    let after = i128::from(books.subaccount(*subaccount).total().cents()) + cents;
                    i64::try_from(after).map_err(|_| Reason::AmountExceeds)?;
                }
                account => {
                    let after = self.state.net_credit_of(*account) + cents;
                    let counted = product.is_none() || i64::try_from(after).is_ok();
                    let falls = account.natural(*cents) < 0;
                    if !counted || (falls && self.state.is_overdrawn(*account, after)) {
                        return Err(Reason::AmountExceeds);
                    }
                }
            }
        }
        Ok(())
    }

    /// The legs of an entry as its events, of which the last says that it is.
    pub(super) fn entry_decision(
        &self,
        op: OpId,
        legs: &[(Account, i128)],
        mut events: Vec<Event>,
        event: impl Fn(Movement, Switch) -> entry::Event,
    ) -> Decision {
        let mut by_asset: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for leg in legs {
            by_asset.entry(self.state.asset_of(leg.0)).or_default().push(*leg);
        }
        let moves: Vec<_> =
            by_asset.into_iter().flat_map(|(asset, legs)| pair(&legs, asset)).collect();
        let count = moves.len();
        events.extend((1..).zip(moves).map(|(number, moved)| {
            let last = if number == count { Switch::On } else { Switch::Off };
            Event::Entry { op, event: event(moved, last) }
        }));
        Decision { events, outcome: Outcome::Applied(Some(op)) }
    }
}

/// The legs in one commodity, which sum to zero, as moves: each debit gives to the credits in their
/// order.
fn pair(legs: &[(Account, i128)], asset: Option<AssetId>) -> Vec<Movement> {
    let side = |sign: i128| legs.iter().filter(move |leg| leg.1.signum() == sign).copied();
    let (mut debits, mut credits) = (side(-1), side(1));
    let (mut debit, mut credit) = (debits.next(), credits.next());
    let mut moves = Vec::with_capacity(legs.len());
    while let (Some((from, owed)), Some((to, due))) = (debit, credit) {
        let units = due.min(-owed);
        let amount = i64::try_from(units).ok().and_then(Amount::new);
        let amount = amount.expect("a part of a leg is an amount");
        moves.push(Movement { debit: from, credit: to, amount, asset });
        debit = if owed + units == 0 { debits.next() } else { Some((from, owed + units)) };
        credit = if due == units { credits.next() } else { Some((to, due - units)) };
    }
    moves
}
