//! A sale is split among its sellers and the house, and half of it is taken back from them.
//!
//! ```console
//! $ cargo run --example marketplace
//! ```

use custody_ledger::fact::account::AccountOpened;
use custody_ledger::fact::product::{EntryLeg, EntryLegOf, EntryPosted};
use custody_ledger::prelude::*;
use custody_ledger::request::balance::{GetBalance, GetStatement};
use custody_ledger::request::transfer::{CreateTransferGroup, TransferLeg};
use custody_ledger::value::{Bps, DecidedBy};
use custody_ledger::view::Statement;

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let (ledger, loja) = shop(10_000).await?;
    let (ana, bia, eva) =
        (Party::customer("ana")?, Party::customer("bia")?, Party::customer("eva")?);

    // The house keeps 2.5 %; of what is left bia has two parts and eva the rest.
    let sale = CreateTransferGroup::new(
        Amount::new(10_000)?,
        vec![
            TransferLeg::new(ana.clone(), Party::House).rate(Bps::new(250)?),
            TransferLeg::new(ana.clone(), bia.clone()).shares(2),
            TransferLeg::new(ana.clone(), eva.clone()).rest(true),
        ],
        ExternalId::new("sale-1")?,
    );
    let sold = loja.ask(&sale).await?.answer;
    for leg in &sold.legs {
        println!("{} to {}: {}", leg.from, leg.to, leg.amount.cents());
    }

    // Asked again it is the same sale.
    let again = loja.ask(&sale).await?;
    assert!(again.is_repeated() && again.answer.id == sold.id);

    // Half of it goes back: each gives half of what it had, in one transfer.
    let legs: Vec<_> = [(Party::House, 125), (bia.clone(), 3_250), (eva.clone(), 1_625)]
        .into_iter()
        .map(|(from, cents)| Ok(TransferLeg::new(from, ana.clone()).amount(Amount::new(cents)?)))
        .collect::<Result<_, Failure>>()?;
    let back = CreateTransferGroup::new(Amount::new(5_000)?, legs, ExternalId::new("back-1")?);
    loja.ask(&back).await?;

    // More than eva has left takes nothing from bia either, and the refusal names the leg.
    let legs = vec![
        TransferLeg::new(bia.clone(), ana.clone()).amount(Amount::new(1_000)?),
        TransferLeg::new(eva.clone(), ana.clone()).rest(true),
    ];
    let most = CreateTransferGroup::new(Amount::new(3_000)?, legs, ExternalId::new("back-2")?);
    match loja.ask(&most).await {
        Err(Error::Refused(refusal)) => println!("refused: {refusal}"),
        other => panic!("{other:?}"),
    }

    for party in [ana, bia, eva, Party::House] {
        let statement = loja.ask(&GetStatement::new(party.clone())).await?.answer;
        let Statement::Entries(page) = statement else { panic!("{statement:?}") };
        let balance = loja.ask(&GetBalance::new(party)).await?.answer;
        println!("{} centavos after {} rows", balance.available.cents(), page.items.len());
    }
    tokio::task::spawn_blocking(move || ledger.shutdown()).await??;
    Ok(())
}

/// A shop whose buyer ana has so many centavos.
async fn shop(cents: i64) -> Result<(Ledger, Client), Failure> {
    let ledger = Ledger::builder("memory:").tick(None).open().await?;
    let account = AccountName::new("loja")?;
    let opened = AccountOpened::new(FactId::new("acc-1")?, account.clone());
    ledger.report(&opened.key("svc_live_loja".try_into()?)).await?.ensure_applied()?;
    let (amount, by) = (Amount::new(cents)?, DecidedBy::new("bia", "opening balance")?);
    let ana = EntryLegOf::new(account, Party::customer("ana")?);
    let legs = vec![
        EntryLeg::new("equity.funding".parse()?).debit(amount),
        EntryLeg::new("cust.avail".parse()?).of(ana).credit(amount),
    ];
    ledger
        .report(&EntryPosted::new(FactId::new("opening-1")?, legs, by))
        .await?
        .ensure_applied()?;
    let loja = ledger.client(ApiKey::new("svc_live_loja")?);
    Ok((ledger, loja))
}
