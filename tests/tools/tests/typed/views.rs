//! The typed answers of the library, written from the fields that the contract's reference declares.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use ledger_core::contract::{AnswerField, AnswerType, RouteShape, RouteText, route_texts, routes};
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;

use super::generate::{GENERATED, differing, none_of};
use super::names::{self, ROUTES, camel, heading, variant};
use super::shapes::{comment, sentence};
use super::view_names::{ABSENT, ENUMS, PRESENT, STANDING, amount, name_of};

/// The types under way, a text a domain.
#[derive(Default)]
struct Views {
    domains: BTreeMap<&'static str, String>,
    /// Objects that were written: the domain of each.
    objects: BTreeMap<String, (&'static str, String)>,
    /// Enumerations that were written: the domain and name of each list of words.
    enums: BTreeMap<Vec<&'static str>, (&'static str, String)>,
}

#[test]
fn every_answer_that_is_declared_has_a_type() {
    let mut views = Views::default();
    for shape in routes::<JournalArchive, Vault>() {
        let text = text_of(shape);
        let named = ROUTES.iter().find(|named| named.route == names::route(shape.ask));
        let domain = named.expect("each route is named").domain;
        let answered = |field: &&AnswerField| shape.answer.contains(&field.name);
        let fields: Vec<&AnswerField> = text.fields.iter().filter(answered).collect();
        let meaning = answered_first(text.schema);
        views.object(domain, text.schema, &meaning, &fields);
        if let Some(variant) = text.variant {
            let meaning = format!("What `{}?{}=` is answered.", text.route, variant.parameter);
            let fields: Vec<&AnswerField> = variant.fields.iter().collect();
            views.object(domain, variant.schema, &meaning, &fields);
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/view");
    let files = views.domains.iter().map(|(domain, text)| {
        let whole = format!(
            "//! Answers about {}.\n{GENERATED}{}\n{text}",
            heading(domain),
            imports(domain, &views, text)
        );
        differing(root.join(format!("{domain}.rs")), &whole)
    });
    none_of(&files.flatten().collect::<Vec<_>>());
}

/// What the reference says of a route.
pub fn text_of(shape: &RouteShape) -> &'static RouteText {
    let text = route_texts().find(|text| text.is_of(shape.ask));
    text.unwrap_or_else(|| panic!("{:?} is described nowhere", shape.ask))
}

/// What the first route that is answered so says of its answer.
fn answered_first(schema: &str) -> String {
    let text = route_texts().find(|text| text.schema == schema);
    format!("What `{}` is answered.", text.expect("it is a route's").route)
}

impl Views {
    /// Writes a structure, once; what it is made of is written before it.
    fn object(
        &mut self,
        domain: &'static str,
        name: &'static str,
        meaning: &str,
        fields: &[&AnswerField],
    ) {
        let said = format!("{fields:?}");
        if STANDING.contains(&name) {
            return;
        }
        if let Some((_, known)) = self.objects.get(name) {
            assert_eq!(*known, said, "{name} has fields of two kinds: call one otherwise");
            return;
        }
        self.objects.insert(name.to_owned(), (domain, said));
        let mut text = format!(
            "\n{}\n#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]\n#[non_exhaustive]\npub struct {name} {{\n",
            comment(meaning, "")
        );
        for (place, field) in fields.iter().enumerate() {
            let own = place == 0;
            let rust = name_of(name, field.name, own, fields.iter().map(|field| field.name));
            let (of, plain) = self.type_of(domain, name, &rust, field);
            let present = PRESENT.contains(&(name, field.name));
            let skipped = !field.always && !field.nullable || ABSENT.contains(&(name, field.name));
            let (skipped, optional) =
                (skipped && !present, (field.nullable || skipped) && !present);
            let of = if optional { format!("Option<{of}>") } else { of };
            let mut attributes: Vec<String> = Vec::new();
            if rust != field.name {
                attributes.push(format!("rename = {:?}", field.name));
            }
            if plain {
                attributes.push("with = \"super::plain\"".to_owned());
            }
            if skipped {
                attributes.push("default".to_owned());
                attributes.push("skip_serializing_if = \"Option::is_none\"".to_owned());
            }
            let _ = writeln!(text, "{}", comment(&capital(&sentence(field.meaning)), "    "));
            if !attributes.is_empty() {
                let _ = writeln!(text, "    #[serde({})]", attributes.join(", "));
            }
            let _ = writeln!(text, "    pub {rust}: {of},");
        }
        text.push_str("}\n");
        self.domains.entry(domain).or_default().push_str(&text);
    }

    /// What a field is in Rust, and whether it stands in JSON as a plainer value.
    fn type_of(
        &mut self,
        domain: &'static str,
        parent: &'static str,
        rust: &str,
        field: &AnswerField,
    ) -> (String, bool) {
        let of = match field.holds {
            AnswerType::Text(_) if names::operation(field.name) => "OperationId".to_owned(),
            AnswerType::Text(_) if field.name == "api_key" => return ("ApiKey".to_owned(), true),
            AnswerType::Text(_) if field.name == "webhook_secret" => {
                return ("Secret".to_owned(), true);
            }
            AnswerType::Text(_) => "String".to_owned(),
            AnswerType::Word([_]) => "String".to_owned(),
            AnswerType::Word(words) => self.words(domain, parent, rust, words),
            AnswerType::Centavos(_) => return (amount(parent, field.name).to_owned(), true),
            AnswerType::BasisPoints(_) => "u16".to_owned(),
            AnswerType::Whole(..) => "u64".to_owned(),
            AnswerType::Decimal(..) => return ("Decimal".to_owned(), true),
            AnswerType::Flag(_) => "bool".to_owned(),
            AnswerType::Moment => return ("Instant".to_owned(), true),
            AnswerType::Object(name, fields) => self.within(domain, parent, (name, fields), field),
            AnswerType::Objects(name, fields) => {
                format!("Vec<{}>", self.within(domain, parent, (name, fields), field))
            }
            // What groups a service asks its customers to join, only the service knows.
            AnswerType::Texts(_) if field.name == "grupos_obrigatorios" => "Vec<Value>".to_owned(),
            AnswerType::Texts(_) => "Vec<String>".to_owned(),
            AnswerType::Operation => "Value".to_owned(),
        };
        (of, false)
    }

    fn within(
        &mut self,
        domain: &'static str,
        parent: &str,
        (name, fields): (&'static str, &'static [AnswerField]),
        field: &AnswerField,
    ) -> String {
        let part = format!("Of [`{parent}`]: {}", sentence(field.meaning));
        let whole = route_texts().any(|text| text.schema == name);
        let meaning = if whole { answered_first(name) } else { part };
        self.object(domain, name, &meaning, &fields.iter().collect::<Vec<_>>());
        name.to_owned()
    }

    /// One of several words, or one that came to the contract later.
    fn words(
        &mut self,
        domain: &'static str,
        parent: &str,
        rust: &str,
        words: &'static [&'static str],
    ) -> String {
        let mut sorted = words.to_vec();
        sorted.sort_unstable();
        if let Some((_, known)) = self.enums.get(&sorted) {
            return known.clone();
        }
        let called = ENUMS.iter().find(|(of, _)| *of == (parent, rust));
        let name = called.map_or_else(|| format!("{parent}{}", camel(rust)), |it| it.1.to_owned());
        if STANDING.contains(&&*name) {
            self.enums.insert(sorted, ("status", name.clone()));
            return name;
        }
        self.enums.insert(sorted, (domain, name.clone()));
        let mut text = format!(
            "\n/// What `{rust}` of [`{parent}`] may be.\n#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]\n#[non_exhaustive]\npub enum {name} {{\n"
        );
        for word in words {
            let _ = writeln!(
                text,
                "    /// `{word}`.\n    #[serde(rename = {word:?})]\n    {},",
                variant(word)
            );
        }
        text.push_str(
            "    /// A word that came to the contract later.\n    #[serde(untagged)]\n    Other(String),\n}\n",
        );
        self.domains.entry(domain).or_default().push_str(&text);
        name
    }
}

