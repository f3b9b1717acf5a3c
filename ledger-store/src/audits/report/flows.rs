//! What passed through the accounts of a ledger from its first record on: what was earned and given
//! back, what partners earned, what was exchanged, and who decided what.

use std::collections::BTreeMap;

use ledger_core::accounting::{Account, Class, CoinAccount, Control, Entry};
use ledger_core::id::{AccountId, AssetId, OpId};
use ledger_core::ledger::{Event, FactKind, Ledger, OperatorDecision, Record, SetAsideReason};
use ledger_core::time::Instant;

use crate::bytes::chain::Link;
use crate::state::archive::JournalArchive;

/// What passed, added up.
#[derive(Clone, Debug, Default)]
pub(super) struct Flows {
    /// Income and expense: centavos credited and debited, by account.
    pub(super) results: BTreeMap<Control, (i128, i128)>,
    pub(super) commission: BTreeMap<AccountId, Commission>,
    /// What the two `fx` accounts of a pair were credited with, in smallest units, debits below
    /// zero.
    pub(super) exchanged: BTreeMap<Pair, (i128, i128)>,
    /// Operations created under an id of the client's own.
    pub(super) client_ids: u64,
    /// Facts with an id of the world's.
    pub(super) outside_ids: u64,
    pub(super) decisions: Vec<Decided>,
    pub(super) set_aside: BTreeMap<(FactKind, Option<SetAsideReason>), u64>,
    /// The record that the policy in force was adopted by.
    pub(super) policy: u64,
    pub(super) remarks: Vec<Remark>,
}

/// What a partner earned and what became of it, in centavos.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Commission {
    pub(super) accrued: i128,
    pub(super) reversed: i128,
    /// Withdrawals, less those that came back.
    pub(super) withdrawn: i128,
}

/// What was exchanged for what by one event; reais under none, and as the second of a pair. One
/// alone has nothing against it in the same event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pair {
    /// An asset for reais, or for another asset.
    Of(AssetId, Option<AssetId>),
    /// One commodity alone.
    Alone(Option<AssetId>),
}

/// What a person decided.
#[derive(Clone, Debug)]
pub(super) struct Decided {
    pub(super) record: u64,
    pub(super) at: Instant,
    /// The operations that the record moved.
    pub(super) ops: Vec<OpId>,
    pub(super) by: OperatorDecision,
}

/// A note for the auditor on a record that is sound.
#[derive(Clone, Debug)]
pub(super) struct Remark {
    pub(super) record: u64,
    pub(super) what: Remarked,
    /// The record that it is about.
    pub(super) of: u64,
    /// That one's link, or the transaction.
    pub(super) id: String,
}

/// The kinds of remarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remarked {
    /// Whatever came after an earlier head was given up as lost.
    LossAccepted,
    /// It brings a transaction that an earlier record brought in another spelling.
    ToldBefore,
}

impl Remarked {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::LossAccepted => "loss accepted",
            Self::ToldBefore => "told before in another spelling",
        }
    }
}

fn remarks(record: &Record, ledger: &Ledger<JournalArchive>) -> Vec<Remark> {
    let lost = record.events.iter().filter_map(|event| {
        let Event::LossAccepted { link, .. } = event else { return None };
        Some((Remarked::LossAccepted, record.seq.0 - 1, Link(link.0).to_string()))
    });
    let told = ledger.told_before(record).into_iter();
    let told = told.map(|(outside, first)| (Remarked::ToldBefore, first.0, outside.id.into()));
    let all = lost.chain(told);
    all.map(|(what, of, id)| Remark { record: record.seq.0, what, of, id }).collect()
}

impl Flows {
    /// Adds what a record did, which was just applied to `ledger`.
    pub(super) fn count(&mut self, record: &Record, ledger: &Ledger<JournalArchive>) {
        self.remarks.extend(remarks(record, ledger));
        self.outside_ids += u64::from(record.outside.is_some());
        for event in &record.events {
            self.count_entry(&event.entry());
            match event {
                Event::Judged(by) => {
                    let mut ops: Vec<OpId> = record.events.iter().filter_map(Event::op).collect();
                    ops.dedup();
                    let (record, at) = (record.seq.0, record.at);
                    self.decisions.push(Decided { record, at, ops, by: *by });
                }
                Event::SetAside { fact, reason, .. } => {
                    *self.set_aside.entry((*fact, *reason)).or_default() += 1;
                }
                Event::LedgerOpened { .. } | Event::PolicyAdopted(_) => self.policy = record.seq.0,
                _ => {}
            }
            let created = event.creation();
            self.client_ids += u64::from(created.is_some_and(|(_, _, id)| id.is_some()));
        }
    }

    fn count_entry(&mut self, entry: &Entry) {
        let (mut reais, mut coins) = (0, BTreeMap::new());
        for m in entry.moves() {
            let cents = i128::from(m.amount.cents());
            for (account, credited) in [(m.debit, false), (m.credit, true)] {
                let control = account.control();
                let signed = if credited { cents } else { -cents };
                match control.class() {
                    Class::Income | Class::Expense => {
                        let sums = self.results.entry(control).or_default();
                        *(if credited { &mut sums.0 } else { &mut sums.1 }) += cents;
                    }
                    Class::Trading => reais += signed,
                    Class::Asset | Class::Liability | Class::Equity => {}
                }
            }
            self.count_commission(m.debit, m.credit, cents);
        }
        for m in entry.coin_moves() {
            for (account, units) in [(m.debit, -m.units.to_i128()), (m.credit, m.units.to_i128())] {
                if account == CoinAccount::Fx {
                    *coins.entry(m.asset).or_insert(0) += units;
                }
            }
        }
        coins.retain(|_, units| *units != 0);
        self.count_exchange(reais, &coins);
    }

    fn count_commission(&mut self, debit: Account, credit: Account, cents: i128) {
        let withdraws = |other: Account| other.control() == Control::ConversionInFlight;
        if let Account::Commission(partner) = credit {
            let known = self.commission.entry(partner).or_default();
            if withdraws(debit) {
                known.withdrawn -= cents;
            } else {
                known.accrued += cents;
            }
        }
        if let Account::Commission(partner) = debit {
            let known = self.commission.entry(partner).or_default();
            if withdraws(credit) {
                known.withdrawn += cents;
            } else {
                known.reversed += cents;
            }
        }
    }

    fn count_exchange(&mut self, reais: i128, coins: &BTreeMap<AssetId, i128>) {
        let mut add = |pair, first, second| {
            let sums = self.exchanged.entry(pair).or_default();
            sums.0 += first;
            sums.1 += second;
        };
        let parts: Vec<(AssetId, i128)> = coins.iter().map(|(id, units)| (*id, *units)).collect();
        match (reais, parts.as_slice()) {
            (0, []) => {}
            (0, [(one, first), (other, second)]) => {
                add(Pair::Of(*one, Some(*other)), *first, *second);
            }
            (reais, [(asset, units)]) if reais != 0 => add(Pair::Of(*asset, None), *units, reais),
            (reais, parts) => {
                if reais != 0 {
                    add(Pair::Alone(None), reais, 0);
                }
                for (asset, units) in parts {
                    add(Pair::Alone(Some(*asset)), *units, 0);
                }
            }
        }
    }
}
