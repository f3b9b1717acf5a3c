//! What a record tells and asks as rows of the outbox.
//!
//! A body is what the contract renders, but that persons stand in it by tokens: the outbox is no
//! second vault. Whoever reads a row has the vault fill them in, and reads that they were erased
//! once they were (rulings 11).

use std::cell::OnceCell;

use ledger_core::contract::{Json, Personal, Vault, Views};
use ledger_core::id::{OpId, Seq, Token};
use ledger_core::ledger::{
    Archive, Effects, Instruction, Ledger, Notification, Operation, Record, State,
};
use ledger_core::time::Instant;
use serde_json::Value;

use crate::projection::schema::labels::{hex, instant, token};
use crate::projection::schema::table::{Cell, Cells};

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

/// Bytes of most bodies, at most.
const BODY: usize = 1_024;

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

/// An entry of the outbox, as it was decided: all of its row but what its record's link says.
#[derive(Debug)]
pub(crate) struct Pending {
    /// The record that it follows from.
    seq: Seq,
    place: usize,
    at: Instant,
    kind: &'static str,
    topic: String,
    op: String,
    account: Option<String>,
    id: String,
    key: String,
    /// JSON text.
    body: String,
}

impl Pending {
    /// The record that it follows from.
    pub(crate) const fn seq(&self) -> u64 {
        self.seq.0
    }

    /// Its row, of a record whose link begins with `check`.
    pub(in crate::projection) fn row(self, check: [u8; 8]) -> Cells {
        let Self { seq, place, at, kind, topic, op, account, id, key, body } = self;
        vec![
            seq.0.into(),
            Cell::Integer(i64::try_from(place).unwrap_or(i64::MAX)),
            kind.into(),
            topic.into(),
            op.into(),
            account.map_or(Cell::Null, Cell::Text),
            id.into(),
            key.into(),
            hex(&check).into(),
            instant(at).into(),
            body.into(),
            Cell::Null,
        ]
    }
}

/// The rows of `record`, just applied to `ledger`, whose link begins with `check`.
pub(in crate::projection) fn of_record<A: Archive>(
    ledger: &Ledger<A>,
    record: &Record,
    check: [u8; 8],
) -> impl Iterator<Item = Cells> {
    let Effects { notifications, instructions } = ledger.effects(record);
    let mut entries = Vec::new();
    let records = std::slice::from_ref(record);
    of_effects(ledger, records, (&notifications, &instructions), &mut entries);
    entries.into_iter().map(move |entry| entry.row(check))
}

/// The entries of records, just applied to `ledger`, that notify and ask so: those of one record
/// after the other, in each what is notified first.
pub(crate) fn of_effects<A: Archive>(
    ledger: &Ledger<A>,
    records: &[Record],
    (notifications, instructions): (&[Notification], &[Instruction]),
    into: &mut Vec<Pending>,
) {
    if notifications.is_empty() && instructions.is_empty() {
        return;
    }
    for Record { seq, at, .. } in records {
        let mut place = 0;
        let mut push = |kind, op: OpId, operation: Option<&Operation>, body: &Json<'_>| {
            let account = operation.and_then(|operation| account_of(&ledger.state, operation));
            let op = op.text(&ledger.state.name);
            let word = |field: &str| body[field].as_str().unwrap_or_default().to_owned();
            let (topic, id, key) = if kind == NOTICE {
                (word("event"), word("id"), word("id"))
            } else {
                let id = format!("in_{}_{place}_{}", seq.0, &op[op.len() - 16..]);
                (word("instruction"), id, word("idempotency_key"))
            };
            let (seq, at, body) = (*seq, *at, text_of(body));
            into.push(Pending { seq, place, at, kind, topic, op, account, id, key, body });
            place += 1;
        };
        for notification in notifications.iter().filter(|it| it.seq == *seq) {
            let marks = Marks::default();
            let views = views(ledger, &marks);
            let body = views.event(notification);
            push(NOTICE, notification.op, Some(&notification.operation), &body);
        }
        for instruction in instructions.iter().filter(|it| it.seq == *seq) {
            let marks = Marks::default();
            let views = views(ledger, &marks);
            let body = views.instruction(instruction);
            let open = ledger.state.open(instruction.op);
            let ended = if open.is_none() { ledger.archive.ended(instruction.op) } else { None };
            push(INSTRUCTION, instruction.op, open.or(ended.as_ref()), &body);
        }
    }
}

/// A body as it is kept. It is made in one piece, large enough for most.
fn text_of(body: &Json<'_>) -> String {
    let mut text = Vec::with_capacity(BODY);
    serde_json::to_writer(&mut text, body).expect("what is borrowed from memory can be written");
    String::from_utf8(text).expect("JSON is UTF-8")
}

fn views<'a, A: Archive>(ledger: &'a Ledger<A>, marks: &'a Marks) -> Views<'a, A, Marks> {
    Views { state: &ledger.state, archive: &ledger.archive, vault: marks }
}

/// The name of the API account that an operation belongs to.
fn account_of(state: &State, operation: &Operation) -> Option<String> {
    let account = state.account(operation.account()?)?;
    Some(account.name.to_string())
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
