//! Reservations: what is captured, let go and left is what was reserved, until it ends (OUT-20).

use std::collections::BTreeMap;

use minicbor::{Decode, Encode};

use super::{Findings, violates};
use crate::accounting::{Account, Entry};
use crate::id::{OpId, SubaccountId};
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::machine::hold::{End, Event as Hold, Kind};
use crate::time::Instant;

/// The reservations of which something is left.
#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
pub(super) struct Reserved {
    #[n(0)]
    open: BTreeMap<OpId, Reservation>,
}

/// Centavos of a reservation, which ends at an instant where it has one.
#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
struct Reservation {
    #[n(0)]
    subaccount: SubaccountId,
    #[n(1)]
    reserved: i64,
    #[n(2)]
    captured: i64,
    #[n(3)]
    released: i64,
    #[n(4)]
    ends_at: Option<Instant>,
}

impl Reserved {
    /// Takes in what a record does to reservations, and finds those that outlive their deadline.
    pub(super) fn record(&mut self, record: &Record, found: &mut Findings) {
        self.open.retain(|op, reservation| {
            let outlives = reservation.ends_at.is_some_and(|end| end < record.at);
            if outlives {
                violates(found, "OUT-20", format!("{op:?}: it outlives its deadline"));
            }
            !outlives
        });
        for event in &record.events {
            if let Event::Hold { op, event: hold } = event
                && let Err(why) = self.hold((*op, hold), &event.entry(), record.at)
            {
                violates(found, "OUT-20", format!("{op:?}: {why}"));
            }
        }
    }

    fn hold(
        &mut self,
        (op, event): (OpId, &Hold),
        entry: &Entry,
        at: Instant,
    ) -> Result<(), &'static str> {
        if let Hold::Placed { order, .. } = event {
            if order.kind != Kind::Reservation {
                return Ok(());
            }
            let (subaccount, ends_at) = (order.subaccount, order.ends_at);
            let reserved = order.requested.cents();
            let new = Reservation { subaccount, reserved, captured: 0, released: 0, ends_at };
            self.open.insert(op, new);
            return moves(entry, subaccount, [-reserved, reserved]);
        }
        let Some(reservation) = self.open.get_mut(&op) else {
            let captures = matches!(event, Hold::Captured { .. });
            return if captures { Err("it captures of what has ended") } else { Ok(()) };
        };
        reservation.take((event, entry), at)?;
        if reservation.remaining() == 0 {
            self.open.remove(&op);
        }
        Ok(())
    }
}

impl Reservation {
    fn remaining(&self) -> i64 {
        self.reserved - self.captured - self.released
    }

    /// Takes what an event captures or lets go from what is left.
    fn take(&mut self, (event, entry): (&Hold, &Entry), at: Instant) -> Result<(), &'static str> {
        match event {
            Hold::Captured { amount, to, .. } => {
                let amount = amount.cents();
                self.captured += amount;
                if self.ends_at.is_some_and(|end| end <= at) {
                    return Err("it captures when it has ended");
                }
                if entry.net_credit(*to) != i128::from(amount) {
                    return Err("its capture does not arrive");
                }
                moves(entry, self.subaccount, [0, -amount])?;
            }
            Hold::Released { to_held, to_available, end, .. } => {
                let amount = to_held.cents() + to_available.cents();
                self.released += amount;
                moves(entry, self.subaccount, [amount, -amount])?;
                if *end == End::Yes && self.remaining() != 0 {
                    return Err("it ends with money left");
                }
            }
            Hold::Placed { .. }
            | Hold::ToppedUp { .. }
            | Hold::Lapsed
            | Hold::Taken { .. }
            | Hold::Returned { .. } => return Err("it neither captures nor lets go"),
        }
        if self.remaining() < 0 { Err("it gives more than was reserved") } else { Ok(()) }
    }
}

/// Checks what is added to what is available and what is frozen.
fn moves(entry: &Entry, subaccount: SubaccountId, added: [i64; 2]) -> Result<(), &'static str> {
    let accounts = [Account::Available(subaccount), Account::Frozen(subaccount)];
    let booked = accounts.map(|account| entry.net_credit(account));
    let right = booked == added.map(i128::from);
    right.then_some(()).ok_or("what is available and reserved does not add up")
}
