//! A dossier: everything that a ledger, and its operators, keep of a person, for a court or for the
//! person.

use std::collections::{BTreeMap, BTreeSet};

use ledger_core::contract::Words;
use ledger_core::id::{OpId, Seq};
use ledger_core::ledger::{Archive as _, Event, Record};
use ledger_core::machine::hold::State as Hold;
use ledger_store::sequencer::Sequencer;
use ledger_store::vault::{Erased, MentionedValue, Mentions, OperatorNote};
use serde_json::{Value, json};

/// How many operations one read looks up.
const TURN: usize = 50;

/// What operators wrote beside a ledger that names a person or is about an operation of theirs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OperatorWords {
    /// The notes of the inbox, with whom each operation is.
    pub(crate) notes: Vec<Value>,
    /// The decisions that were proposed, with what each says.
    pub(crate) proposals: Vec<Value>,
}

impl OperatorWords {
    /// Counts those that stay when the person is erased, because they do not name them.
    pub(crate) fn staying(&self) -> usize {
        let all = self.notes.iter().chain(&self.proposals);
        all.filter(|word| word["names_person"] == false).count()
    }

    const fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.proposals.is_empty()
    }
}

/// Everything that a ledger keeps of a person: values, accounts, customers, operations, holds,
/// decisions and erasures, and what operators wrote beside it. It is made in steps, so that no
/// read of a running ledger takes long.
#[derive(Debug)]
pub struct Dossier {
    mentions: Mentions,
    rest: BTreeSet<OpId>,
    accounts: BTreeSet<String>,
    customers: BTreeSet<(String, String)>,
    operations: Vec<Value>,
    holds: Vec<Value>,
    decisions: BTreeMap<u64, Value>,
    words: OperatorWords,
}

impl Dossier {
    /// Of a person, by where the journal mentions them.
    #[must_use]
    pub fn new(mentions: Mentions) -> Self {
        Self {
            rest: mentions.operations.clone(),
            mentions,
            accounts: BTreeSet::new(),
            customers: BTreeSet::new(),
            operations: Vec::new(),
            holds: Vec::new(),
            decisions: BTreeMap::new(),
            words: OperatorWords::default(),
        }
    }

    /// Tells whether the ledger keeps nothing of the person, and never did.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mentions.records.is_empty() && self.mentions.holds.is_empty() && self.words.is_empty()
    }

    /// The ids of the person's operations and holds that were looked up.
    #[must_use]
    pub fn operation_ids(&self) -> BTreeSet<String> {
        let known = self.operations.iter().chain(&self.holds);
        known.filter_map(|it| it["id"].as_str()).map(str::to_owned).collect()
    }

    /// Adds what operators wrote beside the ledger.
    pub fn add_words(&mut self, words: OperatorWords) {
        self.words = words;
    }

    /// Looks up some more of the operations; whether that is to be done again.
    pub fn go_on(&mut self, sequencer: &Sequencer) -> bool {
        for op in std::iter::from_fn(|| self.rest.pop_first()).take(TURN).collect::<Vec<_>>() {
            self.operation(sequencer, op);
        }
        if self.rest.is_empty() {
            // Some name nobody's operation: the opening of an account, a payer reviewed.
            let records = self.mentions.records.iter();
            let records: Vec<_> = records.filter_map(|seq| record(sequencer, *seq)).collect();
            for record in &records {
                self.decision(sequencer, record, None);
            }
        }
        !self.rest.is_empty()
    }

    fn operation(&mut self, sequencer: &Sequencer, op: OpId) {
        let views = sequencer.views();
        let Some(known) = views.operation(op) else { return };
        let id = op.text(&views.state.name);
        let owner = views.state.owner_of(&known).and_then(|account| views.state.account(account));
        let account = owner.map(|known| known.name.to_string());
        let answer = views.creation_response(op, &known);
        if let Some(account) = &account {
            self.accounts.insert(account.clone());
            if let Some(customer) = answer.get("customer_ref").and_then(Value::as_str) {
                self.customers.insert((account.clone(), customer.to_owned()));
            }
        }
        let trail = sequencer.trail(op).unwrap_or_default();
        for record in trail.iter().filter_map(|seq| record(sequencer, seq.0)) {
            self.decision(sequencer, &record, Some(&id));
        }
        let created = known.created_at.to_string();
        if let Some(Hold::Open(amounts) | Hold::Closed(amounts)) = known.hold() {
            let cause = amounts.order.cause.map(|cause| cause.text(&views.state.name));
            self.holds.push(json!({
                "id": id,
                "account": account,
                "created_at": created,
                "cause": cause,
                "requested_cents": amounts.order.requested.cents(),
                "blocked_cents": amounts.blocked_cents().cents(),
                "short_cents": amounts.shortfall().cents(),
            }));
            return;
        }
        let words = Words::for_operation(&known);
        self.operations.push(json!({
            "id": id,
            "kind": op.kind().name(),
            "account": account,
            "created_at": created,
            "updated_at": known.updated_at.to_string(),
            "status": words.status,
            "settlement_status": words.settlement,
            "answer": answer,
            "records": trail.iter().map(|seq| seq.0).collect::<Vec<_>>(),
        }));
    }

    /// Adds what a person decided in a record.
    fn decision(&mut self, sequencer: &Sequencer, record: &Record, op: Option<&str>) {
        let judged = record.events.iter().find_map(|event| match event {
            Event::Judged(by) => Some(by),
            _ => None,
        });
        let Some(by) = judged else { return };
        let views = sequencer.views();
        let decision = self.decisions.entry(record.seq.0).or_insert_with(|| {
            json!({
                "record": record.seq.0,
                "at": record.at.to_string(),
                "actor": views.value(by.actor),
                "reason": views.value(by.reason),
                "evidence": by.evidence.map(|evidence| views.value(evidence)),
                "operations": [],
            })
        });
        if let (Some(op), Some(ops)) = (op, decision["operations"].as_array_mut()) {
            ops.push(op.into());
        }
    }

    /// All of it.
    #[must_use]
    pub fn json(&self) -> Value {
        let Mentions { until, values, records, holds, .. } = &self.mentions;
        let customers = self.customers.iter();
        let customers = customers.map(|(of, name)| json!({ "account": of, "customer": name }));
        let legal = holds.iter().map(|hold| {
            json!({
                "hold": hold.id,
                "placed": note(&hold.placed),
                "released": hold.released.as_ref().map(note),
            })
        });
        let erased = values.iter().filter(|value| value.erased.is_some());
        json!({
            "as_of_record": until,
            "values": values.iter().map(value).collect::<Vec<_>>(),
            "accounts": self.accounts,
            "customers": customers.collect::<Vec<_>>(),
            "operations": self.operations,
            "holds": self.holds,
            "legal_holds": legal.collect::<Vec<_>>(),
            "decisions": self.decisions.values().collect::<Vec<_>>(),
            "notes": self.words.notes,
            "proposals": self.words.proposals,
            "erasures": erased.map(value).collect::<Vec<_>>(),
            "records": records,
        })
    }
}

fn record(sequencer: &Sequencer, seq: u64) -> Option<Record> {
    sequencer.ledger().archive.record(Seq(seq))
}

fn value(value: &MentionedValue) -> Value {
    let of = Erased { token: value.token, sort: value.sort };
    json!({
        "kind": of.kind(),
        "token": of.token_text(),
        "value": value.value,
        "erased_after_record": value.erased,
    })
}

fn note(note: &OperatorNote) -> Value {
    json!({ "at": note.at.to_string(), "actor": note.by, "reason": note.reason })
}
