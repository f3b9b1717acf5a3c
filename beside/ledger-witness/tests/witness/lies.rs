//! Random histories of logs that grow, fork, shrink and lie, against a witness that crashes; a model
//! that keeps every leaf says what may be cosigned.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use ledger_witness::{AddCheckpoint, Answer, EvidencePlace, TreeHead, Witness, WitnessState};
use proptest::prelude::*;

use crate::log::{Log, ask, witness};

/// A medium that outlives its witness, and fails when it is told to.
#[derive(Clone, Default)]
struct Medium(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    files: BTreeMap<String, String>,
    evidence: BTreeMap<String, String>,
    /// The next write fails: before the medium has it, or after.
    fails: Option<bool>,
}

impl WitnessState for Medium {
    fn load(&mut self, log: &str) -> io::Result<Option<String>> {
        Ok(self.0.lock().unwrap().files.get(log).cloned())
    }

    fn save(&mut self, log: &str, checkpoint: &str) -> io::Result<()> {
        let mut inner = self.0.lock().unwrap();
        let fails = inner.fails.take();
        if fails != Some(false) {
            inner.files.insert(log.to_owned(), checkpoint.to_owned());
        }
        if fails.is_some() { Err(io::Error::other("the process ended")) } else { Ok(()) }
    }

    fn keep_evidence(&mut self, _: &str, name: &str, text: &str) -> io::Result<EvidencePlace> {
        let earlier = self.0.lock().unwrap().evidence.insert(name.to_owned(), text.to_owned());
        Ok(earlier
            .map_or_else(|| EvidencePlace::Written(name.to_owned()), |_| EvidencePlace::Known))
    }
}

/// A step of a history.
#[derive(Clone, Debug)]
enum Step {
    /// A branch grows by so many leaves.
    Grow(usize, u64),
    /// A branch forks off another, at a size in hundredths of its own.
    Fork(usize, u64),
    /// A branch asks for its checkpoint at a size, from an old size, both in hundredths; from the
    /// one that the witness knows where there is none.
    Ask(usize, u64, Option<u64>),
    /// The same with a hash of the proof changed, added or taken away.
    Lie(usize, u64, u8),
    /// The next write fails before or after the medium has it, and the witness starts anew.
    Crash(usize, bool),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let branch = || 0..8_usize;
    let part = || prop_oneof![3 => Just(100_u64), 1 => 0..=100_u64];
    let step = prop_oneof![
        3 => (branch(), 0..40_u64).prop_map(|(branch, leaves)| Step::Grow(branch, leaves)),
        1 => (branch(), part()).prop_map(|(branch, at)| Step::Fork(branch, at)),
        5 => (branch(), part(), prop_oneof![4 => Just(None), 1 => part().prop_map(Some)])
            .prop_map(|(branch, at, old)| Step::Ask(branch, at, old)),
        2 => (branch(), part(), any::<u8>()).prop_map(|(branch, at, how)| Step::Lie(branch, at, how)),
        1 => (branch(), any::<bool>()).prop_map(|(branch, after)| Step::Crash(branch, after)),
    ];
    proptest::collection::vec(step, 1..60)
}

/// A witness under a history, with what it cosigned and what its medium has.
struct World {
    medium: Medium,
    witness: Witness,
    branches: Vec<Log>,
    salt: u64,
    /// The tree that the witness is bound to: cosigned, or stored without an answer.
    bound: Option<Log>,
}

impl World {
    fn new() -> Self {
        let medium = Medium::default();
        let witness = witness(medium.clone());
        Self { medium, witness, branches: vec![Log::default()], salt: 0, bound: None }
    }

    fn known(&self) -> u64 {
        self.bound.as_ref().map_or(0, Log::size)
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Grow(branch, leaves) => {
                let place = branch % self.branches.len();
                for _ in 0..leaves {
                    self.salt += 1;
                    let size = self.branches[place].size();
                    self.branches[place].push(size, self.salt);
                }
            }
            Step::Fork(branch, at) => {
                let from = &self.branches[branch % self.branches.len()];
                let fork = from.beginning(from.size() * at / 100);
                self.branches.push(fork);
            }
            Step::Ask(branch, at, old) => {
                let log = &self.branches[branch % self.branches.len()];
                let size = log.size() * at / 100;
                let old = old.map_or(self.known().min(size), |old| size * old / 100);
                let request = log.request(old, size);
                self.judge(branch, size, &request);
            }
            Step::Lie(branch, at, how) => {
                let log = &self.branches[branch % self.branches.len()];
                let size = log.size() * at / 100;
                let mut request = log.request(self.known().min(size), size);
                match how % 3 {
                    0 => request.proof.push(log.root(size)),
                    1 => drop(request.proof.pop()),
                    _ => request.proof.iter_mut().for_each(|hash| hash.0[0] ^= 1),
                }
                self.judge(branch, size, &request);
            }
            Step::Crash(branch, after) => {
                self.medium.0.lock().unwrap().fails = Some(after);
                let log = &self.branches[branch % self.branches.len()];
                let size = log.size();
                let request = log.request(self.known().min(size), size);
                self.judge(branch, size, &request);
                self.medium.0.lock().unwrap().fails = None;
                self.witness = witness(self.medium.clone());
            }
        }
    }

    /// Asks, and holds the answer against every leaf of both trees.
    fn judge(&mut self, branch: usize, size: u64, request: &AddCheckpoint) {
        let log = self.branches[branch % self.branches.len()].beginning(size);
        let fails = self.medium.0.lock().unwrap().fails;
        let handled = ask(&self.witness, request);
        let head = TreeHead::parse(request.checkpoint.text()).unwrap();
        let known = self.known();
        let goes_on = self.bound.as_ref().is_none_or(|bound| {
            size >= bound.size() && log.root(bound.size()) == bound.root(bound.size())
        });
        let is_fork = known == size && self.bound.is_some() && !goes_on;
        match handled.answer {
            Answer::Cosigned(_) => {
                assert!(goes_on, "a fork was cosigned: {head:?} after {known}");
                assert_eq!(request.old, known);
                assert!(fails.is_none(), "nothing leaves that was not stored");
                self.bound = Some(log);
            }
            Answer::Unavailable(_) => {
                assert!(goes_on, "a fork was stored: {head:?} after {known}");
                match fails {
                    Some(true) => self.bound = Some(log),
                    fails => assert_eq!(fails, Some(false), "nothing else fails"),
                }
            }
            Answer::Conflict { known: named } => {
                assert_eq!(named, known);
                assert_ne!(request.old, known);
            }
            Answer::Inconsistent(_) => {
                let honest = size > 0 && request.proof == log.proof(known.min(size), size);
                assert!(!goes_on || !honest, "the truth was refused: {head:?} after {known}");
            }
            Answer::Backwards { .. } => assert!(request.old > size),
            other => panic!("{other:?}"),
        }
        let left = handled.evidence.as_ref().is_some_and(|evidence| evidence.is_fork);
        assert_eq!(left, is_fork, "two roots of one size leave their evidence, and nothing else");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_history_makes_a_witness_cosign_what_does_not_go_on(steps in steps()) {
        let mut world = World::new();
        for step in &steps {
            world.step(step);
        }
    }
}
