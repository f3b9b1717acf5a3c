//! Days and months of a generated history: what stands at the end of each is the trial balance of
//! that moment, and what was booked in between is what its entries say.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use ledger_core::ledger::State;
use ledger_sim::{Faults, Settings, Store, simulate_on};
use ledger_store::days::{DayBook, DayLine, Days, Period, Span, days, days_until};
use ledger_store::export::legs;
use ledger_store::moment::Moment;
use ledger_store::report::TrialBalance;
use ledger_store::sequencer::Sequencer;
use ledger_store::snapshot::Snapshots;
use ledger_store::{Journal as _, OpenMode, SqliteJournal};
use tempfile::TempDir;

const SIMULATED: &str = "simulated";

/// Amounts by commodity and account of the chart, none of them nil.
type Amounts = BTreeMap<(String, String), i128>;

/// A ledger that a simulation left, once for all tests, and what its own replay says of each day.
struct Past {
    /// Its file and what stands beside it.
    files: Vec<(OsString, Vec<u8>)>,
    state: State,
    /// The trial balance at the end.
    last: Amounts,
    /// By day: the trial balance after its last record, debits positive.
    closings: BTreeMap<String, Amounts>,
    /// By day: what its entries debited, and credited.
    booked: BTreeMap<String, (Amounts, Amounts)>,
}

static PAST: LazyLock<Past> = LazyLock::new(lived);

fn trial(sequencer: &Sequencer) -> Amounts {
    let all = TrialBalance::all(sequencer);
    let accounts = all.iter().flat_map(|of| {
        of.accounts.iter().map(|one| ((of.commodity.clone(), one.name.clone()), -one.net_credit))
    });
    accounts.filter(|(_, amount)| *amount != 0).collect()
}

fn lived() -> Past {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let settings = Settings::days(47, 260).with_faults(Faults::Few);
    simulate_on(&settings, &Store::SqliteFile(path), &mut |_| ()).unwrap();
    let mut journal = read(folder.path());
    let (mut closings, mut booked) = (BTreeMap::new(), BTreeMap::new());
    let sequencer = Sequencer::open(&mut journal, SIMULATED, |sequencer, record| {
        let day = record.at.day_in_brasilia().to_string();
        closings.insert(day.clone(), trial(sequencer));
        let (debits, credits): &mut (Amounts, Amounts) = booked.entry(day).or_default();
        for leg in record.events.iter().flat_map(|event| legs(sequencer, event)) {
            let chart = leg.place.chart;
            let name = match chart {
                "treas" | "transit" => format!("{chart} {}", leg.place.kept_for[0]),
                _ => chart.to_owned(),
            };
            let side = if leg.amount > 0 { &mut *debits } else { &mut *credits };
            *side.entry((leg.commodity, name)).or_default() += leg.amount.abs();
        }
    })
    .unwrap();
    assert!(closings.len() > 20, "{} days", closings.len());
    let (state, last) = (sequencer.ledger().state.clone(), trial(&sequencer));
    drop(journal);
    let files = fs::read_dir(folder.path()).unwrap().map(Result::unwrap);
    let files = files.map(|file| (file.file_name(), fs::read(file.path()).unwrap())).collect();
    Past { files, state, last, closings, booked }
}

fn read(folder: &Path) -> SqliteJournal {
    SqliteJournal::open(folder.join("ledger.db"), SIMULATED, OpenMode::ReadOnly).unwrap()
}

fn amounts(book: &DayBook, of: impl Fn(&DayLine) -> i128) -> Amounts {
    let lines = book.lines.iter();
    let all = lines.map(|line| ((line.commodity.clone(), line.name()), of(line)));
    all.filter(|(_, amount)| *amount != 0).collect()
}

impl Past {
    fn span(&self, by: Period) -> Span {
        let first = self.closings.keys().next().unwrap();
        Span::parse(first, self.closings.keys().last().unwrap(), by).unwrap()
    }

