//! Requests of charges: a PIX collected.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::request::sealed::Asked;
use crate::request::{Account, Ask, Asking, Request, Target};
use crate::value::{Amount, Body, Document, ExternalId, OperationId, Party, Text, Wire};
use crate::view;

/// What `destino` may say: saldo or cripto.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CreateChargeDestination {
    /// On the wire `saldo`.
    Balance,
    /// On the wire `cripto`.
    Crypto,
}

crate::drawn!(one CreateChargeDestination { Balance, Crypto });

impl Wire for CreateChargeDestination {
    fn wire(&self) -> Value {
        match self {
            Self::Balance => "saldo",
            Self::Crypto => "cripto",
        }
        .into()
    }
}

/// Create a charge: `POST /cashin/charge`.
///
/// A PIX to be collected, into the balance (`destino: saldo`) or as crypto (`cripto`, the
/// default). The same `external_id` with the same body gives the same charge. The payer's ladder
/// ([`ChargeLimits`]) counts what one CPF or CNPJ pays a
/// day, over all accounts: a second charge of the same payer may be held by the provider, or
/// refused with `limite_do_pagador`.
///
/// It may be refused for `amount_invalido`, `asset_invalido`, `campos_conflitantes`,
/// `cashin_indisponivel`, `catalogo_indisponivel`, `cotacao_indisponivel`, `custodia_desligada`,
/// `destino_invalido`, `external_id_divergente`, `limite_diario`, `limite_do_pagador`,
/// `memo_obrigatorio`, `nao_permitido`, `outcome_invalido`, `pagador_bloqueado`,
/// `pagador_recusado_pelo_provedor`, `payer_tax_number_invalido`, `payout_address_invalido`,
/// `payout_address_obrigatorio`, `provedor_sem_resposta`, `rede_indisponivel`,
/// `valor_abaixo_do_minimo` or `valor_acima_do_maximo`.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateCharge {
    amount: Amount,
    payer: Document,
    payer_name: Option<Text<255>>,
    destination: Option<CreateChargeDestination>,
    party: Party,
    allow_hold: Option<bool>,
    external_id: ExternalId,
    sandbox_scenario: Option<Text<64>>,
    asset: Option<Text<32>>,
    chain: Option<Text<32>>,
    address: Option<Text<128>>,
    memo: Option<Text<120>>,
    qr_copypaste: Option<Text<1024>>,
    qr_image_url: Option<Text<1024>>,
    provider_reference: Option<Text<1024>>,
}

impl CreateCharge {
    /// What must be said:
    ///
    /// - `amount`, on the wire `amount_cents`: how much.
    /// - `payer`, on the wire `payer_tax_number`: the payer's CPF or CNPJ, digits only.
    /// - `party`, on the wire `customer_ref`: the subaccount.
    /// - `external_id`: the account's own id: asked again, nothing is done twice.
    #[must_use]
    pub fn new(amount: Amount, payer: Document, party: Party, external_id: ExternalId) -> Self {
        Self {
            amount,
            payer,
            payer_name: None,
            destination: None,
            party,
            allow_hold: None,
            external_id,
            sandbox_scenario: None,
            asset: None,
            chain: None,
            address: None,
            memo: None,
            qr_copypaste: None,
            qr_image_url: None,
            provider_reference: None,
        }
    }

    /// Sets `payer_name`: the payer's name.
    #[must_use]
    pub fn payer_name(mut self, payer_name: Text<255>) -> Self {
        self.payer_name = Some(payer_name);
        self
    }

    /// Sets `destino`: saldo or cripto; absent: cripto.
    #[must_use]
    pub fn destination(mut self, destination: CreateChargeDestination) -> Self {
        self.destination = Some(destination);
        self
    }

    /// Sets `allow_hold`: whether the provider may hold it, where the payer's ladder or the
    /// account's terms say so ([`ChargeLimits`] shows
    /// the ladder); absent: it may; false refuses with `limite_do_pagador` what would be held.
    #[must_use]
    pub fn allow_hold(mut self, allow_hold: bool) -> Self {
        self.allow_hold = Some(allow_hold);
        self
    }

    /// Sets `sandbox_scenario`: what the sandbox plays, for test keys.
    #[must_use]
    pub fn sandbox_scenario(mut self, sandbox_scenario: Text<64>) -> Self {
        self.sandbox_scenario = Some(sandbox_scenario);
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

    /// Sets `payout_address`: the wallet.
    #[must_use]
    pub fn address(mut self, address: Text<128>) -> Self {
        self.address = Some(address);
        self
    }

    /// Sets `payout_tag`: the wallet's memo, where its network needs one.
    #[must_use]
    pub fn memo(mut self, memo: Text<120>) -> Self {
        self.memo = Some(memo);
        self
    }

    /// Sets `qr_copypaste`: the provider's Copia e Cola code; the ledger has no other.
    #[must_use]
    pub fn qr_copypaste(mut self, qr_copypaste: Text<1024>) -> Self {
        self.qr_copypaste = Some(qr_copypaste);
        self
    }

    /// Sets `qr_image_url`: where the provider shows it as a picture.
    #[must_use]
    pub fn qr_image_url(mut self, qr_image_url: Text<1024>) -> Self {
        self.qr_image_url = Some(qr_image_url);
        self
    }

    /// Sets `provider_reference`: where it refused: the reason and reference to be quoted to
    /// it.
    #[must_use]
    pub fn provider_reference(mut self, provider_reference: Text<1024>) -> Self {
        self.provider_reference = Some(provider_reference);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("amount_cents", &self.amount)
            .with("payer_tax_number", &self.payer)
            .with("payer_name", &self.payer_name)
            .with("destino", &self.destination)
            .with("customer_ref", &self.party)
            .with("allow_hold", &self.allow_hold)
            .with("external_id", &self.external_id)
            .with("sandbox_scenario", &self.sandbox_scenario)
            .with("asset", &self.asset)
            .with("chain", &self.chain)
            .with("payout_address", &self.address)
            .with("payout_tag", &self.memo)
    }

    pub(crate) fn supplied(&self) -> Value {
        Body::default()
            .with("qr_copypaste", &self.qr_copypaste)
            .with("qr_image_url", &self.qr_image_url)
            .with("provider_reference", &self.provider_reference)
            .into_value()
    }
}

crate::drawn!(CreateCharge {
    amount: Amount,
    payer: Document,
    payer_name: Option<Text<255>>,
    destination: Option<CreateChargeDestination>,
    party: Party,
    allow_hold: Option<bool>,
    external_id: ExternalId,
    sandbox_scenario: Option<Text<64>>,
    asset: Option<Text<32>>,
    chain: Option<Text<32>>,
    address: Option<Text<128>>,
    memo: Option<Text<120>>,
    qr_copypaste: Option<Text<1024>>,
    qr_image_url: Option<Text<1024>>,
    provider_reference: Option<Text<1024>>,
});

impl Request for CreateCharge {
    type Answer = view::Charge;
    type By = Account;
}

impl Asked for CreateCharge {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("cashin").segment("charge");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: self.supplied() }
    }
}

