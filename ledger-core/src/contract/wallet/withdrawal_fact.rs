//! Facts of withdrawals from wallets: how the crypto left, and how much arrived.

use super::fact::{HASH, transaction, wallet_fact};
use super::requests;
use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{ACTOR, ID, REASON, decided_by};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::{Fields, missing};
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::{Decimal, Operation, Reference, Text, Word};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::shared::TRANSACTION;
use crate::ledger::wallet::{Fact, WithdrawalReport};
use crate::ledger::{self, FactKind};
use crate::machine::wallet::withdrawal::{Finding, Sent};

const WITHDRAWAL: Field = required("withdrawal_id", Operation, "the withdrawal");

const SUBJECT: Subject = Subject::Operation(&["withdrawal_id"]);

checked!(enum WithdrawalReport { Send(sent) } else Begin, Fund, Convert, Lose);
checked!(enum Finding { Completed(sent) } else Resumed, Failed);
checked!(Sent { hash: TRANSACTION });

/// The facts of withdrawals from wallets.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::CryptoWithdrawalStarted,
        name: "wallet.withdrawal.started",
        subject: SUBJECT,
        meaning: "The funding of a withdrawal from a wallet began.",
        fields: &[ID, WITHDRAWAL],
        example: r#"{"at":"2026-11-20T12:20:00Z","fact":"wallet.withdrawal.started","body":{"id":"wst-1","withdrawal_id":"$x1.withdrawal_id"}}"#,
        read: |fields, _| read_report(fields, WithdrawalReport::Begin),
    },
    FactShape {
        kind: FactKind::CryptoWithdrawalFunded,
        name: "wallet.withdrawal.funded",
        subject: SUBJECT,
        meaning: "A withdrawal was funded: it left the wallet, and is owed to the address.",
        fields: &[ID, WITHDRAWAL],
        example: r#"{"at":"2026-11-20T12:21:00Z","fact":"wallet.withdrawal.funded","body":{"id":"wfu-1","withdrawal_id":"$x1.withdrawal_id"}}"#,
        read: |fields, _| read_report(fields, WithdrawalReport::Fund),
    },
    FactShape {
        kind: FactKind::CryptoWithdrawalConverted,
        name: "wallet.withdrawal.converted",
        subject: SUBJECT,
        meaning: "The USDT of a withdrawal became USDC; what was lost on the way the client bears.",
        fields: &[ID, WITHDRAWAL, required("obtained", Decimal(40), "USDC")],
        example: r#"{"at":"2026-11-20T12:22:00Z","fact":"wallet.withdrawal.converted","body":{"id":"wcv-1","withdrawal_id":"$x2.withdrawal_id","obtained":"20"}}"#,
        read: |fields, _| {
            let obtained =
                requests::usdt(fields, "obtained")?.ok_or_else(|| missing("obtained"))?;
            read_report(fields, WithdrawalReport::Convert(obtained))
        },
    },
    FactShape {
        kind: FactKind::CryptoWithdrawalSent,
        name: "wallet.withdrawal.sent",
        subject: SUBJECT,
        meaning: "A withdrawal was sent and confirmed; less than its minimum waits for a person.",
        fields: &[
            ID,
            WITHDRAWAL,
            HASH,
            required("received", Decimal(40), "what arrived"),
            optional("network_fee", Decimal(40), "what the network took; absent: as quoted"),
        ],
        example: r#"{"at":"2026-11-20T12:23:00Z","fact":"wallet.withdrawal.sent","body":{"id":"wse-1","withdrawal_id":"$x1.withdrawal_id","tx_hash":"0xe1","received":"19.9"}}"#,
        read: |fields, _| {
            let sent = read_sent(fields)?;
            read_report(fields, WithdrawalReport::Send(sent))
        },
    },
    FactShape {
        kind: FactKind::CryptoWithdrawalUnknown,
        name: "wallet.withdrawal.unknown",
        subject: SUBJECT,
        meaning: "Nobody knows how a withdrawal stands: it waits for evidence, and nothing moves.",
        fields: &[ID, WITHDRAWAL],
        example: r#"{"at":"2026-11-20T12:24:00Z","fact":"wallet.withdrawal.unknown","body":{"id":"wun-1","withdrawal_id":"$x1.withdrawal_id"}}"#,
        read: |fields, _| read_report(fields, WithdrawalReport::Lose),
    },
    FactShape {
        kind: FactKind::CryptoWithdrawalEvidence,
        name: "wallet.withdrawal.evidence",
        subject: SUBJECT,
        meaning: "An operator found out how a withdrawal stands, with proof.",
        fields: &[
            ID,
            WITHDRAWAL,
            required(
                "outcome",
                Word(16),
                "resumed, completed, or failed: nothing left, and the whole reserve goes back",
            ),
            optional("tx_hash", Reference(128), "the transaction, required when completed"),
            optional("received", Decimal(40), "what arrived in all, required when completed"),
            optional("network_fee", Decimal(40), "what the network took, with received"),
            ACTOR,
            REASON,
            required("evidence", Text(255), "a reference to the proof"),
        ],
        example: r#"{"at":"2026-11-20T15:00:00Z","fact":"wallet.withdrawal.evidence","body":{"id":"wev-1","withdrawal_id":"$x1.withdrawal_id","outcome":"failed","actor":"bia","reason":"the node never took it","evidence":"log-77"}}"#,
        read: |fields, _| evidence(fields),
    },
];

fn read_report(fields: &Fields<'_>, report: WithdrawalReport) -> Result<ledger::Fact, Problem> {
    Ok(wallet_fact(Fact::Withdrawal { withdrawal: fields.operation("withdrawal_id")?, report }))
}

fn read_sent(fields: &Fields<'_>) -> Result<Sent, Problem> {
    let received = requests::usdt(fields, "received")?;
    Ok(Sent {
        hash: transaction(fields)?,
        received: received.ok_or_else(|| missing("received"))?,
        network_fee: requests::usdt(fields, "network_fee")?,
    })
}

fn evidence(fields: &mut Fields<'_>) -> Result<ledger::Fact, Problem> {
    fields.required_text("evidence", 255)?;
    Ok(wallet_fact(Fact::WithdrawalEvidence {
        withdrawal: fields.operation("withdrawal_id")?,
        finding: match fields.required_text("outcome", 16)? {
            "resumed" => Finding::Resumed,
            "completed" => Finding::Completed(read_sent(fields)?),
            "failed" => Finding::Failed,
            _ => return Err(wrong("outcome", "must be resumed, completed or failed")),
        },
        decided_by: decided_by(fields)?,
    }))
}
