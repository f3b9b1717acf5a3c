//! What a report has counted, saved with the state of an audit and restored: read by the version
//! that wrote it and by no other.

use std::io::{self, Read, Write};

use ledger_core::accounting::Control;
use ledger_core::id::{AccountId, AssetId, LedgerName, OpId};
use ledger_core::ledger::{FactKind, OperatorDecision, SetAsideReason};
use ledger_core::time::Instant;
use minicbor::bytes::ByteArray;
use minicbor::{Decode, Encode};

use super::Report;
use super::flows::{Commission, Decided, Flows, Pair, Remark, Remarked};
use super::samples::{Held, Sample, Samples};
use crate::audits::movements::{Movement, Movements};
use crate::state::snapshot::wire::{Take as _, encode};

/// A sum of 128 bits.
type Wide = ByteArray<16>;

/// The counts of a report.
#[derive(Encode, Decode)]
#[cbor(array)]
struct Saved {
    /// Records, events, deadlines, and what persons decided.
    #[n(0)]
    counts: (u64, u64, u64, u64),
    #[n(1)]
    span: Option<(Instant, Instant)>,
    /// Of each subaccount: rows, credited, debited.
    #[n(2)]
    movements: Vec<(u32, Wide, Wide)>,
    #[n(3)]
    flows: SavedFlows,
    /// The distance of samples, in microseconds.
    #[n(4)]
    width: i64,
    #[n(5)]
    samples: Vec<SavedSample>,
}

#[derive(Encode, Decode)]
#[cbor(array)]
struct SavedFlows {
    /// By the place of the account among all: credited, debited.
    #[n(0)]
    results: Vec<(u32, Wide, Wide)>,
    /// Accrued, reversed, withdrawn.
    #[n(1)]
    commission: Vec<(AccountId, Wide, Wide, Wide)>,
    #[n(2)]
    exchanged: Vec<(SavedPair, Wide, Wide)>,
    /// Ids of clients and of the world, and the record of the policy.
    #[n(3)]
    ids: (u64, u64, u64),
    #[n(4)]
    decisions: Vec<(u64, Instant, Vec<OpId>, OperatorDecision)>,
    #[n(5)]
    set_aside: Vec<(FactKind, Option<SetAsideReason>, u64)>,
    /// The record, whether it accepts a loss, the record that it is about, and an id.
    #[n(6)]
    remarks: Vec<(u64, bool, u64, String)>,
}

