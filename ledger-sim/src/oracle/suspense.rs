//! Money that waits for a person, as the oracle sees it (rulings 1, 21 and 46).

use ledger_core::accounting::RowKind;
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::Outcome;
use ledger_core::ledger::suspense::Fact;
use ledger_core::machine::charge::PixPayment;
use ledger_core::money::Amount;
use ledger_core::time::Instant;

use super::books::RowOf;
use super::charge::Before;
use super::{IdScope, Oracle};
use crate::goal::Goal;

/// Money that waits for a person.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub(crate) amount: i64,
    /// Tells whether it came in (we owe it) or went out (the provider owes it).
    pub(crate) came_in: bool,
    /// Tells whether it passed through the float where charges are paid.
    pub(super) collection: bool,
    pub(crate) outside: Box<str>,
    paid_at: Instant,
    pub(crate) status: WaitingStatus,
    /// Tells whether a court took it from a subaccount: it pays no charge.
    court: bool,
    /// The payment from a wallet that it was reported for.
    pub(crate) payment: Option<OpId>,
    /// The operation it named.
    pub(in crate::oracle) about: Option<OpId>,
    /// The recovery that a return named.
    pub(in crate::oracle) recovery: Option<Box<str>>,
}

impl Waiting {
    /// Tells whether it is a PIX received that went back to its payer.
    pub(crate) fn is_deposit_back(&self) -> bool {
        !self.came_in && self.collection
    }

    /// Tells whether it is a PIX sent that came back.
    pub(crate) fn is_payment_back(&self) -> bool {
        self.came_in && !self.collection
    }

    /// Tells whether it is a PIX that was sent.
    pub(crate) fn is_payment(&self) -> bool {
        !self.came_in && !self.collection
    }
}

/// Where suspense stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WaitingStatus {
    Waiting,
    Attached(OpId),
    Returned,
}

impl Oracle {
    /// Foresees what people report of money that waits.
    pub(super) fn suspense_fact(&mut self, fact: &Fact, at: Instant) -> Outcome {
        match fact {
            Fact::Attached { suspense, charge, .. } => self.attach(*suspense, *charge, at),
            Fact::Returned { suspense, return_id, .. } => {
                self.suspense_returned(*suspense, return_id.as_deref())
            }
            Fact::CourtOrdered { account, customer, hold, amount, .. } => {
                self.court_ordered(account, customer.as_deref(), *hold, amount.cents(), at)
            }
        }
    }

    /// Money came in that matches nothing: we owe it to somebody.
    pub(super) fn money_in(
        &mut self,
        amount: i64,
        collection: bool,
        outside: &str,
        paid_at: Instant,
    ) -> Outcome {
        self.totals.suspense += amount;
        *self.float(collection) += amount;
        self.seen.insert((realm(true, collection), outside.into()));
        self.put_aside(Waiting {
            amount,
            came_in: true,
            collection,
            outside: outside.into(),
            paid_at,
            status: WaitingStatus::Waiting,
            court: false,
            payment: None,
            about: self.named,
            recovery: None,
        })
    }

    /// Money went out that matches nothing: the provider owes it to us.
    pub(super) fn money_out(
        &mut self,
        amount: i64,
        collection: bool,
        outside: &str,
        at: Instant,
    ) -> Outcome {
        self.totals.provider_claim += amount;
        *self.float(collection) -= amount;
        self.seen.insert((realm(false, collection), outside.into()));
        self.put_aside(Waiting {
            amount,
            came_in: false,
            collection,
            outside: outside.into(),
            paid_at: at,
            status: WaitingStatus::Waiting,
            court: false,
            payment: None,
            about: self.named,
            recovery: None,
        })
    }

    pub(super) fn float(&mut self, collection: bool) -> &mut i64 {
        if collection { &mut self.totals.provider_pix } else { &mut self.totals.provider_pay }
    }

    fn put_aside(&mut self, waiting: Waiting) -> Outcome {
        let op = self.next_op(Kind::Suspense);
        self.put_aside.extend(waiting.about.map(|about| (about, op)));
        self.suspense.insert(op, waiting);
        self.note(op);
        Outcome::SetAside(Some(op))
    }

    /// It waits no more.
    pub(super) fn ends_waiting(&mut self, op: OpId, status: WaitingStatus) {
        let waiting = self.suspense.get_mut(&op).expect("the caller found it");
        waiting.status = status;
        if let Some(about) = waiting.about {
            self.put_aside.remove(&(about, op));
        }
    }

    /// A person says of which charge a return is.
    fn attach_return(&mut self, op: OpId, charge: OpId, at: Instant) -> Outcome {
        let amount = self.suspense[&op].amount;
        if !self.charges.contains_key(&charge) || !self.goes_back(charge, amount, at) {
            return Outcome::SetAside(None);
        }
        self.settle_suspense(op, charge);
        self.reach(Goal::AttachedReturn);
        Outcome::Applied(None)
    }

