//! The business by figures: what is owed against what is held, what is unknown, what waits and for
//! how long.
//!
//! Money is in whole units of its commodity (reais, tokens), as the books have it. It is read off
//! the committed state at each scrape, so it is of one record.

use std::collections::BTreeMap;

use ledger_core::accounting::{Class, Control};
use ledger_core::coin::Scale;
use ledger_core::ledger::{State, WaitingSum};
use ledger_core::time::Instant;
use ledger_store::export::{centavos, decimal};

use super::family::{Gauges, Labels, Levels, Scrape, labels, level, seconds};

/// The families of the business.
pub(super) struct Books {
    chart: Gauges,
    held: Gauges,
    owed: Gauges,
    suspense: Gauges,
    unknown: Gauges,
    below_zero: Gauges,
    open: Levels,
    open_age: Gauges,
    waiting: Levels,
    waiting_age: Gauges,
}

/// A commodity's money, in its smallest units: summed exactly, and divided once.
struct Totals {
    scale: Scale,
    held: i128,
    owed: i128,
    suspense: i128,
}

impl Totals {
    const fn none(scale: Scale) -> Self {
        Self { scale, held: 0, owed: 0, suspense: 0 }
    }
}

/// How many there are of one kind, and since when the oldest stands.
#[derive(Clone, Copy)]
struct Aged {
    count: u64,
    oldest: Instant,
}

impl Books {
    pub(super) fn register(scrape: &mut Scrape) -> Self {
        Self {
            chart: scrape.family(
                "chart_balance",
                "Balance of an account of the chart, debits positive, in whole units",
            ),
            held: scrape.family("held", "Assets, in whole units of the commodity"),
            owed: scrape.family("owed", "Liabilities, in whole units of the commodity"),
            suspense: scrape.family("suspense", "What stands in suspense, in whole units"),
            unknown: scrape.family(
                "unknown_money",
                "What was sent and nobody knows the outcome of, in whole units",
            ),
            below_zero: scrape
                .family("negative_balances", "What subaccounts owe after forced debits, in reais"),
            open: scrape.family("open_operations", "Operations that have not ended"),
            open_age: scrape.in_seconds(
                "oldest_open_operation_age",
                "Age of the oldest operation that has not ended",
            ),
            waiting: scrape.family("waiting_operations", "Operations that wait for a person"),
            waiting_age: scrape.in_seconds(
                "oldest_waiting_operation_age",
                "Age of the oldest operation that waits for a person",
            ),
        }
    }

    /// Adds what a ledger's committed state says at `now`.
    pub(super) fn add(&self, ledger: &str, state: &State, now: Instant) {
        // The sandbox's clock may be ahead of the machine's.
        let now = now.max(state.now);
        self.money(ledger, state);
        self.operations(ledger, state, now);
    }

    fn money(&self, ledger: &str, state: &State) {
        let mut totals: BTreeMap<String, Totals> = BTreeMap::new();
        totals.entry("BRL".to_owned()).or_insert(Totals::none(centavos()));
        for ((commodity, class, account, network), (amount, scale)) in chart(state) {
            let of = labels([
                ("ledger", ledger),
                ("commodity", &commodity),
                ("class", class.name()),
                ("account", account),
                ("network", &network),
            ]);
            self.chart.get_or_create(&of).set(whole(amount, scale));
            let totals = totals.entry(commodity).or_insert(Totals::none(scale));
            match class {
                Class::Asset => totals.held += amount,
                Class::Liability => totals.owed -= amount,
                _ => {}
            }
            if account.starts_with("susp.") {
                totals.suspense += amount.abs();
            }
        }
        for (commodity, Totals { scale, held, owed, suspense }) in totals {
            let of = labels([("ledger", ledger), ("commodity", &commodity)]);
            self.held.get_or_create(&of).set(whole(held, scale));
            self.owed.get_or_create(&of).set(whole(owed, scale));
            self.suspense.get_or_create(&of).set(whole(suspense, scale));
        }
        let below: i64 = state.owed_by_subaccounts().map(|(_, cents)| cents).sum();
        let of = labels([("ledger", ledger)]);
        self.below_zero.get_or_create(&of).set(whole(below.into(), centavos()));
    }

