//! What tables call things, and what is read back from them.

use ledger_core::accounting::Nature;
use ledger_core::hexadecimal::bytes;
use ledger_core::id::Token;
use ledger_core::time::Instant;

const PRINCIPAL: &str = "principal";
const FEE: &str = "fee";

/// The name of a leg's nature.
pub(in crate::tables::projection) const fn nature(nature: Nature) -> &'static str {
    match nature {
        Nature::Principal | Nature::Shift => PRINCIPAL,
        Nature::Fee => FEE,
    }
}

/// The nature of this name.
pub(in crate::tables::projection) fn nature_named(name: &str) -> Option<Nature> {
    match name {
        PRINCIPAL => Some(Nature::Principal),
        FEE => Some(Nature::Fee),
        _ => None,
    }
}

/// RFC 3339 in UTC with six decimals, always: so text sorts as time does.
pub(in crate::tables::projection) fn instant(at: Instant) -> String {
    let mut text = at.to_string();
    let fraction = text.find('.').map_or(0, |dot| text.len() - dot - 2);
    text.pop();
    if fraction == 0 {
        text.push('.');
    }
    text.extend(std::iter::repeat_n('0', 6 - fraction));
    text.push('Z');
    text
}

/// The token of these digits.
pub(in crate::tables::projection) fn token(digits: &str) -> Option<Token> {
    bytes(digits)?.try_into().ok().map(Token)
}

#[cfg(test)]
mod tests {
    use ledger_core::accounting::RowKind;
    use ledger_core::hexadecimal::digits;

    use super::*;

    #[test]
    fn instants_have_six_decimals_and_sort_as_text() {
        let texts: Vec<String> = [0, 1, 500_000, 999_999, 1_000_000, 1_763_640_000_123_000]
            .into_iter()
            .map(|micros| instant(Instant::from_micros(micros).unwrap()))
            .collect();
        assert_eq!(texts[0], "1970-01-01T00:00:00.000000Z");
        assert_eq!(texts[2], "1970-01-01T00:00:00.500000Z");
        assert!(texts.is_sorted());
        assert!(texts.iter().all(|text| text.len() == 27), "{texts:?}");
    }

    #[test]
    fn an_instant_reads_back() {
        for micros in [0, 1, 120_000, 1_763_640_000_123_456] {
            let at = Instant::from_micros(micros).unwrap();
            assert_eq!(Instant::parse(&instant(at)), Some(at));
        }
    }

    #[test]
    fn names_of_rows_read_back() {
        let carried = RowKind::from_name("carried").unwrap();
        assert_eq!((carried.name(), RowKind::from_name("carry")), ("carried", None));
        assert_eq!(nature_named(nature(Nature::Fee)), Some(Nature::Fee));
        assert_eq!(token(&digits(&[7; 16])), Some(Token([7; 16])));
        assert_eq!(token("07"), None);
    }
}
