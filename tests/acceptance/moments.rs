//! Any moment of a ledger is what a replay that stopped there has: found by number or by instant,
//! begun with a snapshot or without, asked of the ledger's books or of the statement's rows.

use std::collections::BTreeMap;

use ledger_core::id::{AccountId, SubaccountId};
use ledger_core::ledger::Archive as _;
use ledger_core::time::Instant;
use ledger_sim::{Faults, Settings, Store, simulate_on};
use ledger_store::export::{Leg, balances};
use ledger_store::moment::{Moment, MomentError, compare};
use ledger_store::sequencer::Sequencer;
use ledger_store::snapshot::Snapshots;
use ledger_store::{Journal as _, OpenMode, SqliteJournal};
use tempfile::TempDir;

use crate::killed::Dice;

/// How many moments are asked for.
const MOMENTS: usize = 1_000;

const SIMULATED: &str = "simulated";

/// A ledger that a simulation left in a file, and what it was after each record.
struct Past {
    folder: TempDir,
    journal: SqliteJournal,
    /// Before the first record, and after each.
    states: Vec<State>,
}

/// What a ledger was after a record.
struct State {
    at: Instant,
    /// Every balance that is not zero.
    legs: Vec<Leg>,
    /// What each subaccount had, in centavos.
    totals: BTreeMap<SubaccountId, i64>,
}

impl State {
    fn from_sequencer(sequencer: &Sequencer) -> Self {
        let state = &sequencer.ledger().state;
        let totals = state.books.subaccounts().map(|(id, has)| (id, has.total().cents()));
        Self { at: state.now, legs: balances(sequencer), totals: totals.collect() }
    }
}

fn lived(seed: u64) -> Past {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let settings = Settings::commands(seed, 1_200).with_faults(Faults::Few);
    simulate_on(&settings, &Store::SqliteFile(path.clone()), &mut |_| ()).unwrap();
    let mut journal = SqliteJournal::open(path, SIMULATED, OpenMode::ReadOnly).unwrap();
    let mut states =
        vec![State { at: Instant::from_micros(0).unwrap(), legs: vec![], totals: BTreeMap::new() }];
    Sequencer::open(&mut journal, SIMULATED, |sequencer, _| {
        states.push(State::from_sequencer(sequencer));
    })
    .unwrap();
    assert!(states.len() > 800, "{} records", states.len());
    Past { folder, journal, states }
}

impl Past {
    fn last(&self) -> u64 {
        self.states.len() as u64 - 1
    }

    /// A moment, and the record that it is after.
    fn drawn(&self, dice: &mut Dice) -> (Moment, u64) {
        let number = dice.below(self.states.len());
        match dice.below(3) {
            0 => (Moment::Records(number as u64), number as u64),
            // The very instant of a record, and one between two; several may share theirs.
            which => {
                let at = self.states[number.max(1)].at;
                let later = if which == 1 { 0 } else { i64::try_from(dice.below(90)).unwrap() };
                let at = Instant::from_micros(at.micros() + later * 1_000_000).unwrap();
                let by = self.states.iter().skip(1).filter(|state| state.at <= at).count();
                (Moment::Instant(at), by as u64)
            }
        }
    }
}

#[test]
fn a_thousand_moments_are_what_a_replay_that_stopped_there_has() {
    let mut past = lived(4);
    let snapshots = Snapshots::in_folder(past.folder.path().join("snapshots"));
    let half = past.last() / 2;
    let journal = &mut past.journal;
    // A snapshot is of the end of a commit: elsewhere no journal ever was.
    let half = journal.read(half, 1).unwrap()[0].last();
    let at_half =
        Sequencer::open_at(journal, SIMULATED, None, Moment::Records(half), |_, _| ()).unwrap();
    let identity = journal.identity();
    snapshots.save(&at_half, identity).unwrap();

    let mut dice = Dice(1);
    let (mut by_instant, mut shortened) = (0, 0);
    for _ in 0..MOMENTS {
        let (moment, expected) = past.drawn(&mut dice);
        by_instant += usize::from(matches!(moment, Moment::Instant(_)));
        let mut replayed = 0;
        let opened =
            Sequencer::open_at(&mut past.journal, SIMULATED, Some(&snapshots), moment, |_, _| {
                replayed += 1;
            });
        let opened = opened.unwrap();
        let known = &past.states[usize::try_from(expected).unwrap()];
        assert_eq!(opened.head().seq, expected, "{moment:?}");
        assert_eq!(State::from_sequencer(&opened).legs, known.legs, "{moment:?}");
        // What is no later than the snapshot is not replayed.
        let from = if half <= expected { half } else { 0 };
        assert_eq!(replayed, expected - from, "{moment:?}");
        shortened += usize::from(from > 0);
    }
    assert!(by_instant > MOMENTS / 2 && shortened > MOMENTS / 4, "{by_instant} {shortened}");
}

