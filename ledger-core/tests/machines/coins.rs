//! Crypto in integer units: texts, bytes and exact products (rulings 16, GEN-03, P:AssetScale).

use ledger_core::coin::{Scale, Units, mul_div, units_text};
use proptest::prelude::*;

use crate::samples::units;
use crate::schoolbook::Big;

const MOST: u128 = 10_u128.pow(36);

fn scale(decimals: u8) -> Scale {
    Scale::new(decimals).unwrap()
}

fn parsed(text: &str, decimals: u8) -> Option<u128> {
    Units::parse(text, scale(decimals)).map(Units::get)
}

fn read(bytes: &[u8]) -> Option<u128> {
    let mut decoder = minicbor::Decoder::new(bytes);
    let units: Units = decoder.decode().ok()?;
    (decoder.position() == bytes.len()).then_some(units.get())
}

#[test]
fn a_scale_is_at_most_eighteen_decimals() {
    assert_eq!(Scale::new(18).map(Scale::decimals), Some(18));
    assert_eq!((Scale::new(19), Scale::new(u8::MAX)), (None, None));
    assert_eq!(
        (scale(0).one(), Scale::SIX.one(), scale(18).one()),
        (1, 1_000_000, 10_u128.pow(18))
    );
    assert!(
        minicbor::decode::<Scale>(&[18]).is_ok() && minicbor::decode::<Scale>(&[0x13]).is_err()
    );
}

#[test]
fn units_are_positive_and_countable() {
    assert_eq!(Units::new(0), None);
    assert_eq!(Units::new(1).map(Units::get), Some(1));
    assert_eq!(Units::new(MOST).map(Units::get), Some(MOST));
    assert_eq!(Units::new(MOST + 1), None);
    assert_eq!(units(MOST).to_i128(), 10_i128.pow(36));
    assert_eq!(units(5).minus(Some(units(4))), Some(units(1)));
    assert_eq!((units(5).minus(Some(units(5))), units(5).minus(None)), (None, Some(units(5))));
}

#[test]
fn decimal_strings_are_read_to_the_unit() {
    assert_eq!(parsed("17.722222", 6), Some(17_722_222));
    assert_eq!((parsed("50", 6), parsed("50.0", 6)), (Some(50_000_000), Some(50_000_000)));
    assert_eq!((parsed("0.10", 6), parsed("0.000001", 6)), (Some(100_000), Some(1)));
    assert_eq!((parsed("007", 0), parsed("1.00000000", 8)), (Some(7), Some(100_000_000)));
    assert_eq!(parsed("1.000000000000000001", 18), Some(10_u128.pow(18) + 1));
}

#[test]
fn whatever_is_no_decimal_string_is_refused() {
    for text in [
        "", ".", "1.", ".5", "+1", "-1", "1e3", "1,5", " 1", "1 ", "1.5.0", "0x1", "1_0", "∞",
        "1.-1", "1.+1", "١",
    ] {
        assert_eq!(parsed(text, 6), None, "{text:?}");
    }
    for zero in ["0", "0.0", "0.000000", "000"] {
        assert_eq!(parsed(zero, 6), None, "{zero:?}");
    }
    // P:AssetScale: more decimals than the scale, zeros included.
    assert_eq!(
        (parsed("1.0000001", 6), parsed("1.0000000", 6), parsed("1.0", 0)),
        (None, None, None)
    );
}

#[test]
fn more_than_can_be_counted_is_refused() {
    assert_eq!(parsed(&MOST.to_string(), 0), Some(MOST));
    assert_eq!(parsed(&(MOST + 1).to_string(), 0), None);
    assert_eq!(parsed(&u128::MAX.to_string(), 0), None);
    assert_eq!(parsed(&format!("{}0", u128::MAX), 0), None);
    assert_eq!(parsed(&u128::MAX.to_string(), 18), None);
    assert_eq!(parsed("1000000000000000000.000000000000000000", 18), Some(MOST));
    assert_eq!(parsed("1000000000000000000.000000000000000001", 18), None);
}

#[test]
fn texts_have_all_decimals_of_the_scale() {
    assert_eq!(units(17_722_222).text(Scale::SIX), "17.722222");
    assert_eq!(units(1).text(Scale::SIX), "0.000001");
    assert_eq!(
        (units(7).text(scale(0)), units_text(0, Scale::SIX)),
        ("7".into(), "0.000000".into())
    );
    assert_eq!(units(17_722_222).to_string(), "17722222");
}

