//! Facts of deliveries: what was sent for a purchase or a conversion, and what was not.

use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{
    ACTOR, EVIDENCE, ID, REASON, decided_by, end_to_end, payment_if,
};
use crate::contract::fact::shape::{FactShape, ReadContext, Subject};
use crate::contract::input::fields::Fields;
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::{
    Centavos, Moment, Operation, Pix, Reference, Whole, Word,
};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::shared::{ASSET, CHAIN, NETWORK, RETURN_ID, TRANSACTION};
use crate::ledger::purchase::Fact as PurchaseFact;
use crate::ledger::{Fact, FactKind, GiveUpTo};
use crate::machine::delivery::{Command, DeliveryReport};

const DELIVERED: Field =
    required("cashin_id", Operation, "the purchase, conversion or commission withdrawal");

/// Which attempt a report is of.
pub(in crate::contract) const ATTEMPT: Field = optional(
    "attempt",
    Whole(1, 65_535),
    "which attempt, as the instruction numbered it; absent: the one under way",
);

const DELIVERY: Subject = Subject::Operation(&["cashin_id"]);

checked!(enum PurchaseFact {
    Delivery { command, payment },
    DeliveryEvidence { sent: TRANSACTION },
    DeliveryGivenUp { to },
    CatalogueUpdated { listed, dropped: (ASSET, CHAIN) },
    MarketsUpdated { opened, closed: (ASSET, NETWORK) },
    RateQuoted { asset: ASSET, quote },
} else DeliveryResumed, ErroneousDeliverySettled);

checked!(Command { report });
checked!(enum DeliveryReport { Confirm(hash: TRANSACTION) } else Begin, Accept, Fail, Lose);
checked!(enum GiveUpTo { Payer(return_id: RETURN_ID) } else Custody);

