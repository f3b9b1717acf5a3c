//! The numbers of variants and fields, read from the encoding itself.

use std::collections::BTreeSet;
use std::fmt::{Debug, Write as _};

use ledger_core::id::Kind;
use ledger_core::ledger::{
    Event, FactKind, Income, Origin, OwnAccount, OwnCoins, Scope, SetAsideReason, TaskKind,
};
use ledger_core::machine::wallet::{deposit, payment, quote, withdrawal};
use ledger_core::machine::{
    agent, cash_out, charge, conversion, delivery, erroneous_delivery, hold, payout, purchase,
    suspense, transfer, unmatched_deposit,
};
use ledger_core::terms::{Rail, Release, Review, Route, Stablecoin, Switch, Tariff};
use minicbor::data::Type;
use minicbor::{Decode, Decoder};

use super::catalogue::samples;

/// Below this an unsigned number in a sample is the number of a variant.
const FIRST_DATUM: u64 = 24;

/// More than any enum has variants.
const MANY: u64 = 200;

/// One line a value: the numbers that lead to it, and what it is.
pub fn fields(cbor: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut decoder = Decoder::new(cbor);
    walk(&mut decoder, "", &mut lines);
    assert_eq!(decoder.position(), cbor.len());
    lines
}

/// The number of a variant with its fields, `[number, [field, ...]]`, where it is no small number.
fn variant_of(decoder: &mut Decoder<'_>) -> Option<u64> {
    let mut probe = decoder.probe();
    let number = probe.u64().ok().filter(|number| (FIRST_DATUM..MANY).contains(number))?;
    (probe.datatype().ok()? == Type::Array).then_some(number)
}

fn walk(decoder: &mut Decoder<'_>, path: &str, lines: &mut Vec<String>) {
    let kind = match decoder.datatype().unwrap() {
        Type::Array => {
            let length = decoder.array().unwrap().expect("no array is of unknown length");
            if length == 0 {
                lines.push(format!("{path} empty"));
            }
            let variant = (length == 2).then(|| variant_of(decoder)).flatten();
            for number in 0..length {
                if let (0, Some(variant)) = (number, variant) {
                    decoder.skip().unwrap();
                    lines.push(format!(
                        "{path}{}0 variant {variant}",
                        if path.is_empty() { "" } else { "." }
                    ));
                    continue;
                }
                let dot = if path.is_empty() { "" } else { "." };
                walk(decoder, &format!("{path}{dot}{number}"), lines);
            }
            return;
        }
        Type::U8 | Type::U16 | Type::U32 | Type::U64 => match decoder.u64().unwrap() {
            small @ ..FIRST_DATUM => format!("variant {small}"),
            _ => "unsigned".to_owned(),
        },
        Type::Bool => decoder.bool().map(|_| "bool".to_owned()).unwrap(),
        Type::Null => decoder.null().map(|()| "null".to_owned()).unwrap(),
        Type::String => decoder.str().map(|_| "text".to_owned()).unwrap(),
        Type::Bytes => format!("{} bytes", decoder.bytes().unwrap().len()),
        Type::Tag => {
            decoder.tag().unwrap();
            format!("number of {} bytes", decoder.bytes().unwrap().len())
        }
        other => panic!("{path} is of type {other}, which no event uses"),
    };
    lines.push(format!("{path} {kind}"));
}

/// The enums that are encoded as a bare number, each with all its variants.
pub fn of_closed_sets() -> String {
    let mut text = String::new();
    list::<Kind>(&mut text, "operation kind");
    list::<Scope>(&mut text, "scope");
    list::<FactKind>(&mut text, "fact");
    list::<SetAsideReason>(&mut text, "why a fact is set aside");
    list::<OwnAccount>(&mut text, "own account");
    list::<Income>(&mut text, "income");
    list::<TaskKind>(&mut text, "task");
    list::<charge::Origin>(&mut text, "credit origin");
    list::<charge::Into>(&mut text, "part taken into");
    list::<hold::Kind>(&mut text, "hold kind");
    list::<hold::End>(&mut text, "hold end");
    list::<suspense::Direction>(&mut text, "suspense direction");
    list::<suspense::Float>(&mut text, "suspense float");
    list::<Switch>(&mut text, "switch");
    list::<Release>(&mut text, "release");
    list::<Rail>(&mut text, "rail");
    list::<Review>(&mut text, "review");
    list::<erroneous_delivery::End>(&mut text, "stray end");
    list::<Route>(&mut text, "sale route");
    list::<cash_out::DepositAccount>(&mut text, "place of a deposit");
    list::<cash_out::ReviewReason>(&mut text, "why a sale is under review");
    list::<deposit::Origin>(&mut text, "wallet deposit origin");
    list::<deposit::Doubt>(&mut text, "wallet deposit doubt");
    list::<deposit::Rejection>(&mut text, "wallet deposit rejection");
    list::<Stablecoin>(&mut text, "stablecoin");
    list::<payment::FailureReason>(&mut text, "why a wallet payment failed");
    list::<payment::Whereabouts>(&mut text, "where coins of a wallet payment stand");
    text
}

fn list<T: for<'b> Decode<'b, ()> + Debug>(text: &mut String, name: &str) {
    for number in 0..MANY {
        if let Ok(variant) = minicbor::decode::<T>(&minicbor::to_vec(number).unwrap()) {
            writeln!(text, "{name} {number} {variant:?}").unwrap();
        }
    }
}

