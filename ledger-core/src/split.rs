//! An amount divided among several, whose parts sum to it.

use thiserror::Error;

use crate::money::{Amount, Bps, Cents, WHOLE};

/// One part of an amount that is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Portion {
    /// Exactly so many centavos.
    Exactly(Amount),
    /// A rate of the whole amount, in basis points.
    Rate(Bps),
    /// So many shares of what the amounts and the rates leave; one share alone is the rest.
    Shares(u16),
}

/// Why an amount cannot be divided so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SplitError {
    /// The amounts and the rates are more than the whole.
    #[error("the parts are more than the whole")]
    Exceeded,
    /// Nobody takes what the amounts and the rates leave.
    #[error("{} centavos of the whole are in no part", left.cents())]
    Unassigned {
        /// Centavos that are left, above zero.
        left: Cents,
    },
    /// A part comes to nothing.
    #[error("part {portion} comes to less than a centavo")]
    Nothing {
        /// Its place among the portions, from 0.
        portion: usize,
    },
}

impl Amount {
    /// Divides the amount; the parts stand in the order of `portions` and sum to the whole.
    ///
    /// Rates are of the whole, shares of what amounts and rates leave. Both are rounded by the
    /// largest remainder: each part is rounded down, and the centavos that are left over go one
    /// each to the parts that lost most, of equals to the earlier.
    ///
    /// ```
    /// use ledger_core::money::{Amount, Bps};
    /// use ledger_core::split::Portion::{Exactly, Rate, Shares};
    ///
    /// let sale = Amount::new(10_001).expect("it is above zero");
    /// let shipping = Amount::new(1_500).expect("it is above zero");
    /// let fee = Bps::new(250).expect("2.5 % is below the whole");
    /// let parts = sale.split(&[Exactly(shipping), Rate(fee), Shares(1), Shares(2)])?;
    /// let parts: Vec<_> = parts.into_iter().map(Amount::cents).collect();
    /// assert_eq!(parts, [1_500, 250, 2_750, 5_501]);
    /// # Ok::<(), ledger_core::split::SplitError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SplitError`], when the parts cannot sum to the whole, or one of them comes to nothing.
    pub fn split(self, portions: &[Portion]) -> Result<Vec<Self>, SplitError> {
        let whole = i128::from(self.cents());
        let mut parts: Vec<i128> = portions.iter().map(|portion| portion.exactly()).collect();
        let fixed: i128 = parts.iter().sum();
        let rates: Vec<u16> = portions.iter().map(|portion| portion.rate()).collect();
        let of_rates: i128 = rates.iter().map(|rate| i128::from(*rate)).sum();
        apportion(whole, WHOLE.into(), &rates, &mut parts);
        let left = whole - parts.iter().sum::<i128>();
        // Compared before anything is rounded: whether parts fit does not depend on the amount.
        let one = i128::from(WHOLE);
        if fixed * one + of_rates * whole > whole * one {
            return Err(SplitError::Exceeded);
        }
        let shares: Vec<u16> = portions.iter().map(|portion| portion.shares()).collect();
        let all: i128 = shares.iter().map(|shares| i128::from(*shares)).sum();
        if all > 0 {
            apportion(left, all, &shares, &mut parts);
        } else if let Some(left) = i64::try_from(left).ok().and_then(Cents::new)
            && !left.is_zero()
        {
            return Err(SplitError::Unassigned { left });
        }
        let part = |(portion, cents): (usize, i128)| {
            let part = i64::try_from(cents).ok().and_then(Self::new);
            part.ok_or(SplitError::Nothing { portion })
        };
        parts.into_iter().enumerate().map(part).collect()
    }
}

impl Portion {
    fn exactly(self) -> i128 {
        if let Self::Exactly(amount) = self { amount.cents().into() } else { 0 }
    }

    fn rate(self) -> u16 {
        if let Self::Rate(rate) = self { rate.get() } else { 0 }
    }

    fn shares(self) -> u16 {
        if let Self::Shares(shares) = self { shares } else { 0 }
    }
}

