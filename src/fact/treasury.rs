//! Facts of own money and coins, and prices.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::fact::sealed::Reported;
use crate::fact::{Fact, Report};
use crate::value::{Amount, Body, Decimal, FactId, Instant, Text};

/// Own money moved between own accounts. (`treasury.moved`)
#[derive(Clone, Debug, PartialEq)]
pub struct TreasuryMoved {
    id: FactId,
    from: Text<32>,
    to: Text<32>,
    amount: Option<Amount>,
    asset: Option<Text<32>>,
    chain: Option<Text<32>>,
    units: Option<Decimal>,
}

impl TreasuryMoved {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `from`: equity.funding, prov.pix, prov.pay, recv.prov, tariff.due or fx; of crypto:
    ///   equity.funding, treas, exp.gas, exp.loss, recv.prov or fx.
    /// - `to`: another of them.
    #[must_use]
    pub fn new(id: FactId, from: Text<32>, to: Text<32>) -> Self {
        Self { id, from, to, amount: None, asset: None, chain: None, units: None }
    }

    /// Sets `amount_cents`: centavos; required for reais.
    #[must_use]
    pub fn amount(mut self, amount: Amount) -> Self {
        self.amount = Some(amount);
        self
    }

    /// Sets `asset`: the asset, for crypto.
    #[must_use]
    pub fn asset(mut self, asset: Text<32>) -> Self {
        self.asset = Some(asset);
        self
    }

    /// Sets `chain`: the network of treas.
    #[must_use]
    pub fn chain(mut self, chain: Text<32>) -> Self {
        self.chain = Some(chain);
        self
    }

    /// Sets `amount`: units of the asset; required for crypto.
    #[must_use]
    pub fn units(mut self, units: Decimal) -> Self {
        self.units = Some(units);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("from", &self.from)
            .with("to", &self.to)
            .with("amount_cents", &self.amount)
            .with("asset", &self.asset)
            .with("chain", &self.chain)
            .with("amount", &self.units)
    }
}

crate::drawn!(TreasuryMoved {
    id: FactId,
    from: Text<32>,
    to: Text<32>,
    amount: Option<Amount>,
    asset: Option<Text<32>>,
    chain: Option<Text<32>>,
    units: Option<Decimal>,
});

impl Fact for TreasuryMoved {
    const NAME: &'static str = "treasury.moved";
}

impl Reported for TreasuryMoved {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// An asset has a price: the ask of an exchange, unmodified. (`rate.quoted`)
#[derive(Clone, Debug, PartialEq)]
pub struct RateQuoted {
    id: FactId,
    asset: Text<32>,
    brl_per_unit: Decimal,
    source: Option<Text<64>>,
    quoted_at: Option<Instant>,
}

impl RateQuoted {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `asset`: the asset.
    /// - `brl_per_unit`: reais for one whole.
    #[must_use]
    pub fn new(id: FactId, asset: Text<32>, brl_per_unit: Decimal) -> Self {
        Self { id, asset, brl_per_unit, source: None, quoted_at: None }
    }

    /// Sets `source`: whose price it is.
    #[must_use]
    pub fn source(mut self, source: Text<64>) -> Self {
        self.source = Some(source);
        self
    }

    /// Sets `quoted_at`: when it was told; absent: now.
    #[must_use]
    pub fn quoted_at(mut self, quoted_at: Instant) -> Self {
        self.quoted_at = Some(quoted_at);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("asset", &self.asset)
            .with("brl_per_unit", &self.brl_per_unit)
            .with("source", &self.source)
            .with("quoted_at", &self.quoted_at)
    }
}

crate::drawn!(RateQuoted {
    id: FactId,
    asset: Text<32>,
    brl_per_unit: Decimal,
    source: Option<Text<64>>,
    quoted_at: Option<Instant>,
});

impl Fact for RateQuoted {
    const NAME: &'static str = "rate.quoted";
}

impl Reported for RateQuoted {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}
