//! Holds nothing: that this package stands among the workspace's default members, and asks for the
//! feature `cli`, is why `cargo run` at the root needs no `--features cli`.
