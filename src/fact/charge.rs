//! Facts of charges: a PIX collected.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::fact::sealed::Reported;
use crate::fact::{Fact, Report};
use crate::value::{
    Amount, Body, DecidedBy, Document, EndToEndId, FactId, Instant, OperationId, Text, Wire,
};

/// A PIX arrived; what does not pay its charge exactly and in time goes to suspense.
/// (`pix.received`)
#[derive(Clone, Debug, PartialEq)]
pub struct PixReceived {
    charge: Option<OperationId>,
    end_to_end_id: EndToEndId,
    amount: Amount,
    paid_at: Option<Instant>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
    receipt_url: Option<Text<512>>,
    payer: Option<Document>,
}

impl PixReceived {
    /// What must be said:
    ///
    /// - `end_to_end_id`, on the wire `e2e`: the end-to-end id, which makes it known for ever.
    /// - `amount`, on the wire `amount_cents`: centavos.
    #[must_use]
    pub fn new(end_to_end_id: EndToEndId, amount: Amount) -> Self {
        Self {
            charge: None,
            end_to_end_id,
            amount,
            paid_at: None,
            institution: None,
            settled_by: None,
            receipt_url: None,
            payer: None,
        }
    }

    /// Sets `cashin_id`: the charge its QR belongs to.
    #[must_use]
    pub fn charge(mut self, charge: OperationId) -> Self {
        self.charge = Some(charge);
        self
    }

    /// Sets `paid_at`: when the payer paid, by the provider's clock; absent: now.
    #[must_use]
    pub fn paid_at(mut self, paid_at: Instant) -> Self {
        self.paid_at = Some(paid_at);
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

    /// Sets `receipt_url`: where its receipt is: an https:// address.
    #[must_use]
    pub fn receipt_url(mut self, receipt_url: Text<512>) -> Self {
        self.receipt_url = Some(receipt_url);
        self
    }

    /// Sets `payer_tax_number`: the CPF or CNPJ of whoever paid, digits only, or a masked CPF.
    #[must_use]
    pub fn payer(mut self, payer: Document) -> Self {
        self.payer = Some(payer);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("cashin_id", &self.charge)
            .with("e2e", &self.end_to_end_id)
            .with("amount_cents", &self.amount)
            .with("paid_at", &self.paid_at)
            .with("institution", &self.institution)
            .with("settled_by", &self.settled_by)
            .with("receipt_url", &self.receipt_url)
            .with("payer_tax_number", &self.payer)
    }
}

crate::drawn!(PixReceived {
    charge: Option<OperationId>,
    end_to_end_id: EndToEndId,
    amount: Amount,
    paid_at: Option<Instant>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
    receipt_url: Option<Text<512>>,
    payer: Option<Document>,
});

impl Fact for PixReceived {
    const NAME: &'static str = "pix.received";
}

impl Reported for PixReceived {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A PIX was seen for a charge, and the provider has not settled it yet. (`pix.seen`)
#[derive(Clone, Debug, PartialEq)]
pub struct PixSeen {
    charge: OperationId,
    end_to_end_id: EndToEndId,
    amount: Amount,
    paid_at: Option<Instant>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
    receipt_url: Option<Text<512>>,
    payer: Option<Document>,
}

impl PixSeen {
    /// What must be said:
    ///
    /// - `charge`, on the wire `cashin_id`: the charge.
    /// - `end_to_end_id`, on the wire `e2e`: the end-to-end id, which makes it known for ever.
    /// - `amount`, on the wire `amount_cents`: centavos.
    #[must_use]
    pub fn new(charge: OperationId, end_to_end_id: EndToEndId, amount: Amount) -> Self {
        Self {
            charge,
            end_to_end_id,
            amount,
            paid_at: None,
            institution: None,
            settled_by: None,
            receipt_url: None,
            payer: None,
        }
    }

