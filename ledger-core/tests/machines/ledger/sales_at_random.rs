//! Facts about sales in any order, reported twice, about orders they do not fit: every invariant
//! holds after every record, and whatever was reported once is known the second time (INV-26,
//! INV-28 to INV-33).

use ledger_core::id::{Kind, OpId, Token};
use ledger_core::ledger::{
    CashOutRequest, Fact, Intent, Outcome, Reported, Request, SaleReport, invariants,
};
use ledger_core::machine::cash_out::{AmountBasis, Command, Deposit, Pix, Proceeds};
use ledger_core::machine::refund::{Coins, RefundReport};
use ledger_core::time::Span;
use proptest::prelude::*;

use super::counter::decided_by;
use super::sales::{W44, sale, usdt};
use super::{Harness, SHOP};
use crate::samples::{WALLET, amount, units};

const MARKETS: [(&str, &str); 4] =
    [("usdt", "polygon"), ("usdt", "tron"), ("weth", "polygon"), ("depix", "liquid")];

/// One draw: which order is reported of, which report, of which transaction.
#[derive(Clone, Debug)]
struct Draw {
    order: usize,
    report: usize,
    hash: usize,
    minutes: u32,
    twice: bool,
}

fn draw() -> impl Strategy<Value = Draw> {
    let minutes = prop_oneof![9 => Just(0_u32), 3 => 1_u32..20, 1 => Just(60 * 24)];
    (0_usize..6, 0_usize..48, 0_usize..5, minutes, any::<bool>()).prop_map(
        |(order, report, hash, minutes, twice)| Draw { order, report, hash, minutes, twice },
    )
}

/// An order of each kind, accepted; one without a wallet, one of a code.
fn orders(harness: &mut Harness) -> Vec<OpId> {
    let mut orders = Vec::new();
    for (number, (asset, network)) in MARKETS.into_iter().enumerate() {
        let recipient = Token([u8::try_from(number).unwrap(); 16]);
        let mut request = sale(10_000, recipient);
        request.payee.tax_number = Some(recipient);
        let (asset, network) = (asset.into(), network.into());
        orders.push(harness.sell(CashOutRequest {
            asset,
            network,
            refund_address: None,
            ..request
        }));
    }
    let person = Token([9; 16]);
    orders.push(harness.sell(sale(10_000, person)));
    let (asked, code_amount) = (AmountBasis::Code(person), Some(amount(10_000)));
    orders.push(harness.sell(CashOutRequest { asked, code_amount, ..sale(1, person) }));
    orders
}

/// Returns what the order asks for, or what a stranger sends.
fn coins(harness: &Harness, order: usize, which: usize) -> Coins {
    let catalogue = &harness.ledger.state.catalogue;
    let (asset, network) = MARKETS[if order < 4 { order } else { 0 }];
    let market = catalogue.market(asset, network).unwrap();
    let of = |number| Coins { asset: market.asset, chain: market.chain, units: units(number) };
    let quoted = match market.scale.decimals() {
        6 => W44,
        8 => 10_250_000_000,
        _ => 5_250_000_000_000_000,
    };
    match which % 6 {
        0..=2 => of(quoted),
        3 => of(quoted / 2),
        4 => of(quoted * 3),
        _ => usdt(4_000_000),
    }
}

