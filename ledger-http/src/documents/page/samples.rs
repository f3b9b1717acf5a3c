//! A request as `curl`, Python and TypeScript make it.

use std::fmt::Write;

use serde_json::Value;

use super::escape_html;

/// The languages of the samples: what an address and the stylesheet call each, and its name.
pub(super) const LANGUAGES: [(&str, &str); 3] =
    [("curl", "curl"), ("python", "Python"), ("typescript", "TypeScript")];

/// A request that a sample makes.
pub(super) struct SampleRequest<'a> {
    pub(super) method: String,
    /// The whole address, with the examples of its parameters.
    pub(super) url: String,
    pub(super) needs_key: bool,
    pub(super) body: Option<&'a Value>,
}

impl SampleRequest<'_> {
    /// The three samples as tabs, of which the page shows one everywhere.
    pub(super) fn write(&self, page: &mut String) {
        page.push_str("<div class=\"sample\"><p class=\"tabs\">");
        for (id, name) in LANGUAGES {
            let _ = write!(page, "<label for=\"{id}\">{name}</label>");
        }
        page.push_str("</p>\n");
        for ((id, _), code) in LANGUAGES.iter().zip([self.curl(), self.python(), self.typescript()])
        {
            let _ = writeln!(
                page,
                "<pre class=\"{id}\" tabindex=\"0\"><code>{}</code></pre>",
                escape_html(&code)
            );
        }
        page.push_str("</div>\n");
    }

    fn curl(&self) -> String {
        let mut code = format!("curl \"{}\"", self.url);
        let plain = if self.body.is_none() { "GET" } else { "POST" };
        if self.method != plain {
            let _ = write!(code, " -X {}", self.method);
        }
        if self.needs_key {
            code.push_str(" \\\n  -H \"X-API-Key: $KEY\"");
        }
        if let Some(body) = self.body {
            let body = format!("{body:#}").replace('\'', "'\\''");
            let _ = write!(code, " \\\n  -H \"Content-Type: application/json\" \\\n  -d '{body}'");
        }
        code
    }

    fn python(&self) -> String {
        let method = self.method.to_ascii_lowercase();
        let mut code = String::from(if self.needs_key {
            "import os, requests\n\n"
        } else {
            "import requests\n\n"
        });
        let _ = write!(code, "answer = requests.{method}(\n    \"{}\",\n", self.url);
        if self.needs_key {
            code.push_str("    headers={\"X-API-Key\": os.environ[\"KEY\"]},\n");
        }
        if let Some(body) = self.body {
            code.push_str("    json=");
            python(&mut code, body, 1);
            code.push_str(",\n");
        }
        code.push_str("    timeout=30,\n)\nprint(answer.status_code, answer.json())");
        code
    }

    fn typescript(&self) -> String {
        let mut code = format!("const answer = await fetch(\"{}\"", self.url);
        let mut options = String::new();
        if self.method != "GET" {
            let _ = writeln!(options, "  method: \"{}\",", self.method);
        }
        let key = self.needs_key.then_some("\"X-API-Key\": process.env.KEY!");
        let json = self.body.is_some().then_some("\"Content-Type\": \"application/json\"");
        let headers: Vec<_> = key.into_iter().chain(json).collect();
        if !headers.is_empty() {
            let _ = writeln!(options, "  headers: {{ {} }},", headers.join(", "));
        }
        if let Some(body) = self.body {
            let body = format!("{body:#}").replace('\n', "\n  ");
            let _ = writeln!(options, "  body: JSON.stringify({body}),");
        }
        if !options.is_empty() {
            let _ = write!(code, ", {{\n{options}}}");
        }
        code.push_str(");\nconsole.log(answer.status, await answer.json());");
        code
    }
}

/// A value as JSON, under a title.
pub(super) fn write_json(page: &mut String, title: &str, value: &Value) {
    let value = escape_html(&format!("{value:#}"));
    let _ = writeln!(
        page,
        "<p class=\"tabs\">{title}</p>\n<pre tabindex=\"0\"><code>{value}</code></pre>",
    );
}

/// A value as Python writes it.
fn python(code: &mut String, value: &Value, depth: usize) {
    let indent = "    ".repeat(depth);
    match value {
        Value::Null => code.push_str("None"),
        Value::Bool(true) => code.push_str("True"),
        Value::Bool(false) => code.push_str("False"),
        Value::Array(items) => {
            code.push('[');
            for (place, item) in items.iter().enumerate() {
                code.push_str(if place == 0 { "" } else { ", " });
                python(code, item, depth);
            }
            code.push(']');
        }
        Value::Object(fields) => {
            code.push_str("{\n");
            for (name, field) in fields {
                let _ = write!(code, "{indent}    \"{name}\": ");
                python(code, field, depth + 1);
                code.push_str(",\n");
            }
            let _ = write!(code, "{indent}}}");
        }
        Value::Number(_) | Value::String(_) => {
            let _ = write!(code, "{value}");
        }
    }
}
