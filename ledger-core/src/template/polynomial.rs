//! Expressions in a form in which equal ones are the same: sums of products of parameters and of
//! roundings, whose coefficients are whole numbers.

use std::collections::BTreeMap;

use super::expression::{Expression, Rounding};

/// Products that one sum may have: a template that needs more is not proven.
const MOST_TERMS: usize = 256;

/// A factor that cannot be divided further.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    /// A parameter, by its place.
    Parameter(usize),
    /// A quotient, rounded.
    Quotient(Rounding, Polynomial, i128),
    /// The smaller of two.
    Least(Polynomial, Polynomial),
    /// The larger of two.
    Most(Polynomial, Polynomial),
}

/// A sum of products: each product by its sorted factors, with its coefficient, never zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Polynomial {
    pub(super) terms: BTreeMap<Vec<Atom>, i128>,
}

impl Polynomial {
    pub(super) fn number(number: i128) -> Self {
        Self { terms: BTreeMap::from([(Vec::new(), number)]) }.without_zeros()
    }

    pub(super) fn atom(atom: Atom) -> Self {
        Self { terms: BTreeMap::from([(vec![atom], 1)]) }
    }

    /// The expression as a polynomial; none where a coefficient leaves 128 bits.
    pub(super) fn of_expression(expression: &Expression) -> Option<Self> {
        let both = |pair: &[Expression; 2]| {
            Some((Self::of_expression(&pair[0])?, Self::of_expression(&pair[1])?))
        };
        match expression {
            Expression::Number(number) => Some(Self::number(*number)),
            Expression::Parameter(place) => Some(Self::atom(Atom::Parameter(*place))),
            Expression::Sum(pair) => both(pair).and_then(|(a, b)| a.plus(&b)),
            Expression::Difference(pair) => both(pair).and_then(|(a, b)| a.minus(&b)),
            Expression::Product(pair) => both(pair).and_then(|(a, b)| a.times(&b)),
            Expression::Least(pair) => both(pair).map(|(a, b)| Self::atom(Atom::Least(a, b))),
            Expression::Most(pair) => both(pair).map(|(a, b)| Self::atom(Atom::Most(a, b))),
            Expression::Quotient(rounding, over, by) => {
                let over = Self::of_expression(over)?;
                Some(Self::atom(Atom::Quotient(*rounding, over, *by)))
            }
        }
    }

    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        self.plus_scaled(other, 1)
    }

    pub(super) fn minus(&self, other: &Self) -> Option<Self> {
        self.plus_scaled(other, -1)
    }

    pub(super) fn scale_by(&self, by: i128) -> Option<Self> {
        Self::default().plus_scaled(self, by)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    fn plus_scaled(&self, other: &Self, by: i128) -> Option<Self> {
        let mut terms = self.terms.clone();
        for (factors, coefficient) in &other.terms {
            let sum = terms.entry(factors.clone()).or_default();
            *sum = sum.checked_add(coefficient.checked_mul(by)?)?;
        }
        Some(Self { terms }.without_zeros()).filter(|sum| sum.terms.len() <= MOST_TERMS)
    }

    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for (factors, coefficient) in &other.terms {
            product = product.plus(&self.times_term(factors, *coefficient)?)?;
        }
        Some(product)
    }

    /// Itself times one product.
    pub(super) fn times_term(&self, factors: &[Atom], coefficient: i128) -> Option<Self> {
        let mut terms = BTreeMap::new();
        for (own, of_own) in &self.terms {
            let mut all: Vec<Atom> = own.iter().chain(factors).cloned().collect();
            all.sort();
            terms.insert(all, of_own.checked_mul(coefficient)?);
        }
        Some(Self { terms }.without_zeros())
    }

    fn without_zeros(mut self) -> Self {
        self.terms.retain(|_, coefficient| *coefficient != 0);
        self
    }
}
