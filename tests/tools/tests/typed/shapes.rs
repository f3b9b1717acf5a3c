//! Types written from declarations: structures, their fields, words and bodies.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ledger_core::contract::{Field, FieldType, Need};

use super::names::{self, camel, linked, variant};

/// The wire's names of what a person decides, which one value holds.
const DECISION: [&str; 3] = ["actor", "reason", "evidence"];

/// Other names of `payout_tag`, which need no setter of their own.
const ALIASES: [&str; 3] = ["memo", "tag", "destination_tag"];

/// The files under way: of each domain, its types.
#[derive(Default)]
pub struct Files {
    pub types: BTreeMap<&'static str, String>,
    /// Objects that were written, by their fields.
    objects: BTreeMap<String, (String, &'static str)>,
}

/// A field as Rust holds it.
struct Held {
    wire: &'static str,
    name: String,
    of: String,
    required: bool,
    meaning: String,
}

/// What a type is written of.
pub struct Shape<'a> {
    pub name: String,
    pub domain: &'static str,
    pub meaning: String,
    pub body: &'a [Field],
    /// What stands in the path or the query: its name, its type, and whether it must be given.
    pub target: Vec<(&'static str, &'static str, bool)>,
    pub supplied: &'a [(&'static str, &'static str)],
    /// What is said below: paragraphs, or nothing.
    pub more: Vec<String>,
}

impl Shape<'_> {
    fn has_body(&self) -> bool {
        !self.body.is_empty()
    }

    /// The body as JSON.
    pub fn value(&self) -> &'static str {
        if self.has_body() { "self.body().into_value()" } else { "Value::Null" }
    }
}

impl Files {
    /// Writes a structure, its constructor and its setters; gives the code of its body, target and
    /// what is supplied.
    pub fn write(&mut self, shape: &Shape<'_>) {
        let mut held: Vec<Held> = Vec::new();
        for (wire, of, required) in &shape.target {
            let meaning = match (*wire, required) {
                ("customer_ref", _) => "whose".to_owned(),
                (wire, true) => format!("which: `{wire}`"),
                (wire, false) => format!("the parameter `{wire}`"),
            };
            let (name, of, required) = (names::field(wire), (*of).to_owned(), *required);
            held.push(Held { wire, name, of, required, meaning });
        }
        let targets = held.len();
        let decided = shape.body.iter().any(|field| field.name == "actor");
        for field in shape.body {
            if ALIASES.contains(&field.name) && shape.body.iter().any(|it| it.name == "payout_tag")
                || decided && DECISION.contains(&field.name)
                || field.name == "pix_key_type"
            {
                continue;
            }
            held.push(self.held(shape, field));
        }
        let bodies = held.len();
        for (wire, meaning) in shape.supplied {
            let (name, of) = ((*wire).to_owned(), "Text<1024>".to_owned());
            held.push(Held { wire, name, of, required: false, meaning: (*meaning).to_owned() });
        }
        let mut text = String::new();
        structure(&mut text, shape, &held, decided);
        constructor(&mut text, &shape.name, &held, decided);
        let keyed = |field: &&Held| {
            field.of == "PixKey" && shape.body.iter().any(|it| it.name == "pix_key_type")
        };
        let typed = held[targets..bodies].iter().find(keyed);
        if shape.has_body() {
            body(&mut text, &held[targets..bodies], typed, decided);
        }
        if !shape.supplied.is_empty() {
            text.push_str(
                "\n    pub(crate) fn supplied(&self) -> Value {\n        Body::default()",
            );
            for field in &held[bodies..] {
                let _ = write!(text, ".with({:?}, &self.{})", field.wire, field.name);
            }
            text.push_str(".into_value()\n    }\n");
        }
        text.push_str("}\n");
        drawn(&mut text, &shape.name, &held, decided);
        self.types.entry(shape.domain).or_default().push_str(&text);
    }

    fn held(&mut self, shape: &Shape<'_>, field: &Field) -> Held {
        // Reais and crypto may both be an amount.
        let both = field.name == "amount" && shape.body.iter().any(|it| it.name == "amount_cents");
        let name = if both { "units".to_owned() } else { names::field(field.name) };
        let of = self.type_of(shape, field);
        // Whose money it is, and the id by which it is asked again, are always said.
        let said = matches!(&*of, "Party" | "ExternalId");
        let required = field.need == Need::Required || said;
        // Absence need not be explained of what is always said.
        let meaning = match &*of {
            "Party" => field.meaning.split(';').next().unwrap_or_default().to_owned(),
            _ => linked(field.meaning),
        };
        Held { wire: field.name, name, of, required, meaning }
    }