    /// An operator gives a PIX to a charge that has none.
    fn attach(&mut self, suspense: Option<OpId>, charge: Option<OpId>, at: Instant) -> Outcome {
        let aside = Outcome::SetAside(None);
        let Some(op) = suspense else { return aside };
        let (Some(waiting), Some(charge)) = (self.suspense.get(&op), charge) else { return aside };
        if waiting.status == WaitingStatus::Attached(charge) {
            return Outcome::Known;
        }
        if waiting.status == WaitingStatus::Waiting && waiting.is_deposit_back() {
            return self.attach_return(op, charge, at);
        }
        let pix = waiting.came_in && waiting.collection && !waiting.court;
        let free = waiting.status == WaitingStatus::Waiting && pix;
        let told = waiting.about.filter(|told| *told != charge);
        let gone = told.is_some_and(|told| self.least_waiting(told) <= waiting.amount);
        let Some(target) = self.charges.get_mut(&charge).filter(|_| free) else { return aside };
        if gone || !target.is_unpaid() {
            return aside;
        }
        // A purchase takes only what it was agreed for.
        if target.buy.is_some() && target.amount != waiting.amount {
            return aside;
        }
        target.received = waiting.amount;
        target.paid_at = Some(waiting.paid_at.min(at));
        target.counted_at = Some(at);
        target.e2e = Some(waiting.outside.clone());
        let buys = target.buy.is_some();
        let payment = PixPayment {
            e2e: waiting.outside.clone(),
            amount: Amount::new(waiting.amount).expect("what waits is positive"),
            paid_at: waiting.paid_at,
        };
        self.seen.insert((IdScope::PixIn, payment.e2e));
        if buys {
            self.buy(charge, Before::Suspense);
            self.reach(Goal::AttachedPurchase);
        } else {
            self.credit(charge, Before::Suspense, at);
        }
        self.ends_waiting(op, WaitingStatus::Attached(charge));
        self.note(op);
        self.paid_now(charge, at);
        self.reach(Goal::Attached);
        Outcome::Applied(None)
    }

    /// Gives what waited back: to the payer when it came in, to us when it went out.
    fn suspense_returned(&mut self, op: Option<OpId>, return_id: Option<&str>) -> Outcome {
        let found = op.and_then(|op| Some((op, self.suspense.get(&op)?)));
        let Some((op, waiting)) = found else { return Outcome::SetAside(None) };
        match waiting.status {
            WaitingStatus::Attached(_) => return Outcome::SetAside(None),
            WaitingStatus::Returned => return Outcome::Known,
            WaitingStatus::Waiting => {}
        }
        let (amount, came_in, collection) = (waiting.amount, waiting.came_in, waiting.collection);
        if let Some(id) = return_id {
            // One return is one return (rulings 8).
            if !self.seen.insert((IdScope::DepositBack, id.into())) {
                return Outcome::SetAside(None);
            }
        }
        self.ends_waiting(op, WaitingStatus::Returned);
        if came_in {
            self.totals.suspense -= amount;
            *self.float(collection) -= amount;
        } else {
            self.totals.provider_claim -= amount;
            *self.float(collection) += amount;
        }
        self.note(op);
        self.reach(Goal::SuspenseReturned);
        Outcome::Applied(None)
    }

    /// A PIX that was claimed is what a payment asked for: the claim ends, and its order has it.
    pub(super) fn claim_pays(&mut self, claim: OpId, order: OpId) {
        self.settle_suspense(claim, order);
    }

    /// A court takes what it wants, whatever there is: from the block placed for it, from held
    /// parts and from available (rulings 21).
    fn court_ordered(
        &mut self,
        account: &str,
        customer: Option<&str>,
        hold: Option<OpId>,
        amount: i64,
        at: Instant,
    ) -> Outcome {
        let aside = Outcome::SetAside(None);
        let account = self.account_named(account);
        let Some(subaccount) = account.and_then(|id| self.subaccount_of(id, customer)) else {
            return aside;
        };
        let stands = |op: &OpId| {
            let hold = self.holds.get(op).filter(|hold| hold.subaccount == subaccount);
            hold.is_some_and(|hold| !hold.closed && !hold.reserved)
        };
        if hold.is_some_and(|op| !stands(&op)) {
            return aside;
        }
        let op = self.next_op(Kind::Suspense);
        let mut need = amount;
        if let Some(hold) = hold {
            need = self.take_from_block(hold, subaccount, need);
        }
        self.take_other_parts(op, subaccount, need);
        let books = self.touch(subaccount);
        books.available -= amount;
        if books.available < 0 {
            self.reach(Goal::CourtTookMore);
        }
        self.totals.suspense += amount;
        self.row(subaccount, op, RowKind::CourtOrder, RowOf::Principal(-amount));
        self.put_aside(Waiting {
            amount,
            came_in: true,
            collection: true,
            outside: "".into(),
            paid_at: at,
            status: WaitingStatus::Waiting,
            court: true,
            payment: None,
            about: hold,
            recovery: None,
        });
        Outcome::Applied(Some(op))
    }
}

/// Returns what the id of money put aside is an id of.
const fn realm(came_in: bool, collection: bool) -> IdScope {
    match (came_in, collection) {
        (true, true) => IdScope::PixIn,
        (false, true) => IdScope::DepositBack,
        (true, false) => IdScope::PayoutBack,
        (false, false) => IdScope::PixOut,
    }
}
