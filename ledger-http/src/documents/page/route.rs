//! One route on the page: what it is and takes, and beside that its samples and an answer.

use std::fmt::Write;

use serde_json::Value;

use super::fields::Schemas;
use super::samples::{SampleRequest, write_json};
use super::words::{self, translate};
use super::{Lang, escape_html, mark_code};

/// A route of the document.
pub(super) struct Route<'a> {
    /// Its method, in small letters.
    pub(super) method: &'static str,
    pub(super) path: &'a str,
    /// What the document says of it.
    pub(super) of: &'a Value,
}

impl<'a> Route<'a> {
    pub(super) fn id(&self) -> &'a str {
        self.of["operationId"].as_str().unwrap_or_default()
    }

    pub(super) fn tag(&self) -> &'a str {
        self.of["tags"][0].as_str().unwrap_or_default()
    }

    pub(super) fn summary(&self, lang: Lang) -> &'a str {
        translate(lang, self.id(), self.of["summary"].as_str().unwrap_or_default())
    }

    /// Returns what its body is, with an example.
    pub(super) fn request_body(&self) -> &'a Value {
        &self.of["requestBody"]["content"]["application/json"]
    }

    /// Its responses by their statuses.
    pub(super) fn responses(&self) -> impl Iterator<Item = (&'a str, &'a Value)> + use<'a> {
        let responses = self.of["responses"].as_object();
        responses.into_iter().flatten().map(|(status, response)| (status.as_str(), response))
    }

    /// Writes its section.
    pub(super) fn write(&self, page: &mut String, schemas: Schemas<'a>, base: &str) {
        let lang = schemas.lang;
        let parameters = self.of["parameters"].as_array().into_iter().flatten();
        let parameters = parameters.map(|it| schemas.resolve(it));
        let own: Vec<_> =
            parameters.filter(|it| it["in"] == "path" || it["in"] == "query").collect();
        self.write_heading(page, lang);
        if !own.is_empty() {
            let title = lang.t("Parâmetros", "Parameters");
            let _ = writeln!(page, "<h4>{title}</h4>\n<dl class=\"fields\">");
            for parameter in &own {
                schemas.write_parameter(page, parameter);
            }
            page.push_str("</dl>\n");
        }
        let title = lang.t("Corpo", "Body");
        schemas.write(page, title, &self.request_body()["schema"]);
        let answers = self.responses().filter(|(status, _)| status.starts_with('2'));
        let answers = answers.map(|(status, it)| (status, &it["content"]["application/json"]));
        let answers: Vec<_> = answers.filter(|(_, content)| content.is_object()).collect();
        if let Some((_, content)) = answers.first() {
            let title = lang.t("Resposta", "Answer");
            schemas.write(page, title, &content["schema"]);
        }
        self.write_refusals(page, lang);
        page.push_str("</div>\n<div class=\"code\">\n");
        let asked = SampleRequest {
            method: self.method.to_ascii_uppercase(),
            url: self.address(base, &own),
            needs_key: self.of["security"].is_null(),
            body: self.request_body().get("example"),
        };
        asked.write(page);
        if let Some((_, content)) = answers.first() {
            let title = lang.t("Resposta", "Answer");
            let statuses: Vec<_> = answers.iter().map(|(status, _)| *status).collect();
            write_json(page, &format!("{title} {}", statuses.join(", ")), &content["example"]);
        }
        page.push_str("</div>\n</section>\n");
    }

    fn write_heading(&self, page: &mut String, lang: Lang) {
        let key = if self.of["security"].is_null() {
            lang.t("Com chave.", "With a key.")
        } else {
            lang.t("Sem chave.", "Without a key.")
        };
        let (id, method) = (self.id(), self.method);
        let english = self.of["description"].as_str().unwrap_or_default();
        let text = translate(lang, &format!("{id}.text"), english);
        let tag = if text == english { "en" } else { lang.tag() };
        let _ = writeln!(
            page,
            "<section id=\"{id}\" aria-labelledby=\"{id}-name\">\n<div>\n\
             <h3 id=\"{id}-name\"><a href=\"#{id}\">{}</a></h3>\n\
             <p class=\"path\"><b>{}</b> <code>{}</code></p>\n\
             <p lang=\"{tag}\">{}</p>\n<p>{key}</p>",
            escape_html(self.summary(lang)),
            method.to_ascii_uppercase(),
            escape_html(self.path),
            mark_code(text),
        );
    }

    fn write_refusals(&self, page: &mut String, lang: Lang) {
        let title = lang.t("Erros", "Errors");
        let mut rows = String::new();
        for (status, response) in self.responses() {
            for (code, meaning) in codes(response) {
                let _ = writeln!(
                    rows,
                    "<dt><a href=\"#{code}\"><code>{code}</code></a> <span>{status}</span></dt>{}",
                    words::meaning(lang, code, meaning),
                );
            }
        }
        if !rows.is_empty() {
            let _ = writeln!(
                page,
                "<details>\n<summary>{title}</summary>\n<dl class=\"fields\">\n{rows}</dl>\n</details>",
            );
        }
    }

    /// The address of a request, with the examples of what stands in it.
    fn address(&self, base: &str, parameters: &[&Value]) -> String {
        let mut address = format!("{base}{}", self.path);
        let mut query = Vec::new();
        for parameter in parameters {
            let name = parameter["name"].as_str().unwrap_or_default();
            let example = &parameter["example"];
            let example = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
            if parameter["in"] == "path" {
                address = address.replace(&format!("{{{name}}}"), &example);
            } else if parameter["required"] == true {
                query.push(format!("{name}={}", example.replace('+', "%2B")));
            }
        }
        if query.is_empty() { address } else { format!("{address}?{}", query.join("&")) }
    }
}

/// The codes that a response lists, with what each means.
pub(super) fn codes(response: &Value) -> impl Iterator<Item = (&str, &str)> {
    let lines = response["description"].as_str().unwrap_or_default().lines();
    lines.filter_map(|line| line.strip_prefix("- `")?.split_once("`: "))
}
