//! What each `erro` means, a sentence.

use crate::contract::error::Code;

impl Code {
    /// What it means, in a sentence for whoever reads the documents.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::KeyMissing
            | Self::KeyUnknown
            | Self::KeyMalformed
            | Self::KeyRequired
            | Self::NotAuthenticated => of_keys(self),
            _ if is_of_service(self) => of_service(self),
            _ => match of_fields(self) {
                Some(meaning) => meaning,
                None => of_rules(self),
            },
        }
    }
}

const fn of_keys(code: Code) -> &'static str {
    match code {
        Code::KeyMissing => "The header X-API-Key is absent.",
        Code::KeyUnknown => "This key opens no account.",
        Code::KeyMalformed => "The header X-API-Key holds no key.",
        Code::KeyRequired => "This route needs a key.",
        _ => "This link or key opens nothing, or was replaced.",
    }
}

/// Tells whether a code says how the service or a provider is, and nothing of the request.
const fn is_of_service(code: Code) -> bool {
    matches!(
        code,
        Code::CodeUnavailable
            | Code::WalletUnavailable
            | Code::CashInUnavailable
            | Code::CashOutUnavailable
            | Code::CatalogueUnavailable
            | Code::LookupUnavailable
            | Code::RateUnavailable
            | Code::EndpointSilent
            | Code::InternalError
            | Code::LimitUnavailable
            | Code::SettlerUnavailable
            | Code::PaymentsUnavailable
            | Code::ProviderUnavailable
            | Code::ProviderSilent
            | Code::TimedOut
            | Code::Paused
            | Code::WithdrawalUnavailable
    )
}

const fn of_service(code: Code) -> &'static str {
    match code {
        Code::CodeUnavailable => "Copia e Cola codes are not paid at present.",
        Code::WalletUnavailable => "The wallet is not available at present.",
        Code::CashInUnavailable => "Charges are not created at present.",
        Code::CashOutUnavailable => "Cash-outs are not available at present.",
        Code::CatalogueUnavailable => "The catalogue cannot be read at present.",
        Code::LookupUnavailable => "The lookup cannot be done at present.",
        Code::RateUnavailable => "There is no price that is recent enough.",
        Code::EndpointSilent => "The webhook endpoint did not answer.",
        Code::InternalError => "The service failed; keep the request id.",
        Code::LimitUnavailable => "Limits cannot be read at present.",
        Code::SettlerUnavailable => {
            "No deposit address is given at present; accept the order again."
        }
        Code::PaymentsUnavailable => "Payments from the wallet are not made at present.",
        Code::ProviderUnavailable => "The provider is unstable; try again shortly.",
        Code::ProviderSilent => "The provider did not answer.",
        Code::TimedOut => "The service took too long; look the operation up by `external_id`.",
        Code::Paused => "The service is paused for a moment.",
        _ => "Withdrawals are not made at present.",
    }
}

/// What is wrong with a field; none where the code is not about a field.
const fn of_fields(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::AmountInvalid => "`amount_cents` is no amount.",
        Code::AssetInvalid => "The asset is not known.",
        Code::CodeInvalid => "The Copia e Cola code is malformed.",
        Code::CodeWithoutAmount => "The Copia e Cola code has no amount.",
        Code::BrlAmountInvalid => "`brl_amount` is no amount of reais.",
        Code::FieldsConflict => "Two fields exclude each other.",
        Code::FieldsRequired => "A required field is absent.",
        Code::BodyTooLarge => "The body is too large.",
        Code::DestinationInvalid => "`destino` is neither `saldo` nor `cripto`.",
        Code::DocumentInvalid => "The document is no CPF or CNPJ.",
        Code::EmailInvalid => "The e-mail address is malformed.",
        Code::EmailRequired => "A valid `email` is required.",
        Code::FormatInvalid => "A field has the wrong form; `detail` names it.",
        Code::FundingSourceInvalid => "`funding_source` is not `crypto_usdt`.",
        Code::MemoRequired => "The network needs a memo.",
        Code::OutcomeInvalid => "`sandbox_scenario` names no scenario.",
        Code::PayerTaxInvalid => "`payer_tax` is no CPF or CNPJ.",
        Code::PayerTaxNumberInvalid => "`payer_tax_number` is no CPF or CNPJ.",
        Code::AddressInvalid => "The wallet is no address of the network.",
        Code::AddressRequired => "A wallet is required.",
        Code::PixKeyInvalid => "The PIX key is malformed.",
        Code::PixKeyRequired => "A PIX key is required.",
        Code::RefundAddressInvalid => "`refund_address` is no address of the network.",
        Code::RequestInvalid => "The request is malformed: JSON, path or query.",
        Code::TaxNumberRequired => "A tax number is required.",
        Code::KeyTypeAmbiguous => "Eleven bare digits are a CPF or a phone: send the type.",
        Code::ValueInvalid => "A value is outside of its range.",
        Code::WebhookUrlInvalid => "`webhook_url` is no address that webhooks are sent to.",
        Code::SameParty => "Source and destination are the same.",
        Code::NotFound => "There is no such thing, or it is not this account's.",
        Code::MethodNotAllowed => "The path does not take this method.",
        _ => return None,
    })
}

