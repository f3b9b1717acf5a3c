//! The program is killed with SIGKILL at random moments, again and again, and run again.
//!
//! After every kill the journal opens, its audit passes, and all that was answered is in it, once.
//! `KILLS` says how many times, where the number of the gate is not enough.

use std::time::Duration;

use ledger_store::{Journal, ObjectJournal, OpenMode, PostgresJournal, SqliteJournal};

use super::dice::Dice;
use super::program::{killed, run};
use super::running::Running;
use super::server;
use super::undisturbed::{LEDGERS, Undisturbed};

/// How often a run is killed: as `KILLS` says, or so often.
fn kills(unless_said: usize) -> usize {
    let said = std::env::var("KILLS").ok();
    said.map_or(unless_said, |text| text.parse().expect("KILLS is a number"))
}

/// When to strike so that about half of the runs have not come so far yet, however fast the
/// machine.
struct Aim(Duration);

impl Aim {
    fn new() -> Self {
        Self(Duration::from_millis(10))
    }

    fn moment(&self, dice: &mut Dice) -> Duration {
        self.0 * u32::try_from(dice.below(1_000)).unwrap() / 1_000
    }

    fn learn(&mut self, too_early: bool) {
        self.0 = self.0 * if too_early { 8 } else { 6 } / 7;
    }
}

/// What a series of kills came to.
#[derive(Default)]
struct Series {
    /// Runs that were killed before their end.
    kills: usize,
    /// Kills that came before the run had answered anything.
    silent: usize,
    /// The furthest line that was answered by a run that was killed.
    furthest: usize,
}

/// The journal of one ledger in a store, if it was made already.
type Opened = Option<Box<dyn Journal>>;

impl Series {
    /// Kills runs of the same lines `count` times, and examines what they left each time; a store
    /// that has come near the end of the lines is run to it, and the next one begins.
    fn run(
        whole: &Undisturbed,
        count: usize,
        mut fresh: impl FnMut() -> String,
        open: impl Fn(&str, &str) -> Opened,
    ) -> Self {
        let (mut series, mut dice, mut aim) = (Self::default(), Dice(count as u64), Aim::new());
        let each = whole.answers.len() / count;
        let (mut store, mut answered) = (fresh(), 0);
        while series.kills < count {
            // One in three is struck while it opens.
            let opening = dice.below(3) == 0;
            let (patience, moment) = if opening {
                (0, aim.moment(&mut dice))
            } else {
                (1 + dice.below(each), Duration::from_micros(dice.below(1_500) as u64))
            };
            let (heard, ran) =
                killed(Running::start(run(&whole.file, &store), None), patience, moment);
            whole.assert_agrees(&heard);
            if opening {
                aim.learn(heard.is_empty());
            }
            answered = answered.max(heard.keys().last().copied().unwrap_or_default());
            series.kills += usize::from(ran);
            series.silent += usize::from(ran && heard.is_empty());
            series.furthest = series.furthest.max(answered);
            examine(whole, &store, answered, &open);
            if !ran || answered + 3 * each > whole.answers.len() {
                whole.assert_ends(&store);
                (store, answered) = (fresh(), 0);
            }
        }
        whole.assert_ends(&store);
        series
    }
}

/// Checks that all that was answered is there, once, and nothing else, and that the audit passes.
fn examine(whole: &Undisturbed, store: &str, answered: usize, open: impl Fn(&str, &str) -> Opened) {
    for (ledger, name) in LEDGERS.into_iter().enumerate() {
        match open(store, name) {
            Some(mut journal) => whole.assert_holds(ledger, &mut *journal, answered),
            None => assert_eq!(answered, 0, "{name} is gone"),
        }
    }
    if answered > 0 {
        whole.assert_audited(store, answered);
    }
}

#[test]
fn killed_again_and_again_on_sqlite_a_run_loses_and_doubles_nothing() {
    let whole = Undisturbed::town(1, 4_000);
    let mut stores = (1..).map(|number| whole.store(&format!("killed-{number}.db")));
    let open = |store: &str, name: &str| -> Opened {
        let journal = SqliteJournal::open(store, name, OpenMode::ReadOnly).ok()?;
        Some(Box::new(journal))
    };
    let count = kills(80);
    let series = Series::run(&whole, count, || stores.next().unwrap(), open);
    assert!(series.silent > count / 40, "{} kills while it opened", series.silent);
    assert!(series.furthest > 1_000, "line {} was reached", series.furthest);
}

#[test]
fn killed_again_and_again_on_postgres_a_run_loses_and_doubles_nothing() {
    let whole = Undisturbed::town(2, 2_400);
    let open = |store: &str, name: &str| -> Opened {
        let at = store.parse().unwrap();
        let journal = PostgresJournal::open(&at, name, OpenMode::ReadOnly).ok()?;
        Some(Box::new(journal))
    };
    let count = kills(45);
    let series = Series::run(&whole, count, server::database, open);
    assert!(series.silent > count / 40, "{} kills while it opened", series.silent);
    assert!(series.furthest > 600, "line {} was reached", series.furthest);
}

#[test]
fn killed_while_it_writes_objects_to_a_folder_a_run_loses_and_doubles_nothing() {
    let whole = Undisturbed::town(5, 1_200);
    // Merged all the time, so that kills fall into that as well.
    let url = |number: u32| format!("file://{}?merge=3", whole.store(&format!("objects-{number}")));
    let mut stores = (1..).map(url);
    let open = |store: &str, name: &str| -> Opened {
        let journal =
            ObjectJournal::open(&store.parse().unwrap(), name, OpenMode::ReadOnly).ok()?;
        Some(Box::new(journal))
    };
    let count = kills(30);
    let series = Series::run(&whole, count, || stores.next().unwrap(), open);
    assert!(series.silent > count / 40, "{} kills while it opened", series.silent);
    assert!(series.furthest > 300, "line {} was reached", series.furthest);
}

#[test]
fn killed_while_it_makes_its_store_it_makes_it_when_run_again() {
    let whole = Undisturbed::town(3, 60);
    let (mut dice, mut aim) = (Dice(4), Aim::new());
    let (mut unmade, mut made) = (0, 0);
    for number in 0..kills(30) {
        let store = whole.store(&format!("new-{number}.db"));
        let (heard, _) =
            killed(Running::start(run(&whole.file, &store), None), 0, aim.moment(&mut dice));
        whole.assert_agrees(&heard);
        let opened = SqliteJournal::open(&store, "live", OpenMode::ReadOnly);
        aim.learn(opened.is_err());
        match opened {
            Ok(mut journal) => {
                let answered = heard.keys().last().copied().unwrap_or_default();
                whole.assert_holds(0, &mut journal, answered);
                made += 1;
            }
            Err(error) => {
                assert!(heard.is_empty(), "{error}");
                unmade += 1;
            }
        }
        if number % 3 == 0 {
            whole.assert_ends(&store);
        }
    }
    assert!(unmade > 1 && made > 1, "{unmade} {made}");
}
