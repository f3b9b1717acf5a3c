//! Sales over the whole ledger: their deposits, their unmatched deposits, their retries, and what a
//! recipient may have in a day (W50, W51, W53, W57; rulings 8, 14, 32).

use ledger_core::accounting::{CoinAccount, Control};
use ledger_core::coin::Scale;
use ledger_core::id::{AccountId, AssetId, ChainId, OpId, Token};
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::{
    CashOutRequest, Fact, Intent, Machine, Outcome, Refusal, Request, SaleReport, Topic,
};
use ledger_core::machine::cash_out::{
    AmountBasis, Command, Deposit, DepositTo, KeyOwner, Payee, Pix, Progress, ReviewReason, Stage,
};
use ledger_core::machine::refund::{Coins, RefundReport};
use ledger_core::machine::unmatched_deposit;
use ledger_core::money::Cents;
use ledger_core::terms::{Market, Policy, Rate, Route, Switch, Terms};
use ledger_core::time::Instant;

use super::counter::decided_by;
use super::{Harness, SHOP, created, instant, unlimited};
use crate::samples::{POLYGON, USDT, WALLET, amount, as_cents, bps, units};

/// W44: what 100.00 net costs at 5.40 with 2 % and 2.00, and the reserve.
pub const W44: u128 = 19_444_445;

/// 2 % and 2.00 on sales.
pub fn selling() -> Terms {
    Terms { sale: Some(Rate { bps: bps(200), fixed: as_cents(200) }), ..instant() }
}

pub fn market(asset: &str, chain: &str, route: Route, scale: u8) -> Market {
    Market {
        asset: AssetId(0),
        chain: ChainId(0),
        asset_name: asset.into(),
        chain_name: chain.into(),
        scale: Scale::new(scale).unwrap(),
        route,
        least: None,
        most: None,
        offered: Switch::On,
        valid_minutes: 15,
        confirmations: 64,
        eta_minutes: 1,
    }
}

/// So many centavos for this recipient, out of USDT on Polygon, with a return wallet.
pub fn sale(cents: i64, recipient: Token) -> CashOutRequest {
    CashOutRequest {
        refund_address: Some(WALLET.into()),
        ..CashOutRequest::new(
            "usdt".into(),
            "polygon".into(),
            AmountBasis::Net(amount(cents)),
            Payee {
                pix_key: Some(recipient),
                merchant: None,
                tax_number: None,
                counted_as: recipient,
                key_type: None,
                owner: Some(KeyOwner::Unproven),
            },
        )
    }
}

pub fn usdt(number: u128) -> Coins {
    Coins { asset: USDT, chain: POLYGON, units: units(number) }
}

impl Harness {
    /// A ledger that buys USDT on Polygon and tron, WETH on Polygon and `DePix`, at 5.40.
    pub fn buying() -> Self {
        Self::buying_under(unlimited())
    }

    pub fn buying_under(policy: Policy) -> Self {
        let mut harness = Self::under(policy, selling());
        let opened = vec![
            market("usdt", "polygon", Route::Fast, 6),
            market("usdt", "tron", Route::Convert, 6),
            market("weth", "polygon", Route::Dex, 18),
            market("depix", "liquid", Route::Liquid, 8),
        ];
        harness.fact(Fact::Purchase(PurchaseFact::MarketsUpdated { opened, closed: Vec::new() }));
        harness.quote("usdt", "5.40");
        harness.quote("weth", "20000.00");
        harness
    }

    pub fn ask_to_sell(&mut self, request: CashOutRequest) -> Result<Outcome, Refusal> {
        self.ask_to_sell_as(SHOP, request)
    }

    pub fn ask_to_sell_as(
        &mut self,
        account: AccountId,
        request: CashOutRequest,
    ) -> Result<Outcome, Refusal> {
        self.execute(Intent::Request(account, Request::CashOut(Box::new(request))))
    }

    pub fn accept(&mut self, order: OpId) -> Result<Outcome, Refusal> {
        self.accept_as(SHOP, order)
    }

    pub fn accept_as(&mut self, account: AccountId, order: OpId) -> Result<Outcome, Refusal> {
        let supplied = Some(DepositTo { address: WALLET.into(), tag: None });
        self.execute(Intent::Request(account, Request::AcceptCashOut { order, supplied }))
    }

    /// An operator lets an order go on with what it holds.
    pub fn clear(&mut self, order: OpId) -> Outcome {
        let decided_by = decided_by();
        self.report(order, SaleReport::Cleared { pix_key: None, decided_by })
    }

    /// An order that was accepted.
    pub fn sell(&mut self, request: CashOutRequest) -> OpId {
        let order = created(self.ask_to_sell(request).unwrap());
        assert_eq!(self.accept(order), Ok(Outcome::Done));
        order
    }

