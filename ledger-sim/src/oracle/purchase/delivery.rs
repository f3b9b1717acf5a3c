//! Deliveries as the oracle sees them: Part A2, the same for purchases and conversions.

use ledger_core::accounting::{CoinAccount, RowKind};
use ledger_core::id::{AccountId, AssetId, ChainId, Kind, OpId};
use ledger_core::ledger::{Outcome, Topic};
use ledger_core::machine::delivery::{Command, DeliveryReport};
use ledger_core::machine::erroneous_delivery;

use super::offer::DeliveryTerms;
use crate::goal::Goal;
use crate::oracle::fees::Earned;
use crate::oracle::{Coin, IdScope, Oracle};

/// How far a delivery is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeliveryProgress {
    pub(crate) stage: Stage,
    /// How many attempts were begun.
    pub(crate) attempt: u32,
    /// The transaction, once sent.
    pub(crate) hash: Option<Box<str>>,
}

/// Where a delivery stands: the wire's `settlement_status`, with `pending` and a failed attempt
/// told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    #[default]
    Waiting,
    Sending,
    Accepted,
    Unknown,
    Retrying,
    Sent,
}

/// Crypto sent without reason.
#[derive(Clone, Debug)]
pub(crate) struct ErroneousDelivery {
    pub(in crate::oracle) asset: u16,
    pub(in crate::oracle) chain: u16,
    pub(crate) units: u128,
    pub(crate) end: Option<erroneous_delivery::End>,
    pub(crate) about: OpId,
    pub(crate) hash: Box<str>,
}

/// What a report of a delivery comes to.
pub(in crate::oracle) enum Moved {
    /// By these steps.
    By(Vec<Step>),
    Known,
    Aside,
}

/// One step of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::oracle) enum Step {
    Begin,
    Accept,
    Fail,
    Lose,
    Send(Box<str>),
}

impl DeliveryProgress {
    /// Tells whether an attempt is under way, or its outcome unknown.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Sending | Stage::Accepted | Stage::Unknown)
    }

    /// Nothing was sent, or the last attempt definitely failed (rulings 36).
    pub(crate) fn can_stop(&self) -> bool {
        matches!(self.stage, Stage::Waiting | Stage::Retrying)
    }

    /// Tells whether the crypto was bought and is not delivered yet.
    pub(crate) fn is_bought(&self) -> bool {
        !matches!(self.stage, Stage::Waiting | Stage::Sent)
    }

    /// Returns what the world's report comes to: of the attempt under way unless it names another;
    /// what is over is known, what skips an attempt contradicts the books, what was sent was sent.
    pub(in crate::oracle) fn judge_report(&self, command: &Command) -> Moved {
        if self.stage == Stage::Sent {
            let own = command.attempt.is_none_or(|named| named == self.attempt);
            return match &command.report {
                DeliveryReport::Confirm(hash) if Some(hash) == self.hash.as_ref() => Moved::Known,
                DeliveryReport::Confirm(_) => Moved::Aside,
                DeliveryReport::Fail if own => Moved::Aside,
                DeliveryReport::Fail => Moved::Known,
                // A later attempt may send it again.
                _ if command.attempt.is_some_and(|named| named > self.attempt) => Moved::Aside,
                _ => Moved::Known,
            };
        }
        let begins = match command.report {
            DeliveryReport::Confirm(_) => self.stage == Stage::Waiting,
            DeliveryReport::Begin => !self.is_open(),
            _ => self.stage == Stage::Waiting,
        };
        if let DeliveryReport::Confirm(hash) = &command.report {
            let begun = begins.then_some(Step::Begin);
            return Moved::By(begun.into_iter().chain([Step::Send(hash.clone())]).collect());
        }
        let unnamed = if begins { self.attempt + 1 } else { self.attempt };
        let meant = command.attempt.unwrap_or(unnamed);
        let step = match command.report {
            DeliveryReport::Begin => None,
            DeliveryReport::Accept => Some(Step::Accept),
            DeliveryReport::Fail => Some(Step::Fail),
            DeliveryReport::Lose | DeliveryReport::Confirm(_) => Some(Step::Lose),
        };
        if meant < self.attempt || (meant == self.attempt && !self.is_open()) {
            return Moved::Known;
        }
        if meant > self.attempt {
            let next = meant == self.attempt + 1 && !self.is_open();
            return if next {
                Moved::By(std::iter::once(Step::Begin).chain(step).collect())
            } else {
                Moved::Aside
            };
        }
        let moves = matches!(
            (self.stage, &step),
            (_, Some(Step::Fail))
                | (Stage::Sending, Some(Step::Accept))
                | (Stage::Sending | Stage::Accepted, Some(Step::Lose))
        );
        if moves { Moved::By(step.into_iter().collect()) } else { Moved::Known }
    }
}

