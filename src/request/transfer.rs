//! Requests of transfers between the balances of an account.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::request::sealed::Asked;
use crate::request::{Account, Ask, Asking, Request, Target};
use crate::value::{Amount, Body, ExternalId, Party, Text};
use crate::view;

/// Move between subaccounts: `POST /saldo/transferir`.
///
/// Moves available reais between the house and subaccounts, without a PIX.
///
/// It may be refused for `amount_invalido`, `carencia_primeiro_deposito`, `custodia_desligada`,
/// `external_id_divergente`, `origem_igual_destino` or `saldo_insuficiente`.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateTransfer {
    from: Party,
    to: Party,
    amount: Amount,
    description: Option<Text<255>>,
    external_id: ExternalId,
}

impl CreateTransfer {
    /// What must be said:
    ///
    /// - `from`, on the wire `from_customer_ref`: who pays.
    /// - `to`, on the wire `to_customer_ref`: who receives.
    /// - `amount`, on the wire `amount_cents`: how much.
    /// - `external_id`: the account's own id: asked again, nothing is done twice.
    #[must_use]
    pub fn new(from: Party, to: Party, amount: Amount, external_id: ExternalId) -> Self {
        Self { from, to, amount, description: None, external_id }
    }

    /// Sets `descricao`: a note.
    #[must_use]
    pub fn description(mut self, description: Text<255>) -> Self {
        self.description = Some(description);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("from_customer_ref", &self.from)
            .with("to_customer_ref", &self.to)
            .with("amount_cents", &self.amount)
            .with("descricao", &self.description)
            .with("external_id", &self.external_id)
    }
}

crate::drawn!(CreateTransfer {
    from: Party,
    to: Party,
    amount: Amount,
    description: Option<Text<255>>,
    external_id: ExternalId,
});

impl Request for CreateTransfer {
    type Answer = view::Transfer;
    type By = Account;
}

impl Asked for CreateTransfer {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("saldo").segment("transferir");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: Value::Null }
    }
}
