//! What the amount of a test sale asks the sandbox to play (contract, 3.3).

use crate::coin::{Scale, Units};
use crate::money::Amount;

/// The scenario that the first two decimals of a sent amount select.
///
/// Read from the amount alone, so that nothing is remembered of it and a resumed sandbox plays what
/// an undisturbed one does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// It ends well: `.00`, and whatever the contract does not list (P:SbxOther).
    #[default]
    Success,
    /// It is late, and ends well: `.01`.
    Delay,
    /// It fails before a deposit is credited: `.02` (P:SbxFailure).
    Failure,
    /// Its quote is good for five seconds: `.03`.
    Lapse,
    /// Refused by the limits: `.04`.
    Limits,
    /// It ends well after about two minutes: `.05`.
    Slow,
    /// Refused by the provider: `.06`.
    ProviderRefusal,
    /// The first accept finds nobody to settle it: `.07`.
    SettlerAway,
    /// Refused by the payer's limits: `.08`.
    PayerLimit,
}

impl Ending {
    /// Of an amount of crypto: its decimals are cut off, never rounded (SBX-02).
    #[must_use]
    pub fn of_units(units: Units, scale: Scale) -> Self {
        Self::from_hundredths(units.get().saturating_mul(100) / scale.one())
    }

    /// Of an amount of reais.
    #[must_use]
    pub fn of_reais(amount: Amount) -> Self {
        Self::from_hundredths(u128::from(amount.cents().unsigned_abs()))
    }

    const fn from_hundredths(hundredths: u128) -> Self {
        match hundredths % 100 {
            1 => Self::Delay,
            2 => Self::Failure,
            3 => Self::Lapse,
            4 => Self::Limits,
            5 => Self::Slow,
            6 => Self::ProviderRefusal,
            7 => Self::SettlerAway,
            8 => Self::PayerLimit,
            _ => Self::Success,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_two_decimals_are_cut_off_and_never_rounded() {
        for (text, ending) in [
            ("10", Ending::Success),
            ("10.0", Ending::Success),
            ("10.1", Ending::Success),
            ("10.01", Ending::Delay),
            ("10.019999", Ending::Delay),
            ("10.02", Ending::Failure),
            ("10.009999", Ending::Success),
            ("10.099999", Ending::Success),
            ("10.08", Ending::PayerLimit),
        ] {
            let units = Units::parse(text, Scale::SIX).unwrap();
            assert_eq!(Ending::of_units(units, Scale::SIX), ending, "{text}");
        }
        let whole = Scale::new(0).unwrap();
        assert_eq!(Ending::of_units(Units::new(7).unwrap(), whole), Ending::Success);
        assert_eq!(Ending::of_reais(Amount::new(10_007).unwrap()), Ending::SettlerAway);
    }
}
