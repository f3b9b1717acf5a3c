//! A record of every kind of event, the same every time.
//!
//! Every value that is a datum is 24 or more, so that small numbers in the encoding are numbers of
//! variants.

use ledger_core::id::{AccountId, KeyHash, Kind, OpId, Seq, SubaccountId, Token};
use ledger_core::ledger::{
    Cause, EarlyReport, Event, ExternalId, FactKind, Income, OperatorDecision, Origin, OwnAccount,
    Record, Scope,
};
use ledger_core::machine::{
    charge, conversion, delivery, erroneous_delivery, hold, payout, purchase, suspense, transfer,
};
use ledger_core::money::{Amount, Bps, Cents};
use ledger_core::terms::{PayoutFees, Policy, Rate, Release, Switch, Tariff, Terms};
use ledger_core::time::{Instant, Span};

use super::{access, cells, closings, later, mesh, products, recoveries, sold, wallets};

pub(super) const ACCOUNT: AccountId = AccountId(1_001);
pub(super) const ANA: SubaccountId = SubaccountId(1_002);
pub(super) const BIA: SubaccountId = SubaccountId(1_003);
pub(super) const E2E: &str = "E9040088820261120120300123873170";

/// Tells whether what may be missing is there.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Options {
    Given,
    Absent,
}

pub(super) use Options::{Absent, Given};

impl Options {
    pub(super) fn optional<T>(self, value: T) -> Option<T> {
        (self == Given).then_some(value)
    }
}

pub(super) fn amount(cents: i64) -> Amount {
    Amount::new(cents).unwrap()
}

pub(super) fn as_cents(cents: i64) -> Cents {
    Cents::new(cents).unwrap()
}

pub(super) fn bps(bps: u16) -> Bps {
    Bps::new(bps).unwrap()
}

pub(super) fn at(second: u8) -> Instant {
    Instant::parse(&format!("2026-11-20T12:00:{second:02}.5Z")).unwrap()
}

pub(super) fn op(kind: Kind) -> OpId {
    OpId::new(kind, Seq(3_000))
}

pub(super) fn token(byte: u8) -> Token {
    Token([byte; 16])
}

pub(super) fn policy() -> Policy {
    Policy {
        largest_jump: Span::hours(48),
        least_net: as_cents(101),
        shortfall_watch: Span::days(90),
        house_covers_negatives: Switch::On,
        returned_payout_refunds_fee: Switch::Off,
        divergent_charge_is_refused: Switch::On,
        cnpj_with_letters: Switch::Off,
        ladder: None,
        rate_age: None,
        precaution: None,
        commission_interval: None,
        interval_before_reference: Switch::Off,
        cash_in_paused: Switch::Off,
        conversions_paused: Switch::Off,
        sales: None,
        wallet: None,
        unknown_pix_is_answered: None,
        test_keys: None,
        panel_links: None,
        key_lookups: None,
        unproven_keys_refused: None,
    }
}

pub(super) fn terms(options: Options) -> Terms {
    Terms {
        custody: Switch::On,
        payouts: Switch::Off,
        deposit: Rate { bps: bps(110), fixed: as_cents(111) },
        payout_house: bps(112),
        payout_partner: bps(113),
        payout_tariff: if options == Given {
            Tariff::Fixed(as_cents(114))
        } else {
            Tariff::Unknown
        },
        crypto_withdrawal: bps(115),
        conversion: Rate { bps: bps(116), fixed: as_cents(117) },
        charge_least: amount(118),
        charge_most: amount(119_000),
        payout_least: amount(120),
        payout_most: amount(121_000),
        retention_above: options.optional(amount(122)),
        retention_hours: 123,
        release: Release::NextDay,
        waiting_hours: 124,
        purchase: Rate::default(),
        purchase_partner: Bps::default(),
        liquid: Cents::ZERO,
        charged_daily: None,
        paid_out_daily: None,
        sale: None,
        sale_partner: None,
        liquid_sale: None,
        sale_reserve: None,
        wallet: None,
    }
}

fn decided_by(options: Options) -> OperatorDecision {
    OperatorDecision {
        actor: token(0xa1),
        reason: token(0xa2),
        evidence: options.optional(token(0xa3)),
    }
}

pub(super) fn payment() -> charge::PixPayment {
    charge::PixPayment { e2e: E2E.into(), amount: amount(10_000), paid_at: at(3) }
}

