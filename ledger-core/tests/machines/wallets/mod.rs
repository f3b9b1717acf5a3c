//! Wallets, network by network: each is checked as its network defines (rulings 65).

use ledger_core::network::Scheme;
use ledger_core::network::address::{Validity, validity};

/// A line each: network, `wallet` or `none`, address, and where it is from or what is wrong with it.
const ADDRESSES: &str = include_str!("addresses.txt");

#[test]
fn what_is_a_wallet_of_its_network_is_one_and_nothing_else_is() {
    let mut wrong = Vec::new();
    let lines = ADDRESSES.lines().filter(|line| !line.starts_with('#'));
    for line in lines.clone() {
        let [network, expected, address, why] = line.splitn(4, ' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let wallet = expected == "wallet";
        let expected = if wallet { Validity::Valid } else { Validity::Invalid };
        if validity(network, address) != expected {
            wrong.push(format!("{network} {address}: {why}"));
        }
    }
    assert!(lines.count() > 150, "every network has right ones and wrong ones");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn one_changed_character_is_no_wallet_where_a_checksum_says_so() {
    let lines = ADDRESSES.lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let [network, expected, address, _] = line.splitn(4, ' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let summed = matches!(
            Scheme::for_network(network),
            Scheme::Tron | Scheme::Liquid | Scheme::Bitcoin | Scheme::Algorand | Scheme::Polkadot
        );
        if expected != "wallet" || !summed {
            continue;
        }
        for (place, was) in address.char_indices().skip(1) {
            let other = if was == 'q' || was == 'Q' { '7' } else { 'q' };
            let changed = format!("{}{other}{}", &address[..place], &address[place + 1..]);
            assert_eq!(validity(network, &changed), Validity::Invalid, "{network} {changed}");
        }
    }
}

#[test]
fn a_network_without_checks_takes_plain_text_as_given() {
    for network in ["near", "moon"] {
        for (length, given) in [(1, false), (2, true), (128, true), (129, false)] {
            let expected = if given { Validity::Unchecked } else { Validity::Invalid };
            assert_eq!(validity(network, &"a".repeat(length)), expected, "{network} {length}");
        }
        for other in ["", "a b c d e f", "wallet-\u{e9}-1234", "wallet\n123456", "w\u{7f}12345"] {
            assert_eq!(validity(network, other), Validity::Invalid, "{other:?}");
        }
    }
}
