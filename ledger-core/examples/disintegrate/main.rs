//! A payout as a decision of the crate disintegrate, over a store of events in memory: its own
//! stores need a database.
//!
//! ```console
//! $ cargo run -p ledger-core --example disintegrate
//! ```

mod memory;
#[path = "../payout/mod.rs"]
mod payout;

use std::error::Error;

use disintegrate::{
    Decision, DecisionMaker, Event, EventSourcedStateStore, EventStore as _, NoSnapshot,
    StateMutate, StateQuery,
};
use futures::executor::block_on;
use ledger_core::time::Instant;
use serde::{Deserialize, Serialize};

use memory::Memory;
use payout::{Happened, Message, SetAside, fold, judge, messages, print_outcome};

/// The stored form: an event, and the payout that it is of.
#[derive(Clone, Event)]
struct PayoutMoved {
    #[id]
    payout: i64,
    happened: Happened,
}

/// The events of one payout, which its state is folded from.
#[derive(Clone, Serialize, Deserialize, StateQuery)]
#[state_query(PayoutMoved)]
struct Payout {
    #[id]
    payout: i64,
    events: Vec<Happened>,
}

impl StateMutate for Payout {
    fn mutate(&mut self, event: PayoutMoved) {
        self.events.push(event.happened);
    }
}

/// A message about a payout, judged over that payout's events alone.
struct Judge {
    payout: i64,
    at: Instant,
    message: Message,
}

impl Decision for Judge {
    type Event = PayoutMoved;
    type StateQuery = Payout;
    type Error = SetAside;

    fn state_query(&self) -> Payout {
        Payout { payout: self.payout, events: Vec::new() }
    }

    fn process(&self, known: &Payout) -> Result<Vec<PayoutMoved>, SetAside> {
        let events = judge(&fold(&known.events), self.message.clone())?;
        let happened = |event| Happened { at: self.at, event };
        let moved = |event| PayoutMoved { payout: self.payout, happened: happened(event) };
        Ok(events.into_iter().map(moved).collect())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let store = Memory::default();
    let states = EventSourcedStateStore::<i64, PayoutMoved, _, _>::new(store.clone(), NoSnapshot);
    let maker = DecisionMaker::new(states);
    for (at, message) in messages()? {
        let made = block_on(maker.make(Judge { payout: 1, at, message }))?;
        println!("{at}: {} events", made.len());
    }
    // A decision over what was known at first is refused: its payout moved meanwhile.
    let query = Payout { payout: 1, events: Vec::new() }.query();
    assert!(block_on(store.append(Vec::new(), query, 0)).is_err());
    let events: Vec<Happened> = store.events().iter().map(|it| it.happened.clone()).collect();
    print_outcome(&events)
}
