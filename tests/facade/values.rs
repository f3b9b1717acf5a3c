//! Values that are wrong cannot be made.

use custody_ledger::fact::account::AccountOpened;
use custody_ledger::prelude::*;
use custody_ledger::value::{Balance, Bps, Cents, CustomerRef, DecidedBy, InvalidValue, Text};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

#[test]
fn what_the_wire_refuses_cannot_be_made() {
    let long = "a".repeat(100_000);
    for name in ["casa", "", "a\0b", long.as_str()] {
        assert!(CustomerRef::new(name).is_err() && Party::customer(name).is_err());
    }
    let megabyte = "a".repeat(1_000_000);
    for id in ["", "a\nb", megabyte.as_str()] {
        assert!(ExternalId::new(id).is_err() && FactId::new(id).is_err());
        assert!(AccountName::new(id).is_err() && Text::<255>::new(id).is_err());
    }
    for id in ["", "E904", "E9040088820261120120300123873-70", "e2e"] {
        assert!(EndToEndId::new(id).is_err(), "{id}");
    }
    for document in ["", "52998224726", "529.982.247-25", "11111111111"] {
        assert!(Document::new(document).is_err(), "{document}");
    }
    for key in ["", "ana", "52998224726", "+55119"] {
        assert!(PixKey::new(key).is_err(), "{key}");
    }
    assert!(Amount::new(0).is_err() && Amount::new(-1).is_err());
    for id in ["", "payout", "PO_00000000", "po 1"] {
        assert!(OperationId::new(id).is_err(), "{id}");
    }
}

#[test]
fn an_error_and_a_debug_never_repeat_a_person() {
    let document = Document::new("52998224725").unwrap();
    assert_eq!(format!("{document:?}"), "Document(***)");
    assert_eq!(format!("{:?}", PixKey::new("ana@example.com").unwrap()), "PixKey(***)");
    assert_eq!(format!("{:?}", ApiKey::new("svc_live_x").unwrap()), "ApiKey(***)");
    let wrong = Document::new("52998224726").unwrap_err().to_string();
    assert!(!wrong.contains("52998224726"), "{wrong}");
}

#[test]
fn a_key_that_the_ledger_made_is_given_and_not_shown() {
    let ledger = Ledger::open("memory:").wait().unwrap();
    let (id, name) = (FactId::new("acc-1").unwrap(), AccountName::new("loja").unwrap());
    let opened = AccountOpened::new(id, name).entropy("5e".repeat(32).parse().unwrap());
    let answer = ledger.report(&opened).wait().unwrap();
    let (key, shown) = (answer.body["api_key"].as_str().unwrap(), format!("{answer:?}"));
    assert!(answer.api_key() == Some(ApiKey::new(key).unwrap()));
    assert!(!shown.contains(key) && shown.contains("Applied"), "{shown}");
}

#[test]
fn what_is_wrong_is_named_with_the_value_that_it_is_wrong_of() {
    let said = |wrong: InvalidValue| (wrong.what(), wrong.to_string());
    let long = "a".repeat(81);
    let cases = [
        (
            said(CustomerRef::new(&long).unwrap_err()),
            "customer reference: 81 characters, at most 80",
        ),
        (
            said(CustomerRef::new("casa").unwrap_err()),
            "customer reference: casa, which is the house",
        ),
        (said(ExternalId::new("").unwrap_err()), "external id: empty"),
        (said(FactId::new("a\nb").unwrap_err()), "fact id: character 2 is a control character"),
        (said(DecidedBy::new("bia", "").unwrap_err()), "reason: empty"),
        (
            said(Document::new("52998224726").unwrap_err()),
            "document: the check digits of this CPF are wrong",
        ),
        (
            said(Document::new("5299822472").unwrap_err()),
            "document: 10 characters; a CPF has 11 digits, a CNPJ has 14",
        ),
        (
            said(Document::new("529.982.247-25").unwrap_err()),
            "document: only digits, and letters in a CNPJ: no points or dashes",
        ),
        (
            said(PixKey::new("52998224725").unwrap_err()),
            "PIX key: a CPF or a phone: PixKey::of_kind says which",
        ),
        (
            said(PixKey::new("+55119").unwrap_err()),
            "PIX key: no phone of Brazil: +55, an area code, and 8 or 9 digits",
        ),
        (said(Amount::new(-5).unwrap_err()), "amount: -5 centavos, at least 1"),
        (said(Cents::new(-1).unwrap_err()), "centavos: -1, at least 0"),
        (said(Bps::new(10_001).unwrap_err()), "rate: 10001 basis points, at most 10000"),
    ];
    for ((what, said), expected) in cases {
        assert_eq!(said, expected);
        assert!(said.starts_with(&format!("{what}: ")), "{said}");
    }
}

