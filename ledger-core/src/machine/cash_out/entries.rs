//! What each event of a cash-out order posts (A8 to A11, rulings 31 to 33, 35).

use super::event::{DepositAccount, Event, RefundSource};
use super::terms::{Proceeds, Sale};
use crate::accounting::{Account, CoinAccount, Entry};
use crate::id::{AccountId, OpId};
use crate::machine::refund::Coins;
use crate::terms::{Deal, Switch};

/// Accounts for `event` of order `op`.
#[must_use]
pub fn entry(op: OpId, event: &Event) -> Entry {
    let dep = CoinAccount::Deposited(op);
    let due = CoinAccount::RefundDue(op);
    match event {
        Event::Quoted(_)
        | Event::Accepted { .. }
        | Event::Expired
        | Event::Failed
        | Event::DepositConfirming { .. }
        | Event::ReviewOpened(_)
        | Event::ReviewEnded
        | Event::OddParted { .. }
        | Event::Cleared { coins: None, .. }
        | Event::Delayed
        | Event::Resumed
        | Event::Secured { .. }
        | Event::Forwarding
        | Event::SendFailed { .. }
        | Event::RetryDue
        | Event::PaymentLost
        | Event::KeyRefused(_)
        | Event::RefundAddressed(_)
        | Event::RefundAllowed
        | Event::RefundFailed
        | Event::RefundLost => Entry::NONE,
        Event::DepositSeen { deposit, booked_in, .. } => match deposit_account(op, *booked_in) {
            Some(account) => coin_entry(deposit.coins, transit(deposit.coins), account),
            None => Entry::NONE,
        },
        Event::DepositConfirmed { coins, .. } => {
            coin_entry(*coins, treasury(*coins), transit(*coins))
        }
        Event::DepositVanished { coins, booked_in, .. } => match deposit_account(op, *booked_in) {
            Some(account) => coin_entry(*coins, account, transit(*coins)),
            None => Entry::NONE,
        },
        Event::Cleared { coins: Some(coins), .. } => coin_entry(*coins, CoinAccount::Suspense, dep),
        Event::Split { unmatched, coins } => {
            coin_entry(*coins, dep, CoinAccount::RefundDue(*unmatched))
        }
        Event::SellingBegun(coins) => coin_entry(*coins, CoinAccount::Exchange, treasury(*coins)),
        Event::SaleFailed(coins) => coin_entry(*coins, treasury(*coins), CoinAccount::Exchange),
        Event::SaleFilled { coins, proceeds, forwards } => with_proceeds(
            coin_entry(*coins, CoinAccount::Fx, CoinAccount::Exchange),
            *proceeds,
            *forwards,
        ),
        Event::Forwarded { proceeds, arrived } => {
            let entry = match proceeds {
                Proceeds::Coins(coins) => {
                    coin_entry(*coins, CoinAccount::Fx, CoinAccount::Exchange)
                }
                Proceeds::Reais(amount) => {
                    Entry::NONE.principal(Account::Fx, Account::Exchange, *amount)
                }
            };
            entry.principal(Account::ProviderPay, Account::Fx, *arrived)
        }
        Event::PaymentBegun { sale, booked_in: DepositAccount::Order, .. } => coin_entry(
            sale.coins,
            dep,
            CoinAccount::Fx,
        )
        .principal(Account::Fx, Account::SaleInFlight(op), sale.deal.gross()),
        Event::PaymentBegun { .. } => Entry::NONE,
        Event::PaymentUnwound(sale) => coin_entry(sale.coins, CoinAccount::Fx, dep).principal(
            Account::SaleInFlight(op),
            Account::Fx,
            sale.deal.gross(),
        ),
        Event::PaymentResumed { kept, .. } => {
            Entry::NONE.principal(Account::Loss, Account::ProviderPay, *kept)
        }
        Event::HandedOver(coins) => {
            coin_entry(*coins, CoinAccount::ProviderClaim, treasury(*coins))
        }
        Event::TokenKept(sale) => with_kept_token(Entry::NONE, sale.coins, *sale),
        Event::TokenRecovered(coins) => {
            coin_entry(*coins, treasury(*coins), CoinAccount::ProviderClaim)
        }
        Event::Completed { account, sale, booked_in: DepositAccount::Order, handed, .. } => {
            completion_entry(op, *account, *sale, *handed)
        }
        Event::Completed { .. } => Entry::NONE,
        Event::RefundDecided { coins, source, .. } => refund_entry(op, *coins, *source),
        Event::RefundSent { coins, earned, .. } => {
            refund_end(op, coin_entry(*coins, due, treasury(*coins)), *earned)
        }
        Event::RefundForgone { coins, earned } => {
            refund_end(op, coin_entry(*coins, due, CoinAccount::Loss), *earned)
        }
    }
}

