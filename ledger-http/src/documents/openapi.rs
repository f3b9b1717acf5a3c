//! The contract as `OpenAPI` 3.1.0.

use ledger_core::contract::{CONTRACT_VERSION, DOCUMENTATION_REVISION, Field, Need, TAGS};
use serde_json::{Map, Value, json};

use super::operations::{Operation, operations};
use super::schema::{self, Components};
use super::{Config, deliveries, discovery, responses, webhooks};

/// The version of `OpenAPI` that the document is of.
pub const OPENAPI_VERSION: &str = "3.1.0";

/// What holds of every route (contract, section 1).
const RULES: &str = "\
Wire names are Portuguese, and are sent and compared exactly as written.

- Integers named `*_cents` are centavos of BRL: 5000 are R$ 50.00.
- Amounts of crypto are decimal strings with a dot.
- No text and no name has a NUL in it.
- Send a stable `external_id`, and the same body when asking again: nothing is done twice.
- An unknown outcome is no failure: look the operation up by its `external_id` first.
- Only `disponivel_cents` can be spent.
- Branch on `erro` and `acao` of errors, never on `detail`.
- Tolerate unknown fields, events, states and errors.";

/// The whole document: every route, every error, every event.
///
/// ```
/// use ledger_http::documents::{Config, openapi::openapi};
///
/// let document = openapi(&Config::at("https://api.example.com"));
/// assert_eq!(document["openapi"], "3.1.0");
/// let charge = &document["paths"]["/cashin/charge"]["post"];
/// assert_eq!(charge["operationId"], "createCharge");
/// ```
#[must_use]
pub fn openapi(config: &Config) -> Value {
    let mut components = Components::default();
    responses::error_schemas(&mut components);
    let mut paths = Map::new();
    for operation in operations() {
        let item = paths.entry(operation.path).or_insert_with(|| json!({}));
        let method = operation.method.name().to_ascii_lowercase();
        item[method] = describe_operation(&operation, &mut components);
    }
    if config.webhooks {
        paths.extend(deliveries::paths(&mut components));
    }
    paths.extend(discovery::paths());
    let events = webhooks::webhooks(&mut components);
    let tags = TAGS.map(|(name, description)| json!({ "name": name, "description": description }));
    json!({
        "openapi": OPENAPI_VERSION,
        "info": {
            "title": Config::TITLE,
            "summary": Config::SUMMARY,
            "description": format!(
                "{RULES}\n\nRevision {DOCUMENTATION_REVISION} of the documentation."
            ),
            "version": CONTRACT_VERSION,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": config.base_url, "description": "The key says which environment." }],
        "security": [{ "ApiKey": [] }, { "ApiKeyAuth": [] }],
        "tags": tags,
        "externalDocs": { "url": config.docs_url, "description": "The same for people." },
        "paths": paths,
        "webhooks": events,
        "components": {
            "securitySchemes": security_schemes(),
            "parameters": { "X-Request-ID": request_id() },
            "headers": responses::header_components(),
            "responses": { "AnyError": responses::any_error() },
            "examples": responses::error_examples(config),
            "schemas": components.into_map(),
        },
    })
}

/// An operation, with everything that it takes and answers.
fn describe_operation(operation: &Operation, components: &mut Components) -> Value {
    let text = &operation.shape.text;
    let mut described = json!({
        "operationId": operation.id(),
        "summary": text.summary,
        "description": operation.description(),
        "tags": [text.tag],
        "parameters": parameters(operation),
        "responses": responses::responses(operation, components),
    });
    if !operation.needs_key() {
        described["security"] = json!([]);
    }
    if !operation.body().is_empty() {
        described["requestBody"] = request_body(operation, components);
    }
    described
}

fn request_body(operation: &Operation, components: &mut Components) -> Value {
    let fields = operation.body();
    let mut body = schema::body(fields);
    if !fields.iter().any(|field| field.need == Need::Required) {
        body["minProperties"] = json!(1);
    }
    let name = format!("{}Request", operation.shape.text.name);
    let mut schema = components.add(&name, body);
    if let Some(variant) = operation.shape.answer.variant.filter(|it| !it.body.is_empty()) {
        let name = format!("{}Request", variant.text.name);
        schema = json!({ "anyOf": [schema, components.add(&name, schema::body(variant.body))] });
    }
    json!({
        "required": true,
        "description": "Other fields are tolerated, and `campos_ignorados` of the answer names them.",
        "content": { "application/json": { "schema": schema, "example": example(operation) } },
    })
}

/// A body that shows what is asked.
#[must_use]
pub fn example(operation: &Operation) -> Value {
    operation.example_fields().map(|field| (field.name.to_owned(), field.example())).collect()
}

fn parameters(operation: &Operation) -> Vec<Value> {
    let path = operation.path_parameters();
    let query = operation.query_parameters();
    let mut parameters: Vec<_> = path.into_iter().map(|field| parameter(field, "path")).collect();
    parameters.extend(query.into_iter().map(|field| parameter(field, "query")));
    parameters.push(json!({ "$ref": "#/components/parameters/X-Request-ID" }));
    parameters
}

fn parameter(field: &Field, place: &str) -> Value {
    json!({
        "name": field.name,
        "in": place,
        "required": field.need == Need::Required,
        "description": schema::description(field),
        "schema": schema::parameter(field),
        "example": field.example(),
    })
}

fn request_id() -> Value {
    json!({
        "name": "X-Request-ID",
        "in": "header",
        "required": false,
        // Any value is taken, so the form that is kept is no pattern here.
        "description": "An id of the client's own. The answer carries it where it is 8 to 64 letters, digits and `._:-`, and one that was made where it is not.",
        "schema": { "type": "string" },
        "example": "req-5a5a5a5a",
    })
}

fn security_schemes() -> Value {
    let scheme = |description: &str| json!({ "type": "apiKey", "in": "header", "name": "X-API-Key", "description": description });
    json!({
        "ApiKey": scheme(
            "The key of an account: `svc_live_` moves money, `svc_test_` plays. Only from a server."
        ),
        "ApiKeyAuth": scheme("The same under its other name."),
    })
}