/// What a service takes in a body of its own.
#[derive(Deserialize)]
struct Order {
    customer: CustomerRef,
    amount: Amount,
    payer: Document,
    key: PixKey,
    id: ExternalId,
    pix: Option<EndToEndId>,
}

fn order() -> Value {
    json!({
        "customer": "ana", "amount": 5_000, "payer": "52998224725", "key": "ana@example.com",
        "id": "x-1", "pix": "E9040088820261120120300123873170",
    })
}

#[test]
fn a_service_takes_values_in_its_own_bodies_and_each_is_checked() {
    let taken: Order = serde_json::from_value(order()).unwrap();
    assert_eq!((taken.customer.as_str(), taken.amount.cents()), ("ana", 5_000));
    assert_eq!((taken.payer.as_str(), taken.key.as_str()), ("52998224725", "ana@example.com"));
    assert_eq!((taken.id.as_str(), taken.pix.is_some()), ("x-1", true));
    let wrong = [
        ("customer", json!("casa"), "customer reference: casa, which is the house"),
        ("amount", json!(0), "amount: 0 centavos, at least 1"),
        ("payer", json!("52998224726"), "document: the check digits of this CPF are wrong"),
        ("payer", json!(52_998_224_725_i64), "document: no string"),
        ("payer", json!(-52_998_224_725_i64), "document: no string"),
        ("key", json!(11_987_654_321.5), "PIX key: no string"),
        ("id", json!(""), "external id: empty"),
        ("pix", json!("E904"), "end-to-end id: not 32 letters"),
    ];
    for (field, value, expected) in wrong {
        let mut body = order();
        let digits = value.to_string();
        body[field] = value;
        let said = serde_json::from_value::<Order>(body).err().unwrap().to_string();
        assert!(said.starts_with(expected), "{field}: {said}");
        let digits = digits.trim_matches(|c: char| !c.is_ascii_digit());
        assert!(digits.len() < 5 || !said.contains(digits), "{said}");
    }
    for value in [json!(null), json!(true), json!({}), json!([])] {
        assert!(serde_json::from_value::<ApiKey>(value).is_err());
    }
}

fn written_again<T: serde::Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(
    value: &Value,
) {
    let read: T = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), *value);
    assert_eq!(serde_json::from_str::<T>(&value.to_string()).unwrap(), read);
}

#[test]
fn what_is_nobodys_secret_is_written_as_it_is_read() {
    written_again::<ExternalId>(&json!("x-1"));
    written_again::<FactId>(&json!("f-1"));
    written_again::<AccountName>(&json!("loja"));
    written_again::<CustomerRef>(&json!("ana"));
    written_again::<OperationId>(&json!("po_0000000000030123456789abcdef"));
    written_again::<EndToEndId>(&json!("E9040088820261120120300123873170"));
    written_again::<Amount>(&json!(1));
    written_again::<Cents>(&json!(0));
    written_again::<Balance>(&json!(-1));
    written_again::<Bps>(&json!(10_000));
    let parsed: Document = "52998224725".parse().unwrap();
    assert_eq!(parsed, Document::new("52998224725").unwrap());
}
