//! One purchase of crypto with a PIX, and its delivery.

use ledger_core::id::OpId;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::ledger::{Destination, GiveUpTo, Intent};
use ledger_core::machine::delivery::{Command, DeliveryReport};
use ledger_core::machine::erroneous_delivery::End;

use super::ground::{by_client, decided_by, intent, pix};
use super::received::{back, charge, first, pay_charge, spend};
use super::{Say, Small};
use crate::oracle::Oracle;

/// A purchase of R$ 100.00.
pub(super) const PURCHASE: Small = Small {
    name: "a purchase",
    begins: super::ground::beginning,
    opening: |_| by_client(charge(10_000, Destination::Crypto { memo: None }, "c-1")),
    more: &[],
    alphabet: &[DELIVERY, PURCHASED],
};

/// The same, paid, and nobody knows whether it was sent.
pub(super) const UNKNOWN: Small = Small {
    name: "a purchase whose delivery is unknown",
    begins: super::ground::beginning,
    opening: |_| by_client(charge(10_000, Destination::Crypto { memo: None }, "c-1")),
    more: &[
        |it| pay_charge(it, "e-1", 10_000),
        |it| report(delivery_op(it), "n-1", None, DeliveryReport::Begin),
        |it| report(delivery_op(it), "n-7", None, DeliveryReport::Lose),
    ],
    alphabet: &[DELIVERY, PURCHASED],
};

/// What may become of a purchase beside its delivery.
const PURCHASED: &[(&str, Say)] = &[
    ("paid", |it| pay_charge(it, "e-1", 10_000)),
    ("seen", |it| {
        intent("seen", ChargeFact::PixSeen { charge: first(it), payment: pix(it, "e-1", 10_000) })
    }),
    ("held", |it| intent("held", ChargeFact::ProviderHeld { charge: first(it), until: None })),
    ("released", |it| {
        intent("freed", ChargeFact::ProviderReleased { charge: first(it), payment: None })
    }),
    ("given up to the payer", |it| given_up(first(it), "u-1", GiveUpTo::Payer("d-9".into()))),
    ("given up to custody", |it| given_up(first(it), "u-2", GiveUpTo::Custody)),
    ("returned in part", |it| back(it, "d-1", 4_000)),
    ("returned whole", |it| back(it, "d-2", 10_000)),
    ("more returned than was paid", |it| back(it, "d-3", 10_001)),
    ("the return came back", |it| {
        let suspense = it.suspense.keys().next().copied();
        intent(
            "back",
            SuspenseFact::Returned { suspense, return_id: None, decided_by: decided_by() },
        )
    }),
    ("gone on", |it| {
        intent("on", PurchaseFact::DeliveryResumed { op: first(it), decided_by: decided_by() })
    }),
    ("gone on again", |it| {
        intent("on-2", PurchaseFact::DeliveryResumed { op: first(it), decided_by: decided_by() })
    }),
    ("spent", |_| spend(5_000, "t-1")),
    ("lost", |it| settle_erroneous(it, "s-2", End::Lost)),
];

/// What may become of a delivery, of a purchase or of a conversion.
pub(super) const DELIVERY: &[(&str, Say)] = &[
    ("begun", |it| report(delivery_op(it), "n-1", None, DeliveryReport::Begin)),
    ("begun again", |it| report(delivery_op(it), "n-2", Some(2), DeliveryReport::Begin)),
    ("accepted", |it| report(delivery_op(it), "n-3", None, DeliveryReport::Accept)),
    ("sent", |it| report(delivery_op(it), "n-4", None, DeliveryReport::Confirm("0x1".into()))),
    ("sent twice", |it| {
        report(delivery_op(it), "n-5", None, DeliveryReport::Confirm("0x2".into()))
    }),
    ("failed", |it| report(delivery_op(it), "n-6", None, DeliveryReport::Fail)),
    ("lost from sight", |it| report(delivery_op(it), "n-7", None, DeliveryReport::Lose)),
    ("found sent", |it| evidence(delivery_op(it), "f-1", Some("0x1"))),
    ("found not sent", |it| evidence(delivery_op(it), "f-2", None)),
    ("recovered", |it| settle_erroneous(it, "s-1", End::Recovered)),
];

/// Returns what the world delivers: its conversion, or else its purchase.
fn delivery_op(oracle: &Oracle) -> Option<OpId> {
    oracle.conversions.keys().next().copied().or_else(|| first(oracle))
}

fn report(
    op: Option<OpId>,
    id: &str,
    attempt: Option<u32>,
    report: DeliveryReport,
) -> Option<Intent> {
    intent(id, PurchaseFact::Delivery { op, command: Command { attempt, report }, payment: None })
}

fn evidence(op: Option<OpId>, id: &str, sent: Option<&str>) -> Option<Intent> {
    let sent = sent.map(Into::into);
    intent(id, PurchaseFact::DeliveryEvidence { op, sent, decided_by: decided_by() })
}

pub(super) fn given_up(op: Option<OpId>, id: &str, to: GiveUpTo) -> Option<Intent> {
    intent(id, PurchaseFact::DeliveryGivenUp { op, to, decided_by: decided_by() })
}

/// Returns what went astray comes to an end; nothing to say while nothing did.
pub(super) fn settle_erroneous(oracle: &Oracle, id: &str, end: End) -> Option<Intent> {
    let erroneous_delivery = Some(oracle.erroneous_deliveries.keys().next().copied()?);
    intent(
        id,
        PurchaseFact::ErroneousDeliverySettled {
            erroneous_delivery,
            end,
            decided_by: decided_by(),
        },
    )
}
