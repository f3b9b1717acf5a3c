//! What every journal does with a lease, whatever keeps it: one set of facts, run over each
//! backend.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod setup;

use std::thread::sleep;
use std::time::{Duration, Instant};

use ledger_store::chain::Algorithm;
use ledger_store::frame::FrameWriter;
use ledger_store::journal::{
    AppendError, Commit, Head, Holder, Journal, JournalError, OpenMode, PostgresJournal,
    PostgresServer, SqliteJournal, claim_when_unlocked,
};
use ledger_store::projection::Target;
use setup::medium::{Medium, on_every_medium};
use setup::{server, shell};

/// Longer than any test here takes.
const LONG: Duration = Duration::from_mins(1);

const SHORT: Duration = Duration::from_millis(150);

fn commit(previous: Head) -> Commit {
    let mut writer = FrameWriter::new(previous.chain(Algorithm::Blake3));
    writer.push(b"record");
    Commit { previous, rows: vec![writer.cut().unwrap()], vault: Vec::new() }
}

fn is_leased(claimed: &Result<impl Sized, JournalError>) -> bool {
    matches!(claimed, Err(JournalError::Leased { left, .. }) if *left <= LONG && !left.is_zero())
}

fn a_ledger_is_not_leased_until_somebody_takes_a_lease<M: Medium>() {
    let medium = M::default();
    let mut journal = medium.writer();
    assert_eq!(journal.lease_left().unwrap(), None);
    journal.open_writer().unwrap();
    assert_eq!(journal.lease_left().unwrap(), None);
    assert_eq!(journal.claim(None).unwrap().epoch, 2);
    assert_eq!(journal.lease_left().unwrap(), None);
}

fn a_lease_in_force_keeps_others_from_the_writers_place<M: Medium>() {
    let medium = M::default();
    let mut holder = medium.writer();
    let opening = holder.claim(Some(LONG)).unwrap();
    assert_eq!(opening.epoch, 1);
    let mut other = medium.writer();
    for lease in [None, Some(LONG)] {
        assert!(is_leased(&other.claim(lease).map(drop)));
    }
    // Nothing was changed by it: the holder writes, and its epoch is the ledger's.
    assert!(holder.is_last_writer().unwrap());
    holder.append(&commit(opening.head)).unwrap();
    let left = medium.reader().lease_left().unwrap().unwrap();
    assert!(left > LONG / 2 && left <= LONG, "{left:?}");
}

fn a_lease_lapses_by_the_mediums_clock_and_not_before<M: Medium>() {
    let medium = M::default();
    let mut holder = medium.writer();
    let asked = Instant::now();
    let head = holder.claim(Some(SHORT)).unwrap().head;
    let mut other = medium.writer();
    let opening = loop {
        match other.claim(None) {
            Ok(opening) => break opening,
            claimed => assert!(is_leased(&claimed.map(drop))),
        }
        sleep(Duration::from_millis(1));
    };
    // Clocks are rounded to the millisecond.
    assert!(asked.elapsed() + Duration::from_millis(2) >= SHORT, "{:?}", asked.elapsed());
    assert_eq!((opening.head, opening.epoch), (head, 2));
    assert!(matches!(holder.append(&commit(head)), Err(AppendError::Fenced { .. })));
    assert_eq!(other.lease_left().unwrap(), None);
}

fn a_renewed_lease_lasts_from_then_on<M: Medium>() {
    let medium = M::default();
    let (mut holder, mut other) = (medium.writer(), medium.writer());
    holder.claim(Some(SHORT)).unwrap();
    for _ in 0..4 {
        sleep(SHORT / 3);
        holder.renew(SHORT).unwrap();
    }
    assert!(is_leased(&other.claim(None).map(drop)));
    holder.renew(LONG).unwrap();
    assert!(other.lease_left().unwrap().unwrap() > SHORT);
}

fn a_lapsed_lease_is_renewed_while_nobody_has_taken_over<M: Medium>() {
    let medium = M::default();
    let mut holder = medium.writer();
    holder.claim(Some(Duration::from_millis(1))).unwrap();
    sleep(M::ROUNDED);
    assert_eq!(holder.lease_left().unwrap(), None);
    holder.renew(LONG).unwrap();
    assert!(is_leased(&medium.writer().claim(None).map(drop)));
}

fn only_the_last_writer_renews<M: Medium>() {
    let medium = M::default();
    let (mut older, mut newer) = (medium.writer(), medium.writer());
    assert!(matches!(older.renew(LONG), Err(JournalError::NotWriting)));
    assert!(matches!(medium.reader().renew(LONG), Err(JournalError::ReadOnly)));
    older.claim(Some(Duration::from_millis(1))).unwrap();
    sleep(M::ROUNDED);
    newer.claim(Some(LONG)).unwrap();
    let fenced = older.renew(LONG).unwrap_err();
    assert!(matches!(fenced, JournalError::Fenced { mine: 1, current: 2 }), "{fenced:?}");
    // Nor does it end the lease of another.
    older.release().unwrap();
    assert!(is_leased(&medium.writer().claim(None).map(drop)));
}

