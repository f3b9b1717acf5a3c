//! Facts of holds: money blocked, let go, reserved, captured, and taken by a court.

use crate::contract::error::{Problem, malformed_field, wrong};
use crate::contract::fact::parts::{
    ACCOUNT, ACTOR, AMOUNT, CUSTOMER, EVIDENCE, ID, REASON, account as account_of, decided_by,
    description,
};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::{Fields, missing};
use crate::contract::product::fact::{LEG_ACCOUNT, leg_account};
use crate::contract::schema::bounds::{Customer, checked};
use crate::contract::schema::field::FieldType::{
    Centavos, Flag, Moment, Object, Operation, Text, Word,
};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::suspense::fact::read_court_order;
use crate::contract::wire_names;
use crate::ledger::hold::{Destination, Fact as HoldFact};
use crate::ledger::{Fact, FactKind, Malformed};
use crate::terms::Switch;

checked!(
    enum HoldFact {
        Placed { account: ACCOUNT, customer: Customer(CUSTOMER), amount: AMOUNT },
        Released { amount: AMOUNT },
        Reserved {
            account: ACCOUNT,
            customer: Customer(CUSTOMER),
            amount: AMOUNT,
            label: (LABEL, Malformed::word),
        },
        Captured { amount: AMOUNT, to },
    }
);
checked!(Destination { account: LEG_ACCOUNT[0], holder });

const LABEL: Field = optional("kind", Text(64), "the service's own word for it, such as `card`");
const TO: Field = required("to", Object(LEG_ACCOUNT), "the account that is credited");

