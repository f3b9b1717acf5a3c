//! Requests of payouts: a PIX sent.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::request::sealed::Asked;
use crate::request::{Account, Ask, Asking, Request, Target};
use crate::value::{Amount, Body, Document, ExternalId, Party, PixKey, Text};
use crate::view;

/// `POST /payouts`.
#[derive(Clone, Debug, PartialEq)]
pub struct CreatePayout {
    amount: Amount,
    party: Party,
    document: Document,
    pix_key: PixKey,
    external_id: ExternalId,
    owner: Option<Text<1024>>,
}

impl CreatePayout {
    /// What must be said:
    ///
    /// - `amount`: how much.
    /// - `party`: the subaccount.
    /// - `document`: the owner's CPF or CNPJ, digits only.
    /// - `pix_key`: the key that is paid.
    /// - `external_id`: the account's own id: asked again, nothing is done twice.
    #[must_use]
    pub fn new(
        amount: Amount,
        party: Party,
        document: Document,
        pix_key: PixKey,
        external_id: ExternalId,
    ) -> Self {
        Self { amount, party, document, pix_key, external_id, owner: None }
    }

    /// With the document that a lookup of the key told.
    #[must_use]
    pub fn owner(mut self, owner: Text<1024>) -> Self {
        self.owner = Some(owner);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("amount_cents", &self.amount)
            .with("customer_ref", &self.party)
            .with("tax_number", &self.document)
            .with("pix_key", &self.pix_key)
            .with("external_id", &self.external_id)
            .with("pix_key_type", &self.pix_key.kind())
    }

    pub(crate) fn supplied(&self) -> Value {
        Body::default().with("owner", &self.owner).into_value()
    }
}

impl Request for CreatePayout {
    type Answer = view::Payout;
    type By = Account;
}

impl Asked for CreatePayout {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("payouts");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: self.supplied() }
    }
}

/// `GET /payouts`.
#[derive(Clone, Debug, PartialEq)]
pub struct ListPayouts {
    external_id: ExternalId,
}

impl ListPayouts {
    /// What must be said:
    ///
    /// - `external_id`: which: `external_id`.
    #[must_use]
    pub fn new(external_id: ExternalId) -> Self {
        Self { external_id }
    }
}

impl Request for ListPayouts {
    type Answer = view::Payouts;
    type By = Account;
}

impl Asked for ListPayouts {
    fn ask(&self) -> Ask {
        let target =
            Target::default().segment("payouts").parameter("external_id", &self.external_id);
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}
