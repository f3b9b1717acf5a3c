//! Why the ledger says no: every refusal of a request in its order, from where everything is wrong
//! to where nothing is, one repair at a time (rulings 6).

use ledger_core::ledger::{
    ChargeRequest, ConversionRequest, Destination, Field, FundingRequest, Ownership, PayoutRequest,
    Refusal, Request, TransferRequest,
};
use ledger_core::machine::charge::Delivery;
use ledger_core::money::Cents;
use ledger_core::terms::{Allowance, Ladder, Listing, Rail, Rate, Review, Stage, Switch, Tariff};
use ledger_core::time::Span;

use super::client::{Client, STRANGER, above, below, exceeded, poor};
use super::counter::{conversion, owed, partnered, purchase};
use super::{created, unlimited};
use crate::samples::{SOMEBODY, WALLET, amount, as_cents, at, bps, listing};

const TRON: &str = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
/// When the day of almost every request here is over.
const MIDNIGHT: &str = "2026-10-21T03:00:00Z";

#[test]
fn refusals_of_a_payout_come_in_their_order() {
    let mut it = Client::with(2_039);
    let asked = PayoutRequest {
        customer: Some("zoe".into()),
        external_id: Some("p-1".into()),
        ..PayoutRequest::new(amount(2_000), SOMEBODY, SOMEBODY, Ownership::Refuted)
    };
    let first = PayoutRequest {
        customer: None,
        amount: amount(100),
        ownership: Ownership::Proven,
        ..asked.clone()
    };
    let original = created(it.ask(Request::Payout(first)).unwrap());
    it.decree(|policy| policy.unproven_keys_refused = Some(Switch::On));
    it.mandate([Some(1_999), None], STRANGER);
    it.adopt(|terms| {
        (terms.custody, terms.payouts) = (Switch::Off, Switch::Off);
        terms.payout_tariff = Tariff::Unknown;
        terms.payout_least = amount(2_001);
        terms.paid_out_daily = Some(amount(2_099));
    });
    it.suspend();
    let fields = vec![Field::Amount, Field::Customer];
    let until = it.waits_until;
    it.walk(
        asked,
        Request::Payout,
        [
            (Refusal::IdentityDiverges { original, fields }, |_, asked| asked.external_id = None),
            (Refusal::AgentSuspended, |it, _| it.reinstate()),
            (Refusal::CustodyDisabled, |it, _| it.adopt(|terms| terms.custody = Switch::On)),
            (Refusal::PayoutsDisabled, |it, _| it.adopt(|terms| terms.payouts = Switch::On)),
            // Of the day 1.00 is sent.
            (exceeded(1_999, None), |it, _| it.mandate([Some(2_000), Some(2_099)], STRANGER)),
            (exceeded(1_999, Some(MIDNIGHT)), |it, _| it.mandate([None, Some(2_100)], STRANGER)),
            // A document that is merely claimed is nobody whom a mandate names (rulings 66).
            (Refusal::CounterpartyNotAllowed, |it, _| it.mandate([None, Some(2_100)], SOMEBODY)),
            (Refusal::CounterpartyNotAllowed, |it, _| it.bound([None, Some(2_100)], Vec::new())),
            (Refusal::KeyNotOwned, |_, asked| asked.ownership = Ownership::Unknown),
            (Refusal::KeyUnproven, |_, asked| asked.ownership = Ownership::Proven),
            (Refusal::TariffUnknown, |it, _| {
                it.adopt(|terms| terms.payout_tariff = Tariff::Fixed(Cents::ZERO));
            }),
            (below(2_001), |it, _| {
                it.adopt(|terms| {
                    (terms.payout_least, terms.payout_most) = (amount(2_000), amount(1_999));
                });
            }),
            (above(1_999), |it, _| it.adopt(|terms| terms.payout_most = amount(2_000))),
            (Refusal::DailyCeiling { until: at(MIDNIGHT) }, |it, _| {
                it.adopt(|terms| terms.paid_out_daily = Some(amount(2_100)));
            }),
            (poor(0), |_, asked| asked.customer = Some("ana".into())),
            (Refusal::Waiting { until }, |it, _| it.harness.pass("2026-10-21T13:00:00Z")),
            (poor(2_039), |it, _| it.deposit(1)),
        ],
    );
}

