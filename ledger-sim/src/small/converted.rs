//! One conversion of custody to crypto, and one withdrawal of commission.

use ledger_core::id::{OpId, Token};
use ledger_core::ledger::{
    ConversionRequest, Destination, Fact, GiveUpTo, PurseRequest, Request, What,
};
use ledger_core::machine::charge::Delivery;
use ledger_core::machine::delivery::News;
use ledger_core::machine::stray::End;

use super::Small;
use super::ground::{ana, asked, cents, told};
use super::paid_out;
use super::purchased::{found, given_up, news, settled};
use super::received::{FUNDED, back, charge, spend};
use crate::oracle::Oracle;

/// A conversion of R$ 50.00 from a subaccount that one deposit funded.
pub(super) const CONVERSION: Small = Small {
    name: "a conversion",
    opening: |_| asked(charge(10_000, Destination::Custody, "c-1")),
    more: &[FUNDED[0], |_| convert(5_000)],
    alphabet: &[
        ("the same again", |_| convert(5_000)),
        ("another body", |_| convert(5_001)),
        ("begun", |it| news(first(it), "n-1", None, News::Begin)),
        ("begun again", |it| news(first(it), "n-2", Some(2), News::Begin)),
        ("accepted", |it| news(first(it), "n-3", None, News::Accept)),
        ("sent", |it| news(first(it), "n-4", None, News::Confirm("0x1".into()))),
        ("sent twice", |it| news(first(it), "n-5", None, News::Confirm("0x2".into()))),
        ("failed", |it| news(first(it), "n-6", None, News::Fail)),
        ("lost from sight", |it| news(first(it), "n-7", None, News::Lose)),
        ("found sent", |it| found(first(it), "f-1", Some("0x1"))),
        ("found not sent", |it| found(first(it), "f-2", None)),
        ("given up", |it| given_up(first(it), "u-1", GiveUpTo::Custody)),
        ("the deposit returned", |it| back(it, "d-1", 10_000)),
        ("the rest spent", |_| spend(4_000, "t-1")),
        ("recovered", |it| settled(it, "s-1", End::Recovered)),
        ("lost", |it| settled(it, "s-2", End::Lost)),
    ],
};

/// A withdrawal of the commission that one payout earned.
pub(super) const COMMISSION: Small = Small {
    name: "a withdrawal of commission",
    opening: |_| asked(charge(2_000_000, Destination::Custody, "c-1")),
    more: &[
        |it| super::received::paid(it, "e-1", 2_000_000),
        |it| {
            let charge = super::received::first(it);
            told("freed", Fact::ProviderReleased { charge, receipt: None })
        },
        |_| paid_out::pay_out(1_800_000),
        |it| {
            let (payout, amount) = (paid_out::first(it), Some(cents(1_800_000)));
            told("o-1", Fact::PayoutPaid { payout, e2e: "o-1".into(), amount })
        },
    ],
    alphabet: &[
        ("withdrawn", |_| withdraw(10_000, "w-1")),
        ("another body", |_| withdraw(10_001, "w-1")),
        ("withdrawn again", |_| withdraw(8_000, "w-2")),
        ("too much withdrawn", |_| withdraw(18_001, "w-3")),
        ("begun", |it| news(first(it), "n-1", None, News::Begin)),
        ("begun again", |it| news(first(it), "n-2", Some(2), News::Begin)),
        ("accepted", |it| news(first(it), "n-3", None, News::Accept)),
        ("sent", |it| news(first(it), "n-4", None, News::Confirm("0x1".into()))),
        ("sent twice", |it| news(first(it), "n-5", None, News::Confirm("0x2".into()))),
        ("failed", |it| news(first(it), "n-6", None, News::Fail)),
        ("lost from sight", |it| news(first(it), "n-7", None, News::Lose)),
        ("found sent", |it| found(first(it), "f-1", Some("0x1"))),
        ("found not sent", |it| found(first(it), "f-2", None)),
        ("given up", |it| given_up(first(it), "u-1", GiveUpTo::Custody)),
        ("the payout back", |it| {
            let (payout, amount) = (paid_out::first(it), cents(1_800_000));
            told("b-1", Fact::PayoutReturned { payout, return_id: "b-1".into(), amount })
        }),
        ("recovered", |it| settled(it, "s-1", End::Recovered)),
    ],
};

/// The conversion the world is about.
fn first(oracle: &Oracle) -> Option<OpId> {
    oracle.conversions.keys().next().copied()
}

fn convert(amount: i64) -> Option<What> {
    let purse = PurseRequest::Custody { customer: ana(), tax_number: Token([8; 16]) };
    asked(conversion(purse, amount, "x-1"))
}

fn withdraw(amount: i64, external_id: &str) -> Option<What> {
    asked(conversion(PurseRequest::Commission, amount, external_id))
}

fn conversion(purse: PurseRequest, amount: i64, external_id: &str) -> Request {
    let address = Some(format!("0x{}", "b".repeat(40)).into());
    let target = Delivery { asset: "usdt".into(), chain: "polygon".into(), address };
    let (amount, external_id) = (cents(amount), Some(external_id.into()));
    Request::Conversion(ConversionRequest {
        purse,
        amount,
        target,
        memo: None,
        cap: None,
        external_id,
    })
}
