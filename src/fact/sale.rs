//! Facts of cash-out orders: crypto sold for a PIX.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::fact::sealed::Reported;
use crate::fact::{Fact, Report};
use crate::value::{
    Amount, Body, DecidedBy, Decimal, EndToEndId, FactId, Instant, OperationId, PixKey, Text, Wire,
};

/// What `path` may say: FAST, DEX, CONVERT or `depix_liquid`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MarketsUpdatedItemPath {
    /// On the wire `FAST`.
    Fast,
    /// On the wire `DEX`.
    Dex,
    /// On the wire `CONVERT`.
    Convert,
    /// On the wire `depix_liquid`.
    DepixLiquid,
}

crate::drawn!(one MarketsUpdatedItemPath { Fast, Dex, Convert, DepixLiquid });

impl Wire for MarketsUpdatedItemPath {
    fn wire(&self) -> Value {
        match self {
            Self::Fast => "FAST",
            Self::Dex => "DEX",
            Self::Convert => "CONVERT",
            Self::DepixLiquid => "depix_liquid",
        }
        .into()
    }
}

/// Of `MarketsUpdated`: the pairs listed or changed.
#[derive(Clone, Debug, PartialEq)]
pub struct MarketsUpdatedItem {
    asset: Text<32>,
    network: Text<32>,
    path: MarketsUpdatedItemPath,
    decimals: Option<u16>,
    min: Option<Decimal>,
    max: Option<Decimal>,
    available: Option<bool>,
    valid_minutes: Option<u16>,
    confirmations: Option<u16>,
    eta_minutes: Option<u16>,
}

impl MarketsUpdatedItem {
    /// What must be said:
    ///
    /// - `asset`: the asset.
    /// - `network`: the network.
    /// - `path`: FAST, DEX, CONVERT or `depix_liquid`.
    #[must_use]
    pub fn new(asset: Text<32>, network: Text<32>, path: MarketsUpdatedItemPath) -> Self {
        Self {
            asset,
            network,
            path,
            decimals: None,
            min: None,
            max: None,
            available: None,
            valid_minutes: None,
            confirmations: None,
            eta_minutes: None,
        }
    }

    /// Sets `decimals`: of the asset.
    #[must_use]
    pub fn decimals(mut self, decimals: u16) -> Self {
        self.decimals = Some(decimals);
        self
    }

    /// Sets `min`: the least.
    #[must_use]
    pub fn min(mut self, min: Decimal) -> Self {
        self.min = Some(min);
        self
    }

    /// Sets `max`: the most.
    #[must_use]
    pub fn max(mut self, max: Decimal) -> Self {
        self.max = Some(max);
        self
    }

    /// Sets `available`: whether it is offered.
    #[must_use]
    pub fn available(mut self, available: bool) -> Self {
        self.available = Some(available);
        self
    }

    /// Sets `valid_minutes`: how long a quote is valid.
    #[must_use]
    pub fn valid_minutes(mut self, valid_minutes: u16) -> Self {
        self.valid_minutes = Some(valid_minutes);
        self
    }

    /// Sets `confirmations`: how many a deposit needs.
    #[must_use]
    pub fn confirmations(mut self, confirmations: u16) -> Self {
        self.confirmations = Some(confirmations);
        self
    }

    /// Sets `eta_minutes`: how long it takes.
    #[must_use]
    pub fn eta_minutes(mut self, eta_minutes: u16) -> Self {
        self.eta_minutes = Some(eta_minutes);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("asset", &self.asset)
            .with("network", &self.network)
            .with("path", &self.path)
            .with("decimals", &self.decimals)
            .with("min", &self.min)
            .with("max", &self.max)
            .with("available", &self.available)
            .with("valid_minutes", &self.valid_minutes)
            .with("confirmations", &self.confirmations)
            .with("eta_minutes", &self.eta_minutes)
    }
}

crate::drawn!(MarketsUpdatedItem {
    asset: Text<32>,
    network: Text<32>,
    path: MarketsUpdatedItemPath,
    decimals: Option<u16>,
    min: Option<Decimal>,
    max: Option<Decimal>,
    available: Option<bool>,
    valid_minutes: Option<u16>,
    confirmations: Option<u16>,
    eta_minutes: Option<u16>,
});

impl Wire for MarketsUpdatedItem {
    fn wire(&self) -> Value {
        self.body().into_value()
    }
}

/// Of `MarketsUpdated`: the pairs no longer listed.
#[derive(Clone, Debug, PartialEq)]
pub struct MarketsUpdatedDropped {
    asset: Text<32>,
    network: Text<32>,
}

