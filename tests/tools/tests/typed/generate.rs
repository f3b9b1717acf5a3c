//! The typed requests and facts, written from what is declared, and compared with what stands.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ledger_core::contract::{Access, FACTS, Invocation, Query, RouteShape, route_texts, routes};
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;

use super::names::{self, Named, ROUTES, domain_of_fact, heading};
use super::shapes::{Files, Shape};
use super::views::text_of;

pub const GENERATED: &str = "// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.\n\n";

#[test]
fn every_fact_that_is_declared_has_a_type() {
    let mut files = Files::default();
    for fact in FACTS {
        let domain = domain_of_fact(fact.name);
        let name = format!("{:?}", fact.kind);
        let shape = Shape {
            name: name.clone(),
            domain,
            meaning: format!("{} (`{}`)", typed(fact.meaning), fact.name),
            body: fact.fields,
            target: Vec::new(),
            supplied: keys_of(fact.name),
            more: Vec::new(),
        };
        files.write(&shape);
        let body = shape.value();
        let supplied =
            if keys_of(fact.name).is_empty() { "Value::Null" } else { "self.supplied()" };
        let _ = write!(
            files.types.entry(domain).or_default(),
            "\nimpl Fact for {name} {{\n    const NAME: &'static str = {:?};\n}}\n\nimpl Reported for {name} {{\n    fn report(&self) -> Report {{\n        Report {{ name: Self::NAME, body: {body}, supplied: {supplied} }}\n    }}\n}}\n",
            fact.name
        );
    }
    compare(
        "fact",
        "Facts of",
        &files,
        "use crate::fact::sealed::Reported;\nuse crate::fact::{Fact, Report};",
    );
}

#[test]
fn every_route_that_is_declared_has_a_type() {
    let mut files = Files::default();
    let declared: Vec<&RouteShape> = routes::<JournalArchive, Vault>().collect();
    assert_eq!(declared.len(), ROUTES.len(), "each route is named once");
    for shape in declared {
        let route = names::route(shape.ask);
        let named = ROUTES.iter().find(|named| named.route == route);
        let named = named.unwrap_or_else(|| panic!("{route} has no name: give it one in ROUTES"));
        let text = text_of(shape);
        let without = text.variant.map(|variant| variant.parameter);
        let mut parameters = target(shape);
        parameters.retain(|(name, ..)| Some(*name) != without);
        let typed = Shape {
            name: named.name.to_owned(),
            domain: named.domain,
            meaning: format!("{}: `{route}`.", text.summary),
            body: shape.body,
            target: parameters,
            supplied: named.supplied,
            more: vec![names::linked(text.description), refusals(shape)],
        };
        write_request(&mut files, shape, &typed, text.schema);
        if let Some(variant) = text.variant {
            let typed = Shape {
                name: variant.name.to_owned(),
                meaning: format!("{}: `{route}?{}=`.", variant.summary, variant.parameter),
                target: target(shape),
                more: vec![names::linked(variant.description), refusals(shape)],
                ..typed
            };
            write_request(&mut files, shape, &typed, variant.schema);
        }
    }
    // A link within a file needs no path.
    for (domain, text) in &mut files.types {
        let path = format!("](crate::request::{domain}::");
        while let Some(begin) = text.find(&path) {
            let end = text[begin..].find(')').expect("a link ends") + begin;
            text.replace_range(begin + 1..=end, "");
        }
    }
    let imports = "use crate::request::sealed::Asked;\nuse crate::request::{Account, Anybody, Ask, Asking, Request, Target};\nuse crate::view;";
    compare("request", "Requests of", &files, imports);
}

