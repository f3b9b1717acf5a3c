//! Facts of charges: what the provider reports of them, and what operators report of payers.

use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{
    ACTOR, AMOUNT, CASHIN, EVIDENCE, ID, REASON, decided_by, end_to_end, operation_if, payment,
    payment_if,
};
use crate::contract::fact::payment_details::{
    INSTITUTION, PAID_BY, RECEIPT_URL, SETTLED_BY, of_received_pix,
};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::{Fields, letters};
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::{Centavos, Moment, Operation, Pix, Text, Word};
use crate::contract::schema::field::{optional, required};
use crate::contract::schema::shared::{E2E, RETURN_ID};
use crate::ledger::charge::Fact as ChargeFact;
use crate::ledger::{Fact, FactKind, State};
use crate::pix::Document;
use crate::terms::Review;

checked!(enum ChargeFact {
    PixReceived { payment },
    PixSeen { payment },
    PixReturned { return_id: RETURN_ID, amount: AMOUNT },
    ProviderReleased { payment },
} else ProviderSettled, ProviderHeld, ProviderCancelled, PayerReviewed);

/// Facts of a charge's PIX, of the provider's hold on it, and of its payer.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::PixReceived,
        name: "pix.received",
        subject: CHARGE,
        meaning: "A PIX arrived; what does not pay its charge exactly and in time goes to suspense.",
        fields: &[
            optional("cashin_id", Operation, "the charge its QR belongs to"),
            E2E,
            AMOUNT,
            optional(
                "paid_at",
                Moment,
                "when the payer paid, by the provider's clock; absent: now",
            ),
            INSTITUTION,
            SETTLED_BY,
            RECEIPT_URL,
            PAID_BY,
        ],
        example: r#"{"at":"2026-11-20T12:03:00Z","fact":"pix.received","body":{"cashin_id":"$p1.cashin_id","e2e":"E9040088820261120120300123873170","amount_cents":10000}}"#,
        read: |fields, context| {
            let charge = operation_if(fields, "cashin_id")?;
            let payment = payment(fields, context.effective_at())?;
            of_received_pix(fields, Fact::Charge(ChargeFact::PixReceived { charge, payment }))
        },
    },
    FactShape {
        kind: FactKind::PixSeen,
        name: "pix.seen",
        subject: CHARGE,
        meaning: "A PIX was seen for a charge, and the provider has not settled it yet.",
        fields: &[
            CASHIN,
            E2E,
            AMOUNT,
            optional("paid_at", Moment, "when the payer paid; absent: now"),
            INSTITUTION,
            SETTLED_BY,
            RECEIPT_URL,
            PAID_BY,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"pix.seen","body":{"cashin_id":"$c1.cashin_id","e2e":"E9040088820261120120300123873170","amount_cents":10000}}"#,
        read: |fields, context| {
            let charge = fields.operation("cashin_id")?;
            let payment = payment(fields, context.effective_at())?;
            of_received_pix(fields, Fact::Charge(ChargeFact::PixSeen { charge, payment }))
        },
    },
    FactShape {
        kind: FactKind::PixReturned,
        name: "pix.returned",
        subject: CHARGE,
        meaning: "A PIX received went back to its payer, in part or whole: a forced debit once it \
                  was credited.",
        fields: &[CASHIN, RETURN_ID, AMOUNT],
        example: r#"{"at":"2026-11-22T09:00:00Z","fact":"pix.returned","body":{"cashin_id":"$p1.cashin_id","return_id":"D9040088820261122090000123873171","amount_cents":10000}}"#,
        read: |fields, _| {
            Ok(Fact::Charge(ChargeFact::PixReturned {
                charge: fields.operation("cashin_id")?,
                return_id: end_to_end(fields, "return_id")?,
                amount: fields.amount("amount_cents")?,
            }))
        },
    },
    FactShape {
        kind: FactKind::ProviderSettled,
        name: "provider.settled",
        subject: CHARGE,
        meaning: "The provider settled a PIX that was seen.",
        fields: &[ID, CASHIN],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"provider.settled","body":{"id":"set-1","cashin_id":"$c1.cashin_id"}}"#,
        read: |fields, _| {
            Ok(Fact::Charge(ChargeFact::ProviderSettled { charge: fields.operation("cashin_id")? }))
        },
    },
    FactShape {
        kind: FactKind::ProviderHeld,
        name: "provider.held",
        subject: CHARGE,
        meaning: "The provider holds a PIX that was seen.",
        fields: &[ID, CASHIN, optional("until", Moment, "when it means to release it")],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"provider.held","body":{"id":"held-1","cashin_id":"$c1.cashin_id","until":"2026-11-21T12:00:00Z"}}"#,
        read: |fields, _| {
            Ok(Fact::Charge(ChargeFact::ProviderHeld {
                charge: fields.operation("cashin_id")?,
                until: fields.instant_if("until")?,
            }))
        },
    },
    FactShape {
        kind: FactKind::ProviderReleased,
        name: "provider.released",
        subject: CHARGE,
        meaning: "The provider released a charge it held; naming the PIX implies that it was paid.",
        fields: &[
            ID,
            CASHIN,
            optional("e2e", Pix, "the PIX, when the news of its payment may not have come"),
            optional("amount_cents", Centavos, "what was paid, with e2e"),
            optional("paid_at", Moment, "when it was paid, with e2e"),
            INSTITUTION,
            SETTLED_BY,
            RECEIPT_URL,
            PAID_BY,
        ],
        example: r#"{"at":"2026-11-21T12:03:00Z","fact":"provider.released","body":{"id":"rel-1","cashin_id":"$p1.cashin_id"}}"#,
        read: |fields, context| {
            let charge = fields.operation("cashin_id")?;
            let payment = payment_if(fields, context.effective_at())?;
            of_received_pix(fields, Fact::Charge(ChargeFact::ProviderReleased { charge, payment }))
        },
    },
    FactShape {
        kind: FactKind::ProviderCancelled,
        name: "provider.cancelled",
        subject: CHARGE,
        meaning: "The provider cancelled a charge, or failed, before payment.",
        fields: &[ID, CASHIN],
        example: r#"{"at":"2026-11-20T12:05:00Z","fact":"provider.cancelled","body":{"id":"can-1","cashin_id":"$p1.cashin_id"}}"#,
        read: |fields, _| {
            Ok(Fact::Charge(ChargeFact::ProviderCancelled {
                charge: fields.operation("cashin_id")?,
            }))
        },
    },
    FactShape {
        kind: FactKind::PayerReviewed,
        name: "payer.reviewed",
        subject: Subject::Payer,
        meaning: "Somebody looked at a payer.",
        fields: &[
            ID,
            required("payer_tax_number", Text(32), "the CPF or CNPJ"),
            required("finding", Word(16), "identified, blocked or unknown"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"payer.reviewed","body":{"id":"rev-1","payer_tax_number":"52998224725","finding":"identified","actor":"bia","reason":"known to the provider"}}"#,
        read: |fields, context| read_review(fields, context.state),
    },
];

const CHARGE: Subject = Subject::Operation(&["cashin_id"]);

fn read_review(fields: &mut Fields<'_>, state: &State) -> Result<Fact, Problem> {
    let number = fields.required_text("payer_tax_number", 32)?;
    let document = Document::parse(number, letters(&state.policy));
    let document = document.ok_or_else(|| wrong("payer_tax_number", "must be a CPF or CNPJ"))?;
    let payer = fields.keep(fields.tokens().document(&document));
    let review = match fields.required_text("finding", 16)? {
        "identified" => Review::Identified,
        "blocked" => Review::Blocked,
        "unknown" => Review::Unknown,
        _ => return Err(wrong("finding", "must be identified, blocked or unknown")),
    };
    Ok(Fact::Charge(ChargeFact::PayerReviewed { payer, review, decided_by: decided_by(fields)? }))
}
