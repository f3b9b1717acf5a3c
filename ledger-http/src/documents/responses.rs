//! What an operation answers: its answer, and every error by its status.

use ledger_core::contract::{Code, ERROR, Problem, TABLE, example};
use ledger_core::time::Instant;
use serde_json::{Map, Value, json};

use super::Config;
use super::operations::{Operation, operations};
use super::schema::{Components, reference};

/// An instant after the alias `code` was retired, at which example errors are made.
const EXAMPLE_AT: &str = "2026-11-20T12:05:00Z";

/// The responses of an operation, by their statuses.
pub fn responses(operation: &Operation, components: &mut Components) -> Map<String, Value> {
    let answer = &operation.shape.answer;
    let mut schema = components.object(answer.schema, answer.fields);
    if let Some(variant) = answer.variant {
        let other = components.object(variant.answer.schema, variant.answer.fields);
        schema = json!({ "oneOf": [schema, other] });
    }
    let example = example(answer.fields);
    let mut responses = Map::new();
    for status in answer.statuses {
        let description = match status {
            201 => "It was made now.",
            _ if answer.statuses.len() > 1 => "It was made before, or is only simulated.",
            _ => "Done.",
        };
        let response = json!({
            "description": description,
            "headers": headers(),
            "content": { "application/json": { "schema": schema, "example": example } },
        });
        responses.insert(status.to_string(), response);
    }
    responses.extend(refusal_responses(&operation.refusals()));
    responses
}

/// The responses of these refusals, which stand by their statuses, and of any other.
pub fn refusal_responses(refusals: &[(u16, Code)]) -> Map<String, Value> {
    let mut responses = Map::new();
    for of_status in refusals.chunk_by(|one, next| one.0 == next.0) {
        let (status, codes) = (of_status[0].0, of_status.iter().map(|(_, code)| *code));
        responses.insert(status.to_string(), error(status, &codes.collect::<Vec<_>>()));
    }
    responses.insert("default".to_owned(), json!({ "$ref": "#/components/responses/AnyError" }));
    responses
}

/// The response that any operation may give beside its own: clients tolerate unknown errors. It
/// lists the errors that no route of its own lists.
pub fn any_error() -> Value {
    let listed: Vec<Code> =
        operations().iter().flat_map(Operation::refusals).map(|(_, code)| code).collect();
    let codes: Vec<Code> =
        TABLE.iter().map(|row| row.0).filter(|code| !listed.contains(code)).collect();
    let mut response = error(0, &codes);
    let description = response["description"].as_str().unwrap_or_default();
    response["description"] =
        description.replacen("Refused, with one of:", "Any other error, such as:", 1).into();
    response
}

/// The response of these errors, which share a status.
fn error(status: u16, codes: &[Code]) -> Value {
    let lines: Vec<_> =
        codes.iter().map(|code| format!("- `{}`: {}", code.name(), code.meaning())).collect();
    let examples: Map<String, Value> = codes
        .iter()
        .map(|code| {
            let at = format!("#/components/examples/{}", code.name());
            (code.name().to_owned(), json!({ "$ref": at }))
        })
        .collect();
    let mut headers = headers();
    if status == 429 || status == 503 {
        headers["Retry-After"] = json!({ "$ref": "#/components/headers/Retry-After" });
    }
    json!({
        "description": format!("Refused, with one of:\n\n{}", lines.join("\n")),
        "headers": headers,
        "content": {
            "application/json": { "schema": reference("Error"), "examples": examples },
            "application/problem+json": { "schema": reference("Problem") },
        },
    })
}

/// The headers that any answer has.
pub fn headers() -> Value {
    json!({
        "X-Request-ID": { "$ref": "#/components/headers/X-Request-ID" },
        "RateLimit-Policy": { "$ref": "#/components/headers/RateLimit-Policy" },
        "RateLimit": { "$ref": "#/components/headers/RateLimit" },
    })
}

/// The headers of responses.
pub fn header_components() -> Value {
    let text = |description: &str, example: &str| json!({ "description": description, "schema": { "type": "string" }, "example": example });
    let mut request_id =
        text("The id of the request: the client's own, or one that was made.", "req-5a5a5a5a");
    request_id["required"] = true.into();
    json!({
        "X-Request-ID": request_id,
        "RateLimit-Policy": text("The quota, and its window in seconds.", "\"default\";q=100;w=60"),
        "RateLimit": text("What is left of the quota, and when it renews, in seconds.", "\"default\";r=99;t=12"),
        "Retry-After": {
            "description": "When to come back, in seconds.",
            "schema": { "type": "integer", "minimum": 0 },
            "example": 120,
        },
    })
}

/// An example of every error, by its code.
pub fn error_examples(config: &Config) -> Map<String, Value> {
    let at = Instant::parse(EXAMPLE_AT).expect("it is RFC 3339");
    let codes = TABLE.iter().map(|row| row.0);
    let example = |code: Code| {
        let mut value = Problem::new(code, code.meaning()).body(at, Some("req-5a5a5a5a"));
        value["docs"] = format!("{}#{}", config.docs_url, code.name()).into();
        (code.name().to_owned(), json!({ "summary": code.meaning(), "value": value }))
    };
    codes.map(example).collect()
}

/// The schemas of errors: the contract's, and the same as RFC 9457 has it.
pub fn error_schemas(components: &mut Components) {
    components.object("Error", ERROR);
    let error = components.schema_mut("Error");
    error["description"] = "The contract's error: branch on `erro` and `acao`.".into();
    error["properties"]["erro"]["x-extensible-enum"] =
        TABLE.iter().map(|row| row.1).collect::<Vec<_>>().into();
    error["properties"]["code"]["deprecated"] = true.into();
    let mut problem = error.clone();
    problem["description"] = "The same in the form of RFC 9457, given where it is accepted.".into();
    problem["properties"]["type"] = json!({
        "type": "string",
        "format": "uri-reference",
        "description": "Where the error is described: the same as `docs`.",
        "examples": ["https://example.com/docs#saldo_insuficiente"],
    });
    problem["properties"]["title"] = json!({
        "type": "string",
        "description": "The HTTP status in words.",
        "examples": ["Conflict"],
    });
    // In this form `status` is the HTTP status, whatever the operation or agent is.
    problem["properties"]["status"] = json!({
        "type": "integer",
        "description": "The HTTP status.",
        "examples": [409],
    });
    if let Some(Value::Array(required)) = problem.get_mut("required") {
        required.extend(["type", "title", "status"].map(Value::from));
    }
    components.add("Problem", problem);
}
