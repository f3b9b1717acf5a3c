//! The USDT wallet: what is asked of it, what the world tells of it, and what the state keeps of it
//! besides its operations.

mod deposits;
mod early_payment;
mod fact;
mod index;
mod payment_news;
mod payments;
mod quotes;
mod receivable;
mod refusal;
mod transition;
mod withdrawals;

pub(super) use deposits::expire as expire_deposit;
pub use fact::{DepositFinding, Fact, News};
pub use index::Wallets;
pub use payment_news::{PaymentFinding, Step};
pub(super) use quotes::lapse as lapse_quote;
use quotes::{issued, quoted, used};
pub use refusal::Refusal;

use super::decision::Decision;
use super::decision::lookup::Found;
use super::decision::refusal::Refusal as Denied;
use super::state::State;
use crate::accounting::CoinAccount;
use crate::coin::Units;
use crate::id::{AccountId, Kind, OpId};
use crate::machine::cash_out::{Asked, Payee};
use crate::money::Amount;
use crate::terms::{Stablecoin, WalletSettings};
use crate::time::Instant;

/// What an API client may ask of its wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `POST /carteira-usdt/deposits`.
    Deposit(DepositRequest),
    /// A quote of a withdrawal to an external wallet, which has no route.
    WithdrawalQuote(WithdrawalQuoteRequest),
    /// A withdrawal with such a quote, which has no route.
    Withdrawal(WithdrawalRequest),
    /// `POST /carteira-usdt/quote`.
    PaymentQuote(Box<PaymentRequest>),
    /// `POST /carteira-usdt/payments`.
    Payment(Box<PaymentRequest>),
}

/// A payment to be made, or quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentRequest {
    /// A key and an amount, or a code.
    pub asked: Asked,
    /// What the recipient receives, in centavos; none where a code names no fixed amount.
    pub net: Option<Amount>,
    /// Who is paid.
    pub payee: Payee,
    /// The quote it is made with; none inside where no quote has such an id.
    pub quote: Option<Option<OpId>>,
    /// The client's own id.
    pub external_id: Option<Box<str>>,
}

/// A withdrawal to be quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithdrawalQuoteRequest {
    /// What is to be sent.
    pub coin: Stablecoin,
    /// The network's name.
    pub network: Box<str>,
    /// To which wallet.
    pub address: Box<str>,
    /// What the wallet pays, in millionths of USDT.
    pub amount: Units,
}

/// A withdrawal to be made; what is said besides the quote must agree with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithdrawalRequest {
    /// The quote; none where no quote has such an id.
    pub quote: Option<OpId>,
    /// What is sent.
    pub coin: Option<Stablecoin>,
    /// The network's name.
    pub network: Option<Box<str>>,
    /// To which wallet.
    pub address: Option<Box<str>>,
    /// What the wallet pays.
    pub amount: Option<Units>,
    /// The client's own id.
    pub external_id: Box<str>,
}

/// A deposit to be waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepositRequest {
    /// In millionths of USDT.
    pub amount: Units,
    /// The network's name.
    pub network: Box<str>,
    /// Where to send, as the provider supplied it (rulings 39).
    pub address: Option<Box<str>>,
}

pub(super) fn decide(
    state: &State,
    found: &Found,
    account: AccountId,
    request: Request,
    at: Instant,
) -> Result<Decision, Denied> {
    match request {
        Request::Deposit(request) => deposits::decide(state, account, &request, at),
        Request::WithdrawalQuote(request) => withdrawals::quote(state, account, request, at),
        Request::Withdrawal(request) => withdrawals::decide(state, found, account, request, at),
        Request::PaymentQuote(request) => payments::quote(state, account, &request, at),
        Request::Payment(request) => payments::decide(state, found, account, *request, at),
    }
}

impl Request {
    /// The quote it names.
    #[must_use]
    pub const fn quote(&self) -> Option<OpId> {
        match self {
            Self::Deposit(_) | Self::WithdrawalQuote(_) | Self::PaymentQuote(_) => None,
            Self::Withdrawal(request) => request.quote,
            Self::Payment(request) => match request.quote {
                Some(quote) => quote,
                None => None,
            },
        }
    }

    /// What it creates, under the client's own id, if it gives one.
    #[must_use]
    pub fn identity(&self) -> Option<(Kind, &str)> {
        match self {
            Self::Deposit(_) | Self::WithdrawalQuote(_) | Self::PaymentQuote(_) => None,
            Self::Withdrawal(request) => Some((Kind::CryptoWithdrawal, &request.external_id)),
            Self::Payment(request) => {
                request.external_id.as_deref().map(|id| (Kind::WalletPayment, id))
            }
        }
    }
}

impl State {
    /// The wallet's settings, where it is ready to operate.
    #[must_use]
    pub fn wallet_settings(&self) -> Option<&WalletSettings> {
        self.policy.wallet.as_deref()
    }

    /// What of an account's wallet may be spent, in millionths of USDT; below zero after what was
    /// credited was reversed (P:ReverseSpent).
    #[must_use]
    pub fn wallet_available(&self, account: AccountId) -> i128 {
        self.wallet_balance(CoinAccount::WalletAvailable(account))
    }

    /// A bucket of an account's wallet.
    #[must_use]
    pub fn wallet_balance(&self, bucket: CoinAccount) -> i128 {
        self.wallet_settings().map_or(0, |settings| self.books.coin(settings.usdt, bucket))
    }

    /// The wallet as it is offered to an account at `at`: granted to it, and operating.
    fn offered_wallet(&self, account: AccountId, at: Instant) -> Result<&WalletSettings, Denied> {
        if !self.terms(account, at).has_wallet() {
            return Err(Refusal::NotGranted.into());
        }
        let settings = self.wallet_settings().filter(|settings| settings.enabled.is_on());
        settings.ok_or_else(|| Refusal::Unavailable.into())
    }
}