/// The five legs of a sale that is paid; of a token at the provider, the liquidation too.
fn completion_entry(op: OpId, account: AccountId, sale: Sale, handed: Option<Coins>) -> Entry {
    let flight = Account::SaleInFlight(op);
    let mut entry = Entry::NONE.principal(flight, Account::ProviderPay, sale.deal.net);
    if let Some(coins) = handed {
        entry = with_kept_token(entry, coins, sale);
    }
    income(entry, op, account, sale.deal)
}

/// What the provider has of the token is its own, for the reais it had to pay from.
fn with_kept_token(entry: Entry, coins: Coins, sale: Sale) -> Entry {
    entry.coins(coins.asset, CoinAccount::Fx, CoinAccount::ProviderClaim, coins.units).principal(
        Account::ProviderPay,
        Account::Fx,
        sale.deal.gross(),
    )
}

/// Returns what is earned once the money is where it belongs (rulings 18).
fn income(entry: Entry, op: OpId, account: AccountId, deal: Deal) -> Entry {
    let flight = Account::SaleInFlight(op);
    entry
        .fee(flight, Account::SaleIncome, deal.fees.house)
        .fee(flight, Account::Commission(account), deal.fees.partner)
        .fee(flight, Account::ReserveIncome, deal.reserve)
        .fee(flight, Account::Rounding, deal.residue)
}

/// The end of a refund, with what is earned by it where the sale had been made.
fn refund_end(op: OpId, entry: Entry, earned: Option<(AccountId, Deal)>) -> Entry {
    match earned {
        Some((account, deal)) => income(entry, op, account, deal),
        None => entry,
    }
}

fn with_proceeds(entry: Entry, proceeds: Proceeds, forwards: Switch) -> Entry {
    match proceeds {
        Proceeds::Coins(got) => {
            let entry = entry.coins(got.asset, CoinAccount::Exchange, CoinAccount::Fx, got.units);
            match forwards {
                Switch::On => entry,
                Switch::Off => {
                    entry.coins(got.asset, treasury(got), CoinAccount::Exchange, got.units)
                }
            }
        }
        Proceeds::Reais(amount) => entry.principal(Account::Exchange, Account::Fx, amount),
    }
}

fn refund_entry(op: OpId, coins: Coins, source: RefundSource) -> Entry {
    let due = CoinAccount::RefundDue(op);
    let flight = Account::SaleInFlight(op);
    match source {
        RefundSource::Deposit => coin_entry(coins, CoinAccount::Deposited(op), due),
        RefundSource::Suspense => coin_entry(coins, CoinAccount::Suspense, due),
        RefundSource::Sale { back, kept } => coin_entry(coins, CoinAccount::Fx, due)
            .principal(flight, Account::ProviderPay, kept)
            .principal(flight, Account::Fx, back),
        RefundSource::Reversal(back) => coin_entry(coins, CoinAccount::Fx, due)
            .principal(Account::ProviderPay, flight, back)
            .principal(flight, Account::Fx, back),
        RefundSource::Returned { short } => {
            let dep = CoinAccount::Deposited(op);
            coin_entry(coins, treasury(coins), CoinAccount::ProviderClaim)
                .coins(coins.asset, dep, due, coins.units)
                .coins(coins.asset, dep, CoinAccount::ProviderClaim, short)
        }
    }
}

fn deposit_account(op: OpId, booked_in: DepositAccount) -> Option<CoinAccount> {
    match booked_in {
        DepositAccount::Order => Some(CoinAccount::Deposited(op)),
        DepositAccount::Suspense => Some(CoinAccount::Suspense),
        DepositAccount::Wallet => None,
    }
}

fn coin_entry(coins: Coins, debit: CoinAccount, credit: CoinAccount) -> Entry {
    Entry::NONE.coins(coins.asset, debit, credit, coins.units)
}

const fn transit(coins: Coins) -> CoinAccount {
    CoinAccount::Transit(coins.chain)
}

const fn treasury(coins: Coins) -> CoinAccount {
    CoinAccount::Treasury(coins.chain)
}
