//! How an instruction to deliver stands.

use crate::ledger::notification::key::InstructionKey;
use crate::ledger::notification::step::Step;
use crate::machine::delivery;

/// How an instruction to deliver stands, where the delivery stands as `known`.
pub(in crate::ledger) fn delivery_step(known: &delivery::State, key: InstructionKey) -> Step {
    use delivery::State as At;
    let due = match known {
        At::Waiting => key.attempt == 1,
        At::Retrying(failed) => failed.checked_add(1) == Some(key.attempt),
        At::Sending(current) | At::Accepted(current) | At::Unknown(current) => {
            return if *current == key.attempt { Step::Taken } else { Step::Over };
        }
        At::Sent(_) => false,
    };
    if due { Step::Told } else { Step::Over }
}
