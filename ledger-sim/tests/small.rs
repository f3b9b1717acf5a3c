//! Promises of small worlds: every order of commands around one operation keeps the laws, and ledger
//! and oracle agree after each.

use ledger_sim::{SMALL, walk};

#[test]
fn every_order_of_three_commands_keeps_the_laws() {
    for small in SMALL {
        let seen = walk(small, 3).unwrap_or_else(|astray| panic!("{astray}"));
        assert!(seen.whole || seen.depth == 3, "{seen}");
        assert!(seen.states > 90, "a small world of few states proves little: {seen}");
    }
}