pub(super) fn charge_order(options: Options) -> charge::Order {
    charge::Order {
        account: ACCOUNT,
        subaccount: ANA,
        amount: amount(10_000),
        fee: Rate { bps: bps(110), fixed: as_cents(111) },
        retention_hours: options.optional(48),
        release: Release::Immediate,
        waiting_hours: 72,
        created_at: at(1),
        expires_at: at(2),
        payer: token(0xb1),
        payer_name: options.optional(token(0xb2)),
        allow_hold: Switch::On,
        delivery: charge::Delivery {
            asset: "usdt".into(),
            chain: "polygon".into(),
            address: options.optional("0xabc".into()),
        },
        qr: charge::Qr {
            copypaste: "00020126".into(),
            image_url: options.optional("https://example.org/qr.png".into()),
        },
        external_id: options.optional("order-1".into()),
        purchase: None,
    }
}

fn charges(options: Options) -> Vec<charge::Event> {
    use charge::{Event, Into, Origin};
    let credit = charge::Credit {
        subaccount: ANA,
        origin: if options == Given { Origin::Suspense } else { Origin::Provider },
        gross: amount(10_000),
        fee: as_cents(111),
        available_at: options.optional(at(5)),
        waiting_until: options.optional(at(6)),
        booked_at: at(4),
    };
    let into = if options == Given { Into::Frozen } else { Into::Available };
    vec![
        Event::Requested(Box::new(charge_order(options))),
        Event::Expired,
        Event::Failed,
        Event::Delayed { payment: payment(), until: at(7) },
        Event::Credited { payment: payment(), credit },
        Event::Matured { subaccount: ANA, amount: as_cents(9_889) },
        Event::PartTaken { subaccount: ANA, amount: amount(700), into },
        Event::PartRestored { subaccount: ANA, amount: amount(701) },
        Event::ReturnedUncredited { amount: amount(702) },
        Event::Returned { subaccount: ANA, amount: amount(703), fee: as_cents(27) },
        Event::ReturnedTraced { subaccount: ANA, amount: amount(704) },
    ]
}

/// The terms of a payout.
pub(super) fn payout_order(options: Options) -> payout::Order {
    let (fees, key, owner) = (payout_fees(), token(0xc1), token(0xc2));
    payout::Order {
        external_id: options.optional("payout-1".into()),
        return_refunds_fee: Switch::On,
        ..payout::Order::new(ACCOUNT, ANA, amount(5_000), fees, key, owner, at(8))
    }
}

fn payout_fees() -> PayoutFees {
    PayoutFees { house: as_cents(131), partner: as_cents(132), tariff: as_cents(133) }
}

fn payouts(options: Options) -> Vec<payout::Event> {
    use payout::Event;
    let fees = payout_fees();
    let (account, subaccount, amount) = (ACCOUNT, ANA, amount(5_000));
    vec![
        Event::Requested(Box::new(payout_order(options))),
        Event::Submitted,
        Event::Uncertain,
        Event::Completed { account, amount, fees, e2e: E2E.into() },
        Event::Failed { subaccount, amount, fees },
        Event::Returned { subaccount, account, amount, fees },
    ]
}

pub(super) fn hold_order(options: Options) -> hold::Order {
    hold::Order {
        subaccount: ANA,
        kind: if options == Given { hold::Kind::Dispute } else { hold::Kind::Judicial },
        cause: options.optional(op(Kind::Charge)),
        requested: amount(4_000),
        watch_until: at(9),
        ends_at: None,
        note: None,
        label: None,
    }
}

fn holds(options: Options) -> Vec<hold::Event> {
    use hold::{End, Event};
    let order = hold_order(options);
    let (from_held, from_available) = (as_cents(141), as_cents(142));
    let end = if options == Given { End::Yes } else { End::No };
    vec![
        Event::Placed { order, from_held, from_available },
        Event::ToppedUp { subaccount: ANA, amount: amount(143) },
        Event::Lapsed,
        Event::Released {
            subaccount: ANA,
            to_held: as_cents(144),
            to_available: as_cents(145),
            end,
        },
        Event::Taken { subaccount: ANA, amount: amount(146) },
        Event::Returned { subaccount: ANA, amount: amount(147) },
    ]
}

