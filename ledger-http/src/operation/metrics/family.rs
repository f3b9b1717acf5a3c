//! Families of figures that are read off at each scrape, each with the labels of whom it is of.

use std::sync::atomic::AtomicU64;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Metric, Registry, Unit};

/// The names of a family's labels and what each says.
pub(super) type Labels = Vec<(&'static str, String)>;

/// Makes the labels of one figure.
pub(super) fn labels<const N: usize>(named: [(&'static str, &str); N]) -> Labels {
    named.into_iter().map(|(name, value)| (name, value.to_owned())).collect()
}

/// A registry that is made for one scrape: a family is registered once, and filled by each ledger.
pub(super) struct Scrape {
    registry: Registry,
}

/// Measures of one name.
pub(super) type Gauges = Family<Labels, Gauge<f64, AtomicU64>>;
/// Whole numbers of one name that go up and down.
pub(super) type Levels = Family<Labels, Gauge>;
/// Counts of one name.
pub(super) type Counts = Family<Labels, Counter>;
/// Sums of seconds of one name.
pub(super) type Sums = Family<Labels, Counter<f64, AtomicU64>>;

impl Scrape {
    pub(super) fn new() -> Self {
        Self { registry: Registry::with_prefix("custody_ledger") }
    }

    /// A family that is filled by whoever has it.
    pub(super) fn family<F: Metric + Clone + Default>(&mut self, name: &str, help: &str) -> F {
        let family = F::default();
        self.registry.register(name, help, family.clone());
        family
    }

    /// The same of what is measured in seconds, which its name says.
    pub(super) fn in_seconds<F: Metric + Clone + Default>(&mut self, name: &str, help: &str) -> F {
        let family = F::default();
        self.registry.register_with_unit(name, help, Unit::Seconds, family.clone());
        family
    }

    pub(super) const fn registry(&self) -> &Registry {
        &self.registry
    }

    pub(super) const fn registry_mut(&mut self) -> &mut Registry {
        &mut self.registry
    }
}

/// Microseconds as seconds: exact to the microsecond for 285 years.
#[allow(clippy::cast_precision_loss)]
pub(super) const fn seconds(micros: u64) -> f64 {
    micros as f64 / 1e6
}

/// A count as a level.
pub(super) fn level(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
