//! What the contract binds of its errors, and what we say in its place (CUS-23, CUS-25, ERR-03,
//! ERR-04, ERR-13, ERR-14, AUTH-08).

use std::collections::BTreeSet;

use ledger_core::contract::{
    Action, Binding, Call, CallKind, Code, RouteKind, TABLE, is_request_id,
};
use ledger_core::id::Seq;
use ledger_core::ledger::Origin;
use ledger_core::time::Instant;
use ledger_store::codec;
use ledger_store::journal::Identity;
use ledger_store::sequencer::Sequencer;
use serde_json::json;

use crate::day::Day;
use crate::error_table::{WITNESSES, Witness};
use crate::market::conversion;

const NOON: &str = "2026-10-20T12:00:00Z";

/// The codes whose HTTP status the contract states.
const BOUND: [&str; 31] = [
    "br_code_indisponivel",
    "br_code_invalido",
    "campos_conflitantes",
    "carencia_primeiro_deposito",
    "carteira_indisponivel",
    "carteira_nao_liberada",
    "chave_ausente",
    "chave_desconhecida",
    "chave_incorreta",
    "chave_nao_encontrada",
    "chave_obrigatoria",
    "cotacao_divergente",
    "cotacao_recusada",
    "email_obrigatorio",
    "external_id_divergente",
    "limite_diario_recebedor",
    "limite_do_pagador",
    "liquidante_indisponivel",
    "mandate_valor_acima_do_teto",
    "muitos_pedidos_abertos",
    "nao_autenticado",
    "nao_encontrado",
    "pagador_recusado_pelo_provedor",
    "pagamentos_indisponiveis",
    "pix_key_obrigatoria",
    "provedor_indisponivel",
    "rede_indisponivel",
    "saldo_insuficiente",
    "sandbox_sem_cashin",
    "valor_abaixo_do_minimo",
    "valor_invalido",
];

#[test]
fn err_13_what_the_contract_does_not_bind_is_marked_as_ours() {
    for (_, name, _, _, binding) in TABLE {
        assert_eq!(binding == Binding::Contract, BOUND.contains(&name), "{name}");
    }
}

#[test]
fn err_14_codes_of_earlier_revisions_are_not_raised() {
    for historic in ["sandbox_sem_cashin", "sandbox_sem_saldo", "sandbox_sem_saque"] {
        let code = Code::parse(historic).expect("it is read");
        let raised = WITNESSES.iter().find(|(known, _)| *known == code.name());
        assert!(matches!(raised, Some((_, Witness::Never(_)))), "{historic}");
    }
}

#[test]
fn err_03_the_table_says_what_to_do_in_exactly_five_words() {
    let words: BTreeSet<&str> = TABLE.iter().map(|row| row.3.name()).collect();
    let expected = ["corrigir", "esperar", "falar_com_suporte", "parar", "repetir"];
    assert_eq!(words.into_iter().collect::<Vec<_>>(), expected);
}

/// `corrigir` blames the request, `repetir` the service; `esperar` is about something that renews,
/// and nobody is told to repeat what is forbidden.
#[test]
fn err_04_what_is_to_be_corrected_is_the_clients_and_what_may_be_repeated_the_services() {
    for (code, name, status, action, _) in TABLE {
        let fits = match action {
            Action::Correct => (400..500).contains(&status) && status != 429,
            Action::Repeat => status >= 500 || status == 409,
            Action::Wait => matches!(status, 409 | 423 | 429 | 503),
            Action::Stop | Action::CallSupport => matches!(status, 403 | 409 | 500),
        };
        assert!(fits, "{name}: {status} and {}", action.name());
        if code.status(RouteKind::Withdrawal) == 402 {
            assert_eq!(action, Action::Correct, "{name}");
        }
    }
}

#[test]
fn cus_23_whatever_waits_is_423_with_the_instant_it_ends_and_only_the_first_deposit_does() {
    let waiting: Vec<&str> = TABLE.iter().filter(|row| row.2 == 423).map(|row| row.1).collect();
    assert_eq!(waiting, ["carencia_primeiro_deposito"], "CUS-25: no other wait has a code");

    let mut day = Day::trading(NOON, r#"{"sem_retencao":true,"liberacao":"imediata"}"#);
    day.deposit("d", NOON, "a", 20_000);
    let refused = [
        day.payout("p", NOON, "a", 1_000),
        day.transfer("t", NOON, "a", "b", 1_000),
        day.ask(NOON, "POST /saldo/sacar-cripto", &conversion("a", 10_000)),
    ];
    for answer in refused {
        assert_eq!((answer.status, &answer.body["erro"]), (423, &json!(waiting[0])));
        assert_eq!(answer.body["libera_em"], "2026-10-21T12:00:00Z");
    }
}

#[test]
fn auth_08_a_request_id_has_a_pattern_and_stands_with_what_it_caused() {
    for id in ["abcd1234", "A.b_c:d-0", &"x".repeat(64)] {
        assert!(is_request_id(id), "{id}");
    }
    for id in ["", "abc1234", "abcd 123", "abcd/1234", "ébcd1234", &"x".repeat(65), "abcd123\n"] {
        assert!(!is_request_id(id), "{id}");
    }

    let identity = Identity::by_name(ledger_store::Algorithm::Blake3, [7; 32]);
    let mut sequencer = Sequencer::new("live", identity);
    let origin = Origin::Request("req-12345678".into());
    let answer = sequencer.call(&Call {
        at: Instant::parse(NOON).unwrap(),
        origin: origin.clone(),
        ask: CallKind::Fact("account.opened".into()),
        body: json!({ "id": "acc-1", "account": "loja" }),
        supplied: json!({ "key": "svc_live_loja" }),
        ip: None,
    });
    assert_eq!(answer.body["outcome"], "applied");
    let commit = sequencer.cut().unwrap();
    let frames = commit.rows.iter().flat_map(|row| row.frames());
    let records: Vec<_> = frames
        .zip(1..)
        .map(|(frame, seq)| codec::decode(Seq(seq), frame.unwrap().record).unwrap())
        .collect();
    let caused = |record: &ledger_core::ledger::Record| record.cause.origin == origin;
    assert!(records.iter().any(caused), "{records:?}");
}

#[test]
fn vsn_02_only_the_public_verification_has_a_version_before_it() {
    let mut day = Day::opened(NOON);
    for request in [
        "POST /cashin/charge",
        "POST /cashin/preview",
        "GET /cashin/catalog",
        "GET /cashin/limits",
        "GET /cashin/charges",
        "GET /saldo",
        "GET /saldo/consolidado",
        "GET /saldo/clientes",
        "GET /saldo/extrato",
        "POST /saldo/transferir",
        "POST /saldo/sacar-cripto",
        "POST /payouts",
        "GET /payouts",
        "GET /comissao",
        "PATCH /keys/me",
    ] {
        let (method, path) = request.split_once(' ').unwrap();
        let bare = day.ask(NOON, request, &json!({}));
        assert_ne!(bare.body["erro"], "nao_encontrado", "{request}: {}", bare.body);
        let versioned = day.ask(NOON, &format!("{method} /v1{path}"), &json!({}));
        assert_eq!((versioned.status, &versioned.body["erro"]), (404, &json!("nao_encontrado")));
    }
}
