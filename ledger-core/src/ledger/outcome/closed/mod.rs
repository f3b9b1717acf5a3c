//! The close of days: each closed day states what entries add up to, account by account (OUT-21).

mod line;

use std::collections::BTreeMap;

use minicbor::{Decode, Encode};

use self::line::{Line, Sums};
use super::{Findings, violates};
use crate::accounting::DayClose;
use crate::coin::Units;
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::time::Instant;

/// The sums of each day, and the days that are closed.
#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
pub(super) struct Closed {
    /// The days with a record, under the instant that ends each.
    #[n(0)]
    days: BTreeMap<Instant, Day>,
    /// The days that are closed: when the first began, and when the last ended.
    #[n(1)]
    range: Option<(Instant, Instant)>,
    /// When the day of the last record ends.
    #[n(2)]
    day_ends: Instant,
}

/// The sums of one day by account.
#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
struct Day {
    #[n(0)]
    sums: BTreeMap<Line, Sums>,
}

impl Closed {
    /// Takes in what a record books, and what it closes.
    pub(super) fn record(&mut self, record: &Record, found: &mut Findings) {
        if self.day_ends <= record.at {
            self.day_ends = record.at.next_day_in_brasilia();
        }
        for event in &record.events {
            match event {
                Event::DayClosed(close) => {
                    if let Err(why) = self.close(close, record.at) {
                        violates(found, "OUT-21", format!("{}: {why}", close.ends));
                    }
                }
                Event::DayReopened { begins } => self.reopen(*begins, found),
                _ => self.book(event),
            }
        }
    }

    fn book(&mut self, event: &Event) {
        let entry = event.entry();
        if entry.is_empty() {
            return;
        }
        let Day { sums } = self.days.entry(self.day_ends).or_default();
        let mut add = |line, debits: i128, credits: i128| {
            let known: &mut Sums = sums.entry(line).or_default();
            known.debits += debits;
            known.credits += credits;
        };
        for m in entry.moves() {
            let cents = i128::from(m.amount.cents());
            add(Line::reais(m.debit), cents, 0);
            add(Line::reais(m.credit), 0, cents);
        }
        for m in entry.coin_moves() {
            let units = m.units.to_i128();
            add(Line::coins(m.asset, m.debit), units, 0);
            add(Line::coins(m.asset, m.credit), 0, units);
        }
    }

    fn close(&mut self, close: &DayClose, at: Instant) -> Result<(), String> {
        let DayClose { begins, ends, .. } = *close;
        if at < ends || self.range.is_some_and(|(_, until)| until != begins) {
            return Err("it is closed before it is over, or out of its order".to_owned());
        }
        let mut openings: BTreeMap<Line, i128> = BTreeMap::new();
        for Day { sums } in self.days.range(..=begins).map(|(_, day)| day) {
            for (line, Sums { debits, credits }) in sums {
                *openings.entry(*line).or_default() += debits - credits;
            }
        }
        let mut booked = self.days.get(&ends).cloned().unwrap_or_default().sums;
        for account in &close.accounts {
            let line = Line::from_account(account);
            let amount = |units: Option<Units>| units.map_or(0, Units::to_i128);
            let (debits, credits) = (amount(account.debits), amount(account.credits));
            let stated = (account.opening(), Sums { debits, credits });
            let known = (openings.remove(&line), booked.remove(&line));
            let known = (known.0.unwrap_or_default(), known.1.unwrap_or_default());
            if stated != known {
                let name = &account.account;
                return Err(format!("{name} states {stated:?}, entries say {known:?}"));
            }
        }
        openings.retain(|_, opening| *opening != 0);
        if !openings.is_empty() || !booked.is_empty() {
            return Err("an account is left out".to_owned());
        }
        let first = self.range.map_or(begins, |(first, _)| first);
        self.range = Some((first, ends));
        Ok(())
    }

    fn reopen(&mut self, begins: Instant, found: &mut Findings) {
        match self.range {
            Some((first, until)) if begins.next_day_in_brasilia() == until => {
                self.range = (first < begins).then_some((first, begins));
            }
            _ => violates(found, "OUT-21", format!("{begins}: it is not the last closed day")),
        }
    }
}
