//! Holds whose outcome depends on what there is to block.

use ledger_core::machine::Verdict;
use ledger_core::machine::hold::{
    Command, Context, End, Event, Kind, Order, State, Watch, decide, evolve, follows,
};

use super::{after, amounts_of, order, place, release, step, take, with};
use crate::samples::{ANA, BIA, amount, as_cents, balance};

fn released(to_held: i64, to_available: i64, end: End) -> Event {
    Event::Released {
        subaccount: ANA,
        to_held: as_cents(to_held),
        to_available: as_cents(to_available),
        end,
    }
}

#[test]
fn a_block_takes_its_own_held_part_first_and_then_what_is_available() {
    // Rulings 26: then at most max(0, available).
    let placed = |available, own| amounts_of(&after([(place(), with(available, own))]));
    assert_eq!(placed(5_000, 5_000), [1_000, 1_000, 0, 0, 0, 0]);
    assert_eq!(placed(5_000, 300), [1_000, 300, 700, 0, 0, 0]);
    assert_eq!(placed(500, 300), [1_000, 300, 500, 0, 0, 200]);
    assert_eq!(placed(-500, 300), [1_000, 300, 0, 0, 0, 700]);
    assert_eq!(placed(-500, 0), [1_000, 0, 0, 0, 0, 1_000]);
}

#[test]
fn a_hold_of_kind_maturity_is_set_aside() {
    // Rulings 26: maturity is kept by the charge; rulings 1: a fact is never refused.
    let order = Order { kind: Kind::Maturity, ..order() };
    let verdict = decide(&State::Absent, Command::Place(order), with(5_000, 0));
    assert_eq!(verdict, Verdict::SetAside);
}

#[test]
fn a_short_hold_takes_what_becomes_available_until_it_has_enough() {
    let short = after([(place(), with(600, 0))]);
    assert_eq!(decide(&short, Command::TopUp, with(0, 0)), Verdict::Known);
    assert_eq!(decide(&short, Command::TopUp, with(-1, 0)), Verdict::Known);
    let (less_short, event) = step(&short, Command::TopUp, with(150, 0));
    assert_eq!(event, Event::ToppedUp { subaccount: ANA, amount: amount(150) });
    let (full, event) = step(&less_short, Command::TopUp, with(9_000, 0));
    assert_eq!(event, Event::ToppedUp { subaccount: ANA, amount: amount(250) });
    assert_eq!(amounts_of(&full), [1_000, 0, 1_000, 0, 0, 0]);
    assert_eq!(decide(&full, Command::TopUp, with(9_000, 0)), Verdict::Known);
}

#[test]
fn a_hold_that_lapsed_keeps_what_it_has_and_takes_no_more() {
    let lapsed = after([(place(), with(600, 0)), (Command::Lapse, with(0, 0))]);
    assert_eq!(amounts_of(&lapsed), [1_000, 0, 600, 0, 0, 400]);
    assert_eq!(decide(&lapsed, Command::TopUp, with(9_000, 0)), Verdict::Known);
    assert!(!lapsed.has_ended());
}

#[test]
fn a_hold_that_found_nothing_watches_until_it_lapses() {
    let empty = after([(place(), with(0, 0))]);
    assert!(!empty.has_ended());
    assert!(step(&empty, Command::Lapse, with(0, 0)).0.has_ended());
}

#[test]
fn a_release_gives_back_what_came_from_available_first_and_the_rest_to_the_held_part() {
    // Rulings 26: unfreezing returns money to where it came from.
    let mixed = after([(place(), with(700, 300))]);
    let immature = with(0, 300);
    let (rest, event) = step(&mixed, release(600), immature);
    assert_eq!(event, released(0, 600, End::No));
    assert_eq!(amounts_of(&rest), [1_000, 300, 100, 600, 0, 0]);
    let (rest, event) = step(&rest, release(250), immature);
    assert_eq!(event, released(150, 100, End::No));
    assert_eq!(amounts_of(&rest), [1_000, 150, 0, 850, 0, 0]);
    let (closed, event) = step(&rest, Command::Release(None), immature);
    assert_eq!(event, released(150, 0, End::Yes));
    assert_eq!(amounts_of(&closed), [1_000, 0, 0, 1_000, 0, 0]);
    assert!(closed.has_ended());
}

#[test]
fn what_has_matured_since_is_released_to_available() {
    // Rulings 26: unless it has matured since.
    let mixed = after([(place(), with(700, 300))]);
    let (closed, event) = step(&mixed, Command::Release(None), with(0, 0));
    assert_eq!(event, released(0, 1_000, End::Yes));
    assert!(closed.has_ended());
}

#[test]
fn a_release_of_more_than_is_blocked_is_set_aside() {
    let short = after([(place(), with(600, 0))]);
    assert_eq!(decide(&short, release(601), with(0, 0)), Verdict::SetAside);
    let (rest, event) = step(&short, release(600), with(0, 0));
    assert_eq!(event, released(0, 600, End::No));
    assert_eq!(amounts_of(&rest), [1_000, 0, 0, 600, 0, 400]);
    assert!(!rest.has_ended(), "it still watches for 400");
}

