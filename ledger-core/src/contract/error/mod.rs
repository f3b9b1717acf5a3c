//! The error table: one place where a refusal gets its wire code, HTTP status and `acao` (ERR).

mod meaning;
pub(super) mod reading;
pub(super) mod refusals;
pub(super) mod support_case;
pub(super) mod wire;

use serde_json::{Map, Value};

pub(super) use refusals::malformed_field;

use super::version;
use crate::time::Instant;

/// An `erro` code of the contract: all that are known (contract, section 7).
///
/// ```
/// # use ledger_core::contract::{Code, RouteKind};
/// assert_eq!(Code::parse("saldo_insuficiente"), Some(Code::FundsInsufficient));
/// assert_eq!(Code::FundsInsufficient.status(RouteKind::Other), 409);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[allow(missing_docs)] // Each is the contract's code in English; `Code::name` is the wire's.
pub enum Code {
    AmountInvalid,
    AssetInvalid,
    CodeUnavailable,
    CodeInvalid,
    CodeWithoutAmount,
    BrlAmountInvalid,
    FieldsConflict,
    FieldsRequired,
    WaitingFirstDeposit,
    WalletUnavailable,
    WalletNotGranted,
    CashInUnavailable,
    CashOutUnavailable,
    CatalogueUnavailable,
    KeyMissing,
    KeyUnknown,
    KeyMalformed,
    PixKeyNotFound,
    KeyRequired,
    Conflict,
    LookupUnavailable,
    BodyTooLarge,
    QuoteDiffers,
    QuoteExpired,
    RateUnavailable,
    QuoteRefused,
    CustodyDisabled,
    DepositRequired,
    DestinationInvalid,
    RefundUnavailable,
    DocumentInvalid,
    InProgress,
    EmailInvalid,
    EmailRequired,
    EndpointSilent,
    InternalError,
    ExternalIdDiverges,
    FormatInvalid,
    FundingSourceInvalid,
    AlreadyDelivered,
    LookupLimit,
    TestKeyLimit,
    DailyLimit,
    RecipientLimit,
    PayerLimit,
    LimitUnavailable,
    SettlerUnavailable,
    CounterpartyNotAllowed,
    MandateExceeded,
    MemoRequired,
    MethodNotAllowed,
    TooManyAttempts,
    TooManyOpen,
    NotAuthenticated,
    NotFound,
    NotPermitted,
    NotProcessable,
    SameParty,
    OutcomeInvalid,
    PayerBlocked,
    PayerRefused,
    PaymentsUnavailable,
    PayerTaxInvalid,
    PayerTaxNumberInvalid,
    AddressInvalid,
    AddressRequired,
    PayoutsDisabled,
    PayoutRefused,
    PixKeyInvalid,
    PixKeyRequired,
    ProviderUnavailable,
    ProviderSilent,
    RateLimit,
    NetworkUnavailable,
    RefundAddressFixed,
    RefundAddressInvalid,
    RequestInvalid,
    FundsInsufficient,
    SandboxWithoutCashIn,
    SandboxWithoutBalance,
    SandboxWithoutWithdrawal,
    CommissionInterval,
    WithdrawalUnavailable,
    StateInvalid,
    TaxNumberRequired,
    FeeChanged,
    TimedOut,
    Paused,
    KeyTypeAmbiguous,
    BelowMinimum,
    AboveMaximum,
    ValueInvalid,
    WebhookNotConfigured,
    WebhookUrlInvalid,
}

/// What the client should do (ERR-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // `Action::name` is the wire's word.
pub enum Action {
    Correct,
    Repeat,
    Wait,
    Stop,
    CallSupport,
}

/// Whether the contract binds status and action, or we do (P:UnboundStatus).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// The contract states the status.
    Contract,
    /// The contract leaves it open, and the status is our proposal (P:UnboundStatus).
    Policy,
}

/// Which route a refusal answers: the status of some codes depends on it (ERR-18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteKind {
    /// A withdrawal: payout, conversion, commission.
    Withdrawal,
    /// A route on which no status depends.
    Other,
}

