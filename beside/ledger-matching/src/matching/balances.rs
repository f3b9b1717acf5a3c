//! Opening, movements and closing of each statement, held against our control account.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::{Inputs, MatchResult};
use crate::day::Day;
use crate::difference::Difference;
use crate::kept::{CarriedBalance, KeptMatches};
use crate::movement::{Account, Status};
use crate::quantity::Quantity;
use crate::statement::Statement;

/// The balances of an account, by its statements and by the books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldBalance {
    /// The account outside that the statements are of.
    pub account: Arc<Account>,
    /// The first day of its statements.
    pub from: Day,
    /// The last day of its statements.
    pub to: Day,
    /// The opening of the first statement.
    pub opening: Quantity,
    /// The sum of the statements' movements, below zero where more left.
    pub movements: Quantity,
    /// The closing of the last statement.
    pub closing: Quantity,
    /// The balance of our control account before the first day.
    pub own_opening: Quantity,
    /// Its balance after the last.
    pub own_closing: Quantity,
}

/// A balance that does not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceFinding {
    /// The account outside whose balance disagrees.
    pub account: Arc<Account>,
    /// [`Difference::Arithmetic`] or [`Difference::Opening`].
    pub reason: Difference,
    /// The number of the statement.
    pub statement: u32,
    /// The line that states it.
    pub line: u64,
    /// The statement's own figure.
    pub stated: Quantity,
    /// The figure that agrees.
    pub expected: Quantity,
}

impl HeldBalance {
    /// How much more our control account has at the end than the statement.
    #[must_use]
    pub const fn difference(&self) -> Quantity {
        self.own_closing.minus(self.closing)
    }
}

/// One statement's part of an account.
struct Part {
    number: u32,
    line: u64,
    from: Day,
    to: Day,
    opening: Quantity,
    closing: Quantity,
    movements: Quantity,
}

/// Holds every stated balance against movements, the statement before, and the books.
pub(super) fn hold_balances(
    matched: &mut MatchResult,
    inputs: Inputs<'_>,
    copies: &HashSet<usize>,
    kept: &mut KeptMatches,
) {
    for (account, mut parts) in parts_of(inputs.statements, copies) {
        parts.sort_by_key(|part| (part.from, part.to, part.number));
        let mut findings = Vec::new();
        let mut finding = |part: &Part, reason, stated, expected| {
            let (account, statement, line) = (Arc::clone(&account), part.number, part.line);
            if stated != expected {
                findings.push(BalanceFinding {
                    account,
                    reason,
                    statement,
                    line,
                    stated,
                    expected,
                });
            }
        };
        for part in &parts {
            let sum = part.opening.plus(part.movements);
            finding(part, Difference::Arithmetic, part.closing, sum);
        }
        for pair in parts.windows(2) {
            if pair[1].from > pair[0].to {
                finding(&pair[1], Difference::Opening, pair[1].opening, pair[0].closing);
            }
        }
        let (first, last) = (&parts[0], &parts[parts.len() - 1]);
        let own_opening = inputs.books.balance_before(&account, first.from);
        let own_closing = inputs.books.balance_after(&account, last.to);
        let before =
            kept.last_balance(&account).filter(|carried| carried.day < first.from).cloned();
        match &before {
            Some(carried) => {
                finding(first, Difference::Opening, first.opening, carried.closing);
            }
            None => {
                let late = late_before(matched, inputs, &account, first.from);
                finding(first, Difference::Opening, first.opening, own_opening.minus(late));
            }
        }
        let held = HeldBalance {
            from: first.from,
            to: last.to,
            opening: first.opening,
            movements: parts.iter().map(|part| part.movements).sum(),
            closing: last.closing,
            own_opening,
            own_closing,
            account: Arc::clone(&account),
        };
        kept.carry(
            &account,
            CarriedBalance { day: held.to, closing: held.closing, difference: held.difference() },
        );
        matched.balances.push(held);
        matched.balance_findings.extend(findings);
    }
}

fn parts_of(
    statements: &[Statement],
    copies: &HashSet<usize>,
) -> BTreeMap<Arc<Account>, Vec<Part>> {
    let mut parts: BTreeMap<Arc<Account>, Vec<Part>> = BTreeMap::new();
    let mut first = 0;
    for (number, statement) in (0..).zip(statements) {
        let mut sums: BTreeMap<&Account, Quantity> = BTreeMap::new();
        for (place, movement) in (first..).zip(&statement.movements) {
            if movement.status == Status::Booked && !copies.contains(&place) {
                let sum = sums.entry(&movement.account).or_default();
                *sum = sum.plus(movement.signed_amount());
            }
        }
        first += statement.movements.len();
        for balance in &statement.balances {
            let ends = balance.opening.zip(balance.closing).zip(statement.from.zip(statement.to));
            if let Some(((opening, closing), (from, to))) = ends {
                let movements = sums.get(&*balance.account).copied().unwrap_or_default();
                let line = balance.line;
                let part = Part { number, line, from, to, opening, closing, movements };
                parts.entry(Arc::clone(&balance.account)).or_default().push(part);
            }
        }
    }
    parts
}

/// Sums what our books have of the days before and the first statement within its own: movements
/// with midnight between both sides.
fn late_before(
    matched: &MatchResult,
    inputs: Inputs<'_>,
    account: &Account,
    from: Day,
) -> Quantity {
    let ours = inputs.books.movements();
    let own = matched.pairs.iter().flat_map(|pair| &pair.ours).map(|place| &ours[*place]);
    let late = own.filter(|own| *own.account == *account && own.day < from);
    late.map(crate::movement::OurMovement::signed_amount).sum()
}
