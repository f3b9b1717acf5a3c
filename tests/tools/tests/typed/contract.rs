//! The typed requests and facts, held against what the contract declares.

use custody_ledger::declared::{Declared, Of};
use custody_ledger::value::PageSize;
use custody_ledger::{fact, request};
use ledger_core::contract::{
    Access, FACTS, Field, FieldType, Query, RouteShape, Variant, optional, required, routes,
};
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;

use super::lines::{Inner, Line, differing, of_body, plain};

#[test]
fn every_fact_that_is_declared_has_a_type_of_its_fields() {
    let mut wrong = Vec::new();
    let mut written: Vec<&Declared> = fact::declarations().collect();
    for fact in FACTS {
        let name = format!("{:?}", fact.kind);
        let Some(place) = written.iter().position(|type_| type_.name == name) else {
            wrong.push(format!(
                "write fact! {{ {name}: {:?} }}, and name it in its list!",
                fact.name
            ));
            continue;
        };
        let type_ = written.remove(place);
        assert!(matches!(type_.of, Of::Fact(wire) if wire == fact.name), "{:?}", type_.of);
        let doc = format!("{} ({})", fact.meaning, fact.name);
        wrong.extend(said_otherwise(type_, &doc));
        wrong.extend(differing(type_, &of_body(fact.fields)));
    }
    wrong.extend(written.iter().map(|type_| format!("{} is not declared", type_.name)));
    nothing(&wrong);
}

#[test]
fn every_route_that_is_declared_has_a_type_of_its_fields() {
    let mut wrong = Vec::new();
    let mut written: Vec<&Declared> = request::declarations().collect();
    for shape in routes::<JournalArchive, Vault>() {
        let RouteShape { ask, text, answer, .. } = shape;
        let route_name = ask.to_string();
        let without = answer.variant.map(|variant| variant.parameter);
        let heading = format!("{}: {ask}. {}", text.summary, text.description);
        let mut lines = target(shape);
        lines.retain(|line| Some(line.wire) != without);
        lines.extend(of_body(shape.body));
        let mut asked = vec![(text.name, answer.schema, heading, lines)];
        if let Some(Variant { parameter, text, body, answer }) = answer.variant {
            let with = if body.is_empty() {
                format!("?{parameter}=")
            } else {
                format!(" with {parameter}")
            };
            let heading = format!("{}: {ask}{with}. {}", text.summary, text.description);
            let mut lines = target(shape);
            lines.extend(of_body(body));
            asked.push((text.name, answer.schema, heading, lines));
        }
        for (name, schema, heading, lines) in asked {
            let Some(place) = written.iter().position(|type_| type_.name == name) else {
                wrong.push(format!(
                    "write request! {{ {name}: {route_name:?} }}, and name it in its list!"
                ));
                continue;
            };
            let type_ = written.remove(place);
            let keyed = if shape.access == Access::Key { "Account" } else { "Anybody" };
            let Of::Request { route, by, answer, .. } = type_.of else {
                panic!("{name} is no request")
            };
            assert_eq!((route, by, answer), (&*route_name, keyed, schema), "{name}");
            wrong.extend(said_otherwise(type_, &format!("{heading} {}", refusals(shape))));
            wrong.extend(differing(type_, &lines));
        }
    }
    wrong.extend(written.iter().map(|type_| format!("{} is not declared", type_.name)));
    nothing(&wrong);
}

#[test]
fn a_field_that_is_declared_and_has_no_line_is_named_with_the_line_to_write() {
    use FieldType::{CentavosOrZero, Pix, Text};
    const FIELDS: &[Field] = &[
        required("return_id", Pix, "the return id"),
        required("amount_cents", CentavosOrZero, "centavos"),
        optional("reason", Text(255), "why it came back"),
    ];
    let returned = fact::declarations().find(|type_| type_.name == "PayoutReturned");
    let wrong = differing(returned.expect("it is a fact"), &of_body(FIELDS));
    let should = [
        "PayoutReturned: write in body: amount: Cents as \"amount_cents\", \"centavos\";\n  not: amount: Amount as \"amount_cents\", \"centavos\";",
        "PayoutReturned: write in body: reason?: Text<255>, \"why it came back\";",
        "PayoutReturned: payout is not declared",
    ];
    assert_eq!(wrong, should);
}

#[test]
fn what_is_supplied_is_a_text_that_may_be_left_out() {
    let mut seen = 0;
    for type_ in fact::declarations().chain(request::declarations()) {
        for field in type_.fields.iter().filter(|field| field.place == "supplied") {
            assert_eq!((field.of, field.required), ("Text<1024>", false), "{}", type_.name);
            seen += 1;
        }
    }
    assert!(seen > 10, "{seen} are supplied");
}

#[test]
fn the_largest_page_is_what_the_parameter_holds() {
    let limit = ledger_core::contract::parameter("limit").expect("pages have a limit");
    assert_eq!(limit.holds, FieldType::Whole(1, PageSize::LARGEST.get()));
}

fn said_otherwise(type_: &Declared, doc: &str) -> Option<String> {
    let (is, should) = (plain(type_.doc), plain(doc));
    (is != should).then(|| format!("{}: document it as: {should}\n  not: {is}", type_.name))
}

pub fn nothing(wrong: &[String]) {
    assert!(
        wrong.is_empty(),
        "{} lines differ from what is declared:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Returns what a route may refuse for, beside what any may.
fn refusals(shape: &RouteShape) -> String {
    let codes: Vec<&str> = shape.errors.iter().map(|code| code.name()).collect();
    match codes.split_last() {
        None => String::new(),
        Some((only, [])) => format!("It may be refused for {only}."),
        Some((last, codes)) => format!("It may be refused for {} or {last}.", codes.join(", ")),
    }
}

/// The lines of a route's path and query.
fn target(shape: &RouteShape) -> Vec<Line> {
    let path = shape.ask.path().unwrap_or_default();
    let segments = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let parameters = match shape.query {
        Query::Ignored => &[],
        Query::Only(parameters) => parameters,
    };
    let mut lines: Vec<Line> = segments
        .map(|name| match name {
            "e2e" => parameter(name, "EndToEndId", true),
            "agent_id" => parameter(name, "Text<80>", true),
            _ => parameter(name, "OperationId", true),
        })
        .collect();
    lines.extend(parameters.iter().map(|name| match *name {
        "customer_ref" => parameter(name, "Party", true),
        "external_id" => parameter(name, "ExternalId", true),
        "payer_tax" => parameter(name, "Document", true),
        "key" => parameter(name, "PixKey", true),
        "limit" => parameter(name, "PageSize", false),
        "visao" => {
            let within = Inner::Words(vec!["lancamentos", "operacoes"]);
            Line { within, ..parameter(name, "_", false) }
        }
        "com_saldo" => parameter(name, "bool", false),
        "em" => parameter(name, "Instant", true),
        _ => parameter(name, "Text<255>", false),
    }));
    lines
}

fn parameter(wire: &'static str, of: &str, required: bool) -> Line {
    let meaning = match (wire, required) {
        ("customer_ref", _) => "whose".to_owned(),
        (wire, true) => format!("which: {wire}"),
        (wire, false) => format!("the parameter {wire}"),
    };
    let of = of.to_owned();
    Line { place: "target", wire, beside: None, of, required, meaning, within: Inner::Value }
}