    fn type_of(&mut self, shape: &Shape<'_>, field: &Field) -> String {
        let by_name = match (field.name, field.holds) {
            ("customer_ref" | "from_customer_ref" | "to_customer_ref", _) => Some("Party"),
            ("external_id", _) => Some("ExternalId"),
            ("id", FieldType::Text(80)) => Some("FactId"),
            ("account", FieldType::Text(_)) => Some("AccountName"),
            ("payer_tax_number" | "tax_number" | "payee_tax_number", _) => Some("Document"),
            ("pix_key", _) => Some("PixKey"),
            _ => None,
        };
        if let Some(of) = by_name {
            return of.to_owned();
        }
        match field.holds {
            FieldType::Text(most) => format!("Text<{}>", grouped(most)),
            FieldType::Word(most) => self.words(shape, field, most),
            FieldType::Operation => "OperationId".to_owned(),
            FieldType::Pix => "EndToEndId".to_owned(),
            FieldType::Centavos => "Amount".to_owned(),
            FieldType::CentavosOrZero => "Cents".to_owned(),
            FieldType::SignedCentavos => "i64".to_owned(),
            FieldType::Whole(..) => "u16".to_owned(),
            FieldType::BasisPoints => "Bps".to_owned(),
            FieldType::Flag => "bool".to_owned(),
            FieldType::Moment => "Instant".to_owned(),
            FieldType::Decimal(_) => "Decimal".to_owned(),
            FieldType::Object(fields) => self.object(shape, field, fields),
            FieldType::Objects(fields) => format!("Vec<{}>", self.object(shape, field, fields)),
            FieldType::List => "Vec<Text<255>>".to_owned(),
        }
    }

    /// One of a few words, as the meaning lists them: `a, b or c; and more`.
    fn words(&mut self, shape: &Shape<'_>, field: &Field, most: usize) -> String {
        let listed = field.meaning.split([';', ':']).next().unwrap_or_default();
        let words: Vec<&str> = listed.split(", ").flat_map(|part| part.split(" or ")).collect();
        let plain = |word: &&str| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        if words.len() < 2 || !words.iter().all(plain) {
            return format!("Text<{most}>");
        }
        let name = format!("{}{}", shape.name, camel(&names::field(field.name)));
        let mut text = format!(
            "\n{}\n#[derive(Clone, Copy, Debug, PartialEq, Eq)]\n#[non_exhaustive]\npub enum {name} {{\n",
            comment(&sentence(&format!("What `{}` may say: {listed}", field.name)), ""),
        );
        for word in &words {
            let _ = writeln!(text, "    /// On the wire `{word}`.\n    {},", variant(word));
        }
        let _ = write!(
            text,
            "}}\n\ncrate::drawn!(one {name} {{ {} }});\n\nimpl Wire for {name} {{\n    fn wire(&self) -> Value {{\n        match self {{\n",
            words.iter().map(|word| variant(word)).collect::<Vec<_>>().join(", ")
        );
        for word in &words {
            let _ = writeln!(text, "            Self::{} => {word:?},", variant(word));
        }
        text.push_str("        }\n        .into()\n    }\n}\n");
        self.types.entry(shape.domain).or_default().push_str(&text);
        name
    }

    /// A structure within one, written where it is first met.
    fn object(&mut self, shape: &Shape<'_>, field: &Field, fields: &[Field]) -> String {
        let key = format!("{fields:?}");
        if let Some((name, domain)) = self.objects.get(&key) {
            return if *domain == shape.domain {
                name.clone()
            } else {
                format!("super::{domain}::{name}")
            };
        }
        let single = field.name.strip_suffix('s').unwrap_or(field.name);
        let name = match (shape.name.as_str(), field.name) {
            (_, "terms") => "AccountTerms".to_owned(),
            (parent, _) => format!("{parent}{}", camel(single)),
        };
        let inner = Shape {
            name: name.clone(),
            domain: shape.domain,
            meaning: sentence(&format!("Of `{}`: {}", shape.name, field.meaning)),
            body: fields,
            target: Vec::new(),
            supplied: &[],
            more: Vec::new(),
        };
        self.write(&inner);
        let text = format!(
            "\nimpl Wire for {name} {{\n    fn wire(&self) -> Value {{\n        self.body().into_value()\n    }}\n}}\n"
        );
        self.types.entry(shape.domain).or_default().push_str(&text);
        self.objects.insert(key, (name.clone(), shape.domain));
        name
    }
}

fn structure(text: &mut String, shape: &Shape<'_>, held: &[Held], decided: bool) {
    let _ = writeln!(text, "\n{}", comment(&shape.meaning, ""));
    for paragraph in shape.more.iter().filter(|paragraph| !paragraph.is_empty()) {
        let _ = writeln!(text, "///\n{}", comment(paragraph, ""));
    }
    let nothing = held.iter().all(|field| !field.required) && !decided;
    let default = if nothing { ", Default" } else { "" };
    let _ =
        writeln!(text, "#[derive(Clone, Debug, PartialEq{default})]\npub struct {} {{", shape.name);
    for field in held {
        let of = if field.required { field.of.clone() } else { format!("Option<{}>", field.of) };
        let _ = writeln!(text, "    {}: {of},", field.name);
    }
    if decided {
        text.push_str("    decided_by: DecidedBy,\n");
    }
    text.push_str("}\n");
}

