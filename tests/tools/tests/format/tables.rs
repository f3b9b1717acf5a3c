//! The tables of recorded types: every field and variant by number, name, type and meaning.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;

use syn::{GenericArgument, PathArguments, Type};

use super::resolve::{Canonical, Resolver};
use super::source::{Field, Shape, Variant, modules};

/// The types that have an encoding of their own, which the document says in words.
const BY_HAND: [&str; 12] = [
    "Amount",
    "Bps",
    "Cents",
    "ChainLink",
    "EvidenceHash",
    "Instant",
    "KeyHash",
    "OpId",
    "Price",
    "Scale",
    "Token",
    "Units",
];

/// Modules whose name tells types of the same name apart.
const TELLING: [&str; 17] = [
    "agent",
    "cash_out",
    "charge",
    "conversion",
    "delivery",
    "entry",
    "deposit",
    "erroneous_delivery",
    "hold",
    "payment",
    "payout",
    "purchase",
    "quote",
    "suspense",
    "transfer",
    "unmatched_deposit",
    "withdrawal",
];

/// What is recorded, in the order in which a reader meets it.
pub struct Recorded {
    resolver: Resolver,
    order: Vec<Canonical>,
    names: BTreeMap<Canonical, String>,
}

impl Recorded {
    pub fn read() -> Self {
        let resolver = Resolver { modules: modules() };
        let path = ["ledger", "record"].map(str::to_owned).to_vec();
        let first: Canonical = (path, "Record".to_owned());
        let (mut order, mut seen) = (Vec::new(), BTreeSet::from([first.clone()]));
        let mut waiting = VecDeque::from([first]);
        while let Some(canonical) = waiting.pop_front() {
            let mut named = Vec::new();
            for kind in kinds(&resolver.declared(&canonical).shape) {
                mentioned(&kind, &mut named);
            }
            for path in named {
                let found = resolver.find(&canonical.0, &path);
                let found = found.unwrap_or_else(|| panic!("{path:?} of {canonical:?} is unknown"));
                if seen.insert(found.clone()) {
                    waiting.push_back(found);
                }
            }
            order.push(canonical);
        }
        let names = named(&order);
        Self { resolver, order, names }
    }

    /// The text of every table, in the order of the types.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for canonical in &self.order {
            let declared = self.resolver.declared(canonical);
            let name = &self.names[canonical];
            let (form, rows) = match &declared.shape {
                Shape::Alias(kind) => {
                    let _ = write!(
                        text,
                        "\n#### `{name}`: {}\n\n{}\n",
                        self.kind(canonical, kind),
                        declared.meaning
                    );
                    continue;
                }
                Shape::Fields(fields) => ("fields", self.fields(canonical, "", fields)),
                Shape::Variants(variants) => ("one of", self.variants(canonical, variants)),
                Shape::Numbers(variants) => ("number", self.variants(canonical, variants)),
            };
            let _ = write!(text, "\n#### `{name}`: {form}\n\n");
            if !declared.meaning.is_empty() {
                let _ = write!(text, "{}\n\n", declared.meaning);
            }
            let _ = write!(text, "| No. | Name | Type | Meaning |\n|---|---|---|---|\n{rows}");
        }
        text
    }

    fn variants(&self, within: &Canonical, variants: &[Variant]) -> String {
        let mut rows = String::new();
        for Variant { number, name, meaning, fields } in variants {
            let _ = writeln!(rows, "| {number} | `{name}` | | {meaning} |");
            rows += &self.fields(within, &format!("{number}."), fields);
        }
        rows
    }

    fn fields(&self, within: &Canonical, before: &str, fields: &[Field]) -> String {
        let mut rows = String::new();
        for Field { number, name, kind, meaning, defaults } in fields {
            let kind = self.kind(within, kind);
            let name = name.clone().unwrap_or_else(|| snake(&kind));
            let absent = if *defaults { " or absent" } else { "" };
            let _ = writeln!(rows, "| {before}{number} | `{name}` | {kind}{absent} | {meaning} |");
        }
        rows
    }

    /// A type as the document names it.
    fn kind(&self, within: &Canonical, kind: &Type) -> String {
        match kind {
            Type::Tuple(tuple) => {
                let parts: Vec<_> =
                    tuple.elems.iter().map(|part| self.kind(within, part)).collect();
                format!("({})", parts.join(", "))
            }
            Type::Path(it) => {
                let last = it.path.segments.last().expect("a path has segments");
                let inner = argument(&last.arguments);
                match (last.ident.to_string().as_str(), inner) {
                    ("Box" | "Arc", Some(inner)) => self.kind(within, inner),
                    ("Option", Some(inner)) => format!("{} or none", self.kind(within, inner)),
                    ("Vec", Some(inner)) => format!("list of {}", self.kind(within, inner)),
                    ("str" | "String", None) => "text".to_owned(),
                    (plain, None) if is_plain(plain) => plain.to_owned(),
                    _ => {
                        let found = self.resolver.find(&within.0, &segments(it));
                        self.names[&found.expect("it was found before")].clone()
                    }
                }
            }
            _ => panic!("a field of {within:?} has a type that no table can say"),
        }
    }
}

