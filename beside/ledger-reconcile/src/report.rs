//! The result of a reconciliation, as JSON.

use serde_json::{Value, json};

use crate::compare::Compared;
use crate::line::{Line, List, Other};
use crate::ours::Item;
use crate::period::Period;

impl Compared {
    /// All of it, as `custody-ledger reconcile --json` prints it.
    #[must_use]
    pub fn json(&self, list: &List, period: &Period, ledger: &str) -> Value {
        let compared = self;
        let pairs = |pairs: &[(Line, Item)]| -> Vec<Value> {
            pairs
                .iter()
                .map(|(line, item)| json!({ "theirs": of_line(line), "ours": of_item(item) }))
                .collect()
        };
        let duplicates = compared.duplicates.iter().map(|(line, first)| {
            let mut shown = of_line(line);
            shown["first_line"] = json!(first);
            shown
        });
        let unreadable = list.unreadable.iter();
        let unreadable = unreadable.map(|(number, what)| json!({ "line": number, "reason": what }));
        json!({
            "ledger": ledger,
            "from": period.from,
            "to": period.to,
            "lines": list.lines.len(),
            "ignored": list.ignored,
            "no_pix": list.no_pix.iter().map(of_other).collect::<Vec<_>>(),
            "unreadable": unreadable.collect::<Vec<_>>(),
            "matches": compared.open() == 0 && list.unreadable.is_empty(),
            "matched": pairs(&compared.matched),
            "other_day": pairs(&compared.other_day),
            "differs": pairs(&compared.differs),
            "only_ours": compared.only_ours.iter().map(of_item).collect::<Vec<_>>(),
            "only_theirs": compared.only_theirs.iter().map(of_line).collect::<Vec<_>>(),
            "duplicates": duplicates.collect::<Vec<_>>(),
        })
    }
}

fn of_line(line: &Line) -> Value {
    json!({
        "line": line.number,
        "id": line.id,
        "external_id": line.names.first(),
        "direction": line.direction.name(),
        "kind": line.kind.name(),
        "amount_cents": line.cents,
        "day": line.when.day,
        "at": line.when.at,
    })
}

fn of_other(other: &Other) -> Value {
    json!({
        "line": other.number,
        "direction": other.moved.map(|(direction, _)| direction.name()),
        "amount_cents": other.moved.map(|(_, cents)| cents),
    })
}

fn of_item(item: &Item) -> Value {
    json!({
        "id": item.id,
        "record": item.record,
        "direction": item.direction.name(),
        "kind": item.kind.name(),
        "amount_cents": item.cents,
        "day": item.day,
    })
}
