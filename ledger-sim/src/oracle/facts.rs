//! The other facts: suspense, corrections, own money, accounts and terms; and the one door for all.

use ledger_core::accounting::{CoinAccount, RowKind};
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::{
    Fact, Income, Outcome, OwnAccount, OwnCoins, Reported, SaleReport, wallet,
};
use ledger_core::machine::charge::PixPayment;
use ledger_core::machine::delivery::{self, DeliveryReport};
use ledger_core::machine::hold;
use ledger_core::money::Amount;
use ledger_core::terms::Policy;
use ledger_core::time::Instant;

use super::books::RowOf;
use super::charge::Before;
use super::wallet::coins_id;
use super::{Oracle, Realm};
use crate::goal::Goal;

/// Money that waits for a person.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub(crate) amount: i64,
    /// Whether it came in (we owe it) or went out (the provider owes it).
    pub(crate) came_in: bool,
    /// Whether it passed through the float where charges are paid.
    pub(super) collection: bool,
    pub(crate) outside: Box<str>,
    paid_at: Instant,
    pub(crate) status: WaitingStatus,
    /// Whether a court took it from a subaccount: it pays no charge.
    court: bool,
    /// The payment from a wallet that it was reported for.
    pub(crate) payment: Option<OpId>,
    /// The operation it named.
    pub(super) about: Option<OpId>,
}

impl Waiting {
    /// Whether it is a PIX received that went back to its payer.
    pub(crate) fn is_deposit_back(&self) -> bool {
        !self.came_in && self.collection
    }

    /// Whether it is a PIX sent that came back.
    pub(crate) fn is_payment_back(&self) -> bool {
        self.came_in && !self.collection
    }

    /// Whether it is a PIX that was sent.
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
    /// What becomes of a fact, which is never refused (rulings 1).
    pub(super) fn fact(&mut self, reported: &Reported, at: Instant) -> Outcome {
        let identity = identity(reported);
        if let Fact::PixReceived { charge, payment } = &reported.fact
            && let Some(outcome) = self.seen_arrives(*charge, payment, at)
        {
            return outcome;
        }
        let again = self.comes_again(&reported.fact);
        if !again && identity.as_ref().is_some_and(|identity| self.seen.contains(identity)) {
            if matches!(reported.fact, Fact::PixReceived { .. }) {
                self.reach(Goal::KnownPix);
            }
            return Outcome::Known;
        }
        self.named = reported.fact.about();
        let outcome = self.happens(&reported.fact, at);
        self.named = None;
        if let (true, Some(identity)) = (outcome != Outcome::Known, identity) {
            self.seen.insert(identity);
        }
        outcome
    }

