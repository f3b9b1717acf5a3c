//! Requests of cash-out orders: crypto sold for a PIX.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::request::sealed::Asked;
use crate::request::{Account, Ask, Asking, Request, Target};
use crate::value::{Body, Decimal, Document, ExternalId, OperationId, PixKey, Text};
use crate::view;

/// Show what can be sold: `GET /catalog`.
///
/// Assets, the networks that they are deposited on, and the limits of an order.
///
/// It may be refused for `catalogo_indisponivel`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SaleCatalogue {}

impl SaleCatalogue {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

crate::drawn!(SaleCatalogue {});

impl Request for SaleCatalogue {
    type Answer = view::SaleCatalogue;
    type By = Account;
}

impl Asked for SaleCatalogue {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("catalog");
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Preview a cash-out: `POST /cash-outs/preview`.
///
/// What an order would sell and pay. Nothing is created.
///
/// It may be refused for `amount_invalido`, `asset_invalido`, `br_code_indisponivel`,
/// `br_code_invalido`, `br_code_sem_valor`, `brl_amount_invalido`, `campos_conflitantes`,
/// `cashout_indisponivel`, `catalogo_indisponivel`, `cotacao_indisponivel`, `documento_invalido`,
/// `limite_diario_recebedor`, `limite_do_pagador`, `pagador_recusado_pelo_provedor`,
/// `pix_key_invalida`, `pix_key_obrigatoria`, `rede_indisponivel`, `refund_address_invalida`,
/// `tax_number_obrigatorio`, `tipo_ambiguo`, `valor_abaixo_do_minimo` or `valor_acima_do_maximo`.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviewCashOut {
    asset: Text<32>,
    network: Text<32>,
    amount: Option<Decimal>,
    brl_amount: Option<Decimal>,
    br_code: Option<Text<512>>,
    pix_key: Option<PixKey>,
    payee: Option<Document>,
    refund_address: Option<Text<128>>,
    external_id: ExternalId,
}

impl PreviewCashOut {
    /// What must be said:
    ///
    /// - `asset`: what is sold.
    /// - `network`: where it is deposited.
    /// - `external_id`: the account's own id: asked again, nothing is done twice.
    #[must_use]
    pub fn new(asset: Text<32>, network: Text<32>, external_id: ExternalId) -> Self {
        Self {
            asset,
            network,
            amount: None,
            brl_amount: None,
            br_code: None,
            pix_key: None,
            payee: None,
            refund_address: None,
            external_id,
        }
    }

    /// Sets `amount`: how much of it; it, `brl_amount` or `br_code`.
    #[must_use]
    pub fn amount(mut self, amount: Decimal) -> Self {
        self.amount = Some(amount);
        self
    }

    /// Sets `brl_amount`: what is to be paid, in reais.
    #[must_use]
    pub fn brl_amount(mut self, brl_amount: Decimal) -> Self {
        self.brl_amount = Some(brl_amount);
        self
    }

    /// Sets `br_code`: a Copia e Cola code, which says what is paid and to whom.
    #[must_use]
    pub fn br_code(mut self, br_code: Text<512>) -> Self {
        self.br_code = Some(br_code);
        self
    }

    /// Sets `pix_key`: the key that is paid; required without a code.
    #[must_use]
    pub fn pix_key(mut self, pix_key: PixKey) -> Self {
        self.pix_key = Some(pix_key);
        self
    }

    /// Sets `payee_tax_number`: the recipient's CPF or CNPJ, digits only.
    #[must_use]
    pub fn payee(mut self, payee: Document) -> Self {
        self.payee = Some(payee);
        self
    }

