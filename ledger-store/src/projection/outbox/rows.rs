//! What a record tells and asks as rows of the outbox.
//!
//! A body is what the contract renders, but that persons stand in it by tokens: the outbox is no
//! second vault. Whoever reads a row has the vault fill them in, and reads that they were erased
//! once they were (rulings 11).

use std::cell::OnceCell;

use ledger_core::contract::{Personal, Vault, Views};
use ledger_core::id::{OpId, Token};
use ledger_core::ledger::Record;
use serde_json::Value;

use crate::projection::schema::labels::{hex, instant, token};
use crate::projection::schema::table::{Cell, Cells};
use crate::sequencer::Sequencer;

/// Where persons can stand in a body; what stands there always comes from the vault.
const PERSONS: [&str; 10] = [
    "/data/payer_name",
    "/data/payer_tax_number",
    "/data/pix_key",
    "/data/br_code",
    "/data/merchant_name",
    "/data/payee_tax_number",
    "/data/recipient_name",
    "/data/recipient_document",
    "/pix_key",
    "/br_code",
];

/// What stands for a value, and for what may be shown of one.
const VALUE: &str = "value of ";
const MASK: &str = "mask of ";

/// Kinds of rows.
pub(in crate::projection) const NOTICE: &str = "notice";
/// The other kind.
pub(in crate::projection) const INSTRUCTION: &str = "instruction";

/// More persons than any one body names.
const MOST_PERSONS: usize = 8;

/// A vault in which every token stands for itself.
#[derive(Default)]
struct Marks([OnceCell<String>; MOST_PERSONS]);

impl Marks {
    fn mark(&self, prefix: &str, token: Token) -> &str {
        let mark = format!("{prefix}{}", hex(&token.0));
        for cell in &self.0 {
            let kept = cell.get_or_init(|| mark.clone());
            if *kept == mark {
                return kept;
            }
        }
        unreachable!("no body names so many persons")
    }
}

impl Vault for Marks {
    fn value(&self, token: Token) -> Option<&str> {
        Some(self.mark(VALUE, token))
    }

    fn mask(&self, token: Token) -> Option<&str> {
        Some(self.mark(MASK, token))
    }

    fn learn(&mut self, _: Personal) {
        unreachable!("what is rendered teaches nothing")
    }
}

/// The rows of `record`, just applied to `sequencer`, whose link begins with `check`.
pub(in crate::projection) fn rows(
    sequencer: &Sequencer,
    record: &Record,
    check: &str,
) -> Vec<Cells> {
    let ledger = sequencer.ledger();
    let effects = ledger.effects(record);
    let name = &*ledger.state.name;
    let row = |place: usize, kind: &str, op: OpId, [topic, id, key]: [String; 3], body: &Value| {
        vec![
            record.seq.0.into(),
            Cell::Integer(i64::try_from(place).unwrap_or(i64::MAX)),
            kind.into(),
            topic.into(),
            op.text(name).into(),
            id.into(),
            key.into(),
            check.into(),
            instant(record.at).into(),
            body.to_string().into(),
            Cell::Null,
        ]
    };
    let word = |body: &Value, field: &str| body[field].as_str().unwrap_or_default().to_owned();
    let notifications = effects.notifications.iter().map(|notification| {
        let marks = Marks::default();
        let body = views(sequencer, &marks).event(notification);
        let id = word(&body, "id");
        (NOTICE, notification.op, [word(&body, "event"), id.clone(), id], body)
    });
    let instructions = effects.instructions.iter().map(|instruction| {
        let marks = Marks::default();
        let body = views(sequencer, &marks).instruction(instruction);
        let key = word(&body, "idempotency_key");
        (INSTRUCTION, instruction.op, [word(&body, "instruction"), String::new(), key], body)
    });
    let all = notifications.chain(instructions).enumerate();
    all.map(|(place, (kind, op, mut words, body))| {
        if words[1].is_empty() {
            let op = op.text(name);
            words[1] = format!("in_{}_{place}_{}", record.seq.0, &op[op.len() - 16..]);
        }
        row(place, kind, op, words, &body)
    })
    .collect()
}

fn views<'a>(
    sequencer: &'a Sequencer,
    marks: &'a Marks,
) -> Views<'a, impl ledger_core::ledger::Archive, Marks> {
    let ledger = sequencer.ledger();
    Views { state: &ledger.state, archive: &ledger.archive, vault: marks }
}

/// Puts persons where their tokens stand; gives the tokens, by the field each is of.
pub(in crate::projection) fn fill(
    body: &mut Value,
    vault: &impl Vault,
) -> Vec<(&'static str, Token)> {
    const ERASED: &str = "[apagado]";
    let mut persons = Vec::new();
    for pointer in PERSONS {
        let Some(place) = body.pointer_mut(pointer) else { continue };
        let Some(mark) = place.as_str() else { continue };
        let (of, digits) = match (mark.strip_prefix(VALUE), mark.strip_prefix(MASK)) {
            (Some(digits), _) => (VALUE, digits),
            (None, Some(digits)) => (MASK, digits),
            (None, None) => continue,
        };
        let Some(token) = token(digits) else { continue };
        let known = if of == VALUE { vault.value(token) } else { vault.mask(token) };
        *place = known.unwrap_or(ERASED).into();
        persons.push((pointer.rsplit('/').next().unwrap_or(pointer), token));
    }
    persons
}
