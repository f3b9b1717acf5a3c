//! Facts of payouts: what the provider reports of them, and what operators decide.

use crate::contract::error::wrong;
use crate::contract::fact::parts::{ACTOR, AMOUNT, EVIDENCE, ID, REASON, decided_by, end_to_end};
use crate::contract::fact::payment_details::{
    INSTITUTION, RECEIPT_URL, RECIPIENT_DOCUMENT, RECIPIENT_NAME, SETTLED_BY, of_sent_pix,
};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::{Centavos, Operation, Pix, Word};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::shared::{E2E, RETURN_ID};
use crate::ledger::payout::Fact as PayoutFact;
use crate::ledger::{Fact, FactKind};

const PAYOUT: Field = required("payout_id", Operation, "the payout");

const PAID_OUT: Subject = Subject::Operation(&["payout_id"]);

checked!(enum PayoutFact {
    Paid { e2e: E2E, amount: AMOUNT },
    Returned { return_id: RETURN_ID, amount: AMOUNT },
    Evidence { paid: E2E },
} else Submitted, Refused, Unknown, Stopped, Cleared);

/// Facts of a payout: submitted, paid, refused, unknown, its evidence, stopped, cleared, returned.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::PayoutSubmitted,
        name: "payout.submitted",
        subject: PAID_OUT,
        meaning: "The provider took a payout.",
        fields: &[ID, PAYOUT],
        example: r#"{"at":"2026-11-22T10:00:00Z","fact":"payout.submitted","body":{"id":"sub-1","payout_id":"$o1.payout_id"}}"#,
        read: |fields, _| {
            Ok(Fact::Payout(PayoutFact::Submitted { payout: fields.operation("payout_id")? }))
        },
    },
    FactShape {
        kind: FactKind::PayoutPaid,
        name: "payout.paid",
        subject: PAID_OUT,
        meaning: "A payout was paid; if that contradicts the books, it is a claim on the provider.",
        fields: &[
            PAYOUT,
            required("e2e", Pix, "the end-to-end id"),
            optional("amount_cents", Centavos, "what was paid, if the payout may not be known"),
            RECIPIENT_NAME,
            RECIPIENT_DOCUMENT,
            INSTITUTION,
            SETTLED_BY,
            RECEIPT_URL,
        ],
        example: r#"{"at":"2026-11-22T10:00:05Z","fact":"payout.paid","body":{"payout_id":"$o1.payout_id","e2e":"E9040088820261122100000123873172"}}"#,
        read: |fields, _| {
            let paid = Fact::Payout(PayoutFact::Paid {
                payout: fields.operation("payout_id")?,
                e2e: end_to_end(fields, "e2e")?,
                amount: fields.amount_if("amount_cents")?,
            });
            of_sent_pix(fields, paid)
        },
    },
    FactShape {
        kind: FactKind::PayoutRefused,
        name: "payout.refused",
        subject: PAID_OUT,
        meaning: "A payout was definitely not paid: everything goes back.",
        fields: &[ID, PAYOUT],
        example: r#"{"at":"2026-11-22T10:00:05Z","fact":"payout.refused","body":{"id":"ref-1","payout_id":"$o1.payout_id"}}"#,
        read: |fields, _| {
            Ok(Fact::Payout(PayoutFact::Refused { payout: fields.operation("payout_id")? }))
        },
    },
    FactShape {
        kind: FactKind::PayoutUnknown,
        name: "payout.unknown",
        subject: PAID_OUT,
        meaning: "A payout's outcome is unknown: it waits for evidence, and nothing moves.",
        fields: &[ID, PAYOUT],
        example: r#"{"at":"2026-11-22T10:00:30Z","fact":"payout.unknown","body":{"id":"unk-1","payout_id":"$o1.payout_id"}}"#,
        read: |fields, _| {
            Ok(Fact::Payout(PayoutFact::Unknown { payout: fields.operation("payout_id")? }))
        },
    },
    FactShape {
        kind: FactKind::PayoutReturned,
        name: "payout.returned",
        subject: PAID_OUT,
        meaning: "A paid payout came back from the beneficiary's bank, in part or whole.",
        fields: &[PAYOUT, RETURN_ID, AMOUNT],
        example: r#"{"at":"2026-11-23T10:00:00Z","fact":"payout.returned","body":{"payout_id":"$o1.payout_id","return_id":"D9040088820261123100000123873173","amount_cents":2500}}"#,
        read: |fields, _| {
            Ok(Fact::Payout(PayoutFact::Returned {
                payout: fields.operation("payout_id")?,
                return_id: end_to_end(fields, "return_id")?,
                amount: fields.amount("amount_cents")?,
            }))
        },
    },
    FactShape {
        kind: FactKind::PayoutEvidence,
        name: "payout.evidence",
        subject: PAID_OUT,
        meaning: "An operator found out what became of a payout.",
        fields: &[
            ID,
            PAYOUT,
            required("outcome", Word(16), "paid or not_paid"),
            optional("e2e", Pix, "the end-to-end id, required when paid"),
            RECIPIENT_NAME,
            RECIPIENT_DOCUMENT,
            INSTITUTION,
            SETTLED_BY,
            RECEIPT_URL,
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-22T15:00:00Z","fact":"payout.evidence","body":{"id":"ev-1","payout_id":"$o1.payout_id","outcome":"not_paid","actor":"bia","reason":"provider's statement of the day","evidence":"stmt-2026-11-22"}}"#,
        read: |fields, _| {
            let found = Fact::Payout(PayoutFact::Evidence {
                payout: fields.operation("payout_id")?,
                paid: match fields.required_text("outcome", 16)? {
                    "paid" => Some(end_to_end(fields, "e2e")?),
                    "not_paid" => None,
                    _ => return Err(wrong("outcome", "must be paid or not_paid")),
                },
                decided_by: decided_by(fields)?,
            });
            of_sent_pix(fields, found)
        },
    },
    FactShape {
        kind: FactKind::PayoutStopped,
        name: "payout.stopped",
        subject: PAID_OUT,
        meaning: "Compliance stops a payout before it is sent.",
        fields: &[ID, PAYOUT, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"payout.stopped","body":{"id":"stop-1","payout_id":"$o1.payout_id","actor":"bia","reason":"to be looked at"}}"#,
        read: |fields, _| {
            Ok(Fact::Payout(PayoutFact::Stopped {
                payout: fields.operation("payout_id")?,
                decided_by: decided_by(fields)?,
            }))
        },
    },
    FactShape {
        kind: FactKind::PayoutCleared,
        name: "payout.cleared",
        subject: PAID_OUT,
        meaning: "Compliance lets a stopped payout go on.",
        fields: &[ID, PAYOUT, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"payout.cleared","body":{"id":"go-1","payout_id":"$o1.payout_id","actor":"bia","reason":"looked at"}}"#,
        read: |fields, _| {
            Ok(Fact::Payout(PayoutFact::Cleared {
                payout: fields.operation("payout_id")?,
                decided_by: decided_by(fields)?,
            }))
        },
    },
];