impl Oracle {
    /// The delivery of a purchase that is paid, or of a conversion.
    pub(in crate::oracle) fn course(&mut self, op: OpId) -> &mut DeliveryProgress {
        if op.kind() == Kind::Charge {
            let charge = self.charges.get_mut(&op).expect("the caller found it");
            &mut charge.buy.as_mut().expect("only purchases deliver").course
        } else {
            &mut self.conversions.get_mut(&op).expect("the caller found it").course
        }
    }

    /// Takes the steps of a delivery, and books what they book.
    pub(in crate::oracle) fn deliver(
        &mut self,
        op: OpId,
        steps: Vec<Step>,
        delivery_terms: DeliveryTerms,
        (account, earned): (AccountId, Earned),
        (named, found_out): (Option<u32>, bool),
    ) {
        let implied = steps.len() > 1;
        for step in steps {
            let course = self.course(op);
            let before = course.stage;
            match step {
                Step::Begin => self.begin(op, delivery_terms),
                Step::Accept => course.stage = Stage::Accepted,
                Step::Fail => {
                    course.stage = Stage::Retrying;
                    if before == Stage::Unknown && found_out {
                        self.reach(Goal::FoundNotSent);
                    }
                    self.notify(op, Topic::SettlementFailed);
                    self.trace.asked.push(op);
                }
                Step::Lose => course.stage = Stage::Unknown,
                Step::Send(hash) => {
                    if before == Stage::Unknown && found_out {
                        self.reach(Goal::FoundSent);
                    }
                    if before == Stage::Retrying {
                        self.reach(Goal::SentAfterFailure);
                    }
                    self.send(op, &hash, delivery_terms, (account, earned));
                }
            }
        }
        // It was sent by the attempt that the report names.
        if let Some(named) = named.filter(|named| *named > 0)
            && self.course(op).stage == Stage::Sent
        {
            self.course(op).attempt = named;
        }
        if implied {
            self.reach(Goal::StepsImplied);
        }
        self.note(op);
    }

    /// An attempt begins; with the first one the crypto is bought.
    fn begin(&mut self, op: OpId, delivery_terms: DeliveryTerms) {
        let course = self.course(op);
        course.attempt += 1;
        let first = course.stage == Stage::Waiting;
        course.stage = Stage::Sending;
        if first {
            self.buys(op, delivery_terms);
        } else {
            self.reach(Goal::BegunAgain);
        }
    }

    /// The crypto is bought.
    pub(in crate::oracle) fn buys(&mut self, op: OpId, delivery_terms: DeliveryTerms) {
        *self.flight(op) -= delivery_terms.cost;
        self.totals.fx += delivery_terms.cost;
        let owed = CoinAccount::DeliveryInFlight(op);
        self.coins(delivery_terms.asset, CoinAccount::Fx, owed, delivery_terms.units);
    }

    /// It was sent: what was owed is gone, and the fees are earned.
    fn send(
        &mut self,
        op: OpId,
        hash: &str,
        delivery_terms: DeliveryTerms,
        (account, earned): (AccountId, Earned),
    ) {
        if self.claim_ends(op, hash) {
            self.reach(Goal::ClaimTakenOver);
        }
        let course = self.course(op);
        course.stage = Stage::Sent;
        course.hash = Some(hash.into());
        self.remember_transaction(op, hash);
        *self.flight(op) -= earned.total();
        if op.kind() == Kind::Charge {
            self.totals.purchase_income += earned.house;
        } else {
            self.totals.conversion_income += earned.house;
        }
        self.commission(account, op, RowKind::CommissionEarned, earned.partner);
        // A purchase settles what was charged, a conversion what was converted.
        match op.kind() {
            Kind::Charge => self.settles(account, delivery_terms.cost + earned.total()),
            Kind::Conversion => self.settles(account, delivery_terms.cost),
            _ => {}
        }
        let owed = CoinAccount::DeliveryInFlight(op);
        let stock = CoinAccount::Treasury(ChainId(delivery_terms.chain));
        self.coins(
            delivery_terms.asset,
            owed,
            stock,
            delivery_terms.units - delivery_terms.network_fee,
        );
        self.coins(delivery_terms.asset, owed, CoinAccount::Gas, delivery_terms.network_fee);
        if delivery_terms.network_fee > 0 {
            self.reach(Goal::NetworkTook);
        }
        self.notify(op, Topic::ChargeSettled);
    }

    /// Tells whether a claim on this transaction was settled: it is counted (rulings 8).
    pub(in crate::oracle) fn has_settled_claim(&self, op: OpId, hash: &str) -> bool {
        let mut all = self.erroneous_deliveries.values();
        all.any(|it| it.about == op && *it.hash == *hash && it.end.is_some())
    }

    /// Ends a claim: crypto sent before there was a reason leaves the stock once.
    pub(in crate::oracle) fn claim_ends(&mut self, op: OpId, hash: &str) -> bool {
        let claim = self.claims_open(op).find(|(_, it)| *it.hash == *hash).map(|(claim, _)| claim);
        if claim.is_some() {
            let _ = self.erroneous_delivery_settled(claim, erroneous_delivery::End::Recovered);
        }
        claim.is_some()
    }