    /// Sets `refund_address`: the return wallet.
    #[must_use]
    pub fn refund_address(mut self, refund_address: Text<128>) -> Self {
        self.refund_address = Some(refund_address);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("asset", &self.asset)
            .with("network", &self.network)
            .with("amount", &self.amount)
            .with("brl_amount", &self.brl_amount)
            .with("br_code", &self.br_code)
            .with("pix_key", &self.pix_key)
            .with("payee_tax_number", &self.payee)
            .with("refund_address", &self.refund_address)
            .with("external_id", &self.external_id)
            .with("pix_key_type", &self.pix_key.as_ref().map(PixKey::kind))
    }
}

crate::drawn!(PreviewCashOut {
    asset: Text<32>,
    network: Text<32>,
    amount: Option<Decimal>,
    brl_amount: Option<Decimal>,
    br_code: Option<Text<512>>,
    pix_key: Option<PixKey>,
    payee: Option<Document>,
    refund_address: Option<Text<128>>,
    external_id: ExternalId,
});

impl Request for PreviewCashOut {
    type Answer = view::CashOutPreview;
    type By = Account;
}

impl Asked for PreviewCashOut {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("cash-outs").segment("preview");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Quote a cash-out: `POST /cash-outs`.
///
/// Creates an order, quoted. Send one of `amount`, `brl_amount` and `br_code`. Nothing is
/// committed until it is accepted.
///
/// It may be refused for `amount_invalido`, `asset_invalido`, `br_code_indisponivel`,
/// `br_code_invalido`, `br_code_sem_valor`, `brl_amount_invalido`, `campos_conflitantes`,
/// `cashout_indisponivel`, `catalogo_indisponivel`, `cotacao_indisponivel`, `documento_invalido`,
/// `external_id_divergente`, `limite_diario_recebedor`, `limite_do_pagador`,
/// `mandate_contraparte_nao_autorizada`, `mandate_valor_acima_do_teto`,
/// `pagador_recusado_pelo_provedor`, `pix_key_invalida`, `pix_key_obrigatoria`,
/// `rede_indisponivel`, `refund_address_invalida`, `tax_number_obrigatorio`, `tipo_ambiguo`,
/// `valor_abaixo_do_minimo` or `valor_acima_do_maximo`.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateCashOut {
    asset: Text<32>,
    network: Text<32>,
    amount: Option<Decimal>,
    brl_amount: Option<Decimal>,
    br_code: Option<Text<512>>,
    pix_key: Option<PixKey>,
    payee: Option<Document>,
    refund_address: Option<Text<128>>,
    external_id: ExternalId,
    owner: Option<Text<1024>>,
}

impl CreateCashOut {
    /// What must be said:
    ///
    /// - `asset`: what is sold.
    /// - `network`: where it is deposited.
    /// - `external_id`: the account's own id: asked again, nothing is done twice.
    #[must_use]
    pub fn new(asset: Text<32>, network: Text<32>, external_id: ExternalId) -> Self {
        Self {
            asset,
            network,
            amount: None,
            brl_amount: None,
            br_code: None,
            pix_key: None,
            payee: None,
            refund_address: None,
            external_id,
            owner: None,
        }
    }

    /// Sets `amount`: how much of it; it, `brl_amount` or `br_code`.
    #[must_use]
    pub fn amount(mut self, amount: Decimal) -> Self {
        self.amount = Some(amount);
        self
    }

    /// Sets `brl_amount`: what is to be paid, in reais.
    #[must_use]
    pub fn brl_amount(mut self, brl_amount: Decimal) -> Self {
        self.brl_amount = Some(brl_amount);
        self
    }

    /// Sets `br_code`: a Copia e Cola code, which says what is paid and to whom.
    #[must_use]
    pub fn br_code(mut self, br_code: Text<512>) -> Self {
        self.br_code = Some(br_code);
        self
    }

    /// Sets `pix_key`: the key that is paid; required without a code.
    #[must_use]
    pub fn pix_key(mut self, pix_key: PixKey) -> Self {
        self.pix_key = Some(pix_key);
        self
    }

    /// Sets `payee_tax_number`: the recipient's CPF or CNPJ, digits only.
    #[must_use]
    pub fn payee(mut self, payee: Document) -> Self {
        self.payee = Some(payee);
        self
    }

    /// Sets `refund_address`: the return wallet.
    #[must_use]
    pub fn refund_address(mut self, refund_address: Text<128>) -> Self {
        self.refund_address = Some(refund_address);
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
            .with("asset", &self.asset)
            .with("network", &self.network)
            .with("amount", &self.amount)
            .with("brl_amount", &self.brl_amount)
            .with("br_code", &self.br_code)
            .with("pix_key", &self.pix_key)
            .with("payee_tax_number", &self.payee)
            .with("refund_address", &self.refund_address)
            .with("external_id", &self.external_id)
            .with("pix_key_type", &self.pix_key.as_ref().map(PixKey::kind))
    }

