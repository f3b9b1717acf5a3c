//! Requests of conversions of custody into crypto, and withdrawals of commission.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::request::sealed::Asked;
use crate::request::{Account, Ask, Asking, Request, Target};
use crate::value::{Amount, Body, Document, ExternalId, Party, Text};
use crate::view;

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
#[derive(Clone, Debug, PartialEq)]
pub struct CreateConversion {
    amount: Amount,
    party: Party,
    document: Document,
    max_debited_cents: Option<Amount>,
    asset: Option<Text<32>>,
    chain: Option<Text<32>>,
    address: Text<128>,
    external_id: ExternalId,
    memo: Option<Text<120>>,
    owner: Option<Text<1024>>,
}

impl CreateConversion {
    /// What must be said:
    ///
    /// - `amount`, on the wire `amount_cents`: how much.
    /// - `party`, on the wire `customer_ref`: the subaccount.
    /// - `document`, on the wire `tax_number`: the owner's CPF or CNPJ, digits only.
    /// - `address`, on the wire `payout_address`: the wallet.
    /// - `external_id`: the account's own id: asked again, nothing is done twice.
    #[must_use]
    pub fn new(
        amount: Amount,
        party: Party,
        document: Document,
        address: Text<128>,
        external_id: ExternalId,
    ) -> Self {
        Self {
            amount,
            party,
            document,
            max_debited_cents: None,
            asset: None,
            chain: None,
            address,
            external_id,
            memo: None,
            owner: None,
        }
    }

    /// Sets `max_debited_cents`: the most that may be debited.
    #[must_use]
    pub fn max_debited_cents(mut self, max_debited_cents: Amount) -> Self {
        self.max_debited_cents = Some(max_debited_cents);
        self
    }

    /// Sets `asset`: the asset; absent: usdt.
    #[must_use]
    pub fn asset(mut self, asset: Text<32>) -> Self {
        self.asset = Some(asset);
        self
    }

    /// Sets `chain`: the network; absent: polygon.
    #[must_use]
    pub fn chain(mut self, chain: Text<32>) -> Self {
        self.chain = Some(chain);
        self
    }

    /// Sets `payout_tag`: the wallet's memo, where its network needs one.
    #[must_use]
    pub fn memo(mut self, memo: Text<120>) -> Self {
        self.memo = Some(memo);
        self
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
            .with("max_debited_cents", &self.max_debited_cents)
            .with("asset", &self.asset)
            .with("chain", &self.chain)
            .with("payout_address", &self.address)
            .with("external_id", &self.external_id)
            .with("payout_tag", &self.memo)
    }

    pub(crate) fn supplied(&self) -> Value {
        Body::default().with("owner", &self.owner).into_value()
    }
}

crate::drawn!(CreateConversion {
    amount: Amount,
    party: Party,
    document: Document,
    max_debited_cents: Option<Amount>,
    asset: Option<Text<32>>,
    chain: Option<Text<32>>,
    address: Text<128>,
    external_id: ExternalId,
    memo: Option<Text<120>>,
    owner: Option<Text<1024>>,
});

impl Request for CreateConversion {
    type Answer = view::ChargeDetail;
    type By = Account;
}

impl Asked for CreateConversion {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("saldo").segment("sacar-cripto");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: self.supplied() }
    }
}

/// Withdraw the commission: `commission.withdraw`.
///
/// Converts the commission and delivers the asset.
///
/// It may be refused for `amount_invalido`, `asset_invalido`, `catalogo_indisponivel`,
/// `campos_conflitantes`, `cotacao_indisponivel`, `external_id_divergente`, `memo_obrigatorio`,
/// `payout_address_invalido`, `payout_address_obrigatorio`, `rede_indisponivel`,
/// `saldo_insuficiente`, `saque_comissao_diario`, `saque_indisponivel` or
/// `valor_abaixo_do_minimo`.
#[derive(Clone, Debug, PartialEq)]
pub struct WithdrawCommission {
    amount: Amount,
    asset: Option<Text<32>>,
    chain: Option<Text<32>>,
    address: Text<128>,
    external_id: ExternalId,
    memo: Option<Text<120>>,
}

impl WithdrawCommission {
    /// What must be said:
    ///
    /// - `amount`, on the wire `amount_cents`: how much.
    /// - `address`, on the wire `payout_address`: the wallet.
    /// - `external_id`: the account's own id: asked again, nothing is done twice.
    #[must_use]
    pub fn new(amount: Amount, address: Text<128>, external_id: ExternalId) -> Self {
        Self { amount, asset: None, chain: None, address, external_id, memo: None }
    }

    /// Sets `asset`: the asset; absent: usdt.
    #[must_use]
    pub fn asset(mut self, asset: Text<32>) -> Self {
        self.asset = Some(asset);
        self
    }

    /// Sets `chain`: the network; absent: polygon.
    #[must_use]
    pub fn chain(mut self, chain: Text<32>) -> Self {
        self.chain = Some(chain);
        self
    }

    /// Sets `payout_tag`: the wallet's memo, where its network needs one.
    #[must_use]
    pub fn memo(mut self, memo: Text<120>) -> Self {
        self.memo = Some(memo);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("amount_cents", &self.amount)
            .with("asset", &self.asset)
            .with("chain", &self.chain)
            .with("payout_address", &self.address)
            .with("external_id", &self.external_id)
            .with("payout_tag", &self.memo)
    }
}

crate::drawn!(WithdrawCommission {
    amount: Amount,
    asset: Option<Text<32>>,
    chain: Option<Text<32>>,
    address: Text<128>,
    external_id: ExternalId,
    memo: Option<Text<120>>,
});

impl Request for WithdrawCommission {
    type Answer = view::CommissionWithdrawal;
    type By = Account;
}

impl Asked for WithdrawCommission {
    fn ask(&self) -> Ask {
        let by = Asking::Command("commission.withdraw");
        Ask { by, body: self.body().into_value(), supplied: Value::Null }
    }
}
