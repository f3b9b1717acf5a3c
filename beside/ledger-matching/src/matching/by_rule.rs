//! Matching by declared rules: amount, window, counterparty; never across an ambiguity.

use std::collections::{BTreeSet, HashMap};

use super::Matcher;
use crate::difference::How;
use crate::movement::{Account, Direction, Status};
use crate::quantity::Quantity;
use crate::rules::{Many, Rule};

/// Movements of ours of one account and direction, by amount.
type ByAmount = BTreeSet<(Quantity, usize)>;

impl<'a> Matcher<'a> {
    /// Tries each rule in its order.
    pub(super) fn pair_by_rules(&mut self) {
        for (number, rule) in self.rules.rules.iter().enumerate() {
            match rule.many {
                Many::None => self.pair_by_rule(rule, How::Rule(number)),
                Many::Ours | Many::Theirs => self.pair_netted(rule, How::Rule(number)),
            }
        }
    }

    /// Pairs movements that fit nobody else; where several fit, all are named as ambiguous.
    fn pair_by_rule(&mut self, rule: &Rule, how: How) {
        let ours = self.ours_by_amount(rule);
        let places = (0..self.theirs.len()).filter(|place| {
            let movement = self.theirs[*place];
            self.theirs_free[*place]
                && movement.status == Status::Booked
                && rule.takes_theirs(movement)
        });
        let fits: Vec<(usize, Vec<usize>)> = places
            .map(|place| (place, self.candidates(place, rule, &ours)))
            .filter(|(_, candidates)| !candidates.is_empty())
            .collect();
        for (theirs, ours) in components(&fits) {
            match (&theirs[..], &ours[..]) {
                ([one], [other]) => self.pair(*one, *other, how),
                _ => self.note_ambiguity(&theirs, &ours),
            }
        }
    }

    fn ours_by_amount(&self, rule: &Rule) -> HashMap<(&'a Account, Direction), ByAmount> {
        let mut by_amount: HashMap<_, ByAmount> = HashMap::new();
        for (place, own) in self.ours.iter().enumerate() {
            if self.ours_free[place] && own.status == Status::Booked && rule.takes_ours(own) {
                let key = (&*own.account, own.direction);
                by_amount.entry(key).or_default().insert((own.amount, place));
            }
        }
        by_amount
    }

    /// Movements of ours that may be one of theirs by a rule.
    fn candidates(
        &self,
        place: usize,
        rule: &Rule,
        ours: &HashMap<(&Account, Direction), ByAmount>,
    ) -> Vec<usize> {
        let movement = self.theirs[place];
        let Some(ours) = ours.get(&(&*movement.account, movement.direction)) else {
            return Vec::new();
        };
        let least = (movement.amount.minus(rule.within), 0);
        let most = (movement.amount.plus(rule.within), usize::MAX);
        let in_window = |own: usize| {
            let at = self.ours[own].at;
            movement.at.since(at).max(at.since(movement.at)) <= rule.window()
        };
        // Two ids are two movements, however alike these are.
        let may_be = |own: usize| {
            let own = &self.ours[own];
            !are_two(movement.id.as_deref(), own.id.as_deref())
                && !are_two(movement.address.as_deref(), own.address.as_deref())
        };
        let near = ours.range(least..=most).map(|(_, own)| *own);
        near.filter(|own| in_window(*own) && may_be(*own)).collect()
    }
}

/// Tells whether both are known, and differ.
fn are_two(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

/// Movements that fit each other, directly or by others: each set with all its members.
fn components(fits: &[(usize, Vec<usize>)]) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut of_ours: HashMap<usize, Vec<usize>> = HashMap::new();
    for (number, (_, candidates)) in fits.iter().enumerate() {
        for own in candidates {
            of_ours.entry(*own).or_default().push(number);
        }
    }
    let mut visited = vec![false; fits.len()];
    let mut components = Vec::new();
    for start in 0..fits.len() {
        let (mut theirs, mut ours) = (BTreeSet::new(), BTreeSet::new());
        let mut waiting = vec![start];
        while let Some(number) = waiting.pop() {
            if std::mem::replace(&mut visited[number], true) {
                continue;
            }
            theirs.insert(fits[number].0);
            for own in &fits[number].1 {
                if ours.insert(*own) {
                    waiting.extend(&of_ours[own]);
                }
            }
        }
        if !theirs.is_empty() {
            components.push((theirs.into_iter().collect(), ours.into_iter().collect()));
        }
    }
    components
}
