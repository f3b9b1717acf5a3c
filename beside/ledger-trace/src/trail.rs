//! Trails: what became of the money that a trace follows, and where it came from.

use std::collections::{BTreeMap, BTreeSet};

use ledger_core::accounting::Account;
use ledger_core::id::{OpId, Seq, SubaccountId};
use ledger_core::ledger::Record;

use crate::account::{Commodity, LedgerAccount, Slot};
use crate::lots::SourceId;
use crate::reader::{Reader, Subject};
use crate::rule::Rule;
use crate::step::{Hop, Taken};
use crate::tracer::Tracer;

/// A move of money that the trace follows: the lots of one flow together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The number of the record that moved it.
    pub record: Seq,
    /// The event within the record, from 0.
    pub event: u16,
    /// The operation that moved it.
    pub op: Option<OpId>,
    /// Where it left.
    pub from: Slot,
    /// Where it went.
    pub to: Slot,
    /// The advance that it made good, if it did.
    pub covers: Option<SourceId>,
    /// Tells whether it came out of an exchange, for money of another commodity.
    pub exchanged: bool,
    /// How much of it the trace follows, in centavos or in the asset's smallest units.
    pub amount: u128,
}

/// Where money that the trace follows stands at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// The part of an account.
    pub slot: Slot,
    /// The advance that it made good, if it did.
    pub covers: Option<SourceId>,
    /// How much, in centavos or in the asset's smallest units.
    pub amount: u128,
}

/// The money of one commodity that a trace follows: what came equals what is at the ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// How much the trace began with.
    pub began: u128,
    /// How much came out of exchanges for money of another commodity.
    pub exchanged: u128,
    /// Where all of that stands.
    pub ends: Vec<End>,
}

/// Money that a block may still take for the return of what is traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The subaccount where it is available or held.
    pub subaccount: SubaccountId,
    /// Centavos, above zero.
    pub amount: u128,
}

/// One trace, followed record by record.
///
/// The trace of a PIX begins with what came in by it. That of an operation begins with what it
/// brought, or with what it took from others; [`Trail::sources`] says whose that was.
#[derive(Clone, Debug)]
pub struct Trail {
    subject: Subject,
    reader: Reader,
    tracer: Tracer,
    stages: Vec<Stage>,
    /// How much of each commodity the trace began with, and came out of exchanges.
    sums: BTreeMap<Commodity, [u128; 2]>,
    /// The money it began with, by source.
    sources: BTreeMap<(SourceId, Commodity), u128>,
    /// The operations that brought what the trace began with.
    brought_by: BTreeSet<OpId>,
    /// Centavos that those sent back to the payer, whosever they were.
    returned: u128,
}

impl Trail {
    /// A trace of `subject` under a rule, before the first record.
    #[must_use]
    pub fn new(subject: Subject, rule: Rule) -> Self {
        Self {
            reader: Reader::new(Some(subject.clone())),
            tracer: Tracer::new(rule),
            subject,
            stages: Vec::new(),
            sums: BTreeMap::new(),
            sources: BTreeMap::new(),
            brought_by: BTreeSet::new(),
            returned: 0,
        }
    }

    /// Follows the next record.
    pub fn record(&mut self, record: &Record) {
        for step in self.reader.steps(record) {
            let mut hops = Vec::new();
            self.tracer.step(&step, &mut |hop| {
                let back = hop.to.place == LedgerAccount::Reais(Account::ProviderPix);
                if hop.traced || back {
                    hops.push(*hop);
                }
            });
            for hop in &hops {
                self.hop(hop);
            }
        }
    }

