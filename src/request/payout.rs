//! Requests of payouts: a PIX sent.

use crate::declared::list;
use crate::request::{Account, request};
use crate::value::{Amount, Document, ExternalId, Metadata, Party, PixKey, Text};

list! { AnyRequest: CreatePayout, ListPayouts }

request! {
    /// Pay a PIX from the balance: `POST /payouts`.
    ///
    /// Sends a PIX to a key that belongs to `tax_number`. The balance is debited amount and fees.
    ///
    /// It may be refused for `amount_invalido`, `carencia_primeiro_deposito`,
    /// `cotacao_indisponivel`, `custodia_desligada`, `documento_invalido`,
    /// `external_id_divergente`, `limite_diario`, `mandate_contraparte_nao_autorizada`,
    /// `mandate_valor_acima_do_teto`, `nao_permitido`, `payout_nao_liberado`, `payout_recusado`,
    /// `pix_key_invalida`, `pix_key_obrigatoria`, `saldo_insuficiente`, `tax_number_obrigatorio`,
    /// `tipo_ambiguo`, `valor_abaixo_do_minimo` or `valor_acima_do_maximo`.
    CreatePayout: "POST /payouts", Account => Payout;
    body {
        amount: Amount as "amount_cents", "how much";
        party: Party as "customer_ref", "the subaccount";
        document: Document as "tax_number", "the owner's CPF or CNPJ, digits only";
        pix_key: PixKey as "pix_key" and "pix_key_type", "the key that is paid";
        external_id: ExternalId, "the account's own id: asked again, nothing is done twice";
        metadata?: Metadata,
            "pairs of the account's own: at most 16, and 2,048 bytes as JSON; a key has 1 to 40 \
             characters, a value is text of at most 500, a whole number, true, false or null";
    }
    supplied {
        owner?: Text<1024>,
            "the document that a lookup found the key to be of; without it, whose key it is is not \
             checked";
    }
}

request! {
    /// Find payouts by external id: `GET /payouts`.
    ///
    /// The payouts of this account under one `external_id`.
    ListPayouts: "GET /payouts", Account => Payouts;
    target {
        external_id: ExternalId, "which: `external_id`";
    }
}