    /// Sets `paid_at`: when the payer paid; absent: now.
    #[must_use]
    pub fn paid_at(mut self, paid_at: Instant) -> Self {
        self.paid_at = Some(paid_at);
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

    /// Sets `receipt_url`: where its receipt is: an https:// address.
    #[must_use]
    pub fn receipt_url(mut self, receipt_url: Text<512>) -> Self {
        self.receipt_url = Some(receipt_url);
        self
    }

    /// Sets `payer_tax_number`: the CPF or CNPJ of whoever paid, digits only, or a masked CPF.
    #[must_use]
    pub fn payer(mut self, payer: Document) -> Self {
        self.payer = Some(payer);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("cashin_id", &self.charge)
            .with("e2e", &self.end_to_end_id)
            .with("amount_cents", &self.amount)
            .with("paid_at", &self.paid_at)
            .with("institution", &self.institution)
            .with("settled_by", &self.settled_by)
            .with("receipt_url", &self.receipt_url)
            .with("payer_tax_number", &self.payer)
    }
}

crate::drawn!(PixSeen {
    charge: OperationId,
    end_to_end_id: EndToEndId,
    amount: Amount,
    paid_at: Option<Instant>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
    receipt_url: Option<Text<512>>,
    payer: Option<Document>,
});

impl Fact for PixSeen {
    const NAME: &'static str = "pix.seen";
}

impl Reported for PixSeen {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A PIX received went back to its payer, in part or whole: a forced debit once it was credited.
/// (`pix.returned`)
#[derive(Clone, Debug, PartialEq)]
pub struct PixReturned {
    charge: OperationId,
    return_id: EndToEndId,
    amount: Amount,
}

impl PixReturned {
    /// What must be said:
    ///
    /// - `charge`, on the wire `cashin_id`: the charge.
    /// - `return_id`: the return id.
    /// - `amount`, on the wire `amount_cents`: centavos.
    #[must_use]
    pub fn new(charge: OperationId, return_id: EndToEndId, amount: Amount) -> Self {
        Self { charge, return_id, amount }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("cashin_id", &self.charge)
            .with("return_id", &self.return_id)
            .with("amount_cents", &self.amount)
    }
}

crate::drawn!(PixReturned { charge: OperationId, return_id: EndToEndId, amount: Amount });

impl Fact for PixReturned {
    const NAME: &'static str = "pix.returned";
}

impl Reported for PixReturned {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The provider settled a PIX that was seen. (`provider.settled`)
#[derive(Clone, Debug, PartialEq)]
pub struct ProviderSettled {
    id: FactId,
    charge: OperationId,
}

impl ProviderSettled {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `charge`, on the wire `cashin_id`: the charge.
    #[must_use]
    pub fn new(id: FactId, charge: OperationId) -> Self {
        Self { id, charge }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("cashin_id", &self.charge)
    }
}

crate::drawn!(ProviderSettled { id: FactId, charge: OperationId });

impl Fact for ProviderSettled {
    const NAME: &'static str = "provider.settled";
}

impl Reported for ProviderSettled {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The provider holds a PIX that was seen. (`provider.held`)
#[derive(Clone, Debug, PartialEq)]
pub struct ProviderHeld {
    id: FactId,
    charge: OperationId,
    until: Option<Instant>,
}

impl ProviderHeld {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `charge`, on the wire `cashin_id`: the charge.
    #[must_use]
    pub fn new(id: FactId, charge: OperationId) -> Self {
        Self { id, charge, until: None }
    }

