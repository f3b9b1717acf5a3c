//! Which file imports which, and the circles among them.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::Source;

/// For each module, the modules it imports; a parent and its children are one family, and not
/// counted.
pub struct Imports(BTreeMap<Vec<String>, BTreeSet<Vec<String>>>);

impl Imports {
    /// The imports of the files of one crate.
    pub fn from_sources(sources: &[Source]) -> Self {
        let modules: BTreeSet<&Vec<String>> = sources.iter().map(|source| &source.module).collect();
        let imports = sources.iter().map(|source| {
            let me = &source.module;
            let named = paths(&source.text).into_iter().filter_map(|path| resolved(me, &path));
            let files = named.filter_map(|path| {
                let mut lengths = (0..=path.len()).rev();
                lengths.find_map(|length| {
                    let file = path[..length].to_vec();
                    modules.contains(&file).then_some(file)
                })
            });
            let others = files.filter(|file| !file.starts_with(me) && !me.starts_with(file));
            (me.clone(), others.collect())
        });
        Self(imports.collect())
    }

    /// Each arrow: a module, and one that it imports.
    pub fn arrows(&self) -> impl Iterator<Item = (&Vec<String>, &Vec<String>)> {
        self.0.iter().flat_map(|(from, all)| all.iter().map(move |to| (from, to)))
    }

    /// Returns what is reached from a module by imports alone.
    fn reached(&self, from: &Vec<String>) -> BTreeSet<&Vec<String>> {
        let mut seen = BTreeSet::new();
        let mut next: Vec<&Vec<String>> = self.0[from].iter().collect();
        while let Some(module) = next.pop() {
            if seen.insert(module) {
                next.extend(self.0.get(module).into_iter().flatten());
            }
        }
        seen
    }
}

/// The circles, each as the modules in it.
pub fn circles(imports: &Imports) -> Vec<Vec<String>> {
    let reached: BTreeMap<_, _> =
        imports.0.keys().map(|module| (module, imports.reached(module))).collect();
    let mut found = BTreeSet::new();
    for (module, reaches) in &reached {
        if reaches.contains(module) {
            let back = reaches.iter().filter(|other| reached[**other].contains(module));
            found.insert(back.map(|other| other.join("::")).collect::<Vec<_>>());
        }
    }
    found.into_iter().collect()
}

/// The paths of a file that begin at the crate, at itself or above it, each as its parts. What
/// stands in comments, in tests at its end, and in visibilities imports nothing.
fn paths(text: &str) -> Vec<Vec<String>> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: Vec<&str> =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join(" ").replace("pub(in crate", "pub(in ");
    let mut found = Vec::new();
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            if before.is_none_or(|c| !(c.is_alphanumeric() || matches!(c, ':' | '_'))) {
                tree(&code[at..], &mut Vec::new(), &mut found);
            }
        }
    }
    found
}

/// Reads one path, or a tree of them, from the beginning of `code`; gives what follows.
fn tree<'a>(mut code: &'a str, prefix: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> &'a str {
    let depth = prefix.len();
    loop {
        code = code.trim_start();
        let end = code.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(code.len());
        let (name, rest) = code.split_at(end);
        if !name.is_empty() {
            prefix.push(name.to_owned());
        }
        code = rest;
        if let Some(rest) = code.strip_prefix("::") {
            code = rest;
        } else if let Some(mut rest) = code.strip_prefix('{').filter(|_| name.is_empty()) {
            loop {
                rest = tree(rest, prefix, found).trim_start();
                let Some(more) = rest.strip_prefix(',') else { break };
                rest = more.trim_start();
                if rest.starts_with('}') {
                    break;
                }
            }
            prefix.truncate(depth);
            return rest.strip_prefix('}').unwrap_or(rest);
        } else {
            break;
        }
    }
    found.push(prefix.clone());
    prefix.truncate(depth);
    // `path as name`: the name imports nothing.
    let after = code.trim_start();
    after.strip_prefix("as ").map_or(code, |alias| {
        alias.trim_start().trim_start_matches(|c: char| c.is_alphanumeric() || c == '_')
    })
}

/// A path from the crate's root.
fn resolved(me: &[String], path: &[String]) -> Option<Vec<String>> {
    let (first, rest) = path.split_first()?;
    let mut absolute = match &**first {
        "crate" => Vec::new(),
        "self" => me.to_vec(),
        "super" => me.split_last()?.1.to_vec(),
        _ => return None,
    };
    for part in rest {
        match &**part {
            "super" => drop(absolute.pop()),
            "self" => {}
            name => absolute.push(name.to_owned()),
        }
    }
    Some(absolute)
}
