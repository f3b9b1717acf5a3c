//! Facts as the oracle sees them: what each is known by for ever, and what becomes of it.

use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::adjustment::Fact as AdjustmentFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::hold::Fact as HoldFact;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::recovery::Fact as RecoveryFact;
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::ledger::wallet::{Fact as WalletFact, PaymentFinding, Step};
use ledger_core::ledger::{Fact, Outcome, Refusal, Reported, SaleReport};
use ledger_core::machine::wallet::payment::{Adjudication, Finding};
use ledger_core::time::Instant;

use super::{Due, IdScope, Oracle, charge, payout, recovery, sale, wallet};
use crate::goal::Goal;
use crate::spelling::bring_to_one_form;

impl Oracle {
    /// Foresees what becomes of a fact, which is never refused (rulings 1).
    pub(super) fn fact(&mut self, reported: &Reported, at: Instant) -> Outcome {
        let mut reported = reported.clone();
        if let Some(happened) = happened_at(&mut reported.fact)
            && at < *happened
        {
            *happened = at;
            self.reach(Goal::DatedAhead);
        }
        if names_first_output(&mut reported.fact) {
            self.reach(Goal::OutputNamed);
        }
        if bring_to_one_form(&mut reported.fact) {
            self.reach(Goal::SpelledOtherwise);
        }
        let identity = identity(&reported);
        if let Fact::Charge(ChargeFact::PixReceived { charge, payment }) = &reported.fact
            && let Some(outcome) = self.seen_arrives(*charge, payment, at)
        {
            return outcome;
        }
        let again = self.comes_again(&reported.fact)
            || self.payout_pix_waits(&reported.fact)
            || self.sale_pix_waits(&reported.fact);
        if !again && identity.as_ref().is_some_and(|identity| self.seen.contains(identity)) {
            self.was_seen(&reported.fact);
            return Outcome::Known;
        }
        self.named = reported.fact.about();
        let outcome = self.happens(&reported.fact, at);
        self.named = None;
        let Some(identity) = identity else { return outcome };
        // What is known is told of no second time, but the id of who says so is kept.
        let is_kept = identity.0 == IdScope::Fact && reported.fact.kind().needs_id();
        let unbooked = identity.0 == IdScope::PixOut && outcome == Outcome::SetAside(None);
        if !unbooked && (outcome != Outcome::Known || is_kept) {
            self.seen.insert(identity);
            self.trace.changed |= outcome == Outcome::Known;
        }
        outcome
    }

    /// Notes what it says of a fact that it is known by its id.
    fn was_seen(&mut self, fact: &Fact) {
        match fact {
            Fact::Charge(ChargeFact::PixReceived { .. }) => self.reach(Goal::KnownPix),
            Fact::Charge(ChargeFact::PixReturned { return_id, .. }) => {
                self.return_known(return_id, false);
            }
            Fact::Recovery(RecoveryFact::Refunded { return_id, .. }) => {
                self.return_known(return_id, true);
            }
            _ => {}
        }
    }

    /// New names of customers, which must not pass for another (rulings 64; P:LookAlikes).
    pub(super) fn fact_names(&mut self, fact: &Fact) -> Result<(), Refusal> {
        let (account, customer) = match fact {
            Fact::Hold(
                HoldFact::Placed { account, customer, .. }
                | HoldFact::Reserved { account, customer, .. },
            )
            | Fact::Suspense(SuspenseFact::CourtOrdered { account, customer, .. })
            | Fact::Recovery(RecoveryFact::Blocked { account, customer, .. })
            | Fact::Adjustment(
                AdjustmentFact::FeeAdjusted { account, customer, .. }
                | AdjustmentFact::BalanceWrittenOff { account, customer, .. },
            ) => (account, customer),
            Fact::Described { fact, .. } => return self.fact_names(fact),
            _ => return Ok(()),
        };
        self.is_seen(self.account_named(account), "customer_ref", customer.as_deref())
    }

    pub(super) fn happens(&mut self, fact: &Fact, at: Instant) -> Outcome {
        match fact {
            Fact::Account(fact) => self.account_fact(fact, at),
            Fact::Charge(fact) => self.charge_fact(fact, at),
            Fact::Payout(fact) => self.payout_fact(fact, at),
            Fact::Hold(fact) => self.hold_fact(fact, at),
            Fact::Suspense(fact) => self.suspense_fact(fact, at),
            Fact::Adjustment(fact) => self.adjustment_fact(fact),
            Fact::Purchase(fact) => self.purchase_fact(fact, at),
            Fact::Treasury(fact) => self.treasury_fact(fact),
            Fact::Product(fact) => self.product_fact(fact, at),
            Fact::Sale { order, report } => self.sale_news(*order, report, at),
            Fact::Agent(fact) => self.agent_fact(fact, at),
            Fact::Wallet(fact) => self.wallet_fact(fact, at),
            Fact::Cell(_) => unreachable!("accounts move between the ledgers of `cells` alone"),
            Fact::Closing(_) => unreachable!("no actor closes a day"),
            Fact::Recovery(fact) => self.recovery_fact(fact, at),
            Fact::Described { fact, .. } => self.happens(fact, at),
            Fact::HandedOut(key) => self.handed_out(*key, at),
            Fact::TimePassed => Outcome::Applied(None),
        }
    }
}

