//! What only the provider knows, as facts that an operator may report.

use ledger_core::id::{Kind as OperationKind, OpId};
use ledger_core::pix::EndToEnd;
use serde_json::{Map, Value, json};

use crate::line::{Direction, Kind, Line};
use crate::ours::Ours;

/// The fact that a line of the list would be, as a JSON line for `custody-ledger run`.
///
/// # Errors
///
/// Why none can be proposed, in words.
pub fn fact(line: &Line, ours: &Ours, ledger: &str) -> Result<Value, String> {
    let id = line.id.as_deref().ok_or("it has no id of a PIX")?;
    let id = EndToEnd::parse(id)
        .ok_or_else(|| format!("{} is no id of a PIX: 32 letters and digits", id.escape_debug()))?;
    let operation = operation(line, ours);
    let mut body = Map::new();
    let name = match (line.kind, line.direction) {
        (Kind::Payment, Direction::In) => {
            insert_operation(
                &mut body,
                "cashin_id",
                of_kind(operation, OperationKind::Charge),
                ours,
            );
            body.insert("e2e".to_owned(), json!(id.as_str()));
            "pix.received"
        }
        (Kind::Payment, Direction::Out) => {
            let order = of_kind(operation, OperationKind::CashOut);
            let (field, name) = match order {
                Some(_) => ("cashout_id", "cashout.paid"),
                None => ("payout_id", "payout.paid"),
            };
            let known = order.or_else(|| of_kind(operation, OperationKind::Payout));
            // One that the ledger does not know is paid without an order: a claim on the provider.
            let called = known.map(|op| ours.text(op)).or(line.names.first().map(String::as_str));
            let called = called.ok_or("it was sent, and the list does not say for what")?;
            body.insert(field.to_owned(), json!(called));
            body.insert("e2e".to_owned(), json!(id.as_str()));
            name
        }
        (Kind::Return, direction) => {
            let (kind, field, name) = match direction {
                Direction::In => (OperationKind::Payout, "payout_id", "payout.returned"),
                Direction::Out => (OperationKind::Charge, "cashin_id", "pix.returned"),
            };
            let operation = of_kind(operation, kind)
                .ok_or("it is a return, and which operation's is not known here")?;
            insert_operation(&mut body, field, Some(operation), ours);
            body.insert("return_id".to_owned(), json!(id.as_str()));
            name
        }
    };
    body.insert("amount_cents".to_owned(), json!(line.cents));
    Ok(json!({ "at": line.when.at, "fact": name, "environment": ledger, "body": body }))
}

/// The operation that a line is of: by its name, or by the PIX that it returns.
fn operation(line: &Line, ours: &Ours) -> Option<OpId> {
    let by_name = line.names.iter().find_map(|name| match ours.find_by_id(name)[..] {
        [op] => Some(op),
        _ => None,
    });
    by_name.or_else(|| {
        let place = ours.by_id(line.returns.as_ref()?, line.direction.other())?;
        ours.items[place].operation
    })
}

fn of_kind(operation: Option<OpId>, kind: OperationKind) -> Option<OpId> {
    operation.filter(|op| op.kind() == kind)
}

fn insert_operation(
    body: &mut Map<String, Value>,
    field: &str,
    operation: Option<OpId>,
    ours: &Ours,
) {
    if let Some(op) = operation {
        body.insert(field.to_owned(), json!(ours.text(op)));
    }
}
