//! The ledger of the world: it is told, as a service would tell it.

use std::collections::HashMap;

use ledger_core::contract::Line;
use ledger_core::ledger::Origin;
use ledger_matching::OwnBooks;
use ledger_store::Algorithm;
use ledger_store::journal::Identity;
use ledger_store::sequencer::Sequencer;
use serde_json::{Value, json};

use super::Report;

/// Tells a ledger everything in its order, and reads what it booked.
///
/// Every report must be taken: a refusal is a mistake of the world.
pub fn books_of(reports: &[Report]) -> OwnBooks {
    let mut sequencer = Sequencer::new("live", Identity::by_name(Algorithm::Blake3, [7; 32]));
    let mut labels: HashMap<String, Value> = HashMap::new();
    let mut books = OwnBooks::default();
    for Report { label, line, .. } in reports {
        let refer = |name: &str| {
            let (label, field) = name.split_once('.').expect("a label and a field");
            Ok(labels[label][field].as_str().expect("a text").to_owned())
        };
        let mut line = line.clone();
        if line["request"] == "POST /cashin/charge" {
            line["supplied"] = json!({"qr_copypaste": "00020126"});
        }
        let call = Line::parse(&line.to_string(), refer);
        let call = call.unwrap_or_else(|problem| panic!("{line}: {problem:?}"));
        let handled = sequencer.handle(&call.call(Origin::Call));
        let response = &handled.response;
        assert!(response.status < 300, "{line}: {} {}", response.status, response.body);
        for record in &handled.records {
            books.follow(&sequencer.ledger().state, record);
        }
        if let Some(label) = label {
            labels.insert(label.clone(), Value::from(handled.response.body));
        }
    }
    assert_eq!(sequencer.fault(), None);
    books
}
