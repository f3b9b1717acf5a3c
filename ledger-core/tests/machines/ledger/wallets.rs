//! What is asked of wallets, in the order in which it is judged (rulings 6).

use ledger_core::ledger::wallet::{self, WithdrawalRequest};
use ledger_core::ledger::{Refusal, Request, What};
use ledger_core::terms::{Switch, Terms};

use super::{Desk, SHOP, instant};

fn withdrawal_of_no_quote(desk: &mut Desk) -> Refusal {
    let request = WithdrawalRequest {
        quote: None,
        coin: None,
        network: None,
        address: None,
        amount: None,
        external_id: "w-1".into(),
    };
    let asked = wallet::Request::Withdrawal(request);
    desk.execute(What::Request(SHOP, Request::Wallet(asked))).unwrap_err()
}

#[test]
fn who_has_no_wallet_is_told_so_before_anything_of_its_quote() {
    let mut desk = Desk::open(instant());
    let refused = withdrawal_of_no_quote(&mut desk);
    assert_eq!(refused, Refusal::Wallet(wallet::Refusal::NotGranted));
    let mut desk = Desk::open(Terms { wallet: Some(Switch::On), ..instant() });
    let refused = withdrawal_of_no_quote(&mut desk);
    assert_eq!(refused, Refusal::Wallet(wallet::Refusal::Unavailable));
}