impl MarketsUpdatedDropped {
    /// What must be said:
    ///
    /// - `asset`: the asset.
    /// - `network`: the network.
    #[must_use]
    pub fn new(asset: Text<32>, network: Text<32>) -> Self {
        Self { asset, network }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("asset", &self.asset).with("network", &self.network)
    }
}

crate::drawn!(MarketsUpdatedDropped {
    asset: Text<32>,
    network: Text<32>,
});

impl Wire for MarketsUpdatedDropped {
    fn wire(&self) -> Value {
        self.body().into_value()
    }
}

/// Pairs of asset and network that sellers may deposit were listed, changed or dropped.
/// (`markets.updated`)
#[derive(Clone, Debug, PartialEq)]
pub struct MarketsUpdated {
    id: FactId,
    items: Option<Vec<MarketsUpdatedItem>>,
    dropped: Option<Vec<MarketsUpdatedDropped>>,
}

impl MarketsUpdated {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    #[must_use]
    pub fn new(id: FactId) -> Self {
        Self { id, items: None, dropped: None }
    }

    /// Sets `items`: the pairs listed or changed.
    #[must_use]
    pub fn items(mut self, items: Vec<MarketsUpdatedItem>) -> Self {
        self.items = Some(items);
        self
    }

    /// Sets `dropped`: the pairs no longer listed.
    #[must_use]
    pub fn dropped(mut self, dropped: Vec<MarketsUpdatedDropped>) -> Self {
        self.dropped = Some(dropped);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("items", &self.items)
            .with("dropped", &self.dropped)
    }
}

crate::drawn!(MarketsUpdated {
    id: FactId,
    items: Option<Vec<MarketsUpdatedItem>>,
    dropped: Option<Vec<MarketsUpdatedDropped>>,
});

impl Fact for MarketsUpdated {
    const NAME: &'static str = "markets.updated";
}

impl Reported for MarketsUpdated {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A deposit was seen on its network; what no order takes is a receipt of its own.
/// (`deposit.seen`)
#[derive(Clone, Debug, PartialEq)]
pub struct DepositSeen {
    cash_out: Option<OperationId>,
    tx_hash: Text<128>,
    output: Option<u16>,
    asset: Text<32>,
    network: Text<32>,
    amount: Decimal,
    from: Option<Text<128>>,
    seen_at: Option<Instant>,
    confirmations: Option<u16>,
}

impl DepositSeen {
    /// What must be said:
    ///
    /// - `tx_hash`: the transaction, which makes it known for ever.
    /// - `asset`: what arrived.
    /// - `network`: where.
    /// - `amount`: how much.
    #[must_use]
    pub fn new(tx_hash: Text<128>, asset: Text<32>, network: Text<32>, amount: Decimal) -> Self {
        Self {
            cash_out: None,
            tx_hash,
            output: None,
            asset,
            network,
            amount,
            from: None,
            seen_at: None,
            confirmations: None,
        }
    }

    /// Sets `cashout_id`: the order it was sent for; absent: it waits as a receipt.
    #[must_use]
    pub fn cash_out(mut self, cash_out: OperationId) -> Self {
        self.cash_out = Some(cash_out);
        self
    }

    /// Sets `output`: its output, where it has several.
    #[must_use]
    pub fn output(mut self, output: u16) -> Self {
        self.output = Some(output);
        self
    }

    /// Sets `from`: on-chain origin, informational only.
    #[must_use]
    pub fn from(mut self, from: Text<128>) -> Self {
        self.from = Some(from);
        self
    }

    /// Sets `seen_at`: when the network saw it; absent: now.
    #[must_use]
    pub fn seen_at(mut self, seen_at: Instant) -> Self {
        self.seen_at = Some(seen_at);
        self
    }

    /// Sets `confirmations`: how many it has; told again with more, the order shows them.
    #[must_use]
    pub fn confirmations(mut self, confirmations: u16) -> Self {
        self.confirmations = Some(confirmations);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("cashout_id", &self.cash_out)
            .with("tx_hash", &self.tx_hash)
            .with("output", &self.output)
            .with("asset", &self.asset)
            .with("network", &self.network)
            .with("amount", &self.amount)
            .with("from", &self.from)
            .with("seen_at", &self.seen_at)
            .with("confirmations", &self.confirmations)
    }
}

crate::drawn!(DepositSeen {
    cash_out: Option<OperationId>,
    tx_hash: Text<128>,
    output: Option<u16>,
    asset: Text<32>,
    network: Text<32>,
    amount: Decimal,
    from: Option<Text<128>>,
    seen_at: Option<Instant>,
    confirmations: Option<u16>,
});

impl Fact for DepositSeen {
    const NAME: &'static str = "deposit.seen";
}

impl Reported for DepositSeen {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A deposit has its confirmations; told in full, that implies that it was seen.
/// (`deposit.confirmed`)
#[derive(Clone, Debug, PartialEq)]
pub struct DepositConfirmed {
    cash_out: Option<OperationId>,
    tx_hash: Text<128>,
    output: Option<u16>,
    asset: Option<Text<32>>,
    network: Option<Text<32>>,
    amount: Option<Decimal>,
    from: Option<Text<128>>,
    seen_at: Option<Instant>,
}

impl DepositConfirmed {
    /// What must be said:
    ///
    /// - `tx_hash`: the transaction, which makes it known for ever.
    #[must_use]
    pub fn new(tx_hash: Text<128>) -> Self {
        Self {
            cash_out: None,
            tx_hash,
            output: None,
            asset: None,
            network: None,
            amount: None,
            from: None,
            seen_at: None,
        }
    }

