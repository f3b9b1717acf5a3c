//! Blocks as the oracle sees them: rulings 23 and 26.

mod block;
mod reservation;

use ledger_core::accounting::RowKind;
use ledger_core::id::{OpId, SubaccountId};
use ledger_core::ledger::Outcome;
use ledger_core::ledger::hold::Fact;
use ledger_core::machine::hold::Kind;
use ledger_core::money::Amount;
use ledger_core::time::Instant;

pub(super) use self::block::Block;
use super::books::RowOf;
use super::{End, Oracle};
use crate::goal::Goal;
use crate::oracle::ChargeStatus;

/// A block as the oracle's books have it.
#[derive(Clone, Debug)]
pub(crate) struct Hold {
    pub(crate) subaccount: SubaccountId,
    cause: Option<OpId>,
    requested: i64,
    /// Blocked now, by where it came from.
    from_held: i64,
    from_available: i64,
    released: i64,
    settled: i64,
    watches: bool,
    until: Instant,
    /// When it ends by itself.
    ends_at: Option<Instant>,
    /// Tells whether a service reserved it, which no debit takes from.
    pub(crate) reserved: bool,
    /// The recovery that it blocks for.
    pub(crate) recovery: Option<Box<str>>,
    pub(crate) closed: bool,
}

impl Hold {
    pub(crate) fn blocked_cents(&self) -> i64 {
        self.from_held + self.from_available
    }

    pub(crate) fn short(&self) -> i64 {
        self.requested - self.blocked_cents() - self.released - self.settled
    }

    /// Blocked, let go, given or captured, and short.
    pub(crate) fn amounts(&self) -> [i64; 4] {
        [self.blocked_cents(), self.released, self.settled, self.short()]
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        let ends = self.ends_at.filter(|_| !self.closed);
        self.lapses().into_iter().chain(ends).min()
    }

    /// Until when it looks for what it is short of.
    fn lapses(&self) -> Option<Instant> {
        let looks = !self.closed && self.watches && self.short() > 0;
        looks.then_some(self.until)
    }

    /// Tells whether it gives to a return of a charge, by one recovery alone where one is named.
    fn gives_to(&self, charge: OpId, recovery: Option<&str>) -> bool {
        let own = recovery.is_none() || self.recovery.as_deref() == recovery;
        self.cause == Some(charge) && own && !self.closed
    }

    /// Over when nothing is blocked and nothing is watched for.
    fn close_if_over(&mut self) {
        self.closed = self.blocked_cents() == 0 && self.lapses().is_none();
    }
}

impl Oracle {
    /// Foresees what people and services report of blocks.
    pub(super) fn hold_fact(&mut self, fact: &Fact, at: Instant) -> Outcome {
        match fact {
            // Maturity is a charge's own (rulings 26), and a reservation takes all or nothing.
            Fact::Placed { kind: Kind::Maturity | Kind::Reservation, .. } => {
                Outcome::SetAside(None)
            }
            Fact::Placed { account, customer, cause, kind, amount, .. } => {
                let account = self.account_named(account);
                let asked = (*kind, amount.cents());
                self.place_hold((account, customer.as_deref()), *cause, asked, at)
            }
            Fact::Released { hold, amount, .. } => {
                self.release_hold(*hold, amount.map(Amount::cents))
            }
            Fact::Reserved { account, customer, amount, ends_at, .. } => {
                let account = self.account_named(account);
                self.reserve((account, customer.as_deref()), amount.cents(), *ends_at, at)
            }
            Fact::Captured { hold, amount, to, last, .. } => {
                self.capture(*hold, (*amount, to), last.is_on(), at)
            }
        }
    }

    /// Gives back: to where it came from, unless that has matured since.
    pub(super) fn release_hold(&mut self, op: Option<OpId>, wanted: Option<i64>) -> Outcome {
        let Some((op, hold)) = op.and_then(|op| self.holds.get_mut(&op).map(|hold| (op, hold)))
        else {
            return Outcome::SetAside(None);
        };
        if hold.closed {
            return Outcome::Known;
        }
        // No more than is blocked is let go; letting go for good ends the watch.
        let amount = wanted.unwrap_or(hold.blocked_cents());
        if amount > hold.blocked_cents() {
            return Outcome::SetAside(None);
        }
        let available = amount.min(hold.from_available);
        let part = amount - available;
        hold.from_available -= available;
        hold.from_held -= part;
        hold.released += amount;
        if wanted.is_none() {
            hold.watches = false;
        }
        hold.close_if_over();
        let (subaccount, cause) = (hold.subaccount, hold.cause);
        self.note(op);
        let immature = cause.and_then(|cause| Some((cause, self.charges.get_mut(&cause)?)));
        let immature =
            immature.filter(|(_, charge)| charge.status == ChargeStatus::Paid && !charge.settled);
        let back = match immature {
            Some((cause, charge)) if part > 0 => {
                charge.part += part;
                self.note(cause);
                self.reach(Goal::GivenBackHeld);
                part
            }
            Some(_) => 0,
            None => {
                if part > 0 {
                    self.reach(Goal::GivenBackMatured);
                }
                0
            }
        };
        let books = self.touch(subaccount);
        books.frozen -= amount;
        books.held += back;
        self.give(subaccount, amount - back);
        Outcome::Applied(None)
    }

    /// Takes from the blocks placed for this charge, or for one recovery of it, in the order
    /// placed; says what is still needed.
    pub(super) fn take_from_blocks(
        &mut self,
        givers: (OpId, Option<&str>),
        subaccount: SubaccountId,
        need: i64,
    ) -> i64 {
        let blocks = self.blocks_for(givers, subaccount).into_iter();
        blocks.fold(need, |left, op| self.take_from_block(op, subaccount, left))
    }