    pub fn report(&mut self, order: OpId, report: SaleReport) -> Outcome {
        self.fact(Fact::Sale { order: Some(order), report })
    }

    pub fn see(&mut self, order: OpId, coins: Coins, hash: &str) -> Outcome {
        let deposit = self.deposit_of(coins, hash);
        self.report(order, SaleReport::Seen(deposit))
    }

    pub fn deposit_of(&self, coins: Coins, hash: &str) -> Deposit {
        Deposit { coins, hash: hash.into(), from: None, seen_at: self.now, confirmations: None }
    }

    pub fn confirm(&mut self, order: OpId, hash: &str) -> Outcome {
        self.report(order, SaleReport::Confirmed { hash: hash.into(), deposit: None })
    }

    pub fn vanish(&mut self, order: OpId, hash: &str) -> Outcome {
        self.report(order, SaleReport::Vanished(hash.into()))
    }

    pub fn refund(&mut self, op: OpId, hash: &str) -> Outcome {
        self.report(op, SaleReport::Refund(RefundReport::Sent(hash.into())))
    }

    /// An order whose crypto arrived and is confirmed.
    pub fn funded_sale(&mut self, recipient: Token, hash: &str) -> OpId {
        let order = self.sell(sale(10_000, recipient));
        assert_eq!(self.see(order, usdt(W44), hash), Outcome::Applied(None));
        assert_eq!(self.confirm(order, hash), Outcome::Applied(None));
        order
    }

    pub fn pay_sale(&mut self, order: OpId, e2e: &str) -> Outcome {
        let paid_at = self.now;
        let pix = Pix {
            e2e: e2e.into(),
            paid_at,
            receipt_url: None,
            receipt_pdf_url: None,
            verify_url: None,
        };
        self.report(order, SaleReport::Paid { pix, amount: None })
    }

    pub fn order_of(&self, op: OpId) -> Progress {
        match self.operation(op).machine {
            Machine::CashOut(state) => state.progress().unwrap().as_ref().clone(),
            other => panic!("{other:?} is no sale"),
        }
    }

    pub fn receipt_of(&self, op: OpId) -> unmatched_deposit::State {
        match self.operation(op).machine {
            Machine::UnmatchedDeposit(state) => state,
            other => panic!("{other:?} is no receipt"),
        }
    }

    pub fn stage(&self, op: OpId) -> Stage {
        self.order_of(op).stage
    }

    pub fn room(&self, recipient: Token) -> Cents {
        self.ledger.state.room(&sale(1, recipient).payee, self.now)
    }

    /// Centavos that the recipient was promised on the day.
    pub fn used(&self, recipient: Token) -> i64 {
        10_000_000 - self.room(recipient).cents()
    }

    /// Centavos that the recipient was promised on the day of an instant.
    pub fn used_on(&self, recipient: Token, then: Instant) -> i64 {
        let ends = then.next_day_in_brasilia();
        let mut days = self.ledger.state.promised_sums();
        let day = days.find(|(whose, day, _)| *whose == recipient && *day == ends);
        day.map_or(0, |(.., sum)| sum.cents())
    }
}

pub fn unmatched(outcome: Outcome) -> OpId {
    match outcome {
        Outcome::SetAside(Some(op)) => op,
        other => panic!("{other:?} put nothing down"),
    }
}

pub fn person(number: u8) -> Token {
    Token([number; 16])
}

#[test]
fn a_confirmation_that_came_before_its_deposit_is_not_lost() {
    // Rulings 8: it cannot be booked alone, and is not notified again.
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    assert_eq!(harness.confirm(order, "0xa1"), Outcome::SetAside(None));
    assert_eq!(harness.see(order, usdt(W44), "0xa1"), Outcome::Applied(None));
    assert_eq!(harness.stage(order), Stage::Paying);
    // The same of an unmatched deposit.
    assert_eq!(harness.confirm(order, "0xa2"), Outcome::SetAside(None));
    let late = unmatched(harness.see(order, usdt(7), "0xa2"));
    assert_eq!(harness.receipt_of(late).to_refund(), Some(usdt(7)));
}

#[test]
fn a_deposit_that_is_reported_only_after_it_vanished_came_and_went() {
    // Rulings 8 and 33: nothing waits for the end of what has ended.
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    assert_eq!(harness.vanish(order, "0xa1"), Outcome::SetAside(None));
    let late = harness.deposit_of(usdt(W44), "0xa1");
    assert_eq!(harness.report(order, SaleReport::Seen(late.clone())), Outcome::Applied(None));
    assert_eq!(harness.report(order, SaleReport::Seen(late)), Outcome::Known);
    assert_eq!(harness.stage(order), Stage::Awaiting);
    assert_eq!(harness.coin(CoinAccount::Transit(POLYGON)), 0);
    // Another one is taken.
    assert_eq!(harness.see(order, usdt(W44), "0xa2"), Outcome::Applied(None));
}

