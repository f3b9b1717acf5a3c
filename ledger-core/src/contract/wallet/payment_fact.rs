//! Facts of payments from wallets: ordered, sent, paid, resolved.

use super::fact::{HASH, transaction, wallet_fact};
use super::requests;
use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{ACTOR, EVIDENCE, ID, REASON, decided_by, end_to_end};
use crate::contract::fact::payment_details::{
    INSTITUTION, RECEIPT_URL, RECIPIENT_DOCUMENT, RECIPIENT_NAME, SETTLED_BY, of_documented_pix,
};
use crate::contract::fact::shape::{FactShape, ReadContext, Subject};
use crate::contract::input::fields::Fields;
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::{
    Decimal, Flag, Moment, Operation, Pix, Reference, Word,
};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::shared::{E2E, TRANSACTION};
use crate::ledger::wallet::{Fact, PaymentFinding, Step};
use crate::ledger::{self, FactKind};
use crate::machine::cash_out;
use crate::machine::wallet::payment::{Adjudication, FailureReason, Finding};
use crate::terms::Switch;
use crate::time::Instant;

const PAYMENT: Field = required("payment_id", Operation, "the payment");

const SUBJECT: Subject = Subject::Operation(&["payment_id"]);

const FUNDED_AT: Field =
    optional("address", Reference(128), "where the order is funded; required when accepted");

checked!(enum Step {
    Accept(address: FUNDED_AT),
    Send(hash: TRANSACTION),
    Pay(pix),
} else Order, Begin, Confirm, Fail, Lose);

checked!(
    enum PaymentFinding {
        Found(finding),
        Decided(adjudication),
    }
);
checked!(enum Finding { Sent(hash: TRANSACTION), Paid(pix) } else Failed);
checked!(enum Adjudication { Paid(pix) } else Return, Lost);

