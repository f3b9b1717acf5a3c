//! What sales are refused for, by which code, and in which order.

use serde_json::{Value, json};

use crate::day::Day;
use crate::selling::{STANDARD, merge, of_depix, selling_depix, to_mail};

const NOON: &str = "2026-10-20T12:00:00Z";

fn with(more: Value) -> Value {
    let mut body = to_mail("100.00");
    merge(&mut body, more);
    body
}

impl Day {
    fn refuses(&mut self, body: Value, status: u16, code: &str) {
        self.refuses_of(("usdt", "polygon"), body, status, code);
    }

    fn refuses_of(&mut self, (asset, network): (&str, &str), body: Value, status: u16, code: &str) {
        let mut whole = json!({ "asset": asset, "network": network });
        merge(&mut whole, body.clone());
        let before = self.digest();
        let answer = self.ask(NOON, "POST /cash-outs", &whole);
        let erro =
            answer.body["erro"].as_str().unwrap_or_else(|| panic!("{body}: {}", answer.body));
        assert_eq!((answer.status, erro), (status, code), "{body}: {}", answer.body);
        let preview = self.ask(NOON, "POST /cash-outs/preview", &whole);
        assert_eq!(preview.body["erro"], code, "the preview says the same");
        assert_eq!(self.digest(), before, "INV-06: {body}");
    }
}

#[test]
fn each_mistake_has_its_code() {
    // COUT-04, COUT-06, COUT-10, COUT-11, COUT-23, COUT-24, COUT-27, COUT-31, COUT-66.
    let mut day = Day::selling(NOON, STANDARD);
    day.refuses(with(json!({ "amount": "1" })), 400, "campos_conflitantes");
    day.refuses(with(json!({ "brl_amount": null })), 400, "campos_obrigatorios");
    day.refuses(with(json!({ "br_code": "000201" })), 400, "campos_conflitantes");
    day.refuses(json!({ "br_code": "000201" }), 400, "br_code_invalido");
    day.refuses(with(json!({ "brl_amount": "1,00" })), 400, "brl_amount_invalido");
    day.refuses(with(json!({ "brl_amount": "100.001" })), 400, "brl_amount_invalido");
    day.refuses(with(json!({ "brl_amount": null, "amount": "1e2" })), 400, "amount_invalido");
    day.refuses(with(json!({ "pix_key": null })), 400, "pix_key_obrigatoria");
    day.refuses(with(json!({ "pix_key": "52998224725" })), 400, "tipo_ambiguo");
    day.refuses(with(json!({ "pix_key": "nobody" })), 400, "pix_key_invalida");
    day.refuses(with(json!({ "refund_address": "not-a-wallet" })), 400, "refund_address_invalida");
    day.refuses_of(("btc", "polygon"), to_mail("100.00"), 400, "asset_invalido");
    day.refuses_of(("usdt", "bsc"), to_mail("100.00"), 400, "asset_invalido");
    day.refuses_of(
        ("usdt", "solana"),
        json!({ "brl_amount": "100.00",
        "pix_key": "ana@exemplo.com.br" }),
        400,
        "rede_indisponivel",
    );
    let mut keyed = of_depix("100.00");
    keyed["payee_tax_number"] = Value::Null;
    day.refuses_of(("depix", "liquid"), keyed, 400, "tax_number_obrigatorio");
    let own = json!({ "brl_amount": "100.00", "pix_key": "52998224725", "pix_key_type": "cpf" });
    let answer = day.sell("d", NOON, ("depix", "liquid"), own);
    assert_eq!(answer.status, 200, "a key that is a document needs no other: {}", answer.body);
    let open = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";
    day.refuses(json!({ "br_code": open }), 400, "br_code_sem_valor");
}

