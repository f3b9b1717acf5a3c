//! What each account of crypto is kept for: a network, an operation, somebody's wallet, or nothing.

use ledger_core::accounting::{CoinAccount, ProductClass};
use ledger_core::id::{Kind, ProductAccount, SubaccountId};

use crate::samples::{PARTNER, POLYGON, op};

/// The accounts that are kept for nothing.
const PLAIN: [CoinAccount; 8] = [
    CoinAccount::ProviderClaim,
    CoinAccount::Funding,
    CoinAccount::Fx,
    CoinAccount::Gas,
    CoinAccount::Loss,
    CoinAccount::Suspense,
    CoinAccount::Exchange,
    CoinAccount::Slippage,
];

#[test]
fn a_part_of_a_wallet_says_whose_it_is() {
    for account in [
        CoinAccount::WalletAvailable(PARTNER),
        CoinAccount::WalletReserved(PARTNER),
        CoinAccount::WalletConfirming(PARTNER),
    ] {
        assert_eq!(account.wallet(), Some(PARTNER), "{account}");
        assert_eq!((account.chain(), account.op()), (None, None), "{account}");
    }
}

#[test]
fn stock_and_what_is_on_its_way_say_on_which_network() {
    for account in [CoinAccount::Treasury(POLYGON), CoinAccount::Transit(POLYGON)] {
        assert_eq!(account.chain(), Some(POLYGON), "{account}");
        assert_eq!((account.op(), account.wallet()), (None, None), "{account}");
    }
}

#[test]
fn what_is_owed_for_an_operation_says_for_which() {
    let sale = op(Kind::CashOut, 7);
    for account in [
        CoinAccount::DeliveryInFlight(sale),
        CoinAccount::Deposited(sale),
        CoinAccount::RefundDue(sale),
        CoinAccount::WithdrawalInFlight(sale),
    ] {
        assert_eq!(account.op(), Some(sale), "{account}");
        assert_eq!((account.chain(), account.wallet()), (None, None), "{account}");
    }
}

#[test]
fn an_account_of_a_product_says_which_and_whose() {
    let of = ProductAccount { number: 3, holder: Some(SubaccountId(17)) };
    for class in ProductClass::ALL {
        let account = class.account(of).coins().unwrap();
        assert_eq!(account.product(), Some(of));
        assert_eq!(account.class().name(), class.name());
        assert_eq!(account.to_string(), format!("prod.{}[3/17]", class.name()));
        let kept_for = (account.chain(), account.op(), account.wallet());
        assert_eq!(kept_for, (None, None, None), "{account}");
    }
}

#[test]
fn other_accounts_are_kept_for_nothing() {
    for account in PLAIN {
        let kept_for = (account.chain(), account.op(), account.wallet());
        assert_eq!(kept_for, (None, None, None), "{account}");
    }
}
