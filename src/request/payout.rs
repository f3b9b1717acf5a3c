//! Requests of payouts: a PIX sent.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::request::sealed::Asked;
use crate::request::{Account, Ask, Asking, Request, Target};
use crate::value::{Amount, Body, Document, ExternalId, Party, PixKey, Text};
use crate::view;

/// Pay a PIX from the balance: `POST /payouts`.
///
/// Sends a PIX to a key that belongs to `tax_number`. The balance is debited amount and fees.
///
/// It may be refused for `amount_invalido`, `carencia_primeiro_deposito`, `cotacao_indisponivel`,
/// `custodia_desligada`, `documento_invalido`, `external_id_divergente`, `limite_diario`,
/// `mandate_contraparte_nao_autorizada`, `mandate_valor_acima_do_teto`, `nao_permitido`,
/// `payout_nao_liberado`, `payout_recusado`, `pix_key_invalida`, `pix_key_obrigatoria`,
/// `saldo_insuficiente`, `tax_number_obrigatorio`, `tipo_ambiguo`, `valor_abaixo_do_minimo` or
/// `valor_acima_do_maximo`.
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
    /// - `amount`, on the wire `amount_cents`: how much.
    /// - `party`, on the wire `customer_ref`: the subaccount.
    /// - `document`, on the wire `tax_number`: the owner's CPF or CNPJ, digits only.
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

    /// Sets `owner`: the document that a lookup found the key to be of; without it, whose key
    /// it is is not checked.
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

crate::drawn!(CreatePayout {
    amount: Amount,
    party: Party,
    document: Document,
    pix_key: PixKey,
    external_id: ExternalId,
    owner: Option<Text<1024>>,
});

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

/// Find payouts by external id: `GET /payouts`.
///
/// The payouts of this account under one `external_id`.
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

crate::drawn!(ListPayouts { external_id: ExternalId });

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
