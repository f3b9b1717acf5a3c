//! One conversion of custody to crypto, and one withdrawal of commission.

use ledger_core::id::{OpId, Token};
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::{
    ConversionRequest, Destination, FundingRequest, GiveUpTo, Intent, Ownership,
};
use ledger_core::machine::charge::Delivery;
use ledger_core::machine::erroneous_delivery::End;

use super::ground::{ana, by_client, cents, intent};
use super::paid_out;
use super::purchased::{DELIVERY, given_up, settle_erroneous};
use super::received::{FUNDED, back, charge, spend};
use super::{Say, Small};
use crate::oracle::Oracle;

/// A conversion of R$ 50.00 from a subaccount that one deposit funded.
pub(super) const CONVERSION: Small = Small {
    name: "a conversion",
    begins: super::ground::beginning,
    opening: |_| by_client(charge(10_000, Destination::Custody, "c-1")),
    more: &[FUNDED[0], |_| convert(5_000)],
    alphabet: &[DELIVERY, CONVERTED],
};

/// What may become of a conversion beside its delivery.
const CONVERTED: &[(&str, Say)] = &[
    ("the same again", |_| convert(5_000)),
    ("another body", |_| convert(5_001)),
    ("given up", |it| given_up(first(it), "u-1", GiveUpTo::Custody)),
    ("the deposit returned", |it| back(it, "d-1", 10_000)),
    ("the rest spent", |_| spend(4_000, "t-1")),
    ("lost", |it| settle_erroneous(it, "s-2", End::Lost)),
];

/// A withdrawal of the commission that one payout earned.
pub(super) const COMMISSION: Small = Small {
    name: "a withdrawal of commission",
    begins: super::ground::beginning,
    opening: |_| by_client(charge(2_000_000, Destination::Custody, "c-1")),
    more: &[
        |it| super::received::pay_charge(it, "e-1", 2_000_000),
        |it| {
            let charge = super::received::first(it);
            intent("freed", ChargeFact::ProviderReleased { charge, payment: None })
        },
        |_| paid_out::pay_out(1_800_000),
        |it| {
            let (payout, amount) = (paid_out::first(it), Some(cents(1_800_000)));
            intent("o-1", PayoutFact::Paid { payout, e2e: "o-1".into(), amount })
        },
    ],
    alphabet: &[DELIVERY, WITHDRAWN],
};

/// What may become of a withdrawal of commission beside its delivery.
const WITHDRAWN: &[(&str, Say)] = &[
    ("withdrawn", |_| withdraw(10_000, "w-1")),
    ("another body", |_| withdraw(10_001, "w-1")),
    ("withdrawn again", |_| withdraw(8_000, "w-2")),
    ("too much withdrawn", |_| withdraw(18_001, "w-3")),
    ("given up", |it| given_up(first(it), "u-1", GiveUpTo::Custody)),
    ("the payout back", |it| {
        let (payout, amount) = (paid_out::first(it), cents(1_800_000));
        intent("b-1", PayoutFact::Returned { payout, return_id: "b-1".into(), amount })
    }),
];

/// The conversion the world is about.
fn first(oracle: &Oracle) -> Option<OpId> {
    oracle.conversions.keys().next().copied()
}

fn convert(amount: i64) -> Option<Intent> {
    let source = FundingRequest::Custody {
        customer: ana(),
        tax_number: Token([8; 16]),
        ownership: Ownership::Unknown,
    };
    by_client(conversion(source, amount, "x-1"))
}

fn withdraw(amount: i64, external_id: &str) -> Option<Intent> {
    by_client(conversion(FundingRequest::Commission, amount, external_id))
}

fn conversion(source: FundingRequest, amount: i64, external_id: &str) -> ConversionRequest {
    let address = Some(format!("0x{}", "b".repeat(40)).into());
    let target = Delivery { asset: "usdt".into(), chain: "polygon".into(), address };
    let (amount, external_id) = (cents(amount), Some(external_id.into()));
    ConversionRequest { external_id, ..ConversionRequest::new(source, amount, target) }
}
