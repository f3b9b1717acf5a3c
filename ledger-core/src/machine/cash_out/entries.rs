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
        Event::DepositSeen { deposit, booked_in, .. } => match booked(op, *booked_in) {
            Some(account) => moved(deposit.coins, transit(deposit.coins), account),
            None => Entry::NONE,
        },
        Event::DepositConfirmed { coins, .. } => moved(*coins, treasury(*coins), transit(*coins)),
        Event::DepositVanished { coins, booked_in, .. } => match booked(op, *booked_in) {
            Some(account) => moved(*coins, account, transit(*coins)),
            None => Entry::NONE,
        },
        Event::Cleared { coins: Some(coins), .. } => moved(*coins, CoinAccount::Suspense, dep),
        Event::Split { unmatched, coins } => moved(*coins, dep, CoinAccount::RefundDue(*unmatched)),
        Event::SellingBegun(coins) => moved(*coins, CoinAccount::Exchange, treasury(*coins)),
        Event::SaleFailed(coins) => moved(*coins, treasury(*coins), CoinAccount::Exchange),
        Event::SaleFilled { coins, proceeds, forwards } => {
            filled(moved(*coins, CoinAccount::Fx, CoinAccount::Exchange), *proceeds, *forwards)
        }
        Event::Forwarded { proceeds, arrived } => {
            let entry = match proceeds {
                Proceeds::Coins(coins) => moved(*coins, CoinAccount::Fx, CoinAccount::Exchange),
                Proceeds::Reais(amount) => {
                    Entry::NONE.principal(Account::Fx, Account::Exchange, *amount)
                }
            };
            entry.principal(Account::ProviderPay, Account::Fx, *arrived)
        }
        Event::PaymentBegun { sale, booked_in: DepositAccount::Order, .. } => moved(
            sale.coins,
            dep,
            CoinAccount::Fx,
        )
        .principal(Account::Fx, Account::SaleInFlight(op), sale.deal.gross()),
        Event::PaymentBegun { .. } => Entry::NONE,
        Event::PaymentUnwound(sale) => moved(sale.coins, CoinAccount::Fx, dep).principal(
            Account::SaleInFlight(op),
            Account::Fx,
            sale.deal.gross(),
        ),
        Event::PaymentResumed { kept, .. } => {
            Entry::NONE.principal(Account::Loss, Account::ProviderPay, *kept)
        }
        Event::HandedOver(coins) => moved(*coins, CoinAccount::ProviderClaim, treasury(*coins)),
        Event::TokenKept(sale) => kept(Entry::NONE, sale.coins, *sale),
        Event::TokenRecovered(coins) => moved(*coins, treasury(*coins), CoinAccount::ProviderClaim),
        Event::Completed { account, sale, booked_in: DepositAccount::Order, handed, .. } => {
            completed(op, *account, *sale, *handed)
        }
        Event::Completed { .. } => Entry::NONE,
        Event::RefundDecided { coins, source, .. } => refunded(op, *coins, *source),
        Event::RefundSent { coins, earned, .. } => {
            let entry = moved(*coins, due, treasury(*coins));
            match earned {
                Some((account, deal)) => income(entry, op, *account, *deal),
                None => entry,
            }
        }
    }
}

/// The five legs of a sale that is paid; of a token at the provider, the liquidation too.
fn completed(op: OpId, account: AccountId, sale: Sale, handed: Option<Coins>) -> Entry {
    let flight = Account::SaleInFlight(op);
    let mut entry = Entry::NONE.principal(flight, Account::ProviderPay, sale.deal.net);
    if let Some(coins) = handed {
        entry = kept(entry, coins, sale);
    }
    income(entry, op, account, sale.deal)
}

/// What the provider has of the token is its own, for the reais it had to pay from.
fn kept(entry: Entry, coins: Coins, sale: Sale) -> Entry {
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

fn filled(entry: Entry, proceeds: Proceeds, forwards: Switch) -> Entry {
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

fn refunded(op: OpId, coins: Coins, source: RefundSource) -> Entry {
    let due = CoinAccount::RefundDue(op);
    let flight = Account::SaleInFlight(op);
    match source {
        RefundSource::Deposit => moved(coins, CoinAccount::Deposited(op), due),
        RefundSource::Suspense => moved(coins, CoinAccount::Suspense, due),
        RefundSource::Sale { back, kept } => moved(coins, CoinAccount::Fx, due)
            .principal(flight, Account::ProviderPay, kept)
            .principal(flight, Account::Fx, back),
        RefundSource::Reversal(back) => moved(coins, CoinAccount::Fx, due)
            .principal(Account::ProviderPay, flight, back)
            .principal(flight, Account::Fx, back),
        RefundSource::Returned { short } => {
            let dep = CoinAccount::Deposited(op);
            moved(coins, treasury(coins), CoinAccount::ProviderClaim)
                .coins(coins.asset, dep, due, coins.units)
                .coins(coins.asset, dep, CoinAccount::ProviderClaim, short)
        }
    }
}

fn booked(op: OpId, booked_in: DepositAccount) -> Option<CoinAccount> {
    match booked_in {
        DepositAccount::Order => Some(CoinAccount::Deposited(op)),
        DepositAccount::Suspense => Some(CoinAccount::Suspense),
        DepositAccount::Wallet => None,
    }
}

fn moved(coins: Coins, debit: CoinAccount, credit: CoinAccount) -> Entry {
    Entry::NONE.coins(coins.asset, debit, credit, coins.units)
}

const fn transit(coins: Coins) -> CoinAccount {
    CoinAccount::Transit(coins.chain)
}

const fn treasury(coins: Coins) -> CoinAccount {
    CoinAccount::Treasury(coins.chain)
}