/// What a file uses of elsewhere.
fn imports(domain: &str, views: &Views, text: &str) -> String {
    let held = |name: &str| {
        [format!(": {name},"), format!("<{name}>")].iter().any(|part| text.contains(part))
    };
    let held_of = |names: &[&'static str]| -> Vec<&str> {
        names.iter().copied().filter(|name| held(name)).collect()
    };
    let values = text.contains("value::Balance").then_some("self").into_iter();
    let values: Vec<&str> =
        values.chain(held_of(&["Amount", "ApiKey", "Cents", "OperationId"])).collect();
    let mut lines = Vec::new();
    let mut used = |path: &str, names: &[&str]| {
        if !names.is_empty() {
            lines.push(format!("use {path}::{{{}}};", names.join(", ")));
        }
    };
    used("ledger_core::contract", &held_of(&["Secret"]));
    used("ledger_core::time", &held_of(&["Instant"]));
    used("rust_decimal", &held_of(&["Decimal"]));
    used("serde", &["Deserialize", "Serialize"]);
    used("serde_json", &held_of(&["Value"]));
    used("crate::value", &values);
    let objects = views.objects.iter().map(|(name, (of, _))| (*of, name));
    let enums = views.enums.values().map(|(of, name)| (*of, name));
    let mut foreign: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (of, name) in objects.chain(enums).filter(|(of, name)| *of != domain && held(name)) {
        foreign.entry(of).or_default().push(name);
    }
    for (of, names) in foreign {
        used(&format!("super::{of}"), &names);
    }
    lines.join("\n")
}

fn capital(text: &str) -> String {
    text[..1].to_uppercase() + &text[1..]
}
