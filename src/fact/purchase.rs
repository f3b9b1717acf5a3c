//! Facts of purchases of crypto, and deliveries.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::fact::sealed::Reported;
use crate::fact::{Fact, Report};
use crate::value::{
    Amount, Body, DecidedBy, Decimal, EndToEndId, FactId, Instant, OperationId, Text, Wire,
};

/// What `outcome` may say: recovered or lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErroneousDeliverySettledOutcome {
    /// On the wire `recovered`.
    Recovered,
    /// On the wire `lost`.
    Lost,
}

crate::drawn!(one ErroneousDeliverySettledOutcome { Recovered, Lost });

impl Wire for ErroneousDeliverySettledOutcome {
    fn wire(&self) -> Value {
        match self {
            Self::Recovered => "recovered",
            Self::Lost => "lost",
        }
        .into()
    }
}

/// A claim on crypto sent without reason ended. (`stray.settled`)
#[derive(Clone, Debug, PartialEq)]
pub struct ErroneousDeliverySettled {
    id: FactId,
    erroneous_delivery: OperationId,
    outcome: ErroneousDeliverySettledOutcome,
    decided_by: DecidedBy,
}

impl ErroneousDeliverySettled {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `erroneous_delivery`, on the wire `stray_id`: the claim.
    /// - `outcome`: recovered or lost.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(
        id: FactId,
        erroneous_delivery: OperationId,
        outcome: ErroneousDeliverySettledOutcome,
        decided_by: DecidedBy,
    ) -> Self {
        Self { id, erroneous_delivery, outcome, decided_by }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("stray_id", &self.erroneous_delivery)
            .with("outcome", &self.outcome)
            .and(self.decided_by.body())
    }
}

crate::drawn!(ErroneousDeliverySettled {
    id: FactId,
    erroneous_delivery: OperationId,
    outcome: ErroneousDeliverySettledOutcome,
    decided_by: DecidedBy,
});

impl Fact for ErroneousDeliverySettled {
    const NAME: &'static str = "stray.settled";
}

impl Reported for ErroneousDeliverySettled {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// What `rail` may say: instant, convert or liquid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CatalogueUpdatedItemRail {
    /// On the wire `instant`.
    Instant,
    /// On the wire `convert`.
    Convert,
    /// On the wire `liquid`.
    Liquid,
}

crate::drawn!(one CatalogueUpdatedItemRail { Instant, Convert, Liquid });

impl Wire for CatalogueUpdatedItemRail {
    fn wire(&self) -> Value {
        match self {
            Self::Instant => "instant",
            Self::Convert => "convert",
            Self::Liquid => "liquid",
        }
        .into()
    }
}

/// Of `CatalogueUpdated`: the pairs listed or changed, at most 5,000.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogueUpdatedItem {
    asset: Text<32>,
    chain: Text<32>,
    rail: Option<CatalogueUpdatedItemRail>,
    decimals: Option<u16>,
    min_buy_amount: Decimal,
    withdraw_fee: Option<Decimal>,
    deliverable: Option<bool>,
    memo_required: Option<bool>,
    eta: Option<Text<64>>,
    eta_seconds: Option<u16>,
}

impl CatalogueUpdatedItem {
    /// What must be said:
    ///
    /// - `asset`: the asset.
    /// - `chain`: the network.
    /// - `min_buy_amount`, on the wire `minBuyAmount`: the least that is sold.
    #[must_use]
    pub fn new(asset: Text<32>, chain: Text<32>, min_buy_amount: Decimal) -> Self {
        Self {
            asset,
            chain,
            rail: None,
            decimals: None,
            min_buy_amount,
            withdraw_fee: None,
            deliverable: None,
            memo_required: None,
            eta: None,
            eta_seconds: None,
        }
    }

    /// Sets `rail`: instant, convert or liquid.
    #[must_use]
    pub fn rail(mut self, rail: CatalogueUpdatedItemRail) -> Self {
        self.rail = Some(rail);
        self
    }

    /// Sets `decimals`: of the asset.
    #[must_use]
    pub fn decimals(mut self, decimals: u16) -> Self {
        self.decimals = Some(decimals);
        self
    }

