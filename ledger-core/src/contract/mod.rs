//! The wire: what a client of the service sees, with the contract's exact names.
//!
//! A function, not a server: [`handle`] takes a [`Call`] and gives a response with the records
//! behind it, so that an HTTP adapter is a page of code and a file of JSON lines can drive the
//! whole system. The only room that speaks Portuguese.

mod account;
mod adjustment;
mod agent;
pub(super) mod balance;
mod body;
mod call;
mod cell;
mod charge;
mod closing;
mod conversion;
mod error;
mod fact;
mod hold;
mod input;
mod object;
mod payout;
mod product;
mod purchase;
mod recovery;
mod registry;
mod route;
mod routes;
mod sale;
mod sandbox;
mod schema;
mod statement;
mod suspense;
mod transfer;
mod verification;
mod version;
mod views;
mod wallet;
mod webhook;
mod whole_statement;
mod wire_names;

pub use crate::id::Environment;
pub use account::fact::{key_of, opened_account};
pub use balance::show_balance;
pub use body::Body;
pub use call::committed::{BalanceAsked, balance_asked, balance_now};
pub use call::context::account_of;
pub use call::created_ids::created_ids;
pub use call::handle::{handle, read};
pub use call::line::Line;
pub use call::rate_limiter::{Counted, RateLimiter};
pub use call::{Call, CallKind, CallOutcome, Response, is_request_id};
pub use cell::{CellReport, MovePlan, Side, carried_body, vault_check};
pub use error::reading::{ErrorBody, EventBody, Word};
pub use error::support_case::SupportCase;
pub use error::wire::ERROR;
pub use error::{Action, Binding, Code, Problem, RouteKind, TABLE};
pub use fact::set_aside::{reason as set_aside_reason, word as set_aside_word};
pub use fact::shape::{FactShape, Subject};
pub use fact::table::{FACTS, nearest_name};
pub use input::echo::mask_input;
pub use input::json;
pub use input::secret::Secret;
pub use input::tokens::{Personal, Sort, Tokens, Unproved, Vault};
pub use object::Json;
pub use route::own_paths::{OWN_PATHS, OwnPath};
pub use route::shape::{Access, Effect, Invocation, Method, Query, RouteShape};
pub use route::text::{AnswerShape, RouteText, TAGS, Variant};
pub use routes::{methods_of, route_of, routes, shape_of};
pub use sandbox::wire::EVENT;
pub use sandbox::{Scenario, pix_id};
pub use schema::answer::{
    AnswerField, AnswerType, BASIS_POINTS, CENTAVOS, EXAMPLE_INSTANT, MOMENT, example,
};
pub use schema::field::{Field, FieldType, Need, optional, required};
pub use schema::metadata::{
    LARGEST_NUMBER, LONGEST_KEY, LONGEST_TEXT, MOST_BYTES, MOST_PAIRS, canonical_metadata,
};
pub use schema::request::parameter;
pub use statement::{Rows, StatementQuery, View, Words, statement};
pub use verification::initials;
pub use version::{
    ALIAS_RETIRES, CHANGES, CONTRACT_VERSION, Change, DOCUMENTATION_REVISION, sends_alias,
};
pub use views::{Recall, Views};
pub use webhook::endpoint::Endpoint;
pub use webhook::event::EventContext;
pub use webhook::signature;
pub use webhook::topic::{topic_data, topic_meaning};
pub use whole_statement::{
    PartAsked, RowPlace, StatementAsked, StatementPart, statement_asked, whole_statement,
};
pub use wire_names::{TOPICS, row_label, topic, topic_of};
