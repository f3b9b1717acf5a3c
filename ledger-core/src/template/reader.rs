//! Expressions and conditions as they are written.
//!
//! ```text
//! condition  = expression ("<" | "<=" | "=" | ">=" | ">") expression
//! expression = term { ("+" | "-") term }
//! term       = factor { "*" factor }
//! factor     = number | parameter | "(" expression ")"
//!            | ("min" | "max") "(" expression "," expression ")"
//!            | ("down" | "up" | "half_even") "(" expression "/" number ")"
//! ```

use thiserror::Error;

use super::expression::{Expression, Rounding};
use crate::money::LARGEST_AMOUNT;

/// How deep expressions may stand within each other.
const DEEPEST: usize = 16;

/// The reason why an expression cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unreadable {
    /// Something else has to stand there.
    #[error("expected {expected} at character {at}")]
    Expected {
        /// The token that would fit.
        expected: &'static str,
        /// Where, counted from 1.
        at: usize,
    },
    /// A name is no parameter's.
    #[error("the name at character {at} is no amount of the template")]
    Unknown {
        /// Where, counted from 1.
        at: usize,
    },
    /// A number is larger than the largest amount.
    #[error("the number at character {at} is above the largest amount")]
    TooLarge {
        /// Where, counted from 1.
        at: usize,
    },
    /// Expressions stand too deep within each other.
    #[error("expressions stand more than {DEEPEST} deep")]
    TooDeep,
}

/// How two expressions of a condition have to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Comparison {
    Below,
    AtMost,
    Equal,
    AtLeast,
    Above,
}

impl Comparison {
    /// Every comparison with its sign; the longer signs first.
    const SIGNS: [(&'static str, Self); 5] = [
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("<", Self::Below),
        (">", Self::Above),
        ("=", Self::Equal),
    ];

    pub(super) const fn holds(self, left: i128, right: i128) -> bool {
        match self {
            Self::Below => left < right,
            Self::AtMost => left <= right,
            Self::Equal => left == right,
            Self::AtLeast => left >= right,
            Self::Above => left > right,
        }
    }
}

/// Reads one text from its start to its end.
pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    parameters: &'a [&'a str],
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str, parameters: &'a [&'a str]) -> Self {
        Self { text, at: 0, depth: 0, parameters }
    }

    /// The whole text as an expression.
    pub(super) fn expression(mut self) -> Result<Expression, Unreadable> {
        let read = self.sum()?;
        self.end(read)
    }

    /// The whole text as a condition.
    pub(super) fn condition(mut self) -> Result<(Expression, Comparison, Expression), Unreadable> {
        let left = self.sum()?;
        let sign = Comparison::SIGNS.into_iter().find(|(sign, _)| self.takes(sign));
        let (_, comparison) = sign.ok_or_else(|| self.unreadable("one of < <= = >= >"))?;
        let right = self.sum()?;
        self.end((left, comparison, right))
    }

    fn end<T>(mut self, read: T) -> Result<T, Unreadable> {
        self.skip();
        if self.at == self.text.len() { Ok(read) } else { Err(self.unreadable("an operator")) }
    }

    fn sum(&mut self) -> Result<Expression, Unreadable> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Unreadable::TooDeep);
        }
        let mut left = self.product()?;
        loop {
            left = if self.takes("+") {
                Expression::Sum(Box::new([left, self.product()?]))
            } else if self.takes("-") {
                Expression::Difference(Box::new([left, self.product()?]))
            } else {
                self.depth -= 1;
                return Ok(left);
            };
        }
    }

    fn product(&mut self) -> Result<Expression, Unreadable> {
        let mut left = self.factor()?;
        while self.takes("*") {
            left = Expression::Product(Box::new([left, self.factor()?]));
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Expression, Unreadable> {
        if self.takes("(") {
            let inner = self.sum()?;
            self.needs(")", "a closing parenthesis")?;
            return Ok(inner);
        }
        self.skip();
        if self.text[self.at..].starts_with(|c: char| c.is_ascii_digit()) {
            return self.number().map(Expression::Number);
        }
        let start = self.at;
        match self.word() {
            "" => Err(self.unreadable("a number, an amount or a parenthesis")),
            "min" => Ok(Expression::Least(Box::new(self.pair()?))),
            "max" => Ok(Expression::Most(Box::new(self.pair()?))),
            "down" => self.quotient(Rounding::Down),
            "up" => self.quotient(Rounding::Up),
            "half_even" => self.quotient(Rounding::HalfEven),
            name => {
                let place = self.parameters.iter().position(|known| *known == name);
                place.map(Expression::Parameter).ok_or(Unreadable::Unknown { at: start + 1 })
            }
        }
    }

    fn pair(&mut self) -> Result<[Expression; 2], Unreadable> {
        self.needs("(", "an opening parenthesis")?;
        let first = self.sum()?;
        self.needs(",", "a comma")?;
        let second = self.sum()?;
        self.needs(")", "a closing parenthesis")?;
        Ok([first, second])
    }

    fn quotient(&mut self, rounding: Rounding) -> Result<Expression, Unreadable> {
        self.needs("(", "an opening parenthesis")?;
        let over = self.sum()?;
        self.needs("/", "a division sign")?;
        self.skip();
        let start = self.at;
        let by = self.number()?;
        if by == 0 {
            self.at = start;
            return Err(self.unreadable("a divisor above zero"));
        }
        self.needs(")", "a closing parenthesis")?;
        Ok(Expression::Quotient(rounding, Box::new(over), by))
    }

    fn number(&mut self) -> Result<i128, Unreadable> {
        let start = self.at;
        let digits = self.while_it(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.unreadable("a whole number"));
        }
        let number = digits.parse::<i64>().ok().filter(|number| *number <= LARGEST_AMOUNT);
        number.map(i128::from).ok_or(Unreadable::TooLarge { at: start + 1 })
    }

    fn word(&mut self) -> &'a str {
        self.while_it(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    }

    fn while_it(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let text = self.text;
        let rest = &text[self.at..];
        let length = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn skip(&mut self) {
        self.while_it(|c| c == ' ');
    }

    fn takes(&mut self, sign: &str) -> bool {
        self.skip();
        let takes = self.text[self.at..].starts_with(sign);
        if takes {
            self.at += sign.len();
        }
        takes
    }

    fn needs(&mut self, sign: &str, expected: &'static str) -> Result<(), Unreadable> {
        if self.takes(sign) { Ok(()) } else { Err(self.unreadable(expected)) }
    }

    fn unreadable(&self, expected: &'static str) -> Unreadable {
        Unreadable::Expected { expected, at: self.text[..self.at].chars().count() + 1 }
    }
}
