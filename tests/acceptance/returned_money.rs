//! Money that leaves after it was spent: returns, blocks and write-offs (rulings 21 to 29).

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, judged};

const NOON: &str = "2026-10-20T12:00:00Z";
const NEXT_NOON: &str = "2026-10-21T12:00:00Z";

/// A block of so much on `customer`, for a labelled charge if one is named.
fn block(day: &mut Day, label: &str, at: &str, customer: &str, cause: &str, cents: i64) -> Value {
    let mut body = judged(json!({
        "id": label, "account": "loja", "customer_ref": customer, "kind": "dispute",
        "amount_cents": cents,
    }));
    if !cause.is_empty() {
        body["cashin_id"] = format!("${cause}.cashin_id").into();
    }
    day.report_as(label, at, "hold.placed", &body)
}

fn let_go(day: &mut Day, label: &str, at: &str) -> String {
    let body =
        judged(json!({ "id": format!("{label}-free"), "hold_id": format!("${label}.hold_id") }));
    day.report(at, "hold.released", &body)
}

fn status(day: &mut Day, at: &str, id: &str) -> Value {
    day.get(at, &format!("/cashin/charges?external_id={id}"))["charges"][0].clone()
}

#[test]
fn rulings_22_returns_of_6_000_then_4_000_cost_6_000_then_3_900() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    assert_eq!(day.give_back("d", NOON, 6_000), "applied");
    assert_eq!(day.balance(NOON, "a"), (3_900, 0));
    assert_eq!(day.money(Control::DepositIncome), 100);
    assert_eq!(day.give_back("d", NOON, 4_000), "applied");
    assert_eq!(day.balance(NOON, "a"), (0, 0));
    assert_eq!(day.money(Control::DepositIncome), 0);
    assert_eq!(day.values(NOON, "a"), [10_000, -100, -6_000, -4_000, 100]);
}

#[test]
fn rulings_22_returns_of_9_950_then_50_cost_9_900_then_nothing() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    assert_eq!(day.give_back("d", NOON, 9_950), "applied");
    assert_eq!(day.balance(NOON, "a"), (0, 0));
    assert_eq!(day.money(Control::DepositIncome), 50);
    assert_eq!(day.give_back("d", NOON, 50), "applied");
    assert_eq!(day.money(Control::DepositIncome), 0);
    assert_eq!(day.values(NOON, "a"), [10_000, -100, -9_950, 50, -50, 50]);
}

#[test]
fn rulings_22_returned_in_part_before_the_credit_the_credit_is_what_is_left() {
    for (gone, net, fee) in [(4_000, 5_900, 100), (9_899, 1, 100), (9_900, 0, 100), (9_950, 0, 50)]
    {
        let mut day = Day::opened(NOON);
        assert_eq!(day.charge("d", NOON, "a", 10_000).status, 200);
        assert_eq!(day.pix("d", NOON, 10_000), "applied");
        assert_eq!(day.give_back("d", NOON, gone), "applied");
        let body = json!({ "id": "rel-1", "cashin_id": "$d.cashin_id" });
        assert_eq!(day.report(NEXT_NOON, "provider.released", &body), "applied");
        assert_eq!(day.balance(NEXT_NOON, "a"), (net, 0), "{gone} gone before");
        assert_eq!(day.money(Control::DepositIncome), fee);
        assert_eq!(day.values(NEXT_NOON, "a"), [10_000 - gone, -i64::try_from(fee).unwrap()]);
        assert_eq!(status(&mut day, NEXT_NOON, "d")["status"], "paid");
    }
}

#[test]
fn rulings_22_returned_in_full_before_the_credit_nothing_was_ever_credited() {
    let mut day = Day::opened(NOON);
    assert_eq!(day.charge("d", NOON, "a", 10_000).status, 200);
    assert_eq!(day.pix("d", NOON, 10_000), "applied");
    assert_eq!(day.give_back("d", NOON, 10_000), "applied");
    let charge = status(&mut day, NOON, "d");
    assert_eq!(charge["status"], "refunded");
    assert_eq!(charge["settlement_status"], "failed");
    assert_eq!(day.values(NOON, "a"), Vec::<i64>::new());
    assert_eq!(day.money(Control::PixInFlight), 0);
    assert_eq!(day.money(Control::ProviderPix), 0);
}

