//! The USDT wallet: what is asked of it, what the world reports of it, and what the state keeps of
//! it besides its operations.

mod deposit;
mod fact;
pub(in crate::ledger) mod index;
mod lookup;
mod machine;
mod payment;
pub(super) mod report;
pub(super) mod request;
mod withdrawal;

mod row;
use crate::accounting::CoinAccount;
use crate::id::AccountId;
use crate::ledger::decision::Decision;
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::decision::refusal::Refusal as Denied;
use crate::ledger::state::State;
use crate::terms::WalletSettings;
use crate::time::Instant;
use payment::quote::{issue_quote, own_quote, unused_quote, use_quote};

pub use crate::ledger::decision::wallet_refusal::Refusal;
pub use index::Wallets;
pub use report::{DepositFinding, Fact, PaymentFinding, Step, WithdrawalReport};
pub use request::{
    DepositRequest, PaymentRequest, Request, WithdrawalQuoteRequest, WithdrawalRequest,
};

/// Judges a request to the wallet; each kind has its own file.
pub(super) fn decide(
    state: &State,
    lookup: &Lookup,
    account: AccountId,
    request: Request,
    at: Instant,
) -> Result<Decision, Denied> {
    match request {
        Request::Deposit(request) => deposit::request(state, account, &request, at),
        Request::WithdrawalQuote(request) => withdrawal::quote(state, account, request, at),
        Request::Withdrawal(request) => withdrawal::request(state, lookup, account, request, at),
        Request::PaymentQuote(request) => payment::request::quote(state, account, &request, at),
        Request::Payment(request) => {
            payment::request::request(state, lookup, account, *request, at)
        }
    }
}

impl State {
    /// Returns what is kept of wallets besides their operations.
    #[must_use]
    pub const fn wallets(&self) -> &Wallets {
        &self.domains.wallets
    }

    /// The wallet's settings, where it is ready to operate.
    #[must_use]
    pub fn wallet_settings(&self) -> Option<&WalletSettings> {
        self.policy.wallet.as_deref()
    }

    /// Returns what of an account's wallet may be spent, in millionths of USDT; below zero after
    /// what was credited was reversed (P:ReverseSpent).
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
    pub(in crate::ledger) fn offered_wallet(
        &self,
        account: AccountId,
        at: Instant,
    ) -> Result<&WalletSettings, Denied> {
        if !self.terms(account, at).has_wallet() {
            return Err(Refusal::NotGranted.into());
        }
        let settings = self.wallet_settings().filter(|settings| settings.enabled.is_on());
        settings.ok_or_else(|| Refusal::Unavailable.into())
    }
}