    fn operations(&self, ledger: &str, state: &State, now: Instant) {
        let mut open: BTreeMap<&str, Aged> = BTreeMap::new();
        let mut waiting: BTreeMap<String, Aged> = BTreeMap::new();
        let mut unknown = BTreeMap::from([("BRL".to_owned(), (0, centavos()))]);
        for (op, known) in state.open_operations() {
            Aged::count(open.entry(op.kind().name()).or_insert(Aged::none(now)), known.created_at);
            let Some(waits) = known.machine.waits(now) else { continue };
            let aged = waiting.entry(waits.why()).or_insert(Aged::none(now));
            Aged::count(aged, known.created_at);
            if waits.is_unknown() {
                let (commodity, amount, scale) = amount(state, waits.sum());
                let (sum, _) = unknown.entry(commodity).or_insert((0_i128, scale));
                *sum = sum.saturating_add(amount);
            }
        }
        for (kind, aged) in open {
            let of = labels([("ledger", ledger), ("kind", kind)]);
            aged.show(&self.open, &self.open_age, &of, now);
        }
        for (why, aged) in waiting {
            let of = labels([("ledger", ledger), ("why", &why)]);
            aged.show(&self.waiting, &self.waiting_age, &of, now);
        }
        for (commodity, (amount, scale)) in unknown {
            let of = labels([("ledger", ledger), ("commodity", &commodity)]);
            self.unknown.get_or_create(&of).set(whole(amount, scale));
        }
    }
}

impl Aged {
    const fn none(now: Instant) -> Self {
        Self { count: 0, oldest: now }
    }

    fn count(&mut self, since: Instant) {
        self.count += 1;
        self.oldest = self.oldest.min(since);
    }

    fn show(self, counts: &Levels, ages: &Gauges, of: &Labels, now: Instant) {
        counts.get_or_create(of).set(level(self.count));
        ages.get_or_create(of).set(seconds(now.since(self.oldest).micros()));
    }
}

/// Every account of the chart that is not empty, by commodity, class, name and network: debits
/// positive, in smallest units of this scale.
fn chart(state: &State) -> BTreeMap<(String, Class, &'static str, String), (i128, Scale)> {
    let mut all = BTreeMap::new();
    for control in Control::ALL {
        let amount = -state.books.net_credit(control);
        let of = ("BRL".to_owned(), control.class(), control.name(), String::new());
        all.entry(of).or_insert((0, centavos())).0 += amount;
    }
    for (asset, account, net_credit) in state.books.coins() {
        let known = state.catalogue.asset_of(asset);
        let (name, scale) = known.map_or((format!("asset{}", asset.0), Scale::SIX), |(name, s)| {
            (name.to_uppercase(), s)
        });
        let chain = account.chain().and_then(|chain| state.catalogue.chain_of(chain));
        let of = (name, account.class(), account.name(), chain.unwrap_or_default().to_owned());
        all.entry(of).or_insert((0, scale)).0 -= net_credit;
    }
    all
}

/// The sum that an operation waits for: its commodity, how many smallest units, and their scale.
fn amount(state: &State, sum: &WaitingSum) -> (String, i128, Scale) {
    match sum {
        WaitingSum::Crypto { asset, units, .. } => {
            let known = asset.and_then(|asset| state.catalogue.asset_of(asset));
            let (name, scale) = known.unwrap_or(("usdt", Scale::SIX));
            (name.to_uppercase(), i128::try_from(*units).unwrap_or(i128::MAX), scale)
        }
        WaitingSum::Reais(cents) => ("BRL".to_owned(), (*cents).into(), centavos()),
    }
}

/// Smallest units as whole ones: exact to 15 digits, which is what a float has.
fn whole(amount: i128, scale: Scale) -> f64 {
    decimal(amount, scale).parse().unwrap_or(f64::NAN)
}
