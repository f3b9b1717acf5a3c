//! A service that offers its commits for one test, and what follows it.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ledger_core::contract::{Call, Environment, Line, Response};
use ledger_core::id::Designation;
use ledger_core::ledger::Origin;
use ledger_http::server::{Connections, Running};
use ledger_http::{
    CommitSource, Ledgers, OpenLedger, RemoteJournal, Service, Token, commits_router,
};
use ledger_store::engine::{Engine, Replica};
use ledger_store::{Head, MemoryDisk, MemoryJournal, OpenMode};

use crate::faults::Faults;

/// The ledger of every test.
pub const LIVE: &str = "live";

/// How long a test waits for what must come.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub const OPEN: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"acc","account":"loja","terms":{"liberacao":"imediata","carencia_horas":0}},"supplied":{"key":"svc_live_loja"}}"#;

pub const GIFT: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"fee.adjusted","body":{"id":"gift","account":"loja","effect_cents":900000,"actor":"bia","reason":"a gift","evidence":"case-1"}}"#;

/// The secret of every test.
pub fn secret() -> Token {
    Token::new(&"secret-".repeat(6)).unwrap()
}

pub fn call(text: &str) -> Call {
    let line = Line::parse(text, |name| panic!("no line here is labelled {name}"));
    line.unwrap_or_else(|problem| panic!("{text}: {problem:?}")).call(Origin::Call)
}

pub fn get(key: &str, path: &str) -> Call {
    let at = "2026-11-20T12:00:01Z";
    call(&format!(r#"{{"at":"{at}","key":"{key}","request":"GET {path}"}}"#))
}

/// How a ledger is made: all of one key, so that one can be the older copy of another.
pub fn mode(key: u8, environment: Environment) -> OpenMode {
    let designation = Some(Designation::Chosen(environment));
    OpenMode::Create { vault_key: Some([key; 32]), algorithm: None, designation }
}

/// A service whose commits are offered on a port of its own.
pub struct Writer {
    pub address: SocketAddr,
    pub engine: Arc<Engine>,
    pub service: Service,
    /// Where it is asked, by clients that share their connections.
    pub source: CommitSource,
    running: Option<Running>,
}

impl Writer {
    /// Over ledgers on this disk, on this port of the loopback interface; 0 for any.
    pub fn start(disk: &MemoryDisk, port: u16, faults: &Faults) -> Self {
        Self::of_key(disk, 7, port, faults)
    }

    pub fn of_key(disk: &MemoryDisk, key: u8, port: u16, faults: &Faults) -> Self {
        let open = |environment: Environment| {
            let name = environment.name();
            let journal = MemoryJournal::open(disk, name, mode(key, environment)).unwrap();
            Arc::new(Engine::builder(name).start(Box::new(journal)).unwrap())
        };
        let (engine, sandbox) = (open(Environment::Live), open(Environment::Sandbox));
        let opened = |engine: &Arc<Engine>| OpenLedger::new(Arc::clone(engine)).unwrap();
        let ledgers = Ledgers::new(opened(&engine), opened(&sandbox));
        let service = Service::builder(ledgers).build().unwrap();
        let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let address = listener.local_addr().unwrap();
        let routes = faults.around(commits_router(&service, secret()));
        let ten = Duration::from_secs(10);
        let connections = Connections { most: 64, header_read: ten, drain: ten };
        let running = Running::start(vec![(listener, routes)], connections, Some(2)).unwrap();
        let source = CommitSource::new(&format!("http://{address}/"), secret()).unwrap();
        Self { address, engine, service, source, running: Some(running) }
    }

    pub fn say(&self, line: &str) -> Response {
        let answer = self.engine.call(call(line)).wait().unwrap();
        assert_eq!(answer.status, 200, "{line}: {:?}", answer.body);
        answer
    }

    /// A charge under an `external_id` of this number; the record that it made.
    pub fn charge(&self, number: u64) -> u64 {
        self.say(&format!(
            r#"{{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /cashin/charge","body":{{"amount_cents":{},"destino":"saldo","customer_ref":"c-{number}","payer_tax_number":"52998224725","external_id":"p-{number}"}},"supplied":{{"qr_copypaste":"code"}}}}"#,
            1_000 + number,
        ));
        self.head().seq
    }

    pub fn head(&self) -> Head {
        self.engine.head().unwrap()
    }

    pub fn journal(&self) -> RemoteJournal {
        RemoteJournal::open(&self.source, LIVE).unwrap()
    }

    pub fn replica(&self) -> Replica {
        Replica::builder(LIVE).writer("https://ledger.example").follow(Box::new(self.journal()))
    }

    /// Ends it as a process ends; its port is free again. Says whether all that was asked was
    /// answered.
    pub fn end(mut self) -> bool {
        self.service.close();
        let answered = self.running.take().unwrap().end();
        self.engine.stop().unwrap();
        answered
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.service.close();
        if let Some(running) = self.running.take() {
            let _ = running.end();
        }
    }
}

/// Why a replica ended, once it has.
pub fn ended(replica: &Replica) -> String {
    let said = || replica.fault().map(|fault| format!("{fault:?}")).unwrap_or_default();
    until(|| said().starts_with("Ended"), said);
    replica.fault().unwrap().to_string()
}

/// Waits until it is so.
pub fn until(is_so: impl Fn() -> bool, said: impl Fn() -> String) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "{}", said());
        std::thread::sleep(Duration::from_millis(5));
    }
}
