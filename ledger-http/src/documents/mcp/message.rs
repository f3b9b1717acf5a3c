//! One message: read, and answered by itself or by a request of the contract.

use ledger_core::contract::{CONTRACT_VERSION, json};
use serde_json::{Map, Value, json};

use super::protocol::{
    Fault, META_CAPABILITIES, META_VERSION, STATELESS, VERSIONS, cacheable_result, discover_result,
    error, initialize_result, result,
};
use super::tools::{
    Endpoint, ToolAction, ToolAnswer, ToolCall, given_text, tool_action, tool_result, tools,
};
use crate::documents::Config;

/// The headers of a message that say something of it.
#[derive(Clone, Debug, Default)]
pub struct Headers {
    /// The header `MCP-Protocol-Version`, a date.
    pub version: Option<String>,
    /// The header `Mcp-Method`, the message's method again.
    pub method: Option<String>,
    /// The header `Mcp-Name`, the tool's name again.
    pub name: Option<String>,
    /// The key, of `X-API-Key` or of `Authorization: Bearer`.
    pub key: Option<String>,
}

/// An answer to a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The body; null where there is none.
    pub body: Value,
}

/// What becomes of a message.
pub enum Step {
    /// It is answered.
    Reply(Reply),
    /// It is answered once the contract has answered this.
    Call(ToolCall, Waiting),
}

/// A message that waits for the contract's answer.
pub struct Waiting {
    id: Value,
    stateless: bool,
}

impl Waiting {
    /// The answer to the message, given the contract's.
    #[must_use]
    pub fn into_reply(self, answer: &ToolAnswer) -> Reply {
        Reply { status: 200, body: result(&self.id, self.stateless, tool_result(answer)) }
    }
}

/// A refusal on its way.
struct Refused(Fault, String);

fn refusal(fault: Fault, message: impl Into<String>) -> Refused {
    Refused(fault, message.into())
}

/// Reads a message of an endpoint, and answers it as far as no ledger is needed.
#[must_use]
pub fn read(endpoint: Endpoint, config: &Config, headers: &Headers, body: &[u8]) -> Step {
    // As strictly as a body of the contract: a name that stands twice has no meaning.
    let read = str::from_utf8(body).map_err(|_| "it is no text in UTF-8".to_owned());
    let message = match read.and_then(|text| json::parse(text).map_err(|why| why.to_string())) {
        Ok(message) => message,
        Err(why) => {
            let text = format!("the message is no JSON: {why}");
            let body = error(&Value::Null, Fault::Parse, &text);
            return Step::Reply(Reply { status: 400, body });
        }
    };
    let id = message.get("id").cloned().unwrap_or_default();
    let stateless = is_stateless(headers, &message);
    match respond(endpoint, config, headers, &message, stateless) {
        Ok(step) => step,
        Err(Refused(fault, text)) => {
            Step::Reply(Reply { status: fault.status(stateless), body: error(&id, fault, &text) })
        }
    }
}

/// Tells whether a message is of the form without a handshake: its header or its own `_meta` says
/// so.
fn is_stateless(headers: &Headers, message: &Value) -> bool {
    let said = message["params"]["_meta"].get(META_VERSION);
    said.is_some() || headers.version.as_deref().is_some_and(|version| STATELESS <= version)
}

