//! An index of declared paths: which of them a target means, without comparing it with each.

use std::collections::BTreeMap;

use super::shape::{is_parameter, matches, segments_of};

/// Declared paths, each with the places of what is declared on it.
///
/// The places are numbers in the order of declaration, so one index serves every ledger whose
/// table has the same order.
#[derive(Debug)]
pub struct PathIndex {
    /// By path, those without parameters.
    plain: BTreeMap<&'static str, DeclaredPath>,
    /// Those with parameters, the fewest first: where several fit, the first is meant.
    parametric: Vec<DeclaredPath>,
}

/// A path as it is declared.
#[derive(Debug)]
pub struct DeclaredPath {
    path: &'static str,
    /// The places of what is declared on it, in the order of declaration.
    pub places: Vec<usize>,
}

impl PathIndex {
    /// Indexes paths by their places; what has no path is left out, and keeps its place.
    pub fn new(paths: impl IntoIterator<Item = Option<&'static str>>) -> Self {
        let mut declared: Vec<DeclaredPath> = Vec::new();
        for (place, path) in paths.into_iter().enumerate() {
            let Some(path) = path else { continue };
            match declared.iter_mut().find(|known| known.path == path) {
                Some(known) => known.places.push(place),
                None => declared.push(DeclaredPath { path, places: vec![place] }),
            }
        }
        declared.sort_by_key(|known| parameters(known.path));
        let (plain, parametric) = declared.into_iter().partition::<Vec<_>, _>(is_plain);
        let plain = plain.into_iter().map(|known| (known.path.trim_start_matches('/'), known));
        Self { plain: plain.collect(), parametric }
    }

    /// The declared path that a path without its query means: where several fit, the one with the
    /// fewest parameters.
    #[must_use]
    pub fn meant(&self, path: &str) -> Option<&DeclaredPath> {
        let path = path.strip_prefix('/').unwrap_or(path);
        if let Some(known) = self.plain.get(path) {
            return Some(known);
        }
        let segments: Vec<&str> = path.split('/').collect();
        self.parametric.iter().find(|known| matches(known.path, &segments))
    }
}

fn is_plain(declared: &DeclaredPath) -> bool {
    parameters(declared.path) == 0
}

fn parameters(path: &'static str) -> usize {
    segments_of(path).filter(|segment| is_parameter(segment)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: [Option<&str>; 7] = [
        Some("/saldo"),
        Some("/cashin/{cashin_id}/status"),
        None,
        Some("/cashin/{cashin_id}"),
        Some("/cashin/charges"),
        Some("/saldo"),
        Some("/{anything}/{else}/status"),
    ];

    #[test]
    fn a_path_means_the_declared_one_with_the_fewest_parameters() {
        let index = PathIndex::new(PATHS);
        for (path, places) in [
            ("/saldo", Some(&[0, 5][..])),
            ("saldo", Some(&[0, 5][..])),
            ("/saldo/", None),
            ("//saldo", None),
            ("/cashin/charges", Some(&[4][..])),
            ("/cashin/ci_1", Some(&[3][..])),
            ("/cashin/", Some(&[3][..])),
            ("/cashin/ci_1/status", Some(&[1][..])),
            ("/cash-outs/co_1/status", Some(&[6][..])),
            ("/cashin/ci_1/status/", None),
            ("", None),
        ] {
            assert_eq!(index.meant(path).map(|known| &known.places[..]), places, "{path}");
        }
    }
}
