//! A product as data: a sale whose fee and split a template states, proven before it is adopted.
//!
//! ```console
//! $ cargo run --example template
//! ```

use custody_ledger::fact::account::AccountOpened;
use custody_ledger::fact::product::{
    EntryLeg, EntryLegOf, EntryPosted, ProductAccountDeclared,
    ProductAccountDeclaredClass as Class, TemplateAdopted, TemplateAmount, TemplateHolder,
    TemplateLeg, TemplatePosted, TemplateValue,
};
use custody_ledger::prelude::*;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::value::{Cents, DecidedBy, Text};

type Failure = Box<dyn std::error::Error>;

/// The house keeps a rate of the sale, at most 50.00; a tenth waits for claims; the seller has the
/// rest.
const FEE: &str = "min(half_even(price * rate / 10000), 5000)";
const CLAIMS: &str = "down((price - min(half_even(price * rate / 10000), 5000)) / 10)";

fn main() -> Result<(), Failure> {
    let ledger = shop()?;

    // A fee that may be more than the price is refused: the seller's leg could fall below zero.
    let greedy = ledger.report(&sale("tpl-1", "max(half_even(price * rate / 10000), 100)")?).wait();
    match greedy {
        Err(Error::Refused(refusal)) => println!("refused: {refusal}"),
        other => panic!("{other:?}"),
    }
    ledger.report(&sale("tpl-2", FEE)?).wait()?.ensure_applied()?;

    ledger.report(&sold("sale-1", 20_000, 250)?).wait()?.ensure_applied()?;
    // A price outside the template's range is set aside, and nothing moves.
    let dear = ledger.report(&sold("sale-2", 10_000_001, 250)?).wait()?.ensure_applied();
    println!("{}", dear.expect_err("it is outside"));

    let loja = ledger.client(ApiKey::new("svc_live_loja")?);
    for name in ["ana", "bia"] {
        let balance = loja.ask(&GetBalance::new(Party::customer(name)?)).wait()?.answer;
        println!("{name}: {} centavos", balance.available.cents());
    }
    ledger.shutdown()?;
    Ok(())
}

fn by() -> Result<DecidedBy, Failure> {
    Ok(DecidedBy::new("bia", "sales of the marketplace")?)
}

fn sale(id: &str, fee: &str) -> Result<TemplateAdopted, Failure> {
    let amount = |name: &str, from, to| {
        Ok::<_, Failure>(TemplateAmount::new(Text::new(name)?, Cents::new(from)?, Cents::new(to)?))
    };
    let leg = |account: &str| Ok::<_, Failure>(TemplateLeg::new(Text::new(account)?));
    let amounts = vec![amount("price", 1, 10_000_000)?, amount("rate", 0, 1_000)?];
    let legs = vec![
        leg("cust.avail")?.of(Text::new("buyer")?).debit(Text::new("price")?),
        leg("taxas.venda")?.credit(Text::new(fee)?),
        leg("garantia.venda")?.credit(Text::new(CLAIMS)?),
        leg("cust.avail")?.of(Text::new("seller")?).credit(Text::new("rest")?),
    ];
    let holders = vec![Text::new("buyer")?, Text::new("seller")?];
    let adopted = TemplateAdopted::new(FactId::new(id)?, Text::new("sale")?, amounts, legs, by()?);
    Ok(adopted.holders(holders))
}

fn sold(id: &str, price: i64, rate: i64) -> Result<TemplatePosted, Failure> {
    let value = |name: &str, value| {
        Ok::<_, Failure>(TemplateValue::new(Text::new(name)?, Cents::new(value)?))
    };
    let holder = |name: &str, customer: &str| {
        let (account, party) = (AccountName::new("loja")?, Party::customer(customer)?);
        Ok::<_, Failure>(TemplateHolder::new(Text::new(name)?, account, party))
    };
    let amounts = vec![value("price", price)?, value("rate", rate)?];
    let posted = TemplatePosted::new(FactId::new(id)?, Text::new("sale")?, amounts, by()?);
    Ok(posted.holders(vec![holder("buyer", "ana")?, holder("seller", "bia")?]))
}

/// A shop with the accounts of its sales, whose buyer ana has 500.00.
fn shop() -> Result<Ledger, Failure> {
    let ledger = Ledger::builder("memory:").tick(None).open().wait()?;
    let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
    ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
    for (name, class) in [("taxas.venda", Class::Income), ("garantia.venda", Class::Liability)] {
        let (id, name) = (FactId::new(name)?, Text::new(name)?);
        ledger
            .report(&ProductAccountDeclared::new(id, name, class, by()?))
            .wait()?
            .ensure_applied()?;
    }
    let (amount, ana) = (Amount::new(50_000)?, Party::customer("ana")?);
    let legs = vec![
        EntryLeg::new(Text::new("equity.funding")?).debit(amount),
        EntryLeg::new(Text::new("cust.avail")?)
            .of(EntryLegOf::new(AccountName::new("loja")?, ana))
            .credit(amount),
    ];
    ledger
        .report(&EntryPosted::new(FactId::new("opening-1")?, legs, by()?))
        .wait()?
        .ensure_applied()?;
    Ok(ledger)
}
