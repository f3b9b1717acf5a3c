//! A file is checked by itself: signature, checkpoint, classes, sums, statements and coverage.

use std::collections::BTreeSet;

use ledger_core::time::Instant;
use ledger_proofs::checkpoint::Checkpoint;
use ledger_proofs::verify::consistency;
use ledger_store::signing::key::Verifier;
use ledger_store::signing::note::Note;

use crate::chart::{BRL, DECLARED, Row, rows_with};
use crate::fault::Fault;
use crate::file::{AssetReserves, ClassSum, Coverage, ReservesFile};
use crate::leaves::LeavesFile;
use crate::trees::LEAST;

/// Microseconds of an hour.
const HOUR: i64 = 3_600_000_000;

impl ReservesFile {
    /// Checks all that the file says by itself, and by its leaves where they are at hand; returns
    /// every fault, in order.
    #[must_use]
    pub fn verify(&self, key: &Verifier, leaves: Option<&LeavesFile>) -> Vec<Fault> {
        let mut faults = Vec::new();
        if !self.is_signed_by(key) {
            faults.push(Fault::Signature(format!("{} did not sign this", key.name())));
        }
        match self.checkpoint(key) {
            Err(fault) => faults.push(fault),
            Ok(checkpoint) if checkpoint.size == self.record => {
                self.totals(&checkpoint, &mut faults);
            }
            Ok(_) => {}
        }
        self.check_assets(&mut faults);
        for asset in &self.assets {
            check_owed(asset, &mut faults);
            self.check_held(asset, &mut faults);
        }
        self.check_statements(&mut faults);
        faults.extend(leaves.map(|leaves| leaves.check(self)).unwrap_or_default());
        faults
    }

    /// The checkpoint, which the key signed and which begins with the file's records.
    fn checkpoint(&self, key: &Verifier) -> Result<Checkpoint, Fault> {
        let wrong = |detail: String| Fault::Checkpoint(detail);
        let notes = Note::all(&self.checkpoint);
        let [note] = &*notes else { return Err(wrong("it is no signed note".to_owned())) };
        let checkpoint =
            Checkpoint::from_signed_note(note, key).map_err(|it| wrong(it.to_string()))?;
        let (here, there) = ((self.record, self.root), (checkpoint.size, checkpoint.root));
        consistency(here, there, &self.path).map_err(|it| wrong(it.to_string()))?;
        if self.record == checkpoint.size && self.time != checkpoint.time {
            return Err(wrong(format!(
                "it is of {}, and the file of {}",
                checkpoint.time, self.time
            )));
        }
        Ok(checkpoint)
    }

    /// Holds the classes that the checkpoint has totals of against them.
    fn totals(&self, checkpoint: &Checkpoint, faults: &mut Vec<Fault>) {
        for total in &checkpoint.balances.totals {
            let (asset, classes): (&str, &[&str]) = match total.column.split_once(':') {
                Some(("cust", BRL)) => (BRL, &["customers", "holds"]),
                Some(("comm", BRL)) => (BRL, &["partners"]),
                Some(("wal", asset)) => (asset, &["wallets"]),
                _ => continue,
            };
            let net = |owed: u128, by: u128| {
                Some(i128::try_from(owed).ok()?.wrapping_sub(i128::try_from(by).ok()?))
            };
            let known = self.asset(asset);
            let mine = known.into_iter().flat_map(|asset| &asset.owed);
            let mut mine = mine.filter(|class| classes.contains(&&*class.class));
            let found = mine.try_fold(0_i128, |sum, class| {
                sum.checked_add(net(class.owed.0, class.owed_by.0)?)
            });
            if found.is_none() || found != net(total.owed.to, total.owed.by) {
                faults.push(Fault::Totals {
                    asset: asset.to_owned(),
                    column: total.column.clone(),
                    found: found.unwrap_or_default(),
                    signed: format!("{} owed to, {} owed by", total.owed.to, total.owed.by),
                });
            }
        }
    }

    fn check_assets(&self, faults: &mut Vec<Fault>) {
        let names: Vec<&str> = self.assets.iter().map(|asset| &*asset.asset).collect();
        if names.first() != Some(&BRL) || !names[1..].is_sorted_by(|one, other| one < other) {
            faults.push(Fault::Assets(format!(
                "{} are not BRL and others in order",
                names.join(", ")
            )));
        }
        for statement in &self.statements {
            if self.asset(&statement.asset).is_none() {
                let detail = format!("{} is held, and not listed", statement.asset);
                faults.push(Fault::Assets(detail));
            }
        }
    }