fn a_released_lease_keeps_nobody_waiting<M: Medium>() {
    let medium = M::default();
    let mut holder = medium.writer();
    holder.claim(Some(LONG)).unwrap();
    holder.release().unwrap();
    holder.release().unwrap();
    assert_eq!(medium.reader().lease_left().unwrap(), None);
    assert_eq!(medium.writer().claim(Some(LONG)).unwrap().epoch, 2);
}

fn a_holder_takes_over_anew_from_itself<M: Medium>() {
    let medium = M::default();
    let mut holder = medium.writer();
    holder.claim(Some(LONG)).unwrap();
    assert_eq!(holder.claim(Some(LONG)).unwrap().epoch, 2);
    assert!(is_leased(&medium.writer().claim(None).map(drop)));
}

fn a_forced_take_over_ends_the_lease<M: Medium>() {
    let medium = M::default();
    let (mut older, mut newer) = (medium.writer(), medium.writer());
    older.claim(Some(LONG)).unwrap();
    newer.open_writer().unwrap();
    assert_eq!(newer.lease_left().unwrap(), None);
    assert!(matches!(older.renew(LONG), Err(JournalError::Fenced { .. })));
    newer.release().unwrap();
    assert_eq!(medium.writer().claim(None).unwrap().epoch, 3);
}

fn a_lease_is_of_one_ledger<M: Medium>() {
    let medium = M::default();
    let mut live = medium.open("live", OpenMode::create()).unwrap();
    let mut sandbox = medium.open("sandbox", OpenMode::create()).unwrap();
    live.claim(Some(LONG)).unwrap();
    assert_eq!(sandbox.lease_left().unwrap(), None);
    sandbox.claim(Some(LONG)).unwrap();
    live.release().unwrap();
    assert!(sandbox.lease_left().unwrap().is_some());
}

fn of_many_who_claim_at_once_one_takes_over<M: Medium>() {
    let medium = M::default();
    for _ in 0..5 {
        let claimed: Vec<bool> = std::thread::scope(|scope| {
            let one = |_| {
                let mut journal = medium.writer();
                scope.spawn(move || journal.claim(Some(LONG)).map(|_| journal))
            };
            let threads: Vec<_> = (0..6).map(one).collect();
            let claims: Vec<_> = threads.into_iter().map(|one| one.join().unwrap()).collect();
            // The next round begins without a lease.
            let ended = |claimed: Result<Box<dyn Journal>, _>| match claimed {
                Ok(mut holder) => holder.release().is_ok(),
                claimed => !is_leased(&claimed.map(drop)),
            };
            claims.into_iter().map(ended).collect()
        });
        assert_eq!(claimed.iter().filter(|claimed| **claimed).count(), 1, "{claimed:?}");
    }
}

/// Who holds a ledger, as whoever is refused it is told.
fn named(refused: &JournalError) -> &Holder {
    match refused {
        JournalError::InUse { holder } | JournalError::Leased { holder, .. } => {
            holder.as_ref().expect("it is named")
        }
        other => panic!("{other}"),
    }
}

fn whoever_holds_a_ledger_keeps_it_while_its_process_lives_and_is_named<M: Medium>() {
    let medium = M::default();
    let (mut holder, mut other) = (medium.writer(), medium.writer());
    let head = holder.claim(None).unwrap().head;
    assert_eq!(holder.lock_fault().is_none(), M::LOCKS);
    if !M::LOCKS {
        // Nothing tells that it lives, which is said: such a ledger is held by a lease.
        assert_eq!(other.claim(None).unwrap().epoch, 2);
        return;
    }
    let politely = claim_when_unlocked(&mut *other, None);
    for refused in [politely, other.claim(None), other.claim(Some(LONG))] {
        let refused = refused.unwrap_err();
        assert_eq!(named(&refused).process(), std::process::id());
        let (said, host) = (refused.to_string(), named(&refused).host());
        let process = format!("held by process {} on host {host} since 20", std::process::id());
        assert!(said.starts_with(&process) && said.contains("--take-over"), "{said}");
    }
    // Nothing was changed by it.
    assert!(holder.is_last_writer().unwrap());
    holder.append(&commit(head)).unwrap();
    // Once it is dropped, as the death of its process would do it, nobody waits.
    drop(holder);
    assert_eq!(claim_when_unlocked(&mut *other, None).unwrap().head.seq, 1);
}

fn a_writer_that_has_ended_keeps_nobody_waiting<M: Medium>() {
    let medium = M::default();
    let (mut holder, mut other) = (medium.writer(), medium.writer());
    holder.claim(None).unwrap();
    holder.release().unwrap();
    assert_eq!(other.claim(None).unwrap().epoch, 2);
}

