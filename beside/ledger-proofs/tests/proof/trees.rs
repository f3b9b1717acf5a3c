//! The tree of records: known vectors, every proof of every size, and forks.

use ledger_proofs::Hash;
use ledger_proofs::tree::{
    Frontier, consistency, empty_root, inclusion, leaf_hash, node_hash, root, stored_count,
};
use ledger_proofs::verify;
use proptest::prelude::*;

/// The leaves of the vectors of Certificate Transparency.
const LEAVES: [&[u8]; 8] = [
    b"",
    b"\x00",
    b"\x10",
    b"\x20\x21",
    b"\x30\x31",
    b"\x40\x41\x42\x43",
    b"\x50\x51\x52\x53\x54\x55\x56\x57",
    b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
];

const ROOTS: [&str; 8] = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

/// Leaf, size and path, the leaf from 0.
const INCLUSIONS: [(u64, u64, &[&str]); 4] = [
    (
        0,
        8,
        &[
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    ),
    (
        5,
        8,
        &[
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
    (2, 3, &["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
    (
        1,
        5,
        &[
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    ),
];

/// Earlier size, later size and path.
const CONSISTENCIES: [(u64, u64, &[&str]); 3] = [
    (
        1,
        8,
        &[
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    ),
    (
        6,
        8,
        &[
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
    (
        2,
        5,
        &[
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    ),
];

fn hashes(digits: &[&str]) -> Vec<Hash> {
    digits.iter().map(|digits| digits.parse().unwrap()).collect()
}

/// The stored hashes of the tree over these leaves.
fn stored<T: AsRef<[u8]>>(leaves: &[T]) -> Vec<Hash> {
    let (mut frontier, mut stored) = (Frontier::default(), Vec::new());
    for leaf in leaves {
        frontier.push(leaf_hash(leaf.as_ref()), |hash| stored.push(hash));
        assert_eq!(stored.len() as u64, stored_count(frontier.size()));
    }
    assert_eq!(frontier.root(), read(root(&mut stored.clone(), frontier.size())));
    stored
}

fn read<T>(read: Result<T, std::convert::Infallible>) -> T {
    let Ok(read) = read;
    read
}

fn numbered(count: u64, salt: u64) -> Vec<[u8; 16]> {
    let leaf = |n: u64| [n.to_le_bytes(), salt.to_le_bytes()].concat().try_into().unwrap();
    (0..count).map(leaf).collect()
}

/// The definition of RFC 6962, written as plainly as it can be.
fn by_the_book<T: AsRef<[u8]>>(leaves: &[T]) -> Hash {
    match leaves {
        [] => empty_root(),
        [leaf] => leaf_hash(leaf.as_ref()),
        leaves => {
            let split = leaves.len().next_power_of_two() / 2;
            node_hash(by_the_book(&leaves[..split]), by_the_book(&leaves[split..]))
        }
    }
}

#[test]
fn roots_and_paths_are_those_of_certificate_transparency() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(empty_root().to_string(), empty);
    let mut all = stored(&LEAVES);
    for (size, expected) in (1..).zip(ROOTS) {
        assert_eq!(read(root(&mut all, size)).to_string(), expected);
    }
    for (index, size, path) in INCLUSIONS {
        assert_eq!(read(inclusion(&mut all, index, size)), hashes(path), "{index} of {size}");
    }
    for (old, new, path) in CONSISTENCIES {
        assert_eq!(read(consistency(&mut all, old, new)), hashes(path), "{old} to {new}");
    }
}

#[test]
fn every_proof_of_every_size_verifies_and_no_other_leaf_or_place_does() {
    const MOST: u64 = 130;
    let leaves = numbered(MOST, 0);
    let mut all = stored(&leaves);
    for size in 1..=MOST {
        let top = read(root(&mut all, size));
        assert_eq!(top, by_the_book(&leaves[..usize::try_from(size).unwrap()]));
        for (index, leaf) in (0..size).zip(&leaves) {
            let path = read(inclusion(&mut all, index, size));
            let leaf = leaf_hash(leaf);
            assert_eq!(verify::inclusion(leaf, index, size, &path, top), Ok(()));
            let elsewhere = (index + 1) % size;
            if elsewhere != index {
                assert!(verify::inclusion(leaf, elsewhere, size, &path, top).is_err());
            }
            assert!(verify::inclusion(leaf, index, size + MOST, &path, top).is_err());
            assert!(verify::inclusion(leaf_hash(b"other"), index, size, &path, top).is_err());
        }
        for old in 1..=size {
            let before = (old, read(root(&mut all, old)));
            let path = read(consistency(&mut all, old, size));
            assert_eq!(verify::consistency(before, (size, top), &path), Ok(()), "{old} to {size}");
        }
    }
}

proptest! {
    #[test]
    fn a_path_with_any_byte_changed_is_refused(
        size in 1_usize..600,
        at in any::<prop::sample::Index>(),
        old in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(),
        flip in 1_u8..,
    ) {
        let (at, old, size) = (at.index(size), old.index(size) as u64 + 1, size as u64);
        let index = at as u64;
        let leaves = numbered(size, 7);
        let mut all = stored(&leaves);
        let top = read(root(&mut all, size));
        let before = (old, read(root(&mut all, old)));
        let changed = |path: &[Hash]| {
            let mut path = path.to_vec();
            let hash = place.index(path.len());
            path[hash].0[place.index(32)] ^= flip;
            path
        };
        let leaf = leaf_hash(&leaves[at]);
        let path = read(inclusion(&mut all, index, size));
        prop_assert_eq!(verify::inclusion(leaf, index, size, &path, top), Ok(()));
        if !path.is_empty() {
            prop_assert!(verify::inclusion(leaf, index, size, &changed(&path), top).is_err());
            prop_assert!(verify::inclusion(leaf, index, size, &path[1..], top).is_err());
        }
        let path = read(consistency(&mut all, old, size));
        prop_assert_eq!(verify::consistency(before, (size, top), &path), Ok(()));
        if !path.is_empty() {
            prop_assert!(verify::consistency(before, (size, top), &changed(&path)).is_err());
            prop_assert!(verify::consistency(before, (size, top), &path[1..]).is_err());
        }
    }

    /// A witness that kept one checkpoint sees that one of two forks does not go on from it,
    /// whichever path it is given.
    #[test]
    fn two_forks_are_not_both_consistent_with_one_checkpoint(
        common in 0_u64..40, kept in 1_u64..60, more in 0_u64..60, other in 0_u64..60,
    ) {
        let kept = kept.max(common + 1);
        let mut one = numbered(kept + more, 1);
        let mut two = numbered(kept + other, 2);
        let shared = numbered(common, 0);
        one[..shared.len()].copy_from_slice(&shared);
        two[..shared.len()].copy_from_slice(&shared);
        let (one_size, two_size) = (one.len() as u64, two.len() as u64);
        let (mut one, mut two) = (stored(&one), stored(&two));
        let checkpoint = (kept, read(root(&mut one, kept)));
        let one_top = (one_size, read(root(&mut one, one_size)));
        let two_top = (two_size, read(root(&mut two, two_size)));
        let mine = read(consistency(&mut one, kept, one_size));
        let theirs = read(consistency(&mut two, kept, two_size));
        prop_assert_eq!(verify::consistency(checkpoint, one_top, &mine), Ok(()));
        prop_assert!(verify::consistency(checkpoint, two_top, &theirs).is_err());
        prop_assert!(verify::consistency(checkpoint, two_top, &mine).is_err());
    }
}

#[test]
fn no_tree_goes_on_from_an_empty_or_a_larger_one() {
    let mut all = stored(&numbered(9, 0));
    let top = read(root(&mut all, 9));
    assert!(verify::consistency((0, empty_root()), (9, top), &[]).is_err());
    assert!(verify::consistency((9, top), (8, top), &[]).is_err());
    assert!(verify::consistency((9, leaf_hash(b"")), (9, top), &[]).is_err());
    assert!(verify::inclusion(top, 9, 9, &[], top).is_err());
    assert!(verify::inclusion(empty_root(), 0, 0, &[], empty_root()).is_err());
}
