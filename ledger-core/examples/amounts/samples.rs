//! Operations around the numbers at hand: all that does not bear on them is the same in each.

use std::sync::Arc;

use ledger_core::coin::{Scale, Units};
use ledger_core::id::{AccountId, AssetId, ChainId, SubaccountId, Token};
use ledger_core::machine::charge::{Credit, Delivery, Order, Origin, PixPayment, Qr};
use ledger_core::machine::delivery::DeliveryTerms;
use ledger_core::machine::hold;
use ledger_core::machine::purchase::{self, Bought};
use ledger_core::money::{Amount, Bps, Cents};
use ledger_core::terms::{Price, Quote, Rate, Release, ServiceFees, Switch, WalletSettings};
use ledger_core::time::{Instant, Span};

use crate::numbers::{Numbers, Parsed};

pub fn order(fee: Rate, amount: Amount, purchase: Option<purchase::Terms>) -> Order {
    Order {
        account: AccountId(1),
        subaccount: SubaccountId(1),
        amount,
        fee,
        retention_hours: None,
        release: Release::NextDay,
        waiting_hours: 0,
        created_at: Instant::default(),
        expires_at: Instant::default(),
        payer: Token([1; 16]),
        payer_name: None,
        allow_hold: Switch::On,
        delivery: Delivery { asset: "usdt".into(), chain: "polygon".into(), address: None },
        qr: Qr { copypaste: "00020126".into(), image_url: None },
        external_id: None,
        purchase: purchase.map(Box::new),
    }
}

pub fn payment(amount: Amount) -> PixPayment {
    PixPayment { e2e: "E1".into(), amount, paid_at: Instant::default() }
}

pub fn credit(gross: Amount, fee: Cents) -> Credit {
    Credit {
        subaccount: SubaccountId(1),
        origin: Origin::Provider,
        gross,
        fee,
        available_at: None,
        waiting_until: None,
        booked_at: Instant::default(),
    }
}

pub fn delivery_terms(cost: Amount, network_fee: Option<Units>) -> DeliveryTerms {
    let units = Units::new(1).expect("one is above zero");
    DeliveryTerms { asset: AssetId(1), chain: ChainId(1), cost, units, network_fee }
}

pub fn purchase_of(
    fees: ServiceFees,
    delivery_terms: DeliveryTerms,
    paid: Amount,
    (price, scale, usdt): (Price, Scale, Option<Units>),
) -> Bought {
    let quote = Quote { price, source: "exchange".into(), at: Instant::default() };
    let (memo, customer, default_address) = (None, None, Switch::Off);
    let terms = purchase::Terms {
        fees,
        delivery_terms,
        scale,
        quote,
        usdt,
        memo,
        customer,
        default_address,
    };
    let order = order(Rate::default(), paid, Some(terms));
    Bought::new(Arc::new(order), payment(paid), Cents::ZERO)
}

pub fn amounts_of_hold(n: &mut Numbers<'_>) -> Parsed<hold::Amounts> {
    let order = hold::Order {
        subaccount: SubaccountId(1),
        kind: hold::Kind::Administrative,
        cause: None,
        requested: n.amount()?,
        watch_until: Instant::default(),
        ends_at: None,
        note: None,
        label: None,
    };
    Ok(hold::Amounts {
        order,
        from_held: n.cents()?,
        from_available: n.cents()?,
        released: n.cents()?,
        settled: n.cents()?,
        watch: hold::Watch::Running,
    })
}

pub fn settings(tolerance: Bps) -> WalletSettings {
    let one = Units::new(1).expect("one is above zero");
    WalletSettings {
        usdt: AssetId(1),
        usdc: None,
        networks: Vec::new(),
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
        tolerance,
        conversion_fee: Bps::default(),
        strict_buffer: Switch::Off,
    }
}
