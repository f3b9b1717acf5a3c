//! Samples of what came after the first version: new events, and old ones with all their fields.
//!
//! Decimals are below 24 by nature (scales, prices), so their numbers look like those of variants.

use ledger_core::coin::{Scale, Units};
use ledger_core::id::{AssetId, ChainId, ChainLink, Kind};
use ledger_core::ledger::{
    AttemptOutcome, Cause, EarlyReport, Event, FactKind, NetworkPage, OwnCoins, PayoutReport,
    PixDetails, Record, SetAsideReason, TaskKind,
};
use ledger_core::machine::{
    charge, conversion, delivery, erroneous_delivery, hold, payout, purchase,
};
use ledger_core::terms::{
    Ladder, Listing, Policy, Price, Quote, Rail, Rate, Review, ServiceFees, Switch, Terms,
};
use ledger_core::time::Span;

use super::catalogue::{
    ACCOUNT, ANA, Absent, BIA, E2E, Given, Options, amount, as_cents, at, bps, charge_order,
    hold_order, name, op, payment, payout_order, policy, record, terms, token,
};

const ASSET: AssetId = AssetId(2_001);
const CHAIN: ChainId = ChainId(2_002);
const HASH: &str = "0x5ca1ab1e";

fn units(number: u128) -> Units {
    Units::new(number).unwrap()
}

/// More than 64 bits hold.
fn many() -> Units {
    units(1_000_000_000_000_000_000_000_000)
}

fn delivery_terms(options: Options) -> delivery::DeliveryTerms {
    delivery::DeliveryTerms {
        asset: ASSET,
        chain: CHAIN,
        cost: amount(9_470),
        units: if options == Given { many() } else { units(17_537_037) },
        network_fee: options.optional(units(100_000)),
    }
}

fn fees() -> ServiceFees {
    ServiceFees { house: as_cents(430), partner: as_cents(100) }
}

fn quote() -> Quote {
    let price = Price::parse("5.40").unwrap();
    Quote { price, source: "exchange".into(), at: at(12) }
}

fn bought(options: Options) -> purchase::Terms {
    purchase::Terms {
        fees: fees(),
        delivery_terms: delivery_terms(options),
        scale: Scale::SIX,
        quote: quote(),
        usdt: options.optional(units(17_537_037)),
        memo: options.optional("memo-1".into()),
        customer: options.optional("ana".into()),
        default_address: if options == Given { Switch::On } else { Switch::Off },
    }
}

fn deliveries(options: Options) -> Vec<delivery::Event> {
    use delivery::{Earned, Event};
    let delivery_terms = delivery_terms(options);
    let earned = Earned { account: ACCOUNT, fees: fees() };
    vec![
        Event::Begun(delivery_terms),
        Event::BegunAgain { attempt: 25 },
        Event::Accepted,
        Event::Failed,
        Event::Unknown,
        Event::Sent { delivery_terms, earned, hash: HASH.into(), attempt: None },
        Event::Sent { delivery_terms, earned, hash: HASH.into(), attempt: options.optional(25) },
    ]
}

fn charges(options: Options) -> Vec<charge::Event> {
    use purchase::{Event, Remainder};
    let (amount, undone) = (amount(704), options.optional(delivery_terms(options)));
    let given = options == Given;
    let to = if given { Remainder::Payer(E2E.into()) } else { Remainder::Custody(ANA) };
    let from_suspense = if given { Switch::On } else { Switch::Off };
    let order =
        charge::Order { purchase: Some(Box::new(bought(options))), ..charge_order(options) };
    let mut events = vec![
        charge::Event::Requested(Box::new(order)),
        charge::Event::UnderReview { payment: payment() },
        charge::Event::Withheld { until: at(13) },
    ];
    let mut purchases = vec![
        Event::Paid { payment: payment(), from_suspense },
        Event::Cleared,
        Event::ReturnedUndelivered { amount, undone },
        Event::ReturnedDelivered { house: BIA, account: ACCOUNT, amount, reversed: fees() },
        Event::GivenUp { to, amount, undone },
        Event::ReturnedCredited { subaccount: ANA, amount },
        Event::Halted { undone },
        Event::Resumed(purchase::Rest {
            gross: amount,
            fees: fees(),
            delivery_terms: delivery_terms(options),
            usdt: options.optional(units(17_222_222)),
            after: 26,
        }),
    ];
    purchases.extend(deliveries(options).into_iter().map(Event::Delivery));
    events.extend(purchases.into_iter().map(charge::Event::Purchase));
    events
}

