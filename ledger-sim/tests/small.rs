//! Promises of small worlds: every order of commands around one operation keeps the laws, and ledger
//! and oracle agree after each.

use ledger_sim::{SMALL, walk};

#[test]
fn every_order_of_four_commands_keeps_the_laws() {
    for small in SMALL {
        let seen = walk(small, 4).unwrap_or_else(|astray| panic!("{astray}"));
        println!("{seen}");
        assert!(seen.whole || seen.depth == 4, "{seen}");
        assert!(seen.states > 100, "a small world of few states proves little: {seen}");
    }
}