impl Oracle {
    /// The network on which an operation expects or sends crypto, by its number.
    pub(crate) fn network_of(&self, op: OpId) -> Option<u16> {
        let due = |due: &Option<Due>| due.as_ref().map(|due| due.coin.chain);
        match op.kind() {
            // What an order takes in says its network by itself.
            Kind::CashOut => due(&self.sales.get(&op)?.refund),
            Kind::UnmatchedDeposit => Some(self.unmatched.get(&op)?.coin.chain),
            Kind::Charge => Some(self.charges.get(&op)?.buy.as_ref()?.delivery_terms.chain),
            Kind::Conversion | Kind::CommissionWithdrawal => {
                Some(self.conversions.get(&op)?.delivery_terms.chain)
            }
            Kind::CryptoWithdrawal => Some(self.withdrawals.get(&op)?.terms.chain),
            Kind::WalletPayment => Some(self.payments.get(&op)?.chain),
            _ => None,
        }
    }
}

/// When what a fact reports is said to have happened: at the latest when it is reported, whatever
/// the clock of its reporter reads (rulings 69).
pub(crate) fn happened_at(fact: &mut Fact) -> Option<&mut Instant> {
    match fact {
        Fact::Charge(fact) => match fact {
            ChargeFact::PixReceived { payment, .. } | ChargeFact::PixSeen { payment, .. } => {
                Some(&mut payment.paid_at)
            }
            ChargeFact::ProviderReleased { payment, .. } => {
                payment.as_mut().map(|payment| &mut payment.paid_at)
            }
            _ => None,
        },
        Fact::Purchase(PurchaseFact::Delivery { payment, .. }) => {
            payment.as_mut().map(|payment| &mut payment.paid_at)
        }
        Fact::Purchase(PurchaseFact::RateQuoted { quote, .. }) => Some(&mut quote.at),
        Fact::Sale { report, .. } => match report {
            SaleReport::Seen(deposit) => Some(&mut deposit.seen_at),
            SaleReport::Confirmed { deposit, .. } => {
                deposit.as_mut().map(|deposit| &mut deposit.seen_at)
            }
            SaleReport::Paid { pix, .. } => Some(&mut pix.paid_at),
            _ => None,
        },
        Fact::Wallet(fact) => match &mut **fact {
            WalletFact::Payment { step: Step::Pay(pix), .. }
            | WalletFact::PaymentResolved {
                finding:
                    PaymentFinding::Found(Finding::Paid(pix))
                    | PaymentFinding::Decided(Adjudication::Paid(pix)),
                ..
            } => Some(&mut pix.paid_at),
            _ => None,
        },
        Fact::Described { fact, .. } => happened_at(fact),
        _ => None,
    }
}

/// Leaves out the number of a transaction's first output, which says nothing (rulings 64); whether
/// the fact had it.
fn names_first_output(fact: &mut Fact) -> bool {
    let bare = |hash: &mut Box<str>| match hash.strip_suffix("#0").map(Box::from) {
        Some(shorter) => {
            *hash = shorter;
            true
        }
        None => false,
    };
    match fact {
        Fact::Sale { report, .. } => match report {
            SaleReport::Seen(deposit) => bare(&mut deposit.hash),
            SaleReport::Confirmed { hash, deposit } => {
                let whole = deposit.as_mut().is_some_and(|deposit| bare(&mut deposit.hash));
                bare(hash) || whole
            }
            SaleReport::Vanished(hash) => bare(hash),
            _ => false,
        },
        Fact::Described { fact, .. } => names_first_output(fact),
        _ => false,
    }
}

/// The id a fact is known by for ever.
fn identity(reported: &Reported) -> Option<(IdScope, Box<str>)> {
    let own = match &reported.fact {
        Fact::Charge(fact) => charge::fact::identity(fact),
        Fact::Payout(fact) => payout::identity(fact),
        Fact::Recovery(fact) => recovery::identity(fact),
        // A transaction may be mined twice: its module tells which time is meant.
        Fact::Sale { report, .. } if sale::fact::is_of_a_deposit(report) => return None,
        Fact::Sale { report, .. } => sale::fact::identity(report),
        Fact::Wallet(fact) => wallet::identity(fact),
        _ => None,
    };
    own.or_else(|| reported.id.clone().map(|id| (IdScope::Fact, id)))
}
