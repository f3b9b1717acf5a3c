//! Requests for groups of transfers, all of whose legs move or none (GRP-01), judged in the order
//! of rulings 6.
//!
//! Money that a leg brings pays for no other leg of the group: what each payer may spend before it
//! covers all that it pays in it, whatever it receives (GRP-03).

use std::collections::BTreeMap;

use crate::id::{AccountId, Kind, OpId, SubaccountId, Token};
use crate::ledger::account::opening::resolve;
use crate::ledger::decision::field::Field;
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::decision::named::{Named, NamedBalance};
use crate::ledger::decision::refusal::{Refusal, affordable};
use crate::ledger::decision::repetition::repeat;
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::malformed::Malformed;
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::machine::transfer::{self, Group, Leg};
use crate::money::{Amount, Balance};
use crate::terms::Terms;
use crate::time::Instant;

/// Transfers to be made together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupRequest {
    /// The moves, from 1 to [`Group::MOST`].
    pub legs: Vec<LegRequest>,
    /// The client's own description of the whole.
    pub note: Option<Token>,
    /// The client's own id of the whole.
    pub external_id: Option<Box<str>>,
}

/// A move of a group. A customer of `None` is the house (`casa`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegRequest {
    /// The subaccount to debit.
    pub from: Option<Box<str>>,
    /// The subaccount to credit.
    pub to: Option<Box<str>>,
    /// How much, in centavos, above zero.
    pub amount: Amount,
}

impl GroupRequest {
    /// Returns what it names of what the ledger keeps.
    pub(in crate::ledger) fn references(&self) -> Named<'_> {
        let legs = self.legs.iter().map(LegRequest::named_balances).collect();
        Named { legs, ..Named::new(Kind::Transfer, self.external_id.as_deref()) }
    }

    /// Checks that it has 1 to [`Group::MOST`] legs, whose sum one request may name.
    ///
    /// # Errors
    ///
    /// [`Refusal::Malformed`] naming the field.
    pub(crate) fn sums_up(&self) -> Result<(), Refusal> {
        if self.legs.is_empty() || self.legs.len() > Group::MOST {
            return Err(Refusal::Malformed { field: "pernas", why: Malformed::Legs });
        }
        let mut amounts = self.legs.iter().map(|leg| leg.amount.cents());
        let total = amounts.try_fold(0_i64, i64::checked_add).and_then(Amount::new);
        let total = total.ok_or(Malformed::Amount).and_then(Malformed::amount);
        total.map_err(|why| Refusal::Malformed { field: "amount_cents", why })
    }

    /// The fields in which it differs from its original: in its legs as soon as one differs.
    fn differing(
        &self,
        original: &transfer::State,
        parties: &[[Option<SubaccountId>; 2]],
    ) -> Vec<Field> {
        let transfer::State::Grouped(group) = original else { return vec![Field::Legs] };
        let same = |((leg, asked), parties): ((&Leg, &LegRequest), &[Option<SubaccountId>; 2])| {
            *parties == [Some(leg.from), Some(leg.to)] && leg.amount == asked.amount
        };
        let mut legs = group.legs.iter().zip(&self.legs).zip(parties);
        let legs = group.legs.len() == self.legs.len() && legs.all(same);
        let fields = [(legs, Field::Legs), (group.note == self.note, Field::Note)];
        fields.into_iter().filter(|(same, _)| !same).map(|(_, field)| field).collect()
    }
}

impl LegRequest {
    fn named_balances(&self) -> [NamedBalance<'_>; 2] {
        [("from_customer_ref", &self.from), ("to_customer_ref", &self.to)]
            .map(|(field, customer)| NamedBalance { field, customer: customer.as_deref() })
    }
}

/// Judges a request for a group of transfers: every reason to refuse it, in order, each of the
/// first leg that it stands against.
///
/// # Errors
///
/// The first [`Refusal`] that stands against it.
pub(in crate::ledger) fn request(
    state: &State,
    lookup: &Lookup,
    account: AccountId,
    request: GroupRequest,
    at: Instant,
) -> Result<Decision, Refusal> {
    if let Some((op, original)) = &lookup.original {
        let Some(original) = original.transfer() else {
            unreachable!("an identity of a transfer names a transfer")
        };
        return repeat(*op, request.differing(original, &lookup.legs));
    }
    request.sums_up()?;
    let custody = state.known_terms(account, at).map(|terms| terms.custody);
    if !custody.unwrap_or_else(|| Terms::latest().custody).is_on() {
        return Err(Refusal::CustodyDisabled);
    }
    if let Some(leg) = request.legs.iter().position(|leg| leg.from == leg.to) {
        return Err(Refusal::SameParty.of_leg(leg));
    }
    let GroupRequest { legs: asked, note, external_id } = request;
    let mut paid: BTreeMap<SubaccountId, Amount> = BTreeMap::new();
    let mut events = Vec::new();
    let mut legs = Vec::with_capacity(asked.len());
    for (place, (LegRequest { to, amount, .. }, known)) in
        asked.into_iter().zip(&lookup.legs).enumerate()
    {
        // A source never seen reads as zero balances (CUS-17).
        let nothing = Refusal::FundsInsufficient { available: Balance::ZERO };
        let from = known[0].ok_or_else(|| nothing.of_leg(place))?;
        let before = paid.get(&from).copied();
        let all = before.map_or(Some(amount), |before| before.plus(amount.as_cents()));
        affordable(state, from, all, at).map_err(|refusal| refusal.of_leg(place))?;
        paid.extend(all.map(|all| (from, all)));
        let to = resolve(state, account, known[1], to, &mut events);
        legs.push(Leg { from, to, amount });
    }
    let op = OpId::new(Kind::Transfer, state.seq.next());
    let group = Group { account, legs, external_id, note };
    events.push(Event::Transfer { op, event: transfer::Event::Grouped(group) });
    Ok(Decision { events, outcome: Outcome::Created(op) })
}
