//! What a service is made of: its ledgers, its clock, who supplies, its limits, who watches.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ledger_core::contract::Environment;
use ledger_core::id::Kind;
use ledger_core::time::{Instant, Span};
use ledger_store::clock::ClockDoubt;
use ledger_store::machine_clock::MachineClock;
use ledger_store::projection::TableQueries;
use ledger_store::signing::key::Signer;

use crate::courier::Webhooks;
use crate::documents::Config;
use crate::edge::rate_limit::RateLimits;
use crate::hanging::Hanging;
use crate::ledgers::Ledgers;
use crate::limits::Limits;
use crate::operation::access::{AccessLog, Recent, Silent};
use crate::operation::metrics::Metrics;
use crate::operators::Operators;
use crate::operators::second::SecondOperator;
use crate::panel::Panel;
use crate::queries::Queries;
use crate::request_id::Numbers;
use crate::supply::{Nothing, Supply};
use crate::token::Token;

/// Tells the time that requests are dated by.
pub type Clock = Arc<dyn Fn() -> Instant + Send + Sync>;

/// The machine's clock.
#[must_use]
pub fn system_clock() -> Clock {
    Arc::new(|| {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let micros = i64::try_from(since.unwrap_or_default().as_micros()).ok();
        micros.and_then(Instant::from_micros).unwrap_or_default()
    })
}

/// A clock that is read by a function, and doubted by nobody.
struct ReadClock<F>(F);

impl<F: Fn() -> Instant + Send + Sync + 'static> ledger_store::clock::Clock for ReadClock<F> {
    fn now(&self) -> Instant {
        (self.0)()
    }
}

/// A service over open ledgers; clones are the same service.
///
/// [`router`](crate::router) gives its routes, to be nested in anybody's.
#[derive(Clone)]
pub struct Service(Arc<Parts>);

/// What the routes of a service share.
pub(crate) struct Parts {
    pub(crate) ledgers: Ledgers,
    pub(crate) clock: Arc<dyn ledger_store::clock::Clock>,
    pub(crate) supply: Box<dyn Supply>,
    pub(crate) limits: Limits,
    pub(crate) rate_limits: RateLimits,
    pub(crate) docs_url: Option<String>,
    pub(crate) documents: Option<Config>,
    pub(crate) numbers: Numbers,
    pub(crate) access_log: Box<dyn AccessLog>,
    pub(crate) metrics: Metrics,
    pub(crate) webhooks: Option<Webhooks>,
    pub(crate) panel: Option<Panel>,
    pub(crate) operators: Option<Operators>,
    pub(crate) hanging: Hanging,
    pub(crate) second_operator: SecondOperator,
    pub(crate) certificate_key: Option<Signer>,
    pub(crate) metrics_token: Option<Token>,
    pub(crate) recent: Recent,
    pub(crate) queries: Option<Queries>,
    closing: AtomicBool,
}

impl Service {
    /// A service over these ledgers, which its methods say more of.
    pub fn builder(ledgers: Ledgers) -> ServiceBuilder {
        ServiceBuilder {
            ledgers,
            clock: Arc::new(MachineClock::new()),
            supply: Box::new(Nothing),
            limits: Limits::default(),
            docs_url: None,
            documents: None,
            access_log: Box::new(Silent),
            webhooks: None,
            queries: None,
            panel: None,
            operators: None,
            hanging: Hanging::default(),
            second_operator: SecondOperator::default(),
            certificate_key: None,
            metrics_token: None,
        }
    }

    /// The ledgers that it answers from.
    #[must_use]
    pub fn ledgers(&self) -> &Ledgers {
        &self.0.ledgers
    }

    /// Returns what it counts and measures.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// Its webhooks, if it sends any.
    #[must_use]
    pub fn webhooks(&self) -> Option<&Webhooks> {
        self.0.webhooks.as_ref()
    }

    /// Its dashboard for partners, if it has one.
    #[must_use]
    pub fn panel(&self) -> Option<&Panel> {
        self.0.panel.as_ref()
    }

    /// Who may decide by the console, if anybody may.
    #[must_use]
    pub fn operators(&self) -> Option<&Operators> {
        self.0.operators.as_ref()
    }

    /// The instant now, by its clock.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.0.clock.now()
    }

    /// Why the machine's clock is not believed: requests and facts of real money are answered 503
    /// until it is back, or somebody accepts it. None while it is believed.
    #[must_use]
    pub fn clock_doubt(&self) -> Option<ClockDoubt> {
        self.0.clock.doubt()
    }

    /// Returns what the machine's clock reads, and is expected to, while it was set back further
    /// than a jump that is believed. None while it was not.
    #[must_use]
    pub fn clock_set_back(&self) -> Option<ClockDoubt> {
        self.0.clock.set_back()
    }

    /// Believes the machine's clock as it reads now, since a person has looked at it; returns the
    /// instant it reads, and none where the service's clock is not held against anything.
    #[must_use]
    pub fn accept_clock(&self) -> Option<Instant> {
        self.0.clock.accept()
    }

    /// The limits on requests and callers.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Tells the ledgers of the time where something has come due, and forgets callers of long ago.
    /// Blocks; whoever nests the routes elsewhere calls it about once a second.
    ///
    /// # Errors
    ///
    /// Why a ledger takes no calls any more.
    pub fn tick(&self) -> Result<(), ledger_store::engine::EngineError> {
        self.0.rate_limits.forget();
        let now = self.now();
        // One that has ended keeps no other waiting.
        let ticked: Vec<_> = self.0.ledgers.all().map(|ledger| ledger.tick(now)).collect();
        ticked.into_iter().collect()
    }

    /// Says that the service is about to end: whoever waits for instructions is answered now.
    pub fn close(&self) {
        self.0.closing.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.0.closing.load(Ordering::Relaxed)
    }

    pub(crate) fn parts(&self) -> &Parts {
        &self.0
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").field("ledgers", &self.0.ledgers).finish_non_exhaustive()
    }
}

