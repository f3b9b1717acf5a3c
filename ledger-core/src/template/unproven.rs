//! Reasons why a template is not adopted, or does not give an entry.

use thiserror::Error;

use super::reader::Unreadable;
use crate::money::LARGEST_AMOUNT;

/// The reason why a template is refused before it is adopted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unproven {
    /// It has more of something than it may, or none.
    #[error("{list} must have {least} to {most} items")]
    Count {
        /// The list's name.
        list: &'static str,
        /// The fewest it may have.
        least: usize,
        /// The most it may have.
        most: usize,
    },
    /// A name is no word of the language, one of its own words, or stands twice.
    #[error(
        "{list}[{at}]: its name must be 1 to 32 lower-case letters, digits and _ that name nothing \
         else"
    )]
    Name {
        /// The list's name.
        list: &'static str,
        /// Its place, from 0.
        at: usize,
    },
    /// A range is empty or leaves what an amount may be.
    #[error("amounts[{at}]: must range from 0 or more to {LARGEST_AMOUNT} or less")]
    Range {
        /// Its place, from 0.
        at: usize,
    },
    /// An expression of a leg cannot be read.
    #[error("legs[{leg}]: {problem}")]
    Leg {
        /// Its place, from 0.
        leg: usize,
        /// The problem in its text.
        problem: Unreadable,
    },
    /// A condition cannot be read.
    #[error("conditions[{condition}]: {problem}")]
    Condition {
        /// Its place, from 0.
        condition: usize,
        /// The problem in its text.
        problem: Unreadable,
    },
    /// A leg names a holder that the template does not have.
    #[error("legs[{leg}]: its holder is none of the template's")]
    Holder {
        /// Its place, from 0.
        leg: usize,
    },
    /// More than one leg takes the rest.
    #[error("legs[{leg}]: another leg takes the rest already")]
    Rests {
        /// Its place, from 0.
        leg: usize,
    },
    /// Two legs are of one account.
    #[error("legs[{leg}]: another leg has this account")]
    LegTwice {
        /// Its place, from 0.
        leg: usize,
    },
    /// Debits are not the same sum as credits, whatever the parameters.
    #[error("debits and credits are different sums, and no leg takes the rest")]
    Unbalanced,
    /// A leg may fall below zero, as far as can be proven.
    #[error("legs[{leg}]: it cannot be proven that this never falls below zero")]
    BelowZero {
        /// Its place, from 0.
        leg: usize,
    },
    /// A leg may exceed the largest amount, as far as can be proven.
    #[error("legs[{leg}]: it cannot be proven that this never exceeds {LARGEST_AMOUNT}")]
    TooLarge {
        /// Its place, from 0.
        leg: usize,
    },
    /// A number on the way leaves 126 bits.
    #[error("an intermediate result may exceed 126 bits")]
    Overflow,
}

/// The reason why a proven template does not give an entry for some arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Inapplicable {
    /// Arguments are missing, are more than the parameters, or one is outside its range.
    #[error("an argument is missing or outside its range")]
    Arguments,
    /// A condition does not hold.
    #[error("condition {0} of the template does not hold")]
    Condition(usize),
    /// Every leg comes to zero.
    #[error("every leg comes to zero")]
    Nothing,
}
