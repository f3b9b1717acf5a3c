//! The worked examples of sales (Part C): what is asked, what is kept, what goes back.

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::Day;
use crate::market::WALLET;
use crate::selling::{STANDARD, VOLUME, arrival, to_mail};

const NOON: &str = "2026-10-20T12:00:00Z";
const QR: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000520400005303986540589.905802BR5913FULANO DE TAL6008BRASILIA62070503***6304";

/// `amount`, `reserve_brl`, `pix_key_reserve_usd` of what a preview says.
fn previewed(day: &mut Day, body: &Value) -> Value {
    let answer = day.ask(NOON, "POST /cash-outs/preview", body);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body.into()
}

fn polygon(reais: &str) -> Value {
    let mut body = to_mail(reais);
    body["asset"] = "usdt".into();
    body["network"] = "polygon".into();
    body
}

/// The checksum of a code that ends before it.
fn checked(code: &str) -> String {
    let crc = code.bytes().fold(0xFFFF_u16, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(byte) << 8), |crc, _| {
            if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 }
        })
    });
    format!("{code}{crc:04X}")
}

#[test]
fn w44_a_sale_of_r_100_at_2_percent_and_2_reais_costs_19_444445_usdt() {
    let mut day = Day::selling(NOON, STANDARD);
    let quote = previewed(&mut day, &polygon("100.00"));
    assert_eq!(quote["amount"], "19.444445");
    assert_eq!(quote["pix_key"], "a***@exemplo.com.br", "masked, and kept nowhere");
    assert_eq!(
        (&quote["reserve_brl"], &quote["pix_key_reserve_usd"]),
        (&json!("1.00"), &json!("0.185186"))
    );
    assert_eq!(quote["copia_e_cola_buffer_usd"], Value::Null, "INV-20: exactly one of the two");
    day.selling_now("v", NOON, "100.00");
    assert_eq!(day.state("v", NOON), "PROCESSING");
    assert_eq!((day.coins("usdt", "dep"), day.coins("usdt", "fx")), (0, 19_444_445));
    assert_eq!((day.money(Control::SaleInFlight), day.money(Control::Fx)), (10_500, -10_500));
    assert_eq!(day.sale_paid("v", NOON), "applied");
    assert_eq!(day.money(Control::SaleInFlight), 0);
    assert_eq!(day.money(Control::ProviderPay), -10_000);
    assert_eq!(day.money(Control::SaleIncome), 400);
    assert_eq!(day.money(Control::ReserveIncome), 100);
    assert_eq!(day.sale_paid("v", NOON), "set_aside", "a second PIX left without a reason");
}

#[test]
fn w45_a_sale_at_35_bps_costs_18_768519_and_with_a_partner_18_861112() {
    let mut day = Day::selling(NOON, VOLUME);
    assert_eq!(previewed(&mut day, &polygon("100.00"))["amount"], "18.768519");
    let mut day = Day::selling(
        NOON,
        r#"{"cashout_fee_bps":35,"cashout_fee_fixed_cents":0,"partner_cashout_fee_bps":50}"#,
    );
    assert_eq!(previewed(&mut day, &polygon("100.00"))["amount"], "18.861112");
    day.selling_now("v", NOON, "100.00");
    day.sale_paid("v", NOON);
    assert_eq!((day.money(Control::SaleIncome), day.money(Control::Commission)), (35, 50));
}

#[test]
fn w47_a_copia_e_cola_of_r_89_90_pays_it_to_the_centavo() {
    let mut day = Day::selling(NOON, VOLUME);
    let body = json!({ "br_code": checked(QR) });
    let answer = day.sell("v", NOON, ("usdt", "polygon"), body);
    assert_eq!(answer.status, 200, "{}", answer.body);
    let order = answer.body;
    assert_eq!((&order["amount"], &order["brl_amount"]), (&json!("16.890741"), &json!("89.90")));
    assert_eq!(order["copia_e_cola_buffer_usd"], "0.185186");
    assert_eq!(order["pix_key_reserve_usd"], Value::Null);
    assert_eq!(order["merchant_name"], "FULANO DE TAL");
    day.accept("v", NOON);
    day.deposited("v", NOON, "16.890741");
    day.sale_paid("v", NOON);
    assert_eq!(day.money(Control::ProviderPay), -8_990);
}

#[test]
fn w49_the_least_of_an_asset_is_what_six_reais_cost() {
    let mut day = Day::selling(NOON, VOLUME);
    let refused = day.ask(NOON, "POST /cash-outs/preview", &polygon("5.99"));
    assert_eq!((refused.status, &refused.body["erro"]), (400, &json!("valor_abaixo_do_minimo")));
    assert_eq!(refused.body["limits"]["min_amount"], "1.300000");
    previewed(&mut day, &polygon("6.00"));
}

