//! What the contract answered, as the examples record it, is what the document says of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::contract::{holds, operation_of, operations};

/// The lines of a file of the examples, by their numbers.
fn lines(name: &str) -> BTreeMap<u64, Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(name);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let parse = |(place, line)| (place, serde_json::from_str(line).expect("a line is JSON"));
    (1..).zip(text.lines()).map(parse).collect()
}

/// The answers of a file of the examples, by the numbers of the lines they answer.
fn answers(name: &str) -> BTreeMap<u64, Value> {
    let by_line = |(_, answer): (u64, Value)| (answer["line"].as_u64().expect("a number"), answer);
    lines(name).into_iter().map(by_line).collect()
}

/// Holds each request and its answer against the document, and gives the operations asked for.
fn documented(name: &str) -> BTreeSet<String> {
    let answers = answers(&format!("{name}.answers.jsonl"));
    let mut asked = BTreeSet::new();
    for (number, line) in lines(&format!("{name}.jsonl")) {
        let Some(request) = line["request"].as_str() else { continue };
        let (route, operation) =
            operation_of(request).unwrap_or_else(|| panic!("{request} is undocumented"));
        let what = format!("{name}:{number} {route}");
        let answer = &answers[&number];
        let status = answer["status"].as_u64().expect("a status").to_string();
        let response = &operation["responses"][&status];
        assert!(response.is_object(), "{what}: {status} is undocumented: {answer}");
        let content = &response["content"]["application/json"];
        holds(&what, &content["schema"], &answer["body"]);
        match answer["body"].get("erro").and_then(Value::as_str) {
            Some(code) => assert!(content["examples"].get(code).is_some(), "{what}: {code}"),
            None => is_taken(&what, operation, &line),
        }
        asked.insert(route);
    }
    asked
}

/// Holds a body that was taken against what the operation takes.
fn is_taken(what: &str, operation: &Value, line: &Value) {
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    match line.get("body") {
        Some(body) if schema.is_object() => holds(what, schema, body),
        Some(body) => assert_eq!(*body, json!({}), "{what} takes no body"),
        None => assert!(!schema.is_object(), "{what} takes a body"),
    }
}

#[test]
fn the_recorded_answers_are_as_documented() {
    let mut asked = documented("whole-contract");
    asked.extend(documented("sandbox"));
    // What is not recorded here is asked of a running service by the clients' tests.
    assert!(asked.len() > operations().len() / 2, "only {} operations are recorded", asked.len());
}
