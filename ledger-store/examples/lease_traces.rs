//! The steps that engines which succeed one another ask of their journal, in the order in which
//! they were done, for the model of leases in `tests/tla`: a line each time.
//!
//! ```console
//! $ cargo run -p ledger-store --example lease_traces
//! ```

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use ledger_core::contract::{Call, Code, Line, Problem};
use ledger_core::ledger::Origin;
use ledger_store::engine::{Engine, EngineBuilder, EngineError, StartError};
use ledger_store::journal::{
    AppendError, Commit, Head, Identity, Journal, JournalError, Opening, Reopen, Row,
};
use ledger_store::vault::{LegalHold, OperatorNote};
use ledger_store::{MemoryDisk, MemoryJournal, OpenMode, VaultRow};

type Failure = Box<dyn std::error::Error>;

const LEASE: Duration = Duration::from_millis(150);

fn main() -> Result<(), Failure> {
    for succession in [stops, hangs, is_forced_out, refuses_another, forced_back_and_forth] {
        let ledger = Watched::default();
        succession(&ledger)?;
        println!("{}", ledger.steps().join(" "));
    }
    Ok(())
}

/// One stops, and its standby goes on.
fn stops(ledger: &Watched) -> Result<(), Failure> {
    let first = engine().start(ledger.journal("a")?)?;
    write(&first, 3)?;
    let standby = engine().stand_by(ledger.journal("b")?);
    std::thread::sleep(LEASE);
    first.stop()?;
    write(&standby.wait()?, 2)
}

/// One hangs for longer than its lease, and learns of its successor when it goes on.
fn hangs(ledger: &Watched) -> Result<(), Failure> {
    let first = engine().start(ledger.journal("a")?)?;
    write(&first, 2)?;
    ledger.hang("a");
    let standby = engine().stand_by(ledger.journal("b")?);
    let second = standby.wait()?;
    write(&second, 2)?;
    ledger.go_on();
    expect_fenced(&first)?;
    write(&second, 1)
}

/// One is taken over from by force while its lease is in force.
fn is_forced_out(ledger: &Watched) -> Result<(), Failure> {
    let first = engine().start(ledger.journal("a")?)?;
    write(&first, 1)?;
    let second = engine().take_over().start(ledger.journal("b")?)?;
    write(&second, 2)?;
    expect_fenced(&first)
}

/// Another one is refused while the first renews its lease.
fn refuses_another(ledger: &Watched) -> Result<(), Failure> {
    let first = engine().start(ledger.journal("a")?)?;
    write(&first, 1)?;
    let refused = engine().start(ledger.journal("b")?);
    if !matches!(refused, Err(StartError::Leased { .. } | StartError::InUse { .. })) {
        return Err("a ledger was taken over from one that renews its lease".into());
    }
    write(&first, 1)
}

/// Each takes over from the other by force.
fn forced_back_and_forth(ledger: &Watched) -> Result<(), Failure> {
    let mut last = engine().start(ledger.journal("a")?)?;
    for name in ["b", "c", "d"] {
        write(&last, 1)?;
        let next = engine().take_over().start(ledger.journal(name)?)?;
        expect_fenced(&last)?;
        last = next;
    }
    write(&last, 1)
}

fn engine() -> EngineBuilder<'static> {
    Engine::builder("live").lease(LEASE)
}

fn write(engine: &Engine, times: u32) -> Result<(), Failure> {
    for _ in 0..times {
        let answer = engine.call(opening()?).wait()?;
        if answer.status != 200 {
            return Err(format!("an account was not opened: {}", answer.status).into());
        }
    }
    Ok(())
}

fn expect_fenced(engine: &Engine) -> Result<(), Failure> {
    match engine.call(opening()?).wait() {
        Err(EngineError::Fenced) => Ok(()),
        other => Err(format!("it was taken over from, and answers {other:?}").into()),
    }
}

/// An account of a name that no other has.
fn opening() -> Result<Call, Failure> {
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let n = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let line = format!(
        r#"{{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{{"id":"acc-{n}","account":"loja-{n}"}},"supplied":{{"key":"svc_live_loja_{n}"}}}}"#
    );
    let unlabelled = |name: &str| Err(Problem::new(Code::FormatInvalid, name));
    let line = Line::parse(&line, unlabelled).map_err(|problem| format!("{problem:?}"))?;
    Ok(line.call(Origin::Call))
}

