//! What is owed to others in crypto cannot fall below nothing; own stock may, and a wallet by force
//! (INV-07, P:ReverseSpent).

use ledger_core::accounting::{Books, CoinAccount, Entry, Fault};
use ledger_core::id::{Kind, ProductAccount};

use crate::samples::{PARTNER, POLYGON, USDT, op, units};

/// So many units paid out of an account, onto nobody's.
fn paid_out(account: CoinAccount, number: u128) -> Entry {
    Entry::NONE.coins(USDT, account, CoinAccount::Fx, units(number))
}

/// Books where an account has so many units.
fn holding(account: CoinAccount, number: u128) -> Books {
    let mut books = Books::default();
    books.post(&Entry::NONE.coins(USDT, CoinAccount::Fx, account, units(number))).unwrap();
    books
}

#[test]
fn all_that_is_owed_may_be_paid_and_not_one_unit_more() {
    let sale = op(Kind::CashOut, 7);
    for account in [
        CoinAccount::DeliveryInFlight(sale),
        CoinAccount::Deposited(sale),
        CoinAccount::RefundDue(sale),
        CoinAccount::Suspense,
        CoinAccount::WalletReserved(PARTNER),
        CoinAccount::WalletConfirming(PARTNER),
        CoinAccount::WithdrawalInFlight(sale),
    ] {
        let mut books = holding(account, 500);
        books.post(&paid_out(account, 500)).unwrap();
        assert_eq!(books.coin(USDT, account), 0, "{account}");
        let refused = holding(account, 500).post(&paid_out(account, 501));
        let fault = Fault::NegativeCoins { asset: USDT, account, balance: -1 };
        assert_eq!(refused, Err(fault), "{account}");
    }
}

#[test]
fn own_stock_and_what_a_forced_debit_takes_may_be_below_nothing() {
    for account in [
        CoinAccount::Treasury(POLYGON),
        CoinAccount::Transit(POLYGON),
        CoinAccount::ProviderClaim,
        CoinAccount::Funding,
        CoinAccount::Exchange,
        CoinAccount::Gas,
        CoinAccount::Loss,
        CoinAccount::Slippage,
        CoinAccount::WalletAvailable(PARTNER),
        CoinAccount::ProductLiability(ProductAccount { number: 0, holder: None }),
    ] {
        let mut books = Books::default();
        books.post(&paid_out(account, 1)).unwrap();
        assert_eq!(books.coin(USDT, account), -1, "{account}");
    }
}