    /// Sets `cashout_id`: the order it was sent for; absent: it waits as a receipt.
    #[must_use]
    pub fn cash_out(mut self, cash_out: OperationId) -> Self {
        self.cash_out = Some(cash_out);
        self
    }

    /// Sets `output`: its output, where it has several.
    #[must_use]
    pub fn output(mut self, output: u16) -> Self {
        self.output = Some(output);
        self
    }

    /// Sets `asset`: what arrived, with amount.
    #[must_use]
    pub fn asset(mut self, asset: Text<32>) -> Self {
        self.asset = Some(asset);
        self
    }

    /// Sets `network`: where, with amount.
    #[must_use]
    pub fn network(mut self, network: Text<32>) -> Self {
        self.network = Some(network);
        self
    }

    /// Sets `amount`: how much, when the news of its arrival may not have come.
    #[must_use]
    pub fn amount(mut self, amount: Decimal) -> Self {
        self.amount = Some(amount);
        self
    }

    /// Sets `from`: on-chain origin, informational only.
    #[must_use]
    pub fn from(mut self, from: Text<128>) -> Self {
        self.from = Some(from);
        self
    }

    /// Sets `seen_at`: when the network saw it; absent: now.
    #[must_use]
    pub fn seen_at(mut self, seen_at: Instant) -> Self {
        self.seen_at = Some(seen_at);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("cashout_id", &self.cash_out)
            .with("tx_hash", &self.tx_hash)
            .with("output", &self.output)
            .with("asset", &self.asset)
            .with("network", &self.network)
            .with("amount", &self.amount)
            .with("from", &self.from)
            .with("seen_at", &self.seen_at)
    }
}

crate::drawn!(DepositConfirmed {
    cash_out: Option<OperationId>,
    tx_hash: Text<128>,
    output: Option<u16>,
    asset: Option<Text<32>>,
    network: Option<Text<32>>,
    amount: Option<Decimal>,
    from: Option<Text<128>>,
    seen_at: Option<Instant>,
});

impl Fact for DepositConfirmed {
    const NAME: &'static str = "deposit.confirmed";
}

impl Reported for DepositConfirmed {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A deposit vanished before it was confirmed: the network reorganised. (`deposit.vanished`)
#[derive(Clone, Debug, PartialEq)]
pub struct DepositVanished {
    cash_out: Option<OperationId>,
    tx_hash: Text<128>,
    output: Option<u16>,
}

impl DepositVanished {
    /// What must be said:
    ///
    /// - `tx_hash`: the transaction, which makes it known for ever.
    #[must_use]
    pub fn new(tx_hash: Text<128>) -> Self {
        Self { cash_out: None, tx_hash, output: None }
    }

    /// Sets `cashout_id`: the order it was sent for; absent: it waits as a receipt.
    #[must_use]
    pub fn cash_out(mut self, cash_out: OperationId) -> Self {
        self.cash_out = Some(cash_out);
        self
    }

    /// Sets `output`: its output, where it has several.
    #[must_use]
    pub fn output(mut self, output: u16) -> Self {
        self.output = Some(output);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("cashout_id", &self.cash_out)
            .with("tx_hash", &self.tx_hash)
            .with("output", &self.output)
    }
}

crate::drawn!(DepositVanished {
    cash_out: Option<OperationId>,
    tx_hash: Text<128>,
    output: Option<u16>,
});

impl Fact for DepositVanished {
    const NAME: &'static str = "deposit.vanished";
}

impl Reported for DepositVanished {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A refund is decided: by the service up to the limit, or by an operator, who may name the
/// wallet. (`refund.decided`)
#[derive(Clone, Debug, PartialEq)]
pub struct RefundDecided {
    id: FactId,
    cash_out: Option<OperationId>,
    unmatched_deposit: Option<OperationId>,
    refund_address: Option<Text<128>>,
    decided_by: DecidedBy,
}

impl RefundDecided {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(id: FactId, decided_by: DecidedBy) -> Self {
        Self { id, cash_out: None, unmatched_deposit: None, refund_address: None, decided_by }
    }