/// A refusal on its way to the wire.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The `erro` of the body: what clients branch on (ERR-02).
    pub code: Code,
    /// Human text; never to be branched on (ERR-02).
    pub detail: String,
    /// Further fields of the error body.
    pub extra: Vec<(&'static str, Value)>,
    /// What the client is to do, where that is not what the code mostly asks for.
    pub action: Option<Action>,
}

use Action::{CallSupport, Correct, Repeat, Stop, Wait};
use Binding::{Contract, Policy};

/// The table: code, wire name, status, action, binding.
pub const TABLE: [(Code, &str, u16, Action, Binding); 94] = [
    (Code::AmountInvalid, "amount_invalido", 400, Correct, Policy),
    (Code::AssetInvalid, "asset_invalido", 400, Correct, Policy),
    (Code::CodeUnavailable, "br_code_indisponivel", 503, Wait, Contract),
    (Code::CodeInvalid, "br_code_invalido", 400, Correct, Contract),
    (Code::CodeWithoutAmount, "br_code_sem_valor", 400, Correct, Policy),
    (Code::BrlAmountInvalid, "brl_amount_invalido", 400, Correct, Policy),
    (Code::FieldsConflict, "campos_conflitantes", 400, Correct, Contract),
    (Code::FieldsRequired, "campos_obrigatorios", 400, Correct, Policy),
    (Code::WaitingFirstDeposit, "carencia_primeiro_deposito", 423, Wait, Contract),
    (Code::WalletUnavailable, "carteira_indisponivel", 503, Wait, Contract),
    (Code::WalletNotGranted, "carteira_nao_liberada", 403, CallSupport, Contract),
    (Code::CashInUnavailable, "cashin_indisponivel", 503, Wait, Policy),
    (Code::CashOutUnavailable, "cashout_indisponivel", 503, Wait, Policy),
    (Code::CatalogueUnavailable, "catalogo_indisponivel", 503, Repeat, Policy),
    (Code::KeyMissing, "chave_ausente", 401, Correct, Contract),
    (Code::KeyUnknown, "chave_desconhecida", 401, Correct, Contract),
    (Code::KeyMalformed, "chave_incorreta", 401, Correct, Contract),
    (Code::PixKeyNotFound, "chave_nao_encontrada", 404, Correct, Contract),
    (Code::KeyRequired, "chave_obrigatoria", 401, Correct, Contract),
    (Code::Conflict, "conflito", 409, Repeat, Policy),
    (Code::LookupUnavailable, "consulta_indisponivel", 503, Repeat, Policy),
    (Code::BodyTooLarge, "corpo_grande_demais", 413, Correct, Policy),
    (Code::QuoteDiffers, "cotacao_divergente", 409, Correct, Contract),
    (Code::QuoteExpired, "cotacao_expirada", 409, Correct, Policy),
    (Code::RateUnavailable, "cotacao_indisponivel", 503, Repeat, Policy),
    (Code::QuoteRefused, "cotacao_recusada", 400, Correct, Contract),
    (Code::CustodyDisabled, "custodia_desligada", 403, CallSupport, Policy),
    (Code::DepositRequired, "deposit_obrigatorio", 400, Correct, Policy),
    (Code::DestinationInvalid, "destino_invalido", 400, Correct, Policy),
    (Code::RefundUnavailable, "devolucao_indisponivel", 409, Wait, Policy),
    (Code::DocumentInvalid, "documento_invalido", 400, Correct, Policy),
    (Code::InProgress, "em_processamento", 409, Repeat, Policy),
    (Code::EmailInvalid, "email_invalido", 400, Correct, Policy),
    (Code::EmailRequired, "email_obrigatorio", 400, Correct, Contract),
    (Code::EndpointSilent, "endpoint_nao_respondeu", 502, Repeat, Policy),
    (Code::InternalError, "erro_interno", 500, CallSupport, Policy),
    (Code::ExternalIdDiverges, "external_id_divergente", 409, Correct, Contract),
    (Code::FormatInvalid, "formato_invalido", 400, Correct, Policy),
    (Code::FundingSourceInvalid, "funding_source_invalido", 400, Correct, Policy),
    (Code::AlreadyDelivered, "ja_entregue", 409, Stop, Policy),
    (Code::LookupLimit, "limite_consultas", 429, Wait, Policy),
    (Code::TestKeyLimit, "limite_de_chaves_teste", 429, Wait, Policy),
    (Code::DailyLimit, "limite_diario", 429, Wait, Policy),
    (Code::RecipientLimit, "limite_diario_recebedor", 429, Wait, Contract),
    (Code::PayerLimit, "limite_do_pagador", 403, Correct, Contract),
    (Code::LimitUnavailable, "limite_indisponivel", 503, Repeat, Policy),
    (Code::SettlerUnavailable, "liquidante_indisponivel", 503, Wait, Contract),
    (Code::CounterpartyNotAllowed, "mandate_contraparte_nao_autorizada", 403, Correct, Policy),
    (Code::MandateExceeded, "mandate_valor_acima_do_teto", 403, Correct, Contract),
    (Code::MemoRequired, "memo_obrigatorio", 400, Correct, Policy),
    (Code::MethodNotAllowed, "metodo_nao_permitido", 405, Correct, Policy),
    (Code::TooManyAttempts, "muitas_tentativas", 429, Wait, Policy),
    (Code::TooManyOpen, "muitos_pedidos_abertos", 409, Wait, Contract),
    (Code::NotAuthenticated, "nao_autenticado", 401, Correct, Contract),
    (Code::NotFound, "nao_encontrado", 404, Correct, Contract),
    (Code::NotPermitted, "nao_permitido", 403, Stop, Policy),
    (Code::NotProcessable, "nao_processavel", 422, Correct, Policy),
    (Code::SameParty, "origem_igual_destino", 400, Correct, Policy),
    (Code::OutcomeInvalid, "outcome_invalido", 400, Correct, Policy),
    (Code::PayerBlocked, "pagador_bloqueado", 403, Stop, Policy),
    (Code::PayerRefused, "pagador_recusado_pelo_provedor", 403, Stop, Contract),
    (Code::PaymentsUnavailable, "pagamentos_indisponiveis", 503, Wait, Contract),
    (Code::PayerTaxInvalid, "payer_tax_invalido", 400, Correct, Policy),
    (Code::PayerTaxNumberInvalid, "payer_tax_number_invalido", 400, Correct, Policy),
    (Code::AddressInvalid, "payout_address_invalido", 400, Correct, Policy),
    (Code::AddressRequired, "payout_address_obrigatorio", 400, Correct, Policy),
    (Code::PayoutsDisabled, "payout_nao_liberado", 403, CallSupport, Policy),
    (Code::PayoutRefused, "payout_recusado", 422, Correct, Policy),
    (Code::PixKeyInvalid, "pix_key_invalida", 400, Correct, Policy),
    (Code::PixKeyRequired, "pix_key_obrigatoria", 400, Correct, Contract),
    (Code::ProviderUnavailable, "provedor_indisponivel", 502, Repeat, Contract),
    (Code::ProviderSilent, "provedor_sem_resposta", 504, Repeat, Policy),
    (Code::RateLimit, "rate_limit", 429, Wait, Policy),
    (Code::NetworkUnavailable, "rede_indisponivel", 400, Correct, Contract),
    (Code::RefundAddressFixed, "refund_address_imutavel", 409, Correct, Policy),
    (Code::RefundAddressInvalid, "refund_address_invalida", 400, Correct, Policy),
    (Code::RequestInvalid, "requisicao_invalida", 400, Correct, Policy),
    (Code::FundsInsufficient, "saldo_insuficiente", 409, Correct, Contract),
    (Code::SandboxWithoutCashIn, "sandbox_sem_cashin", 400, Correct, Contract),
    (Code::SandboxWithoutBalance, "sandbox_sem_saldo", 400, Correct, Policy),
    (Code::SandboxWithoutWithdrawal, "sandbox_sem_saque", 400, Correct, Policy),
    (Code::CommissionInterval, "saque_comissao_diario", 429, Wait, Policy),
    (Code::WithdrawalUnavailable, "saque_indisponivel", 503, Wait, Policy),
    (Code::StateInvalid, "status_invalido", 409, Correct, Policy),
    (Code::TaxNumberRequired, "tax_number_obrigatorio", 400, Correct, Policy),
    (Code::FeeChanged, "taxa_alterada", 409, Correct, Policy),
    (Code::TimedOut, "tempo_esgotado", 504, Repeat, Policy),
    (Code::Paused, "temporariamente_indisponivel", 503, Wait, Policy),
    (Code::KeyTypeAmbiguous, "tipo_ambiguo", 400, Correct, Policy),
    (Code::BelowMinimum, "valor_abaixo_do_minimo", 400, Correct, Contract),
    (Code::AboveMaximum, "valor_acima_do_maximo", 400, Correct, Policy),
    (Code::ValueInvalid, "valor_invalido", 400, Correct, Contract),
    (Code::WebhookNotConfigured, "webhook_nao_configurado", 409, Correct, Policy),
    (Code::WebhookUrlInvalid, "webhook_url_invalida", 400, Correct, Policy),
];

