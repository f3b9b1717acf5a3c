//! The table of requirements, `docs/REQUIREMENTS.md`, held against the list of statements and
//! against the sources: none is missing, reworded or there twice, and every proof that is named
//! exists. And the list of decisions, `docs/DECISIONS.md`: every one that is cited is there.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

#[path = "requirements/invariants.rs"]
mod invariants;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use ledger_core::ledger::invariants::Invariant;

/// How the proof of a row begins that nothing proves, before the one reason why.
const NOT_BUILT: &str = "not built: ";

/// The rows that nothing proves: what no order here can be, and what the contract does not show.
const WITHOUT_PROOF: [&str; 2] = ["COUT-18", "VSN-10"];

/// Where the tests of each crate stand, and how the table calls the place.
const FOLDERS: [(&str, &str); 6] = [
    ("core/", "ledger-core/tests/machines/"),
    ("store/", "ledger-store/tests/"),
    ("sim/", "ledger-sim/tests/"),
    ("http/", "ledger-http/tests/"),
    ("acceptance/", "tests/acceptance/"),
    ("crash/", "tests/crash/"),
];

/// Where the crates stand.
const CRATES: [&str; 14] = [
    "",
    "ledger-core",
    "ledger-store",
    "beside/ledger-cells",
    "beside/ledger-proofs",
    "beside/ledger-reconcile",
    "beside/ledger-matching",
    "beside/ledger-close",
    "beside/ledger-reserves",
    "beside/ledger-trace",
    "beside/ledger-regulatory",
    "beside/ledger-witness",
    "ledger-sim",
    "ledger-http",
];

/// How many decisions `docs/DECISIONS.md` has.
const DECISIONS: u32 = 88;

/// A row of the table.
struct Row {
    id: String,
    /// The class it says it is of; examples and invariants stand under headings of their own.
    class: Option<String>,
    says: String,
    proof: String,
    heading: String,
}

impl Row {
    fn open(&self) -> bool {
        self.proof.starts_with(NOT_BUILT)
    }

