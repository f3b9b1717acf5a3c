//! The part of the state that recoveries keep: what each claims, blocks and has given back.

use im::OrdMap;
use minicbor::{Decode, Encode};

use crate::counted::hash_counted;
use crate::id::OpId;
use crate::ledger::record::event::Event;
use crate::machine::hold;
use crate::money::{Amount, Cents};
use crate::time::Instant;

/// The recovery of a contested PIX.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Recovery {
    /// The charge whose PIX is contested.
    #[n(0)]
    pub cause: OpId,
    /// How much is contested.
    #[n(1)]
    pub amount: Amount,
    /// Until when it blocks what comes.
    #[n(2)]
    pub blocks_until: Instant,
    /// Until when a person decides; later it waits, and blocks on.
    #[n(3)]
    pub decides_until: Instant,
    /// Its holds, open and ended, first placed first.
    #[n(4)]
    pub holds: Vec<OpId>,
    /// How much its holds block now.
    #[n(5)]
    pub blocked: Cents,
    /// How much returns and debits took from its holds.
    #[n(6)]
    pub taken: Cents,
    /// How much was accepted, once it is decided; nothing where it was rejected.
    #[n(7)]
    pub accepted: Option<Cents>,
    /// How much went back by the last refund and all returns before it.
    #[n(8)]
    pub refunded: Cents,
    /// How much of its cause may still go back, followed since its first block.
    #[n(9)]
    pub left: Option<Cents>,
}

impl Recovery {
    /// Returns how much it may block and give back in all.
    #[must_use]
    pub fn limit(&self) -> Cents {
        self.accepted.unwrap_or(self.amount.as_cents())
    }

    /// Returns how much more it may block.
    #[must_use]
    pub fn room(&self) -> Cents {
        self.outstanding().less_or_nothing(self.blocked)
    }

    /// Returns how much may still go back: a return may take less from holds than it sends, since
    /// it gives the deposit's fee back (rulings 22).
    #[must_use]
    pub fn outstanding(&self) -> Cents {
        self.limit().less_or_nothing(self.taken.max(self.refunded))
    }

    /// Tells whether it is decided, and nothing is left of what was accepted.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.accepted.is_some() && self.outstanding().is_zero()
    }

    /// Returns what it is after these events of one decision, by its name.
    pub(super) fn after<'a>(
        &self,
        name: &str,
        events: impl IntoIterator<Item = &'a Event>,
    ) -> Self {
        let sum = |whole: Cents, part: Amount| whole.plus(part.as_cents()).unwrap_or(whole);
        let mut next = self.clone();
        for event in events {
            match event {
                Event::RecoveryDecided { recovery, accepted } if **recovery == *name => {
                    next.accepted = Some(*accepted);
                }
                Event::RecoveryRefunded { recovery, amount, .. } if **recovery == *name => {
                    next.refunded = sum(next.refunded.max(next.taken), *amount);
                }
                Event::Hold { op, event } if next.holds.contains(op) => match event {
                    hold::Event::Taken { amount, .. } | hold::Event::Returned { amount, .. } => {
                        next.blocked = next.blocked.less_or_nothing(amount.as_cents());
                        next.taken = sum(next.taken, *amount);
                    }
                    hold::Event::Released { to_held, to_available, .. } => {
                        let left = next.blocked.less_or_nothing(*to_held);
                        next.blocked = left.less_or_nothing(*to_available);
                    }
                    hold::Event::ToppedUp { amount, .. } => {
                        next.blocked = sum(next.blocked, *amount);
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        next
    }

    fn covers_what_it_blocks(&self) -> bool {
        let covered = self.blocked.plus(self.taken);
        self.blocked.is_zero() || covered.is_some_and(|sum| sum <= self.limit())
    }

    /// Is decided, after its holds let go of what was not accepted.
    pub(super) fn decide(&mut self, accepted: Cents) -> Result<(), &'static str> {
        if self.accepted.is_some() || accepted > self.amount.as_cents() {
            return Err("a recovery is decided once, for at most its amount");
        }
        self.accepted = Some(accepted);
        let keeps = self.covers_what_it_blocks();
        keeps.then_some(()).ok_or("a recovery keeps at most what was accepted")
    }

    /// Counts what goes back by a refund, after what other returns took from its holds.
    pub(super) fn refund(&mut self, amount: Amount) -> Result<(), &'static str> {
        let sum = self.refunded.max(self.taken).plus(amount.as_cents());
        let sum = sum.filter(|sum| self.accepted.is_some_and(|accepted| *sum <= accepted));
        self.refunded = sum.ok_or("a recovery gives back at most what was accepted")?;
        Ok(())
    }
}

/// All recoveries, by their names outside. Clones in O(1).
///
/// Each is kept for ever: about 200 bytes, and 40 for each of its holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::ledger) struct Recoveries {
    pub(super) known: OrdMap<Box<str>, Recovery>,
    /// The recovery of each of their holds.
    pub(super) holds: OrdMap<OpId, Box<str>>,
}

hash_counted!(Recoveries {} { known, holds });

impl Recoveries {
    /// Returns what is saved of them.
    pub(in crate::ledger) fn save(&self) -> Vec<(Box<str>, Recovery)> {
        self.known.iter().map(|(name, it)| (name.clone(), it.clone())).collect()
    }

    /// The recoveries that were saved.
    pub(in crate::ledger) fn restore(saved: Vec<(Box<str>, Recovery)>) -> Self {
        let names = saved.iter().flat_map(|(name, it)| it.holds.iter().map(move |op| (*op, name)));
        let holds = names.map(|(op, name)| (op, name.clone())).collect();
        Self { known: saved.into_iter().collect(), holds }
    }

    /// Returns the name of the recovery that a hold was placed for.
    pub(in crate::ledger) fn name_of(&self, hold: OpId) -> Option<&str> {
        self.holds.get(&hold).map(AsRef::as_ref)
    }

    /// Follows what a hold blocks, and what was taken from it, from before to after an event.
    ///
    /// # Errors
    ///
    /// Its recovery would block more than its amount.
    pub(in crate::ledger) fn follow(
        &mut self,
        hold: OpId,
        before: [Cents; 2],
        after: [Cents; 2],
    ) -> Result<(), &'static str> {
        let Some(name) = self.holds.get(&hold) else { return Ok(()) };
        let known = self.known.get_mut(name).ok_or(UNKNOWN)?;
        let sum = |whole: Cents, [old, new]: [Cents; 2]| whole.minus(old)?.plus(new);
        known.blocked = sum(known.blocked, [before[0], after[0]]).ok_or(UNEVEN)?;
        known.taken = sum(known.taken, [before[1], after[1]]).ok_or(UNEVEN)?;
        let grows = before[0] < after[0];
        let fits = !grows || known.covers_what_it_blocks();
        fits.then_some(()).ok_or("a recovery blocks at most its amount")
    }

    pub(super) fn change(&mut self, name: &str) -> Result<&mut Recovery, &'static str> {
        self.known.get_mut(name).ok_or(UNKNOWN)
    }
}

const UNKNOWN: &str = "a recovery is opened first";
const UNEVEN: &str = "a recovery adds up what its holds block";