/// Rulings, "Worked": deposit 10,000; payout 9,000 at 150 bps; the whole returned.
fn spent_and_returned() -> Day {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    assert_eq!(day.payout("p", NOON, "a", 9_000).body["debited_cents"], 9_135);
    assert_eq!(day.balance(NOON, "a"), (765, 0));
    assert_eq!(day.give_back("d", NOON, 10_000), "applied");
    day
}

#[test]
fn rulings_worked_the_balance_falls_to_9_135_below_zero_and_a_deposit_of_5_000_does_not_cure_it() {
    let mut day = spent_and_returned();
    assert_eq!(day.balance(NOON, "a"), (-9_135, 0));
    assert_eq!(day.money(Control::DepositIncome), 0);
    assert_eq!(status(&mut day, NOON, "d")["status"], "refunded");
    day.deposit("d2", NOON, "a", 5_000);
    assert_eq!(day.balance(NOON, "a"), (-4_235, 0));
    let payout = day.payout("p2", NOON, "a", 1);
    assert_eq!((payout.status, &payout.body["erro"]), (402, &json!("saldo_insuficiente")));
    let transfer = day.transfer("t", NOON, "a", "casa", 1);
    assert_eq!((transfer.status, &transfer.body["erro"]), (409, &json!("saldo_insuficiente")));
}

#[test]
fn rulings_24_a_later_credit_cures_by_plain_addition() {
    let mut day = spent_and_returned();
    day.deposit("house", NOON, "", 9_435);
    assert_eq!(day.transfer("h", NOON, "casa", "a", 200).status, 200);
    assert_eq!(day.balance(NOON, "a"), (-8_935, 0), "a transfer as a deposit");
    day.deposit("d2", NOON, "a", 9_135);
    assert_eq!(day.balance(NOON, "a"), (100, 0));
    assert_eq!(day.transfer("t", NOON, "a", "casa", 101).status, 409);
    assert_eq!(day.transfer("t", NOON, "a", "casa", 100).status, 200);
}

#[test]
fn rulings_25_a_house_of_12_000_may_spend_2_865_while_a_subaccount_owes_9_135() {
    let mut day = spent_and_returned();
    day.deposit("b", NOON, "b", 5_050);
    day.deposit("h", NOON, "", 12_100);
    assert_eq!(day.balance(NOON, "b"), (4_950, 0));
    let all = day.get(NOON, "/saldo/consolidado");
    assert_eq!(all["casa"]["disponivel_cents"], 12_000);
    assert_eq!(all["clientes"]["disponivel_cents"], -9_135 + 4_950);
    assert_eq!(all["total_cents"], 12_000 - 9_135 + 4_950);
    assert_eq!(all["total_negativo_cents"], -9_135);
    assert_eq!(day.transfer("t", NOON, "casa", "c", 2_866).status, 409);
    assert_eq!(day.transfer("t", NOON, "casa", "c", 2_865).status, 200);
    assert_eq!(day.payout("p3", NOON, "", 1).status, 402, "and nothing more");
    let fee = json!({ "id": "fee-1", "account": "loja", "effect_cents": -1 });
    assert_eq!(day.report(NOON, "fee.adjusted", &judged(fee)), "set_aside");
    assert_eq!(day.transfer("t2", NOON, "b", "c", 4_950).status, 200, "others are free");
}

#[test]
fn rulings_25_the_switch_off_frees_the_house() {
    let mut day = spent_and_returned();
    day.deposit("h", NOON, "", 12_100);
    let body = json!({ "id": "pol-1", "house_covers_negatives": false });
    assert_eq!(day.report(NOON, "policy.adopted", &body), "applied");
    assert_eq!(day.transfer("t", NOON, "casa", "c", 12_000).status, 200);
}

