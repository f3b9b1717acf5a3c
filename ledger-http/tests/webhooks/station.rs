//! A service over a ledger in a file, its courier, and a receiver of what that sends.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant as Clock};

use axum::body::{Body, to_bytes};
use axum::http::Request;
use axum::http::response::Parts as Head;
use ledger_core::contract::{Call, CallKind, Environment, Response};
use ledger_core::ledger::Origin;
use ledger_core::time::{Instant, Span};
use ledger_http::courier::{CourierTask, Patience, WebhookSettings, Webhooks};
use ledger_http::operators::Operators;
use ledger_http::{
    Ledgers, Limits, LineFormat, LineLog, OpenLedger, Outbox, Service, console_router, router,
};
use ledger_store::engine::Engine;
use ledger_store::projection::{Projector, Tables, Target};
use ledger_store::{
    Journal, MemoryDisk, MemoryJournal, OpenMode, Person, PostgresJournal, SqliteJournal, Vault,
};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::log::Lines;
use crate::receiver::Receiver;

pub const NOON: &str = "2026-11-20T12:00:00Z";

/// The key of the account `loja`.
pub const KEY: &str = "svc_live_loja";

const PAYER: &str = "52998224725";

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Station {
    pub receiver: Receiver,
    pub log: Lines,
    clock: Arc<AtomicI64>,
    ledgers: Ledgers,
    service: Option<Service>,
    courier: Option<CourierTask>,
    settings: WebhookSettings,
    limits: Limits,
    target: Target,
    given: Cell<u32>,
    runtime: tokio::runtime::Runtime,
    /// Where its database is, if in a file; it goes last.
    folder: Option<tempfile::TempDir>,
}

pub fn instant(text: &str) -> Instant {
    Instant::parse(text).unwrap()
}

impl Station {
    /// With the account `loja`, whose webhooks go to `/loja`.
    pub fn start() -> Self {
        let station = Self::with(|settings| settings);
        station.listen(KEY, "/loja");
        station
    }

