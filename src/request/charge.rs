//! Requests of charges: a PIX collected.

use crate::declared::{list, words};
use crate::request::{Account, request};
use crate::value::{Amount, Document, ExternalId, Metadata, OperationId, Party, Text};

list! { AnyRequest:
    CreateCharge, PreviewCharge, ListCharges, ChargeCatalogue, ChargeLimits, GetCharge,
}

words! {
    /// Values of `destino`: saldo or cripto.
    CreateChargeDestination { Balance = "saldo", Crypto = "cripto" }
}

request! {
    /// Create a charge: `POST /cashin/charge`.
    ///
    /// A PIX to be collected, into the balance (`destino: saldo`) or as crypto (`cripto`, the
    /// default). The same `external_id` with the same body gives the same charge. The payer's
    /// ladder ([`ChargeLimits`]) counts what one CPF or CNPJ pays a day, over all accounts: a
    /// second charge of the same payer may be held by the provider, or refused with
    /// `limite_do_pagador`.
    ///
    /// It may be refused for `amount_invalido`, `asset_invalido`, `campos_conflitantes`,
    /// `cashin_indisponivel`, `catalogo_indisponivel`, `cotacao_indisponivel`,
    /// `custodia_desligada`, `destino_invalido`, `external_id_divergente`, `limite_diario`,
    /// `limite_do_pagador`, `memo_obrigatorio`, `nao_permitido`, `outcome_invalido`,
    /// `pagador_bloqueado`, `pagador_recusado_pelo_provedor`, `payer_tax_number_invalido`,
    /// `payout_address_invalido`, `payout_address_obrigatorio`, `provedor_sem_resposta`,
    /// `rede_indisponivel`, `valor_abaixo_do_minimo` or `valor_acima_do_maximo`.
    CreateCharge: "POST /cashin/charge", Account => Charge;
    body {
        amount: Amount as "amount_cents", "how much";
        payer: Document as "payer_tax_number", "the payer's CPF or CNPJ, digits only";
        payer_name?: Text<255>, "the payer's name";
        destination?: CreateChargeDestination as "destino", "saldo or cripto; absent: cripto";
        party: Party as "customer_ref", "the subaccount";
        allow_hold?: bool,
            "whether the provider may hold it, where the payer's ladder or the account's terms say \
             so ([`ChargeLimits`] shows the ladder); absent: it may; false refuses with \
             `limite_do_pagador` what would be held";
        external_id: ExternalId, "the account's own id: asked again, nothing is done twice";
        sandbox_scenario?: Text<64>, "what the sandbox plays, for test keys";
        metadata?: Metadata,
            "pairs of the account's own: at most 16, and 2,048 bytes as JSON; a key has 1 to 40 \
             characters, a value is text of at most 500, a whole number, true, false or null";
        asset?: Text<32>, "the asset; absent: usdt";
        chain?: Text<32>, "the network; absent: polygon";
        address?: Text<128> as "payout_address", "the wallet";
        memo?: Text<120> as "payout_tag", "the wallet's memo, where its network needs one";
    }
    supplied {
        qr_copypaste?: Text<1024>, "the provider's Copia e Cola code; the ledger has no other";
        qr_image_url?: Text<1024>, "where the provider shows it as a picture";
        provider_reference?: Text<1024>,
            "where it refused: the reason and reference to be quoted to it";
    }
}

request! {
    /// Preview a charge: `POST /cashin/preview`.
    ///
    /// What a purchase would cost and deliver. Nothing is created.
    ///
    /// It may be refused for `amount_invalido`, `asset_invalido`, `catalogo_indisponivel`,
    /// `cotacao_indisponivel`, `rede_indisponivel`, `valor_abaixo_do_minimo` or
    /// `valor_acima_do_maximo`.
    PreviewCharge: "POST /cashin/preview", Account => ChargePreview;
    body {
        amount: Amount as "amount_cents", "how much";
        asset?: Text<32>, "the asset; absent: usdt";
        chain?: Text<32>, "the network; absent: polygon";
        address?: Text<128> as "payout_address", "the wallet";
    }
}

request! {
    /// Find charges by external id: `GET /cashin/charges`.
    ///
    /// The charges and conversions of this account under one `external_id`.
    ListCharges: "GET /cashin/charges", Account => Charges;
    target {
        external_id: ExternalId, "which: `external_id`";
    }
}

request! {
    /// Show what can be bought: `GET /cashin/catalog`.
    ///
    /// Pairs of asset and network, their minimums and fees. Offer only pairs with `entregavel:
    /// true`.
    ///
    /// It may be refused for `catalogo_indisponivel`.
    ChargeCatalogue: "GET /cashin/catalog", Account => ChargeCatalogue;
}

request! {
    /// Show a payer's limits: `GET /cashin/limits`.
    ///
    /// What this payer may pay at once and held. It is advice: a charge is judged again when it is
    /// created.
    ///
    /// It may be refused for `payer_tax_invalido`.
    ChargeLimits: "GET /cashin/limits", Account => ChargeLimits;
    target {
        payer: Document as "payer_tax", "which: `payer_tax`";
    }
}

request! {
    /// Show a charge: `GET /cashin/{cashin_id}/status`.
    ///
    /// A charge or a conversion as it stands, with its settlement.
    ///
    /// It may be refused for `nao_encontrado`.
    GetCharge: "GET /cashin/{cashin_id}/status", Account => ChargeDetail;
    target {
        charge: OperationId as "cashin_id", "which: `cashin_id`";
    }
}
