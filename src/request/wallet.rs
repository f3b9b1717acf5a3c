//! Requests of USDT wallets.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::request::sealed::Asked;
use crate::request::{Account, Ask, Asking, Request, Target};
use crate::value::{Body, Decimal, ExternalId, OperationId, PixKey, Text};
use crate::view;

/// Show the wallet: `GET /carteira-usdt`.
///
/// Balance, networks and limits of the USDT wallet.
///
/// It may be refused for `carteira_indisponivel` or `carteira_nao_liberada`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct GetWallet {}

impl GetWallet {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

crate::drawn!(GetWallet {});

impl Request for GetWallet {
    type Answer = view::Wallet;
    type By = Account;
}

impl Asked for GetWallet {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("carteira-usdt");
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Request a deposit: `POST /carteira-usdt/deposits`.
///
/// Gives an address and the exact amount to send.
///
/// It may be refused for `carteira_indisponivel`, `carteira_nao_liberada`,
/// `muitos_pedidos_abertos`, `rede_indisponivel`, `valor_abaixo_do_minimo` or `valor_invalido`.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateWalletDeposit {
    amount: Decimal,
    network: Option<Text<32>>,
}

impl CreateWalletDeposit {
    /// What must be said:
    ///
    /// - `amount`: how much USDT.
    #[must_use]
    pub fn new(amount: Decimal) -> Self {
        Self { amount, network: None }
    }

    /// Sets `network`: the network; absent: polygon.
    #[must_use]
    pub fn network(mut self, network: Text<32>) -> Self {
        self.network = Some(network);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("amount", &self.amount).with("network", &self.network)
    }
}

crate::drawn!(CreateWalletDeposit {
    amount: Decimal,
    network: Option<Text<32>>,
});

impl Request for CreateWalletDeposit {
    type Answer = view::WalletDeposit;
    type By = Account;
}

impl Asked for CreateWalletDeposit {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("carteira-usdt").segment("deposits");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// List deposits: `GET /carteira-usdt/deposits`.
///
/// The 100 latest requests.
///
/// It may be refused for `carteira_indisponivel` or `carteira_nao_liberada`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ListWalletDeposits {}

impl ListWalletDeposits {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

crate::drawn!(ListWalletDeposits {});

impl Request for ListWalletDeposits {
    type Answer = view::WalletDeposits;
    type By = Account;
}

impl Asked for ListWalletDeposits {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("carteira-usdt").segment("deposits");
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Pay a PIX from the wallet: `POST /carteira-usdt/payments`.
///
/// Reserves USDT, pays the PIX, and debits what it cost. Send `brl_amount` with `pix_key`, or
/// `br_code`.
///
/// It may be refused for `br_code_indisponivel`, `br_code_invalido`, `br_code_sem_valor`,
/// `campos_conflitantes`, `carteira_indisponivel`, `carteira_nao_liberada`, `cotacao_divergente`,
/// `cotacao_expirada`, `cotacao_recusada`, `external_id_divergente`, `funding_source_invalido`,
/// `limite_diario_recebedor`, `pagamentos_indisponiveis`, `pix_key_invalida`,
/// `pix_key_obrigatoria`, `saldo_insuficiente`, `tipo_ambiguo`, `valor_abaixo_do_minimo` or
/// `valor_invalido`.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateWalletPayment {
    funding_source: Option<Text<16>>,
    brl_amount: Option<Decimal>,
    br_code: Option<Text<512>>,
    pix_key: Option<PixKey>,
    quote_id: Option<OperationId>,
    external_id: ExternalId,
    owner: Option<Text<1024>>,
}

impl CreateWalletPayment {
    /// What must be said:
    ///
    /// - `external_id`: the account's own id: asked again, nothing is done twice.
    #[must_use]
    pub fn new(external_id: ExternalId) -> Self {
        Self {
            funding_source: None,
            brl_amount: None,
            br_code: None,
            pix_key: None,
            quote_id: None,
            external_id,
            owner: None,
        }
    }

