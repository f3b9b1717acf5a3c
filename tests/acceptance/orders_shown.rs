//! What an order shows of what happened to it: what its PIX paid, what goes back, the states it
//! entered, how its deposit confirms (rulings 50 to 52 and 59).

use serde_json::{Value, json};

use crate::day::{Day, KEY};
use crate::market::WALLET;
use crate::selling::{
    LIQUID_WALLET, STANDARD, VOLUME, accepted, arrival, deposited, of_depix, to_mail,
};
use crate::wallet_payments::{reserved, step};

const NOON: &str = "2026-10-20T12:00:00Z";
const POLYGON: (&str, &str) = ("usdt", "polygon");
const LIQUID: (&str, &str) = ("depix", "liquid");

/// A code of R$ 10.00.
const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***630436D9";

fn field_values(order: &Value, names: &[&str]) -> Vec<Value> {
    names.iter().map(|name| order[*name].clone()).collect()
}

fn cents(order: &Value, name: &str) -> i64 {
    order[name].as_str().unwrap().replace('.', "").parse().unwrap()
}

/// An order `v` that was paid.
fn completed(terms: &str, pair: (&str, &str), body: Value) -> Day {
    let mut day = deposited(terms, pair, body);
    assert_eq!(day.sale_paid("v", NOON), "applied");
    day
}

#[test]
fn nothing_reads_as_paid_before_its_pix_is_confirmed() {
    let mut day = Day::selling(NOON, STANDARD);
    let paid = |day: &mut Day| field_values(&day.order("v", NOON), &["brl_amount", "brl_paid"]);
    day.sold("v", NOON, "100.00");
    assert_eq!(paid(&mut day), [json!("100.00"), Value::Null]);
    day.accept("v", NOON);
    day.deposited("v", NOON, "19.444445");
    assert_eq!(day.state("v", NOON), "PROCESSING");
    assert_eq!(paid(&mut day), [json!("100.00"), Value::Null]);
    assert_eq!(day.sale_paid("v", NOON), "applied");
    assert_eq!(paid(&mut day), [json!("100.00"), json!("100.00")]);
}

#[test]
fn what_is_shown_of_another_deposit_than_was_quoted_is_what_happened() {
    let mut day = accepted(STANDARD, POLYGON, to_mail("100.00"));
    let quoted = day.order("v", NOON);
    assert_eq!(quoted["amount_received"], Value::Null);
    day.deposited("v", NOON, "38.88889");
    let order = day.order("v", NOON);
    assert_eq!(
        (&order["amount"], &order["amount_received"]),
        (&quoted["amount"], &json!("38.888890"))
    );
    // 38.88889 at 5.40 are 210.00: a fee of twice the sale's, and one reserve.
    let parts =
        cents(&order, "brl_amount") + cents(&order, "fee_brl") + cents(&order, "reserve_brl");
    assert_eq!(parts, 21_000);
    assert!(cents(&quoted, "fee_brl") < cents(&order, "fee_brl"), "{order}");
    let asked = day.instructions().last().unwrap()["amount_cents"].clone();
    assert_eq!(asked, cents(&order, "brl_amount"));
    assert_eq!(day.sale_paid("v", NOON), "applied");
    let done = day.order("v", NOON);
    assert_eq!(done["brl_paid"], order["brl_amount"]);
    assert_eq!(done["fee_brl"], order["fee_brl"]);
}

#[test]
fn a_revived_order_shows_the_rate_at_which_it_is_sold() {
    let mut day = accepted(VOLUME, POLYGON, to_mail("100.00"));
    assert_eq!(day.order("v", NOON)["rate"], "5.40");
    let later = "2026-10-20T13:00:00Z";
    assert_eq!(day.price(later, "usdt", "5.00"), "applied");
    day.deposited("v", later, "18.768519");
    assert_eq!(day.order("v", later)["rate"], "5.00");
}

#[test]
fn an_order_whose_money_all_went_back_took_no_fee() {
    let mut day = accepted(STANDARD, POLYGON, to_mail("100.00"));
    day.deposited("v", NOON, "19.444445");
    assert_eq!(day.sale_reports("v", NOON, "cashout.pix_impossible", json!({})), "applied");
    assert_eq!(day.sale_reports("v", NOON, "refund.sent", json!({ "tx_hash": "0xr" })), "applied");
    let order = day.order("v", NOON);
    let shown = field_values(&order, &["state", "fee_brl", "brl_paid", "refund_amount"]);
    assert_eq!(shown, [json!("REFUNDED"), json!("0.00"), Value::Null, json!("19.444445")]);
}

