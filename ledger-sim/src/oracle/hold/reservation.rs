//! Reservations as the oracle sees them: set apart whole, and captured until nothing is left.

use ledger_core::accounting::{RowKind, Side};
use ledger_core::id::{AccountId, Kind, OpId};
use ledger_core::ledger::Outcome;
use ledger_core::ledger::hold::Destination;
use ledger_core::ledger::product::Leg;
use ledger_core::money::Amount;
use ledger_core::time::Instant;

use super::Hold;
use crate::goal::Goal;
use crate::oracle::{Book, Oracle, RowOf};

impl Oracle {
    /// Sets all of it apart of what may be spent at once, or nothing.
    pub(super) fn reserve(
        &mut self,
        (account, customer): (Option<AccountId>, Option<&str>),
        amount: i64,
        ends_at: Option<Instant>,
        at: Instant,
    ) -> Outcome {
        let named = account.and_then(|account| self.subaccount_of(account, customer));
        let spends =
            |id: &_| self.waits(*id, at).is_none() && self.spendable(*id).cents() >= amount;
        let begins = ends_at.is_none_or(|end| at < end);
        let Some(subaccount) = named.filter(spends).filter(|_| begins) else {
            return Outcome::SetAside(None);
        };
        let op = self.next_op(Kind::Hold);
        let custody = self.touch(subaccount);
        custody.available -= amount;
        custody.frozen += amount;
        let hold = Hold {
            subaccount,
            cause: None,
            requested: amount,
            from_held: 0,
            from_available: amount,
            released: 0,
            settled: 0,
            watches: false,
            ends_at,
            until: at,
            reserved: true,
            recovery: None,
            closed: false,
        };
        self.due.extend(ends_at.map(|end| (end, op)));
        self.holds.insert(op, hold);
        self.note(op);
        self.reach(Goal::Reserved);
        Outcome::Applied(Some(op))
    }

    /// Sends a part of what is left to another book than it came from; the last lets go of the
    /// rest.
    pub(super) fn capture(
        &mut self,
        hold: Option<OpId>,
        (amount, to): (Amount, &Destination),
        last: bool,
        at: Instant,
    ) -> Outcome {
        let cents = amount.cents();
        let open = hold.and_then(|op| Some((op, self.holds.get(&op)?)));
        let open = open.filter(|(_, hold)| hold.reserved && !hold.closed);
        let Some((op, owner, left)) = open.map(|(op, it)| (op, it.subaccount, it.blocked_cents()))
        else {
            return Outcome::SetAside(None);
        };
        if left < cents {
            self.reach(Goal::CaptureRefused);
            return Outcome::SetAside(None);
        }
        let (account, holder) = (to.account.clone(), to.holder.clone());
        let leg = Leg { account, holder, side: Side::Credit, amount };
        let opened = self.subaccounts.len();
        let books = self.books_of(&[leg], true).filter(|signed| {
            self.may_stand(signed, at)
                && signed
                    .iter()
                    .all(|(to, _)| *to != Book::Customer(owner) && self.commodity_of(*to).is_none())
        });
        let Some(books) = books else {
            self.subaccounts.truncate(opened);
            return Outcome::SetAside(None);
        };
        let hold = self.holds.get_mut(&op).expect("an open hold");
        hold.from_available -= cents;
        hold.settled += cents;
        hold.closed = hold.blocked_cents() == 0;
        let over = hold.closed;
        self.note(op);
        self.touch(owner).frozen -= cents;
        self.row(owner, op, RowKind::Entry, RowOf::Principal(-cents));
        for (book, credit) in books {
            self.move_book(op, book, credit, RowKind::Entry);
        }
        if last && !over {
            self.release_hold(Some(op), None);
            self.reach(Goal::CapturedAtLast);
        } else if !over {
            self.reach(Goal::CapturedInPart);
        }
        Outcome::Applied(None)
    }
}