#[test]
fn limits_come_in_the_orders_own_asset() {
    // COUT-30, COUT-78, COUT-82 to COUT-84, ERR-09.
    let mut day = Day::selling(NOON, STANDARD);
    let tron = |amount: &str| json!({ "amount": amount, "pix_key": "ana@exemplo.com.br" });
    day.refuses_of(("usdt", "tron"), tron("5.999999"), 400, "valor_abaixo_do_minimo");
    day.refuses_of(("usdt", "tron"), tron("200000.000001"), 400, "valor_acima_do_maximo");
    let mut six = tron("6");
    six["asset"] = "usdt".into();
    six["network"] = "tron".into();
    assert_eq!(day.ask(NOON, "POST /cash-outs/preview", &six).status, 200);
    day.refuses_of(("depix", "liquid"), selling_depix("1.01"), 400, "valor_abaixo_do_minimo");
    day.refuses_of(("depix", "liquid"), selling_depix("6000.01"), 400, "valor_acima_do_maximo");
    let mut least = selling_depix("1.02");
    least["asset"] = "depix".into();
    least["network"] = "liquid".into();
    assert_eq!(day.ask(NOON, "POST /cash-outs/preview", &least).status, 200);
}

#[test]
fn switches_and_prices_that_are_missing_have_their_codes() {
    // COUT-77, rulings 40.
    let mut day = Day::selling(NOON, STANDARD);
    day.adopt(NOON, json!({ "br_codes_paused": true }));
    let code = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***630436D9";
    day.refuses(json!({ "br_code": code }), 503, "br_code_indisponivel");
    day.sold("v", NOON, "100.00");
    day.adopt(NOON, json!({ "cashouts_paused": true }));
    day.refuses(to_mail("100.00"), 503, "cashout_indisponivel");
    let again = day.sell("v", NOON, ("usdt", "polygon"), to_mail("100.00"));
    assert_eq!(again.status, 200, "what was quoted before answers still (rulings 7)");
    assert_eq!(day.accept("v", NOON).status, 503);
    let old = "2026-10-20T12:15:01Z";
    day.adopt(old, json!({ "cashouts_paused": false }));
    let mut body = to_mail("100.00");
    merge(&mut body, json!({ "asset": "usdt", "network": "polygon" }));
    let answer = day.ask(old, "POST /cash-outs", &body);
    assert_eq!(answer.body["erro"], "cotacao_indisponivel", "the price is too old");
}

#[test]
fn an_order_of_another_account_or_ledger_is_not_found() {
    let mut day = Day::selling(NOON, STANDARD);
    for target in ["/cash-outs/co_000000000001", "/cash-outs/nothing"] {
        let line =
            json!({ "at": NOON, "key": crate::day::KEY, "request": format!("GET {target}") });
        assert_eq!(day.line(&line.to_string()).status, 404);
    }
}

#[test]
fn cout_09_a_type_of_key_is_one_of_five_words() {
    let mut day = Day::selling(NOON, STANDARD);
    let keys = [
        ("cpf", "52998224725"),
        ("cnpj", "11222333000181"),
        ("phone", "11987654321"),
        ("email", "ana@exemplo.com.br"),
        ("random", "123e4567-e12b-12d1-a456-426655440000"),
    ];
    for (kind, key) in keys {
        let id = format!("v-{kind}");
        let body = with(json!({ "pix_key": key, "pix_key_type": kind }));
        let made = day.sell(&id, NOON, ("usdt", "polygon"), body);
        assert_eq!((made.status, &made.body["pix_key_type"]), (200, &json!(kind)), "{key}");
        for other in keys.map(|(other, _)| other).into_iter().filter(|other| *other != kind) {
            // Eleven digits may be a CPF or a phone: which of them, the type alone says.
            if (kind, other) == ("cpf", "phone") {
                continue;
            }
            let body = with(json!({ "pix_key": key, "pix_key_type": other }));
            day.refuses(body, 400, "pix_key_invalida");
        }
    }
    for strange in ["evp", "EMAIL", "Email", "cpf ", "telefone", "aleatoria", ""] {
        day.refuses(with(json!({ "pix_key_type": strange })), 400, "formato_invalido");
    }
}

#[test]
fn cout_04_an_assets_id_is_the_catalogues_own_to_the_letter() {
    let mut day = Day::selling(NOON, STANDARD);
    let pairs =
        [("USDT", "polygon"), ("Usdt", "polygon"), ("usdt", "Polygon"), ("usdt ", "polygon")];
    for pair in pairs {
        day.refuses_of(pair, to_mail("100.00"), 400, "asset_invalido");
    }
    // Each half of the pair is there, the pair is not.
    day.refuses_of(("depix", "polygon"), to_mail("100.00"), 400, "asset_invalido");
    day.refuses_of(("usdc", "tron"), to_mail("100.00"), 400, "asset_invalido");
}

