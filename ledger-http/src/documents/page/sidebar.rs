//! The sidebar of the page: the other language, a search, the language of samples, and links.

use std::fmt::Write;

use serde_json::Value;

use super::fields::Schemas;
use super::route::Route;
use super::samples::LANGUAGES;
use super::words::{GUIDES, translate};
use super::{Config, Lang, escape_html};

/// A link of the sidebar, and by which words beside its name the search finds it.
struct Link<'a> {
    id: &'a str,
    name: &'a str,
    method: &'a str,
    sought: String,
}

impl<'a> Link<'a> {
    const fn to(id: &'a str, name: &'a str) -> Self {
        Self { id, name, method: "", sought: String::new() }
    }
}

pub(super) fn write(page: &mut String, schemas: Schemas<'_>, routes: &[Route<'_>]) {
    let (document, lang) = (schemas.document, schemas.lang);
    write_head(page, document, lang);
    let _ = writeln!(page, "<nav aria-label=\"{}\">", lang.t("Conteúdo", "Contents"));
    let guides = GUIDES.iter().map(|(id, pt, en)| Link::to(id, lang.t(pt, en)));
    write_links(page, lang.t("Guias", "Guides"), guides);
    for tag in document["tags"].as_array().into_iter().flatten() {
        let name = tag["name"].as_str().unwrap_or_default();
        let of_tag = routes.iter().filter(|route| route.tag() == name);
        write_links(page, translate(lang, name, name), of_tag.map(|it| link(it, schemas)));
    }
    let errors = [Link::to("errors", lang.t("Todos os erros", "All errors"))];
    write_links(page, lang.t("Erros", "Errors"), errors);
    let events = document["webhooks"].as_object().into_iter().flatten();
    write_links(page, lang.t("Eventos", "Events"), events.map(|(name, _)| Link::to(name, name)));
    page.push_str("</nav>\n</header>\n");
}

fn write_head(page: &mut String, document: &Value, lang: Lang) {
    let other = lang.other();
    let _ = writeln!(
        page,
        "<header class=\"side\">\n<p><a href=\"/\"><b>{}</b></a> <small>{}</small></p>\n\
         <p><a href=\"?lang={}\" hreflang=\"{tag}\" lang=\"{tag}\">{}</a> · \
         <a href=\"/openapi.json\">OpenAPI</a> · <a href=\"/quickstart\">Quickstart</a></p>\n\
         <form role=\"search\" hidden><label for=\"search\">{}</label>\
         <input id=\"search\" type=\"search\" autocomplete=\"off\" aria-describedby=\"found\">\
         <p id=\"found\" role=\"status\"></p></form>\n\
         <fieldset class=\"languages\"><legend>{}</legend>",
        Config::TITLE,
        document["info"]["version"].as_str().unwrap_or_default(),
        other.name(),
        lang.t("English", "Português"),
        lang.t("Procurar", "Search"),
        lang.t("Exemplos em", "Samples in"),
        tag = other.tag(),
    );
    let mut checked = " checked";
    for (id, name) in LANGUAGES {
        let _ = writeln!(
            page,
            "<input type=\"radio\" name=\"samples\" id=\"{id}\"{checked}><label for=\"{id}\">{name}</label>",
        );
        checked = "";
    }
    page.push_str("</fieldset>\n");
}

/// The link of a route, which the search finds by its path and by what its fields are called, too.
fn link<'a>(route: &Route<'a>, schemas: Schemas<'a>) -> Link<'a> {
    let mut sought = format!("{} {}", route.path, route.id());
    let fields = schemas.resolve(&route.request_body()["schema"])["properties"].as_object();
    for (name, _) in fields.into_iter().flatten() {
        let _ = write!(sought, " {name}");
    }
    Link { id: route.id(), name: route.summary(schemas.lang), method: route.method, sought }
}

fn write_links<'a>(page: &mut String, title: &str, links: impl IntoIterator<Item = Link<'a>>) {
    let mut rows = String::new();
    for link in links {
        let _ = writeln!(
            rows,
            "<li data-sought=\"{}\"><a href=\"#{}\">{} <b>{}</b></a></li>",
            escape_html(&link.sought),
            link.id,
            escape_html(link.name),
            link.method.to_ascii_uppercase(),
        );
    }
    if !rows.is_empty() {
        let _ = writeln!(page, "<h2>{title}</h2>\n<ul>\n{rows}</ul>");
    }
}
