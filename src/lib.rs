#![forbid(unsafe_code)]
//! The custody ledger as a library: the one crate that a service adds.

/// The example of the README, compiled and run as a test.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;

/// The examples of the manual of the command line, compiled and run as tests.
#[doc = include_str!("../docs/cli.md")]
#[cfg(doctest)]
struct Cli;

/// The examples of the manual of embedding, compiled and run as tests.
#[doc = include_str!("../docs/embedding.md")]
#[cfg(doctest)]
struct Embedding;

/// The examples of the manual of the sandbox, compiled and run as tests.
#[doc = include_str!("../docs/sandbox.md")]
#[cfg(doctest)]
struct Sandbox;

/// The examples of the manual of webhooks, compiled and run as tests.
#[doc = include_str!("../docs/webhooks.md")]
#[cfg(doctest)]
struct Webhooks;
