//! Facts of deposits that sellers make, and of what goes back to them.

use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{EVIDENCE, ID, decided_by, operation_if};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::{Fields, missing};
use crate::contract::input::units::units;
use crate::contract::purchase::fact;
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::{
    Decimal, Moment, Operation, Reference, Text, Whole,
};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::shared::TRANSACTION;
use crate::id::OpId;
use crate::ledger::{Fact, FactKind, SaleReport, State};
use crate::machine::cash_out::Deposit;
use crate::machine::refund::{Coins, RefundReport};
use crate::time::Instant;

const NAMED: Field =
    optional("cashout_id", Operation, "the order it was sent for; absent: it waits as a receipt");
const REFUNDED: Field = optional("cashout_id", Operation, "the order; it or receipt_id");
const RECEIPT: Field = optional("receipt_id", Operation, "crypto that no order took");
const HASH: Field =
    required("tx_hash", Reference(128), "the transaction, which makes it known for ever");
const OUTPUT: Field = optional("output", Whole(0, 65_535), "its output, where it has several");
const FROM: Field = optional("from", Text(128), "on-chain origin, informational only");
const CONFIRMATIONS: Field = optional(
    "confirmations",
    Whole(0, 65_535),
    "how many it has; told again with more, the order shows them",
);
const SEEN_AT: Field = optional("seen_at", Moment, "when the network saw it; absent: now");

const SALE: Subject = Subject::Operation(&["cashout_id"]);
const REFUND: Subject = Subject::Operation(&["cashout_id", "receipt_id"]);

checked!(Deposit { hash: TRANSACTION, from: FROM });
checked!(enum RefundReport { Sent(hash: TRANSACTION) } else Failed, Lost);

/// The facts of deposits and refunds.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::DepositSeen,
        name: "deposit.seen",
        subject: SALE,
        meaning: "A deposit was seen on its network; what no order takes is a receipt of its own.",
        fields: &[
            NAMED,
            HASH,
            OUTPUT,
            required("asset", Text(32), "what arrived"),
            required("network", Text(32), "where"),
            required("amount", Decimal(40), "how much"),
            FROM,
            SEEN_AT,
            CONFIRMATIONS,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"deposit.seen","body":{"cashout_id":"$v1.cashout_id","tx_hash":"0xd1","asset":"usdt","network":"polygon","amount":"19.444445"}}"#,
        read: |fields, context| {
            let order = operation_if(fields, "cashout_id")?;
            let confirmations = fields.whole_if("confirmations", u16::MAX)?;
            let deposit = deposit(fields, context.state, context.at)?;
            let report = deposit.map_or(SaleReport::Unlisted, |deposit| {
                SaleReport::Seen(Deposit { confirmations, ..deposit })
            });
            Ok(Fact::Sale { order, report })
        },
    },
    FactShape {
        kind: FactKind::DepositConfirmed,
        name: "deposit.confirmed",
        subject: SALE,
        meaning: "A deposit has its confirmations; told in full, that implies that it was seen.",
        fields: &[
            NAMED,
            HASH,
            OUTPUT,
            optional("asset", Text(32), "what arrived, with amount"),
            optional("network", Text(32), "where, with amount"),
            optional(
                "amount",
                Decimal(40),
                "how much, when the news of its arrival may not have come",
            ),
            FROM,
            SEEN_AT,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"deposit.confirmed","body":{"cashout_id":"$v1.cashout_id","tx_hash":"0xd1"}}"#,
        read: |fields, context| {
            let order = operation_if(fields, "cashout_id")?;
            let hash = transaction(fields)?;
            let report = match fields.value("amount") {
                Some(_) => deposit(fields, context.state, context.at)?.map_or(
                    SaleReport::Unlisted,
                    |deposit| SaleReport::Confirmed { hash, deposit: Some(deposit) },
                ),
                None => SaleReport::Confirmed { hash, deposit: None },
            };
            Ok(Fact::Sale { order, report })
        },
    },
    FactShape {
        kind: FactKind::DepositVanished,
        name: "deposit.vanished",
        subject: SALE,
        meaning: "A deposit vanished before it was confirmed: the network reorganised.",
        fields: &[NAMED, HASH, OUTPUT],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"deposit.vanished","body":{"cashout_id":"$v1.cashout_id","tx_hash":"0xd1"}}"#,
        read: |fields, _| {
            let order = operation_if(fields, "cashout_id")?;
            Ok(Fact::Sale { order, report: SaleReport::Vanished(transaction(fields)?) })
        },
    },
    FactShape {
        kind: FactKind::RefundDecided,
        name: "refund.decided",
        subject: REFUND,
        meaning: "A refund is decided: by the service up to the limit, or by an operator, who may name the \
         wallet.",
        fields: &[
            ID,
            REFUNDED,
            RECEIPT,
            optional(
                "refund_address",
                Reference(128),
                "the return wallet, where an operator names one",
            ),
            optional("actor", Text(255), "who decided; absent: the service itself"),
            optional("reason", Text(255), "why, with actor"),
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"refund.decided","body":{"id":"rd-1","cashout_id":"$v1.cashout_id","actor":"bia","reason":"the customer asked"}}"#,
        read: |fields, _| read_decision(fields),
    },
    FactShape {
        kind: FactKind::RefundSent,
        name: "refund.sent",
        subject: REFUND,
        meaning: "A refund was sent.",
        fields: &[ID, REFUNDED, RECEIPT, required("tx_hash", Reference(128), "the transaction")],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"refund.sent","body":{"id":"rs-1","cashout_id":"$v1.cashout_id","tx_hash":"0xr1"}}"#,
        read: |fields, _| {
            let order = read_refunded(fields)?;
            let report = SaleReport::Refund(RefundReport::Sent(fact::hash(fields)?));
            Ok(Fact::Sale { order, report })
        },
    },
    FactShape {
        kind: FactKind::RefundFailed,
        name: "refund.failed",
        subject: REFUND,
        meaning: "A refund definitely was not sent: another attempt follows.",
        fields: &[ID, REFUNDED, RECEIPT, fact::ATTEMPT],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"refund.failed","body":{"id":"rs-2","cashout_id":"$v1.cashout_id"}}"#,
        read: |fields, _| {
            let order = read_refunded(fields)?;
            let report = match fact::attempt(fields)? {
                Some(attempt) => SaleReport::RefundFailed { attempt },
                None => SaleReport::Refund(RefundReport::Failed),
            };
            Ok(Fact::Sale { order, report })
        },
    },
    FactShape {
        kind: FactKind::RefundUnknown,
        name: "refund.unknown",
        subject: REFUND,
        meaning: "Nobody knows whether a refund was sent: it waits for evidence.",
        fields: &[ID, REFUNDED, RECEIPT],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"refund.unknown","body":{"id":"rs-3","cashout_id":"$v1.cashout_id"}}"#,
        read: |fields, _| {
            let order = read_refunded(fields)?;
            Ok(Fact::Sale { order, report: SaleReport::Refund(RefundReport::Lost) })
        },
    },
];