#[test]
fn a_surplus_is_listed_on_its_order_with_its_own_id_and_state() {
    let body = json!({ "br_code": CODE, "refund_address": WALLET });
    let mut day = accepted(VOLUME, POLYGON, body);
    assert_eq!(day.order("v", NOON)["surplus_refunds"], json!([]));
    day.deposited("v", NOON, "3");
    let asked = day.instructions().iter().find(|it| it["instruction"] == "crypto.refund").unwrap();
    let unmatched = asked["receipt_id"].clone();
    let order = day.order("v", NOON);
    assert_eq!(order["amount_received"], "3.000000", "all that arrived");
    let listed = json!([{
        "receipt_id": unmatched, "state": "REFUNDING_CRYPTO", "amount": "0.957407",
        "asset": "usdt", "network": "polygon", "deposit_tx_hash": "0xv",
        "refund_address": WALLET, "refund_tx_hash": null,
    }]);
    assert_eq!(order["surplus_refunds"], listed);
    assert_eq!(day.sale_paid("v", NOON), "applied");
    let body = json!({ "id": "r-1", "receipt_id": unmatched, "tx_hash": "0xr" });
    assert_eq!(day.report(NOON, "refund.sent", &body), "applied");
    let order = day.order("v", NOON);
    assert_eq!(order["state"], "COMPLETED", "its own refund is no state of the order");
    let surplus = &order["surplus_refunds"][0];
    assert_eq!(
        (&surplus["state"], &surplus["refund_tx_hash"]),
        (&json!("REFUNDED"), &json!("0xr"))
    );
}

#[test]
fn a_deposit_after_the_payment_began_is_listed_too_even_when_the_order_has_ended() {
    let mut day = completed(STANDARD, POLYGON, to_mail("100.00"));
    for (hash, count) in [("0xb", 1), ("0xc", 2)] {
        assert_eq!(
            day.sale_reports("v", NOON, "deposit.seen", arrival(hash, POLYGON, "3")),
            "set_aside"
        );
        let order = day.order("v", NOON);
        let listed = order["surplus_refunds"].as_array().unwrap().clone();
        assert_eq!((listed.len(), order["state"].as_str()), (count, Some("COMPLETED")));
        assert_eq!(listed[count - 1]["state"], "DEPOSIT_DETECTED");
        assert_eq!(listed[count - 1]["deposit_tx_hash"], hash);
    }
    assert_eq!(
        day.sale_reports("v", NOON, "deposit.confirmed", json!({ "tx_hash": "0xb" })),
        "applied"
    );
    assert_eq!(
        day.sale_reports("v", NOON, "deposit.vanished", json!({ "tx_hash": "0xc" })),
        "applied"
    );
    let order = day.order("v", NOON);
    let states: Vec<&Value> =
        order["surplus_refunds"].as_array().unwrap().iter().map(|it| &it["state"]).collect();
    assert_eq!(states, ["REFUNDING_CRYPTO"], "what vanished is no surplus");
}

/// The states of the timeline, each at an instant that is not before the one it follows.
fn timeline(order: &Value) -> Vec<&str> {
    let steps = order["timeline"].as_array().unwrap();
    let instants: Vec<&str> = steps.iter().map(|step| step["at"].as_str().unwrap()).collect();
    assert!(instants.is_sorted(), "{instants:?}");
    steps.iter().map(|step| step["state"].as_str().unwrap()).collect()
}

#[test]
fn the_timeline_has_every_state_in_order_with_its_instant() {
    let mut day = Day::selling(NOON, STANDARD);
    let body = to_mail("100.00");
    assert_eq!(day.sell("v", NOON, ("usdt", "arbitrum"), body).status, 200);
    let at = |minute: u32| format!("2026-10-20T12:{minute:02}:00Z");
    assert_eq!(day.accept("v", &at(1)).status, 200);
    let amount = day.order("v", &at(1))["amount"].as_str().unwrap().to_owned();
    let seen = arrival("0xv", ("usdt", "arbitrum"), &amount);
    assert_eq!(day.sale_reports("v", &at(2), "deposit.seen", seen), "applied");
    assert_eq!(day.sale_reports("v", &at(3), "cashout.delayed", json!({})), "applied");
    assert_eq!(day.sale_reports("v", &at(4), "cashout.resumed", json!({})), "applied");
    assert_eq!(
        day.sale_reports("v", &at(5), "deposit.confirmed", json!({ "tx_hash": "0xv" })),
        "applied"
    );
    assert_eq!(day.sale_reports("v", &at(6), "sale.started", json!({})), "applied");
    let got = json!({ "asset": "usdt", "network": "polygon", "amount": amount });
    assert_eq!(day.sale_reports("v", &at(7), "sale.filled", got), "applied");
    assert_eq!(day.sale_reports("v", &at(8), "payment.started", json!({})), "applied");
    assert_eq!(day.sale_paid("v", &at(9)), "applied");
    let order = day.order("v", &at(9));
    let states = [
        "QUOTE_CREATED",
        "AWAITING_DEPOSIT",
        "DEPOSIT_DETECTED",
        "DELAYED",
        "DEPOSIT_DETECTED",
        "DEPOSIT_CONFIRMED",
        "SELLING",
        "SOLD",
        "PAYING_OUT",
        "COMPLETED",
    ];
    assert_eq!(timeline(&order), states);
    let instants: Vec<Value> = (0..10).map(|minute| json!(at(minute))).collect();
    let steps = order["timeline"].as_array().unwrap();
    assert_eq!(steps.iter().map(|step| step["at"].clone()).collect::<Vec<_>>(), instants);
}