    /// Sets `cashout_id`: the order; it or `receipt_id`.
    #[must_use]
    pub fn cash_out(mut self, cash_out: OperationId) -> Self {
        self.cash_out = Some(cash_out);
        self
    }

    /// Sets `receipt_id`: crypto that no order took.
    #[must_use]
    pub fn unmatched_deposit(mut self, unmatched_deposit: OperationId) -> Self {
        self.unmatched_deposit = Some(unmatched_deposit);
        self
    }

    /// Sets `refund_address`: the return wallet, where an operator names one.
    #[must_use]
    pub fn refund_address(mut self, refund_address: Text<128>) -> Self {
        self.refund_address = Some(refund_address);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashout_id", &self.cash_out)
            .with("receipt_id", &self.unmatched_deposit)
            .with("refund_address", &self.refund_address)
            .and(self.decided_by.body())
    }
}

crate::drawn!(RefundDecided {
    id: FactId,
    cash_out: Option<OperationId>,
    unmatched_deposit: Option<OperationId>,
    refund_address: Option<Text<128>>,
    decided_by: DecidedBy,
});

impl Fact for RefundDecided {
    const NAME: &'static str = "refund.decided";
}

impl Reported for RefundDecided {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A refund was sent. (`refund.sent`)
#[derive(Clone, Debug, PartialEq)]
pub struct RefundSent {
    id: FactId,
    cash_out: Option<OperationId>,
    unmatched_deposit: Option<OperationId>,
    tx_hash: Text<128>,
}

impl RefundSent {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `tx_hash`: the transaction.
    #[must_use]
    pub fn new(id: FactId, tx_hash: Text<128>) -> Self {
        Self { id, cash_out: None, unmatched_deposit: None, tx_hash }
    }

    /// Sets `cashout_id`: the order; it or `receipt_id`.
    #[must_use]
    pub fn cash_out(mut self, cash_out: OperationId) -> Self {
        self.cash_out = Some(cash_out);
        self
    }

    /// Sets `receipt_id`: crypto that no order took.
    #[must_use]
    pub fn unmatched_deposit(mut self, unmatched_deposit: OperationId) -> Self {
        self.unmatched_deposit = Some(unmatched_deposit);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashout_id", &self.cash_out)
            .with("receipt_id", &self.unmatched_deposit)
            .with("tx_hash", &self.tx_hash)
    }
}

crate::drawn!(RefundSent {
    id: FactId,
    cash_out: Option<OperationId>,
    unmatched_deposit: Option<OperationId>,
    tx_hash: Text<128>,
});

impl Fact for RefundSent {
    const NAME: &'static str = "refund.sent";
}

impl Reported for RefundSent {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A refund definitely was not sent: another attempt follows. (`refund.failed`)
#[derive(Clone, Debug, PartialEq)]
pub struct RefundFailed {
    id: FactId,
    cash_out: Option<OperationId>,
    unmatched_deposit: Option<OperationId>,
}

impl RefundFailed {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    #[must_use]
    pub fn new(id: FactId) -> Self {
        Self { id, cash_out: None, unmatched_deposit: None }
    }

    /// Sets `cashout_id`: the order; it or `receipt_id`.
    #[must_use]
    pub fn cash_out(mut self, cash_out: OperationId) -> Self {
        self.cash_out = Some(cash_out);
        self
    }

    /// Sets `receipt_id`: crypto that no order took.
    #[must_use]
    pub fn unmatched_deposit(mut self, unmatched_deposit: OperationId) -> Self {
        self.unmatched_deposit = Some(unmatched_deposit);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashout_id", &self.cash_out)
            .with("receipt_id", &self.unmatched_deposit)
    }
}

crate::drawn!(RefundFailed {
    id: FactId,
    cash_out: Option<OperationId>,
    unmatched_deposit: Option<OperationId>,
});

impl Fact for RefundFailed {
    const NAME: &'static str = "refund.failed";
}

impl Reported for RefundFailed {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Nobody knows whether a refund was sent: it waits for evidence. (`refund.unknown`)
#[derive(Clone, Debug, PartialEq)]
pub struct RefundUnknown {
    id: FactId,
    cash_out: Option<OperationId>,
    unmatched_deposit: Option<OperationId>,
}

impl RefundUnknown {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    #[must_use]
    pub fn new(id: FactId) -> Self {
        Self { id, cash_out: None, unmatched_deposit: None }
    }

    /// Sets `cashout_id`: the order; it or `receipt_id`.
    #[must_use]
    pub fn cash_out(mut self, cash_out: OperationId) -> Self {
        self.cash_out = Some(cash_out);
        self
    }