#[test]
fn rulings_23_a_return_takes_its_own_held_part_then_other_held_parts_then_available() {
    let mut day = Day::opened(NOON);
    day.deposit("d1", NOON, "a", 6_000);
    day.deposit("d2", NEXT_NOON, "a", 5_000);
    day.deposit("d3", NEXT_NOON, "a", 3_000);
    assert_eq!(day.balance(NEXT_NOON, "a"), (5_900, 4_900 + 2_900));
    assert_eq!(day.give_back("d2", NEXT_NOON, 5_000), "applied");
    assert_eq!(day.balance(NEXT_NOON, "a"), (5_900, 2_900), "its own held part");
    assert_eq!(day.give_back("d1", NEXT_NOON, 6_000), "applied");
    assert_eq!(day.balance(NEXT_NOON, "a"), (2_900, 0), "then another's, then available");
    assert_eq!(day.get(NEXT_NOON, "/saldo?customer_ref=a")["proximas_liberacoes"], json!([]));
    assert_eq!(day.balance("2026-10-22T12:00:00Z", "a"), (2_900, 0), "nothing is left to mature");
}

#[test]
fn rulings_23_a_part_of_a_held_part_shortens_the_release_schedule() {
    let mut day = Day::opened(NOON);
    day.deposit("d", NOON, "a", 6_000);
    assert_eq!(day.give_back("d", NOON, 1_000), "applied");
    let saldo = day.get(NOON, "/saldo?customer_ref=a");
    let left = json!([{ "valor_cents": 4_900, "disponivel_em": "2026-10-21T03:00:00Z" }]);
    assert_eq!(saldo["proximas_liberacoes"], left);
    assert_eq!(day.values(NOON, "a"), [6_000, -100, -1_000], "moves between buckets are no rows");
}

#[test]
fn rulings_23_the_block_for_this_pix_is_taken_first_and_one_for_another_cause_never() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d1", NOON, "a", 5_100);
    day.deposit("d2", NOON, "a", 3_100);
    assert_eq!(block(&mut day, "h1", NOON, "a", "d1", 2_000)["outcome"], "applied");
    assert_eq!(block(&mut day, "h2", NOON, "a", "", 4_000)["outcome"], "applied");
    assert_eq!(day.balance(NOON, "a"), (2_000, 6_000));
    assert_eq!(day.give_back("d1", NOON, 5_100), "applied");
    assert_eq!(day.balance(NOON, "a"), (-1_000, 4_000));
    assert_eq!(let_go(&mut day, "h2", NOON), "applied");
    assert_eq!(day.balance(NOON, "a"), (3_000, 0));
}

#[test]
fn rulings_26_a_block_takes_its_deposits_held_part_first_and_gives_it_back_there() {
    let mut day = Day::opened(NOON);
    day.deposit("d1", NOON, "a", 3_000);
    assert_eq!(day.balance(NEXT_NOON, "a"), (2_900, 0));
    day.deposit("d2", NEXT_NOON, "a", 6_000);
    assert_eq!(block(&mut day, "h", NEXT_NOON, "a", "d2", 6_000)["outcome"], "applied");
    let saldo = day.get(NEXT_NOON, "/saldo?customer_ref=a");
    assert_eq!(
        (&saldo["disponivel_cents"], &saldo["bloqueado_cents"]),
        (&json!(2_800), &json!(6_000))
    );
    assert_eq!(saldo["proximas_liberacoes"], json!([]));
    assert_eq!(let_go(&mut day, "h", NEXT_NOON), "applied");
    let saldo = day.get(NEXT_NOON, "/saldo?customer_ref=a");
    let back = json!([{ "valor_cents": 5_900, "disponivel_em": "2026-10-22T03:00:00Z" }]);
    assert_eq!(saldo["proximas_liberacoes"], back);
    assert_eq!(saldo["disponivel_cents"], 2_900);
}

