//! The diagrams of the state machines: their words are the words of the machine's enums.

use std::collections::BTreeSet;
use std::fs;

use crate::sources::root;

/// Where the machines stand.
const MACHINES: &str = "ledger-core/src/machine";

/// A machine: the file whose first lines hold its diagram, and the files that hold its enums.
pub const DIAGRAMS: [(&str, &[&str]); 16] = [
    ("agent/mod.rs", &[]),
    ("cash_out/mod.rs", &["cash_out/event.rs"]),
    ("charge/mod.rs", &[]),
    ("charge/purchase.rs", &["charge/bought.rs"]),
    ("conversion.rs", &[]),
    ("delivery.rs", &[]),
    ("erroneous_delivery.rs", &[]),
    ("hold/mod.rs", &[]),
    ("payout/mod.rs", &[]),
    ("suspense.rs", &[]),
    ("transfer.rs", &[]),
    ("unmatched_deposit.rs", &[]),
    ("wallet/deposit/mod.rs", &["wallet/deposit/terms.rs", "wallet/deposit/arrival.rs"]),
    ("wallet/payment/mod.rs", &["wallet/payment/terms.rs", "wallet/payment/progress.rs"]),
    ("wallet/quote.rs", &[]),
    ("wallet/withdrawal/mod.rs", &["wallet/withdrawal/terms.rs", "wallet/withdrawal/progress.rs"]),
];

/// The enums whose words are what happens, those whose words are where it stands, and those whose
/// words a diagram may use and need not.
const MOVES: [&str; 3] = ["Command", "Request", "DeliveryReport"];
const PLACES: [&str; 2] = ["State", "Stage"];
const OTHERS: [&str; 2] = ["Event", "End"];

/// Returns what of a machine's diagram no enum knows, and what of its enums the diagram lacks.
pub fn differing(file: &str, beside: &[&str]) -> Vec<String> {
    let read = |name: &str| {
        let path = root().join(MACHINES).join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let text = read(file);
    let drawn = words(&diagram(&text));
    let all = beside.iter().fold(text, |all, name| all + &read(name));
    let of = |names: &[&str]| -> BTreeSet<String> {
        names.iter().flat_map(|name| variants(&all, name)).collect()
    };
    let (named, others) = (&of(&MOVES) | &of(&PLACES), of(&OTHERS));
    // A state that wraps what is known of an operation is its stages.
    let unfolded = BTreeSet::from(["Known".to_owned(), "UnderWay".to_owned()]);
    let strange = drawn.iter().filter(|word| !named.contains(*word) && !others.contains(*word));
    let lacking = named.iter().filter(|word| !drawn.contains(*word) && !unfolded.contains(*word));
    strange
        .map(|word| format!("{file}: {word} is in the diagram, and in no enum"))
        .chain(lacking.map(|word| format!("{file}: {word} is in an enum, and not in the diagram")))
        .collect()
}

/// Returns what stands between the first fences of a file's first comment.
fn diagram(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    let fenced = lines.skip_while(|line| line.trim() != "```text").skip(1);
    fenced.take_while(|line| line.trim() != "```").collect::<Vec<_>>().join("\n")
}

/// The words that begin with a capital.
fn words(diagram: &str) -> BTreeSet<String> {
    let words = diagram.split(|c: char| !c.is_ascii_alphanumeric());
    let capital = |word: &&str| word.starts_with(|c: char| c.is_ascii_uppercase());
    words.filter(capital).map(str::to_owned).collect()
}

/// The variants of the enums of this name.
fn variants(text: &str, name: &str) -> Vec<String> {
    let head = format!("pub enum {name} {{");
    let bodies = text.split(&head).skip(1).filter_map(|rest| rest.split("\n}").next());
    let variant = |line: &str| {
        let rest = line.strip_prefix("    ")?;
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        rest.starts_with(|c: char| c.is_ascii_uppercase()).then(|| rest[..end].to_owned())
    };
    bodies.flat_map(|body| body.lines().filter_map(variant)).collect()
}
