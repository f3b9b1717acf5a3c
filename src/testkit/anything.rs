//! Any request and any fact, whichever it is: what a ledger must bear.
//!
//! ```
//! use custody_ledger::testkit::{self, facts, requests};
//! use proptest::prelude::*;
//! # use custody_ledger::prelude::*;
//! # let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(8) };
//!
//! proptest!(config, |(request in requests(), fact in facts())| {
//!     let shop = testkit::given("2026-11-20T12:00:00Z");
//!     let _ = shop.when_reported(&fact);
//!     let _ = shop.when(&"svc_live_loja".try_into().expect("it is a key"), &request);
//!     shop.holds();
//! });
//! ```

use proptest::strategy::{BoxedStrategy, Strategy, Union};
use serde::Deserialize as _;
use serde_json::Value;

use super::arbitrary::Drawn;
use crate::fact::sealed::{Report, Reported};
use crate::fact::{self, Fact};
use crate::request::sealed::{Ask, ToAsk};
use crate::request::{self, Account, Request};
use crate::view;

/// Of one or other of which something is drawn.
pub(crate) type Strategies<T> = Vec<BoxedStrategy<T>>;

/// A request that was drawn of all there are.
#[derive(Clone, Debug)]
pub struct AnyRequest {
    ask: Ask,
    reads: fn(&Value) -> Result<(), serde_json::Error>,
}

/// A fact that was drawn of all there are.
#[derive(Clone, Debug)]
pub struct AnyFact(Report);

impl AnyRequest {
    pub(crate) fn strategy_for<R: Request + Drawn + 'static>() -> BoxedStrategy<Self> {
        let reads = |answer: &Value| R::Answer::deserialize(answer).map(drop);
        R::strategy().prop_map(move |request| Self { ask: request.ask(), reads }).boxed()
    }

    /// Tells whether an answer to it reads as the type that the request has by itself.
    ///
    /// # Errors
    ///
    /// Why it does not.
    pub fn check(&self, answer: &view::View) -> Result<(), serde_json::Error> {
        (self.reads)(answer.json())
    }
}

impl AnyFact {
    /// Its name on the wire.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.0.name
    }

    pub(crate) fn strategy_for<F: Fact + Drawn + 'static>() -> BoxedStrategy<Self> {
        F::strategy().prop_map(|fact| Self(fact.report())).boxed()
    }
}

impl ToAsk for AnyRequest {
    fn ask(&self) -> Ask {
        self.ask.clone()
    }
}

/// It is answered with the contract's JSON, and what anybody may ask is asked with a key.
impl Request for AnyRequest {
    type Answer = view::View;
    type By = Account;
}

impl Reported for AnyFact {
    fn report(&self) -> Report {
        self.0.clone()
    }
}

impl Fact for AnyFact {
    const NAME: &'static str = "a fact that was drawn";
}

/// One of every kind of fact that is declared, each as likely.
pub fn facts() -> BoxedStrategy<AnyFact> {
    Union::new(fact::strategies()).boxed()
}

/// One of every kind of request that the contract has, each as likely.
pub fn requests() -> BoxedStrategy<AnyRequest> {
    Union::new(request::strategies()).boxed()
}
