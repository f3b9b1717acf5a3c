//! Texts to begin with: `llms.txt` for agents, and a quickstart that runs as it stands.

use std::fmt::Write;

use ledger_core::contract::{CONTRACT_VERSION, DOCUMENTATION_REVISION, TAGS, TOPICS, topic};

use super::Config;
use super::operations::{Operation, operations};

/// Returns what the service is, what holds of every call, and every route with a line, as Markdown.
///
/// ```
/// use ledger_http::documents::{Config, guides::llms_text};
///
/// let text = llms_text(&Config::at("https://api.example.com"));
/// assert!(text.starts_with("# "));
/// assert!(text.contains("POST /cashin/charge"));
/// ```
#[must_use]
pub fn llms_text(config: &Config) -> String {
    let mut text = format!(
        "# {}\n\n> {}\n\n\
         Contract {CONTRACT_VERSION}, revision {DOCUMENTATION_REVISION}, at {}.\n\n",
        Config::TITLE,
        Config::SUMMARY,
        config.base_url,
    );
    text.push_str(
        "- Send the key in the header `X-API-Key`, from a server only; \
         `POST /keys/sandbox` makes a test key.\n\
         - Integers named `*_cents` are centavos of BRL; crypto is a decimal string.\n\
         - Send `destino: saldo` for custody: a charge without it buys crypto.\n\
         - Send a stable `external_id`; asked again with the same body, nothing is done twice.\n\
         - An unknown outcome is no failure: look it up by its `external_id` first.\n\
         - Branch on `erro` and `acao`: `corrigir`, `repetir`, `esperar`, `parar`, \
         `falar_com_suporte`.\n\
         - Only `disponivel_cents` can be spent.\n\n",
    );
    write_links(&mut text, config);
    let all = operations();
    for (tag, description) in TAGS {
        let of_tag: Vec<_> =
            all.iter().filter(|operation| operation.shape.text.tag == tag).collect();
        if !of_tag.is_empty() {
            write_tag(&mut text, config, (tag, description), &of_tag);
        }
    }
    let events: Vec<_> = TOPICS.into_iter().map(|of| format!("`{}`", topic(of))).collect();
    let _ = writeln!(text, "## Events\n\n{}.", events.join(", "));
    text
}

fn write_links(text: &mut String, config: &Config) {
    text.push_str("## Documents\n\n");
    for (title, path, what) in [
        ("OpenAPI", "/openapi.json", "every route, error and event, for machines"),
        ("Quickstart", "/quickstart", "the first calls, to be run as they stand"),
        ("API", "/docs", "the same as OpenAPI, for people"),
        ("MCP", "/mcp", "the routes as tools, with a test key"),
        ("MCP onboarding", "/mcp/onboarding", "how to begin as tools, without a key"),
    ] {
        let _ = writeln!(text, "- [{title}]({}): {what}", config.address(path));
    }
    text.push('\n');
}

fn write_tag(
    text: &mut String,
    config: &Config,
    (tag, description): (&str, &str),
    operations: &[&Operation],
) {
    let _ = writeln!(text, "## {tag}\n\n{description}\n");
    for operation in operations {
        let (method, path) = (operation.method.name(), operation.path);
        let at = format!("{}#{}", config.docs_url, operation.id());
        let key = if operation.needs_key() { "" } else { " No key is needed." };
        let (summary, description) = (operation.shape.text.summary, operation.description());
        let _ = writeln!(text, "- [{method} {path}]({at}): {summary}. {description}{key}");
    }
    text.push('\n');
}

/// The steps of the quickstart: what a step does, and the operation that does it.
const STEPS: [(&str, &str); 5] = [
    ("Make a test key; nothing moves with it.", "CreateSandboxKey"),
    ("Create a charge into the balance.", "CreateCharge"),
    ("Pay it, as no bank would.", "PaySandboxCharge"),
    ("See that it is paid.", "GetCharge"),
    ("See what can be spent.", "GetBalance"),
];

/// The first calls, as Markdown with a script of `curl` that runs as it stands.
///
/// ```
/// use ledger_http::documents::{Config, guides::quickstart};
///
/// let text = quickstart(&Config::at("https://api.example.com"));
/// assert!(text.contains("curl -sf \"$BASE/keys/sandbox\""));
/// ```
#[must_use]
pub fn quickstart(config: &Config) -> String {
    let mut text = format!(
        "# Quickstart\n\n\
         A test key, a charge paid in the sandbox, and the balance that it makes.\n\
         The script needs `sh`, `curl` and `python3`; nothing moves.\n\n\
         ```sh\nset -eu\nBASE={}\n\
         field() {{ python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' \"$1\"; }}\n",
        config.base_url,
    );
    let all = operations();
    for (number, (what, name)) in STEPS.iter().enumerate() {
        let step = all.iter().find(|operation| operation.shape.text.name == *name);
        let step = step.expect("the quickstart names routes of the table");
        let _ = write!(text, "\n# {}. {what}\n{}", number + 1, call(step));
    }
    text.push_str("```\n\n");
    let _ = writeln!(
        text,
        "Every route is described at {}, and for machines at {}.",
        config.docs_url,
        config.address("/openapi.json"),
    );
    text
}

/// A call of `curl`; what later steps need of its answer is kept.
fn call(operation: &Operation) -> String {
    let path = operation.path.replace("{cashin_id}", "$CHARGE");
    let query = if operation.shape.text.name == "GetBalance" { "?customer_ref=ana" } else { "" };
    let mut call = format!("curl -sf \"$BASE{path}{query}\"");
    if operation.needs_key() {
        call.push_str(" -H \"X-API-Key: $KEY\"");
    }
    if operation.method.name() == "POST" && operation.body().is_empty() {
        call.push_str(" -X POST");
    }
    if !operation.body().is_empty() {
        let body = super::openapi::example(operation);
        let _ = write!(call, " -H 'Content-Type: application/json' \\\n  -d '{body}'");
    }
    match operation.shape.text.name {
        "CreateSandboxKey" => format!("KEY=$({call} | field api_key)\n"),
        "CreateCharge" => format!("CHARGE=$({call} | field cashin_id)\n"),
        _ => format!("{call}\necho\n"),
    }
}
