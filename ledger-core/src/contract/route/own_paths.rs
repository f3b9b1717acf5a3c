//! Paths of ours for what the contract describes and shows no route for.
//!
//! A command is declared with its domain like any route; here stands where a service answers it
//! over HTTP, and nothing else of it.

use super::shape::{Method, is_parameter, matches, segments_of};

/// Where a service answers a command over HTTP.
///
/// ```
/// use ledger_core::contract::{Method, OwnPath};
///
/// let target = "/carteira-usdt/withdrawals/uw_1";
/// let (found, given) = OwnPath::by_target("GET", target).expect("it is ours");
/// assert_eq!((found.command, given), ("wallet.withdrawal.get", Some(("withdrawal_id", "uw_1"))));
/// assert_eq!(OwnPath::of_command("key.rotate").map(|own| own.method), Some(Method::Post));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnPath {
    /// The command's name, such as `key.rotate`.
    pub command: &'static str,
    /// The method that it is asked by.
    pub method: Method,
    /// The path; its parameter, where it has one, is the field of that name of the command's body.
    pub path: &'static str,
}

/// The paths, each beside those of the contract that it belongs to.
pub const OWN_PATHS: [OwnPath; 6] = [
    OwnPath { command: "key.rotate", method: Method::Post, path: "/keys/me/rotate" },
    OwnPath {
        command: "commission.withdraw",
        method: Method::Post,
        path: "/comissao/sacar-cripto",
    },
    OwnPath {
        command: "wallet.withdrawal.quote",
        method: Method::Post,
        path: "/carteira-usdt/withdrawals/quote",
    },
    OwnPath {
        command: "wallet.withdrawal.create",
        method: Method::Post,
        path: "/carteira-usdt/withdrawals",
    },
    OwnPath {
        command: "wallet.withdrawal.list",
        method: Method::Get,
        path: "/carteira-usdt/withdrawals",
    },
    OwnPath {
        command: "wallet.withdrawal.get",
        method: Method::Get,
        path: "/carteira-usdt/withdrawals/{withdrawal_id}",
    },
];

impl OwnPath {
    /// The one that a method and a target ask for, and what its parameter stands for: the name of
    /// a field, and the text as it came.
    #[must_use]
    pub fn by_target<'a>(
        method: &str,
        target: &'a str,
    ) -> Option<(&'static Self, Option<(&'static str, &'a str)>)> {
        let segments = segments(target);
        let asked = |own: &&Self| own.method.name() == method && matches(own.path, &segments);
        let found = OWN_PATHS.iter().find(asked)?;
        let mut pairs = segments_of(found.path).zip(segments);
        let given = pairs.find(|(declared, _)| is_parameter(declared));
        Some((found, given.map(|(name, text)| (name.trim_matches(['{', '}']), text))))
    }

    /// The one of a command.
    #[must_use]
    pub fn of_command(command: &str) -> Option<&'static Self> {
        OWN_PATHS.iter().find(|own| own.command == command)
    }

    /// Those on the path of a target, by whatever method.
    pub fn on(target: &str) -> impl Iterator<Item = &'static Self> {
        let segments = segments(target);
        OWN_PATHS.iter().filter(move |own| matches(own.path, &segments))
    }
}

fn segments(target: &str) -> Vec<&str> {
    let path = target.split('?').next().unwrap_or_default();
    path.strip_prefix('/').unwrap_or(path).split('/').collect()
}
