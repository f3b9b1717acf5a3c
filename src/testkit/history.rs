//! Whole histories of an account: valid for the most part, and otherwise nearly so.
//!
//! ```
//! use custody_ledger::testkit::{self, histories};
//! use proptest::prelude::*;
//! # let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(8) };
//!
//! proptest!(config, |(history in histories(1..30))| {
//!     let shop = testkit::given("2026-11-20T12:00:00Z");
//!     let counts = history.play(&shop);
//!     prop_assert_eq!(counts.steps(), history.steps.len());
//!     shop.holds(); // Every invariant, whatever happened.
//! });
//! ```

use proptest::collection::{SizeRange, vec};
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::Index;

use super::TestLedger;
use super::anything::{AnyFact, AnyRequest, facts, requests};
use super::arbitrary::Drawn;
use crate::answer::Outcome;
use crate::error::Error;
use crate::fact::account::AccountOpened;
use crate::fact::charge::{PixReceived, PixReturned};
use crate::fact::payout::{
    PayoutPaid, PayoutRefused, PayoutReturned, PayoutSubmitted, PayoutUnknown,
};
use crate::request::charge::{CreateCharge, CreateChargeDestination};
use crate::request::payout::CreatePayout;
use crate::request::transfer::CreateTransfer;
use crate::value::{
    AccountName, Amount, ApiKey, Document, EndToEndId, ExternalId, FactId, KeyType, OperationId,
    Party, PixKey, Span,
};

/// The key of the account that a history is of.
const KEY: &str = "svc_live_loja";

/// What happens to an account, step by step.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct History {
    /// Each step; what it names of those before, it names by its place among them.
    pub steps: Vec<Step>,
}

/// A step of a history.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Step {
    /// A charge is asked for, to the balance of a party.
    Collect {
        /// The party whose balance is credited.
        to: Party,
        /// The amount of the charge, in centavos.
        amount: Amount,
        /// Who is to pay.
        payer: Document,
        /// The client's own id.
        external_id: ExternalId,
    },
    /// A PIX comes for one of the charges so far.
    Receive {
        /// Which of them.
        charge: Index,
        /// How many centavos more than were asked for; fewer, if negative.
        more: i64,
        /// The end-to-end id of the PIX.
        end_to_end_id: EndToEndId,
    },
    /// The PIX of one of the charges so far goes back to its payer.
    Return {
        /// Which of them.
        charge: Index,
        /// The id of the return.
        return_id: EndToEndId,
    },
    /// Money moves between parties.
    Transfer(CreateTransfer),
    /// A PIX is to be sent.
    PayOut {
        /// Whose balance it leaves.
        from: Party,
        /// The amount to be paid, in centavos.
        amount: Amount,
        /// Whose key is paid.
        payee: Document,
        /// The client's own id.
        external_id: ExternalId,
    },
    /// The provider reports of one of the payouts so far.
    Report {
        /// Which of them.
        payout: Index,
        /// What it reports.
        outcome: PayoutOutcome,
        /// The PIX or its return, where one was sent.
        end_to_end_id: EndToEndId,
        /// The fact's own id.
        id: FactId,
    },
    /// Anything at all is asked.
    Ask(AnyRequest),
    /// Anything at all is reported.
    Tell(AnyFact),
    /// So much time passes.
    Wait(Span),
}

/// What a provider reports of a payout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PayoutOutcome {
    /// It has it.
    Submitted,
    /// It was paid.
    Paid,
    /// It was not paid.
    Refused,
    /// Nobody knows what became of it.
    Unknown,
    /// It was paid and came back.
    Returned,
}

/// How many steps came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Requests that were answered.
    pub answered: usize,
    /// Requests and facts that were refused: of facts, those that are malformed.
    pub refused: usize,
    /// Facts that were applied.
    pub applied: usize,
    /// Facts that were known.
    pub known: usize,
    /// Facts that were set aside.
    pub set_aside: usize,
    /// Steps that found nothing to be about, and time that passed.
    pub passed: usize,
}

impl Counts {
    /// The number of all steps taken.
    #[must_use]
    pub const fn steps(&self) -> usize {
        self.answered + self.refused + self.applied + self.known + self.set_aside + self.passed
    }
}

