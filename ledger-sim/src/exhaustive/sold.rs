//! One sale of crypto, by each of the four routes, and a deposit that no order takes.

use ledger_core::coin::Units;
use ledger_core::id::{AssetId, ChainId, OpId, Token};
use ledger_core::ledger::{CashOutRequest, Fact, Intent, Request, SaleReport};
use ledger_core::machine::cash_out::{
    AmountBasis, Command, Deposit, DepositTo, KeyOwner, Payee, Pix, Proceeds,
};
use ledger_core::machine::refund::{Coins, RefundReport};

use super::ground::{beginning, by_client, cents, decided_by, intent};
use super::{Say, Small};
use crate::oracle::Oracle;

/// A pair as sellers deposit it: names, numbers, and so much as the world sells.
pub(super) struct Pair {
    pub(super) asset: &'static str,
    pub(super) network: &'static str,
    coins: (u16, u16),
    units: u128,
}

pub(super) const FAST: Pair =
    Pair { asset: "usdt", network: "polygon", coins: (0, 0), units: 20_000_000 };
const DEX: Pair = Pair { asset: "usdt", network: "arbitrum", coins: (0, 1), units: 20_000_000 };
const CONVERT: Pair = Pair { asset: "usdt", network: "tron", coins: (0, 2), units: 20_000_000 };
/// A wallet of the seller.
pub(super) const BACK: &str = "0x52908400098527886e0f7030069857d2e4169ee7";
const LIQUID: Pair =
    Pair { asset: "depix", network: "liquid", coins: (2, 3), units: 10_000_000_000 };

/// An order of 20 USDT that waits for its deposit.
pub(super) const AWAITING: Small = Small {
    name: "a sale that waits for its deposit",
    begins: super::ground::beginning,
    opening: |_| sell(&FAST),
    more: &[],
    alphabet: &[&[
        ("the same again", |_| sell(&FAST)),
        ("accepted", |it| accept(it, Some("0xdeposit"))),
        ("accepted, and the provider is silent", |it| accept(it, None)),
        ("a return wallet", |it| address(it)),
        ("cancelled", |it| move_sale(it, "x-1", Command::Cancel)),
        ("deposited", |it| see_deposit(it, &FAST, "0x1", FAST.units)),
        ("confirmed", |it| confirm_deposit(it, "k-1", "0x1")),
        ("vanished", |it| lose_deposit(it, "v-1", "0x1")),
        ("too little deposited", |it| see_deposit(it, &FAST, "0x2", FAST.units / 2)),
        ("that confirmed", |it| confirm_deposit(it, "k-2", "0x2")),
        ("too much deposited", |it| see_deposit(it, &FAST, "0x3", FAST.units * 2)),
        ("another token deposited", |it| see_deposit(it, &DEX, "0x4", FAST.units)),
        ("late", |it| move_sale(it, "x-2", Command::Delay)),
        ("going on", |it| move_sale(it, "x-3", Command::Resume)),
        ("a refund decided", |it| refund_decided(it, "r-1", None)),
        ("a refund decided, and where to", |it| refund_decided(it, "r-2", Some(BACK))),
        ("the refund sent", |it| refund(it, "r-3", RefundReport::Sent("0xr".into()))),
    ]],
};

/// The same, with its deposit confirmed: it is being paid.
pub(super) const PAYING: Small = Small {
    name: "a sale that is being paid",
    begins: super::ground::beginning,
    opening: |_| sell(&FAST),
    more: &[
        |it| accept(it, Some("0xdeposit")),
        |it| see_deposit(it, &FAST, "0x1", FAST.units),
        |it| confirm_deposit(it, "k-1", "0x1"),
    ],
    alphabet: &[COURSE],
};

/// Swapped on its network before it is paid.
pub(super) const SWAPPED: Small = Small {
    name: "a sale that is swapped first",
    begins: super::ground::beginning,
    opening: |_| sell(&DEX),
    more: &[
        |it| accept(it, Some("0xdeposit")),
        |it| see_deposit(it, &DEX, "0x1", DEX.units),
        |it| confirm_deposit(it, "k-1", "0x1"),
    ],
    alphabet: &[LEG],
};

/// Sold at an exchange before it is paid.
pub(super) const EXCHANGED: Small = Small {
    name: "a sale at an exchange",
    begins: super::ground::beginning,
    opening: |_| sell(&CONVERT),
    more: &[
        |it| accept(it, Some("Tdeposit")),
        |it| see_deposit(it, &CONVERT, "0x1", CONVERT.units),
        |it| confirm_deposit(it, "k-1", "0x1"),
    ],
    alphabet: &[LEG],
};