    /// With the account `loja` that nobody listens for.
    pub fn with(change: impl FnOnce(WebhookSettings) -> WebhookSettings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("ledger.db"));
        let mut station = Self::over(target, change);
        station.folder = Some(folder);
        station
    }

    /// The same, in this database.
    pub fn over(target: Target, change: impl FnOnce(WebhookSettings) -> WebhookSettings) -> Self {
        let receiver = Receiver::start();
        let open = |mode| -> Box<dyn Journal> {
            match &target {
                Target::Sqlite(file) => Box::new(SqliteJournal::open(file, "live", mode).unwrap()),
                Target::Postgres(server) => {
                    Box::new(PostgresJournal::open(server, "live", mode).unwrap())
                }
                Target::Memory(_) => panic!("webhooks need tables"),
            }
        };
        let mode =
            OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
        let (journal, mut reading) = (open(mode), open(OpenMode::ReadOnly));
        let mut projector = Projector::open(&mut *reading, "live", &target).unwrap();
        projector.catch_up(&mut *reading).unwrap();
        let engine = Engine::builder("live").follower(projector).start(journal).unwrap();
        let outbox = Outbox::open(&target, reading, "live").unwrap().unwrap();
        let live = OpenLedger::new(Arc::new(engine)).unwrap();
        let memory = MemoryJournal::open(&MemoryDisk::new(), "sandbox", mode).unwrap();
        let sandbox = Engine::builder("sandbox").start(Box::new(memory)).unwrap();
        let sandbox = OpenLedger::new(Arc::new(sandbox)).unwrap();
        let settings = change(WebhookSettings {
            look: Duration::from_millis(5),
            patience: Patience {
                connect: Duration::from_millis(500),
                whole: Duration::from_millis(500),
            },
            receiver: Some(format!("http://{}", receiver.address).parse().unwrap()),
            ..WebhookSettings::default()
        });
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).enable_all().build().unwrap();
        let mut station = Self {
            receiver,
            log: Lines::default(),
            clock: Arc::new(AtomicI64::new(instant(NOON).micros())),
            ledgers: Ledgers::new(live.with_outbox(outbox), sandbox),
            service: None,
            courier: None,
            settings,
            limits: Limits::default(),
            target,
            given: Cell::new(0),
            runtime,
            folder: None,
        };
        station.begin();
        station.open_account("loja", KEY);
        station
    }

    /// Begins service and courier anew, as another process would.
    pub fn begin(&mut self) {
        let clock = Arc::clone(&self.clock);
        let now = move || Instant::from_micros(clock.load(Ordering::SeqCst)).unwrap();
        let webhooks = Webhooks::open(&self.target, self.settings.clone()).unwrap();
        let service = Service::builder(self.ledgers.clone())
            .clock(now)
            .webhooks(webhooks)
            .operators(Operators::kept_in(self.target.clone()))
            .limits(self.limits.clone())
            .access_log(LineLog::new(LineFormat::Json, self.log.clone()))
            .build()
            .unwrap();
        self.courier = CourierTask::start(&service).unwrap();
        assert!(self.courier.is_some());
        self.service = Some(service);
    }

    /// Begins anew with these limits.
    pub fn limited(&mut self, limits: Limits) {
        self.end();
        self.limits = limits;
        self.begin();
    }

    /// Ends the courier, and waits for what is under way.
    pub fn end(&mut self) {
        if let Some(courier) = self.courier.take() {
            courier.stop();
        }
        self.service = None;
    }

    /// Erases where webhooks of a path go.
    pub fn forget(&self, path: &str) {
        self.erase_text(&format!("https://loja.example{path}"));
    }

    /// Erases a text, letter by letter.
    pub fn erase_text(&self, text: &str) {
        let text = Person::default().text(text);
        let erased =
            self.ledgers.for_environment(Environment::Live).engine().erase(text).wait().unwrap();
        assert_eq!(erased.len(), 1);
    }

    /// Ends the courier alone.
    pub fn rest(&mut self) {
        self.courier.take().expect("it runs").stop();
    }

    pub fn service(&self) -> &Service {
        self.service.as_ref().unwrap()
    }

    pub fn target(&self) -> &Target {
        &self.target
    }

    pub fn now(&self) -> Instant {
        Instant::from_micros(self.clock.load(Ordering::SeqCst)).unwrap()
    }

    pub fn advance(&self, span: Span) {
        self.clock.store(self.now().after(span).micros(), Ordering::SeqCst);
    }

    pub fn open_account(&self, name: &str, key: &str) {
        let terms = json!({ "sem_retencao": true, "liberacao": "imediata", "carencia_horas": 0 });
        let body = json!({ "id": format!("a-{name}"), "account": name, "terms": terms });
        self.fact("account.opened", &body, json!({ "key": key }));
    }

    /// Sets where webhooks of a key go: a path of the receiver. Gives what the answer shows.
    pub fn listen(&self, key: &str, path: &str) -> Value {
        self.set(key, &json!({ "webhook_url": format!("https://loja.example{path}") }))
    }

    pub fn set(&self, key: &str, body: &Value) -> Value {
        let (status, answer) = self.ask("PATCH", "/keys/me", key, Some(body));
        assert_eq!(status, 200, "{answer}");
        answer
    }

    /// Asks the service.
    pub fn ask(&self, method: &str, path: &str, key: &str, body: Option<&Value>) -> (u16, Value) {
        let (head, body) = self.answer(method, path, key, body);
        (head.status.as_u16(), body)
    }

    /// The same, with the head of the answer.
    pub fn answer(
        &self,
        method: &str,
        path: &str,
        key: &str,
        body: Option<&Value>,
    ) -> (Head, Value) {
        let mut request = Request::builder().method(method).uri(path).header("x-api-key", key);
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let request = request.body(body).unwrap();
        self.runtime.block_on(async {
            let answer = router(self.service()).oneshot(request).await.unwrap();
            let (head, body) = answer.into_parts();
            let bytes = to_bytes(body, 1_000_000).await.unwrap();
            (head, serde_json::from_slice(&bytes).unwrap_or_default())
        })
    }

    /// Asks the ledger past the service, with what a provider would supply.
    pub fn call(&self, ask: CallKind, body: &Value, supplied: Value) -> Response {
        let (at, origin) = (self.now(), Origin::Call);
        let call = Call { at, origin, ask, body: body.clone(), supplied, ip: None };
        let ledger = self.ledgers.for_environment(Environment::Live);
        let outcome = self.runtime.block_on(ledger.handle(call, at)).unwrap();
        assert_eq!(outcome.response.status, 200, "{:?}", outcome.response);
        outcome.response
    }

    pub fn fact(&self, name: &str, body: &Value, supplied: Value) {
        let response = self.call(CallKind::Fact(name.to_owned()), body, supplied);
        assert_eq!(response.body["outcome"], "applied", "{:?}", response.body);
    }

    /// A charge of an account that is paid at once: `cashin.paid`, then `cashin.settled`.
    pub fn deposit(&self, key: &str, id: &str) {
        self.deposit_by(PAYER, key, id);
    }

    /// The same, paid by whom no other number means.
    pub fn deposit_of(&self, number: u32, key: &str, id: &str) {
        let mut digits: Vec<u32> =
            format!("{number:09}").bytes().map(|digit| u32::from(digit - b'0')).collect();
        for _ in 0..2 {
            let weights = (2..).zip(digits.iter().rev());
            let sum: u32 = weights.map(|(weight, digit)| weight * digit).sum();
            digits.push(sum * 10 % 11 % 10);
        }
        let payer: String = digits.iter().map(u32::to_string).collect();
        self.deposit_by(&payer, key, id);
    }

    fn deposit_by(&self, payer: &str, key: &str, id: &str) {
        self.given.set(self.given.get() + 1);
        let ask = CallKind::Request {
            method: "POST".to_owned(),
            target: "/cashin/charge".to_owned(),
            key: Some(key.to_owned()),
        };
        let body = json!({ "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": payer,
            "external_id": id });
        let charge = self.call(ask, &body, json!({ "qr_copypaste": "00020126" }));
        let body = json!({ "cashin_id": charge.body["cashin_id"], "amount_cents": 5_000,
            "e2e": format!("E90400888202610201200{:011}", self.given.get()) });
        self.fact("pix.received", &body, Value::Null);
    }

    /// Waits until something is so.
    pub fn until<T>(&self, what: &str, mut found: impl FnMut() -> Option<T>) -> T {
        let began = Clock::now();
        loop {
            if let Some(found) = found() {
                return found;
            }
            if PATIENCE <= began.elapsed() {
                let seen = self.receiver.seen();
                let seen: Vec<_> = seen.iter().map(|seen| (&seen.path, seen.topic())).collect();
                panic!("waited for {what} in vain: {seen:?}");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Returns what the engine of real money has done.
    pub fn counters(&self) -> ledger_store::engine::Counters {
        self.ledgers.for_environment(Environment::Live).engine().counters()
    }

    /// Waits until so many webhooks have come to a path.
    pub fn arrived(&self, path: &str, count: usize) -> Vec<crate::receiver::Seen> {
        self.until(&format!("{count} webhooks on {path}"), || {
            let seen = self.receiver.seen_on(path);
            (count <= seen.len()).then_some(seen)
        })
    }

    /// The courier has looked several times, and nothing else has come to a path.
    pub fn nothing_more(&self, path: &str, count: usize) {
        std::thread::sleep(Duration::from_millis(150));
        let seen = self.receiver.seen_on(path);
        assert_eq!(seen.len(), count, "{seen:?}");
    }

    /// The deliveries of an account, as it reads them.
    pub fn deliveries(&self, key: &str) -> Value {
        let (status, answer) = self.ask("GET", "/webhooks/deliveries", key, None);
        assert_eq!(status, 200, "{answer}");
        answer
    }

    /// Waits until the delivery of an event stands so.
    pub fn stands(&self, key: &str, id: &str, status: &str) -> Value {
        self.until(&format!("{id} to be {status}"), || {
            let listed = self.deliveries(key);
            let items = listed["items"].as_array().unwrap().clone();
            items.into_iter().find(|item| item["id"] == id && item["status"] == status)
        })
    }

    /// Waits until nothing waits in the outbox.
    pub fn acknowledged(&self) {
        let mut tables = Tables::open(&self.target, "live").unwrap().unwrap();
        let kind = Some(ledger_store::projection::EntryKind::Notification);
        self.until("the outbox to be empty", || {
            tables.waiting(kind, 10, &Vault::default()).unwrap().is_empty().then_some(())
        });
    }

    /// Asks the console as a browser does, with the cookie of a session: status, where it leads,
    /// the cookie that it sets, and the page.
    pub fn console(&self, path: &str, cookie: &str, form: Option<&str>) -> [String; 4] {
        let method = if form.is_some() { "POST" } else { "GET" };
        let request = Request::builder().method(method).uri(path).header("accept-language", "en");
        let request = request.header("host", "127.0.0.1:8082").header("cookie", cookie);
        let request = request
            .header("origin", "http://127.0.0.1:8082")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from(form.unwrap_or_default().to_owned()))
            .unwrap();
        self.runtime.block_on(async {
            let answer = console_router(self.service(), None).oneshot(request).await.unwrap();
            let (head, body) = answer.into_parts();
            let text = to_bytes(body, 1_000_000).await.unwrap();
            let named = |name| head.headers.get(name).map_or("", |value| value.to_str().unwrap());
            let cookie = named("set-cookie").split(';').next().unwrap_or_default();
            [
                head.status.as_u16().to_string(),
                named("location").to_owned(),
                cookie.to_owned(),
                String::from_utf8(text.to_vec()).unwrap(),
            ]
        })
    }

    pub fn log_text(&self) -> String {
        self.log.text()
    }
}

impl Drop for Station {
    fn drop(&mut self) {
        self.end();
    }
}