#[test]
fn refusals_of_a_transfer_come_in_their_order() {
    // CUS-32.
    let mut it = Client::with(2_324);
    let asked = TransferRequest {
        from: Some("zoe".into()),
        to: Some("zoe".into()),
        external_id: Some("t-1".into()),
        ..TransferRequest::new(amount(2_325))
    };
    let first =
        TransferRequest { from: None, to: Some("bia".into()), amount: amount(1), ..asked.clone() };
    let original = created(it.ask(Request::Transfer(first)).unwrap());
    it.adopt(|terms| terms.custody = Switch::Off);
    it.suspend();
    let fields = vec![Field::Amount, Field::From, Field::To];
    let until = it.waits_until;
    it.walk(
        asked,
        Request::Transfer,
        [
            (Refusal::IdentityDiverges { original, fields }, |_, asked| asked.external_id = None),
            (Refusal::AgentSuspended, |it, _| it.reinstate()),
            (Refusal::CustodyDisabled, |it, _| it.adopt(|terms| terms.custody = Switch::On)),
            (Refusal::SameParty, |_, asked| asked.to = Some("bia".into())),
            (poor(0), |_, asked| asked.from = Some("ana".into())),
            (Refusal::Waiting { until }, |it, _| it.harness.pass("2026-10-21T13:00:00Z")),
            (poor(2_324), |it, _| it.deposit(1)),
        ],
    );
}

#[test]
fn refusals_of_a_charge_come_in_their_order() {
    let mut it = Client::with(1);
    let asked = ChargeRequest {
        payer: STRANGER,
        allow_hold: Switch::Off,
        qr: None,
        payer_refused: Some("r-1".into()),
        destination: Destination::Custody,
        external_id: Some("c-1".into()),
        ..purchase(Some("zoe"), 30_000)
    };
    let ChargeRequest { qr, .. } = purchase(None, 1);
    let first = ChargeRequest {
        amount: amount(5_000),
        allow_hold: Switch::On,
        qr,
        payer_refused: None,
        ..asked.clone()
    };
    let original = created(it.ask(Request::Charge(first)).unwrap());
    it.decree(|policy| {
        (policy.cash_in_paused, policy.ladder) = (Switch::On, Some(Ladder::default()));
    });
    it.adopt(|terms| {
        terms.custody = Switch::Off;
        (terms.charge_least, terms.charge_most) = (amount(40_000), amount(29_999));
        terms.charged_daily = Some(amount(1));
    });
    it.review(Review::Blocked);
    it.suspend();
    // The first charge is pending: 50.00 of the 200.00 that pass at once.
    let allowance = |stage, most| {
        Box::new(Allowance {
            stage,
            used: as_cents(5_000),
            at_once: as_cents(15_000),
            most: as_cents(most),
            held: as_cents(595_000),
            matures_at: None,
            ladder: Ladder::default(),
        })
    };
    let fields = vec![Field::Amount, Field::AllowHold];
    let limit = Refusal::PayerLimit { allowance: allowance(Stage::FirstQr, 20_000) };
    let allowance = Some(allowance(Stage::FirstTransaction, 595_000));
    it.walk(
        asked,
        Request::Charge,
        [
            (Refusal::IdentityDiverges { original, fields }, |_, asked| asked.external_id = None),
            (Refusal::AgentSuspended, |it, _| it.reinstate()),
            (Refusal::CashInPaused, |it, _| {
                it.decree(|policy| policy.cash_in_paused = Switch::Off);
            }),
            (Refusal::CustodyDisabled, |it, _| it.adopt(|terms| terms.custody = Switch::On)),
            (Refusal::BelowMinimum { minimum: None }, |it, _| {
                it.adopt(|terms| terms.charge_most = amount(600_000));
            }),
            (below(40_000), |it, _| {
                it.adopt(|terms| {
                    (terms.charge_least, terms.charge_most) = (amount(100), amount(29_999));
                });
            }),
            (above(29_999), |it, _| it.adopt(|terms| terms.charge_most = amount(30_000))),
            (Refusal::PayerBlocked, |it, _| it.review(Review::Unknown)),
            (limit, |it, _| it.review(Review::Identified)),
            (Refusal::DailyCeiling { until: at(MIDNIGHT) }, |it, _| {
                it.adopt(|terms| terms.charged_daily = None);
            }),
            (Refusal::HoldNotAllowed { allowance }, |_, asked| asked.allow_hold = Switch::On),
            (Refusal::PayerRefused { reference: "r-1".into() }, |_, asked| {
                asked.payer_refused = None;
            }),
            (Refusal::QrMissing, |_, asked| asked.qr = purchase(None, 1).qr),
        ],
    );
}

