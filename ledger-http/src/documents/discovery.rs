//! Documents that say where the service and its documents are.

use ledger_core::contract::{CONTRACT_VERSION, TAGS};
use serde_json::{Map, Value, json};

use super::{Config, mcp};

/// A document that the service publishes beside its routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// The path at which it is served, from the root.
    pub path: &'static str,
    /// The content type, as it is sent.
    pub content_type: &'static str,
    /// Its name in clients; none for pages, which clients do not read.
    pub name: Option<&'static str>,
    /// What it is, in a few words.
    pub summary: &'static str,
}

const fn published_document(
    path: &'static str,
    content_type: &'static str,
    name: Option<&'static str>,
    summary: &'static str,
) -> Published {
    Published { path, content_type, name, summary }
}

/// The content type of linksets, with the profile of RFC 9727.
const LINKSET: &str =
    "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"";

const JSON: &str = "application/json";

/// Every document that is published, each once.
pub const PUBLISHED: [Published; 9] = [
    published_document("/", "text/html; charset=utf-8", None, "The home of the service"),
    published_document("/docs", "text/html; charset=utf-8", None, "Every route, error and event"),
    published_document("/openapi.json", JSON, Some("getOpenApi"), "The contract as OpenAPI"),
    published_document(
        "/llms.txt",
        "text/plain; charset=utf-8",
        Some("getLlmsText"),
        "An overview for agents",
    ),
    published_document(
        "/quickstart",
        "text/markdown; charset=utf-8",
        Some("getQuickstart"),
        "The first calls, to be run as they stand",
    ),
    published_document(
        "/.well-known/api-catalog",
        LINKSET,
        Some("getApiCatalog"),
        "Where the API is described",
    ),
    published_document(
        "/.well-known/agent-card.json",
        JSON,
        Some("getAgentCard"),
        "The service for agents",
    ),
    published_document(
        "/.well-known/mcp.json",
        JSON,
        Some("getMcpCard"),
        "The service for clients of MCP",
    ),
    published_document(
        "/.well-known/apis.json",
        JSON,
        Some("getApisJson"),
        "The API for catalogues",
    ),
];

/// `Link` of the home address (RFC 8288): where the API is described.
#[must_use]
pub fn link_header() -> String {
    [
        ("/.well-known/api-catalog", "api-catalog", "application/linkset+json"),
        ("/openapi.json", "service-desc", "application/vnd.oai.openapi+json;version=3.1"),
        ("/docs", "service-doc", "text/html"),
        ("/llms.txt", "describedby", "text/plain"),
    ]
    .map(|(path, relation, content)| format!("<{path}>; rel=\"{relation}\"; type=\"{content}\""))
    .join(", ")
}

/// `/.well-known/api-catalog`: a linkset (RFC 9264) as RFC 9727 has it.
#[must_use]
pub fn api_catalog(config: &Config) -> Value {
    let link =
        |path: &str, content: &str| json!([{ "href": config.address(path), "type": content }]);
    json!({
        "linkset": [{
            "anchor": config.base_url,
            "service-desc": link("/openapi.json", "application/vnd.oai.openapi+json;version=3.1"),
            "service-doc": [
                { "href": config.docs_url, "type": "text/html" },
                { "href": config.address("/llms.txt"), "type": "text/plain" },
                { "href": config.address("/quickstart"), "type": "text/markdown" },
            ],
            "service-meta": [
                { "href": config.address("/mesh"), "type": JSON },
                { "href": config.address("/.well-known/agent-card.json"), "type": JSON },
                { "href": config.address("/.well-known/mcp.json"), "type": JSON },
                { "href": config.address("/.well-known/apis.json"), "type": JSON },
            ],
        }],
    })
}

/// `/.well-known/agent-card.json`: the service as an agent of A2A 1.0 sees it.
///
/// No binding of A2A is spoken here, so the one interface is the contract's own, over HTTP, under
/// a name of ours (the standard lets a binding be named by an address).
#[must_use]
pub fn agent_card(config: &Config) -> Value {
    let skill = |(name, description): &(&str, &str)| {
        json!({
            "id": name.to_ascii_lowercase(),
            "name": name,
            "description": description,
            "tags": ["pix", "crypto", "settlement"],
        })
    };
    let skills: Vec<_> = TAGS.iter().filter(|tag| is_skill(tag.0)).map(skill).collect();
    json!({
        "name": Config::TITLE,
        "description": Config::SUMMARY,
        "version": CONTRACT_VERSION,
        "documentationUrl": config.docs_url,
        "supportedInterfaces": [{
            "url": config.base_url,
            "protocolBinding": config.address("/openapi.json"),
            "protocolVersion": "1.0",
        }],
        "capabilities": { "streaming": false, "pushNotifications": false },
        "defaultInputModes": [JSON],
        "defaultOutputModes": [JSON],
        "securitySchemes": {
            "ApiKey": { "apiKeySecurityScheme": { "location": "header", "name": "X-API-Key" } },
        },
        "securityRequirements": [{ "schemes": { "ApiKey": { "list": [] } } }],
        "skills": skills,
    })
}

