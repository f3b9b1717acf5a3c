//! The sections of a report, in reading order; each is made of the ledger as it closed, and of what
//! was counted on the way.

mod books;
mod open;
mod results;

use ledger_core::coin::Scale;
use ledger_core::contract::{FACTS, Views};
use ledger_core::id::{AssetId, OpId, SubaccountId};
use ledger_core::ledger::invariants;
use ledger_core::ledger::{Archive as _, State};
use ledger_core::time::Instant;

use super::sheet::{Section, Sheet, Value};
use super::{Begun, Report, TrialBalance};
use crate::bytes::chain::Link;
use crate::engines::sequencer::Sequencer;
use crate::journal::Head;
use crate::state::archive::JournalArchive;
use crate::state::vault::Vault;
use crate::tables::export::centavos;

/// A ledger as a report closes.
pub(super) struct Closing<'a> {
    pub(super) report: &'a Report,
    pub(super) sequencer: &'a Sequencer,
    pub(super) trial: &'a [TrialBalance],
    /// The state hash that two replays came to.
    pub(super) state: Link,
    /// With what the audit began, where that is not the first record.
    pub(super) begun: Option<&'a Begun>,
    /// The heads that were kept elsewhere, which lie on its chain.
    pub(super) kept: &'a [Head],
}