    pub(crate) fn supplied(&self) -> Value {
        Body::default().with("owner", &self.owner).into_value()
    }
}

crate::drawn!(CreateCashOut {
    asset: Text<32>,
    network: Text<32>,
    amount: Option<Decimal>,
    brl_amount: Option<Decimal>,
    br_code: Option<Text<512>>,
    pix_key: Option<PixKey>,
    payee: Option<Document>,
    refund_address: Option<Text<128>>,
    external_id: ExternalId,
    owner: Option<Text<1024>>,
});

impl Request for CreateCashOut {
    type Answer = view::CashOut;
    type By = Account;
}

impl Asked for CreateCashOut {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("cash-outs");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: self.supplied() }
    }
}

/// Find cash-outs by external id: `GET /cash-outs`.
///
/// The orders of this account under one `external_id`.
#[derive(Clone, Debug, PartialEq)]
pub struct ListCashOuts {
    external_id: ExternalId,
}

impl ListCashOuts {
    /// What must be said:
    ///
    /// - `external_id`: which: `external_id`.
    #[must_use]
    pub fn new(external_id: ExternalId) -> Self {
        Self { external_id }
    }
}

crate::drawn!(ListCashOuts { external_id: ExternalId });

impl Request for ListCashOuts {
    type Answer = view::CashOuts;
    type By = Account;
}

impl Asked for ListCashOuts {
    fn ask(&self) -> Ask {
        let target =
            Target::default().segment("cash-outs").parameter("external_id", &self.external_id);
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Show a cash-out: `GET /cash-outs/{cashout_id}`.
///
/// An order as it stands, with its deposit, PIX and refund.
///
/// It may be refused for `nao_encontrado`.
#[derive(Clone, Debug, PartialEq)]
pub struct GetCashOut {
    cash_out: OperationId,
}

impl GetCashOut {
    /// What must be said:
    ///
    /// - `cash_out`, on the wire `cashout_id`: which: `cashout_id`.
    #[must_use]
    pub fn new(cash_out: OperationId) -> Self {
        Self { cash_out }
    }
}

crate::drawn!(GetCashOut { cash_out: OperationId });

impl Request for GetCashOut {
    type Answer = view::CashOut;
    type By = Account;
}

impl Asked for GetCashOut {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("cash-outs").id(&self.cash_out);
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Accept a cash-out: `POST /cash-outs/{cashout_id}/accept`.
///
/// Commits to the order and gives the deposit address. After a 503 accept the same order again.
///
/// It may be refused for `cashout_indisponivel`, `cotacao_expirada`, `liquidante_indisponivel`,
/// `nao_encontrado` or `status_invalido`.
#[derive(Clone, Debug, PartialEq)]
pub struct AcceptCashOut {
    cash_out: OperationId,
}

impl AcceptCashOut {
    /// What must be said:
    ///
    /// - `cash_out`, on the wire `cashout_id`: which: `cashout_id`.
    #[must_use]
    pub fn new(cash_out: OperationId) -> Self {
        Self { cash_out }
    }
}

crate::drawn!(AcceptCashOut { cash_out: OperationId });

impl Request for AcceptCashOut {
    type Answer = view::CashOut;
    type By = Account;
}

impl Asked for AcceptCashOut {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("cash-outs").id(&self.cash_out).segment("accept");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Give a return wallet: `POST /cash-outs/{cashout_id}/refund-address`.
///
/// Gives the wallet of an order in `AWAITING_REFUND_ADDRESS`, once and for all.
///
/// It may be refused for `nao_encontrado`, `refund_address_imutavel`, `refund_address_invalida` or
/// `status_invalido`.
#[derive(Clone, Debug, PartialEq)]
pub struct SetRefundAddress {
    cash_out: OperationId,
    refund_address: Text<128>,
}

impl SetRefundAddress {
    /// What must be said:
    ///
    /// - `cash_out`, on the wire `cashout_id`: which: `cashout_id`.
    /// - `refund_address`: the return wallet, once and for all.
    #[must_use]
    pub fn new(cash_out: OperationId, refund_address: Text<128>) -> Self {
        Self { cash_out, refund_address }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("refund_address", &self.refund_address)
    }
}

crate::drawn!(SetRefundAddress {
    cash_out: OperationId,
    refund_address: Text<128>,
});

impl Request for SetRefundAddress {
    type Answer = view::CashOut;
    type By = Account;
}

impl Asked for SetRefundAddress {
    fn ask(&self) -> Ask {
        let target =
            Target::default().segment("cash-outs").id(&self.cash_out).segment("refund-address");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: Value::Null }
    }
}
