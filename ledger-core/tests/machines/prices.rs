//! Prices, and what centavos buy at them (P:CryptoRounding, FEE-09).

use ledger_core::coin::{Scale, Units};
use ledger_core::terms::{Price, Quote};
use proptest::prelude::*;

use crate::samples::{amount, price, quote};
use crate::schoolbook::Big;

fn bought(text: &str, cents: i64, decimals: u8) -> Option<u128> {
    price(text).units(amount(cents), Scale::new(decimals).unwrap()).map(Units::get)
}

#[test]
fn a_price_is_positive_plain_and_of_twelve_decimals_at_most() {
    for text in ["5.40", "5", "0.000000000001", "350000.12", "79228162514264337593543950335"] {
        assert_eq!(Price::parse(text).map(Price::text).as_deref(), Some(text));
    }
    for text in [
        "",
        "0",
        "0.00",
        ".",
        "5.",
        ".5",
        "-5",
        "+5",
        "5e3",
        "5,40",
        " 5",
        "5.4.0",
        "0.0000000000001",
        "1.0000000000000",
        "79228162514264337593543950336",
        "000000000000000000000000000001",
    ] {
        assert_eq!(Price::parse(text), None, "{text:?}");
    }
    assert_eq!(price("5.4"), price("5.40"));
}

#[test]
fn published_purchases() {
    // W04, W05, W07, W08, W16, W18: rounded down.
    assert_eq!(bought("5.40", 9_570, 6), Some(17_722_222));
    assert_eq!(bought("5.40", 4_735, 6), Some(8_768_518));
    assert_eq!(bought("5.40", 580_100, 6), Some(1_074_259_259));
    assert_eq!(bought("5.40", 9_470, 6), Some(17_537_037));
    assert_eq!(bought("5.40", 1_834, 6), Some(3_396_296));
    assert_eq!(bought("5.40", 546, 6), Some(1_011_111));
    assert_eq!(bought("5.40", 10_000, 6), Some(18_518_518));
    // W17: one unit is one real.
    assert_eq!(
        Price::PAR.units(amount(10_000), Scale::new(8).unwrap()).map(Units::get),
        Some(10_000_000_000)
    );
    assert_eq!(Price::PAR.text(), "1");
}

#[test]
fn what_buys_nothing_or_too_much_buys_nothing() {
    assert_eq!(bought("350000", 1, 6), None);
    assert_eq!(bought("350000", 35, 6), Some(1));
    assert_eq!(bought("350000", 34, 6), None);
    assert_eq!(bought("0.000000000001", i64::MAX, 18), None);
    assert!(bought("0.01", i64::MAX, 16).is_some());
}

#[test]
fn bytes_that_are_no_price_are_refused() {
    let read = |bytes: &[u8]| minicbor::decode::<Price>(bytes).ok();
    assert_eq!(read(&[0x82, 0x19, 0x02, 0x1c, 2]), Some(price("5.40")));
    assert_eq!(read(&[0x82, 1, 12]), Some(price("0.000000000001")));
    assert_eq!((read(&[0x82, 1, 13]), read(&[0x82, 1, 0x18, 29])), (None, None));
    assert_eq!((read(&[0x82, 0, 2]), read(&[0x81, 1]), read(&[0x83, 1, 2, 3])), (None, None, None));
    // More than a decimal of 96 bits.
    let bytes =
        [&[0x82_u8][..], &minicbor::to_vec(crate::samples::units(10_u128.pow(30))).unwrap(), &[0]];
    assert_eq!(read(&bytes.concat()), None);
}

#[test]
fn a_quote_keeps_its_price_as_it_was_quoted() {
    let bytes = minicbor::to_vec(quote("5.40")).unwrap();
    let read: Quote = minicbor::decode(&bytes).unwrap();
    assert_eq!((read.price.text(), &read), ("5.40".to_owned(), &quote("5.40")));
}

proptest! {
    #[test]
    fn what_centavos_buy_is_what_they_buy_on_paper(
        mantissa in prop_oneof![1..10_000_u64, 1..=u64::MAX],
        decimals in 0..=12_u32,
        cents in prop_oneof![1..1_000_000_i64, 1..=i64::MAX],
        scale in 0..=18_u8,
    ) {
        let digits = format!("{mantissa:0width$}", width = decimals as usize + 1);
        let (whole, fraction) = digits.split_at(digits.len() - decimals as usize);
        let text = if decimals == 0 { whole.to_owned() } else { format!("{whole}.{fraction}") };
        let asked = Price::parse(&text);
        prop_assume!(asked.is_some());
        // cents / 100 / price, in units of the scale.
        let expected = Big::new(cents)
            .times(&Big::ten_to(decimals))
            .times(&Big::ten_to(scale.into()))
            .over(&Big::new(mantissa).times(&Big::new(100)));
        let expected = expected.small().filter(|units| 0 < *units && *units <= 10_u128.pow(36));
        let bought = asked.unwrap().units(amount(cents), Scale::new(scale).unwrap());
        prop_assert_eq!(bought.map(Units::get), expected, "{} at {}", cents, text);
    }

    #[test]
    fn prices_are_read_as_they_were_written(mantissa in 1..=u64::MAX, decimals in 0..=12_u32) {
        let bytes = minicbor::to_vec((crate::samples::units(mantissa.into()), decimals)).unwrap();
        let read: Price = minicbor::decode(&bytes).unwrap();
        prop_assert_eq!(Price::parse(&read.text()), Some(read));
        prop_assert_eq!(minicbor::to_vec(read).unwrap(), bytes);
    }

    #[test]
    fn any_text_is_a_price_or_refused_and_never_panics(text in "[0-9.e+-]{0,32}|\\PC{0,12}") {
        if let Some(known) = Price::parse(&text) {
            let bare = text.trim_start_matches('0');
            let zero = if bare.starts_with('.') { "0" } else { "" };
            prop_assert_eq!(known.text(), format!("{zero}{bare}"));
        }
    }
}
