//! Facts: never refused, always applied, known or set aside (rulings 1 and 2).
//!
//! What a domain's facts are, and what is said of each, its own `fact.rs` declares and judges; a
//! sale's and the wallet's are declared in `report.rs` beside it.

use super::archive::Archive;
use super::decision::Decision;
use super::decision::fact_context::{FactContext, accept, already_known};
use super::decision::lookup::{Lookup, operation};
use super::decision::named::NamedBalance;
use super::notification::{InstructionKey, TaskKind};
use super::record::event::Event;
use super::record::fact_kind::FactKind;
use super::record::payment_details::FactDetails;
use super::record::{ExternalId, Scope};
use super::sale::report::SaleReport;
use super::state::State;
use super::{
    account, adjustment, agent, cell, charge, closing, hold, payout, product, purchase, recovery,
    suspense, treasury, wallet,
};
use crate::id::OpId;
use crate::machine::cash_out;
use crate::machine::delivery::{self, DeliveryReport};
use crate::time::Instant;

/// What the world reports, each domain's in its own enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Of an account, or of the policy all are served by.
    Account(account::Fact),
    /// Of a charge, or of who pays it.
    Charge(charge::Fact),
    /// Of a payout.
    Payout(payout::Fact),
    /// Of a hold.
    Hold(hold::Fact),
    /// Of money that waits for a person.
    Suspense(suspense::Fact),
    /// Of a correction.
    Adjustment(adjustment::Fact),
    /// Of a purchase, of any delivery, or of what is on offer.
    Purchase(purchase::Fact),
    /// Of our own money and crypto.
    Treasury(treasury::Fact),
    /// Of accounts and entries of a product's own.
    Product(product::Fact),
    /// Of a sale, or of crypto that no order took.
    Sale {
        /// The order, if it names one.
        order: Option<OpId>,
        /// What is reported of it.
        report: SaleReport,
    },
    /// Of an agent.
    Agent(agent::Fact),
    /// Of the USDT wallet.
    Wallet(Box<wallet::Fact>),
    /// Of an account that moves from one ledger to another.
    Cell(cell::Fact),
    /// Of the close of days, and of its evidence.
    Closing(closing::Fact),
    /// Of the recovery of a contested PIX.
    Recovery(recovery::Fact),
    /// A fact, with what is reported beside it once and shown ever after.
    Described {
        /// The fact itself.
        fact: Box<Fact>,
        /// What is reported beside it.
        beside: FactDetails,
    },
    /// An instruction is handed to whoever carries it out; none where it names no operation of the
    /// ledger.
    HandedOut(Option<InstructionKey>),
    /// Nothing but time.
    TimePassed,
}

/// A column of a fact, as its domain declares it; `else` of those that no domain does.
macro_rules! column {
    ($of:expr, $fact:ident => $column:expr, else $none:expr) => {
        match $of {
            Self::Account($fact) => $column,
            Self::Charge($fact) => $column,
            Self::Payout($fact) => $column,
            Self::Hold($fact) => $column,
            Self::Suspense($fact) => $column,
            Self::Adjustment($fact) => $column,
            Self::Purchase($fact) => $column,
            Self::Treasury($fact) => $column,
            Self::Product($fact) => $column,
            Self::Sale { report: $fact, .. } => $column,
            Self::Agent($fact) => $column,
            Self::Wallet($fact) => $column,
            Self::Cell($fact) => $column,
            Self::Closing($fact) => $column,
            Self::Recovery($fact) => $column,
            Self::Described { fact: $fact, .. } => $column,
            Self::HandedOut(_) | Self::TimePassed => $none,
        }
    };
}

impl Fact {
    /// Returns what kind of fact this is.
    #[must_use]
    pub const fn kind(&self) -> FactKind {
        match self {
            Self::HandedOut(_) => FactKind::InstructionHandedOut,
            _ => column!(self, fact => fact.kind(), else FactKind::TimePassed),
        }
    }

    /// The operation the fact is about, if it names one.
    #[must_use]
    pub const fn about(&self) -> Option<OpId> {
        match self {
            Self::Sale { order, .. } => *order,
            Self::HandedOut(Some(key)) => Some(key.op),
            _ => column!(self, fact => fact.about(), else None),
        }
    }

    /// The identity the world gave it, where it gave one.
    #[must_use]
    pub(in crate::ledger) fn outside(&self) -> Option<ExternalId> {
        column!(self, fact => fact.outside(), else None)
    }

    /// The subaccount it names: by its account's name, and its customer's unless it is the house's.
    pub(in crate::ledger) fn subaccount(&self) -> Option<(&str, Option<&str>)> {
        column!(self, fact => fact.subaccount(), else None)
    }

    /// The PIX it names besides, which may be known already.
    pub(in crate::ledger) fn pix(&self) -> Option<(Scope, &str)> {
        column!(self, fact => fact.pix(), else None)
    }

    /// Tells whether it is new although its identity was seen.
    fn is_new(&self, context: &FactContext<'_>) -> bool {
        column!(self, fact => fact.is_new(context), else false)
    }

    fn instant_mut(&mut self) -> Option<&mut Instant> {
        column!(self, fact => fact.instant_mut(), else None)
    }