/// Histories of so many steps.
///
/// Ids and parties are few, so requests are repeated, with the same and with another body; facts
/// come twice, early, late and with other amounts than were asked for.
pub fn histories(steps: impl Into<SizeRange>) -> impl Strategy<Value = History> {
    vec(step(), steps).prop_map(|steps| History { steps })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => collect(),
        5 => receive(),
        1 => (any::<Index>(), EndToEndId::strategy())
            .prop_map(|(charge, id)| Step::Return { charge, return_id: return_of(&id) }),
        3 => CreateTransfer::strategy().prop_map(Step::Transfer),
        3 => pay_out(),
        4 => report(),
        1 => requests().prop_map(Step::Ask),
        1 => facts().prop_map(Step::Tell),
        2 => prop_oneof![1..=600_u32, 600..=200_000_u32]
            .prop_map(|seconds| Step::Wait(Span::seconds(seconds))),
    ]
}

fn collect() -> impl Strategy<Value = Step> {
    (Party::strategy(), Amount::strategy(), Document::strategy(), ExternalId::strategy()).prop_map(
        |(to, amount, payer, external_id)| Step::Collect { to, amount, payer, external_id },
    )
}

fn pay_out() -> impl Strategy<Value = Step> {
    (Party::strategy(), Amount::strategy(), Document::strategy(), ExternalId::strategy()).prop_map(
        |(from, amount, payee, external_id)| Step::PayOut { from, amount, payee, external_id },
    )
}

fn receive() -> impl Strategy<Value = Step> {
    let more = prop_oneof![6 => Just(0_i64), 1 => -3..=3_i64];
    (any::<Index>(), more, EndToEndId::strategy())
        .prop_map(|(charge, more, end_to_end_id)| Step::Receive { charge, more, end_to_end_id })
}

fn report() -> impl Strategy<Value = Step> {
    use PayoutOutcome::{Paid, Refused, Returned, Submitted, Unknown};
    let outcome = proptest::sample::select(&[Submitted, Paid, Refused, Unknown, Returned][..]);
    (any::<Index>(), outcome, EndToEndId::strategy(), FactId::strategy()).prop_map(
        |(payout, outcome, end_to_end_id, id)| Step::Report { payout, outcome, end_to_end_id, id },
    )
}

/// The id of the return of a PIX: as its own, but for the first letter.
fn return_of(id: &EndToEndId) -> EndToEndId {
    let text = id.as_str().replacen('E', "D", 1);
    EndToEndId::new(&text).expect("D begins the id of a return")
}

/// What a history has made so far.
#[derive(Default)]
struct Made {
    charges: Vec<(OperationId, Amount)>,
    payouts: Vec<(OperationId, Amount)>,
}

impl History {
    /// Plays it: opens an account with the key `svc_live_loja`, then takes each step.
    ///
    /// # Panics
    ///
    /// When the ledger gives no answer to a step, or one that no step can have.
    #[allow(clippy::must_use_candidate)] // What it leaves behind may be all that is wanted.
    pub fn play(&self, given: &TestLedger) -> Counts {
        let name = AccountName::new("loja").expect("it is a name");
        let id = FactId::new("the account of a history").expect("it is an id");
        let key = KEY.try_into().expect("it is a key");
        let opened = given.ledger().report(&AccountOpened::new(id, name).key(key)).wait();
        // Whoever gave the ledger may have opened the account.
        drop(opened.expect("a fact is answered"));
        let (mut made, mut counts) = (Made::default(), Counts::default());
        for step in &self.steps {
            made.take(step, given, &mut counts);
        }
        counts
    }
}

