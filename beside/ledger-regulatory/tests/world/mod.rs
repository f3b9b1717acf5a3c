//! A ledger that is told lines one by one, in memory.

use ledger_core::contract::Line;
use ledger_core::ledger::Origin;
use ledger_store::engine::Engine;
use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
use serde_json::Value;

/// The name of the ledger.
pub const NAME: &str = "live";

/// A ledger in memory.
pub struct World {
    disk: MemoryDisk,
    engine: Option<Engine>,
}

impl World {
    pub fn new() -> Self {
        let disk = MemoryDisk::new();
        let journal = MemoryJournal::open(&disk, NAME, OpenMode::create()).unwrap();
        let engine = Engine::start(Box::new(journal), NAME, |_, _| ()).unwrap();
        Self { disk, engine: Some(engine) }
    }

    /// Runs a line and returns the answer's body, which is no refusal.
    pub fn run(&self, line: &str) -> Value {
        let read = Line::parse(line, |label| Ok(label.to_owned())).unwrap();
        let engine = self.engine.as_ref().unwrap();
        let answer = engine.call(read.call(Origin::Call)).wait().unwrap();
        assert!(answer.status < 300, "{line}: {}", answer.body);
        answer.body.into()
    }

    /// Stops the ledger and returns its journal for reading.
    pub fn journal(&mut self) -> MemoryJournal {
        if let Some(engine) = self.engine.take() {
            engine.stop().unwrap();
        }
        MemoryJournal::open(&self.disk, NAME, OpenMode::ReadOnly).unwrap()
    }
}

/// A small November: a float, a deposit of a hundred reais with its fee, a transfer of ten, money
/// that matched nothing, and a hundred USDT of the house with a price.
pub fn november() -> World {
    let world = World::new();
    world.run(
        r#"{"at":"2026-11-02T12:00:00Z","fact":"account.opened","body":{"id":"a-1","account":"loja","terms":{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0}},"supplied":{"key":"svc_live_loja"}}"#,
    );
    world.run(
        r#"{"at":"2026-11-02T12:01:00Z","fact":"treasury.moved","body":{"id":"float-1","from":"equity.funding","to":"prov.pay","amount_cents":100000}}"#,
    );
    world.run(
        r#"{"at":"2026-11-02T12:02:00Z","fact":"markets.updated","body":{"id":"mk-1","items":[{"asset":"usdt","network":"polygon","path":"FAST"}]}}"#,
    );
    world.run(
        r#"{"at":"2026-11-02T12:03:00Z","fact":"treasury.moved","body":{"id":"stock-1","from":"equity.funding","to":"treas","asset":"usdt","chain":"polygon","amount":"100"}}"#,
    );
    world.run(
        r#"{"at":"2026-11-02T12:04:00Z","fact":"rate.quoted","body":{"id":"rate-1","asset":"usdt","brl_per_unit":"5.40","source":"exchange"}}"#,
    );
    let charge = world.run(
        r#"{"at":"2026-11-03T12:00:00Z","key":"svc_live_loja","request":"POST /cashin/charge","body":{"amount_cents":10000,"destino":"saldo","customer_ref":"ana","payer_tax_number":"52998224725","external_id":"v-1"},"supplied":{"qr_copypaste":"code"}}"#,
    );
    let charge = charge["cashin_id"].as_str().unwrap();
    world.run(&format!(
        r#"{{"at":"2026-11-03T12:01:00Z","fact":"pix.received","body":{{"cashin_id":"{charge}","e2e":"E904008882026110312010000000001e","amount_cents":10000}}}}"#
    ));
    world.run(
        r#"{"at":"2026-11-04T12:00:00Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{"from_customer_ref":"ana","to_customer_ref":"casa","amount_cents":1000,"external_id":"t-1"}}"#,
    );
    world.run(
        r#"{"at":"2026-11-05T12:00:00Z","fact":"pix.received","body":{"cashin_id":"ci_none","e2e":"E904008882026110512000000000002e","amount_cents":700}}"#,
    );
    world.run(r#"{"at":"2026-12-01T12:00:00Z","fact":"time.passed"}"#);
    world
}
