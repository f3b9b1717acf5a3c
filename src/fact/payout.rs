//! Facts of payouts: a PIX sent.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::fact::sealed::Reported;
use crate::fact::{Fact, Report};
use crate::value::{Amount, Body, DecidedBy, EndToEndId, FactId, OperationId, Text, Wire};

/// The provider took a payout. (`payout.submitted`)
#[derive(Clone, Debug, PartialEq)]
pub struct PayoutSubmitted {
    id: FactId,
    payout: OperationId,
}

impl PayoutSubmitted {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `payout`, on the wire `payout_id`: the payout.
    #[must_use]
    pub fn new(id: FactId, payout: OperationId) -> Self {
        Self { id, payout }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("payout_id", &self.payout)
    }
}

crate::drawn!(PayoutSubmitted { id: FactId, payout: OperationId });

impl Fact for PayoutSubmitted {
    const NAME: &'static str = "payout.submitted";
}

impl Reported for PayoutSubmitted {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A payout was paid; if that contradicts the books, it is a claim on the provider.
/// (`payout.paid`)
#[derive(Clone, Debug, PartialEq)]
pub struct PayoutPaid {
    payout: OperationId,
    end_to_end_id: EndToEndId,
    amount: Option<Amount>,
    recipient_name: Option<Text<255>>,
    recipient_document: Option<Text<32>>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
    receipt_url: Option<Text<512>>,
}

impl PayoutPaid {
    /// What must be said:
    ///
    /// - `payout`, on the wire `payout_id`: the payout.
    /// - `end_to_end_id`, on the wire `e2e`: the end-to-end id.
    #[must_use]
    pub fn new(payout: OperationId, end_to_end_id: EndToEndId) -> Self {
        Self {
            payout,
            end_to_end_id,
            amount: None,
            recipient_name: None,
            recipient_document: None,
            institution: None,
            settled_by: None,
            receipt_url: None,
        }
    }

    /// Sets `amount_cents`: what was paid, if the payout may not be known.
    #[must_use]
    pub fn amount(mut self, amount: Amount) -> Self {
        self.amount = Some(amount);
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

    /// Sets `receipt_url`: where its receipt is: an https:// address.
    #[must_use]
    pub fn receipt_url(mut self, receipt_url: Text<512>) -> Self {
        self.receipt_url = Some(receipt_url);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("payout_id", &self.payout)
            .with("e2e", &self.end_to_end_id)
            .with("amount_cents", &self.amount)
            .with("recipient_name", &self.recipient_name)
            .with("recipient_document", &self.recipient_document)
            .with("institution", &self.institution)
            .with("settled_by", &self.settled_by)
            .with("receipt_url", &self.receipt_url)
    }
}

crate::drawn!(PayoutPaid {
    payout: OperationId,
    end_to_end_id: EndToEndId,
    amount: Option<Amount>,
    recipient_name: Option<Text<255>>,
    recipient_document: Option<Text<32>>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
    receipt_url: Option<Text<512>>,
});

impl Fact for PayoutPaid {
    const NAME: &'static str = "payout.paid";
}

impl Reported for PayoutPaid {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A payout was definitely not paid: everything goes back. (`payout.refused`)
#[derive(Clone, Debug, PartialEq)]
pub struct PayoutRefused {
    id: FactId,
    payout: OperationId,
}

impl PayoutRefused {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `payout`, on the wire `payout_id`: the payout.
    #[must_use]
    pub fn new(id: FactId, payout: OperationId) -> Self {
        Self { id, payout }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("payout_id", &self.payout)
    }
}

crate::drawn!(PayoutRefused { id: FactId, payout: OperationId });

impl Fact for PayoutRefused {
    const NAME: &'static str = "payout.refused";
}

impl Reported for PayoutRefused {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A payout's outcome is unknown: it waits for evidence, and nothing moves. (`payout.unknown`)
#[derive(Clone, Debug, PartialEq)]
pub struct PayoutUnknown {
    id: FactId,
    payout: OperationId,
}

impl PayoutUnknown {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `payout`, on the wire `payout_id`: the payout.
    #[must_use]
    pub fn new(id: FactId, payout: OperationId) -> Self {
        Self { id, payout }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("id", &self.id).with("payout_id", &self.payout)
    }
}

crate::drawn!(PayoutUnknown { id: FactId, payout: OperationId });

impl Fact for PayoutUnknown {
    const NAME: &'static str = "payout.unknown";
}

impl Reported for PayoutUnknown {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A paid payout came back from the beneficiary's bank, in part or whole. (`payout.returned`)
#[derive(Clone, Debug, PartialEq)]
pub struct PayoutReturned {
    payout: OperationId,
    return_id: EndToEndId,
    amount: Amount,
}

impl PayoutReturned {
    /// What must be said:
    ///
    /// - `payout`, on the wire `payout_id`: the payout.
    /// - `return_id`: the return id.
    /// - `amount`, on the wire `amount_cents`: centavos.
    #[must_use]
    pub fn new(payout: OperationId, return_id: EndToEndId, amount: Amount) -> Self {
        Self { payout, return_id, amount }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("payout_id", &self.payout)
            .with("return_id", &self.return_id)
            .with("amount_cents", &self.amount)
    }
}

crate::drawn!(PayoutReturned { payout: OperationId, return_id: EndToEndId, amount: Amount });

impl Fact for PayoutReturned {
    const NAME: &'static str = "payout.returned";
}

impl Reported for PayoutReturned {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// What `outcome` may say: paid or `not_paid`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PayoutEvidenceOutcome {
    /// On the wire `paid`.
    Paid,
    /// On the wire `not_paid`.
    NotPaid,
}

crate::drawn!(one PayoutEvidenceOutcome { Paid, NotPaid });

impl Wire for PayoutEvidenceOutcome {
    fn wire(&self) -> Value {
        match self {
            Self::Paid => "paid",
            Self::NotPaid => "not_paid",
        }
        .into()
    }
}

/// An operator found out what became of a payout. (`payout.evidence`)
#[derive(Clone, Debug, PartialEq)]
pub struct PayoutEvidence {
    id: FactId,
    payout: OperationId,
    outcome: PayoutEvidenceOutcome,
    end_to_end_id: Option<EndToEndId>,
    recipient_name: Option<Text<255>>,
    recipient_document: Option<Text<32>>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
    receipt_url: Option<Text<512>>,
    decided_by: DecidedBy,
}

impl PayoutEvidence {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `payout`, on the wire `payout_id`: the payout.
    /// - `outcome`: paid or `not_paid`.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(
        id: FactId,
        payout: OperationId,
        outcome: PayoutEvidenceOutcome,
        decided_by: DecidedBy,
    ) -> Self {
        Self {
            id,
            payout,
            outcome,
            end_to_end_id: None,
            recipient_name: None,
            recipient_document: None,
            institution: None,
            settled_by: None,
            receipt_url: None,
            decided_by,
        }
    }

