//! The matching: each movement of theirs with one of ours, or the reason why not.

mod balances;
mod by_id;
mod by_rule;
mod left_over;
mod netting;

use std::collections::{HashMap, HashSet};

pub use balances::{BalanceFinding, HeldBalance};

use crate::day::Day;
use crate::difference::{self, Difference, How, OpenItem, Pair};
use crate::kept::{KeptMatches, MovementKey};
use crate::movement::{OurMovement, Status, TheirMovement};
use crate::own::OwnBooks;
use crate::rules::Rules;
use crate::statement::Statement;

/// The days that are matched, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first day, in Brasília.
    pub from: Day,
    /// The last day, in Brasília.
    pub to: Day,
}

/// The result of a matching.
#[derive(Debug, Default)]
pub struct MatchResult {
    /// Movements that are one, with their differences.
    pub pairs: Vec<Pair>,
    /// Movements that stand alone, or may be several.
    pub open: Vec<OpenItem>,
    /// The balances of accounts, by their statements and by the books.
    pub balances: Vec<HeldBalance>,
    /// Balances that do not agree.
    pub balance_findings: Vec<BalanceFinding>,
    /// Movements of theirs that were matched in an earlier run.
    pub matched_before: usize,
    /// Movements of theirs that move nothing on either side.
    pub moves_nothing: usize,
}

/// Both sides of a matching, and the rules for it.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The ledger's movements.
    pub books: &'a OwnBooks,
    /// The statements of the accounts outside.
    pub statements: &'a [Statement],
    /// The declared rules: grace, tariff and words.
    pub rules: &'a Rules,
    /// The days that are matched.
    pub period: Period,
    /// The ids that the other ledger of the store has, live or sandbox.
    pub other_environment: &'a HashSet<Box<str>>,
}

/// The matching while it works.
struct Matcher<'a> {
    books: &'a OwnBooks,
    rules: &'a Rules,
    period: Period,
    other_environment: &'a HashSet<Box<str>>,
    ours: &'a [OurMovement],
    theirs: Vec<&'a TheirMovement>,
    ours_free: Vec<bool>,
    theirs_free: Vec<bool>,
    pairs: Vec<Pair>,
    open: Vec<OpenItem>,
    matched_before: usize,
    moves_nothing: usize,
}

/// Matches statements with the books, and adds what matched to what is kept.
///
/// Movements that were kept before are matched already, and count in the balances alone.
#[must_use]
pub fn match_statements(inputs: Inputs<'_>, kept: &mut KeptMatches) -> MatchResult {
    let Inputs { books, statements, rules, period, other_environment } = inputs;
    let ours = books.movements();
    let theirs: Vec<&TheirMovement> =
        statements.iter().flat_map(|statement| &statement.movements).collect();
    let mut matcher = Matcher {
        books,
        rules,
        period,
        other_environment,
        ours,
        ours_free: vec![true; ours.len()],
        theirs_free: vec![true; theirs.len()],
        theirs,
        pairs: Vec::new(),
        open: Vec::new(),
        matched_before: 0,
        moves_nothing: 0,
    };
    let keys = crate::kept::keys_of(&matcher.theirs);
    matcher.take_kept(kept, &keys);
    let copies = matcher.take_copies(statements);
    matcher.pair_by_id();
    matcher.pair_by_name();
    matcher.pair_by_rules();
    matcher.take_left_over(statements);
    let Matcher { pairs, open, matched_before, moves_nothing, theirs, .. } = matcher;
    for pair in pairs.iter().filter(|pair| pair.differences.is_empty()) {
        kept.add(pair, (&keys, &theirs), ours);
    }
    let mut result =
        MatchResult { pairs, open, matched_before, moves_nothing, ..MatchResult::default() };
    balances::hold_balances(&mut result, inputs, &copies, kept);
    result
}

impl MatchResult {
    /// How many things a person has to look at.
    #[must_use]
    pub fn open_count(&self) -> usize {
        let differing = self.pairs.iter().filter(|pair| !pair.differences.is_empty()).count();
        differing + self.open.len() + self.balance_findings.len()
    }
}

