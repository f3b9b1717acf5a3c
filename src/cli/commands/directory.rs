//! `directory`: proves the directory of cells of a store, and shows what it holds.

use std::io::Write;

use clap::Args;
use ledger_cells::directory::{DirectoryReplayError, Replayed, replay};
use ledger_core::directory::{Directory, Move, Residence};
use ledger_store::{Head, OpenError, OpenMode};
use serde_json::{Value, json};

use crate::Failure;
use crate::store::{Store, StoreFirst};
use crate::table;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    store: StoreFirst,
    /// Prints a JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let store = Store::parse(options.store.name())?;
    let Some(verified) = verify_directory(&store, &[])? else {
        return Err(Failure::new(format!("{store} holds no directory of cells")));
    };
    let (directory, mut out) = (&verified.directory, std::io::stdout());
    if options.json {
        let mut whole = summary(&verified);
        whole["cells"] = directory
            .cells()
            .map(|cell| {
                json!({"cell": &*cell.name,
            "accounts": cell.accounts})
            })
            .collect();
        whole["accounts"] = directory.accounts().map(account).collect();
        whole["moves"] = directory.moves().map(move_json).collect();
        writeln!(out, "{whole}")?;
        return Ok(());
    }
    writeln!(out, "{}", line(&verified))?;
    let mut cells = table::with_header(["cell", "accounts"]);
    for cell in directory.cells() {
        cells.add_row([cell.name.to_string(), cell.accounts.to_string()]);
    }
    table::align(&mut cells, |place| place == 1);
    let mut accounts = table::with_header(["account", "cell", "lived before in", "moving by"]);
    for residence in directory.accounts() {
        let Residence { account, cell, moving, .. } = residence;
        let moving = moving.as_deref().unwrap_or_default();
        accounts.add_row([&**account, cell, &before(residence).join(", "), moving]);
    }
    let mut moves = table::with_header(["move", "account", "from", "to", "stage"]);
    for Move { id, account, from, to, stage } in directory.moves() {
        moves.add_row([&**id, account, from, to, &stage.to_string()]);
    }
    for shown in [cells, accounts, moves].iter().filter(|shown| !shown.is_empty()) {
        writeln!(out, "{shown}")?;
    }
    Ok(())
}

/// The directory of a store, proved from its first record; none where there is none.
pub fn verify_directory(store: &Store, kept: &[Head]) -> Result<Option<Replayed>, Failure> {
    let mut journal = match store.open_directory(OpenMode::ReadOnly) {
        Ok(journal) => journal,
        Err(OpenError::LedgerUnknown { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    replay(&mut *journal, kept, |_, _| ()).map(Some).map_err(|error| not_verified(&error))
}

/// Returns what a directory comes to, in one line.
pub fn line(verified: &Replayed) -> String {
    let (directory, head) = (&verified.directory, verified.head());
    let Counts { cells, accounts, keys, under_way } = Counts::from_directory(directory);
    format!(
        "Directory of {} cells: {} records, verified; {cells} cells, {accounts} accounts, {keys} \
         keys, {under_way} moves under way\n  head {}:{}",
        directory.environment(),
        head.seq,
        head.seq,
        head.link
    )
}

/// The same as JSON.
pub fn summary(verified: &Replayed) -> Value {
    let (directory, head) = (&verified.directory, verified.head());
    let Counts { cells, accounts, keys, under_way } = Counts::from_directory(directory);
    json!({
        "directory": directory.environment().name(),
        "records": head.seq,
        "head": head.link.to_string(),
        "cell_count": cells,
        "account_count": accounts,
        "key_count": keys,
        "moves_under_way": under_way,
    })
}

/// How many of each a directory holds.
struct Counts {
    cells: usize,
    accounts: usize,
    keys: usize,
    under_way: usize,
}

impl Counts {
    fn from_directory(directory: &Directory) -> Self {
        Self {
            cells: directory.cells().count(),
            accounts: directory.accounts().count(),
            keys: directory.keys(),
            under_way: directory.moves_under_way().count(),
        }
    }
}

fn before(residence: &Residence) -> Vec<&str> {
    residence.before.iter().map(|cell| &**cell).collect()
}

fn account(residence: &Residence) -> Value {
    let Residence { account, cell, moving, .. } = residence;
    json!({"account": &**account, "cell": &**cell, "before": before(residence),
        "moving": moving.as_deref()})
}

fn move_json(known: &Move) -> Value {
    let Move { id, account, from, to, stage } = known;
    json!({"move": &**id, "account": &**account, "from": &**from, "to": &**to,
        "stage": stage.to_string()})
}

fn not_verified(error: &DirectoryReplayError) -> Failure {
    let mut failure = Failure::because("the directory is broken", error);
    if let Some(seq) = error.seq() {
        let place = format!("custody-ledger: broken at record {seq} of the directory");
        failure.lines.insert(0, place);
    }
    failure.lines.push("Directory: NOT verified".to_owned());
    failure
}
