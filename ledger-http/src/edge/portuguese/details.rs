//! Details as the code has them, each with its Portuguese: every sentence is read from the sources
//! that answer clients, operators and the world.

use std::fs;
use std::path::{Path, PathBuf};

use super::CATALOG;

/// What is wrong with a field, in sentences that begin with its name.
const MALFORMED: &str = "../ledger-core/src/ledger/malformed.rs";

/// Where the sources are that answer clients, operators and the world.
const SOURCES: [&str; 5] =
    ["../ledger-core/src/contract", "src/courier", "src/edge", "src/operators", "src/world"];

/// This file, which answers nobody.
const THIS: &str = "portuguese/details.rs";

/// What a detail is given to.
const CALLS: [&str; 7] =
    ["Problem::new(", "wrong(", "invalid(", "refused(", "refusal(", "conflict(", "let detail ="];

/// Texts that are no detail by themselves: what stands in their holes is one, or the whole that
/// they are put together to is listed.
const COMPOSED: [&str; 6] = [
    " and ",
    ", another ",
    ", not text",
    "br_code: 7",
    "7 would hold this charge, and allow_hold is false",
    // A panic of whoever declares a field.
    "7 is no field of text",
];

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a folder of sources is readable");
        entries.for_each(|entry| files(&entry.expect("an entry is readable").path(), found));
    } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with(THIS) {
        found.push(path.to_owned());
    }
}

/// The code of a source without its comments and its tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a source is readable");
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The arguments that begin here, up to what closes or ends them, each with its texts.
fn arguments(code: &str) -> Vec<Vec<String>> {
    let (mut all, mut texts, mut depth) = (Vec::new(), Vec::new(), 0);
    let mut letters = code.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => texts.push(text(&mut letters)),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            ';' if depth == 0 => break,
            ',' if depth == 0 => all.push(std::mem::take(&mut texts)),
            _ => {}
        }
    }
    all.push(texts);
    all
}

/// A text of the code whose first quote is read, as it is when it is said: anything in its holes.
fn text(letters: &mut std::str::Chars<'_>) -> String {
    let (mut text, mut in_hole) = (String::new(), false);
    while let Some(letter) = letters.next() {
        match letter {
            '"' => break,
            '\\' => match letters.next() {
                Some('\n') => {
                    let rest = letters.as_str();
                    *letters = rest[rest.len() - rest.trim_start().len()..].chars();
                }
                Some(escaped) => text.push(escaped),
                None => {}
            },
            '{' => in_hole = true,
            '}' => {
                in_hole = false;
                text.push('7');
            }
            _ if in_hole => {}
            letter => text.push(letter),
        }
    }
    text
}

/// The arguments of every use of a call.
fn uses<'a>(code: &'a str, call: &'a str) -> impl Iterator<Item = Vec<Vec<String>>> + use<'a> {
    code.match_indices(call).filter_map(move |(at, _)| {
        let before = &code[..at];
        let is_longer = before.ends_with(|c: char| c.is_alphanumeric() || "_:.".contains(c));
        let is_other = is_longer || before.ends_with("fn ");
        (!is_other).then(|| arguments(&code[at + call.len()..]))
    })
}

/// Every detail of a source.
fn details(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for call in CALLS {
        for mut arguments in uses(code, call) {
            // A field's name, and what is wrong with it.
            let is_field = call == "wrong(" && arguments.len() > 1;
            let name = if is_field { arguments.remove(0) } else { Vec::new() };
            let name = match &name[..] {
                [name] => format!("{name} "),
                _ if is_field => "a_field ".to_owned(),
                _ => String::new(),
            };
            let is_sentence =
                |text: &String| text.contains(' ') && text.contains(char::is_alphabetic);
            let texts = arguments.into_iter().flatten().filter(is_sentence);
            // Where a sentence begins without one, the name is put before it elsewhere.
            let named = |text: String| match name.as_str() {
                "" if text.starts_with("must ") => format!("a_field {text}"),
                name => format!("{name}{text}"),
            };
            found.extend(texts.map(named));
        }
    }
    found
}

/// Tells whether nothing but words of the wire stands where the most general entry has a hole.
fn is_said(detail: &str) -> bool {
    let Some(portuguese) = CATALOG.lookup(detail) else { return false };
    let Some((_, what)) = detail.split_once(" must be ") else { return true };
    let is_general = portuguese.ends_with(&format!(" deve ser {}", what.replace(" or ", " ou ")));
    !is_general || what.replace(" or ", ", ").split(", ").all(|word| !word.contains(' '))
}

#[test]
fn every_detail_of_the_code_has_its_portuguese() {
    let mut sources = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for path in SOURCES {
        files(&root.join(path), &mut sources);
    }
    let mut all: Vec<_> = sources.iter().flat_map(|path| details(&code(path))).collect();
    let malformed = code(&root.join(MALFORMED));
    let malformed = uses(&malformed, "#[error(").flatten().flatten();
    all.extend(malformed.map(|what| format!("a_field {what}")));
    let missing: Vec<_> =
        all.iter().filter(|detail| !COMPOSED.contains(&&***detail) && !is_said(detail)).collect();
    assert!(all.len() > 350 && missing.is_empty(), "{}, {missing:#?}", all.len());
}

#[test]
fn a_detail_is_read_from_the_code_and_missed_where_it_has_no_portuguese() {
    let code = "Err(wrong(\"limit\", &format!(\"must be odd, \\\n    not {n}\")))\n\
                let detail = \"nobody knows\";\nfn wrong(name: &str) {}";
    assert_eq!(details(code), ["limit must be odd, not 7", "nobody knows"]);
    assert!(!is_said("limit must be odd, not 7") && !is_said("nobody knows"));
    assert!(is_said("destino must be saldo or cripto") && !is_said("ip must be an address"));
}
