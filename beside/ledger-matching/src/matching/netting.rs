//! Several movements of one side that are one of the other, where a rule says that they net.

use std::collections::{BTreeMap, HashMap};

use super::Matcher;
use crate::day::Day;
use crate::difference::{self, Difference, How};
use crate::movement::{Account, Class, Direction, OurMovement, Source, Status, TheirMovement};
use crate::quantity::Quantity;
use crate::rules::{Group, Many, Rule};

/// The likeness of movements of one group. A rule without a direction sums both with their
/// signs.
type GroupKey<'a> = (&'a Account, Option<Direction>, Option<Day>, Option<&'a str>);

/// Movements of both sides that have it in common.
#[derive(Default)]
struct Members {
    theirs: Vec<usize>,
    ours: Vec<usize>,
}

impl<'a> Matcher<'a> {
    /// Pairs groups: one movement of one side, and the several of the other that sum to it.
    pub(super) fn pair_netted(&mut self, rule: &Rule, how: How) {
        for members in self.groups(rule).into_values() {
            let (one, several) = match rule.many {
                Many::Ours => (&members.theirs, &members.ours),
                Many::Theirs | Many::None => (&members.ours, &members.theirs),
            };
            match (one.len(), several.len()) {
                (0, _) | (_, 0) => {}
                (1, _) => self.pair_sum(members, how),
                _ => self.note_ambiguity(&members.theirs, &members.ours),
            }
        }
    }

    fn groups(&self, rule: &Rule) -> BTreeMap<GroupKey<'a>, Members> {
        let mut groups: BTreeMap<GroupKey<'a>, Members> = BTreeMap::new();
        let own_names = self.own_names(rule);
        for (place, &movement) in self.theirs.iter().enumerate() {
            let counts = self.theirs_free[place] && movement.status == Status::Booked;
            if !counts || !rule.takes_theirs(movement) {
                continue;
            }
            let (account, direction) = (&*movement.account, movement.direction);
            match rule.group {
                Group::Day => {
                    let key = (account, rule.direction, Some(movement.day), None);
                    groups.entry(key).or_default().theirs.push(place);
                }
                Group::Name => {
                    let Some(name) = movement.names.first() else { continue };
                    let key = (account, Some(direction), None, Some(&**name));
                    let members = groups.entry(key).or_default();
                    members.theirs.push(place);
                    if members.ours.is_empty() {
                        let named = |way| self.ours_named(name, account, way, &own_names);
                        members.ours = named(direction);
                        if members.ours.is_empty() {
                            members.ours = named(direction.other());
                        }
                    }
                }
            }
        }
        if rule.group == Group::Day {
            for (place, own) in self.ours.iter().enumerate() {
                let counts = self.ours_free[place] && own.status == Status::Booked;
                if counts && rule.takes_ours(own) {
                    let key = (&*own.account, rule.direction, Some(own.day), None);
                    groups.entry(key).or_default().ours.push(place);
                }
            }
        }
        groups
    }

    /// Free movements of ours by their operation and by the fact that reported them.
    fn own_names(&self, rule: &Rule) -> HashMap<NameOf<'a>, Vec<usize>> {
        let mut names: HashMap<NameOf<'a>, Vec<usize>> = HashMap::new();
        if rule.group != Group::Name {
            return names;
        }
        for (place, own) in self.ours.iter().enumerate() {
            let counts = self.ours_free[place] && own.status == Status::Booked;
            if counts && rule.takes_ours(own) {
                let operation = own.operation.map(NameOf::Operation);
                let fact = own.fact.as_deref().map(NameOf::Fact);
                for name in operation.into_iter().chain(fact) {
                    names.entry(name).or_default().push(place);
                }
            }
        }
        names
    }

    fn ours_named(
        &self,
        name: &str,
        account: &Account,
        direction: Direction,
        names: &HashMap<NameOf<'a>, Vec<usize>>,
    ) -> Vec<usize> {
        let operations = self.books.operations_named(name).into_iter().map(NameOf::Operation);
        let keys = operations.chain([NameOf::Fact(name)]);
        let places = keys.filter_map(|key| names.get(&key)).flatten().copied();
        let mut places: Vec<usize> = places
            .filter(|place| {
                let own = &self.ours[*place];
                *own.account == *account && own.direction == direction
            })
            .collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    fn pair_sum(&mut self, members: Members, how: How) {
        let Members { theirs, ours } = members;
        if let ([their], [own]) = (&theirs[..], &ours[..]) {
            self.pair(*their, *own, how);
            return;
        }
        let mut differences = Vec::new();
        let (mut sum_of_theirs, sum_of_ours) = self.sums_of(&theirs, &ours);
        if sum_of_theirs.is_negative() != sum_of_ours.is_negative() {
            differences.push(Difference::Sign);
            sum_of_theirs = sum_of_theirs.opposite();
        }
        if sum_of_theirs != sum_of_ours {
            let is_fee = self.is_fee(&theirs, sum_of_theirs.minus(sum_of_ours));
            differences.push(if is_fee { Difference::Fee } else { Difference::Netting });
        }
        if !self.are_of_one_day(&theirs, &ours) {
            differences.push(Difference::Day);
        }
        self.pair_several(theirs, ours, how, differences);
    }

    fn sums_of(&self, theirs: &[usize], ours: &[usize]) -> (Quantity, Quantity) {
        let sum_of_theirs = theirs.iter().map(|place| self.theirs[*place].signed_amount());
        let sum_of_ours = ours.iter().map(|place| self.ours[*place].signed_amount());
        (sum_of_theirs.sum(), sum_of_ours.sum())
    }

    /// Tells whether fees are apart, and no amounts: all are fees, or the tariffs or fees that the
    /// lines name are as much.
    fn is_fee(&self, theirs: &[usize], apart: Quantity) -> bool {
        let fees: Quantity = theirs.iter().filter_map(|place| self.theirs[*place].fee).sum();
        let are_fees = theirs.iter().all(|place| self.theirs[*place].class == Class::Fee);
        let tariff = self.tariff_of(theirs.len(), self.theirs[theirs[0]]);
        are_fees || tariff == Some(apart.abs()) || (fees > Quantity::ZERO && apart.abs() <= fees)
    }

    /// Tells whether each part is of the day of the whole, or only midnight is between them.
    fn are_of_one_day(&self, theirs: &[usize], ours: &[usize]) -> bool {
        let pairs = theirs.iter().flat_map(|one| ours.iter().map(move |other| (*one, *other)));
        let mut pairs = pairs.map(|(one, other)| (self.theirs[one], &self.ours[other]));
        pairs.all(|(one, other): (&TheirMovement, &OurMovement)| {
            difference::is_same_day(one, other, self.rules)
        })
    }

    fn tariff_of(&self, lines: usize, movement: &TheirMovement) -> Option<Quantity> {
        let tariff = self.rules.provider.tariff;
        let declared = movement.account.source == Source::Provider && tariff > Quantity::ZERO;
        declared.then(|| (0..lines).map(|_| tariff).sum())
    }
}

/// By what a movement of ours is found.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum NameOf<'a> {
    Operation(ledger_core::id::OpId),
    Fact(&'a str),
}