/// Facts of a delivery's attempts: begun, sent, failed, unknown, given up.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::DeliveryStarted,
        name: "delivery.started",
        subject: DELIVERY,
        meaning: "An attempt to deliver began: the crypto is bought.",
        fields: &[ID, DELIVERED, ATTEMPT],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.started","body":{"id":"del-1","cashin_id":"$c1.cashin_id"}}"#,
        read: |fields, _| delivery(fields, DeliveryReport::Begin),
    },
    FactShape {
        kind: FactKind::DeliveryAccepted,
        name: "delivery.accepted",
        subject: DELIVERY,
        meaning: "Whoever sends accepted the attempt; there is no hash yet.",
        fields: &[ID, DELIVERED, ATTEMPT],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.accepted","body":{"id":"del-2","cashin_id":"$c1.cashin_id"}}"#,
        read: |fields, _| delivery(fields, DeliveryReport::Accept),
    },
    FactShape {
        kind: FactKind::DeliverySent,
        name: "delivery.sent",
        subject: DELIVERY,
        meaning: "The crypto was sent; what was sent without reason is a claim.",
        fields: &[
            ID,
            DELIVERED,
            required("tx_hash", Reference(128), "the transaction"),
            ATTEMPT,
            optional("e2e", Pix, "the PIX, when the news of its payment may not have come"),
            optional("amount_cents", Centavos, "what was paid, with e2e"),
            optional("paid_at", Moment, "when it was paid, with e2e"),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.sent","body":{"id":"del-3","cashin_id":"$c1.cashin_id","tx_hash":"0xabc"}}"#,
        read: read_delivery_sent,
    },
    FactShape {
        kind: FactKind::DeliveryFailed,
        name: "delivery.failed",
        subject: DELIVERY,
        meaning: "The attempt definitely failed; another may begin.",
        fields: &[ID, DELIVERED, ATTEMPT],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.failed","body":{"id":"del-4","cashin_id":"$c1.cashin_id"}}"#,
        read: |fields, _| delivery(fields, DeliveryReport::Fail),
    },
    FactShape {
        kind: FactKind::DeliveryUnknown,
        name: "delivery.unknown",
        subject: DELIVERY,
        meaning: "The attempt's outcome is unknown: it waits for evidence, and nothing moves.",
        fields: &[ID, DELIVERED, ATTEMPT],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.unknown","body":{"id":"del-5","cashin_id":"$c1.cashin_id"}}"#,
        read: |fields, _| delivery(fields, DeliveryReport::Lose),
    },
    FactShape {
        kind: FactKind::DeliveryEvidence,
        name: "delivery.evidence",
        subject: DELIVERY,
        meaning: "An operator found out what became of a delivery.",
        fields: &[
            ID,
            DELIVERED,
            required("outcome", Word(16), "sent or not_sent"),
            optional("tx_hash", Reference(128), "the transaction, required when sent"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.evidence","body":{"id":"dev-1","cashin_id":"$c1.cashin_id","outcome":"not_sent","actor":"bia","reason":"the exchange never sent it","evidence":"log-78"}}"#,
        read: |fields, _| evidence(fields),
    },
    FactShape {
        kind: FactKind::DeliveryGivenUp,
        name: "delivery.given_up",
        subject: DELIVERY,
        meaning: "An operator gives a delivery up, before it was sent or after a definite failure.",
        fields: &[
            ID,
            DELIVERED,
            required(
                "to",
                Word(16),
                "pagador (of a purchase), or saldo: custody, or where a conversion came from",
            ),
            optional("return_id", Pix, "the return, required to pagador"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.given_up","body":{"id":"give-1","cashin_id":"$c1.cashin_id","to":"saldo","actor":"bia","reason":"the network is down"}}"#,
        read: |fields, _| given_up(fields),
    },
    FactShape {
        kind: FactKind::DeliveryResumed,
        name: "delivery.resumed",
        subject: DELIVERY,
        meaning: "An operator lets what is left of a purchase be delivered, after a part of its PIX went back: fees in proportion, at the price that was agreed.",
        fields: &[ID, required("cashin_id", Operation, "the purchase"), ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.resumed","body":{"id":"res-1","cashin_id":"$c1.cashin_id","actor":"bia","reason":"the payer wants the rest"}}"#,
        read: |fields, _| {
            Ok(Fact::Purchase(PurchaseFact::DeliveryResumed {
                op: fields.operation("cashin_id")?,
                decided_by: decided_by(fields)?,
            }))
        },
    },
];

/// A delivery that moved, without news of its payment.
fn delivery(fields: &Fields<'_>, report: DeliveryReport) -> Result<Fact, Problem> {
    let attempt = attempt(fields)?;
    let op = fields.operation("cashin_id")?;
    Ok(Fact::Purchase(PurchaseFact::Delivery {
        op,
        command: Command { attempt, report },
        payment: None,
    }))
}

/// The news that crypto was sent may run ahead of the news that it was paid for.
fn read_delivery_sent(fields: &mut Fields<'_>, context: &ReadContext<'_>) -> Result<Fact, Problem> {
    let report = DeliveryReport::Confirm(hash(fields)?);
    let attempt = attempt(fields)?;
    let payment = payment_if(fields, context.at)?;
    let op = fields.operation("cashin_id")?;
    Ok(Fact::Purchase(PurchaseFact::Delivery { op, command: Command { attempt, report }, payment }))
}

/// The attempt that a report names, if it names one.
pub(in crate::contract) fn attempt(fields: &Fields<'_>) -> Result<Option<u32>, Problem> {
    match fields.whole_if("attempt", u16::MAX)? {
        Some(0) => Err(wrong("attempt", "counts from 1")),
        other => Ok(other.map(u32::from)),
    }
}

/// The transaction that delivered.
///
/// # Errors
///
/// A [`Problem`] when it is missing or longer than 128 characters.
pub fn hash(fields: &Fields<'_>) -> Result<Box<str>, Problem> {
    Ok(fields.required_text("tx_hash", 128)?.into())
}

fn evidence(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let sent = match fields.required_text("outcome", 16)? {
        "sent" => Some(hash(fields)?),
        "not_sent" => None,
        _ => return Err(wrong("outcome", "must be sent or not_sent")),
    };
    let op = fields.operation("cashin_id")?;
    Ok(Fact::Purchase(PurchaseFact::DeliveryEvidence { op, sent, decided_by: decided_by(fields)? }))
}

fn given_up(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let to = match fields.required_text("to", 16)? {
        "pagador" => GiveUpTo::Payer(end_to_end(fields, "return_id")?),
        "saldo" => GiveUpTo::Custody,
        _ => return Err(wrong("to", "must be pagador or saldo")),
    };
    let op = fields.operation("cashin_id")?;
    Ok(Fact::Purchase(PurchaseFact::DeliveryGivenUp { op, to, decided_by: decided_by(fields)? }))
}
