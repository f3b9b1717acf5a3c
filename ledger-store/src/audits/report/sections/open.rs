//! What is open: holds, what waits for a person, what is in transit and for how long, limits.

use std::collections::BTreeMap;

use ledger_core::coin::Scale;
use ledger_core::ledger::{Operation, WaitingSum};
use ledger_core::machine::hold;
use ledger_core::money::{Amount, Cents};

use super::Closing;
use crate::audits::report::sheet::{Section, Value};

/// The ages that what is in transit is sorted by: a name, and up to how many hours.
const AGES: [(&str, u64); 6] = [
    ("under_1_h", 1),
    ("under_6_h", 6),
    ("under_24_h", 24),
    ("under_3_d", 72),
    ("under_7_d", 168),
    ("older", u64::MAX),
];

/// What is in transit of one age: of how many operations, and how much in smallest units.
struct Aged {
    scale: Scale,
    operations: u64,
    units: i128,
}

impl Closing<'_> {
    fn age(&self, operation: &Operation) -> u64 {
        self.ledger().now.since(operation.created_at).whole_hours()
    }

    /// Holds that are not closed, by kind.
    pub(super) fn holds(&self) -> Section {
        let mut rows = Vec::new();
        for (op, operation) in self.ledger().open_operations() {
            let Some(hold::State::Open(open)) = operation.hold() else { continue };
            let [account, customer] = self.whose(open.order.subaccount);
            rows.push(vec![
                Value::word(open.order.kind),
                self.id(op),
                account,
                customer,
                Value::reais(open.order.requested.cents()),
                Value::reais(open.blocked_cents().cents()),
                Value::reais(open.shortfall().cents()),
                Value::Hours(self.age(operation)),
            ]);
        }
        rows.sort_by_key(|row| row[0].json().to_string());
        let columns = &[
            "kind",
            "operation",
            "account",
            "customer",
            "requested",
            "blocked",
            "short",
            "age_hours",
        ];
        Section::table("holds", columns, rows)
    }

    /// Returns what waits for a person: suspense, reviews, and outcomes that nobody knows.
    pub(super) fn waiting(&self) -> Section {
        let mut rows = Vec::new();
        for (op, operation) in self.ledger().open_operations() {
            let Some(waits) = operation.machine.waits(self.ledger().now) else { continue };
            rows.push(vec![
                Value::Word(waits.why()),
                self.id(op),
                match waits.sum() {
                    WaitingSum::Reais(cents) => Value::reais(*cents),
                    WaitingSum::Crypto { text, .. } => Value::text(&**text),
                },
                Value::Flag(waits.is_unknown()),
                Value::Hours(self.age(operation)),
                waits.overdue().map_or(Value::Nothing, Value::Hours),
            ]);
        }
        let columns = &["what", "operation", "sum", "unknown", "age_hours", "overdue_hours"];
        Section::table("waiting", columns, rows)
    }

    /// How many operations were open in the course of time, and how many of them waited.
    pub(super) fn open_over_time(&self) -> Section {
        let samples = self.report.samples.closing_samples(self.ledger());
        let rows = samples.iter().map(|sample| {
            let counts = [sample.open, sample.waiting, sample.unknown];
            std::iter::once(Value::At(sample.at)).chain(counts.map(Value::Count)).collect()
        });
        let columns = &["at", "open", "waiting", "unknown"];
        Section::table("open_over_time", columns, rows.collect())
    }

    /// Returns what is in transit, by account and by the age of the operation that it is kept for.
    pub(super) fn ageing(&self) -> Section {
        let state = self.ledger();
        let mut sums: BTreeMap<(bool, String, &str, usize), Aged> = BTreeMap::new();
        for (op, leg) in crate::tables::export::in_transit(self.sequencer) {
            let age = state.open(op).map_or(0, |operation| self.age(operation));
            let place = AGES.iter().position(|(_, hours)| age < *hours).unwrap_or(AGES.len() - 1);
            let key = (leg.commodity != "BRL", leg.commodity.clone(), leg.place.chart, place);
            let scale = leg.scale;
            let known = sums.entry(key).or_insert(Aged { scale, operations: 0, units: 0 });
            known.operations += 1;
            known.units -= leg.amount;
        }
        let rows = sums.into_iter().map(|((_, commodity, chart, place), aged)| {
            vec![
                Value::code(chart),
                Value::text(&*commodity),
                Value::Word(AGES[place].0.to_owned()),
                Value::Count(aged.operations),
                Value::units(aged.units, &commodity, aged.scale),
            ]
        });
        let columns = &["account", "commodity", "age", "operations", "sum"];
        Section::table("ageing", columns, rows.collect())
    }

    /// Returns what accounts have used of their limits of the day that the ledger is in.
    pub(super) fn limits(&self) -> Section {
        let state = self.ledger();
        let rows = state.accounts().map(|(account, known)| {
            let usage = state.usage(account).on(state.now);
            let terms = state.terms(account, state.now);
            let bound = |limit: Option<Amount>, used: Cents| match limit {
                Some(limit) => [
                    Value::reais(limit.cents()),
                    Value::reais(limit.as_cents().less_or_nothing(used).cents()),
                ],
                None => [Value::Nothing, Value::Nothing],
            };
            let mut row = vec![Value::text(&*known.name), Value::reais(usage.charged.cents())];
            row.extend(bound(terms.charged_daily, usage.charged));
            row.push(Value::reais(usage.paid_out.cents()));
            row.extend(bound(terms.paid_out_daily, usage.paid_out));
            row
        });
        let columns = &[
            "account",
            "charged_today",
            "charge_limit",
            "charge_free",
            "paid_out_today",
            "payout_limit",
            "payout_free",
        ];
        Section::table("limits", columns, rows.collect())
    }

    /// The ladder that payers climb, and what recipients may be paid.
    pub(super) fn ladder(&self) -> Section {
        let state = self.ledger();
        let ceiling = state.policy.sale_limits().recipient_daily;
        let mut facts = vec![
            ("payers_known", Value::Count(state.payers().count() as u64)),
            ("recipient_daily", Value::reais(ceiling.cents())),
        ];
        let ladder = state.policy.ladder.as_ref();
        let step = |of: fn(&ledger_core::terms::Ladder) -> Amount| {
            ladder.map_or(Value::Nothing, |ladder| Value::reais(of(ladder).cents()))
        };
        facts.push(("first_qr", step(|ladder| ladder.first_qr)));
        facts.push(("first_transaction", step(|ladder| ladder.first_transaction)));
        facts.push(("first_day", step(|ladder| ladder.first_day)));
        facts.push(("mature_day", step(|ladder| ladder.mature_day)));
        facts.push(("held_up_to", step(|ladder| ladder.held)));
        Section::facts("ladder", facts)
    }
}
