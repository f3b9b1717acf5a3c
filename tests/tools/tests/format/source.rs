//! The types of the core that are recorded, read from its sources: fields and variants with their
//! frozen numbers and what is said of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Fields, Item, Lit, Meta, Type};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A module of the core: what it imports and what it declares.
#[derive(Default)]
pub struct Module {
    /// What a name stands for: the path as the module writes it.
    pub aliases: BTreeMap<String, Vec<String>>,
    /// The types declared here that are recorded.
    pub types: BTreeMap<String, Declared>,
}

/// A recorded type.
#[derive(Clone)]
pub struct Declared {
    pub meaning: String,
    pub shape: Shape,
}

/// How a type is encoded.
#[derive(Clone)]
pub enum Shape {
    /// As what it wraps.
    Alias(Type),
    /// An array of fields.
    Fields(Vec<Field>),
    /// An array of a number and an array of fields.
    Variants(Vec<Variant>),
    /// A bare number.
    Numbers(Vec<Variant>),
}

#[derive(Clone)]
pub struct Variant {
    pub number: u64,
    pub name: String,
    pub meaning: String,
    pub fields: Vec<Field>,
}

#[derive(Clone)]
pub struct Field {
    pub number: u64,
    /// None where the source gives none.
    pub name: Option<String>,
    pub kind: Type,
    pub meaning: String,
    /// Tells whether its absence says the default of its type.
    pub defaults: bool,
}

/// Every module of the core by its path: `machine::payout::terms`.
pub fn modules() -> BTreeMap<Vec<String>, Module> {
    let mut modules = BTreeMap::new();
    read(&root().join("ledger-core/src"), &[], &mut modules);
    modules
}

fn read(folder: &Path, path: &[String], into: &mut BTreeMap<Vec<String>, Module>) {
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let file = entry.expect("the folder is read").path();
        let name = file.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let mut inner = path.to_vec();
        if file.is_dir() {
            inner.push(name);
            read(&file, &inner, into);
        } else if file.extension().is_some_and(|it| it == "rs") {
            if name != "mod" && name != "lib" {
                inner.push(name);
            }
            let text = fs::read_to_string(&file).expect("a source is read");
            let parsed = syn::parse_file(&text);
            let parsed = parsed.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            into.insert(inner, Module::from_items(parsed.items));
        }
    }
}

impl Module {
    fn from_items(items: Vec<Item>) -> Self {
        let mut module = Self::default();
        for item in items {
            match item {
                Item::Use(it) => module.import(&it.tree, &mut Vec::new()),
                Item::Struct(it) if is_recorded(&it.attrs) => {
                    let mut fields = fields(&it.fields);
                    let shape = if says(&it.attrs, "transparent") {
                        Shape::Alias(fields.remove(0).kind)
                    } else {
                        Shape::Fields(fields)
                    };
                    module.declare(it.ident.to_string(), &it.attrs, shape);
                }
                Item::Enum(it) if is_recorded(&it.attrs) => {
                    let variants = it.variants.iter().map(|variant| Variant {
                        number: number(&variant.attrs).expect("a variant has a number"),
                        name: variant.ident.to_string(),
                        meaning: meaning(&variant.attrs),
                        fields: fields(&variant.fields),
                    });
                    let mut variants: Vec<Variant> = variants.collect();
                    variants.sort_by_key(|variant| variant.number);
                    let bare = says(&it.attrs, "index_only");
                    let shape =
                        if bare { Shape::Numbers(variants) } else { Shape::Variants(variants) };
                    module.declare(it.ident.to_string(), &it.attrs, shape);
                }
                _ => {}
            }
        }
        module
    }

    fn declare(&mut self, name: String, attributes: &[Attribute], shape: Shape) {
        self.types.insert(name, Declared { meaning: meaning(attributes), shape });
    }

    fn import(&mut self, tree: &syn::UseTree, before: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(it) => {
                before.push(it.ident.to_string());
                self.import(&it.tree, before);
                before.pop();
            }
            syn::UseTree::Group(it) => it.items.iter().for_each(|item| self.import(item, before)),
            syn::UseTree::Name(it) if it.ident == "self" => {
                let name = before.last().expect("self stands in a path").clone();
                self.aliases.insert(name, before.clone());
            }
            syn::UseTree::Name(it) => {
                let path = [&before[..], &[it.ident.to_string()]].concat();
                self.aliases.insert(it.ident.to_string(), path);
            }
            syn::UseTree::Rename(it) => {
                let path = [&before[..], &[it.ident.to_string()]].concat();
                self.aliases.insert(it.rename.to_string(), path);
            }
            syn::UseTree::Glob(_) => {}
        }
    }
}

/// Tells whether a type derives its encoding.
fn is_recorded(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("derive") && tokens(attribute).contains("Encode")
    })
}

/// Returns what stands between the parentheses of an attribute, in words.
fn tokens(attribute: &Attribute) -> String {
    match &attribute.meta {
        Meta::List(list) => list.tokens.to_string(),
        _ => String::new(),
    }
}

/// Tells whether `#[cbor(...)]` says this word.
fn says(attributes: &[Attribute], word: &str) -> bool {
    let mut of = attributes.iter().filter(|attribute| attribute.path().is_ident("cbor"));
    of.any(|attribute| tokens(attribute).split([' ', ',']).any(|found| found == word))
}

/// The number of `#[n(7)]`, or of `#[cbor(n(7), …)]`.
fn number(attributes: &[Attribute]) -> Option<u64> {
    let of_n = |meta: &Meta| match meta {
        Meta::List(list) if list.path.is_ident("n") => list.parse_args::<syn::LitInt>().ok(),
        _ => None,
    };
    let number = attributes.iter().find_map(|attribute| {
        if !attribute.path().is_ident("cbor") {
            return of_n(&attribute.meta);
        }
        let words = Punctuated::<Meta, syn::Token![,]>::parse_terminated;
        attribute.parse_args_with(words).ok()?.iter().find_map(of_n)
    })?;
    Some(number.base10_parse().expect("it is a number"))
}

/// The fields that are encoded, in the order of their numbers.
fn fields(fields: &Fields) -> Vec<Field> {
    let encoded = fields.iter().filter(|field| !says(&field.attrs, "skip"));
    let mut found: Vec<Field> = encoded
        .map(|field| Field {
            number: number(&field.attrs).expect("a field has a number"),
            name: field.ident.as_ref().map(ToString::to_string),
            kind: field.ty.clone(),
            meaning: meaning(&field.attrs),
            defaults: says(&field.attrs, "default"),
        })
        .collect();
    found.sort_by_key(|field| field.number);
    for (place, field) in (0..).zip(&found) {
        assert_eq!(field.number, place, "fields are numbered without a gap");
    }
    found
}

/// The first paragraph of the documentation, on one line and without its links.
fn meaning(attributes: &[Attribute]) -> String {
    let mut text = String::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        let Meta::NameValue(pair) = &attribute.meta else { continue };
        let Expr::Lit(literal) = &pair.value else { continue };
        let Lit::Str(line) = &literal.lit else { continue };
        let line = line.value();
        if line.trim().is_empty() {
            break;
        }
        text += line.trim();
        text.push(' ');
    }
    text.trim().replace("[`", "`").replace("`]", "`").replace('|', "\\|")
}
