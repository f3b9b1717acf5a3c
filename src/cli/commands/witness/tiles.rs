//! `witness tiles`: the tree over a ledger's records as static files.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use ledger_store::OpenMode;
use ledger_witness::tiles::export;

use crate::Failure;
use crate::checkpoints::tree;
use crate::store::{self, Store, StoreFirst};

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    store: StoreFirst,
    /// The folder of the tiles; what stands there is gone on from.
    #[arg(long, value_name = "FOLDER")]
    to: PathBuf,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// The checkpoints that `run` or `serve` wrote. Absent: those in the store.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// The folder of the trees over the records; for a file: beside it.
    #[arg(long, value_name = "FOLDER")]
    trees: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let store = Store::parse(options.store.name())?;
    let environment = store::environment(&options.environment)?;
    let file = options.checkpoint.as_deref();
    let mut checkpoints = super::checkpoints(&store, file, environment)?;
    let Some(last) = checkpoints.last_mut() else { return Ok(()) };
    super::add_cosignatures(super::table_to_read(&store)?.as_mut(), last)?;
    let mut journal = store.open(environment, OpenMode::ReadOnly)?;
    let mut tree = tree(&store, options.trees.as_deref(), environment)?;
    tree.follow(&mut *journal, environment.name())?;
    let (head, note) = last;
    if tree.size() < head.size {
        let (ends, size) = (tree.size(), head.size);
        return Err(Failure::new(format!("the ledger ends at record {ends}, and signed {size}")));
    }
    let count = export(&mut tree, note, &options.to)?;
    let place = options.to.display();
    writeln!(
        std::io::stdout(),
        "{} at {} records: {count} tiles in {place}",
        head.origin,
        head.size
    )?;
    Ok(())
}
