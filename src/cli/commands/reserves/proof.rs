//! `reserves proof`: one holder's way to the sums of a file.

use std::path::PathBuf;

use clap::Args;
use ledger_core::contract::Environment;
use ledger_reserves::{Holder, HolderProof, ReservesFile, Trees};

use super::{file, ledger_at};
use crate::checkpoints::is_of;
use crate::store::{Store, StoreOption};
use crate::{Failure, whole_file};

#[derive(Args)]
pub struct Options {
    /// The file of reserves.
    file: PathBuf,
    #[command(flatten)]
    store: StoreOption,
    /// The API account's name; alone it is the house of the account.
    #[arg(long, required_unless_present = "operation")]
    account: Option<String>,
    /// The subaccount's name; absent: the house of the account.
    #[arg(long, requires = "account")]
    customer: Option<String>,
    /// An operation's id instead: what is in flight, deposited or due for it.
    #[arg(long, value_name = "ID", conflicts_with = "account")]
    operation: Option<String>,
    /// The file to write; absent: standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let file = file(&options.file)?;
    let trees = options.trees(&file)?;
    let holder = match (&options.account, &options.operation) {
        (Some(account), _) => Holder::subaccount(account, options.customer.as_deref()),
        (None, operation) => Holder::operation(operation.as_deref().unwrap_or_default()),
    };
    let proof = HolderProof::new(&trees, &file, |known| known.is_of(&holder));
    let proof = proof.ok_or_else(|| {
        let (named, record) = (holder.0.join(" "), file.record);
        Failure::new(format!("nothing was kept for {named} at record {record}"))
    })?;
    if let Err(refused) = proof.check(&file) {
        let name = format!("{}: the store is not what it was made of", options.file.display());
        return Err(Failure::because(&name, &refused));
    }
    whole_file::text(options.out.as_deref(), &proof.text())
}

impl Options {
    /// The trees of the file, made again of the store.
    fn trees(&self, file: &ReservesFile) -> Result<Trees, Failure> {
        let of = Environment::ALL.into_iter().find(|of| is_of(&file.origin, of.name()));
        let of =
            of.ok_or_else(|| Failure::new(format!("{}: no ledger of a store", file.origin)))?;
        let store = Store::parse(self.store.name())?;
        let (then, vault_key) = ledger_at(&store, of, file.record)?;
        Ok(Trees::read(&then, &vault_key, &file.statements, file.least_leaves())?)
    }
}
