//! What is rendered under the library names the library: no example of an item that it re-exports
//! says a crate that its users do not depend on.

use crate::sources::{Source, sources};

/// The crates that a user of the library does not name, and where their sources stand.
const INNER: [(&str, &str); 4] = [
    ("ledger_core", "ledger-core/src"),
    ("ledger_store", "ledger-store/src"),
    ("ledger_cells", "beside/ledger-cells/src"),
    ("ledger_proofs", "beside/ledger-proofs/src"),
];

/// An item that the library re-exports: where it is declared, and its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Item {
    /// Where the sources of its crate stand.
    pub folder: &'static str,
    /// The module that it is asked of, in whatever room that stands; empty where it is the crate.
    pub module: String,
    /// The item's name, as a source writes it.
    pub name: String,
}

/// Returns what a source re-exports of the inner crates.
pub fn reexported(text: &str) -> Vec<Item> {
    let text: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let uses = text.split(';').filter_map(|part| part.split("pub use ").nth(1));
    let mut found = Vec::new();
    for path in uses {
        let (path, list) = match path.split_once('{') {
            Some((path, list)) => (path.trim_end_matches("::"), list.trim_end_matches('}')),
            None => path.rsplit_once("::").unwrap_or((path, "")),
        };
        let mut segments = path.split("::");
        let named = segments.next();
        let Some((_, folder)) = INNER.iter().find(|(inner, _)| named == Some(*inner)) else {
            continue;
        };
        let module = segments.next().unwrap_or_default();
        let items = list.split(',').map(str::trim).filter(|name| !name.is_empty());
        found.extend(items.map(|name| Item {
            folder,
            module: module.to_owned(),
            name: name.to_owned(),
        }));
    }
    found
}

/// The example lines shown of an item, that name an inner crate: above it, and above what is
/// declared in blocks of its own.
pub fn misnamed(source: &Source, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut block, mut fenced, mut own) = (Vec::new(), false, false);
    for line in source.text.lines() {
        let start = line.trim_start();
        if let Some(said) = start.strip_prefix("///") {
            fenced ^= said.trim_start().starts_with("```");
            let shown = fenced && !said.trim_start().starts_with('#');
            if shown && INNER.iter().any(|(inner, _)| said.contains(&format!("{inner}::"))) {
                block.push(format!("{}: {start}", source.path));
            }
            continue;
        }
        if start.starts_with("#[") || start.is_empty() && !block.is_empty() {
            continue;
        }
        fenced = false;
        let words: Vec<&str> = start.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let opens = !line.starts_with(' ') && !line.starts_with('}');
        if opens {
            let keywords = ["struct", "enum", "trait", "type"];
            let is_it = words.windows(2).any(|it| keywords.contains(&it[0]) && it[1] == name);
            own = is_it || words[0] == "impl" && words.contains(&name);
        }
        if own {
            found.append(&mut block);
        }
        block.clear();
    }
    found
}

/// Every such line of what the library re-exports, and how many items were looked at.
pub fn every_misnamed() -> (usize, Vec<String>) {
    let library = sources("src");
    let library = library.iter().filter(|source| !source.path.starts_with("src/cli/"));
    let mut items: Vec<Item> = library.flat_map(|source| reexported(&source.text)).collect();
    items.sort();
    items.dedup();
    let inner: Vec<Source> = INNER.iter().flat_map(|(_, folder)| sources(folder)).collect();
    let mut found = Vec::new();
    for Item { folder, module, name } in &items {
        let of_item = |source: &&Source| {
            let is_there = module.is_empty() || source.module.contains(module);
            is_there && source.path.starts_with(folder)
        };
        found.extend(inner.iter().filter(of_item).flat_map(|source| misnamed(source, name)));
    }
    found.sort();
    found.dedup();
    (items.len(), found)
}

#[test]
fn no_example_rendered_under_the_library_names_a_crate_within_it() {
    let (items, found) = every_misnamed();
    assert!(items > 50, "{items} items are re-exported");
    assert_eq!(
        found,
        [] as [String; 0],
        "hide the line by `# `: the library's users lack the crate"
    );
}

#[test]
fn an_example_that_names_a_crate_within_is_found() {
    let source = Source {
        path: "x.rs".to_owned(),
        module: Vec::new(),
        text: "/// A head.\n///\n/// ```\n/// # use ledger_store::Hidden;\n/// use ledger_store::Head;\n/// ```\n#[derive(Debug)]\npub struct Head;\n\nimpl Head {\n    /// ```\n    /// ledger_core::shown();\n    /// ```\n    pub fn f() {}\n}\n\n/// ```\n/// use ledger_store::Other;\n/// ```\npub struct Other;\n".to_owned(),
    };
    let of = |name: &str| misnamed(&source, name);
    assert_eq!(
        of("Head"),
        ["x.rs: /// use ledger_store::Head;", "x.rs: /// ledger_core::shown();"]
    );
    assert_eq!(of("Other"), ["x.rs: /// use ledger_store::Other;"]);
    let item = |folder, module: &str, name: &str| Item {
        folder,
        module: module.to_owned(),
        name: name.to_owned(),
    };
    assert_eq!(
        reexported(
            "pub use ledger_core::contract::{Action, Code};\npub use ledger_store::Head;\npub use ledger_store::vault::Erased;\npub use other::X;\n"
        ),
        [
            item("ledger-core/src", "contract", "Action"),
            item("ledger-core/src", "contract", "Code"),
            item("ledger-store/src", "", "Head"),
            item("ledger-store/src", "vault", "Erased"),
        ]
    );
}
