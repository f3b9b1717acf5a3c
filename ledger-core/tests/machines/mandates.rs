//! Mandates as values: bounds are inclusive, zero lets nothing pass, nothing named bounds nothing.

use ledger_core::id::Token;
use ledger_core::money::{Amount, Cents};
use ledger_core::terms::{Excess, Mandate};
use proptest::prelude::*;

use crate::samples::{amount, as_cents};

const ANA: Token = Token([1; 16]);
const BIA: Token = Token([2; 16]);

#[test]
fn ceilings_include_their_bound_and_come_before_the_recipient() {
    let mandate = Mandate::new(Some(as_cents(100)), Some(as_cents(150)), vec![ANA]);
    let judge = |cents, used, to| mandate.admits(amount(cents), as_cents(used), to);
    assert_eq!(judge(100, 50, Some(ANA)), Ok(()));
    assert_eq!(judge(101, 0, Some(BIA)), Err(Excess::Operation { most: as_cents(100) }));
    assert_eq!(judge(100, 51, Some(BIA)), Err(Excess::Day { left: as_cents(99) }));
    assert_eq!(judge(1, 200, Some(ANA)), Err(Excess::Day { left: as_cents(0) }));
    assert_eq!(judge(100, 50, Some(BIA)), Err(Excess::Counterparty));
    assert_eq!(judge(100, 50, None), Err(Excess::Counterparty), "nobody known is nobody named");
}

#[test]
fn agt_17_zero_lets_nothing_pass_and_nothing_named_bounds_nothing() {
    let all = Mandate::default();
    assert_eq!(all.admits(amount(i64::MAX), as_cents(i64::MAX), None), Ok(()));
    let none = Mandate::new(Some(Cents::ZERO), None, Vec::new());
    assert!(none.admits(Amount::CENTAVO, Cents::ZERO, Some(ANA)).is_err());
    let none = Mandate::new(None, Some(Cents::ZERO), Vec::new());
    assert!(none.admits(Amount::CENTAVO, Cents::ZERO, Some(ANA)).is_err());
}

#[test]
fn equal_lists_are_equal_mandates() {
    let mandate = |named| Mandate::new(None, None, named);
    assert_eq!(mandate(vec![BIA, ANA, BIA]), mandate(vec![ANA, BIA]));
    assert_ne!(mandate(vec![ANA]), mandate(Vec::new()));
}

proptest! {
    #[test]
    fn inv_42_the_ceiling_is_the_lower_of_the_two_and_decides(
        own in proptest::option::of(0..1_000_i64),
        platform in 1..1_000_i64,
        cents in 1..1_000_i64,
    ) {
        let mandate = Mandate::new(own.map(as_cents), None, Vec::new());
        let ceiling = mandate.ceiling(amount(platform)).cents();
        prop_assert_eq!(ceiling, own.map_or(platform, |own| own.min(platform)));
        let passes = mandate.admits(amount(cents), Cents::ZERO, None).is_ok() && cents <= platform;
        prop_assert_eq!(passes, cents <= ceiling);
    }
}
