//! The rules by which money that lies together is told apart.

use std::str::FromStr;

use ledger_core::coin::mul_div;

/// Which lots of an account leave it first.
///
/// ```
/// use ledger_trace::Rule;
///
/// assert_eq!("lifo".parse(), Ok(Rule::LastIn));
/// assert_eq!(Rule::Proportion.name(), "proportion");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// First in, first out: the lot that has stood there longest.
    FirstIn,
    /// Last in, first out: the lot that came last.
    LastIn,
    /// A part of each lot, in proportion to the lots, in whole units by the largest remainder; of
    /// equal remainders the earlier lot's.
    Proportion,
}

/// Text that names no rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the rules are fifo, lifo and proportion")]
pub struct UnknownRule;

impl Rule {
    /// All three rules, in declared order.
    pub const ALL: [Self; 3] = [Self::FirstIn, Self::LastIn, Self::Proportion];

    /// Its name: `fifo`, `lifo` or `proportion`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FirstIn => "fifo",
            Self::LastIn => "lifo",
            Self::Proportion => "proportion",
        }
    }

    /// Returns how much of each lot leaves, where `amount` of lots of these sizes does. The lots
    /// stand in their line, the earliest first, and hold the amount at least.
    pub(crate) fn divide(self, amount: u128, sizes: &[u128]) -> Vec<u128> {
        match self {
            Self::FirstIn => in_order(amount, sizes.iter()).collect(),
            Self::LastIn => {
                let mut parts: Vec<u128> = in_order(amount, sizes.iter().rev()).collect();
                parts.reverse();
                parts
            }
            Self::Proportion => apportion(amount, sizes),
        }
    }
}

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(text: &str) -> Result<Self, UnknownRule> {
        Self::ALL.into_iter().find(|rule| rule.name() == text).ok_or(UnknownRule)
    }
}

fn in_order<'a>(amount: u128, sizes: impl Iterator<Item = &'a u128>) -> impl Iterator<Item = u128> {
    let mut left = amount;
    sizes.map(move |size| {
        let part = left.min(*size);
        left -= part;
        part
    })
}

/// Divides an amount in proportion to weights, in whole units by the largest remainder: the parts
/// sum to the amount. Weights of nothing at all get nothing.
pub(crate) fn apportion(amount: u128, weights: &[u128]) -> Vec<u128> {
    let whole: u128 = weights.iter().sum();
    if whole == 0 {
        return vec![0; weights.len()];
    }
    let mut left = amount;
    let mut parts = Vec::with_capacity(weights.len());
    let mut remainders = Vec::with_capacity(weights.len());
    for (place, weight) in weights.iter().enumerate() {
        let (part, remainder) = multiply_divide(amount, *weight, whole);
        left -= part;
        parts.push(part);
        remainders.push((remainder, place));
    }
    remainders.sort_unstable_by(|(a, at), (b, bt)| b.cmp(a).then(at.cmp(bt)));
    for (_, place) in remainders.into_iter().take(usize::try_from(left).unwrap_or(usize::MAX)) {
        parts[place] += 1;
    }
    parts
}

/// `a * b / whole` and its remainder, where `b` is at most the whole.
fn multiply_divide(a: u128, b: u128, whole: u128) -> (u128, u128) {
    let quotient = mul_div(a, b, whole).expect("a part of the amount is no more than it");
    // The remainder is less than the whole, so the bits past the 128th of both products are alike.
    (quotient, a.wrapping_mul(b).wrapping_sub(quotient.wrapping_mul(whole)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_rule_divides_as_it_says() {
        let lots = [30, 50, 20];
        assert_eq!(Rule::FirstIn.divide(45, &lots), [30, 15, 0]);
        assert_eq!(Rule::LastIn.divide(45, &lots), [0, 25, 20]);
        // 13.5, 22.5 and 9: the centavo that is left goes to the earlier of the equal remainders.
        assert_eq!(Rule::Proportion.divide(45, &lots), [14, 22, 9]);
    }

    #[test]
    fn amounts_whose_product_needs_more_than_128_bits_divide_exactly() {
        let most = 10_u128.pow(36);
        assert_eq!(multiply_divide(most, most, most), (most, 0));
        assert_eq!(multiply_divide(most, 1, 3), (most / 3, 1));
        assert_eq!(apportion(most, &[most, most]), [most / 2, most / 2]);
        assert_eq!(apportion(most - 1, &[most, 2 * most]).iter().sum::<u128>(), most - 1);
    }

    proptest! {
        #[test]
        fn parts_sum_to_the_amount_and_no_part_is_more_than_its_lot(
            sizes in prop::collection::vec(1..1_000_000_u128, 1..20),
            share in 0..=1_000_u128,
        ) {
            let amount = sizes.iter().sum::<u128>() * share / 1_000;
            for rule in Rule::ALL {
                let parts = rule.divide(amount, &sizes);
                prop_assert_eq!(parts.iter().sum::<u128>(), amount);
                prop_assert!(parts.iter().zip(&sizes).all(|(part, size)| part <= size));
            }
        }
    }
}