fn suspenses(options: Options) -> Vec<suspense::Event> {
    use suspense::{Direction, Event, Float};
    let given = options == Given;
    let order = suspense::Order {
        amount: amount(3_000),
        direction: if given { Direction::Out } else { Direction::In },
        float: if given { Float::Payout } else { Float::Collection },
        about: options.optional(op(Kind::Payout)),
        outside: E2E.into(),
        paid_at: at(10),
        recovery: None,
    };
    let recovery = options.optional("med-1".into());
    let named = suspense::Order { recovery, ..order.clone() };
    let court = suspense::Order { direction: Direction::In, float: Float::Court, ..order.clone() };
    vec![
        Event::Received(order.clone()),
        Event::Attached(op(Kind::Charge)),
        Event::Returned(order.clone()),
        Event::Ordered { order: court, subaccount: ANA },
        Event::TakenOver { order: order.clone(), by: op(Kind::CashOut) },
        Event::SentBack { order, return_id: E2E.into() },
        Event::Received(named),
    ]
}

fn events(options: Options) -> Vec<Event> {
    let done = transfer::Event::Done(transfer::Order {
        account: ACCOUNT,
        from: ANA,
        to: BIA,
        amount: amount(2_000),
        external_id: options.optional("transfer-1".into()),
        note: options.optional(token(0xd1)),
    });
    let leg = |from, to, cents| transfer::Leg { from, to, amount: amount(cents) };
    let grouped = transfer::Event::Grouped(transfer::Group {
        account: ACCOUNT,
        legs: vec![leg(ANA, BIA, 1_900), leg(BIA, ANA, 100)],
        external_id: options.optional("group-1".into()),
        note: options.optional(token(0xd2)),
    });
    let corrected = op(Kind::Adjustment);
    let mut events = vec![
        Event::LedgerOpened { name: "live".into(), policy: Box::new(policy()) },
        Event::PolicyAdopted(Box::new(policy())),
        Event::AccountOpened {
            account: ACCOUNT,
            name: "loja".into(),
            key: KeyHash([0xe1; 32]),
            house: BIA,
            terms: Box::new(terms(options)),
        },
        Event::TermsAdopted { account: ACCOUNT, from: at(11), terms: Box::new(terms(options)) },
        Event::SubaccountOpened { subaccount: ANA, account: ACCOUNT, customer: "ana".into() },
        Event::TreasuryMoved {
            from: OwnAccount::Funding,
            to: OwnAccount::ProviderPay,
            amount: amount(50_000),
        },
        Event::Transfer { op: op(Kind::Transfer), event: done },
        Event::Transfer { op: op(Kind::Transfer), event: grouped },
        Event::FeeAdjusted {
            op: corrected,
            subaccount: ANA,
            given: as_cents(151),
            charged: as_cents(152),
            income: Income::Payout,
        },
        Event::BalanceWrittenOff { op: corrected, subaccount: ANA, amount: amount(153) },
        Event::SetAside {
            fact: FactKind::PayoutReturned,
            about: options.optional(op(Kind::Hold)),
            reason: None,
        },
        Event::Judged(decided_by(options)),
        Event::TimePassed,
        Event::Repeated { fact: FactKind::PayoutReturned, about: options.optional(op(Kind::Hold)) },
    ];
    let (charge, payout) = (op(Kind::Charge), op(Kind::Payout));
    let (hold, suspense) = (op(Kind::Hold), op(Kind::Suspense));
    events.extend(charges(options).into_iter().map(|event| Event::Charge { op: charge, event }));
    events.extend(payouts(options).into_iter().map(|event| Event::Payout { op: payout, event }));
    events.extend(holds(options).into_iter().map(|event| Event::Hold { op: hold, event }));
    events.extend(
        suspenses(options).into_iter().map(|event| Event::Suspense { op: suspense, event }),
    );
    events
}

