//! Loyalty points in a unit of their own: given to a customer, and spent as money.
//!
//! Points are no centavos. An entry that gives or takes them moves their worth in reais as well,
//! and balances in each of the two.
//!
//! ```console
//! $ cargo run --example points
//! ```

use custody_ledger::fact::account::{AccountOpened, AccountTerms};
use custody_ledger::fact::product::{
    EntryLeg, EntryLegOf, EntryPosted, ProductAccountDeclared,
    ProductAccountDeclaredClass as Class, ProductUnit,
};
use custody_ledger::prelude::*;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::value::{DecidedBy, Text};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let shop = Shop::open()?;
    // 100 points cost the shop 2.00, which it puts aside for them.
    println!("given: {}", shop.give("given-1", "ana", 100, 200)?);
    // Ana takes 75 of them as 1.50; what she does not have is set aside.
    println!("spent-1: {}", shop.spend("spent-1", "ana", 75, 150)?);
    println!("spent-2: {}", shop.spend("spent-2", "ana", 75, 150)?);
    // Points alone are not paid in centavos.
    let mixed =
        vec![points("ana")?.debit(Amount::new(25)?), money("ana")?.credit(Amount::new(25)?)];
    println!("mixed: {}", shop.post("mixed-1", mixed).unwrap_err());
    println!("available: {}", shop.available("ana")?);
    shop.ledger.shutdown()?;
    Ok(())
}

/// A shop with a programme of points.
struct Shop {
    ledger: Ledger,
    client: Client,
}

impl Shop {
    fn open() -> Result<Self, Failure> {
        let ledger = Ledger::builder("memory:").tick(None).open().wait()?;
        let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
        let opened = opened.terms(AccountTerms::immediate()).key("svc_live_loja".try_into()?);
        ledger.report(&opened).wait()?.ensure_applied()?;

        let declare = |name: &str, class| {
            Ok::<_, Failure>(ProductAccountDeclared::new(
                name.parse()?,
                name.parse()?,
                class,
                by()?,
            ))
        };
        let unit = ProductUnit::new("pontos".parse()?, 0);
        for account in [
            // Points are owed to each customer, against those that were issued.
            declare("pontos", Class::Liability)?.per_customer(true).unit(unit.clone()),
            declare("pontos.emitidos", Class::Asset)?.unit(unit),
            // Their worth in reais is spent when they are given, and put aside until they are taken.
            declare("custo.pontos", Class::Expense)?,
            declare("provisao.pontos", Class::Liability)?,
        ] {
            ledger.report(&account).wait()?.ensure_applied()?;
        }
        let client = ledger.client(ApiKey::new("svc_live_loja")?);
        Ok(Self { ledger, client })
    }

    /// Gives a customer points, and puts aside what they are worth.
    fn give(&self, id: &str, customer: &str, given: i64, cents: i64) -> Result<String, Failure> {
        let (given, worth) = (Amount::new(given)?, Amount::new(cents)?);
        let legs = vec![
            issued()?.debit(given),
            points(customer)?.credit(given),
            own("custo.pontos")?.debit(worth),
            own("provisao.pontos")?.credit(worth),
        ];
        self.post(id, legs)
    }

    /// Takes points of a customer, and pays what was put aside for them.
    fn spend(&self, id: &str, customer: &str, spent: i64, cents: i64) -> Result<String, Failure> {
        let (spent, worth) = (Amount::new(spent)?, Amount::new(cents)?);
        let legs = vec![
            points(customer)?.debit(spent),
            issued()?.credit(spent),
            own("provisao.pontos")?.debit(worth),
            money(customer)?.credit(worth),
        ];
        self.post(id, legs)
    }

    fn post(&self, id: &str, legs: Vec<EntryLeg>) -> Result<String, Failure> {
        let posted = EntryPosted::new(FactId::new(id)?, legs, by()?);
        let reported = self.ledger.report(&posted).wait()?;
        Ok(format!("{:?}", reported.outcome))
    }

    fn available(&self, customer: &str) -> Result<i64, Failure> {
        let asked = GetBalance::new(Party::customer(customer)?);
        Ok(self.client.ask(&asked).wait()?.answer.available.cents())
    }
}

fn by() -> Result<DecidedBy, Failure> {
    Ok(DecidedBy::new("programa de pontos", "regra 1")?)
}

fn own(name: &str) -> Result<EntryLeg, Failure> {
    Ok(EntryLeg::new(Text::new(name)?))
}

fn issued() -> Result<EntryLeg, Failure> {
    own("pontos.emitidos")
}

fn points(customer: &str) -> Result<EntryLeg, Failure> {
    Ok(own("pontos")?.of(holder(customer)?))
}

fn money(customer: &str) -> Result<EntryLeg, Failure> {
    Ok(own("cust.avail")?.of(holder(customer)?))
}

fn holder(customer: &str) -> Result<EntryLegOf, Failure> {
    Ok(EntryLegOf::new(AccountName::new("loja")?, Party::customer(customer)?))
}
