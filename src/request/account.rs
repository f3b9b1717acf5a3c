//! Requests of accounts, their keys and terms, and the policy.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::request::sealed::Asked;
use crate::request::{Account, Anybody, Ask, Asking, Request, Target};
use crate::value::{Body, EndToEndId, PixKey, Text};
use crate::view;

/// Create a production key: `POST /keys`.
///
/// Opens an account. The key is shown once.
///
/// It may be refused for `conflito`, `documento_invalido`, `email_invalido`, `nao_encontrado` or
/// `rate_limit`.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateKey {
    name: Text<255>,
    email: Option<Text<254>>,
    document: Option<Text<32>>,
    document_country: Option<Text<16>>,
    legal_representative: Option<Text<255>>,
    entropy: Option<Text<1024>>,
}

impl CreateKey {
    /// What must be said:
    ///
    /// - `name`: whose account it is.
    #[must_use]
    pub fn new(name: Text<255>) -> Self {
        Self {
            name,
            email: None,
            document: None,
            document_country: None,
            legal_representative: None,
            entropy: None,
        }
    }

    /// Sets `email`: an e-mail address.
    #[must_use]
    pub fn email(mut self, email: Text<254>) -> Self {
        self.email = Some(email);
        self
    }

    /// Sets `documento`: a CPF or CNPJ, or what another country has.
    #[must_use]
    pub fn document(mut self, document: Text<32>) -> Self {
        self.document = Some(document);
        self
    }

    /// Sets `documento_pais`: that country, by its code of two letters.
    #[must_use]
    pub fn document_country(mut self, document_country: Text<16>) -> Self {
        self.document_country = Some(document_country);
        self
    }

    /// Sets `responsavel_legal`: who answers for it.
    #[must_use]
    pub fn legal_representative(mut self, legal_representative: Text<255>) -> Self {
        self.legal_representative = Some(legal_representative);
        self
    }

    /// Sets `entropy`: 64 hexadecimal digits, fresh each time, of which a new key or secret is
    /// made.
    #[must_use]
    pub fn entropy(mut self, entropy: Text<1024>) -> Self {
        self.entropy = Some(entropy);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("name", &self.name)
            .with("email", &self.email)
            .with("documento", &self.document)
            .with("documento_pais", &self.document_country)
            .with("responsavel_legal", &self.legal_representative)
    }

    pub(crate) fn supplied(&self) -> Value {
        Body::default().with("entropy", &self.entropy).into_value()
    }
}

crate::drawn!(CreateKey {
    name: Text<255>,
    email: Option<Text<254>>,
    document: Option<Text<32>>,
    document_country: Option<Text<16>>,
    legal_representative: Option<Text<255>>,
    entropy: Option<Text<1024>>,
});

impl Request for CreateKey {
    type Answer = view::CreatedKey;
    type By = Anybody;
}

impl Asked for CreateKey {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("keys");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: self.supplied() }
    }
}

/// Create a test key: `POST /keys/sandbox`.
///
/// Opens an account of the sandbox, in which nothing moves. The key is shown once.
///
/// It may be refused for `email_obrigatorio`, `limite_de_chaves_teste` or `nao_encontrado`.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateSandboxKey {
    email: Text<254>,
    name: Option<Text<255>>,
    entropy: Option<Text<1024>>,
}

impl CreateSandboxKey {
    /// What must be said:
    ///
    /// - `email`: an e-mail address.
    #[must_use]
    pub fn new(email: Text<254>) -> Self {
        Self { email, name: None, entropy: None }
    }

    /// Sets `name`: whose account it is.
    #[must_use]
    pub fn name(mut self, name: Text<255>) -> Self {
        self.name = Some(name);
        self
    }

    /// Sets `entropy`: 64 hexadecimal digits, fresh each time, of which a new key or secret is
    /// made.
    #[must_use]
    pub fn entropy(mut self, entropy: Text<1024>) -> Self {
        self.entropy = Some(entropy);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("email", &self.email).with("name", &self.name)
    }

    pub(crate) fn supplied(&self) -> Value {
        Body::default().with("entropy", &self.entropy).into_value()
    }
}

crate::drawn!(CreateSandboxKey {
    email: Text<254>,
    name: Option<Text<255>>,
    entropy: Option<Text<1024>>,
});

impl Request for CreateSandboxKey {
    type Answer = view::CreatedSandboxKey;
    type By = Anybody;
}

impl Asked for CreateSandboxKey {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("keys").segment("sandbox");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: self.supplied() }
    }
}

