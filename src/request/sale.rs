//! Requests of cash-out orders: crypto sold for a PIX.

use crate::declared::list;
use crate::request::{Account, request};
use crate::value::{Decimal, Document, ExternalId, Metadata, OperationId, PixKey, Text};

list! { AnyRequest:
    SaleCatalogue, PreviewCashOut, CreateCashOut, ListCashOuts, GetCashOut, AcceptCashOut,
    SetRefundAddress,
}

request! {
    /// Show what can be sold: `GET /catalog`.
    ///
    /// Assets, the networks that they are deposited on, and the limits of an order.
    ///
    /// It may be refused for `catalogo_indisponivel`.
    SaleCatalogue: "GET /catalog", Account => SaleCatalogue;
}

request! {
    /// Preview a cash-out: `POST /cash-outs/preview`.
    ///
    /// What an order would sell and pay. Nothing is created.
    ///
    /// It may be refused for `amount_invalido`, `asset_invalido`, `br_code_indisponivel`,
    /// `br_code_invalido`, `br_code_sem_valor`, `brl_amount_invalido`, `campos_conflitantes`,
    /// `cashout_indisponivel`, `catalogo_indisponivel`, `cotacao_indisponivel`,
    /// `documento_invalido`, `limite_diario_recebedor`, `limite_do_pagador`,
    /// `pagador_recusado_pelo_provedor`, `pix_key_invalida`, `pix_key_obrigatoria`,
    /// `rede_indisponivel`, `refund_address_invalida`, `tax_number_obrigatorio`, `tipo_ambiguo`,
    /// `valor_abaixo_do_minimo` or `valor_acima_do_maximo`.
    PreviewCashOut: "POST /cash-outs/preview", Account => CashOutPreview;
    body {
        asset: Text<32>, "what is sold";
        network: Text<32>, "where it is deposited";
        amount?: Decimal, "how much of it; it, `brl_amount` or `br_code`";
        brl_amount?: Decimal, "what is to be paid, in reais";
        br_code?: Text<512>, "a Copia e Cola code, which says what is paid and to whom";
        pix_key?: PixKey as "pix_key" and "pix_key_type",
            "the key that is paid; required without a code";
        payee?: Document as "payee_tax_number", "the recipient's CPF or CNPJ, digits only";
        refund_address?: Text<128>, "the return wallet";
        external_id: ExternalId, "the account's own id: asked again, nothing is done twice";
    }
}

request! {
    /// Quote a cash-out: `POST /cash-outs`.
    ///
    /// Creates an order, quoted. Send one of `amount`, `brl_amount` and `br_code`. Nothing is
    /// committed until it is accepted.
    ///
    /// It may be refused for `amount_invalido`, `asset_invalido`, `br_code_indisponivel`,
    /// `br_code_invalido`, `br_code_sem_valor`, `brl_amount_invalido`, `campos_conflitantes`,
    /// `cashout_indisponivel`, `catalogo_indisponivel`, `cotacao_indisponivel`,
    /// `documento_invalido`, `external_id_divergente`, `limite_diario_recebedor`,
    /// `limite_do_pagador`, `mandate_contraparte_nao_autorizada`, `mandate_valor_acima_do_teto`,
    /// `pagador_recusado_pelo_provedor`, `pix_key_invalida`, `pix_key_obrigatoria`,
    /// `rede_indisponivel`, `refund_address_invalida`, `tax_number_obrigatorio`, `tipo_ambiguo`,
    /// `valor_abaixo_do_minimo` or `valor_acima_do_maximo`.
    CreateCashOut: "POST /cash-outs", Account => CashOut;
    body {
        asset: Text<32>, "what is sold";
        network: Text<32>, "where it is deposited";
        amount?: Decimal, "how much of it; it, `brl_amount` or `br_code`";
        brl_amount?: Decimal, "what is to be paid, in reais";
        br_code?: Text<512>, "a Copia e Cola code, which says what is paid and to whom";
        pix_key?: PixKey as "pix_key" and "pix_key_type",
            "the key that is paid; required without a code";
        payee?: Document as "payee_tax_number", "the recipient's CPF or CNPJ, digits only";
        refund_address?: Text<128>, "the return wallet";
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
    /// Find cash-outs by external id: `GET /cash-outs`.
    ///
    /// The orders of this account under one `external_id`.
    ListCashOuts: "GET /cash-outs", Account => CashOuts;
    target {
        external_id: ExternalId, "which: `external_id`";
    }
}

request! {
    /// Show a cash-out: `GET /cash-outs/{cashout_id}`.
    ///
    /// An order as it stands, with its deposit, PIX and refund.
    ///
    /// It may be refused for `nao_encontrado`.
    GetCashOut: "GET /cash-outs/{cashout_id}", Account => CashOut;
    target {
        cash_out: OperationId as "cashout_id", "which: `cashout_id`";
    }
}

request! {
    /// Accept a cash-out: `POST /cash-outs/{cashout_id}/accept`.
    ///
    /// Commits to the order and gives the deposit address. After a 503 accept the same order again.
    ///
    /// It may be refused for `cashout_indisponivel`, `cotacao_expirada`, `liquidante_indisponivel`,
    /// `nao_encontrado` or `status_invalido`.
    AcceptCashOut: "POST /cash-outs/{cashout_id}/accept", Account => CashOut;
    target {
        cash_out: OperationId as "cashout_id", "which: `cashout_id`";
    }
}

request! {
    /// Give a return wallet: `POST /cash-outs/{cashout_id}/refund-address`.
    ///
    /// Gives the wallet of an order in `AWAITING_REFUND_ADDRESS`, once and for all.
    ///
    /// It may be refused for `nao_encontrado`, `refund_address_imutavel`, `refund_address_invalida`
    /// or `status_invalido`.
    SetRefundAddress: "POST /cash-outs/{cashout_id}/refund-address", Account => CashOut;
    target {
        cash_out: OperationId as "cashout_id", "which: `cashout_id`";
    }
    body {
        refund_address: Text<128>, "the return wallet, once and for all";
    }
}