    /// Returns what stands between backticks in its proof.
    fn named(&self) -> impl Iterator<Item = &str> {
        self.proof.split('`').skip(1).step_by(2)
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rows() -> Vec<Row> {
    let mut heading = String::new();
    let mut rows = Vec::new();
    for line in read("docs/REQUIREMENTS.md").lines() {
        if let Some(name) = line.strip_prefix("## ") {
            name.clone_into(&mut heading);
        }
        let Some(cells) = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) else {
            assert!(!line.starts_with('|') || line.starts_with("|--"), "a broken row: {line}");
            continue;
        };
        let cells: Vec<String> = cells.split(" | ").map(str::to_owned).collect();
        if cells[0] == "Id" {
            continue;
        }
        let (class, rest) = match &cells[..] {
            [_, class, says, proof] => (Some(class.clone()), (says, proof)),
            [_, says, proof] => (None, (says, proof)),
            _ => panic!("a row of {} cells: {line}", cells.len()),
        };
        let (says, proof) = (rest.0.replace("\\|", "|"), rest.1.clone());
        rows.push(Row { id: cells[0].clone(), class, says, proof, heading: heading.clone() });
    }
    rows
}

/// What the list says of an id: its class and its statement, word for word.
struct Requirement {
    class: String,
    statement: String,
}

impl Requirement {
    /// The name of the policy that decides it, if the contract leaves it open.
    fn policy(&self) -> Option<&str> {
        let (name, _) = self.statement.strip_prefix("**")?.split_once("**")?;
        name.starts_with("P:").then_some(name)
    }
}

fn list() -> BTreeMap<String, Requirement> {
    let text = read("tests/requirements/statements.txt");
    let mut known = BTreeMap::new();
    for line in text.lines() {
        let mut fields = line.splitn(3, '\t').map(str::to_owned);
        let id = fields.next().unwrap();
        let (class, statement) = (fields.next().expect("a class"), fields.next().expect("words"));
        let twice = known.insert(id, Requirement { class, statement });
        assert!(twice.is_none(), "{line} stands twice in the list");
    }
    known
}

/// The file behind a path of the table.
fn file(path: &str) -> PathBuf {
    let folder = FOLDERS.iter().find_map(|(short, long)| Some((*long, path.strip_prefix(short)?)));
    folder.map_or_else(|| path.into(), |(long, rest)| Path::new(long).join(rest))
}

/// The names of the tests in a source: functions under `#[test]`, those of properties too, and
/// those that every medium is put to.
fn tests(source: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let (mut marked, mut listed) = (false, false);
    for line in source.lines().map(str::trim) {
        listed = matches!(line, "on_every_medium! {" | "on_disk! {") || listed && line != "}";
        if listed {
            found.extend(line.strip_suffix(','));
        } else if matches!(line, "#[test]" | "#[tokio::test]") {
            marked = true;
        } else if let Some(rest) =
            line.trim_start_matches("async ").strip_prefix("fn ").filter(|_| marked)
        {
            found.insert(rest.split(['(', '<']).next().unwrap());
            marked = false;
        } else if !line.starts_with("#[") && !line.starts_with("//") && !line.is_empty() {
            marked = false;
        }
    }
    found
}

/// Tells whether a source has a type, a trait or a constant of this name.
fn declares(source: &str, name: &str) -> bool {
    let kinds = ["struct", "enum", "trait", "type", "const"];
    source.lines().map(str::trim_start).any(|line| {
        let declared = line.strip_prefix("pub ").or_else(|| line.strip_prefix("pub(crate) "));
        let named = kinds.iter().find_map(|kind| declared?.strip_prefix(kind)?.strip_prefix(' '));
        named.is_some_and(|rest| {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            &rest[..end] == name
        })
    })
}

/// Returns what is wrong with one named proof.
fn dangling(named: &str) -> Option<String> {
    let Some((path, name)) = named.split_once("::") else {
        return Invariant::by_id(named).is_none().then(|| "is no invariant".to_owned());
    };
    let path = file(path);
    let Ok(source) = fs::read_to_string(root().join(&path)) else {
        return Some(format!("names no file: {}", path.display()));
    };
    let there = if name.starts_with(char::is_uppercase) {
        declares(&source, name)
    } else {
        tests(&source).contains(name)
    };
    (!there).then(|| format!("is not in {}", path.display()))
}

#[test]
fn every_id_stands_in_the_table_once_under_its_class_and_in_its_own_words() {
    let known = list();
    let mut seen = BTreeSet::new();
    for row in rows() {
        let Some(expected) = known.get(&row.id) else { panic!("{} is no requirement", row.id) };
        assert!(seen.insert(row.id.clone()), "{} stands twice", row.id);
        let class = match row.heading.as_str() {
            "Worked examples" => "example",
            "Invariants" => "invariant",
            _ => row.class.as_deref().expect("a class"),
        };
        assert_eq!(class, expected.class, "{}", row.id);
        let own = row.id.split('-').next().unwrap();
        let area = row.class.is_none() || row.heading.starts_with(own);
        assert!(area, "{} stands under {}", row.id, row.heading);
        assert_eq!(row.says, expected.statement, "{} was reworded", row.id);
    }
    let missing: Vec<&String> = known.keys().filter(|id| !seen.contains(*id)).collect();
    assert!(missing.is_empty(), "not in the table: {missing:?}");
}

#[test]
fn every_row_names_a_proof_that_exists() {
    let mut wrong = Vec::new();
    for row in rows().iter().filter(|row| !row.open()) {
        if row.named().next().is_none() {
            wrong.push(format!("{} names no proof", row.id));
        }
        for named in row.named() {
            wrong.extend(dangling(named).map(|what| format!("{}: {named} {what}", row.id)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_stands_unproven_but_what_is_listed_with_its_reason() {
    let open: Vec<Row> = rows().into_iter().filter(Row::open).collect();
    let ids: BTreeSet<&str> = open.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids, BTreeSet::from(WITHOUT_PROOF));
    for row in &open {
        assert!(row.proof.len() > NOT_BUILT.len() + 20, "{} gives no reason", row.id);
    }
}

#[test]
fn every_worked_example_is_a_test_that_says_so() {
    for row in rows().iter().filter(|row| row.heading == "Worked examples") {
        let name = format!("{}_", row.id.to_lowercase());
        let says = row.named().any(|named| {
            let (path, test) = named.split_once("::").unwrap_or_default();
            test.starts_with(&name) || read(file(path)).contains(&row.id)
        });
        assert!(says, "no test of {} names it", row.id);
    }
}

/// VSN-06: what the contract leaves open is decided under a name, and written down with its
/// default.
#[test]
fn every_policy_is_named_and_those_in_force_are_written_down() {
    let known = list();
    let policies = read("docs/POLICIES.md");
    let mut decided = BTreeSet::new();
    let listed = policies.lines().filter_map(|line| line.strip_prefix("### "));
    for name in listed.flat_map(|names| names.split(", ")) {
        assert!(decided.insert(name), "{name} is decided twice");
    }
    for row in rows() {
        if let Some(name) = known[&row.id].policy().filter(|_| !row.open()) {
            assert!(decided.contains(name), "{name} is not in docs/POLICIES.md");
        }
    }
}

/// Every source of the workspace that may hold tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
}

/// The entries of `docs/DECISIONS.md` in their order: number and text.
fn decisions() -> Vec<(u32, String)> {
    let text = read("docs/DECISIONS.md");
    let entries = text.split("\n### ").skip(1).map(|entry| {
        let number = entry.split_once(". ").and_then(|(number, _)| number.parse().ok());
        let heading = entry.lines().next().unwrap_or_default();
        (number.unwrap_or_else(|| panic!("no number: {heading}")), entry.to_owned())
    });
    entries.collect()
}

/// The numbers that a text cites as rulings, in sentences, in names of tests, and over the ends of
/// comment lines.
fn cited(text: &str) -> BTreeSet<u32> {
    let plain = text.replace(|c: char| !c.is_alphanumeric() && !",.;)".contains(c), " ");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let mut found = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        if word.eq_ignore_ascii_case("rulings") || word.eq_ignore_ascii_case("ruling") {
            add_listed(&words[at + 1..], &mut found);
        }
    }
    found
}

/// Adds the numbers with which `words` begin: a number, or a list such as `13, 21 to 23 and 27`.
fn add_listed(words: &[&str], found: &mut BTreeSet<u32>) {
    let mut first = None;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
        let (number, rest) = word.split_at(digits);
        let Ok(number) = number.parse::<u32>() else { return };
        found.extend(first.take().unwrap_or(number)..=number);
        match rest {
            "," => {}
            "" => match words.next().copied() {
                Some("to") => first = Some(number),
                Some("and" | "or") => {}
                _ => return,
            },
            _ => return,
        }
    }
}

#[test]
fn decisions_are_numbered_without_a_gap_and_each_is_dated() {
    let decisions = decisions();
    let numbers: Vec<u32> = decisions.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=DECISIONS).collect::<Vec<_>>());
    for (number, entry) in decisions {
        let question = entry.lines().find(|line| line.starts_with('*') && line.contains("* 2026-"));
        assert!(question.is_some(), "decision {number} lacks its question or its date");
    }
}

