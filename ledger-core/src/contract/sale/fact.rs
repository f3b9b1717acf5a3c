//! Facts of orders that sell crypto for a PIX: sold, paid, late, stopped.

use super::body::{self, REFUND_TO};
use super::deposit_fact::coins;
use crate::coin::Scale;
use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{ACTOR, AMOUNT, EVIDENCE, ID, REASON, decided_by, end_to_end};
use crate::contract::fact::payment_details::{
    INSTITUTION, RECIPIENT_DOCUMENT, RECIPIENT_NAME, SETTLED_BY, of_documented_pix,
};
use crate::contract::fact::shape::{FactShape, ReadContext, Subject};
use crate::contract::input::fields::Fields;
use crate::contract::input::units::units;
use crate::contract::payout::wire::key_owner;
use crate::contract::schema::bounds::{Bound, Checked, checked};
use crate::contract::schema::field::FieldType::{Centavos, Decimal, Moment, Operation, Text};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::shared::{E2E, PIX_KEY_TYPE, RETURN_ID, TRANSACTION};
use crate::ledger::{Fact, FactKind, Refusal, SaleReport, State};
use crate::machine::cash_out::{self, Command, Proceeds};

const ORDER: Field = required("cashout_id", Operation, "the order");

const SALE: Subject = Subject::Operation(&["cashout_id"]);

const RECEIPT: Field = optional("receipt_url", Text(512), "where its receipt is");
const RECEIPT_PDF: Field = optional("receipt_pdf_url", Text(512), "and as PDF");
const VERIFY: Field = optional("verify_url", Text(512), "and where anybody may verify it");

checked!(enum SaleReport {
    Seen(deposit),
    Confirmed { hash: TRANSACTION, deposit },
    Vanished(hash: TRANSACTION),
    Moved(command),
    Paid { pix, amount: AMOUNT },
    Reversed { return_id: RETURN_ID, amount: AMOUNT },
    RefundDecided { to: REFUND_TO },
    Refund(report),
} else Unlisted, TokenReturned, Stopped, Cleared, RefundFailed);

checked!(cash_out::Pix {
    e2e: E2E,
    receipt_url: RECEIPT,
    receipt_pdf_url: RECEIPT_PDF,
    verify_url: VERIFY
});

/// Of commands only what moves an order is reported by itself.
impl Checked for Command {
    fn check_bounds(&self) -> Result<(), Refusal> {
        match self {
            Self::Arrive(amount) | Self::RefuseKey(amount) => AMOUNT.holds(amount),
            _ => Ok(()),
        }
    }
}