#[test]
fn what_is_sold_after_it_was_paid_for_is_notified_to_nobody() {
    // INV-44: the order moved to no state that has an event.
    let mut harness = Harness::buying();
    let request = CashOutRequest { network: "tron".into(), ..sale(10_000, person(1)) };
    let order = harness.sell(CashOutRequest { refund_address: None, ..request });
    let coins = harness.order_of(order).order.coins;
    harness.see(order, coins, "0xa1");
    harness.confirm(order, "0xa1");
    assert_eq!(harness.pay_sale(order, "E1"), Outcome::Applied(None));
    let notified = harness.topics(order);
    assert_eq!(notified.last(), Some(&Topic::CashOutCompleted));
    let begun = SaleReport::Moved(Command::StartSale);
    assert_eq!(harness.report(order, begun), Outcome::Applied(None));
    assert_eq!(harness.topics(order), notified);
}

#[test]
fn crypto_that_names_no_order_waits_for_an_operator_to_name_a_wallet() {
    let mut harness = Harness::buying();
    let deposit = harness.deposit_of(usdt(9), "0xa1");
    let seen = Fact::Sale { order: None, report: SaleReport::Seen(deposit) };
    let erroneous_delivery = unmatched(harness.fact(seen));
    let decide = |to: Option<&str>, judged: bool| SaleReport::RefundDecided {
        to: to.map(Into::into),
        decided_by: judged.then(decided_by),
    };
    assert_eq!(
        harness.report(erroneous_delivery, decide(Some(WALLET), true)),
        Outcome::SetAside(None)
    );
    assert_eq!(harness.confirm(erroneous_delivery, "0xa1"), Outcome::Applied(None));
    assert_eq!(harness.report(erroneous_delivery, decide(None, false)), Outcome::SetAside(None));
    assert_eq!(harness.report(erroneous_delivery, decide(None, true)), Outcome::SetAside(None));
    assert_eq!(
        harness.report(erroneous_delivery, decide(Some(WALLET), true)),
        Outcome::Applied(None)
    );
    assert_eq!(harness.coin(CoinAccount::RefundDue(erroneous_delivery)), 9);
}

#[test]
fn a_token_of_other_decimals_is_priced_in_its_own_when_it_is_cleared() {
    // COUT-43, rulings 33: a tenth of a WETH at 20,000.00 is 2,000.00.
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    let weth = harness.ledger.state.catalogue.asset("weth").unwrap().0;
    let tenth = Coins { asset: weth, chain: POLYGON, units: units(10_u128.pow(17)) };
    harness.see(order, tenth, "0xs1");
    assert_eq!(harness.stage(order), Stage::Review(ReviewReason::Strange));
    harness.confirm(order, "0xs1");
    let clear = SaleReport::Cleared { pix_key: None, decided_by: decided_by() };
    assert_eq!(harness.report(order, clear), Outcome::Applied(None));
    assert_eq!(harness.order_of(order).sale.unwrap().deal.gross(), amount(200_000));
    harness.pay_sale(order, "E1");
    let (return_id, amount) = ("D1".into(), amount(100_000));
    harness.report(order, SaleReport::Reversed { return_id, amount });
    let back = harness.order_of(order).to_refund().unwrap();
    assert_eq!(back, Coins { units: units(5 * 10_u128.pow(16)), ..tenth });
}

#[test]
fn the_last_of_two_deposits_that_vanishes_lets_the_first_be_paid() {
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    harness.see(order, usdt(W44), "0xa1");
    harness.see(order, usdt(1_000_000), "0xa2");
    harness.confirm(order, "0xa1");
    assert_eq!(harness.stage(order), Stage::Detected);
    assert_eq!(harness.vanish(order, "0xa2"), Outcome::Applied(None));
    assert_eq!(
        (harness.stage(order), harness.vanish(order, "0xa2")),
        (Stage::Paying, Outcome::Known)
    );
    assert_eq!(harness.used(person(1)), 10_000);
}

#[test]
fn a_return_that_no_refund_takes_waits_in_suspense() {
    // Rulings 2 and 8.
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    harness.pay_sale(order, "E1");
    let back =
        |id: &str, cents| SaleReport::Reversed { return_id: id.into(), amount: amount(cents) };
    assert_eq!(harness.report(order, back("D1", 4_000)), Outcome::Applied(None));
    assert_eq!(harness.report(order, back("D1", 4_000)), Outcome::Known);
    assert!(matches!(harness.report(order, back("D2", 6_000)), Outcome::SetAside(Some(_))));
    assert_eq!(harness.total(Control::SuspensePix), 6_000);
}
