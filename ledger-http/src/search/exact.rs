//! What is kept by key: ids, accounts, customers, external ids, PIX, transactions, facts.

use ledger_core::id::{Kind, OpId, Seq};
use ledger_core::ledger::{Archive as _, Event, ExternalId, Scope};
use ledger_store::sequencer::Sequencer;

use super::ACCOUNTS;
use super::hit::{Hit, HitTarget, Matched};
use super::text::SearchText;

/// What of the outside world is kept by its own id.
const SCOPES: [(Scope, Matched); 10] = [
    (Scope::ReceivedPix, Matched::Pix),
    (Scope::SentPix, Matched::Pix),
    (Scope::ReturnedDeposit, Matched::Pix),
    (Scope::ReturnedPayout, Matched::Pix),
    (Scope::Deposit, Matched::Transaction),
    (Scope::Confirmation, Matched::Transaction),
    (Scope::Vanishing, Matched::Transaction),
    (Scope::ReceivedCoins, Matched::Transaction),
    (Scope::Again, Matched::Transaction),
    (Scope::Fact, Matched::Fact),
];

pub(super) fn hits(sequencer: &Sequencer, asked: &SearchText) -> Vec<Hit> {
    let text = &*asked.text;
    if text.is_empty() {
        return Vec::new();
    }
    let ledger = sequencer.ledger();
    let mut hits = Vec::new();
    hits.extend(operation(sequencer, text));
    if let Some(seq) = text.parse().ok().filter(|seq| (1..=ledger.state.seq.0).contains(seq)) {
        hits.push(Hit { place: HitTarget::Record(seq), by: Matched::Record });
    }
    if ledger.state.account_named(text).is_some() {
        hits.push(Hit { place: HitTarget::Account(text.to_owned()), by: Matched::Account });
    }
    for (account, known) in ledger.state.accounts().take(ACCOUNTS) {
        if ledger.archive.subaccount(account, text).is_some() {
            let (account, customer) = (known.name.to_string(), text.to_owned());
            hits.push(Hit {
                place: HitTarget::Customer { account, customer },
                by: Matched::Customer,
            });
        }
        let kinds = Kind::all().filter_map(|kind| ledger.archive.identity(account, kind, text));
        let external =
            kinds.map(|op| Hit { place: HitTarget::Operation(op), by: Matched::ExternalId });
        hits.extend(external);
    }
    for spelling in &asked.spellings {
        for (scope, by) in SCOPES {
            let outside = ExternalId { scope, id: spelling.as_str().into() };
            let seq = ledger.archive.fact_seq(&outside);
            hits.extend(seq.into_iter().flat_map(|seq| of_record(sequencer, seq, by)));
        }
    }
    hits
}

/// The operation whose id the text is, or begins.
fn operation(sequencer: &Sequencer, text: &str) -> Option<Hit> {
    let name = &sequencer.ledger().state.name;
    let known = |op: OpId| sequencer.views().operation(op).map(|_| HitTarget::Operation(op));
    if let Some(op) = OpId::parse(text, name) {
        return known(op).map(|place| Hit { place, by: Matched::Id });
    }
    let op = Kind::all().find_map(|kind| {
        let one = OpId::new(kind, Seq(1)).text(name);
        let prefix = &one[..=one.rfind('_')?];
        let digits = text.strip_prefix(prefix)?;
        // The record's number stands before the tag, in as many digits as that of the first.
        let length = one[prefix.len()..].find('1')? + 1;
        let seq = u64::from_str_radix(digits.get(..length)?, 16).ok()?;
        let op = OpId::new(kind, Seq(seq));
        (seq > 0 && seq <= sequencer.ledger().state.seq.0 && op.text(name).starts_with(text))
            .then_some(op)
    });
    op.and_then(known).map(|place| Hit { place, by: Matched::Beginning })
}

/// The operations that a record moved; the record itself where it moved none.
fn of_record(sequencer: &Sequencer, seq: Seq, by: Matched) -> Vec<Hit> {
    let Some(record) = sequencer.ledger().archive.record(seq) else { return Vec::new() };
    let ops = record.events.iter().filter_map(Event::op);
    let mut hits: Vec<Hit> = ops.map(|op| Hit { place: HitTarget::Operation(op), by }).collect();
    if hits.is_empty() {
        hits.push(Hit { place: HitTarget::Record(seq.0), by });
    }
    hits
}
