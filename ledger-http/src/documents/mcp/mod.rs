//! The routes as tools of MCP, over streamable HTTP without sessions.
//!
//! Every message is answered by itself, so any server answers any request, and nothing is kept
//! between two. The handshake of the versions until 2025-11-25 is answered, and so is the form of
//! 2026-07-28, in which every request says its own version. What a tool asks is a request of the
//! contract, and whoever serves the ledger carries it out.
//!
//! Both endpoints are for test keys: a [`ToolCall`] is to be carried out in the sandbox, whatever
//! key it brings, so that a live key opens nothing here.

mod message;
mod protocol;
mod tools;

pub use message::{Headers, Reply, Step, read};
pub use protocol::VERSIONS;
pub use tools::{Endpoint, ToolAnswer, ToolCall, tools};