    /// The crypto is not bought after all.
    pub(in crate::oracle) fn undo_purchase(&mut self, op: OpId, delivery_terms: DeliveryTerms) {
        if self.course(op).is_bought() {
            *self.flight(op) += delivery_terms.cost;
            self.totals.fx -= delivery_terms.cost;
            let owed = CoinAccount::DeliveryInFlight(op);
            self.coins(delivery_terms.asset, owed, CoinAccount::Fx, delivery_terms.units);
        }
    }

    fn flight(&mut self, op: OpId) -> &mut i64 {
        if op.kind() == Kind::Charge {
            &mut self.totals.pix_in_flight
        } else {
            &mut self.totals.conversions_in_flight
        }
    }

    /// Crypto that was sent without reason is a claim; one transaction is one claim (rulings 8).
    pub(in crate::oracle) fn erroneous_delivery(
        &mut self,
        about: OpId,
        delivery_terms: DeliveryTerms,
        hash: &str,
    ) -> Outcome {
        let units = delivery_terms.units - delivery_terms.network_fee;
        let coin = Coin { asset: delivery_terms.asset, chain: delivery_terms.chain, units };
        let outcome = self.claim(about, coin, hash, Goal::SentInError);
        if outcome != Outcome::Known {
            self.halt(about);
        }
        outcome
    }

    /// What left the stock, or is not in it, is a claim; one transaction is one claim.
    pub(in crate::oracle) fn claim(
        &mut self,
        about: OpId,
        coin: Coin,
        hash: &str,
        goal: Goal,
    ) -> Outcome {
        if self.knows_transaction(about, hash) {
            return Outcome::Known;
        }
        self.remember_transaction(about, hash);
        let op = self.next_op(Kind::ErroneousDelivery);
        self.shift(coin, CoinAccount::ProviderClaim, coin.stock());
        let Coin { asset, chain, units } = coin;
        self.erroneous_deliveries.insert(
            op,
            ErroneousDelivery { asset, chain, units, end: None, about, hash: hash.into() },
        );
        self.put_aside.insert((about, op));
        self.note(op);
        self.reach(goal);
        Outcome::SetAside(Some(op))
    }

    fn remember_transaction(&mut self, op: OpId, hash: &str) {
        self.seen.insert((IdScope::Transaction(op), hash.into()));
    }

    pub(in crate::oracle) fn knows_transaction(&self, op: OpId, hash: &str) -> bool {
        self.seen.contains(&(IdScope::Transaction(op), hash.into()))
    }

    /// A claim on crypto that was sent in error ends.
    pub(in crate::oracle) fn erroneous_delivery_settled(
        &mut self,
        op: Option<OpId>,
        end: erroneous_delivery::End,
    ) -> Outcome {
        let found = op.and_then(|op| Some((op, self.erroneous_deliveries.get_mut(&op)?)));
        let Some((op, erroneous_delivery)) = found else { return Outcome::SetAside(None) };
        match erroneous_delivery.end {
            Some(was) if was == end => return Outcome::Known,
            Some(_) => return Outcome::SetAside(None),
            None => {}
        }
        let ErroneousDelivery { asset, chain, units, about, ref hash, .. } = *erroneous_delivery;
        let hash = hash.clone();
        if end == erroneous_delivery::End::Lost && !self.forgo(about, &hash) {
            return Outcome::SetAside(None);
        }
        let claim = self.erroneous_deliveries.get_mut(&op).expect("it was found before");
        claim.end = Some(end);
        self.put_aside.remove(&(about, op));
        let to = match end {
            erroneous_delivery::End::Recovered => CoinAccount::Treasury(ChainId(chain)),
            erroneous_delivery::End::Lost => CoinAccount::Loss,
        };
        self.coins(asset, to, CoinAccount::ProviderClaim, units);
        self.note(op);
        self.reach(match end {
            erroneous_delivery::End::Recovered => Goal::SentInErrorRecovered,
            erroneous_delivery::End::Lost => Goal::SentInErrorLost,
        });
        Outcome::Applied(None)
    }

    /// Debits one account of an asset and credits another.
    pub(in crate::oracle) fn coins(
        &mut self,
        asset: u16,
        debit: CoinAccount,
        credit: CoinAccount,
        units: u128,
    ) {
        let units = i128::try_from(units).expect("the simulator moves few coins");
        for (account, signed) in [(debit, -units), (credit, units)] {
            self.add_coins((AssetId(asset), account), signed);
        }
    }

    /// Adds to the net credit of an account of what is not reais.
    pub(in crate::oracle) fn add_coins(&mut self, of: (AssetId, CoinAccount), units: i128) {
        self.trace.coins = true;
        let place = self.coins.entry(of).or_default();
        *place += units;
        if *place == 0 {
            self.coins.remove(&of);
        }
    }
}