#[test]
fn a_final_release_ends_the_watch_for_what_is_short() {
    let closed = after([(place(), with(600, 0)), (Command::Release(None), with(0, 0))]);
    assert!(closed.has_ended());
    assert_eq!(closed.amounts().unwrap().watch, Watch::Over);
    assert_eq!(decide(&closed, Command::TopUp, with(9_000, 0)), Verdict::Known);
}

#[test]
fn a_forced_debit_takes_no_more_than_is_blocked_and_the_held_part_of_it_first() {
    let mixed = after([(place(), with(500, 300))]);
    assert_eq!(decide(&mixed, take(801), with(0, 0)), Verdict::SetAside);
    let (rest, event) = step(&mixed, take(400), with(0, 0));
    assert_eq!(event, Event::Taken { subaccount: ANA, amount: amount(400) });
    assert_eq!(amounts_of(&rest), [1_000, 0, 400, 0, 400, 200]);
    let (empty, _) = step(&rest, take(400), with(0, 0));
    assert_eq!(amounts_of(&empty), [1_000, 0, 0, 0, 800, 200]);
    assert!(!empty.has_ended(), "it still watches for 200");
    let full = after([(place(), with(1_000, 0)), (take(1_000), with(0, 0))]);
    assert!(full.has_ended());
}

#[test]
fn what_was_let_go_or_given_is_not_watched_for() {
    let rest =
        after([(place(), with(600, 0)), (release(100), with(0, 0)), (take(200), with(0, 0))]);
    assert_eq!(amounts_of(&rest), [1_000, 0, 300, 100, 200, 400]);
    let rich = with(9_000, 0);
    let event = Event::ToppedUp { subaccount: ANA, amount: amount(400) };
    assert_eq!(decide(&rest, Command::TopUp, rich), Verdict::Applied(event));
}

#[test]
fn events_that_no_hold_decided_are_refused() {
    let mixed = after([(place(), with(500, 300))]);
    let refused = |state: &State, event: &Event| {
        assert!(!follows(state, event), "{event:?} may follow {state:?}");
    };
    let placed = |order: Order, from_held, from_available| Event::Placed {
        order,
        from_held: as_cents(from_held),
        from_available: as_cents(from_available),
    };
    assert!(follows(&State::Absent, &placed(order(), 300, 700)));
    refused(&State::Absent, &placed(order(), 300, 701));
    refused(&State::Absent, &placed(Order { kind: Kind::Maturity, ..order() }, 0, 0));
    refused(&mixed, &placed(order(), 300, 700));
    let topped = |subaccount, cents| Event::ToppedUp { subaccount, amount: amount(cents) };
    assert!(follows(&mixed, &topped(ANA, 200)));
    refused(&mixed, &topped(ANA, 201));
    refused(&mixed, &topped(BIA, 200));
    let taken = |subaccount, cents| Event::Taken { subaccount, amount: amount(cents) };
    assert!(follows(&mixed, &taken(ANA, 800)));
    refused(&mixed, &taken(ANA, 801));
    refused(&mixed, &taken(BIA, 800));
    refused(&mixed, &released(301, 0, End::No));
    refused(&mixed, &released(300, 501, End::No));
    let lapsed = evolve(&mixed, &Event::Lapsed);
    refused(&lapsed, &Event::Lapsed);
    refused(&lapsed, &topped(ANA, 1));
}

#[test]
fn a_release_that_is_not_split_as_it_was_taken_is_refused() {
    // The machine remembers what is left of each source by the split: available first.
    let mixed = after([(place(), with(500, 300))]);
    assert!(follows(&mixed, &released(100, 500, End::No)));
    assert!(!follows(&mixed, &released(100, 0, End::No)), "available comes first");
    assert!(!follows(&mixed, &released(100, 499, End::No)), "available comes first");
}

#[test]
fn a_final_release_lets_go_of_everything() {
    let mixed = after([(place(), with(500, 300))]);
    assert!(follows(&mixed, &released(300, 500, End::Yes)));
    assert!(follows(&mixed, &released(0, 800, End::Yes)));
    assert!(!follows(&mixed, &released(0, 500, End::Yes)), "300 would stay blocked for ever");
}

#[test]
fn a_debt_is_nothing_to_block() {
    let owing = Context { available: balance(i64::MIN), ..with(0, 0) };
    assert_eq!(amounts_of(&after([(place(), owing)])), [1_000, 0, 0, 0, 0, 1_000]);
}

#[test]
fn a_block_that_ends_by_itself_is_a_block_like_any_other_until_then() {
    // The agenda ends it, by a release of everything (rulings 4).
    let ends_at = Some(crate::samples::at("2026-10-23T12:00:00Z"));
    let order = Order { kind: Kind::Precautionary, ends_at, ..order() };
    let placed = after([(Command::Place(order), with(5_000, 0))]);
    assert_eq!(placed.amounts().unwrap().order.ends_at, ends_at);
    assert_eq!(amounts_of(&placed), [1_000, 0, 1_000, 0, 0, 0]);
    let (closed, event) = step(&placed, Command::Release(None), with(0, 0));
    assert_eq!(event, released(0, 1_000, End::Yes));
    assert_eq!(closed.amounts().unwrap().order.ends_at, ends_at);
    assert!(closed.has_ended());
}