/// Writes the type of a request, and how it is asked.
fn write_request(files: &mut Files, shape: &RouteShape, typed: &Shape<'_>, answer: &str) {
    files.write(typed);
    let (name, body) = (&typed.name, typed.value());
    let keyed = if shape.access == Access::Key { "Account" } else { "Anybody" };
    let supplied = if typed.supplied.is_empty() { "Value::Null" } else { "self.supplied()" };
    let asking = asking(shape, typed);
    let text = files.types.entry(typed.domain).or_default();
    let _ = write!(
        text,
        "\nimpl Request for {name} {{\n    type Answer = view::{answer};\n    type By = {keyed};\n}}\n\nimpl Asked for {name} {{\n    fn ask(&self) -> Ask {{\n        {asking}\n        Ask {{ by, body: {body}, supplied: {supplied} }}\n    }}\n}}\n",
    );
}

/// What a route may refuse for, beside what any may.
fn refusals(shape: &RouteShape) -> String {
    let codes: Vec<String> = shape.errors.iter().map(|code| format!("`{}`", code.name())).collect();
    match codes.split_last() {
        None => String::new(),
        Some((only, [])) => format!("It may be refused for {only}."),
        Some((last, codes)) => format!("It may be refused for {} or {last}.", codes.join(", ")),
    }
}

/// What a fact says, with the type's own names for what is supplied with it.
fn typed(meaning: &str) -> String {
    let answered = "in [`Reported::api_key`](crate::Reported::api_key)";
    meaning
        .replace("`supplied.key`", "[`key`](Self::key)")
        .replace("`supplied.entropy`", "[`entropy`](Self::entropy)")
        .replace("in `api_key`", answered)
}

/// The keys that a fact may bring.
fn keys_of(fact: &str) -> &'static [(&'static str, &'static str)] {
    match fact {
        "account.opened" | "agent.activated" | "key.replaced" => &[
            ("key", "the account's key"),
            ("entropy", "64 hexadecimal digits, fresh each time, of which a key is made"),
        ],
        _ => &[],
    }
}

/// What stands in a route's path and query.
fn target(shape: &RouteShape) -> Vec<(&'static str, &'static str, bool)> {
    let path = shape.ask.path().unwrap_or_default();
    let segments = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let mut target: Vec<_> = segments
        .map(|name| match name {
            "e2e" => (name, "EndToEndId", true),
            "agent_id" => (name, "Text<80>", true),
            _ => (name, "OperationId", true),
        })
        .collect();
    let parameters = match shape.query {
        Query::Ignored => &[],
        Query::Only(parameters) => parameters,
    };
    target.extend(parameters.iter().map(|name| match *name {
        "customer_ref" => (*name, "Party", true),
        "external_id" => (*name, "ExternalId", true),
        "payer_tax" => (*name, "Document", true),
        "key" => (*name, "PixKey", true),
        "limit" => (*name, "u16", false),
        "com_saldo" => (*name, "bool", false),
        "em" => (*name, "Instant", true),
        _ => (*name, "Text<255>", false),
    }));
    target
}

/// How a request of this type is asked for.
fn asking(shape: &RouteShape, typed: &Shape<'_>) -> String {
    let path = match shape.ask {
        Invocation::Command(name) => return format!("let by = Asking::Command({name:?});"),
        Invocation::Route(_, path) => path,
    };
    let mut text = String::from("let target = Target::default()");
    for part in path.trim_start_matches('/').split('/') {
        match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some(name) => {
                let _ = write!(text, ".id(&self.{})", names::field(name));
            }
            None => {
                let _ = write!(text, ".segment({part:?})");
            }
        }
    }
    if let Query::Only(parameters) = shape.query {
        let held = |name: &&&str| typed.target.iter().any(|(held, ..)| held == *name);
        for name in parameters.iter().filter(held) {
            let _ = write!(text, ".parameter({name:?}, &self.{})", names::field(name));
        }
    }
    let Invocation::Route(method, _) = shape.ask else { unreachable!("commands returned") };
    let _ = write!(text, ";\nlet by = Asking::Route({:?}, target.into_text());", method.name());
    text
}

