//! The commonest record, a transfer, by hand: the same bytes as the derived codec's, for a fifth of
//! its instructions.
//!
//! ```text
//! [at, [[7, [op, [0, [[account, from, to, amount, external id?, note?]]]]]], [origin, deadline]]
//! origin: [0, []] for a call, [1, [id]] for one with a request id,
//!         [2, [source, pass, number, hash]] for a line of a file
//! ```
//!
//! Whatever is not of this shape is left to the derived codec, which alone says what is wrong with
//! bytes. `tests/codec/by_hand.rs` compares the two.

use ledger_core::id::{AccountId, OpId, Seq, SubaccountId, Token};
use ledger_core::ledger::{Cause, Event, Origin, Record};
use ledger_core::machine::transfer::{Event as Moved, Order};
use ledger_core::money::Amount;
use ledger_core::time::Instant;

/// Major types of CBOR (RFC 8949, section 3.1), in the upper three bits of a head.
const UNSIGNED: u8 = 0 << 5;
const BYTES: u8 = 2 << 5;
const TEXT: u8 = 3 << 5;
const ARRAY: u8 = 4 << 5;
/// Simple values of CBOR (RFC 8949, section 3.3), with their major type.
const NULL: u8 = 0xf6;
const FALSE: u8 = 0xf4;
const TRUE: u8 = 0xf5;

/// A record of three fields, after which stands its instant.
const RECORD: u8 = ARRAY | 3;
/// One event, of variant 7, with two fields, after which stands its operation.
const TRANSFER: [u8; 4] = [ARRAY | 1, ARRAY | 2, 7, ARRAY | 2];
/// How it moved, variant 0, of one field, after which stands the order.
const DONE: [u8; 3] = [ARRAY | 2, 0, ARRAY | 1];
/// A cause: where from, and whether it was a deadline.
const CAUSE: u8 = ARRAY | 2;
/// A call that gave no request id.
const CALL: [u8; 3] = [ARRAY | 2, 0, ARRAY];
/// A call with a request id, which stands after it.
const REQUEST: [u8; 3] = [ARRAY | 2, 1, ARRAY | 1];
/// A line of a file, whose four fields stand after it.
const LINE: [u8; 3] = [ARRAY | 2, 2, ARRAY | 4];

/// The most bytes of text written here; with them a record fits on one [`Page`].
const LONGEST: usize = 128;

/// Appends the body of `record` to `into`, if it is a transfer; says whether it was.
#[inline]
pub(super) fn encode(record: &Record, into: &mut Vec<u8>) -> bool {
    let ([Event::Transfer { op, event: Moved::Done(order) }], None, None) =
        (&record.events[..], &record.outside, record.original)
    else {
        return false;
    };
    let Cause { origin, deadline } = &record.cause;
    let named = match origin {
        Origin::Call => "",
        Origin::Request(name) | Origin::Line { source: name, .. } => name,
    };
    let external_id = order.external_id.as_deref();
    if LONGEST < external_id.map_or(0, str::len) + named.len() {
        return false;
    }
    let mut page = Page::blank();
    page.head(RECORD);
    page.write_unsigned(record.at.micros().unsigned_abs());
    page.push(TRANSFER);
    page.write_unsigned(op.number());
    page.push(DONE);
    order_onto(&mut page, order, external_id);
    page.head(CAUSE);
    match origin {
        Origin::Call => page.push(CALL),
        Origin::Request(_) => {
            page.push(REQUEST);
            page.string(TEXT, named.as_bytes());
        }
        Origin::Line { pass, number, hash, .. } => {
            page.push(LINE);
            page.string(TEXT, named.as_bytes());
            page.write_unsigned((*pass).into());
            page.write_unsigned(*number);
            page.write_unsigned(*hash);
        }
    }
    page.head(if *deadline { TRUE } else { FALSE });
    into.extend_from_slice(page.as_bytes());
    true
}

fn order_onto(page: &mut Page, order: &Order, external_id: Option<&str>) {
    // Fields at the end that are absent are not written at all.
    let fields = match (external_id, order.note) {
        (_, Some(_)) => 6,
        (Some(_), None) => 5,
        (None, None) => 4,
    };
    page.head(ARRAY | fields);
    page.write_unsigned(order.account.0.into());
    page.write_unsigned(order.from.0.into());
    page.write_unsigned(order.to.0.into());
    page.write_unsigned(order.amount.cents().unsigned_abs());
    match external_id {
        Some(id) => page.string(TEXT, id.as_bytes()),
        None if order.note.is_some() => page.head(NULL),
        None => {}
    }
    if let Some(note) = order.note {
        page.string(BYTES, &note.0);
    }
}

/// The record whose body this is, if it is a transfer's as [`encode`] writes it.
#[inline]
pub(super) fn decode(body: &[u8]) -> Option<Record> {
    let mut bytes = Reading(body);
    bytes.pass([RECORD])?;
    let at = Instant::from_micros(bytes.read_unsigned()?.try_into().ok()?)?;
    bytes.pass(TRANSFER)?;
    let op = OpId::from_number(bytes.read_unsigned()?)?;
    bytes.pass(DONE)?;
    let order = order_from(&mut bytes)?;
    bytes.pass([CAUSE])?;
    let origin = origin_from(&mut bytes)?;
    let deadline = match bytes.0 {
        [FALSE] => false,
        [TRUE] => true,
        _ => return None,
    };
    let events = vec![Event::Transfer { op, event: Moved::Done(order) }];
    let cause = Cause { origin, deadline };
    Some(Record { seq: Seq::default(), at, events, cause, outside: None, original: None })
}