/// The event's name; whoever adds an event gives it one here, and a sample above.
#[allow(clippy::too_many_lines)] // A flat list: one line an event.
pub fn name(event: &Event) -> &'static str {
    use charge::Event as Charge;
    use hold::Event as Hold;
    use payout::Event as Payout;
    use suspense::Event as Suspense;
    match event {
        Event::LedgerOpened { .. } => "ledger-opened",
        Event::PolicyAdopted(_) => "policy-adopted",
        Event::AccountOpened { .. } => "account-opened",
        Event::TermsAdopted { .. } => "terms-adopted",
        Event::SubaccountOpened { .. } => "subaccount-opened",
        Event::TreasuryMoved { .. } => "treasury-moved",
        Event::Charge { event, .. } => match event {
            Charge::Requested(_) => "charge-requested",
            Charge::Expired => "charge-expired",
            Charge::Failed => "charge-failed",
            Charge::Delayed { .. } => "charge-delayed",
            Charge::Credited { .. } => "charge-credited",
            Charge::Matured { .. } => "charge-matured",
            Charge::PartTaken { .. } => "charge-part-taken",
            Charge::PartRestored { .. } => "charge-part-restored",
            Charge::ReturnedUncredited { .. } => "charge-returned-uncredited",
            Charge::Returned { .. } => "charge-returned",
            Charge::ReturnedTraced { .. } => "charge-returned-traced",
            Charge::UnderReview { .. } => "charge-under-review",
            Charge::Withheld { .. } => "charge-withheld",
            Charge::Purchase(event) => purchase_name(event),
        },
        Event::Transfer { event: transfer::Event::Done(_), .. } => "transfer-done",
        Event::Transfer { event: transfer::Event::Grouped(_), .. } => "transfer-grouped",
        Event::Payout { event, .. } => match event {
            Payout::Requested(_) => "payout-requested",
            Payout::Submitted => "payout-submitted",
            Payout::Uncertain => "payout-uncertain",
            Payout::Completed { .. } => "payout-completed",
            Payout::Failed { .. } => "payout-failed",
            Payout::Returned { .. } => "payout-returned",
            Payout::Stopped => "payout-stopped",
            Payout::Cleared => "payout-cleared",
        },
        Event::Hold { event, .. } => match event {
            Hold::Placed { .. } => "hold-placed",
            Hold::ToppedUp { .. } => "hold-topped-up",
            Hold::Lapsed => "hold-lapsed",
            Hold::Released { .. } => "hold-released",
            Hold::Taken { .. } => "hold-taken",
            Hold::Returned { .. } => "hold-returned",
            Hold::Captured { .. } => "hold-captured",
        },
        Event::Suspense { event, .. } => match event {
            Suspense::Received(it) if it.recovery.is_some() => "suspense-received-of-recovery",
            Suspense::Received(_) => "suspense-received",
            Suspense::Attached(_) => "suspense-attached",
            Suspense::Returned(_) => "suspense-returned",
            Suspense::Ordered { .. } => "suspense-ordered",
            Suspense::TakenOver { .. } => "suspense-taken-over",
            Suspense::SentBack { .. } => "suspense-sent-back",
        },
        Event::FeeAdjusted { .. } => "fee-adjusted",
        Event::BalanceWrittenOff { .. } => "balance-written-off",
        Event::ResidenceChanged { .. } => "residence-changed",
        Event::AccountCarried { .. } => "account-carried",
        Event::BalanceCarried { .. } => "balance-carried",
        Event::SetAside { .. } => "set-aside",
        Event::Repeated { .. } => "repeated",
        Event::Judged(_) => "judged",
        Event::TimePassed => "time-passed",
        Event::Conversion { event, .. } => match event {
            conversion::Event::Requested(_) => "conversion-requested",
            conversion::Event::Delivery { event, .. } => delivery_names(event).1,
            conversion::Event::Refunded { .. } => "conversion-refunded",
        },
        Event::ErroneousDelivery { event, .. } => match event {
            erroneous_delivery::Event::Claimed(it) if it.again.is_some() => "stray-claimed-again",
            erroneous_delivery::Event::Claimed(_) => "stray-claimed",
            erroneous_delivery::Event::Settled { .. } => "stray-settled",
        },
        Event::CryptoWithdrawal { event, .. } => wallets::withdrawal_name(event),
        Event::WalletPayment { event, .. } => wallets::payment_name(event),
        Event::Quote { event, .. } => wallets::quote_name(event),
        Event::WalletDeposit { event, .. } => wallets::deposit_name(event),
        Event::CatalogueUpdated { .. } => "catalogue-updated",
        Event::PixDescribed(_) => "pix-described",
        Event::NetworkPages(_) => "network-pages",
        Event::RateQuoted { .. } => "rate-quoted",
        Event::MarketsUpdated { .. } => "markets-updated",
        Event::CashOut { .. } => "cash-out",
        Event::UnmatchedDeposit { .. } => "receipt",
        Event::PayerReviewed { .. } => "payer-reviewed",
        Event::CoinsMoved { .. } => "coins-moved",
        Event::SettlementAddressSet { .. } => "settlement-address-set",
        Event::Agent { event, .. } => mesh::name(event),
        Event::ReferralGiven { .. } => "referral-given",
        Event::RewardAccrued { .. } => "reward-accrued",
        Event::Enrolled { .. } => "enrolled",
        Event::KeyReplaced { .. } => "key-replaced",
        Event::KeyRevoked { .. } => "key-revoked",
        Event::WebhookSet { .. } => "webhook-set",
        Event::WebhookSecretReplaced { .. } => "webhook-secret-replaced",
        Event::MonitorReplaced { .. } => "monitor-replaced",
        Event::ReportKept { report: EarlyReport::Delivery { .. }, .. } => "report-kept-delivery",
        Event::ReportKept { report: EarlyReport::Payout(_), .. } => "report-kept-payout",
        Event::HandedOut { .. } => "handed-out",
        Event::LossAccepted { .. } => "loss-accepted",
        Event::MetadataAttached { .. } => "metadata-attached",
        Event::ProductAccountDeclared { .. }
        | Event::Entry { .. }
        | Event::TemplateAdopted { .. }
        | Event::OpeningBalancesClosed { .. } => {
            products::name(event).expect("it is one of a product")
        }
        Event::StatementReceived(_) | Event::DayClosed(_) | Event::DayReopened { .. } => {
            closings::name(event).expect("it is one of a close")
        }
        Event::RecoveryOpened { .. }
        | Event::RecoveryBlocked { .. }
        | Event::RecoveryDecided { .. }
        | Event::RecoveryRefunded { .. } => {
            recoveries::name(event).expect("it is one of a recovery")
        }
    }
}

