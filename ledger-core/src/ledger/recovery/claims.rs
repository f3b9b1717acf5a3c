//! The claims of recoveries in the state: shown to readers, and changed by events.

use super::index::Recovery;
use crate::id::{AccountId, OpId};
use crate::ledger::archive::Archive;
use crate::ledger::charge::reversal::{Givers, blocks_of, returned_by};
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::machine::{charge, hold};
use crate::money::Cents;

impl State {
    /// A recovery, by its name outside.
    #[must_use]
    pub fn recovery(&self, name: &str) -> Option<&Recovery> {
        self.domains.recoveries.known.get(name)
    }

    /// All recoveries, by their names outside.
    pub fn recoveries(&self) -> impl Iterator<Item = (&str, &Recovery)> {
        self.domains.recoveries.known.iter().map(|(name, it)| (&**name, it))
    }

    /// Returns how much of a PIX that was credited may still be contested: what may go back, less
    /// what open recoveries claim of it.
    pub(in crate::ledger) fn contestable(&self, op: OpId, paid: &charge::Paid) -> Cents {
        let claims = self.recoveries().filter(|(_, it)| it.cause == op);
        let left = paid.returnable_balance().spendable();
        claims.fold(left, |left, (_, it)| left.less_or_nothing(it.outstanding()))
    }

    /// The recoveries of PIX of an account that nobody has decided.
    pub fn undecided_recoveries<'a>(
        &'a self,
        archive: &'a impl Archive,
        account: AccountId,
    ) -> impl Iterator<Item = &'a str> {
        let open = self.recoveries().filter(|(_, it)| it.accepted.is_none());
        let of = move |it: &Recovery| self.current(archive, it.cause)?.account();
        open.filter(move |(_, it)| of(it) == Some(account)).map(|(name, _)| name)
    }

    /// Returns what the holds of all recoveries of a PIX block.
    pub(super) fn blocked_for(&self, cause: OpId) -> Cents {
        let recoveries = &self.domains.recoveries;
        let holds = self.holds_for(cause).filter(|op| recoveries.name_of(*op).is_some());
        let blocked = holds.filter_map(|op| self.open(op)?.hold()?.amounts());
        blocked.fold(Cents::ZERO, |sum, it| sum.plus(it.blocked_cents()).unwrap_or(sum))
    }

    /// Returns how much more a hold of a recovery may block after these events: what its recovery
    /// leaves, and all recoveries of its cause; none where it is no recovery's.
    pub(in crate::ledger) fn recovery_room(&self, hold: OpId, after: &[Event]) -> Option<Cents> {
        let recoveries = &self.domains.recoveries;
        let name = recoveries.name_of(hold)?;
        let known = recoveries.known.get(name)?;
        let room = known.after(name, after).room();
        let Some(left) = known.left else { return Some(room) };
        let returned = after.iter().filter_map(|event| returned_by(event, known.cause));
        let left = returned.fold(left, |left, it| left.less_or_nothing(it.as_cents()));
        let givers = Givers { before: after, ..Givers::all(known.cause) };
        let holds = blocks_of(self, givers).filter(|(op, _)| recoveries.name_of(*op).is_some());
        Some(holds.fold(left, |left, (_, it)| left.less_or_nothing(it.blocked_cents())).min(room))
    }

    /// Follows how much of a contested PIX may still go back, as its charge moves.
    pub(in crate::ledger) fn follow_cause(&mut self, cause: OpId, moved: &charge::State) {
        let recoveries = &self.domains.recoveries;
        let names = self.holds_for(cause).filter_map(|hold| recoveries.name_of(hold));
        let names: Vec<Box<str>> = names.map(Into::into).collect();
        for name in names {
            if let Ok(known) = self.domains.recoveries.change(&name) {
                known.left = Some(left_of(moved));
            }
        }
    }

    /// Applies an event of a recovery.
    ///
    /// # Errors
    ///
    /// Why a record that has it is corrupt.
    pub(in crate::ledger) fn apply_recovery(
        &mut self,
        archive: &impl Archive,
        event: &Event,
    ) -> Result<(), &'static str> {
        match event {
            Event::RecoveryOpened { recovery, cause, amount, blocks_until, decides_until } => {
                let opened = Recovery {
                    cause: *cause,
                    amount: *amount,
                    blocks_until: *blocks_until,
                    decides_until: *decides_until,
                    holds: Vec::new(),
                    blocked: Cents::ZERO,
                    taken: Cents::ZERO,
                    accepted: None,
                    refunded: Cents::ZERO,
                    left: None,
                };
                let known = self.current(archive, *cause);
                self.open_recovery(recovery, opened, known.as_ref().and_then(|it| it.charge()))
            }
            Event::RecoveryBlocked { recovery, hold } => {
                let cause = self.recovery(recovery).map(|it| it.cause);
                let known = cause.and_then(|cause| self.current(archive, cause));
                self.block_for(recovery, *hold)?;
                let left = known.as_ref().and_then(|it| it.charge()).map_or(Cents::ZERO, left_of);
                self.domains.recoveries.change(recovery)?.left = Some(left);
                Ok(())
            }
            Event::RecoveryDecided { recovery, accepted } => {
                self.domains.recoveries.change(recovery)?.decide(*accepted)
            }
            Event::RecoveryRefunded { recovery, amount, .. } => {
                self.domains.recoveries.change(recovery)?.refund(*amount)
            }
            _ => Err("it is no event of a recovery"),
        }
    }

    /// Opens a recovery, once, of at most what may go back of a PIX that was credited.
    fn open_recovery(
        &mut self,
        name: &str,
        opened: Recovery,
        cause: Option<&charge::State>,
    ) -> Result<(), &'static str> {
        let Some(charge::State::Paid(paid)) = cause else {
            return Err("a recovery is of a PIX that was credited");
        };
        if self.contestable(opened.cause, paid) < opened.amount.as_cents() {
            return Err("recoveries claim at most what may go back");
        }
        let known = self.domains.recoveries.known.insert(name.into(), opened);
        known.is_none().then_some(()).ok_or("a recovery is opened once")
    }

    /// Counts an open hold that was placed for a recovery, and for its cause.
    fn block_for(&mut self, name: &str, op: OpId) -> Result<(), &'static str> {
        let open = self.open(op).and_then(|known| known.hold()?.amounts());
        let placed = open.ok_or("a recovery blocks by a hold that is open")?;
        let (cause, kind) = (placed.order.cause, placed.order.kind);
        let part = [placed.blocked_cents(), placed.settled];
        let recoveries = &mut self.domains.recoveries;
        let known = recoveries.change(name)?;
        if cause != Some(known.cause) || kind != hold::Kind::Dispute {
            return Err("a recovery blocks for its own cause");
        }
        known.holds.push(op);
        let other = recoveries.holds.insert(op, name.into());
        other.is_none().then_some(()).ok_or("a hold is of one recovery")?;
        recoveries.follow(op, [Cents::ZERO; 2], part)
    }
}

/// Returns how much of a charge may still go back.
fn left_of(charge: &charge::State) -> Cents {
    match charge {
        charge::State::Paid(paid) => paid.returnable_balance().spendable(),
        _ => Cents::ZERO,
    }
}
