//! A machine on one page: what every command does in every state.

use std::fmt::Debug;

use ledger_core::machine::Verdict;

/// The cell of one fact in one state: an event's name, `known` or `set_aside`.
pub fn cell<Event: Debug>(verdict: &Verdict<Event>) -> String {
    match verdict {
        Verdict::Applied(event) => name(event),
        Verdict::Known => "known".to_owned(),
        Verdict::SetAside => "set_aside".to_owned(),
    }
}

/// The cell of one request in one state: as of a fact, or `-` for a no.
pub fn request_cell<Event: Debug, Refusal>(answer: &Result<Verdict<Event>, Refusal>) -> String {
    answer.as_ref().map_or_else(|_| "-".to_owned(), cell)
}

/// The cell of a fact that may imply the steps before it: the names of all of them.
pub fn steps<Event>(verdict: &Verdict<Vec<Event>>, name: impl Fn(&Event) -> String) -> String {
    match verdict {
        Verdict::Applied(events) => events.iter().map(name).collect::<Vec<_>>().join("+"),
        Verdict::Known => "known".to_owned(),
        Verdict::SetAside => "set_aside".to_owned(),
    }
}

/// The name of a variant.
pub fn name(variant: &impl Debug) -> String {
    let text = format!("{variant:?}");
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    text[..end].to_owned()
}

/// The page: one line a state, one column a command, ten characters each.
pub fn page(
    columns: &[&str],
    lines: impl IntoIterator<Item = (&'static str, Vec<String>)>,
) -> String {
    let head = ("State", columns.iter().map(|&column| column.to_owned()).collect());
    let mut page = String::new();
    for (state, cells) in std::iter::once(head).chain(lines) {
        assert_eq!(cells.len(), columns.len(), "every command has its cell");
        let cells = cells.iter().map(|cell| format!("{cell:<9}"));
        let line = format!("{state:<9} {}", cells.collect::<Vec<_>>().join(" "));
        page += line.trim_end();
        page += "\n";
    }
    page
}
