//! Pages for people: the home of the service, and the whole contract. Neither has a script.

use std::fmt::Write;

use ledger_core::contract::{
    AnswerField, CONTRACT_VERSION, Field, Need, TABLE, TAGS, TOPICS, topic, topic_meaning,
};

use super::operations::{Operation, operations};
use super::{Config, openapi, schema};

/// How the pages look; they load nothing.
const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
code,pre{font-family:ui-monospace,monospace;font-size:.9em}\
pre{overflow-x:auto;padding:.75rem;border:1px solid #8886;border-radius:.4rem}\
table{border-collapse:collapse;width:100%;display:block;overflow-x:auto}\
th,td{text-align:left;vertical-align:top;padding:.25rem .6rem .25rem 0;border-bottom:1px solid #8884}\
section{margin:2.5rem 0}nav ul{columns:3 14rem}:target{background:#ffec9955}";

/// The home of the service: what it is, and where everything else is.
#[must_use]
pub fn home(config: &Config) -> String {
    let mut body = format!(
        "<h1>{}</h1>\n<p>{}</p>\n<p>Contract {CONTRACT_VERSION} at <code>{}</code>.</p>\n<ul>\n",
        Config::TITLE,
        Config::SUMMARY,
        escaped(&config.base_url),
    );
    for (path, what) in [
        ("/docs", "every route, error and event"),
        ("/quickstart", "the first calls, to be run as they stand"),
        ("/openapi.json", "the contract as OpenAPI 3.1"),
        ("/llms.txt", "an overview for agents"),
        ("/.well-known/api-catalog", "where the API is described"),
    ] {
        let _ = writeln!(body, "<li><a href=\"{path}\">{path}</a>: {what}</li>");
    }
    body.push_str("</ul>\n");
    document(Config::TITLE, &body)
}

/// The whole contract as one page: every route, error and event, each with an anchor.
///
/// ```
/// use ledger_http::documents::{Config, page::reference};
///
/// let page = reference(&Config::at("https://api.example.com"));
/// assert!(page.contains("id=\"createCharge\""));
/// assert!(page.contains("id=\"saldo_insuficiente\""));
/// assert!(!page.contains("<script"));
/// ```
#[must_use]
pub fn reference(config: &Config) -> String {
    let all = operations();
    let mut body = format!("<h1>{}</h1>\n<p>{}</p>\n", Config::TITLE, Config::SUMMARY);
    let _ = writeln!(
        body,
        "<p>Contract {CONTRACT_VERSION} at <code>{}</code>, for machines as \
         <a href=\"/openapi.json\">OpenAPI</a>. Send the key in <code>X-API-Key</code>.</p>\n<nav><ul>",
        escaped(&config.base_url),
    );
    for operation in &all {
        let (method, path) = (operation.method.name(), escaped(operation.path));
        let _ = writeln!(body, "<li><a href=\"#{}\">{method} {path}</a></li>", operation.id());
    }
    body.push_str(
        "<li><a href=\"#errors\">Errors</a></li>\n<li><a href=\"#events\">Events</a></li>\n\
         </ul></nav>\n",
    );
    for (tag, description) in TAGS {
        let of_tag: Vec<_> =
            all.iter().filter(|operation| operation.shape.text.tag == tag).collect();
        if of_tag.is_empty() {
            continue;
        }
        let _ = writeln!(body, "<h2>{tag}</h2>\n<p>{}</p>", escaped(description));
        for operation in of_tag {
            write_operation(&mut body, operation);
        }
    }
    write_errors(&mut body);
    write_events(&mut body);
    document(Config::TITLE, &body)
}

fn write_operation(body: &mut String, operation: &Operation) {
    let text = &operation.shape.text;
    let key = if operation.needs_key() { "" } else { " It needs no key." };
    let _ = writeln!(
        body,
        "<section id=\"{}\">\n<h3>{}</h3>\n<p><code>{} {}</code></p>\n<p>{}{key}</p>",
        operation.id(),
        escaped(text.summary),
        operation.method.name(),
        escaped(operation.path),
        marked(&operation.description()),
    );
    let parameters = [operation.path_parameters(), operation.query_parameters()].concat();
    write_fields(body, "Parameters", parameters.into_iter());
    write_fields(body, "Body", operation.body().iter());
    if !operation.body().is_empty() {
        let example = format!("{:#}", openapi::example(operation));
        let _ = writeln!(body, "<pre>{}</pre>", escaped(&example));
    }
    write_answer(body, "Answer", operation.shape.answer.fields);
    if let Some(variant) = operation.shape.answer.variant {
        let title = format!("Answer with <code>{}</code>", variant.parameter);
        write_answer(body, &title, variant.answer.fields);
    }
    let refusals: Vec<_> = operation
        .refusals()
        .iter()
        .map(|(status, code)| format!("<a href=\"#{0}\">{0}</a> ({status})", code.name()))
        .collect();
    let _ = writeln!(body, "<p>Refused with {}.</p>\n</section>", refusals.join(", "));
}

fn write_fields<'a>(body: &mut String, title: &str, fields: impl Iterator<Item = &'a Field>) {
    let mut rows = String::new();
    for field in fields {
        let need = if field.need == Need::Required { "required" } else { "optional" };
        let meaning = escaped(&schema::description(field));
        let example = escaped(&field.example().to_string());
        let _ = writeln!(
            rows,
            "<tr><td><code>{}</code></td><td>{need}</td><td>{meaning}</td>\
             <td><code>{example}</code></td></tr>",
            field.name,
        );
    }
    if !rows.is_empty() {
        let _ = writeln!(body, "<h4>{title}</h4>\n<table>\n{rows}</table>");
    }
}

fn write_answer<'a>(
    body: &mut String,
    title: &str,
    fields: impl IntoIterator<Item = &'a AnswerField>,
) {
    let _ = writeln!(body, "<h4>{title}</h4>\n<table>");
    for field in fields {
        let null = if field.nullable { "or null" } else { "" };
        let unit = field.unit().map(|unit| format!(" Unit: {unit}.")).unwrap_or_default();
        let _ = writeln!(
            body,
            "<tr><td><code>{}</code></td><td>{null}</td><td>{}.{}</td>\
             <td><code>{}</code></td></tr>",
            field.name,
            escaped(&schema::capitalised(field.meaning)),
            escaped(&unit),
            escaped(&field.example().to_string()),
        );
    }
    body.push_str("</table>\n");
}

fn write_errors(body: &mut String) {
    body.push_str("<h2 id=\"errors\">Errors</h2>\n<table>\n");
    for (code, name, status, action, _) in TABLE {
        let _ = writeln!(
            body,
            "<tr id=\"{name}\"><td><code>{name}</code></td><td>{status}</td>\
             <td><code>{}</code></td><td>{}</td></tr>",
            action.name(),
            marked(code.meaning()),
        );
    }
    body.push_str("</table>\n");
}

fn write_events(body: &mut String) {
    body.push_str("<h2 id=\"events\">Events</h2>\n<table>\n");
    for of in TOPICS {
        let meaning = marked(topic_meaning(of));
        let _ = writeln!(body, "<tr><td><code>{}</code></td><td>{meaning}</td></tr>", topic(of));
    }
    body.push_str("</table>\n");
}

fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <link rel=\"icon\" href=\"/mark.svg\">\n<style>{STYLE}</style>\n</head>\n\
         <body>\n{body}</body>\n</html>\n"
    )
}

/// Text as it may stand in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Text in which backquotes mark what is of the wire.
fn marked(text: &str) -> String {
    let parts = escaped(text);
    let parts = parts.split('`').enumerate();
    let tagged = |(place, part): (usize, &str)| match place % 2 {
        1 => format!("<code>{part}</code>"),
        _ => part.to_owned(),
    };
    parts.map(tagged).collect()
}
