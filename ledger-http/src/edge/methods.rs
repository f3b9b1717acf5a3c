//! The methods that a path takes.

use ledger_core::contract::{Code, Problem, Response, methods_of};
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;
use serde_json::Value;

use super::reply::Reply;

/// The methods of a path, as `Allow` lists them.
pub(super) fn allowed_methods(target: &str) -> String {
    let mut methods: Vec<&str> = methods_of::<JournalArchive, Vault>(target)
        .into_iter()
        .map(ledger_core::contract::Method::name)
        .collect();
    if methods.contains(&"GET") {
        methods.push("HEAD");
    }
    if !methods.is_empty() {
        methods.push("OPTIONS");
    }
    methods.join(", ")
}

/// Which methods a path takes.
///
/// # Errors
///
/// `nao_encontrado` for a path that nobody declares.
pub(super) fn options(target: &str) -> Result<Reply, Problem> {
    let any = "GET, HEAD, POST, PATCH, OPTIONS".to_owned();
    let methods = if target == "*" { any } else { allowed_methods(target) };
    if methods.is_empty() {
        return Err(Problem::new(Code::NotFound, "there is no such path"));
    }
    Ok(Reply::new(Response { status: 204, body: Value::Null.into() }).allowing(&methods))
}
