//! What people read in a log or on a page: everything that tells what it is about, and nobody's
//! key.

use ledger_core::accounting::Books;
use ledger_core::pix::{BrCode, EndToEnd, Letters, PixKey};

use crate::samples::balance;

const FIXED: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000\
                     520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA\
                     62070503***630436D9";
const DYNAMIC: &str = "00020101021226700014br.gov.bcb.pix\
                       2548pix.example.com/8b3da2f39a4140d1a91abd93113bd441\
                       5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4";

#[test]
fn balances_are_reais_with_a_sign_only_below_zero() {
    for (cents, text) in
        [(0, "0.00"), (1, "0.01"), (-1, "-0.01"), (-9_135, "-91.35"), (100, "1.00")]
    {
        assert_eq!(balance(cents).to_string(), text);
    }
}

#[test]
fn a_key_is_its_mask() {
    let key = PixKey::parse("ana@exemplo.com.br", None, Letters::Accepted).unwrap();
    assert_eq!(format!("{key:?}"), "PixKey(a***@exemplo.com.br)");
}

#[test]
fn a_code_says_by_its_mask_whom_it_pays_and_how_often_and_how_much() {
    let code = BrCode::parse(FIXED).unwrap();
    let mask = "PixKey(123e-****-****-****-********4000)";
    assert_eq!(format!("{:?}", code.payee()), mask);
    let shown = format!("{code:?}");
    for part in [mask, "Again", "1000"] {
        assert!(shown.contains(part), "{shown} does not say {part}");
    }
}

#[test]
fn a_code_with_an_address_says_only_that_it_has_one() {
    let code = BrCode::parse(DYNAMIC).unwrap();
    assert_eq!(format!("{:?}", code.payee()), "Url(***)");
    let shown = format!("{code:?}");
    assert!(shown.contains("Url(***)") && shown.contains("Once"), "{shown}");
}

#[test]
fn an_end_to_end_id_is_itself() {
    let text = "E9040088820210128000800123873170";
    assert_eq!(format!("{:?}", EndToEnd::parse(text).unwrap()), text);
}

#[test]
fn books_show_each_subaccount_once() {
    let mut books = Books::default();
    for _ in 0..3 {
        books.open_subaccount();
    }
    let shown = format!("{books:?}");
    assert_eq!(shown.matches("available").count(), 3, "{shown}");
}