    fn hop(&mut self, hop: &Hop) {
        let back = hop.to.place == LedgerAccount::Reais(Account::ProviderPix);
        if back && hop.op.is_some_and(|op| self.brought_by.contains(&op)) {
            self.returned += hop.amount;
        }
        if !hop.traced {
            return;
        }
        let commodity = hop.from.place.commodity();
        let sums = self.sums.entry(commodity).or_default();
        if hop.begins {
            sums[0] += hop.amount;
            *self.sources.entry((hop.source, commodity)).or_default() += hop.amount;
        }
        let suspended = hop.from.place == LedgerAccount::Reais(Account::SuspensePix);
        if hop.begins || suspended {
            self.brought_by.extend(hop.op);
        }
        let exchanged = hop.taken == Taken::Exchanged;
        if exchanged {
            sums[1] += hop.amount;
        }
        let Hop { record, event, op, from, to, covers, amount, .. } = *hop;
        let stage = Stage { record, event, op, from, to, covers, exchanged, amount };
        let same = |last: &&mut Stage| Stage { amount, ..**last } == stage;
        match self.stages.last_mut().filter(same) {
            Some(last) => last.amount += amount,
            None => self.stages.push(stage),
        }
    }

    /// Returns whose money is traced.
    #[must_use]
    pub const fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Returns the tracer that it goes by.
    #[must_use]
    pub const fn tracer(&self) -> &Tracer {
        &self.tracer
    }

    /// The moves of what is traced, in their order.
    #[must_use]
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// Returns what the trace began with, by source: an earlier source first.
    pub fn sources(&self) -> impl Iterator<Item = (SourceId, Commodity, u128)> {
        self.sources.iter().map(|((source, commodity), amount)| (*source, *commodity, *amount))
    }

    /// Returns where all of it stands now, by commodity.
    #[must_use]
    pub fn sums(&self) -> BTreeMap<Commodity, Sum> {
        let traced = |lots: &mut dyn Iterator<Item = &crate::Lot>| -> u128 {
            lots.filter(|lot| lot.traced).map(|lot| lot.amount).sum()
        };
        let standing = self.tracer.slots().map(|(slot, mut lots)| End {
            slot,
            covers: None,
            amount: traced(&mut lots),
        });
        let covered = self.tracer.covered_advances().map(|(advance, mut lots)| {
            let slot = Slot { place: self.tracer.source(advance).place, of: None };
            End { slot, covers: Some(advance), amount: traced(&mut lots) }
        });
        let mut sums: BTreeMap<Commodity, Sum> = BTreeMap::new();
        for (commodity, [began, exchanged]) in &self.sums {
            let sum = Sum { began: *began, exchanged: *exchanged, ends: Vec::new() };
            sums.insert(*commodity, sum);
        }
        for end in standing.chain(covered).filter(|end| end.amount > 0) {
            sums.entry(end.slot.place.commodity()).or_default().ends.push(end);
        }
        sums
    }

    /// Returns how many centavos went back to the payer of what is traced, whosever they were.
    #[must_use]
    pub const fn returned_cents(&self) -> u128 {
        self.returned
    }

    /// Returns what blocks hold now for the operations that brought what is traced, in centavos.
    #[must_use]
    pub fn blocked_cents(&self) -> u128 {
        let holds: BTreeSet<OpId> =
            self.brought_by.iter().flat_map(|op| self.reader.holds_for(*op)).collect();
        let frozen = self.tracer.slots().filter(|(slot, _)| {
            matches!(slot.place, LedgerAccount::Reais(Account::Frozen(_)))
                && slot.of.is_some_and(|of| holds.contains(&of))
        });
        frozen.flat_map(|(_, lots)| lots).map(|lot| lot.amount).sum()
    }

    /// Returns what further blocks may take: money that is traced, where it is available or held,
    /// at most what neither went back nor is blocked already.
    #[must_use]
    pub fn blocks(&self) -> Vec<Block> {
        let sums = self.sums();
        let Some(reais) = sums.get(&Commodity::Reais) else { return Vec::new() };
        let mut left =
            reais.began.saturating_sub(self.returned).saturating_sub(self.blocked_cents());
        let mut by_subaccount: BTreeMap<SubaccountId, u128> = BTreeMap::new();
        for end in reais.ends.iter().filter(|end| end.covers.is_none()) {
            if let LedgerAccount::Reais(Account::Available(of) | Account::Held(of)) = end.slot.place
            {
                *by_subaccount.entry(of).or_default() += end.amount;
            }
        }
        let blocks = by_subaccount.into_iter().map(|(subaccount, there)| {
            let amount = there.min(left);
            left -= amount;
            Block { subaccount, amount }
        });
        blocks.filter(|block| block.amount > 0).collect()
    }
}
