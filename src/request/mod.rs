//! What clients ask, each request of the contract a type with the type of its answer.

pub mod account;
pub mod agent;
pub mod balance;
pub mod charge;
pub mod conversion;
pub mod payout;
pub mod sale;
pub mod sandbox;
pub mod transfer;
pub mod wallet;

use form_urlencoded::byte_serialize;
pub(crate) use sealed::{Ask, Asking};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::value::Wire;

/// Something a client asks; implemented by the requests of this module, and by none else.
pub trait Request: sealed::Asked {
    /// What it is answered.
    type Answer: DeserializeOwned + Send + 'static;
    /// Who may ask it.
    type By;
}

/// A request that needs the key of an account.
#[derive(Clone, Copy, Debug)]
pub enum Account {}

/// A request that anybody may make.
#[derive(Clone, Copy, Debug)]
pub enum Anybody {}

pub(crate) mod sealed {
    use serde_json::Value;

    /// What only this crate can ask.
    pub trait Asked {
        #[doc(hidden)]
        fn ask(&self) -> Ask;
    }

    /// A request as the contract's route and JSON.
    #[derive(Clone, Debug)]
    pub struct Ask {
        pub(crate) by: Asking,
        pub(crate) body: Value,
        pub(crate) supplied: Value,
    }

    /// How a request is asked for.
    #[derive(Clone, Debug)]
    pub enum Asking {
        /// By method, path and query.
        Route(&'static str, String),
        /// By a name of ours: the contract shows no route.
        Command(&'static str),
    }
}

/// A path and query under way.
#[derive(Default)]
pub(crate) struct Target {
    path: String,
    query: String,
}

impl Target {
    pub(crate) fn segment(mut self, segment: &str) -> Self {
        self.path.push('/');
        self.path.push_str(segment);
        self
    }

    pub(crate) fn id(self, id: &impl Wire) -> Self {
        let text = id.wire();
        let text: String = byte_serialize(text.as_str().unwrap_or_default().as_bytes()).collect();
        self.segment(&text)
    }

    /// With a parameter, unless it has no value.
    pub(crate) fn parameter(mut self, name: &str, value: &impl Wire) -> Self {
        let text = match value.wire() {
            Value::Null => return self,
            Value::String(text) => text,
            other => other.to_string(),
        };
        self.query.push(if self.query.is_empty() { '?' } else { '&' });
        self.query.push_str(name);
        self.query.push('=');
        self.query.extend(byte_serialize(text.as_bytes()));
        self
    }

    pub(crate) fn into_text(self) -> String {
        self.path + &self.query
    }
}