#[test]
fn cout_16_another_type_of_key_another_amount_or_another_code_is_another_order() {
    // Eleven digits that are a CPF and a mobile phone.
    let key = |kind: &str, amount: &str| {
        json!({
            "amount": amount, "pix_key": "11987654374", "pix_key_type": kind,
            "refund_address": crate::market::WALLET,
        })
    };
    let pair = ("usdt", "polygon");
    let mut day = Day::selling(NOON, STANDARD);
    let first = day.sell("v", NOON, pair, key("cpf", "20"));
    assert_eq!(first.status, 200, "{}", first.body);
    let before = day.digest();
    let again = day.sell("v", NOON, pair, key("cpf", "20.000000"));
    assert_eq!((again.status, &again.body), (200, &first.body), "the same amount");
    let code = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***630436D9";
    for (body, differs) in [
        (key("phone", "20"), json!("pix_key")),
        (key("cpf", "20.000001"), json!("amount")),
        (with(json!({ "pix_key": "11987654374", "pix_key_type": "cpf" })), json!("brl_amount")),
        (json!({ "br_code": code }), Value::Null),
    ] {
        let other = day.sell("v", NOON, pair, body.clone());
        assert_eq!((other.status, &other.body["erro"]), (409, &json!("external_id_divergente")));
        if !differs.is_null() {
            let named = other.body["campos_divergentes"].as_array().unwrap();
            assert!(named.contains(&differs), "{body}: {named:?}");
        }
    }
    assert_eq!(day.digest(), before);
}

#[test]
fn cout_19_a_return_wallet_is_of_the_network_that_is_sold_on() {
    let mut day = Day::selling(NOON, STANDARD);
    let wallets = [
        ("polygon", crate::market::WALLET),
        ("tron", crate::market::TRON),
        ("liquid", crate::market::LIQUID),
    ];
    for (network, _) in wallets {
        for (other, wallet) in wallets {
            let (asset, mut body) = match network {
                "liquid" => ("depix", of_depix("100.00")),
                _ => ("usdt", with(json!({}))),
            };
            body["refund_address"] = wallet.into();
            let pair = (asset, network);
            if network == other {
                let order = day.sell(&format!("v-{network}"), NOON, pair, body).body;
                assert_eq!(order["refund_address"], wallet, "{order}");
                assert_eq!(order["refund_tx_hash"], Value::Null, "COUT-21: nothing was refunded");
            } else {
                day.refuses_of(pair, body, 400, "refund_address_invalida");
            }
        }
    }
}

#[test]
fn cout_30_the_limits_of_a_refusal_are_the_amounts_that_just_pass() {
    let mut day = Day::selling(NOON, STANDARD);
    // Where reais bound, a centavo is 1,852 millionths at 5.40.
    for ((asset, network), scale, [less, more], low, high) in [
        (("usdt", "polygon"), 6, [2_000, 2_000], "0.5", "60000"),
        (("usdt", "tron"), 6, [1, 2_000], "5.999999", "200000.000001"),
        (("depix", "liquid"), 8, [1_000_000; 2], "1.01", "6000.01"),
    ] {
        let ask = |day: &mut Day, amount: &str| {
            let mut body = selling_depix(amount);
            merge(&mut body, json!({ "asset": asset, "network": network }));
            day.ask(NOON, "POST /cash-outs/preview", &body)
        };
        let unit = |text: &str, more: i128| {
            let units: i128 = text.replace('.', "").parse().unwrap();
            let one = 10_i128.pow(scale);
            let width = usize::try_from(scale).unwrap();
            format!("{}.{:0width$}", (units + more) / one, (units + more) % one)
        };
        for (amount, field, beyond) in [(low, "min_amount", -less), (high, "max_amount", more)] {
            let refused = ask(&mut day, amount);
            assert_eq!(refused.status / 100, 4, "{network} {amount}: {}", refused.body);
            let limits = &refused.body["limits"];
            let names =
                ["min_amount", "max_amount", "max_brl_cents", "max_brl_cents_por_transacao"];
            assert_eq!(crate::day::fields(limits), names, "{network}");
            let bound = limits[field].as_str().unwrap();
            let passes = ask(&mut day, bound);
            assert_eq!(passes.status, 200, "{network} {field} {bound}: {}", passes.body);
            let past = ask(&mut day, &unit(bound, beyond));
            assert_eq!(past.status / 100, 4, "{network} {field} {bound}: {}", past.body);
        }
    }
}

