//! Requests of conversions of custody into crypto, and withdrawals of commission.

use crate::declared::list;
use crate::request::{Account, request};
use crate::value::{Amount, Document, ExternalId, Party, Text};

list! { AnyRequest: CreateConversion, WithdrawCommission }

request! {
    /// Withdraw custody as crypto: `POST /saldo/sacar-cripto`.
    ///
    /// Converts available reais and delivers the asset. The balance is debited amount and fees.
    ///
    /// It may be refused for `amount_invalido`, `asset_invalido`, `catalogo_indisponivel`,
    /// `campos_conflitantes`, `carencia_primeiro_deposito`, `cotacao_indisponivel`,
    /// `custodia_desligada`, `documento_invalido`, `external_id_divergente`,
    /// `mandate_contraparte_nao_autorizada`, `mandate_valor_acima_do_teto`, `memo_obrigatorio`,
    /// `payout_address_invalido`, `payout_address_obrigatorio`, `rede_indisponivel`,
    /// `saldo_insuficiente`, `saque_indisponivel`, `tax_number_obrigatorio`, `taxa_alterada` or
    /// `valor_abaixo_do_minimo`.
    CreateConversion: "POST /saldo/sacar-cripto", Account => ChargeDetail;
    body {
        amount: Amount as "amount_cents", "how much";
        party: Party as "customer_ref", "the subaccount";
        document: Document as "tax_number", "the owner's CPF or CNPJ, digits only";
        max_debited_cents?: Amount, "the most that may be debited";
        asset?: Text<32>, "the asset; absent: usdt";
        chain?: Text<32>, "the network; absent: polygon";
        address: Text<128> as "payout_address", "the wallet";
        external_id: ExternalId, "the account's own id: asked again, nothing is done twice";
        memo?: Text<120> as "payout_tag", "the wallet's memo, where its network needs one";
    }
    supplied {
        owner?: Text<1024>,
            "the document that a lookup found the key to be of; without it, whose key it is is not \
             checked";
    }
}

request! {
    /// Withdraw the commission: `commission.withdraw`.
    ///
    /// Converts the commission and delivers the asset.
    ///
    /// It may be refused for `amount_invalido`, `asset_invalido`, `catalogo_indisponivel`,
    /// `campos_conflitantes`, `cotacao_indisponivel`, `external_id_divergente`, `memo_obrigatorio`,
    /// `payout_address_invalido`, `payout_address_obrigatorio`, `rede_indisponivel`,
    /// `saldo_insuficiente`, `saque_comissao_diario`, `saque_indisponivel` or
    /// `valor_abaixo_do_minimo`.
    WithdrawCommission: "commission.withdraw", Account => CommissionWithdrawal;
    body {
        amount: Amount as "amount_cents", "how much";
        asset?: Text<32>, "the asset; absent: usdt";
        chain?: Text<32>, "the network; absent: polygon";
        address: Text<128> as "payout_address", "the wallet";
        external_id: ExternalId, "the account's own id: asked again, nothing is done twice";
        memo?: Text<120> as "payout_tag", "the wallet's memo, where its network needs one";
    }
}
