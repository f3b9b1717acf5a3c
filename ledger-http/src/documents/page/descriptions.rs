//! Descriptions in the page's language: of fields, parameters, groups of routes and events.
//!
//! The document says each in English, sentence by sentence as the declarations have it; the
//! catalogues beside, a file for each domain, have every sentence with its Portuguese.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::{Lang, mark_code};
use crate::edge::portuguese::Catalogue;

/// The catalogues, in the order in which a sentence is looked for.
const CATALOGUES: [&str; 6] = [
    include_str!("portuguese/account.txt"),
    include_str!("portuguese/agent.txt"),
    include_str!("portuguese/charge.txt"),
    include_str!("portuguese/sale.txt"),
    include_str!("portuguese/shared.txt"),
    include_str!("portuguese/wallet.txt"),
];

static PORTUGUESE: LazyLock<[Catalogue; 6]> = LazyLock::new(|| CATALOGUES.map(Catalogue::read));

/// A description as HTML, with the tag of its language: English where it has no Portuguese.
pub(super) fn description_html(lang: Lang, english: &str) -> (String, &'static str) {
    let text = match lang {
        Lang::Pt => portuguese(english).map(Cow::Owned),
        Lang::En => None,
    };
    let tag = if text.is_some() { Lang::Pt.tag() } else { Lang::En.tag() };
    (mark_code(&text.unwrap_or(Cow::Borrowed(english))), tag)
}

/// A description in Portuguese; none where a sentence of it has none.
fn portuguese(english: &str) -> Option<String> {
    let translated = sentences(english)
        .map(|sentence| PORTUGUESE.iter().find_map(|catalogue| catalogue.lookup(sentence)));
    Some(translated.collect::<Option<Vec<_>>>()?.join(" "))
}

/// The sentences of a description, each with what ends it.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(". ").map(str::trim_end)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::documents::Config;
    use crate::documents::page::{reference, reference_in_portuguese};

    /// Every sentence of the catalogues with its Portuguese, file by file.
    fn pairs() -> Vec<Vec<(&'static str, &'static str)>> {
        let pairs = |text: &'static str| {
            let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
            let lines: Vec<_> = lines.collect();
            let pair = |pair: &[&'static str]| (pair[0], pair[1].strip_prefix("  ").unwrap());
            lines.chunks(2).map(pair).collect()
        };
        CATALOGUES.map(pairs).to_vec()
    }

    /// The words of the wire in a sentence: those between backquotes, and names with underscores.
    fn wire_words(text: &str) -> Vec<&str> {
        let quoted = text.split('`').skip(1).step_by(2);
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let mut words: Vec<_> = quoted.chain(words.filter(|word| word.contains('_'))).collect();
        words.sort_unstable();
        words
    }

    #[test]
    fn every_description_of_the_portuguese_page_is_portuguese() {
        let page = reference_in_portuguese(&Config::at("https://api.example.com"));
        let english = ["<dd lang=\"en\">", "<p lang=\"en\">"]
            .into_iter()
            .flat_map(|begins| page.split(begins).skip(1).filter_map(|rest| rest.lines().next()));
        let english: BTreeSet<_> = english.collect();
        assert!(english.is_empty(), "{english:#?}");
        assert!(page.contains("<dd lang=\"pt-BR\">O ID da cobrança."));
    }

    #[test]
    fn no_sentence_of_the_catalogues_is_unused() {
        let page = reference(&Config::at("https://api.example.com"));
        let is_shown = |sentence: &str| {
            let first = mark_code(sentence).split("{}").next().unwrap_or_default().to_owned();
            page.contains(&format!(">{first}")) || page.contains(&format!(". {first}"))
        };
        let unused: Vec<_> = pairs().concat().into_iter().filter(|(it, _)| !is_shown(it)).collect();
        assert!(unused.is_empty(), "{unused:#?}");
    }

    #[test]
    fn sentences_are_sorted_and_stand_in_one_catalogue() {
        for of_file in pairs() {
            let sentences: Vec<_> = of_file.iter().map(|(sentence, _)| sentence).collect();
            assert!(sentences.is_sorted(), "{sentences:?}");
        }
        let all = pairs().concat();
        let distinct: BTreeSet<_> = all.iter().map(|(sentence, _)| sentence).collect();
        assert_eq!(distinct.len(), all.len());
    }

    #[test]
    fn words_of_the_wire_are_the_same_in_both_languages() {
        for (english, portuguese) in pairs().concat() {
            assert_eq!(wire_words(portuguese), wire_words(english), "{english}");
            let holes = |text: &str| text.matches("{}").count();
            assert_eq!(holes(portuguese), holes(english), "{english}");
        }
    }

    #[test]
    fn a_description_without_portuguese_is_shown_in_english_and_says_so() {
        let (text, tag) = description_html(Lang::Pt, "The asset. Nobody wrote `this` down.");
        assert_eq!((&*text, tag), ("The asset. Nobody wrote <code>this</code> down.", "en"));
        let (text, tag) = description_html(Lang::Pt, "The asset. Unit: USDT.");
        assert_eq!((&*text, tag), ("O ativo. Unidade: USDT.", "pt-BR"));
    }
}
