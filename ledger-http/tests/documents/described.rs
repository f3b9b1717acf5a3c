//! Everything that the tables declare is described, with a unit and an example, and every example
//! is one.

use std::collections::BTreeSet;

use ledger_core::contract::{
    AnswerField, AnswerType, ERROR, Field, FieldType, Query, RouteShape, TABLE, TAGS, TOPICS,
    parameter, routes, topic, topic_data, topic_meaning,
};
use ledger_http::documents::page::{reference, reference_in_portuguese};
use ledger_http::documents::{Config, operations};
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;
use serde_json::{Value, json};

use crate::contract::{BASE, document, holds, operations as documented};

fn shapes() -> Vec<&'static RouteShape> {
    routes::<JournalArchive, Vault>().collect()
}

#[test]
fn every_route_is_described_by_a_name_of_its_own() {
    for shape in shapes() {
        let text = shape.text;
        assert!(text.summary.len() > 5 && text.description.ends_with('.'), "{}", shape.ask);
        assert!(TAGS.iter().any(|(tag, _)| *tag == text.tag), "{}", shape.ask);
    }
    let names: BTreeSet<_> = shapes().iter().map(|shape| shape.text.name).collect();
    assert_eq!(names.len(), shapes().len());
}

#[test]
fn every_field_of_a_request_has_a_text_an_example_and_its_unit() {
    for shape in shapes() {
        for field in shape.body {
            is_described(field);
        }
        if let Query::Only(names) = shape.query {
            for name in names {
                is_described(parameter(name).unwrap_or_else(|| panic!("{name} is undescribed")));
            }
        }
        let path = shape.ask.path().unwrap_or_default();
        assert_eq!(shape.path_parameters().len(), path.matches('{').count(), "{path}");
        shape.path_parameters().into_iter().for_each(is_described);
    }
}

fn is_described(field: &Field) {
    assert!(!field.meaning.is_empty(), "{} says nothing", field.name);
    assert!(!field.example().is_null(), "{} has no example", field.name);
    let number = matches!(
        field.holds,
        FieldType::Centavos
            | FieldType::CentavosOrZero
            | FieldType::SignedCentavos
            | FieldType::BasisPoints
            | FieldType::Whole(..)
            | FieldType::Decimal(_)
    );
    assert_eq!(field.unit().is_some(), number || field.holds == FieldType::Moment);
    assert!(number || !field.name.ends_with("_cents"), "{} is no number", field.name);
}

#[test]
fn every_field_of_an_answer_is_described() {
    for shape in shapes() {
        shape.answer.fields.iter().for_each(is_told);
    }
    ERROR.iter().for_each(is_told);
    for of in TOPICS {
        assert!(topic_meaning(of).ends_with('.'), "{} says nothing", topic(of));
        topic_data(of).into_iter().flat_map(|(_, fields)| fields).for_each(is_told);
    }
}

fn is_told(field: &AnswerField) {
    assert!(!field.meaning.is_empty(), "{} says nothing", field.name);
    assert!(!field.example().is_null(), "{} has no example", field.name);
    let cents = matches!(field.holds, AnswerType::Centavos(_));
    assert_eq!(
        field.name.ends_with("_cents") || field.name.contains("_cents_"),
        cents,
        "{}",
        field.name
    );
    if field.name.ends_with("_bps") {
        assert!(matches!(field.holds, AnswerType::BasisPoints(_)), "{}", field.name);
    }
    match field.holds {
        AnswerType::Object(_, fields) | AnswerType::Objects(_, fields) => {
            fields.iter().for_each(is_told);
        }
        _ => {}
    }
}

#[test]
fn every_error_is_described_and_documented_where_it_may_come() {
    let examples = &document()["components"]["examples"];
    for (code, name, ..) in TABLE {
        assert!(code.meaning().ends_with('.'), "{name} says nothing");
        holds(name, &json!({ "$ref": "#/components/schemas/Error" }), &examples[name]["value"]);
        assert_eq!(examples[name]["value"]["docs"], format!("{BASE}/docs#{name}"));
    }
    let whole = document().to_string();
    for (_, name, ..) in TABLE {
        let reference = format!("\"#/components/examples/{name}\"");
        assert!(whole.contains(&reference), "no response shows {name}");
    }
    let meanings: BTreeSet<_> = TABLE.iter().map(|row| row.0.meaning()).collect();
    assert_eq!(meanings.len(), TABLE.len(), "two errors mean the same");
    for operation in operations::operations() {
        let name = format!("{} {}", operation.method.name(), operation.path);
        for code in operation.shape.errors {
            let status = code.status(operation.shape.kind).to_string();
            let error = &documented()[&name]["responses"][&status]["content"]["application/json"];
            assert!(error["examples"].get(code.name()).is_some(), "{name} {}", code.name());
        }
    }
}

