//! Requests of the sandbox.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::request::sealed::Asked;
use crate::request::{Account, Ask, Asking, Request, Target};
use crate::value::{OperationId, Text};
use crate::view;

/// Show the scenarios: `GET /sandbox`.
///
/// What can be played in the sandbox, and what differs from production.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct GetSandbox {}

impl GetSandbox {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

crate::drawn!(GetSandbox {});

impl Request for GetSandbox {
    type Answer = view::Sandbox;
    type By = Account;
}

impl Asked for GetSandbox {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("sandbox");
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// List events of the sandbox: `GET /sandbox/events`.
///
/// What a test account was sent, newest first.
///
/// It may be refused for `nao_permitido`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ListSandboxEvents {
    limit: Option<u16>,
    before: Option<Text<255>>,
}

impl ListSandboxEvents {
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

crate::drawn!(ListSandboxEvents {
    limit: Option<u16>,
    before: Option<Text<255>>,
});

impl Request for ListSandboxEvents {
    type Answer = view::SandboxEvents;
    type By = Account;
}

impl Asked for ListSandboxEvents {
    fn ask(&self) -> Ask {
        let target = Target::default()
            .segment("sandbox")
            .segment("events")
            .parameter("limit", &self.limit)
            .parameter("before", &self.before);
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Pay a test charge: `POST /sandbox/cashin/{cashin_id}/pay`.
///
/// Confirms the PIX of a test charge, which no bank can pay.
///
/// It may be refused for `nao_encontrado`, `nao_permitido` or `status_invalido`.
#[derive(Clone, Debug, PartialEq)]
pub struct PaySandboxCharge {
    charge: OperationId,
}

impl PaySandboxCharge {
    /// What must be said:
    ///
    /// - `charge`, on the wire `cashin_id`: which: `cashin_id`.
    #[must_use]
    pub fn new(charge: OperationId) -> Self {
        Self { charge }
    }
}

crate::drawn!(PaySandboxCharge { charge: OperationId });

impl Request for PaySandboxCharge {
    type Answer = view::ChargeDetail;
    type By = Account;
}

impl Asked for PaySandboxCharge {
    fn ask(&self) -> Ask {
        let target =
            Target::default().segment("sandbox").segment("cashin").id(&self.charge).segment("pay");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}
