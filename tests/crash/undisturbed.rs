//! A run that nothing disturbed, and what every other run of the same lines is held against.
//!
//! The links of its chain say more than any count: a journal whose head has the link that the
//! undisturbed one has at the same number holds the same records up to there, none twice, none
//! other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ledger_core::id::Seq;
use ledger_core::ledger::Origin;
use ledger_sim::PLAYED;
use ledger_store::chain::Chain;
use ledger_store::{Head, Journal, OpenMode, SqliteJournal, codec};
use tempfile::TempDir;

use super::program::{Answers, ProgramOutput, answers, audit, finished, run};
use super::workload;

/// The ledgers of a store.
pub const LEDGERS: [&str; 2] = ["live", "sandbox"];

/// The lines, and what a run that nothing disturbed came to.
pub struct Undisturbed {
    folder: TempDir,
    pub file: PathBuf,
    pub answers: Answers,
    said: ProgramOutput,
    pasts: [Past; 2],
}

/// The records of one ledger.
struct Past {
    /// The head after each record, the empty journal's first.
    heads: Vec<Head>,
    /// The record that is each line's own decision.
    of_line: BTreeMap<usize, u64>,
}

impl Undisturbed {
    /// Runs so many lines of the town of this seed.
    pub fn town(seed: u64, lines: usize) -> Self {
        Self::from_lines(&workload::lines(seed, lines))
    }

    /// Runs so many lines, most of which wait for no answer.
    pub fn street(lines: usize) -> Self {
        Self::from_lines(&workload::street(lines))
    }

    fn from_lines(lines: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("town.jsonl");
        std::fs::write(&file, lines).unwrap();
        let store = folder.path().join("whole.db").display().to_string();
        let said = finished(run(&file, &store));
        let answers = answers(&said.out);
        assert_eq!(answers.len(), answers.keys().last().copied().unwrap());
        let pasts = LEDGERS.map(|ledger| Past::read(Path::new(&store), ledger));
        Self { folder, file, answers, said, pasts }
    }

    /// A folder for stores, gone with this.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A store of this name.
    pub fn store(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Where the ledger ends when all lines up to this one are in it.
    pub fn head_at(&self, ledger: usize, line: usize) -> Head {
        let past = &self.pasts[ledger];
        let last = past.of_line.range(..=line).next_back().map_or(0, |(_, seq)| *seq);
        past.heads[usize::try_from(last).unwrap()]
    }

    /// Every answer is the one the undisturbed run gave.
    pub fn assert_agrees(&self, heard: &Answers) {
        for (line, answer) in heard {
            assert_eq!(answer, &self.answers[line], "line {line}");
        }
    }

    /// What was said is what the undisturbed run said, to the last word.
    pub fn assert_said(&self, said: &ProgramOutput) {
        assert_eq!(answers(&said.out), self.answers);
        assert_eq!(said.ending(), self.said.ending());
    }

    /// The journal has no other past than the undisturbed one, and reaches the line that was
    /// answered last: what was acknowledged is there, and nothing is there twice.
    pub fn assert_holds(&self, ledger: usize, journal: &mut dyn Journal, answered: usize) {
        let head = journal.head().unwrap();
        let known = self.pasts[ledger].heads.get(usize::try_from(head.seq).unwrap());
        assert_eq!(Some(&head), known, "another past");
        let kept = self.head_at(ledger, answered);
        assert!(kept.seq <= head.seq, "line {answered} was answered; {kept:?}, {head:?}");
    }

    /// The program's own audit verifies both ledgers, and finds in them what was answered.
    pub fn assert_audited(&self, store: &str, answered: usize) {
        for (ledger, name) in LEDGERS.into_iter().enumerate() {
            let kept = Some(self.head_at(ledger, answered)).filter(|head| head.seq > 0);
            let said = audit(store, name, kept);
            assert_eq!(said.code, Some(0), "after line {answered}: {}", said.err);
            let proved = ["verified", "empty"].iter().any(|word| said.out.contains(word));
            assert!(proved, "{}", said.out);
        }
    }

    /// Run to its end, the store ends where the undisturbed run did; the answers agree.
    pub fn assert_ends(&self, store: &str) {
        let last = finished(run(&self.file, store));
        self.assert_agrees(&answers(&last.out));
        // A run that goes on says so first.
        let went_on = last.ending().len() - self.said.ending().len();
        assert_eq!(last.ending()[went_on..], self.said.ending(), "went on: {went_on}");
        self.assert_audited(store, self.answers.len());
    }
}

impl Past {
    fn read(store: &Path, ledger: &str) -> Self {
        let mut journal = SqliteJournal::open(store, ledger, OpenMode::ReadOnly).unwrap();
        let mut chain = Chain::genesis(journal.identity().algorithm, ledger);
        let mut past = Self { heads: vec![Head::from_chain(&chain)], of_line: BTreeMap::new() };
        loop {
            let rows = journal.read(chain.seq() + 1, 64).unwrap();
            if rows.is_empty() {
                return past;
            }
            for frame in rows.iter().flat_map(|row| row.frames()) {
                let frame = frame.unwrap();
                chain.push(frame.record);
                past.heads.push(Head::from_chain(&chain));
                let record = codec::decode(Seq(frame.seq), frame.record).unwrap();
                // What the sandbox plays before a line is no decision of the line's own.
                if let (Origin::Line { number, source, .. }, false) =
                    (&record.cause.origin, record.cause.deadline)
                    && !source.starts_with(PLAYED)
                {
                    let line = usize::try_from(*number).unwrap();
                    assert!(past.of_line.insert(line, frame.seq).is_none(), "line {line} twice");
                }
            }
        }
    }
}
