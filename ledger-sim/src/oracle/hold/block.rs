//! Blocks that people place: on which subaccount, and what they take at once (rulings 26 and 81).

use ledger_core::id::{AccountId, Kind as OpKind, OpId, SubaccountId};
use ledger_core::ledger::Outcome;
use ledger_core::machine::hold::Kind;
use ledger_core::time::Instant;

use super::Hold;
use crate::goal::Goal;
use crate::oracle::{Charge, End, Oracle, later};

/// The terms of a block that is placed.
pub(in crate::oracle) struct Block {
    pub(in crate::oracle) kind: Kind,
    /// How much it blocks in the end, and how much of it at once, at most.
    pub(in crate::oracle) requested: i64,
    pub(in crate::oracle) most: i64,
    /// Until when it looks for the rest.
    pub(in crate::oracle) until: Instant,
    pub(in crate::oracle) recovery: Option<Box<str>>,
}

impl Oracle {
    /// Blocks money of the cause's subaccount, or of the one named when there is no cause.
    pub(super) fn place_hold(
        &mut self,
        named: (Option<AccountId>, Option<&str>),
        cause: Option<OpId>,
        (kind, requested): (Kind, i64),
        at: Instant,
    ) -> Outcome {
        let until = later(at, self.policy.shortfall_watch);
        let block = Block { kind, requested, most: requested, until, recovery: None };
        match self.place_of_block(named, cause, kind) {
            Some(subaccount) => self.block(subaccount, cause, block, at),
            None => Outcome::SetAside(None),
        }
    }

    /// Returns the subaccount that a block stands on, where it may stand.
    pub(in crate::oracle) fn place_of_block(
        &self,
        (account, customer): (Option<AccountId>, Option<&str>),
        cause: Option<OpId>,
        kind: Kind,
    ) -> Option<SubaccountId> {
        let named = account.and_then(|id| self.subaccount_of(id, customer));
        let Some(cause) = cause else { return named };
        // What was given up to a customer's custody stands there.
        let owner = self.charges.get(&cause).map(|charge| {
            match charge.buy.as_ref().and_then(|buy| buy.end) {
                Some(End::Credited(subaccount)) => subaccount,
                _ => charge.subaccount,
            }
        });
        let ours =
            |owner: &SubaccountId| account == Some(self.subaccounts[owner.0 as usize].account);
        let owner = owner.filter(ours);
        if customer.is_none() || named == owner {
            return owner;
        }
        // Money that was traced and blocked where it went on to (rulings 81).
        let traced = kind != Kind::Administrative && self.was_in_custody(cause);
        named.filter(|_| owner.is_some() && traced)
    }

    /// Blocks at once what may be blocked of a subaccount: its cause's held part first.
    pub(in crate::oracle) fn block(
        &mut self,
        subaccount: SubaccountId,
        cause: Option<OpId>,
        Block { kind, requested, most, until, recovery }: Block,
        at: Instant,
    ) -> Outcome {
        let op = self.next_op(OpKind::Hold);
        let mut own = 0;
        let of_its_owner = |charge: &&mut Charge| charge.subaccount == subaccount;
        if let Some(charge) =
            cause.and_then(|cause| self.charges.get_mut(&cause)).filter(of_its_owner)
        {
            own = charge.part.min(most);
            charge.part -= own;
        }
        if let Some(cause) = cause.filter(|_| own > 0) {
            self.note(cause);
            self.reach(Goal::BlockedPart);
        }
        let precaution = self.policy.precaution.filter(|_| kind == Kind::Precautionary);
        let ends_at = precaution.map(|span| later(at, span));
        let books = self.touch(subaccount);
        let more = (most - own).min(books.available.max(0));
        books.held -= own;
        books.available -= more;
        books.frozen += own + more;
        let hold = Hold {
            subaccount,
            cause,
            requested,
            from_held: own,
            from_available: more,
            released: 0,
            settled: 0,
            watches: true,
            ends_at,
            until,
            reserved: false,
            recovery,
            closed: false,
        };
        if hold.short() > 0 {
            self.reach(Goal::BlockShort);
        }
        if cause.is_some_and(|cause| self.is_elsewhere(cause, subaccount)) {
            self.reach(Goal::BlockTraced);
        }
        // It may stop looking before it ends, or end before that.
        let dates = hold.lapses().into_iter().chain(ends_at);
        self.due.extend(dates.map(|at| (at, op)));
        self.holds.insert(op, hold);
        self.enters(op, own + more);
        self.note(op);
        Outcome::Applied(Some(op))
    }
}
