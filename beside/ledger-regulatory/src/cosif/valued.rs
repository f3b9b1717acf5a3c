//! Balances of an asset in reais: both sides of its trial balance come to the same centavos.

use ledger_core::coin::{Scale, mul_div};

use crate::price::AssetPrice;

/// Returns net credits in smallest units as net credits in centavos, whose sum is nil as theirs is;
/// none where a value leaves 128 bits.
///
/// The sum of a side is valued once and rounded down. Each balance has its part rounded down, and
/// the centavos that are left go one each to the largest balances of the side.
pub(super) fn valued_credits(
    units: &[i128],
    price: &AssetPrice,
    scale: Scale,
) -> Option<Vec<i128>> {
    let mut valued = vec![0; units.len()];
    for sign in [-1, 1] {
        let side = units.iter().enumerate().filter(|(_, net)| net.signum() == sign);
        let mut side: Vec<(usize, u128)> =
            side.map(|(place, net)| (place, net.unsigned_abs())).collect();
        side.sort_by_key(|(place, net)| (std::cmp::Reverse(*net), *place));
        let whole = side.iter().map(|(_, net)| net).sum::<u128>();
        let worth = price.centavos(i128::try_from(whole).ok()?, scale)?.unsigned_abs();
        let mut left = worth;
        for (place, net) in &side {
            let part = mul_div(*net, worth, whole)?;
            left -= part;
            valued[*place] = sign * i128::try_from(part).ok()?;
        }
        for (place, _) in side.iter().take(usize::try_from(left).ok()?) {
            valued[*place] += sign;
        }
    }
    Some(valued)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_come_to_the_same_centavos() {
        let price = AssetPrice::parse("5.4321", "test", None).expect("it is a price");
        let units = [-1_000_003, -2, 333_335, 333_335, 333_335];
        let valued = valued_credits(&units, &price, Scale::SIX).expect("it is small");
        assert_eq!(valued.iter().sum::<i128>(), 0);
        assert_eq!(valued, [-543, 0, 181, 181, 181]);
    }

    #[test]
    fn centavos_that_are_left_go_to_the_largest_balances() {
        let price = AssetPrice::parse("1", "test", None).expect("it is a price");
        let units = [-20_000, 6_666, 6_667, 6_667];
        let valued = valued_credits(&units, &price, Scale::SIX).expect("it is small");
        assert_eq!(valued, [-2, 0, 1, 1]);
    }
}
