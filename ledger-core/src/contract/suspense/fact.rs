//! Facts of what waits for a person: a PIX in suspense, and claims on crypto sent without reason.

use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{
    ACCOUNT, ACTOR, AMOUNT, CASHIN, CUSTOMER, EVIDENCE, ID, REASON, account, decided_by, end_to_end,
};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::Fields;
use crate::contract::schema::bounds::{Customer, checked};
use crate::contract::schema::field::FieldType::{Operation, Pix, Word};
use crate::contract::schema::field::{optional, required};
use crate::contract::schema::shared::RETURN_ID;
use crate::ledger::purchase::Fact as PurchaseFact;
use crate::ledger::suspense::Fact as SuspenseFact;
use crate::ledger::{Fact, FactKind};
use crate::machine::erroneous_delivery::End;

const WAITING: Subject = Subject::Operation(&["suspense_id"]);

checked!(enum SuspenseFact {
    Returned { return_id: RETURN_ID },
    CourtOrdered { account: ACCOUNT, customer: Customer(CUSTOMER), amount: AMOUNT },
} else Attached);

/// Facts that end what waits in suspense, and claims on what left without a reason.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::SuspenseAttached,
        name: "suspense.attached",
        subject: WAITING,
        meaning: "An operator gives a PIX in suspense to a charge, which it then pays.",
        fields: &[
            ID,
            required("suspense_id", Operation, "what waits"),
            CASHIN,
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"suspense.attached","body":{"id":"att-1","suspense_id":"$s1.suspense_id","cashin_id":"$p1.cashin_id","actor":"bia","reason":"payer added a centavo"}}"#,
        read: |fields, _| {
            Ok(Fact::Suspense(SuspenseFact::Attached {
                suspense: fields.operation("suspense_id")?,
                charge: fields.operation("cashin_id")?,
                decided_by: decided_by(fields)?,
            }))
        },
    },
    FactShape {
        kind: FactKind::SuspenseReturned,
        name: "suspense.returned",
        subject: WAITING,
        meaning: "What stood in suspense went back: to the payer, or to us.",
        fields: &[
            ID,
            required("suspense_id", Operation, "what waits"),
            optional(
                "return_id",
                Pix,
                "the return by which it went back, as the provider lists it",
            ),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"suspense.returned","body":{"id":"back-1","suspense_id":"$s1.suspense_id","return_id":"D9040088820261122120000123873176","actor":"bia","reason":"wrong amount"}}"#,
        read: |fields, _| {
            Ok(Fact::Suspense(SuspenseFact::Returned {
                suspense: fields.operation("suspense_id")?,
                return_id: match fields.value("return_id") {
                    Some(_) => Some(end_to_end(fields, "return_id")?),
                    None => None,
                },
                decided_by: decided_by(fields)?,
            }))
        },
    },
    FactShape {
        kind: FactKind::ErroneousDeliverySettled,
        name: "stray.settled",
        subject: Subject::Operation(&["stray_id"]),
        meaning: "A claim on crypto sent without reason ended.",
        fields: &[
            ID,
            required("stray_id", Operation, "the claim"),
            required("outcome", Word(16), "recovered or lost"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"stray.settled","body":{"id":"stray-1","stray_id":"$s1.stray_id","outcome":"recovered","actor":"bia","reason":"the customer sent it back"}}"#,
        read: |fields, _| read_settlement(fields),
    },
];

fn read_settlement(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let end = match fields.required_text("outcome", 16)? {
        "recovered" => End::Recovered,
        "lost" => End::Lost,
        _ => return Err(wrong("outcome", "must be recovered or lost")),
    };
    let erroneous_delivery = fields.operation("stray_id")?;
    Ok(Fact::Purchase(PurchaseFact::ErroneousDeliverySettled {
        erroneous_delivery,
        end,
        decided_by: decided_by(fields)?,
    }))
}

/// Reads the order of a court to take money of a subaccount.
pub(in crate::contract) fn read_court_order(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    fields.required_text("evidence", 255)?;
    Ok(Fact::Suspense(SuspenseFact::CourtOrdered {
        account: account(fields)?,
        customer: fields.customer("customer_ref")?,
        hold: match fields.value("hold_id") {
            Some(_) => {
                let hold = fields.operation("hold_id")?;
                Some(hold.ok_or_else(|| wrong("hold_id", "is no hold of this ledger"))?)
            }
            None => None,
        },
        amount: fields.amount("amount_cents")?,
        decided_by: decided_by(fields)?,
    }))
}