/// A ledger in memory whose journals note each step, and may hang.
#[derive(Clone, Default)]
struct Watched {
    disk: MemoryDisk,
    steps: Arc<Mutex<Vec<String>>>,
    hung: Arc<(Mutex<Option<&'static str>>, Condvar)>,
}

impl Watched {
    fn journal(&self, name: &'static str) -> Result<Box<dyn Journal>, Failure> {
        let inner = MemoryJournal::open(&self.disk, "live", OpenMode::create())?;
        Ok(Box::new(WatchedJournal { name, inner, ledger: self.clone() }))
    }

    fn steps(&self) -> Vec<String> {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn hang(&self, name: &'static str) {
        *self.hung.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(name);
    }

    fn go_on(&self) {
        *self.hung.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.hung.1.notify_all();
    }
}

struct WatchedJournal {
    name: &'static str,
    inner: MemoryJournal,
    ledger: Watched,
}

impl WatchedJournal {
    /// Does a step while nobody does another, and notes it by what came of it.
    fn step<T, E>(
        &mut self,
        step: impl FnOnce(&mut MemoryJournal) -> Result<T, E>,
        word: impl FnOnce(&Result<T, E>) -> Option<&'static str>,
    ) -> Result<T, E> {
        let hung = self.ledger.hung.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.ledger.hung.1.wait_while(hung, |hung| *hung == Some(self.name));
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        let mut steps = self.ledger.steps.lock().unwrap_or_else(PoisonError::into_inner);
        let done = step(&mut self.inner);
        if let Some(word) = word(&done) {
            steps.push(format!("{word}:{}", self.name));
        }
        done
    }
}

impl Journal for WatchedJournal {
    fn open_writer(&mut self) -> Result<Opening, JournalError> {
        self.step(Journal::open_writer, |done| done.is_ok().then_some("seize"))
    }

    fn claim(&mut self, lease: Option<Duration>) -> Result<Opening, JournalError> {
        let word = |done: &Result<Opening, JournalError>| match done {
            Ok(_) => Some("claim"),
            Err(JournalError::Leased { .. }) => Some("leased"),
            Err(_) => None,
        };
        self.step(|inner| inner.claim(lease), word)
    }

    fn renew(&mut self, lease: Duration) -> Result<(), JournalError> {
        let word = |done: &Result<(), JournalError>| match done {
            Ok(()) => Some("renew"),
            Err(JournalError::Fenced { .. }) => Some("fenced"),
            Err(_) => None,
        };
        self.step(|inner| inner.renew(lease), word)
    }

    fn release(&mut self) -> Result<(), JournalError> {
        self.step(Journal::release, |done| done.is_ok().then_some("release"))
    }

    fn append(&mut self, commit: &Commit) -> Result<(), AppendError> {
        let word = |done: &Result<(), AppendError>| match done {
            Ok(()) => Some("append"),
            Err(AppendError::Fenced { .. }) => Some("fenced"),
            Err(_) => None,
        };
        self.step(|inner| inner.append(commit), word)
    }

    fn lease_left(&mut self) -> Result<Option<Duration>, JournalError> {
        self.inner.lease_left()
    }

    fn is_last_writer(&mut self) -> Result<bool, JournalError> {
        self.inner.is_last_writer()
    }

    fn identity(&self) -> Identity {
        self.inner.identity()
    }

    fn reopen(&self) -> Reopen {
        self.inner.reopen()
    }

    fn head(&mut self) -> Result<Head, JournalError> {
        self.inner.head()
    }

    fn read(&mut self, from_seq: u64, max_rows: usize) -> Result<Vec<Row>, JournalError> {
        self.inner.read(from_seq, max_rows)
    }

    fn vault(&mut self) -> Result<Vec<VaultRow>, JournalError> {
        self.inner.vault()
    }

    fn erase(&mut self, token: [u8; 16]) -> Result<bool, JournalError> {
        self.inner.erase(token)
    }

    fn holds(&mut self) -> Result<Vec<LegalHold>, JournalError> {
        self.inner.holds()
    }

    fn place_hold(&mut self, hold: &LegalHold) -> Result<bool, JournalError> {
        self.inner.place_hold(hold)
    }

    fn release_hold(&mut self, id: &str, note: &OperatorNote) -> Result<bool, JournalError> {
        self.inner.release_hold(id, note)
    }
}
