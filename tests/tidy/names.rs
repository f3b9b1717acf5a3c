//! Names that say nothing of what they name: no declaration bears one.

use std::fs;
use std::path::Path;

use crate::sources::root;

/// The names: participles and words that stand for any noun.
const EMPTY: [&str; 17] = [
    "of", "asked", "Asked", "Found", "Kept", "Said", "Known", "Place", "Beside", "Passing", "Came",
    "Went", "Given", "Pen", "answered", "put", "heard",
];

/// Participles that end otherwise than in "ed", as functions were named by.
const PARTICIPLES: [&str; 34] = [
    "begun", "bought", "broken", "built", "chosen", "done", "drawn", "found", "given", "gone",
    "held", "hidden", "kept", "known", "left", "lost", "made", "met", "owed", "paid", "said",
    "seen", "sent", "shown", "sold", "spent", "taken", "thrown", "told", "written", "won", "worn",
    "sworn", "torn",
];

/// Words in "ed" that are no participles, or that a standard or a macro gives: of the test kit's
/// given, when, then; of a field that is required beside one that is optional; of the contract's
/// `supplied`.
const OTHERWISE: [&str; 9] =
    ["feed", "given", "need", "proceed", "required", "seed", "speed", "succeed", "supplied"];

/// The keywords that a declared name follows.
const KEYWORDS: [&str; 6] = ["fn", "struct", "enum", "type", "trait", "mod"];

/// Folders that hold nothing of the tree's own.
const MADE: [&str; 3] = ["target", "mutants.out", "node_modules"];

#[test]
fn no_declaration_bears_a_name_that_says_nothing() {
    let mut files = Vec::new();
    collect(root(), &mut files);
    let paths: Vec<&str> = files.iter().map(|(path, _)| &**path).collect();
    for path in ["ledger-core/src/lib.rs", "src/lib.rs", "tests/tidy/names.rs"] {
        assert!(paths.contains(&path), "{path} is not looked at");
    }
    let found = files.iter().flat_map(|(path, text)| {
        declared(text).into_iter().map(move |(line, name)| format!("{path}:{line}: {name}"))
    });
    let found: Vec<String> = found.collect();
    assert!(found.is_empty(), "name them by what they are: {found:#?}");
}

#[test]
fn no_function_is_named_by_a_bare_participle() {
    let mut files = Vec::new();
    collect(root(), &mut files);
    let shipped = |path: &str| {
        !["tests/", "benches/", "examples/"].iter().any(|it| path.contains(it))
            && !path.ends_with("tests.rs")
    };
    let found = files.iter().filter(|(path, _)| shipped(path)).flat_map(|(path, text)| {
        let named = declarations(text, &["fn"], is_participle).into_iter();
        named.map(move |(line, name)| format!("{path}:{line}: {name}"))
    });
    let found: Vec<String> = found.collect();
    assert!(found.is_empty(), "name them by what they do or return: {found:#?}");
}

#[test]
fn a_bare_participle_is_told_from_other_names() {
    for name in ["checked", "refused", "shown", "left"] {
        assert!(is_participle(name), "{name}");
    }
    for name in ["feed", "need", "refused_sum", "is_held", "red", "check", "required", "given"] {
        assert!(!is_participle(name), "{name}");
    }
    let text = "impl A {\n    const fn moved(&self) {}\n    fn move_it() {}\n}\nstruct Held;\n";
    assert_eq!(declarations(text, &["fn"], is_participle), [(2, "moved".to_owned())]);
}

#[test]
fn a_declaration_by_such_a_name_is_found() {
    for keyword in KEYWORDS {
        for name in EMPTY {
            let text = format!("//! A file.\n\npub(crate) {keyword} {name}<T>;\n");
            assert_eq!(declared(&text), [(3, name.to_owned())], "{text}");
        }
    }
    let after = "let a = '\"';\nfn b<'a>(_: &'a str) {}\nlet c = r#\"\\\"#; const fn\n  of() {}\n";
    assert_eq!(declared(after), [(4, "of".to_owned())]);
}

#[test]
fn comments_strings_and_longer_names_declare_nothing() {
    let texts = [
        "// fn of() {}\n/// struct Kept;\n//! The type of a field.",
        "/* fn of() {} /* mod put; */ enum Known {} */",
        "let a = \"fn of() \\\" struct Found\";",
        "let b = (br#\"fn of \" type Place\"#, r\"enum Given \\\", b\"trait Asked\", '\\'');",
        "fn often() {}\nfn fn_of() {}\nstruct Placed;\nenum FoundColumn {}\nmod asked_for;",
        "let of: fn(Kept) -> Place = known.of(put);",
    ];
    for text in texts {
        assert_eq!(declared(text), [], "{text}");
    }
}