    /// Sets `withdrawFee`: what the network takes.
    #[must_use]
    pub fn withdraw_fee(mut self, withdraw_fee: Decimal) -> Self {
        self.withdraw_fee = Some(withdraw_fee);
        self
    }

    /// Sets `entregavel`: whether it is delivered.
    #[must_use]
    pub fn deliverable(mut self, deliverable: bool) -> Self {
        self.deliverable = Some(deliverable);
        self
    }

    /// Sets `memoRequired`: whether a wallet needs a memo.
    #[must_use]
    pub fn memo_required(mut self, memo_required: bool) -> Self {
        self.memo_required = Some(memo_required);
        self
    }

    /// Sets `eta`: how long it takes, in words.
    #[must_use]
    pub fn eta(mut self, eta: Text<64>) -> Self {
        self.eta = Some(eta);
        self
    }

    /// Sets `etaSeconds`: how long it takes; required above zero outside polygon.
    #[must_use]
    pub fn eta_seconds(mut self, eta_seconds: u16) -> Self {
        self.eta_seconds = Some(eta_seconds);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("asset", &self.asset)
            .with("chain", &self.chain)
            .with("rail", &self.rail)
            .with("decimals", &self.decimals)
            .with("minBuyAmount", &self.min_buy_amount)
            .with("withdrawFee", &self.withdraw_fee)
            .with("entregavel", &self.deliverable)
            .with("memoRequired", &self.memo_required)
            .with("eta", &self.eta)
            .with("etaSeconds", &self.eta_seconds)
    }
}

crate::drawn!(CatalogueUpdatedItem {
    asset: Text<32>,
    chain: Text<32>,
    rail: Option<CatalogueUpdatedItemRail>,
    decimals: Option<u16>,
    min_buy_amount: Decimal,
    withdraw_fee: Option<Decimal>,
    deliverable: Option<bool>,
    memo_required: Option<bool>,
    eta: Option<Text<64>>,
    eta_seconds: Option<u16>,
});

impl Wire for CatalogueUpdatedItem {
    fn wire(&self) -> Value {
        self.body().into_value()
    }
}

/// Of `CatalogueUpdated`: the pairs no longer listed, at most 5,000.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogueUpdatedDropped {
    asset: Text<32>,
    chain: Text<32>,
}

impl CatalogueUpdatedDropped {
    /// What must be said:
    ///
    /// - `asset`: the asset.
    /// - `chain`: the network.
    #[must_use]
    pub fn new(asset: Text<32>, chain: Text<32>) -> Self {
        Self { asset, chain }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("asset", &self.asset).with("chain", &self.chain)
    }
}

crate::drawn!(CatalogueUpdatedDropped {
    asset: Text<32>,
    chain: Text<32>,
});

impl Wire for CatalogueUpdatedDropped {
    fn wire(&self) -> Value {
        self.body().into_value()
    }
}

/// Of `CatalogueUpdated`: where networks show their transactions.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogueUpdatedNetwork {
    chain: Text<32>,
    tx_url: Text<255>,
}

impl CatalogueUpdatedNetwork {
    /// What must be said:
    ///
    /// - `chain`: the network.
    /// - `tx_url`: an https:// address with {tx} where the hash stands.
    #[must_use]
    pub fn new(chain: Text<32>, tx_url: Text<255>) -> Self {
        Self { chain, tx_url }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("chain", &self.chain).with("tx_url", &self.tx_url)
    }
}

crate::drawn!(CatalogueUpdatedNetwork {
    chain: Text<32>,
    tx_url: Text<255>,
});

impl Wire for CatalogueUpdatedNetwork {
    fn wire(&self) -> Value {
        self.body().into_value()
    }
}

/// Pairs of asset and network were listed, changed or dropped. (`catalog.updated`)
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogueUpdated {
    id: FactId,
    items: Option<Vec<CatalogueUpdatedItem>>,
    dropped: Option<Vec<CatalogueUpdatedDropped>>,
    networks: Option<Vec<CatalogueUpdatedNetwork>>,
}

