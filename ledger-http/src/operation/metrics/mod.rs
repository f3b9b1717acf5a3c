//! What a service counts and measures, as text for Prometheus.

mod books;
pub(crate) mod classic;
mod engines;
mod family;
mod process;
mod questions;
mod single;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use ledger_core::contract::Environment;
use ledger_core::time::Instant;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use self::books::Books;
use self::family::{Levels, Scrape, labels};
pub use self::questions::Questions;
pub use self::single::ledger_metrics;
use super::access::Access;
use super::lines::{InstructionAttempt, WebhookAttempt};
use crate::ledgers::Ledgers;

/// What ends a text of metrics.
const END: &str = "# EOF\n";

/// Seconds up to which requests are counted together.
const SECONDS: [f64; 12] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// What a service counts of its requests.
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    durations: Family<Route, Histogram>,
    /// Requests that are being answered.
    pub(crate) open: Gauge,
    attempts: Family<Attempted, Counter>,
    attempt_durations: Family<Ledger, Histogram>,
    waiting: Family<Waiting, Gauge>,
    pushes: Family<Pushed, Counter>,
    push_durations: Family<Ledger, Histogram>,
    instructions: Family<Ledger, Gauge>,
    instructions_age: Family<Ledger, Gauge<f64, AtomicU64>>,
    called_off: Family<Ledger, Counter>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Pushed {
    environment: Name,
    outcome: Name,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Attempted {
    environment: Name,
    kind: Name,
    outcome: Name,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Ledger {
    environment: Name,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Waiting {
    environment: Name,
    state: Name,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RequestLabels {
    environment: Name,
    route: Name,
    status: u32,
    code: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Route {
    route: Name,
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
struct Name(&'static str);

impl EncodeLabelValue for Name {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> Result<(), fmt::Error> {
        self.0.encode(encoder)
    }
}

impl Metrics {
    /// Counts of nothing yet; with those of questions to a provider, where one is asked.
    pub(crate) fn new(questions: Option<&Questions>) -> Self {
        let mut registry = Registry::with_prefix("custody_ledger");
        let requests = Family::default();
        let durations: Family<Route, Histogram> =
            Family::new_with_constructor(|| Histogram::new(SECONDS));
        let open = Gauge::default();
        registry.register("requests", "Requests that were answered", requests.clone());
        let unit = Unit::Seconds;
        let help = "How long requests took";
        registry.register_with_unit("request_duration", help, unit, durations.clone());
        registry.register("open_requests", "Requests that are being answered", open.clone());
        let attempts = Family::default();
        let attempt_durations: Family<Ledger, Histogram> =
            Family::new_with_constructor(|| Histogram::new(SECONDS));
        let waiting = Family::default();
        let help = "Attempts to send a webhook";
        registry.register("webhook_attempts", help, attempts.clone());
        let help = "How long attempts to send a webhook took";
        let unit = Unit::Seconds;
        registry.register_with_unit("webhook_duration", help, unit, attempt_durations.clone());
        let help = "Webhooks that are neither delivered nor given up";
        registry.register("webhooks_waiting", help, waiting.clone());
        let pushes = Family::default();
        let push_durations: Family<Ledger, Histogram> =
            Family::new_with_constructor(|| Histogram::new(SECONDS));
        let instructions = Family::default();
        let help = "Attempts to push an instruction";
        registry.register("instruction_attempts", help, pushes.clone());
        let help = "How long attempts to push an instruction took";
        let unit = Unit::Seconds;
        registry.register_with_unit("instruction_duration", help, unit, push_durations.clone());
        let help = "Operations of which an instruction waits to be taken";
        registry.register("instructions_waiting", help, instructions.clone());
        let instructions_age = Family::default();
        let help = "Age of the oldest operation of which an instruction waits to be taken";
        let name = "oldest_instruction_age";
        registry.register_with_unit(name, help, Unit::Seconds, instructions_age.clone());
        let called_off = Family::default();
        let help = "Instructions that were called off before they were handed out";
        registry.register("instructions_called_off", help, called_off.clone());
        if let Some(questions) = questions {
            questions.register(&mut registry);
        }
        Self {
            registry,
            requests,
            durations,
            open,
            attempts,
            attempt_durations,
            waiting,
            pushes,
            push_durations,
            instructions,
            instructions_age,
            called_off,
        }
    }

    pub(crate) fn note_instruction(&self, attempt: &InstructionAttempt) {
        let environment = Name(attempt.environment.name());
        let outcome = Name(attempt.outcome);
        self.pushes.get_or_create(&Pushed { environment, outcome }).inc();
        let took = attempt.took.as_secs_f64();
        self.push_durations.get_or_create(&Ledger { environment }).observe(took);
    }

    /// So many instructions of a ledger were called off before they were handed out.
    pub(crate) fn note_called_off(&self, environment: Environment, count: usize) {
        if let Some(count) = u64::try_from(count).ok().filter(|count| *count > 0) {
            let labels = Ledger { environment: Name(environment.name()) };
            self.called_off.get_or_create(&labels).inc_by(count);
        }
    }

    /// Of how many operations of a ledger an instruction waits, and for how many seconds the oldest
    /// of them has.
    pub(crate) fn note_instructions_waiting(
        &self,
        environment: Environment,
        (count, oldest): (usize, f64),
    ) {
        let labels = Ledger { environment: Name(environment.name()) };
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        self.instructions.get_or_create(&labels).set(count);
        self.instructions_age.get_or_create(&labels).set(oldest);
    }

    pub(crate) fn note_attempt(&self, attempt: &WebhookAttempt) {
        let environment = Name(attempt.environment.name());
        let (kind, outcome) = (Name(attempt.kind), Name(attempt.outcome));
        self.attempts.get_or_create(&Attempted { environment, kind, outcome }).inc();
        let took = attempt.took.as_secs_f64();
        self.attempt_durations.get_or_create(&Ledger { environment }).observe(took);
    }

    /// How many webhooks of a ledger wait in a state.
    pub(crate) fn note_waiting(&self, environment: Environment, state: &'static str, count: u64) {
        let labels = Waiting { environment: Name(environment.name()), state: Name(state) };
        self.waiting.get_or_create(&labels).set(i64::try_from(count).unwrap_or(i64::MAX));
    }

    pub(crate) fn note(&self, access: &Access) {
        let route = Name(access.route);
        let environment = Name(access.environment.map_or("-", Environment::name));
        let code = access.code.clone().unwrap_or_default();
        let status = access.status.into();
        self.requests.get_or_create(&RequestLabels { environment, route, status, code }).inc();
        self.durations.get_or_create(&Route { route }).observe(access.took.as_secs_f64());
    }

    /// All of it as text in OpenMetrics, with what the ledgers' engines have done, how their books
    /// stand at `now`, whether the machine's clock is believed, and what the process takes. A
    /// ledger that answers nothing shows no books.
    pub async fn text(&self, ledgers: &Ledgers, now: Instant, clock_believed: bool) -> String {
        let mut scrape = Scrape::new();
        process::build(scrape.registry_mut());
        engines::add(&mut scrape, ledgers.all().map(|it| (it.label(), &**it.engine())));
        add_clock(&mut scrape, clock_believed);
        let set_back: Levels = scrape.family("clock_set_back", "Whether the clock was set back");
        let is_set_back = ledgers.all().any(|ledger| ledger.clock_is_set_back());
        set_back.get_or_create(&labels([])).set(i64::from(is_set_back));
        let books = Arc::new(Books::register(&mut scrape));
        for ledger in ledgers.all() {
            let Ok(state) = ledger.engine().committed_state().await else { continue };
            let (books, ledger) = (Arc::clone(&books), Arc::clone(ledger));
            // Every open operation is looked at, which is no work for a thread that answers.
            let read =
                tokio::task::spawn_blocking(move || books.add(ledger.label(), &state, now)).await;
            debug_assert!(read.is_ok(), "books are read off without a panic");
        }
        let mut text = String::new();
        for registry in [scrape.registry(), &process::registry(), &self.registry] {
            // What ends each is the mark of the end of all.
            text.truncate(text.trim_end_matches(END).len());
            let encoded = encode(&mut text, registry);
            debug_assert!(encoded.is_ok(), "text is written to a string");
        }
        text
    }
}

/// Adds whether the machine's clock is believed.
fn add_clock(scrape: &mut Scrape, is_believed: bool) {
    let believed: Levels =
        scrape.family("clock_believed", "Whether the machine's clock is believed");
    believed.get_or_create(&labels([])).set(i64::from(is_believed));
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}
