//! Holds nothing: that this package asks for the features of third-party crates that some build of
//! ours gives them is why `.ci/run` checks `ledger-core` once for all of our features.