/// USDT on tron, at least so many units of it, by this rail, with a memo.
fn on_tron(least: u128, rail: Rail) -> Listing {
    Listing { chain_name: "tron".into(), rail, memo: Switch::On, ..listing(least, 100_000) }
}

fn on_tron_but_not_delivered() -> Listing {
    Listing { deliverable: Switch::Off, ..on_tron(20_000_000, Rail::Liquid) }
}

fn to(address: Option<&str>) -> Delivery {
    let address = address.map(Into::into);
    Delivery { asset: "usdt".into(), chain: "tron".into(), address }
}

#[test]
fn refusals_of_a_purchase_come_in_their_order_and_custody_is_none_of_them() {
    // W08: 94.70 at 5.40 are 17.537037.
    let mut it = Client::with(1);
    let asked = ChargeRequest { delivery: to(None), ..purchase(None, 10_000) };
    it.decree(|policy| policy.cash_in_paused = Switch::On);
    it.adopt(|terms| {
        (terms.custody, terms.charge_most) = (Switch::Off, amount(10_500));
    });
    it.walk(
        asked,
        Request::Charge,
        [
            (Refusal::CashInPaused, |it, _| {
                it.decree(|policy| policy.cash_in_paused = Switch::Off);
            }),
            (Refusal::CatalogueMissing, |it, _| it.list(listing(1, 0))),
            (Refusal::PairUnknown, |it, _| it.list(on_tron_but_not_delivered())),
            (Refusal::PairNotDeliverable, |it, _| it.list(on_tron(20_000_000, Rail::Convert))),
            (Refusal::AddressMissing, |_, asked| asked.delivery = to(Some(WALLET))),
            (Refusal::AddressInvalid, |_, asked| asked.delivery = to(Some(TRON))),
            (Refusal::MemoMissing, |_, asked| {
                asked.destination = Destination::Crypto { memo: Some("7".into()) };
            }),
            (Refusal::RateUnavailable, |it, _| it.quote()),
            (Refusal::BelowMinimum { minimum: None }, |it, _| {
                it.list(on_tron(17_537_038, Rail::Convert));
            }),
            (below(10_001), |it, _| {
                it.list(on_tron(1, Rail::Convert));
                it.adopt(|terms| terms.charge_most = amount(9_999));
            }),
            (above(9_999), |it, _| {
                it.list(on_tron(17_537_037, Rail::Convert));
                it.adopt(|terms| terms.charge_most = amount(10_000));
            }),
        ],
    );
}