const fn purchase_name(event: &purchase::Event) -> &'static str {
    use purchase::Event;
    match event {
        Event::Paid { .. } => "purchase-paid",
        Event::Cleared => "purchase-cleared",
        Event::Delivery(event) => delivery_names(event).0,
        Event::ReturnedUndelivered { .. } => "purchase-returned-undelivered",
        Event::ReturnedDelivered { .. } => "purchase-returned-delivered",
        Event::GivenUp { .. } => "purchase-given-up",
        Event::ReturnedCredited { .. } => "purchase-returned-credited",
        Event::Halted { .. } => "purchase-halted",
        Event::Resumed(_) => "purchase-resumed",
    }
}

/// Of a purchase, and of a conversion.
const fn delivery_names(event: &delivery::Event) -> (&'static str, &'static str) {
    use delivery::Event;
    match event {
        Event::Begun(_) => ("purchase-begun", "conversion-begun"),
        Event::BegunAgain { .. } => ("purchase-begun-again", "conversion-begun-again"),
        Event::Accepted => ("purchase-accepted", "conversion-accepted"),
        Event::Failed => ("purchase-failed", "conversion-failed"),
        Event::Unknown => ("purchase-unknown", "conversion-unknown"),
        Event::Sent { attempt: Some(_), .. } => {
            ("purchase-sent-attempt", "conversion-sent-attempt")
        }
        Event::Sent { .. } => ("purchase-sent", "conversion-sent"),
    }
}

pub(super) fn record(events: Vec<Event>, cause: Cause) -> Record {
    Record { seq: Seq(0), at: at(59), events, cause, outside: None, original: None }
}

/// One record for each event, and one more where something may be missing; then records whose
/// causes differ.
pub fn samples() -> Vec<(String, Record)> {
    let given = events(Given);
    let mut samples = Vec::new();
    for (event, bare) in given.iter().zip(events(Absent)) {
        let differs = *event != bare;
        let name = name(event);
        samples.push((name.to_owned(), record(vec![event.clone()], Cause::default())));
        if differs {
            samples.push((format!("{name}-bare"), record(vec![bare], Cause::default())));
        }
    }
    let line = Origin::Line { source: "day.jsonl".into(), pass: 25, number: 1_026, hash: 1 << 60 };
    let outside = ExternalId { scope: Scope::ReturnedPayout, id: E2E.into() };
    let deadline = Cause { origin: line.clone(), deadline: true };
    let request = Cause::new(Origin::Request("req-12345678".into()));
    let whole = Record {
        outside: Some(outside),
        original: Some(at(58)),
        ..record(vec![Event::TimePassed], Cause::new(line))
    };
    samples.push(("record-of-nothing".into(), record(Vec::new(), Cause::default())));
    samples.push(("record-of-a-request".into(), record(vec![Event::TimePassed], request)));
    samples.push(("record-of-a-deadline".into(), record(vec![Event::TimePassed], deadline)));
    samples.push(("record-of-a-late-line".into(), whole));
    let several = vec![given[4].clone(), given[6].clone(), given[12].clone()];
    samples.push(("record-of-several-events".into(), record(several, Cause::default())));
    samples.extend(later::samples());
    samples.extend(sold::samples());
    samples.extend(mesh::samples());
    samples.extend(wallets::samples());
    samples.extend(access::samples());
    samples.extend(cells::samples());
    samples.extend(products::samples());
    samples.extend(closings::samples());
    samples.extend(recoveries::samples());
    samples
}