/// Send the link of the private monitor: `POST /keys/painel-link`.
///
/// Sends the link to a registered address. The answer never says whether it is registered.
///
/// It may be refused for `email_obrigatorio` or `muitas_tentativas`.
#[derive(Clone, Debug, PartialEq)]
pub struct SendPanelLink {
    email: Text<254>,
}

impl SendPanelLink {
    /// What must be said:
    ///
    /// - `email`: the e-mail address of an account.
    #[must_use]
    pub fn new(email: Text<254>) -> Self {
        Self { email }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("email", &self.email)
    }
}

crate::drawn!(SendPanelLink {
    email: Text<254>,
});

impl Request for SendPanelLink {
    type Answer = view::PanelLink;
    type By = Anybody;
}

impl Asked for SendPanelLink {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("keys").segment("painel-link");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Show the account: `GET /keys/me`.
///
/// Effective limits, fees and settings of this key.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct GetAccount {}

impl GetAccount {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

crate::drawn!(GetAccount {});

impl Request for GetAccount {
    type Answer = view::Account;
    type By = Account;
}

impl Asked for GetAccount {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("keys").segment("me");
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Change settings: `PATCH /keys/me`.
///
/// Changes the settings that the body names, and no others. A new webhook secret is shown once.
///
/// It may be refused for `conflito`, `payout_address_invalido`, `valor_invalido` or
/// `webhook_url_invalida`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct UpdateAccount {
    webhook_url: Option<Text<2048>>,
    settlement_address: Option<Text<128>>,
    rotate_webhook_secret: Option<bool>,
    rotate_monitor_token: Option<bool>,
    partner_fee_bps: Option<u16>,
    partner_cashout_fee_bps: Option<u16>,
    partner_payout_fee_bps: Option<u16>,
    entropy: Option<Text<1024>>,
}

impl UpdateAccount {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `webhook_url`: where webhooks go: an https:// address.
    #[must_use]
    pub fn webhook_url(mut self, webhook_url: Text<2048>) -> Self {
        self.webhook_url = Some(webhook_url);
        self
    }

    /// Sets `settlement_address`: the wallet that is settled to.
    #[must_use]
    pub fn settlement_address(mut self, settlement_address: Text<128>) -> Self {
        self.settlement_address = Some(settlement_address);
        self
    }

    /// Sets `rotate_webhook_secret`: whether webhooks get another secret.
    #[must_use]
    pub fn rotate_webhook_secret(mut self, rotate_webhook_secret: bool) -> Self {
        self.rotate_webhook_secret = Some(rotate_webhook_secret);
        self
    }

    /// Sets `rotate_monitor_token`: whether the monitor gets another address.
    #[must_use]
    pub fn rotate_monitor_token(mut self, rotate_monitor_token: bool) -> Self {
        self.rotate_monitor_token = Some(rotate_monitor_token);
        self
    }

    /// Sets `partner_fee_bps`: the partner's percentage of a purchase.
    #[must_use]
    pub fn partner_fee_bps(mut self, partner_fee_bps: u16) -> Self {
        self.partner_fee_bps = Some(partner_fee_bps);
        self
    }

    /// Sets `partner_cashout_fee_bps`: the partner's percentage of a sale.
    #[must_use]
    pub fn partner_cashout_fee_bps(mut self, partner_cashout_fee_bps: u16) -> Self {
        self.partner_cashout_fee_bps = Some(partner_cashout_fee_bps);
        self
    }

    /// Sets `partner_saque_fee_bps`: the partner's percentage of a payout.
    #[must_use]
    pub fn partner_payout_fee_bps(mut self, partner_payout_fee_bps: u16) -> Self {
        self.partner_payout_fee_bps = Some(partner_payout_fee_bps);
        self
    }

    /// Sets `entropy`: 64 hexadecimal digits, fresh each time, of which a new key or secret is
    /// made.
    #[must_use]
    pub fn entropy(mut self, entropy: Text<1024>) -> Self {
        self.entropy = Some(entropy);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("webhook_url", &self.webhook_url)
            .with("settlement_address", &self.settlement_address)
            .with("rotate_webhook_secret", &self.rotate_webhook_secret)
            .with("rotate_monitor_token", &self.rotate_monitor_token)
            .with("partner_fee_bps", &self.partner_fee_bps)
            .with("partner_cashout_fee_bps", &self.partner_cashout_fee_bps)
            .with("partner_saque_fee_bps", &self.partner_payout_fee_bps)
    }

