//! When faults stop, everything comes to rest: it ends, or it waits for a person.

mod recoveries;
mod sales;
mod wallets;

use ledger_core::accounting::{Account, CoinAccount};
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::GiveUpTo;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::machine::erroneous_delivery;
use ledger_core::time::Span;

use crate::failure::wrong::Mismatch;
use crate::oracle::{Buy, ChargeStatus, End, PayoutStatus, Stage, Waiting, WaitingStatus};
use crate::run::Run;
use crate::settings::{Faults, Judges};

/// Longer than any deadline: a watch of 90 days is the longest.
const LONG: Span = Span::days(100);

/// Which seeds' journals are replayed from the first record, into the sequencer of an engine; and
/// which are read back whole, by each crash as far as they go and at their end. The others open
/// after a crash from a snapshot of when the batch began that was lost, and read back what landed
/// of it.
const REPLAY_EVERY: u64 = 8;
const READ_BACK_EVERY: u64 = 4;

impl Run {
    /// Delivers everything, resolves what is unknown, lets time pass, and looks at what is left.
    pub(crate) fn come_to_rest(&mut self) -> Result<(), Mismatch> {
        self.flush()?;
        self.world.faults = Faults::None;
        // A crash that was still to come strikes here, and what it lost is said again below.
        self.flush()?;
        self.say_what_is_planned()?;
        self.resolve()?;
        self.say_what_is_planned()?;
        self.world.now = self.world.now.after(LONG);
        self.pass_time()?;
        self.flush()?;
        self.subject.forgets_nothing()?;
        if self.settings.judges == Judges::All {
            self.is_at_rest()?;
        }
        self.report_ends();
        self.check_all()?;
        match self.settings.seed {
            seed if seed.is_multiple_of(REPLAY_EVERY) => self.subject.replays_to_itself(),
            _ if self.reads_back() => self.subject.reads_back_to_itself(),
            _ => Ok(()),
        }
    }

    /// Tells whether every record is read back, once.
    pub(crate) fn reads_back(&self) -> bool {
        self.settings.seed.is_multiple_of(READ_BACK_EVERY)
    }

    pub(crate) fn say_what_is_planned(&mut self) -> Result<(), Mismatch> {
        loop {
            self.flush()?;
            let Some(command) = self.world.next_planned(&self.oracle) else { return Ok(()) };
            let bound = self.oracle.now.after(self.oracle.policy.largest_jump);
            if bound < command.at {
                self.pass_time()?;
            }
            self.say(command)?;
        }
    }

    fn pass_time(&mut self) -> Result<(), Mismatch> {
        let command = self.world.time_passes();
        self.say(command)
    }

    /// The provider releases what it holds, and operators find out what became of payouts.
    fn resolve(&mut self) -> Result<(), Mismatch> {
        let held = self.oracle.charges.iter();
        let held = held.filter(|(_, charge)| charge.status == ChargeStatus::Delayed);
        let held: Vec<OpId> = held.map(|(op, _)| *op).collect();
        let seen = self.oracle.charges.iter();
        let seen = seen.filter(|(_, charge)| charge.status == ChargeStatus::UnderReview);
        let seen: Vec<OpId> = seen.map(|(op, _)| *op).collect();
        for op in seen {
            self.world.report(ChargeFact::ProviderSettled { charge: Some(op) });
        }
        for op in held {
            self.world.report(ChargeFact::ProviderReleased { charge: Some(op), payment: None });
        }
        let under_way = self.oracle.payouts.iter().filter(|(_, payout)| payout.is_under_way());
        let under_way: Vec<OpId> = under_way.map(|(op, _)| *op).collect();
        for op in under_way {
            let paid = self.world.rng.percent(50).then(|| self.world.fresh("o"));
            let decided_by = self.world.proven();
            self.world.report(PayoutFact::Evidence { payout: Some(op), paid, decided_by });
        }
        self.end_wallets();
        self.say_what_is_planned()?;
        self.end_payments()?;
        // An attempt that was reported before it began follows the one that failed.
        while self.open_deliveries().iter().any(|(_, open)| *open) {
            self.find_out_deliveries();
            self.say_what_is_planned()?;
        }
        self.end_deliveries();
        self.end_recoveries()?;
        self.end_sales()
    }

