//! Tools: the routes of the contract, each with the schema of what it takes.

use std::net::IpAddr;

use ledger_core::contract::{Access, Effect, Field};
use serde_json::{Map, Value, json};

use crate::documents::operations::{Operation, operations};
use crate::documents::{Config, guides, schema};

/// Which endpoint is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// `/mcp`: every route, by a test key.
    Keyed,
    /// `/mcp/onboarding`: what needs no key, to get one.
    Onboarding,
}

/// A request of the contract that a tool asks, to be carried out in the sandbox.
#[derive(Clone, PartialEq)]
pub struct ToolCall {
    /// The method, such as `POST`.
    pub method: &'static str,
    /// Path and query, percent-encoded.
    pub target: String,
    /// The body; null where the route takes none.
    pub body: Value,
    /// The key that the client sent, if any.
    pub key: Option<String>,
    /// The address of the client, by which keys that are made are counted, where it is known.
    pub address: Option<IpAddr>,
}

/// What the contract answered to a [`ToolCall`].
#[derive(Clone, Debug, PartialEq)]
pub struct ToolAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The body, as JSON.
    pub body: Value,
}

/// Routes that make keys of production: no endpoint that is for tests asks for them.
const OF_PRODUCTION: [&str; 2] = ["CreateKey", "RequestProduction"];

/// A text that a tool gives by itself.
type Text = fn(&Config) -> String;

/// Tools that give texts: name, what it is, and the text.
const TEXTS: [(&str, &str, Text); 2] = [
    ("get_quickstart", "The first calls, to be run as they stand", guides::quickstart),
    ("get_overview", "What the service does, and every route with a line", guides::llms_text),
];

/// What a tool is to do.
pub enum ToolAction {
    /// A request of the contract.
    Call(ToolCall),
    /// A text that needs no ledger.
    Text(String),
}

impl Endpoint {
    fn offers(self, operation: &Operation) -> bool {
        let public = operation.shape.access == Access::Anybody;
        !OF_PRODUCTION.contains(&operation.shape.text.name) && (self == Self::Keyed || public)
    }
}

/// The tools of an endpoint, as `tools/list` gives them.
#[must_use]
pub fn tools(endpoint: Endpoint) -> Vec<Value> {
    let texts = TEXTS.iter().map(|(name, title, _)| {
        json!({
            "name": name,
            "title": title,
            "description": format!("{title}."),
            "inputSchema": { "type": "object", "properties": {} },
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        })
    });
    let all = operations();
    let offered = all.iter().filter(|operation| endpoint.offers(operation)).map(tool);
    offered.chain(texts).collect()
}

fn tool(operation: &Operation) -> Value {
    let reads = operation.shape.effect == Effect::Reads;
    let text = &operation.shape.text;
    let route = format!("{} {}", operation.method.name(), operation.path);
    json!({
        "name": operation.tool_name(),
        "title": text.summary,
        "description": format!("{} ({route})", operation.description()),
        "inputSchema": input(operation),
        "annotations": {
            "readOnlyHint": reads,
            "destructiveHint": false,
            "idempotentHint": reads || takes(operation, "external_id"),
            "openWorldHint": false,
        },
    })
}

fn takes(operation: &Operation, name: &str) -> bool {
    operation.body().iter().any(|field| field.name == name)
}

/// Returns what a tool takes: the parameters of path and query, and the fields of the body.
fn input(operation: &Operation) -> Value {
    let parameters = [operation.path_parameters(), operation.query_parameters()].concat();
    let described = |field: &&Field| {
        let mut described = schema::parameter(field);
        described["description"] = schema::description(field).into();
        (field.name.to_owned(), described)
    };
    let mut properties: Map<String, Value> = parameters.iter().map(described).collect();
    if let Some(variant) = operation.shape.answer.variant {
        properties.extend(schema::properties(variant.body));
    }
    properties.extend(schema::properties(operation.body()));
    let mut required: Vec<_> =
        parameters.iter().flat_map(|field| schema::required_names(&[**field])).collect();
    required.extend(schema::required_names(operation.body()));
    json!({ "type": "object", "properties": properties, "required": required })
}

/// Returns what the tool of this name is to do with these arguments.
///
/// # Errors
///
/// What is wrong with the name or the arguments, a sentence.
pub fn tool_action(
    endpoint: Endpoint,
    config: &Config,
    name: &str,
    arguments: &Map<String, Value>,
    key: Option<&str>,
) -> Result<ToolAction, String> {
    if let Some((_, _, text)) = TEXTS.iter().find(|(known, _, _)| *known == name) {
        return Ok(ToolAction::Text(text(config)));
    }
    let all = operations();
    let offered =
        |operation: &&Operation| endpoint.offers(operation) && operation.tool_name() == name;
    let operation = all.iter().find(offered);
    let operation = operation.ok_or_else(|| "there is no tool of this name".to_owned())?;
    let mut target = operation.path.to_owned();
    for field in operation.path_parameters() {
        let value = text(arguments, field)?;
        let value = value.ok_or_else(|| format!("{} is required", field.name))?;
        target = target.replace(&format!("{{{}}}", field.name), &percent_encode(&value));
    }
    let mut query = Vec::new();
    for field in operation.query_parameters() {
        if let Some(value) = text(arguments, field)? {
            query.push(format!("{}={}", field.name, percent_encode(&value)));
        }
    }
    if !query.is_empty() {
        target = format!("{target}?{}", query.join("&"));
    }
    Ok(ToolAction::Call(ToolCall {
        method: operation.method.name(),
        target,
        body: body(operation, arguments),
        key: key.map(str::to_owned),
        address: None,
    }))
}

/// The arguments that are no parameters of path or query; null where the route takes no body.
fn body(operation: &Operation, arguments: &Map<String, Value>) -> Value {
    if operation.body().is_empty() {
        return Value::Null;
    }
    let parameters = [operation.path_parameters(), operation.query_parameters()].concat();
    let is_parameter = |name: &str| parameters.iter().any(|field| field.name == name);
    let fields = arguments.iter().filter(|(name, _)| !is_parameter(name));
    Value::Object(fields.map(|(name, value)| (name.clone(), value.clone())).collect())
}

/// An argument that stands in path or query, as text.
fn text(arguments: &Map<String, Value>, field: &Field) -> Result<Option<String>, String> {
    match arguments.get(field.name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(_) => Err(format!("{} must be a text or a number", field.name)),
    }
}

/// Text as it stands in a segment of a path or a value of a query.
fn percent_encode(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// Returns what a tool gives back of an answer of the contract.
pub fn tool_result(answer: &ToolAnswer) -> Value {
    json!({
        "content": [{ "type": "text", "text": answer.body.to_string() }],
        "structuredContent": answer.body,
        "isError": answer.status >= 400,
    })
}

/// Returns what a tool gives back of a text.
pub fn given_text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }], "isError": false })
}
