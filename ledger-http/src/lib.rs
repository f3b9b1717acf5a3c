#![forbid(unsafe_code)]
//! The service of the custody ledger: the contract over HTTP.
//!
//! Every request of a client becomes a [`Call`](ledger_core::contract::Call) and is answered by the
//! contract itself, so that no route is declared here again.

mod commits;
pub mod courier;
pub mod documents;
mod edge;
mod hanging;
mod ledgers;
mod limits;
mod operation;
pub mod operators;
mod outbox;
mod pages;
pub mod panel;
pub mod push;
mod queries;
mod replica;
pub mod request_id;
mod router;
mod search;
pub mod server;
mod service;
mod supply;
mod token;
pub mod witness;
mod world;

pub use commits::{CommitSource, CommitSourceFailed, RemoteJournal, commits_router};
pub use edge::client_address::{Network, NoNetwork};
pub use edge::reply::RECORD;
pub use ledgers::{CellsUnfit, Ledgers, OpenLedger, Unanswered};
pub use limits::{Limits, Rate};
pub use operation::LineFormat;
pub use operation::access::{Access, AccessLog, LineLog, Silent};
pub use operation::lines::{
    EndpointAct, InstructionAttempt, MailAttempt, QuestionAttempt, SearchNote, WebhookAttempt,
};
pub use operation::metrics::{Metrics, Questions, ledger_metrics};
pub use operation::standing_by::{opening_router, standby_router};
pub use outbox::{HandedOut, Outbox, OutboxFailed};
pub use pages::audit::{AuditHeading, Lang as PageLang, audit_page};
pub use pages::console::console_router;
pub use pages::dossier::dossier_page;
pub use pages::period::{StatementFormat, StatementOf, statement_file};
pub use replica::{AT_LEAST, Replicas, replica_router};
pub use request_id::RequestId;
pub use router::router;
pub use search::{Dossier, OperatorWords, find_in};
pub use service::{Clock, Service, ServiceBuilder, system_clock};
pub use supply::{Nothing, ProviderAway, RemoteSupply, Supply, SupplySettings, Supplying};
pub use token::{Token, TokenTooShort};
pub use world::world_router;