#[test]
fn gen_05_reais_are_a_decimal_string_above_zero_and_lose_nothing() {
    let mut day = Day::selling(NOON, STANDARD);
    let wrong = [
        json!("1e2"),
        json!("+100"),
        json!(" 100"),
        json!("100,00"),
        json!("100.001"),
        json!("100 reais"),
        json!("0"),
        json!("0.00"),
        json!("-100"),
    ];
    for amount in wrong {
        day.refuses(with(json!({ "brl_amount": amount })), 400, "brl_amount_invalido");
    }
    for no_text in [json!(100), json!(100.5), json!(true), json!("")] {
        day.refuses(with(json!({ "brl_amount": no_text })), 400, "formato_invalido");
    }
    for (asked, shown) in
        [("100", "100.00"), ("100.0", "100.00"), ("100.01", "100.01"), ("99999.99", "99999.99")]
    {
        let answer =
            day.sell(&format!("v{}", asked.len()), NOON, ("usdt", "polygon"), to_mail(asked));
        assert_eq!((answer.status, &answer.body["brl_amount"]), (200, &json!(shown)), "{asked}");
    }
}

/// A code of FULANO DE TAL for this much, with its checksum.
fn code_for(amount: &str, sum: &str) -> String {
    format!(
        "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
         5204000053039865{amount}5802BR5913Fulano de Tal6008BRASILIA62070503***6304{sum}"
    )
}

#[test]
fn a_code_of_zero_reais_names_no_amount_and_one_with_a_dot_alone_is_whole_reais() {
    let mut day = Day::selling(NOON, STANDARD);
    let mut previews = |code: String| {
        let body = json!({ "asset": "usdt", "network": "polygon", "br_code": code });
        let answer = day.ask(NOON, "POST /cash-outs/preview", &body);
        let text = |field: &str| answer.body[field].as_str().unwrap_or_default().to_owned();
        (answer.status, text("erro"), text("brl_amount"))
    };
    let open = (400, "br_code_sem_valor".to_owned(), String::new());
    assert_eq!(previews(code_for("4040.00", "2451")), open);
    assert_eq!(previews(code_for("4010", "9169")), open);
    assert_eq!(previews(code_for("40310.", "34E4")), (200, String::new(), "10.00".to_owned()));
}

#[test]
fn blanks_pasted_around_a_code_are_no_part_of_it() {
    let code = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***630436D9";
    let mut day = Day::selling(NOON, STANDARD);
    for around in [(" ", ""), ("", "\n"), ("\r\n\t", "  \r\n"), ("", &*" ".repeat(600))] {
        let pasted = format!("{}{code}{}", around.0, around.1);
        let body = json!({ "asset": "usdt", "network": "polygon", "br_code": pasted });
        let preview = day.ask(NOON, "POST /cash-outs/preview", &body);
        assert_eq!((preview.status, &preview.body["br_code"]), (200, &json!(code)), "{around:?}");
        // Under one id it is one order, however it was pasted.
        let order = day.sell("p", NOON, ("usdt", "polygon"), json!({ "br_code": pasted }));
        assert_eq!((order.status, &order.body["br_code"]), (200, &json!(code)), "{around:?}");
    }
    for empty in ["", " ", "\n"] {
        let body = json!({ "asset": "usdt", "network": "polygon", "br_code": empty });
        let answer = day.ask(NOON, "POST /cash-outs", &body);
        assert_eq!(answer.status, 400, "{empty:?} {}", answer.body);
    }
}
