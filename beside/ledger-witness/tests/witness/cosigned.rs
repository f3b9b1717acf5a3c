//! A witness cosigns what goes on, remembers it across crashes, and is read by those who ask it.

use std::cell::Cell;
use std::io;
use std::path::Path;
use std::sync::Barrier;

use ledger_store::projection::Target;
use ledger_store::signing::{key::Signer, note::Note};
use ledger_witness::{
    Answer, CosignaturesTable, EvidencePlace, Exchange, Next, NotCosigned, Reply, Signed,
    SignedNote, WitnessFolder, WitnessState, origin_hash,
};

use crate::log::{Log, NOW, ORIGIN, ask, log_key, status, witness, witness_in, witness_key};

#[test]
fn a_cosignature_verifies_and_the_checkpoint_is_shown_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let (witness, log) = (witness_in(&folder.path().join("w")), Log::new(9, 0));
    let hash = origin_hash(ORIGIN);
    assert_eq!(witness.checkpoint(&hash).unwrap(), None);
    let mut request = log.request(0, 5);
    let stranger = Signer::new("stranger.example", [3; 32]).unwrap();
    let foreign = Note::sign(request.checkpoint.text(), &stranger).to_string();
    request.checkpoint.add(foreign.parse::<SignedNote>().unwrap().signatures()[0].clone());
    let Answer::Cosigned(line) = ask(&witness, &request).answer else { panic!() };
    let mut note = log.checkpoint(5);
    note.add(line);
    assert_eq!(note.verify(&witness.public()), Signed::Yes(Some(NOW)));
    // It shows the lines that it verified, and its own.
    let shown: SignedNote = witness.checkpoint(&hash).unwrap().unwrap().parse().unwrap();
    assert_eq!(shown, note);
    assert_eq!(shown.verify(&log_key()), Signed::Yes(None));
    assert_eq!(witness.checkpoint(&origin_hash("other.example")).unwrap(), None);
}

#[test]
fn a_checkpoint_is_cosigned_again_and_never_at_an_earlier_instant() {
    let folder = tempfile::tempdir().unwrap();
    let (witness, log) = (witness_in(&folder.path().join("w")), Log::new(5, 0));
    assert_eq!(status(&witness, &log.request(0, 5)), 200);
    let again = log.request(5, 5).to_string();
    let at = |now: u64| witness.add_checkpoint(again.as_bytes(), &move || now).answer.status();
    assert_eq!([at(NOW - 1), at(NOW), at(NOW + 1), at(NOW)], [503, 200, 200, 503]);
}

#[test]
fn a_clock_at_or_before_1970_cosigns_nothing_and_the_log_goes_on_when_it_is_right_again() {
    let folder = tempfile::tempdir().unwrap();
    let (witness, log) = (witness_in(&folder.path().join("w")), Log::new(5, 0));
    let body = log.request(0, 5).to_string();
    let at = |now: u64| witness.add_checkpoint(body.as_bytes(), &move || now).answer.status();
    assert_eq!([at(0), at(u64::MAX), at(NOW)], [503, 503, 200]);
    assert!(witness.checkpoint(&origin_hash(ORIGIN)).unwrap().is_some());
}

#[test]
fn of_two_requests_at_once_from_one_size_with_two_roots_one_is_cosigned() {
    for round in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let (witness, log) = (witness_in(&folder.path().join("w")), Log::new(12, 0));
        assert_eq!(status(&witness, &log.request(0, 6)), 200);
        let (mut one, mut other) = (log.beginning(6), log.beginning(6));
        (6..12).for_each(|leaf| one.push(leaf, 2 * round + 1));
        (6..12).for_each(|leaf| other.push(leaf, 2 * round + 2));
        let (start, witness) = (Barrier::new(2), &witness);
        let mut statuses = std::thread::scope(|scope| {
            let asking = [&one, &other].map(|log| {
                let start = &start;
                scope.spawn(move || {
                    let request = log.request(6, 12);
                    start.wait();
                    status(witness, &request)
                })
            });
            asking.map(|asking| asking.join().unwrap())
        });
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "the later one asks from a size that is past");
    }
}

