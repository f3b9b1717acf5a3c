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

use crate::declared::{Fields, Parts, domains, value_of};

domains! { AnyRequest:
    account, agent, balance, charge, conversion, payout, sale, sandbox, transfer, wallet,
}

/// Something a client asks; implemented by the requests of this module, and by none else.
pub trait Request: sealed::ToAsk {
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
    pub trait ToAsk {
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

impl Ask {
    /// The request of this route, with what its path, its query and its body say.
    pub(crate) fn from_parts(route: &'static str, Parts { target, body, supplied }: Parts) -> Self {
        let by = match route.split_once(' ') {
            Some((method, path)) => Asking::Route(method, fill_path(path, target)),
            None => Asking::Command(route),
        };
        Self { by, body: value_of(body), supplied: value_of(supplied) }
    }
}

/// The path with the values that it names in braces, and the others as its query.
fn fill_path(path: &str, mut values: Fields) -> String {
    let encoded = |text: &mut String, value: &Value| match value {
        Value::String(value) => text.extend(byte_serialize(value.as_bytes())),
        other => text.extend(byte_serialize(other.to_string().as_bytes())),
    };
    let mut text = String::with_capacity(path.len());
    for segment in path.split('/').skip(1) {
        text.push('/');
        let name = segment.strip_prefix('{').and_then(|segment| segment.strip_suffix('}'));
        match name.and_then(|name| values.shift_remove(name)) {
            Some(value) => encoded(&mut text, &value),
            None => text.push_str(segment),
        }
    }
    for (place, (name, value)) in values.iter().enumerate() {
        text.push(if place == 0 { '?' } else { '&' });
        text.push_str(name);
        text.push('=');
        encoded(&mut text, value);
    }
    text
}

/// Declares a request: its documentation, its type, its route, who may ask it, the type of its
/// answer, and a line for each field as [`typed!`](crate::declared::typed) takes them.
///
/// ```text
/// request! {
///     /// Pay a test charge: `POST /sandbox/cashin/{cashin_id}/pay`.
///     PaySandboxCharge: "POST /sandbox/cashin/{cashin_id}/pay", Account => ChargeDetail;
///     target {
///         charge: OperationId as "cashin_id", "which: `cashin_id`";
///     }
/// }
/// ```
///
/// Fields of `target` stand in the path where it has their name in braces, and else in the query;
/// those of `body` and `supplied` follow in braces of their own. A request that the contract shows
/// no route of has a name in the place of it. It stands in the `list!` of its domain, too.
macro_rules! request {
    ($(#[doc = $doc:literal])+ $name:ident: $route:literal, $by:ident => $answer:ident;
     $($place:ident { $($fields:tt)* })*) => {
        $crate::declared::typed! {
            $(#[doc = $doc])+
            $name ($crate::declared::Of::Request {
                route: $route,
                by: stringify!($by),
                answer: stringify!($answer),
                answered: <$crate::view::$answer as $crate::view::answer::Shown>::WITHIN,
            })
            $($place { $($fields)* })*
        }

        impl $crate::request::Request for $name {
            type Answer = $crate::view::$answer;
            type By = $by;
        }

        impl $crate::request::sealed::ToAsk for $name {
            fn ask(&self) -> $crate::request::Ask {
                $crate::request::Ask::from_parts($route, self.parts())
            }
        }
    };
}
pub(crate) use request;