    /// Operators find out what became of deliveries.
    fn find_out_deliveries(&mut self) {
        for (op, open) in self.open_deliveries() {
            if open {
                let (decided_by, world) = (self.world.proven(), &mut self.world);
                let sent = world.rng.percent(70).then(|| world.transaction(None));
                world.report(PurchaseFact::DeliveryEvidence { op: Some(op), sent, decided_by });
            }
        }
    }

    /// Deliveries that are not over, and whether an attempt is under way.
    fn open_deliveries(&self) -> Vec<(OpId, bool)> {
        let bought = self.oracle.charges.iter().filter_map(|(op, charge)| {
            let buy = charge.buy.as_ref().filter(|_| charge.credited)?;
            (!buy.is_over()).then(|| (*op, buy.end.is_none() && buy.course.is_open()))
        });
        let converted = self.oracle.conversions.iter();
        let converted = converted.filter(|(_, it)| !it.is_over());
        let converted = converted.map(|(op, it)| (*op, it.course.is_open()));
        bought.chain(converted).collect()
    }

    /// Operators give up what can be given up, once the claims on what was sent for it have ended,
    /// and what went back of it is attached.
    fn end_deliveries(&mut self) {
        for (op, open) in self.open_deliveries() {
            let claims: Vec<OpId> = self.oracle.claims_open(op).map(|(claim, _)| claim).collect();
            for claim in claims {
                let end = if self.world.rng.percent(50) {
                    erroneous_delivery::End::Recovered
                } else {
                    erroneous_delivery::End::Lost
                };
                let decided_by = self.world.proven();
                self.world.report(PurchaseFact::ErroneousDeliverySettled {
                    erroneous_delivery: Some(claim),
                    end,
                    decided_by,
                });
            }
            for suspense in self.oracle.waiting_about(op, Waiting::is_deposit_back) {
                let (suspense, charge) = (Some(suspense), Some(op));
                let decided_by = self.world.proven();
                self.world.report(SuspenseFact::Attached { suspense, charge, decided_by });
            }
            let (decided_by, world) = (self.world.proven(), &mut self.world);
            let payer = !open && self.oracle.charges.contains_key(&op) && world.rng.percent(50);
            let to = if payer { GiveUpTo::Payer(world.fresh("d")) } else { GiveUpTo::Custody };
            world.report(PurchaseFact::DeliveryGivenUp { op: Some(op), to, decided_by });
        }
    }

    fn is_at_rest(&self) -> Result<(), Mismatch> {
        for (op, charge) in &self.oracle.charges {
            let ended = match charge.status {
                ChargeStatus::Pending | ChargeStatus::UnderReview | ChargeStatus::Delayed => false,
                ChargeStatus::Paid if charge.buy.is_some() => {
                    charge.buy.as_ref().is_some_and(Buy::is_over)
                }
                ChargeStatus::Paid => charge.settled,
                ChargeStatus::Expired | ChargeStatus::Failed | ChargeStatus::Refunded => true,
            };
            let buys = charge.buy.as_ref().is_some_and(|buy| buy.course.stage == Stage::Sent);
            let credited = charge.buy.is_none() && charge.settled;
            if (buys || credited) != self.oracle.is_settled(*op) {
                return Err(format!("{op:?} is settled, or was told to be, and not both"));
            }
            if !ended {
                return Err(format!("{op:?} does not come to rest: {:?}", charge.status));
            }
        }
        if let Some((op, payout)) = self.oracle.payouts.iter().find(|(_, it)| it.is_under_way()) {
            return Err(format!("{op:?} does not come to rest: {:?}", payout.status));
        }
        let state = &self.subject.ledger.state;
        if let Some((op, it)) = self.oracle.conversions.iter().find(|(_, it)| !it.is_over()) {
            return Err(format!("{op:?} does not come to rest: {:?}", it.course));
        }
        for (op, it) in &self.oracle.conversions {
            if (it.course.stage == Stage::Sent) != self.oracle.is_settled(*op) {
                return Err(format!("{op:?} is settled, or was told to be, and not both"));
            }
        }
        self.recoveries_are_at_rest()?;
        self.sales_are_at_rest()?;
        self.wallets_are_at_rest()?;
        let owed = |account: &CoinAccount| {
            matches!(
                account,
                CoinAccount::DeliveryInFlight(_)
                    | CoinAccount::WithdrawalInFlight(_)
                    | CoinAccount::WalletConfirming(_)
            )
        };
        let coins = state.books.coins().filter(|(_, account, _)| owed(account)).count();
        let rests = |account: &Account| {
            matches!(account, Account::Reward(_)) || account.product().is_some()
        };
        let flights = state.books.flights().filter(|(account, _)| !rests(account));
        let flights = flights.count() + coins;
        let deadlines = state.deadlines().count();
        let held = self.oracle.subaccounts.iter().filter(|subaccount| subaccount.held != 0).count();
        if flights + deadlines + held > 0 {
            return Err(format!(
                "at rest there are {flights} flights, {deadlines} deadlines and {held} held parts"
            ));
        }
        Ok(())
    }

