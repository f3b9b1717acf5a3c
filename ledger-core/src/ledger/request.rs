//! Requests, judged in the order of rulings 6: the account, then idempotency, feature, destination,
//! limits, waiting period, balance: each domain judges its own, in its file of the same name.

use super::account::keys;
use super::agent::registry;
use super::command::Request;
use super::decision::Decision;
use super::decision::lookup::Lookup;
use super::decision::refusal::Refusal;
use super::state::State;
use super::{charge, conversion, payout, sale, transfer, wallet};
use crate::id::AccountId;
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
    let mut decision = match request {
        Request::Charge(request) => charge::request::request(state, lookup, account, request, at)?,
        Request::Transfer(request) => {
            transfer::request::request(state, lookup, account, request, at)?
        }
        Request::Payout(request) => payout::request::request(state, lookup, account, request, at)?,
        Request::Conversion(request) => {
            conversion::request::request(state, lookup, account, request, at)?
        }
        Request::CashOut(request) => sale::request::create(state, lookup, account, *request, at)?,
        Request::Wallet(request) => wallet::decide(state, lookup, account, request, at)?,
        Request::AcceptCashOut { supplied, .. } => {
            sale::request::moved(state, lookup, cash_out::Request::Accept(supplied), at)?
        }
        Request::RefundAddress { address, .. } => {
            sale::request::moved(state, lookup, cash_out::Request::Address(address), at)?
        }
        Request::Agent(request) => registry::request(state, account, request)?,
        Request::Settings(asked) => keys::set(state, account, *asked, at)?,
        Request::RotateKey(key) => keys::rotate(state, account, key)?,
    };
    registry::note_use(state, account, &mut decision);
    Ok(decision)
}

impl Request {
    /// Whether it begins or changes something, rather than taking a step of what is open: an agent
    /// that is stopped finishes what it began (A15). What it asks for itself its machine judges.
    const fn is_new(&self) -> bool {
        match self {
            Self::Charge(_)
            | Self::Transfer(_)
            | Self::Payout(_)
            | Self::Conversion(_)
            | Self::CashOut(_)
            | Self::Wallet(_)
            | Self::Settings(_) => true,
            // A key that may have leaked is replaced whatever became of the agent.
            Self::AcceptCashOut { .. }
            | Self::RefundAddress { .. }
            | Self::Agent(_)
            | Self::RotateKey(_) => false,
        }
    }
}