/// A sale of the stablecoin on Liquid, which the provider takes.
pub(super) const HANDED: Small = Small {
    name: "a sale of the Liquid stablecoin",
    begins: super::ground::beginning,
    opening: |_| sell(&LIQUID),
    more: &[
        |it| accept(it, Some("lq1deposit")),
        |it| see_deposit(it, &LIQUID, "0x1", LIQUID.units),
        |it| confirm_deposit(it, "k-1", "0x1"),
    ],
    alphabet: &[COURSE],
};

/// A deposit on which no order has a claim.
pub(super) const RECEIPT: Small = Small {
    name: "a deposit that no order takes",
    begins: super::ground::beginning,
    opening: |_| sell(&FAST),
    more: &[
        |it| accept(it, Some("0xdeposit")),
        |it| see_deposit(it, &FAST, "0x1", FAST.units),
        |it| confirm_deposit(it, "k-1", "0x1"),
        |it| pay_sale(it, "o-1"),
        |it| see_deposit(it, &FAST, "0x9", FAST.units / 4),
    ],
    alphabet: &[&[
        ("confirmed", |it| confirm_deposit(it, "k-9", "0x9")),
        ("vanished", |it| lose_deposit(it, "v-9", "0x9")),
        ("seen again", |it| see_deposit(it, &FAST, "0x9", FAST.units / 4)),
        ("a refund decided", |it| of_unmatched(it, "r-1", refund_decision(None))),
        ("a refund decided, and where to", |it| {
            of_unmatched(it, "r-2", refund_decision(Some(BACK)))
        }),
        ("the refund failed", |it| {
            of_unmatched(it, "r-3", SaleReport::Refund(RefundReport::Failed))
        }),
        ("the refund lost", |it| of_unmatched(it, "r-4", SaleReport::Refund(RefundReport::Lost))),
        ("the refund sent", |it| {
            of_unmatched(it, "r-5", SaleReport::Refund(RefundReport::Sent("0xr".into())))
        }),
        ("the sale's PIX back", |it| back(it, "b-1", 4_000)),
        ("the sale's refund sent", |it| refund(it, "r-6", RefundReport::Sent("0xq".into()))),
    ]],
};

/// What may become of a sale whose deposit is there.
const COURSE: &[(&str, Say)] = &[
    ("the payment begun", |it| move_sale(it, "x-1", Command::StartPayment)),
    ("paid", |it| pay_sale(it, "o-1")),
    ("paid twice", |it| pay_sale(it, "o-2")),
    ("a send failed", |it| move_sale(it, "x-2", Command::FailSend)),
    ("another send failed", |it| move_sale(it, "x-3", Command::FailSend)),
    ("the payment given up", |it| move_sale(it, "x-4", Command::GiveUpPayment)),
    ("the key refused", |it| move_sale(it, "x-5", Command::RefuseKey(cents(9_000)))),
    ("the payment lost from sight", |it| move_sale(it, "x-6", Command::LosePayment)),
    ("taken by an operator", |it| report(it, "x-7", SaleReport::Stopped(decided_by()))),
    ("let go on", |it| clear_sale(it, "x-8")),
    ("handed over", |it| move_sale(it, "x-9", Command::HandOver)),
    ("a part of the token back", |it| token_back(it, "t-1", 4_000_000_000)),
    ("all of the token back", |it| token_back(it, "t-2", 10_000_000_000)),
    ("a part of the PIX back", |it| back(it, "b-1", 4_000)),
    ("the rest of the PIX back", |it| back(it, "b-2", 5_000)),
    ("a return wallet", |it| address(it)),
    ("a refund decided, and where to", |it| refund_decided(it, "r-1", Some(BACK))),
    ("the refund failed", |it| refund(it, "r-2", RefundReport::Failed)),
    ("the refund lost", |it| refund(it, "r-3", RefundReport::Lost)),
    ("the refund sent", |it| refund(it, "r-4", RefundReport::Sent("0xr".into()))),
];

/// What may become of a sale that is sold before it is paid.
const LEG: &[(&str, Say)] = &[
    ("selling", |it| move_sale(it, "x-1", Command::StartSale)),
    ("sold for USDT", |it| move_sale(it, "x-2", Command::Fill(Proceeds::Coins(usdt(19_900_000))))),
    ("sold for reais", |it| move_sale(it, "x-3", Command::Fill(Proceeds::Reais(cents(10_750))))),
    ("not sold", |it| move_sale(it, "x-4", Command::FailSale)),
    ("the sale lost from sight", |it| move_sale(it, "x-5", Command::LoseSale)),
    ("forwarded", |it| move_sale(it, "x-6", Command::Forward)),
    ("arrived", |it| move_sale(it, "x-7", Command::Arrive(cents(10_740)))),
    ("the payment begun", |it| move_sale(it, "x-8", Command::StartPayment)),
    ("paid", |it| pay_sale(it, "o-1")),
    ("a send failed", |it| move_sale(it, "x-9", Command::FailSend)),
    ("the payment given up", |it| move_sale(it, "y-1", Command::GiveUpPayment)),
    ("let go on", |it| clear_sale(it, "y-2")),
    ("a part of the PIX back", |it| back(it, "b-1", 4_000)),
    ("a refund decided, and where to", |it| refund_decided(it, "r-1", Some(BACK))),
    ("the refund sent", |it| refund(it, "r-2", RefundReport::Sent("0xr".into()))),
];

