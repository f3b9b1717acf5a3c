//! A service that is served for one test, and a client of it.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use ledger_cells::directory::DIRECTORY;
use ledger_core::contract::Environment;
use ledger_core::id::Designation;
use ledger_core::time::{Instant, Span};
use ledger_http::server::{Connections, Running};
use ledger_http::{
    Ledgers, LineFormat, LineLog, OpenLedger, Outbox, Service, ServiceBuilder, Token, router,
    world_router,
};
use ledger_sim::Sandbox;
use ledger_store::engine::{Engine, EngineBuilder};
use ledger_store::projection::Target;
use ledger_store::{MemoryDisk, MemoryJournal, OpenMode, SqliteJournal};
use serde_json::{Value, json};

pub use crate::log::Lines;

/// The live account that every service of these tests has.
pub const KEY: &str = "svc_live_loja";

/// How many connections are served at once.
pub const MOST: usize = 64;

/// A clock that goes when it is told to.
#[derive(Clone)]
pub struct Hand(Arc<AtomicI64>);

impl Hand {
    pub fn at(text: &str) -> Self {
        let at = Instant::parse(text).unwrap();
        Self(Arc::new(AtomicI64::new(at.micros())))
    }

    pub fn now(&self) -> Instant {
        Instant::from_micros(self.0.load(Ordering::SeqCst)).unwrap()
    }

    pub fn set(&self, at: Instant) {
        self.0.store(at.micros(), Ordering::SeqCst);
    }

    pub fn advance(&self, span: Span) {
        self.set(self.now().after(span));
    }
}

/// A service on a port of its own, until it is dropped.
pub struct Served {
    pub address: SocketAddr,
    /// Where the world reports, and its token.
    world: (SocketAddr, String),
    pub clock: Hand,
    pub service: Service,
    pub log: Lines,
    running: Option<Running>,
    /// Where its ledger is kept, if not in memory.
    folder: Option<tempfile::TempDir>,
}

/// An answer: status, headers, body.
pub struct Answer {
    pub status: u16,
    pub headers: ureq::http::HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn body(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {}", self.text))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

fn engine_in_memory(name: &str, environment: Environment, queue: usize) -> Engine {
    started_in_memory(Engine::builder(name).queue(queue), name, environment)
}

fn started_in_memory(engine: EngineBuilder<'_>, name: &str, environment: Environment) -> Engine {
    let designation = Some(Designation::Chosen(environment));
    let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation };
    let journal = MemoryJournal::open(&MemoryDisk::new(), name, mode).unwrap();
    engine.start(Box::new(journal)).unwrap()
}

impl Served {
    /// With the account `loja` open in the live ledger.
    pub fn start() -> Self {
        let served = Self::with(64, |service| service);
        served.open_account();
        served
    }

    /// The same, with a lease on the live ledger.
    pub fn leased() -> Self {
        let lease = Duration::from_mins(1);
        let engine = Engine::builder("live").lease(lease);
        let live = started_in_memory(engine, "live", Environment::Live);
        let live = OpenLedger::new(Arc::new(live)).unwrap();
        let sandbox = Arc::new(engine_in_memory("sandbox", Environment::Sandbox, 64));
        let sandbox = OpenLedger::new(sandbox).unwrap();
        let served = Self::over(Ledgers::new(live, sandbox), |service| service);
        served.open_account();
        served
    }

    /// The same, in a file, with what the live ledger asks of the world.
    pub fn with_outbox() -> Self {
        Self::with_outbox_and(|service, _| service)
    }

    /// The same, whose house has R$ 1,000.00.
    pub fn funded() -> Self {
        let served = Self::with_outbox();
        let gift = json!({ "id": "g-1", "account": "loja", "effect_cents": 100_000, "actor": "bia",
            "reason": "a gift", "evidence": "case-1" });
        served.report("fee.adjusted", &gift, &Value::Null);
        served
    }

    /// Asks for a payout of R$ 10.00; gives its id.
    pub fn payout(&self, id: &str) -> String {
        let body = json!({ "amount_cents": 1_000, "pix_key": "52998224725",
            "tax_number": "52998224725", "external_id": id });
        let made = self.post("/payouts", &[("x-api-key", KEY)], &body);
        assert_eq!(made.status, 200, "{}", made.text);
        made.body()["payout_id"].as_str().unwrap().to_owned()
    }