    /// Sets `e2e`: the end-to-end id, required when paid.
    #[must_use]
    pub fn end_to_end_id(mut self, end_to_end_id: EndToEndId) -> Self {
        self.end_to_end_id = Some(end_to_end_id);
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

    /// Sets `receipt_url`: where its receipt is: an https:// address.
    #[must_use]
    pub fn receipt_url(mut self, receipt_url: Text<512>) -> Self {
        self.receipt_url = Some(receipt_url);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("payout_id", &self.payout)
            .with("outcome", &self.outcome)
            .with("e2e", &self.end_to_end_id)
            .with("recipient_name", &self.recipient_name)
            .with("recipient_document", &self.recipient_document)
            .with("institution", &self.institution)
            .with("settled_by", &self.settled_by)
            .with("receipt_url", &self.receipt_url)
            .and(self.decided_by.body())
    }
}

crate::drawn!(PayoutEvidence {
    id: FactId,
    payout: OperationId,
    outcome: PayoutEvidenceOutcome,
    end_to_end_id: Option<EndToEndId>,
    recipient_name: Option<Text<255>>,
    recipient_document: Option<Text<32>>,
    institution: Option<Text<255>>,
    settled_by: Option<Text<255>>,
    receipt_url: Option<Text<512>>,
    decided_by: DecidedBy,
});

impl Fact for PayoutEvidence {
    const NAME: &'static str = "payout.evidence";
}

impl Reported for PayoutEvidence {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Compliance stops a payout before it is sent. (`payout.stopped`)
#[derive(Clone, Debug, PartialEq)]
pub struct PayoutStopped {
    id: FactId,
    payout: OperationId,
    decided_by: DecidedBy,
}

impl PayoutStopped {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `payout`, on the wire `payout_id`: the payout.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(id: FactId, payout: OperationId, decided_by: DecidedBy) -> Self {
        Self { id, payout, decided_by }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("payout_id", &self.payout)
            .and(self.decided_by.body())
    }
}

crate::drawn!(PayoutStopped { id: FactId, payout: OperationId, decided_by: DecidedBy });

impl Fact for PayoutStopped {
    const NAME: &'static str = "payout.stopped";
}

impl Reported for PayoutStopped {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Compliance lets a stopped payout go on. (`payout.cleared`)
#[derive(Clone, Debug, PartialEq)]
pub struct PayoutCleared {
    id: FactId,
    payout: OperationId,
    decided_by: DecidedBy,
}

impl PayoutCleared {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `payout`, on the wire `payout_id`: the payout.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(id: FactId, payout: OperationId, decided_by: DecidedBy) -> Self {
        Self { id, payout, decided_by }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("payout_id", &self.payout)
            .and(self.decided_by.body())
    }
}

crate::drawn!(PayoutCleared { id: FactId, payout: OperationId, decided_by: DecidedBy });

impl Fact for PayoutCleared {
    const NAME: &'static str = "payout.cleared";
}

impl Reported for PayoutCleared {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}
