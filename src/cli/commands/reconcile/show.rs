//! The result of a reconciliation, as a table.

use std::fmt::Write as _;

use ledger_core::money::Balance;
use ledger_reconcile::{Compared, Direction, Item, Line, List, Period};

use crate::table;

/// The sums, and every item that is to be looked at.
pub fn text(compared: &Compared, list: &List, period: &Period, ledger: &str) -> String {
    let Period { from, to } = period;
    let mut text = format!("{ledger}, {from} to {to}, {} lines of the file", list.lines.len());
    for (count, what) in [
        (list.ignored, "ignored"),
        (list.no_pix.len(), "no PIX"),
        (list.unreadable.len(), "not readable"),
    ] {
        if count > 0 {
            let _ = write!(text, ", {count} {what}");
        }
    }
    text += "\n";
    let mut sums = table::with_header(["", "items", "in", "out"]);
    for (name, items, sides) in sums_of(compared, list) {
        let [incoming, outgoing] = [Direction::In, Direction::Out].map(|direction| {
            let of = sides.iter().filter(|(way, _)| *way == direction);
            table::reais(Balance::new(of.map(|(_, cents)| cents).sum()))
        });
        sums.add_row([name.to_owned(), items.to_string(), incoming, outgoing]);
    }
    table::align(&mut sums, |place| (1..=3).contains(&place));
    let _ = writeln!(text, "{sums}");
    let mut items =
        table::with_header(["", "line", "id", "day", "way", "theirs", "ours", "record", "our day"]);
    for (name, line, item) in discrepancies(compared) {
        items.add_row([
            name.to_owned(),
            line.map_or_else(dash, |line| line.number.to_string()),
            id_of(line, item),
            line.map_or_else(dash, |line| line.when.day.clone()),
            line.map_or_else(
                || item.map_or("", |item| item.direction.name()),
                |line| line.direction.name(),
            )
            .to_owned(),
            line.map_or_else(dash, |line| table::reais(Balance::new(line.cents))),
            item.map_or_else(dash, |item| table::reais(Balance::new(item.cents))),
            item.map_or_else(dash, |item| item.record.to_string()),
            item.map_or_else(dash, |item| item.day.clone()),
        ]);
    }
    table::align(&mut items, |place| [1, 5, 6, 7].contains(&place));
    if !items.is_empty() {
        let _ = writeln!(text, "{items}");
    }
    for (line, first) in &compared.duplicates {
        let number = line.number;
        let _ = writeln!(text, "line {number} says again what line {first} said");
    }
    text
}

type Sides = Vec<(Direction, i64)>;

/// Returns what there is of each class: how many, which way each went, and how much by whoever
/// knows of it.
fn sums_of(compared: &Compared, list: &List) -> Vec<(&'static str, usize, Sides)> {
    let lines = |pairs: &[(Line, Item)]| -> Sides {
        pairs.iter().map(|(line, _)| (line.direction, line.cents)).collect()
    };
    let theirs = compared.only_theirs.iter().map(|line| (line.direction, line.cents));
    let ours = compared.only_ours.iter().map(|item| (item.direction, item.cents));
    let twice = compared.duplicates.iter().map(|(line, _)| (line.direction, line.cents));
    let known: [(_, Sides); 6] = [
        ("matched", lines(&compared.matched)),
        ("matched, other day", lines(&compared.other_day)),
        ("differs", lines(&compared.differs)),
        ("only ours", ours.collect()),
        ("only theirs", theirs.collect()),
        ("duplicate", twice.collect()),
    ];
    let no_pix = list.no_pix.iter().filter_map(|other| other.moved).collect();
    let counted = known.into_iter().map(|(name, sides)| (name, sides.len(), sides));
    counted.chain([("no PIX", list.no_pix.len(), no_pix)]).collect()
}

/// The items that a person looks at, pairs across midnight included.
fn discrepancies(compared: &Compared) -> Vec<(&'static str, Option<&Line>, Option<&Item>)> {
    let mut shown = Vec::new();
    let pairs = [("other day", &compared.other_day), ("differs", &compared.differs)];
    for (name, pairs) in pairs {
        shown.extend(pairs.iter().map(|(line, item)| (name, Some(line), Some(item))));
    }
    shown.extend(compared.only_ours.iter().map(|item| ("only ours", None, Some(item))));
    shown.extend(compared.only_theirs.iter().map(|line| ("only theirs", Some(line), None)));
    shown.extend(compared.duplicates.iter().map(|(line, _)| ("duplicate", Some(line), None)));
    shown
}

fn id_of(line: Option<&Line>, item: Option<&Item>) -> String {
    let theirs = line.and_then(|line| line.id.as_ref().or(line.names.first()));
    theirs.or(item.map(|item| &item.id)).cloned().unwrap_or_default()
}

fn dash() -> String {
    "-".to_owned()
}
