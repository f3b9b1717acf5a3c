//! Hashing with lengths: a persistent collection hashes its elements alone, and the last of one
//! could be taken for the first of the next.

/// Implements `Hash` for a struct that is taken apart, so that no field is forgotten: first the
/// plain ones, then the collections, each after how many elements it has.
macro_rules! hash_counted {
    ($of:ty { $($plain:ident),* $(,)? } { $($collection:ident),+ $(,)? }) => {
        impl std::hash::Hash for $of {
            fn hash<H: std::hash::Hasher>(&self, into: &mut H) {
                let Self { $($plain,)* $($collection,)+ } = self;
                $(std::hash::Hash::hash($plain, into);)*
                $(
                    into.write_usize($collection.len());
                    std::hash::Hash::hash($collection, into);
                )+
            }
        }
    };
}

pub(crate) use hash_counted;

#[cfg(test)]
mod tests {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};

    use im::OrdSet;

    #[derive(Default)]
    struct Two {
        name: &'static str,
        first: OrdSet<u8>,
        second: OrdSet<u8>,
    }

    hash_counted!(Two { name } { first, second });

    fn hash(first: &[u8], second: &[u8]) -> u64 {
        let (first, second) = (first.iter().copied().collect(), second.iter().copied().collect());
        let mut into = DefaultHasher::new();
        Two { name: "two", first, second }.hash(&mut into);
        into.finish()
    }

    #[test]
    fn what_stands_in_one_collection_is_not_taken_for_a_part_of_the_next() {
        assert_eq!(hash(&[1], &[2]), hash(&[1], &[2]));
        let hashes = [hash(&[1], &[2]), hash(&[1, 2], &[]), hash(&[], &[1, 2]), hash(&[], &[])];
        for (index, one) in hashes.iter().enumerate() {
            assert!(!hashes[..index].contains(one), "{hashes:?}");
        }
    }
}