fn respond(
    endpoint: Endpoint,
    config: &Config,
    headers: &Headers,
    message: &Value,
    stateless: bool,
) -> Result<Step, Refused> {
    if message["jsonrpc"] != "2.0" {
        return Err(refusal(Fault::Request, "the message must be one object of JSON-RPC 2.0"));
    }
    let method = message["method"].as_str();
    let method = method.ok_or_else(|| refusal(Fault::Request, "the message has no method"))?;
    let id = match message.get("id") {
        Some(id @ (Value::String(_) | Value::Number(_))) => id,
        // A notification asks for nothing and is not answered.
        None => return Ok(Step::Reply(Reply { status: 202, body: Value::Null })),
        Some(_) => return Err(refusal(Fault::Request, "the id must be a text or a number")),
    };
    let params = message.get("params").and_then(Value::as_object).cloned().unwrap_or_default();
    if stateless {
        says_what_it_must(headers, method, &params)?;
    } else if let Some(version) = &headers.version {
        is_spoken(version)?;
    }
    let reply = |body| Ok(Step::Reply(Reply { status: 200, body }));
    match method {
        "initialize" if !stateless => {
            let asked = params.get("protocolVersion").and_then(Value::as_str);
            let text = instructions(endpoint, config);
            reply(result(id, false, initialize_result(asked, &server(config), &text)))
        }
        "server/discover" if stateless => {
            let found = discover_result(&server(config), &instructions(endpoint, config));
            reply(cacheable_result(id, true, found))
        }
        "ping" => reply(result(id, stateless, json!({}))),
        "tools/list" => reply(cacheable_result(id, stateless, json!({ "tools": tools(endpoint) }))),
        "tools/call" => {
            let key = headers.key.as_deref();
            let nothing = Map::new();
            let (name, arguments) = tool_and_arguments(&params, &nothing)?;
            let found = tool_action(endpoint, config, name, arguments, key);
            match found.map_err(|text| refusal(Fault::Params, text))? {
                ToolAction::Call(call) => {
                    Ok(Step::Call(call, Waiting { id: id.clone(), stateless }))
                }
                ToolAction::Text(text) => reply(result(id, stateless, given_text(&text))),
            }
        }
        _ => Err(refusal(Fault::Method, "nobody answers this method here")),
    }
}

/// The name and the arguments of a tool that is called.
fn tool_and_arguments<'a>(
    params: &'a Map<String, Value>,
    nothing: &'a Map<String, Value>,
) -> Result<(&'a str, &'a Map<String, Value>), Refused> {
    let name = params.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| refusal(Fault::Params, "name is required"))?;
    match params.get("arguments") {
        None | Some(Value::Null) => Ok((name, nothing)),
        Some(Value::Object(arguments)) => Ok((name, arguments)),
        Some(_) => Err(refusal(Fault::Params, "arguments must be an object")),
    }
}

/// Tells whether a request without a handshake says its version and capabilities, and its headers
/// the same as its body.
fn says_what_it_must(
    headers: &Headers,
    method: &str,
    params: &Map<String, Value>,
) -> Result<(), Refused> {
    let meta = params.get("_meta");
    let version = meta.and_then(|meta| meta.get(META_VERSION)).and_then(Value::as_str);
    let capabilities = meta.and_then(|meta| meta.get(META_CAPABILITIES));
    let Some(version) = version.filter(|_| capabilities.is_some_and(Value::is_object)) else {
        let text = format!("_meta must say {META_VERSION} and {META_CAPABILITIES}");
        return Err(refusal(Fault::Header, text));
    };
    is_spoken(version)?;
    let name = params.get("name").and_then(Value::as_str).filter(|_| method == "tools/call");
    let same = |header: &Option<String>, said: &str| header.as_deref() == Some(said);
    if !same(&headers.version, version) {
        return Err(refusal(Fault::Header, "MCP-Protocol-Version differs from the body"));
    }
    if !same(&headers.method, method) {
        return Err(refusal(Fault::Header, "Mcp-Method differs from the body"));
    }
    if name.is_some_and(|name| !same(&headers.name, name)) {
        return Err(refusal(Fault::Header, "Mcp-Name differs from the body"));
    }
    Ok(())
}

fn is_spoken(version: &str) -> Result<(), Refused> {
    if VERSIONS.contains(&version) {
        return Ok(());
    }
    Err(refusal(Fault::Version, "this version is not spoken here"))
}

fn server(config: &Config) -> Value {
    json!({
        "name": "custody-ledger",
        "title": Config::TITLE,
        "version": CONTRACT_VERSION,
        "websiteUrl": config.base_url,
    })
}

fn instructions(endpoint: Endpoint, config: &Config) -> String {
    let rules = "Integers named *_cents are centavos of BRL. Send a stable external_id, and the \
                 same arguments when asking again. An unknown outcome is no failure: look it up \
                 first.";
    match endpoint {
        Endpoint::Keyed => format!(
            "The sandbox of {}: send a test key in X-API-Key; nothing moves. {rules}",
            Config::TITLE,
        ),
        Endpoint::Onboarding => format!(
            "How to begin: create_sandbox_key makes a test key, register_agent an agent. Then send \
             the key in X-API-Key to {}. {rules}",
            config.address("/mcp"),
        ),
    }
}
