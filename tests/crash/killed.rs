//! The program is killed with SIGKILL at random moments, hundreds of times, and run again.
//!
//! After every kill the journal opens, its audit passes, and all that was answered is in it, once.

use std::time::Duration;

use ledger_store::{Journal, OpenMode, PostgresJournal, SqliteJournal};

use super::dice::Dice;
use super::program::{killed, run};
use super::server;
use super::undisturbed::{LEDGERS, Undisturbed};

/// What a series of kills came to.
#[derive(Default)]
struct Series {
    /// Runs that were killed before their end.
    kills: usize,
    /// The line that was answered last.
    answered: usize,
    /// Kills that came before the run had answered anything.
    silent: usize,
}

impl Series {
    /// Kills runs of the same lines against `store`, `count` times, and examines it each time.
    fn of(
        whole: &Undisturbed,
        store: &str,
        count: usize,
        open: impl Fn(&str) -> Option<Box<dyn Journal>>,
    ) -> Self {
        let mut series = Self::default();
        let mut dice = Dice(count as u64);
        let each = whole.answers.len() / count;
        while series.kills < count && series.answered + 3 * each < whole.answers.len() {
            // One in three dies before it has said anything, most likely while it opens.
            let (patience, longest) =
                if dice.below(3) > 0 { (1 + dice.below(each), 2_000) } else { (0, 12_000) };
            let moment = Duration::from_micros(dice.below(longest) as u64);
            let (heard, ran) = killed(run(&whole.file, store), patience, moment);
            assert!(ran, "the file is longer than its kills");
            whole.assert_agrees(&heard);
            series.kills += 1;
            series.silent += usize::from(heard.is_empty());
            let last = heard.keys().last().copied();
            series.answered = series.answered.max(last.unwrap_or_default());
            for (ledger, name) in LEDGERS.into_iter().enumerate() {
                if let Some(mut journal) = open(name) {
                    whole.assert_holds(ledger, &mut *journal, series.answered);
                } else {
                    assert_eq!(series.answered, 0, "{name} is gone");
                }
            }
            if series.answered > 0 {
                whole.assert_audited(store, series.answered);
            }
        }
        series
    }
}

#[test]
fn killed_hundreds_of_times_on_sqlite_a_run_loses_and_doubles_nothing() {
    let whole = Undisturbed::town(1, 4_000);
    let store = whole.store("killed.db");
    let open = |name: &str| -> Option<Box<dyn Journal>> {
        SqliteJournal::open(&store, name, OpenMode::ReadOnly)
            .ok()
            .map(|journal| Box::new(journal) as _)
    };
    let series = Series::of(&whole, &store, 220, open);
    assert!(series.kills >= 200, "{} kills", series.kills);
    assert!(series.silent >= 40, "{} kills while it opened", series.silent);
    assert!(series.answered > 1_000, "line {} was reached", series.answered);
    whole.assert_ends(&store);
}

#[test]
fn killed_a_hundred_times_and_more_on_postgres_a_run_loses_and_doubles_nothing() {
    let whole = Undisturbed::town(2, 2_400);
    let store = server::database();
    let at = store.parse().unwrap();
    let open = |name: &str| -> Option<Box<dyn Journal>> {
        PostgresJournal::open(&at, name, OpenMode::ReadOnly)
            .ok()
            .map(|journal| Box::new(journal) as _)
    };
    let series = Series::of(&whole, &store, 120, open);
    assert!(series.kills >= 100, "{} kills", series.kills);
    assert!(series.silent >= 15, "{} kills while it opened", series.silent);
    assert!(series.answered > 600, "line {} was reached", series.answered);
    whole.assert_ends(&store);
}

#[test]
fn killed_while_it_makes_its_store_it_makes_it_when_run_again() {
    let whole = Undisturbed::town(3, 60);
    let mut dice = Dice(4);
    let (mut unmade, mut made) = (0, 0);
    for number in 0..60 {
        let store = whole.store(&format!("new-{number}.db"));
        let moment = Duration::from_micros(dice.below(20_000) as u64);
        let (heard, _) = killed(run(&whole.file, &store), 0, moment);
        whole.assert_agrees(&heard);
        match SqliteJournal::open(&store, "live", OpenMode::ReadOnly) {
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
    assert!(unmade > 3 && made > 3, "{unmade} {made}");
}
