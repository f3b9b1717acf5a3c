//! The wire: what a client of the service sees, with the contract's exact names.
//!
//! A function, not a server: [`handle`] takes a [`Call`] and gives a response with the records
//! behind it, so that an HTTP adapter is a page of code and a file of JSON lines can drive the
//! whole system. The only room that speaks Portuguese.

mod adopted;
mod call;
mod cashin;
mod cashouts;
mod coins;
mod comissao;
mod cursor;
mod deliveries;
mod door;
mod error;
mod extrato;
mod facts;
mod fields;
mod handle;
pub mod json;
mod line;
mod markets;
mod mesh;
mod names;
mod query;
mod refusals;
mod requests;
mod routes;
mod sales;
mod shapes;
mod tokens;
mod told;
mod views;
mod wallet;

pub use call::{Ask, Call, Handled, Response, is_request_id};
pub use error::{Action, Binding, Code, Problem, Route, TABLE};
pub use extrato::{Asked, Rows, View, Words, statement};
pub use handle::handle;
pub use line::{Environment, Line};
pub use shapes::{FACTS, FactShape, Need};
pub use tokens::{Personal, Sort, Tokens, Vault};
pub use views::Desk;
