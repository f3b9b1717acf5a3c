//! How low a polynomial can fall over all values of the parameters, proven.
//!
//! Each rounding is replaced by a bound of it that needs none: a quotient rounded down lies between
//! `(n - (c - 1)) / c` and `n / c`. The smaller of two is at most either and at least one of both;
//! the larger likewise. What is left is linear in each parameter by itself, so its least value over
//! the ranges stands at one of their corners, and each corner is looked at.

use super::expression::Rounding;
use super::polynomial::{Atom, Polynomial};

/// Parameters that one polynomial may depend on: it has a corner for each subset of them.
const MOST_VARYING: usize = 8;

/// How many replacements the proof of one template may make before it is given up.
const MOST_STEPS: usize = 1_024;

/// The values that a parameter may have, both ends among them; neither is below zero.
pub(super) type Range = (i64, i64);

/// A whole number over another above zero.
#[derive(Clone, Copy, Debug)]
struct Fraction {
    over: i128,
    by: i128,
}

impl Fraction {
    fn is_below(self, other: Self) -> Option<bool> {
        Some(self.over.checked_mul(other.by)? < other.over.checked_mul(self.by)?)
    }

    /// The least whole number that is not below it.
    fn ceiling(self) -> i128 {
        Rounding::Up.divide(self.over, self.by)
    }
}

/// The search for a bound, within the ranges of the parameters.
pub(super) struct Bounds<'a> {
    ranges: &'a [Range],
    steps: usize,
}

impl<'a> Bounds<'a> {
    pub(super) const fn new(ranges: &'a [Range]) -> Self {
        Self { ranges, steps: 0 }
    }

    /// A whole number that the polynomial never falls below; none where none can be proven.
    pub(super) fn lowest(&mut self, polynomial: &Polynomial) -> Option<i128> {
        self.lower(polynomial.clone(), 1).map(Fraction::ceiling)
    }

    /// A whole number that the polynomial never exceeds; none where none can be proven.
    pub(super) fn highest(&mut self, polynomial: &Polynomial) -> Option<i128> {
        self.lowest(&polynomial.scale_by(-1)?)?.checked_neg()
    }

    /// A lower bound of `polynomial / by`.
    fn lower(&mut self, polynomial: Polynomial, by: i128) -> Option<Fraction> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return None;
        }
        let Some((factors, coefficient, place)) = rounded_term(&polynomial) else {
            return self.at_corners(&polynomial, by);
        };
        let mut rest = polynomial;
        rest.terms.remove(&factors);
        let mut others = factors;
        let atom = others.remove(place);
        // A parameter is never below zero, so a bound of its factor bounds the product; of another
        // rounding that is not known.
        if !others.iter().all(|other| matches!(other, Atom::Parameter(_))) {
            return None;
        }
        let below = coefficient > 0;
        match atom {
            Atom::Parameter(_) => None,
            Atom::Quotient(rounding, over, divisor) => {
                let (over, divisor) = rounding.bound(&over, divisor, below)?;
                let replaced = over.times_term(&others, coefficient)?;
                let sum = rest.scale_by(divisor)?.plus(&replaced)?;
                self.lower(sum, by.checked_mul(divisor)?)
            }
            Atom::Least(first, second) => {
                self.of_two(&rest, [&first, &second], (&others, coefficient), by, !below)
            }
            Atom::Most(first, second) => {
                self.of_two(&rest, [&first, &second], (&others, coefficient), by, below)
            }
        }
    }

    /// A bound where the smaller or the larger of two is replaced by each of them: by the better
    /// one where either will do, otherwise by the worse.
    fn of_two(
        &mut self,
        rest: &Polynomial,
        pair: [&Polynomial; 2],
        (others, coefficient): (&[Atom], i128),
        by: i128,
        either: bool,
    ) -> Option<Fraction> {
        let mut bound = |one: &Polynomial| {
            let sum = rest.plus(&one.times_term(others, coefficient)?)?;
            self.lower(sum, by)
        };
        match (bound(pair[0]), bound(pair[1])) {
            (Some(first), Some(second)) => {
                let first_is_below = first.is_below(second)?;
                Some(if first_is_below == either { second } else { first })
            }
            (one, other) if either => one.or(other),
            _ => None,
        }
    }

    /// The least value at the corners of the ranges, of a polynomial of parameters alone that is
    /// linear in each.
    fn at_corners(&self, polynomial: &Polynomial, by: i128) -> Option<Fraction> {
        let mut varying: Vec<usize> = Vec::new();
        for factors in polynomial.terms.keys() {
            let mut last = None;
            for atom in factors {
                let Atom::Parameter(place) = atom else { return None };
                if last == Some(*place) && self.varies(*place) {
                    return None;
                }
                last = Some(*place);
                if self.varies(*place) && !varying.contains(place) {
                    varying.push(*place);
                }
            }
        }
        if varying.len() > MOST_VARYING {
            return None;
        }
        let corners = (0_u32..1 << varying.len()).map(|corner| {
            let value = |place: usize| {
                let (low, high) = self.ranges[place];
                let bit = varying.iter().position(|varying| *varying == place);
                let is_high = bit.is_some_and(|bit| corner >> bit & 1 == 1);
                i128::from(if is_high { high } else { low })
            };
            value_at(polynomial, value)
        });
        let least = corners.reduce(|least, next| Some(least?.min(next?)));
        Some(Fraction { over: least??, by })
    }

    fn varies(&self, place: usize) -> bool {
        let (low, high) = self.ranges[place];
        low < high
    }
}

/// The first term with a factor that is no parameter, and where that factor stands.
fn rounded_term(polynomial: &Polynomial) -> Option<(Vec<Atom>, i128, usize)> {
    polynomial.terms.iter().find_map(|(factors, coefficient)| {
        let place = factors.iter().position(|atom| !matches!(atom, Atom::Parameter(_)))?;
        Some((factors.clone(), *coefficient, place))
    })
}

fn value_at(polynomial: &Polynomial, value: impl Fn(usize) -> i128) -> Option<i128> {
    polynomial.terms.iter().try_fold(0_i128, |sum, (factors, coefficient)| {
        let product = factors.iter().try_fold(*coefficient, |product, atom| match atom {
            Atom::Parameter(place) => product.checked_mul(value(*place)),
            _ => None,
        });
        sum.checked_add(product?)
    })
}

impl Rounding {
    /// A bound of `over / by` rounded, as another quotient that needs no rounding: from `below`, or
    /// from above.
    fn bound(self, over: &Polynomial, by: i128, below: bool) -> Option<(Polynomial, i128)> {
        let shifted = |over: &Polynomial, shift| over.plus(&Polynomial::number(shift));
        match (self, below) {
            (Self::Down, false) | (Self::Up, true) => Some((over.clone(), by)),
            (Self::Down, true) => Some((shifted(over, 1 - by)?, by)),
            (Self::Up, false) => Some((shifted(over, by - 1)?, by)),
            (Self::HalfEven, below) => {
                let twice = over.scale_by(2)?;
                Some((shifted(&twice, if below { -by } else { by })?, by.checked_mul(2)?))
            }
        }
    }
}
