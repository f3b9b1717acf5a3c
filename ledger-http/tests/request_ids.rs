//! Request ids: kept when they fit the contract's pattern, made otherwise (AUTH-07).
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

use ledger_core::contract::is_request_id;
use ledger_http::RequestId;
use ledger_http::request_id::Numbers;

#[test]
fn an_id_that_fits_is_kept() {
    for given in ["req-0001", "a.b_c:d-e", &"x".repeat(64)] {
        assert_eq!(RequestId::from_header(Some(given), || unreachable!("it fits")).as_str(), given);
    }
}

#[test]
fn one_that_does_not_fit_is_made_anew_and_fits() {
    let numbers = Numbers::from(41);
    for given in [None, Some("short"), Some("with space"), Some("ação-0001"), Some("")] {
        let made = RequestId::from_header(given, || numbers.next());
        assert!(is_request_id(made.as_str()), "{made}");
        assert_ne!(Some(made.as_str()), given);
    }
    assert_eq!(numbers.next(), 46, "no number is given twice");
}
