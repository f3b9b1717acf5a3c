//! Movements that nothing matched: why each of them stands alone.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::Matcher;
use crate::day::Day;
use crate::difference::{Difference, OpenItem};
use crate::movement::{Class, OurMovement, Source, Status, TheirMovement};
use crate::statement::Statement;

impl Matcher<'_> {
    /// Names each movement that is left, and each that its statement is not of.
    pub(super) fn take_left_over(&mut self, statements: &[Statement]) {
        self.name_strange_days(statements);
        self.take_alike_ids();
        self.take_theirs_left();
        self.take_ours_left(statements);
        self.open.sort_by(|one, other| {
            (one.theirs.first(), one.ours.first()).cmp(&(other.theirs.first(), other.ours.first()))
        });
    }

    fn name_strange_days(&mut self, statements: &[Statement]) {
        for (place, movement) in self.theirs.iter().enumerate() {
            let number = usize::try_from(movement.position.statement).unwrap_or(usize::MAX);
            let days = statements.get(number).and_then(|it| it.from.zip(it.to));
            let is_within = |(from, to)| movement.day >= from && movement.day <= to;
            if !days.is_none_or(is_within) {
                let reason = Difference::Period;
                self.open.push(OpenItem { theirs: vec![place], ours: Vec::new(), reason });
            }
        }
    }

    /// Ids that differ in their case alone are no one id (rulings 82), and a person sees why.
    fn take_alike_ids(&mut self) {
        let mut ours: HashMap<(Source, String), Vec<usize>> = HashMap::new();
        for (place, own) in self.ours.iter().enumerate() {
            if let (true, Some(id)) = (self.ours_free[place], &own.id) {
                let key = (own.account.source, id.to_ascii_lowercase());
                ours.entry(key).or_default().push(place);
            }
        }
        for place in 0..self.theirs.len() {
            let movement = self.theirs[place];
            let Some(id) = movement.id.as_deref().filter(|_| self.theirs_free[place]) else {
                continue;
            };
            let key = (movement.account.source, id.to_ascii_lowercase());
            if movement.class == Class::Fee {
                continue;
            }
            if let Some(alike) = ours.get(&key).filter(|alike| alike.len() == 1) {
                let own = alike[0];
                if std::mem::take(&mut self.ours_free[own]) {
                    self.theirs_free[place] = false;
                    let reason = Difference::Spelling;
                    self.open.push(OpenItem { theirs: vec![place], ours: vec![own], reason });
                }
            }
        }
    }

    fn take_theirs_left(&mut self) {
        let paired: HashSet<(Source, &str)> = self
            .pairs
            .iter()
            .flat_map(|pair| &pair.theirs)
            .filter_map(|place| {
                let movement = self.theirs[*place];
                if movement.class == Class::Fee {
                    return None;
                }
                Some((movement.account.source, movement.id.as_deref()?))
            })
            .collect();
        let mut left = Vec::new();
        for place in 0..self.theirs.len() {
            let movement = self.theirs[place];
            if !self.theirs_free[place] {
                continue;
            }
            if movement.status != Status::Booked {
                self.moves_nothing += 1;
                continue;
            }
            let reason = self.reason_of(movement, &paired);
            left.push(OpenItem { theirs: vec![place], ours: Vec::new(), reason });
        }
        self.open.extend(left);
    }

    fn reason_of(&self, movement: &TheirMovement, paired: &HashSet<(Source, &str)>) -> Difference {
        let id = movement.id.as_deref();
        let is_elsewhere = |id: &str| self.other_environment.contains(id);
        match () {
            () if movement.class == Class::Fee => Difference::Fee,
            () if id.is_some_and(is_elsewhere) => Difference::Environment,
            () if movement.account.source != Source::Exchange
                && id.is_some_and(|id| paired.contains(&(movement.account.source, id))) =>
            {
                Difference::Twice
            }
            () => Difference::Unreported,
        }
    }

    fn take_ours_left(&mut self, statements: &[Statement]) {
        let covered: BTreeSet<(Source, Box<str>)> =
            statements.iter().flat_map(covered_accounts).collect();
        for (place, own) in self.ours.iter().enumerate() {
            if !self.ours_free[place] {
                continue;
            }
            let account = &own.account;
            let is_covered = covered.contains(&(account.source, account.network.clone()));
            let day = self.expected_on(own);
            let is_due = day >= self.period.from && day <= self.period.to;
            let counts = matches!(own.status, Status::Booked | Status::Pending);
            if is_covered && is_due && counts {
                let is_fee = own.class == Class::Fee;
                let reason = if is_fee { Difference::Fee } else { Difference::Missing };
                self.open.push(OpenItem { theirs: Vec::new(), ours: vec![place], reason });
            }
        }
    }

    /// The day on which a statement has a movement at the latest: shortly before midnight, the next
    /// day's may be the one.
    fn expected_on(&self, own: &OurMovement) -> Day {
        let late = Day::from_instant(own.at.after(self.rules.grace(own.account.source)));
        if Day::from_instant(own.at) == own.day && late > own.day { late } else { own.day }
    }
}

/// The accounts that a statement is of: those of a network, or all of its source.
fn covered_accounts(statement: &Statement) -> BTreeSet<(Source, Box<str>)> {
    let of_balances = statement.balances.iter().map(|balance| &balance.account);
    let of_movements = statement.movements.iter().map(|movement| &movement.account);
    let named = of_balances.chain(of_movements);
    let named = named.map(|account| (account.source, account.network.clone()));
    let whole = (statement.source != Source::Chain).then(|| (statement.source, "".into()));
    named.chain(whole).collect()
}
