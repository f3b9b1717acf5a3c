//! A shop with one account, whose clock goes when it is told to.

use std::sync::Arc;

use custody_ledger::fact::account::{AccountOpened, AccountTerms, AccountTermsRelease};
use custody_ledger::fact::charge::PixReceived;
use custody_ledger::prelude::*;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::request::charge::{CreateCharge, CreateChargeDestination};
use custody_ledger::request::payout::CreatePayout;
use custody_ledger::view::{Charge, Payout};
use custody_ledger::{Builder, Ledger, ManualClock};

pub const CPF: &str = "52998224725";

pub struct Shop {
    pub ledger: Ledger,
    pub loja: Client,
    pub clock: Arc<ManualClock>,
}

impl Shop {
    /// Over a store of this name, which may be of an earlier shop.
    pub fn over(store: &str) -> Self {
        Self::built(Ledger::builder(store))
    }

    pub fn built(builder: Builder) -> Self {
        Self::dated(builder, "2026-11-20T12:00:00Z")
    }

    /// With a clock that stands at this instant.
    pub fn dated(builder: Builder, at: &str) -> Self {
        let clock = Arc::new(ManualClock::at(at).unwrap());
        let ledger = builder.clock(Arc::clone(&clock)).open().wait().unwrap();
        let id = FactId::new("acc-1").unwrap();
        let opened = AccountOpened::new(id, AccountName::new("loja").unwrap())
            .terms(at_once())
            .key("svc_live_loja".try_into().unwrap());
        ledger.report(&opened).wait().unwrap().ensure_applied().unwrap();
        let loja = ledger.client(ApiKey::new("svc_live_loja").unwrap());
        Self { ledger, loja, clock }
    }

    pub fn charge(&self, party: &Party, cents: i64, id: &str) -> Done<Charge> {
        self.loja.ask(&charge_of(party, cents, id)).wait().unwrap()
    }

    /// A charge that is paid by the PIX of this number.
    pub fn collect(&self, party: &Party, cents: i64, number: u32) {
        drop(self.collected(party, cents, number));
    }

    /// The report of such a payment.
    pub fn collected(&self, party: &Party, cents: i64, number: u32) -> Reported {
        let charge = self.charge(party, cents, &format!("charge-{number}")).answer;
        let received = PixReceived::new(e2e(number), amount(cents)).charge(charge.id);
        let reported = self.ledger.report(&received).wait().unwrap();
        assert!(matches!(reported.outcome, Outcome::Applied(_)), "{reported:?}");
        reported
    }

    pub fn payout(&self, party: &Party, cents: i64, id: &str) -> Result<Done<Payout>, Error> {
        let (document, key) = (Document::new(CPF).unwrap(), PixKey::new("a@example.com").unwrap());
        let id = ExternalId::new(id).unwrap();
        let request = CreatePayout::new(amount(cents), party.clone(), document, key, id);
        self.loja.ask(&request.owner(CPF.try_into().unwrap())).wait()
    }

    pub fn available(&self, party: &Party) -> i64 {
        let balance = self.loja.ask(&GetBalance::new(party.clone())).wait().unwrap();
        balance.answer.available.cents()
    }
}

/// Terms under which a deposit can be spent at once.
pub fn at_once() -> AccountTerms {
    AccountTerms::new()
        .waiting_hours(0)
        .release(AccountTermsRelease::Immediate)
        .without_retention(true)
}

/// A charge whose money goes to a balance.
pub fn charge_of(party: &Party, cents: i64, id: &str) -> CreateCharge {
    let (document, id) = (Document::new(CPF).unwrap(), ExternalId::new(id).unwrap());
    let request = CreateCharge::new(amount(cents), document, party.clone(), id);
    let request = request.destination(CreateChargeDestination::Balance);
    request.qr_copypaste("a code".try_into().unwrap())
}

pub fn ana() -> Party {
    Party::customer("ana").unwrap()
}

pub fn amount(cents: i64) -> Amount {
    Amount::new(cents).unwrap()
}

pub fn e2e(number: u32) -> EndToEndId {
    EndToEndId::new(&format!("E90400888202611201200{number:011}")).unwrap()
}
