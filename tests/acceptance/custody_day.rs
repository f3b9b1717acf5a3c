//! The example file, read as a story: what each of its lines is answered.

use ledger_core::contract::{Environment, Response};
use serde_json::Value;

use crate::day::Day;

/// The lines of the example.
pub const LINES: &str = include_str!("../../examples/custody-day.jsonl");

/// The whole day, with the answer to every line.
pub fn lived() -> (Day, Vec<Response>) {
    let mut day = Day::new();
    let answers = LINES.lines().map(|line| day.line(line)).collect();
    (day, answers)
}

/// An answer in a few words: the HTTP status, then the outcome, the code or the status of what is
/// shown, then the number that matters.
fn in_short(answer: &Response) -> String {
    let body = &answer.body;
    let word =
        ["outcome", "erro", "status", "visao"].into_iter().find_map(|name| body[name].as_str());
    let listed =
        ["charges", "payouts"].into_iter().find_map(|name| body[name][0]["status"].as_str());
    let numbers = ["disponivel_cents", "bloqueado_cents", "total_cents", "debited_cents"];
    let mut words = vec![answer.status.to_string()];
    words.extend(word.or(listed).map(str::to_owned));
    words.extend(numbers.into_iter().filter_map(|name| body[name].as_i64()).map(|n| n.to_string()));
    words.join(" ")
}

/// What the reader of the example expects, line by line.
const STORY: &str = "
    loja                                200 applied
    loja-teste                          200 applied
    float-for-payouts                   200 applied
    ana-large                           200 pending
    ana-large-again                     200 pending
    ana-large-changed                   409 external_id_divergente
    house-large                         200 pending
    house-large-paid                    200 applied
    ana-large-paid                      200 applied
    ana-large-held-at-provider          200 delayed
    bruno-small                         200 pending
    centavo-more                        200 set_aside
    paid-exactly                        200 applied
    the-same-news-again                 200 known
    bruno-held-till-midnight            200 0 4900
    carla-centavo-less                  200 pending
    centavo-less                        200 set_aside
    centavo-less-accepted               200 applied
    carla-late-news                     200 pending
    carla-thought-expired               200 expired
    revived                             200 applied
    bruno-paid-late                     200 pending
    a-microsecond-late                  200 set_aside
    house-never-paid                    200 pending
    house-expired                       200 expired
    house-cancelled                     200 pending
    cancelled                           200 applied
    house-failed                        200 failed
    test-charge                         200 pending
    test-charge-paid                    200 applied
    test-money-only                     200 4400
    a-live-charge-is-unknown-here       404 nao_encontrado
    midnight-in-brasilia                200 applied
    bruno-available                     200 4900 0
    house-large-released                200 applied
    ana-waits-a-day-from-here           200 applied
    ana-too-soon                        423 carencia_primeiro_deposito
    ana-waiting                         200 9900 0
    bruno-pays-the-house                200 concluida
    bruno-has-only-4000                 409 saldo_insuficiente 4000
    centavo-more-returned               200 applied
    ana-a-microsecond-too-soon          423 carencia_primeiro_deposito
    ana-payout                          200 requested 9135
    ana-payout-submitted                200 applied
    ana-payout-paid                     200 applied
    ana-payout-again                    200 completed 9135
    ana-payout-changed                  409 external_id_divergente
    bruno-refused                       200 requested 3045
    bruno-submitted                     200 applied
    bruno-money-back                    200 applied
    bruno-unknown                       200 requested 2030
    bruno-outcome-unknown               200 applied
    late-news-is-known                  200 known
    bruno-found-paid                    200 applied
    carla-unknown                       200 requested 3045
    carla-outcome-unknown               200 applied
    carla-found-not-paid                200 applied
    carla-payout                        200 requested 2030
    carla-payout-paid                   200 applied
    carla-back-in-part                  200 applied
    partner-earns-from-tomorrow         200 applied
    house-with-new-fees                 200 12000 0
    carla-with-partner                  200 requested 1125
    carla-with-partner-paid             200 applied
    courtesy                            200 applied
    carla-disputed                      200 applied
    carla-blocked                       200 1144 2500
    carla-dispute-withdrawn             200 applied
    ana-disputed                        200 applied
    ana-blocked-as-far-as-it-goes       200 0 765
    ana-money-gone-after-it-was-spent   200 applied
    the-house-owes-for-ana              200 8504
    ana-may-spend-nothing               402 saldo_insuficiente -9135
    house-covers-ana-first              409 saldo_insuficiente 2865
    house-spends-the-rest               200 concluida
    ana-cure-1                          200 pending
    ana-cure-1-paid                     200 applied
    ana-still-negative                  200 -4235 0
    ana-may-still-spend-nothing         402 saldo_insuficiente -4235
    ana-cure-2                          200 pending
    ana-cure-2-paid                     200 applied
    ana-is-cured-at-midnight            200 applied
    ana-spends-again                    200 requested 202
    ana-statement                       200 lancamentos
    ana-operations                      200 operacoes
    customers                           200
    carla-payout-as-it-stands           200 completed
    bad-1                               400 amount_invalido
    bad-2                               400 amount_invalido
    bad-3                               404 nao_encontrado
    bad-4                               404 nao_encontrado
    bad-5                               401 chave_desconhecida
";

#[test]
fn every_line_is_answered_as_its_reader_expects() {
    let (_, answers) = lived();
    let mut story = String::from("\n");
    for (line, answer) in LINES.lines().zip(&answers) {
        let line: Value = serde_json::from_str(line).unwrap();
        let label = line["as"].as_str().or(line["body"]["external_id"].as_str()).unwrap();
        story += format!("    {label:<35} {}", in_short(answer)).trim_end();
        story += "\n";
    }
    assert_eq!(story, STORY);
}

#[test]
fn the_day_ends_with_these_balances() {
    let (mut day, _) = lived();
    let at = "2026-11-26T13:00:00Z";
    assert_eq!(day.balance(at, ""), (9_135, 0));
    assert_eq!(day.balance(at, "ana"), (1_463, 0));
    assert_eq!(day.balance(at, "bruno"), (4_860, 0));
    assert_eq!(day.balance(at, "carla"), (3_644, 0));
}

#[test]
fn test_money_and_live_money_never_meet() {
    let (day, _) = lived();
    let sum = |environment: Environment| day.book_of(environment).ledger().state.books.clone();
    let (live, sandbox) = (sum(Environment::Live), sum(Environment::Sandbox));
    assert_eq!((live.trial_balance(), sandbox.trial_balance()), (0, 0));
    assert_eq!(sandbox.subaccounts().map(|(_, known)| known.total().cents()).sum::<i64>(), 4_400);
}
