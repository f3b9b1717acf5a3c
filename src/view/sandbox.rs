//! Answers about the sandbox.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use super::account::Event;
use serde::{Deserialize, Serialize};

/// Of [`SaleScenarios`]: endings of the amount.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Ending {
    /// The ending.
    #[serde(rename = "final")]
    pub ending: String,
    /// What happens.
    #[serde(rename = "o_que_acontece")]
    pub what_happens: String,
}

/// Of [`Scenarios`]: scenarios of cash-outs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SaleScenarios {
    /// What selects one.
    #[serde(rename = "seletor")]
    pub selector: String,
    /// Endings of the amount.
    #[serde(rename = "finais")]
    pub endings: Vec<Ending>,
    /// What any other ending plays.
    #[serde(rename = "outros_finais")]
    pub other_endings: String,
}

/// Of [`ChargeScenarios`]: its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChargeScenario {
    /// The value.
    pub sandbox_scenario: String,
    /// What happens.
    #[serde(rename = "o_que_acontece")]
    pub what_happens: String,
}

/// Of [`Scenarios`]: scenarios of charges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChargeScenarios {
    /// The field that selects one.
    #[serde(rename = "campo")]
    pub field: String,
    /// Its values.
    #[serde(rename = "valores")]
    pub values: Vec<ChargeScenario>,
    /// How a charge is paid.
    #[serde(rename = "confirmar")]
    pub confirm: String,
}

/// Of [`Sandbox`]: what can be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Scenarios {
    /// Scenarios of cash-outs.
    pub cash_outs: SaleScenarios,
    /// Scenarios of charges.
    #[serde(rename = "cobrancas")]
    pub charges: ChargeScenarios,
}

/// Of [`Sandbox`]: how long what is played stays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Persistence {
    /// Of operations.
    #[serde(rename = "ordens")]
    pub orders: String,
    /// Of keys.
    #[serde(rename = "chaves")]
    pub keys: String,
    /// Where events are read.
    #[serde(rename = "eventos")]
    pub events: String,
}

/// What `GET /sandbox` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Sandbox {
    /// Whether the key is a test key.
    pub sandbox: bool,
    /// What can be played.
    #[serde(rename = "cenarios")]
    pub scenarios: Scenarios,
    /// How long what is played stays.
    #[serde(rename = "persistencia")]
    pub persistence: Persistence,
    /// What differs from production.
    #[serde(rename = "diferencas_da_producao")]
    pub differences: Vec<String>,
}

/// What `GET /sandbox/events` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SandboxEvents {
    /// Events, newest first.
    pub items: Vec<Event>,
    /// Whether there is another page.
    pub has_more: bool,
    /// Before of the next page; null ends the list.
    #[serde(rename = "proxima_pagina")]
    pub next: Option<String>,
}