    /// Sets `receipt_id`: crypto that no order took.
    #[must_use]
    pub fn unmatched_deposit(mut self, unmatched_deposit: OperationId) -> Self {
        self.unmatched_deposit = Some(unmatched_deposit);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashout_id", &self.cash_out)
            .with("receipt_id", &self.unmatched_deposit)
    }
}

crate::drawn!(RefundUnknown {
    id: FactId,
    cash_out: Option<OperationId>,
    unmatched_deposit: Option<OperationId>,
});

impl Fact for RefundUnknown {
    const NAME: &'static str = "refund.unknown";
}

impl Reported for RefundUnknown {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Selling what was deposited began, on a network or at the exchange. (`sale.started`)
#[derive(Clone, Debug, PartialEq)]
pub struct SaleStarted {
    id: FactId,
    cash_out: OperationId,
}

impl SaleStarted {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId) -> Self {
        Self { id, cash_out }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("cashout_id", &self.cash_out)
    }
}

crate::drawn!(SaleStarted { id: FactId, cash_out: OperationId });

impl Fact for SaleStarted {
    const NAME: &'static str = "sale.started";
}

impl Reported for SaleStarted {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// It was sold, for crypto or, at the exchange, for reais. (`sale.filled`)
#[derive(Clone, Debug, PartialEq)]
pub struct SaleFilled {
    id: FactId,
    cash_out: OperationId,
    asset: Option<Text<32>>,
    network: Option<Text<32>>,
    units: Option<Decimal>,
    amount: Option<Amount>,
}

impl SaleFilled {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId) -> Self {
        Self { id, cash_out, asset: None, network: None, units: None, amount: None }
    }

    /// Sets `asset`: what it gave, in crypto.
    #[must_use]
    pub fn asset(mut self, asset: Text<32>) -> Self {
        self.asset = Some(asset);
        self
    }

    /// Sets `network`: where that stands.
    #[must_use]
    pub fn network(mut self, network: Text<32>) -> Self {
        self.network = Some(network);
        self
    }

    /// Sets `amount`: how much.
    #[must_use]
    pub fn units(mut self, units: Decimal) -> Self {
        self.units = Some(units);
        self
    }