/// The facts of payments from wallets.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::WalletPaymentStarted,
        name: "wallet.payment.started",
        subject: SUBJECT,
        meaning: "A payment from a wallet goes on: its order is created, accepted, or funded.",
        fields: &[
            ID,
            PAYMENT,
            required("step", Word(16), "order_created, accepted (which implies it) or started"),
            FUNDED_AT,
        ],
        example: r#"{"at":"2026-11-20T12:30:00Z","fact":"wallet.payment.started","body":{"id":"pst-1","payment_id":"$y1.payment_id","step":"accepted","address":"0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"}}"#,
        read: |fields, _| {
            let step = match fields.required_text("step", 16)? {
                "order_created" => Step::Order,
                "accepted" => Step::Accept(fields.required_text("address", 128)?.into()),
                "started" => Step::Begin,
                _ => return Err(wrong("step", "must be order_created, accepted or started")),
            };
            read_step(fields, step)
        },
    },
    FactShape {
        kind: FactKind::WalletPaymentSent,
        name: "wallet.payment.sent",
        subject: SUBJECT,
        meaning: "What a payment's order costs was sent to it; more than that is ours to bear.",
        fields: &[
            ID,
            PAYMENT,
            HASH,
            optional("amount", Decimal(40), "what left; absent: what it costs"),
        ],
        example: r#"{"at":"2026-11-20T12:31:00Z","fact":"wallet.payment.sent","body":{"id":"pse-1","payment_id":"$y1.payment_id","tx_hash":"0xf1"}}"#,
        read: |fields, _| {
            let step = Step::Send(transaction(fields)?, requests::usdt(fields, "amount")?);
            read_step(fields, step)
        },
    },
    FactShape {
        kind: FactKind::WalletPaymentConfirmed,
        name: "wallet.payment.confirmed",
        subject: SUBJECT,
        meaning: "The network confirmed what was sent for a payment.",
        fields: &[ID, PAYMENT],
        example: r#"{"at":"2026-11-20T12:32:00Z","fact":"wallet.payment.confirmed","body":{"id":"pco-1","payment_id":"$y1.payment_id"}}"#,
        read: |fields, _| read_step(fields, Step::Confirm),
    },
    FactShape {
        kind: FactKind::WalletPaymentPaid,
        name: "wallet.payment.paid",
        subject: SUBJECT,
        meaning: "The PIX of a payment was paid: its cost is taken, and the rest goes back.",
        fields: &[
            PAYMENT,
            E2E,
            optional("paid_at", Moment, "when, by the provider's clock; absent: now"),
            RECEIPT_URL,
            RECIPIENT_NAME,
            RECIPIENT_DOCUMENT,
            INSTITUTION,
            SETTLED_BY,
        ],
        example: r#"{"at":"2026-11-20T12:33:00Z","fact":"wallet.payment.paid","body":{"payment_id":"$y1.payment_id","e2e":"E9040088820261120123300123873190"}}"#,
        read: |fields, context| {
            let step = Step::Pay(pix(fields, context.at)?);
            let paid = read_step(fields, step)?;
            of_documented_pix(fields, paid)
        },
    },
    FactShape {
        kind: FactKind::WalletPaymentFailed,
        name: "wallet.payment.failed",
        subject: SUBJECT,
        meaning: "A payment definitely failed: before it was sent the reserve goes back; after, it \
                  waits for an operator.",
        fields: &[
            ID,
            PAYMENT,
            optional(
                "error",
                Word(32),
                "provedor_indisponivel (default), pix_key_invalida, limite_diario_recebedor or cotacao_recusada",
            ),
        ],
        example: r#"{"at":"2026-11-20T12:33:00Z","fact":"wallet.payment.failed","body":{"id":"pfa-1","payment_id":"$y1.payment_id"}}"#,
        read: |fields, _| {
            let step = Step::Fail(reason(fields)?);
            read_step(fields, step)
        },
    },
    FactShape {
        kind: FactKind::WalletPaymentUnknown,
        name: "wallet.payment.unknown",
        subject: SUBJECT,
        meaning: "Nobody knows how a payment stands: it waits for evidence, and nothing moves.",
        fields: &[ID, PAYMENT],
        example: r#"{"at":"2026-11-20T12:34:00Z","fact":"wallet.payment.unknown","body":{"id":"pun-1","payment_id":"$y1.payment_id"}}"#,
        read: |fields, _| read_step(fields, Step::Lose),
    },
    FactShape {
        kind: FactKind::WalletPaymentResolved,
        name: "wallet.payment.resolved",
        subject: SUBJECT,
        meaning: "An operator found out how a payment under review stands; or decides, once, what \
                  becomes of the reserve of one that failed after it was sent.",
        fields: &[
            ID,
            PAYMENT,
            required(
                "outcome",
                Word(24),
                "sent, paid or failed; of a reserve: return, consume_paid or consume_lost",
            ),
            optional("tx_hash", Reference(128), "the transaction, required when sent"),
            optional("e2e", Pix, "the PIX, required when paid or consume_paid"),
            optional("paid_at", Moment, "when, with e2e"),
            RECEIPT_URL,
            RECIPIENT_NAME,
            RECIPIENT_DOCUMENT,
            INSTITUTION,
            SETTLED_BY,
            optional("coins_lost", Flag, "with return: what was sent is our loss"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T16:00:00Z","fact":"wallet.payment.resolved","body":{"id":"prs-1","payment_id":"$y1.payment_id","outcome":"return","actor":"bia","reason":"the provider gave everything back"}}"#,
        read: read_resolution,
    },
];

fn read_step(fields: &Fields<'_>, step: Step) -> Result<ledger::Fact, Problem> {
    Ok(wallet_fact(Fact::Payment { payment: fields.operation("payment_id")?, step }))
}

fn reason(fields: &Fields<'_>) -> Result<FailureReason, Problem> {
    Ok(match fields.text("error", 32)? {
        None | Some("provedor_indisponivel") => FailureReason::Provider,
        Some("pix_key_invalida") => FailureReason::Key,
        Some("limite_diario_recebedor") => FailureReason::Ceiling,
        Some("cotacao_recusada") => FailureReason::Cost,
        Some(_) => {
            return Err(wrong(
                "error",
                "must be provedor_indisponivel, pix_key_invalida, limite_diario_recebedor \
                 or cotacao_recusada",
            ));
        }
    })
}

fn pix(fields: &Fields<'_>, at: Instant) -> Result<cash_out::Pix, Problem> {
    Ok(cash_out::Pix {
        e2e: end_to_end(fields, "e2e")?,
        paid_at: fields.instant_if("paid_at")?.unwrap_or(at),
        receipt_url: fields.text("receipt_url", 512)?.map(Into::into),
        receipt_pdf_url: None,
        verify_url: None,
    })
}

fn read_resolution(
    fields: &mut Fields<'_>,
    context: &ReadContext<'_>,
) -> Result<ledger::Fact, Problem> {
    let resolved = wallet_fact(Fact::PaymentResolved {
        payment: fields.operation("payment_id")?,
        finding: finding(fields, context.at)?,
        decided_by: decided_by(fields)?,
    });
    of_documented_pix(fields, resolved)
}

/// What an operator found out of a payment under review, or decides of a reserve that is kept.
fn finding(fields: &Fields<'_>, at: Instant) -> Result<PaymentFinding, Problem> {
    Ok(match fields.required_text("outcome", 24)? {
        "sent" => PaymentFinding::Found(Finding::Sent(transaction(fields)?)),
        "paid" => PaymentFinding::Found(Finding::Paid(pix(fields, at)?)),
        "failed" => PaymentFinding::Found(Finding::Failed),
        "return" => PaymentFinding::Decided(Adjudication::Return(
            fields.switch_if("coins_lost")?.unwrap_or(Switch::Off),
        )),
        "consume_paid" => PaymentFinding::Decided(Adjudication::Paid(pix(fields, at)?)),
        "consume_lost" => PaymentFinding::Decided(Adjudication::Lost),
        _ => {
            return Err(wrong(
                "outcome",
                "must be sent, paid or failed; of a reserve: return, consume_paid or consume_lost",
            ));
        }
    })
}
