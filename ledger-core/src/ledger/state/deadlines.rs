//! Deadlines: what becomes due by the passing of time alone (rulings 3 and 4).

use super::State;
use super::due::Due;
use super::operation::Machine;
use crate::id::{Kind, OpId};
use crate::ledger::agent::reward;
use crate::ledger::hold::fact::let_go;
use crate::ledger::hold::shortfall;
use crate::ledger::record::event::Event;
use crate::ledger::wallet;
use crate::machine::hold::{self, Watch};
use crate::machine::{Verdict, cash_out, charge};
use crate::money::{Balance, Cents};
use crate::terms::Switch;
use crate::time::Instant;

/// The events of a deadline that came due.
///
/// # Panics
///
/// When the agenda names an operation that waits for nothing: a bug in `apply`.
pub(in crate::ledger) fn decide_due(
    state: &State,
    (at, op, due): (Instant, OpId, Due),
) -> Vec<Event> {
    let operation = state.open(op).expect("the agenda holds open operations only");
    let mut events = match (&operation.machine, due) {
        (Machine::Charge(charge), Due::Expiry | Due::Maturity) => {
            let command = match due {
                Due::Expiry => charge::Command::Expire,
                _ => charge::Command::Mature,
            };
            let now = charge::Context { at, first_deposit: Switch::Off };
            match charge::decide(charge, command, now) {
                Verdict::Applied(event) => vec![Event::Charge { op, event }],
                other => unreachable!("{op:?} was due for {due:?}: {other:?}"),
            }
        }
        (Machine::Quote(quote), Due::Expiry) => wallet::lapse_quote(op, quote),
        (Machine::WalletDeposit(deposit), Due::Expiry) => wallet::expire_deposit(op, deposit),
        (Machine::Hold(hold), Due::Lapse) => {
            let now = hold::Context {
                available: Balance::ZERO,
                own_part: Cents::ZERO,
                matures: Watch::Over,
            };
            match hold::decide(hold, hold::Command::Lapse, now) {
                Verdict::Applied(event) => vec![Event::Hold { op, event }],
                other => unreachable!("{op:?} was due for {due:?}: {other:?}"),
            }
        }
        (Machine::Hold(hold), Due::End) => match let_go(state, op, hold, None) {
            Verdict::Applied(events) => events,
            other => unreachable!("{op:?} was due for {due:?}: {other:?}"),
        },
        (Machine::CashOut(order), Due::Expiry | Due::Retry) => {
            let command = match due {
                Due::Expiry => cash_out::Command::Expire,
                _ => cash_out::Command::Retry,
            };
            let now = cash_out::Context {
                at,
                quote: None,
                scale: None,
                ceilings: state.ceilings(op, order, at),
                unmatched: OpId::new(Kind::UnmatchedDeposit, state.seq.next()),
            };
            match cash_out::decide(order, command, &now) {
                Verdict::Applied(steps) => {
                    steps.into_iter().map(|event| Event::CashOut { op, event }).collect()
                }
                other => unreachable!("{op:?} was due for {due:?}: {other:?}"),
            }
        }
        (machine, due) => unreachable!("{machine:?} is never due for {due:?}"),
    };
    shortfall::top_up(state, &mut events);
    reward::accrue(state, &mut events);
    events
}