/// Tells whether a domain is something that an agent would ask for.
fn is_skill(tag: &str) -> bool {
    !matches!(tag, "Discovery" | "Sandbox" | "Account" | "Webhooks")
}

/// `/.well-known/mcp.json`: a server card (SEP-2127), which lists no tools.
#[must_use]
pub fn mcp_card(config: &Config) -> Value {
    let remote = |path: &str, headers: Value| {
        json!({
            "type": "streamable-http",
            "url": config.address(path),
            "supportedProtocolVersions": mcp::VERSIONS,
            "headers": headers,
        })
    };
    let key = json!([{
        "name": "X-API-Key",
        "description": "A test key, of POST /keys/sandbox.",
        "isRequired": true,
        "isSecret": true,
    }]);
    json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
        "name": "custody-ledger/settlement",
        "title": Config::TITLE,
        "description": Config::SUMMARY,
        "version": CONTRACT_VERSION,
        "websiteUrl": config.base_url,
        "remotes": [remote("/mcp", key), remote("/mcp/onboarding", json!([]))],
    })
}

/// `/.well-known/apis.json`: APIs.json 0.23.
#[must_use]
pub fn apis_json(config: &Config) -> Value {
    let property = |kind: &str, path: &str| json!({ "type": kind, "url": config.address(path) });
    json!({
        "name": Config::TITLE,
        "description": Config::SUMMARY,
        "image": config.address("/mark.svg"),
        "url": config.address("/.well-known/apis.json"),
        "specificationVersion": "0.23",
        "tags": ["pix", "crypto", "payments", "ledger"],
        "apis": [{
            "name": Config::TITLE,
            "description": Config::SUMMARY,
            "image": config.address("/mark.svg"),
            "humanURL": config.docs_url,
            "baseURL": config.base_url,
            "version": CONTRACT_VERSION,
            "tags": ["pix", "crypto", "payments", "ledger"],
            "properties": [
                property("OpenAPI", "/openapi.json"),
                property("Documentation", "/docs"),
                property("GettingStarted", "/quickstart"),
                property("LLMsTxt", "/llms.txt"),
                property("MCPServer", "/.well-known/mcp.json"),
                property("AgentCard", "/.well-known/agent-card.json"),
            ],
            "contact": [],
        }],
        "maintainers": [],
    })
}

/// The mark of the service, as SVG: what catalogues show beside its name.
pub const MARK: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 64 64\" \
    role=\"img\" aria-label=\"ledger\"><rect width=\"64\" height=\"64\" rx=\"12\" \
    fill=\"#14323f\"/><path d=\"M16 20h32M16 32h32M16 44h20\" stroke=\"#fff\" \
    stroke-width=\"5\" stroke-linecap=\"round\"/></svg>\n";

/// The documents as operations of `OpenAPI`.
pub(super) fn paths() -> Map<String, Value> {
    let described = |document: &Published| {
        let content = document.content_type.split(';').next().unwrap_or_default().to_owned();
        let kind = if content.starts_with("text/") { "string" } else { "object" };
        let schema = json!({ "type": kind });
        let operation = json!({
            "operationId": document.name?,
            "summary": document.summary,
            "description": format!("{}, public.", document.summary),
            "tags": ["Discovery"],
            "security": [],
            "responses": {
                "200": {
                    "description": "The document.",
                    "headers": {
                        "ETag": {
                            "description": "Changes with the document.",
                            "schema": { "type": "string" },
                            "example": "\"5a5a5a5a\"",
                        },
                    },
                    "content": { (content): { "schema": schema } },
                },
                "304": { "description": "The document is the one of `If-None-Match`." },
                "429": {
                    "description": "Too many requests.",
                    "content": {
                        "application/json": {
                            "schema": { "$ref": "#/components/schemas/Error" },
                        },
                    },
                },
            },
        });
        Some((document.path.to_owned(), json!({ "get": operation })))
    };
    PUBLISHED.iter().filter_map(described).collect()
}
