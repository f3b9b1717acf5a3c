//! Reports that tell again what was told before, and tell it otherwise: nobody is paid what the
//! first one said (rulings 1 and 54).

use ledger_core::accounting::CoinAccount;
use ledger_core::id::OpId;
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::wallet::{self, DepositRequest, Fact as WalletFact};
use ledger_core::ledger::{Fact, Intent, Machine, Outcome, Request, SaleReport, SetAsideReason};
use ledger_core::machine::cash_out::{Deposit, ReviewReason, Stage};
use ledger_core::machine::charge::PixPayment;
use ledger_core::machine::delivery::{self, DeliveryReport};
use ledger_core::machine::refund::Coins;
use ledger_core::machine::wallet::deposit::{Mark, State, Transfer};
use ledger_core::terms::{Switch, Terms};

use super::counter::decided_by;
use super::sales::{W44, person, sale, selling, unmatched, usdt};
use super::wallets::configured;
use super::{Harness, SHOP, created, instant};
use crate::samples::{POLYGON, USDT, WALLET, amount, units};

const APPLIED: Outcome = Outcome::Applied(None);
const ASIDE: Outcome = Outcome::SetAside(None);

impl Harness {
    /// A confirmation that is reported in full.
    fn confirm_coins(&mut self, order: Option<OpId>, coins: Coins, hash: &str) -> Outcome {
        let deposit = Deposit { seen_at: self.now, ..self.deposit_of(coins, hash) };
        let report = SaleReport::Confirmed { hash: hash.into(), deposit: Some(deposit) };
        self.fact(Fact::Sale { order, report })
    }

    fn release(&mut self, op: OpId, payment: &PixPayment, cents: i64) -> Outcome {
        let payment = Some(PixPayment { amount: amount(cents), ..payment.clone() });
        self.fact(Fact::Charge(ChargeFact::ProviderReleased { charge: Some(op), payment }))
    }
}

#[test]
fn a_confirmation_of_less_than_was_seen_pays_nobody_what_was_seen() {
    for told in
        [usdt(2_000_000), usdt(W44 - 1), usdt(W44 + 1), Coins { asset: other(), ..usdt(W44) }]
    {
        let mut harness = Harness::buying();
        let order = harness.sell(sale(10_000, person(1)));
        harness.see(order, usdt(W44), "0xa1");
        let outcome = harness.confirm_coins(Some(order), told, "0xa1");
        assert_eq!(outcome, Outcome::SetAside(Some(order)));
        let same = told.asset == USDT;
        let reason = if same { SetAsideReason::AmountDiffers } else { SetAsideReason::NotAwaited };
        assert_eq!(harness.says_why(), Some(reason));
        assert_eq!(harness.stage(order), Stage::Review(ReviewReason::Strange));
        assert!(harness.instruction_keys(order).is_empty());
        let books = |account| harness.ledger.state.books.coin(told.asset, account);
        let units = told.units.to_i128();
        // What the network confirmed is in the stock, and waits in suspense.
        assert_eq!(books(CoinAccount::Treasury(POLYGON)), -units);
        assert_eq!(
            (books(CoinAccount::Suspense), books(CoinAccount::Transit(POLYGON))),
            (units, 0)
        );
        assert_eq!(harness.coin(CoinAccount::Deposited(order)), 0);
        assert_eq!(harness.confirm_coins(Some(order), told, "0xa1"), Outcome::Known);
        assert_eq!(harness.confirm(order, "0xa1"), Outcome::Known);
    }
}

fn other() -> ledger_core::id::AssetId {
    let harness = Harness::buying();
    harness.ledger.state.catalogue.asset("weth").unwrap().0
}

#[test]
fn a_person_lets_what_was_confirmed_be_paid_at_the_price_of_its_order_or_sends_it_back() {
    let contradicted = || {
        let mut harness = Harness::buying();
        let order = harness.sell(sale(10_000, person(1)));
        harness.see(order, usdt(W44), "0xa1");
        harness.confirm_coins(Some(order), usdt(W44 / 2), "0xa1");
        (harness, order)
    };
    let (mut harness, order) = contradicted();
    harness.quote("usdt", "6.00");
    assert_eq!(harness.clear(order), APPLIED);
    let known = harness.order_of(order);
    assert_eq!((known.stage, known.received_coins()), (Stage::Paying, Some(usdt(W44 / 2))));
    assert_eq!((known.repriced.is_none(), harness.coin(CoinAccount::Suspense)), (true, 0));
    let (mut harness, order) = contradicted();
    let decided = SaleReport::RefundDecided { to: None, decided_by: Some(decided_by()) };
    assert_eq!(harness.report(order, decided), APPLIED);
    assert_eq!(harness.coin(CoinAccount::RefundDue(order)), usdt(W44 / 2).units.to_i128());
    // What was confirmed and is gone is a claim, as ever.
    let (mut harness, order) = contradicted();
    unmatched(harness.vanish(order, "0xa1"));
    assert_eq!(harness.coin(CoinAccount::ProviderClaim), -usdt(W44 / 2).units.to_i128());
}

