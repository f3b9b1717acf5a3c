//! Expressions over a template's parameters: whole numbers, sums, products, stated rounding.

use core::cmp::Ordering;

/// How a quotient becomes a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rounding {
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
    /// To the nearest, of two equally near to the even one.
    HalfEven,
}

/// A whole number that follows from the parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Expression {
    /// A number as it is written.
    Number(i128),
    /// A parameter, by its place among them.
    Parameter(usize),
    /// The sum of two.
    Sum(Box<[Expression; 2]>),
    /// The first less the second.
    Difference(Box<[Expression; 2]>),
    /// The product of two.
    Product(Box<[Expression; 2]>),
    /// The smaller of two.
    Least(Box<[Expression; 2]>),
    /// The larger of two.
    Most(Box<[Expression; 2]>),
    /// A number over a whole number above zero, rounded.
    Quotient(Rounding, Box<Expression>, i128),
}

impl Rounding {
    /// `over` divided by `by`, which is above zero.
    pub(super) fn divide(self, over: i128, by: i128) -> i128 {
        let (down, rest) = (over.div_euclid(by), over.rem_euclid(by));
        let up = match self {
            Self::Down => false,
            Self::Up => rest > 0,
            Self::HalfEven => match rest.cmp(&(by - rest)) {
                Ordering::Less => false,
                Ordering::Equal => down % 2 != 0,
                Ordering::Greater => true,
            },
        };
        if up { down + 1 } else { down }
    }
}

impl Expression {
    /// Its value for these parameters; none where an intermediate leaves 128 bits, which no proven
    /// template reaches.
    pub(super) fn value(&self, parameters: &[i64]) -> Option<i128> {
        let both =
            |pair: &[Self; 2]| Some((pair[0].value(parameters)?, pair[1].value(parameters)?));
        match self {
            Self::Number(number) => Some(*number),
            Self::Parameter(place) => parameters.get(*place).copied().map(i128::from),
            Self::Sum(pair) => both(pair).and_then(|(a, b)| a.checked_add(b)),
            Self::Difference(pair) => both(pair).and_then(|(a, b)| a.checked_sub(b)),
            Self::Product(pair) => both(pair).and_then(|(a, b)| a.checked_mul(b)),
            Self::Least(pair) => both(pair).map(|(a, b)| a.min(b)),
            Self::Most(pair) => both(pair).map(|(a, b)| a.max(b)),
            Self::Quotient(rounding, over, by) => {
                over.value(parameters).map(|over| rounding.divide(over, *by))
            }
        }
    }

    /// The largest magnitude that it or any part of it may have, where each parameter is at most
    /// `most`; none where that leaves 126 bits.
    pub(super) fn magnitude(&self, most: &[i64]) -> Option<i128> {
        let both = |pair: &[Self; 2]| Some((pair[0].magnitude(most)?, pair[1].magnitude(most)?));
        let largest = match self {
            Self::Number(number) => number.checked_abs(),
            Self::Parameter(place) => most.get(*place).copied().map(i128::from),
            Self::Sum(pair) | Self::Difference(pair) => {
                both(pair).and_then(|(a, b)| a.checked_add(b))
            }
            Self::Product(pair) => both(pair).and_then(|(a, b)| a.checked_mul(b)),
            Self::Least(pair) | Self::Most(pair) => both(pair).map(|(a, b)| a.max(b)),
            Self::Quotient(_, over, _) => over.magnitude(most),
        };
        largest.filter(|largest| *largest < 1 << 126)
    }
}
