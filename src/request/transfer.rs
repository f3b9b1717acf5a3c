//! Requests of transfers between the balances of an account.

use crate::declared::part;
use crate::request::{Account, request};
use crate::value::{Amount, Bps, ExternalId, Metadata, Party, Text};

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
        metadata?: Metadata,
            "pairs of the account's own: at most 16, and 2,048 bytes as JSON; a key has 1 to 40 \
             characters, a value is text of at most 500, a whole number, true, false or null";
    }
}

part! {
    /// Of `CreateTransferGroup`: the moves, 1 to 100; they sum to `amount_cents`.
    ///
    /// Exactly one setter says how much a leg moves.
    TransferLeg {
        from: Party as "from_customer_ref", "who pays";
        to: Party as "to_customer_ref", "who receives";
        amount?: Amount as "amount_cents", "how much it moves";
        rate?: Bps as "bps", "its rate of the whole";
        shares?: u16 as "partes", "its shares of what amounts and rates leave";
        rest?: bool as "resto", "whether it moves the rest: one share of what is left";
    }
}

request! {
    /// Move among several subaccounts: `POST /saldo/transferir` with `pernas`.
    ///
    /// Up to 100 transfers under one `external_id`: all of them are made, or none. Each leg of
    /// `pernas` moves an amount, a rate of the whole, shares of what these leave, or the rest;
    /// together they move `amount_cents`. A refusal names the leg. What a leg brings pays for no
    /// other leg of the group. An extension of this service.
    ///
    /// It may be refused for `amount_invalido`, `carencia_primeiro_deposito`, `custodia_desligada`,
    /// `external_id_divergente`, `origem_igual_destino` or `saldo_insuficiente`.
    CreateTransferGroup: "POST /saldo/transferir", Account => TransferGroup;
    body {
        amount: Amount as "amount_cents", "how much";
        legs: Vec<TransferLeg> as "pernas", "the moves, 1 to 100; they sum to `amount_cents`";
        description?: Text<255> as "descricao", "a note";
        external_id: ExternalId, "the account's own id: asked again, nothing is done twice";
        metadata?: Metadata,
            "pairs of the account's own: at most 16, and 2,048 bytes as JSON; a key has 1 to 40 \
             characters, a value is text of at most 500, a whole number, true, false or null";
    }
}