/// Adds to each part its `weights` of `all` in `sum`, by the largest remainder.
fn apportion(sum: i128, all: i128, weights: &[u16], parts: &mut [i128]) {
    let weighed: i128 = weights.iter().map(|weight| i128::from(*weight)).sum();
    let mut over = sum * weighed / all;
    let mut lost: Vec<(i128, usize)> = Vec::with_capacity(parts.len());
    for (place, (weight, part)) in weights.iter().zip(parts.iter_mut()).enumerate() {
        let exact = sum * i128::from(*weight);
        *part += exact / all;
        over -= exact / all;
        lost.push((exact % all, place));
    }
    lost.sort_by_key(|(remainder, place)| (-remainder, *place));
    for (_, place) in lost.into_iter().take(usize::try_from(over).unwrap_or(0)) {
        parts[place] += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Portion::{Exactly, Rate, Shares};
    use super::*;

    fn amount(cents: i64) -> Amount {
        Amount::new(cents).unwrap()
    }

    fn rate(bps: u16) -> Portion {
        Rate(Bps::new(bps).unwrap())
    }

    fn split(cents: i64, portions: &[Portion]) -> Result<Vec<i64>, SplitError> {
        amount(cents).split(portions).map(|parts| parts.into_iter().map(Amount::cents).collect())
    }

    #[test]
    fn centavos_left_over_go_to_the_largest_remainders_and_of_equals_to_the_earlier() {
        assert_eq!(split(100, &[Shares(1), Shares(1), Shares(1)]), Ok(vec![34, 33, 33]));
        assert_eq!(split(101, &[rate(3_333), rate(3_333), rate(3_334)]), Ok(vec![34, 33, 34]));
        assert_eq!(split(9_999, &[rate(150), rate(150), Shares(1)]), Ok(vec![150, 149, 9_700]));
    }

    #[test]
    fn what_cannot_sum_to_the_whole_is_refused() {
        let left = Cents::new(1).unwrap();
        assert_eq!(split(100, &[Exactly(amount(99))]), Err(SplitError::Unassigned { left }));
        assert_eq!(split(100, &[Exactly(amount(101))]), Err(SplitError::Exceeded));
        assert_eq!(split(100, &[rate(10_000), rate(100)]), Err(SplitError::Exceeded));
        for whole in [100, 1_000] {
            assert_eq!(split(whole, &[rate(5_050), rate(5_000)]), Err(SplitError::Exceeded));
        }
        assert_eq!(
            split(100, &[Exactly(amount(100)), Shares(1)]),
            Err(SplitError::Nothing { portion: 1 })
        );
        assert_eq!(split(100, &[rate(99), Shares(1)]), Err(SplitError::Nothing { portion: 0 }));
        assert_eq!(
            split(100, &[Shares(0)]).unwrap_err(),
            SplitError::Unassigned { left: Cents::new(100).unwrap() }
        );
    }

    proptest! {
        /// Whatever is divided, nothing comes or goes, and no part is a centavo off what it is due.
        #[test]
        fn parts_sum_to_the_whole_and_are_within_a_centavo_of_their_due(
            whole in 1..=100_000_000_000_000_i64,
            rates in proptest::collection::vec(0..=2_000_u16, 0..=5),
            shares in proptest::collection::vec(1..=u16::MAX, 1..=95),
        ) {
            let rated = rates.iter().map(|bps| rate(*bps));
            let portions: Vec<_> = rated.chain(shares.iter().copied().map(Shares)).collect();
            let Ok(parts) = split(whole, &portions) else { return Ok(()) };
            prop_assert_eq!(parts.iter().sum::<i64>(), whole);
            for (part, bps) in parts.iter().zip(&rates) {
                let exact = i128::from(whole) * i128::from(*bps);
                prop_assert!((i128::from(*part) * 10_000 - exact).abs() < 10_000);
            }
            let left: i64 = parts[rates.len()..].iter().sum();
            let all: i128 = shares.iter().map(|shares| i128::from(*shares)).sum();
            for (part, shares) in parts[rates.len()..].iter().zip(&shares) {
                let exact = i128::from(left) * i128::from(*shares);
                prop_assert!((i128::from(*part) * all - exact).abs() < all);
            }
        }
    }
}
