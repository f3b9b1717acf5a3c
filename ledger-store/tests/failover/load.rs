//! Callers who never stop, and what they were answered.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ledger_core::contract::{Call, Response};
use ledger_store::engine::{Engine, EngineError};

use super::setup::call;

/// How many call at once.
const CALLERS: usize = 8;

/// How long a failover may keep callers waiting.
const PATIENCE: Duration = Duration::from_mins(1);

const OPENING: [&str; 2] = [
    r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"acc","account":"loja","terms":{"liberacao":"imediata","carencia_horas":0}},"supplied":{"key":"svc_live_loja"}}"#,
    r#"{"at":"2026-11-20T12:00:00Z","fact":"policy.adopted","body":{"id":"pol","payer_ladder":false}}"#,
];

/// Opens the account that everybody calls for.
pub fn open(engine: &Engine) {
    for line in OPENING {
        assert_eq!(engine.call(call(line)).wait().unwrap().status, 200);
    }
}

/// A charge under an `external_id` of this number.
pub fn charge(number: u64) -> Call {
    call(&format!(
        r#"{{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /cashin/charge","body":{{"amount_cents":{},"destino":"saldo","customer_ref":"c-{}","payer_tax_number":"52998224725","external_id":"p-{number}"}},"supplied":{{"qr_copypaste":"code"}}}}"#,
        1_000 + number % 1_000,
        number % 5
    ))
}

/// How many charges there are under the `external_id` of this number.
pub fn count_of(engine: &Engine, number: u64) -> usize {
    let answer = engine.call(call(&format!(
        r#"{{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"GET /cashin/charges?external_id=p-{number}"}}"#
    )));
    answer.wait().unwrap().body["charges"].as_array().unwrap().len()
}

/// Every command that was asked, and its answer if there was one.
type AnswerLog = BTreeMap<u64, Option<Result<Response, EngineError>>>;

/// Callers at work.
pub struct Load {
    asked: Arc<Mutex<AnswerLog>>,
    stop: Arc<AtomicBool>,
    callers: Vec<JoinHandle<()>>,
}

/// What callers were answered in the end.
pub struct Answers {
    /// The commands that were acknowledged, with their answers.
    pub acknowledged: BTreeMap<u64, Response>,
    /// Those that were not: refused as not written, or never answered.
    pub unacknowledged: Vec<u64>,
}

impl Load {
    /// Callers of `engine`, each with one command at a time, of numbers that no other series has.
    pub fn begin(engine: Engine, series: u64) -> Self {
        let next = Arc::new(AtomicU64::new(series * 1_000_000));
        let (engine, stop) = (Arc::new(engine), Arc::new(AtomicBool::new(false)));
        let asked = Arc::new(Mutex::new(AnswerLog::new()));
        let caller = |_| {
            let (engine, next) = (Arc::clone(&engine), Arc::clone(&next));
            let (asked, stop) = (Arc::clone(&asked), Arc::clone(&stop));
            thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    asked.lock().unwrap().insert(number, None);
                    let answer = engine.call(charge(number)).wait();
                    asked.lock().unwrap().insert(number, Some(answer));
                }
            })
        };
        let callers = (0..CALLERS).map(caller).collect();
        Self { asked, stop, callers }
    }

    /// Waits until so many commands are acknowledged.
    pub fn wait_for(&self, count: usize) {
        let start = Instant::now();
        loop {
            let answers = self.answers();
            if answers.acknowledged.len() >= count {
                return;
            }
            let (late, refused) =
                (start.elapsed() > PATIENCE, answers.unacknowledged.len() > 10_000);
            assert!(!late && !refused, "{:?}", self.last_refusal());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Lets everybody hear the last answer, and stops the engine.
    pub fn end(mut self) -> Answers {
        self.stop.store(true, Ordering::Relaxed);
        for caller in self.callers.drain(..) {
            caller.join().unwrap();
        }
        self.answers()
    }

    /// Waits for nobody: what has no answer by now has none.
    pub fn abandon(self) -> Answers {
        self.stop.store(true, Ordering::Relaxed);
        self.answers()
    }

    fn answers(&self) -> Answers {
        let mut answers = Answers { acknowledged: BTreeMap::new(), unacknowledged: Vec::new() };
        for (number, answer) in self.asked.lock().unwrap().iter() {
            match answer {
                Some(Ok(answer)) => _ = answers.acknowledged.insert(*number, answer.clone()),
                _ => answers.unacknowledged.push(*number),
            }
        }
        answers
    }

    fn last_refusal(&self) -> Option<EngineError> {
        let asked = self.asked.lock().unwrap();
        asked.values().rev().find_map(|answer| answer.clone()?.err())
    }
}
