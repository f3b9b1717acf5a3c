//! Sales of crypto for PIX: each route, each state, and what deposits may do that nobody asked for.

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::{Day, KEY, fields};
use crate::market::WALLET;
use crate::selling::{STANDARD, VOLUME, arrival, of_depix, to_mail};

const NOON: &str = "2026-10-20T12:00:00Z";

#[test]
fn a_fast_sale_walks_from_quote_to_completion_and_tells_of_each_step() {
    // COUT-33 to COUT-38, COUT-68; A8.
    let mut day = Day::selling(NOON, STANDARD);
    day.sold("v", NOON, "100.00");
    let order = day.order("v", NOON);
    assert_eq!((&order["state"], &order["path"]), (&json!("QUOTE_CREATED"), &json!("FAST")));
    assert_eq!(order["deposit_address"], Value::Null, "COUT-12, INV-29");
    assert_eq!(order["pix_key"], "a***@exemplo.com.br", "COUT-08");
    let accepted = day.accept("v", NOON);
    assert_eq!((accepted.status, &accepted.body["state"]), (200, &json!("AWAITING_DEPOSIT")));
    assert_eq!(accepted.body["deposit_address"], "0xdeposit-here");
    let deposit = arrival("0xd", ("usdt", "polygon"), "19.444445");
    assert_eq!(day.sale_reports("v", NOON, "deposit.seen", deposit.clone()), "applied");
    assert_eq!(day.state("v", NOON), "DEPOSIT_DETECTED");
    assert_eq!(day.sale_reports("v", NOON, "deposit.seen", deposit), "known", "IDEM-12");
    assert_eq!((day.coins("usdt", "transit"), day.coins("usdt", "dep")), (-19_444_445, 19_444_445));
    assert_eq!(
        day.sale_reports("v", NOON, "deposit.confirmed", json!({ "tx_hash": "0xd" })),
        "applied"
    );
    assert_eq!((day.coins("usdt", "transit"), day.coins("usdt", "treas")), (0, -19_444_445));
    let e2e = day.outside_id();
    let paid = json!({ "e2e": e2e, "receipt_url": "https://r/1", "receipt_pdf_url": "https://r/1.pdf",
        "verify_url": "https://v/1", "paid_at": "2026-10-20T12:00:00Z" });
    assert_eq!(day.sale_reports("v", NOON, "cashout.paid", paid), "applied");
    let order = day.order("v", NOON);
    assert_eq!(order["state"], "COMPLETED");
    for (field, value) in [
        ("pix_e2e", e2e.as_str()),
        ("pix_paid_at", NOON),
        ("receipt_url", "https://r/1"),
        ("receipt_pdf_url", "https://r/1.pdf"),
        ("verify_url", "https://v/1"),
    ] {
        assert_eq!(order[field], value, "COUT-28 {field}");
    }
    assert_eq!(
        day.new_events(),
        [
            "cashout.awaiting_deposit",
            "cashout.deposit_detected",
            "cashout.processing",
            "cashout.completed",
        ]
    );
    let asked = day.instructions().last().unwrap();
    assert_eq!(
        (&asked["instruction"], &asked["amount_cents"]),
        (&json!("pix.send"), &json!(10_000))
    );
}