/// Facts of a sale: its liquidation, its PIX, and what operators decide of it.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::SaleStarted,
        name: "sale.started",
        subject: SALE,
        meaning: "Selling what was deposited began, on a network or at the exchange.",
        fields: &[ID, ORDER],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"sale.started","body":{"id":"sale-1","cashout_id":"$v1.cashout_id"}}"#,
        read: |fields, _| read_move(fields, Command::StartSale),
    },
    FactShape {
        kind: FactKind::SaleFilled,
        name: "sale.filled",
        subject: SALE,
        meaning: "It was sold, for crypto or, at the exchange, for reais.",
        fields: &[
            ID,
            ORDER,
            optional("asset", Text(32), "what it gave, in crypto"),
            optional("network", Text(32), "where that stands"),
            optional("amount", Decimal(40), "how much"),
            optional("amount_cents", Centavos, "what it gave, in reais"),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"sale.filled","body":{"id":"sale-2","cashout_id":"$v1.cashout_id","asset":"usdt","network":"polygon","amount":"19.4"}}"#,
        read: |fields, context| {
            let order = fields.operation("cashout_id")?;
            let command = Command::Fill(proceeds(fields, context.state)?);
            Ok(Fact::Sale { order, report: SaleReport::Moved(command) })
        },
    },
    FactShape {
        kind: FactKind::SaleFailed,
        name: "sale.failed",
        subject: SALE,
        meaning: "It definitely was not sold: the deposit goes back.",
        fields: &[ID, ORDER],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"sale.failed","body":{"id":"sale-3","cashout_id":"$v1.cashout_id"}}"#,
        read: |fields, _| read_move(fields, Command::FailSale),
    },
    FactShape {
        kind: FactKind::SaleUnknown,
        name: "sale.unknown",
        subject: SALE,
        meaning: "Nobody knows whether it was sold: it waits for evidence, and nothing moves.",
        fields: &[ID, ORDER],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"sale.unknown","body":{"id":"sale-4","cashout_id":"$v1.cashout_id"}}"#,
        read: |fields, _| read_move(fields, Command::LoseSale),
    },
    FactShape {
        kind: FactKind::SaleForwarding,
        name: "sale.forwarding",
        subject: SALE,
        meaning: "The proceeds are on their way from the exchange to the payout provider.",
        fields: &[ID, ORDER],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"sale.forwarding","body":{"id":"sale-5","cashout_id":"$v1.cashout_id"}}"#,
        read: |fields, _| read_move(fields, Command::Forward),
    },
    FactShape {
        kind: FactKind::SaleForwarded,
        name: "sale.forwarded",
        subject: SALE,
        meaning: "They arrived; the payment begins.",
        fields: &[ID, ORDER, AMOUNT],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"sale.forwarded","body":{"id":"sale-6","cashout_id":"$v1.cashout_id","amount_cents":10490}}"#,
        read: |fields, _| {
            let order = fields.operation("cashout_id")?;
            let command = Command::Arrive(fields.amount("amount_cents")?);
            Ok(Fact::Sale { order, report: SaleReport::Moved(command) })
        },
    },
    FactShape {
        kind: FactKind::PaymentStarted,
        name: "payment.started",
        subject: SALE,
        meaning: "The payment of an order sold on its network began.",
        fields: &[ID, ORDER],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"payment.started","body":{"id":"pay-1","cashout_id":"$v1.cashout_id"}}"#,
        read: |fields, _| read_move(fields, Command::StartPayment),
    },
    FactShape {
        kind: FactKind::CashOutDelayed,
        name: "cashout.delayed",
        subject: SALE,
        meaning: "The exchange or the provider is late with an order.",
        fields: &[ID, ORDER],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"cashout.delayed","body":{"id":"late-1","cashout_id":"$v1.cashout_id"}}"#,
        read: |fields, _| read_move(fields, Command::Delay),
    },
    FactShape {
        kind: FactKind::CashOutResumed,
        name: "cashout.resumed",
        subject: SALE,
        meaning: "It goes on.",
        fields: &[ID, ORDER],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"cashout.resumed","body":{"id":"late-2","cashout_id":"$v1.cashout_id"}}"#,
        read: |fields, _| read_move(fields, Command::Resume),
    },
    FactShape {
        kind: FactKind::CashOutPaid,
        name: "cashout.paid",
        subject: SALE,
        meaning: "The PIX of an order was paid.",
        fields: &[
            ORDER,
            E2E,
            optional("amount_cents", Centavos, "what was paid, where it may not be what was owed"),
            optional("paid_at", Moment, "when it was paid; absent: now"),
            RECEIPT,
            RECEIPT_PDF,
            VERIFY,
            RECIPIENT_NAME,
            RECIPIENT_DOCUMENT,
            INSTITUTION,
            SETTLED_BY,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"cashout.paid","body":{"cashout_id":"$v1.cashout_id","e2e":"E9040088820261120120300123873174"}}"#,
        read: read_payment,
    },
    FactShape {
        kind: FactKind::SendFailed,
        name: "cashout.send_failed",
        subject: SALE,
        meaning: "The send failed before leaving: it is tried again every five minutes for 45.",
        fields: &[ID, ORDER],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"cashout.send_failed","body":{"id":"send-1","cashout_id":"$v1.cashout_id"}}"#,
        read: |fields, _| read_move(fields, Command::FailSend),
    },
    FactShape {
        kind: FactKind::PaymentImpossible,
        name: "cashout.pix_impossible",
        subject: SALE,
        meaning: "The PIX cannot be paid, and no further try would change that.",
        fields: &[ID, ORDER],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"cashout.pix_impossible","body":{"id":"imp-1","cashout_id":"$v1.cashout_id"}}"#,
        read: |fields, _| read_move(fields, Command::GiveUpPayment),
    },
    FactShape {
        kind: FactKind::KeyRefused,
        name: "cashout.key_refused",
        subject: SALE,
        meaning: "The provider refused the PIX key after it had the money, and gave back so much.",
        fields: &[
            ID,
            ORDER,
            required("returned_cents", Centavos, "what it gave back, in centavos"),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"cashout.key_refused","body":{"id":"ref-1","cashout_id":"$v1.cashout_id","returned_cents":9900}}"#,
        read: |fields, _| {
            let order = fields.operation("cashout_id")?;
            let command = Command::RefuseKey(fields.amount("returned_cents")?);
            Ok(Fact::Sale { order, report: SaleReport::Moved(command) })
        },
    },
    FactShape {
        kind: FactKind::PaymentUnknown,
        name: "cashout.unknown",
        subject: SALE,
        meaning: "Nobody knows whether the PIX was paid: it waits for evidence, and nothing moves.",
        fields: &[ID, ORDER],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"cashout.unknown","body":{"id":"unk-1","cashout_id":"$v1.cashout_id"}}"#,
        read: |fields, _| read_move(fields, Command::LosePayment),
    },
    FactShape {
        kind: FactKind::TokenHandedOver,
        name: "cashout.token_sent",
        subject: SALE,
        meaning: "The token of a sale on Liquid was handed to the provider.",
        fields: &[ID, ORDER],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"cashout.token_sent","body":{"id":"tok-1","cashout_id":"$v1.cashout_id"}}"#,
        read: |fields, _| read_move(fields, Command::HandOver),
    },
    FactShape {
        kind: FactKind::TokenReturned,
        name: "cashout.token_returned",
        subject: SALE,
        meaning: "The provider returned the token: never more is refunded than came back.",
        fields: &[ID, ORDER, required("amount", Decimal(40), "how much came back")],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"cashout.token_returned","body":{"id":"tok-2","cashout_id":"$v1.cashout_id","amount":"99.5"}}"#,
        read: |fields, context| read_token_return(fields, context.state),
    },
    FactShape {
        kind: FactKind::CashOutReversed,
        name: "cashout.pix_reversed",
        subject: SALE,
        meaning: "The PIX of a completed order came back, in part or whole.",
        fields: &[ORDER, RETURN_ID, AMOUNT],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"cashout.pix_reversed","body":{"cashout_id":"$v1.cashout_id","return_id":"D9040088820261121120300123873175","amount_cents":10000}}"#,
        read: |fields, _| {
            let order = fields.operation("cashout_id")?;
            let report = SaleReport::Reversed {
                return_id: end_to_end(fields, "return_id")?,
                amount: fields.amount("amount_cents")?,
            };
            Ok(Fact::Sale { order, report })
        },
    },
    FactShape {
        kind: FactKind::CashOutCancelled,
        name: "cashout.cancelled",
        subject: SALE,
        meaning: "The route was lost before anything was deposited.",
        fields: &[ID, ORDER],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"cashout.cancelled","body":{"id":"can-2","cashout_id":"$v1.cashout_id"}}"#,
        read: |fields, _| read_move(fields, Command::Cancel),
    },
    FactShape {
        kind: FactKind::CashOutStopped,
        name: "cashout.stopped",
        subject: SALE,
        meaning: "An operator takes an order whose payment has no known outcome.",
        fields: &[ID, ORDER, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"cashout.stopped","body":{"id":"stop-2","cashout_id":"$v1.cashout_id","actor":"bia","reason":"the provider is silent"}}"#,
        read: |fields, _| {
            let order = fields.operation("cashout_id")?;
            Ok(Fact::Sale { order, report: SaleReport::Stopped(decided_by(fields)?) })
        },
    },
    FactShape {
        kind: FactKind::CashOutCleared,
        name: "cashout.cleared",
        subject: SALE,
        meaning: "An operator lets an order under review go on; with a corrected key, if it was the key.",
        fields: &[
            ID,
            ORDER,
            optional("pix_key", Text(128), "the corrected key"),
            PIX_KEY_TYPE,
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"cashout.cleared","body":{"id":"clear-1","cashout_id":"$v1.cashout_id","actor":"bia","reason":"the token is as good"}}"#,
        read: read_clearance,
    },
];

