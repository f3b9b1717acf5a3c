//! A template that was read: the amounts of its legs, and the proof that they always balance.

use std::collections::BTreeMap;

use super::bounds::{Bounds, Range};
use super::declared::{AmountParameter, REST, Template};
use super::expression::Expression;
use super::polynomial::Polynomial;
use super::reader::{Comparison, Reader};
use super::unproven::{Inapplicable, Unproven};
use crate::accounting::Side;
use crate::money::LARGEST_AMOUNT;

/// A template's expressions, read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    ranges: Box<[Range]>,
    sides: Box<[Side]>,
    legs: Box<[Expression]>,
    conditions: Box<[(Expression, Comparison, Expression)]>,
}

impl Program {
    /// Reads the expressions of a template.
    ///
    /// # Errors
    ///
    /// [`Unproven`], where a name, a range, an expression or a condition is not one.
    pub fn read(template: &Template) -> Result<Self, Unproven> {
        template.check()?;
        let names: Vec<&str> = template.amounts.iter().map(|amount| &*amount.name).collect();
        let mut legs = Vec::with_capacity(template.legs.len());
        let mut rest = None;
        for (leg, declared) in template.legs.iter().enumerate() {
            if &*declared.amount == REST {
                if rest.replace(leg).is_some() {
                    return Err(Unproven::Rests { leg });
                }
                legs.push(Expression::Number(0));
            } else {
                let read = Reader::new(&declared.amount, &names).expression();
                legs.push(read.map_err(|problem| Unproven::Leg { leg, problem })?);
            }
        }
        let sides: Box<[Side]> = template.legs.iter().map(|leg| leg.side).collect();
        if let Some(rest) = rest {
            legs[rest] = remainder(&legs, &sides, sides[rest]);
        }
        let condition = |(condition, text): (usize, &str)| {
            let read = Reader::new(text, &names).condition();
            read.map_err(|problem| Unproven::Condition { condition, problem })
        };
        Ok(Self {
            ranges: template.amounts.iter().map(AmountParameter::range).collect(),
            sides,
            legs: legs.into(),
            conditions: template
                .conditions
                .iter()
                .map(|text| &**text)
                .enumerate()
                .map(condition)
                .collect::<Result<_, _>>()?,
        })
    }

    /// Proves for all values of the parameters that debits equal credits and that each leg lies
    /// between zero and [`LARGEST_AMOUNT`].
    ///
    /// # Errors
    ///
    /// [`Unproven`], naming the first leg that this cannot be proven of.
    pub fn prove(&self) -> Result<(), Unproven> {
        let most: Vec<i64> = self.ranges.iter().map(|(_, to)| *to).collect();
        let compared = self.conditions.iter().flat_map(|(left, _, right)| [left, right]);
        if self.legs.iter().chain(compared).any(|each| each.magnitude(&most).is_none()) {
            return Err(Unproven::Overflow);
        }
        let polynomial = |leg| Polynomial::of_expression(leg).ok_or(Unproven::Overflow);
        let legs: Vec<Polynomial> = self.legs.iter().map(polynomial).collect::<Result<_, _>>()?;
        let sum =
            self.sides.iter().zip(&legs).try_fold(Polynomial::default(), |sum, leg| add(&sum, leg));
        if !sum.ok_or(Unproven::Overflow)?.is_zero() {
            return Err(Unproven::Unbalanced);
        }
        let mut bounds = Bounds::new(&self.ranges);
        for (leg, amount) in legs.iter().enumerate() {
            if bounds.lowest(amount).is_none_or(|lowest| lowest < 0) {
                return Err(Unproven::BelowZero { leg });
            }
            let highest = bounds.highest(amount);
            if highest.is_none_or(|highest| highest > i128::from(LARGEST_AMOUNT)) {
                return Err(Unproven::TooLarge { leg });
            }
        }
        Ok(())
    }

    /// Proves for all values of the parameters that debits equal credits in each commodity by
    /// itself: that of each leg is given, in the order of the legs.
    ///
    /// # Errors
    ///
    /// A commodity of which this cannot be proven.
    pub fn prove_each<C: Copy + Ord>(&self, commodities: &[C]) -> Result<(), C> {
        let mut sums: BTreeMap<C, Option<Polynomial>> = BTreeMap::new();
        for ((side, leg), commodity) in self.sides.iter().zip(&self.legs).zip(commodities) {
            let sum = sums.entry(*commodity).or_insert_with(|| Some(Polynomial::default()));
            let leg = Polynomial::of_expression(leg);
            *sum = sum.take().zip(leg).and_then(|(sum, leg)| add(&sum, (side, &leg)));
        }
        let balances = |sum: &Option<Polynomial>| sum.as_ref().is_some_and(Polynomial::is_zero);
        let uneven = sums.into_iter().find(|(_, sum)| !balances(sum));
        uneven.map_or(Ok(()), |(commodity, _)| Err(commodity))
    }

    /// Returns the units of each leg, in the order of the legs; some are zero.
    ///
    /// # Errors
    ///
    /// [`Inapplicable`], where the arguments do not fit, or a condition does not hold.
    pub fn amounts(&self, arguments: &[i64]) -> Result<Vec<i64>, Inapplicable> {
        let fits = |(argument, (from, to)): (&i64, &Range)| (from..=to).contains(&argument);
        if arguments.len() != self.ranges.len() || !arguments.iter().zip(&self.ranges).all(fits) {
            return Err(Inapplicable::Arguments);
        }
        for (place, (left, comparison, right)) in self.conditions.iter().enumerate() {
            let both = left.value(arguments).zip(right.value(arguments));
            if !both.is_some_and(|(left, right)| comparison.holds(left, right)) {
                return Err(Inapplicable::Condition(place));
            }
        }
        let cents =
            |leg: &Expression| leg.value(arguments).and_then(|cents| i64::try_from(cents).ok());
        let amounts: Option<Vec<i64>> = self.legs.iter().map(cents).collect();
        let amounts = amounts.ok_or(Inapplicable::Arguments)?;
        if amounts.iter().all(|cents| *cents == 0) {
            Err(Inapplicable::Nothing)
        } else {
            Ok(amounts)
        }
    }
}

/// Adds a credit to a sum, or takes a debit off; none where a coefficient is too large to count.
fn add(sum: &Polynomial, (side, leg): (&Side, &Polynomial)) -> Option<Polynomial> {
    if *side == Side::Credit { sum.plus(leg) } else { sum.minus(leg) }
}

/// Returns the sum that the other legs leave for one on `side`.
fn remainder(legs: &[Expression], sides: &[Side], side: Side) -> Expression {
    let start = Expression::Number(0);
    legs.iter().zip(sides).fold(start, |sum, (leg, of_leg)| {
        if *leg == Expression::Number(0) {
            return sum;
        }
        let pair = Box::new([sum, leg.clone()]);
        if *of_leg == side { Expression::Difference(pair) } else { Expression::Sum(pair) }
    })
}
