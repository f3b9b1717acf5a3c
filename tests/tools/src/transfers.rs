//! A ledger of numbered transfers of one centavo each: what is lost or doubled shows in a balance.

use std::error::Error;

use custody_ledger::fact::account::{AccountOpened, AccountTerms};
use custody_ledger::fact::adjustment::FeeAdjusted;
use custody_ledger::prelude::*;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::value::DecidedBy;
use ledger_store::{Journal, OpenMode, PostgresJournal, SqliteJournal};

/// The key of the account.
pub const KEY: &str = "svc_live_loja";

/// Opens the account of a new ledger, and gives its house something to transfer.
pub fn begin(ledger: &Ledger) -> Result<(), Box<dyn Error>> {
    if ledger.head()?.seq > 0 {
        return Err("the store is not new: its transfers cannot be counted".into());
    }
    let account = AccountName::new("loja")?;
    let opened = AccountOpened::new(FactId::new("acc-1")?, account.clone());
    let opened = opened.terms(AccountTerms::new().waiting_hours(0));
    ledger.report(&opened.key(KEY.try_into()?)).wait()?.ensure_applied()?;
    let decided = DecidedBy::new("bia", "what is transferred")?.evidence("case-1")?;
    let id = FactId::new("fee-1")?;
    let given = FeeAdjusted::new(id, account, Party::House, 1_000_000_000, decided);
    ledger.report(&given).wait()?.ensure_applied()?;
    Ok(())
}

/// A transfer of one centavo, by its number.
pub fn transfer(number: u64) -> Result<CreateTransfer, Box<dyn Error + Send + Sync>> {
    let amount = Amount::new(1)?;
    let id = ExternalId::new(&format!("t-{number}"))?;
    Ok(CreateTransfer::new(Party::House, Party::customer("bruno")?, amount, id))
}

/// Returns what the customer has by all transfers, in centavos.
pub fn received(client: &Client) -> Result<i64, Box<dyn Error>> {
    let balance = client.ask(&GetBalance::new(Party::customer("bruno")?)).wait()?;
    Ok(balance.answer.available.cents())
}

/// The journal of a store, for reading.
pub fn journal(store: &str) -> Result<Box<dyn Journal>, Box<dyn Error>> {
    Ok(match store.strip_prefix("sqlite:") {
        Some(path) => Box::new(SqliteJournal::open(path, "live", OpenMode::ReadOnly)?),
        None => Box::new(PostgresJournal::open(&store.parse()?, "live", OpenMode::ReadOnly)?),
    })
}
