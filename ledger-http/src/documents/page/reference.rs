//! The whole contract as one page, made of the `OpenAPI` document: a sidebar with a search, guides,
//! every route with its samples, errors with what to do about them, and events.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::descriptions::description_html;
use super::fields::Schemas;
use super::route::Route;
use super::samples::write_json;
use super::words::{self, translate};
use super::{Lang, errors, sidebar};

/// The methods of a path, in the order in which the page shows them.
const METHODS: [&str; 5] = ["post", "get", "put", "patch", "delete"];

/// The page's body, of a document.
pub(super) fn body(document: &Value, base: &str, lang: Lang) -> String {
    let schemas = Schemas { document, lang };
    let none = Map::new();
    let paths = document["paths"].as_object().unwrap_or(&none).iter();
    let routes = paths.flat_map(|(path, item)| {
        let of = |method| item.get(method).map(|of| Route { method, path, of });
        METHODS.into_iter().filter_map(of)
    });
    let routes: Vec<_> = routes.collect();
    let mut page = String::new();
    sidebar::write(&mut page, schemas, &routes);
    let _ = writeln!(page, "<main id=\"main\">\n{}", words::guides(lang, base));
    for tag in document["tags"].as_array().into_iter().flatten() {
        let name = tag["name"].as_str().unwrap_or_default();
        let (text, of_text) =
            description_html(lang, tag["description"].as_str().unwrap_or_default());
        let _ = writeln!(
            page,
            "<h2 id=\"tag-{}\">{}</h2>\n<p lang=\"{of_text}\">{text}</p>",
            name.to_ascii_lowercase(),
            translate(lang, name, name),
        );
        for route in routes.iter().filter(|route| route.tag() == name) {
            route.write(&mut page, schemas, base);
        }
    }
    errors::write(&mut page, schemas, &routes);
    let _ = writeln!(page, "<h2 id=\"events\">{}</h2>", lang.t("Eventos", "Events"));
    for (name, event) in document["webhooks"].as_object().unwrap_or(&none) {
        write_event(&mut page, schemas, name, &event["post"]);
    }
    page.push_str("</main>\n");
    page
}

fn write_event<'a>(page: &mut String, schemas: Schemas<'a>, name: &str, event: &'a Value) {
    let (text, tag) =
        description_html(schemas.lang, event["description"].as_str().unwrap_or_default());
    let content = &event["requestBody"]["content"]["application/json"];
    let _ = writeln!(
        page,
        "<section id=\"{name}\" aria-labelledby=\"{name}-name\">\n<div>\n<h3 id=\"{name}-name\">\
         <a href=\"#{name}\"><code>{name}</code></a></h3>\n<p lang=\"{tag}\">{text}</p>",
    );
    let title = schemas.lang.t("Corpo", "Body");
    schemas.write(page, title, &content["schema"]);
    page.push_str("</div>\n<div class=\"code\">\n");
    write_json(page, title, &content["example"]);
    page.push_str("</div>\n</section>\n");
}