#[test]
fn one_of_two_deposits_that_is_contradicted_leaves_the_other_to_a_person() {
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    harness.see(order, usdt(W44), "0xa1");
    harness.see(order, usdt(5_000_000), "0xa2");
    harness.confirm(order, "0xa1");
    let receipt = unmatched(harness.confirm_coins(Some(order), usdt(50), "0xa2"));
    assert_eq!(harness.stage(order), Stage::Review(ReviewReason::Short));
    assert!(
        harness.receipt_of(receipt).is_confirmed()
            && harness.receipt_of(receipt).refund().is_none()
    );
    assert_eq!(harness.coin(CoinAccount::Suspense), 50);
    assert_eq!(harness.clear(order), APPLIED);
    assert_eq!(harness.order_of(order).sale.map(|sale| sale.coins), Some(usdt(W44)));
}

#[test]
fn a_receipt_that_is_confirmed_otherwise_is_refunded_by_a_person_alone() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    unmatched(harness.see(order, usdt(7_000_000), "0xa2"));
    let receipt = unmatched(harness.confirm_coins(Some(order), usdt(3), "0xa2"));
    assert_eq!(harness.says_why(), Some(SetAsideReason::AmountDiffers));
    assert!(harness.receipt_of(receipt).refund().is_none());
    assert_eq!(harness.coin(CoinAccount::Suspense), 3);
    assert_eq!(harness.confirm_coins(Some(order), usdt(3), "0xa2"), Outcome::Known);
    let decided =
        SaleReport::RefundDecided { to: Some(WALLET.into()), decided_by: Some(decided_by()) };
    assert_eq!(harness.report(receipt, decided), APPLIED);
    assert_eq!(harness.receipt_of(receipt).to_refund(), Some(usdt(3)));
}

#[test]
fn coins_for_a_wallet_confirmed_otherwise_than_seen_are_credited_to_nobody() {
    for (asset, number) in [(USDT, 5_000_000), (other(), 10_000_000)] {
        for seen in [10_000_000_u128, 9_000_000] {
            let (mut harness, deposit, wanted) = with_wallet();
            let number = if asset == USDT { number } else { wanted };
            let coins = |asset, units_of| Transfer {
                asset,
                chain: POLYGON,
                units: units(units_of),
                mark: Mark { hash: "0xw1".into(), index: 0 },
                usdt: (asset == USDT).then_some(USDT),
            };
            let seen = if seen == 10_000_000 { wanted } else { seen };
            let transfer = coins(USDT, seen);
            harness.wallet(WalletFact::DepositSeen {
                deposit: Some(deposit),
                address: None,
                transfer,
            });
            let told = coins(asset, number);
            let confirmed = || WalletFact::DepositConfirmed {
                deposit: Some(deposit),
                mark: told.mark.clone(),
                transfer: Some(told.clone()),
            };
            assert_eq!(harness.wallet(confirmed()), Outcome::SetAside(Some(deposit)));
            assert_eq!(harness.says_why(), Some(SetAsideReason::AmountDiffers));
            let Machine::WalletDeposit(State::UnderReview(arrival)) =
                harness.operation(deposit).machine
            else {
                panic!("it is not under review")
            };
            assert_eq!(arrival.transfer, told);
            let books = |asset, account| harness.ledger.state.books.coin(asset, account);
            assert_eq!(books(USDT, CoinAccount::WalletAvailable(SHOP)), 0);
            assert_eq!(books(USDT, CoinAccount::WalletConfirming(SHOP)), 0);
            assert_eq!(books(asset, CoinAccount::Suspense), told.units.to_i128());
            assert_eq!(books(USDT, CoinAccount::Transit(POLYGON)), 0);
            assert_eq!(harness.wallet(confirmed()), Outcome::Known);
        }
    }
}

#[test]
fn coins_that_were_credited_are_not_confirmed_otherwise() {
    let (mut harness, deposit, wanted) = with_wallet();
    let mark = Mark { hash: "0xw1".into(), index: 0 };
    let coins = |number| Transfer {
        asset: USDT,
        chain: POLYGON,
        units: units(number),
        mark: mark.clone(),
        usdt: Some(USDT),
    };
    let confirmed = |number| WalletFact::DepositConfirmed {
        deposit: Some(deposit),
        mark: mark.clone(),
        transfer: Some(coins(number)),
    };
    assert_eq!(harness.wallet(confirmed(wanted)), APPLIED);
    assert_eq!(harness.wallet(confirmed(wanted)), Outcome::Known);
    assert_eq!(harness.wallet(confirmed(1)), ASIDE);
    assert_eq!(harness.coin(CoinAccount::WalletAvailable(SHOP)), units(wanted).to_i128());
}