    #[allow(clippy::too_many_lines)] // A table of facts.
    fn happens(&mut self, fact: &Fact, at: Instant) -> Outcome {
        match fact {
            Fact::AgentActivated(newcomer) => self.agent_activated(newcomer),
            Fact::AgentSuspended { agent, .. } => self.agent_policed(agent, true),
            Fact::AgentReinstated { agent, .. } => self.agent_policed(agent, false),
            Fact::AccountOpened { name, key, terms } => self.account_reported(name, *key, *terms),
            Fact::PolicyAdopted(Policy { wallet: Some(wallet), .. }) if !self.is_listed(wallet) => {
                Outcome::SetAside(None)
            }
            Fact::PolicyAdopted(policy) => {
                self.policy = policy.clone();
                Outcome::Applied(None)
            }
            Fact::TermsAdopted { account, from, terms } => match self.account_named(account) {
                Some(account) => {
                    let adopted = (at, from.unwrap_or(at), *terms);
                    self.accounts[account.0 as usize].terms.push(adopted);
                    Outcome::Applied(None)
                }
                None => Outcome::SetAside(None),
            },
            Fact::TreasuryMoved { from, to, amount } => {
                self.own_money(*to, amount.cents());
                self.own_money(*from, -amount.cents());
                Outcome::Applied(None)
            }
            Fact::PixReceived { charge, payment } => self.pix_received(*charge, payment, at),
            Fact::PixReturned { charge, return_id, amount } => {
                self.pix_returned(*charge, return_id, amount.cents(), at)
            }
            Fact::ProviderReleased { charge, payment } => {
                self.provider_released(*charge, payment.as_ref(), at)
            }
            Fact::ProviderCancelled { charge } => self.provider_cancelled(*charge),
            Fact::PayoutSubmitted { payout } => self.payout_submitted(*payout),
            Fact::PayoutPaid { payout, e2e, amount } => {
                self.payout_paid(*payout, e2e, amount.map(Amount::cents), at, false)
            }
            Fact::PayoutRefused { payout } => self.payout_refused(*payout, false),
            Fact::PayoutUnknown { payout } => self.payout_unknown(*payout),
            Fact::PayoutReturned { payout, return_id, amount } => {
                self.payout_returned(*payout, return_id, amount.cents(), at)
            }
            Fact::PayoutEvidence { payout, paid, .. } => match paid {
                Some(e2e) => self.payout_found_paid(*payout, e2e, at),
                None => self.payout_refused(*payout, true),
            },
            Fact::Wallet(fact) => self.wallet_fact(fact, at),
            // Maturity is a charge's own (rulings 26).
            Fact::HoldPlaced { kind: hold::Kind::Maturity, .. } => Outcome::SetAside(None),
            Fact::HoldPlaced { account, customer, cause, kind, amount, .. } => {
                let account = self.account_named(account);
                let asked = (*kind, amount.cents());
                self.place_hold((account, customer.as_deref()), *cause, asked, at)
            }
            Fact::HoldReleased { hold, amount, .. } => {
                self.release_hold(*hold, amount.map(Amount::cents))
            }
            Fact::SuspenseAttached { suspense, charge, .. } => self.attach(*suspense, *charge, at),
            Fact::SuspenseReturned { suspense, .. } => self.suspense_returned(*suspense),
            Fact::FeeAdjusted { account, customer, given, charged, income, .. } => {
                let (given, charged) = (given.cents(), charged.cents());
                self.fee_adjusted((account, customer.as_deref()), given, charged, *income)
            }
            Fact::BalanceWrittenOff { account, customer, amount, .. } => {
                self.written_off(account, customer.as_deref(), amount.cents())
            }
            Fact::CourtOrdered { account, customer, hold, amount, .. } => {
                self.court_ordered(account, customer.as_deref(), *hold, amount.cents(), at)
            }
            Fact::KeyReplaced { account, key, .. } => self.key_replaced(account, *key),
            Fact::KeyRevoked { account, .. } => self.key_revoked(account),
            Fact::Described { fact, .. } => self.happens(fact, at),
            Fact::TimePassed => Outcome::Applied(None),
            Fact::MarketsUpdated { opened, closed } => self.markets_updated(opened, closed),
            Fact::Sale { order, report } => self.sale_news(*order, report, at),
            Fact::CatalogueUpdated { listed, dropped } => self.catalogue_updated(listed, dropped),
            Fact::RateQuoted { asset, quote } => self.rate_quoted(asset, quote),
            Fact::PayerReviewed { payer, review, .. } => self.payer_reviewed(*payer, *review),
            Fact::PixSeen { charge, payment } => self.pix_seen(*charge, payment, at),
            Fact::ProviderSettled { charge } => self.provider_settled(*charge, at),
            Fact::ProviderHeld { charge, .. } => self.provider_held(*charge, at),
            Fact::Delivery { op, command, payment } => {
                self.delivery_news(*op, command, payment.as_ref(), false, at)
            }
            Fact::DeliveryEvidence { op, sent, .. } => {
                let report = sent.clone().map_or(DeliveryReport::Fail, DeliveryReport::Confirm);
                let command = delivery::Command { attempt: None, report };
                self.delivery_news(*op, &command, None, true, at)
            }
            Fact::DeliveryGivenUp { op, to, .. } => self.given_up(*op, to),
            Fact::DeliveryResumed { op, .. } => self.resumed(*op),
            Fact::PayoutStopped { payout, .. } => self.payout_decided(*payout, true, at),
            Fact::PayoutCleared { payout, .. } => self.payout_decided(*payout, false, at),
            Fact::CoinsMoved { asset, from, to, units } => {
                self.coins(asset.0, own_coins(*to), own_coins(*from), units.get());
                Outcome::Applied(None)
            }
            Fact::ErroneousDeliverySettled { erroneous_delivery, end, .. } => {
                self.erroneous_delivery_settled(*erroneous_delivery, *end)
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
        let Some(target) = self.charges.get_mut(&charge).filter(|_| free) else { return aside };
        if !target.is_unpaid() {
            return aside;
        }
        // A purchase takes only what it was agreed for.
        if target.buy.is_some() && target.amount != waiting.amount {
            return aside;
        }
        target.received = waiting.amount;
        target.counted_at = Some(at);
        let buys = target.buy.is_some();
        let payment = PixPayment {
            e2e: waiting.outside.clone(),
            amount: Amount::new(waiting.amount).expect("what waits is positive"),
            paid_at: waiting.paid_at,
        };
        self.seen.insert((Realm::PixIn, payment.e2e));
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

    /// What waited went back: to the payer when it came in, to us when it went out.
    fn suspense_returned(&mut self, op: Option<OpId>) -> Outcome {
        let found = op.and_then(|op| Some((op, self.suspense.get(&op)?)));
        let Some((op, waiting)) = found else { return Outcome::SetAside(None) };
        match waiting.status {
            WaitingStatus::Attached(_) => return Outcome::SetAside(None),
            WaitingStatus::Returned => return Outcome::Known,
            WaitingStatus::Waiting => {}
        }
        let (amount, came_in, collection) = (waiting.amount, waiting.came_in, waiting.collection);
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

    fn fee_adjusted(
        &mut self,
        (account, customer): (&str, Option<&str>),
        given: i64,
        charged: i64,
        income: Income,
    ) -> Outcome {
        let account = self.account_named(account);
        let Some(subaccount) = account.and_then(|id| self.subaccount_of(id, customer)) else {
            return Outcome::SetAside(None);
        };
        let one = (given == 0) != (charged == 0);
        if !one || charged > 0 && charged > self.subaccount(subaccount).available {
            return Outcome::SetAside(None);
        }
        let op = self.next_op(Kind::Adjustment);
        self.give(subaccount, given - charged);
        self.row(subaccount, op, RowKind::FeeAdjustment, RowOf::Fee(given - charged));
        match income {
            Income::Deposit => self.totals.deposit_income += charged - given,
            Income::Payout => self.totals.payout_income += charged - given,
            Income::Purchase => self.totals.purchase_income += charged - given,
            Income::Conversion => self.totals.conversion_income += charged - given,
        }
        if given > 0 {
            self.reach(Goal::FeeCorrected);
        }
        Outcome::Applied(Some(op))
    }

    /// No more is written off than is owed (rulings 29).
    fn written_off(&mut self, account: &str, customer: Option<&str>, amount: i64) -> Outcome {
        let account = self.account_named(account);
        let Some(subaccount) = account.and_then(|id| self.subaccount_of(id, customer)) else {
            return Outcome::SetAside(None);
        };
        if self.subaccount(subaccount).available + amount > 0 {
            return Outcome::SetAside(None);
        }
        let op = self.next_op(Kind::Adjustment);
        self.give(subaccount, amount);
        self.row(subaccount, op, RowKind::WriteOff, RowOf::Principal(amount));
        self.totals.loss += amount;
        self.reach(Goal::WrittenOff);
        Outcome::Applied(Some(op))
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
            self.holds.get(op).is_some_and(|hold| hold.subaccount == subaccount && !hold.closed)
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
        });
        Outcome::Applied(Some(op))
    }

    /// Debits one of our own accounts; what is ours or owed to us grows, what we owe shrinks.
    fn own_money(&mut self, account: OwnAccount, debit: i64) {
        match account {
            OwnAccount::Funding => self.totals.funding -= debit,
            OwnAccount::ProviderPix => self.totals.provider_pix += debit,
            OwnAccount::ProviderPay => self.totals.provider_pay += debit,
            OwnAccount::ProviderClaim => self.totals.provider_claim += debit,
            OwnAccount::TariffDue => self.totals.tariff_due -= debit,
            OwnAccount::Fx => self.totals.fx -= debit,
        }
    }
}

/// The account of own crypto that a fact names.
fn own_coins(account: OwnCoins) -> CoinAccount {
    match account {
        OwnCoins::Funding => CoinAccount::Funding,
        OwnCoins::Treasury(chain) => CoinAccount::Treasury(chain),
        OwnCoins::Gas => CoinAccount::Gas,
        OwnCoins::ProviderClaim => CoinAccount::ProviderClaim,
        OwnCoins::Fx => CoinAccount::Fx,
        OwnCoins::Loss => CoinAccount::Loss,
    }
}

/// The id a fact is known by for ever.
fn identity(reported: &Reported) -> Option<(Realm, Box<str>)> {
    match &reported.fact {
        Fact::PixReceived { payment, .. } | Fact::PixSeen { payment, .. } => {
            Some((Realm::PixIn, payment.e2e.clone()))
        }
        Fact::PixReturned { return_id, .. } => Some((Realm::DepositBack, return_id.clone())),
        Fact::PayoutPaid { e2e, .. } => Some((Realm::PixOut, e2e.clone())),
        Fact::PayoutReturned { return_id, .. } => Some((Realm::PayoutBack, return_id.clone())),
        // A transaction may be mined twice: its room tells which time is meant.
        Fact::Sale {
            report: SaleReport::Seen(_) | SaleReport::Confirmed { .. } | SaleReport::Vanished(_),
            ..
        } => None,
        Fact::Sale { report: SaleReport::Paid { pix, .. }, .. } => {
            Some((Realm::PixOut, pix.e2e.clone()))
        }
        Fact::Sale { report: SaleReport::Reversed { return_id, .. }, .. } => {
            Some((Realm::PayoutBack, return_id.clone()))
        }
        Fact::Wallet(fact) if let wallet::Fact::DepositSeen { transfer, .. } = &**fact => {
            Some((Realm::Coins, coins_id(transfer)))
        }
        Fact::Wallet(fact)
            if let wallet::Fact::Payment { step: wallet::Step::Pay(pix), .. } = &**fact =>
        {
            Some((Realm::PixOut, pix.e2e.clone()))
        }
        _ => reported.id.clone().map(|id| (Realm::Fact, id)),
    }
}

/// What the id of money put aside is an id of.
const fn realm(came_in: bool, collection: bool) -> Realm {
    match (came_in, collection) {
        (true, true) => Realm::PixIn,
        (false, true) => Realm::DepositBack,
        (true, false) => Realm::PayoutBack,
        (false, false) => Realm::PixOut,
    }
}