#[test]
fn refusals_of_a_conversion_come_in_their_order() {
    // W21: 103.80 with the partner's part, 18.518518 at 5.40.
    let mut it = Client::with(10_379);
    it.list(listing(1, 100_000));
    it.quote();
    let asked = ConversionRequest {
        target: to(None),
        cap: Some(amount(10_379)),
        external_id: Some("x-1".into()),
        ..conversion(Some("zoe"), 10_000)
    };
    let house = FundingRequest::Custody {
        customer: None,
        tax_number: SOMEBODY,
        ownership: Ownership::Proven,
    };
    let first = ConversionRequest {
        source: house,
        external_id: Some("x-1".into()),
        ..conversion(None, 1_000)
    };
    let original = created(it.ask(Request::Conversion(first)).unwrap());
    it.mandate([Some(9_999), None], STRANGER);
    it.decree(|policy| {
        (policy.conversions_paused, policy.rate_age) = (Switch::On, Some(Span::seconds(1)));
    });
    it.adopt(|terms| {
        terms.custody = Switch::Off;
        terms.conversion = Rate { bps: bps(10_000), fixed: Cents::ZERO };
        terms.crypto_withdrawal = bps(1);
    });
    it.suspend();
    let fields = vec![Field::Amount, Field::Customer, Field::Chain, Field::Address];
    let until = it.waits_until;
    it.walk(
        asked,
        Request::Conversion,
        [
            (Refusal::IdentityDiverges { original, fields }, |_, asked| asked.external_id = None),
            (Refusal::AgentSuspended, |it, _| it.reinstate()),
            (Refusal::ConversionsPaused, |it, _| {
                it.decree(|policy| policy.conversions_paused = Switch::Off);
            }),
            (Refusal::CustodyDisabled, |it, _| it.adopt(|terms| terms.custody = Switch::On)),
            // The rates pass the whole.
            (Refusal::RateUnavailable, |it, _| it.adopt(|terms| terms.crypto_withdrawal = bps(0))),
            (exceeded(9_999, None), |it, _| it.mandate([Some(10_000), None], STRANGER)),
            (Refusal::CounterpartyNotAllowed, |it, _| it.mandate([None, None], SOMEBODY)),
            (Refusal::PairUnknown, |it, _| it.list(on_tron_but_not_delivered())),
            // Nor does a conversion deliver on this rail.
            (Refusal::PairNotDeliverable, |it, _| it.list(on_tron(18_518_519, Rail::Liquid))),
            (Refusal::PairNotDeliverable, |it, _| it.list(on_tron(18_518_519, Rail::Convert))),
            (Refusal::AddressMissing, |_, asked| asked.target = to(Some(WALLET))),
            (Refusal::AddressInvalid, |_, asked| asked.target = to(Some(TRON))),
            (Refusal::MemoMissing, |_, asked| asked.memo = Some("7".into())),
            (Refusal::RateUnavailable, |it, _| it.decree(|policy| policy.rate_age = None)),
            (below(10_001), |it, _| it.list(on_tron(18_518_518, Rail::Convert))),
            // With the partner's part they pass the whole still.
            (Refusal::RateUnavailable, |it, _| {
                it.adopt(|terms| terms.conversion = partnered().conversion);
            }),
            (Refusal::AboveCap { debited: amount(10_380) }, |_, asked| {
                asked.cap = Some(amount(10_380));
            }),
            (poor(0), |_, asked| asked.source = conversion(Some("ana"), 1).source),
            (Refusal::Waiting { until }, |it, _| it.harness.pass("2026-10-21T13:00:00Z")),
            (poor(10_379), |it, _| it.deposit(1)),
        ],
    );
}

#[test]
fn a_withdrawal_of_commission_is_judged_by_its_interval_between_destination_and_limits() {
    // Rulings 38, COM-06.
    let mut harness = owed(unlimited());
    created(harness.convert(conversion(None, 1_000)).unwrap());
    let (target, cap) = (to(Some(TRON)), Some(amount(1)));
    let mut asked = ConversionRequest { target, cap, ..conversion(None, 9_001) };
    assert_eq!(harness.convert(asked.clone()), Err(Refusal::PairUnknown));
    asked.target = conversion(None, 1).target;
    let lately = harness.convert(asked.clone());
    assert!(matches!(lately, Err(Refusal::WithdrawnLately { .. })), "{lately:?}");
    harness.pass("2026-10-21T13:00:00Z");
    assert_eq!(harness.convert(asked.clone()), Err(Refusal::AboveCap { debited: amount(9_001) }));
    asked.cap = Some(amount(9_001));
    assert_eq!(harness.convert(asked.clone()), Err(poor(9_000)));
    asked.amount = amount(9_000);
    assert!(harness.convert(asked).is_ok(), "it costs nothing, and all of it may go");
}