#[test]
fn rulings_26_what_has_matured_since_goes_to_available() {
    let mut day = Day::opened(NOON);
    day.deposit("d", NOON, "a", 6_000);
    assert_eq!(block(&mut day, "h", NOON, "a", "d", 5_000)["outcome"], "applied");
    assert_eq!(day.balance(NOON, "a"), (0, 5_900));
    assert_eq!(day.balance(NEXT_NOON, "a"), (900, 5_000), "what is frozen does not mature");
    assert_eq!(let_go(&mut day, "h", NEXT_NOON), "applied");
    assert_eq!(day.balance(NEXT_NOON, "a"), (5_900, 0));
    assert_eq!(day.values(NEXT_NOON, "a"), [6_000, -100], "holds are no statement rows");
}

#[test]
fn rulings_26_a_shortfall_watches_and_the_first_claim_comes_first() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 1_100);
    block(&mut day, "h1", NOON, "a", "", 3_000);
    block(&mut day, "h2", NOON, "a", "", 2_000);
    assert_eq!(day.balance(NOON, "a"), (0, 1_000));
    day.deposit("house", NOON, "", 1_100);
    assert_eq!(day.transfer("t", NOON, "casa", "a", 500).status, 200);
    assert_eq!(day.balance(NOON, "a"), (0, 1_500), "what a transfer brings as well");
    day.deposit("d2", NOON, "a", 2_600);
    assert_eq!(day.balance(NOON, "a"), (0, 4_000));
    assert_eq!(let_go(&mut day, "h1", NOON), "applied");
    // The 3,000 of the first go back; the second, short of 1,000, takes that much of them.
    assert_eq!(day.balance(NOON, "a"), (2_000, 2_000));
    assert_eq!(let_go(&mut day, "h2", NOON), "applied");
    assert_eq!(day.balance(NOON, "a"), (4_000, 0));
}

#[test]
fn rulings_26_the_watch_ends_after_90_days() {
    for (at, blocked) in [("2027-01-18T11:59:59.999999Z", 900), ("2027-01-18T12:00:00Z", 0)] {
        let mut day = Day::with_terms(NOON, AT_ONCE);
        day.deposit("seen", NOON, "a", 101);
        assert_eq!(day.transfer("t", NOON, "a", "casa", 1).status, 200);
        block(&mut day, "h", NOON, "a", "", 5_000);
        assert_eq!(day.report(at, "time.passed", &json!({})), "applied");
        day.deposit("d", at, "a", 1_000);
        assert_eq!(day.balance(at, "a"), (900 - blocked, blocked), "{at}");
    }
}

#[test]
fn rulings_27_a_charge_is_refunded_when_the_whole_went_back_and_shows_the_part_until_then() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    assert!(status(&mut day, NOON, "d").get("returned_cents").is_none());
    assert_eq!(day.give_back("d", NOON, 9_999), "applied");
    let charge = status(&mut day, NOON, "d");
    assert_eq!((&charge["status"], &charge["returned_cents"]), (&json!("paid"), &json!(9_999)));
    assert_eq!(day.give_back("d", NOON, 2), "set_aside", "more than was paid");
    assert_eq!(day.give_back("d", NOON, 1), "applied");
    assert_eq!(status(&mut day, NOON, "d")["status"], "refunded");
}

#[test]
fn rulings_29_a_write_off_covers_what_is_owed_and_no_more() {
    let mut day = spent_and_returned();
    let body = |id: &str, cents: i64| {
        judged(json!({
            "id": id, "account": "loja", "customer_ref": "a", "amount_cents": cents,
        }))
    };
    assert_eq!(day.report(NOON, "balance.written_off", &body("w1", 9_136)), "set_aside");
    assert_eq!(day.balance(NOON, "a"), (-9_135, 0));
    assert_eq!(day.report(NOON, "balance.written_off", &body("w2", 9_135)), "applied");
    assert_eq!(day.balance(NOON, "a"), (0, 0));
    assert_eq!(day.money(Control::Loss), 9_135);
    assert_eq!(day.values(NOON, "a").last(), Some(&9_135));
}

