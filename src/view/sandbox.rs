//! Answers about the sandbox.

use super::account::Event;
use super::answer::answer;

answer! {
    /// Of [`SaleScenarios`]: endings of the amount.
    Ending {
        ending: String as "final", "The ending.";
        what_happens: String as "o_que_acontece", "What happens.";
    }
}

answer! {
    /// Of [`Scenarios`]: scenarios of cash-outs.
    SaleScenarios {
        selector: String as "seletor", "What selects one.";
        endings: Vec<Ending> as "finais", "Endings of the amount.";
        other_endings: String as "outros_finais", "What any other ending plays.";
    }
}

answer! {
    /// Of [`ChargeScenarios`]: its values.
    ChargeScenario {
        sandbox_scenario: String, "The value.";
        what_happens: String as "o_que_acontece", "What happens.";
    }
}

answer! {
    /// Of [`Scenarios`]: scenarios of charges.
    ChargeScenarios {
        field: String as "campo", "The field that selects one.";
        values: Vec<ChargeScenario> as "valores", "Its values.";
        confirm: String as "confirmar", "How a charge is paid.";
    }
}

answer! {
    /// Of [`Sandbox`]: what can be played.
    Scenarios {
        cash_outs: SaleScenarios, "Scenarios of cash-outs.";
        charges: ChargeScenarios as "cobrancas", "Scenarios of charges.";
    }
}

answer! {
    /// Of [`Sandbox`]: how long what is played stays.
    Persistence {
        orders: String as "ordens", "Of operations.";
        keys: String as "chaves", "Of keys.";
        events: String as "eventos", "Where events are read.";
    }
}

answer! {
    /// What `GET /sandbox` is answered.
    Sandbox {
        sandbox: bool, "Whether the key is a test key.";
        scenarios: Scenarios as "cenarios", "What can be played.";
        persistence: Persistence as "persistencia", "How long what is played stays.";
        differences: Vec<String> as "diferencas_da_producao", "What differs from production.";
    }
}

answer! {
    /// What `GET /sandbox/events` is answered.
    SandboxEvents {
        items: Vec<Event>, "Events, newest first.";
        has_more: bool, "Whether there is another page.";
        next: Option<String> as "proxima_pagina", "Before of the next page; null ends the list.";
    }
}
