//! What no index keeps, looked for in records.

use std::ops::RangeInclusive;

use ledger_core::id::Seq;
use ledger_core::ledger::{Archive as _, Event, Record};
use ledger_store::export::legs;
use ledger_store::sequencer::Sequencer;

use super::hit::{Hit, HitTarget, Matched, amount_cents};
use super::text::SearchText;

/// Returns what these records tell of what is asked, the latest first.
pub(super) fn hits(
    sequencer: &Sequencer,
    asked: &SearchText,
    from: RangeInclusive<u64>,
) -> Vec<Hit> {
    let needles = asked.needles();
    let records = from.rev().filter_map(|seq| sequencer.ledger().archive.record(Seq(seq)));
    let mut hits = Vec::new();
    for record in records {
        for event in &record.events {
            let named = || {
                let bytes = minicbor::to_vec(event).expect("writing to memory cannot fail");
                needles.iter().find(|needle| stands_in(needle, &bytes)).copied()
            };
            let by = match asked.cents {
                Some(cents) if is_about(sequencer, &record, event, cents) => Matched::Amount,
                Some(_) => continue,
                None => match named() {
                    Some(needle) if asked.persons.iter().any(|one| one.0 == needle) => {
                        Matched::Person
                    }
                    Some(_) => Matched::Text,
                    None => continue,
                },
            };
            let place = event.op().map_or(HitTarget::Record(record.seq.0), HitTarget::Operation);
            hits.push(Hit { place, by });
        }
    }
    hits
}

fn stands_in(needle: &[u8], bytes: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|part| part == needle)
}

/// Tells whether an event books just so much, or creates what is about just so much.
fn is_about(sequencer: &Sequencer, record: &Record, event: &Event, cents: i64) -> bool {
    let Some(op) = event.op() else { return false };
    if op.seq() == record.seq && amount_cents(sequencer, op) == Some(cents) {
        return true;
    }
    let booked = |amount: i128| amount.unsigned_abs() == u128::from(cents.unsigned_abs());
    legs(sequencer, event).iter().any(|leg| leg.commodity == "BRL" && booked(leg.amount))
}
