//! Fields of bodies and answers, with type and limits, as the `OpenAPI` document declares them.

use std::fmt::Write;

use serde_json::Value;

use super::descriptions::description_html;
use super::{Lang, escape_html};

/// How deep an answer's parts are shown.
const DEEPEST: usize = 3;

/// A document, to which references lead, and the language of the page.
#[derive(Clone, Copy)]
pub(super) struct Schemas<'a> {
    pub(super) document: &'a Value,
    pub(super) lang: Lang,
}

impl<'a> Schemas<'a> {
    /// Returns what stands where a reference leads, or the value itself.
    pub(super) fn resolve(self, value: &'a Value) -> &'a Value {
        let path = value["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
        path.and_then(|path| self.document.pointer(path)).unwrap_or(value)
    }

    /// The fields of a schema as a list, under a heading.
    pub(super) fn write(self, page: &mut String, title: &str, schema: &'a Value) {
        let mut rows = String::new();
        let schema = self.resolve(schema);
        let several = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array());
        let shown = several.map_or_else(|| vec![schema], |of| of.iter().collect());
        for (place, one) in shown.into_iter().enumerate() {
            if place > 0 {
                let or = self.lang.t("ou", "or");
                let _ = writeln!(rows, "<p class=\"or\">{or}</p>");
            }
            self.write_rows(&mut rows, one, 0);
        }
        if !rows.is_empty() {
            let _ = writeln!(page, "<h4>{title}</h4>\n{rows}");
        }
    }

    fn write_rows(self, page: &mut String, schema: &'a Value, depth: usize) {
        let schema = self.resolve(schema);
        let Some(properties) = schema["properties"].as_object() else { return };
        let required = schema["required"].as_array();
        page.push_str("<dl class=\"fields\">\n");
        for (name, field) in properties {
            let needed = required.is_some_and(|all| all.iter().any(|one| one == name.as_str()));
            self.write_field(page, name, field, needed);
            self.write_parts(page, field, depth);
        }
        page.push_str("</dl>\n");
    }

    /// A parameter of a path or a query.
    pub(super) fn write_parameter(self, page: &mut String, parameter: &'a Value) {
        let needed = parameter["required"] == true;
        let mut field = parameter["schema"].clone();
        field["description"] = parameter["description"].clone();
        let name = parameter["name"].as_str().unwrap_or_default();
        self.write_field(page, name, &field, needed);
    }

    fn write_field(self, page: &mut String, name: &str, field: &Value, needed: bool) {
        let field_or_part = if field["$ref"].is_string() { self.resolve(field) } else { field };
        let need = if needed { self.lang.t("obrigatório", "required") } else { "" };
        let english = field["description"].as_str().unwrap_or_default();
        let (text, tag) = description_html(self.lang, english);
        let _ = write!(
            page,
            "<dt><code>{}</code> <span>{}</span> <em>{need}</em></dt>\n<dd lang=\"{tag}\">{text}",
            escape_html(name),
            escape_html(&self.kind(field_or_part)),
        );
        let limits = self.limits(field_or_part);
        if !limits.is_empty() {
            let _ = write!(page, " <small>{limits}</small>");
        }
        page.push_str("</dd>\n");
    }

    /// The fields of what a field holds, folded.
    fn write_parts(self, page: &mut String, field: &'a Value, depth: usize) {
        let of = field["anyOf"].as_array().or_else(|| field["allOf"].as_array());
        let held = self.resolve(of.and_then(|of| of.first()).unwrap_or(field));
        let part = if held["items"].is_object() { &held["items"] } else { held };
        let part = self.resolve(part);
        if depth < DEEPEST && part["properties"].is_object() {
            let title = self.lang.t("Campos", "Fields");
            let _ = writeln!(page, "<dd><details><summary>{title}</summary>");
            self.write_rows(page, part, depth + 1);
            page.push_str("</details></dd>\n");
        }
    }

    /// The type of a field, in a word or two.
    fn kind(self, field: &Value) -> String {
        let null = self.lang.t(" ou null", " or null");
        let of = |value: &Value| match value["type"].as_str() {
            Some("array") => {
                let items = self.resolve(&value["items"])["type"].as_str().unwrap_or("object");
                format!("{items}[]")
            }
            Some(kind) => value["format"]
                .as_str()
                .filter(|it| *it != "int64")
                .map_or_else(|| kind.to_owned(), |format| format!("{kind}, {format}")),
            None => self.resolve(value)["type"].as_str().unwrap_or("object").to_owned(),
        };
        if let Some(kinds) = field["type"].as_array() {
            let kind = kinds.first().and_then(Value::as_str).unwrap_or_default();
            let mut alone = field.clone();
            alone["type"] = kind.into();
            return of(&alone) + if kinds.len() > 1 { null } else { "" };
        }
        match field["anyOf"].as_array().and_then(|of| of.first()) {
            Some(first) => of(first) + null,
            None => of(field),
        }
    }

    /// Returns what a field may hold at most and at least.
    fn limits(self, field: &Value) -> String {
        let held = field["anyOf"].as_array().and_then(|of| of.first()).unwrap_or(field);
        let mut said = Vec::new();
        for (least, most, unit) in [
            ("minimum", "maximum", ""),
            ("minLength", "maxLength", self.lang.t(" caracteres", " characters")),
            ("minItems", "maxItems", self.lang.t(" itens", " items")),
        ] {
            match (held[least].as_i64(), held[most].as_i64()) {
                (Some(least), Some(most)) => said.push(format!("{least}–{most}{unit}")),
                (Some(least), None) => said.push(format!("≥ {least}{unit}")),
                (None, Some(most)) => said.push(format!("≤ {most}{unit}")),
                (None, None) => {}
            }
        }
        // The pattern of nearly every text forbids control characters, which says little here.
        let pattern = held["pattern"].as_str().filter(|it| !it.contains("\\u0000"));
        said.extend(pattern.map(|it| format!("<code>{}</code>", escape_html(it))));
        let known = held["enum"].as_array().or_else(|| held["x-extensible-enum"].as_array());
        let known = known.into_iter().flatten().filter_map(Value::as_str);
        let known: Vec<_> = known.map(|it| format!("<code>{}</code>", escape_html(it))).collect();
        if held["enum"].is_array() && !known.is_empty() {
            said.push(known.join(" "));
        }
        said.join(" · ")
    }
}
