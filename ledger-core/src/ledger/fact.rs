//! Facts: never refused, always applied, known or set aside (rulings 1 and 2).
//!
//! What a domain's facts are, and what is said of each, its own `fact.rs` declares and judges; a
//! sale's and the wallet's are declared in `report.rs` beside it.

use super::decision::Decision;
use super::decision::fact_context::{FactContext, applied, known};
use super::decision::lookup::Lookup;
use super::notification::InstructionKey;
use super::record::event::Event;
use super::record::fact_kind::FactKind;
use super::record::payment_details::Beside;
use super::record::{ExternalId, Scope};
use super::sale::report::SaleReport;
use super::state::State;
use super::{
    account, adjustment, agent, cell, charge, hold, payout, purchase, suspense, treasury, wallet,
};
use crate::id::OpId;
use crate::machine::wallet::payment::{Adjudication, Finding};
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
    /// A fact, with what is reported beside it once and shown ever after.
    Described {
        /// The fact itself.
        fact: Box<Fact>,
        /// What is reported beside it.
        beside: Beside,
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
            Self::Sale { report: $fact, .. } => $column,
            Self::Agent($fact) => $column,
            Self::Wallet($fact) => $column,
            Self::Cell($fact) => $column,
            Self::Described { fact: $fact, .. } => $column,
            Self::HandedOut(_) | Self::TimePassed => $none,
        }
    };
}

impl Fact {
    /// What kind of fact this is.
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
        let own = match self {
            Self::Charge(
                charge::Fact::PixReceived { payment, .. }
                | charge::Fact::PixSeen { payment, .. }
                | charge::Fact::ProviderReleased { payment: Some(payment), .. },
            )
            | Self::Purchase(purchase::Fact::Delivery { payment: Some(payment), .. }) => {
                &mut payment.paid_at
            }
            Self::Purchase(purchase::Fact::RateQuoted { quote, .. }) => &mut quote.at,
            Self::Sale {
                report:
                    SaleReport::Seen(deposit) | SaleReport::Confirmed { deposit: Some(deposit), .. },
                ..
            } => &mut deposit.seen_at,
            Self::Sale { report: SaleReport::Paid { pix, .. }, .. } => &mut pix.paid_at,
            Self::Wallet(reported) => match &mut **reported {
                wallet::Fact::Payment { step: wallet::Step::Pay(pix), .. }
                | wallet::Fact::PaymentResolved {
                    finding:
                        wallet::PaymentFinding::Found(Finding::Paid(pix))
                        | wallet::PaymentFinding::Decided(Adjudication::Paid(pix)),
                    ..
                } => &mut pix.paid_at,
                _ => return,
            },
            Self::Described { fact, .. } => return fact.cap_instants(at),
            _ => return,
        };
        *own = (*own).min(at);
    }

    /// The fact, with what is reported beside it.
    #[must_use]
    pub fn with(self, beside: Option<Beside>) -> Self {
        match beside {
            Some(beside) => Self::Described { fact: Box::new(self), beside },
            None => self,
        }
    }
}

pub(super) fn decide(state: &State, lookup: &Lookup, fact: Fact, at: Instant) -> Decision {
    let (fact, beside) = match fact {
        Fact::Described { fact, beside } => (*fact, Some(beside)),
        fact => (fact, None),
    };
    let decision = decide_bare(state, lookup, fact, at);
    match beside {
        Some(beside) => decision.beside(beside),
        None => decision,
    }
}

fn decide_bare(state: &State, lookup: &Lookup, fact: Fact, at: Instant) -> Decision {
    let case = FactContext::new(state, lookup, (fact.kind(), fact.about()), at);
    match &fact {
        // The PIX was seen before; that it was received is new.
        Fact::Charge(charge::Fact::PixReceived { payment, .. })
            if case.is_under_review(payment) =>
        {
            case.arrived(payment.amount)
        }
        // Its coins were gone: they are mined again.
        Fact::Wallet(reported) if case.is_mined_again(reported) => case.decide(fact),
        // It was seen before; how often it is confirmed by now is new.
        Fact::Sale { report: SaleReport::Seen(deposit), .. } if case.is_confirming(deposit) => {
            case.confirms_further(deposit.clone())
        }
        _ if lookup.seen.is_some() => known(),
        _ => case.decide(fact),
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
            Fact::Sale { report, .. } => self.sale(report),
            Fact::Agent(fact) => self.decide_agent(fact),
            Fact::Wallet(fact) => self.wallet(*fact),
            Fact::Cell(fact) => self.decide_cell(fact),
            Fact::HandedOut(key) => self.handed_out(key),
            Fact::TimePassed => applied(vec![Event::TimePassed]),
            Fact::Described { fact, .. } => self.decide(*fact),
        }
    }
}
