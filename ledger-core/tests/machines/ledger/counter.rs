//! What the harness asks and reports of crypto.

use ledger_core::accounting::{CoinAccount, Control};
use ledger_core::id::OpId;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::{
    Archive, ChargeRequest, ConversionRequest, Destination, Fact, FundingRequest, GiveUpTo, Intent,
    Machine, Operation, OperatorDecision, Outcome, Ownership, Refusal, Request, Topic,
};
use ledger_core::machine::charge::{self, Delivery, PixPayment, Qr};
use ledger_core::machine::delivery::{self, DeliveryReport};
use ledger_core::machine::purchase::Bought;
use ledger_core::terms::{Listing, Policy, Quote, Switch, Terms};

use super::{Harness, SHOP, instant};
use crate::samples::{SOMEBODY, USDT, WALLET, amount, bps, listing, price};

/// The published terms with a partner's part: 1 % of purchases, 0.5 % of exits.
pub fn partnered() -> Terms {
    Terms { purchase_partner: bps(100), payout_partner: bps(50), ..instant() }
}

pub fn decided_by() -> OperatorDecision {
    OperatorDecision { actor: SOMEBODY, reason: SOMEBODY, evidence: Some(SOMEBODY) }
}

/// A charge that buys USDT on Polygon.
pub fn purchase(customer: Option<&str>, cents: i64) -> ChargeRequest {
    ChargeRequest {
        customer: customer.map(Into::into),
        qr: Some(Qr { copypaste: "00020126".into(), image_url: None }),
        ..ChargeRequest::new(
            amount(cents),
            SOMEBODY,
            Switch::On,
            target(),
            Destination::Crypto { memo: None },
        )
    }
}

pub fn target() -> Delivery {
    Delivery { asset: "usdt".into(), chain: "polygon".into(), address: Some(WALLET.into()) }
}

/// A conversion of a customer's custody, or of commission.
pub fn conversion(of: Option<&str>, cents: i64) -> ConversionRequest {
    ConversionRequest::new(
        match of {
            Some(customer) => FundingRequest::Custody {
                customer: Some(customer.into()),
                tax_number: SOMEBODY,
                ownership: Ownership::Proven,
            },
            None => FundingRequest::Commission,
        },
        amount(cents),
        target(),
    )
}

/// A ledger whose partner is owed 100.00 of commission.
pub fn owed(policy: Policy) -> Harness {
    let terms = Terms { purchase_partner: bps(5_000), ..instant() };
    let mut harness = Harness::under(policy, terms);
    harness.list(listing(1, 100_000));
    harness.quote("usdt", "5.40");
    harness.bought(20_000);
    assert_eq!(harness.commission(), 10_000);
    harness
}

impl Harness {
    /// A ledger where USDT on Polygon is offered at 5.40, of which the network takes 0.10.
    pub fn trading(terms: Terms) -> Self {
        let mut harness = Self::open(terms);
        harness.list(listing(1, 100_000));
        harness.quote("usdt", "5.40");
        harness
    }

    pub fn list(&mut self, listing: Listing) -> Outcome {
        self.fact(Fact::Purchase(PurchaseFact::CatalogueUpdated {
            listed: vec![listing],
            dropped: Vec::new(),
        }))
    }

    pub fn quote(&mut self, asset: &str, text: &str) -> Outcome {
        let quote = Quote { price: price(text), source: "exchange".into(), at: self.now };
        self.fact(Fact::Purchase(PurchaseFact::RateQuoted { asset: asset.into(), quote }))
    }

    pub fn request(&mut self, request: ChargeRequest) -> Result<Outcome, Refusal> {
        self.execute(Intent::Request(SHOP, Request::Charge(request)))
    }

    /// A purchase that was issued.
    pub fn order(&mut self, customer: Option<&str>, cents: i64) -> OpId {
        super::created(self.request(purchase(customer, cents)).unwrap())
    }

    /// A purchase that was paid.
    pub fn buy(&mut self, cents: i64) -> OpId {
        let op = self.order(None, cents);
        assert_eq!(self.receive(op, cents), Outcome::Applied(None));
        op
    }

    /// A purchase that was delivered.
    pub fn bought(&mut self, cents: i64) -> OpId {
        let op = self.buy(cents);
        self.deliver(op, DeliveryReport::Begin);
        let hash = format!("0x{}", self.reported).into();
        assert_eq!(self.deliver(op, DeliveryReport::Confirm(hash)), Outcome::Applied(None));
        op
    }

    pub fn convert(&mut self, request: ConversionRequest) -> Result<Outcome, Refusal> {
        self.execute(Intent::Request(SHOP, Request::Conversion(request)))
    }

    pub fn deliver(&mut self, op: OpId, report: DeliveryReport) -> Outcome {
        self.attempt(op, None, report)
    }

    pub fn attempt(&mut self, op: OpId, attempt: Option<u32>, report: DeliveryReport) -> Outcome {
        let command = delivery::Command { attempt, report };
        self.fact(Fact::Purchase(PurchaseFact::Delivery { op: Some(op), command, payment: None }))
    }

    pub fn give_up(&mut self, op: OpId, to: GiveUpTo) -> Outcome {
        self.fact(Fact::Purchase(PurchaseFact::DeliveryGivenUp {
            op: Some(op),
            to,
            decided_by: decided_by(),
        }))
    }

    /// A PIX for this charge, now.
    pub fn payment(&mut self, cents: i64) -> PixPayment {
        self.reported += 1;
        let e2e = format!("E{}", self.reported).into();
        PixPayment { e2e, amount: amount(cents), paid_at: self.now }
    }

    pub fn operation(&self, op: OpId) -> Operation {
        let open = self.ledger.state.open(op).cloned();
        open.or_else(|| self.ledger.archive.ended_operation(op)).unwrap()
    }

    pub fn purchase(&self, op: OpId) -> Bought {
        match self.operation(op).machine {
            Machine::Charge(charge::State::Bought(bought)) => Bought::clone(&bought),
            other => panic!("{other:?} bought nothing"),
        }
    }

    pub fn total(&self, control: Control) -> i128 {
        self.ledger.state.books.balance(control)
    }

    pub fn coin(&self, account: CoinAccount) -> i128 {
        self.ledger.state.books.coin(USDT, account)
    }

    pub fn commission(&self) -> i64 {
        self.ledger.state.books.commission(SHOP).balance.cents()
    }

    /// The topics of which clients were notified of an operation, in order.
    pub fn topics(&self, op: OpId) -> Vec<Topic> {
        self.notifications
            .iter()
            .filter(|notification| notification.op == op)
            .map(|notification| notification.topic)
            .collect()
    }

    /// The idempotency keys of what the world was asked to do for an operation, without its id.
    pub fn instruction_keys(&self, op: OpId) -> Vec<String> {
        let id = op.text(&"live".into());
        let of_op = self.instructions.iter().filter(|asked| asked.op == op);
        of_op.map(|asked| asked.key(&"live".into()).strip_prefix(&id).unwrap().to_owned()).collect()
    }

    /// The names of the last record's events.
    pub fn last_events(&self) -> usize {
        self.records.last().unwrap().events.len()
    }
}
