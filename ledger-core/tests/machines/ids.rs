//! Names inside the ledger: derived, and of one ledger only (rulings 9).

use ledger_core::id::{AgentId, Environment, KeyHash, Kind, LedgerName, OpId, Seq, Token};
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
        let text = id.text(&"live".into());
        assert!(text.starts_with(prefix) && text[3..].starts_with("00000000beef"), "{text}");
        // 96 bits or more.
        assert_eq!(text.len(), 3 + 28);
        assert_eq!(OpId::parse(&text, &"live".into()), Some(id));
    }
}

#[test]
fn an_id_of_one_ledger_is_not_an_id_of_another() {
    for (kind, _) in KINDS {
        let text = op(kind, 7).text(&"live".into());
        assert_eq!(OpId::parse(&text, &"sandbox".into()), None);
        assert_eq!(OpId::parse(&text, &"".into()), None);
    }
}

#[test]
fn a_cash_outs_id_begins_by_its_ledgers_environment_and_not_by_its_name() {
    let sold = op(Kind::CashOut, 7);
    for name in ["live", "sandbox", "acme"] {
        let [live, tests] = Environment::ALL.map(|environment| {
            let ledger = LedgerName::new(name, environment);
            let text = sold.text(&ledger);
            assert_eq!(OpId::parse(&text, &ledger), Some(sold));
            text
        });
        assert!(live.starts_with("co_") && tests.starts_with("sbx_"), "{live} {tests}");
        // What follows is of the name alone, as it always was.
        assert_eq!(live[3..], tests[4..]);
    }
    // A ledger that is older than the choice of an environment goes on as it began.
    for (name, prefix) in [("live", "co_"), ("sandbox", "sbx_"), ("acme", "co_")] {
        assert!(sold.text(&name.into()).starts_with(prefix), "{name}");
    }
}

#[test]
fn a_referral_of_a_ledger_whose_name_is_unknown_has_its_shape_at_least() {
    let given = AgentId::referral(Seq(7), "acme");
    assert!(AgentId::is_referral(&given, "acme") && !AgentId::is_referral(&given, "live"));
    assert!(AgentId::is_shaped_as_referral(&given));
    let (shorter, longer) = (&given[..given.len() - 1], format!("{given}0"));
    let (upper, other) = (given.to_uppercase(), given.replacen("rf_", "ag_", 1));
    let accented = format!("rf_{}é", "0".repeat(26));
    for text in ["", "rf_", shorter, &longer, &upper, &other, &accented] {
        assert!(!AgentId::is_shaped_as_referral(text), "{text}");
    }
}

#[test]
fn an_id_of_one_kind_or_number_is_not_an_id_of_another() {
    let text = op(Kind::Charge, 7).text(&"live".into());
    for (_, prefix) in &KINDS[1..] {
        assert_eq!(OpId::parse(&format!("{prefix}{}", &text[3..]), &"live".into()), None);
    }
    let other = text.replacen("000000000007", "000000000008", 1);
    assert_ne!(other, text);
    assert_eq!(OpId::parse(&other, &"live".into()), None);
}

#[test]
fn malformed_ids_are_refused() {
    let text = op(Kind::Charge, 0xBEEF).text(&"live".into());
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
        assert_eq!(OpId::parse(&text, &"live".into()), None, "{text}");
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
        for environment in Environment::ALL {
            let ledger = LedgerName::new(&ledger, environment);
            prop_assert_eq!(OpId::parse(&id.text(&ledger), &ledger), Some(id));
        }
    }

    #[test]
    fn another_ledger_never_reads_it(id in ops(), one in "[a-z]{1,8}", other in "[a-z]{1,8}") {
        prop_assume!(one != other);
        for (of_one, of_other) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let one = LedgerName::new(&one, Environment::ALL[of_one]);
            let other = LedgerName::new(&other, Environment::ALL[of_other]);
            prop_assert_eq!(OpId::parse(&id.text(&one), &other), None);
        }
    }

    #[test]
    fn a_changed_character_is_noticed(id in ops(), place in 0..31_usize, digit in "[0-9a-f]") {
        let text = id.text(&"live".into());
        let changed = format!("{}{digit}{}", &text[..place], &text[place + 1..]);
        prop_assume!(changed != text);
        prop_assert_eq!(OpId::parse(&changed, &"live".into()), None);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,40}", tail in "[0-9a-fé]{20,30}", bytes in any::<Vec<u8>>()) {
        for (_, prefix) in KINDS {
            let _ = OpId::parse(&format!("{prefix}{tail}"), &"live".into());
            prop_assert_eq!(OpId::parse(&format!("{prefix}{text}"), &"live".into()), None);
        }
        prop_assert_eq!(OpId::parse(&String::from_utf8_lossy(&bytes), &"live".into()), None);
    }

    #[test]
    fn ids_sort_by_the_record_that_created_them(a in ops(), b in ops()) {
        prop_assume!(a.seq() != b.seq());
        prop_assert_eq!(a < b, a.seq() < b.seq());
    }
}
