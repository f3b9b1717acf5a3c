//! Requests of the sandbox.

use crate::declared::list;
use crate::request::{Account, request};
use crate::value::{OperationId, PageSize, Text};

list! { AnyRequest: GetSandbox, ListSandboxEvents, PaySandboxCharge }

request! {
    /// Show the scenarios: `GET /sandbox`.
    ///
    /// What can be played in the sandbox, and what differs from production.
    GetSandbox: "GET /sandbox", Account => Sandbox;
}

request! {
    /// List events of the sandbox: `GET /sandbox/events`.
    ///
    /// What a test account was sent, newest first.
    ///
    /// It may be refused for `nao_permitido`.
    ListSandboxEvents: "GET /sandbox/events", Account => SandboxEvents;
    target {
        limit?: PageSize, "the parameter `limit`";
        before?: Text<255>, "the parameter `before`";
    }
}

request! {
    /// Pay a test charge: `POST /sandbox/cashin/{cashin_id}/pay`.
    ///
    /// Confirms the PIX of a test charge, which no bank can pay.
    ///
    /// It may be refused for `nao_encontrado`, `nao_permitido` or `status_invalido`.
    PaySandboxCharge: "POST /sandbox/cashin/{cashin_id}/pay", Account => ChargeDetail;
    target {
        charge: OperationId as "cashin_id", "which: `cashin_id`";
    }
}
