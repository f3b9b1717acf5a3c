//! A service with everything that somebody may ask for, and those who ask.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use ledger_core::time::Instant;
use ledger_http::courier::{CourierTask, WebhookSettings, Webhooks};
use ledger_http::documents::Config;
use ledger_http::operators::{Operators, Role};
use ledger_http::panel::settings::PanelSettings;
use ledger_http::panel::{Panel, PostTask};
use ledger_http::{Ledgers, OpenLedger, Outbox, Service};
use ledger_store::engine::Engine;
use ledger_store::projection::{Projector, TableQueries, Target};
use ledger_store::{MemoryDisk, MemoryJournal, OpenMode, SqliteJournal};
use serde_json::{Value, json};

use super::asking::Session;
use super::callers::{Caller, Listener, token};
use crate::house::{BASE, Codes, House};
use crate::mailbox::Mailbox;

/// The document of whoever pays the charge and is paid the payout.
pub const CPF: &str = "39053344705";
pub const PAYER: &str = "Joana Aparecida Lima";
pub const PIX_KEY: &str = "chave-de-joana@exemplo.com.br";
/// The PIX of a payout that was paid.
const PAID: &str = "E9040088820261120120400000000002";
/// The e-mails by which the two accounts were registered.
pub const PARTNERS_MAIL: &str = "ana@exemplo.com.br";
pub const OTHERS_MAIL: &str = "dona-da-vizinha@exemplo.com.br";

/// A service of two accounts: one is the partner's, and to the other everything has happened.
pub struct Building {
    pub house: House,
    /// What samples call by a name, such as `$payout`.
    pub names: BTreeMap<&'static str, String>,
    /// What each brings, but nobody.
    pub credentials: BTreeMap<Caller, String>,
    /// Of operators and of the partner.
    pub sessions: BTreeMap<Caller, Session>,
    /// The routes of each listener, made once.
    pub routers: BTreeMap<Listener, Router>,
    /// How many requests were sent.
    pub sent: AtomicU32,
    _post: PostTask,
    mailbox: Mailbox,
    _folder: tempfile::TempDir,
}