fn report(harness: &Harness, draw: &Draw) -> SaleReport {
    let hash: Box<str> = format!("0xa{}", draw.hash).into();
    let coins = coins(harness, draw.order, draw.hash + draw.report);
    let deposit = Deposit {
        coins,
        hash: hash.clone(),
        from: None,
        seen_at: harness.now,
        confirmations: None,
    };
    let moved = SaleReport::Moved;
    let decided = |to: Option<&str>, judged: bool| SaleReport::RefundDecided {
        to: to.map(Into::into),
        decided_by: judged.then(decided_by),
    };
    match draw.report {
        0..=4 => SaleReport::Seen(deposit),
        5..=9 => SaleReport::Confirmed { hash, deposit: None },
        10..=12 => SaleReport::Confirmed { hash, deposit: Some(deposit) },
        13 => SaleReport::Vanished(hash),
        14 => moved(Command::StartSale),
        15 => moved(Command::Fill(Proceeds::Reais(amount(10_400)))),
        16 => moved(Command::Fill(Proceeds::Coins(coins))),
        17 => moved(Command::FailSale),
        18 => moved(Command::LoseSale),
        19 => moved(Command::Forward),
        20 => moved(Command::Arrive(amount(10_300))),
        21 => moved(Command::Delay),
        22 => moved(Command::Resume),
        23 => moved(Command::StartPayment),
        24 | 25 => moved(Command::FailSend),
        26 => moved(Command::GiveUpPayment),
        27 => moved(Command::RefuseKey(amount(9_900))),
        28 => moved(Command::LosePayment),
        29 => moved(Command::HandOver),
        30 => moved(Command::Cancel),
        31..=34 => SaleReport::Paid { pix: pix(harness, draw), amount: None },
        35 => SaleReport::Paid { pix: pix(harness, draw), amount: Some(amount(1)) },
        36 => reversed(draw, 4_000),
        37 => reversed(draw, 6_000),
        38 => SaleReport::TokenReturned(units(10_000_000_000)),
        39 => SaleReport::TokenReturned(units(1)),
        40 => SaleReport::Stopped(decided_by()),
        41 => SaleReport::Cleared { pix_key: None, decided_by: decided_by() },
        42 => decided(None, false),
        43 => decided(None, true),
        44 => decided(Some(WALLET), true),
        45 => SaleReport::Refund(RefundReport::Sent(format!("0xb{}", draw.hash).into())),
        46 => SaleReport::Refund(RefundReport::Failed),
        _ => SaleReport::Refund(RefundReport::Lost),
    }
}

fn pix(harness: &Harness, draw: &Draw) -> Pix {
    Pix {
        e2e: format!("E{}", draw.hash).into(),
        paid_at: harness.now,
        receipt_url: None,
        receipt_pdf_url: None,
        verify_url: None,
    }
}

fn reversed(draw: &Draw, cents: i64) -> SaleReport {
    SaleReport::Reversed { return_id: format!("D{}", draw.hash).into(), amount: amount(cents) }
}

/// The unmatched deposits so far, so that facts of them are reported as well.
fn unmatched(harness: &Harness) -> Vec<OpId> {
    let open = harness.ledger.state.open_operations().map(|(op, _)| op);
    open.filter(|op| op.kind() == Kind::UnmatchedDeposit).collect()
}

proptest! {
    #[test]
    fn news_of_sales_in_any_order_break_no_law(story in prop::collection::vec(draw(), 1..50)) {
        let mut harness = Harness::buying();
        let orders = orders(&mut harness);
        for draw in story {
            if draw.minutes > 0 {
                harness.now = harness.now.after(Span::seconds(draw.minutes * 60));
                harness.fact(Fact::TimePassed);
            }
            let report = report(&harness, &draw);
            let unmatched = unmatched(&harness);
            let refund = matches!(draw.report, 42..=47) && draw.minutes > 0;
            let order = match unmatched.first().filter(|_| refund) {
                Some(unmatched) => *unmatched,
                None => orders[draw.order],
            };
            let fact = Fact::Sale { order: Some(order), report };
            harness.fact(fact.clone());
            let deposits = draw.report < 14;
            let named = Intent::Fact(Reported { id: None, fact: fact.clone() }).outside();
            if draw.twice && (deposits || named.is_some()) {
                let seq = harness.ledger.state.seq;
                prop_assert_eq!(harness.fact(fact), Outcome::Known);
                prop_assert_eq!(harness.ledger.state.seq, seq);
            }
            if draw.hash == 4 {
                let (order, address) = (orders[draw.order], WALLET.into());
                let request = Request::RefundAddress { order, address };
                let _ = harness.execute(Intent::Request(SHOP, request));
            }
            invariants::check_all(&harness.ledger.state, &harness.ledger.archive).unwrap();
        }
    }
}
