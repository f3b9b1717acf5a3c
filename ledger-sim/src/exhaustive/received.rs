//! One charge into custody, and money that waits in suspense.

use ledger_core::id::OpId;
use ledger_core::ledger::adjustment::Fact as AdjustmentFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::hold::Fact as HoldFact;
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::ledger::{ChargeRequest, Destination, Income, Intent, TransferRequest};
use ledger_core::machine::charge::{Delivery, Qr};
use ledger_core::machine::hold;
use ledger_core::terms::Switch;

use super::ground::{ana, as_cents, by_client, cents, decided_by, intent, pix};
use super::{Say, Small};
use crate::oracle::Oracle;

/// A charge of R$ 100.00 for a subaccount, credited as it is paid.
pub(super) const CHARGE: Small = Small {
    name: "a charge into custody",
    begins: super::ground::beginning,
    opening: |_| by_client(charge(10_000, Destination::Custody, "c-1")),
    more: &[],
    alphabet: &[COURSE],
};

/// The same of R$ 300.00, which the provider holds for a day.
pub(super) const RETAINED: Small = Small {
    name: "a charge that the provider holds",
    begins: super::ground::beginning,
    opening: |_| by_client(charge(30_000, Destination::Custody, "c-1")),
    more: &[],
    alphabet: &[COURSE],
};

/// What may become of a charge.
const COURSE: &[(&str, Say)] = &[
    ("the same again", |it| again(it, 0)),
    ("another body", |it| again(it, 1)),
    ("paid", |it| pay_charge(it, "e-1", asked_for(it))),
    ("paid again", |it| pay_charge(it, "e-2", asked_for(it))),
    ("paid too much", |it| pay_charge(it, "e-3", asked_for(it) + 1)),
    ("seen", |it| {
        intent(
            "seen",
            ChargeFact::PixSeen { charge: first(it), payment: pix(it, "e-1", asked_for(it)) },
        )
    }),
    ("settled", |it| intent("settled", ChargeFact::ProviderSettled { charge: first(it) })),
    ("held", |it| intent("held", ChargeFact::ProviderHeld { charge: first(it), until: None })),
    ("released", |it| {
        intent("freed", ChargeFact::ProviderReleased { charge: first(it), payment: None })
    }),
    ("released with its PIX", |it| {
        let payment = Some(pix(it, "e-1", asked_for(it)));
        intent("freed-e", ChargeFact::ProviderReleased { charge: first(it), payment })
    }),
    ("cancelled", |it| intent("cancelled", ChargeFact::ProviderCancelled { charge: first(it) })),
    ("returned in part", |it| back(it, "d-1", 4_000)),
    ("the rest returned", |it| back(it, "d-2", asked_for(it) - 4_000)),
    ("more returned than was paid", |it| back(it, "d-3", asked_for(it) + 1)),
    ("spent", |_| spend(9_000, "t-1")),
    ("blocked", |it| {
        let (account, customer, cause) = ("loja".into(), ana(), first(it));
        let (kind, amount, decided_by) = (hold::Kind::Dispute, cents(asked_for(it)), decided_by());
        let fact = HoldFact::Placed { account, customer, cause, kind, amount, decided_by };
        intent("block", fact)
    }),
];

