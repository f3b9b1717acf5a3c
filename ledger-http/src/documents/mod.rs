//! The documents of the service, all from the tables of routes, facts and errors.
//!
//! Every document is a pure function of those tables and of a [`Config`]: `OpenAPI`, pages for
//! people, documents for discovery, and the tools of MCP. [`routes`] serves them.
//!
//! In reading order:
//!
//! 1. [`operations`]: the routes as a client calls them.
//! 2. `schema`: fields as JSON Schema.
//! 3. [`openapi`], with `responses`, `webhooks` and `deliveries`: the contract for machines.
//! 4. [`page`], [`guides`]: the same for people.
//! 5. [`discovery`]: where all of it is.
//! 6. [`mcp`]: the routes as tools.
//! 7. `serving`: the routes of all that, with content types and entity tags.
//! 8. [`router`]: the same for a running service.

mod deliveries;
pub mod discovery;
pub mod guides;
pub mod mcp;
mod of_service;
pub mod openapi;
pub mod operations;
pub mod page;
mod responses;
pub(crate) mod schema;
mod serving;
mod webhooks;

pub use of_service::router;
pub use serving::routes;

/// What the documents say of one deployment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The address of the service, without a slash at its end: `https://api.example.com`.
    pub base_url: String,
    /// Where errors are described; `docs` of an error adds `#` and its code. The page of the API,
    /// `{base_url}/docs`, describes all of them.
    pub docs_url: String,
    /// Tells whether the service sends webhooks, and so answers the routes of ours about them.
    /// [`router`] sets it by what its service does.
    pub webhooks: bool,
}

impl Config {
    /// What the service calls itself: the contract's title.
    pub const TITLE: &'static str = "Crypto–PIX Settlement Service";

    /// What it does, in a sentence.
    pub const SUMMARY: &'static str =
        "Collects PIX, keeps custody of reais, pays PIX, and buys and sells crypto.";

    /// The documents of a service at this address that sends webhooks, errors described on its own
    /// page.
    ///
    /// ```
    /// use ledger_http::documents::Config;
    ///
    /// let config = Config::at("https://api.example.com/");
    /// assert_eq!(config.base_url, "https://api.example.com");
    /// assert_eq!(config.docs_url, "https://api.example.com/docs");
    /// ```
    #[must_use]
    pub fn at(base_url: &str) -> Self {
        let base_url = base_url.trim_end_matches('/').to_owned();
        let docs_url = format!("{base_url}/docs");
        Self { base_url, docs_url, webhooks: true }
    }

    /// The address of a path of the service.
    #[must_use]
    pub fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base_url)
    }
}
