//! The lines that the contract's declarations ask for, and how those that stand differ from them.

use custody_ledger::declared::{Declared, Field as Written, Of, Within};
use custody_ledger::request;
use ledger_core::contract::{Field, FieldType, Need};

/// The wire's names of what a person decides, which one value holds.
const DECISION: [&str; 3] = ["actor", "reason", "evidence"];

/// Other names of `payout_tag`, which need no setter of their own.
const ALIASES: [&str; 3] = ["memo", "tag", "destination_tag"];

/// A field as its line should be.
pub struct Line {
    pub place: &'static str,
    pub wire: &'static str,
    pub beside: Option<&'static str>,
    pub of: String,
    pub required: bool,
    pub meaning: String,
    pub within: Inner,
}

/// What the type of a field should be made of.
pub enum Inner {
    Value,
    Fields(&'static [Field]),
    Words(Vec<&'static str>),
}

/// The lines of the fields of a body.
pub fn of_body(fields: &'static [Field]) -> Vec<Line> {
    let has = |name: &str| fields.iter().any(|field| field.name == name);
    let decided = has("actor");
    let apart = |field: &&Field| {
        ALIASES.contains(&field.name) && has("payout_tag")
            || decided && DECISION.contains(&field.name)
            || field.name == "pix_key_type"
    };
    let mut lines: Vec<Line> = fields.iter().filter(|field| !apart(field)).map(line).collect();
    let key = lines.iter_mut().find(|line| line.of == "PixKey");
    if let Some(key) = key.filter(|_| has("pix_key_type")) {
        key.beside = Some("pix_key_type");
    }
    if decided {
        lines.push(Line {
            place: "body",
            wire: "decided_by",
            beside: None,
            of: "DecidedBy".to_owned(),
            required: true,
            meaning: "who decided, and why".to_owned(),
            within: Inner::Value,
        });
    }
    lines
}

fn line(field: &Field) -> Line {
    let (of, within) = type_of(field);
    // Whose money it is, and the id by which it is asked again, are always said: then the absence
    // of a party need not be explained.
    let said = matches!(&*of, "Party" | "ExternalId");
    let meaning = match &*of {
        "Party" => field.meaning.split(';').next().unwrap_or_default(),
        _ => field.meaning,
    };
    Line {
        place: "body",
        wire: field.name,
        beside: None,
        of,
        required: field.need == Need::Required || said,
        meaning: meaning.to_owned(),
        within,
    }
}

/// The type of a field; `_` where it has a name of its own.
fn type_of(field: &Field) -> (String, Inner) {
    let value = |of: &str| (of.to_owned(), Inner::Value);
    match (field.name, field.holds) {
        ("customer_ref" | "from_customer_ref" | "to_customer_ref", _) => value("Party"),
        ("external_id", _) => value("ExternalId"),
        ("id", FieldType::Text(80)) => value("FactId"),
        ("account", FieldType::Text(_)) => value("AccountName"),
        ("payer_tax_number" | "tax_number" | "payee_tax_number", _) => value("Document"),
        ("pix_key", _) => value("PixKey"),
        (_, FieldType::Text(most) | FieldType::Reference(most)) => value(&format!("Text<{most}>")),
        (_, FieldType::Word(most)) => match words(field.meaning) {
            words if words.len() < 2 => value(&format!("Text<{most}>")),
            words => ("_".to_owned(), Inner::Words(words)),
        },
        (_, FieldType::Operation) => value("OperationId"),
        (_, FieldType::Pix) => value("EndToEndId"),
        (_, FieldType::Centavos) => value("Amount"),
        (_, FieldType::CentavosOrZero) => value("Cents"),
        (_, FieldType::SignedCentavos) => value("i64"),
        (_, FieldType::Whole(..)) => value("u16"),
        (_, FieldType::BasisPoints) => value("Bps"),
        (_, FieldType::Flag) => value("bool"),
        (_, FieldType::Moment) => value("Instant"),
        (_, FieldType::Decimal(_)) => value("Decimal"),
        (_, FieldType::Object(fields)) => ("_".to_owned(), Inner::Fields(fields)),
        (_, FieldType::Objects(fields)) => ("Vec<_>".to_owned(), Inner::Fields(fields)),
        (_, FieldType::List) => value("Vec<Text<255>>"),
        (_, FieldType::Metadata) => value("Metadata"),
    }
}

/// The words that a meaning lists, `a, b or c; and more`; none where it lists none.
fn words(meaning: &'static str) -> Vec<&'static str> {
    let listed = listed(meaning);
    let words: Vec<&str> = listed.split(", ").flat_map(|part| part.split(" or ")).collect();
    let plain = |word: &&str| {
        !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    if words.iter().all(plain) { words } else { Vec::new() }
}

fn listed(meaning: &'static str) -> &'static str {
    meaning.split([';', ':']).next().unwrap_or_default()
}

impl Line {
    /// As it is written in a declaration, under this name.
    fn written(&self, name: &str) -> String {
        let optional = if self.required { "" } else { "?" };
        let wire = if name == self.wire && self.beside.is_none() {
            String::new()
        } else {
            format!(" as {:?}", self.wire)
        };
        let beside = self.beside.map_or_else(String::new, |beside| format!(" and {beside:?}"));
        format!("{name}{optional}: {}{wire}{beside}, {:?};", self.of, self.meaning)
    }

    /// The line that stands, as one that should.
    fn standing(written: &Written) -> Self {
        Self {
            place: written.place,
            wire: written.wire,
            beside: written.beside,
            // Digits are grouped in Rust.
            of: written.of.replace('_', ""),
            required: written.required,
            meaning: plain(written.meaning),
            within: Inner::Value,
        }
    }

    /// How what stands within the field's type differs.
    fn within(&self, parent: &str, written: &Written) -> Vec<String> {
        match (&self.within, written.within) {
            (Inner::Value, Within::Value) => Vec::new(),
            (Inner::Fields(fields), Within::Fields(part)) => {
                assert!(matches!(part.of, Of::Part), "{} is no part", part.name);
                differing(part, &of_body(fields))
            }
            (Inner::Words(words), Within::Words { doc, words: known }) => {
                let meaning = format!("Values of {}: {}", self.wire, words.join(", "));
                let said = plain(doc).replace(" or ", ", ");
                let wrong = words != known || said != plain(&meaning);
                let why = format!("{parent}: {} may say {words:?}, not {known:?}", written.name);
                wrong.then_some(why).into_iter().collect()
            }
            _ => vec![format!("{parent}: {} is made of something else", written.name)],
        }
    }
}

/// How the fields of a type differ from those that are declared: what to write, and what to take
/// away. What is supplied, the contract does not declare.
pub fn differing(written: &Declared, lines: &[Line]) -> Vec<String> {
    let stands = |field: &&Written| field.place != "supplied";
    let mut wrong = Vec::new();
    for line in lines {
        let field = written.fields.iter().filter(stands).find(|field| field.wire == line.wire);
        let Some(field) = field else {
            let name = line.wire.to_ascii_lowercase();
            wrong.push(format!(
                "{}: write in {}: {}",
                written.name,
                line.place,
                line.written(&name)
            ));
            continue;
        };
        let mut standing = Line::standing(field);
        let own = matches!(line.within, Inner::Fields(_) | Inner::Words(_));
        if own && standing.of.starts_with("Vec<") == line.of.starts_with("Vec<") {
            standing.of.clone_from(&line.of);
        }
        let meaning = plain(&line.meaning);
        let said = meaning == standing.meaning;
        let (is, mut should) = (standing.written(field.name), line.written(field.name));
        if said {
            should = should.replace(&format!("{:?};", line.meaning), &format!("{meaning:?};"));
        }
        if is != should || standing.place != line.place {
            wrong.push(format!("{}: write in {}: {should}\n  not: {is}", written.name, line.place));
        }
    }
    let declared = |wire: &str| lines.iter().any(|line| line.wire == wire);
    for field in written.fields.iter().filter(stands).filter(|field| !declared(field.wire)) {
        wrong.push(format!("{}: {} is not declared", written.name, field.name));
    }
    if wrong.is_empty() {
        let order = |field: &Written| field.wire;
        let is: Vec<&str> = written.fields.iter().filter(stands).map(order).collect();
        let should: Vec<&str> = lines.iter().map(|line| line.wire).collect();
        if is != should {
            wrong.push(format!("{}: the order is {should:?}, not {is:?}", written.name));
        }
    }
    for line in lines {
        let field = written.fields.iter().find(|field| field.wire == line.wire);
        wrong.extend(field.into_iter().flat_map(|field| line.within(written.name, field)));
    }
    wrong
}

/// A text without marks of code, and with routes in the place of links to their requests.
pub fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("[`") {
        let (name, after) = link.split_once("`]").expect("a link ends");
        plain.push_str(before);
        plain.push_str(linked(name));
        rest = match after.strip_prefix('(') {
            Some(path) => path.split_once(')').expect("a path ends").1,
            None => after,
        };
    }
    plain.push_str(rest);
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ").replace('`', "").trim_end_matches('.').to_owned()
}

/// The contract's name of what a link leads to.
fn linked(name: &str) -> &str {
    match name {
        "key" => "supplied.key",
        "entropy" => "supplied.entropy",
        "Reported::api_key" => "api_key",
        name => match request::declarations().find(|known| known.name == name).map(|it| it.of) {
            Some(Of::Request { route, .. }) => route,
            _ => name,
        },
    }
}