    fn report_ends(&mut self) {
        for charge in self.oracle.charges.values() {
            self.report.count_end(
                "charge",
                match charge.status {
                    ChargeStatus::Pending => "pending",
                    ChargeStatus::Expired => "expired",
                    ChargeStatus::Failed => "failed",
                    ChargeStatus::UnderReview => "under review",
                    ChargeStatus::Delayed => "delayed",
                    ChargeStatus::Paid if charge.buy.is_some() => {
                        match charge.buy.as_ref().map(|buy| (buy.end, buy.course.stage)) {
                            Some((Some(End::Credited(_)), _)) => "bought, credited to custody",
                            Some((None, Stage::Sent)) => "bought, sent",
                            _ => "bought, waits for a person",
                        }
                    }
                    ChargeStatus::Refunded if charge.buy.is_some() => "purchase refunded",
                    ChargeStatus::Paid if charge.returned_since + charge.returned_before > 0 => {
                        "paid, returned in part"
                    }
                    ChargeStatus::Paid => "paid",
                    ChargeStatus::Refunded => "refunded",
                },
            );
        }
        for payout in self.oracle.payouts.values() {
            self.report.count_end(
                "payout",
                match payout.status {
                    PayoutStatus::Requested => "requested",
                    PayoutStatus::UnderReview => "under review",
                    PayoutStatus::Submitted => "submitted",
                    PayoutStatus::Uncertain => "uncertain",
                    PayoutStatus::Failed => "failed",
                    PayoutStatus::Completed if payout.returned > 0 => "completed, returned in part",
                    PayoutStatus::Completed => "completed",
                    PayoutStatus::Returned => "returned",
                },
            );
        }
        for hold in self.oracle.holds.values() {
            self.report
                .count_end("hold", if hold.closed { "closed" } else { "waits for a person" });
        }
        self.report_ends_of_recoveries();
        for waiting in self.oracle.suspense.values() {
            self.report.count_end(
                "suspense",
                match waiting.status {
                    WaitingStatus::Waiting => "waits for a person",
                    WaitingStatus::Attached(_) => "attached",
                    WaitingStatus::Returned => "returned",
                },
            );
        }
        for (op, it) in &self.oracle.conversions {
            let of_commission = op.kind() == Kind::CommissionWithdrawal;
            let kind = if of_commission { "commission withdrawal" } else { "conversion" };
            self.report.count_end(kind, if it.refunded { "refunded" } else { "sent" });
        }
        for erroneous_delivery in self.oracle.erroneous_deliveries.values() {
            let ended = erroneous_delivery.end.is_some();
            self.report.count_end("stray", if ended { "settled" } else { "waits for a person" });
        }
        self.report_ends_of_sales();
        self.report_wallets();
        for _ in 0..self.oracle.transfers {
            self.report.count_end("transfer", "done");
        }
    }
}