fn conversions(options: Options) -> Vec<conversion::Event> {
    use conversion::{Event, FundingSource, Order};
    let source =
        if options == Given { FundingSource::Custody(ANA) } else { FundingSource::Commission };
    let order = Order {
        account: ACCOUNT,
        source,
        amount: amount(9_470),
        fees: fees(),
        delivery_terms: delivery_terms(options),
        scale: Scale::SIX,
        quote: quote(),
        usdt: options.optional(units(17_537_037)),
        target: charge::Delivery {
            asset: "usdt".into(),
            chain: "polygon".into(),
            address: options.optional("0xabc".into()),
        },
        memo: options.optional("memo-1".into()),
        tax_number: options.optional(token(0xf1)),
        external_id: options.optional("conversion-1".into()),
        created_at: at(14),
    };
    let refunded = Event::Refunded {
        account: ACCOUNT,
        source,
        amount: amount(9_470),
        fees: fees(),
        undone: options.optional(delivery_terms(options)),
    };
    let mut events = vec![Event::Requested(Box::new(order)), refunded];
    events.extend(deliveries(options).into_iter().map(|event| Event::Delivery { source, event }));
    events
}

fn erroneous_deliveries(options: Options) -> [erroneous_delivery::Event; 3] {
    let order = erroneous_delivery::Order {
        asset: ASSET,
        chain: CHAIN,
        units: units(17_437_037),
        about: op(if options == Given { Kind::Charge } else { Kind::CommissionWithdrawal }),
        hash: HASH.into(),
        again: None,
    };
    let end = if options == Given {
        erroneous_delivery::End::Recovered
    } else {
        erroneous_delivery::End::Lost
    };
    [
        erroneous_delivery::Event::Claimed(order.clone()),
        erroneous_delivery::Event::Settled { order: order.clone(), end },
        erroneous_delivery::Event::Claimed(erroneous_delivery::Order {
            again: options.optional(2),
            ..order
        }),
    ]
}

fn listing(options: Options) -> Listing {
    let given = options == Given;
    Listing {
        asset: ASSET,
        chain: CHAIN,
        asset_name: "usdt".into(),
        chain_name: "polygon".into(),
        scale: Scale::SIX,
        rail: if given { Rail::Instant } else { Rail::Liquid },
        least: units(5_006_500),
        network_fee: options.optional(units(100_000)),
        deliverable: if given { Switch::On } else { Switch::Off },
        memo: if given { Switch::Off } else { Switch::On },
        eta: "about a minute".into(),
        eta_seconds: 60,
    }
}

/// Returns what stands until the next of its kind.
fn progress(options: Options) -> Vec<Event> {
    let given = options == Given;
    let dropped = options.optional(("usdc".into(), "tron".into())).into_iter().collect();
    let review = if given { Review::Identified } else { Review::Blocked };
    vec![
        Event::CatalogueUpdated { listed: vec![listing(options)], dropped },
        Event::RateQuoted { asset: "usdt".into(), quote: quote() },
        Event::PayerReviewed { payer: token(0xf2), review },
        Event::PixDescribed(Box::new(PixDetails {
            recipient: options.optional(token(0xf3)),
            document: options.optional(token(0xf4)),
            institution: Some("Banco Exemplo".into()),
            settled_by: options.optional("Liquidante".into()),
            receipt_url: options.optional("https://exemplo.com/r/1".into()),
            payer: None,
        })),
        Event::NetworkPages(vec![NetworkPage {
            chain: "polygon".into(),
            template: "https://exemplo.com/tx/{tx}".into(),
        }]),
        Event::SettlementAddressSet { account: ACCOUNT, address: "0xabc".into() },
        Event::ReportKept {
            op: op(Kind::Charge),
            report: EarlyReport::Delivery { attempt: 28, outcome: AttemptOutcome::Unknown },
        },
        Event::ReportKept {
            op: op(Kind::Payout),
            report: EarlyReport::Payout(PayoutReport::Submitted),
        },
        Event::HandedOut { op: op(Kind::CashOut), kind: TaskKind::PaySale, attempt: 29 },
        Event::LossAccepted { link: ChainLink([30; 32]), accepted_at: at(31) },
        Event::MetadataAttached { op: op(Kind::Payout), metadata: token(0xd5) },
    ]
}

