//! The routes as a client calls them: method, path, and where each field stands.

use ledger_core::contract::{
    Access, Code, Field, Invocation, Method, Need, OwnPath, Query, RouteKind, RouteShape,
    parameter, routes,
};
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;

/// A route that is asked for over HTTP.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The method that the route is called by.
    pub method: Method,
    /// The path, whose parameters stand in braces.
    pub path: &'static str,
    /// What it takes and answers.
    pub shape: &'static RouteShape,
}

/// What any route may be refused for by the service, whatever it asks.
pub(super) const OF_SERVICE: [Code; 4] =
    [Code::RateLimit, Code::InternalError, Code::Paused, Code::TimedOut];

/// Every route that is asked for over HTTP, each once, in the order of the table.
#[must_use]
pub fn operations() -> Vec<Operation> {
    let found = routes::<JournalArchive, Vault>().filter_map(|shape| {
        let (method, path) = match shape.ask {
            Invocation::Route(method, path) => (method, path),
            Invocation::Command(name) => {
                OwnPath::of_command(name).map(|own| (own.method, own.path))?
            }
        };
        Some(Operation { method, path, shape })
    });
    found.collect()
}

impl Operation {
    /// Its name in clients: `createCharge`.
    #[must_use]
    pub fn id(&self) -> String {
        let mut letters = self.shape.text.name.chars();
        let first = letters.next().map(|first| first.to_ascii_lowercase());
        first.into_iter().chain(letters).collect()
    }

    /// Its name as a tool: `create_charge`.
    #[must_use]
    pub fn tool_name(&self) -> String {
        let mut name = String::new();
        for letter in self.shape.text.name.chars() {
            if letter.is_ascii_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    }

    /// Returns what it does, in sentences; also with a parameter that changes its answer.
    #[must_use]
    pub fn description(&self) -> String {
        let text = self.shape.text.description;
        let variant = self.shape.answer.variant;
        let with = variant.map(|it| format!(" With `{}`: {}", it.parameter, it.text.description));
        format!("{text}{}", with.unwrap_or_default())
    }

    /// Tells whether it takes the key of an account.
    #[must_use]
    pub fn needs_key(&self) -> bool {
        self.shape.access == Access::Key
    }

    /// The parameters of its path.
    #[must_use]
    pub fn path_parameters(&self) -> Vec<&'static Field> {
        let named = |segment: &'static str| segment.strip_prefix('{')?.strip_suffix('}');
        // Of a path of ours, a field of the command's body stands in the path.
        let of_body = |name: &str| self.shape.body.iter().find(|field| field.name == name);
        let described = |name: &'static str| of_body(name).or_else(|| parameter(name));
        self.path.split('/').filter_map(named).filter_map(described).collect()
    }

    /// The parameters of its query.
    #[must_use]
    pub fn query_parameters(&self) -> Vec<&'static Field> {
        match self.shape.query {
            Query::Only(names) => names.iter().filter_map(|name| parameter(name)).collect(),
            Query::Ignored => Vec::new(),
        }
    }

    /// The fields of its body; none of a body that no `GET` has.
    #[must_use]
    pub fn body(&self) -> &'static [Field] {
        if self.method == Method::Get { &[] } else { self.shape.body }
    }

    /// The fields of its body that an example shows: those that must be given, and those that say
    /// what is asked where none must.
    pub fn example_fields(&self) -> impl Iterator<Item = &'static Field> {
        let shown = |field: &&Field| field.need == Need::Required || SHOWN.contains(&field.name);
        self.body().iter().filter(shown)
    }

    /// Every code that it may be refused for, with the status, by status and name.
    #[must_use]
    pub fn refusals(&self) -> Vec<(u16, Code)> {
        let mut found: Vec<_> = ledger_core::contract::TABLE
            .iter()
            .map(|row| row.0)
            .filter(|code| self.may_refuse(*code))
            .map(|code| (code.status(self.kind()), code))
            .collect();
        found.sort_by_key(|(status, code)| (*status, code.name()));
        found
    }

    fn may_refuse(&self, code: Code) -> bool {
        let of_bodies = code == Code::BodyTooLarge && self.method != Method::Get;
        self.shape.may_refuse(code) || OF_SERVICE.contains(&code) || of_bodies
    }

    const fn kind(&self) -> RouteKind {
        self.shape.kind
    }
}

/// Optional fields that examples show.
const SHOWN: [&str; 9] = [
    "destino",
    "customer_ref",
    "external_id",
    "brl_amount",
    "pix_key",
    "from_customer_ref",
    "to_customer_ref",
    "webhook_url",
    "max_por_operacao_cents",
];
