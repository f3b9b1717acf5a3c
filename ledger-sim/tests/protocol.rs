//! The writer's protocol, model-checked: every interleaving of a few processes, a medium, a network
//! that loses answers and delays requests, clocks and crashes, within stated bounds.
//!
//! Names are those of the code; each action of `protocol/model.rs` says which function it stands
//! for. Left out are what records say, an outbox in another database, media that lose what they
//! acknowledged, more than one lost answer or crash, and clocks of different rates.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

#[path = "protocol/medium.rs"]
mod medium;
#[path = "protocol/model.rs"]
mod model;
#[path = "protocol/node.rs"]
mod node;

use std::time::Instant;

use model::{
    ACKNOWLEDGED, ALWAYS, Bounds, FENCED, Flaw, NOT_WRITTEN, ONE_POSITION, Protocol, READ, SENT,
    SOMETIMES, SPARE,
};
use stateright::{Checker, Model};

/// Two writers and a standby, two commands, an answer that is lost or a request that lands late, and
/// time for a lease to lapse and another to be taken.
const BOUNDS: Bounds =
    Bounds { processes: 3, commands: 2, ticks: 4, outbox: false, crashes: 0, losses: 1 };

const SOUND: Protocol = Protocol { bounds: BOUNDS, lease: Some(3), skew: SPARE, flaw: None };

/// Explores everything within the bounds, to its end; gives how many states there are, which is the
/// same every time.
fn explored(protocol: Protocol) -> usize {
    let start = Instant::now();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let checker = protocol.checker().threads(threads).spawn_bfs().join();
    let states = checker.unique_state_count();
    println!("{states} states in {} ms: {protocol:?}", start.elapsed().as_millis());
    assert!(checker.is_done(), "it was cut short");
    for property in ALWAYS {
        if let Some(path) = checker.discovery(property) {
            panic!("{property}, but {path}");
        }
    }
    for property in SOMETIMES {
        assert!(checker.discovery(property).is_some(), "never: {property}");
    }
    states
}

/// The steps that lead to where a property does not hold.
fn counterexample(protocol: Protocol, property: &'static str) -> usize {
    let checker = protocol.checker().spawn_bfs().join();
    let path = checker.discovery(property);
    let path = path.unwrap_or_else(|| panic!("{protocol:?}: {property}, always"));
    println!("{:?}: not \"{property}\": {:?}", protocol.flaw, path.clone().into_actions());
    path.into_actions().len()
}

#[test]
fn with_leases_everything_holds_in_every_history() {
    assert_eq!(explored(SOUND), 1_023_889);
}

#[test]
fn with_leases_and_a_crash_everything_holds_in_every_history() {
    let bounds = Bounds { commands: 1, crashes: 1, ..BOUNDS };
    assert_eq!(explored(Protocol { bounds, ..SOUND }), 790_736);
}

#[test]
fn with_leases_and_an_outbox_everything_holds_in_every_history() {
    let bounds = Bounds { processes: 2, outbox: true, ..BOUNDS };
    assert_eq!(explored(Protocol { bounds, ..SOUND }), 497_777);
}

/// Whoever holds no lease asks the journal, so time is of no account.
#[test]
fn without_leases_everything_holds_in_every_history() {
    let bounds = Bounds { outbox: true, ticks: 0, crashes: 1, ..BOUNDS };
    assert_eq!(explored(Protocol { bounds, lease: None, skew: 0, ..SOUND }), 759_572);
}

#[test]
fn each_planted_flaw_is_found() {
    for (flaw, property) in [
        (Flaw::NoEpochInTheGuard, FENCED),
        (Flaw::NoHeadInTheGuard, ONE_POSITION),
        (Flaw::AnsweredBeforeTheAppend, ACKNOWLEDGED),
        (Flaw::OutboxOfWhatIsNotDurable, SENT),
        (Flaw::LeaseFromItsAnswer, READ),
        (Flaw::LeaseBelievedToItsEnd, READ),
        (Flaw::UnknownIsNotWritten, NOT_WRITTEN),
    ] {
        let bounds = Bounds { processes: 2, outbox: property == SENT, crashes: 0, ..BOUNDS };
        let steps = counterexample(Protocol { bounds, flaw: Some(flaw), ..SOUND }, property);
        assert!(steps > 0, "{flaw:?}");
    }
}

/// What is said of the clock's bound is needed: beyond it, a read is answered from the past.
#[test]
fn a_clock_that_is_set_forward_by_more_than_is_spared_is_found() {
    let bounds = Bounds { processes: 2, crashes: 0, ..BOUNDS };
    assert!(counterexample(Protocol { bounds, skew: SPARE + 1, ..SOUND }, READ) > 0);
}
