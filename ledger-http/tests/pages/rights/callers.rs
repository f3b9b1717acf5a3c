//! Who asks a service, and where.

use axum::Router;
use ledger_http::operators::Role;
use ledger_http::{Service, Token, commits_router, console_router, router, world_router};

/// What the letters over the columns of a table mean.
pub const LEGEND: &str = "\
0 nobody  ? whoever brings what was made up
l look    d decide, up to R$ 50,00    a decide-above    h hold
C the console's token    W the world's token    M the metrics' token    R the replicas' secret
p a partner who is signed in to the dashboard    m whoever has the link of the account's monitor
* for what is another account's
";

/// Who asks, by what they bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Caller {
    Nobody,
    /// Brings a credential, a key and sessions that were made up.
    Guesser,
    Look,
    Decide,
    DecideAbove,
    Hold,
    /// Brings the console's token.
    Console,
    World,
    Metrics,
    Replica,
    Partner,
    Monitor,
}

impl Caller {
    pub const ALL: [Self; 12] = [
        Self::Nobody,
        Self::Guesser,
        Self::Look,
        Self::Decide,
        Self::DecideAbove,
        Self::Hold,
        Self::Console,
        Self::World,
        Self::Metrics,
        Self::Replica,
        Self::Partner,
        Self::Monitor,
    ];

    /// The operator's role; none for those who are no operators.
    pub const fn role(self) -> Option<Role> {
        match self {
            Self::Look => Some(Role::Look),
            Self::Decide => Some(Role::Decide),
            Self::DecideAbove => Some(Role::DecideAbove),
            Self::Hold => Some(Role::HoldFunds),
            _ => None,
        }
    }

    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// Returns what heads the caller's column; the legend says whose it is.
    pub const fn letter(self) -> char {
        match self {
            Self::Nobody => '0',
            Self::Guesser => '?',
            Self::Look => 'l',
            Self::Decide => 'd',
            Self::DecideAbove => 'a',
            Self::Hold => 'h',
            Self::Console => 'C',
            Self::World => 'W',
            Self::Metrics => 'M',
            Self::Replica => 'R',
            Self::Partner => 'p',
            Self::Monitor => 'm',
        }
    }
}

/// Where somebody asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Listener {
    Console,
    World,
    Replicas,
    Clients,
}

impl Listener {
    pub const ALL: [Self; 4] = [Self::Console, Self::World, Self::Replicas, Self::Clients];

    pub const fn title(self) -> &'static str {
        match self {
            Self::Console => "The console",
            Self::World => "The world's side",
            Self::Replicas => "Commits for replicas",
            Self::Clients => "Clients, pages and documents",
        }
    }

    /// Its routes, where it asks for a token for that of whom it is for.
    pub fn routes(self, service: &Service) -> Router {
        match self {
            Self::Console => console_router(service, Some(token(Caller::Console))),
            Self::World => world_router(service, token(Caller::World)),
            Self::Replicas => commits_router(service, token(Caller::Replica)),
            Self::Clients => router(service),
        }
    }

    pub const fn host(self) -> &'static str {
        match self {
            Self::Clients => "api.example.com",
            _ => "inner.example.com",
        }
    }
}

/// The token of a listener, or of whoever scrapes.
pub fn token(caller: Caller) -> Token {
    Token::new(&format!("{}-{}", caller.name(), "token".repeat(8))).unwrap()
}