impl Building {
    pub async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("ledger.db"));
        let mailbox = Mailbox::start();
        let (kept, address) = (target.clone(), mailbox.address);
        let service = tokio::task::spawn_blocking(move || service(&kept, address)).await.unwrap();
        let courier = CourierTask::start(&service).unwrap().unwrap();
        let post = PostTask::start(&service).unwrap().unwrap();
        let tokens = [
            (Caller::Guesser, format!("op_{}", "0".repeat(64))),
            (Caller::Console, token(Caller::Console).expose().to_owned()),
            (Caller::World, token(Caller::World).expose().to_owned()),
            (Caller::Metrics, token(Caller::Metrics).expose().to_owned()),
            (Caller::Replica, token(Caller::Replica).expose().to_owned()),
        ];
        let routers = Listener::ALL.map(|listener| (listener, listener.routes(&service)));
        let mut building = Self {
            routers: routers.into(),
            house: House::over(service),
            names: BTreeMap::new(),
            credentials: tokens.into(),
            sessions: BTreeMap::new(),
            sent: AtomicU32::new(0),
            _post: post,
            mailbox,
            _folder: folder,
        };
        building.register().await;
        building.happen().await;
        building.hire().await;
        building.wait_for_an_event().await;
        tokio::task::spawn_blocking(move || courier.stop()).await.unwrap();
        building
    }

    /// Registers both accounts, and signs the partner in.
    async fn register(&mut self) {
        let body = json!({ "name": "Loja", "email": PARTNERS_MAIL });
        let partner = self.house.send("POST", "/keys", "", &body).await;
        let body = json!({ "name": "Vizinha", "email": OTHERS_MAIL });
        let other = self.house.send("POST", "/keys", "", &body).await;
        let text = |answer: &Value, pointer: &str| {
            answer.pointer(pointer).and_then(Value::as_str).expect("the answer has it").to_owned()
        };
        let monitor = |answer: &Value| {
            text(answer, "/monitor_url").rsplit('/').next().expect("a token").to_owned()
        };
        let key = text(&other, "/api_key");
        let hook = json!({ "webhook_url": "https://vizinha.example/hook" });
        let hook = self.house.send("PATCH", "/keys/me", &key, &hook).await;
        self.names.extend([
            ("mine", text(&partner, "/key/account")),
            ("my_key", text(&partner, "/api_key")),
            ("account", text(&other, "/key/account")),
            ("key", key),
            ("others_monitor", monitor(&other)),
            ("secret", text(&hook, "/webhook_secret")),
        ]);
        self.credentials.insert(Caller::Monitor, monitor(&partner));
        let asked = json!({ "email": PARTNERS_MAIL });
        self.house.send("POST", "/keys/painel-link", "", &asked).await;
        let mail = self.mailbox.mail(0).await;
        let link = mail.split("/painel/enter/").nth(1).expect("the mail has a link");
        let link: String = link.chars().take_while(char::is_ascii_alphanumeric).collect();
        let request = Request::post(format!("/painel/enter/{link}")).header("origin", BASE);
        let request = request.body(Body::empty()).unwrap();
        let entered = self.send(Listener::Clients, request).await;
        self.begin(Caller::Partner, (Listener::Clients, "/painel"), &entered).await;
        let cookies = self.session(Caller::Partner).cookies;
        let (_, session) = cookies.split_once('=').expect("a cookie has a value");
        self.credentials.insert(Caller::Partner, session.to_owned());
    }

    /// Lets things happen to both accounts: charges, payouts, and a PIX in suspense.
    async fn happen(&mut self) {
        let (account, mine) = (self.names["account"].clone(), self.names["mine"].clone());
        let (key, my_key) = (self.names["key"].clone(), self.names["my_key"].clone());
        for (id, to) in [("gift-1", account), ("gift-2", mine)] {
            let gift = json!({ "id": id, "account": to, "effect_cents": 1_000_000,
                "actor": "ines", "reason": "a gift" });
            self.told("", "fee.adjusted", &gift).await;
        }
        let charge = json!({ "amount_cents": 10_000, "destino": "saldo", "payer_tax_number": CPF,
            "payer_name": PAYER, "external_id": "carga-1" });
        let charge = self.house.send("POST", "/cashin/charge", &key, &charge).await;
        self.house.answers.insert("charge".to_owned(), charge);
        for (label, key, cents) in [
            ("my_payout", &my_key, 2_000),
            ("payout", &key, 5_000),
            ("large", &key, 5_100),
            ("sent", &key, 1_000),
        ] {
            let payout = json!({ "amount_cents": cents, "pix_key": PIX_KEY, "tax_number": CPF,
                "external_id": label });
            let payout = self.house.send("POST", "/payouts", key, &payout).await;
            self.house.answers.insert(label.to_owned(), payout);
        }
        let odd = json!({ "cashin_id": "$charge.cashin_id", "amount_cents": 10_001,
            "e2e": "E9040088820261120120400000000001" });
        self.told("waits", "pix.received", &odd).await;
        let paid = json!({ "payout_id": "$sent.payout_id", "e2e": PAID });
        self.told("paid", "payout.paid", &paid).await;
        let answers = &self.house.answers;
        let text = |label: &str, field: &str| answers[label][field].as_str().unwrap().to_owned();
        self.names.extend([
            ("payout", text("payout", "payout_id")),
            ("large", text("large", "payout_id")),
            ("my_payout", text("my_payout", "payout_id")),
            ("suspense", text("waits", "suspense_id")),
            ("e2e", PAID.to_owned()),
            // Not as it would be shown, so that an answer that repeats it shows nobody anything.
            ("document", "390533447-05".to_owned()),
            ("qr", text("charge", "qr_image_url").replace(BASE, "")),
        ]);
        let paid = self.house.ask("/payouts?external_id=sent", &[("x-api-key", &key)]).await.body();
        let receipt = paid["payouts"][0]["receipt_url"].as_str().expect("a receipt");
        self.names.insert("receipt", receipt.replace(BASE, ""));
    }

    /// Plays a fact of the ledger of real money.
    async fn told(&mut self, label: &str, fact: &str, body: &Value) {
        let mut line = json!({ "at": "2026-11-20T12:10:00Z", "fact": fact, "body": body });
        if !label.is_empty() {
            line["as"] = label.into();
        }
        self.house.play(&line.to_string()).await;
    }

    /// Hires an operator of each role, and one more, who proposes what each may decline.
    async fn hire(&mut self) {
        let operators = self.house.service.operators().unwrap().clone();
        let hired = |name: &str, role: Role| operators.add(name, &[role], 5_000, noon()).unwrap();
        for caller in Caller::ALL {
            let Some(role) = caller.role() else { continue };
            let credential = hired(&caller.name(), role);
            self.sign_in(caller, &credential).await;
            self.credentials.insert(caller, credential);
        }
        let eva = hired("eva", Role::DecideAbove);
        for caller in Caller::ALL {
            for way in ["form", "door"] {
                let body = json!({ "id": format!("{way}-{}", caller.name()), "reason": "a courtesy",
                    "account": self.names["account"], "effect_cents": 200_000 });
                let request = Request::post("/decisions/fee.adjusted")
                    .header("content-type", "application/json")
                    .header("authorization", format!("Bearer {eva}"))
                    .body(Body::from(body.to_string()));
                let answer = self.send(Listener::Console, request.unwrap()).await;
                assert_eq!(answer.body()["outcome"], "proposed", "{}", answer.text());
            }
        }
        self.names.insert("evas", eva);
        let world = format!("Bearer {}", token(Caller::World).expose());
        let request = Request::get("/instructions?limit=1").header("authorization", world);
        let given = self.send(Listener::World, request.body(Body::empty()).unwrap()).await.body();
        let first = given["items"][0]["id"].as_str().expect("a payout is to be sent").to_owned();
        self.names.insert("instruction", first);
        for (name, payout) in [("my_record", "my_payout"), ("others_record", "payout")] {
            let page = format!("/live/operations/{}", self.names[payout]);
            let opens = format!("Bearer {}", token(Caller::Console).expose());
            let request = Request::get(page).header("authorization", opens).body(Body::empty());
            let page = self.send(Listener::Console, request.unwrap()).await.text();
            let record = page.split("/records/").nth(1).expect("it leads to its records");
            let record = record.chars().take_while(char::is_ascii_digit).collect();
            self.names.insert(name, record);
        }
    }

    /// Waits until the courier has tried an event of the other account.
    async fn wait_for_an_event(&mut self) {
        let (began, account) = (std::time::Instant::now(), self.names["account"].clone());
        let key = self.names["key"].clone();
        loop {
            let listed =
                self.house.ask("/webhooks/deliveries", &[("x-api-key", &key)]).await.body();
            let tried = listed["items"].as_array().into_iter().flatten();
            let mut tried = tried.filter(|item| item["status"] == "retrying");
            if let Some(event) = tried.next() {
                self.names.insert("event", event["id"].as_str().unwrap().to_owned());
                return;
            }
            assert!(began.elapsed() < Duration::from_secs(20), "nothing for {account}: {listed}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

fn noon() -> Instant {
    Instant::parse("2026-11-20T12:10:00Z").unwrap()
}

/// A service with all that it may have: operators, webhooks, a dashboard, tables to query.
fn service(target: &Target, mail: std::net::SocketAddr) -> Service {
    let Target::Sqlite(file) = target else { panic!("it is a file") };
    let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
    let open = |mode| SqliteJournal::open(file, "live", mode).unwrap();
    let (journal, mut reading) = (open(mode), open(OpenMode::ReadOnly));
    let projector = Projector::open(&mut reading, "live", target).unwrap();
    let engine = Engine::builder("live").follower(projector).start(Box::new(journal)).unwrap();
    let outbox = Outbox::open(target, Box::new(reading), "live").unwrap().unwrap();
    let live = OpenLedger::new(Arc::new(engine)).unwrap().with_outbox(outbox);
    let memory = MemoryJournal::open(&MemoryDisk::new(), "sandbox", mode).unwrap();
    let sandbox = Engine::builder("sandbox").start(Box::new(memory)).unwrap();
    let sandbox = OpenLedger::new(Arc::new(sandbox)).unwrap();
    // Nobody listens there, so each event is tried and waits to be tried again.
    let receiver = Some("http://127.0.0.1:9".parse().unwrap());
    let webhooks = WebhookSettings { receiver, ..WebhookSettings::default() };
    let from = "Painel <painel@example.com>".parse().unwrap();
    let panel = PanelSettings::new(format!("smtp://{mail}").parse().unwrap(), from);
    Service::builder(Ledgers::new(live, sandbox))
        .documents(Config::at(BASE))
        .supply(Codes)
        .clock(noon)
        .operators(Operators::kept_in(target.clone()))
        .second_operator([("fee.adjusted".to_owned(), 100_000)])
        .webhooks(Webhooks::open(target, webhooks).unwrap())
        .panel(Panel::open(target, panel).unwrap())
        .table_queries(TableQueries::new(target.clone()))
        .metrics_token(token(Caller::Metrics))
        .build()
        .unwrap()
}
