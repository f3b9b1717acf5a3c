//! Loyalty points as accounts of a product's own: given to a customer, and spent as money.
//!
//! ```console
//! $ cargo run --example points
//! ```

use custody_ledger::fact::account::{AccountOpened, AccountTerms, AccountTermsRelease};
use custody_ledger::fact::product::{
    EntryLeg, EntryLegOf, EntryPosted, ProductAccountDeclared, ProductAccountDeclaredClass as Class,
};
use custody_ledger::prelude::*;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::value::{DecidedBy, Text};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ledger = Ledger::builder("memory:").tick(None).open().wait()?;
    let terms = AccountTerms::new().waiting_hours(0).release(AccountTermsRelease::Immediate);
    let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?).terms(terms);
    ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;

    // Points are owed to each customer, and cost the shop their worth when they are given.
    for (id, name, class, each) in [
        ("points", "pontos", Class::Liability, true),
        ("cost", "custo.pontos", Class::Expense, false),
    ] {
        let id = FactId::new(id)?;
        let declared = ProductAccountDeclared::new(id, Text::new(name)?, class, by()?);
        ledger.report(&declared.per_customer(each)).wait()?.ensure_applied()?;
    }

    let given = vec![cost()?.debit(Amount::new(200)?), points("ana")?.credit(Amount::new(200)?)];
    println!("given: {}", post(&ledger, "given-1", given)?);

    // Ana takes 1.50 of them as money; what she does not have is set aside.
    for (id, cents) in [("spent-1", 150), ("spent-2", 150)] {
        let amount = Amount::new(cents)?;
        let spent = vec![points("ana")?.debit(amount), money("ana")?.credit(amount)];
        println!("{id}: {}", post(&ledger, id, spent)?);
    }
    let loja = ledger.client(ApiKey::new("svc_live_loja")?);
    let balance = loja.ask(&GetBalance::new(Party::customer("ana")?)).wait()?.answer;
    println!("available: {}", balance.available.cents());
    ledger.shutdown()?;
    Ok(())
}

fn by() -> Result<DecidedBy, Box<dyn std::error::Error>> {
    Ok(DecidedBy::new("programa de pontos", "regra 1")?)
}

fn cost() -> Result<EntryLeg, Box<dyn std::error::Error>> {
    Ok(EntryLeg::new(Text::new("custo.pontos")?))
}

fn points(customer: &str) -> Result<EntryLeg, Box<dyn std::error::Error>> {
    leg_of("pontos", customer)
}

fn money(customer: &str) -> Result<EntryLeg, Box<dyn std::error::Error>> {
    leg_of("cust.avail", customer)
}

fn leg_of(name: &str, customer: &str) -> Result<EntryLeg, Box<dyn std::error::Error>> {
    let of = EntryLegOf::new(AccountName::new("loja")?, Party::customer(customer)?);
    Ok(EntryLeg::new(Text::new(name)?).of(of))
}

fn post(
    ledger: &Ledger,
    id: &str,
    legs: Vec<EntryLeg>,
) -> Result<String, Box<dyn std::error::Error>> {
    let posted = EntryPosted::new(FactId::new(id)?, legs, by()?);
    let reported = ledger.report(&posted).wait()?;
    Ok(format!("{:?}", reported.outcome))
}