impl Closing<'_> {
    /// Builds the sheet with all of its sections, in reading order.
    pub(super) fn sheet(&self) -> Sheet {
        let begun = self.begun.map(begun_with);
        let sections = vec![
            self.chain(),
            invariants_held(),
            self.sums(),
            self.trial_balance(),
            self.coverage(),
            self.over_time(),
            self.control(),
            self.roll_forward(),
            self.receivables(),
            self.holds(),
            self.waiting(),
            self.open_over_time(),
            self.ageing(),
            self.fees(),
            self.fee_schedules(),
            self.commission(),
            self.reserve(),
            self.trading(),
            self.duplicates(),
            self.set_aside(),
            self.remarks(),
            self.decisions(),
            self.limits(),
            self.ladder(),
        ];
        let sections = begun.into_iter().chain(sections).collect();
        Sheet { ledger: self.report.name.clone(), sections }
    }

    fn ledger(&self) -> &State {
        &self.sequencer.ledger().state
    }

    fn archive(&self) -> &JournalArchive {
        &self.sequencer.ledger().archive
    }

    fn views(&self) -> Views<'_, JournalArchive, Vault> {
        self.sequencer.views()
    }

    fn id(&self, op: OpId) -> Value {
        Value::code(op.text(&self.ledger().name))
    }

    /// The API account and the customer of a subaccount.
    fn whose(&self, subaccount: SubaccountId) -> [Value; 2] {
        let state = self.ledger();
        let account = state.subaccount(subaccount).and_then(|known| state.account(known.account));
        let account = account.map_or("", |known| &*known.name);
        let customer = self.archive().customer(subaccount).unwrap_or("casa");
        [Value::text(account), Value::text(customer)]
    }

    /// An asset's name and decimals; those of reais for none.
    fn commodity(&self, asset: Option<AssetId>) -> (String, Scale) {
        let Some(asset) = asset else { return ("BRL".to_owned(), centavos()) };
        let known = self.ledger().catalogue.asset_of(asset);
        known.map_or_else(|| ("?".to_owned(), Scale::SIX), |(name, scale)| (name.to_owned(), scale))
    }

    /// Returns what was read, by which rules, and that it is whole.
    fn chain(&self) -> Section {
        let (report, sequencer) = (self.report, self.sequencer);
        let before = self.archive().chain_before(1).map(|chain| chain.link().to_string());
        let at = |at: Option<Instant>| at.map_or(Value::Nothing, Value::At);
        let policy =
            minicbor::to_vec(&*self.ledger().policy).expect("memory takes what is written");
        let policy = blake3::hash(&policy).to_hex();
        let facts = vec![
            ("records", Value::Count(report.records)),
            ("head_before", before.map_or(Value::Nothing, Value::Code)),
            ("head_after", Value::code(sequencer.head().link.to_string())),
            ("kept_heads", Value::Count(self.kept.len() as u64)),
            (
                "last_kept_head",
                self.kept.iter().map(|head| head.seq).max().map_or(Value::Nothing, Value::Count),
            ),
            ("events", Value::Count(report.events)),
            ("deadlines", Value::Count(report.deadlines)),
            ("decided_by_a_person", Value::Count(report.judged)),
            ("first_at", at(report.span.map(|(first, _)| first))),
            ("last_at", at(report.span.map(|(_, last)| last))),
            ("engine_version", Value::text(env!("CARGO_PKG_VERSION"))),
            (
                "engine_sources",
                Value::code(String::from_utf8_lossy(&crate::state::snapshot::sources())),
            ),
            ("policy_hash", Value::code(&policy[..])),
            ("policy_record", Value::Count(report.flows.policy)),
            ("state_hash", Value::code(self.state.to_string())),
            ("replays_agree", Value::Flag(true)),
        ];
        Section::facts("chain", facts)
    }

    /// Returns what kept anything from happening twice. Repeats themselves leave no record.
    fn duplicates(&self) -> Section {
        let flows = &self.report.flows;
        let facts = vec![
            ("client_ids", Value::Count(flows.client_ids)),
            ("outside_ids", Value::Count(flows.outside_ids)),
        ];
        Section::facts("duplicates", facts)
    }

    /// Facts that contradicted the books, by what they were and why. Refused requests leave no
    /// record.
    fn set_aside(&self) -> Section {
        let rows = self.report.flows.set_aside.iter().map(|((fact, reason), count)| {
            let named = FACTS.iter().find(|shape| shape.kind == *fact);
            let name = named.map_or_else(|| format!("{fact:?}"), |shape| shape.name.to_owned());
            let reason = reason.map_or(Value::Nothing, Value::wire);
            vec![Value::Code(name), reason, Value::Count(*count)]
        });
        Section::table("set_aside", &["fact", "reason", "count"], rows.collect())
    }

    /// Losses that were accepted, and transactions that two records of before tell of.
    fn remarks(&self) -> Section {
        let rows = self.report.flows.remarks.iter().map(|remark| {
            let word = Value::Word(remark.what.word().to_owned());
            let (record, of) = (Value::Count(remark.record), Value::Count(remark.of));
            vec![record, word, of, Value::code(&*remark.id)]
        });
        Section::table("remarks", &["record", "what", "of_record", "id"], rows.collect())
    }

    /// Returns what persons decided, why, and on what evidence, as far as the vault still says it.
    fn decisions(&self) -> Section {
        let views = self.views();
        let rows = self.report.flows.decisions.iter().map(|decided| {
            let ops: Vec<String> =
                decided.ops.iter().map(|op| op.text(&self.ledger().name)).collect();
            vec![
                Value::Count(decided.record),
                Value::At(decided.at),
                Value::Code(ops.join(" ")),
                Value::Text(views.value(decided.by.actor)),
                Value::Text(views.value(decided.by.reason)),
                decided.by.evidence.map_or(Value::Nothing, |token| Value::Text(views.value(token))),
            ]
        });
        let columns = &["record", "at", "operations", "actor", "reason", "evidence"];
        Section::table("decisions", columns, rows.collect())
    }
}

/// That the audit began with a state that was kept of another, and whose word that is.
fn begun_with(begun: &Begun) -> Section {
    let facts = vec![
        ("from_record", Value::Count(begun.record + 1)),
        ("not_read", Value::Count(begun.record)),
        ("signed_by", Value::code(&*begun.signed_by)),
    ];
    Section::facts("begun_with", facts)
}

/// Returns what holds: an audit that found one broken gives no report.
fn invariants_held() -> Section {
    let mut rows: Vec<Vec<Value>> = invariants::of_the_state()
        .map(|it| vec![Value::code(it.id), Value::text(it.text), Value::Count(0)])
        .collect();
    rows.sort_by_key(|row| row[0].json().to_string());
    Section::table("invariants", &["id", "invariant", "violations"], rows)
}