impl Matcher<'_> {
    fn is_ours_free(&self, place: usize) -> bool {
        self.ours_free[place]
    }

    fn is_theirs_free(&self, place: usize) -> bool {
        self.theirs_free[place]
    }

    /// Takes movements out of what is free.
    fn take(&mut self, theirs: &[usize], ours: &[usize]) {
        for place in theirs {
            self.theirs_free[*place] = false;
        }
        for place in ours {
            self.ours_free[*place] = false;
        }
    }

    fn pair(&mut self, their: usize, own: usize, how: How) {
        let differences = difference::differences(self.theirs[their], &self.ours[own], self.rules);
        self.pair_several(vec![their], vec![own], how, differences);
    }

    fn pair_several(
        &mut self,
        theirs: Vec<usize>,
        ours: Vec<usize>,
        how: How,
        differences: Vec<Difference>,
    ) {
        self.take(&theirs, &ours);
        self.pairs.push(Pair { theirs, ours, how, differences });
    }

    /// Several may be one: none of them is taken, and all are named.
    fn note_ambiguity(&mut self, theirs: &[usize], ours: &[usize]) {
        self.take(theirs, ours);
        let (theirs, ours) = (theirs.to_vec(), ours.to_vec());
        self.open.push(OpenItem { theirs, ours, reason: Difference::Ambiguous });
    }

    /// Takes out what an earlier run matched.
    fn take_kept(&mut self, kept: &KeptMatches, keys: &[MovementKey]) {
        if kept.is_empty() {
            return;
        }
        for (place, own) in self.ours.iter().enumerate() {
            if kept.has_ours(own) {
                self.ours_free[place] = false;
            }
        }
        for (place, movement) in self.theirs.iter().enumerate() {
            match kept.amount_of(&keys[place]) {
                None => {}
                Some(amount) if amount == movement.amount => {
                    self.theirs_free[place] = false;
                    self.matched_before += 1;
                }
                Some(_) => {
                    self.theirs_free[place] = false;
                    let reason = Difference::Changed;
                    self.open.push(OpenItem { theirs: vec![place], ours: Vec::new(), reason });
                }
            }
        }
    }

    /// Takes out lines that say again what a line before them said.
    fn take_copies(&mut self, statements: &[Statement]) -> HashSet<usize> {
        let mut seen: HashMap<_, usize> = HashMap::new();
        let mut copies = HashSet::new();
        for place in 0..self.theirs.len() {
            let movement = self.theirs[place];
            let Some(id) = movement.id.as_deref() else { continue };
            if movement.status != Status::Booked {
                continue;
            }
            let (account, class) = (&*movement.account, movement.class);
            let (index, direction) = (movement.index, movement.direction);
            let key = (account, id, index, direction, class, movement.amount);
            let Some(first) = seen.get(&key).copied() else {
                seen.insert(key, place);
                continue;
            };
            let is_free = std::mem::take(&mut self.theirs_free[place]);
            if is_in_both_statements(self.theirs[first], movement, statements) {
                self.moves_nothing += usize::from(is_free);
                continue;
            }
            copies.insert(place);
            if is_free {
                let theirs = vec![place, first];
                self.open.push(OpenItem { theirs, ours: Vec::new(), reason: Difference::Twice });
            }
        }
        copies
    }
}

/// Tells whether two statements of overlapping days say the same movement, each once.
fn is_in_both_statements(
    first: &TheirMovement,
    second: &TheirMovement,
    statements: &[Statement],
) -> bool {
    let statement = |movement: &TheirMovement| {
        let number = usize::try_from(movement.position.statement).ok()?;
        let statement = statements.get(number)?;
        Some((number, statement.from?, statement.to?))
    };
    match (statement(first), statement(second)) {
        (Some((one, from, to)), Some((other, other_from, other_to))) => {
            one != other && from <= other_to && other_from <= to
        }
        _ => false,
    }
}