#[test]
fn rulings_29_a_write_off_without_evidence_is_an_error() {
    let mut day = spent_and_returned();
    let body = json!({
        "id": "w", "account": "loja", "customer_ref": "a", "amount_cents": 1,
        "actor": "bia", "reason": "unreachable",
    });
    let before = day.digest();
    let answer = day.report_as("", NOON, "balance.written_off", &body);
    assert_eq!(answer["erro"], "campos_obrigatorios");
    assert!(answer["detail"].as_str().unwrap().contains("evidence"));
    assert_eq!(day.digest(), before);
}

/// 4,900 available, of which a court takes 6,000: the customer owes, and no spend passes.
#[test]
fn rulings_21_a_court_takes_what_it_orders_and_it_waits_until_it_left() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 5_000);
    let next = NEXT_NOON;
    assert_eq!(day.balance(next, "a"), (4_900, 0));
    let order = judged(json!({
        "id": "court-1", "account": "loja", "customer_ref": "a", "amount_cents": 6_000,
    }));
    let outcome = day.report_as("", next, "court.ordered", &order);
    assert_eq!(outcome["outcome"], "applied");
    let suspense = outcome["suspense_id"].as_str().unwrap().to_owned();
    assert_eq!(day.balance(next, "a"), (-1_100, 0));
    assert_eq!(day.money(Control::SuspensePix), 6_000);
    assert_eq!(day.values(next, "a").last(), Some(&-6_000));
    assert_eq!(day.report(next, "court.ordered", &order), "known");
    let left = judged(json!({ "id": "left-1", "suspense_id": suspense }));
    assert_eq!(day.report(next, "suspense.returned", &left), "applied");
    assert_eq!(day.money(Control::SuspensePix), 0);
    assert_eq!(day.balance(next, "a"), (-1_100, 0));
}

#[test]
fn rulings_21_a_court_takes_first_what_was_blocked_for_it() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 5_000);
    let next = NEXT_NOON;
    let block = judged(json!({
        "id": "block-1", "account": "loja", "customer_ref": "a", "kind": "judicial",
        "amount_cents": 2_000,
    }));
    let placed = day.report_as("", next, "hold.placed", &block);
    let hold = placed["hold_id"].as_str().unwrap().to_owned();
    assert_eq!(day.balance(next, "a"), (2_900, 2_000));
    let order = judged(json!({
        "id": "court-1", "account": "loja", "customer_ref": "a", "hold_id": hold,
        "amount_cents": 1_500,
    }));
    assert_eq!(day.report(next, "court.ordered", &order), "applied");
    assert_eq!(day.balance(next, "a"), (2_900, 500));
    let other = judged(json!({
        "id": "court-2", "account": "loja", "hold_id": hold, "amount_cents": 1,
    }));
    assert_eq!(
        day.report(next, "court.ordered", &other),
        "set_aside",
        "the block is not the house's"
    );
    assert_eq!(day.balance(next, "a"), (2_900, 500));
}

#[test]
fn rulings_46_a_pix_of_which_a_return_waits_pays_no_other_charge() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    assert_eq!(day.charge("late", NOON, "a", 10_000).status, 200);
    let body = json!({
        "cashin_id": "$late.cashin_id", "e2e": day.outside_id(), "amount_cents": 10_000,
    });
    let suspense = day.report_as("", NEXT_NOON, "pix.received", &body)["suspense_id"].clone();
    assert_eq!(day.charge("other", NEXT_NOON, "b", 10_000).status, 200);
    let returned = json!({
        "cashin_id": "$late.cashin_id", "return_id": day.outside_id(), "amount_cents": 10_000,
    });
    let returned = day.report_as("", NEXT_NOON, "pix.returned", &returned);
    assert_eq!(returned["outcome"], "set_aside");
    let body = json!({ "id": "at-1", "suspense_id": suspense, "cashin_id": "$other.cashin_id" });
    let attached = day.report_as("", NEXT_NOON, "suspense.attached", &judged(body));
    assert_eq!(
        (&attached["outcome"], &attached["reason"]),
        (&json!("set_aside"), &json!("outcome_unknown"))
    );
    assert_eq!(day.balance(NEXT_NOON, "b"), (0, 0));
}