#[test]
fn the_exchange_route_sells_forwards_and_pays_out() {
    // A10: all the states that fast sales skip; rulings 31.
    let mut day = Day::selling(NOON, STANDARD);
    let pair = ("usdt", "tron");
    let mut body = to_mail("100.00");
    body["refund_address"] = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8".into();
    assert_eq!(day.sell("v", NOON, pair, body).body["path"], "CONVERT");
    day.accept("v", NOON);
    day.deposited_of("v", NOON, pair, "19.444445");
    assert_eq!(day.state("v", NOON), "DEPOSIT_CONFIRMED");
    assert_eq!(day.sale_reports("v", NOON, "cashout.delayed", json!({})), "applied");
    assert_eq!(day.state("v", NOON), "DELAYED");
    assert_eq!(day.sale_reports("v", NOON, "cashout.resumed", json!({})), "applied");
    assert_eq!(day.sale_reports("v", NOON, "sale.started", json!({})), "applied");
    assert_eq!(day.state("v", NOON), "SELLING");
    assert_eq!((day.coins("usdt", "exch"), day.coins("usdt", "treas")), (-19_444_445, 0));
    assert_eq!(
        day.sale_reports("v", NOON, "sale.filled", json!({ "amount_cents": 10_480 })),
        "applied"
    );
    assert_eq!(day.state("v", NOON), "SOLD");
    assert_eq!(day.sale_reports("v", NOON, "sale.forwarding", json!({})), "applied");
    assert_eq!(day.state("v", NOON), "FORWARDING");
    assert_eq!(day.money(Control::Exchange), 10_480);
    assert_eq!(
        day.sale_reports("v", NOON, "sale.forwarded", json!({ "amount_cents": 10_470 })),
        "applied"
    );
    assert_eq!(day.state("v", NOON), "PAYING_OUT");
    assert_eq!((day.money(Control::Exchange), day.money(Control::ProviderPay)), (0, 10_470));
    assert_eq!(day.sale_paid("v", NOON), "applied");
    assert_eq!(day.state("v", NOON), "COMPLETED");
    assert_eq!(day.money(Control::ProviderPay), 470);
    // What the exchange took and what the price moved stays in the pair.
    assert_eq!((day.money(Control::Fx), day.coins("usdt", "fx")), (-30, 0));
}

#[test]
fn the_swap_route_sells_into_the_own_stock_and_pays_out() {
    // A9; rulings 31 without forwarding.
    let mut day = Day::selling(NOON, STANDARD);
    let pair = ("usdt", "arbitrum");
    day.sell("v", NOON, pair, to_mail("100.00"));
    day.accept("v", NOON);
    day.deposited_of("v", NOON, pair, "19.444445");
    let early = day.sale_reports("v", NOON, "payment.started", json!({}));
    assert_eq!(early, "set_aside", "nothing was sold yet");
    let got = json!({ "asset": "usdc", "network": "polygon", "amount": "19.4" });
    assert_eq!(day.sale_reports("v", NOON, "sale.filled", got), "applied", "implies that it began");
    assert_eq!(day.state("v", NOON), "SOLD");
    assert_eq!(day.coins("usdc", "treas"), -19_400_000);
    assert_eq!(day.sale_reports("v", NOON, "payment.started", json!({})), "applied");
    assert_eq!(day.state("v", NOON), "PAYING_OUT");
    assert_eq!(day.sale_paid("v", NOON), "applied");
    assert_eq!(day.coins("usdt", "exch"), 0);
}

#[test]
fn a_sale_of_depix_carries_no_reserve_and_pays_one_real_for_one() {
    // COUT-48, FEE-22, COUT-76, COUT-84.
    let mut day = Day::selling(NOON, "{}");
    let pair = ("depix", "liquid");
    let answer = day.sell("v", NOON, pair, of_depix("100.00"));
    assert_eq!(answer.status, 200, "{}", answer.body);
    // The smallest that leaves 100.00 after 1.5 % of itself and R$ 1.00 (rulings 47).
    assert_eq!(
        (&answer.body["amount"], &answer.body["path"]),
        (&json!("102.53000000"), &json!("depix_liquid"))
    );
    for reserve in ["reserve_brl", "pix_key_reserve_usd", "copia_e_cola_buffer_usd"] {
        assert_eq!(answer.body[reserve], Value::Null);
    }
    day.accept("v", NOON);
    day.deposited_of("v", NOON, pair, "102.53");
    assert_eq!(day.state("v", NOON), "PROCESSING");
    assert_eq!(day.sale_reports("v", NOON, "cashout.token_sent", json!({})), "applied");
    assert_eq!(day.coins("depix", "recv.prov"), -10_253_000_000);
    assert_eq!(day.sale_paid("v", NOON), "applied");
    assert_eq!(day.coins("depix", "recv.prov"), 0);
    assert_eq!((day.money(Control::ProviderPay), day.money(Control::SaleIncome)), (253, 253));
}

