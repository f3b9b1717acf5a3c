//! `GET /sandbox`: what can be played, how long it lasts, what differs from production (SBX-11).

use serde_json::{Value, json};

use super::Scenario;

/// What the sandbox offers; whether the key that asks is a test key.
pub fn sandbox(test_key: bool) -> Value {
    let scenario = |known: Scenario| json!({ "sandbox_scenario": known.name(), "o_que_acontece": plays(known) });
    json!({
        "sandbox": test_key,
        "cenarios": {
            "cash_outs": {
                "seletor": "os dois primeiros decimais do valor enviado (amount, brl_amount ou o \
                            valor do QR), truncados",
                "finais": ENDINGS.map(|(ending, plays)| json!({ "final": ending, "o_que_acontece": plays })),
                "outros_finais": "sucesso",
            },
            "cobrancas": {
                "campo": "sandbox_scenario",
                "valores": Scenario::ALL.map(scenario),
                "confirmar": "POST /sandbox/cashin/{cashin_id}/pay",
            },
        },
        "persistencia": {
            "ordens": "temporárias: o sandbox pode ser esvaziado sem aviso",
            "chaves": "valem só no sandbox",
            "eventos": "GET /sandbox/events",
        },
        "diferencas_da_producao": [
            "nenhum banco, corretora ou blockchain é tocado",
            "preços e prazos são sintéticos e se repetem com a mesma semente",
            "as operações percorrem os estados reais em cerca de 15 segundos",
            "o QR não pode ser pago em banco, e os endereços não recebem fundos",
            "POST /cash-outs responde 201, e cashout_id começa com sbx_",
        ],
    })
}

const ENDINGS: [(&str, &str); 9] = [
    (".00", "sucesso em cerca de 15 segundos"),
    (".01", "DELAYED, depois COMPLETED"),
    (".02", "FAILED depois do aceite e antes do depósito"),
    (".03", "a cotação expira em 5 segundos"),
    (".04", "recusa valor_acima_do_maximo com limits"),
    (".05", "COMPLETED em cerca de 2 minutos"),
    (".06", "recusa pagador_recusado_pelo_provedor"),
    (".07", "o primeiro aceite responde 503 liquidante_indisponivel; aceite a mesma ordem de novo"),
    (".08", "recusa limite_do_pagador"),
];

const fn plays(scenario: Scenario) -> &'static str {
    match scenario {
        Scenario::Hold => "o provedor retém o PIX (delayed) e depois o libera",
        Scenario::Refund => "o PIX volta ao pagador (refunded)",
        Scenario::SettlementFailed => {
            "cripto: o envio falha uma vez e é repetido; saldo: o PIX volta ao pagador"
        }
        Scenario::SettlementUncertain => {
            "cripto: incerto até haver prova; saldo: under_review até o provedor liquidar"
        }
    }
}