impl CatalogueUpdated {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    #[must_use]
    pub fn new(id: FactId) -> Self {
        Self { id, items: None, dropped: None, networks: None }
    }

    /// Sets `items`: the pairs listed or changed, at most 5,000.
    #[must_use]
    pub fn items(mut self, items: Vec<CatalogueUpdatedItem>) -> Self {
        self.items = Some(items);
        self
    }

    /// Sets `dropped`: the pairs no longer listed, at most 5,000.
    #[must_use]
    pub fn dropped(mut self, dropped: Vec<CatalogueUpdatedDropped>) -> Self {
        self.dropped = Some(dropped);
        self
    }

    /// Sets `networks`: where networks show their transactions.
    #[must_use]
    pub fn networks(mut self, networks: Vec<CatalogueUpdatedNetwork>) -> Self {
        self.networks = Some(networks);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("items", &self.items)
            .with("dropped", &self.dropped)
            .with("networks", &self.networks)
    }
}

crate::drawn!(CatalogueUpdated {
    id: FactId,
    items: Option<Vec<CatalogueUpdatedItem>>,
    dropped: Option<Vec<CatalogueUpdatedDropped>>,
    networks: Option<Vec<CatalogueUpdatedNetwork>>,
});

impl Fact for CatalogueUpdated {
    const NAME: &'static str = "catalog.updated";
}

impl Reported for CatalogueUpdated {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// An attempt to deliver began: the crypto is bought. (`delivery.started`)
#[derive(Clone, Debug, PartialEq)]
pub struct DeliveryStarted {
    id: FactId,
    charge: OperationId,
    attempt: Option<u16>,
}

impl DeliveryStarted {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `charge`, on the wire `cashin_id`: the purchase, conversion or commission withdrawal.
    #[must_use]
    pub fn new(id: FactId, charge: OperationId) -> Self {
        Self { id, charge, attempt: None }
    }

    /// Sets `attempt`: which attempt, as the instruction numbered it; absent: the one under
    /// way.
    #[must_use]
    pub fn attempt(mut self, attempt: u16) -> Self {
        self.attempt = Some(attempt);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashin_id", &self.charge)
            .with("attempt", &self.attempt)
    }
}

crate::drawn!(DeliveryStarted {
    id: FactId,
    charge: OperationId,
    attempt: Option<u16>,
});

impl Fact for DeliveryStarted {
    const NAME: &'static str = "delivery.started";
}

impl Reported for DeliveryStarted {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Whoever sends accepted the attempt; there is no hash yet. (`delivery.accepted`)
#[derive(Clone, Debug, PartialEq)]
pub struct DeliveryAccepted {
    id: FactId,
    charge: OperationId,
    attempt: Option<u16>,
}

impl DeliveryAccepted {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `charge`, on the wire `cashin_id`: the purchase, conversion or commission withdrawal.
    #[must_use]
    pub fn new(id: FactId, charge: OperationId) -> Self {
        Self { id, charge, attempt: None }
    }

    /// Sets `attempt`: which attempt, as the instruction numbered it; absent: the one under
    /// way.
    #[must_use]
    pub fn attempt(mut self, attempt: u16) -> Self {
        self.attempt = Some(attempt);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashin_id", &self.charge)
            .with("attempt", &self.attempt)
    }
}

crate::drawn!(DeliveryAccepted {
    id: FactId,
    charge: OperationId,
    attempt: Option<u16>,
});

impl Fact for DeliveryAccepted {
    const NAME: &'static str = "delivery.accepted";
}

impl Reported for DeliveryAccepted {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The crypto was sent; what was sent without reason is a claim. (`delivery.sent`)
#[derive(Clone, Debug, PartialEq)]
pub struct DeliverySent {
    id: FactId,
    charge: OperationId,
    tx_hash: Text<128>,
    attempt: Option<u16>,
    end_to_end_id: Option<EndToEndId>,
    amount: Option<Amount>,
    paid_at: Option<Instant>,
}

impl DeliverySent {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `charge`, on the wire `cashin_id`: the purchase, conversion or commission withdrawal.
    /// - `tx_hash`: the transaction.
    #[must_use]
    pub fn new(id: FactId, charge: OperationId, tx_hash: Text<128>) -> Self {
        Self {
            id,
            charge,
            tx_hash,
            attempt: None,
            end_to_end_id: None,
            amount: None,
            paid_at: None,
        }
    }