    /// Sets `funding_source`: `crypto_usdt`, or absent.
    #[must_use]
    pub fn funding_source(mut self, funding_source: Text<16>) -> Self {
        self.funding_source = Some(funding_source);
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

    /// Sets `quote_id`: the quote it was shown, with `br_code`.
    #[must_use]
    pub fn quote_id(mut self, quote_id: OperationId) -> Self {
        self.quote_id = Some(quote_id);
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
            .with("funding_source", &self.funding_source)
            .with("brl_amount", &self.brl_amount)
            .with("br_code", &self.br_code)
            .with("pix_key", &self.pix_key)
            .with("quote_id", &self.quote_id)
            .with("external_id", &self.external_id)
            .with("pix_key_type", &self.pix_key.as_ref().map(PixKey::kind))
    }

    pub(crate) fn supplied(&self) -> Value {
        Body::default().with("owner", &self.owner).into_value()
    }
}

crate::drawn!(CreateWalletPayment {
    funding_source: Option<Text<16>>,
    brl_amount: Option<Decimal>,
    br_code: Option<Text<512>>,
    pix_key: Option<PixKey>,
    quote_id: Option<OperationId>,
    external_id: ExternalId,
    owner: Option<Text<1024>>,
});

impl Request for CreateWalletPayment {
    type Answer = view::WalletPayment;
    type By = Account;
}

impl Asked for CreateWalletPayment {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("carteira-usdt").segment("payments");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: self.supplied() }
    }
}

/// List payments: `GET /carteira-usdt/payments`.
///
/// The 100 latest payments.
///
/// It may be refused for `carteira_indisponivel` or `carteira_nao_liberada`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ListWalletPayments {}

impl ListWalletPayments {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

crate::drawn!(ListWalletPayments {});

impl Request for ListWalletPayments {
    type Answer = view::WalletPayments;
    type By = Account;
}

impl Asked for ListWalletPayments {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("carteira-usdt").segment("payments");
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Show a payment: `GET /carteira-usdt/payments/{payment_id}`.
///
/// A payment as it stands.
///
/// It may be refused for `carteira_indisponivel`, `carteira_nao_liberada` or `nao_encontrado`.
#[derive(Clone, Debug, PartialEq)]
pub struct GetWalletPayment {
    payment: OperationId,
}

impl GetWalletPayment {
    /// What must be said:
    ///
    /// - `payment`, on the wire `payment_id`: which: `payment_id`.
    #[must_use]
    pub fn new(payment: OperationId) -> Self {
        Self { payment }
    }
}

crate::drawn!(GetWalletPayment { payment: OperationId });

impl Request for GetWalletPayment {
    type Answer = view::WalletPayment;
    type By = Account;
}

impl Asked for GetWalletPayment {
    fn ask(&self) -> Ask {
        let target =
            Target::default().segment("carteira-usdt").segment("payments").id(&self.payment);
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Quote a payment: `POST /carteira-usdt/quote`.
///
/// An estimate without effect: at confirmation up to 1 % more is reserved, and the rest returns.
///
/// It may be refused for `br_code_indisponivel`, `br_code_invalido`, `br_code_sem_valor`,
/// `campos_conflitantes`, `carteira_indisponivel`, `carteira_nao_liberada`,
/// `funding_source_invalido`, `pagamentos_indisponiveis`, `pix_key_invalida`,
/// `pix_key_obrigatoria`, `tipo_ambiguo`, `valor_abaixo_do_minimo` or `valor_invalido`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct QuoteWalletPayment {
    funding_source: Option<Text<16>>,
    brl_amount: Option<Decimal>,
    br_code: Option<Text<512>>,
    pix_key: Option<PixKey>,
}

impl QuoteWalletPayment {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `funding_source`: `crypto_usdt`, or absent.
    #[must_use]
    pub fn funding_source(mut self, funding_source: Text<16>) -> Self {
        self.funding_source = Some(funding_source);
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

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("funding_source", &self.funding_source)
            .with("brl_amount", &self.brl_amount)
            .with("br_code", &self.br_code)
            .with("pix_key", &self.pix_key)
            .with("pix_key_type", &self.pix_key.as_ref().map(PixKey::kind))
    }
}

crate::drawn!(QuoteWalletPayment {
    funding_source: Option<Text<16>>,
    brl_amount: Option<Decimal>,
    br_code: Option<Text<512>>,
    pix_key: Option<PixKey>,
});

impl Request for QuoteWalletPayment {
    type Answer = view::WalletQuote;
    type By = Account;
}

impl Asked for QuoteWalletPayment {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("carteira-usdt").segment("quote");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Quote a withdrawal: `wallet.withdrawal.quote`.
///
/// What would arrive in an external wallet.
///
/// It may be refused for `asset_invalido`, `carteira_indisponivel`, `carteira_nao_liberada`,
/// `funding_source_invalido`, `payout_address_invalido`, `rede_indisponivel`,
/// `saque_indisponivel`, `valor_abaixo_do_minimo` or `valor_invalido`.
#[derive(Clone, Debug, PartialEq)]
pub struct QuoteWalletWithdrawal {
    funding_source: Option<Text<16>>,
    asset: Option<Text<16>>,
    network: Option<Text<32>>,
    address: Text<128>,
    amount: Decimal,
}

impl QuoteWalletWithdrawal {
    /// What must be said:
    ///
    /// - `address`: the external wallet.
    /// - `amount`: how much USDT leaves.
    #[must_use]
    pub fn new(address: Text<128>, amount: Decimal) -> Self {
        Self { funding_source: None, asset: None, network: None, address, amount }
    }