    /// The same, changed as the test wants it, by where its tables are too.
    pub fn with_outbox_and(change: impl FnOnce(ServiceBuilder, &Target) -> ServiceBuilder) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ledger.db");
        let open = |mode| Box::new(SqliteJournal::open(&file, "live", mode).unwrap());
        let (journal, reading) = (open(OpenMode::create()), open(OpenMode::ReadOnly));
        let tables = Target::Sqlite(file.clone());
        let engine = Engine::builder("live").outbox(tables.clone()).start(journal).unwrap();
        let outbox = Outbox::open(&tables, reading, "live").unwrap().unwrap();
        let live = OpenLedger::new(Arc::new(engine)).unwrap();
        let sandbox = Arc::new(engine_in_memory("sandbox", Environment::Sandbox, 64));
        let sandbox = OpenLedger::new(sandbox).unwrap();
        let ledgers = Ledgers::new(live.with_outbox(outbox), sandbox);
        let mut served = Self::over(ledgers, |service| change(service, &tables));
        served.folder = Some(folder);
        served.open_account();
        served
    }

    /// Over engines with so long a queue, changed as the test wants it.
    pub fn with(queue: usize, change: impl FnOnce(ServiceBuilder) -> ServiceBuilder) -> Self {
        let open = |environment: Environment| {
            let engine = engine_in_memory(environment.name(), environment, queue);
            OpenLedger::new(Arc::new(engine)).unwrap()
        };
        let sandbox = open(Environment::Sandbox).played_by(Sandbox::new(1));
        Self::over(Ledgers::new(open(Environment::Live), sandbox), change)
    }

    /// Over cells of these names in files, each with its outbox, and no account; changed as the
    /// test wants it, by where the tables of the service are too.
    pub fn in_cells(
        names: &[&str],
        change: impl FnOnce(ServiceBuilder, &Target) -> ServiceBuilder,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let cell = |name: &&str| {
            let file = folder.path().join(format!("{name}.db"));
            let (vault_key, designation) = (Some([7; 32]), None);
            let mode = OpenMode::Create { vault_key, algorithm: None, designation };
            let open = |mode| Box::new(SqliteJournal::open(&file, name, mode).unwrap());
            let (journal, reading) = (open(mode), open(OpenMode::ReadOnly));
            let tables = Target::Sqlite(file.clone());
            let engine = Engine::builder(name).outbox(tables.clone()).start(journal).unwrap();
            let outbox = Outbox::open(&tables, reading, name).unwrap().unwrap();
            OpenLedger::new(Arc::new(engine)).unwrap().with_outbox(outbox)
        };
        let cells = names.iter().map(cell).collect();
        let file = folder.path().join("directory.db");
        let mode = OpenMode::Directory { environment: Some(Environment::Live) };
        let directory = Box::new(SqliteJournal::open(&file, DIRECTORY, mode).unwrap());
        let sandbox = Arc::new(engine_in_memory("sandbox", Environment::Sandbox, 64));
        let sandbox = OpenLedger::new(sandbox).unwrap().played_by(Sandbox::new(1));
        let at = Hand::at("2026-11-20T12:00:00Z").now();
        let ledgers = Ledgers::of_cells(cells, directory, sandbox, at).unwrap();
        let mut served = Self::over(ledgers, |service| change(service, &Target::Sqlite(file)));
        served.folder = Some(folder);
        served
    }

    /// Over ledgers of these names and environments, given as the live one and the sandbox.
    pub fn named(ledgers: [(&str, Environment); 2]) -> Self {
        let [live, sandbox] = ledgers.map(|(name, environment)| {
            OpenLedger::new(Arc::new(engine_in_memory(name, environment, 64))).unwrap()
        });
        Self::over(Ledgers::new(live, sandbox.played_by(Sandbox::new(1))), |service| service)
    }

    fn over(ledgers: Ledgers, change: impl FnOnce(ServiceBuilder) -> ServiceBuilder) -> Self {
        let clock = Hand::at("2026-11-20T12:00:00Z");
        let (its, log) = (clock.clone(), Lines::default());
        let service = Service::builder(ledgers)
            .clock(move || its.now())
            .access_log(LineLog::new(LineFormat::Json, log.clone()));
        Self::listen(change(service).build().unwrap(), clock, log)
    }