/// A wallet, and a request for 10 USDT with the amount it awaits.
fn with_wallet() -> (Harness, OpId, u128) {
    let mut harness = Harness::buying();
    let terms = Terms { wallet: Some(Switch::On), ..selling() };
    let (account, from) = ("shop".into(), None);
    harness.fact(Fact::Account(AccountFact::TermsAdopted { account, from, terms }));
    assert_eq!(harness.wallet(WalletFact::Configured(configured(USDT, POLYGON))), APPLIED);
    let (amount, network) = (units(10_000_000), "polygon".into());
    let asked = DepositRequest { amount, network, address: Some(WALLET.into()) };
    let asked = Request::Wallet(wallet::Request::Deposit(asked));
    let deposit = created(harness.execute(Intent::Request(SHOP, asked)).unwrap());
    let Machine::WalletDeposit(state) = harness.operation(deposit).machine else {
        panic!("a deposit was asked for")
    };
    let wanted = state.order().unwrap().amount.get();
    (harness, deposit, wanted)
}

impl Harness {
    fn wallet(&mut self, fact: WalletFact) -> Outcome {
        self.fact(Fact::Wallet(Box::new(fact)))
    }
}

#[test]
fn a_release_of_another_amount_than_was_received_credits_nobody() {
    let terms = Terms { retention_above: Some(amount(1)), retention_hours: 24, ..instant() };
    let mut harness = Harness::open(terms);
    let op = harness.charge(Some("ana"), 10_000);
    let payment = PixPayment { e2e: "E1".into(), amount: amount(10_000), paid_at: harness.now };
    let received = ChargeFact::PixReceived { charge: Some(op), payment: payment.clone() };
    assert_eq!(harness.fact(Fact::Charge(received)), APPLIED);
    assert_eq!(harness.release(op, &payment, 9_000), ASIDE);
    assert_eq!(harness.says_why(), Some(SetAsideReason::AmountDiffers));
    assert_eq!(harness.balances("ana"), [0; 3]);
    // The PIX of another charge releases nothing either.
    let other = harness.charge(Some("bia"), 10_000);
    let another = PixPayment { e2e: "E2".into(), ..payment.clone() };
    let received = ChargeFact::PixReceived { charge: Some(other), payment: another.clone() };
    harness.fact(Fact::Charge(received));
    assert_eq!(harness.release(op, &another, 10_000), ASIDE);
    assert_eq!(harness.says_why(), Some(SetAsideReason::IdTaken));
    assert_eq!(harness.release(op, &payment, 10_000), APPLIED);
    assert_eq!(harness.balances("ana"), [9_900, 0, 0]);
    assert_eq!(harness.release(op, &payment, 9_000), ASIDE);
}

#[test]
fn a_release_of_another_amount_than_was_seen_credits_nobody() {
    let mut harness = Harness::open(instant());
    let op = harness.charge(Some("ana"), 1_000);
    let payment = PixPayment { e2e: "E1".into(), amount: amount(1_000), paid_at: harness.now };
    let seen = ChargeFact::PixSeen { charge: Some(op), payment: payment.clone() };
    assert_eq!(harness.fact(Fact::Charge(seen)), APPLIED);
    assert_eq!(harness.release(op, &payment, 777), ASIDE);
    assert_eq!(harness.says_why(), Some(SetAsideReason::AmountDiffers));
    assert_eq!(harness.balances("ana"), [0; 3]);
}

#[test]
fn a_delivery_told_with_another_amount_of_its_pix_says_so_and_is_booked_once() {
    let mut harness = Harness::trading(instant());
    let op = harness.order(None, 10_000);
    let payment = harness.payment(10_000);
    let received = ChargeFact::PixReceived { charge: Some(op), payment: payment.clone() };
    harness.fact(Fact::Charge(received));
    harness.deliver(op, DeliveryReport::Begin);
    let report = DeliveryReport::Confirm("0xd1".into());
    let command = delivery::Command { attempt: None, report };
    let payment = Some(PixPayment { amount: amount(9_000), ..payment });
    let told = Fact::Purchase(PurchaseFact::Delivery { op: Some(op), command, payment });
    assert_eq!(harness.fact(told), ASIDE);
    assert_eq!(harness.says_why(), Some(SetAsideReason::AmountDiffers));
    // What was sent has left: it is not sent again.
    assert!(harness.purchase(op).delivery.sent_delivery().is_some());
}
