//! The error table: one place where a refusal gets its wire code, HTTP status and `acao` (ERR).

use serde_json::{Map, Value};

use crate::time::Instant;

/// An `erro` code of the contract, those raised here (contract, section 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // Each is the contract's code in English; `Code::name` is the wire's.
pub enum Code {
    AmountInvalid,
    FieldsRequired,
    WaitingFirstDeposit,
    KeyMissing,
    KeyUnknown,
    RateUnavailable,
    CustodyDisabled,
    DestinationInvalid,
    DocumentInvalid,
    InternalError,
    ExternalIdDiverges,
    FormatInvalid,
    PayerLimit,
    MethodNotAllowed,
    NotFound,
    NotPermitted,
    SameParty,
    PayerTaxNumberInvalid,
    PayoutsDisabled,
    PayoutRefused,
    PixKeyInvalid,
    PixKeyRequired,
    ProviderSilent,
    RequestInvalid,
    FundsInsufficient,
    TaxNumberRequired,
    Paused,
    KeyTypeAmbiguous,
    BelowMinimum,
    AboveMaximum,
    AssetInvalid,
    FieldsConflict,
    CashInUnavailable,
    CatalogueUnavailable,
    DailyLimit,
    MemoRequired,
    PayerBlocked,
    PayerRefused,
    PayerTaxInvalid,
    AddressInvalid,
    AddressRequired,
    NetworkUnavailable,
    CommissionInterval,
    WithdrawalUnavailable,
    FeeChanged,
    BrlAmountInvalid,
    CodeInvalid,
    CodeUnavailable,
    CodeWithoutAmount,
    CashOutUnavailable,
    QuoteExpired,
    RecipientLimit,
    SettlerUnavailable,
    RefundAddressFixed,
    RefundAddressInvalid,
    StateInvalid,
    MandateExceeded,
    CounterpartyNotAllowed,
    NotProcessable,
    WalletNotGranted,
    WalletUnavailable,
    TooManyOpen,
    ValueInvalid,
    QuoteDiffers,
    FundingSourceInvalid,
    PaymentsUnavailable,
    QuoteRefused,
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
    /// Our proposal.
    Policy,
}

/// Which route a refusal answers: the status of some codes depends on it (ERR-18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// A withdrawal: payout, conversion, commission.
    Withdrawal,
    /// Anything else.
    Other,
}

/// A refusal on its way to the wire.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The code.
    pub code: Code,
    /// Human text; never to be branched on (ERR-02).
    pub detail: String,
    /// Further fields of the error body.
    pub extra: Vec<(&'static str, Value)>,
}

use Action::{CallSupport, Correct, Repeat, Stop, Wait};
use Binding::{Contract, Policy};

