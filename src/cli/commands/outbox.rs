//! `outbox`: what clients are to be notified of and the world is to do, one JSON line each.

use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};
use ledger_core::time::Instant;
use ledger_store::projection::{Acknowledged, Entry, EntryKind, Tables};
use ledger_store::{OpenMode, Vault};
use serde_json::{Value, json};

use crate::Failure;
use crate::store::{self, Store, StoreFirst};

/// The end of the command's help.
pub const HELP: &str = "Only the first of each operation is shown, since the others are sent after \
    it; `waiting_behind` counts them, and --all shows them. The body of `pix.send` shows the key \
    masked, as every text that may be logged: the service that sends it opens the tables by the \
    library, whose entries name the token of the key, and asks the vault for it.\n\nExamples:\n  \
    custody-ledger outbox ledger.db --only instructions\n  custody-ledger outbox ledger.db --ack ID";

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    store: StoreFirst,
    /// Where the tables are that `project` filled; absent: with the ledgers.
    #[arg(long, value_name = "STORE")]
    tables: Option<String>,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// Acknowledges what was sent, by its id; it is never shown again.
    #[arg(long, value_name = "ID")]
    ack: Vec<String>,
    /// Removes what was acknowledged of records up to this one, as far as nothing pending is
    /// before.
    #[arg(long, value_name = "RECORD", conflicts_with = "ack")]
    prune: Option<u64>,
    /// Shows only notices, or only instructions.
    #[arg(long)]
    only: Option<Only>,
    /// Shows those too that wait behind the first one of their operation; they are sent after it.
    #[arg(long)]
    all: bool,
    /// How many are shown at most.
    #[arg(long, default_value_t = 100)]
    limit: usize,
}

#[derive(Clone, Copy, ValueEnum)]
enum Only {
    /// What clients are notified of.
    Notices,
    /// What the world is asked to do.
    Instructions,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let environment = store::environment(&options.environment)?;
    let target = Store::target_of(options.tables.as_deref().unwrap_or(options.store.name()))?;
    let writes = !options.ack.is_empty() || options.prune.is_some();
    let open = if writes { Tables::open_writing } else { Tables::open };
    let mut tables = open(&target, environment.name())?.ok_or_else(|| {
        let (name, place) =
            (environment.name(), options.tables.as_deref().unwrap_or(options.store.name()));
        Failure::new(format!("{place} holds no tables of ledger {name}: `project` makes them"))
    })?;
    let mut out = std::io::stdout().lock();
    if let Some(seq) = options.prune {
        writeln!(out, "{}", json!({ "pruned": tables.prune(seq)? }))?;
    } else if writes {
        for id in &options.ack {
            let done = match tables.acknowledge(id, now()?)? {
                Acknowledged::Now => "now",
                Acknowledged::Before => "before",
            };
            writeln!(out, "{}", json!({ "id": id, "acknowledged": done }))?;
        }
    } else {
        let mut journal =
            Store::parse(options.store.name())?.open(environment, OpenMode::ReadOnly)?;
        let vault = Vault::open(&mut *journal)?;
        let kind = options.only.map(|only| match only {
            Only::Notices => EntryKind::Notification,
            Only::Instructions => EntryKind::Instruction,
        });
        let entries = if options.all {
            tables.waiting(kind, options.limit, &vault)?
        } else {
            tables.pending(kind, options.limit, &vault)?
        };
        for entry in entries {
            writeln!(out, "{}", line(&entry))?;
        }
    }
    Ok(out.flush()?)
}

fn line(entry: &Entry) -> Value {
    json!({
        "id": entry.id,
        "kind": match entry.kind {
            EntryKind::Notification => "notice",
            EntryKind::Instruction => "instruction",
        },
        "topic": entry.topic,
        "operation": entry.operation,
        "idempotency_key": entry.idempotency_key,
        "seq": entry.seq,
        "recorded_at": entry.recorded_at,
        "waiting_behind": entry.behind,
        "body": entry.body,
    })
}

/// The present, which only the program asks for.
pub fn now() -> Result<Instant, Failure> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    let micros = since.and_then(|since| i64::try_from(since.as_micros()).ok());
    let now = micros.and_then(Instant::from_micros);
    now.ok_or_else(|| Failure::new("the system's clock shows no instant of the years 1970 to 9999"))
}
