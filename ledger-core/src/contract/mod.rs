//! The wire: what a client of the service sees, with the contract's exact names.
//!
//! A function, not a server: [`handle`] takes a [`Call`] and gives a response with the records
//! behind it, so that an HTTP adapter is a page of code and a file of JSON lines can drive the
//! whole system. The only room that speaks Portuguese.

mod access;
mod account;
mod adopted;
mod aside;
mod call;
mod cashin;
mod cashouts;
mod coins;
mod comissao;
mod cursor;
mod deliveries;
mod described;
mod door;
mod echo;
mod error;
mod escalation;
mod extrato;
mod facts;
mod fields;
mod handle;
pub mod json;
mod keys;
mod line;
mod lookup;
mod made;
mod markets;
mod mesh;
mod names;
mod query;
mod reading;
mod recent;
mod refusals;
mod requests;
mod routes;
mod sale_view;
mod sales;
mod sandbox;
mod secret;
mod shapes;
pub mod signature;
mod tokens;
mod told;
mod verification;
mod version;
mod views;
mod wallet;
mod webhooks;

pub use call::{Ask, Call, Handled, Response, is_request_id};
pub use echo::echoed;
pub use error::{Action, Binding, Code, Problem, Route, TABLE};
pub use escalation::Escalation;
pub use extrato::{Asked, Rows, View, Words, statement};
pub use handle::{handle, read};
pub use line::{Environment, Line};
pub use made::made;
pub use names::{TOPICS, topic, topic_of};
pub use reading::{ErrorBody, EventBody, Word};
pub use recent::{Counted, Recent};
pub use sandbox::{Scenario, pix_id};
pub use secret::Secret;
pub use shapes::{FACTS, FactShape, Need};
pub use tokens::{Personal, Sort, Tokens, Unproved, Vault};
pub use verification::initials;
pub use version::{
    ALIAS_RETIRES, CHANGES, CONTRACT_VERSION, Change, DOCUMENTATION_REVISION, sends_alias,
};
pub use views::Desk;
pub use webhooks::Endpoint;
