//! Callers who transfer without end, each repeating what was not answered, and what they heard.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use custody_ledger::prelude::*;
use ledger_store::engine::EngineStatus;

use super::transfers::{KEY, transfer};

/// How many call at once.
const CALLERS: usize = 8;

/// Between an answer and the next call of a caller.
const PAUSE: Duration = Duration::from_millis(40);

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_mins(3);

/// Why a caller ended before it was to.
type CallError = Box<dyn Error + Send + Sync>;

/// Callers of one ledger.
pub struct Callers {
    shared: Arc<Shared>,
    callers: Vec<JoinHandle<()>>,
}

struct Shared {
    url: String,
    ledger: Mutex<Ledger>,
    next: AtomicU64,
    stop: AtomicBool,
    answers: Mutex<Answers>,
}

/// What was answered.
pub struct Answers {
    /// The transfers that were acknowledged, each with its id.
    pub acknowledged: BTreeMap<u64, String>,
    /// How often a caller had to repeat one.
    pub repeated: usize,
    /// How often the engine had stopped and the ledger was opened anew.
    pub reopened: usize,
    /// The longest time without any answer since it was last asked to count.
    longest: Duration,
    last: Instant,
    /// Why a caller has ended that was to go on.
    failed: Option<String>,
}

impl Callers {
    /// Lets callers transfer at the ledger of this URL, from this number on.
    pub fn begin(url: &str, from: u64) -> Result<Self, Box<dyn Error>> {
        let answers = Answers {
            acknowledged: BTreeMap::new(),
            repeated: 0,
            reopened: 0,
            longest: Duration::ZERO,
            last: Instant::now(),
            failed: None,
        };
        let shared = Arc::new(Shared {
            url: url.to_owned(),
            ledger: Mutex::new(Ledger::open(url).wait()?),
            next: AtomicU64::new(from),
            stop: AtomicBool::new(false),
            answers: Mutex::new(answers),
        });
        let caller = |_| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || {
                if let Err(error) = shared.call() {
                    shared.answers().failed = Some(error.to_string());
                }
            })
        };
        Ok(Self { callers: (0..CALLERS).map(caller).collect(), shared })
    }

    /// Waits until so many more are acknowledged.
    pub fn wait_for(&self, more: usize) -> Result<(), Box<dyn Error>> {
        let wanted = self.shared.answers().acknowledged.len() + more;
        let start = Instant::now();
        while self.shared.answers().acknowledged.len() < wanted {
            if let Some(error) = &self.shared.answers().failed {
                return Err(format!("a caller: {error}").into());
            }
            if start.elapsed() > PATIENCE {
                return Err(format!("{more} more answers are not given").into());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// How long nobody has been answered.
    pub fn silence(&self) -> Duration {
        self.shared.answers().last.elapsed()
    }

    /// From now on the longest time without an answer counts.
    pub fn begin_to_count(&self) {
        let mut answers = self.shared.answers();
        (answers.longest, answers.last) = (Duration::ZERO, Instant::now());
    }

    /// The longest time without an answer since then.
    pub fn unanswered(&self) -> Duration {
        self.shared.answers().longest
    }

    /// Lets everybody hear the last answer, and closes the ledger; gives what was answered and the
    /// number of the next transfer.
    pub fn end(self) -> Result<(Answers, u64), Box<dyn Error>> {
        self.shared.stop.store(true, Ordering::Relaxed);
        for caller in self.callers {
            caller.join().map_err(|_| "a caller panicked")?;
        }
        let shared = Arc::into_inner(self.shared).ok_or("a caller goes on")?;
        let ledger = shared.ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
        ledger.shutdown()?;
        let answers = shared.answers.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = answers.failed {
            return Err(format!("a caller: {error}").into());
        }
        Ok((answers, shared.next.into_inner()))
    }
}

impl Shared {
    /// Transfers until it is to stop; what was not answered is repeated until it is.
    fn call(&self) -> Result<(), CallError> {
        while !self.stop.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let request = transfer(number)?;
            let start = Instant::now();
            let done = loop {
                let client = self.ledger().client(ApiKey::new(KEY)?);
                match client.ask(&request).wait() {
                    Ok(done) => break done,
                    Err(error @ custody_ledger::Error::Engine(_)) if start.elapsed() < PATIENCE => {
                        self.answers().repeated += 1;
                        self.reopen_if_stopped(&error)?;
                        std::thread::sleep(PAUSE);
                    }
                    Err(error) => return Err(error.into()),
                }
            };
            self.answers().record(number, done.answer.id.to_string());
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// Opens the ledger once more where its engine has stopped, as whoever supervises it would.
    fn reopen_if_stopped(&self, error: &custody_ledger::Error) -> Result<(), CallError> {
        let mut ledger = self.ledger();
        match ledger.status() {
            EngineStatus::Writing | EngineStatus::Failing(_) => Ok(()),
            EngineStatus::Stopped(_) => {
                // Where it cannot be opened yet, whoever asks next tries again.
                if let Ok(opened) = Ledger::builder(&*self.url).take_over().open().wait() {
                    *ledger = opened;
                    self.answers().reopened += 1;
                    eprintln!("the engine had stopped: {error}");
                }
                Ok(())
            }
            // Nobody else opens it.
            status => Err(format!("{error}: {status:?}").into()),
        }
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Answers {
    fn record(&mut self, number: u64, id: String) {
        let now = Instant::now();
        self.longest = self.longest.max(now.saturating_duration_since(self.last));
        self.last = now;
        self.acknowledged.insert(number, id);
    }
}