#[test]
fn the_timeline_of_a_refund_goes_on_to_its_end() {
    let mut day = accepted(STANDARD, POLYGON, to_mail("100.00"));
    day.deposited("v", NOON, "19.444445");
    let back = json!({ "returned_cents": 9_900 });
    assert_eq!(day.sale_reports("v", NOON, "cashout.key_refused", back), "applied");
    assert_eq!(day.sale_reports("v", NOON, "refund.decided", json!({})), "applied");
    assert_eq!(day.sale_reports("v", NOON, "refund.sent", json!({ "tx_hash": "0xr" })), "applied");
    let order = day.order("v", NOON);
    let states = [
        "QUOTE_CREATED",
        "AWAITING_DEPOSIT",
        "DEPOSIT_DETECTED",
        "PROCESSING",
        "MANUAL_REVIEW",
        "REFUNDING_CRYPTO",
        "REFUNDED",
    ];
    assert_eq!(timeline(&order), states);
    assert_eq!(order["fee_brl"], "4.00", "earned, for the sale had been made (W54)");
}

#[test]
fn confirmations_stand_while_a_deposit_confirms() {
    let mut day = accepted(STANDARD, POLYGON, to_mail("100.00"));
    let shown = |day: &mut Day| {
        let order = day.order("v", NOON);
        field_values(&order, &["confirmations", "confirmations_required", "confirmations_complete"])
    };
    assert_eq!(shown(&mut day)[0], Value::Null, "nothing is deposited");
    let seen = |number: Option<u16>| {
        let mut body = arrival("0xv", POLYGON, "19.444445");
        body["confirmations"] = number.into();
        body
    };
    assert_eq!(day.sale_reports("v", NOON, "deposit.seen", seen(None)), "applied");
    assert_eq!(shown(&mut day), [json!(0), json!(1), json!(false)]);
    assert_eq!(
        day.sale_reports("v", NOON, "deposit.seen", seen(Some(3))),
        "applied",
        "it has more"
    );
    assert_eq!(shown(&mut day)[0], 3);
    for known in [None, Some(2), Some(3)] {
        assert_eq!(day.sale_reports("v", NOON, "deposit.seen", seen(known)), "known", "{known:?}");
    }
    let mut other = seen(Some(7));
    other["amount"] = "19.444446".into();
    assert_eq!(day.sale_reports("v", NOON, "deposit.seen", other), "known", "of another amount");
    assert_eq!(shown(&mut day)[0], 3);
    assert_eq!(
        day.sale_reports("v", NOON, "deposit.confirmed", json!({ "tx_hash": "0xv" })),
        "applied"
    );
    assert_eq!(
        day.sale_reports("v", NOON, "deposit.seen", seen(Some(9))),
        "known",
        "it is confirmed"
    );
    assert_eq!(shown(&mut day), [json!(3), json!(1), json!(true)]);
}

#[test]
fn the_type_of_a_key_is_shown_as_deduced_or_declared() {
    let mut day = Day::selling(NOON, STANDARD);
    for (id, key, declared, kind) in [
        ("a", "ana@exemplo.com.br", None, "email"),
        ("b", "11222333000181", None, "cnpj"),
        ("c", "123e4567-e12b-12d1-a456-426655440000", None, "random"),
        ("d", "+5511987654321", None, "phone"),
        ("e", "11987654321", Some("phone"), "phone"),
        ("f", "52998224725", Some("cpf"), "cpf"),
    ] {
        let mut body = to_mail("10.00");
        body["pix_key"] = key.into();
        body["pix_key_type"] = declared.into();
        assert_eq!(day.sell(id, NOON, POLYGON, body.clone()).body["pix_key_type"], kind);
        assert_eq!(day.order(id, NOON)["pix_key_type"], kind, "{key}");
        (body["asset"], body["network"]) = (POLYGON.0.into(), POLYGON.1.into());
        let preview = day.ask(NOON, "POST /cash-outs/preview", &body).body;
        assert_eq!(preview["pix_key_type"], kind, "{key}");
    }
    let order = day.sell("q", NOON, POLYGON, json!({ "br_code": CODE })).body;
    assert_eq!(order["pix_key_type"], "random", "of the key inside the code");
}

