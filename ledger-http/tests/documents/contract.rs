//! The document as the tests read it, and validators of its schemas.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use jsonschema::Validator;
use ledger_http::documents::Config;
use ledger_http::documents::openapi::openapi;
use serde_json::{Value, json};

/// The address of the service in the tests.
pub const BASE: &str = "https://api.example.com";

/// The `OpenAPI` document of a service at [`BASE`], made once.
pub fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| openapi(&Config::at(BASE)))
}

/// The operations that routes of the contract are documented as, by method and path.
pub fn operations() -> BTreeMap<String, &'static Value> {
    let paths = document()["paths"].as_object().expect("paths is an object");
    let of_path = |(path, item): (&'static String, &'static Value)| {
        let methods = item.as_object().expect("an item is an object");
        methods.iter().map(move |(method, operation)| {
            (format!("{} {path}", method.to_uppercase()), operation)
        })
    };
    paths
        .iter()
        .flat_map(of_path)
        .filter(|(_, operation)| operation["tags"][0] != "Discovery")
        .collect()
}

/// The operation that a request names, with values in the place of parameters.
pub fn operation_of(request: &str) -> Option<(String, &'static Value)> {
    let (method, target) = request.split_once(' ')?;
    let given: Vec<_> = target.split('?').next()?.split('/').collect();
    let fits = |name: &String| {
        let Some((known, path)) = name.split_once(' ') else { return false };
        let declared: Vec<_> = path.split('/').collect();
        let same = |(one, other): (&&str, &&str)| one == other || one.starts_with('{');
        known == method && declared.len() == given.len() && declared.iter().zip(&given).all(same)
    };
    let all = operations();
    let found = all.into_iter().filter(|(name, _)| fits(name));
    found.min_by_key(|(name, _)| name.matches('{').count())
}

/// A validator of a schema of the document.
pub fn validator(schema: &Value) -> Validator {
    let mut whole = schema.clone();
    if schema.to_string().contains("$ref") {
        whole["components"] = json!({ "schemas": document()["components"]["schemas"] });
    }
    jsonschema::draft202012::options()
        .should_validate_formats(true)
        .build(&whole)
        .expect("a schema of the document is one")
}

/// Holds a value against a schema of the document.
pub fn holds(what: &str, schema: &Value, value: &Value) {
    let validator = validator(schema);
    let wrong: Vec<_> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(wrong.is_empty(), "{what}: {wrong:#?}\n{value:#}");
}
