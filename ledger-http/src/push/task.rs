//! The loop that pushes, on threads of its own: looks what is first of each operation, hands out
//! and posts what is due, acknowledges what was taken, and ends what is under way before it stops.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant as Clock};

use ledger_core::contract::{Environment, Secret};
use ledger_core::time::Instant;
use ledger_store::engine::EngineStatus;
use serde_json::Value;
use thiserror::Error;
use tokio::task::JoinSet;

use super::settings::PushSettings;
use super::wait;
use crate::courier::guard::Guard;
use crate::courier::resolver::SystemLookup;
use crate::courier::schedule::Outcome;
use crate::courier::sender::{Message, Sender, SenderFailed};
use crate::ledgers::OpenLedger;
use crate::operation::lines::InstructionAttempt;
use crate::outbox::{Outbox, OutboxFailed};
use crate::server::{Background, Ended};
use crate::service::Service;

/// Instructions of real money alone: the sandbox's are played, and never carried out.
const OF: Environment = Environment::Live;

/// A look rests so many times as long as it took, at least: a long outbox takes no more of the
/// database than this.
const RESTS: u32 = 10;

/// How many instructions are looked at, beside those that fail.
const LOOKED_AT: usize = 100;

/// How many instructions are looked at, at most.
const MOST: usize = 10_000;

/// Why nothing is pushed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PushFailed {
    /// The client cannot be made.
    #[error(transparent)]
    Sender(#[from] SenderFailed),
    /// The system gives no threads.
    #[error("the system gives no threads")]
    Threads(#[from] std::io::Error),
    /// No outbox is kept of the ledger of real money.
    #[error("the service keeps no outbox that instructions could come from")]
    NoOutbox,
}

/// Pushes instructions until it is stopped or dropped.
#[derive(Debug)]
pub struct PushTask(Background);

impl PushTask {
    /// Begins to push what the outbox of a service's ledger of real money gives.
    ///
    /// # Errors
    ///
    /// [`PushFailed`] when there is no outbox, or the system gives no threads.
    pub fn start(service: &Service, settings: PushSettings) -> Result<Self, PushFailed> {
        let kept = service.ledgers().each_of(OF).map(|ledger| {
            let outbox = ledger.outbox().ok_or(PushFailed::NoOutbox)?;
            Ok(WatchedOutbox { ledger: Arc::clone(ledger), outbox })
        });
        let kept = kept.collect::<Result<_, PushFailed>>()?;
        let lookup = Arc::new(SystemLookup);
        let sender = Sender::new(Guard::anywhere(), lookup, settings.patience)?;
        let push = Arc::new(Push { service: service.clone(), settings, sender, kept });
        let pushing = |ended| Loop::new(push).run(ended);
        Ok(Self(Background::start("ledger-pushes", 1, pushing)?))
    }

    /// Pushes nothing more, and waits until what is under way was answered and written down.
    pub fn stop(self) {
        drop(self.0);
    }
}

/// The outbox of a ledger.
struct WatchedOutbox {
    ledger: Arc<OpenLedger>,
    outbox: Arc<Mutex<Outbox>>,
}

/// One instruction, as it is sent.
struct Instruction {
    /// The place of its ledger.
    of: usize,
    id: String,
    topic: String,
    body: String,
}

/// What every attempt shares.
struct Push {
    service: Service,
    settings: PushSettings,
    sender: Sender,
    kept: Vec<WatchedOutbox>,
}

/// How often an instruction failed since this process began, and when it is tried again.
#[derive(Clone, Copy)]
struct Failing {
    failures: u32,
    again: Clock,
}

/// The place of a ledger, the id of its instruction, and what came of the attempt.
type EndedAttempt = (usize, String, Outcome);

struct Loop {
    push: Arc<Push>,
    under_way: JoinSet<EndedAttempt>,
    /// The ids of what is under way, or taken.
    busy: HashSet<String>,
    /// Those that were taken, and are to be acknowledged.
    taken: Vec<(usize, String)>,
    failing: HashMap<String, Failing>,
}

impl Push {
    /// Reads or writes the outbox of a ledger on a thread that may block.
    async fn within<T: Send + 'static>(
        self: &Arc<Self>,
        of: usize,
        work: impl FnOnce(&mut Outbox) -> Result<T, OutboxFailed> + Send + 'static,
    ) -> Option<T> {
        let outbox = Arc::clone(&self.kept[of].outbox);
        // What it reads and writes is whole in the database, whoever panicked.
        let done = tokio::task::spawn_blocking(move || {
            work(&mut outbox.lock().unwrap_or_else(PoisonError::into_inner))
        });
        done.await.ok()?.ok()
    }

    /// Posts an instruction.
    async fn once(self: Arc<Self>, given: Instruction, number: u32) -> EndedAttempt {
        let Instruction { of, id, topic, body } = given;
        let at = self.service.now();
        let secrets: [Secret; 1] = [self.settings.secret.clone()];
        let message = Message { id: &id, body: &body, secrets: &secrets, at };
        let sent = self.sender.post_standard(&self.settings.url, message).await;
        let outcome = sent.outcome;
        let attempt = InstructionAttempt {
            at,
            environment: OF,
            instruction: id.clone(),
            topic,
            number,
            outcome: outcome.name(),
            status: outcome.status(),
            took: sent.took,
        };
        self.service.metrics().note_instruction(&attempt);
        self.service.parts().access_log.note_instruction(&attempt);
        (of, id, outcome)
    }
}

