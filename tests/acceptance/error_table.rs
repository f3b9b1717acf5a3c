//! The error table, whole: status and action as the requirements have them, and for every code the
//! test that raises it or why none can (ERR-01 to ERR-04, ERR-10 to ERR-14, ERR-18, INV-45).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ledger_core::contract::{
    Action, Binding, Code, ErrorBody, Problem, Response, RouteKind, TABLE, Word,
};
use ledger_core::time::Instant;
use serde_json::{Value, json};

/// Who raises a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Witness {
    /// This test: a file beside this one, and a function in it.
    Test(&'static str, &'static str),
    /// Whoever embeds the ledger, for this reason.
    Service(&'static str),
    /// Nobody: it is read and never sent, for this reason.
    Never(&'static str),
}

use Witness::{Never, Service, Test};

/// The test that goes through the table of lines that each raise a code.
const RAISED: Witness =
    Test("raised.rs", "every_code_of_the_table_is_raised_with_its_status_action_and_fields");

/// Every code, in the order of the table.
pub const WITNESSES: [(&str, Witness); 94] = [
    ("amount_invalido", RAISED),
    ("asset_invalido", RAISED),
    ("br_code_indisponivel", RAISED),
    ("br_code_invalido", RAISED),
    ("br_code_sem_valor", RAISED),
    ("brl_amount_invalido", RAISED),
    ("campos_conflitantes", RAISED),
    ("campos_obrigatorios", RAISED),
    ("carencia_primeiro_deposito", RAISED),
    ("carteira_indisponivel", RAISED),
    ("carteira_nao_liberada", RAISED),
    ("cashin_indisponivel", RAISED),
    ("cashout_indisponivel", RAISED),
    ("catalogo_indisponivel", RAISED),
    ("chave_ausente", RAISED),
    ("chave_desconhecida", RAISED),
    ("chave_incorreta", Test("keys.rs", "auth_06_what_is_wrong_with_a_key_says_which_401_it_is")),
    ("chave_nao_encontrada", Test("verification.rs", "cout_74_a_key_of_nobody_is_404")),
    ("chave_obrigatoria", Test("keys.rs", "auth_06_what_is_wrong_with_a_key_says_which_401_it_is")),
    ("conflito", Test("keys.rs", "key_13_entropy_that_was_used_makes_no_second_key")),
    (
        "consulta_indisponivel",
        Test("webhooks.rs", "evt_12_without_a_queue_deliveries_cannot_be_read"),
    ),
    ("corpo_grande_demais", Service("the adapter measures a body before it reads it")),
    ("cotacao_divergente", RAISED),
    ("cotacao_expirada", RAISED),
    ("cotacao_indisponivel", RAISED),
    ("cotacao_recusada", RAISED),
    ("custodia_desligada", RAISED),
    ("deposit_obrigatorio", Never("no route of the contract takes a reference to a deposit")),
    ("destino_invalido", RAISED),
    ("devolucao_indisponivel", Never("a refund is decided by facts, and facts are never refused")),
    ("documento_invalido", RAISED),
    (
        "em_processamento",
        Service(
            "the engine answers one call at a time; an adapter that answers before it must say it",
        ),
    ),
    ("email_invalido", Test("keys.rs", "key_03_what_is_supplied_is_validated")),
    ("email_obrigatorio", Test("keys.rs", "key_02_a_test_key_needs_a_valid_e_mail")),
    (
        "endpoint_nao_respondeu",
        Test("webhooks.rs", "evt_12_a_test_tells_what_the_endpoint_answered_and_how_fast"),
    ),
    ("erro_interno", Test("raised.rs", "an_adapter_says_erro_interno")),
    ("external_id_divergente", RAISED),
    ("formato_invalido", RAISED),
    ("funding_source_invalido", RAISED),
    ("ja_entregue", Never("giving up what was delivered is a fact, and facts are never refused")),
    (
        "limite_consultas",
        Test("verification.rs", "lim_21_five_keys_a_minute_are_looked_up_by_an_account"),
    ),
    ("limite_de_chaves_teste", Test("keys.rs", "key_16_test_keys_are_counted_by_address")),
    ("limite_diario", RAISED),
    ("limite_diario_recebedor", RAISED),
    ("limite_do_pagador", RAISED),
    ("limite_indisponivel", Never("limits are a fold of the ledger's own records")),
    ("liquidante_indisponivel", RAISED),
    ("mandate_contraparte_nao_autorizada", RAISED),
    ("mandate_valor_acima_do_teto", RAISED),
    ("memo_obrigatorio", RAISED),
    ("metodo_nao_permitido", RAISED),
    (
        "muitas_tentativas",
        Test("keys.rs", "key_11_the_panel_link_is_answered_alike_and_not_without_end"),
    ),
    ("muitos_pedidos_abertos", RAISED),
    (
        "nao_autenticado",
        Test("keys.rs", "auth_10_a_monitor_link_opens_by_hash_until_it_is_rotated"),
    ),
    ("nao_encontrado", RAISED),
    ("nao_permitido", RAISED),
    ("nao_processavel", RAISED),
    ("origem_igual_destino", RAISED),
    ("outcome_invalido", RAISED),
    ("pagador_bloqueado", RAISED),
    ("pagador_recusado_pelo_provedor", RAISED),
    ("pagamentos_indisponiveis", RAISED),
    ("payer_tax_invalido", RAISED),
    ("payer_tax_number_invalido", RAISED),
    ("payout_address_invalido", RAISED),
    ("payout_address_obrigatorio", RAISED),
    ("payout_nao_liberado", RAISED),
    ("payout_recusado", RAISED),
    ("pix_key_invalida", RAISED),
    ("pix_key_obrigatoria", RAISED),
    ("provedor_indisponivel", Service("only the adapter meets a provider that is unstable")),
    ("provedor_sem_resposta", RAISED),
    ("rate_limit", Test("keys.rs", "lim_18_an_address_gets_five_production_keys_a_day")),
    ("rede_indisponivel", RAISED),
    ("refund_address_imutavel", RAISED),
    ("refund_address_invalida", RAISED),
    ("requisicao_invalida", RAISED),
    ("saldo_insuficiente", RAISED),
    ("sandbox_sem_cashin", Never("an earlier revision only (ERR-14)")),
    ("sandbox_sem_saldo", Never("an earlier revision only")),
    ("sandbox_sem_saque", Never("an earlier revision only")),
    ("saque_comissao_diario", RAISED),
    ("saque_indisponivel", RAISED),
    ("status_invalido", RAISED),
    ("tax_number_obrigatorio", RAISED),
    ("taxa_alterada", RAISED),
    (
        "tempo_esgotado",
        Service("the adapter waits for the engine, and knows when it no longer does"),
    ),
    (
        "temporariamente_indisponivel",
        Service("the embedding service pauses what has no code of its own for it"),
    ),
    ("tipo_ambiguo", RAISED),
    ("valor_abaixo_do_minimo", RAISED),
    ("valor_acima_do_maximo", RAISED),
    ("valor_invalido", RAISED),
    (
        "webhook_nao_configurado",
        Test("webhooks.rs", "evt_12_a_test_tells_what_the_endpoint_answered_and_how_fast"),
    ),
    ("webhook_url_invalida", Test("keys.rs", "key_18_webhooks_go_to_https_alone")),
];

/// A row of the requirements' table.
struct Row {
    code: String,
    stated_status: String,
    stated_action: String,
    status: String,
    action: String,
}

/// The requirements' table, as it stands there.
fn required() -> Vec<Row> {
    let rows = include_str!("fixtures/errors.md").lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let owned = |place: usize| cells[place].to_owned();
        assert_eq!(cells.len(), 7, "{line}");
        Row {
            code: cells[0].trim_matches('`').to_owned(),
            stated_status: owned(1),
            stated_action: owned(2),
            status: owned(4),
            action: owned(5),
        }
    })
    .collect()
}

