//! Placements, keys and moves, and what contradicts them.

use ledger_core::directory::LONGEST_NAME;

use super::*;

fn cells(directory: &Directory) -> Vec<(&str, usize)> {
    directory.cells().map(|cell| (&*cell.name, cell.accounts)).collect()
}

#[test]
fn a_new_account_goes_where_the_fewest_are_and_ties_go_by_name() {
    let accounts = ["one", "two", "three", "four", "five"];
    let cells_first = [add("b"), add("c"), add("a")].into_iter();
    let directory = after(cells_first.chain(accounts.map(place)));
    let homes = accounts.map(|account| directory.cell_of(account).unwrap());
    assert_eq!(homes, ["a", "b", "c", "a", "b"]);
    assert_eq!(cells(&directory), [("a", 2), ("b", 2), ("c", 1)]);
    assert_eq!(&*directory.with_fewest_accounts().unwrap().name, "c");
}

#[test]
fn a_caller_may_name_the_cell_however_full_it_is() {
    let directory = after([add("a"), add("b"), place_in("one", "b"), place_in("two", "b")]);
    assert_eq!(cells(&directory), [("a", 0), ("b", 2)]);
}

#[test]
fn a_ledger_of_another_environment_or_another_store_is_no_cell() {
    let directory = after([add("a")]);
    let identity = |name: &str, environment, key_check| {
        Command::AddCell(CellIdentity { name: name.into(), environment, key_check })
    };
    let sandbox = identity("b", Environment::Sandbox, [7; 32]);
    assert_eq!(
        refused(&directory, &sandbox).to_string(),
        "cell b is of the environment sandbox, and the directory is of live"
    );
    let namesake = identity("a", Environment::Live, [8; 32]);
    assert_eq!(refused(&directory, &namesake), Refusal::CellNameTaken { cell: "a".into() });
}

#[test]
fn a_key_opens_one_account_for_ever_and_goes_along_with_it() {
    let opening = [add("a"), add("b"), place("loja"), place("bazar"), bind(1, "loja")];
    let directory = after(opening.clone());
    let of_another = bind(1, "bazar");
    let taken = Refusal::KeyTaken { bound: "loja".into(), account: "bazar".into() };
    assert_eq!(refused(&directory, &of_another), taken);
    let steps = [begin("m", "loja", "b"), finish("m"), bind(2, "loja")];
    let moved = after(opening.into_iter().chain(steps));
    for key in [1, 2] {
        let residence = moved.account_of_key(&KeyHash([key; 32])).unwrap();
        assert_eq!((&*residence.account, &*residence.cell), ("loja", "b"));
    }
    assert_eq!(moved.account_of_key(&KeyHash([3; 32])), None);
    assert_eq!(moved.keys(), 2);
}

#[test]
fn an_account_lives_where_it_was_until_its_move_is_finished() {
    let before = [add("a"), add("b"), place("loja")];
    let moving = after(before.clone().into_iter().chain([begin("m", "loja", "b")]));
    assert_eq!(moving.cell_of("loja"), Some("a"));
    assert_eq!(cells(&moving), [("a", 1), ("b", 0)]);
    assert_eq!(moving.moves_under_way().count(), 1);
    let on = [begin("m", "loja", "b"), finish("m"), add("c"), begin("n", "loja", "c"), finish("n")];
    let moved = after(before.into_iter().chain(on));
    let residence = moved.account("loja").unwrap();
    let before: Vec<&str> = residence.before.iter().map(|cell| &**cell).collect();
    assert_eq!((&*residence.cell, &before[..]), ("c", &["a", "b"][..]));
    assert_eq!(moved.moves_under_way().count(), 0);
    assert_eq!(cells(&moved), [("a", 0), ("b", 0), ("c", 1)]);
    for left in ["a", "b"] {
        let refusal = refused(&moved, &begin("o", "loja", left)).to_string();
        assert!(refusal.ends_with("and never comes back to a cell that it left"), "{refusal}");
    }
}

#[test]
fn an_abandoned_move_leaves_no_trace_of_residence() {
    let steps = [add("a"), add("b"), place("loja"), begin("m", "loja", "b"), abandon("m")];
    let directory = after(steps);
    let residence = directory.account("loja").unwrap();
    assert_eq!((&*residence.cell, residence.before.len()), ("a", 0));
    assert_eq!(residence.moving, None);
}

#[test]
fn a_move_id_does_one_thing() {
    let steps = [add("a"), add("b"), add("c"), place_in("loja", "a"), place_in("bazar", "a")];
    let begun = after(steps.into_iter().chain([begin("m", "loja", "b")]));
    for other in [begin("m", "loja", "c"), begin("m", "bazar", "b")] {
        let differs = refused(&begun, &other);
        assert_eq!(
            differs.to_string(),
            "move m is of account loja to cell b: an id is of one move"
        );
    }
    let (finished, _) = step(&begun, &finish("m")).unwrap();
    assert_eq!(decide(&finished, &begin("m", "loja", "b")), Ok(None));
    assert_eq!(refused(&finished, &abandon("m")).to_string(), "move m is finished, and stays so");
    let (abandoned, _) = step(&begun, &abandon("m")).unwrap();
    assert_eq!(refused(&abandoned, &finish("m")).to_string(), "move m is abandoned, and stays so");
}

#[test]
fn a_name_has_a_byte_and_at_most_two_hundred() {
    let (longest, longer) = ("x".repeat(LONGEST_NAME), "x".repeat(LONGEST_NAME + 1));
    let directory = after([add("a"), add("b"), add(&longest), place(&longest), place("loja")]);
    step(&directory, &begin(&longest, "loja", "a")).unwrap();
    for wrong in ["", &longer] {
        let malformed = Refusal::NameMalformed { bytes: wrong.len() };
        for command in [add(wrong), place(wrong), begin(wrong, "loja", "b")] {
            assert_eq!(refused(&directory, &command), malformed);
        }
    }
}