    /// Takes from one block; says what is still needed.
    pub(super) fn take_from_block(&mut self, op: OpId, subaccount: SubaccountId, need: i64) -> i64 {
        let hold = self.holds.get_mut(&op).expect("an open hold");
        let taken = hold.blocked_cents().min(need);
        if taken > 0 {
            let part = taken.min(hold.from_held);
            hold.from_held -= part;
            hold.from_available -= taken - part;
            hold.settled += taken;
            hold.close_if_over();
            self.note(op);
            self.reach(Goal::TookOwnBlock);
            self.touch(subaccount).frozen -= taken;
            self.give(subaccount, taken);
        }
        need - taken.max(0)
    }

    /// Tells whether the money of a charge was ever somebody's custody, from where it can have gone
    /// on.
    fn was_in_custody(&self, charge: OpId) -> bool {
        self.charges.get(&charge).is_some_and(|charge| match charge.buy.as_ref() {
            None => charge.credited,
            Some(buy) => matches!(buy.end, Some(End::Credited(_))),
        })
    }

    /// Tells whether a subaccount is neither where a charge was issued nor where it was credited.
    fn is_elsewhere(&self, charge: OpId, subaccount: SubaccountId) -> bool {
        let charge = &self.charges[&charge];
        let end = charge.buy.as_ref().and_then(|buy| buy.end);
        charge.subaccount != subaccount
            && !matches!(end, Some(End::Credited(bearer)) if bearer == subaccount)
    }

    /// Returns what blocks on other subaccounts give to a charge's return, once what its bearer's
    /// own blocks hold does not suffice: out of frozen, with a row each (rulings 81).
    pub(super) fn give_from_traced(
        &mut self,
        (charge, recovery): (OpId, Option<&str>),
        bearer: SubaccountId,
        bears: i64,
    ) -> i64 {
        let blocked = |op: &OpId| self.holds[op].blocked_cents();
        let own: i64 = self.blocks_for((charge, recovery), bearer).iter().map(blocked).sum();
        let open = self.holds.iter().filter(|(_, hold)| {
            hold.gives_to(charge, recovery) && self.is_elsewhere(charge, hold.subaccount)
        });
        let mut given = 0;
        for op in open.map(|(op, _)| *op).collect::<Vec<_>>() {
            let hold = self.holds.get_mut(&op).expect("just listed");
            let part = hold.blocked_cents().min((bears - own - given).max(0));
            if part > 0 {
                hold.from_available -= part;
                hold.settled += part;
                hold.close_if_over();
                let subaccount = hold.subaccount;
                self.note(op);
                self.touch(subaccount).frozen -= part;
                self.row(subaccount, charge, RowKind::Reversal, RowOf::Principal(-part));
                self.reach(Goal::TookTracedBlock);
                given += part;
            }
        }
        given
    }

    /// Ends the blocks placed for a charge of which nothing is left.
    pub(super) fn end_blocks(&mut self, charge: OpId) {
        let open = self.holds.iter();
        let open = open.filter(|(_, hold)| hold.cause == Some(charge) && !hold.closed);
        for op in open.map(|(op, _)| *op).collect::<Vec<_>>() {
            self.release_hold(Some(op), None);
        }
    }

    fn blocks_for(
        &self,
        (charge, recovery): (OpId, Option<&str>),
        subaccount: SubaccountId,
    ) -> Vec<OpId> {
        let open = self
            .holds
            .iter()
            .filter(|(_, hold)| hold.gives_to(charge, recovery) && hold.subaccount == subaccount);
        open.map(|(op, _)| *op).collect()
    }

    /// A hold stops watching, or ends: what lapses at the same instant lapses first.
    pub(super) fn hold_due(&mut self, op: OpId) {
        let hold = &self.holds[&op];
        if hold.lapses() == hold.deadline() {
            self.watch_lapses(op);
            self.await_time(op);
        } else {
            let reserved = self.holds[&op].reserved;
            self.release_hold(Some(op), None);
            self.reach(if reserved { Goal::ReservationExpired } else { Goal::PrecautionEnded });
        }
    }

    /// A hold stops watching for what it is short of.
    fn watch_lapses(&mut self, op: OpId) {
        let hold = self.holds.get_mut(&op).expect("only holds lapse");
        hold.watches = false;
        hold.close_if_over();
        self.note(op);
        self.reach(Goal::WatchLapsed);
    }

    /// Lets watching holds take what a decision made available, first claim first; a hold does not
    /// take back what the same decision made it let go.
    pub(super) fn top_up(&mut self) {
        for subaccount in std::mem::take(&mut self.trace.raised) {
            let watching = self.holds.iter().filter(|(op, hold)| {
                hold.subaccount == subaccount
                    && hold.lapses().is_some()
                    && !self.trace.decided.contains(op)
            });
            let watching: Vec<OpId> = watching.map(|(op, _)| *op).collect();
            for op in watching {
                // All blocks of a recovery take at most what is left of it, and of its PIX.
                let room = self.holds[&op].recovery.as_ref().map(|name| {
                    self.may_block(name, self.charges[&self.recoveries[name].cause].returnable())
                });
                let books = &mut self.subaccounts[subaccount.0 as usize];
                let hold = self.holds.get_mut(&op).expect("just listed");
                let wanted = hold.short().min(room.unwrap_or(i64::MAX));
                let taken = wanted.min(books.available.max(0));
                if wanted < hold.short().min(books.available) {
                    self.trace.goals.push(Goal::RecoveryTookNoMore);
                }
                if taken > 0 {
                    books.available -= taken;
                    books.frozen += taken;
                    hold.from_available += taken;
                    self.enters(op, taken);
                    self.note(op);
                    self.reach(Goal::WatchTook);
                }
            }
        }
    }
}
