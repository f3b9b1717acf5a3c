//! The tree of balances: sums, sides, and what no path can claim.

use ledger_proofs::balances::{
    Balance, BalanceTree, Holder, Owed, SumRefused, Summed, leaf, node, verify,
};
use proptest::prelude::*;

fn balance(n: u64, amounts: Vec<Owed>) -> Balance {
    let customer = (!n.is_multiple_of(7)).then(|| format!("customer-{n}"));
    let holder = Holder { account: format!("account-{}", n / 7), customer };
    let salt = *blake3::hash(&n.to_le_bytes()).as_bytes();
    Balance { holder, salt, amounts }
}

fn signed() -> impl Strategy<Value = Vec<[i64; 2]>> {
    prop::collection::vec((any::<i64>(), -5_i64..5).prop_map(<[i64; 2]>::from), 1..90)
}

proptest! {
    #[test]
    fn every_balance_is_proved_as_a_part_of_totals_that_hide_no_side(
        all in signed(), place in any::<prop::sample::Index>(), flip in 0_u32..128,
    ) {
        let owed =
            |amounts: &[i64; 2]| amounts.map(|cents| Owed::from_balance(cents.into())).to_vec();
        let all: Vec<Balance> = (0..).zip(&all).map(|(n, of)| balance(n, owed(of))).collect();
        let tree = BalanceTree::new(2, &all);
        let root = tree.root().unwrap();
        for column in 0..2 {
            let to: u128 = all.iter().map(|balance| balance.amounts[column].to).sum();
            let by: u128 = all.iter().map(|balance| balance.amounts[column].by).sum();
            prop_assert_eq!(root.amounts[column], Owed { to, by });
        }
        for balance in &all {
            let key = balance.holder.key(&balance.salt);
            let (index, path) = tree.path(key).unwrap().unwrap();
            let mine = leaf(key, &balance.amounts);
            let at = (index, tree.count());
            prop_assert_eq!(verify(mine.clone(), at, &path, &root), Ok(()));

            let mut more = balance.amounts.clone();
            more[place.index(2)].to ^= 1 << flip;
            prop_assert!(verify(leaf(key, &more), at, &path, &root).is_err());
            let mut of_others = path.clone();
            if let Some(part) = of_others.get_mut(place.index(path.len().max(1))) {
                part.amounts[place.index(2)].by ^= 1 << flip;
                prop_assert!(verify(mine.clone(), at, &of_others, &root).is_err());
            }
            let mut less = root.clone();
            less.amounts[place.index(2)].to ^= 1 << flip;
            prop_assert!(verify(mine, at, &path, &less).is_err());
        }
        let unknown = Holder { account: "nobody".into(), customer: None }.key(&[0; 32]);
        prop_assert_eq!(tree.path(unknown).unwrap(), None);
    }
}

#[test]
fn a_balance_below_zero_takes_nothing_from_what_is_owed_to_others() {
    let all =
        [balance(1, vec![Owed::from_balance(100)]), balance(2, vec![Owed::from_balance(-70)])];
    let root = BalanceTree::new(1, &all).root().unwrap();
    assert_eq!(root.amounts, [Owed { to: 100, by: 70 }]);
    assert_eq!(Owed::from_balance(i128::MIN), Owed { to: 0, by: 1 << 127 });
}

#[test]
fn sums_that_leave_128_bits_are_refused_and_never_wrapped() {
    let most = vec![Owed { to: u128::MAX, by: 0 }];
    let all = [balance(1, most.clone()), balance(2, vec![Owed::from_balance(1)])];
    assert!(BalanceTree::new(1, &all).root().is_err());
    // A path that wraps to the total is none either.
    let mine = leaf(all[1].holder.key(&all[1].salt), &all[1].amounts);
    let other = Summed { hash: mine.hash, amounts: most };
    assert!(node(&mine, &other).is_err());
    let root = Summed { hash: mine.hash, amounts: vec![Owed::default()] };
    assert!(matches!(verify(mine, (0, 2), &[other], &root), Err(SumRefused::Overflow(_))));
}

#[test]
fn a_name_cut_elsewhere_is_another_key() {
    let key = |account: &str, customer: Option<&str>| {
        let holder = Holder { account: account.into(), customer: customer.map(str::to_owned) };
        holder.key(&[1; 32])
    };
    let keys = [
        key("ab", Some("c")),
        key("a", Some("bc")),
        key("abc", None),
        key("abc", Some("")),
        key("", Some("abc")),
    ];
    for (place, one) in keys.iter().enumerate() {
        assert!(!keys[place + 1..].contains(one));
    }
}

#[test]
fn of_no_balance_there_is_a_root_and_no_total() {
    let root = BalanceTree::new(3, &[]).root().unwrap();
    assert_eq!(root.amounts, vec![Owed::default(); 3]);
}
