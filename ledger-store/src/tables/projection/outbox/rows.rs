//! What a record tells and asks as rows of the outbox.
//!
//! A body is what the contract renders, but that persons stand in it by tokens: the outbox is no
//! second vault. Whoever reads a row has the vault fill them in, and reads that they were erased
//! once they were (rulings 11).

use std::cell::OnceCell;

use ledger_core::contract::{Json, Personal, Recall, Vault, Views};
use ledger_core::hexadecimal::digits;
use ledger_core::id::{Seq, Token};
use ledger_core::ledger::{
    Archive, Effects, Instruction, Ledger, Notification, Operation, Record, State,
};
use ledger_core::time::Instant;
use serde_json::{Map, Value};

use crate::tables::projection::schema::labels::{instant, token};
use crate::tables::projection::schema::table::{Cell, Cells};

/// Where persons can stand in a body; what stands there always comes from the vault.
const PERSONS: [&str; 13] = [
    "/data/payer_name",
    "/data/payer_tax_number",
    "/data/pix_key",
    "/data/br_code",
    "/data/merchant_name",
    "/data/payee_tax_number",
    "/data/recipient_name",
    "/data/recipient_document",
    "/data/paid_by_tax_number",
    "/pix_key",
    "/br_code",
    "/tax_number",
    METADATA,
];

/// Where metadata stands, whose value is the JSON of an object.
const METADATA: &str = "/data/metadata";

/// What stands for a value, and for what may be shown of one.
const VALUE: &str = "value of ";
const MASK: &str = "mask of ";

/// Kinds of rows.
pub(in crate::tables::projection) const NOTICE: &str = "notice";
/// The other kind.
pub(in crate::tables::projection) const INSTRUCTION: &str = "instruction";

/// More persons than any one body names.
const MOST_PERSONS: usize = 8;

/// A vault in which every token stands for itself.
#[derive(Default)]
struct Marks([OnceCell<String>; MOST_PERSONS]);

impl Marks {
    fn mark(&self, prefix: &str, token: Token) -> &str {
        let mark = format!("{prefix}{}", digits(&token.0));
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

/// What an entry tells or asks.
#[derive(Clone, Copy)]
pub(super) enum Effect<'a> {
    Notification(&'a Notification),
    Instruction(&'a Instruction),
}

/// Where an entry stands: its record and the instant of that, and its place among what follows from
/// it.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntryPosition {
    pub(super) seq: Seq,
    pub(super) at: Instant,
    pub(super) index: usize,
}

impl Effect<'_> {
    /// The name of the API account that its operation belongs to.
    pub(super) fn account<A: Archive>(self, ledger: &Ledger<A>) -> Option<&str> {
        let (state, archive) = (&ledger.state, &ledger.archive);
        match self {
            Effect::Notification(notification) => account_of(state, &notification.operation),
            Effect::Instruction(Instruction { op, .. }) => match state.open(*op) {
                Some(open) => account_of(state, open),
                None => account_of(state, &archive.ended_operation(*op)?),
            },
        }
    }

    /// Its row, rendered from the names in `state` and from what `archive` recalls; of a record
    /// whose link begins with `check`. Its body is rendered into `room`, whatever is there.
    pub(super) fn row(
        self,
        (state, archive): (&State, &impl Recall),
        EntryPosition { seq, at, index }: EntryPosition,
        (account, check): (Option<&str>, [u8; 8]),
        room: &mut Vec<u8>,
    ) -> Cells {
        let marks = Marks::default();
        let views = Views { state, archive, vault: &marks };
        let (kind, op, body) = match self {
            Effect::Notification(it) => (NOTICE, it.op, views.event(it)),
            Effect::Instruction(it) => (INSTRUCTION, it.op, views.instruction(it)),
        };
        let op = op.text(&state.name);
        let word = |field: &str| body[field].as_str().unwrap_or_default().to_owned();
        let (topic, id, key) = if kind == NOTICE {
            (word("event"), word("id"), word("id"))
        } else {
            let id = format!("in_{}_{index}_{}", seq.0, &op[op.len() - 16..]);
            (word("instruction"), id, word("idempotency_key"))
        };
        vec![
            seq.0.into(),
            Cell::Integer(i64::try_from(index).unwrap_or(i64::MAX)),
            kind.into(),
            topic.into(),
            op.into(),
            account.into(),
            id.into(),
            key.into(),
            digits(&check).into(),
            instant(at).into(),
            text_of(&body, room).into(),
            Cell::Null,
        ]
    }
}

/// The rows of `record`, just applied to `ledger`, whose link begins with `check`.
pub(in crate::tables::projection) fn of_record<A: Archive>(
    ledger: &Ledger<A>,
    record: &Record,
    check: [u8; 8],
) -> Vec<Cells> {
    let Effects { notifications, instructions } = ledger.effects(record);
    let effects = in_order(record.seq, (&notifications, &instructions));
    let mut room = Vec::new();
    let row = |(index, effect): (usize, Effect<'_>)| {
        let place = EntryPosition { seq: record.seq, at: record.at, index };
        let of = (effect.account(ledger), check);
        effect.row((&ledger.state, &ledger.archive), place, of, &mut room)
    };
    effects.enumerate().map(row).collect()
}

/// Returns what record `seq` tells and asks, in the order of its entries: first what is notified
/// of.
pub(super) fn in_order<'a>(
    seq: Seq,
    (notifications, instructions): (&'a [Notification], &'a [Instruction]),
) -> impl Iterator<Item = Effect<'a>> {
    let notifications = notifications.iter().filter(move |it| it.seq == seq);
    let instructions = instructions.iter().filter(move |it| it.seq == seq);
    notifications.map(Effect::Notification).chain(instructions.map(Effect::Instruction))
}

/// A body as it is kept: no longer than its text, since thousands may wait to be written.
fn text_of(body: &Json<'_>, room: &mut Vec<u8>) -> String {
    room.clear();
    serde_json::to_writer(&mut *room, body).expect("what is borrowed from memory can be written");
    std::str::from_utf8(room).expect("JSON is UTF-8").to_owned()
}

/// The name of the API account that an operation belongs to.
fn account_of<'a>(state: &'a State, operation: &Operation) -> Option<&'a str> {
    Some(&state.account(operation.account()?)?.name)
}

/// Puts persons where their tokens stand; gives the tokens, by the field each is of.
pub(in crate::tables::projection) fn fill(
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
        *place = match known {
            Some(text) if pointer == METADATA => serde_json::from_str(text).unwrap_or_default(),
            None if pointer == METADATA => Value::Object(Map::new()),
            known => known.unwrap_or(ERASED).into(),
        };
        persons.push((pointer.rsplit('/').next().unwrap_or(pointer), token));
    }
    persons
}
