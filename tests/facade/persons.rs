//! What is stored of persons, as a running ledger tells it.

use custody_ledger::prelude::*;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::{Ledger, Person, Personal, Sort, Whose};

use super::shop::{CPF, Shop, amount, ana};

fn values(ledger: &Ledger, whose: &Whose) -> Vec<(Sort, String)> {
    let stored = ledger.persons_of(whose).wait().unwrap();
    let mut values: Vec<_> =
        stored.iter().map(|Personal { sort, value, .. }| (*sort, value.to_string())).collect();
    values.sort_by_key(|(sort, value)| (*sort as u8, value.clone()));
    values
}

fn known(sort: Sort, value: &str) -> (Sort, String) {
    (sort, value.to_owned())
}

fn balance(account: &str, party: Party) -> Whose {
    Whose::Balance { account: AccountName::new(account).unwrap(), party }
}

#[test]
fn an_operation_tells_whom_it_names_until_they_are_erased() {
    let shop = Shop::over("memory:");
    shop.collect(&ana(), 10_000, 1);
    let payout = shop.payout(&ana(), 1_000, "p-1").unwrap().answer;
    let whose = Whose::Operation(payout.id);
    let (document, key) = (known(Sort::Document, CPF), known(Sort::PixKey, "a@example.com"));
    assert_eq!(values(&shop.ledger, &whose), [document.clone(), key.clone()]);

    let person = Person::default().email("a@example.com");
    assert_eq!(shop.ledger.erase(person).wait().unwrap().len(), 1);
    assert_eq!(values(&shop.ledger, &whose), std::slice::from_ref(&document));

    // Who is brought anew is known anew, wherever they were named.
    shop.payout(&ana(), 1_000, "p-2").unwrap();
    assert_eq!(values(&shop.ledger, &whose), [document, key]);
}

#[test]
fn a_balance_tells_of_the_persons_of_its_whole_statement_and_of_nobody_else() {
    let shop = Shop::over("memory:");
    shop.collect(&ana(), 10_000, 1);
    let note = |text: &str| text.try_into().unwrap();
    let to_house = |cents, id: &str| {
        CreateTransfer::new(ana(), Party::House, amount(cents), id.try_into().unwrap())
    };
    shop.loja.ask(&to_house(100, "t-1").description(note("for the house"))).wait().unwrap();
    // More rows than are looked at in one turn.
    for number in 2..=300 {
        shop.loja.ask(&to_house(10, &format!("t-{number}"))).wait().unwrap();
    }
    shop.payout(&ana(), 1_000, "p-1").unwrap();

    let of_ana = values(&shop.ledger, &balance("loja", ana()));
    let text = known(Sort::Text, "for the house");
    let (document, key) = (known(Sort::Document, CPF), known(Sort::PixKey, "a@example.com"));
    assert_eq!(of_ana, [document, key, text.clone()]);
    assert_eq!(values(&shop.ledger, &balance("loja", Party::House)).last(), Some(&text));
    let house = shop.ledger.persons_of(&balance("loja", Party::House)).wait().unwrap();
    assert!(house.iter().all(|person| person.sort != Sort::PixKey), "{house:?}");

    let all = shop.ledger.persons_of(&balance("loja", ana())).wait().unwrap();
    let person = all.iter().fold(Person::default(), Person::with_stored);
    assert_eq!(shop.ledger.erase(person).wait().unwrap().len(), 3);
    assert_eq!(values(&shop.ledger, &balance("loja", ana())), []);
}

#[test]
fn of_what_is_not_there_nothing_is_stored() {
    let shop = Shop::over("memory:");
    let nobody = Party::customer("nobody").unwrap();
    assert_eq!(values(&shop.ledger, &balance("loja", nobody)), []);
    assert_eq!(values(&shop.ledger, &balance("another", ana())), []);
    let unknown = OperationId::new("po_0000000000030123456789abcdef").unwrap();
    assert_eq!(values(&shop.ledger, &Whose::Operation(unknown)), []);
}