    /// Sets `attempt`: which attempt, as the instruction numbered it; absent: the one under
    /// way.
    #[must_use]
    pub fn attempt(mut self, attempt: u16) -> Self {
        self.attempt = Some(attempt);
        self
    }

    /// Sets `e2e`: the PIX, when the news of its payment may not have come.
    #[must_use]
    pub fn end_to_end_id(mut self, end_to_end_id: EndToEndId) -> Self {
        self.end_to_end_id = Some(end_to_end_id);
        self
    }

    /// Sets `amount_cents`: what was paid, with e2e.
    #[must_use]
    pub fn amount(mut self, amount: Amount) -> Self {
        self.amount = Some(amount);
        self
    }

    /// Sets `paid_at`: when it was paid, with e2e.
    #[must_use]
    pub fn paid_at(mut self, paid_at: Instant) -> Self {
        self.paid_at = Some(paid_at);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashin_id", &self.charge)
            .with("tx_hash", &self.tx_hash)
            .with("attempt", &self.attempt)
            .with("e2e", &self.end_to_end_id)
            .with("amount_cents", &self.amount)
            .with("paid_at", &self.paid_at)
    }
}

crate::drawn!(DeliverySent {
    id: FactId,
    charge: OperationId,
    tx_hash: Text<128>,
    attempt: Option<u16>,
    end_to_end_id: Option<EndToEndId>,
    amount: Option<Amount>,
    paid_at: Option<Instant>,
});

impl Fact for DeliverySent {
    const NAME: &'static str = "delivery.sent";
}

impl Reported for DeliverySent {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The attempt definitely failed; another may begin. (`delivery.failed`)
#[derive(Clone, Debug, PartialEq)]
pub struct DeliveryFailed {
    id: FactId,
    charge: OperationId,
    attempt: Option<u16>,
}

impl DeliveryFailed {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `charge`, on the wire `cashin_id`: the purchase, conversion or commission withdrawal.
    #[must_use]
    pub fn new(id: FactId, charge: OperationId) -> Self {
        Self { id, charge, attempt: None }
    }

    /// Sets `attempt`: which attempt, as the instruction numbered it; absent: the one under
    /// way.
    #[must_use]
    pub fn attempt(mut self, attempt: u16) -> Self {
        self.attempt = Some(attempt);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashin_id", &self.charge)
            .with("attempt", &self.attempt)
    }
}

crate::drawn!(DeliveryFailed {
    id: FactId,
    charge: OperationId,
    attempt: Option<u16>,
});

impl Fact for DeliveryFailed {
    const NAME: &'static str = "delivery.failed";
}

impl Reported for DeliveryFailed {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The attempt's outcome is unknown: it waits for evidence, and nothing moves.
/// (`delivery.unknown`)
#[derive(Clone, Debug, PartialEq)]
pub struct DeliveryUnknown {
    id: FactId,
    charge: OperationId,
    attempt: Option<u16>,
}

impl DeliveryUnknown {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `charge`, on the wire `cashin_id`: the purchase, conversion or commission withdrawal.
    #[must_use]
    pub fn new(id: FactId, charge: OperationId) -> Self {
        Self { id, charge, attempt: None }
    }