fn order_from(bytes: &mut Reading<'_>) -> Option<Order> {
    let fields = bytes.next()?;
    let mut number = || u32::try_from(bytes.read_unsigned()?).ok();
    let (account, from, to) =
        (AccountId(number()?), SubaccountId(number()?), SubaccountId(number()?));
    let amount = Amount::new(bytes.read_unsigned()?.try_into().ok()?)?;
    let (external_id, note) = match fields.checked_sub(ARRAY)? {
        4 => (None, None),
        5 => (Some(bytes.text()?.into()), None),
        6 => {
            let absent = bytes.pass([NULL]).is_some();
            let external_id = if absent { None } else { Some(bytes.text()?.into()) };
            (external_id, Some(Token(bytes.string(BYTES)?.try_into().ok()?)))
        }
        _ => return None,
    };
    Some(Order { account, from, to, amount, external_id, note })
}

fn origin_from(bytes: &mut Reading<'_>) -> Option<Origin> {
    if bytes.pass(CALL).is_some() {
        return Some(Origin::Call);
    }
    if bytes.pass(REQUEST).is_some() {
        return Some(Origin::Request(bytes.text()?.into()));
    }
    bytes.pass(LINE)?;
    Some(Origin::Line {
        source: bytes.text()?.into(),
        pass: bytes.read_unsigned()?.try_into().ok()?,
        number: bytes.read_unsigned()?,
        hash: bytes.read_unsigned()?,
    })
}

/// What is being written: on the stack, so that no piece of it asks whether a vector has room.
struct Page {
    bytes: [u8; Self::SIZE],
    end: usize,
}

impl Page {
    /// Room for the longest texts, for twelve numbers of nine bytes, and for what stands between.
    const SIZE: usize = LONGEST + 160;

    const fn blank() -> Self {
        Self { bytes: [0; Self::SIZE], end: 0 }
    }

    fn head(&mut self, byte: u8) {
        self.push([byte]);
    }

    fn push<const N: usize>(&mut self, bytes: [u8; N]) {
        self.bytes[self.end..self.end + N].copy_from_slice(&bytes);
        self.end += N;
    }

    fn write_unsigned(&mut self, number: u64) {
        self.number(UNSIGNED, number);
    }

    /// A head of this major type with its number, in the shortest of the five forms.
    fn number(&mut self, major: u8, number: u64) {
        let (argument, width) = match number {
            0..24 => return self.head(major | number.to_le_bytes()[0]),
            24..0x100 => (24, 1),
            0x100..0x1_0000 => (25, 2),
            0x1_0000..0x1_0000_0000 => (26, 4),
            _ => (27, 8),
        };
        self.head(major | argument);
        // Eight bytes are put down whatever the width; what comes next overwrites the rest.
        self.push((number << (64 - 8 * width)).to_be_bytes());
        self.end -= 8 - width;
    }

    fn string(&mut self, major: u8, bytes: &[u8]) {
        self.number(major, bytes.len() as u64);
        self.bytes[self.end..self.end + bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len();
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.end]
    }
}

/// What is left to be read. Every step gives `None` where the bytes are of another shape.
struct Reading<'a>(&'a [u8]);

impl<'a> Reading<'a> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn pass<const N: usize>(&mut self, expected: [u8; N]) -> Option<()> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        if *first != expected {
            return None;
        }
        self.0 = rest;
        Some(())
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    fn read_unsigned(&mut self) -> Option<u64> {
        self.number(UNSIGNED)
    }

    /// The number in a head of this major type.
    fn number(&mut self, major: u8) -> Option<u64> {
        match self.next()?.checked_sub(major)? {
            small @ 0..24 => Some(small.into()),
            24 => self.take().map(u8::from_be_bytes).map(u64::from),
            25 => self.take().map(u16::from_be_bytes).map(u64::from),
            26 => self.take().map(u32::from_be_bytes).map(u64::from),
            27 => self.take().map(u64::from_be_bytes),
            _ => None,
        }
    }

    fn string(&mut self, major: u8) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number(major)?).ok()?;
        let (string, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(string)
    }

    fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.string(TEXT)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without this, everything could be left to the derived codec unseen.
    #[test]
    fn a_transfer_that_was_asked_for_is_written_and_read_by_hand() {
        let source = "day.jsonl".into();
        let line = Origin::Line { source, pass: u32::MAX, number: 70_000, hash: u64::MAX };
        for (origin, external_id, note) in [
            (Origin::Call, None, None),
            (Origin::Call, Some("transfer-00000000001"), None),
            (Origin::Request("r-1".into()), None, Some(Token([7; 16]))),
            (Origin::Request("r-2".into()), Some("transfer-00000000002"), Some(Token([8; 16]))),
            (line.clone(), Some("transfer-00000000003"), None),
            (line, None, Some(Token([9; 16]))),
        ] {
            let order = Order {
                account: AccountId(1),
                from: SubaccountId(2),
                to: SubaccountId(70_000),
                amount: Amount::CENTAVO,
                external_id: external_id.map(Into::into),
                note,
            };
            let op = OpId::new(ledger_core::id::Kind::Transfer, Seq(9));
            let record = Record {
                seq: Seq::default(),
                at: Instant::from_micros(1_795_000_000_000_000).unwrap(),
                events: vec![Event::Transfer { op, event: Moved::Done(order) }],
                cause: Cause::new(origin),
                outside: None,
                original: None,
            };
            let mut body = Vec::new();
            assert!(encode(&record, &mut body));
            assert_eq!(decode(&body), Some(record));
        }
    }
}