impl Loop {
    fn new(push: Arc<Push>) -> Self {
        let (busy, taken, failing) = (HashSet::new(), Vec::new(), HashMap::new());
        Self { push, under_way: JoinSet::new(), busy, taken, failing }
    }

    async fn run(mut self, mut ended: Ended) {
        loop {
            let began = Clock::now();
            self.acknowledge().await;
            self.look().await;
            let rest = self.push.settings.look.max(began.elapsed() * RESTS);
            if self.wait_for_work(rest, &mut ended).await {
                break;
            }
        }
        while let Some(done) = self.under_way.join_next().await {
            self.record_outcome(done.ok());
        }
        self.acknowledge().await;
    }

    /// Waits until there may be something to do; says whether it is to end.
    async fn wait_for_work(&mut self, rest: Duration, ended: &mut Ended) -> bool {
        tokio::select! {
            () = ended.wait() => return true,
            () = tokio::time::sleep(rest) => {}
            Some(done) = self.under_way.join_next() => self.record_outcome(done.ok()),
        }
        while let Some(done) = self.under_way.try_join_next() {
            self.record_outcome(done.ok());
        }
        false
    }

    /// Begins what is due. A process that was taken over from pushes nothing more, and a ledger or
    /// a database that is away is asked again at the next look.
    async fn look(&mut self) {
        let limit = (LOOKED_AT + self.failing.len() + self.busy.len()).min(MOST);
        let (mut waiting, mut known, mut all) = (Vec::new(), true, true);
        let mut oldest: Option<String> = None;
        for of in 0..self.push.kept.len() {
            let mut found = None;
            if self.push.kept[of].ledger.engine().status() == EngineStatus::Writing {
                found = self.push.within(of, move |outbox| outbox.pending(limit)).await;
            }
            known &= found.is_some();
            all &= found.as_ref().is_some_and(|found| found.len() < limit);
            let found = found.unwrap_or_default();
            // They are written so that the earlier one comes first.
            let since = found.iter().map(|entry| &entry.recorded_at).min().cloned();
            oldest = [oldest, since].into_iter().flatten().min();
            waiting.push(found.into_iter().map(|entry| entry.id).collect::<Vec<_>>());
        }
        if known {
            let waiting = waiting.iter().map(Vec::len).sum();
            let since = oldest.and_then(|at| Instant::parse(&at));
            let age = since.map(|at| self.push.service.now().since(at).micros());
            let age = Duration::from_micros(age.unwrap_or_default()).as_secs_f64();
            self.push.service.metrics().note_instructions_waiting(OF, (waiting, age));
        }
        if all {
            // What waits no more was acknowledged by somebody else.
            let ids: HashSet<&String> = waiting.iter().flatten().collect();
            self.failing.retain(|id, _| ids.contains(id));
        }
        for (of, ids) in self.due(waiting).into_iter().enumerate() {
            self.hand_out(of, ids, limit).await;
        }
    }

