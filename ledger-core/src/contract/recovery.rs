//! Facts of recoveries on the wire: a contested PIX is claimed, blocked, decided and refunded.

use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{
    ACCOUNT, ACTOR, AMOUNT, CASHIN, EVIDENCE, ID, REASON, account as account_of, decided_by,
    end_to_end,
};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::Fields;
use crate::contract::schema::bounds::{Customer, checked};
use crate::contract::schema::field::FieldType::{Centavos, Moment, Text, Word};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::shared::RETURN_ID;
use crate::ledger::recovery::{Fact as RecoveryFact, Ruling};
use crate::ledger::{Fact, FactKind};

const RECOVERY: Field =
    required("recovery_id", Text(64), "the recovery's id, as the bank that asks has it");
const CONTESTED: Field = optional(
    "customer_ref",
    Text(80),
    "the subaccount; absent: that of the charge; another that its money went on to",
);

checked!(enum RecoveryFact {
    Opened { recovery: RECOVERY, amount: AMOUNT },
    Blocked { recovery: RECOVERY, account: ACCOUNT, customer: Customer(CONTESTED) },
    Decided { recovery: RECOVERY, ruling },
    Refunded { recovery: RECOVERY, return_id: RETURN_ID, amount: AMOUNT },
});
checked!(enum Ruling { Accepted(amount: AMOUNT) } else Rejected);

/// The facts of recoveries.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::RecoveryOpened,
        name: "recovery.opened",
        subject: Subject::Operation(&["cashin_id"]),
        meaning: "The payer's bank asks for a contested PIX, or a part of it; it books nothing.",
        fields: &[
            ID,
            RECOVERY,
            CASHIN,
            AMOUNT,
            optional(
                "blocks_until",
                Moment,
                "until when it blocks what comes; absent, and at most: the policy's shortfall watch",
            ),
            optional("decides_until", Moment, "until when a person decides; absent: seven days"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-22T11:00:00Z","fact":"recovery.opened","body":{"id":"med-1","recovery_id":"rec-1","cashin_id":"$p1.cashin_id","amount_cents":10000,"actor":"bia","reason":"fraud reported"}}"#,
        read: |fields, _| {
            Ok(Fact::Recovery(RecoveryFact::Opened {
                recovery: recovery(fields)?,
                charge: fields.operation("cashin_id")?,
                amount: fields.amount("amount_cents")?,
                blocks_until: fields.instant_if("blocks_until")?,
                decides_until: fields.instant_if("decides_until")?,
                decided_by: decided_by(fields)?,
            }))
        },
    },
    FactShape {
        kind: FactKind::RecoveryBlocked,
        name: "recovery.blocked",
        subject: Subject::Operation(&["cashin_id"]),
        meaning: "A subaccount is blocked for a recovery: what is there and what comes, up to what \
                  the recovery's holds leave of its amount.",
        fields: &[ID, RECOVERY, CASHIN, ACCOUNT, CONTESTED, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-22T11:01:00Z","fact":"recovery.blocked","body":{"id":"med-2","recovery_id":"rec-1","cashin_id":"$p1.cashin_id","account":"loja","customer_ref":"ana","actor":"bia","reason":"fraud reported"}}"#,
        read: |fields, _| {
            Ok(Fact::Recovery(RecoveryFact::Blocked {
                recovery: recovery(fields)?,
                charge: fields.operation("cashin_id")?,
                account: account_of(fields)?,
                customer: fields.customer("customer_ref")?,
                decided_by: decided_by(fields)?,
            }))
        },
    },
    FactShape {
        kind: FactKind::RecoveryDecided,
        name: "recovery.decided",
        subject: Subject::Operation(&["cashin_id"]),
        meaning: "The analysis of a recovery is decided, once; what is blocked beyond what was \
                  accepted is let go, last placed first.",
        fields: &[
            ID,
            RECOVERY,
            CASHIN,
            required("outcome", Word(16), "accepted or rejected"),
            optional("amount_cents", Centavos, "how much is accepted; absent: all of it"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-24T11:00:00Z","fact":"recovery.decided","body":{"id":"med-3","recovery_id":"rec-1","cashin_id":"$p1.cashin_id","outcome":"accepted","amount_cents":6000,"actor":"bia","reason":"fraud found"}}"#,
        read: |fields, _| {
            Ok(Fact::Recovery(RecoveryFact::Decided {
                recovery: recovery(fields)?,
                charge: fields.operation("cashin_id")?,
                ruling: ruling(fields)?,
                decided_by: decided_by(fields)?,
            }))
        },
    },
    FactShape {
        kind: FactKind::RecoveryRefunded,
        name: "recovery.refunded",
        subject: Subject::Operation(&["cashin_id"]),
        meaning: "A part of what was accepted went back to the payer, out of the recovery's holds; \
                  a return that they cannot give goes to suspense.",
        fields: &[RECOVERY, CASHIN, RETURN_ID, AMOUNT],
        example: r#"{"at":"2026-11-24T12:00:00Z","fact":"recovery.refunded","body":{"recovery_id":"rec-1","cashin_id":"$p1.cashin_id","return_id":"D9040088820261124120000123873171","amount_cents":6000}}"#,
        read: |fields, _| {
            Ok(Fact::Recovery(RecoveryFact::Refunded {
                recovery: recovery(fields)?,
                charge: fields.operation("cashin_id")?,
                return_id: end_to_end(fields, "return_id")?,
                amount: fields.amount("amount_cents")?,
            }))
        },
    },
];

fn recovery(fields: &Fields<'_>) -> Result<Box<str>, Problem> {
    fields.required_text(RECOVERY.name, 64).map(Into::into)
}

fn ruling(fields: &Fields<'_>) -> Result<Ruling, Problem> {
    let amount = fields.amount_if("amount_cents")?;
    match (fields.required_text("outcome", 16)?, amount) {
        ("accepted", amount) => Ok(Ruling::Accepted(amount)),
        ("rejected", None) => Ok(Ruling::Rejected),
        ("rejected", Some(_)) => Err(wrong("amount_cents", "is for accepted alone")),
        _ => Err(wrong("outcome", "must be accepted or rejected")),
    }
}
