//! What is asked of wallets, in the order in which it is judged (rulings 6).

use ledger_core::coin::Units;
use ledger_core::id::{AssetId, ChainId, OpId};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::wallet::{
    self, DepositRequest, PaymentRequest, WithdrawalQuoteRequest, WithdrawalRequest,
};
use ledger_core::ledger::{Fact, Intent, Outcome, Refusal, Request};
use ledger_core::machine::cash_out::AmountBasis;
use ledger_core::machine::wallet::deposit::{Mark, Transfer};
use ledger_core::money::{Amount, Bps};
use ledger_core::terms::{Policy, Stablecoin, Switch, Terms, WalletNetwork, WalletSettings};
use ledger_core::time::Span;

use super::counter::decided_by;
use super::sales::{person, sale, selling};
use super::{Harness, SHOP, created, instant};
use crate::samples::{POLYGON, USDT, WALLET, amount, units};

fn withdrawal_of_no_quote(harness: &mut Harness) -> Refusal {
    let request = WithdrawalRequest {
        quote: None,
        coin: None,
        network: None,
        address: None,
        amount: None,
        external_id: "w-1".into(),
    };
    harness.ask_wallet(wallet::Request::Withdrawal(request)).unwrap_err()
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
fn configured(usdt: AssetId, chain: ChainId) -> WalletSettings {
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

impl Harness {
    /// A ledger whose client has a wallet under these settings.
    fn with_wallet(settings: WalletSettings) -> Self {
        let mut harness = Self::buying();
        let terms = Terms { wallet: Some(Switch::On), ..selling() };
        harness.fact(Fact::Account(AccountFact::TermsAdopted {
            account: "shop".into(),
            from: None,
            terms,
        }));
        let configured = wallet::Fact::Configured(settings);
        assert_eq!(harness.fact(Fact::Wallet(Box::new(configured))), Outcome::Applied(None));
        harness
    }

    fn ask_wallet(&mut self, asked: wallet::Request) -> Result<Outcome, Refusal> {
        self.execute(Intent::Request(SHOP, Request::Wallet(asked)))
    }

    fn ask_deposit(&mut self, number: u128) -> Result<Outcome, Refusal> {
        self.ask_wallet(wallet::Request::Deposit(deposit_of(number)))
    }

    /// A deposit of so much, and of the millionths that tell it from others.
    fn deposit_into_wallet(&mut self, number: u128) -> OpId {
        let op = created(self.ask_deposit(number).unwrap());
        let known = self.operation(op);
        let asked = known.wallet_deposit().and_then(|known| known.order()).unwrap().amount;
        let mark = Mark { hash: "0xd1".into(), index: 0 };
        let transfer = Transfer {
            asset: USDT,
            chain: POLYGON,
            units: asked,
            mark: mark.clone(),
            usdt: Some(USDT),
        };
        let (deposit, transfer) = (Some(op), Some(transfer));
        let arrived = wallet::Fact::DepositConfirmed { deposit, mark, transfer };
        assert_eq!(self.fact(Fact::Wallet(Box::new(arrived))), Outcome::Applied(None));
        op
    }

    fn in_wallet(&self) -> i128 {
        self.ledger.state.wallet_available(SHOP)
    }

    fn withdraw(&mut self, number: i128) -> Result<Outcome, Refusal> {
        let quoted = WithdrawalQuoteRequest {
            coin: Stablecoin::Usdt,
            network: "polygon".into(),
            address: WALLET.into(),
            amount: units(number.unsigned_abs()),
        };
        let quote = created(self.ask_wallet(wallet::Request::WithdrawalQuote(quoted)).unwrap());
        self.ask_wallet(wallet::Request::Withdrawal(WithdrawalRequest {
            quote: Some(quote),
            coin: None,
            network: None,
            address: None,
            amount: None,
            external_id: format!("w-{}", self.records.len()).into(),
        }))
    }
}

fn deposit_of(number: u128) -> DepositRequest {
    let (amount, network) = (units(number), "polygon".into());
    DepositRequest { amount, network, address: Some(WALLET.into()) }
}

fn no(refusal: wallet::Refusal) -> Result<Outcome, Refusal> {
    Err(Refusal::Wallet(refusal))
}

#[test]
fn a_request_is_refused_below_the_minimum_before_for_too_many_open() {
    let least_deposit = units(5_000_000);
    let settings = WalletSettings { least_deposit, ..configured(USDT, POLYGON) };
    let mut harness = Harness::with_wallet(settings);
    for _ in 0..5 {
        assert!(harness.ask_deposit(5_000_000).is_ok(), "the minimum itself, and the fifth");
    }
    let records = harness.records.len();
    let least = least_deposit;
    let small = harness.ask_deposit(4_999_999);
    assert_eq!(small, no(wallet::Refusal::DepositBelowMinimum { least }));
    assert_eq!(harness.ask_deposit(5_000_000), no(wallet::Refusal::TooManyOpen));
    assert_eq!(harness.records.len(), records, "INV-06");
    let (account, decided_by) = ("shop".into(), decided_by());
    let request = deposit_of(5_000_000);
    let assigned = wallet::Fact::DepositAssigned { account, request, decided_by };
    let assigned = harness.fact(Fact::Wallet(Box::new(assigned)));
    assert!(matches!(assigned, Outcome::Applied(Some(_))), "the cap is for clients: {assigned:?}");
}

#[test]
fn the_whole_amount_of_a_withdrawal_must_be_available() {
    let mut harness = Harness::with_wallet(configured(USDT, POLYGON));
    let deposit = harness.deposit_into_wallet(50_000_000);
    let available = harness.in_wallet();
    let more = harness.withdraw(available + 1);
    assert_eq!(more, no(wallet::Refusal::FundsInsufficient { available }));
    assert!(harness.withdraw(30_000_000).is_ok());
    assert_eq!(harness.in_wallet(), available - 30_000_000);
    assert!(harness.withdraw(available - 30_000_000).is_ok(), "all that is left");
    // P:ReverseSpent: below zero nothing is.
    let (deposit, decided_by) = (Some(deposit), decided_by());
    let reversed = wallet::Fact::DepositReversed { deposit, decided_by };
    assert_eq!(harness.fact(Fact::Wallet(Box::new(reversed))), Outcome::Applied(None));
    let available = -available;
    assert_eq!(harness.in_wallet(), available);
    assert_eq!(harness.withdraw(1), no(wallet::Refusal::FundsInsufficient { available }));
}

/// A payment of 100.00, which costs 19.444445 and 0.10, out of a wallet with so much.
fn payment_with(available: i128, strict_buffer: Switch) -> Result<Outcome, Refusal> {
    let payment_fee = Some(units(100_000));
    let settings = configured(USDT, POLYGON);
    let mut harness =
        Harness::with_wallet(WalletSettings { payment_fee, strict_buffer, ..settings });
    harness.deposit_into_wallet(20_000_000);
    let rest = harness.in_wallet() - available;
    harness.withdraw(rest).unwrap();
    assert_eq!(harness.in_wallet(), available);
    harness.ask_wallet(wallet::Request::Payment(Box::new(PaymentRequest {
        asked: AmountBasis::Net(amount(10_000)),
        net: Some(amount(10_000)),
        payee: sale(10_000, person(1)).payee,
        quote: None,
        external_id: None,
    })))
}

#[test]
fn the_whole_reserve_of_a_payment_must_be_available() {
    // W60: up to one percent more is reserved, and less only where that is allowed.
    for (available, strict, passes) in [
        (19_544_444, Switch::Off, false),
        (19_544_445, Switch::Off, true),
        (19_739_888, Switch::On, false),
        (19_739_889, Switch::On, true),
    ] {
        let answer = payment_with(available, strict);
        if passes {
            assert!(matches!(answer, Ok(Outcome::Created(_))), "{answer:?}");
        } else {
            assert_eq!(answer, no(wallet::Refusal::FundsInsufficient { available }));
        }
    }
}