#[test]
fn every_decision_that_is_cited_is_in_the_list() {
    let top = ["README", "ARCHITECTURE", "DESIGN", "GLOSSARY", "CHANGELOG"];
    let mut paths: Vec<PathBuf> = top.map(|name| format!("{name}.md").into()).to_vec();
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    paths.extend(docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    for crates in CRATES {
        for folder in ["src", "tests", "benches", "examples"] {
            let folder = root().join(crates).join(folder);
            if folder.is_dir() {
                sources(&folder, &mut paths);
            }
        }
    }
    let known: BTreeSet<u32> = decisions().into_iter().map(|(number, _)| number).collect();
    let mut used = BTreeSet::new();
    let mut wrong = Vec::new();
    for path in paths {
        let numbers = cited(&read(&path));
        let unknown =
            numbers.difference(&known).map(|number| format!("{number}: {}", path.display()));
        wrong.extend(unknown);
        used.extend(numbers);
    }
    assert!(wrong.is_empty(), "not in docs/DECISIONS.md:\n{}", wrong.join("\n"));
    assert!(used.len() > 50, "{} decisions are cited", used.len());
}

#[test]
fn every_form_of_citation_is_read() {
    for (text, numbers) in [
        ("(rulings 8)", vec![8]),
        ("Rulings 26 names five", vec![26]),
        ("payments (ruling 50).", vec![50]),
        ("rulings 14, 44", vec![14, 44]),
        ("rulings 45 and 46", vec![45, 46]),
        ("rulings 13, 21 to 23, 27.", vec![13, 21, 22, 23, 27]),
        ("in the order of rulings\n/// 23, 26; 5 more", vec![23, 26]),
        ("`acceptance/facts.rs::rulings_3_deadlines_stay`", vec![3]),
        ("rulings 47, which replaces FEE-41", vec![47]),
        ("rulings 6 | 48", vec![6]),
        ("rulings.md", vec![]),
        ("\"Rulings N\" are 61", vec![]),
    ] {
        assert_eq!(cited(text), numbers.into_iter().collect(), "{text}");
    }
}

#[test]
fn a_proof_that_does_not_exist_is_found() {
    for named in [
        "acceptance/wire.rs::no_such_test",
        "acceptance/wire.rs::charge_status",
        "acceptance/nowhere.rs::cin_21_a_charge_has_exactly_these_fields",
        "ledger-core/src/money.rs::Amoun",
        "ledger-core/src/money.rs::Amounts",
        "INV-99",
        "cin_21_a_charge_has_exactly_these_fields",
    ] {
        assert!(dangling(named).is_some(), "{named}");
    }
    for named in [
        "acceptance/wire.rs::cin_21_a_charge_has_exactly_these_fields",
        "acceptance/properties.rs::whatever_is_asked_and_reported_the_books_add_up",
        "core/br_code.rs::any_byte_changed_is_refused",
        "ledger-core/src/money.rs::Amount",
        "INV-14",
    ] {
        assert_eq!(dangling(named), None, "{named}");
    }
}