    pub(crate) fn supplied(&self) -> Value {
        Body::default().with("entropy", &self.entropy).into_value()
    }
}

crate::drawn!(UpdateAccount {
    webhook_url: Option<Text<2048>>,
    settlement_address: Option<Text<128>>,
    rotate_webhook_secret: Option<bool>,
    rotate_monitor_token: Option<bool>,
    partner_fee_bps: Option<u16>,
    partner_cashout_fee_bps: Option<u16>,
    partner_payout_fee_bps: Option<u16>,
    entropy: Option<Text<1024>>,
});

impl Request for UpdateAccount {
    type Answer = view::UpdatedAccount;
    type By = Account;
}

impl Asked for UpdateAccount {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("keys").segment("me");
        let by = Asking::Route("PATCH", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: self.supplied() }
    }
}

/// Replace the key: `key.rotate`.
///
/// The next key is shown once, and the one that asked is dead.
///
/// It may be refused for `conflito`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct RotateKey {
    entropy: Option<Text<1024>>,
}

impl RotateKey {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `entropy`: 64 hexadecimal digits, fresh each time, of which a new key or secret is
    /// made.
    #[must_use]
    pub fn entropy(mut self, entropy: Text<1024>) -> Self {
        self.entropy = Some(entropy);
        self
    }

    pub(crate) fn supplied(&self) -> Value {
        Body::default().with("entropy", &self.entropy).into_value()
    }
}

crate::drawn!(RotateKey {
    entropy: Option<Text<1024>>,
});

impl Request for RotateKey {
    type Answer = view::RotatedKey;
    type By = Account;
}

impl Asked for RotateKey {
    fn ask(&self) -> Ask {
        let by = Asking::Command("key.rotate");
        Ask { by, body: Value::Null, supplied: self.supplied() }
    }
}

/// Send a test event: `POST /webhooks/test`.
///
/// Sends `webhook.test` to the endpoint that is set, and says what it answered.
///
/// It may be refused for `endpoint_nao_respondeu` or `webhook_nao_configurado`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TestWebhook {}

impl TestWebhook {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

crate::drawn!(TestWebhook {});

impl Request for TestWebhook {
    type Answer = view::WebhookTest;
    type By = Account;
}

impl Asked for TestWebhook {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("webhooks").segment("test");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// List deliveries: `GET /webhooks/deliveries`.
///
/// The queue of webhooks. That an event is not in it proves no failed payment.
///
/// It may be refused for `consulta_indisponivel`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ListWebhookDeliveries {}

impl ListWebhookDeliveries {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

crate::drawn!(ListWebhookDeliveries {});

impl Request for ListWebhookDeliveries {
    type Answer = view::WebhookDeliveries;
    type By = Account;
}

impl Asked for ListWebhookDeliveries {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("webhooks").segment("deliveries");
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Verify a PIX: `GET /v1/verificar/{e2e}`.
///
/// Whether a PIX is known and paid, without a key and without personal data.
///
/// It may be refused for `nao_encontrado`.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifyPix {
    end_to_end_id: EndToEndId,
}

impl VerifyPix {
    /// What must be said:
    ///
    /// - `end_to_end_id`, on the wire `e2e`: which: `e2e`.
    #[must_use]
    pub fn new(end_to_end_id: EndToEndId) -> Self {
        Self { end_to_end_id }
    }
}

crate::drawn!(VerifyPix { end_to_end_id: EndToEndId });

impl Request for VerifyPix {
    type Answer = view::Verification;
    type By = Anybody;
}

impl Asked for VerifyPix {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("v1").segment("verificar").id(&self.end_to_end_id);
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Look up a PIX key: `GET /pix/keys/lookup`.
///
/// Whose a key is, as the provider reports it. With `available: false` show the recipient as not
/// verified.
///
/// It may be refused for `chave_nao_encontrada`, `limite_consultas`, `pix_key_invalida`,
/// `pix_key_obrigatoria` or `tipo_ambiguo`.
#[derive(Clone, Debug, PartialEq)]
pub struct LookUpKey {
    key: PixKey,
    kind: Option<Text<255>>,
}

impl LookUpKey {
    /// What must be said:
    ///
    /// - `key`: which: `key`.
    #[must_use]
    pub fn new(key: PixKey) -> Self {
        Self { key, kind: None }
    }

    /// Sets `type`: the parameter `type`.
    #[must_use]
    pub fn kind(mut self, kind: Text<255>) -> Self {
        self.kind = Some(kind);
        self
    }
}

crate::drawn!(LookUpKey {
    key: PixKey,
    kind: Option<Text<255>>,
});

impl Request for LookUpKey {
    type Answer = view::KeyOwner;
    type By = Account;
}

impl Asked for LookUpKey {
    fn ask(&self) -> Ask {
        let target = Target::default()
            .segment("pix")
            .segment("keys")
            .segment("lookup")
            .parameter("key", &self.key)
            .parameter("type", &self.kind);
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}