impl Made {
    fn take(&mut self, step: &Step, given: &TestLedger, counts: &mut Counts) {
        let loja = given.ledger().client(ApiKey::new(KEY).expect("it is a key"));
        match step {
            Step::Collect { to, amount, payer, external_id } => {
                let charge =
                    CreateCharge::new(*amount, payer.clone(), to.clone(), external_id.clone())
                        .destination(CreateChargeDestination::Balance)
                        .qr_copypaste("drawn".try_into().expect("it is a text"));
                let done = count_answer(counts, loja.ask(&charge).wait());
                self.charges.extend(done.map(|done| (done.id, done.amount)));
            }
            Step::Receive { charge, more, end_to_end_id } => {
                let Some((charge, asked)) = pick(*charge, &self.charges) else {
                    return counts.passed += 1;
                };
                let amount = Amount::new(asked.cents().saturating_add(*more)).unwrap_or(asked);
                let received = PixReceived::new(end_to_end_id.clone(), amount).charge(charge);
                count_outcome(counts, given.ledger().report(&received).wait());
            }
            Step::Return { charge, return_id } => {
                let Some((charge, amount)) = pick(*charge, &self.charges) else {
                    return counts.passed += 1;
                };
                let back = PixReturned::new(charge, return_id.clone(), amount);
                count_outcome(counts, given.ledger().report(&back).wait());
            }
            Step::Transfer(transfer) => drop(count_answer(counts, loja.ask(transfer).wait())),
            Step::PayOut { from, amount, payee, external_id } => {
                let (payee, id) = (payee.clone(), external_id.clone());
                let cpf = payee.as_str().len() == 11;
                let kind = if cpf { KeyType::Cpf } else { KeyType::Cnpj };
                let key = PixKey::of_kind(payee.as_str(), kind).expect("a document is a key");
                let payout = CreatePayout::new(*amount, from.clone(), payee, key, id);
                let done = count_answer(counts, loja.ask(&payout).wait());
                self.payouts.extend(done.map(|done| (done.id, done.amount)));
            }
            Step::Report { payout, outcome, end_to_end_id, id } => {
                let Some((payout, amount)) = pick(*payout, &self.payouts) else {
                    return counts.passed += 1;
                };
                let said = (*outcome, end_to_end_id.clone(), id.clone());
                count_outcome(counts, report_payout(given, payout, amount, said));
            }
            Step::Ask(request) => drop(count_answer(counts, loja.ask(request).wait())),
            Step::Tell(fact) => count_outcome(counts, given.ledger().report(fact).wait()),
            Step::Wait(span) => {
                given.clock.advance(*span);
                counts.passed += 1;
            }
        }
    }
}

/// Reports of a payout.
fn report_payout(
    given: &TestLedger,
    payout: OperationId,
    amount: Amount,
    (outcome, pix, id): (PayoutOutcome, EndToEndId, FactId),
) -> Result<crate::Reported, Error> {
    let ledger = given.ledger();
    match outcome {
        PayoutOutcome::Submitted => ledger.report(&PayoutSubmitted::new(id, payout)).wait(),
        PayoutOutcome::Paid => ledger.report(&PayoutPaid::new(payout, pix)).wait(),
        PayoutOutcome::Refused => ledger.report(&PayoutRefused::new(id, payout)).wait(),
        PayoutOutcome::Unknown => ledger.report(&PayoutUnknown::new(id, payout)).wait(),
        PayoutOutcome::Returned => {
            ledger.report(&PayoutReturned::new(payout, return_of(&pix), amount)).wait()
        }
    }
}

/// One of those so far.
fn pick<T: Clone>(index: Index, so_far: &[T]) -> Option<T> {
    (!so_far.is_empty()).then(|| index.get(so_far).clone())
}

fn count_answer<T>(counts: &mut Counts, done: Result<crate::Done<T>, Error>) -> Option<T> {
    match done {
        Ok(done) => {
            counts.answered += 1;
            Some(done.answer)
        }
        Err(Error::Refused(_)) => {
            counts.refused += 1;
            None
        }
        Err(error) => panic!("a history is answered: {error}"),
    }
}

fn count_outcome(counts: &mut Counts, reported: Result<crate::Reported, Error>) {
    match reported.map(|reported| reported.outcome) {
        Ok(Outcome::Applied(_)) => counts.applied += 1,
        Ok(Outcome::Known(_)) => counts.known += 1,
        Ok(Outcome::SetAside(_)) => counts.set_aside += 1,
        Err(Error::Refused(_)) => counts.refused += 1,
        Err(error) => panic!("a history is answered: {error}"),
    }
}