    fn check_held(&self, asset: &AssetReserves, faults: &mut Vec<Fault>) {
        let mine: Vec<_> = self.statements.iter().filter(|it| it.asset == asset.asset).collect();
        let sum = |mut amounts: Box<dyn Iterator<Item = u128> + '_>| {
            amounts.try_fold(0_u128, u128::checked_add)
        };
        let clients = sum(Box::new(mine.iter().map(|it| it.clients.0)));
        let own = sum(Box::new(mine.iter().map(|it| it.own.0)));
        let (Some(clients), Some(own)) = (clients, own) else {
            faults.push(Fault::Overflow(format!("{} held", asset.asset)));
            return;
        };
        if (clients, own) != (asset.clients.0, asset.own.0) {
            faults.push(Fault::Held {
                asset: asset.asset.clone(),
                found: format!("{clients} and {own}"),
                stated: format!("{} and {}", asset.clients.0, asset.own.0),
            });
        }
        let found = Coverage::compare(asset.clients.0, asset.total.0);
        if found != (asset.result, asset.by.0) {
            let said = |result: Coverage, by: u128| format!("{} by {by}", result.name());
            faults.push(Fault::Coverage {
                asset: asset.asset.clone(),
                found: said(found.0, found.1),
                stated: said(asset.result, asset.by.0),
            });
        }
    }

    fn check_statements(&self, faults: &mut Vec<Fault>) {
        let time = Instant::parse(&self.time);
        let mut seen = BTreeSet::new();
        for statement in &self.statements {
            let place = format!("{} of {}", statement.source, statement.asset);
            let mut fault = |detail: String| {
                faults.push(Fault::Statement { place: place.clone(), detail });
            };
            if let Err(refused) = statement.verify(&self.origin) {
                let cause = std::error::Error::source(&refused);
                let cause = cause.map(|cause| format!(": {cause}")).unwrap_or_default();
                fault(format!("{refused}{cause}"));
            } else if !time.is_some_and(|time| {
                let apart = statement.time().map(|at| (at.micros() - time.micros()).abs());
                apart.is_some_and(|apart| apart <= i64::from(self.within_hours) * HOUR)
            }) {
                let hours = self.within_hours;
                fault(format!("{} is more than {hours} h from {}", statement.as_of, self.time));
            }
            if let Some(identity) = statement.identity()
                && !seen.insert(identity)
            {
                faults.push(Fault::Twice(place));
            }
        }
    }
}

/// Checks what a commodity owes: every class, its accounts, the total and the root.
fn check_owed(asset: &AssetReserves, faults: &mut Vec<Fault>) {
    let name = || asset.asset.clone();
    let found: Vec<&str> = asset.owed.iter().map(|class| &*class.class).collect();
    let declared = found.last() == Some(&DECLARED.0.name());
    let rows = rows_with(&asset.asset, declared);
    let expected: Vec<&str> = rows.iter().map(|(class, _)| class.name()).collect();
    if found == expected {
        for (class, row) in asset.owed.iter().zip(&rows) {
            check_class(asset, class, row, faults);
        }
    } else {
        let (found, expected) = (found.join(", "), expected.join(", "));
        faults.push(Fault::Classes { asset: name(), found, expected });
    }
    match asset.owed.iter().try_fold(0_u128, |sum, class| sum.checked_add(class.owed.0)) {
        None => faults.push(Fault::Overflow(format!("{} owed", asset.asset))),
        Some(total) if total != asset.total.0 => {
            let detail = format!("classes come to {total}, and the total is {}", asset.total.0);
            faults.push(Fault::Root { asset: name(), detail });
        }
        Some(_) => {}
    }
    let root = asset.root_over_classes();
    if root != asset.root {
        let detail = format!("its classes have root {root}, and the file {}", asset.root);
        faults.push(Fault::Root { asset: name(), detail });
    }
}

fn check_class(asset: &AssetReserves, class: &ClassSum, row: &Row, faults: &mut Vec<Fault>) {
    let (asset, name) = (asset.asset.clone(), class.class.clone());
    if !class.leaves.is_power_of_two() || class.leaves < LEAST {
        let (asset, class, leaves) = (asset.clone(), name.clone(), class.leaves);
        faults.push(Fault::Leaves { asset, class, leaves });
    }
    let names: Vec<&str> = class.accounts.iter().map(|known| &*known.account).collect();
    let mut balances = class.accounts.iter().map(|known| known.balance.0);
    let sum = balances.try_fold(0_i128, i128::checked_add);
    let net = i128::try_from(class.owed.0).ok().zip(i128::try_from(class.owed_by.0).ok());
    let detail = if names == row.1 {
        let net = net.map(|(owed, by)| owed - by);
        let (accounts, leaves) = (sum.unwrap_or_default(), net.unwrap_or_default());
        (sum.is_none() || sum != net)
            .then(|| format!("accounts come to {accounts}, and owed less owed by to {leaves}"))
    } else {
        Some(format!("{} are not {}", names.join(", "), row.1.join(", ")))
    };
    if let Some(detail) = detail {
        faults.push(Fault::Accounts { asset, class: name, detail });
    }
}
