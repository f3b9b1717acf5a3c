//! Groups of transfers as the oracle judges them: all legs or none, and each payer covers before
//! the group all that it pays in it (GRP-01 to GRP-05).

use std::collections::BTreeMap;

use ledger_core::accounting::RowKind;
use ledger_core::id::{AccountId, Kind, OpId};
use ledger_core::ledger::{GroupRequest, LegRequest, Refusal};
use ledger_core::money::Balance;
use ledger_core::time::Instant;

use crate::goal::Goal;
use crate::oracle::Oracle;
use crate::oracle::books::RowOf;

impl Oracle {
    pub(super) fn group(
        &mut self,
        account: AccountId,
        request: &GroupRequest,
        at: Instant,
    ) -> Result<OpId, Refusal> {
        if !self.terms(account, at).custody.is_on() {
            return Err(Refusal::CustodyDisabled);
        }
        if let Err((place, refusal)) = self.legs_may_move(account, request, at) {
            self.reach(Goal::GroupRefused);
            return Err(of_leg(place, refusal));
        }
        let op = self.next_op(Kind::Transfer);
        let (known, mut nets) = (self.subaccounts.len(), BTreeMap::new());
        for leg in &request.legs {
            let cents = leg.amount.cents();
            let from = self.subaccount_of(account, leg.from.as_deref()).expect("it may pay");
            let to = self.resolve(account, leg.to.as_deref());
            for (id, kind, cents) in
                [(from, RowKind::TransferOut, -cents), (to, RowKind::TransferIn, cents)]
            {
                *nets.entry(id).or_insert(0) += cents;
                self.row(id, op, kind, RowOf::Principal(cents));
            }
        }
        // A block takes of what the group as a whole brings.
        for (id, cents) in nets {
            self.give(id, cents);
        }
        self.note(op);
        self.transfers += 1;
        self.reach(Goal::GroupMoved);
        if self.subaccounts.len() > known + 1 {
            self.reach(Goal::GroupOpensSeveral);
        }
        Ok(op)
    }

    /// Tells whether every leg may move; else the first that may not, and why.
    fn legs_may_move(
        &mut self,
        account: AccountId,
        request: &GroupRequest,
        at: Instant,
    ) -> Result<(), (usize, Refusal)> {
        if let Some(place) = request.legs.iter().position(|leg| leg.from == leg.to) {
            return Err((place, Refusal::SameParty));
        }
        for (place, leg) in request.legs.iter().enumerate() {
            let so_far = |which: fn(&LegRequest, &LegRequest) -> bool| -> i64 {
                let legs = request.legs[..=place].iter().filter(|other| which(other, leg));
                legs.map(|other| other.amount.cents()).sum()
            };
            let from = self.subaccount_of(account, leg.from.as_deref());
            if let Some(until) = from.and_then(|from| self.waits(from, at)) {
                return Err((place, Refusal::Waiting { until }));
            }
            let available = from.map_or(Balance::ZERO, |from| self.spendable(from));
            let paid = so_far(|other, leg| other.from == leg.from);
            if from.is_none() || available.cents() < paid {
                let received = so_far(|other, leg| other.to == leg.from);
                if from.is_some() && paid <= available.cents() + received {
                    self.reach(Goal::GroupNetsNothing);
                }
                return Err((place, Refusal::FundsInsufficient { available }));
            }
        }
        Ok(())
    }
}

/// The refusal of the whole because of this leg.
pub(super) fn of_leg(leg: usize, refusal: Refusal) -> Refusal {
    Refusal::Leg { leg, refusal: Box::new(refusal) }
}
