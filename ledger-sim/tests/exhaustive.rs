//! Promises of small worlds: every order of commands around one operation keeps the invariants, and
//! ledger and oracle agree after each.

use ledger_sim::{SMALL, walk};

#[test]
fn every_order_of_three_commands_keeps_the_laws() {
    let mut in_vain = Vec::new();
    for small in SMALL {
        let seen = walk(small, 3).unwrap_or_else(|failure| panic!("{failure}"));
        assert!(seen.whole || seen.depth == 3, "{seen}");
        assert!(seen.states > 90, "a small world of few states proves little: {seen}");
        if !seen.in_vain.is_empty() {
            in_vain.push(format!("{}: {}", seen.world, seen.in_vain.join(", ")));
        }
    }
    assert_eq!(in_vain, IN_VAIN);
}

/// What no state within three commands takes: what is always refused, what comes after a longer
/// way, and a return wallet where the order refunds without one.
const IN_VAIN: [&str; 10] = [
    "a charge into custody: another body",
    "a charge that the provider holds: another body",
    "a transfer: given to itself, given by somebody unknown",
    "a payout: another body",
    "a conversion: another body",
    "a withdrawal of commission: recovered, too much withdrawn",
    "a sale that waits for its deposit: a return wallet",
    "a sale of the Liquid stablecoin: a return wallet",
    "a payment from a wallet: the same name for more",
    "a payment from a wallet, sent: the same name for more",
];