fn sell(pair: &Pair) -> Option<Intent> {
    let payee = to_somebody();
    by_client(CashOutRequest {
        external_id: Some("s-1".into()),
        ..CashOutRequest::new(
            pair.asset.into(),
            pair.network.into(),
            AmountBasis::Units(Units::new(pair.units)?),
            payee,
        )
    })
}

pub(super) fn accept(oracle: &Oracle, address: Option<&str>) -> Option<Intent> {
    let supplied = address.map(|address| DepositTo { address: address.into(), tag: None });
    by_client(Request::AcceptCashOut { order: order(oracle)?, supplied })
}

/// The one recipient, by a key and a document.
pub(super) const fn to_somebody() -> Payee {
    Payee {
        pix_key: Some(Token([7; 16])),
        merchant: None,
        tax_number: Some(Token([8; 16])),
        counted_as: Token([7; 16]),
        key_type: None,
        owner: Some(KeyOwner::Unproven),
    }
}

fn address(oracle: &Oracle) -> Option<Intent> {
    let address = match oracle.sales.len() {
        0 => return None,
        _ => format!("0x{}", "c".repeat(40)),
    };
    by_client(Request::RefundAddress { order: order(oracle)?, address: address.into() })
}

/// The order the world is about.
pub(super) fn order(oracle: &Oracle) -> Option<OpId> {
    oracle.sales.keys().next().copied()
}

fn report(oracle: &Oracle, id: &str, report: SaleReport) -> Option<Intent> {
    intent(id, Fact::Sale { order: Some(order(oracle)?), report })
}

/// A report of the first unmatched deposit; nothing to say while there is none.
fn of_unmatched(oracle: &Oracle, id: &str, report: SaleReport) -> Option<Intent> {
    let unmatched = oracle.unmatched.keys().next().copied()?;
    intent(id, Fact::Sale { order: Some(unmatched), report })
}

pub(super) fn move_sale(oracle: &Oracle, id: &str, command: Command) -> Option<Intent> {
    report(oracle, id, SaleReport::Moved(command))
}

pub(super) fn see_deposit(oracle: &Oracle, pair: &Pair, hash: &str, units: u128) -> Option<Intent> {
    let (asset, chain) = pair.coins;
    let coins = Coins { asset: AssetId(asset), chain: ChainId(chain), units: Units::new(units)? };
    let deposit =
        Deposit { coins, hash: hash.into(), from: None, seen_at: oracle.now, confirmations: None };
    report(oracle, hash, SaleReport::Seen(deposit))
}

pub(super) fn confirm_deposit(oracle: &Oracle, id: &str, hash: &str) -> Option<Intent> {
    report(oracle, id, SaleReport::Confirmed { hash: hash.into(), deposit: None })
}

fn lose_deposit(oracle: &Oracle, id: &str, hash: &str) -> Option<Intent> {
    report(oracle, id, SaleReport::Vanished(hash.into()))
}

pub(super) fn pay_sale(oracle: &Oracle, e2e: &str) -> Option<Intent> {
    let pix = Pix {
        e2e: e2e.into(),
        paid_at: beginning(),
        receipt_url: None,
        receipt_pdf_url: None,
        verify_url: None,
    };
    report(oracle, e2e, SaleReport::Paid { pix, amount: None })
}

fn back(oracle: &Oracle, return_id: &str, amount: i64) -> Option<Intent> {
    let amount = cents(amount);
    report(oracle, return_id, SaleReport::Reversed { return_id: return_id.into(), amount })
}

fn token_back(oracle: &Oracle, id: &str, units: u128) -> Option<Intent> {
    report(oracle, id, SaleReport::TokenReturned(Units::new(units)?))
}

pub(super) fn clear_sale(oracle: &Oracle, id: &str) -> Option<Intent> {
    report(oracle, id, SaleReport::Cleared { pix_key: None, decided_by: decided_by() })
}

fn refund_decision(to: Option<&str>) -> SaleReport {
    SaleReport::RefundDecided { to: to.map(Into::into), decided_by: Some(decided_by()) }
}

pub(super) fn refund_decided(oracle: &Oracle, id: &str, to: Option<&str>) -> Option<Intent> {
    report(oracle, id, refund_decision(to))
}

fn refund(oracle: &Oracle, id: &str, what: RefundReport) -> Option<Intent> {
    report(oracle, id, SaleReport::Refund(what))
}

fn usdt(units: u128) -> Coins {
    let units = Units::new(units).expect("positive");
    Coins { asset: AssetId(0), chain: ChainId(1), units }
}
