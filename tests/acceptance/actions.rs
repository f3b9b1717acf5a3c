//! What may be asked and reported of purchases, conversions and payouts: acts for the properties of
//! trade.

use proptest::prelude::*;

use crate::market::{LIQUID, TON, TRON, WALLET};

pub const PAYERS: [&str; 3] = ["39053344705", "86288366757", "11222333000181"];

/// Asset, network, wallet, memo.
pub const PAIRS: [(&str, &str, &str, Option<&str>); 6] = [
    ("usdt", "polygon", WALLET, None),
    ("usdc", "polygon", WALLET, None),
    ("usdt", "tron", TRON, None),
    ("usdt", "bsc", WALLET, None),
    ("usdt", "ton", TON, Some("7001")),
    ("depix", "liquid", LIQUID, None),
];

/// Every fee schedule of the contract's first section, and two with a partner.
pub const SCHEDULES: [&str; 7] = [
    r#"{"admin_fee_bps":330,"admin_fee_fixed_cents":100,"partner_fee_bps":0,"saque_fee_bps":150,"partner_saque_fee_bps":0,"saque_taxa_estimada_cents":0,"saque_cripto_conversao_fee_bps":330}"#,
    r#"{"admin_fee_bps":250,"admin_fee_fixed_cents":100}"#,
    r#"{"admin_fee_bps":200,"admin_fee_fixed_cents":200}"#,
    r#"{"admin_fee_bps":35,"admin_fee_fixed_cents":0,"saque_cripto_conversao_fee_bps":35}"#,
    r#"{"saque_fee_bps":180,"saque_taxa_estimada_cents":100}"#,
    r#"{"partner_fee_bps":100,"partner_saque_fee_bps":50}"#,
    r#"{"partner_fee_bps":777,"partner_saque_fee_bps":1234,"saque_cripto_fee_bps":20}"#,
];

pub const NEWS: [&str; 5] = ["started", "accepted", "sent", "failed", "unknown"];

/// One line, in terms of what earlier lines created.
#[derive(Clone, Debug)]
pub enum Act {
    Buy { pair: usize, payer: usize, cents: i64, name: u8 },
    Deposit { cents: i64 },
    Convert { pair: usize, cents: i64, cap: Option<i64>, name: u8 },
    Withdraw { cents: i64, name: u8 },
    Pay { op: usize, more: i64 },
    Deliver { op: usize },
    Charge { op: usize, what: usize },
    News { op: usize, what: usize, attempt: Option<u32> },
    Evidence { op: usize, sent: bool },
    GiveUp { op: usize, to_payer: bool },
    Return { op: usize, cents: Option<i64> },
    Stray { index: usize, lost: bool },
    Payout { cents: i64 },
    PayoutNews { index: usize, what: usize },
    Terms { what: usize },
    Price { what: usize },
    Ladder { on: bool },
    Review { payer: usize, what: usize },
    Again { index: usize },
    Wait { minutes: u32 },
}

fn cents() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => 2_500_i64..20_000,
        2 => 1_i64..3_000,
        1 => 20_000_i64..600_002,
        1 => prop_oneof![Just(1_i64), Just(101), Just(20_000), Just(20_001), Just(600_000)],
    ]
}

pub fn act() -> impl Strategy<Value = Act> {
    let op = 0_usize..1_000;
    let name = 0_u8..40;
    let pair = 0..PAIRS.len();
    prop_oneof![
        6 => (pair.clone(), 0..PAYERS.len(), cents(), name.clone())
            .prop_map(|(pair, payer, cents, name)| Act::Buy { pair, payer, cents, name }),
        3 => (5_000_i64..25_000).prop_map(|cents| Act::Deposit { cents }),
        4 => (pair, cents(), proptest::option::of(1_i64..30_000), name.clone())
            .prop_map(|(pair, cents, cap, name)| Act::Convert { pair, cents, cap, name }),
        2 => (500_i64..1_500, name).prop_map(|(cents, name)| Act::Withdraw { cents, name }),
        6 => (op.clone(), prop_oneof![9 => Just(0_i64), 1 => -1_i64..2])
            .prop_map(|(op, more)| Act::Pay { op, more }),
        4 => op.clone().prop_map(|op| Act::Deliver { op }),
        2 => (op.clone(), 0_usize..5).prop_map(|(op, what)| Act::Charge { op, what }),
        12 => (op.clone(), 0..NEWS.len(), proptest::option::weighted(0.15, 1_u32..4))
            .prop_map(|(op, what, attempt)| Act::News { op, what, attempt }),
        2 => (op.clone(), any::<bool>()).prop_map(|(op, sent)| Act::Evidence { op, sent }),
        2 => (op.clone(), any::<bool>()).prop_map(|(op, to_payer)| Act::GiveUp { op, to_payer }),
        3 => (op.clone(), proptest::option::of(cents()))
            .prop_map(|(op, cents)| Act::Return { op, cents }),
        1 => (op.clone(), any::<bool>()).prop_map(|(index, lost)| Act::Stray { index, lost }),
        2 => cents().prop_map(|cents| Act::Payout { cents }),
        3 => (op, 0_usize..7).prop_map(|(index, what)| Act::PayoutNews { index, what }),
        2 => (0..SCHEDULES.len()).prop_map(|what| Act::Terms { what }),
        1 => (0_usize..4).prop_map(|what| Act::Price { what }),
        1 => any::<bool>().prop_map(|on| Act::Ladder { on }),
        1 => (0..PAYERS.len(), 0_usize..3).prop_map(|(payer, what)| Act::Review { payer, what }),
        4 => (0_usize..1_000).prop_map(|index| Act::Again { index }),
        2 => prop_oneof![1_u32..16, Just(1_440), 600_u32..2_800]
            .prop_map(|minutes| Act::Wait { minutes }),
    ]
}
