//! Events that no order came to: `follows` lets none of them come.

use ledger_core::machine::cash_out::{Event, Order, State, follows};

use super::walk::{called, key, walked};
use super::{by_dex, by_exchange, of_code, of_wallet, on_liquid, order};
use crate::forged::only_listed;
use crate::grid::name;

fn holds(list: &str, order: &Order) {
    let made = walked(order).made;
    let known = |state: &State| state.progress().cloned();
    let key = |state: &State| known(state).map_or(String::new(), |known| key(&known));
    let place = |state: &State| called(&known(state).expect("an order stays known"));
    only_listed(list, &made, follows, key, place, |event| match event {
        Event::DepositSeen { booked_in, .. } => format!("DepositSeen({booked_in:?})"),
        Event::ReviewOpened(reason) => format!("ReviewOpened({reason:?})"),
        Event::RefundDecided { source, .. } => format!("RefundDecided({})", name(source)),
        event => name(event),
    });
}

#[test]
fn what_no_fast_order_came_to_may_not_follow() {
    holds("order_fast", &order());
}

#[test]
fn what_no_order_of_a_code_came_to_may_not_follow() {
    holds("order_of_a_code", &of_code());
}

#[test]
fn what_no_order_that_is_swapped_first_came_to_may_not_follow() {
    holds("order_swapped", &by_dex());
}

#[test]
fn what_no_order_sold_at_the_exchange_came_to_may_not_follow() {
    holds("order_sold", &by_exchange());
}

#[test]
fn what_no_order_on_liquid_came_to_may_not_follow() {
    holds("order_on_liquid", &on_liquid());
}

#[test]
fn what_no_order_of_the_wallet_came_to_may_not_follow() {
    holds("order_of_the_wallet", &of_wallet());
}
