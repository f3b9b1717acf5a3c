//! Requests, judged in the order of rulings 6: idempotency, feature, destination, limits, waiting
//! period, balance. Charges and conversions have rooms of their own.

use super::command::{Ownership, PayoutRequest, Request, TransferRequest};
use super::decision::{Decision, Outcome};
use super::event::Event;
use super::found::Found;
use super::operation::{Machine, Operation};
use super::refusal::{Field, Refusal};
use super::state::State;
use super::{cash_in, convert, keys, mesh, sell, usage, wallet};
use crate::id::{AccountId, CustodyId, Kind, OpId};
use crate::machine::{Verdict, cash_out, payout, transfer};
use crate::money::{Amount, Balance};
use crate::terms::{PayoutFees, Switch, Tariff, Terms};
use crate::time::Instant;

pub(super) fn decide(
    state: &State,
    found: &Found,
    account: AccountId,
    request: Request,
    at: Instant,
) -> Result<Decision, Refusal> {
    if found.original.is_none() && request.is_new() {
        state.may_act(account)?;
    }
    let mut decision = match request {
        Request::Charge(request) => cash_in::decide(state, found, account, request, at)?,
        Request::Transfer(request) => transfer(state, found, account, request, at)?,
        Request::Payout(request) => payout(state, found, account, request, at)?,
        Request::Conversion(request) => convert::decide(state, found, account, request, at)?,
        Request::CashOut(request) => sell::create(state, found, account, *request, at)?,
        Request::Wallet(request) => wallet::decide(state, found, account, request, at)?,
        Request::AcceptCashOut { supplied, .. } => {
            sell::moved(state, found, cash_out::Command::Accept(supplied), at)?
        }
        Request::RefundAddress { address, .. } => {
            sell::moved(state, found, cash_out::Command::Address(address), at)?
        }
        Request::Agent(request) => mesh::decide(state, account, request)?,
        Request::Settings(asked) => keys::set(state, account, *asked, at)?,
        Request::RotateKey(key) => keys::rotate(state, account, key)?,
    };
    mesh::note_use(state, account, &mut decision);
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

fn transfer(
    state: &State,
    found: &Found,
    account: AccountId,
    request: TransferRequest,
    at: Instant,
) -> Result<Decision, Refusal> {
    if let Some((op, original)) = &found.original {
        return repeat(*op, differing_transfer(original, &request, found.parties));
    }
    let custody = state.known_terms(account, at).map(|terms| terms.custody);
    if !custody.unwrap_or_else(|| Terms::published().custody).is_on() {
        return Err(Refusal::CustodyDisabled);
    }
    if request.from == request.to {
        return Err(Refusal::SameParty);
    }
    // A source never seen reads as zero balances (CUS-17).
    let Some(from) = found.parties[0] else {
        return Err(Refusal::FundsInsufficient { available: Balance::ZERO });
    };
    let mut events = Vec::with_capacity(1);
    let to = resolve(state, account, found.parties[1], request.to, &mut events);
    let order = transfer::Order {
        account,
        from,
        to,
        amount: request.amount,
        external_id: request.external_id,
        note: request.note,
    };
    let source = transfer::Source {
        spendable: state.spendable(from),
        waiting_until: state.waiting_until(from, at),
    };
    let op = OpId::new(Kind::Transfer, state.seq.next());
    let command = transfer::Command::Request(order);
    let event = transfer::decide(&transfer::State::Absent, command, source)?;
    events.push(Event::Transfer { op, event });
    Ok(Decision { events, outcome: Outcome::Created(op) })
}

fn payout(
    state: &State,
    found: &Found,
    account: AccountId,
    request: PayoutRequest,
    at: Instant,
) -> Result<Decision, Refusal> {
    if let Some((op, original)) = &found.original {
        return repeat(*op, differing_payout(original, &request, found.parties[0]));
    }
    let terms = state.terms(account, at);
    if !terms.custody.is_on() {
        return Err(Refusal::CustodyDisabled);
    }
    if !terms.payouts.is_on() {
        return Err(Refusal::PayoutsDisabled);
    }
    state.mandate_admits(account, request.amount, Some(request.tax_number), at)?;
    if request.ownership == Ownership::Refuted {
        return Err(Refusal::KeyNotOwned);
    }
    let proof = state.policy.unproven_keys_refused.is_some_and(Switch::is_on);
    if proof && request.ownership == Ownership::Unknown {
        return Err(Refusal::KeyUnproven);
    }
    let Tariff::Fixed(tariff) = terms.payout_tariff else { return Err(Refusal::TariffUnknown) };
    let fees = PayoutFees::on(request.amount, terms.payout_house, terms.payout_partner, tariff);
    let fees = fees.ok_or(Refusal::TariffUnknown)?;
    let range = (terms.payout_least, terms.payout_most);
    within(request.amount, range)?;
    let used = state.usage(account).on(at).paid_out;
    if !usage::within(used, request.amount, terms.paid_out_daily) {
        return Err(Refusal::DailyCeiling { until: at.next_day_in_brasilia() });
    }
    // A source never seen reads as zero balances (CUS-17).
    let Some(custody) = found.parties[0] else {
        return Err(Refusal::FundsInsufficient { available: Balance::ZERO });
    };
    let order = payout::Order {
        account,
        custody,
        amount: request.amount,
        fees,
        pix_key: request.pix_key,
        tax_number: request.tax_number,
        external_id: request.external_id,
        created_at: at,
        return_refunds_fee: state.policy.returned_payout_refunds_fee,
    };
    let source = payout::Source {
        spendable: state.spendable(custody),
        waiting_until: state.waiting_until(custody, at),
        range,
    };
    let op = OpId::new(Kind::Payout, state.seq.next());
    let decided = payout::decide(&payout::State::Absent, payout::Command::Request(order), source)?;
    let Verdict::Applied(event) = decided else { unreachable!("a request is done or refused") };
    let events = vec![Event::Payout { op, event }];
    Ok(Decision { events, outcome: Outcome::Created(op) })
}

pub(super) fn within(amount: Amount, (minimum, maximum): (Amount, Amount)) -> Result<(), Refusal> {
    if amount < minimum {
        Err(Refusal::BelowMinimum { minimum: Some(minimum) })
    } else if maximum < amount {
        Err(Refusal::AboveMaximum { maximum })
    } else {
        Ok(())
    }
}

/// The subaccount named, opened by the decision itself when it is new.
pub(super) fn resolve(
    state: &State,
    account: AccountId,
    known: Option<CustodyId>,
    customer: Option<Box<str>>,
    events: &mut Vec<Event>,
) -> CustodyId {
    if let Some(custody) = known {
        return custody;
    }
    let next = u32::try_from(state.books.custody_count());
    let custody = CustodyId(next.expect("fewer than four billion subaccounts"));
    let customer = customer.expect("the house balance of an account always exists");
    events.push(Event::SubaccountOpened { custody, account, customer });
    custody
}

pub(super) fn repeat(op: OpId, mut fields: Vec<Field>) -> Result<Decision, Refusal> {
    if fields.is_empty() {
        Ok(Decision::nothing(Outcome::Repeated(op)))
    } else {
        fields.sort_unstable();
        Err(Refusal::IdentityDiverges { original: op, fields })
    }
}

pub(super) fn fields_of(pairs: &[(bool, Field)]) -> Vec<Field> {
    pairs.iter().filter(|(same, _)| !same).map(|(_, field)| *field).collect()
}

fn differing_transfer(
    original: &Operation,
    request: &TransferRequest,
    [from, to]: [Option<CustodyId>; 2],
) -> Vec<Field> {
    let Machine::Transfer(transfer::State::Done(order)) = &original.machine else {
        unreachable!("an identity of a transfer names a transfer that was done")
    };
    fields_of(&[
        (order.amount == request.amount, Field::Amount),
        (Some(order.from) == from, Field::From),
        (Some(order.to) == to, Field::To),
        (order.note == request.note, Field::Note),
    ])
}

fn differing_payout(
    original: &Operation,
    request: &PayoutRequest,
    custody: Option<CustodyId>,
) -> Vec<Field> {
    let order = original.payout().and_then(payout::State::order);
    let order = order.expect("an identity of a payout names a payout that was requested");
    fields_of(&[
        (order.amount == request.amount, Field::Amount),
        (Some(order.custody) == custody, Field::Customer),
        (order.pix_key == request.pix_key, Field::PixKey),
        (order.tax_number == request.tax_number, Field::TaxNumber),
    ])
}
