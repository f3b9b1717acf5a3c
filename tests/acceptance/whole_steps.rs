//! A page of the view of operations never begins in the middle of a step (STM-12).

use ledger_core::contract::{Code, Problem};
use serde_json::Value;

use crate::unposted_rows::{self, Unposted};

/// A page of rows by the number of the event that each belongs to.
fn page(events: &'static [u16], before: Option<&str>) -> Result<Value, Problem> {
    unposted_rows::page(&mut Unposted { events, status: None }, before)
}

#[test]
fn a_cursor_that_would_show_half_a_step_is_refused() {
    let first = page(&[0, 1], None).unwrap();
    assert_eq!(first["items"].as_array().unwrap().len(), 1);
    let cursor = first["proxima_pagina"].as_str().unwrap();
    assert_eq!(page(&[0, 1], Some(cursor)).unwrap()["proxima_pagina"], Value::Null);
    let refused = page(&[0, 0], Some(cursor)).unwrap_err();
    assert_eq!(refused.code, Code::RequestInvalid);
}