fn is_plain(name: &str) -> bool {
    BY_HAND.contains(&name) || ["u8", "u16", "u32", "u64", "bool"].contains(&name)
}

fn argument(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(it) = arguments else { return None };
    it.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(kind) => Some(kind),
        _ => None,
    })
}

fn segments(path: &syn::TypePath) -> Vec<String> {
    path.path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

fn kinds(shape: &Shape) -> Vec<Type> {
    let of = |fields: &[Field]| fields.iter().map(|field| field.kind.clone()).collect::<Vec<_>>();
    match shape {
        Shape::Alias(kind) => vec![kind.clone()],
        Shape::Fields(fields) => of(fields),
        Shape::Variants(variants) | Shape::Numbers(variants) => {
            variants.iter().flat_map(|variant| of(&variant.fields)).collect()
        }
    }
}

/// The paths of the types with numbers that a type is made of.
fn mentioned(kind: &Type, into: &mut Vec<Vec<String>>) {
    match kind {
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|part| mentioned(part, into)),
        Type::Path(it) => {
            let last = it.path.segments.last().expect("a path has segments");
            let name = last.ident.to_string();
            match argument(&last.arguments) {
                Some(inner) => mentioned(inner, into),
                None if is_plain(&name) || name == "str" || name == "String" => {}
                None => into.push(segments(it)),
            }
        }
        _ => panic!("a recorded field has a type that no table can say"),
    }
}

/// Each by its own name, or with its module's before it where others have the same.
fn named(order: &[Canonical]) -> BTreeMap<Canonical, String> {
    // The kinds of operations stand in ids, and in no field of their own.
    let mut count: BTreeMap<&str, u32> = BTreeMap::from([("Kind", 1)]);
    for (_, name) in order {
        *count.entry(name).or_default() += 1;
    }
    let of = |canonical: &Canonical| {
        let (path, name) = canonical;
        if count[name.as_str()] == 1 {
            return name.clone();
        }
        // What stands beside a purchase is named by it.
        let module = path.iter().rev().map(String::as_str).find_map(|part| match part {
            "bought" => Some("purchase"),
            part => TELLING.into_iter().find(|known| *known == part),
        });
        // Within the ledger's own modules, one of a name is the one that is meant without more.
        let machine = path.first().is_some_and(|first| first == "machine");
        module.filter(|_| machine).map_or_else(|| name.clone(), |it| format!("{it}::{name}"))
    };
    let names: BTreeMap<Canonical, String> = order.iter().map(|it| (it.clone(), of(it))).collect();
    let distinct: BTreeSet<&String> = names.values().collect();
    assert_eq!(distinct.len(), names.len(), "two types have one name: {names:#?}");
    names
}

/// Returns what a field without a name is called: after its type, without what surrounds that.
fn snake(kind: &str) -> String {
    let bare = kind.trim_start_matches("list of ").trim_end_matches(" or none");
    let bare = bare.rsplit("::").next().expect("a split gives something");
    let mut name = String::new();
    for letter in bare.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}