/// Facts by which money of a subaccount is blocked, let go, reserved, captured, or taken by a
/// court.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::HoldPlaced,
        name: "hold.placed",
        subject: Subject::Operation(&["cashin_id"]),
        meaning: "An operator blocks money; for what is short the hold keeps watching.",
        fields: &[
            ID,
            ACCOUNT,
            optional(
                "customer_ref",
                Text(80),
                "the subaccount; absent: that of the cause, or the house; with a cause, another \
                 subaccount that its money went on to (dispute, precautionary or judicial)",
            ),
            optional(
                "cashin_id",
                Operation,
                "the charge that is the cause; its own held part is taken first, and its return \
                 takes what the block holds",
            ),
            required("kind", Word(32), "dispute, precautionary, judicial or administrative"),
            AMOUNT,
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-22T11:00:00Z","fact":"hold.placed","body":{"id":"hold-1","account":"loja","customer_ref":"ana","cashin_id":"$p1.cashin_id","kind":"dispute","amount_cents":10000,"actor":"bia","reason":"payer contests"}}"#,
        read: |fields, _| hold(fields),
    },
    FactShape {
        kind: FactKind::HoldReleased,
        name: "hold.released",
        subject: Subject::Operation(&["hold_id"]),
        meaning: "An operator lets go: of so much, or of everything and for good.",
        fields: &[
            ID,
            required("hold_id", Operation, "the hold"),
            optional("amount_cents", Centavos, "how much; absent: everything, and the watch ends"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-24T11:00:00Z","fact":"hold.released","body":{"id":"free-1","hold_id":"$h1.hold_id","actor":"bia","reason":"dispute withdrawn"}}"#,
        read: |fields, _| {
            Ok(Fact::Hold(HoldFact::Released {
                hold: fields.operation("hold_id")?,
                amount: fields.amount_if("amount_cents")?,
                decided_by: decided_by(fields)?,
            }))
        },
    },
    FactShape {
        kind: FactKind::ReservationMade,
        name: "reservation.made",
        subject: Subject::Ledger,
        meaning: "A service reserves money of a customer, all of it or nothing, for what it \
                  captures; hold.released lets go of the rest.",
        fields: &[
            ID,
            ACCOUNT,
            CUSTOMER,
            AMOUNT,
            optional("expires_at", Moment, "when the rest is available again by itself"),
            LABEL,
            optional("description", Text(255), "what statements say of captures"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"reservation.made","body":{"id":"rsv-1","account":"loja","customer_ref":"ana","amount_cents":5000,"expires_at":"2026-11-29T12:00:00Z","kind":"card","description":"Posto Ipiranga","actor":"cartoes","reason":"authorization"}}"#,
        read: |fields, _| read_reservation(fields),
    },
    FactShape {
        kind: FactKind::ReservationCaptured,
        name: "reservation.captured",
        subject: Subject::Operation(&["hold_id"]),
        meaning: "A service captures a part of what it reserved, and sends it where a leg of an \
                  entry may go.",
        fields: &[
            ID,
            required("hold_id", Operation, "the reservation"),
            AMOUNT,
            TO,
            optional("final", Flag, "true: the rest is available again; absent: it stays reserved"),
            optional("description", Text(255), "what statements say; absent: as the reservation's"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-23T12:00:00Z","fact":"reservation.captured","body":{"id":"cap-1","hold_id":"$r1.hold_id","amount_cents":4200,"to":{"name":"cust.avail","of":{"account":"loja","customer_ref":"posto"}},"final":true,"actor":"cartoes","reason":"clearing"}}"#,
        read: |fields, _| read_capture(fields),
    },
    FactShape {
        kind: FactKind::CourtOrdered,
        name: "court.ordered",
        subject: Subject::Operation(&["hold_id"]),
        meaning: "A court takes money from a balance, which may become negative; it waits in suspense \
                  until suspense.returned says that it left.",
        fields: &[
            ID,
            ACCOUNT,
            CUSTOMER,
            optional("hold_id", Operation, "the block placed for this order; it gives first"),
            AMOUNT,
            ACTOR,
            REASON,
            required("evidence", Text(255), "a reference to the order"),
        ],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"court.ordered","body":{"id":"court-1","account":"loja","customer_ref":"ana","amount_cents":5000,"actor":"bia","reason":"court order","evidence":"proc-0001"}}"#,
        read: |fields, _| read_court_order(fields),
    },
];

fn hold(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let kind = wire_names::hold_kind(fields.required_text("kind", 32)?);
    let kind = kind.ok_or_else(|| {
        wrong("kind", "must be dispute, precautionary, judicial or administrative")
    })?;
    let cause = match fields.value("cashin_id") {
        Some(_) => {
            let cause = fields.operation("cashin_id")?;
            Some(cause.ok_or_else(|| wrong("cashin_id", "is no charge of this ledger"))?)
        }
        None => None,
    };
    Ok(Fact::Hold(HoldFact::Placed {
        account: account_of(fields)?,
        customer: fields.customer("customer_ref")?,
        cause,
        kind,
        amount: fields.amount("amount_cents")?,
        decided_by: decided_by(fields)?,
    }))
}

fn read_reservation(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let label = fields.text(LABEL.name, 64)?;
    label.map_or(Ok(()), Malformed::word).map_err(|why| malformed_field(LABEL.name, why))?;
    Ok(Fact::Hold(HoldFact::Reserved {
        account: account_of(fields)?,
        customer: fields.customer("customer_ref")?,
        amount: fields.amount("amount_cents")?,
        ends_at: fields.instant_if("expires_at")?,
        label: label.map(Into::into),
        note: description(fields)?,
        decided_by: decided_by(fields)?,
    }))
}

fn read_capture(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let to = fields.value(TO.name).ok_or_else(|| missing(TO.name))?;
    let to = Fields::new(to, fields.tokens(), fields.ledger())?;
    to.only(LEG_ACCOUNT)?;
    let (account, holder) = leg_account(&to)?;
    Ok(Fact::Hold(HoldFact::Captured {
        hold: fields.operation("hold_id")?,
        amount: fields.amount("amount_cents")?,
        to: Destination { account, holder },
        last: fields.switch_if("final")?.unwrap_or(Switch::Off),
        note: description(fields)?,
        decided_by: decided_by(fields)?,
    }))
}
