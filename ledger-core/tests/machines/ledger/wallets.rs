//! What is asked of wallets, in the order in which it is judged (rulings 6).

use ledger_core::coin::Units;
use ledger_core::id::{AssetId, ChainId};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::wallet::{self, WithdrawalRequest};
use ledger_core::ledger::{Fact, Intent, Outcome, Refusal, Request};
use ledger_core::money::{Amount, Bps};
use ledger_core::terms::{Policy, Stablecoin, Switch, Terms, WalletNetwork, WalletSettings};
use ledger_core::time::Span;

use super::{Harness, SHOP, instant};
use crate::samples::{POLYGON, USDT};

fn withdrawal_of_no_quote(harness: &mut Harness) -> Refusal {
    let request = WithdrawalRequest {
        quote: None,
        coin: None,
        network: None,
        address: None,
        amount: None,
        external_id: "w-1".into(),
    };
    let request = Request::Wallet(wallet::Request::Withdrawal(request));
    harness.execute(Intent::Request(SHOP, request)).unwrap_err()
}

#[test]
fn who_has_no_wallet_is_refused_before_anything_is_said_of_its_quote() {
    let mut harness = Harness::open(instant());
    let refused = withdrawal_of_no_quote(&mut harness);
    assert_eq!(refused, Refusal::Wallet(wallet::Refusal::NotGranted));
    let mut harness = Harness::open(Terms { wallet: Some(Switch::On), ..instant() });
    let refused = withdrawal_of_no_quote(&mut harness);
    assert_eq!(refused, Refusal::Wallet(wallet::Refusal::Unavailable));
}

/// A wallet for both stablecoins, on Polygon by this number, with USDT as this one.
pub fn configured(usdt: AssetId, chain: ChainId) -> WalletSettings {
    let one = Units::new(1_000_000).unwrap();
    let polygon = WalletNetwork {
        chain,
        name: "polygon".into(),
        title: "Polygon".into(),
        coins: vec![Stablecoin::Usdt],
        eta_minutes: None,
        withdrawals: Switch::On,
        network_fee: None,
    };
    WalletSettings {
        usdt,
        usdc: None,
        networks: vec![polygon],
        enabled: Switch::On,
        payments: Switch::On,
        by_key: Switch::On,
        by_code: Switch::On,
        withdrawals: Switch::On,
        document_required: Switch::Off,
        least_deposit: one,
        least_payment: Amount::CENTAVO,
        payment_fee: None,
        deposit_hours: 1,
        open_deposits: 5,
        quote_validity: Span::seconds(300),
        tolerance: Bps::default(),
        conversion_fee: Bps::default(),
        strict_buffer: Switch::Off,
    }
}

#[test]
fn a_wallet_under_other_numbers_than_the_catalogues_is_set_aside() {
    let mut harness = Harness::buying();
    let other_asset = AssetId(USDT.0 + 1);
    let other_chain = ChainId(POLYGON.0 + 1);
    for (usdt, chain) in [(other_asset, POLYGON), (USDT, other_chain), (AssetId(99), POLYGON)] {
        let settings = configured(usdt, chain);
        let outcome =
            harness.fact(Fact::Wallet(Box::new(wallet::Fact::Configured(settings.clone()))));
        assert_eq!(outcome, Outcome::SetAside(None), "{usdt:?} {chain:?}");
        let policy = Policy { wallet: Some(Box::new(settings)), ..Policy::default() };
        assert_eq!(
            harness.fact(Fact::Account(AccountFact::PolicyAdopted(policy))),
            Outcome::SetAside(None)
        );
        assert_eq!(harness.ledger.state.wallet_settings(), None);
    }
    let settings = configured(USDT, POLYGON);
    let outcome = harness.fact(Fact::Wallet(Box::new(wallet::Fact::Configured(settings.clone()))));
    assert_eq!(outcome, Outcome::Applied(None));
    assert_eq!(harness.ledger.state.wallet_settings(), Some(&settings));
}