#[test]
fn w50_a_recipient_may_have_a_hundred_thousand_a_day() {
    let mut day = Day::selling(NOON, VOLUME);
    let refused = |day: &mut Day, reais: &str| {
        let answer = day.ask(NOON, "POST /cash-outs/preview", &polygon(reais));
        let limits = &answer.body["limits"];
        let now = limits["max_brl_cents"].as_i64().unwrap();
        let ever = limits["max_brl_cents_por_transacao"].as_i64().unwrap();
        (answer.status, answer.body["erro"].as_str().unwrap().to_owned(), now, ever)
    };
    previewed(&mut day, &polygon("100000.00"));
    let ceiling = "limite_diario_recebedor".to_owned();
    assert_eq!(refused(&mut day, "100000.01"), (429, ceiling.clone(), 10_000_000, 25_000_000));
    assert_eq!(refused(&mut day, "250000.01").1, "valor_acima_do_maximo");
    day.sold("v", NOON, "99900.00");
    assert_eq!(day.accept("v", NOON).status, 200);
    previewed(&mut day, &polygon("100.00"));
    assert_eq!(refused(&mut day, "100.01"), (429, ceiling.clone(), 10_000, 25_000_000));
    day.sold("w", NOON, "95.00");
    assert_eq!(day.accept("w", NOON).status, 200);
    assert_eq!(refused(&mut day, "6.00"), (429, ceiling, 500, 25_000_000), "nothing fits");
}

#[test]
fn w51_a_recipients_day_begins_at_three_in_the_morning_utc() {
    let late = "2026-10-20T02:59:59Z";
    let mut day = Day::selling(late, VOLUME);
    day.sold("v", late, "100000.00");
    assert_eq!(day.accept("v", late).status, 200);
    let full = day.sell("w", late, ("usdt", "polygon"), to_mail("6.00"));
    assert_eq!(full.status, 429);
    let free = day.sell("w", "2026-10-20T03:00:00Z", ("usdt", "polygon"), to_mail("100000.00"));
    assert_eq!(free.status, 200, "{}", free.body);
}

/// The last instruction sends so much USDT on Polygon back to the wallet the seller named.
fn refunds_to_the_sellers_wallet(day: &Day, amount: &str) {
    let asked = day.instructions().last().unwrap();
    let names = ["instruction", "asset", "network", "amount", "refund_address"];
    let shown = json!(names.map(|name| asked[name].clone()));
    assert_eq!(shown, json!(["crypto.refund", "usdt", "polygon", amount, WALLET]));
}

#[test]
fn w53_after_45_minutes_of_failures_everything_goes_back() {
    let mut day = Day::selling(NOON, STANDARD);
    day.selling_now("v", NOON, "100.00");
    for minute in (0..45).step_by(5) {
        let at = format!("2026-10-20T12:{minute:02}:00Z");
        assert_eq!(
            day.sale_reports("v", &at, "cashout.send_failed", json!({})),
            "applied",
            "{minute}"
        );
        assert_eq!(day.state("v", &at), "PROCESSING");
    }
    let end = "2026-10-20T12:45:00Z";
    assert_eq!(day.sale_reports("v", end, "cashout.send_failed", json!({})), "applied");
    let order = day.order("v", end);
    assert_eq!(
        (&order["state"], &order["refund_amount"]),
        (&json!("REFUNDING_CRYPTO"), &json!("19.444445"))
    );
    refunds_to_the_sellers_wallet(&day, "19.444445");
    assert_eq!(
        day.sale_reports("v", end, "refund.sent", json!({ "tx_hash": "0xback" })),
        "applied"
    );
    let order = day.order("v", end);
    assert_eq!((&order["state"], &order["refund_tx_hash"]), (&json!("REFUNDED"), &json!("0xback")));
    assert_eq!((day.money(Control::SaleInFlight), day.money(Control::SaleIncome)), (0, 0));
    assert_eq!((day.coins("usdt", "refund"), day.coins("usdt", "treas")), (0, 0));
}

