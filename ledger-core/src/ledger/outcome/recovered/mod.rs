//! Recoveries: their holds block at most what is claimed, for their own cause, and what goes back
//! of one comes out of its own holds (OUT-22).

mod claim;

use std::collections::BTreeMap;

use minicbor::{Decode, Encode};

use self::claim::{Claim, Part};
use super::{Findings, violates};
use crate::accounting::Account;
use crate::id::OpId;
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::machine::hold::Event as Hold;

/// The recoveries, and what each of their holds has.
#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
pub(super) struct Recovered {
    #[n(0)]
    claims: BTreeMap<Box<str>, Claim>,
    #[n(1)]
    holds: BTreeMap<OpId, Part>,
}

impl Recovered {
    /// Takes in what a record does to recoveries, and finds what it must not do.
    pub(super) fn record(&mut self, record: &Record, found: &mut Findings) {
        let mut touched = false;
        for event in &record.events {
            if let Some(kept) = self.event(event, record) {
                touched = true;
                if let Err((of, why)) = kept {
                    violates(found, "OUT-22", format!("{of}: {why}"));
                }
            }
        }
        if touched {
            for (name, claim) in &self.claims {
                let parts = self.holds.values().filter(|part| part.recovery == *name);
                let sums = parts.map(|part| (part.blocked, part.taken));
                let (blocked, taken) = sums.fold((0, 0), |all, it| (all.0 + it.0, all.1 + it.1));
                if blocked > 0 && blocked + taken > claim.limit {
                    let sum = blocked + taken;
                    let what = format!("{name}: it has {sum} of {}", claim.limit);
                    violates(found, "OUT-22", what);
                }
            }
        }
    }

    /// Takes in an event; none of what is no recovery's.
    fn event<'a>(
        &mut self,
        event: &'a Event,
        record: &Record,
    ) -> Option<Result<(), (&'a str, &'static str)>> {
        let (name, kept) = match event {
            Event::RecoveryOpened { recovery, cause, amount, .. } => {
                let (cause, limit) = (*cause, amount.cents());
                let claim = Claim { cause, limit, decided: false, refunded: 0 };
                let other = self.claims.insert(recovery.clone(), claim);
                (recovery, other.is_none().then_some(()).ok_or("it is opened twice"))
            }
            Event::RecoveryBlocked { recovery, hold } => {
                (recovery, self.block(recovery, *hold, record))
            }
            Event::RecoveryDecided { recovery, accepted } => {
                (recovery, self.decide(recovery, accepted.cents()))
            }
            Event::RecoveryRefunded { recovery, amount, .. } => {
                (recovery, self.refund(recovery, amount.cents(), record))
            }
            Event::Hold { op, event } => {
                self.holds.get_mut(op)?.follow(event);
                return Some(Ok(()));
            }
            _ => return None,
        };
        Some(kept.map_err(|why| (&**name, why)))
    }

    /// The hold that the same record placed is the recovery's, and for its cause.
    fn block(&mut self, name: &str, hold: OpId, record: &Record) -> Result<(), &'static str> {
        let claim = self.claims.get(name).ok_or("it blocks before it is opened")?;
        let placed = record.events.iter().find_map(|event| match event {
            Event::Hold { op, event: Hold::Placed { order, from_held, from_available } }
                if *op == hold =>
            {
                Some((order.cause, from_held.cents() + from_available.cents()))
            }
            _ => None,
        });
        let (cause, blocked) = placed.ok_or("its hold is not placed with it")?;
        self.holds.insert(hold, Part { recovery: name.into(), blocked, taken: 0 });
        (cause == Some(claim.cause)).then_some(()).ok_or("its hold is for another cause")
    }

    fn decide(&mut self, name: &str, accepted: i64) -> Result<(), &'static str> {
        let claim = self.claims.get_mut(name).ok_or("it is decided before it is opened")?;
        let first = !claim.decided && accepted <= claim.limit;
        claim.decided = true;
        claim.limit = claim.limit.min(accepted);
        first.then_some(()).ok_or("it is decided twice, or for more than it claims")
    }

    /// All of a refund but the fee that it reverses comes out of the recovery's holds.
    fn refund(&mut self, name: &str, amount: i64, record: &Record) -> Result<(), &'static str> {
        let claim = self.claims.get_mut(name).ok_or("it goes back before it is opened")?;
        claim.refunded += amount;
        if !claim.decided || claim.refunded > claim.limit {
            return Err("more goes back than was accepted");
        }
        // A decision may book refunds of several recoveries of its charge that waited.
        let mut sent: BTreeMap<&str, i128> = BTreeMap::new();
        let mut given: BTreeMap<&str, i128> = BTreeMap::new();
        for event in &record.events {
            match event {
                Event::RecoveryRefunded { recovery, amount, .. } => {
                    *sent.entry(recovery).or_default() += i128::from(amount.cents());
                }
                Event::Hold {
                    op,
                    event: Hold::Taken { amount, .. } | Hold::Returned { amount, .. },
                } => {
                    let of = self.holds.get(op).map(|part| &*part.recovery);
                    let of = of.ok_or("its refund takes from a hold that is no recovery's")?;
                    *given.entry(of).or_default() += i128::from(amount.cents());
                }
                _ => {}
            }
        }
        if given.iter().any(|(of, given)| sent.get(of).is_none_or(|sent| given > sent)) {
            return Err("its refund takes from a hold that is not its own");
        }
        let (sum, given): (i128, i128) = (sent.values().sum(), given.values().sum());
        let cause = claim.cause;
        let moved = record.events.iter().filter(|event| event.op() == Some(cause));
        let moved: Vec<_> = moved.map(Event::entry).collect();
        let booked = |account| -> i128 { moved.iter().map(|it| it.net_credit(account)).sum() };
        if booked(Account::ProviderPix) != sum {
            return Err("its refund sends another amount");
        }
        let rest = given - booked(Account::DepositIncome);
        (rest == sum).then_some(()).ok_or("its refund takes from no hold of it")
    }
}
