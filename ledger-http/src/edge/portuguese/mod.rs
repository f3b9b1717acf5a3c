//! Errors in Portuguese, for whoever asks for it by `Accept-Language`: `detail` and nothing else.
//!
//! The contract says details in English, and clients branch on `erro` alone. The catalogue beside
//! has each detail with its Portuguese; one that it does not list is told by what its code means,
//! and as it was said.

#[cfg(test)]
mod details;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;

const CATALOGUE: &str = include_str!("catalogue.txt");

static CATALOG: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::read(CATALOGUE));

/// Meanings by codes, and texts in both languages, each in the pieces between what stands for
/// anything.
#[derive(Default)]
pub(crate) struct Catalogue {
    meanings: BTreeMap<&'static str, &'static str>,
    details: Vec<(Vec<&'static str>, Vec<&'static str>)>,
}

impl Catalogue {
    /// Reads a catalogue, a code with its meaning or a text with its Portuguese below it.
    pub(crate) fn read(text: &'static str) -> Self {
        let mut catalogue = Self::default();
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut lines = lines.peekable();
        while let Some(line) = lines.next() {
            let portuguese = lines.next_if(|next| next.starts_with("  "));
            match (portuguese, line.split_once(": ")) {
                (Some(portuguese), _) => {
                    let pieces = |text: &'static str| text.split("{}").collect();
                    catalogue.details.push((pieces(line), pieces(portuguese.trim_start())));
                }
                (None, Some((code, meaning))) => {
                    catalogue.meanings.insert(code, meaning);
                }
                (None, None) => {}
            }
        }
        catalogue
    }

    /// Says a text in Portuguese; none where nothing of the catalogue fits.
    pub(crate) fn lookup(&self, english: &str) -> Option<String> {
        self.details.iter().find_map(|(pieces, portuguese)| {
            let holes = holes(pieces, english)?;
            let (first, rest) = portuguese.split_first()?;
            let mut said = (*first).to_owned();
            for (hole, piece) in holes.iter().zip(rest) {
                said.push_str(hole);
                said.push_str(piece);
            }
            Some(said)
        })
    }
}

/// Returns what stands between the pieces of a text; none where the text is not made of them. The
/// last is often a list of ours, whose words are said in Portuguese too.
fn holes(pieces: &[&str], text: &str) -> Option<Vec<String>> {
    let (first, rest) = pieces.split_first()?;
    let mut left = text.strip_prefix(first)?;
    let Some((last, between)) = rest.split_last() else {
        return left.is_empty().then(Vec::new);
    };
    let mut holes = Vec::with_capacity(rest.len());
    for piece in between {
        let (hole, after) = left.split_once(piece)?;
        holes.push(hole.to_owned());
        left = after;
    }
    let words = left.strip_suffix(last)?.replace(", another ", ", outro ");
    holes.push(words.replace(" or ", " ou ").replace(" and ", " e "));
    Some(holes)
}

/// Returns what an error means, by its code.
pub(crate) fn meaning(code: &str) -> Option<&'static str> {
    CATALOG.meanings.get(code).copied()
}

/// Says the `detail` of an error body in Portuguese.
pub(crate) fn translate(body: &mut Value) {
    let (Some(code), Some(detail)) = (body["erro"].as_str(), body["detail"].as_str()) else {
        return;
    };
    let said = CATALOG.lookup(detail).or_else(|| {
        let meaning = CATALOG.meanings.get(code)?;
        Some(format!("{meaning} ({detail})"))
    });
    if let Some(said) = said {
        body["detail"] = said.into();
    }
}

#[cfg(test)]
mod tests {
    use ledger_core::contract::TABLE;
    use serde_json::json;

    use super::*;

    fn detail_in_portuguese(code: &str, detail: &str) -> String {
        let mut body = json!({ "erro": code, "detail": detail });
        translate(&mut body);
        body["detail"].as_str().unwrap().to_owned()
    }

    #[test]
    fn every_code_has_a_meaning_in_portuguese() {
        let codes = TABLE.map(|(_, name, ..)| name);
        let missing: Vec<_> =
            codes.iter().filter(|code| !CATALOG.meanings.contains_key(*code)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert_eq!(CATALOG.meanings.len(), codes.len());
    }

    #[test]
    fn a_detail_is_said_with_what_it_names() {
        for (detail, expected) in [
            ("4900 centavos may be spent", "podem ser gastos 4900 centavos"),
            (
                "this external_id was used with another pix_key, another amount_cents",
                "este external_id foi usado com outro pix_key, outro amount_cents",
            ),
            ("outcome must be paid or not_paid", "outcome deve ser paid ou not_paid"),
            ("amount_cents is required", "amount_cents é obrigatório"),
            (
                "customer_ref must be a string of 1 to 80 bytes",
                "customer_ref deve ser um texto de 1 a 80 bytes",
            ),
            ("at must be letters, digits, _ or -", "at deve ter só letras, dígitos, _ ou -"),
            (
                "amount_cents must be a JSON integer of centavos, not text, from 1 to 9",
                "amount_cents deve ser um inteiro JSON de centavos, e não texto, de 1 a 9",
            ),
            (
                "email is required, and must be an e-mail address",
                "email é obrigatório, e deve ser um endereço de e-mail",
            ),
        ] {
            assert_eq!(detail_in_portuguese("formato_invalido", detail), expected);
        }
    }

    #[test]
    fn a_detail_that_is_not_listed_is_told_by_its_code_and_as_it_was_said() {
        let told = detail_in_portuguese("saldo_insuficiente", "nobody wrote this down");
        assert_eq!(told, "O saldo disponível não cobre. (nobody wrote this down)");
    }

    #[test]
    fn both_languages_of_a_detail_have_the_same_places() {
        let differing: Vec<_> = CATALOG
            .details
            .iter()
            .filter(|(english, portuguese)| english.len() != portuguese.len())
            .collect();
        assert!(differing.is_empty(), "{differing:?}");
    }

    /// Of two details that fit, the one that stands first is taken, and none stands behind a
    /// shorter one that takes it away.
    #[test]
    fn every_detail_of_the_catalogue_is_the_first_that_fits_itself() {
        for (english, portuguese) in &CATALOG.details {
            let (example, expected) = (english.join("7"), portuguese.join("7"));
            assert_eq!(CATALOG.lookup(&example).as_ref(), Some(&expected), "{example}");
        }
    }

    /// What the ledger refuses is said nowhere else: every sentence of the two tables of refusals.
    /// One is put together of who would hold a charge, and is listed whole.
    #[test]
    fn every_refusal_of_the_ledger_is_listed() {
        let tables = [
            include_str!("../../../../ledger-core/src/contract/error/refusals.rs"),
            include_str!("../../../../ledger-core/src/contract/wallet/refusals.rs"),
        ];
        let (mut seen, mut missing) = (0, Vec::new());
        for text in tables.iter().flat_map(|table| table.split('"').skip(1).step_by(2)) {
            let pieces: Vec<_> =
                text.split('{').map(|it| it.split('}').next_back().unwrap()).collect();
            let example = pieces.join("7");
            let part = text.starts_with("the payer's limits")
                || text.starts_with("the account's own retention")
                || text.starts_with("{whose}");
            if text.contains(' ')
                && !part
                && !text.starts_with(", ")
                && !text.contains("{name} {why}")
            {
                seen += 1;
                if CATALOG.lookup(&example).is_none() {
                    missing.push(example);
                }
            }
        }
        assert!(seen > 70 && missing.is_empty(), "{seen}, {missing:?}");
    }
}