/// The names of the list that a text declares, each with its line.
fn declared(text: &str) -> Vec<(usize, String)> {
    declarations(text, &KEYWORDS, |name| EMPTY.contains(&name))
}

fn is_participle(name: &str) -> bool {
    let regular = name.len() > 3 && name.ends_with("ed") && !name.contains('_');
    (regular || PARTICIPLES.contains(&name)) && !OTHERWISE.contains(&name)
}

/// The names that a text declares by these keywords and that are looked for, each with its line.
fn declarations(
    text: &str,
    keywords: &[&str],
    is_wanted: fn(&str) -> bool,
) -> Vec<(usize, String)> {
    let code = code(text);
    let is_part = |letter: char| letter == '_' || letter.is_alphanumeric();
    let mut found = Vec::new();
    for keyword in keywords {
        for (at, _) in code.match_indices(keyword) {
            let (before, rest) = (&code[..at], &code[at + keyword.len()..]);
            let after = rest.trim_start();
            let name = after.split(|letter| !is_part(letter)).next().unwrap_or_default();
            let is_whole = !before.ends_with(is_part) && rest.starts_with(char::is_whitespace);
            if is_whole && is_wanted(name) {
                let lines = code[..code.len() - after.len()].matches('\n').count();
                found.push((lines + 1, name.to_owned()));
            }
        }
    }
    found.sort();
    found
}

/// A text with spaces in place of its comments, strings and characters; lines stay lines.
fn code(text: &str) -> String {
    let (mut code, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(['/', '"', '\'', 'r']) {
        let hidden = hidden(&rest[at..]);
        let (shown, left) = rest.split_at(if hidden == 0 { at + 1 } else { at });
        let (covered, left) = left.split_at(hidden);
        code.push_str(shown);
        code.extend(covered.chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }));
        rest = left;
    }
    code + rest
}

/// The bytes of the comment, string or character that a text begins with; 0 where it begins with
/// code.
fn hidden(text: &str) -> usize {
    let raw = text.strip_prefix('r').map(|rest| (rest, rest.trim_start_matches('#')));
    match (text.as_bytes(), raw) {
        ([b'/', b'/', ..], _) => text.find('\n').unwrap_or(text.len()),
        ([b'/', b'*', ..], _) => block_comment(text),
        ([b'"', ..], _) => string(text),
        ([b'\'', ..], _) => character(text),
        (_, Some((rest, quoted))) if quoted.starts_with('"') => {
            let hashes = &rest[..rest.len() - quoted.len()];
            let open = 1 + hashes.len() + 1;
            let close = format!("\"{hashes}");
            text[open..].find(&close).map_or(text.len(), |at| open + at + close.len())
        }
        _ => 0,
    }
}

/// The bytes of a block comment, with the comments in it.
fn block_comment(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < text.len() {
        match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (at, depth) = (at + 2, depth + 1),
            [b'*', b'/', ..] if depth == 1 => return at + 2,
            [b'*', b'/', ..] => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
    }
    text.len()
}

/// The bytes of a string, with its quotation marks.
fn string(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return at + 1,
            '\\' => drop(letters.next()),
            _ => {}
        }
    }
    text.len()
}

/// The bytes of a character with its marks; 0 where the mark begins a lifetime.
fn character(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    let escaped = match letters.next() {
        Some((_, '\\')) => letters.next().is_some(),
        _ => false,
    };
    match letters.next() {
        Some((at, '\'')) => at + 1,
        Some((at, _)) if escaped => text[at..].find('\'').map_or(0, |end| at + end + 1),
        _ => 0,
    }
}

/// Reads the Rust files of a folder and of those in it, with their paths from the root.
fn collect(folder: &Path, files: &mut Vec<(String, String)>) {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries.map(|entry| entry.expect("it is read")) {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if entry.file_type().expect("it has a type").is_dir() {
            if !name.starts_with('.') && !MADE.contains(&&*name) {
                collect(&path, files);
            }
        } else if path.extension().is_some_and(|it| it == "rs") {
            let from_root = path.strip_prefix(root()).expect("it stands under the root");
            let from_root = from_root.to_string_lossy().replace('\\', "/");
            let text = fs::read_to_string(&path);
            files.push((from_root, text.unwrap_or_else(|error| panic!("{name}: {error}"))));
        }
    }
}
