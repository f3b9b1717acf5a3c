//! A property of a service: whatever its customers transfer, no money comes or goes.
//!
//! ```console
//! $ cargo run --example property
//! ```

use custody_ledger::fact::{account::AccountOpened, adjustment::FeeAdjusted};
use custody_ledger::prelude::*;
use custody_ledger::request::{balance::GetBalance, transfer::CreateTransfer};
use custody_ledger::value::DecidedBy;
use proptest::prelude::*;

/// The house, which has some money at first, and two customers.
fn parties() -> [Party; 3] {
    [Party::House, Party::customer("ana").expect("a name"), Party::customer("bia").expect("a name")]
}

fn main() {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) };
    proptest!(config, |(moves in prop::collection::vec((0..3_usize, 0..3_usize, 1..9_000_i64), 1..20))| {
        let (ledger, loja) = shop(10_000).expect("a shop opens");
        for (number, (from, to, cents)) in moves.into_iter().enumerate() {
            let party = |place: usize| parties()[place].clone();
            let id = ExternalId::new(&format!("t-{number}")).expect("an id");
            let amount = Amount::new(cents).expect("above zero");
            // It is done, or refused; either way the sum stands.
            let _ = loja.ask(&CreateTransfer::new(party(from), party(to), amount, id)).wait();
        }
        prop_assert_eq!(sum(&loja).expect("balances are shown"), 10_000);
        ledger.shutdown().expect("it stops");
    });
    println!("64 histories, and the sum stood in each");
}

/// A shop whose house has so many centavos.
fn shop(cents: i64) -> Result<(Ledger, Client), Box<dyn std::error::Error>> {
    let ledger = Ledger::builder("memory:").tick(None).open().wait()?;
    let account = AccountName::new("loja")?;
    let opened = AccountOpened::new(FactId::new("acc-1")?, account.clone());
    ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
    let by = DecidedBy::new("bia", "a gift")?.evidence("case-1")?;
    let gift = FeeAdjusted::new(FactId::new("gift-1")?, account, Party::House, cents, by);
    ledger.report(&gift).wait()?.ensure_applied()?;
    let loja = ledger.client(ApiKey::new("svc_live_loja")?);
    Ok((ledger, loja))
}

fn sum(loja: &Client) -> Result<i64, Box<dyn std::error::Error>> {
    parties().into_iter().try_fold(0, |sum, party| {
        let balance = loja.ask(&GetBalance::new(party)).wait()?.answer;
        Ok(sum + balance.available.cents() + balance.blocked.cents())
    })
}
