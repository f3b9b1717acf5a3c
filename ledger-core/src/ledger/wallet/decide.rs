//! Requests to the wallet, each judged by its own file.

use super::deposit;
use super::payment::request;
use super::request::Request;
use super::withdrawal;
use crate::id::AccountId;
use crate::ledger::decision::Decision;
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::decision::refusal::Refusal as Denied;
use crate::ledger::state::State;
use crate::time::Instant;

pub(in crate::ledger) fn decide(
    state: &State,
    lookup: &Lookup,
    account: AccountId,
    request: Request,
    at: Instant,
) -> Result<Decision, Denied> {
    match request {
        Request::Deposit(request) => deposit::request(state, account, &request, at),
        Request::WithdrawalQuote(request) => withdrawal::quote(state, account, request, at),
        Request::Withdrawal(request) => withdrawal::request(state, lookup, account, request, at),
        Request::PaymentQuote(request) => request::quote(state, account, &request, at),
        Request::Payment(request) => request::request(state, lookup, account, *request, at),
    }
}
