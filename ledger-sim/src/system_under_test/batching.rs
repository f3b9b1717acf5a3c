//! The engine's own batching, which has no I/O, over a medium that fails: a sequencer decides what
//! the simulator said, its commits are lost, fenced or unacknowledged, and what was lost is said
//! again.

use std::sync::atomic::Ordering;

use ledger_core::ledger::Command;
use ledger_store::chain::Link;
use ledger_store::journal::{AppendError, Journal};
use ledger_store::sequencer::Sequencer;

use crate::rng::Rng;
use crate::run::Run;
use crate::settings::{Faults, Settings};
use crate::system_under_test::store::{Medium, NAME, Store};

/// A writer as an engine is one: a sequencer, and the journal it believes to be the last writer of.
struct Writer {
    medium: Medium,
    journal: Box<dyn Journal>,
    sequencer: Sequencer,
    /// How often each thing went wrong: an answer lost, a disk full, another writer.
    went_wrong: [u32; 3],
}

impl Writer {
    fn new() -> Self {
        let medium = Medium::new(&Store::Memory, NAME);
        let mut journal = medium.open().expect("memory");
        journal.open_writer().expect("memory");
        let sequencer = Sequencer::open(&mut *journal, NAME, |_, _| ()).expect("it is empty");
        Self { medium, journal, sequencer, went_wrong: [0; 3] }
    }

    /// Makes what was decided durable; `false` when it is lost and the sequencer is one from the
    /// journal.
    fn commit(&mut self, chance: &mut Rng) -> bool {
        let Some(commit) = self.sequencer.cut() else { return true };
        let wrong = chance.by_weight(&[5, 5, 5, 85]);
        if let Some(count) = self.went_wrong.get_mut(wrong) {
            *count += 1;
        }
        match wrong {
            1 => {}
            2 => {
                let mut second = self.medium.open().expect("memory");
                second.open_writer().expect("memory");
                let late = self.journal.append(&commit);
                assert!(matches!(late, Err(AppendError::Fenced { .. })), "{late:?}");
                self.journal = second;
            }
            _ => {
                self.journal.append(&commit).expect("memory");
                if wrong == 0 {
                    let opening = self.journal.open_writer().expect("memory");
                    assert_eq!(opening.head, commit.head());
                }
                self.sequencer.durable().store(commit.head().seq, Ordering::Release);
                return true;
            }
        }
        self.sequencer =
            Sequencer::open(&mut *self.journal, NAME, |_, _| ()).expect("the journal is sound");
        false
    }
}

/// Returns what an undisturbed run says, and the head that a book comes to which nothing happens
/// to.
fn undisturbed_run(seed: u64) -> (Vec<Command>, Link) {
    let settings = Settings::commands(seed, 500).with_faults(Faults::None);
    let mut run = Run::remembering(settings).expect("memory");
    run.through(&mut |_| ()).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
    let (said, mut sequencer) = (run.into_commands(), Writer::new().sequencer);
    // A book does not take everything that the simulator tells the core; both refuse the same.
    drop(sequencer.execute_all(said.clone()));
    (said, sequencer.head().link)
}

#[test]
fn the_engines_book_comes_to_the_same_head_whatever_its_medium_does() {
    let mut went_wrong = [0; 3];
    for seed in 0..24 {
        let (commands, head) = undisturbed_run(seed);
        let (mut writer, mut chance) = (Writer::new(), Rng::new(seed));
        let (mut said, mut durable) = (0, 0);
        while said < commands.len() || writer.sequencer.pending() > 0 {
            if let Some(command) = commands.get(said) {
                let _ = writer.sequencer.execute(command.clone());
                said += 1;
            }
            if said == commands.len() || chance.percent(40) {
                let landed = writer.commit(&mut chance);
                (said, durable) = if landed { (said, said) } else { (durable, durable) };
            }
        }
        assert_eq!(writer.journal.head().expect("memory").link, head, "seed {seed}");
        for (sum, count) in went_wrong.iter_mut().zip(writer.went_wrong) {
            *sum += count;
        }
    }
    assert!(went_wrong.iter().all(|count| *count > 20), "{went_wrong:?}");
}