#[test]
fn err_11_the_table_has_all_94_codes_with_the_status_and_action_of_the_requirements() {
    let rows = required();
    assert_eq!((rows.len(), TABLE.len()), (94, 94));
    for (row, (code, name, status, action, binding)) in rows.iter().zip(TABLE) {
        assert_eq!(row.code, name);
        // What is stated first is for withdrawals; the rest of the table for other routes (ERR-18).
        let stated: Option<u16> = row.stated_status.get(..3).and_then(|text| text.parse().ok());
        let route = if stated == Some(402) { RouteKind::Withdrawal } else { RouteKind::Other };
        let expected = row.status.parse().ok().or(stated).expect("a status, stated or proposed");
        assert_eq!(code.status(route), expected, "{name}");
        assert_eq!(code.status(RouteKind::Other), status, "{name}");
        let stated_action = Action::parse(&row.stated_action);
        let expected = stated_action.or_else(|| Action::parse(&row.action));
        assert_eq!(expected, Some(action), "{name}");
        let bound = |stated: bool| if stated { Binding::Contract } else { Binding::Policy };
        let any = row.stated_status == "any";
        assert_eq!((binding, code.status_binding()), (bound(stated.is_some() || any), binding));
        assert_eq!(code.action_binding(), bound(stated_action.is_some()), "{name}");
        assert_eq!(Code::parse(name), Some(code));
    }
    let codes: BTreeSet<Code> = TABLE.iter().map(|row| row.0).collect();
    assert_eq!(codes.len(), 94, "every code stands once");
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

#[test]
fn err_12_every_code_has_a_test_that_raises_it_or_a_reason_why_none_can() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/acceptance");
    let files = sources(&folder);
    for ((name, witness), row) in WITNESSES.iter().zip(TABLE) {
        assert_eq!(*name, row.1);
        match witness {
            Test(file, function) => {
                let path = files.iter().find(|path| path.ends_with(file));
                let text = fs::read_to_string(path.expect(file)).unwrap();
                assert!(text.contains(&format!("#[test]\nfn {function}(")), "{file}: {function}");
                assert!(text.contains(&format!("\"{name}\"")), "{file} does not name {name}");
            }
            Service(reason) | Never(reason) => assert!(!reason.is_empty()),
        }
    }
    let raised: BTreeSet<&str> = crate::raised::RAISED.iter().map(|row| row.0).collect();
    let witnessed = WITNESSES.iter().filter(|(_, witness)| *witness == RAISED).map(|row| row.0);
    assert_eq!(witnessed.collect::<BTreeSet<_>>(), raised);
}