    /// A copy of its own for a test.
    fn journal(&self) -> (TempDir, SqliteJournal) {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in &self.files {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        let journal = read(folder.path());
        (folder, journal)
    }

    fn days(&self, snapshots: Option<&Snapshots>, span: Span) -> Days {
        let (_folder, mut journal) = self.journal();
        days(&mut journal, SIMULATED, snapshots, span).unwrap()
    }
}

/// A period's closing is the next one's opening, and all accounts together are nil.
fn agree(found: &Days) {
    let mut before = Amounts::new();
    for book in &found.periods {
        assert_eq!(amounts(book, |line| line.opening), before, "{}", book.name);
        before = amounts(book, DayLine::closing);
        for of in [
            |line: &DayLine| line.opening,
            |line: &DayLine| line.debits - line.credits,
            DayLine::closing,
        ] {
            let mut sums = BTreeMap::<String, i128>::new();
            for ((commodity, _), amount) in amounts(book, of) {
                *sums.entry(commodity).or_default() += amount;
            }
            assert!(sums.values().all(|sum| *sum == 0), "{} {sums:?}", book.name);
        }
        for line in &book.lines {
            assert!(line.debits >= 0 && line.credits >= 0, "{line:?}");
        }
    }
}

#[test]
fn each_day_ends_with_its_trial_balance_and_begins_with_the_one_before() {
    let past = &*PAST;
    let span = past.span(Period::Day);
    let found = past.days(None, span);
    assert!(found.periods.len() > 30, "{} days", found.periods.len());
    agree(&found);
    let mut closing = Amounts::new();
    for book in &found.periods {
        // A day on which nothing was decided ends as the one before.
        closing = past.closings.get(&book.name).cloned().unwrap_or(closing);
        assert_eq!(amounts(book, DayLine::closing), closing, "{}", book.name);
        let (debits, credits) = past.booked.get(&book.name).cloned().unwrap_or_default();
        assert_eq!(amounts(book, |line| line.debits), debits, "{}", book.name);
        assert_eq!(amounts(book, |line| line.credits), credits, "{}", book.name);
    }
    assert_eq!(closing, past.last);
    assert_eq!(found.periods.iter().map(|book| book.records).sum::<u64>(), past.state.seq.0);
    let (last, earlier) = found.periods.split_last().unwrap();
    assert!(!last.over && earlier.iter().all(|book| book.over));
}

/// What is read back from the books as they are, or begins with a snapshot, is the same.
#[test]
fn days_are_the_same_from_either_end_and_by_a_snapshot() {
    let (past, (folder, mut journal)) = (&*PAST, PAST.journal());
    let names: Vec<String> = past.closings.keys().cloned().collect();
    let (from, to) = (&names[names.len() / 3], &names[names.len() * 2 / 3]);
    let span = Span::parse(from, to, Period::Day).unwrap();
    let found = past.days(None, span);
    assert!(found.periods.iter().all(|book| book.over));
    let back = days_until(&mut journal, &past.state, span, u64::MAX).unwrap();
    assert_eq!(back.as_ref(), Some(&found));
    let all = days_until(&mut journal, &past.state, past_span(&names), u64::MAX).unwrap().unwrap();
    agree(&all);
    assert_eq!(all, past.days(None, past_span(&names)));
    assert_eq!(days_until(&mut journal, &past.state, past_span(&names), 10).unwrap(), None);
    let snapshots = Snapshots::in_folder(folder.path().join("snapshots"));
    let day_before = format!("{from}T00:00:00-03:00");
    let at = ledger_core::time::Instant::parse(&day_before).unwrap();
    let earlier = Moment::Instant(at).records(&mut journal).unwrap() - 3;
    let then =
        Sequencer::open_at(&mut journal, SIMULATED, None, Moment::Records(earlier), |_, _| ());
    snapshots.save(&then.unwrap(), journal.identity()).unwrap();
    assert_eq!(past.days(Some(&snapshots), span), found);
}

fn past_span(names: &[String]) -> Span {
    Span::parse(&names[0], names.last().unwrap(), Period::Day).unwrap()
}

fn nonzero(amounts: Amounts) -> Amounts {
    amounts.into_iter().filter(|(_, amount)| *amount != 0).collect()
}

#[test]
fn a_month_is_the_sum_of_its_days() {
    let past = &*PAST;
    let (by_day, by_month) = (past.span(Period::Day), past.span(Period::Month));
    let (days, months) = (past.days(None, by_day), past.days(None, by_month));
    agree(&months);
    assert!(months.periods.len() > 1, "{}", months.periods.len());
    for month in &months.periods {
        let of = days.periods.iter().filter(|day| day.name.starts_with(&month.name));
        let of: Vec<&DayBook> = of.collect();
        let summed = |side: fn(&DayLine) -> i128| {
            let mut sums = Amounts::new();
            for (key, amount) in of.iter().flat_map(|day| amounts(day, side)) {
                *sums.entry(key).or_default() += amount;
            }
            sums
        };
        assert_eq!(amounts(month, |line| line.debits), summed(|line| line.debits));
        assert_eq!(amounts(month, |line| line.credits), summed(|line| line.credits));
        let last = of.last().unwrap();
        assert_eq!(amounts(month, DayLine::closing), amounts(last, DayLine::closing));
        let earned = |line: &DayLine| line.earnings().unwrap_or_default();
        assert_eq!(amounts(month, earned), nonzero(summed(earned)));
    }
    let deposits = ("BRL".to_owned(), "rev.deposit".to_owned());
    let earned = |month: &DayBook| amounts(month, |line| line.earnings().unwrap_or_default());
    assert!(months.periods.iter().any(|month| earned(month).contains_key(&deposits)));
    // The file has a line an account and period, and each adds up.
    let csv = months.csv();
    let lines: usize = months.periods.iter().map(|month| month.lines.len()).sum();
    assert_eq!(csv.lines().count(), 1 + lines);
    assert_eq!(months.json()[0]["accounts"][0]["account"], months.periods[0].lines[0].account);
}