fn a_holder_of_a_lease_is_named_to_whoever_is_refused<M: Medium>() {
    let medium = M::default();
    let (mut holder, mut other) = (medium.writer(), medium.writer());
    holder.claim(Some(LONG)).unwrap();
    assert_eq!(named(&other.claim(None).unwrap_err()).process(), std::process::id());
    // A renewal does not make a stranger of it.
    holder.renew(LONG).unwrap();
    assert_eq!(named(&other.claim(None).unwrap_err()).process(), std::process::id());
}

fn a_process_that_hangs_is_overtaken_by_a_standby_and_by_no_second_start<M: Medium>() {
    let medium = M::default();
    let (mut hangs, mut other) = (medium.writer(), medium.writer());
    hangs.claim(Some(Duration::from_millis(1))).unwrap();
    sleep(M::ROUNDED);
    if M::LOCKS {
        let refused = claim_when_unlocked(&mut *other, None).unwrap_err();
        assert!(matches!(refused, JournalError::InUse { .. }), "{refused}");
    }
    assert_eq!(other.claim(None).unwrap().epoch, 2);
}

fn a_forced_take_over_learns_for_how_long_the_holder_may_believe_its_lease<M: Medium>() {
    let medium = M::default();
    let (mut older, mut newer) = (medium.writer(), medium.writer());
    older.claim(Some(LONG)).unwrap();
    let left = newer.open_writer().unwrap().predecessor_lease;
    assert!(left > LONG / 2 && left <= LONG, "{left:?}");
    // It is held by whoever took over, although the older one is there yet.
    if M::LOCKS {
        let refused = medium.writer().claim(None).unwrap_err();
        assert!(matches!(refused, JournalError::InUse { .. }), "{refused}");
    }
    // One without a lease believes nothing.
    assert_eq!(medium.writer().open_writer().unwrap().predecessor_lease, Duration::ZERO);
}

on_every_medium! {
    whoever_holds_a_ledger_keeps_it_while_its_process_lives_and_is_named,
    a_writer_that_has_ended_keeps_nobody_waiting,
    a_holder_of_a_lease_is_named_to_whoever_is_refused,
    a_process_that_hangs_is_overtaken_by_a_standby_and_by_no_second_start,
    a_forced_take_over_learns_for_how_long_the_holder_may_believe_its_lease,
    a_ledger_is_not_leased_until_somebody_takes_a_lease,
    a_lease_in_force_keeps_others_from_the_writers_place,
    a_lease_lapses_by_the_mediums_clock_and_not_before,
    a_renewed_lease_lasts_from_then_on,
    a_lapsed_lease_is_renewed_while_nobody_has_taken_over,
    only_the_last_writer_renews,
    a_released_lease_keeps_nobody_waiting,
    a_holder_takes_over_anew_from_itself,
    a_forced_take_over_ends_the_lease,
    a_lease_is_of_one_ledger,
    of_many_who_claim_at_once_one_takes_over,
}

/// What a database was before there were leases; it had none of the later steps either.
const OLDER: [&str; 5] = [
    "DROP TABLE legal_hold_token",
    "DROP TABLE legal_hold",
    "DROP TABLE ledger_lease",
    "ALTER TABLE ledger DROP COLUMN environment",
    "DELETE FROM _sqlx_migrations
        WHERE description IN ('lease', 'environment', 'legal hold', 'holder')",
];

fn an_older_journal_is_read_as_it_is_and_written_with_leases(
    target: &Target,
    open: impl Fn(OpenMode) -> Box<dyn Journal>,
) {
    let mut journal = open(OpenMode::create());
    let head = journal.open_writer().unwrap().head;
    journal.append(&commit(head)).unwrap();
    drop(journal);
    if matches!(target, Target::Sqlite(_)) {
        shell::execute(target, "DROP TRIGGER ledger_keeps_its_environment");
    }
    shell::drop_append_function(target);
    shell::drop_erasures(target);
    for sql in OLDER {
        shell::execute(target, sql);
    }
    let mut reader = open(OpenMode::ReadOnly);
    assert_eq!(reader.lease_left().unwrap(), None);
    assert_eq!(reader.head().unwrap().seq, 1);
    reader.check().unwrap();
    let mut writer = open(OpenMode::create());
    assert_eq!(writer.claim(Some(LONG)).unwrap().head.seq, 1);
    assert!(reader.lease_left().unwrap().is_some());
    writer.check().unwrap();
}

#[test]
fn an_older_file_is_read_as_it_is_and_written_with_leases() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ledger.db");
    let target = Target::Sqlite(file.clone());
    an_older_journal_is_read_as_it_is_and_written_with_leases(&target, |mode| {
        Box::new(SqliteJournal::open(&file, "live", mode).unwrap())
    });
}

#[test]
fn an_older_database_is_read_as_it_is_and_written_with_leases() {
    let server: PostgresServer = server::database().parse().unwrap();
    let target = Target::Postgres(server.clone());
    an_older_journal_is_read_as_it_is_and_written_with_leases(&target, |mode| {
        Box::new(PostgresJournal::open(&server, "live", mode).unwrap())
    });
}
