//! PIX keys by their types, in codes and by themselves, and what an end-to-end id says of itself.

use ledger_core::pix::{BrCode, EndToEnd, KeyError, KeyType, Letters, Payee, PixKey};

const COMPANY: &str = "00020126360014br.gov.bcb.pix0114112223330001815204000053039865405\
                       10.005802BR5913FULANO DE TAL6008BRASILIA62070503***63043DFB";

fn declared(text: &str, kind: KeyType) -> Result<PixKey, KeyError> {
    PixKey::parse(text, Some(kind), Letters::Accepted)
}

#[test]
fn every_type_has_the_contracts_name() {
    let names = [
        ("cpf", KeyType::Cpf),
        ("cnpj", KeyType::Cnpj),
        ("phone", KeyType::Phone),
        ("email", KeyType::Email),
        ("random", KeyType::Random),
    ];
    for (name, kind) in names {
        assert_eq!((KeyType::parse(name), kind.name()), (Some(kind), name));
    }
    for other in ["", "CPF", "evp", "celular"] {
        assert_eq!(KeyType::parse(other), None, "{other}");
    }
}

#[test]
fn a_code_may_name_a_companys_number_in_digits() {
    let code = BrCode::parse(COMPANY).unwrap();
    let Payee::Key(key) = code.payee() else { panic!("a static code") };
    assert_eq!((key.kind(), key.as_str()), (KeyType::Cnpj, "11222333000181"));
    assert_eq!(key.document(), Some("11222333000181"));
}

#[test]
fn a_number_of_a_person_is_no_company_and_the_other_way_round() {
    assert!(declared("52998224725", KeyType::Cpf).is_ok());
    assert!(declared("11222333000181", KeyType::Cnpj).is_ok());
    assert_eq!(declared("52998224725", KeyType::Cnpj), Err(KeyError::Invalid));
    assert_eq!(declared("11222333000181", KeyType::Cpf), Err(KeyError::Invalid));
}

#[test]
fn an_address_for_mail_has_at_most_77_bytes_and_nothing_blank() {
    let of = |user: usize| format!("{}@x.br", "a".repeat(user));
    assert_eq!((of(72).len(), of(73).len()), (77, 78));
    assert!(declared(&of(72), KeyType::Email).is_ok());
    assert_eq!(declared(&of(73), KeyType::Email), Err(KeyError::Invalid));
    for text in ["ana maria@x.br", "ana@x.br ", "ana@x\t.br", "aná@x.br"] {
        assert_eq!(declared(text, KeyType::Email), Err(KeyError::Invalid), "{text:?}");
    }
}

#[test]
fn the_domain_of_a_mail_address_neither_begins_nor_ends_with_a_dot() {
    for text in ["ana@.x.br", "ana@x.br.", "ana@.", "ana@.x.br."] {
        assert_eq!(declared(text, KeyType::Email), Err(KeyError::Invalid), "{text}");
    }
}

#[test]
fn an_id_that_follows_the_layout_in_part_tells_nothing_of_itself() {
    let read = |text: &str| EndToEnd::parse(text).unwrap().parts();
    assert!(read("E9040088820210128000800123873170").is_some());
    assert!(read("D90AB088820210128000800123873170").is_some(), "of a return");
    for (text, what) in [
        ("X9040088820210128000800123873170", "the letter"),
        ("e9040088820210128000800123873170", "its case"),
        ("E904ab88820210128000800123873170", "the institution"),
        ("E90400888202101280a0800123873170", "the minute"),
    ] {
        assert_eq!(read(text), None, "{what}");
    }
}
