//! The ledgers that are served, each with what it keeps besides: nothing, an outbox, or an outbox
//! that webhooks are sent from.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ledger_core::contract::{Call, CallKind};
use ledger_core::id::{Designation, Environment};
use ledger_core::ledger::Origin;
use ledger_http::courier::{WebhookSettings, Webhooks};
use ledger_http::{Ledgers, Limits, OpenLedger, Service, system_clock};
use ledger_store::engine::Engine;
use ledger_store::projection::{MemoryOutboxes, Target};
use ledger_store::{
    Journal, MemoryDisk, MemoryJournal, OpenMode, PostgresJournal, PostgresServer, SqliteJournal,
};
use serde_json::{Value, json};

/// Whose account is asked of.
pub(crate) const KEY: &str = "svc_live_loja";

/// How long a ledger is held, as by the program.
const LEASE: Duration = Duration::from_secs(10);

/// What a service keeps beside its journals.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutboxMode {
    Nothing,
    Outbox,
    /// An outbox, and a courier that sends from it.
    Webhooks,
}

impl OutboxMode {
    pub(crate) const ALL: [Self; 3] = [Self::Nothing, Self::Outbox, Self::Webhooks];

    const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Outbox => "outbox",
            Self::Webhooks => "webhooks",
        }
    }
}

/// Where ledgers are kept.
pub(crate) enum Storage {
    Memory(MemoryDisk, MemoryOutboxes),
    Sqlite(PathBuf),
    Postgres(PostgresServer),
}

impl Storage {
    /// The place that `store` names; each of those that keep something else has a file of its own.
    pub(crate) fn for_store(store: &str, folder: &Path, kept: OutboxMode) -> Self {
        match store {
            "memory" => Self::Memory(MemoryDisk::new(), MemoryOutboxes::default()),
            "sqlite" => Self::Sqlite(folder.join(format!("{}.db", kept.name()))),
            url => Self::Postgres(url.parse().expect("sqlite, memory or the URL of a database")),
        }
    }

    fn journal(&self, name: &str, environment: Environment) -> Box<dyn Journal> {
        let designation = Some(Designation::Chosen(environment));
        let mode = OpenMode::Create { vault_key: None, algorithm: None, designation };
        match self {
            Self::Memory(disk, _) => {
                Box::new(MemoryJournal::open(disk, name, mode).expect("it is new"))
            }
            Self::Sqlite(file) => {
                Box::new(SqliteJournal::open(file, name, mode).expect("it is new"))
            }
            Self::Postgres(server) => {
                Box::new(PostgresJournal::open(server, name, mode).expect("it is new"))
            }
        }
    }

    fn target(&self) -> Target {
        match self {
            Self::Memory(_, outboxes) => Target::Memory(outboxes.clone()),
            Self::Sqlite(file) => Target::Sqlite(file.clone()),
            Self::Postgres(server) => Target::Postgres(server.clone()),
        }
    }
}

/// A service over new ledgers.
pub(crate) struct Served {
    pub(crate) service: Service,
}

impl Served {
    pub(crate) fn open(place: &Storage, kept: OutboxMode) -> Self {
        let open = |environment: Environment| {
            // A database has one ledger of a name.
            let name = format!("{}-{}", kept.name(), environment.name());
            let engine = Engine::builder(&name).lease(LEASE);
            let engine =
                if kept == OutboxMode::Nothing { engine } else { engine.outbox(place.target()) };
            let engine =
                engine.start(place.journal(&name, environment)).expect("a new ledger opens");
            OpenLedger::new(Arc::new(engine)).expect("it has just begun")
        };
        let ledgers = Ledgers::new(open(Environment::Live), open(Environment::Sandbox));
        fund(&ledgers);
        let limits = Limits { per_key: None, per_address: None, ..Limits::default() };
        let builder = Service::builder(ledgers).limits(limits);
        let builder = if kept == OutboxMode::Webhooks {
            let webhooks = Webhooks::open(&place.target(), WebhookSettings::default());
            builder.webhooks(webhooks.expect("its tables are made"))
        } else {
            builder
        };
        Self { service: builder.build().expect("there is randomness") }
    }
}

/// A new account with money to move.
fn fund(ledgers: &Ledgers) {
    let tell = |name: &str, body: Value, supplied: Value| {
        let (ask, origin) = (CallKind::Fact(name.to_owned()), Origin::Call);
        let call = Call { at: system_clock()(), origin, ask, body, supplied, ip: None };
        let answer = ledgers
            .for_environment(Environment::Live)
            .engine()
            .call(call)
            .wait()
            .expect("it answers");
        assert_eq!(answer.status, 200, "{:?}", answer.body);
    };
    let opened = json!({ "id": "a-1", "account": "loja", "terms": { "carencia_horas": 0 } });
    tell("account.opened", opened, json!({ "key": KEY }));
    let gift = json!({ "id": "g-1", "account": "loja", "effect_cents": 90_000_000_000_i64,
        "actor": "bia", "reason": "a gift", "evidence": "case-1" });
    tell("fee.adjusted", gift, Value::Null);
}