fn read_move(fields: &Fields<'_>, command: Command) -> Result<Fact, Problem> {
    let order = fields.operation("cashout_id")?;
    Ok(Fact::Sale { order, report: SaleReport::Moved(command) })
}

/// What a swap gave: crypto, or reais.
fn proceeds(fields: &Fields<'_>, state: &State) -> Result<Proceeds, Problem> {
    match (fields.amount_if("amount_cents")?, fields.value("asset")) {
        (Some(_), Some(_)) => Err(wrong("amount_cents", "contradicts asset")),
        (Some(amount), None) => Ok(Proceeds::Reais(amount)),
        (None, _) => Ok(Proceeds::Coins(coins(fields, state)?)),
    }
}

fn read_payment(fields: &mut Fields<'_>, context: &ReadContext<'_>) -> Result<Fact, Problem> {
    let order = fields.operation("cashout_id")?;
    let report = SaleReport::Paid {
        pix: cash_out::Pix {
            e2e: end_to_end(fields, "e2e")?,
            paid_at: fields.instant_if("paid_at")?.unwrap_or(context.at),
            receipt_url: fields.text("receipt_url", 512)?.map(Into::into),
            receipt_pdf_url: fields.text("receipt_pdf_url", 512)?.map(Into::into),
            verify_url: fields.text("verify_url", 512)?.map(Into::into),
        },
        amount: fields.amount_if("amount_cents")?,
    };
    of_documented_pix(fields, Fact::Sale { order, report })
}

/// The token came back, counted in the units of the order's asset.
fn read_token_return(fields: &Fields<'_>, state: &State) -> Result<Fact, Problem> {
    let order = fields.operation("cashout_id")?;
    let scale = order.and_then(|op| state.open(op)?.cash_out()?.progress().map(|s| s.order.scale));
    let scale = scale.or(Scale::new(8)).unwrap_or(Scale::SIX);
    let report = SaleReport::TokenReturned(units(fields, "amount", scale)?);
    Ok(Fact::Sale { order, report })
}

fn read_clearance(fields: &mut Fields<'_>, context: &ReadContext<'_>) -> Result<Fact, Problem> {
    let policy = &context.state.policy;
    let order = fields.operation("cashout_id")?;
    let pix_key = match fields.value("pix_key") {
        Some(_) => {
            let key = body::pix_key(fields, policy)?;
            let owner = key_owner(context.supplied, policy)?;
            Some(body::corrected_key(fields, &key, owner.as_ref()))
        }
        None => None,
    };
    let report = SaleReport::Cleared { pix_key, decided_by: decided_by(fields)? };
    Ok(Fact::Sale { order, report })
}