/// The table: code, wire name, status, action, binding.
pub const TABLE: [(Code, &str, u16, Action, Binding); 67] = [
    (Code::AmountInvalid, "amount_invalido", 400, Correct, Policy),
    (Code::AssetInvalid, "asset_invalido", 400, Correct, Policy),
    (Code::FieldsConflict, "campos_conflitantes", 400, Correct, Contract),
    (Code::FieldsRequired, "campos_obrigatorios", 400, Correct, Policy),
    (Code::WaitingFirstDeposit, "carencia_primeiro_deposito", 423, Wait, Contract),
    (Code::WalletUnavailable, "carteira_indisponivel", 503, Wait, Contract),
    (Code::WalletNotGranted, "carteira_nao_liberada", 403, CallSupport, Contract),
    (Code::CashInUnavailable, "cashin_indisponivel", 503, Wait, Policy),
    (Code::CatalogueUnavailable, "catalogo_indisponivel", 503, Repeat, Policy),
    (Code::KeyMissing, "chave_ausente", 401, Correct, Contract),
    (Code::KeyUnknown, "chave_desconhecida", 401, Correct, Contract),
    (Code::PaymentsUnavailable, "pagamentos_indisponiveis", 503, Wait, Contract),
    (Code::QuoteRefused, "cotacao_recusada", 400, Correct, Contract),
    (Code::QuoteDiffers, "cotacao_divergente", 409, Correct, Contract),
    (Code::RateUnavailable, "cotacao_indisponivel", 503, Repeat, Policy),
    (Code::CustodyDisabled, "custodia_desligada", 403, CallSupport, Policy),
    (Code::DestinationInvalid, "destino_invalido", 400, Correct, Policy),
    (Code::DocumentInvalid, "documento_invalido", 400, Correct, Policy),
    (Code::InternalError, "erro_interno", 500, CallSupport, Policy),
    (Code::ExternalIdDiverges, "external_id_divergente", 409, Correct, Contract),
    (Code::FormatInvalid, "formato_invalido", 400, Correct, Policy),
    (Code::FundingSourceInvalid, "funding_source_invalido", 400, Correct, Policy),
    (Code::DailyLimit, "limite_diario", 429, Wait, Policy),
    (Code::PayerLimit, "limite_do_pagador", 403, Correct, Contract),
    (Code::CounterpartyNotAllowed, "mandate_contraparte_nao_autorizada", 403, Correct, Policy),
    (Code::MandateExceeded, "mandate_valor_acima_do_teto", 403, Correct, Contract),
    (Code::MemoRequired, "memo_obrigatorio", 400, Correct, Policy),
    (Code::TooManyOpen, "muitos_pedidos_abertos", 409, Wait, Contract),
    (Code::MethodNotAllowed, "metodo_nao_permitido", 405, Correct, Policy),
    (Code::NotFound, "nao_encontrado", 404, Correct, Contract),
    (Code::NotPermitted, "nao_permitido", 403, Stop, Policy),
    (Code::NotProcessable, "nao_processavel", 422, Correct, Policy),
    (Code::SameParty, "origem_igual_destino", 400, Correct, Policy),
    (Code::PayerBlocked, "pagador_bloqueado", 403, Stop, Policy),
    (Code::PayerRefused, "pagador_recusado_pelo_provedor", 403, Stop, Contract),
    (Code::PayerTaxInvalid, "payer_tax_invalido", 400, Correct, Policy),
    (Code::PayerTaxNumberInvalid, "payer_tax_number_invalido", 400, Correct, Policy),
    (Code::AddressInvalid, "payout_address_invalido", 400, Correct, Policy),
    (Code::AddressRequired, "payout_address_obrigatorio", 400, Correct, Policy),
    (Code::PayoutsDisabled, "payout_nao_liberado", 403, CallSupport, Policy),
    (Code::PayoutRefused, "payout_recusado", 422, Correct, Policy),
    (Code::PixKeyInvalid, "pix_key_invalida", 400, Correct, Policy),
    (Code::PixKeyRequired, "pix_key_obrigatoria", 400, Correct, Contract),
    (Code::ProviderSilent, "provedor_sem_resposta", 504, Repeat, Policy),
    (Code::NetworkUnavailable, "rede_indisponivel", 400, Correct, Contract),
    (Code::RequestInvalid, "requisicao_invalida", 400, Correct, Policy),
    (Code::FundsInsufficient, "saldo_insuficiente", 409, Correct, Contract),
    (Code::CommissionInterval, "saque_comissao_diario", 429, Wait, Policy),
    (Code::WithdrawalUnavailable, "saque_indisponivel", 503, Wait, Policy),
    (Code::TaxNumberRequired, "tax_number_obrigatorio", 400, Correct, Policy),
    (Code::FeeChanged, "taxa_alterada", 409, Correct, Policy),
    (Code::Paused, "temporariamente_indisponivel", 503, Wait, Policy),
    (Code::KeyTypeAmbiguous, "tipo_ambiguo", 400, Correct, Policy),
    (Code::BelowMinimum, "valor_abaixo_do_minimo", 400, Correct, Contract),
    (Code::AboveMaximum, "valor_acima_do_maximo", 400, Correct, Policy),
    (Code::BrlAmountInvalid, "brl_amount_invalido", 400, Correct, Policy),
    (Code::CodeInvalid, "br_code_invalido", 400, Correct, Contract),
    (Code::CodeUnavailable, "br_code_indisponivel", 503, Wait, Contract),
    (Code::CodeWithoutAmount, "br_code_sem_valor", 400, Correct, Policy),
    (Code::CashOutUnavailable, "cashout_indisponivel", 503, Wait, Policy),
    (Code::QuoteExpired, "cotacao_expirada", 409, Correct, Policy),
    (Code::RecipientLimit, "limite_diario_recebedor", 429, Wait, Contract),
    (Code::SettlerUnavailable, "liquidante_indisponivel", 503, Wait, Contract),
    (Code::RefundAddressFixed, "refund_address_imutavel", 409, Correct, Policy),
    (Code::RefundAddressInvalid, "refund_address_invalida", 400, Correct, Policy),
    (Code::StateInvalid, "status_invalido", 409, Correct, Policy),
    (Code::ValueInvalid, "valor_invalido", 400, Correct, Contract),
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
    pub fn status(self, route: Route) -> u16 {
        match (self, route) {
            (Self::FundsInsufficient, Route::Withdrawal) => 402,
            _ => self.row().2,
        }
    }

    /// What the client should do.
    #[must_use]
    pub fn action(self) -> Action {
        self.row().3
    }
}

impl Action {
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

/// When the deprecated alias `code` stops being sent: 2026-11-09T00:00:00-03:00 (P:CodeRetireZone).
const ALIAS_RETIRES: i64 = 1_794_193_200_000_000;

impl Problem {
    /// A problem with nothing but its code and text.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), extra: Vec::new() }
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
        body.insert("acao".into(), self.code.action().name().into());
        body.insert("detail".into(), self.detail.as_str().into());
        for (field, value) in &self.extra {
            body.insert((*field).into(), value.clone());
        }
        if let Some(id) = request_id {
            body.insert("request_id".into(), id.into());
        }
        if at.micros() < ALIAS_RETIRES {
            body.insert("code".into(), self.code.name().into());
        }
        Value::Object(body)
    }
}