/// A charge of R$ 20.00, and a PIX of as much that names none.
pub(super) const SUSPENSE: Small = Small {
    name: "a PIX in suspense",
    begins: super::ground::beginning,
    opening: |_| by_client(charge(2_000, Destination::Custody, "c-1")),
    more: &[|it| {
        intent("r", ChargeFact::PixReceived { charge: None, payment: pix(it, "e-1", 2_000) })
    }],
    alphabet: &[&[
        ("the same PIX again", |it| {
            intent(
                "s",
                ChargeFact::PixReceived { charge: first(it), payment: pix(it, "e-1", 2_000) },
            )
        }),
        ("attached", |it| attach(it, "attach-1")),
        ("attached once more", |it| attach(it, "attach-2")),
        ("sent back", |it| send_back(it, "back-1")),
        ("sent back once more", |it| send_back(it, "back-2")),
        ("paid by another PIX", |it| pay_charge(it, "e-2", 2_000)),
        ("returned in part", |it| back(it, "d-1", 500)),
        ("returned whole", |it| back(it, "d-2", 2_000)),
        ("cancelled", |it| {
            intent("cancelled", ChargeFact::ProviderCancelled { charge: first(it) })
        }),
        ("spent", |_| spend(1_760, "t-1")),
        ("a fee given", |_| adjust_fee("fee-1", 100, 0)),
        ("a fee charged", |_| adjust_fee("fee-2", 0, 2_500)),
        ("written off", |_| {
            let (account, customer) = ("loja".into(), ana());
            let (amount, decided_by) = (cents(740), decided_by());
            intent(
                "off",
                AdjustmentFact::BalanceWrittenOff { account, customer, amount, decided_by },
            )
        }),
    ]],
};

/// A charge for Ana.
pub(super) fn charge(amount: i64, destination: Destination, external_id: &str) -> ChargeRequest {
    let address = Some(format!("0x{}", "a".repeat(40)).into());
    ChargeRequest {
        customer: ana(),
        qr: Some(Qr { copypaste: "00020126".into(), image_url: None }),
        external_id: Some(external_id.into()),
        ..ChargeRequest::new(
            cents(amount),
            ledger_core::id::Token([4; 16]),
            Switch::On,
            Delivery { asset: "usdt".into(), chain: "polygon".into(), address },
            destination,
        )
    }
}

fn again(oracle: &Oracle, more: i64) -> Option<Intent> {
    by_client(charge(asked_for(oracle) + more, Destination::Custody, "c-1"))
}

/// Returns what the charge asks for, in centavos.
fn asked_for(oracle: &Oracle) -> i64 {
    first(oracle).map_or(10_000, |op| oracle.charges[&op].amount)
}

/// The charge the world is about.
pub(super) fn first(oracle: &Oracle) -> Option<OpId> {
    oracle.charges.keys().next().copied()
}

pub(super) fn pay_charge(oracle: &Oracle, e2e: &str, amount: i64) -> Option<Intent> {
    let payment = pix(oracle, e2e, amount);
    intent(e2e, ChargeFact::PixReceived { charge: first(oracle), payment })
}

pub(super) fn back(oracle: &Oracle, return_id: &str, amount: i64) -> Option<Intent> {
    let (charge, amount) = (first(oracle), cents(amount));
    intent(return_id, ChargeFact::PixReturned { charge, return_id: return_id.into(), amount })
}

/// Ana gives to Bia.
pub(super) fn spend(amount: i64, external_id: &str) -> Option<Intent> {
    by_client(TransferRequest {
        from: ana(),
        to: Some("bia".into()),
        external_id: Some(external_id.into()),
        ..TransferRequest::new(cents(amount))
    })
}

/// What funds Ana with R$ 96.00, once a charge of R$ 100.00 stands.
pub(super) const FUNDED: [Say; 1] = [|it| pay_charge(it, "e-1", 10_000)];

fn attach(oracle: &Oracle, id: &str) -> Option<Intent> {
    let suspense = oracle.suspense.keys().next().copied();
    let (charge, decided_by) = (first(oracle), decided_by());
    intent(id, SuspenseFact::Attached { suspense, charge, decided_by })
}

fn send_back(oracle: &Oracle, id: &str) -> Option<Intent> {
    let suspense = oracle.suspense.keys().next().copied();
    intent(id, SuspenseFact::Returned { suspense, return_id: None, decided_by: decided_by() })
}

fn adjust_fee(id: &str, given: i64, charged: i64) -> Option<Intent> {
    let (account, customer) = ("loja".into(), ana());
    let (given, charged, income) = (as_cents(given), as_cents(charged), Income::Deposit);
    let decided_by = decided_by();
    intent(
        id,
        AdjustmentFact::FeeAdjusted { account, customer, given, charged, income, decided_by },
    )
}