/// A service before it begins; see [`Service::builder`].
#[must_use = "a service begins by `build`"]
pub struct ServiceBuilder {
    ledgers: Ledgers,
    clock: Arc<dyn ledger_store::clock::Clock>,
    supply: Box<dyn Supply>,
    limits: Limits,
    docs_url: Option<String>,
    documents: Option<Config>,
    access_log: Box<dyn AccessLog>,
    webhooks: Option<Webhooks>,
    queries: Option<Queries>,
    panel: Option<Panel>,
    operators: Option<Operators>,
    hanging: Hanging,
    second_operator: SecondOperator,
    certificate_key: Option<Signer>,
    metrics_token: Option<Token>,
}

impl ServiceBuilder {
    /// The clock that requests are dated by: the machine's unless said, held against the time that
    /// elapses.
    pub fn clock(self, clock: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        self.witnessed_by(ReadClock(clock))
    }

    /// The clock that requests are dated by, with what it says of being believed.
    pub fn witnessed_by(mut self, clock: impl ledger_store::clock::Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Who supplies what only a provider knows: nobody unless said.
    pub fn supply(mut self, supply: impl Supply) -> Self {
        self.supply = Box::new(supply);
        self
    }

    /// What it takes of one caller.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Where errors are described at length: errors then say so in `docs` (ERR-10).
    pub fn docs_url(mut self, url: &str) -> Self {
        self.docs_url = Some(url.to_owned());
        self
    }

    /// Publishes the documents and pages of a service at this address, and names those pages in
    /// answers (`qr_image_url`, `receipt_url`, `monitor_url`); errors are described on their page
    /// unless [`ServiceBuilder::docs_url`] says another: none is published unless said.
    pub fn documents(mut self, config: Config) -> Self {
        self.docs_url.get_or_insert_with(|| config.docs_url.clone());
        self.documents = Some(config);
        self
    }

    /// Who is told of every request: nobody unless said.
    pub fn access_log(mut self, log: impl AccessLog) -> Self {
        self.access_log = Box::new(log);
        self
    }

    /// Where webhooks are kept and how they are sent, by a
    /// [`CourierTask`](crate::courier::CourierTask): by nobody unless said.
    pub fn webhooks(mut self, webhooks: Webhooks) -> Self {
        self.webhooks = Some(webhooks);
        self
    }

    /// Which tables the operator's console asks in SQL: none unless said. On PostgreSQL the role of
    /// the connection should be one that may read the tables and nothing else.
    pub fn table_queries(mut self, tables: TableQueries) -> Self {
        self.queries = Some(Queries::new(tables));
        self
    }

    /// The partner's dashboard, and the links to it that a
    /// [`PostTask`](crate::panel::PostTask) mails: none unless said.
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panel = Some(panel);
        self
    }

    /// Who may decide by the console, each with a credential of their own: nobody unless said.
    pub fn operators(mut self, operators: Operators) -> Self {
        self.operators = Some(operators);
        self
    }

    /// After how long an operation under way stands in the console's inbox, by kind: unless said,
    /// one hour for payouts and payments from wallets, and two for other kinds.
    pub fn hanging_after(mut self, bounds: impl IntoIterator<Item = (Kind, Span)>) -> Self {
        self.hanging = Hanging::with(bounds);
        self
    }

    /// Which decisions want a second operator, by name, each about more than so many centavos or
    /// about crypto whose price nobody says: none unless said.
    pub fn second_operator(mut self, above: impl IntoIterator<Item = (String, i64)>) -> Self {
        self.second_operator = SecondOperator::above(above);
        self
    }

    /// The key that signs certificates of erasure, as checkpoints are signed: they are unsigned
    /// unless said.
    pub fn certificate_key(mut self, key: Signer) -> Self {
        self.certificate_key = Some(key);
        self
    }

    /// A token that opens metrics on the world's listener and nothing else: none unless said.
    pub fn metrics_token(mut self, token: Token) -> Self {
        self.metrics_token = Some(token);
        self
    }

    /// The service.
    ///
    /// # Errors
    ///
    /// When the system gives no randomness for the ids of requests.
    pub fn build(self) -> Result<Service, getrandom::Error> {
        // Another process, or the one before, has other ids.
        let first = getrandom::u64()?;
        for ledger in self.ledgers.each_of(Environment::Live) {
            ledger.keep_time_by(&self.clock, self.limits.fact_ahead);
        }
        Ok(Service(Arc::new(Parts {
            metrics: Metrics::new(self.supply.questions()),
            recent: Recent::default(),
            rate_limits: RateLimits::new(&self.limits),
            ledgers: self.ledgers,
            clock: self.clock,
            supply: self.supply,
            limits: self.limits,
            docs_url: self.docs_url,
            documents: self.documents,
            numbers: Numbers::from(first),
            access_log: self.access_log,
            webhooks: self.webhooks,
            queries: self.queries,
            panel: self.panel,
            operators: self.operators,
            hanging: self.hanging,
            second_operator: self.second_operator,
            certificate_key: self.certificate_key,
            metrics_token: self.metrics_token,
            closing: AtomicBool::new(false),
        })))
    }
}

impl fmt::Debug for ServiceBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceBuilder").field("limits", &self.limits).finish_non_exhaustive()
    }
}
