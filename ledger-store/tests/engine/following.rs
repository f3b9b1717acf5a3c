//! Followers: what they see, when, and what becomes of an engine whose follower fails.

use std::sync::mpsc::{Receiver, Sender, channel};

use ledger_store::engine::{Engine, EngineError, Follower};
use ledger_store::journal::{Commit, Head, MemoryDisk};

use super::gate::{Fate, Gate};
use super::setup::{LIVE, call, memory};
use super::{OPEN, charge, is_not_written, reopened, started_on, undisturbed};

/// Sends where each commit leads from and to, and fails on the one that reaches `fails_at`.
struct Reporter {
    sender: Sender<(Head, Head)>,
    fails_at: Option<u64>,
}

impl Follower for Reporter {
    fn follow(&mut self, commit: &Commit) -> Result<(), String> {
        if self.fails_at == Some(commit.head().seq) {
            return Err("the table is full".to_owned());
        }
        self.sender.send((commit.previous, commit.head())).unwrap();
        Ok(())
    }
}

fn followed(fails_at: Option<u64>) -> (Engine, Gate, MemoryDisk, Receiver<(Head, Head)>) {
    let (disk, gate) = (MemoryDisk::new(), Gate::default());
    let (sender, commits) = channel();
    let builder = Engine::builder(LIVE).follower(Reporter { sender, fails_at });
    let engine = builder.start(gate.journal(memory(&disk))).unwrap();
    assert_eq!(engine.call(call(OPEN)).wait().unwrap().status, 200);
    (engine, gate, disk, commits)
}

#[test]
fn a_follower_has_seen_a_commit_before_it_is_answered_and_sees_each_once() {
    let (engine, gate, disk, commits) = followed(None);
    assert_eq!(commits.try_recv().unwrap().1, undisturbed([]));
    let mut head = undisturbed([]);
    for number in 1..=20 {
        // What was not written is not followed; what was lost from sight and landed is.
        gate.next([Fate::Failed, Fate::UnknownLost, Fate::UnknownLanded]);
        assert!(is_not_written(&engine.call(charge(number)).wait()));
        assert!(is_not_written(&engine.call(charge(number)).wait()));
        assert!(commits.try_recv().is_err());
        engine.call(charge(number)).wait().unwrap();
        let (from, to) = commits.try_recv().unwrap();
        assert_eq!((from, to), (head, undisturbed(1..=number)));
        head = to;
    }
    drop(engine);
    assert_eq!(reopened(&disk).head(), head);
}

#[test]
fn a_failing_follower_stops_the_engine_and_the_answer_says_that_it_is_written() {
    let (engine, _, disk, _told) = followed(Some(3));
    engine.call(charge(1)).wait().unwrap();
    let failed = engine.call(charge(2)).wait();
    assert_eq!(failed, Err(EngineError::NotFollowed("the table is full".to_owned())));
    assert_eq!(reopened(&disk).head(), undisturbed([1, 2]));
    // Nothing of what comes later is written, and the error says why.
    let later = engine.call(charge(3)).wait();
    assert!(
        matches!(&later, Err(EngineError::NotWritten(reason)) if reason.contains("the table is full")),
        "{later:?}"
    );
    assert_eq!(engine.stop().map_err(Some), later.map(|_| undisturbed([])).map_err(Some));
    assert_eq!(reopened(&disk).head(), undisturbed([1, 2]));
    // A new engine answers the repeat as it was decided.
    let again = started_on(&disk, &Gate::default());
    assert_eq!(again.call(charge(2)).wait().unwrap().status, 200);
    assert_eq!(again.stop(), Ok(undisturbed([1, 2])));
}
