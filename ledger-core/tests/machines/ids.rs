//! Names inside the ledger: derived, and of one ledger only (rulings 9).

use ledger_core::id::{KeyHash, Kind, OpId, Seq, Token};
use proptest::prelude::*;

use crate::samples::op;

const KINDS: [(Kind, &str); 6] = [
    (Kind::Charge, "ci_"),
    (Kind::Transfer, "tr_"),
    (Kind::Payout, "po_"),
    (Kind::Hold, "ho_"),
    (Kind::Suspense, "su_"),
    (Kind::Adjustment, "ad_"),
];

fn kinds() -> impl Strategy<Value = Kind> {
    (0..KINDS.len()).prop_map(|index| KINDS[index].0)
}

/// Any number that twelve hexadecimal digits hold.
fn ops() -> impl Strategy<Value = OpId> {
    (kinds(), 0..1_u64 << 48).prop_map(|(kind, seq)| op(kind, seq))
}

#[test]
fn an_id_says_what_it_names() {
    for (kind, prefix) in KINDS {
        let id = op(kind, 0xBEEF);
        assert_eq!((id.kind(), id.seq()), (kind, Seq(0xBEEF)));
        let text = id.text("live");
        assert!(text.starts_with(prefix) && text[3..].starts_with("00000000beef"), "{text}");
        // 96 bits or more.
        assert_eq!(text.len(), 3 + 28);
        assert_eq!(OpId::parse(&text, "live"), Some(id));
    }
}

#[test]
fn an_id_of_one_ledger_is_not_an_id_of_another() {
    for (kind, _) in KINDS {
        let text = op(kind, 7).text("live");
        assert_eq!(OpId::parse(&text, "sandbox"), None);
        assert_eq!(OpId::parse(&text, ""), None);
    }
}

#[test]
fn an_id_of_one_kind_or_number_is_not_an_id_of_another() {
    let text = op(Kind::Charge, 7).text("live");
    for (_, prefix) in &KINDS[1..] {
        assert_eq!(OpId::parse(&format!("{prefix}{}", &text[3..]), "live"), None);
    }
    let other = text.replacen("000000000007", "000000000008", 1);
    assert_ne!(other, text);
    assert_eq!(OpId::parse(&other, "live"), None);
}

#[test]
fn malformed_ids_are_refused() {
    let text = op(Kind::Charge, 0xBEEF).text("live");
    let mut malformed = vec![
        String::new(),
        "ci_".to_owned(),
        "ci".to_owned(),
        text[3..].to_owned(),
        text.to_uppercase(),
        format!("ci_{}", text[3..].to_uppercase()),
        format!("{text}0"),
        format!(" {text}"),
        text[..30].to_owned(),
        text.replacen("0000", "+000", 1),
    ];
    // Text of the right length whose slicing points fall inside a character.
    malformed.push(format!("ci_{}é{}", "0".repeat(11), "0".repeat(15)));
    malformed.push(format!("ci_{}", "é".repeat(14)));
    malformed.push(format!("ci_{}é", "0".repeat(26)));
    malformed.push("cié000".to_owned());
    for text in malformed {
        assert_eq!(OpId::parse(&text, "live"), None, "{text}");
    }
}

#[test]
fn debug_output_shows_no_whole_token() {
    assert_eq!(format!("{:?}", Token([0xAB; 16])), "Token(abab..)");
    assert_eq!(format!("{:?}", KeyHash([0xCD; 32])), "KeyHash(cdcd..)");
    assert_eq!(format!("{:?}", op(Kind::Payout, 9)), "Payout#9");
}

proptest! {
    #[test]
    fn an_id_reads_as_it_was_written(id in ops(), ledger in "[a-z]{0,12}") {
        prop_assert_eq!(OpId::parse(&id.text(&ledger), &ledger), Some(id));
    }

    #[test]
    fn another_ledger_never_reads_it(id in ops(), one in "[a-z]{1,8}", other in "[a-z]{1,8}") {
        prop_assume!(one != other);
        prop_assert_eq!(OpId::parse(&id.text(&one), &other), None);
    }

    #[test]
    fn a_changed_character_is_noticed(id in ops(), place in 0..31_usize, digit in "[0-9a-f]") {
        let text = id.text("live");
        let changed = format!("{}{digit}{}", &text[..place], &text[place + 1..]);
        prop_assume!(changed != text);
        prop_assert_eq!(OpId::parse(&changed, "live"), None);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,40}", tail in "[0-9a-fé]{20,30}", bytes in any::<Vec<u8>>()) {
        for (_, prefix) in KINDS {
            let _ = OpId::parse(&format!("{prefix}{tail}"), "live");
            prop_assert_eq!(OpId::parse(&format!("{prefix}{text}"), "live"), None);
        }
        prop_assert_eq!(OpId::parse(&String::from_utf8_lossy(&bytes), "live"), None);
    }

    #[test]
    fn ids_sort_by_the_record_that_created_them(a in ops(), b in ops()) {
        prop_assume!(a.seq() != b.seq());
        prop_assert_eq!(a < b, a.seq() < b.seq());
    }
}