    fn listen(service: Service, clock: Hand, log: Lines) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let header_read = service.limits().header_read;
        let drain = Duration::from_secs(5);
        let connections = Connections { most: MOST, header_read, drain };
        let inside = TcpListener::bind("127.0.0.1:0").unwrap();
        let (token, world) = (Token::random().unwrap(), inside.local_addr().unwrap());
        let world = (world, token.expose().to_owned());
        // As somebody else's service has them, beside routes of its own.
        let routes = router(&service);
        let nested = axum::Router::new().nest("/nested", routes.clone()).fallback_service(routes);
        let sites = vec![(listener, nested), (inside, world_router(&service, token))];
        let running = Running::start(sites, connections, Some(2)).unwrap();
        Self { address, world, clock, service, log, running: Some(running), folder: None }
    }

    /// Ends it; whether all that was under way was answered.
    pub fn end(&mut self) -> bool {
        self.running.take().is_none_or(Running::end)
    }

    /// Opens the account of [`KEY`] as an operator does.
    pub fn open_account(&self) {
        self.report(
            "account.opened",
            &json!({ "id": "a-1", "account": "loja", "terms": { "carencia_horas": 0 } }),
            &json!({ "key": KEY }),
        );
    }

    /// Reports a fact to the live ledger, past the service.
    pub fn report(&self, name: &str, body: &Value, supplied: &Value) {
        let call = ledger_core::contract::Call {
            at: self.clock.now(),
            origin: ledger_core::ledger::Origin::Call,
            ask: ledger_core::contract::CallKind::Fact(name.to_owned()),
            body: body.clone(),
            supplied: supplied.clone(),
            ip: None,
        };
        let engine = self.service.ledgers().for_environment(Environment::Live).engine();
        let answer = engine.call(call).wait().unwrap();
        assert_eq!(answer.status, 200, "{:?}", answer.body);
    }

    /// Asks the live ledger for the account, past the service, with what a provider supplies.
    pub fn supplied(&self, request: &str, body: &Value, supplied: &Value) -> Value {
        let (method, target) = request.split_once(' ').unwrap();
        let call = ledger_core::contract::Call {
            at: self.clock.now(),
            origin: ledger_core::ledger::Origin::Call,
            ask: ledger_core::contract::CallKind::Request {
                method: method.to_owned(),
                target: target.to_owned(),
                key: Some(KEY.to_owned()),
            },
            body: body.clone(),
            supplied: supplied.clone(),
            ip: None,
        };
        let engine = self.service.ledgers().for_environment(Environment::Live).engine();
        let answer = engine.call(call).wait().unwrap();
        assert_eq!(answer.status, 200, "{:?}", answer.body);
        answer.body.into()
    }

    pub fn get(&self, target: &str, headers: &[(&str, &str)]) -> Answer {
        self.send("GET", target, headers, None)
    }

    pub fn post(&self, target: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let headers: Vec<_> =
            headers.iter().copied().chain([("content-type", "application/json")]).collect();
        self.send("POST", target, &headers, Some(&body.to_string()))
    }

    pub fn send(
        &self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Answer {
        sent(self.address, (method, target), headers, body)
    }

    /// The world, which knows its token.
    pub fn world(&self) -> World {
        let (address, token) = self.world.clone();
        World { address, token }
    }
}

/// Who reports facts.
pub struct World {
    pub address: SocketAddr,
    pub token: String,
}

impl World {
    pub fn get(&self, target: &str) -> Answer {
        let token = format!("Bearer {}", self.token);
        sent(self.address, ("GET", target), &[("authorization", &token)], None)
    }

    /// Asks with these headers alone.
    pub fn send(&self, method: &str, target: &str, headers: &[(&str, &str)]) -> Answer {
        sent(self.address, (method, target), headers, None)
    }

    pub fn metrics(&self, accept: &str) -> Answer {
        let token = format!("Bearer {}", self.token);
        let headers = [("authorization", &*token), ("accept", accept)];
        sent(self.address, ("GET", "/metrics"), &headers, None)
    }

    pub fn post(&self, target: &str, body: &str) -> Answer {
        let token = format!("Bearer {}", self.token);
        let headers = [("authorization", &*token), ("content-type", "application/json")];
        sent(self.address, ("POST", target), &headers, Some(body))
    }
}

fn sent(
    address: SocketAddr,
    (method, target): (&str, &str),
    headers: &[(&str, &str)],
    body: Option<&str>,
) -> Answer {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .allow_non_standard_methods(true)
        .timeout_global(Some(Duration::from_secs(20)));
    let agent: ureq::Agent = config.build().into();
    let url = format!("http://{address}{target}");
    let mut request = ureq::http::Request::builder().method(method).uri(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let answer = match body {
        Some(body) => agent.run(request.body(body.to_owned()).unwrap()),
        None => agent.run(request.body(()).unwrap()),
    };
    let mut answer = answer.unwrap();
    let bytes = answer.body_mut().read_to_vec().unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Answer { status: answer.status().as_u16(), headers: answer.headers().clone(), text }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.end();
    }
}