    /// Sets `funding_source`: `crypto_usdt`, or absent.
    #[must_use]
    pub fn funding_source(mut self, funding_source: Text<16>) -> Self {
        self.funding_source = Some(funding_source);
        self
    }

    /// Sets `asset`: USDT or USDC; absent: USDT.
    #[must_use]
    pub fn asset(mut self, asset: Text<16>) -> Self {
        self.asset = Some(asset);
        self
    }

    /// Sets `network`: the network; absent: polygon.
    #[must_use]
    pub fn network(mut self, network: Text<32>) -> Self {
        self.network = Some(network);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("funding_source", &self.funding_source)
            .with("asset", &self.asset)
            .with("network", &self.network)
            .with("address", &self.address)
            .with("amount", &self.amount)
    }
}

crate::drawn!(QuoteWalletWithdrawal {
    funding_source: Option<Text<16>>,
    asset: Option<Text<16>>,
    network: Option<Text<32>>,
    address: Text<128>,
    amount: Decimal,
});

impl Request for QuoteWalletWithdrawal {
    type Answer = view::WalletWithdrawalQuote;
    type By = Account;
}

impl Asked for QuoteWalletWithdrawal {
    fn ask(&self) -> Ask {
        let by = Asking::Command("wallet.withdrawal.quote");
        Ask { by, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Withdraw to an external wallet: `wallet.withdrawal.create`.
///
/// Withdraws what was quoted.
///
/// It may be refused for `asset_invalido`, `carteira_indisponivel`, `carteira_nao_liberada`,
/// `cotacao_divergente`, `cotacao_expirada`, `cotacao_recusada`, `external_id_divergente`,
/// `funding_source_invalido`, `saldo_insuficiente`, `saque_indisponivel`, `valor_abaixo_do_minimo`
/// or `valor_invalido`.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateWalletWithdrawal {
    funding_source: Option<Text<16>>,
    quote_id: OperationId,
    asset: Option<Text<16>>,
    network: Option<Text<32>>,
    address: Option<Text<128>>,
    amount: Option<Decimal>,
    external_id: ExternalId,
}

impl CreateWalletWithdrawal {
    /// What must be said:
    ///
    /// - `quote_id`: the quote it was shown.
    /// - `external_id`: the account's own id.
    #[must_use]
    pub fn new(quote_id: OperationId, external_id: ExternalId) -> Self {
        Self {
            funding_source: None,
            quote_id,
            asset: None,
            network: None,
            address: None,
            amount: None,
            external_id,
        }
    }

    /// Sets `funding_source`: `crypto_usdt`, or absent.
    #[must_use]
    pub fn funding_source(mut self, funding_source: Text<16>) -> Self {
        self.funding_source = Some(funding_source);
        self
    }

    /// Sets `asset`: as quoted.
    #[must_use]
    pub fn asset(mut self, asset: Text<16>) -> Self {
        self.asset = Some(asset);
        self
    }

    /// Sets `network`: as quoted.
    #[must_use]
    pub fn network(mut self, network: Text<32>) -> Self {
        self.network = Some(network);
        self
    }

    /// Sets `address`: the external wallet.
    #[must_use]
    pub fn address(mut self, address: Text<128>) -> Self {
        self.address = Some(address);
        self
    }

    /// Sets `amount`: as quoted.
    #[must_use]
    pub fn amount(mut self, amount: Decimal) -> Self {
        self.amount = Some(amount);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("funding_source", &self.funding_source)
            .with("quote_id", &self.quote_id)
            .with("asset", &self.asset)
            .with("network", &self.network)
            .with("address", &self.address)
            .with("amount", &self.amount)
            .with("external_id", &self.external_id)
    }
}

crate::drawn!(CreateWalletWithdrawal {
    funding_source: Option<Text<16>>,
    quote_id: OperationId,
    asset: Option<Text<16>>,
    network: Option<Text<32>>,
    address: Option<Text<128>>,
    amount: Option<Decimal>,
    external_id: ExternalId,
});

impl Request for CreateWalletWithdrawal {
    type Answer = view::CreatedWalletWithdrawal;
    type By = Account;
}

impl Asked for CreateWalletWithdrawal {
    fn ask(&self) -> Ask {
        let by = Asking::Command("wallet.withdrawal.create");
        Ask { by, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Show a withdrawal: `wallet.withdrawal.get`.
///
/// A withdrawal as it stands.
///
/// It may be refused for `carteira_indisponivel`, `carteira_nao_liberada` or `nao_encontrado`.
#[derive(Clone, Debug, PartialEq)]
pub struct GetWalletWithdrawal {
    withdrawal: OperationId,
}

impl GetWalletWithdrawal {
    /// What must be said:
    ///
    /// - `withdrawal`, on the wire `withdrawal_id`: the withdrawal.
    #[must_use]
    pub fn new(withdrawal: OperationId) -> Self {
        Self { withdrawal }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("withdrawal_id", &self.withdrawal)
    }
}

crate::drawn!(GetWalletWithdrawal { withdrawal: OperationId });

impl Request for GetWalletWithdrawal {
    type Answer = view::WalletWithdrawal;
    type By = Account;
}

impl Asked for GetWalletWithdrawal {
    fn ask(&self) -> Ask {
        let by = Asking::Command("wallet.withdrawal.get");
        Ask { by, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// List withdrawals: `wallet.withdrawal.list`.
///
/// The latest withdrawals.
///
/// It may be refused for `carteira_indisponivel` or `carteira_nao_liberada`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ListWalletWithdrawals {}

impl ListWalletWithdrawals {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

crate::drawn!(ListWalletWithdrawals {});

impl Request for ListWalletWithdrawals {
    type Answer = view::WalletWithdrawals;
    type By = Account;
}

impl Asked for ListWalletWithdrawals {
    fn ask(&self) -> Ask {
        let by = Asking::Command("wallet.withdrawal.list");
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}
