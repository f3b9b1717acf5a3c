//! Which type a name in a module stands for, through imports and what other modules pass on.

use std::collections::BTreeMap;

use super::source::{Declared, Module};

/// Where a type is declared, and its name there.
pub type Canonical = (Vec<String>, String);

/// The modules of the core, to be asked for types.
pub struct Resolver {
    pub modules: BTreeMap<Vec<String>, Module>,
}

impl Resolver {
    /// The type that `path` names in `module`; none where nothing of that name is recorded by
    /// numbers.
    pub fn find(&self, module: &[String], path: &[String]) -> Option<Canonical> {
        self.search(module, path, 0)
    }

    /// The declaration of a type that was found.
    pub fn declared(&self, canonical: &Canonical) -> &Declared {
        &self.modules[&canonical.0].types[&canonical.1]
    }

    fn search(&self, module: &[String], path: &[String], depth: u32) -> Option<Canonical> {
        assert!(depth < 40, "{path:?} in {module:?} leads in a circle");
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => return self.within(&[], rest, depth),
            "super" => {
                return self.within(&module[..module.len().checked_sub(1)?], rest, depth);
            }
            "self" => return self.within(module, rest, depth),
            _ => {}
        }
        let here = self.modules.get(module)?;
        if rest.is_empty() && here.types.contains_key(first) {
            return Some((module.to_vec(), first.clone()));
        }
        let child = [module, std::slice::from_ref(first)].concat();
        if self.modules.contains_key(&child) && !rest.is_empty() {
            return self.within(&child, rest, depth);
        }
        let alias = here.aliases.get(first)?;
        if alias.first() == Some(first) && alias.len() == 1 {
            return None;
        }
        self.search(module, &[alias, rest].concat(), depth + 1)
    }

    /// A path from a module on, whose first name may be a child of it.
    fn within(&self, module: &[String], path: &[String], depth: u32) -> Option<Canonical> {
        let (first, rest) = path.split_first()?;
        if rest.is_empty() || first == "super" {
            return self.search(module, path, depth + 1);
        }
        let child = [module, std::slice::from_ref(first)].concat();
        if self.modules.contains_key(&child) {
            return self.within(&child, rest, depth + 1);
        }
        self.search(module, path, depth + 1)
    }
}