/// A folder whose process ends at one of its writes: before it, or after it and before anybody is
/// answered.
struct Crashing {
    folder: WitnessFolder,
    after: bool,
    armed: Cell<bool>,
}

impl WitnessState for Crashing {
    fn load(&mut self, log: &str) -> io::Result<Option<String>> {
        self.folder.load(log)
    }

    fn save(&mut self, log: &str, checkpoint: &str) -> io::Result<()> {
        let crashes = self.armed.replace(false);
        if !crashes || self.after {
            self.folder.save(log, checkpoint)?;
        }
        if crashes { Err(io::Error::other("the process ended")) } else { Ok(()) }
    }

    fn keep_evidence(&mut self, log: &str, name: &str, text: &str) -> io::Result<EvidencePlace> {
        self.folder.keep_evidence(log, name, text)
    }
}

fn crash(folder: &Path, after: bool, log: &Log, (old, new): (u64, u64)) {
    let state = WitnessFolder::open(folder).unwrap().1;
    let witness = witness(Crashing { folder: state, after, armed: Cell::new(true) });
    let answer = ask(&witness, &log.request(old, new)).answer;
    assert!(matches!(answer, Answer::Unavailable(_)), "no cosignature leaves: {answer:?}");
}

#[test]
fn a_crash_between_storing_and_answering_lets_no_fork_through() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w");
    let (log, fork) = (Log::new(20, 0), Log::new(20, 7));
    assert_eq!(status(&witness_in(&path), &log.request(0, 6)), 200);

    // Stored, and nobody was answered: the fork of the same size is refused all the same.
    crash(&path, true, &log, (6, 12));
    let again = witness_in(&path);
    assert_eq!(status(&again, &log.request(6, 12)), 409, "it knows 12 by now");
    assert_eq!(status(&again, &fork.request(12, 12)), 422);
    assert_eq!(status(&again, &log.request(12, 12)), 200, "who asks again gets the cosignature");
    drop(again);

    // Not stored: nothing was cosigned, and the truth is taken as before.
    crash(&path, false, &log, (12, 18));
    let file = path.join("logs").join(origin_hash(ORIGIN)).join("checkpoint.unfinished");
    std::fs::write(file, "half of a checkpoi").unwrap();
    let again = witness_in(&path);
    assert_eq!(status(&again, &fork.request(12, 18)), 422);
    assert_eq!(status(&again, &log.request(12, 18)), 200);
}

/// Asks by an exchange as a client does, with the proofs of this log.
fn exchange(
    witness: &ledger_witness::Witness,
    log: &Log,
    size: u64,
    cosigned: u64,
) -> Result<u32, NotCosigned> {
    let (checkpoint, key) = (log.checkpoint(size), witness.public());
    let mut exchange = Exchange::new(&checkpoint, &key, cosigned).unwrap();
    for requests in 1.. {
        let request = exchange.request(log.proof(exchange.old(), size));
        let answer = ask(witness, &request).answer;
        match exchange.read(&Reply { status: answer.status(), body: answer.body() })? {
            Next::Cosigned(_, time) => {
                assert_eq!(time, NOW);
                return Ok(requests);
            }
            Next::Again => {}
        }
    }
    unreachable!("a client gives up")
}

