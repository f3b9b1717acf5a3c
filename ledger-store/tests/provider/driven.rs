//! A ledger in a file, with money to send, and a driver over it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant as Moment};

use ledger_core::contract::{Call, CallKind, Line, Response};
use ledger_core::id::OpId;
use ledger_core::ledger::{Machine, Origin, invariants};
use ledger_core::machine::payout;
use ledger_core::time::Instant;
use ledger_store::clock::{Clock, ManualClock};
use ledger_store::engine::{Engine, EngineBuilder};
use ledger_store::projection::{Entry, EntryKind, Tables, Target};
use ledger_store::provider::{
    BackOff, Driver, DriverBuilder, Instructions, InstructionsFailed, Supplier,
};
use ledger_store::{OpenMode, SqliteJournal, Vault};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::world::World;

const NOW: &str = "2026-11-20T12:00:00Z";
const CPF: &str = "52998224725";
const WALLET: &str = "0x52908400098527886e0f7030069857d2e4169ee7";

pub struct Stage {
    directory: TempDir,
    engine: Arc<Engine>,
    clock: Arc<ManualClock>,
}

/// Another process, which may take the ledger over.
pub struct Hostage(PathBuf);

impl Hostage {
    pub fn take_over(self) {
        drop(started(Engine::builder("live").take_over(), &self.0));
    }
}

fn start(file: &PathBuf) -> Engine {
    started(Engine::builder("live"), file)
}

fn started(builder: EngineBuilder<'_>, file: &PathBuf) -> Engine {
    let journal = SqliteJournal::open(file, "live", OpenMode::create()).unwrap();
    builder.outbox(Target::Sqlite(file.clone())).start(Box::new(journal)).unwrap()
}