/// A move of own crypto into each of our own accounts.
fn moves() -> Vec<Event> {
    let own = [
        OwnCoins::Funding,
        OwnCoins::Treasury(CHAIN),
        OwnCoins::Gas,
        OwnCoins::ProviderClaim,
        OwnCoins::Fx,
        OwnCoins::Loss,
    ];
    let moved = |to| Event::CoinsMoved { asset: ASSET, from: OwnCoins::Funding, to, units: many() };
    own.map(moved).into()
}

/// Events of the first version with every field that came after it.
fn grown() -> Vec<Event> {
    let policy = Policy {
        ladder: Some(Ladder { hours: 48, ..Ladder::default() }),
        rate_age: Some(Span::seconds(900)),
        precaution: Some(Span::hours(72)),
        commission_interval: Some(Span::hours(24)),
        interval_before_reference: Switch::On,
        cash_in_paused: Switch::On,
        conversions_paused: Switch::On,
        ..policy()
    };
    let terms = Terms {
        purchase: Rate { bps: bps(330), fixed: as_cents(100) },
        purchase_partner: bps(101),
        liquid: as_cents(102),
        charged_daily: Some(amount(500_000)),
        paid_out_daily: Some(amount(2_500_000)),
        ..terms(Given)
    };
    let order =
        hold::Order { kind: hold::Kind::Precautionary, ends_at: Some(at(15)), ..hold_order(Given) };
    let placed =
        hold::Event::Placed { order, from_held: as_cents(147), from_available: as_cents(148) };
    let payout = payout::Order { proven: Some(Switch::On), ..payout_order(Given) };
    let paid = PixDetails { payer: Some(token(0xf5)), ..PixDetails::default() };
    vec![
        Event::PolicyAdopted(Box::new(policy)),
        Event::TermsAdopted { account: ACCOUNT, from: at(16), terms: Box::new(terms) },
        Event::Hold { op: op(Kind::Hold), event: placed },
        Event::SetAside {
            fact: FactKind::PixReceived,
            about: Some(op(Kind::Charge)),
            reason: Some(SetAsideReason::PaidLate),
        },
        Event::Payout { op: op(Kind::Payout), event: payout::Event::Requested(Box::new(payout)) },
        Event::PixDescribed(Box::new(paid)),
    ]
}

fn events(options: Options) -> Vec<Event> {
    let (charge, payout) = (op(Kind::Charge), op(Kind::Payout));
    let conversion =
        op(if options == Given { Kind::Conversion } else { Kind::CommissionWithdrawal });
    let erroneous_delivery = op(Kind::ErroneousDelivery);
    let stopped = [payout::Event::Stopped, payout::Event::Cleared];
    let mut events = progress(options);
    events.extend(charges(options).into_iter().map(|event| Event::Charge { op: charge, event }));
    events.extend(stopped.map(|event| Event::Payout { op: payout, event }));
    events.extend(
        conversions(options).into_iter().map(|event| Event::Conversion { op: conversion, event }),
    );
    events.extend(
        erroneous_deliveries(options)
            .map(|event| Event::ErroneousDelivery { op: erroneous_delivery, event }),
    );
    events
}

/// One record for each event, and one more where something may be missing.
pub fn samples() -> Vec<(String, Record)> {
    let alone = |event: Event| record(vec![event], Cause::default());
    let mut samples = Vec::new();
    for (event, bare) in events(Given).into_iter().zip(events(Absent)) {
        let buys = matches!(&event, Event::Charge { event: charge::Event::Requested(_), .. });
        let name = if buys { "purchase-requested" } else { name(&event) };
        let differs = event != bare;
        samples.push((name.to_owned(), alone(event)));
        if differs {
            samples.push((format!("{name}-bare"), alone(bare)));
        }
    }
    for (number, event) in (1..).zip(moves()) {
        samples.push((format!("{}-{number}", name(&event)), alone(event)));
    }
    samples
        .extend(grown().into_iter().map(|event| (format!("{}-whole", name(&event)), alone(event))));
    samples
}