#[test]
fn what_was_deposited_is_what_is_paid() {
    // COUT-42, P:DepositVariance: short and over, at the quoted price.
    for (amount, net) in [("10.000000", "51.97"), ("30.000000", "157.85")] {
        let mut day = Day::selling(NOON, r#"{"cashout_fee_bps":200,"cashout_fee_fixed_cents":0}"#);
        day.sold("v", NOON, "100.00");
        day.accept("v", NOON);
        day.deposited("v", NOON, amount);
        let order = day.order("v", NOON);
        assert_eq!(
            (&order["state"], &order["brl_amount"], &order["brl_paid"]),
            (&json!("PROCESSING"), &json!(net), &Value::Null),
            "{amount}"
        );
    }
}

#[test]
fn two_deposits_before_the_payment_are_one_and_a_third_is_a_receipt() {
    // P:MultipleDeposits, rulings 32.
    let mut day = Day::selling(NOON, STANDARD);
    day.sold("v", NOON, "100.00");
    day.accept("v", NOON);
    let pair = ("usdt", "polygon");
    for hash in ["0xa", "0xb"] {
        assert_eq!(
            day.sale_reports("v", NOON, "deposit.seen", arrival(hash, pair, "10")),
            "applied"
        );
    }
    assert_eq!(
        day.sale_reports("v", NOON, "deposit.confirmed", json!({ "tx_hash": "0xa" })),
        "applied"
    );
    assert_eq!(day.state("v", NOON), "DEPOSIT_DETECTED", "the other is not confirmed");
    assert_eq!(
        day.sale_reports("v", NOON, "deposit.confirmed", json!({ "tx_hash": "0xb" })),
        "applied"
    );
    assert_eq!(day.order("v", NOON)["amount_received"], "20.000000");
    assert_eq!(day.sale_reports("v", NOON, "deposit.seen", arrival("0xc", pair, "3")), "set_aside");
    assert_eq!(day.coins("usdt", "susp.crypto"), 3_000_000);
    assert_eq!(
        day.sale_reports("v", NOON, "deposit.confirmed", json!({ "tx_hash": "0xc" })),
        "applied"
    );
    assert_eq!((day.coins("usdt", "susp.crypto"), day.coins("usdt", "refund")), (0, 3_000_000));
    let asked = day.instructions().last().unwrap().clone();
    assert_eq!(
        (&asked["instruction"], &asked["refund_address"]),
        (&json!("crypto.refund"), &json!(WALLET))
    );
    let unmatched = asked["receipt_id"].clone();
    let body = json!({ "id": "r-1", "receipt_id": unmatched, "tx_hash": "0xr" });
    assert_eq!(day.report(NOON, "refund.sent", &body), "applied");
    assert_eq!(day.coins("usdt", "refund"), 0);
}

#[test]
fn an_order_repeats_its_answer_and_refuses_another_body_under_its_id() {
    // COUT-16, COUT-17, IDEM-04, IDEM-11.
    let mut day = Day::selling(NOON, STANDARD);
    day.sold("v", NOON, "100.00");
    let first = day.order("v", NOON);
    let mut same = to_mail("100.0");
    same["pix_key"] = "Ana@Exemplo.com.br".into();
    let again = day.sell("v", NOON, ("usdt", "polygon"), same);
    assert_eq!((again.status, &again.body["cashout_id"]), (200, &first["cashout_id"]));
    for (field, body, pair) in [
        ("network", to_mail("100.00"), ("usdt", "arbitrum")),
        ("asset", to_mail("100.00"), ("usdc", "polygon")),
        ("brl_amount", to_mail("100.01"), ("usdt", "polygon")),
        (
            "pix_key",
            json!({ "brl_amount": "100.00", "pix_key": "bia@exemplo.com.br",
            "refund_address": WALLET }),
            ("usdt", "polygon"),
        ),
        (
            "refund_address",
            json!({ "brl_amount": "100.00", "pix_key": "ana@exemplo.com.br" }),
            ("usdt", "polygon"),
        ),
    ] {
        let answer = day.sell("v", NOON, pair, body);
        assert_eq!((answer.status, &answer.body["erro"]), (409, &json!("external_id_divergente")));
        assert_eq!(answer.body["campos_divergentes"], json!([field]));
    }
    let listed = day.get(NOON, "/cash-outs?external_id=v");
    assert_eq!(listed["cash_outs"][0]["cashout_id"], first["cashout_id"], "COUT-71");
}

#[test]
fn a_silent_settler_is_asked_again_for_the_same_order() {
    // COUT-69, ERR-17, P:AcceptIdempotent.
    let mut day = Day::selling(NOON, STANDARD);
    day.sold("v", NOON, "100.00");
    let request = "POST /cash-outs/$v.cashout_id/accept";
    let line = json!({ "at": NOON, "key": KEY, "request": request, "supplied": {} });
    let silent = day.line(&line.to_string());
    assert_eq!((silent.status, &silent.body["erro"]), (503, &json!("liquidante_indisponivel")));
    assert_eq!(
        (&silent.body["acao"], &silent.body["retry_after_seconds"]),
        (&json!("esperar"), &json!(120))
    );
    assert_eq!(day.state("v", NOON), "QUOTE_CREATED");
    assert_eq!(day.accept("v", NOON).status, 200);
    let first = day.order("v", NOON);
    assert_eq!(
        day.accept("v", "2026-10-20T12:01:00Z").body["deposit_address"],
        first["deposit_address"]
    );
}

#[test]
fn a_quote_expires_at_its_deadline_and_frees_the_recipient() {
    // COUT-45, COUT-70, COUT-85, P:RecipientDayCount.
    let mut day = Day::selling(NOON, VOLUME);
    day.sold("v", NOON, "100000.00");
    day.accept("v", NOON);
    day.sold_none("w");
    let end = "2026-10-20T12:15:00Z";
    assert_eq!(day.state("v", "2026-10-20T12:14:59.999999Z"), "AWAITING_DEPOSIT");
    assert_eq!(day.state("v", end), "EXPIRED");
    day.prices(end);
    day.sold("x", end, "100000.00");
    let late = "2026-10-20T12:30:00Z";
    let refused = day.accept("x", late);
    assert_eq!((refused.status, &refused.body["erro"]), (409, &json!("cotacao_expirada")));
    assert!(day.new_events().contains(&"cashout.expired".to_owned()));
}

impl Day {
    fn sold_none(&mut self, id: &str) {
        let full = self.sell(id, NOON, ("usdt", "polygon"), to_mail("6.00"));
        assert_eq!(full.status, 429);
    }
}

#[test]
fn a_code_paid_too_much_pays_itself_exactly_and_the_rest_goes_back() {
    // COUT-23, FEE-23, rulings 32.
    let mut day = Day::selling(NOON, VOLUME);
    let code = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***630436D9";
    let body = json!({ "br_code": code, "refund_address": WALLET });
    let amount = day.sell("v", NOON, ("usdt", "polygon"), body).body["amount"].clone();
    assert_eq!(amount, "2.042593", "10.00 and 0.03 and 1.00 at 5.40");
    day.accept("v", NOON);
    day.deposited("v", NOON, "3");
    assert_eq!(day.order("v", NOON)["brl_amount"], "10.00");
    assert_eq!(day.coins("usdt", "refund"), 957_407, "a receipt of its own");
    let mut short = Day::selling(NOON, VOLUME);
    let body = json!({ "br_code": code, "refund_address": WALLET });
    short.sell("v", NOON, ("usdt", "polygon"), body);
    short.accept("v", NOON);
    short.deposited("v", NOON, "2.042592");
    assert_eq!(short.state("v", NOON), "MANUAL_REVIEW");
}

#[test]
fn an_order_shows_every_field_of_the_contract() {
    // COUT-01 to COUT-05, COUT-12 to COUT-14, COUT-19, COUT-21, COUT-22, COUT-25 to COUT-29.
    let mut day = Day::selling(NOON, STANDARD);
    day.sold("v", NOON, "100.00");
    let order = day.order("v", NOON);
    for field in [
        "cashout_id",
        "state",
        "path",
        "asset",
        "network",
        "amount",
        "brl_amount",
        "pix_key",
        "deposit_address",
        "deposit_tag",
        "external_id",
        "refund_address",
        "refund_tx_hash",
        "deposit_from",
        "br_code",
        "merchant_name",
        "copia_e_cola_buffer_usd",
        "reserve_brl",
        "pix_key_reserve_usd",
        "payee_tax_number",
        "pix_e2e",
        "pix_paid_at",
        "receipt_url",
        "receipt_pdf_url",
        "verify_url",
        "confirmations_required",
        "expires_at",
        "created_at",
    ] {
        assert!(fields(&order).contains(&field), "{field}");
    }
    let catalog = day.get(NOON, "/catalog");
    let usdt = &catalog["assets"][2];
    assert_eq!(usdt["asset"], "usdt", "{catalog}");
    let solana = usdt["networks"].as_array().unwrap().iter().find(|n| n["network"] == "solana");
    assert_eq!(solana.unwrap()["available"], false);
}

#[test]
fn a_fee_of_its_own_for_depix_is_what_its_sales_cost_from_then_on() {
    let mut day = Day::selling(NOON, STANDARD);
    let costs = |day: &mut Day, id: &str| {
        let quoted = day.sell(id, NOON, ("depix", "liquid"), of_depix("100.00"));
        assert_eq!(quoted.status, 200, "{}", quoted.body);
        quoted.body["amount"].as_str().unwrap().to_owned()
    };
    assert_eq!(costs(&mut day, "v"), "102.53000000", "1.5 % and R$ 1.00");
    assert_eq!(day.agree(NOON, json!({ "depix_fee_bps": 200 })), "applied");
    assert_eq!(costs(&mut day, "w"), "103.06000000", "2 % and R$ 1.00");
}

#[test]
fn cout_45_a_quote_that_nobody_accepted_expires_as_one_that_waits_for_its_deposit() {
    let mut day = Day::selling(NOON, VOLUME);
    day.sold("quoted", NOON, "100.00");
    day.sold("late", NOON, "100.00");
    day.sold("waiting", NOON, "100.00");
    assert_eq!(day.accept("waiting", NOON).status, 200);
    day.new_events();
    let (last, end) = ("2026-10-20T12:14:59.999999Z", "2026-10-20T12:15:00Z");
    let states = |day: &mut Day, at: &str| ["quoted", "waiting"].map(|id| day.state(id, at));
    assert_eq!(states(&mut day, last), ["QUOTE_CREATED", "AWAITING_DEPOSIT"]);
    assert_eq!(day.new_events(), [""; 0]);
    let refused = day.accept("late", end);
    assert_eq!((refused.status, &refused.body["erro"]), (409, &json!("cotacao_expirada")));
    assert_eq!(refused.body["acao"], "corrigir");
    assert_eq!(day.state("late", end), "EXPIRED", "COUT-70");
    assert_eq!(states(&mut day, end), ["EXPIRED", "EXPIRED"]);
    assert_eq!(day.new_events(), ["cashout.expired"; 3]);
    assert_eq!(day.order("quoted", end)["deposit_address"], Value::Null, "COUT-12");
}

#[test]
fn cout_61_a_deposit_that_pays_less_than_six_reais_waits_for_a_person() {
    // At 5.40, 2 % and R$ 2.00, and the reserve: 9.12 leave 6.00, and 1.688889 are 9.12.
    for (amount, state) in [
        ("1.688889", "PROCESSING"),
        ("1.687", "MANUAL_REVIEW"),
        ("0.555556", "MANUAL_REVIEW"),
        ("0.000001", "MANUAL_REVIEW"),
    ] {
        let mut day = Day::selling(NOON, STANDARD);
        day.sold("v", NOON, "100.00");
        assert_eq!(day.accept("v", NOON).status, 200);
        day.deposited("v", NOON, amount);
        assert_eq!(day.state("v", NOON), state, "{amount}");
        let sent = day.instructions().iter().filter(|it| it["instruction"] == "pix.send").count();
        assert_eq!(sent, usize::from(state == "PROCESSING"), "{amount}");
    }
}