    /// Sets `attempt`: which attempt, as the instruction numbered it; absent: the one under
    /// way.
    #[must_use]
    pub fn attempt(mut self, attempt: u16) -> Self {
        self.attempt = Some(attempt);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashin_id", &self.charge)
            .with("attempt", &self.attempt)
    }
}

crate::drawn!(DeliveryUnknown {
    id: FactId,
    charge: OperationId,
    attempt: Option<u16>,
});

impl Fact for DeliveryUnknown {
    const NAME: &'static str = "delivery.unknown";
}

impl Reported for DeliveryUnknown {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// What `outcome` may say: sent or `not_sent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeliveryEvidenceOutcome {
    /// On the wire `sent`.
    Sent,
    /// On the wire `not_sent`.
    NotSent,
}

crate::drawn!(one DeliveryEvidenceOutcome { Sent, NotSent });

impl Wire for DeliveryEvidenceOutcome {
    fn wire(&self) -> Value {
        match self {
            Self::Sent => "sent",
            Self::NotSent => "not_sent",
        }
        .into()
    }
}

/// An operator found out what became of a delivery. (`delivery.evidence`)
#[derive(Clone, Debug, PartialEq)]
pub struct DeliveryEvidence {
    id: FactId,
    charge: OperationId,
    outcome: DeliveryEvidenceOutcome,
    tx_hash: Option<Text<128>>,
    decided_by: DecidedBy,
}

impl DeliveryEvidence {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `charge`, on the wire `cashin_id`: the purchase, conversion or commission withdrawal.
    /// - `outcome`: sent or `not_sent`.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(
        id: FactId,
        charge: OperationId,
        outcome: DeliveryEvidenceOutcome,
        decided_by: DecidedBy,
    ) -> Self {
        Self { id, charge, outcome, tx_hash: None, decided_by }
    }

    /// Sets `tx_hash`: the transaction, required when sent.
    #[must_use]
    pub fn tx_hash(mut self, tx_hash: Text<128>) -> Self {
        self.tx_hash = Some(tx_hash);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashin_id", &self.charge)
            .with("outcome", &self.outcome)
            .with("tx_hash", &self.tx_hash)
            .and(self.decided_by.body())
    }
}

crate::drawn!(DeliveryEvidence {
    id: FactId,
    charge: OperationId,
    outcome: DeliveryEvidenceOutcome,
    tx_hash: Option<Text<128>>,
    decided_by: DecidedBy,
});

impl Fact for DeliveryEvidence {
    const NAME: &'static str = "delivery.evidence";
}

impl Reported for DeliveryEvidence {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// An operator gives a delivery up, before it was sent or after a definite failure.
/// (`delivery.given_up`)
#[derive(Clone, Debug, PartialEq)]
pub struct DeliveryGivenUp {
    id: FactId,
    charge: OperationId,
    to: Text<16>,
    return_id: Option<EndToEndId>,
    decided_by: DecidedBy,
}

impl DeliveryGivenUp {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `charge`, on the wire `cashin_id`: the purchase, conversion or commission withdrawal.
    /// - `to`: pagador (of a purchase), or saldo: custody, or where a conversion came from.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(id: FactId, charge: OperationId, to: Text<16>, decided_by: DecidedBy) -> Self {
        Self { id, charge, to, return_id: None, decided_by }
    }

    /// Sets `return_id`: the return, required to pagador.
    #[must_use]
    pub fn return_id(mut self, return_id: EndToEndId) -> Self {
        self.return_id = Some(return_id);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashin_id", &self.charge)
            .with("to", &self.to)
            .with("return_id", &self.return_id)
            .and(self.decided_by.body())
    }
}

crate::drawn!(DeliveryGivenUp {
    id: FactId,
    charge: OperationId,
    to: Text<16>,
    return_id: Option<EndToEndId>,
    decided_by: DecidedBy,
});

impl Fact for DeliveryGivenUp {
    const NAME: &'static str = "delivery.given_up";
}

impl Reported for DeliveryGivenUp {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// An operator lets what is left of a purchase be delivered, after a part of its PIX went back:
/// fees in proportion, at the price that was agreed. (`delivery.resumed`)
#[derive(Clone, Debug, PartialEq)]
pub struct DeliveryResumed {
    id: FactId,
    charge: OperationId,
    decided_by: DecidedBy,
}

impl DeliveryResumed {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `charge`, on the wire `cashin_id`: the purchase.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(id: FactId, charge: OperationId, decided_by: DecidedBy) -> Self {
        Self { id, charge, decided_by }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashin_id", &self.charge)
            .and(self.decided_by.body())
    }
}

crate::drawn!(DeliveryResumed { id: FactId, charge: OperationId, decided_by: DecidedBy });

impl Fact for DeliveryResumed {
    const NAME: &'static str = "delivery.resumed";
}

impl Reported for DeliveryResumed {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}