#[test]
fn err_11_an_unknown_code_goes_through_a_reader_as_it_came() {
    let body = json!({
        "erro": "codigo_de_amanha", "acao": "aguardar_sinal", "detail": "x",
        "request_id": "req-12345678", "campo_novo": { "a": 1 }, "libera_em": "2026-11-20T12:00:00Z",
    });
    let read = ErrorBody::read(&body).unwrap();
    assert_eq!(read.code, Word::Other("codigo_de_amanha".into()));
    assert_eq!(read.body(), body);
    assert_eq!(read.advice(), Action::CallSupport, "what nobody knows is for people");
    for (code, name, _, action, _) in TABLE {
        let body =
            Problem::new(code, "x").body(Instant::parse("2026-11-20T12:00:00Z").unwrap(), None);
        let read = ErrorBody::read(&body).unwrap();
        assert_eq!(
            (&read.code, read.advice(), read.code.text()),
            (&Word::Known(code), action, name)
        );
        assert_eq!(read.body(), body, "{name}");
    }
}

#[test]
fn err_06_the_alias_is_read_alone_and_never_written() {
    let old = ErrorBody::read(&json!({ "code": "nao_encontrado" })).unwrap();
    assert_eq!(old.code, Word::Known(Code::NotFound));
    assert_eq!(old.body(), json!({ "erro": "nao_encontrado" }));
    let both = json!({ "erro": "nao_encontrado", "code": "nao_encontrado" });
    assert_eq!(ErrorBody::read(&both).unwrap().body(), json!({ "erro": "nao_encontrado" }));
    for broken in [json!(null), json!([]), json!({}), json!({ "erro": 5 }), json!({ "acao": "x" })]
    {
        assert_eq!(ErrorBody::read(&broken), None, "{broken}");
    }
}

#[test]
fn err_10_docs_is_an_address_that_whoever_embeds_the_ledger_adds() {
    let at = Instant::parse("2026-11-20T12:00:00Z").unwrap();
    let problem = Problem::new(Code::NotFound, "there is no such charge");
    let answer = Response::problem(&problem, RouteKind::Other, at, Some("req-12345678"));
    let documented = answer.with_docs("https://docs.exemplo.com/erros");
    assert_eq!(documented.body["docs"], "https://docs.exemplo.com/erros#nao_encontrado");
    assert_eq!((documented.status, &documented.body["request_id"]), (404, &json!("req-12345678")));
    let fine = Response::ok(json!({ "a": 1 }));
    assert_eq!(fine.clone().with_docs("https://docs.exemplo.com"), fine, "only errors have docs");
    assert_eq!(fine.body.get("docs"), None::<&Value>);
}