    /// Sets `amount_cents`: what it gave, in reais.
    #[must_use]
    pub fn amount(mut self, amount: Amount) -> Self {
        self.amount = Some(amount);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashout_id", &self.cash_out)
            .with("asset", &self.asset)
            .with("network", &self.network)
            .with("amount", &self.units)
            .with("amount_cents", &self.amount)
    }
}

crate::drawn!(SaleFilled {
    id: FactId,
    cash_out: OperationId,
    asset: Option<Text<32>>,
    network: Option<Text<32>>,
    units: Option<Decimal>,
    amount: Option<Amount>,
});

impl Fact for SaleFilled {
    const NAME: &'static str = "sale.filled";
}

impl Reported for SaleFilled {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// It definitely was not sold: the deposit goes back. (`sale.failed`)
#[derive(Clone, Debug, PartialEq)]
pub struct SaleFailed {
    id: FactId,
    cash_out: OperationId,
}

impl SaleFailed {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId) -> Self {
        Self { id, cash_out }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("cashout_id", &self.cash_out)
    }
}

crate::drawn!(SaleFailed { id: FactId, cash_out: OperationId });

impl Fact for SaleFailed {
    const NAME: &'static str = "sale.failed";
}

impl Reported for SaleFailed {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Nobody knows whether it was sold: it waits for evidence, and nothing moves. (`sale.unknown`)
#[derive(Clone, Debug, PartialEq)]
pub struct SaleUnknown {
    id: FactId,
    cash_out: OperationId,
}

impl SaleUnknown {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId) -> Self {
        Self { id, cash_out }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("cashout_id", &self.cash_out)
    }
}

crate::drawn!(SaleUnknown { id: FactId, cash_out: OperationId });

impl Fact for SaleUnknown {
    const NAME: &'static str = "sale.unknown";
}

impl Reported for SaleUnknown {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The proceeds are on their way from the exchange to the payout provider. (`sale.forwarding`)
#[derive(Clone, Debug, PartialEq)]
pub struct SaleForwarding {
    id: FactId,
    cash_out: OperationId,
}

impl SaleForwarding {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId) -> Self {
        Self { id, cash_out }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("cashout_id", &self.cash_out)
    }
}

crate::drawn!(SaleForwarding { id: FactId, cash_out: OperationId });

impl Fact for SaleForwarding {
    const NAME: &'static str = "sale.forwarding";
}

impl Reported for SaleForwarding {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// They arrived; the payment begins. (`sale.forwarded`)
#[derive(Clone, Debug, PartialEq)]
pub struct SaleForwarded {
    id: FactId,
    cash_out: OperationId,
    amount: Amount,
}

impl SaleForwarded {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    /// - `amount`, on the wire `amount_cents`: centavos.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId, amount: Amount) -> Self {
        Self { id, cash_out, amount }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashout_id", &self.cash_out)
            .with("amount_cents", &self.amount)
    }
}

crate::drawn!(SaleForwarded { id: FactId, cash_out: OperationId, amount: Amount });

impl Fact for SaleForwarded {
    const NAME: &'static str = "sale.forwarded";
}

impl Reported for SaleForwarded {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The payment of an order sold on its network began. (`payment.started`)
#[derive(Clone, Debug, PartialEq)]
pub struct PaymentStarted {
    id: FactId,
    cash_out: OperationId,
}

impl PaymentStarted {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId) -> Self {
        Self { id, cash_out }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("cashout_id", &self.cash_out)
    }
}

crate::drawn!(PaymentStarted { id: FactId, cash_out: OperationId });

impl Fact for PaymentStarted {
    const NAME: &'static str = "payment.started";
}

impl Reported for PaymentStarted {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The exchange or the provider is late with an order. (`cashout.delayed`)
#[derive(Clone, Debug, PartialEq)]
pub struct CashOutDelayed {
    id: FactId,
    cash_out: OperationId,
}

impl CashOutDelayed {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId) -> Self {
        Self { id, cash_out }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("cashout_id", &self.cash_out)
    }
}

crate::drawn!(CashOutDelayed { id: FactId, cash_out: OperationId });

impl Fact for CashOutDelayed {
    const NAME: &'static str = "cashout.delayed";
}

impl Reported for CashOutDelayed {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// It goes on. (`cashout.resumed`)
#[derive(Clone, Debug, PartialEq)]
pub struct CashOutResumed {
    id: FactId,
    cash_out: OperationId,
}

impl CashOutResumed {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId) -> Self {
        Self { id, cash_out }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("cashout_id", &self.cash_out)
    }
}

crate::drawn!(CashOutResumed { id: FactId, cash_out: OperationId });

impl Fact for CashOutResumed {
    const NAME: &'static str = "cashout.resumed";
}

impl Reported for CashOutResumed {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The PIX of an order was paid. (`cashout.paid`)
#[derive(Clone, Debug, PartialEq)]
pub struct CashOutPaid {
    cash_out: OperationId,
    end_to_end_id: EndToEndId,
    amount: Option<Amount>,
    paid_at: Option<Instant>,
    receipt_url: Option<Text<512>>,
    receipt_pdf_url: Option<Text<512>>,
    verify_url: Option<Text<512>>,
    recipient_name: Option<Text<255>>,
    recipient_document: Option<Text<32>>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
}

impl CashOutPaid {
    /// What must be said:
    ///
    /// - `cash_out`, on the wire `cashout_id`: the order.
    /// - `end_to_end_id`, on the wire `e2e`: the end-to-end id, which makes it known for ever.
    #[must_use]
    pub fn new(cash_out: OperationId, end_to_end_id: EndToEndId) -> Self {
        Self {
            cash_out,
            end_to_end_id,
            amount: None,
            paid_at: None,
            receipt_url: None,
            receipt_pdf_url: None,
            verify_url: None,
            recipient_name: None,
            recipient_document: None,
            institution: None,
            settled_by: None,
        }
    }

    /// Sets `amount_cents`: what was paid, where it may not be what was owed.
    #[must_use]
    pub fn amount(mut self, amount: Amount) -> Self {
        self.amount = Some(amount);
        self
    }

    /// Sets `paid_at`: when it was paid; absent: now.
    #[must_use]
    pub fn paid_at(mut self, paid_at: Instant) -> Self {
        self.paid_at = Some(paid_at);
        self
    }

    /// Sets `receipt_url`: where its receipt is.
    #[must_use]
    pub fn receipt_url(mut self, receipt_url: Text<512>) -> Self {
        self.receipt_url = Some(receipt_url);
        self
    }

    /// Sets `receipt_pdf_url`: and as PDF.
    #[must_use]
    pub fn receipt_pdf_url(mut self, receipt_pdf_url: Text<512>) -> Self {
        self.receipt_pdf_url = Some(receipt_pdf_url);
        self
    }

    /// Sets `verify_url`: and where anybody may verify it.
    #[must_use]
    pub fn verify_url(mut self, verify_url: Text<512>) -> Self {
        self.verify_url = Some(verify_url);
        self
    }