    /// The balance it names, where its customer may be new: an account that comes from another
    /// ledger brings its customers as they are named there.
    pub(in crate::ledger) fn named_balance(&self) -> Option<NamedBalance<'_>> {
        let of_cell = matches!(self, Self::Cell(_));
        let (_, customer) = self.subaccount().filter(|_| !of_cell)?;
        Some(NamedBalance { field: "customer_ref", customer })
    }
}

impl Fact {
    /// The fact itself, without what is reported beside it.
    #[must_use]
    pub const fn bare(&self) -> &Self {
        match self {
            Self::Described { fact, .. } => fact,
            fact => fact,
        }
    }

    /// Moves no instant that the fact carries behind `at`: what is reported happened before it was
    /// reported, whatever the clock of its reporter reads (rulings 69).
    pub(crate) fn cap_instants(&mut self, at: Instant) {
        if let Some(own) = self.instant_mut() {
            *own = (*own).min(at);
        }
    }

    /// Brings every transaction that it names to the one spelling that it is looked up by
    /// (rulings 64).
    pub(super) fn spell(&mut self, state: &State, archive: &impl Archive) {
        let about = self.about();
        let named = || about.and_then(|op| operation(state, archive, op));
        match self {
            Self::Described { fact, .. } => fact.spell(state, archive),
            Self::Sale { report, .. } => {
                let named = named();
                state.spell_sale(archive, named.as_ref().map(|(_, known)| &**known), report);
            }
            Self::Purchase(fact) => {
                let named = named();
                let named = named.as_ref().map(|(_, known)| &**known);
                fact.transactions(|hash| state.spell_hash(named, None, hash));
            }
            Self::Wallet(fact) => {
                let named = named();
                let named = named.as_ref().map(|(_, known)| &**known);
                fact.transactions(|chain, hash| state.spell_hash(named, chain, hash));
            }
            _ => {}
        }
    }

    /// Looks up what its domain needs to know besides what every fact names.
    pub(super) fn look_up(&self, lookup: &mut Lookup, state: &State, archive: &impl Archive) {
        match self {
            Self::Sale { order, report } => lookup.add_sale((state, archive), *order, report),
            Self::Suspense(fact) => lookup.add_suspense((state, archive), fact),
            Self::Cell(fact) => lookup.contested = fact.is_contested(state, archive),
            Self::Hold(fact) => lookup.holders = fact.holders(state, archive),
            Self::Product(fact) => lookup.holders = fact.holders(state, archive),
            Self::Purchase(fact) => lookup.add_purchase((state, archive), fact),
            Self::Wallet(fact) => lookup.add_wallet((state, archive), fact),
            _ => {}
        }
    }

    /// The fact that an instruction begins with, which tells its machine that it is handed out.
    pub(super) fn beginning(InstructionKey { op, kind, attempt }: InstructionKey) -> Self {
        let op = Some(op);
        match kind {
            TaskKind::Sell => {
                let report = SaleReport::Moved(cash_out::Command::StartSale);
                Self::Sale { order: op, report }
            }
            TaskKind::Withdraw => {
                let report = wallet::WithdrawalReport::Begin;
                Self::Wallet(Box::new(wallet::Fact::Withdrawal { withdrawal: op, report }))
            }
            _ => {
                let report = DeliveryReport::Begin;
                let command = delivery::Command { attempt: Some(attempt), report };
                Self::Purchase(purchase::Fact::Delivery { op, command, payment: None })
            }
        }
    }

    /// The fact, with what is reported beside it.
    #[must_use]
    pub fn with(self, beside: Option<FactDetails>) -> Self {
        match beside {
            Some(beside) => Self::Described { fact: Box::new(self), beside },
            None => self,
        }
    }
}

pub(super) fn decide(state: &State, lookup: &Lookup, fact: Fact, at: Instant) -> Decision {
    let context = FactContext::new(state, lookup, (fact.kind(), fact.about()), at);
    if lookup.seen.is_some() && !fact.is_new(&context) {
        already_known()
    } else {
        context.decide(fact)
    }
}

impl FactContext<'_> {
    pub(in crate::ledger) fn decide(&self, fact: Fact) -> Decision {
        match fact {
            Fact::Account(fact) => self.decide_account(fact),
            Fact::Charge(fact) => self.decide_charge(fact),
            Fact::Payout(fact) => self.decide_payout(fact),
            Fact::Hold(fact) => self.decide_hold(fact),
            Fact::Suspense(fact) => self.decide_suspense(&fact),
            Fact::Adjustment(fact) => self.decide_adjustment(&fact),
            Fact::Purchase(fact) => self.decide_purchase(fact),
            Fact::Treasury(fact) => fact.decide(),
            Fact::Product(fact) => self.decide_product(fact),
            Fact::Sale { report, .. } => self.sale(report),
            Fact::Agent(fact) => self.decide_agent(fact),
            Fact::Wallet(fact) => self.wallet(*fact),
            Fact::Cell(fact) => self.decide_cell(fact),
            Fact::Closing(fact) => self.decide_closing(fact),
            Fact::Recovery(fact) => self.decide_recovery(fact),
            Fact::HandedOut(key) => self.handed_out(key),
            Fact::TimePassed => accept(vec![Event::TimePassed]),
            Fact::Described { fact, beside } => self.decide(*fact).beside(beside),
        }
    }
}
