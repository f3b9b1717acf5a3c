//! The handing out of an instruction, as a fact.

use super::shape::{FactShape, Subject};
use crate::contract::error::wrong;
use crate::contract::schema::field::FieldType::{Operation, Text};
use crate::contract::schema::field::required;
use crate::ledger::{Fact, FactKind, InstructionKey};

/// The fact that an instruction is handed to whoever carries it out.
pub const FACTS: &[FactShape] = &[FactShape {
    kind: FactKind::InstructionHandedOut,
    name: "instruction.handed_out",
    subject: Subject::Operation(&["operation"]),
    meaning: "An instruction is handed to whoever carries it out: from here on it may have been \
              carried out. One that does not stand any more is set aside.",
    fields: &[
        required("operation", Operation, "the operation that it is for"),
        required("idempotency_key", Text(128), "the instruction's, which begins with that"),
    ],
    example: r#"{"at":"2026-11-20T12:00:00Z","fact":"instruction.handed_out","body":{"operation":"$o1.payout_id","idempotency_key":"$o1.payout_id:send"}}"#,
    read: |fields, _| {
        let key = fields.required_text("idempotency_key", 128)?;
        let Some(op) = fields.operation("operation")? else { return Ok(Fact::HandedOut(None)) };
        match InstructionKey::parse(key, fields.ledger()) {
            Some(key) if key.op == op => Ok(Fact::HandedOut(Some(key))),
            _ => Err(wrong("idempotency_key", "must be that of an instruction of the operation")),
        }
    },
}];
