//! A page of HTML, read strictly: every tag is closed in its turn, and tables and lists of values
//! are what they say.

use std::collections::BTreeMap;

/// One element under way or whole.
#[derive(Clone, Debug, Default)]
pub struct Element {
    pub tag: String,
    pub attributes: BTreeMap<String, String>,
    /// The text in it and in what it holds, entities read.
    pub text: String,
    pub children: Vec<Element>,
}

/// Elements that have no end tag, in HTML and in the SVG drawn here.
const EMPTY: [&str; 2] = ["meta", "link"];

/// Reads a page.
///
/// # Panics
///
/// Where it is not well formed.
pub fn parse(page: &str) -> Element {
    let mut rest = page.strip_prefix("<!doctype html>").expect("it says what it is");
    let mut open = vec![Element::default()];
    while let Some(begin) = rest.find('<') {
        let text = read(&rest[..begin]);
        for element in &mut open {
            element.text.push_str(&text);
        }
        let end = rest[begin..].find('>').expect("a tag ends") + begin;
        let tag = &rest[begin + 1..end];
        rest = &rest[end + 1..];
        if let Some(tag) = tag.strip_prefix('/') {
            let closed = open.pop().expect("something is open");
            assert_eq!(closed.tag, tag, "closed in its turn");
            open.last_mut().expect("the page is open").children.push(closed);
            continue;
        }
        let (tag, alone) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let element = element(tag);
        if element.tag == "style" {
            // What stands in it is no markup.
            rest = &rest[rest.find("</style>").expect("a style ends")..];
        }
        if alone || EMPTY.contains(&&*element.tag) {
            open.last_mut().expect("the page is open").children.push(element);
        } else {
            open.push(element);
        }
    }
    assert_eq!(rest.trim(), "");
    assert_eq!(open.len(), 1, "everything is closed: {:?}", open.last().map(|it| &it.tag));
    let mut page = open.remove(0);
    assert_eq!(page.children.len(), 1);
    page.children.remove(0)
}

fn element(tag: &str) -> Element {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{tag}");
    let mut attributes = BTreeMap::new();
    while !rest.trim().is_empty() {
        let (name, after) = rest.split_once("=\"").unwrap_or_else(|| panic!("{tag}"));
        let (value, after) = after.split_once('"').unwrap_or_else(|| panic!("{tag}"));
        let twice = attributes.insert(name.trim().to_owned(), read(value));
        assert!(twice.is_none(), "{tag}");
        rest = after;
    }
    Element { tag: name.to_owned(), attributes, ..Element::default() }
}

/// Text with its entities read.
fn read(text: &str) -> String {
    let mut parts = text.split('&');
    let mut read = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (entity, rest) = part.split_once(';').unwrap_or_else(|| panic!("a bare &: {text}"));
        read.push_str(match entity {
            "amp" | "#38" => "&",
            "lt" | "#60" => "<",
            "gt" | "#62" => ">",
            "quot" | "#34" => "\"",
            "apos" | "#39" => "'",
            other => panic!("&{other}; is no entity of ours"),
        });
        read.push_str(rest);
    }
    read
}

impl Element {
    /// Every element of this tag in it, in the order of the page.
    pub fn all(&self, tag: &str) -> Vec<&Element> {
        let mut found = Vec::new();
        for child in &self.children {
            if child.tag == tag {
                found.push(child);
            }
            found.extend(child.all(tag));
        }
        found
    }

    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}