#[test]
fn sixty_four_bits_are_an_integer_and_more_are_a_bignum() {
    let bytes = |number: u128| minicbor::to_vec(units(number)).unwrap();
    assert_eq!(bytes(1), [0x01]);
    assert_eq!(bytes(24), [0x18, 24]);
    assert_eq!(bytes(u64::MAX.into()), [&[0x1b_u8][..], &[0xff; 8]].concat());
    assert_eq!(bytes(u128::from(u64::MAX) + 1), [&[0xc2_u8, 0x49, 1][..], &[0; 8]].concat());
    let most = bytes(MOST);
    assert_eq!((most[0], most[1], most.len()), (0xc2, 0x4f, 17));
}

#[test]
fn bytes_that_are_no_units_are_refused() {
    let bignum = |digits: &[u8]| {
        let length = 0x40 | u8::try_from(digits.len()).unwrap();
        [&[0xc2, length], digits].concat()
    };
    assert_eq!(read(&bignum(&[1, 0, 0, 0, 0, 0, 0, 0, 0])), Some(1 << 64));
    assert_eq!(read(&bignum(&[0xff; 8])), None, "what 64 bits hold is an integer");
    assert_eq!(read(&bignum(&[0, 1, 0, 0, 0, 0, 0, 0, 0, 0])), None, "a leading zero");
    assert_eq!(read(&bignum(&[1; 17])), None, "more than 128 bits");
    assert_eq!(read(&bignum(&[0xff; 16])), None, "more than can be counted");
    assert_eq!((read(&bignum(&[])), read(&[0])), (None, None));
    let mut negative = bignum(&[1, 0, 0, 0, 0, 0, 0, 0, 0]);
    negative[0] = 0xc3;
    assert_eq!((read(&negative), read(&[0x20])), (None, None));
    assert_eq!((read(&[0xc4, 0x82, 1, 1]), read(&[0x61, b'1']), read(&[0xf6])), (None, None, None));
    assert_eq!((read(&[0xc2]), read(&[0xc2, 0x01]), read(&[])), (None, None, None));
}

fn numbers() -> impl Strategy<Value = u128> {
    prop_oneof![
        0..1_000_u128,
        any::<u64>().prop_map(u128::from),
        any::<u128>(),
        Just(u128::MAX),
        (0..128_u32).prop_map(|bit| 1 << bit),
    ]
}

proptest! {
    #[test]
    fn units_are_read_as_they_were_written(number in 1..=MOST, decimals in 0..=18_u8) {
        let known = units(number);
        prop_assert_eq!(Units::parse(&known.text(scale(decimals)), scale(decimals)), Some(known));
        let bytes = minicbor::to_vec(known).unwrap();
        prop_assert_eq!(read(&bytes), Some(number));
        let small = units(number % 1_000 + 1);
        prop_assert_eq!(read(&minicbor::to_vec(small).unwrap()), Some(small.get()));
    }

    #[test]
    fn any_text_is_read_or_refused_and_never_panics(text in "\\PC{0,24}", decimals in 0..=18_u8) {
        if let Some(number) = parsed(&text, decimals) {
            let same = Units::parse(&units(number).text(scale(decimals)), scale(decimals));
            prop_assert_eq!(same, Some(units(number)));
        }
    }

    #[test]
    fn products_over_a_divisor_are_those_on_paper(
        a in numbers(),
        b in numbers(),
        d in numbers(),
    ) {
        let expected = match d {
            0 => None,
            _ => Big::new(a).times(&Big::new(b)).over(&Big::new(d)).small(),
        };
        prop_assert_eq!(mul_div(a, b, d), expected, "{} x {} / {}", a, b, d);
    }

    #[test]
    fn products_that_just_fit_are_exact(a in 1..=u128::MAX, b in 1..=u128::MAX, less in 0..3_u128) {
        // Near the largest quotient: a x b / a = b.
        prop_assert_eq!(mul_div(a, b, a), Some(b));
        let d = a.saturating_sub(less).max(1);
        let expected = Big::new(a).times(&Big::new(b)).over(&Big::new(d)).small();
        prop_assert_eq!(mul_div(a, b, d), expected);
    }
}