impl Code {
    fn row(self) -> &'static (Code, &'static str, u16, Action, Binding) {
        let row = TABLE.iter().find(|row| row.0 == self);
        row.expect("a test holds the table against the enum")
    }

    /// The code on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The HTTP status: a function of code and route (ERR-18).
    #[must_use]
    pub fn status(self, route: RouteKind) -> u16 {
        match (self, route) {
            (Self::FundsInsufficient, RouteKind::Withdrawal) => 402,
            _ => self.row().2,
        }
    }

    /// Reads a code of the wire; none for one that is not known (ERR-11).
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Tells whether the contract states the HTTP status.
    #[must_use]
    pub fn status_binding(self) -> Binding {
        self.row().4
    }

    /// Tells whether the contract states the `acao`.
    #[must_use]
    pub fn action_binding(self) -> Binding {
        if ACTION_STATED.contains(&self) { Contract } else { Policy }
    }

    /// What the client should do.
    #[must_use]
    pub fn action(self) -> Action {
        self.row().3
    }
}

impl Action {
    /// Every action, among which a word of the wire is looked up.
    pub const ALL: [Self; 5] = [Correct, Repeat, Wait, Stop, CallSupport];

    /// Reads the word of the wire.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.name() == name)
    }

    /// The word on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Correct => "corrigir",
            Self::Repeat => "repetir",
            Self::Wait => "esperar",
            Self::Stop => "parar",
            Self::CallSupport => "falar_com_suporte",
        }
    }
}