    /// Sets `recipient_name`: the recipient's name.
    #[must_use]
    pub fn recipient_name(mut self, recipient_name: Text<255>) -> Self {
        self.recipient_name = Some(recipient_name);
        self
    }

    /// Sets `recipient_document`: the recipient's CPF or CNPJ, digits only, or a masked CPF.
    #[must_use]
    pub fn recipient_document(mut self, recipient_document: Text<32>) -> Self {
        self.recipient_document = Some(recipient_document);
        self
    }

    /// Sets `institution`: the recipient's institution.
    #[must_use]
    pub fn institution(mut self, institution: Text<255>) -> Self {
        self.institution = Some(institution);
        self
    }

    /// Sets `settled_by`: who settled the PIX.
    #[must_use]
    pub fn settled_by(mut self, settled_by: Text<255>) -> Self {
        self.settled_by = Some(settled_by);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("cashout_id", &self.cash_out)
            .with("e2e", &self.end_to_end_id)
            .with("amount_cents", &self.amount)
            .with("paid_at", &self.paid_at)
            .with("receipt_url", &self.receipt_url)
            .with("receipt_pdf_url", &self.receipt_pdf_url)
            .with("verify_url", &self.verify_url)
            .with("recipient_name", &self.recipient_name)
            .with("recipient_document", &self.recipient_document)
            .with("institution", &self.institution)
            .with("settled_by", &self.settled_by)
    }
}

crate::drawn!(CashOutPaid {
    cash_out: OperationId,
    end_to_end_id: EndToEndId,
    amount: Option<Amount>,
    paid_at: Option<Instant>,
    receipt_url: Option<Text<512>>,
    receipt_pdf_url: Option<Text<512>>,
    verify_url: Option<Text<512>>,
    recipient_name: Option<Text<255>>,
    recipient_document: Option<Text<32>>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
});

impl Fact for CashOutPaid {
    const NAME: &'static str = "cashout.paid";
}

impl Reported for CashOutPaid {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The send failed before leaving: it is tried again every five minutes for 45.
/// (`cashout.send_failed`)
#[derive(Clone, Debug, PartialEq)]
pub struct SendFailed {
    id: FactId,
    cash_out: OperationId,
}

impl SendFailed {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId) -> Self {
        Self { id, cash_out }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("cashout_id", &self.cash_out)
    }
}

crate::drawn!(SendFailed { id: FactId, cash_out: OperationId });

impl Fact for SendFailed {
    const NAME: &'static str = "cashout.send_failed";
}

impl Reported for SendFailed {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The PIX cannot be paid, and no further try would change that. (`cashout.pix_impossible`)
#[derive(Clone, Debug, PartialEq)]
pub struct PaymentImpossible {
    id: FactId,
    cash_out: OperationId,
}

impl PaymentImpossible {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId) -> Self {
        Self { id, cash_out }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("cashout_id", &self.cash_out)
    }
}

crate::drawn!(PaymentImpossible { id: FactId, cash_out: OperationId });

impl Fact for PaymentImpossible {
    const NAME: &'static str = "cashout.pix_impossible";
}

impl Reported for PaymentImpossible {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The provider refused the PIX key after it had the money, and gave back so much.
/// (`cashout.key_refused`)
#[derive(Clone, Debug, PartialEq)]
pub struct KeyRefused {
    id: FactId,
    cash_out: OperationId,
    returned_cents: Amount,
}

impl KeyRefused {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    /// - `returned_cents`: what it gave back, in centavos.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId, returned_cents: Amount) -> Self {
        Self { id, cash_out, returned_cents }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashout_id", &self.cash_out)
            .with("returned_cents", &self.returned_cents)
    }
}

crate::drawn!(KeyRefused { id: FactId, cash_out: OperationId, returned_cents: Amount });

impl Fact for KeyRefused {
    const NAME: &'static str = "cashout.key_refused";
}

impl Reported for KeyRefused {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Nobody knows whether the PIX was paid: it waits for evidence, and nothing moves.
/// (`cashout.unknown`)
#[derive(Clone, Debug, PartialEq)]
pub struct PaymentUnknown {
    id: FactId,
    cash_out: OperationId,
}

impl PaymentUnknown {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId) -> Self {
        Self { id, cash_out }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("cashout_id", &self.cash_out)
    }
}

crate::drawn!(PaymentUnknown { id: FactId, cash_out: OperationId });

impl Fact for PaymentUnknown {
    const NAME: &'static str = "cashout.unknown";
}

impl Reported for PaymentUnknown {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The token of a sale on Liquid was handed to the provider. (`cashout.token_sent`)
#[derive(Clone, Debug, PartialEq)]
pub struct TokenHandedOver {
    id: FactId,
    cash_out: OperationId,
}

impl TokenHandedOver {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId) -> Self {
        Self { id, cash_out }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("cashout_id", &self.cash_out)
    }
}

crate::drawn!(TokenHandedOver { id: FactId, cash_out: OperationId });

impl Fact for TokenHandedOver {
    const NAME: &'static str = "cashout.token_sent";
}

impl Reported for TokenHandedOver {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The provider returned the token: never more is refunded than came back.
/// (`cashout.token_returned`)
#[derive(Clone, Debug, PartialEq)]
pub struct TokenReturned {
    id: FactId,
    cash_out: OperationId,
    amount: Decimal,
}

impl TokenReturned {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    /// - `amount`: how much came back.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId, amount: Decimal) -> Self {
        Self { id, cash_out, amount }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashout_id", &self.cash_out)
            .with("amount", &self.amount)
    }
}

crate::drawn!(TokenReturned { id: FactId, cash_out: OperationId, amount: Decimal });

impl Fact for TokenReturned {
    const NAME: &'static str = "cashout.token_returned";
}

impl Reported for TokenReturned {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The PIX of a completed order came back, in part or whole. (`cashout.pix_reversed`)
#[derive(Clone, Debug, PartialEq)]
pub struct CashOutReversed {
    cash_out: OperationId,
    return_id: EndToEndId,
    amount: Amount,
}

impl CashOutReversed {
    /// What must be said:
    ///
    /// - `cash_out`, on the wire `cashout_id`: the order.
    /// - `return_id`: the return id.
    /// - `amount`, on the wire `amount_cents`: centavos.
    #[must_use]
    pub fn new(cash_out: OperationId, return_id: EndToEndId, amount: Amount) -> Self {
        Self { cash_out, return_id, amount }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("cashout_id", &self.cash_out)
            .with("return_id", &self.return_id)
            .with("amount_cents", &self.amount)
    }
}

crate::drawn!(CashOutReversed { cash_out: OperationId, return_id: EndToEndId, amount: Amount });

impl Fact for CashOutReversed {
    const NAME: &'static str = "cashout.pix_reversed";
}

impl Reported for CashOutReversed {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The route was lost before anything was deposited. (`cashout.cancelled`)
#[derive(Clone, Debug, PartialEq)]
pub struct CashOutCancelled {
    id: FactId,
    cash_out: OperationId,
}

impl CashOutCancelled {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId) -> Self {
        Self { id, cash_out }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("cashout_id", &self.cash_out)
    }
}

crate::drawn!(CashOutCancelled { id: FactId, cash_out: OperationId });

impl Fact for CashOutCancelled {
    const NAME: &'static str = "cashout.cancelled";
}

impl Reported for CashOutCancelled {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// An operator takes an order whose payment has no known outcome. (`cashout.stopped`)
#[derive(Clone, Debug, PartialEq)]
pub struct CashOutStopped {
    id: FactId,
    cash_out: OperationId,
    decided_by: DecidedBy,
}

impl CashOutStopped {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId, decided_by: DecidedBy) -> Self {
        Self { id, cash_out, decided_by }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashout_id", &self.cash_out)
            .and(self.decided_by.body())
    }
}

crate::drawn!(CashOutStopped { id: FactId, cash_out: OperationId, decided_by: DecidedBy });

impl Fact for CashOutStopped {
    const NAME: &'static str = "cashout.stopped";
}

impl Reported for CashOutStopped {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// An operator lets an order under review go on; with a corrected key, if it was the key.
/// (`cashout.cleared`)
#[derive(Clone, Debug, PartialEq)]
pub struct CashOutCleared {
    id: FactId,
    cash_out: OperationId,
    pix_key: Option<PixKey>,
    decided_by: DecidedBy,
}

impl CashOutCleared {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `cash_out`, on the wire `cashout_id`: the order.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(id: FactId, cash_out: OperationId, decided_by: DecidedBy) -> Self {
        Self { id, cash_out, pix_key: None, decided_by }
    }

    /// Sets `pix_key`: the corrected key.
    #[must_use]
    pub fn pix_key(mut self, pix_key: PixKey) -> Self {
        self.pix_key = Some(pix_key);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashout_id", &self.cash_out)
            .with("pix_key", &self.pix_key)
            .with("pix_key_type", &self.pix_key.as_ref().map(PixKey::kind))
            .and(self.decided_by.body())
    }
}

crate::drawn!(CashOutCleared {
    id: FactId,
    cash_out: OperationId,
    pix_key: Option<PixKey>,
    decided_by: DecidedBy,
});

impl Fact for CashOutCleared {
    const NAME: &'static str = "cashout.cleared";
}

impl Reported for CashOutCleared {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}