#[test]
fn with_earlier_snapshots_no_moment_replays_an_eighth_of_the_journal() {
    let mut past = lived(8);
    let folder = past.folder.path().join("snapshots");
    let snapshots = Snapshots::in_folder(&folder);
    let last = past.last();
    snapshots.refresh(&mut past.journal, SIMULATED).unwrap();
    let files = std::fs::read_dir(&folder).unwrap().count();
    assert!((9..=17).contains(&files), "{files} files");
    let (mut dice, mut most) = (Dice(4), 0);
    for _ in 0..200 {
        let (moment, expected) = past.drawn(&mut dice);
        let mut replayed = 0;
        let count = |_: &Sequencer, _: &_| replayed += 1;
        let opened =
            Sequencer::open_at(&mut past.journal, SIMULATED, Some(&snapshots), moment, count);
        let opened = opened.unwrap();
        let known = &past.states[usize::try_from(expected).unwrap()];
        assert_eq!(opened.head().seq, expected, "{moment:?}");
        assert_eq!(State::from_sequencer(&opened).legs, known.legs, "{moment:?}");
        assert!(replayed * 8 < last, "{replayed} of {last} for {moment:?}");
        most = most.max(replayed);
    }
    assert!(most > 0, "some moment lies between two snapshots");
    // What was booked between two moments begins near the first.
    let (from, to) = (Moment::Records(last / 2), Moment::Records(last / 2 + 1));
    let replay = compare(&mut past.journal, SIMULATED, None, (from, to)).unwrap();
    let near = compare(&mut past.journal, SIMULATED, Some(&snapshots), (from, to)).unwrap();
    assert_eq!((near.from, near.to), (replay.from, replay.to));
    assert_eq!(near.accounts, replay.accounts);
}

#[test]
fn the_statement_says_the_balance_of_a_thousand_instants_without_a_replay() {
    let mut past = lived(5);
    let sequencer = Sequencer::open(&mut past.journal, SIMULATED, |_, _| ()).unwrap();
    let (views, mut dice) = (sequencer.views(), Dice(2));
    let now = views.state.now;
    let mut not_nothing = 0;
    for _ in 0..MOMENTS {
        let (_, record) = past.drawn(&mut dice);
        // Several records may be of one instant: the last of them counts.
        let at = past.states[usize::try_from(record).unwrap()].at;
        let known = past.states.iter().rfind(|state| state.at <= at).unwrap();
        for (account, _) in views.state.accounts() {
            for (subaccount, _) in views.state.subaccounts_of(account, None) {
                let customer = views.archive.customer(subaccount);
                let shown = views.balance_at(account, customer, at, now).unwrap();
                let expected = known.totals.get(&subaccount).copied().unwrap_or_default();
                assert_eq!(shown["saldo_cents"], expected, "{customer:?} at {at}");
                assert_eq!(shown["as_of"], at.to_string());
                not_nothing += usize::from(expected != 0);
            }
        }
    }
    assert!(not_nothing > MOMENTS, "{not_nothing} balances were of anything");
    let nobody = views.balance_at(AccountId(0), Some("nobody"), now, now).unwrap();
    assert_eq!(nobody["saldo_cents"], 0);
}

#[test]
fn what_changed_between_two_moments_is_what_was_booked_between_them() {
    let mut past = lived(6);
    let mut dice = Dice(3);
    for _ in 0..100 {
        let (one, other) = (past.drawn(&mut dice), past.drawn(&mut dice));
        // Two instants may be at one record.
        let turned = match (one.0, other.0) {
            (Moment::Instant(one), Moment::Instant(other)) => other < one,
            _ => other.1 < one.1,
        };
        let ((from, first), (to, second)) = if turned { (other, one) } else { (one, other) };
        let compared = compare(&mut past.journal, SIMULATED, None, (from, to)).unwrap();
        assert_eq!((compared.from.seq, compared.to.seq), (first, second));
        let sums = |record: u64| {
            let mut sums: BTreeMap<(&str, &str), i128> = BTreeMap::new();
            for leg in &past.states[usize::try_from(record).unwrap()].legs {
                *sums.entry((leg.place.chart, &leg.commodity)).or_default() += leg.amount;
            }
            sums.retain(|_, sum| *sum != 0);
            sums
        };
        let shown = |of: &dyn Fn(&ledger_store::moment::Compared) -> i128| {
            let mut sums: BTreeMap<(&str, &str), i128> = BTreeMap::new();
            for account in &compared.accounts {
                *sums.entry((account.place.chart, &account.commodity)).or_default() += of(account);
            }
            sums.retain(|_, sum| *sum != 0);
            sums
        };
        assert_eq!(shown(&|account| account.before), sums(first));
        assert_eq!(shown(&|account| account.after), sums(second));
        for account in &compared.accounts {
            assert_eq!(account.before + account.booked, account.after, "{account:?}");
        }
    }
    let whole = (Moment::Records(0), Moment::Records(past.last()));
    let compared = compare(&mut past.journal, SIMULATED, None, whole).unwrap();
    assert!(compared.accounts.iter().all(|account| account.before == 0));
    let reversed = (Moment::Records(2), Moment::Records(1));
    let refused = compare(&mut past.journal, SIMULATED, None, reversed).unwrap_err();
    assert!(matches!(refused, MomentError::Reversed { from: 2, to: 1 }), "{refused}");
}

#[test]
fn a_moment_that_a_ledger_does_not_have_is_said_to_be_none() {
    let mut past = lived(7);
    let last = past.last();
    let mut refused = |moment: Moment| moment.records(&mut past.journal).unwrap_err().to_string();
    let text = refused(Moment::Records(last + 1));
    assert_eq!(
        text,
        format!("there is no record {}: the journal ends with record {last}", last + 1)
    );
    let early = Instant::parse("2001-01-01T00:00:00Z").unwrap();
    let text = refused(Moment::Instant(early));
    assert!(text.starts_with("nothing was decided by 2001-01-01T00:00:00Z: record 1 is of "));
    // After the end is the end.
    let late = Moment::Instant(Instant::parse("2101-01-01T00:00:00Z").unwrap());
    assert_eq!(late.records(&mut past.journal).unwrap(), last);
    for text in
        ["", "-1", "1.5", "0x10", "18446744073709551616", "2026-11-31", "2026-11", "now", "é"]
    {
        assert!(text.parse::<Moment>().is_err(), "{text}");
    }
}