/// The codes whose `acao` the contract states; of the others it is our proposal (ERR-13).
const ACTION_STATED: [Code; 8] = [
    Code::WalletUnavailable,
    Code::RecipientLimit,
    Code::PayerLimit,
    Code::SettlerUnavailable,
    Code::PayerRefused,
    Code::PaymentsUnavailable,
    Code::ProviderUnavailable,
    Code::BelowMinimum,
];

impl Problem {
    /// A problem with nothing but its code and text.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), extra: Vec::new(), action: None }
    }

    /// With another action than its code mostly asks for: what a client cannot mend by repeating
    /// never says so (rulings 48).
    #[must_use]
    pub const fn asking_for(mut self, action: Action) -> Self {
        self.action = Some(action);
        self
    }

    /// What the client is asked to do.
    #[must_use]
    pub fn action(&self) -> Action {
        self.action.unwrap_or_else(|| self.code.action())
    }

    /// With one more field in the error body.
    #[must_use]
    pub fn with(mut self, field: &'static str, value: Value) -> Self {
        self.extra.push((field, value));
        self
    }

    /// The error body at `at`.
    #[must_use]
    pub fn body(&self, at: Instant, request_id: Option<&str>) -> Value {
        let mut body = Map::new();
        body.insert("erro".into(), self.code.name().into());
        body.insert("acao".into(), self.action().name().into());
        body.insert("detail".into(), self.detail.as_str().into());
        for (field, value) in &self.extra {
            body.insert((*field).into(), value.clone());
        }
        if let Some(id) = request_id {
            body.insert("request_id".into(), id.into());
        }
        if version::sends_alias(at) {
            body.insert("code".into(), self.code.name().into());
        }
        Value::Object(body)
    }
}

/// A field that is not as it must be.
#[must_use]
pub fn wrong(name: &str, what: &str) -> Problem {
    Problem::new(Code::FormatInvalid, format!("{name} {what}"))
}
