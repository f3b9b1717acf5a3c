//! Requests, judged in the order of rulings 6: the account, then idempotency, feature, destination,
//! limits, waiting period, balance: each domain judges its own, in its file of the same name.

use super::account::keys;
use super::agent::registry;
use super::command::{Enrolment, Public, Request};
use super::decision::field::Field;
use super::decision::lookup::Lookup;
use super::decision::named::Named;
use super::decision::refusal::Refusal;
use super::decision::repetition::repeat;
use super::decision::{Decision, Outcome};
use super::record::event::Event;
use super::state::State;
use super::{charge, conversion, payout, sale, transfer, wallet};
use crate::id::{AccountId, Kind, Token};
use crate::machine::cash_out;
use crate::time::Instant;

pub(super) fn decide(
    state: &State,
    lookup: &Lookup,
    account: AccountId,
    request: Request,
    at: Instant,
) -> Result<Decision, Refusal> {
    if state.account(account).is_none() {
        return Err(Refusal::AccountUnknown);
    }
    if lookup.original.is_none() && request.is_new() {
        state.may_act(account)?;
    }
    if lookup.original.is_none() && (request.is_new() || matches!(request, Request::RotateKey(_))) {
        state.lives_here(account)?;
    }
    let (request, metadata) = request.into_parts();
    let decided = judge(state, lookup, account, request, at);
    let mut decision = attach(state, lookup, metadata, decided)?;
    registry::note_use(state, account, &mut decision);
    Ok(decision)
}

fn judge(
    state: &State,
    lookup: &Lookup,
    account: AccountId,
    request: Request,
    at: Instant,
) -> Result<Decision, Refusal> {
    match request {
        Request::Charge(request) => charge::request::request(state, lookup, account, request, at),
        Request::Transfer(request) => {
            transfer::request::request(state, lookup, account, request, at)
        }
        Request::Group(request) => transfer::group::request(state, lookup, account, request, at),
        Request::Payout(request) => payout::request::request(state, lookup, account, request, at),
        Request::Conversion(request) => {
            conversion::request::request(state, lookup, account, request, at)
        }
        Request::CashOut(request) => sale::request::create(state, lookup, account, *request, at),
        Request::Wallet(request) => wallet::decide(state, lookup, account, request, at),
        Request::AcceptCashOut { supplied, .. } => {
            sale::request::move_order(state, lookup, cash_out::Request::Accept(supplied), at)
        }
        Request::RefundAddress { address, .. } => {
            sale::request::move_order(state, lookup, cash_out::Request::Address(address), at)
        }
        Request::Agent(request) => registry::request(state, account, request),
        Request::Settings(asked) => keys::set(state, account, *asked, at),
        Request::RotateKey(key) => keys::rotate(state, account, key),
        Request::Described { request, .. } => judge(state, lookup, account, *request, at),
    }
}

/// Attaches metadata to what is created, and holds that of a repeat against its original's.
fn attach(
    state: &State,
    lookup: &Lookup,
    metadata: Option<Token>,
    decided: Result<Decision, Refusal>,
) -> Result<Decision, Refusal> {
    let differs = lookup.original.as_ref().is_some_and(|(op, original)| {
        let free = op.kind() == Kind::Charge && !state.policy.divergent_charge_is_refused.is_on();
        !free && original.metadata != metadata
    });
    let mut decision = match decided {
        Err(Refusal::IdentityDiverges { original, mut fields }) if differs => {
            fields.push(Field::Metadata);
            return repeat(original, fields);
        }
        Ok(Decision { outcome: Outcome::Repeated(op), .. }) if differs => {
            return repeat(op, vec![Field::Metadata]);
        }
        decided => decided?,
    };
    if let (Outcome::Created(op), Some(metadata)) = (decision.outcome, metadata) {
        decision.events.push(Event::MetadataAttached { op, metadata });
    }
    Ok(decision)
}

pub(super) fn decide_public(
    state: &State,
    request: Public,
    at: Instant,
) -> Result<Decision, Refusal> {
    match request {
        Public::Register(asked) => registry::register(state, *asked, at),
    }
}

pub(super) fn decide_enrolment(
    state: &State,
    asked: Enrolment,
    at: Instant,
) -> Result<Decision, Refusal> {
    keys::enrol(state, asked, at)
}

impl Request {
    /// Returns what it names of what the ledger keeps.
    pub(super) fn references(&self) -> Named<'_> {
        match self {
            Self::Described { request, .. } => request.references(),
            Self::Charge(request) => request.references(),
            Self::Transfer(request) => request.references(),
            Self::Group(request) => request.references(),
            Self::Payout(request) => request.references(),
            Self::Conversion(request) => request.references(),
            Self::CashOut(request) => Named::new(Kind::CashOut, request.external_id.as_deref()),
            Self::Wallet(request) => request.references(),
            Self::AcceptCashOut { order, .. } | Self::RefundAddress { order, .. } => {
                Named::further(*order)
            }
            Self::Settings(_) | Self::RotateKey(_) | Self::Agent(_) => Named::default(),
        }
    }

    /// Tells whether it begins or changes something, rather than taking a step of what is open: an
    /// agent that is stopped finishes what it began (A15). What it asks for itself its machine
    /// judges.
    const fn is_new(&self) -> bool {
        match self.bare() {
            Self::Charge(_)
            | Self::Transfer(_)
            | Self::Group(_)
            | Self::Payout(_)
            | Self::Conversion(_)
            | Self::CashOut(_)
            | Self::Wallet(_)
            | Self::Settings(_) => true,
            // A key that may have leaked is replaced whatever became of the agent.
            Self::AcceptCashOut { .. }
            | Self::RefundAddress { .. }
            | Self::Agent(_)
            | Self::RotateKey(_)
            | Self::Described { .. } => false,
        }
    }
}
