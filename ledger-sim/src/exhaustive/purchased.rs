//! One purchase of crypto with a PIX, and its delivery.

use ledger_core::id::OpId;
use ledger_core::ledger::{Destination, Fact, GiveUpTo, Intent};
use ledger_core::machine::delivery::{Command, News};
use ledger_core::machine::stray::End;

use super::ground::{asked, judgement, pix, told};
use super::received::{back, charge, first, paid, spend};
use super::{Say, Small};
use crate::oracle::Oracle;

/// A purchase of R$ 100.00.
pub(super) const PURCHASE: Small = Small {
    name: "a purchase",
    begins: super::ground::beginning,
    opening: |_| asked(charge(10_000, Destination::Crypto { memo: None }, "c-1")),
    more: &[],
    alphabet: &[DELIVERY, PURCHASED],
};

/// The same, paid, and nobody knows whether it was sent.
pub(super) const UNKNOWN: Small = Small {
    name: "a purchase whose delivery is unknown",
    begins: super::ground::beginning,
    opening: |_| asked(charge(10_000, Destination::Crypto { memo: None }, "c-1")),
    more: &[
        |it| paid(it, "e-1", 10_000),
        |it| news(delivered(it), "n-1", None, News::Begin),
        |it| news(delivered(it), "n-7", None, News::Lose),
    ],
    alphabet: &[DELIVERY, PURCHASED],
};

/// What may become of a purchase beside its delivery.
const PURCHASED: &[(&str, Say)] = &[
    ("paid", |it| paid(it, "e-1", 10_000)),
    ("seen", |it| {
        told("seen", Fact::PixSeen { charge: first(it), receipt: pix(it, "e-1", 10_000) })
    }),
    ("held", |it| told("held", Fact::ProviderHeld { charge: first(it), until: None })),
    ("released", |it| told("freed", Fact::ProviderReleased { charge: first(it), receipt: None })),
    ("given up to the payer", |it| given_up(first(it), "u-1", GiveUpTo::Payer("d-9".into()))),
    ("given up to custody", |it| given_up(first(it), "u-2", GiveUpTo::Custody)),
    ("returned in part", |it| back(it, "d-1", 4_000)),
    ("returned whole", |it| back(it, "d-2", 10_000)),
    ("more returned than was paid", |it| back(it, "d-3", 10_001)),
    ("the return came back", |it| {
        let suspense = it.suspense.keys().next().copied();
        told("back", Fact::SuspenseReturned { suspense, judgement: judgement() })
    }),
    ("gone on", |it| told("on", Fact::DeliveryResumed { op: first(it), judgement: judgement() })),
    ("gone on again", |it| {
        told("on-2", Fact::DeliveryResumed { op: first(it), judgement: judgement() })
    }),
    ("spent", |_| spend(5_000, "t-1")),
    ("lost", |it| settled(it, "s-2", End::Lost)),
];

/// What may become of a delivery, of a purchase or of a conversion.
pub(super) const DELIVERY: &[(&str, Say)] = &[
    ("begun", |it| news(delivered(it), "n-1", None, News::Begin)),
    ("begun again", |it| news(delivered(it), "n-2", Some(2), News::Begin)),
    ("accepted", |it| news(delivered(it), "n-3", None, News::Accept)),
    ("sent", |it| news(delivered(it), "n-4", None, News::Confirm("0x1".into()))),
    ("sent twice", |it| news(delivered(it), "n-5", None, News::Confirm("0x2".into()))),
    ("failed", |it| news(delivered(it), "n-6", None, News::Fail)),
    ("lost from sight", |it| news(delivered(it), "n-7", None, News::Lose)),
    ("found sent", |it| found(delivered(it), "f-1", Some("0x1"))),
    ("found not sent", |it| found(delivered(it), "f-2", None)),
    ("recovered", |it| settled(it, "s-1", End::Recovered)),
];

/// What the world delivers: its conversion, or else its purchase.
fn delivered(oracle: &Oracle) -> Option<OpId> {
    oracle.conversions.keys().next().copied().or_else(|| first(oracle))
}

fn news(op: Option<OpId>, id: &str, attempt: Option<u32>, news: News) -> Option<Intent> {
    told(id, Fact::Delivery { op, command: Command { attempt, news }, receipt: None })
}

fn found(op: Option<OpId>, id: &str, sent: Option<&str>) -> Option<Intent> {
    let sent = sent.map(Into::into);
    told(id, Fact::DeliveryEvidence { op, sent, judgement: judgement() })
}

pub(super) fn given_up(op: Option<OpId>, id: &str, to: GiveUpTo) -> Option<Intent> {
    told(id, Fact::DeliveryGivenUp { op, to, judgement: judgement() })
}

/// What went astray comes to an end; nothing to say while nothing did.
pub(super) fn settled(oracle: &Oracle, id: &str, end: End) -> Option<Intent> {
    let stray = Some(oracle.strays.keys().next().copied()?);
    told(id, Fact::StraySettled { stray, end, judgement: judgement() })
}