impl Stage {
    pub fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let engine = Arc::new(start(&directory.path().join("ledger.db")));
        let clock = Arc::new(ManualClock::at(NOW).unwrap());
        let stage = Self { directory, engine, clock };
        stage.line(&json!({ "at": NOW, "fact": "account.opened",
            "body": { "id": "a-1", "account": "loja", "terms": { "carencia_horas": 0 } },
            "supplied": { "key": "svc_live_loja" } }));
        let by = json!({ "actor": "bia", "reason": "a gift", "evidence": "case-1" });
        let gift = json!({ "id": "a-2", "account": "loja", "effect_cents": 100_000 });
        stage.fact("fee.adjusted", &gift, &by);
        let items = json!([{ "asset": "usdt", "chain": "polygon", "rail": "instant",
                             "minBuyAmount": "5", "eta": "1 min", "etaSeconds": 60 }]);
        stage.fact("catalog.updated", &json!({ "id": "cat-1", "items": items }), &json!({}));
        let rate = json!({ "id": "r-1", "asset": "usdt", "brl_per_unit": "5.40", "source": "x" });
        stage.fact("rate.quoted", &rate, &json!({}));
        stage
    }

    /// Another process goes on with the same file.
    pub fn reopen(&mut self) {
        let _ = self.engine.stop();
        self.engine = Arc::new(start(&self.file()));
    }

    fn file(&self) -> PathBuf {
        self.directory.path().join("ledger.db")
    }

    pub fn engine(&self) -> Arc<Engine> {
        Arc::clone(&self.engine)
    }

    pub fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock) as Arc<dyn Clock>
    }

    pub fn hostage(&self) -> Hostage {
        Hostage(self.file())
    }

    pub fn outbox(&self) -> Tables {
        let target = Target::Sqlite(self.file());
        Tables::open_writing(&target, "live").unwrap().unwrap()
    }

    pub fn deaf_outbox(&self) -> impl Instructions + 'static {
        Deaf(self.outbox())
    }

    pub fn builder(world: &Arc<World>) -> DriverBuilder {
        let soon = Duration::from_millis(20);
        let builder = Driver::builder(Arc::clone(world) as Arc<_>);
        let back_off = BackOff { first: soon, most: Duration::from_millis(200) };
        builder.every(soon).poll_every(soon).back_off(back_off)
    }

    pub fn drive(&self, world: &Arc<World>) -> Driver {
        Self::builder(world).start(&self.engine, self.clock(), self.outbox())
    }

    pub fn supplier(world: &Arc<World>) -> Supplier {
        Supplier::new(Arc::clone(world) as Arc<_>)
    }

    /// How many instructions are not acknowledged, of all that were decided so far.
    pub fn pending(&self) -> usize {
        let progress = self.engine.outbox().unwrap();
        assert!(progress.settle(Duration::from_secs(30)), "the outbox came to stand");
        let journal = SqliteJournal::open(self.file(), "live", OpenMode::ReadOnly);
        let vault = Vault::open(&mut journal.unwrap()).unwrap();
        let kind = Some(EntryKind::Instruction);
        self.outbox().waiting(kind, 1_000, &vault).unwrap().len()
    }

    fn line(&self, line: &Value) -> Response {
        let line = Line::parse(&line.to_string(), |_| unreachable!("no labels here")).unwrap();
        self.engine.call(line.call(Origin::Call)).wait().unwrap()
    }

    pub fn fact(&self, name: &str, body: &Value, more: &Value) {
        self.fact_comes_to("applied", name, body, more);
    }

    pub fn fact_comes_to(&self, outcome: &str, name: &str, body: &Value, more: &Value) {
        let mut body = body.clone();
        for (field, value) in more.as_object().unwrap() {
            body[field] = value.clone();
        }
        let answer = self.line(&json!({ "at": NOW, "fact": name, "body": body }));
        assert_eq!(answer.body["outcome"], outcome, "{name}: {}", answer.body);
    }

    pub fn request(key: &str, request: &str, body: Value) -> Call {
        let (method, target) = request.split_once(' ').unwrap();
        let (method, target) = (method.to_owned(), target.to_owned());
        let ask = CallKind::Request { method, target, key: Some(key.to_owned()) };
        let (at, origin) = (Instant::parse(NOW).unwrap(), Origin::Call);
        Call { at, origin, ask, body, supplied: Value::Null, ip: None }
    }

    fn ask(&self, request: &str, body: Value) -> Value {
        let answer =
            self.engine.call(Self::request("svc_live_loja", request, body)).wait().unwrap();
        assert!(answer.status < 300, "{request}: {}", answer.body);
        answer.body.into()
    }

    pub fn payout(&self, id: &str, cents: i64) -> String {
        let made = self.ask(
            "POST /payouts",
            json!({ "amount_cents": cents, "tax_number": CPF, "external_id": id,
                    "pix_key": "ana@exemplo.com.br" }),
        );
        made["payout_id"].as_str().unwrap().to_owned()
    }

    /// Many payouts, asked for together.
    pub fn payouts(&self, count: usize, cents: i64) -> Vec<String> {
        let ask = |number: usize| {
            let body = json!({ "amount_cents": cents, "tax_number": CPF, "pix_key": CPF,
                               "external_id": format!("many-{number}") });
            self.engine.call(Self::request("svc_live_loja", "POST /payouts", body))
        };
        let tickets: Vec<_> = (0..count).map(ask).collect();
        let made = tickets.into_iter().map(|ticket| ticket.wait().unwrap().body);
        made.map(|body| body["payout_id"].as_str().unwrap().to_owned()).collect()
    }

    pub fn withdraws_crypto(&self, id: &str, cents: i64) -> String {
        let made = self.ask(
            "POST /saldo/sacar-cripto",
            json!({ "amount_cents": cents, "asset": "usdt", "chain": "polygon",
                    "payout_address": WALLET, "tax_number": CPF, "external_id": id }),
        );
        made["cashin_id"].as_str().unwrap().to_owned()
    }

    pub fn payout_status(&self, id: &str) -> String {
        let op = OpId::parse(id, &"live".into()).unwrap();
        let found = self.engine.decide(move |sequencer| sequencer.views().operation(op));
        let Machine::Payout(state) = found.wait().unwrap().unwrap().machine else { unreachable!() };
        let status = match state {
            payout::State::Requested(_) => "requested",
            payout::State::Submitted(_) => "submitted",
            payout::State::Completed(_) => "completed",
            payout::State::Uncertain(_) => "uncertain",
            payout::State::Failed(_) => "failed",
            _ => "something else",
        };
        status.to_owned()
    }

    /// An order to sell what is deposited on this network, its deposit confirmed.
    pub fn sells(&self, network: &str, world: &Arc<World>) -> String {
        let items = json!([{ "asset": "usdt", "network": "polygon", "path": "FAST" },
                           { "asset": "usdt", "network": "arbitrum", "path": "DEX",
                             "eta_minutes": 21 }]);
        self.fact("markets.updated", &json!({ "id": "m-1", "items": items }), &json!({}));
        let terms = json!({ "id": "t-1", "account": "loja", "cashout_fee_bps": 200,
                            "cashout_fee_fixed_cents": 200 });
        self.fact("terms.adopted", &terms, &json!({}));
        let made = self.ask(
            "POST /cash-outs",
            json!({ "asset": "usdt", "network": network, "amount": "20.00",
                    "pix_key": "bia@exemplo.com.br" }),
        );
        let id = made["cashout_id"].as_str().unwrap().to_owned();
        let accept = format!("POST /cash-outs/{id}/accept");
        let mut call = Self::request("svc_live_loja", &accept, Value::Null);
        Self::supplier(world).supply(&self.engine, &mut call).unwrap();
        let accepted = self.engine.call(call).wait().unwrap().body;
        assert_eq!(accepted["deposit_address"].as_str().unwrap().len(), 42, "{accepted}");
        let deposit = json!({ "cashout_id": id, "tx_hash": "0xd1", "asset": "usdt",
                              "network": network, "amount": "20" });
        self.fact("deposit.seen", &deposit, &json!({}));
        let confirmed = json!({ "cashout_id": id, "tx_hash": "0xd1" });
        self.fact("deposit.confirmed", &confirmed, &json!({}));
        id
    }

    /// The seller says where the deposit goes back to, and the refund is let go.
    pub fn returns_to_a_wallet(&self, order: &str) {
        let address = json!({ "refund_address": WALLET });
        self.ask(&format!("POST /cash-outs/{order}/refund-address"), address);
        if self.state(order) != "REFUNDING_CRYPTO" {
            let by = json!({ "actor": "bia", "reason": "the customer asked", "evidence": "c-1" });
            let decided = json!({ "id": "rd-1", "cashout_id": order });
            self.fact("refund.decided", &decided, &by);
        }
    }

    pub fn state(&self, order: &str) -> String {
        let view = self.ask(&format!("GET /cash-outs/{order}"), Value::Null);
        view["state"].as_str().unwrap().to_owned()
    }

    pub fn settlement(&self, id: &str) -> String {
        let view = self.ask(&format!("GET /cashin/{id}/status"), Value::Null);
        view["settlement_status"].as_str().unwrap().to_owned()
    }

    pub fn available(&self) -> i64 {
        self.ask("GET /saldo", Value::Null)["disponivel_cents"].as_i64().unwrap()
    }

    /// Every invariant holds.
    pub fn holds(&self) {
        let checked = self.engine.decide(|sequencer| {
            let ledger = sequencer.ledger();
            invariants::check_all(&ledger.state, &ledger.archive).unwrap();
            invariants::check_statements(&ledger.state, &ledger.archive).unwrap();
        });
        checked.wait().unwrap();
    }
}

/// An outbox that takes no acknowledgement: its process dies before it can.
struct Deaf(Tables);

impl Instructions for Deaf {
    fn pending(&mut self, limit: usize) -> Result<Vec<Entry>, InstructionsFailed> {
        Instructions::pending(&mut self.0, limit)
    }

    fn acknowledge(&mut self, _: &Entry, _: Instant) -> Result<(), InstructionsFailed> {
        Err(InstructionsFailed("the process is gone".into()))
    }
}

/// Waits until it is so.
pub fn until(is_so: impl Fn() -> bool) {
    let begun = Moment::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_mins(1), "it never came to be so");
        std::thread::sleep(Duration::from_millis(20));
    }
}