#[test]
fn w54_a_refused_key_gives_back_what_the_provider_gave_back() {
    let mut day = Day::selling(NOON, STANDARD);
    day.selling_now("v", NOON, "100.00");
    let back = json!({ "returned_cents": 9_900 });
    assert_eq!(day.sale_reports("v", NOON, "cashout.key_refused", back), "applied");
    assert_eq!(day.state("v", NOON), "MANUAL_REVIEW");
    assert_eq!(day.money(Control::SaleInFlight), 10_500, "nothing moves yet");
    assert_eq!(day.sale_reports("v", NOON, "refund.decided", json!({})), "applied");
    assert_eq!(day.order("v", NOON)["refund_amount"], "18.333333");
    refunds_to_the_sellers_wallet(&day, "18.333333");
    assert_eq!(day.money(Control::ProviderPay), -100, "what the provider kept");
    assert_eq!(day.money(Control::SaleIncome), 0, "earned when the refund is sent");
    assert_eq!(
        day.sale_reports("v", NOON, "refund.sent", json!({ "tx_hash": "0xback" })),
        "applied"
    );
    assert_eq!(day.state("v", NOON), "REFUNDED");
    assert_eq!(day.order("v", NOON)["refund_tx_hash"], "0xback", "COUT-39");
    assert_eq!((day.money(Control::SaleIncome), day.money(Control::ReserveIncome)), (400, 100));
    assert_eq!(day.money(Control::SaleInFlight), 0);
}

#[test]
fn w55_a_pix_reversed_after_completion_is_bought_anew_and_refunded() {
    let mut day = Day::selling(NOON, STANDARD);
    day.selling_now("v", NOON, "100.00");
    day.sale_paid("v", NOON);
    let id = day.outside_id();
    let back = json!({ "return_id": id, "amount_cents": 10_000 });
    assert_eq!(day.sale_reports("v", NOON, "cashout.pix_reversed", back), "applied");
    let order = day.order("v", NOON);
    assert_eq!(
        (&order["state"], &order["refund_amount"]),
        (&json!("REFUNDING_CRYPTO"), &json!("18.518518"))
    );
    assert_eq!(
        day.sale_reports("v", NOON, "refund.sent", json!({ "tx_hash": "0xback" })),
        "applied"
    );
    assert_eq!(day.state("v", NOON), "REFUNDED");
    assert_eq!((day.money(Control::SaleIncome), day.money(Control::ReserveIncome)), (400, 100));
    assert_eq!(day.money(Control::ProviderPay), 0);
}

#[test]
fn w56_a_refund_of_5_000_usdt_is_automatic_and_a_millionth_more_is_an_operators() {
    for (amount, state) in [("5000.000000", "REFUNDING_CRYPTO"), ("5000.000001", "MANUAL_REVIEW")] {
        let mut day = Day::selling(NOON, VOLUME);
        let mut body = to_mail("0");
        body["brl_amount"] = Value::Null;
        body["amount"] = amount.into();
        assert_eq!(day.sell("v", NOON, ("usdt", "polygon"), body).status, 200);
        day.accept("v", NOON);
        day.deposited("v", NOON, amount);
        assert_eq!(day.sale_reports("v", NOON, "cashout.pix_impossible", json!({})), "applied");
        assert_eq!(day.state("v", NOON), state, "{amount}");
        if state == "MANUAL_REVIEW" {
            assert_eq!(day.sale_reports("v", NOON, "refund.decided", json!({})), "set_aside");
            assert_eq!(day.judge("v", NOON, "refund.decided", json!({})), "applied");
            assert_eq!(day.state("v", NOON), "REFUNDING_CRYPTO");
        }
        assert_eq!(
            day.sale_reports("v", NOON, "refund.sent", json!({ "tx_hash": "0xback" })),
            "applied"
        );
        let order = day.order("v", NOON);
        assert_eq!(
            (&order["state"], &order["refund_tx_hash"]),
            (&json!("REFUNDED"), &json!("0xback"))
        );
    }
}

#[test]
fn w57_a_late_deposit_revives_for_seven_days_and_not_a_microsecond_longer() {
    for (at, state) in [
        ("2026-10-27T12:00:00Z", "DEPOSIT_DETECTED"),
        ("2026-10-27T12:00:00.000001Z", "MANUAL_REVIEW"),
    ] {
        let quoted = "2026-10-20T11:45:00Z";
        let mut day = Day::selling(quoted, VOLUME);
        day.sold("v", quoted, "100.00");
        assert_eq!(day.order("v", quoted)["expires_at"], "2026-10-20T12:00:00Z");
        day.accept("v", quoted);
        let passed = json!({});
        assert_eq!(day.report("2026-10-27T11:59:00Z", "time.passed", &passed), "applied");
        assert_eq!(day.state("v", "2026-10-27T11:59:00Z"), "EXPIRED");
        day.prices("2026-10-27T11:59:00Z");
        let deposit = arrival("0xlate", ("usdt", "polygon"), "18.768519");
        assert_eq!(day.sale_reports("v", at, "deposit.seen", deposit), "applied");
        assert_eq!(day.state("v", at), state, "{at}");
    }
}