    /// Which of these are due, as many as may be under way: one of each ledger in turn, so that
    /// none that has many keeps another waiting.
    fn due(&self, waiting: Vec<Vec<String>>) -> Vec<HashSet<String>> {
        let mut room = self.push.settings.at_once.saturating_sub(self.under_way.len());
        let (mut due, now) = (vec![HashSet::new(); waiting.len()], Clock::now());
        let rests = |id: &str| self.failing.get(id).is_some_and(|failing| now < failing.again);
        let is_due = |id: &String| !self.busy.contains(id) && !rests(id);
        let mut rows: Vec<_> =
            waiting.into_iter().map(|ids| ids.into_iter().filter(is_due).peekable()).collect();
        loop {
            let mut any = false;
            for (row, due) in rows.iter_mut().zip(&mut due) {
                if let Some(id) = row.next_if(|_| room > 0) {
                    due.insert(id);
                    (room, any) = (room - 1, true);
                }
            }
            if !any {
                return due;
            }
        }
    }

    /// Hands these out in one commit, and begins to post each that stands: at each attempt anew,
    /// so that what was called off between two is posted no more (rulings 70).
    async fn hand_out(&mut self, of: usize, ids: HashSet<String>, limit: usize) {
        if ids.is_empty() {
            return;
        }
        let at = self.push.service.now();
        let handed = self.push.within(of, move |outbox| outbox.hand_out(&ids, limit, at)).await;
        let Some(handed) = handed else { return };
        self.push.service.metrics().note_called_off(OF, handed.called_off.len());
        for item in handed.given {
            self.begin(of, item);
        }
    }

    fn begin(&mut self, of: usize, mut item: Value) {
        let Some(id) = item["id"].as_str().map(str::to_owned) else { return };
        if !self.busy.insert(id.clone()) {
            return;
        }
        let number = self.failing.get(&id).map_or(0, |failing| failing.failures).saturating_add(1);
        let topic = item["topic"].as_str().unwrap_or_default().to_owned();
        item["environment"] = OF.name().into();
        let label = self.push.kept[of].ledger.label();
        if label != OF.name() {
            item["ledger"] = label.into();
        }
        let given = Instruction { of, id, topic, body: item.to_string() };
        self.under_way.spawn(Arc::clone(&self.push).once(given, number));
    }

    /// Takes note of how an attempt ended.
    fn record_outcome(&mut self, done: Option<EndedAttempt>) {
        let Some((of, id, outcome)) = done else {
            // Whose attempt panicked is not known: what is not under way may be attempted again.
            if self.under_way.is_empty() {
                self.busy.retain(|id| self.taken.iter().any(|(_, taken)| taken == id));
            }
            return;
        };
        if outcome.is_success() {
            self.taken.push((of, id));
        } else {
            self.fail(id, outcome);
        }
    }

    /// Acknowledges what was taken, all of a ledger at once.
    async fn acknowledge(&mut self) {
        let taken = std::mem::take(&mut self.taken);
        for of in 0..self.push.kept.len() {
            let its = taken.iter().filter(|(whose, _)| *whose == of);
            let ids: Vec<String> = its.map(|(_, id)| id.clone()).collect();
            if ids.is_empty() {
                continue;
            }
            let (now, its) = (self.push.service.now(), ids.clone());
            let written = self.push.within(of, move |outbox| outbox.acknowledge_taken(&its, now));
            let written = written.await.is_some();
            for id in ids {
                if written {
                    self.busy.remove(&id);
                    self.failing.remove(&id);
                } else {
                    // Taken and not written down: it is given again, under the same key.
                    self.fail(id, Outcome::Unreachable);
                }
            }
        }
    }

    /// Has an instruction attempted again after a while.
    fn fail(&mut self, id: String, outcome: Outcome) {
        self.busy.remove(&id);
        let failures = self.failing.get(&id).map_or(0, |failing| failing.failures);
        let failures = failures.saturating_add(1);
        let settings = &self.push.settings;
        let bounds = (settings.first_wait, settings.longest_wait);
        // Without randomness what failed together comes back together.
        let random = getrandom::u64().unwrap_or_default();
        let again = Clock::now() + wait::after(failures, outcome, bounds, random);
        self.failing.insert(id, Failing { failures, again });
    }
}