#[derive(Encode, Decode)]
enum SavedPair {
    #[n(0)]
    Of(#[n(0)] AssetId, #[n(1)] Option<AssetId>),
    #[n(1)]
    Alone(#[n(0)] Option<AssetId>),
}

#[derive(Encode, Decode)]
#[cbor(array)]
struct SavedSample {
    #[n(0)]
    at: Instant,
    #[n(1)]
    sums: Vec<(Option<AssetId>, Wide, Wide)>,
    #[n(2)]
    customers: Wide,
    /// Operations: open, waiting, of unknown outcome.
    #[n(3)]
    operations: (u64, u64, u64),
}

fn wide(sum: i128) -> Wide {
    sum.to_le_bytes().into()
}

fn sum(wide: Wide) -> i128 {
    i128::from_le_bytes(*wide)
}

impl Report {
    /// Saves what was counted so far.
    pub(crate) fn write_to(&self, into: &mut impl Write) -> io::Result<()> {
        let saved = Saved {
            counts: (self.records, self.events, self.deadlines, self.judged),
            span: self.span,
            movements: self
                .movements
                .0
                .iter()
                .map(|known| (known.rows, wide(known.credited), wide(known.debited)))
                .collect(),
            flows: SavedFlows::from_flows(&self.flows),
            width: self.samples.width,
            samples: self.samples.kept.iter().map(SavedSample::from_sample).collect(),
        };
        encode::bytes(into, &minicbor::to_vec(&saved).expect("memory takes what is written"))
    }

    /// Restores the report that [`Self::write_to`] saved.
    pub(crate) fn take(name: LedgerName, from: &mut impl Read) -> io::Result<Self> {
        let saved: Saved = minicbor::decode(&from.take_bytes()?).map_err(io::Error::other)?;
        let mut report = Self::new(name);
        (report.records, report.events, report.deadlines, report.judged) = saved.counts;
        report.span = saved.span;
        let movements = saved.movements.into_iter().map(|(rows, credited, debited)| {
            let (credited, debited) = (sum(credited), sum(debited));
            Movement { rows, credited, debited }
        });
        report.movements = Movements(movements.collect());
        report.flows = saved.flows.into_flows()?;
        let kept = saved.samples.into_iter().map(SavedSample::into_sample).collect();
        report.samples = Samples { width: saved.width, kept };
        Ok(report)
    }
}

impl SavedFlows {
    fn from_flows(flows: &Flows) -> Self {
        let place = |control: &Control| {
            let place = Control::ALL.iter().position(|known| known == control);
            u32::try_from(place.expect("it is one of all")).expect("there are few")
        };
        let results = flows.results.iter().map(|(control, (credited, debited))| {
            (place(control), wide(*credited), wide(*debited))
        });
        let commission = flows.commission.iter().map(|(account, known)| {
            (*account, wide(known.accrued), wide(known.reversed), wide(known.withdrawn))
        });
        let exchanged = flows.exchanged.iter().map(|(pair, (first, second))| {
            let pair = match *pair {
                Pair::Of(asset, against) => SavedPair::Of(asset, against),
                Pair::Alone(asset) => SavedPair::Alone(asset),
            };
            (pair, wide(*first), wide(*second))
        });
        let decisions = flows.decisions.iter().map(|decided| {
            let Decided { record, at, ops, by } = decided;
            (*record, *at, ops.clone(), *by)
        });
        let set_aside = flows.set_aside.iter();
        Self {
            results: results.collect(),
            commission: commission.collect(),
            exchanged: exchanged.collect(),
            ids: (flows.client_ids, flows.outside_ids, flows.policy),
            decisions: decisions.collect(),
            set_aside: set_aside.map(|((fact, reason), count)| (*fact, *reason, *count)).collect(),
            remarks: flows.remarks.iter().map(saved_remark).collect(),
        }
    }

    fn into_flows(self) -> io::Result<Flows> {
        let mut flows = Flows::default();
        for (place, credited, debited) in self.results {
            let control = Control::ALL.get(place as usize).copied();
            let control = control.ok_or_else(|| io::Error::other("there is no such account"))?;
            flows.results.insert(control, (sum(credited), sum(debited)));
        }
        for (account, accrued, reversed, withdrawn) in self.commission {
            let [accrued, reversed, withdrawn] = [accrued, reversed, withdrawn].map(sum);
            flows.commission.insert(account, Commission { accrued, reversed, withdrawn });
        }
        for (pair, first, second) in self.exchanged {
            let pair = match pair {
                SavedPair::Of(asset, against) => Pair::Of(asset, against),
                SavedPair::Alone(asset) => Pair::Alone(asset),
            };
            flows.exchanged.insert(pair, (sum(first), sum(second)));
        }
        (flows.client_ids, flows.outside_ids, flows.policy) = self.ids;
        let decisions = self.decisions.into_iter();
        flows.decisions =
            decisions.map(|(record, at, ops, by)| Decided { record, at, ops, by }).collect();
        let set_aside = self.set_aside.into_iter();
        flows.set_aside = set_aside.map(|(fact, reason, n)| ((fact, reason), n)).collect();
        let remarks = self.remarks.into_iter().map(|(record, loss, of, id)| {
            let what = if loss { Remarked::LossAccepted } else { Remarked::ToldBefore };
            Remark { record, what, of, id }
        });
        flows.remarks = remarks.collect();
        Ok(flows)
    }
}

fn saved_remark(remark: &Remark) -> (u64, bool, u64, String) {
    let Remark { record, what, of, id } = remark;
    (*record, *what == Remarked::LossAccepted, *of, id.clone())
}

impl SavedSample {
    fn from_sample(sample: &Sample) -> Self {
        let sums = sample.sums.iter();
        Self {
            at: sample.at,
            sums: sums.map(|(asset, held)| (*asset, wide(held.held), wide(held.owed))).collect(),
            customers: wide(sample.customers),
            operations: (sample.open, sample.waiting, sample.unknown),
        }
    }

    fn into_sample(self) -> Sample {
        let sums = self.sums.into_iter().map(|(asset, held, owed)| {
            let (held, owed) = (sum(held), sum(owed));
            (asset, Held { held, owed })
        });
        let (open, waiting, unknown) = self.operations;
        let customers = sum(self.customers);
        Sample { at: self.at, sums: sums.collect(), customers, open, waiting, unknown }
    }
}
