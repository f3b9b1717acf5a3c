//! Requests of transfers between the balances of an account.

use crate::request::{Account, request};
use crate::value::{Amount, ExternalId, Party, Text};

request! {
    /// Move between subaccounts: `POST /saldo/transferir`.
    ///
    /// Moves available reais between the house and subaccounts, without a PIX.
    ///
    /// It may be refused for `amount_invalido`, `carencia_primeiro_deposito`, `custodia_desligada`,
    /// `external_id_divergente`, `origem_igual_destino` or `saldo_insuficiente`.
    CreateTransfer: "POST /saldo/transferir", Account => Transfer;
    body {
        from: Party as "from_customer_ref", "who pays";
        to: Party as "to_customer_ref", "who receives";
        amount: Amount as "amount_cents", "how much";
        description?: Text<255> as "descricao", "a note";
        external_id: ExternalId, "the account's own id: asked again, nothing is done twice";
    }
}
