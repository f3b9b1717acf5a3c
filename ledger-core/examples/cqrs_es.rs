//! A payout as an aggregate of the crate cqrs-es, which loads the events, and stores those that
//! `decide` makes.
//!
//! ```console
//! $ cargo run -p ledger-core --example cqrs_es
//! ```

mod payout;

use std::error::Error;

use cqrs_es::event_sink::EventSink;
use cqrs_es::mem_store::MemStore;
use cqrs_es::{Aggregate, CqrsFramework, DomainEvent, EventStore as _};
use futures::executor::block_on;
use ledger_core::time::Instant;
use serde::{Deserialize, Serialize};

use payout::{Happened, Message, SetAside, fold, judge, messages, print_outcome};

/// A payout is its events, so a snapshot of it is them too.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Payout(Vec<Happened>);

impl Aggregate for Payout {
    const TYPE: &'static str = "payout";
    type Command = (Instant, Message);
    type Event = Happened;
    type Error = SetAside;
    type Services = ();

    async fn handle(
        &mut self,
        (at, message): Self::Command,
        (): &(),
        sink: &EventSink<Self>,
    ) -> Result<(), SetAside> {
        for event in judge(&fold(&self.0), message)? {
            sink.write(Happened { at, event }, self).await;
        }
        Ok(())
    }

    fn apply(&mut self, event: Happened) {
        self.0.push(event);
    }
}

/// The bytes of an event name its kind, and every version reads those of before.
impl DomainEvent for Happened {
    fn event_type(&self) -> String {
        "happened".to_owned()
    }

    fn event_version(&self) -> String {
        "1".to_owned()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let store = MemStore::<Payout>::default();
    let framework = CqrsFramework::new(store.clone(), Vec::new(), ());
    for command in messages()? {
        block_on(framework.execute("payout-1", command))?;
    }
    // A store on disk keeps JSON.
    let events = block_on(store.load_events("payout-1"))?;
    let kept = events.iter().map(|event| serde_json::to_string(&event.payload));
    let kept = kept.collect::<Result<Vec<String>, _>>()?;
    println!("kept: {}", kept[1]);
    let read = kept.iter().map(|json| serde_json::from_str(json));
    print_outcome(&read.collect::<Result<Vec<Happened>, _>>()?)
}
