//! Requests of balances, statements and commission.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::request::sealed::Asked;
use crate::request::{Account, Ask, Asking, Request, Target};
use crate::value::{Instant, Party, Text};
use crate::view;

/// Show a balance: `GET /saldo`.
///
/// The house's balance, or one subaccount's. Only `disponivel_cents` can be spent.
#[derive(Clone, Debug, PartialEq)]
pub struct GetBalance {
    party: Party,
}

impl GetBalance {
    /// What must be said:
    ///
    /// - `party`, on the wire `customer_ref`: whose.
    #[must_use]
    pub fn new(party: Party) -> Self {
        Self { party }
    }
}

crate::drawn!(GetBalance { party: Party });

impl Request for GetBalance {
    type Answer = view::Balance;
    type By = Account;
}

impl Asked for GetBalance {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("saldo").parameter("customer_ref", &self.party);
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Show the balance of an instant: `GET /saldo?em=`.
///
/// What the house or a subaccount had at `em`, available and blocked together: the running balance
/// of its statement then. An extension of this service; the contract has the balance as it stands
/// alone.
#[derive(Clone, Debug, PartialEq)]
pub struct GetBalanceAt {
    party: Party,
    at: Instant,
}

impl GetBalanceAt {
    /// What must be said:
    ///
    /// - `party`, on the wire `customer_ref`: whose.
    /// - `at`, on the wire `em`: which: `em`.
    #[must_use]
    pub fn new(party: Party, at: Instant) -> Self {
        Self { party, at }
    }
}

crate::drawn!(GetBalanceAt { party: Party, at: Instant });

impl Request for GetBalanceAt {
    type Answer = view::BalanceAt;
    type By = Account;
}

impl Asked for GetBalanceAt {
    fn ask(&self) -> Ask {
        let target = Target::default()
            .segment("saldo")
            .parameter("customer_ref", &self.party)
            .parameter("em", &self.at);
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Show all balances together: `GET /saldo/consolidado`.
///
/// The house, all subaccounts, and everything together.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ConsolidatedBalance {}

impl ConsolidatedBalance {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

crate::drawn!(ConsolidatedBalance {});

impl Request for ConsolidatedBalance {
    type Answer = view::ConsolidatedBalance;
    type By = Account;
}

impl Asked for ConsolidatedBalance {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("saldo").segment("consolidado");
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// List subaccounts: `GET /saldo/clientes`.
///
/// Subaccounts with their balances, in pages.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ListCustomers {
    limit: Option<u16>,
    with_balance: Option<bool>,
    cursor: Option<Text<255>>,
}

impl ListCustomers {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `limit`: the parameter `limit`.
    #[must_use]
    pub fn limit(mut self, limit: u16) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `com_saldo`: the parameter `com_saldo`.
    #[must_use]
    pub fn with_balance(mut self, with_balance: bool) -> Self {
        self.with_balance = Some(with_balance);
        self
    }

    /// Sets `cursor`: the parameter `cursor`.
    #[must_use]
    pub fn cursor(mut self, cursor: Text<255>) -> Self {
        self.cursor = Some(cursor);
        self
    }
}

crate::drawn!(ListCustomers {
    limit: Option<u16>,
    with_balance: Option<bool>,
    cursor: Option<Text<255>>,
});

impl Request for ListCustomers {
    type Answer = view::Customers;
    type By = Account;
}

impl Asked for ListCustomers {
    fn ask(&self) -> Ask {
        let target = Target::default()
            .segment("saldo")
            .segment("clientes")
            .parameter("limit", &self.limit)
            .parameter("com_saldo", &self.with_balance)
            .parameter("cursor", &self.cursor);
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Show a statement: `GET /saldo/extrato`.
///
/// The accounting ledger, whose entries sum to the balance, or with `visao=operacoes` a row for
/// each operation.
#[derive(Clone, Debug, PartialEq)]
pub struct GetStatement {
    party: Party,
    limit: Option<u16>,
    before: Option<Text<255>>,
    view: Option<Text<255>>,
}

impl GetStatement {
    /// What must be said:
    ///
    /// - `party`, on the wire `customer_ref`: whose.
    #[must_use]
    pub fn new(party: Party) -> Self {
        Self { party, limit: None, before: None, view: None }
    }

    /// Sets `limit`: the parameter `limit`.
    #[must_use]
    pub fn limit(mut self, limit: u16) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `before`: the parameter `before`.
    #[must_use]
    pub fn before(mut self, before: Text<255>) -> Self {
        self.before = Some(before);
        self
    }

    /// Sets `visao`: the parameter `visao`.
    #[must_use]
    pub fn view(mut self, view: Text<255>) -> Self {
        self.view = Some(view);
        self
    }
}

crate::drawn!(GetStatement {
    party: Party,
    limit: Option<u16>,
    before: Option<Text<255>>,
    view: Option<Text<255>>,
});

impl Request for GetStatement {
    type Answer = view::Statement;
    type By = Account;
}

impl Asked for GetStatement {
    fn ask(&self) -> Ask {
        let target = Target::default()
            .segment("saldo")
            .segment("extrato")
            .parameter("customer_ref", &self.party)
            .parameter("limit", &self.limit)
            .parameter("before", &self.before)
            .parameter("visao", &self.view);
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Show the commission: `GET /comissao`.
///
/// The partner's commission that was not withdrawn.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct GetCommission {}

impl GetCommission {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

crate::drawn!(GetCommission {});

impl Request for GetCommission {
    type Answer = view::Commission;
    type By = Account;
}

impl Asked for GetCommission {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("comissao");
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Show the ledger of commission: `GET /comissao/extrato`.
///
/// Entries of the commission, newest first.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CommissionStatement {
    limit: Option<u16>,
    before: Option<Text<255>>,
}

impl CommissionStatement {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `limit`: the parameter `limit`.
    #[must_use]
    pub fn limit(mut self, limit: u16) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `before`: the parameter `before`.
    #[must_use]
    pub fn before(mut self, before: Text<255>) -> Self {
        self.before = Some(before);
        self
    }
}

crate::drawn!(CommissionStatement {
    limit: Option<u16>,
    before: Option<Text<255>>,
});

impl Request for CommissionStatement {
    type Answer = view::CommissionStatement;
    type By = Account;
}

impl Asked for CommissionStatement {
    fn ask(&self) -> Ask {
        let target = Target::default()
            .segment("comissao")
            .segment("extrato")
            .parameter("limit", &self.limit)
            .parameter("before", &self.before);
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}