/// The numbers of the variants that `T` knows, whatever their fields.
fn known<T: for<'b> Decode<'b, ()>>() -> BTreeSet<u64> {
    let exists = |number: &u64| {
        let variant = minicbor::to_vec((number, [0_u8; 0])).unwrap();
        match minicbor::decode::<T>(&variant) {
            Ok(_) => true,
            Err(error) => !error.is_unknown_variant(),
        }
    };
    (0..MANY).filter(exists).collect()
}

/// The number at `path` in each sample that has one there.
fn sampled(path: &str) -> BTreeSet<u64> {
    let prefix = format!("{path} variant ");
    let of = |record| fields(&super::encoded(&record)[1..]);
    let lines = samples().into_iter().flat_map(|(_, record)| of(record));
    lines.filter_map(|line| line.strip_prefix(&prefix)?.parse().ok()).collect()
}

/// Numbers of machine events are sampled per machine: the event numbered `event` holds them.
fn sampled_within(event: u64) -> BTreeSet<u64> {
    sampled_where(&[("1.0.0", event)], "1.0.1.1.0")
}

/// The number at `path` in every sample that has these numbers at these places.
fn sampled_where(places: &[(&str, u64)], path: &str) -> BTreeSet<u64> {
    let mut numbers = BTreeSet::new();
    for (_, record) in samples() {
        let lines = fields(&super::encoded(&record)[1..]);
        let is_there =
            |(place, number): &(&str, u64)| lines.contains(&format!("{place} variant {number}"));
        if places.iter().all(is_there) {
            let prefix = format!("{path} variant ");
            let inner = lines.iter().find_map(|line| line.strip_prefix(&prefix));
            numbers.insert(inner.unwrap().parse().unwrap());
        }
    }
    numbers
}

#[test]
fn every_variant_that_can_be_read_has_a_sample() {
    assert_eq!(sampled("1.0.0"), known::<Event>());
    assert_eq!(sampled_within(6), known::<charge::Event>());
    assert_eq!(sampled_within(7), known::<transfer::Event>());
    assert_eq!(sampled_within(8), known::<payout::Event>());
    assert_eq!(sampled_within(9), known::<hold::Event>());
    assert_eq!(sampled_within(10), known::<suspense::Event>());
    assert_eq!(sampled_within(16), known::<conversion::Event>());
    assert_eq!(sampled_within(17), known::<erroneous_delivery::Event>());
    assert_eq!(sampled_within(24), known::<cash_out::Event>());
    assert_eq!(sampled_within(25), known::<unmatched_deposit::Event>());
    assert_eq!(sampled_within(26), known::<agent::Event>());
    assert_eq!(sampled_within(29), known::<deposit::Event>());
    assert_eq!(sampled_within(30), known::<payment::Event>());
    let resolved = [("1.0.0", 30), ("1.0.1.1.0", 11)];
    assert_eq!(sampled_where(&resolved, "1.0.1.1.1.2.0"), known::<payment::Resolution>());
    assert_eq!(sampled_within(31), known::<withdrawal::Event>());
    assert_eq!(sampled_within(32), known::<quote::Event>());
    let purchase = ("1.0.1.1.0", 12);
    let of_purchase = sampled_where(&[("1.0.0", 6), purchase], "1.0.1.1.1.0.0");
    assert_eq!(of_purchase, known::<purchase::Event>());
    let its_delivery = [("1.0.0", 6), purchase, ("1.0.1.1.1.0.0", 2)];
    let of_its_delivery = sampled_where(&its_delivery, "1.0.1.1.1.0.1.0.0");
    assert_eq!(of_its_delivery, known::<delivery::Event>());
    let given_up = [("1.0.0", 6), purchase, ("1.0.1.1.1.0.0", 5)];
    let to = sampled_where(&given_up, "1.0.1.1.1.0.1.0.0");
    assert_eq!(to, known::<purchase::Remainder>());
    let conversion = [("1.0.0", 16), ("1.0.1.1.0", 1)];
    assert_eq!(sampled_where(&conversion, "1.0.1.1.1.1.0"), known::<delivery::Event>());
    assert_eq!(sampled_where(&conversion, "1.0.1.1.1.0.0"), known::<conversion::FundingSource>());
    assert_eq!(sampled_where(&[("1.0.0", 21)], "1.0.1.2.0"), known::<OwnCoins>());
    assert_eq!(sampled("2.0.0"), known::<Origin>());
    assert_eq!(sampled("1.0.1.4.5.0"), known::<Tariff>());
}

#[test]
fn numbers_run_from_zero_without_a_gap() {
    // Events of one area stand together: a gap ends where a block of ten begins.
    let events = known::<Event>();
    let follows = |number: u64| number.is_multiple_of(10) || events.contains(&(number - 1));
    assert!(events.iter().all(|number| follows(*number)), "{events:?}");
    for numbers in [
        known::<agent::Event>(),
        known::<charge::Event>(),
        known::<payout::Event>(),
        known::<hold::Event>(),
        known::<suspense::Event>(),
        known::<purchase::Event>(),
        known::<delivery::Event>(),
        known::<conversion::Event>(),
        known::<erroneous_delivery::Event>(),
        known::<cash_out::Event>(),
        known::<cash_out::AmountBasis>(),
        known::<cash_out::RefundSource>(),
        known::<unmatched_deposit::Event>(),
        known::<deposit::Event>(),
        known::<payment::Event>(),
        known::<payment::Resolution>(),
        known::<withdrawal::Event>(),
        known::<quote::Event>(),
        known::<quote::Offer>(),
        known::<OwnCoins>(),
        known::<Origin>(),
    ] {
        assert!(numbers.iter().copied().eq(0..numbers.len() as u64), "{numbers:?}");
    }
}
