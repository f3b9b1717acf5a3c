//! A charge is collected, and paid out again: the ledger in a service's hand.
//!
//! ```console
//! $ cargo run --example embed -- ledger.db
//! ```

use custody_ledger::fact::account::{AccountOpened, AccountTerms, AccountTermsRelease};
use custody_ledger::fact::charge::PixReceived;
use custody_ledger::prelude::*;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::request::charge::{CreateCharge, CreateChargeDestination};
use custody_ledger::request::payout::CreatePayout;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("usage: embed FILE")?;
    let ledger = Ledger::open(format!("sqlite:{file}")).await?;
    let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?)
        .terms(AccountTerms::new().waiting_hours(0).release(AccountTermsRelease::Immediate))
        .key("svc_live_loja".try_into()?);
    ledger.report(&opened).await?.ensure_applied()?;

    let loja = ledger.client(ApiKey::new("svc_live_loja")?);
    let (ana, document) = (Party::customer("ana")?, Document::new("52998224725")?);
    let amount = Amount::new(5_000)?;
    let charge = CreateCharge::new(amount, document.clone(), ana.clone(), "charge-1".try_into()?)
        .destination(CreateChargeDestination::Balance)
        .qr_copypaste("what the provider returned".try_into()?);
    let charge = loja.ask(&charge).await?.answer;
    let e2e = EndToEndId::new("E9040088820261120120300123873170")?;
    ledger.report(&PixReceived::new(e2e, amount).charge(charge.id)).await?.ensure_applied()?;
    println!(
        "available: {}",
        loja.ask(&GetBalance::new(ana.clone())).await?.answer.available.cents()
    );

    let key = PixKey::new("ana@example.com")?;
    let amount = Amount::new(1_000)?;
    let payout = CreatePayout::new(amount, ana.clone(), document, key, "payout-1".try_into()?)
        .owner("52998224725".try_into()?);
    match loja.ask(&payout).await {
        Ok(done) => println!("payout {}: {:?}", done.answer.id, done.answer.status),
        Err(Error::Refused(refusal)) => println!("refused: {refusal}"),
        Err(error) => return Err(error.into()),
    }
    tokio::task::spawn_blocking(move || ledger.shutdown()).await??;
    Ok(())
}
