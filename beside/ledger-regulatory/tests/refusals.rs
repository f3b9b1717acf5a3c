//! Mappings and months that are refused, each for what is named.
#![allow(missing_docs)] // The names of tests are sentences.

mod world;

use ledger_regulatory::{CosifBalance, CosifError, CosifMapping};

use world::{NAME, november};

const MAPPING: &str = include_str!("mapping.toml");

/// The error of the mapping with one text in place of another.
fn refusal(was: &str, is: &str) -> String {
    assert!(MAPPING.contains(was), "{was}");
    CosifMapping::parse(&MAPPING.replacen(was, is, 1)).expect_err(is).to_string()
}

/// The mapping without the line of one account of the chart.
fn mapping_without(account: &str) -> CosifMapping {
    let lines = MAPPING.split("[[map]]\n");
    let lines = lines.filter(|line| !line.starts_with(&format!("account = \"{account}\"")));
    CosifMapping::parse(&lines.collect::<Vec<_>>().join("[[map]]\n")).unwrap()
}

#[test]
fn a_mapping_that_doubles_names_what_stands_twice() {
    let twice = "account = \"prov.pix\"\ncode = \"1100000000\"\n\n[[map]]\n";
    let text = refusal("account = \"prov.pix\"", &format!("{twice}account = \"prov.pix\""));
    assert_eq!(text, "account prov.pix in BRL is mapped twice");
    // A line of every asset has that of one asset already.
    let asset =
        "account = \"equity.funding\"\nasset = \"crypto\"\ncode = \"6100000000\"\n\n[[map]]\n";
    let text = refusal("account = \"cust.avail\"", &format!("{asset}account = \"cust.avail\""));
    assert_eq!(text, "account equity.funding in crypto is mapped twice");
    let text = refusal("code = \"1200000000\"", "code = \"1100000000\"");
    assert_eq!(text, "COSIF account 1100000000 is declared twice");
}

#[test]
fn a_mapping_that_names_what_is_not_there_is_refused() {
    for (was, is, said) in [
        ("\"12345678\"", "\"1234567\"", "not the first eight characters"),
        ("code = \"7100000000\"", "code = \"71\"", "not ten digits"),
        ("account = \"prov.pix\"", "account = \"prov.pax\"", "no account prov.pax in BRL"),
        ("asset = \"crypto\"", "asset = \"BRL\"", "no account treas in BRL"),
        ("parent = \"1000000000\"", "parent = \"1900000000\"", "1900000000, which is not declared"),
        ("parent = \"1000000000\"", "parent = \"1100000000\"", "1100000000 is part of itself"),
        ("earlier_results = \"6200000000\"", "earlier_results = \"1000000000\"", "a sum of others"),
        (
            "code = \"6200000000\"\nside",
            "code = \"6200000000\"\nname = \"x\"\nside",
            "unknown field",
        ),
    ] {
        let text = refusal(was, is);
        assert!(text.contains(said), "{is}: {text}");
    }
    let price = "[[price]]\nasset = \"usdt\"\nreais = \"-1\"\nsource = \"x\"\n";
    let text = CosifMapping::parse(&format!("{MAPPING}\n{price}")).unwrap_err().to_string();
    assert!(text.contains("price of usdt"), "{text}");
}

#[test]
fn an_account_that_is_not_mapped_is_named_and_so_is_one_on_the_other_side() {
    let mut world = november();
    let mut read = |mapping: &CosifMapping, month: &str| {
        CosifBalance::read(&mut world.journal(), NAME, month, mapping)
    };
    let refused = read(&mapping_without("susp.pix"), "2026-11").unwrap_err().to_string();
    assert!(refused.starts_with("account susp.pix in BRL has a balance"), "{refused}");
    let refused = read(&mapping_without("treas"), "2026-11").unwrap_err().to_string();
    assert!(refused.starts_with("account treas in usdt has a balance"), "{refused}");

    let credit = MAPPING.replacen(
        "code = \"4100000000\"\nside = \"credit\"",
        "code = \"4100000000\"\nside = \"debit\"",
        1,
    );
    let refused = read(&CosifMapping::parse(&credit).unwrap(), "2026-11");
    assert!(
        matches!(&refused, Err(CosifError::OtherSide { code, centavos: 10_600 }) if code == "4100000000"),
        "{refused:?}"
    );
    let other = credit.replace(
        "account = \"cust.avail\"\ncode = \"4100000000\"",
        "account = \"cust.avail\"\ncode = \"4100000000\"\notherwise = \"6100000000\"",
    );
    let other = other.replace(
        "account = \"susp.pix\"\ncode = \"4100000000\"",
        "account = \"susp.pix\"\ncode = \"4100000000\"\notherwise = \"6100000000\"",
    );
    let balance = read(&CosifMapping::parse(&other).unwrap(), "2026-11").unwrap();
    let equity = balance.accounts.iter().find(|account| account.code == "6100000000");
    assert_eq!(equity.map(|account| account.centavos), Some(164_600));
    for month in ["2026-11-02", "2026-13", "november", ""] {
        let refused = read(&mapping_without("treas"), month);
        assert!(matches!(refused, Err(CosifError::Month(_))), "{month}");
    }
}

#[test]
fn an_asset_without_a_price_is_refused_until_the_mapping_declares_one() {
    let mut world = world::World::new();
    for line in [
        r#"{"at":"2026-11-02T12:02:00Z","fact":"markets.updated","body":{"id":"mk-1","items":[{"asset":"usdt","network":"polygon","path":"FAST"}]}}"#,
        r#"{"at":"2026-11-02T12:03:00Z","fact":"treasury.moved","body":{"id":"stock-1","from":"equity.funding","to":"treas","asset":"usdt","chain":"polygon","amount":"100"}}"#,
    ] {
        world.run(line);
    }
    let mapping = CosifMapping::parse(MAPPING).unwrap();
    let refused = CosifBalance::read(&mut world.journal(), NAME, "2026-11", &mapping);
    assert!(matches!(&refused, Err(CosifError::NoPrice(asset)) if asset == "usdt"), "{refused:?}");
    let price =
        "[[price]]\nasset = \"usdt\"\nreais = \"5.3\"\nsource = \"closing of the exchange\"\n";
    let mapping = CosifMapping::parse(&format!("{MAPPING}\n{price}")).unwrap();
    let balance = CosifBalance::read(&mut world.journal(), NAME, "2026-11", &mapping).unwrap();
    assert_eq!((balance.total, balance.over), (53_000, false));
}
