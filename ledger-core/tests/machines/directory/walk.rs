//! Commands in any order: every path is checked, replays, and lets nothing be in two places.

use proptest::prelude::*;

use super::*;

const CELLS: [&str; 3] = ["a", "b", "c"];
const ACCOUNTS: [&str; 3] = ["loja", "bazar", "feira"];
const IDS: [&str; 3] = ["m", "n", "o"];

fn any_command() -> impl Strategy<Value = Command> {
    let cell = || prop::sample::select(&CELLS[..]);
    let account = || prop::sample::select(&ACCOUNTS[..]);
    let id = || prop::sample::select(&IDS[..]);
    prop_oneof![
        cell().prop_map(add),
        account().prop_map(place),
        (account(), cell()).prop_map(|(account, cell)| place_in(account, cell)),
        (0..4_u8, account()).prop_map(|(key, account)| bind(key, account)),
        (id(), account(), cell()).prop_map(|(id, account, to)| begin(id, account, to)),
        id().prop_map(finish),
        id().prop_map(abandon),
    ]
}

/// An event that nothing decided, of the same few names.
fn any_event() -> impl Strategy<Value = Event> {
    let cell = || prop::sample::select(&CELLS[..]).prop_map(Box::<str>::from);
    let account = || prop::sample::select(&ACCOUNTS[..]).prop_map(Box::<str>::from);
    let id = || prop::sample::select(&IDS[..]).prop_map(Box::<str>::from);
    prop_oneof![
        cell().prop_map(|cell| Event::CellAdded { cell, key_check: [7; 32] }),
        (account(), cell()).prop_map(|(account, cell)| Event::AccountPlaced { account, cell }),
        (0..4_u8, account())
            .prop_map(|(key, account)| Event::KeyBound { key: KeyHash([key; 32]), account }),
        (id(), account(), cell(), cell()).prop_map(|(id, account, from, to)| Event::MoveBegun {
            id,
            account,
            from,
            to
        }),
        (id(), account(), cell()).prop_map(|(id, account, to)| Event::MoveFinished {
            id,
            account,
            to
        }),
        (id(), account(), cell()).prop_map(|(id, account, from)| Event::MoveAbandoned {
            id,
            account,
            from
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_order_of_commands_replays_to_the_same_directory(
        commands in prop::collection::vec(any_command(), 0..60)
    ) {
        let (mut lived, mut events) = (directory(), Vec::new());
        for command in &commands {
            let homes = ACCOUNTS.map(|account| lived.cell_of(account).map(str::to_owned));
            let Ok((next, event)) = step(&lived, command) else { continue };
            // Only the end of its own move takes an account from one cell to another.
            for (account, before) in ACCOUNTS.iter().zip(homes) {
                let moved = matches!(&event, Some(Event::MoveFinished { account: of, .. })
                    if &**of == *account);
                let stays = before.is_none() || before.as_deref() == next.cell_of(account);
                prop_assert!(moved || stays);
            }
            events.extend(event);
            lived = next;
        }
        let replayed = events.iter().fold(directory(), |directory, event| {
            assert!(follows(&directory, event));
            evolve(&directory, event)
        });
        prop_assert_eq!(replayed, lived);
    }

    #[test]
    fn what_may_follow_leaves_a_directory_that_does_not_contradict_itself(
        events in prop::collection::vec(any_event(), 0..200)
    ) {
        let mut lived = directory();
        for event in &events {
            if follows(&lived, event) {
                lived = evolve(&lived, event);
                lived.check().unwrap();
                prop_assert!(!follows(&lived, event), "{:?} happens once", event);
            }
        }
    }
}