/// What is refunded: an order, or crypto that no order took.
fn read_refunded(fields: &Fields<'_>) -> Result<Option<OpId>, Problem> {
    match (fields.value("receipt_id"), fields.value("cashout_id")) {
        (Some(_), Some(_)) => Err(wrong("receipt_id", "contradicts cashout_id")),
        (Some(_), None) => fields.operation("receipt_id"),
        (None, Some(_)) => fields.operation("cashout_id"),
        (None, None) => Err(missing("cashout_id")),
    }
}

fn read_decision(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let order = read_refunded(fields)?;
    let to = fields.text("refund_address", 128)?.map(Into::into);
    let decided_by = match fields.value("actor") {
        Some(_) => Some(decided_by(fields)?),
        None => None,
    };
    if to.is_some() && decided_by.is_none() {
        return Err(wrong("refund_address", "is an operator's to name: actor is missing"));
    }
    Ok(Fact::Sale { order, report: SaleReport::RefundDecided { to, decided_by } })
}

/// So much of an asset on a network, both on the catalogue.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn coins(fields: &Fields<'_>, state: &State) -> Result<Coins, Problem> {
    let known = state.catalogue.asset(fields.required_text("asset", 32)?);
    let (asset, scale) = known.ok_or_else(|| wrong("asset", "was never on a catalogue"))?;
    let chain = state.catalogue.chain(fields.required_text("network", 32)?);
    let chain = chain.ok_or_else(|| wrong("network", "was never on a catalogue"))?;
    let units = units(fields, "amount", scale)?;
    Ok(Coins { asset, chain, units })
}

/// A deposit; none of what no catalogue ever named, which has no decimals to count it by.
fn deposit(fields: &Fields<'_>, state: &State, at: Instant) -> Result<Option<Deposit>, Problem> {
    let seen_at = fields.instant_if("seen_at")?.unwrap_or(at);
    let (hash, from) = (transaction(fields)?, fields.text("from", 128)?.map(Into::into));
    let (asset, network) =
        (fields.required_text("asset", 32)?, fields.required_text("network", 32)?);
    if state.catalogue.asset(asset).is_none() || state.catalogue.chain(network).is_none() {
        return fields.required_text("amount", 40).map(|_| None);
    }
    let coins = coins(fields, state)?;
    Ok(Some(Deposit { coins, hash, from, seen_at, confirmations: None }))
}

/// The transaction, with the output's number where it has several.
fn transaction(fields: &Fields<'_>) -> Result<Box<str>, Problem> {
    let hash = fields.required_text("tx_hash", 128)?;
    Ok(match fields.whole_if("output", u16::MAX)? {
        Some(output) => format!("{hash}#{output}").into(),
        None => hash.into(),
    })
}
