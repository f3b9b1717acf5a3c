//! A payout as a reducer in a service of one's own: commands become events, events become bytes
//! that the service keeps, and who reads the bytes comes to the same state and balances.
//!
//! ```console
//! $ cargo run -p ledger-core --example reducer
//! ```

mod payout;

use std::error::Error;

use ledger_core::machine::StateMachine as _;
use ledger_core::machine::payout::State;

use payout::{Happened, fold, judge, messages, print_outcome};

fn main() -> Result<(), Box<dyn Error>> {
    let mut kept: Vec<Vec<u8>> = Vec::new();
    for (at, message) in messages()? {
        let events = judge(&fold(&read(&kept)?), message)?;
        println!("{at}: {} events", events.len());
        for event in events {
            kept.push(minicbor::to_vec((at, event))?);
        }
    }
    println!("kept: {} bytes", kept.iter().map(Vec::len).sum::<usize>());
    print_outcome(&read(&kept)?)
}

/// The events of these bytes; an error where one may not follow, as in bytes that somebody changed.
fn read(kept: &[Vec<u8>]) -> Result<Vec<Happened>, Box<dyn Error>> {
    let mut state = State::Absent;
    let events = kept.iter().map(|bytes| -> Result<_, Box<dyn Error>> {
        let (at, event) = minicbor::decode(bytes)?;
        if !state.follows(&event) {
            return Err(format!("{event:?} cannot follow {state:?}").into());
        }
        state = state.evolve(&event, at);
        Ok(Happened { at, event })
    });
    events.collect()
}