const fn of_rules(code: Code) -> &'static str {
    match code {
        Code::WaitingFirstDeposit => "The balance waits since its first deposit; see `libera_em`.",
        Code::WalletNotGranted => "The wallet is not enabled for this project.",
        Code::PixKeyNotFound => "The PIX key is nobody's.",
        Code::Conflict => "Something else changed it meanwhile; ask again.",
        Code::QuoteDiffers => "The quote was of other data.",
        Code::QuoteExpired => "The quote has expired.",
        Code::QuoteRefused => "The quote was refused.",
        Code::CustodyDisabled => "Custody is disabled for this account.",
        Code::DepositRequired => "A deposit is needed first.",
        Code::RefundUnavailable => "A refund cannot be made yet.",
        Code::InProgress => "The same request is under way.",
        Code::ExternalIdDiverges => {
            "The same `external_id` was used with other data; see `campos_divergentes`."
        }
        Code::AlreadyDelivered => "The event was delivered already.",
        Code::LookupLimit => "Too many lookups; see `retry_after_seconds`.",
        Code::TestKeyLimit => "Too many test keys from this address.",
        Code::DailyLimit => "The day's ceiling is reached.",
        Code::RecipientLimit => "The recipient's daily ceiling is reached.",
        Code::PayerLimit => "The payer's limit is reached; see `payer_limits`.",
        Code::CounterpartyNotAllowed => "The agent's mandate does not name this recipient.",
        Code::MandateExceeded => "The agent's own mandate is exceeded.",
        Code::TooManyAttempts => "Too many attempts; see `retry_after_seconds`.",
        Code::TooManyOpen => "Too many requests are open.",
        Code::NotPermitted => "This key may not do it.",
        Code::NotProcessable => "Something is missing; see `missing` and `next_actions`.",
        Code::PayerBlocked => "No charge is accepted from this payer.",
        Code::PayerRefused => "The provider refuses this payer; do not repeat.",
        Code::PayoutsDisabled => "Payouts are disabled for this account.",
        Code::PayoutRefused => "The payout was refused.",
        Code::RateLimit => "Too many requests; see `retry_after_seconds`.",
        Code::NetworkUnavailable => "The network is not offered at present.",
        Code::RefundAddressFixed => "The return wallet is set and cannot change.",
        Code::FundsInsufficient => "The available balance does not cover it.",
        Code::SandboxWithoutCashIn => "The sandbox does not simulate this charge.",
        Code::SandboxWithoutBalance => "The sandbox does not simulate this balance.",
        Code::SandboxWithoutWithdrawal => "The sandbox does not simulate this withdrawal.",
        Code::CommissionInterval => "Commission was withdrawn a short while ago.",
        Code::StateInvalid => "The operation is in a state that does not allow it.",
        Code::FeeChanged => "It would debit more than `max_debited_cents`.",
        Code::BelowMinimum => "The amount is below the minimum, which the answer names.",
        Code::AboveMaximum => "The amount is above the maximum, which the answer names.",
        _ => "No webhook endpoint is set.",
    }
}