/// Compares the files with those that stand, or writes them.
fn compare(folder: &str, kind: &str, files: &Files, imports: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src").join(folder);
    let mut wrong = Vec::new();
    for (domain, text) in &files.types {
        let values = [
            "Body",
            "Wire",
            "AccountName",
            "Amount",
            "Bps",
            "Cents",
            "DecidedBy",
            "Decimal",
            "Document",
            "EndToEndId",
            "ExternalId",
            "FactId",
            "Instant",
            "OperationId",
            "Party",
            "PixKey",
            "Text",
        ];
        let named =
            |name: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == name);
        let used: Vec<&str> = values.into_iter().filter(|name| named(name)).collect();
        let imported: Vec<String> = imports.lines().map(|line| only_used(line, &named)).collect();
        let values = format!("use crate::value::{{{}}};", used.join(", "));
        let values = if used.is_empty() { String::new() } else { values };
        let whole = format!(
            "//! {kind} {}.\n{GENERATED}use serde_json::Value;\n\n{}\n{values}\n{text}",
            heading(domain),
            imported.join("\n"),
        );
        wrong.extend(differing(root.join(format!("{domain}.rs")), &whole));
    }
    none_of(&wrong);
}

/// The file, if it is not this; or it is written.
pub fn differing(path: PathBuf, text: &str) -> Option<PathBuf> {
    let whole = formatted(text);
    if std::env::var("GOLDEN").is_ok_and(|mode| mode == "write") {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &whole).unwrap();
        return None;
    }
    (std::fs::read_to_string(&path).ok().as_deref() != Some(&whole)).then_some(path)
}

pub fn none_of(wrong: &[PathBuf]) {
    let why = "not what is declared: GOLDEN=write cargo test -p ledger-tools --test typed";
    assert_eq!(wrong, &[] as &[PathBuf], "{why}");
}

/// What the test kit draws one of: each fact or each request.
#[test]
fn the_test_kit_draws_every_request_and_every_fact() {
    let facts = FACTS.iter().map(|fact| (domain_of_fact(fact.name), format!("{:?}", fact.kind)));
    let variants = |named: &Named| {
        let text = route_texts().find(|text| text.route == named.route);
        text.and_then(|text| text.variant).map(|variant| (named.domain, variant.name.to_owned()))
    };
    let requests = ROUTES.iter().flat_map(|named| {
        std::iter::once((named.domain, named.name.to_owned())).chain(variants(named))
    });
    let lists = [
        (
            "fact",
            "Any fact of those that are declared.",
            "One of every kind of fact that is declared",
            "AnyFact",
            facts.collect::<Vec<_>>(),
        ),
        (
            "request",
            "Any request of those that are declared.",
            "One of every kind of request that the contract has",
            "AnyRequest",
            requests.collect(),
        ),
    ];
    let mut wrong = Vec::new();
    for (name, heading, meaning, of, kinds) in lists {
        let mut text = format!(
            "//! {heading}\n{GENERATED}use proptest::strategy::{{BoxedStrategy, Strategy as _, Union}};\n\nuse super::anything::{of};\nuse crate::{name};\n\n/// {meaning}, each as likely.\npub fn {name}s() -> BoxedStrategy<{of}> {{\n    Union::new([\n"
        );
        for (domain, kind) in kinds {
            let _ = writeln!(text, "        {of}::drawn::<{name}::{domain}::{kind}>(),");
        }
        text.push_str("    ])\n    .boxed()\n}\n");
        let path = format!("{}/../../src/testkit/each_{name}.rs", env!("CARGO_MANIFEST_DIR"));
        wrong.extend(differing(path.into(), &text));
    }
    none_of(&wrong);
}

/// An import of what is used alone.
fn only_used(line: &str, named: &dyn Fn(&str) -> bool) -> String {
    let Some((path, list)) = line.split_once('{') else { return line.to_owned() };
    let list = list.trim_end_matches("};").split(", ").filter(|name| named(name));
    format!("{path}{{{}}};", list.collect::<Vec<_>>().join(", "))
}

/// The text as `cargo fmt` has it.
fn formatted(text: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path", root])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rustfmt is a component of the toolchain");
    rustfmt.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let done = rustfmt.wait_with_output().unwrap();
    assert!(done.status.success(), "rustfmt does not take:\n{text}");
    String::from_utf8(done.stdout).unwrap()
}