#[test]
fn every_operation_is_documented_with_examples_that_hold() {
    let documented = documented();
    // Those of the contract, and ours about webhooks.
    let ours = [
        "GET /webhooks/deliveries/{id}",
        "GET /webhooks/events",
        "GET /webhooks/filter",
        "PUT /webhooks/filter",
        "POST /webhooks/deliveries/recover",
        "POST /webhooks/deliveries/{id}/resend",
    ];
    assert!(ours.iter().all(|name| documented.contains_key(*name)));
    assert_eq!(documented.len(), operations::operations().len() + ours.len());
    for (name, operation) in documented {
        for (status, response) in operation["responses"].as_object().expect("responses") {
            let content = &response["content"]["application/json"];
            if let Some(example) = content.get("example") {
                holds(&format!("{name} {status}"), &content["schema"], example);
            }
        }
        let content = &operation["requestBody"]["content"]["application/json"];
        if let Some(example) = content.get("example") {
            holds(&name, &content["schema"], example);
        }
        for parameter in operation["parameters"].as_array().expect("parameters") {
            if let Some(example) = parameter.get("example") {
                holds(&name, &parameter["schema"], example);
            }
        }
    }
}

#[test]
fn every_event_is_documented_with_an_example_that_holds() {
    for of in TOPICS {
        let post = &document()["webhooks"][topic(of)]["post"];
        let content = &post["requestBody"]["content"]["application/json"];
        holds(topic(of), &content["schema"], &content["example"]);
        assert_eq!(content["example"]["event"], topic(of));
    }
}

#[test]
fn every_example_of_a_schema_holds() {
    for (name, schema) in document()["components"]["schemas"].as_object().expect("schemas") {
        for (field, schema) in schema["properties"].as_object().into_iter().flatten() {
            for example in schema["examples"].as_array().into_iter().flatten() {
                holds(&format!("{name}.{field}"), schema, example);
            }
        }
    }
}

#[test]
fn a_number_below_its_range_and_a_missing_field_do_not_hold() {
    let schema = json!({ "$ref": "#/components/schemas/CreateChargeRequest" });
    let validator = crate::contract::validator(&schema);
    let sound = json!({ "amount_cents": 1, "payer_tax_number": "52998224725", "besides": true });
    assert!(validator.is_valid(&sound));
    for (field, value) in [
        ("amount_cents", json!(0)),
        ("amount_cents", json!("100")),
        ("amount_cents", Value::Null),
        ("destino", json!("conta")),
        ("external_id", json!("x".repeat(65))),
    ] {
        let mut body = sound.clone();
        body[field] = value;
        assert!(!validator.is_valid(&body), "{body}");
    }
}

#[test]
fn the_page_describes_every_route_error_and_event_in_both_languages() {
    let config = Config::at(BASE);
    let document = document();
    let paths = document["paths"].as_object().unwrap().values();
    let routes: Vec<_> = paths.flat_map(|item| item.as_object().unwrap().values()).collect();
    assert!(routes.len() > operations::operations().len());
    for (page, title) in [
        (reference(&config), "Create a charge"),
        (reference_in_portuguese(&config), "Criar uma cobrança"),
    ] {
        assert!(page.contains(title));
        let anchored =
            |id: &str| assert_eq!(page.matches(&format!(" id=\"{id}\"")).count(), 1, "{id}");
        for route in &routes {
            let id = route["operationId"].as_str().unwrap();
            anchored(id);
            let (_, section) = page.split_once(&format!("<section id=\"{id}\"")).unwrap();
            let (section, _) = section.split_once("</section>").unwrap();
            for language in ["curl", "python", "typescript"] {
                assert!(section.contains(&format!("<pre class=\"{language}\"")), "{id}");
            }
            let body = &route["requestBody"]["content"]["application/json"]["schema"];
            // A body of one form, or of several.
            let several = body["anyOf"].as_array().into_iter().flatten();
            let forms = std::iter::once(body).chain(several).filter_map(|it| it["$ref"].as_str());
            let schemas = forms.filter_map(|path| document.pointer(path.strip_prefix('#')?));
            for (name, _) in schemas.flat_map(|it| it["properties"].as_object().unwrap()) {
                assert!(section.contains(&format!("<dt><code>{name}</code>")), "{id}: {name}");
            }
        }
        for (_, name, ..) in TABLE {
            anchored(name);
        }
        for of in TOPICS {
            anchored(topic(of));
        }
        let leads = page.split("href=\"#").skip(1).filter_map(|rest| rest.split_once('"'));
        for lead in leads.map(|(id, _)| id).collect::<BTreeSet<_>>() {
            anchored(lead);
        }
        assert_eq!(page.matches("<script").count(), 1);
    }
}

#[test]
fn every_route_and_group_has_a_name_in_portuguese() {
    let page = reference_in_portuguese(&Config::at(BASE));
    for operation in operations::operations() {
        let english = format!("\">{}</a></h3>", operation.shape.text.summary);
        assert!(!page.contains(&english), "{english}");
    }
    let document = document();
    let paths = document["paths"].as_object().unwrap().values();
    for route in paths.flat_map(|item| item.as_object().unwrap().values()) {
        let section = format!("<section id=\"{}\"", route["operationId"].as_str().unwrap());
        let (_, section) = page.split_once(&section).unwrap();
        let (heading, _) = section.split_once("<h4>").unwrap_or((section, ""));
        let (heading, _) = heading.split_once("</section>").unwrap_or((heading, ""));
        assert!(heading.contains("<p lang=\"pt-BR\">"), "{heading}");
    }
    assert!(!page.contains("descritos em inglês"), "nothing is in English");
    for name in ["<h2 id=\"tag-charges\">Cobranças</h2>", "<dd>O ativo não é conhecido.</dd>"] {
        assert!(page.contains(name), "{name}");
    }
}