/// How the test kit draws it.
fn drawn(text: &mut String, name: &str, held: &[Held], decided: bool) {
    let _ = writeln!(text, "\ncrate::drawn!({name} {{");
    for field in held {
        let of = if field.required { field.of.clone() } else { format!("Option<{}>", field.of) };
        let _ = writeln!(text, "    {}: {of},", field.name);
    }
    if decided {
        text.push_str("    decided_by: DecidedBy,\n");
    }
    text.push_str("});\n");
}

fn constructor(text: &mut String, name: &str, held: &[Held], decided: bool) {
    let _ = writeln!(text, "\nimpl {name} {{");
    let required: Vec<&Held> = held.iter().filter(|field| field.required).collect();
    let count = required.len() + usize::from(decided);
    let mut says = String::new();
    for field in &required {
        let _ = writeln!(
            says,
            "{}",
            comment(&format!("- {}: {}.", called(field), field.meaning), "    ")
        );
    }
    if decided {
        says.push_str("    /// - `decided_by`: who decided, and why.\n");
    }
    let intro = if count == 0 { "Nothing of it need be said." } else { "What must be said:" };
    let _ = writeln!(text, "    /// {intro}");
    if count > 0 {
        let _ = write!(text, "    ///\n{says}");
    }
    if count > 7 {
        text.push_str("    #[allow(clippy::too_many_arguments)] // As many as the fact has.\n");
    }
    text.push_str("    #[must_use]\n");
    let default = count == 0;
    let _ = write!(text, "    pub fn new(");
    for field in &required {
        let _ = write!(text, "{}: {}, ", field.name, field.of);
    }
    if decided {
        text.push_str("decided_by: DecidedBy");
    }
    text.push_str(") -> Self {\n");
    if default {
        text.push_str("        Self::default()\n    }\n");
    } else {
        text.push_str("        Self { ");
        for field in held {
            if field.required {
                let _ = write!(text, "{}, ", field.name);
            } else {
                let _ = write!(text, "{}: None, ", field.name);
            }
        }
        if decided {
            text.push_str("decided_by, ");
        }
        text.push_str("}\n    }\n");
    }
    for field in held.iter().filter(|field| !field.required) {
        let says = sentence(&format!("Sets `{}`: {}", field.wire, field.meaning));
        let _ = writeln!(text, "\n{}", comment(&says, "    "));
        let _ = writeln!(
            text,
            "    #[must_use]\n    pub fn {0}(mut self, {0}: {1}) -> Self {{\n        self.{0} = Some({0});\n        self\n    }}",
            field.name, field.of
        );
    }
}

fn body(text: &mut String, held: &[Held], typed: Option<&Held>, decided: bool) {
    text.push_str("\n    pub(crate) fn body(&self) -> Body {\n        Body::default()");
    for field in held {
        let _ = write!(text, ".with({:?}, &self.{})", field.wire, field.name);
    }
    if let Some(key) = typed {
        let kind = if key.required {
            format!("self.{}.kind()", key.name)
        } else {
            format!("self.{}.as_ref().map(PixKey::kind)", key.name)
        };
        let _ = write!(text, ".with(\"pix_key_type\", &{kind})");
    }
    if decided {
        text.push_str(".and(self.decided_by.body())");
    }
    text.push_str("\n    }\n");
}

pub fn sentence(text: &str) -> String {
    if text.ends_with('.') { text.to_owned() } else { format!("{text}.") }
}

/// A field's name in Rust, with the wire's where that is another.
fn called(field: &Held) -> String {
    if field.name == field.wire {
        format!("`{}`", field.name)
    } else {
        format!("`{}`, on the wire `{}`", field.name, field.wire)
    }
}

/// A word of code stands between ticks.
fn ticked(word: &str) -> String {
    let of_code = |c: char| c.is_alphanumeric() || c == '_';
    let bare = word.trim_matches(|c| !of_code(c));
    let camel = bare.char_indices().any(|(at, c)| at > 0 && c.is_uppercase())
        && bare.chars().any(char::is_lowercase);
    if bare.is_empty() || word.contains('`') || !bare.contains('_') && !camel {
        return word.to_owned();
    }
    word.replacen(bare, &format!("`{bare}`"), 1)
}

/// A documentation comment of at most a hundred columns.
pub fn comment(text: &str, indent: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace().map(ticked) {
        let word = word.as_str();
        match lines.last_mut() {
            Some(line) if indent.len() + line.len() + word.len() < 99 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{indent}/// {word}")),
        }
    }
    // What goes on in a list is indented under it.
    let listed = text.starts_with("- ");
    for line in lines.iter_mut().skip(1).filter(|_| listed) {
        *line = line.replacen("/// ", "///   ", 1);
    }
    lines.join("\n")
}

/// A number as Rust's style has it: of five digits and more, in groups of three.
fn grouped(number: usize) -> String {
    match number {
        ..10_000 => number.to_string(),
        _ => format!("{}_{:03}", grouped(number / 1_000), number % 1_000),
    }
}
