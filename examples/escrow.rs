//! A buyer's money waits in escrow: captured in parts for the seller and for a fee, and the buyer's
//! again where nobody captures it in time.
//!
//! ```console
//! $ cargo run --example escrow
//! ```

use std::sync::Arc;

use custody_ledger::fact::account::AccountOpened;
use custody_ledger::fact::hold::{
    HoldReleased, ReservationCaptured, ReservationCapturedTo, ReservationMade,
};
use custody_ledger::fact::product::{
    EntryLeg, EntryLegOf, EntryPosted, ProductAccountDeclared, ProductAccountDeclaredClass as Class,
};
use custody_ledger::prelude::*;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::value::{DecidedBy, Span};
use custody_ledger::{FirstOutcome, ManualClock};

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let clock = ManualClock::at("2026-11-20T12:00:00Z").ok_or("an instant")?;
    let shop = Shop::open(Arc::new(clock), 10_000).await?;
    shop.show("at first").await?;

    // 60.00 wait for a sale, for a week at most.
    let sale = shop.reserve("sale-1", 6_000, Span::days(7)).await?;
    shop.show("reserved").await?;

    // A first parcel arrives: the seller has 40.00 of it, and the house a fee of 2.00.
    shop.capture("parcel-1", &sale, 4_000, to_seller()?).await?;
    shop.capture("fee-1", &sale, 200, to_fees()?).await?;
    shop.show("captured").await?;

    // Reported again it is known; more than is left is set aside, and nothing moves.
    let again = shop.capture("fee-1", &sale, 200, to_fees()?).await?;
    assert!(matches!(again, Outcome::Known(FirstOutcome::Applied(_))));
    let more = shop.capture("parcel-2", &sale, 1_801, to_seller()?).await?;
    assert!(matches!(more, Outcome::SetAside(_)));

    // The second parcel is called off: the rest is the buyer's again, however often it is said.
    let released = HoldReleased::new(FactId::new("off-1")?, sale, by()?);
    for _ in 0..2 {
        shop.ledger.report(&released).await?.ensure_applied()?;
    }
    shop.show("released").await?;

    // Nobody captures the next one, which ends by itself.
    let late = shop.reserve("sale-2", 5_000, Span::days(1)).await?;
    shop.show("reserved again").await?;
    shop.clock.advance(Span::days(2));
    let refused = shop.capture("parcel-3", &late, 5_000, to_seller()?).await?;
    assert!(matches!(refused, Outcome::SetAside(_)));
    shop.show("expired").await?;
    tokio::task::spawn_blocking(move || shop.ledger.shutdown()).await??;
    Ok(())
}

/// A shop with a buyer, a seller, and an account of its fees.
struct Shop {
    ledger: Ledger,
    client: Client,
    clock: Arc<ManualClock>,
}

impl Shop {
    /// Opens it with so many centavos of the buyer's.
    async fn open(clock: Arc<ManualClock>, cents: i64) -> Result<Self, Failure> {
        let ledger = Ledger::builder("memory:").clock(clock.clone()).tick(None).open().await?;
        let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
        ledger.report(&opened.key("svc_live_loja".try_into()?)).await?.ensure_applied()?;
        let fees = FactId::new("fees")?;
        let fees =
            ProductAccountDeclared::new(fees, "taxas.garantia".parse()?, Class::Income, by()?);
        ledger.report(&fees).await?.ensure_applied()?;
        let amount = Amount::new(cents)?;
        let legs = vec![
            EntryLeg::new("equity.funding".parse()?).debit(amount),
            EntryLeg::new("cust.avail".parse()?).of(holder("buyer")?).credit(amount),
        ];
        ledger
            .report(&EntryPosted::new(FactId::new("opening-1")?, legs, by()?))
            .await?
            .ensure_applied()?;
        let client = ledger.client(ApiKey::new("svc_live_loja")?);
        Ok(Self { ledger, client, clock })
    }

    /// Reserves so much of the buyer's for so long.
    async fn reserve(&self, id: &str, cents: i64, span: Span) -> Result<OperationId, Failure> {
        let (account, buyer) = (AccountName::new("loja")?, Party::customer("buyer")?);
        let amount = Amount::new(cents)?;
        let made = ReservationMade::new(FactId::new(id)?, account, buyer, amount, by()?)
            .kind("escrow".parse()?)
            .expires_at(custody_ledger::Clock::now(&*self.clock).after(span));
        match self.ledger.report(&made).await?.outcome {
            Outcome::Applied(Some(reservation)) => Ok(reservation),
            other => Err(format!("{other:?}").into()),
        }
    }

    async fn capture(
        &self,
        id: &str,
        reservation: &OperationId,
        cents: i64,
        to: ReservationCapturedTo,
    ) -> Result<Outcome, Failure> {
        let (id, amount) = (FactId::new(id)?, Amount::new(cents)?);
        let captured = ReservationCaptured::new(id, reservation.clone(), amount, to, by()?);
        Ok(self.ledger.report(&captured).await?.outcome)
    }

    async fn show(&self, when: &str) -> Result<(), Failure> {
        let of = async |name| -> Result<_, Failure> {
            Ok(self.client.ask(&GetBalance::new(Party::customer(name)?)).await?.answer)
        };
        let (buyer, seller) = (of("buyer").await?, of("seller").await?);
        let (free, held) = (buyer.available.cents(), buyer.blocked.cents());
        println!("{when}: buyer {free} and {held} held, seller {}", seller.available.cents());
        Ok(())
    }
}

fn to_seller() -> Result<ReservationCapturedTo, Failure> {
    Ok(ReservationCapturedTo::new("cust.avail".parse()?).of(holder("seller")?))
}

fn to_fees() -> Result<ReservationCapturedTo, Failure> {
    Ok(ReservationCapturedTo::new("taxas.garantia".parse()?))
}

fn holder(customer: &str) -> Result<EntryLegOf, Failure> {
    Ok(EntryLegOf::new(AccountName::new("loja")?, Party::customer(customer)?))
}

fn by() -> Result<DecidedBy, Failure> {
    Ok(DecidedBy::new("garantias", "contract of the sale")?)
}
