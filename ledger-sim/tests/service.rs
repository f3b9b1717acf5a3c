//! Promises to a service that puts its own workload under our faults.

use std::collections::BTreeSet;

use ledger_core::id::KeyHash;
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::{
    Cause, Command, Fact, Intent, Ledger, Origin, Outcome, Record, Refusal, Reported,
};
use ledger_core::time::{Instant, Span};
use ledger_sim::{Faults, Report, Workload, with_faults};
use ledger_store::archive::MemoryArchive;

/// Opens so many accounts; after each answer it reports that time has passed.
struct Openings {
    count: u8,
    said: u8,
    answered: BTreeSet<String>,
    /// The most accounts that are suffered.
    most: usize,
    passes: u32,
}

impl Openings {
    fn new(count: u8) -> Self {
        Self { count, said: 0, answered: BTreeSet::new(), most: usize::MAX, passes: 0 }
    }

    fn at(&self) -> Instant {
        let began = Instant::parse("2026-11-20T12:00:00Z").expect("an instant");
        began.after(Span::seconds(u32::from(self.said)))
    }
}

impl Workload for Openings {
    fn next(&mut self, _: &Ledger<MemoryArchive>) -> Option<Command> {
        let (at, cause) = (self.at(), Cause::new(Origin::Call));
        let (id, fact) = if self.said < self.count {
            self.said += 1;
            let name: Box<str> = format!("loja-{}", self.said).into();
            let key = KeyHash([self.said; 32]);
            (Some(name.clone()), Fact::Account(AccountFact::Opened { name, key, terms: None }))
        } else if self.passes > 0 {
            self.passes -= 1;
            (None, Fact::TimePassed)
        } else {
            return None;
        };
        Some(Command { at, cause, what: Intent::Fact(Reported { id, fact }) })
    }

    fn on_response(&mut self, command: &Command, answer: &Result<Outcome, Refusal>) {
        assert!(matches!(answer, Ok(Outcome::Applied(_) | Outcome::Known)), "{answer:?}");
        if let Intent::Fact(Reported { id: Some(id), .. }) = &command.what
            && self.answered.insert(id.to_string())
        {
            self.passes += 1;
        }
    }

    fn check(&mut self, ledger: &Ledger<MemoryArchive>, _: &Record) -> Result<(), String> {
        let accounts = ledger.state.accounts().count();
        if accounts > self.most { Err(format!("{accounts} accounts are open")) } else { Ok(()) }
    }
}

fn through(seed: u64, faults: Faults) -> (Report, Openings) {
    let mut openings = Openings::new(200);
    let report = with_faults(seed, faults, &mut openings).unwrap_or_else(|wrong| panic!("{wrong}"));
    (report, openings)
}

#[test]
fn whoever_lost_an_answer_gets_one_at_last() {
    let mut crashes = 0;
    for seed in 0..30 {
        let (report, openings) = through(seed, Faults::Many);
        assert_eq!(openings.answered.len(), 200, "seed {seed}");
        assert_eq!(openings.passes, 0, "seed {seed}: what an answer brought is said too");
        assert!(report.records >= 200, "seed {seed}: {report}");
        crashes += report.crashes;
    }
    assert!(crashes > 60, "{crashes} crashes");
}

#[test]
fn the_same_seed_injects_the_same_faults() {
    let history = |seed| through(seed, Faults::Many).0.history();
    assert_eq!(history(4), history(4));
    assert_ne!(history(4), history(5));
}

#[test]
fn without_faults_every_command_is_said_once() {
    let (report, _) = through(1, Faults::None);
    assert_eq!((report.commands, report.crashes), (400, 0), "{report}");
}

#[test]
fn a_law_of_the_service_ends_the_run() {
    let mut openings = Openings { most: 20, ..Openings::new(100) };
    let wrong =
        with_faults(3, Faults::Few, &mut openings).expect_err("the 21st account is too many");
    assert_eq!(wrong, "21 accounts are open");
}
