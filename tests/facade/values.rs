//! Values that are wrong cannot be made.

use custody_ledger::prelude::*;
use custody_ledger::value::{CustomerRef, Text};

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
    assert!(Amount::new(0).is_none() && Amount::new(-1).is_none());
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
