//! A client who asks for everything in vain at first, and what refusals say.

use ledger_core::id::{AccountId, Token};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::agent::Fact as AgentFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::{AgentRequest, Fact, Intent, Outcome, Refusal, Request};
use ledger_core::terms::{Listing, Mandate, Policy, Review, Terms};
use ledger_core::time::{Instant, Span};

use super::counter::{decided_by, partnered, purchase};
use super::{Harness, instant, unlimited};
use crate::samples::{amount, as_cents, at, balance};

/// A document that neither the ladder nor a mandate knows.
pub const STRANGER: Token = Token([9; 16]);

/// What puts right what a refusal named.
type Repair<T> = fn(&mut Client, &mut T);

/// The whole of one account, whose terms, policy and mandate are put right one after the other.
pub struct Client {
    pub harness: Harness,
    account: AccountId,
    terms: Terms,
    policy: Policy,
    /// The end of Ana's waiting period.
    pub waits_until: Instant,
}

impl Client {
    /// An agent with much of its own, and so much of Ana's, who waits for a day.
    pub fn with(anas: i64) -> Self {
        let policy = unlimited();
        let mut harness = Harness::under(policy.clone(), instant());
        let account = harness.come(1, None, Mandate::new(None, None, Vec::new()));
        let terms = Terms { charge_most: amount(1_000_000), waiting_hours: 24, ..partnered() };
        let waits_until = harness.now;
        let mut it = Self { harness, account, terms, policy, waits_until };
        it.adopt(|_| ());
        it.deposit(anas);
        it
    }

    /// So much for Ana, after the fee.
    pub fn deposit(&mut self, net: i64) {
        let charge = self.harness.issue(self.account, purchase(Some("ana"), net + 100));
        self.waits_until = self.harness.now.after(Span::hours(24));
        assert_eq!(self.harness.receive(charge, net + 100), Outcome::Applied(None));
    }

    pub fn adopt(&mut self, change: impl FnOnce(&mut Terms)) {
        change(&mut self.terms);
        let (account, from, terms) = ("ag-1".into(), None, self.terms);
        self.harness.fact(Fact::Account(AccountFact::TermsAdopted { account, from, terms }));
    }

    pub fn decree(&mut self, change: impl FnOnce(&mut Policy)) {
        change(&mut self.policy);
        self.harness.fact(Fact::Account(AccountFact::PolicyAdopted(self.policy.clone())));
    }

    pub fn mandate(&mut self, most: [Option<i64>; 2], counterparty: Token) {
        self.bound(most, vec![counterparty]);
    }

    /// A mandate that names these counterparties, or nobody in particular.
    pub fn bound(&mut self, most: [Option<i64>; 2], counterparties: Vec<Token>) {
        let [per_operation, daily] = most.map(|most| most.map(as_cents));
        let mandate = Mandate::new(per_operation, daily, counterparties);
        self.ask(Request::Agent(AgentRequest::Mandate(Box::new(mandate)))).unwrap();
    }

    pub fn suspend(&mut self) {
        self.harness.fact(Fact::Agent(AgentFact::Suspended {
            agent: "ag-1".into(),
            decided_by: decided_by(),
        }));
    }

    pub fn reinstate(&mut self) {
        self.harness.fact(Fact::Agent(AgentFact::Reinstated {
            agent: "ag-1".into(),
            decided_by: decided_by(),
        }));
    }

    pub fn review(&mut self, review: Review) {
        let (payer, decided_by) = (STRANGER, decided_by());
        self.harness.fact(Fact::Charge(ChargeFact::PayerReviewed { payer, review, decided_by }));
    }

    pub fn list(&mut self, listing: Listing) {
        assert_eq!(self.harness.list(listing), Outcome::Applied(None));
    }

    pub fn quote(&mut self) {
        assert_eq!(self.harness.quote("usdt", "5.40"), Outcome::Applied(None));
    }

    pub fn ask(&mut self, request: Request) -> Result<Outcome, Refusal> {
        self.harness.execute(Intent::Request(self.account, request))
    }

    /// Asks the same again and again: each refusal is the next, and leaves no record behind.
    pub fn walk<T: Clone, const STEPS: usize>(
        mut self,
        mut asked: T,
        request: fn(T) -> Request,
        steps: [(Refusal, Repair<T>); STEPS],
    ) {
        for (refusal, repair) in steps {
            let records = self.harness.records.len();
            assert_eq!(self.ask(request(asked.clone())), Err(refusal));
            assert_eq!(self.harness.records.len(), records, "INV-06");
            repair(&mut self, &mut asked);
        }
        let answer = self.ask(request(asked));
        assert!(matches!(answer, Ok(Outcome::Created(_))), "{answer:?}");
    }
}

pub fn poor(cents: i64) -> Refusal {
    Refusal::FundsInsufficient { available: balance(cents) }
}

pub fn below(cents: i64) -> Refusal {
    Refusal::BelowMinimum { minimum: Some(amount(cents)) }
}

pub fn above(cents: i64) -> Refusal {
    Refusal::AboveMaximum { maximum: amount(cents) }
}

pub fn exceeded(most: i64, until: Option<&str>) -> Refusal {
    Refusal::MandateExceeded { most: as_cents(most), until: until.map(at) }
}