#[test]
fn whoever_asks_finds_the_size_to_go_on_from_and_knows_what_is_final() {
    let folder = tempfile::tempdir().unwrap();
    let (witness, log) = (witness_in(&folder.path().join("w")), Log::new(30, 0));
    assert_eq!(exchange(&witness, &log, 10, 0).unwrap(), 1);
    assert_eq!(exchange(&witness, &log, 15, 10).unwrap(), 1);
    assert_eq!(exchange(&witness, &log, 20, 0).unwrap(), 2, "it is told 15, and proves from there");
    assert_eq!(exchange(&witness, &log, 20, 20).unwrap(), 1, "the same once more");
    let older = exchange(&witness, &log, 12, 10).unwrap_err();
    assert!(matches!(older, NotCosigned::Ahead { known: 20, size: 12 }), "{older}");
    let lost = exchange(&witness, &log, 30, 25).unwrap_err();
    assert!(matches!(lost, NotCosigned::Forgetful { known: 20, cosigned: 25 }), "{lost}");
    let fork = exchange(&witness, &Log::new(30, 7), 30, 20).unwrap_err();
    assert!(matches!(fork, NotCosigned::Inconsistent(_)), "{fork}");
}

#[test]
fn an_answer_without_the_witness_s_own_line_is_no_cosignature() {
    let (log, key) = (Log::new(3, 0), witness_key().public());
    let (note, other) = (log.checkpoint(3), log.checkpoint(2));
    let folder = tempfile::tempdir().unwrap();
    let witness = witness_in(&folder.path().join("w"));
    let Answer::Cosigned(line) = ask(&witness, &log.request(0, 3)).answer else { panic!() };
    let read = |note: &SignedNote, status, body: String| {
        Exchange::new(note, &key, 0).unwrap().read(&Reply { status, body })
    };
    let unknown = log.checkpoint(3).signatures()[0].to_string();
    let taken = read(&note, 200, format!("{unknown}\n{line}\n"));
    assert_eq!(taken.unwrap(), Next::Cosigned(line.clone(), NOW));
    for (note, status, body) in [
        (&other, 200, format!("{line}\n")),
        (&note, 200, format!("{unknown}\n")),
        (&note, 200, String::new()),
        (&note, 200, "nothing\n".to_owned()),
        (&note, 409, "x\n".to_owned()),
        (&note, 500, format!("{line}\n")),
        (&note, 409, "0\n".to_owned()),
    ] {
        assert!(read(note, status, body.clone()).is_err(), "{status} {body}");
    }
    // A witness that names one size after another is given up.
    let large = Log::new(9, 0).checkpoint(9);
    let mut restless = Exchange::new(&large, &key, 0).unwrap();
    let name = |size: u64| Reply { status: 409, body: format!("{size}\n") };
    let answers = (1..=4).map(|size| restless.read(&name(size)).is_ok()).collect::<Vec<_>>();
    assert_eq!(answers, [true, true, true, false]);
}

#[test]
fn cosignatures_are_kept_beside_the_checkpoints_of_their_ledger() {
    let folder = tempfile::tempdir().unwrap();
    let target = Target::Sqlite(folder.path().join("ledger.db"));
    assert!(CosignaturesTable::open_to_read(&target).unwrap().is_none());
    let mut table = CosignaturesTable::open(&target).unwrap();
    let (witness, log) = (witness_in(&folder.path().join("w")), Log::new(9, 0));
    let key = witness.public();
    for (old, new) in [(0, 4), (4, 9)] {
        let Answer::Cosigned(line) = ask(&witness, &log.request(old, new)).answer else { panic!() };
        table.add(ORIGIN, new, &key, &line).unwrap();
        table.add(ORIGIN, new, &key, &log.checkpoint(1).signatures()[0]).unwrap();
        assert_eq!(table.lines(ORIGIN, new).unwrap(), [line], "the first one stays");
        assert_eq!(table.last(ORIGIN, &key).unwrap(), new);
    }
    // An earlier version wrote the ledger's name in the place of the origin.
    let Answer::Cosigned(line) = ask(&witness, &log.request(9, 9)).answer else { panic!() };
    table.add("live", 7, &key, &line).unwrap();
    assert_eq!(table.lines(ORIGIN, 7).unwrap(), [line]);
    assert_eq!(table.last(ORIGIN, &log_key()).unwrap(), 0);
    let other = "other.example/live/live";
    assert_eq!(table.last(other, &key).unwrap(), 0);
    assert_eq!(table.lines(other, 9).unwrap(), []);
}
