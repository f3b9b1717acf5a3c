//! What an error may repeat of the input that it complains of: a glimpse, and no secret.

/// The most characters of input that an error repeats.
const MOST: usize = 64;

/// Text of a client's as an error shows it: at most 64 characters, digits masked, and of what looks
/// like an e-mail address or a credential nothing (INV-46).
#[must_use]
pub fn mask_input(text: &str) -> String {
    let mut shown = String::with_capacity(MOST);
    let mut seen = text.char_indices();
    let end = seen.by_ref().nth(MOST).map_or(text.len(), |(end, _)| end);
    for piece in text[..end].split_inclusive(|c: char| !is_word(c)) {
        let (word, rest) = match piece.char_indices().next_back() {
            Some((last, c)) if !is_word(c) => piece.split_at(last),
            _ => (piece, ""),
        };
        if is_secret(word) {
            shown.push_str("***");
        } else {
            shown.extend(word.chars().map(|c| if c.is_numeric() { '*' } else { c }));
        }
        shown.extend(rest.chars().filter(|c| !c.is_control()));
    }
    if end < text.len() {
        shown.push('…');
    }
    shown
}

const fn is_word(c: char) -> bool {
    !matches!(c, '/' | '?' | '&' | '=' | ' ' | ',' | ';' | '"' | '\'') && !c.is_ascii_control()
}

fn is_secret(word: &str) -> bool {
    let credential = ["svc_", "whk_"].iter().any(|prefix| word.contains(prefix));
    credential || word.contains('@') || word.contains("%40")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_document_address_or_key_is_repeated() {
        assert_eq!(mask_input("custmer_ref"), "custmer_ref");
        assert_eq!(mask_input("payouts/52998224725/x"), "payouts/***********/x");
        assert_eq!(mask_input("ana@exemplo.com.br=1"), "***=*");
        assert_eq!(mask_input("keys/svc_live_loja"), "keys/***");
        assert_eq!(mask_input("keys/ana%40exemplo.com.br"), "keys/***");
    }

    #[test]
    fn at_most_64_characters_are_repeated_however_long_the_input() {
        let long = "é".repeat(800_000);
        assert_eq!(mask_input(&long).chars().count(), MOST + 1);
        assert_eq!(mask_input(&"x".repeat(MOST)), "x".repeat(MOST));
    }
}
