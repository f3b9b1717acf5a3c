//! Every command in every state of an account.

use std::fmt::Write as _;

use super::{
    Command, Directory, abandon, add, after, begin, bind, decide, directory, finish, place,
    place_in,
};

fn states() -> [(&'static str, Directory); 6] {
    let placed = || vec![add("a"), add("b"), place_in("loja", "a"), bind(1, "loja")];
    let moving = || [placed(), vec![begin("m", "loja", "b")]].concat();
    [
        ("NoCells", directory()),
        ("Absent", after([add("a"), add("b")])),
        ("Placed", after(placed())),
        ("Moving", after(moving())),
        ("Moved", after([moving(), vec![finish("m")]].concat())),
        ("Stayed", after([moving(), vec![abandon("m")]].concat())),
    ]
}

fn commands() -> [Command; 9] {
    [
        add("a"),
        place("loja"),
        place_in("loja", "a"),
        place_in("loja", "b"),
        bind(1, "loja"),
        begin("m", "loja", "b"),
        begin("n", "loja", "b"),
        finish("m"),
        abandon("m"),
    ]
}

#[test]
fn every_command_in_every_state() {
    let mut grid = String::new();
    for (name, state) in states() {
        let mut row = format!("{name:<8}");
        for command in commands() {
            let cell = match decide(&state, &command) {
                Ok(Some(event)) => first_word(&event),
                Ok(None) => "=".to_owned(),
                Err(refusal) => format!("-{}", first_word(&refusal)),
            };
            write!(row, " {cell:<16}").unwrap();
        }
        grid += row.trim_end();
        grid += "\n";
    }
    let expected = "\
NoCells  CellAdded        -NoCells         -CellUnknown     -CellUnknown     -AccountUnknown  \
-AccountUnknown  -AccountUnknown  -MoveUnknown     -MoveUnknown
Absent   =                AccountPlaced    AccountPlaced    AccountPlaced    -AccountUnknown  \
-AccountUnknown  -AccountUnknown  -MoveUnknown     -MoveUnknown
Placed   =                =                =                -PlacedElsewhere =                \
MoveBegun        MoveBegun        -MoveUnknown     -MoveUnknown
Moving   =                =                =                -PlacedElsewhere =                \
=                -AlreadyMoving   MoveFinished     MoveAbandoned
Moved    =                =                -PlacedElsewhere =                =                \
=                -AlreadyThere    =                -MoveEnded
Stayed   =                =                =                -PlacedElsewhere =                \
=                MoveBegun        -MoveEnded       =
";
    assert_eq!(grid, expected, "\n{grid}");
}

fn first_word(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    text.split(' ').next().unwrap().to_owned()
}