#[test]
fn a_corrected_key_is_shown_with_its_own_type() {
    let mut day = accepted(STANDARD, POLYGON, to_mail("100.00"));
    day.deposited("v", NOON, "19.444445");
    let back = json!({ "returned_cents": 9_900 });
    assert_eq!(day.sale_reports("v", NOON, "cashout.key_refused", back), "applied");
    let key = json!({ "pix_key": "+5511987654321" });
    assert_eq!(day.judge("v", NOON, "cashout.cleared", key), "applied");
    assert_eq!(day.order("v", NOON)["pix_key_type"], "phone");
}

fn reverse(day: &mut Day, cents: i64) {
    let id = day.outside_id();
    let back = json!({ "return_id": id, "amount_cents": cents });
    assert_eq!(day.sale_reports("v", NOON, "cashout.pix_reversed", back), "applied");
}

#[test]
fn a_sale_whose_pix_is_reversed_reads_as_refunding_until_the_hash_comes() {
    for (pair, body, refunding) in [
        (POLYGON, to_mail("100.00"), "REFUNDING_CRYPTO"),
        (
            LIQUID,
            {
                let mut body = of_depix("100.00");
                body["refund_address"] = LIQUID_WALLET.into();
                body
            },
            "REFUNDING",
        ),
    ] {
        let mut day = completed(STANDARD, pair, body);
        day.new_events();
        reverse(&mut day, 10_000);
        assert_eq!(day.state("v", NOON), refunding);
        let state = day.events().last().unwrap()["data"]["state"].clone();
        assert_eq!(
            (day.new_events(), state),
            (vec!["cashout.refunding".to_owned()], json!(refunding))
        );
        let sent = json!({ "tx_hash": "0xr" });
        assert_eq!(day.sale_reports("v", NOON, "refund.sent", sent), "applied");
        let order = day.order("v", NOON);
        assert_eq!(
            (&order["state"], &order["refund_tx_hash"]),
            (&json!("REFUNDED"), &json!("0xr"))
        );
        assert_eq!(day.new_events(), ["cashout.refunded"]);
        assert_eq!(timeline(&order)[4..], ["COMPLETED", refunding, "REFUNDED"]);
    }
}

#[test]
fn a_partial_reversal_shows_its_amount_and_is_notified_too() {
    let mut day = completed(STANDARD, POLYGON, to_mail("100.00"));
    assert_eq!(day.order("v", NOON)["brl_reversed"], Value::Null);
    day.new_events();
    reverse(&mut day, 2_500);
    let order = day.order("v", NOON);
    let shown = field_values(&order, &["state", "brl_paid", "brl_reversed"]);
    assert_eq!(shown, ["REFUNDING_CRYPTO", "100.00", "25.00"]);
    assert_eq!(day.new_events(), ["cashout.refunding"]);
}

#[test]
fn a_reversal_without_a_wallet_asks_for_one() {
    let mut body = to_mail("100.00");
    body["refund_address"] = Value::Null;
    let mut day = completed(STANDARD, POLYGON, body);
    day.new_events();
    reverse(&mut day, 10_000);
    assert_eq!(day.state("v", NOON), "AWAITING_REFUND_ADDRESS");
    assert_eq!(day.new_events(), ["cashout.refunding", "cashout.awaiting_refund_address"]);
    let line = json!({
        "at": NOON, "key": KEY, "request": "POST /cash-outs/$v.cashout_id/refund-address",
        "body": { "refund_address": WALLET },
    });
    assert_eq!(day.line(&line.to_string()).body["state"], "REFUNDING_CRYPTO");
    assert_eq!(day.new_events(), ["cashout.refunding"]);
}

#[test]
fn the_order_of_a_wallet_payment_reads_as_part_of_its_payment() {
    let mut day = reserved();
    assert_eq!(step(&mut day, "accepted"), "applied");
    let payment = day.payment("p", "2026-11-20T12:00:00Z");
    let id = payment["cashout_id"].as_str().unwrap().to_owned();
    // An hour later, when the order's quote is long over.
    let order = day.get("2026-11-20T13:00:00Z", &format!("/cash-outs/{id}"));
    let shown =
        field_values(&order, &["payment_id", "funding_source", "expires_at", "deposit_address"]);
    assert_eq!(
        shown,
        [payment["payment_id"].clone(), json!("crypto_usdt"), Value::Null, Value::Null]
    );
    assert_eq!(order["state"], "AWAITING_DEPOSIT", "no deadline of its own ends it");
    assert!(
        day.events().iter().all(|event| event["event"].as_str().unwrap().starts_with("wallet."))
    );

    let mut day = completed(STANDARD, POLYGON, to_mail("100.00"));
    assert!(day.order("v", NOON).get("payment_id").is_none(), "a seller's order has none");
}