    /// Sets `until`: when it means to release it.
    #[must_use]
    pub fn until(mut self, until: Instant) -> Self {
        self.until = Some(until);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashin_id", &self.charge)
            .with("until", &self.until)
    }
}

crate::drawn!(ProviderHeld {
    id: FactId,
    charge: OperationId,
    until: Option<Instant>,
});

impl Fact for ProviderHeld {
    const NAME: &'static str = "provider.held";
}

impl Reported for ProviderHeld {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The provider released a charge it held; naming the PIX implies that it was paid.
/// (`provider.released`)
#[derive(Clone, Debug, PartialEq)]
pub struct ProviderReleased {
    id: FactId,
    charge: OperationId,
    end_to_end_id: Option<EndToEndId>,
    amount: Option<Amount>,
    paid_at: Option<Instant>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
    receipt_url: Option<Text<512>>,
    payer: Option<Document>,
}

impl ProviderReleased {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `charge`, on the wire `cashin_id`: the charge.
    #[must_use]
    pub fn new(id: FactId, charge: OperationId) -> Self {
        Self {
            id,
            charge,
            end_to_end_id: None,
            amount: None,
            paid_at: None,
            institution: None,
            settled_by: None,
            receipt_url: None,
            payer: None,
        }
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

    /// Sets `receipt_url`: where its receipt is: an https:// address.
    #[must_use]
    pub fn receipt_url(mut self, receipt_url: Text<512>) -> Self {
        self.receipt_url = Some(receipt_url);
        self
    }

    /// Sets `payer_tax_number`: the CPF or CNPJ of whoever paid, digits only, or a masked CPF.
    #[must_use]
    pub fn payer(mut self, payer: Document) -> Self {
        self.payer = Some(payer);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("cashin_id", &self.charge)
            .with("e2e", &self.end_to_end_id)
            .with("amount_cents", &self.amount)
            .with("paid_at", &self.paid_at)
            .with("institution", &self.institution)
            .with("settled_by", &self.settled_by)
            .with("receipt_url", &self.receipt_url)
            .with("payer_tax_number", &self.payer)
    }
}

crate::drawn!(ProviderReleased {
    id: FactId,
    charge: OperationId,
    end_to_end_id: Option<EndToEndId>,
    amount: Option<Amount>,
    paid_at: Option<Instant>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
    receipt_url: Option<Text<512>>,
    payer: Option<Document>,
});

impl Fact for ProviderReleased {
    const NAME: &'static str = "provider.released";
}

impl Reported for ProviderReleased {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// The provider cancelled a charge, or failed, before payment. (`provider.cancelled`)
#[derive(Clone, Debug, PartialEq)]
pub struct ProviderCancelled {
    id: FactId,
    charge: OperationId,
}

impl ProviderCancelled {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `charge`, on the wire `cashin_id`: the charge.
    #[must_use]
    pub fn new(id: FactId, charge: OperationId) -> Self {
        Self { id, charge }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("cashin_id", &self.charge)
    }
}

crate::drawn!(ProviderCancelled { id: FactId, charge: OperationId });

impl Fact for ProviderCancelled {
    const NAME: &'static str = "provider.cancelled";
}

impl Reported for ProviderCancelled {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// What `finding` may say: identified, blocked or unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PayerReviewedFinding {
    /// On the wire `identified`.
    Identified,
    /// On the wire `blocked`.
    Blocked,
    /// On the wire `unknown`.
    Unknown,
}

crate::drawn!(one PayerReviewedFinding { Identified, Blocked, Unknown });

impl Wire for PayerReviewedFinding {
    fn wire(&self) -> Value {
        match self {
            Self::Identified => "identified",
            Self::Blocked => "blocked",
            Self::Unknown => "unknown",
        }
        .into()
    }
}

/// Somebody looked at a payer. (`payer.reviewed`)
#[derive(Clone, Debug, PartialEq)]
pub struct PayerReviewed {
    id: FactId,
    payer: Document,
    finding: PayerReviewedFinding,
    decided_by: DecidedBy,
}

impl PayerReviewed {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `payer`, on the wire `payer_tax_number`: the CPF or CNPJ.
    /// - `finding`: identified, blocked or unknown.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(
        id: FactId,
        payer: Document,
        finding: PayerReviewedFinding,
        decided_by: DecidedBy,
    ) -> Self {
        Self { id, payer, finding, decided_by }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("payer_tax_number", &self.payer)
            .with("finding", &self.finding)
            .and(self.decided_by.body())
    }
}

crate::drawn!(PayerReviewed {
    id: FactId,
    payer: Document,
    finding: PayerReviewedFinding,
    decided_by: DecidedBy,
});

impl Fact for PayerReviewed {
    const NAME: &'static str = "payer.reviewed";
}

impl Reported for PayerReviewed {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}