/// Preview a charge: `POST /cashin/preview`.
///
/// What a purchase would cost and deliver. Nothing is created.
///
/// It may be refused for `amount_invalido`, `asset_invalido`, `catalogo_indisponivel`,
/// `cotacao_indisponivel`, `rede_indisponivel`, `valor_abaixo_do_minimo` or
/// `valor_acima_do_maximo`.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviewCharge {
    amount: Amount,
    asset: Option<Text<32>>,
    chain: Option<Text<32>>,
    address: Option<Text<128>>,
}

impl PreviewCharge {
    /// What must be said:
    ///
    /// - `amount`, on the wire `amount_cents`: how much.
    #[must_use]
    pub fn new(amount: Amount) -> Self {
        Self { amount, asset: None, chain: None, address: None }
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

    /// Sets `payout_address`: the wallet.
    #[must_use]
    pub fn address(mut self, address: Text<128>) -> Self {
        self.address = Some(address);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("amount_cents", &self.amount)
            .with("asset", &self.asset)
            .with("chain", &self.chain)
            .with("payout_address", &self.address)
    }
}

crate::drawn!(PreviewCharge {
    amount: Amount,
    asset: Option<Text<32>>,
    chain: Option<Text<32>>,
    address: Option<Text<128>>,
});

impl Request for PreviewCharge {
    type Answer = view::ChargePreview;
    type By = Account;
}

impl Asked for PreviewCharge {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("cashin").segment("preview");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Find charges by external id: `GET /cashin/charges`.
///
/// The charges and conversions of this account under one `external_id`.
#[derive(Clone, Debug, PartialEq)]
pub struct ListCharges {
    external_id: ExternalId,
}

impl ListCharges {
    /// What must be said:
    ///
    /// - `external_id`: which: `external_id`.
    #[must_use]
    pub fn new(external_id: ExternalId) -> Self {
        Self { external_id }
    }
}

crate::drawn!(ListCharges { external_id: ExternalId });

impl Request for ListCharges {
    type Answer = view::Charges;
    type By = Account;
}

impl Asked for ListCharges {
    fn ask(&self) -> Ask {
        let target = Target::default()
            .segment("cashin")
            .segment("charges")
            .parameter("external_id", &self.external_id);
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Show what can be bought: `GET /cashin/catalog`.
///
/// Pairs of asset and network, their minimums and fees. Offer only pairs with `entregavel: true`.
///
/// It may be refused for `catalogo_indisponivel`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ChargeCatalogue {}

impl ChargeCatalogue {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

crate::drawn!(ChargeCatalogue {});

impl Request for ChargeCatalogue {
    type Answer = view::ChargeCatalogue;
    type By = Account;
}

impl Asked for ChargeCatalogue {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("cashin").segment("catalog");
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Show a payer's limits: `GET /cashin/limits`.
///
/// What this payer may pay at once and held. It is advice: a charge is judged again when it is
/// created.
///
/// It may be refused for `payer_tax_invalido`.
#[derive(Clone, Debug, PartialEq)]
pub struct ChargeLimits {
    payer: Document,
}

impl ChargeLimits {
    /// What must be said:
    ///
    /// - `payer`, on the wire `payer_tax`: which: `payer_tax`.
    #[must_use]
    pub fn new(payer: Document) -> Self {
        Self { payer }
    }
}

crate::drawn!(ChargeLimits { payer: Document });

impl Request for ChargeLimits {
    type Answer = view::ChargeLimits;
    type By = Account;
}

impl Asked for ChargeLimits {
    fn ask(&self) -> Ask {
        let target = Target::default()
            .segment("cashin")
            .segment("limits")
            .parameter("payer_tax", &self.payer);
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Show a charge: `GET /cashin/{cashin_id}/status`.
///
/// A charge or a conversion as it stands, with its settlement.
///
/// It may be refused for `nao_encontrado`.
#[derive(Clone, Debug, PartialEq)]
pub struct GetCharge {
    charge: OperationId,
}

impl GetCharge {
    /// What must be said:
    ///
    /// - `charge`, on the wire `cashin_id`: which: `cashin_id`.
    #[must_use]
    pub fn new(charge: OperationId) -> Self {
        Self { charge }
    }
}

crate::drawn!(GetCharge { charge: OperationId });

impl Request for GetCharge {
    type Answer = view::ChargeDetail;
    type By = Account;
}

impl Asked for GetCharge {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("cashin").id(&self.charge).segment("status");
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}
