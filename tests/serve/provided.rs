//! Real money by the program alone: every flow of the contract on live keys, by `serve` and
//! `examples/provider.py`; and either of them killed in between.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use super::provider::{Client, Sides};
use super::serving::{Serving, agent, folder, post, report, serve};

const CPF: &str = "52998224725";
const WALLET: &str = "0x52908400098527886e0f7030069857d2e4169ee7";

/// A static code over ten reais.
const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-42661417400052040000530\
                    3986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***630436D9";

fn id(made: &Value, name: &str) -> String {
    made[name].as_str().unwrap_or_else(|| panic!("no {name}: {made}")).to_owned()
}

/// A charge into custody that is paid.
fn collects(client: &Client, external_id: &str, cents: i64) {
    let made = client.post(
        "/cashin/charge",
        &json!({ "amount_cents": cents, "destino": "saldo", "customer_ref": "ana",
            "payer_tax_number": CPF, "external_id": external_id }),
    );
    client.play(&json!({ "qr_copypaste": made["qr_copypaste"] }));
    client.until(&format!("/cashin/{}/status", id(&made, "cashin_id")), "/status", "paid");
}

fn pays_out(client: &Client, external_id: &str, cents: i64) -> String {
    let made = client.post(
        "/payouts",
        &json!({ "customer_ref": "ana", "amount_cents": cents, "pix_key": "ana@exemplo.com.br",
            "tax_number": CPF, "external_id": external_id }),
    );
    id(&made, "payout_id")
}

/// An order that sells what is deposited, in the state that it ends in.
fn sells(client: &Client, order: &Value, ends: &str) {
    let made = client.post("/cash-outs", order);
    let path = format!("/cash-outs/{}", id(&made, "cashout_id"));
    let accepted = client.post(&format!("{path}/accept"), &json!({}));
    let deposit = json!({ "address": accepted["deposit_address"], "amount": made["amount"] });
    client.play(&deposit);
    client.until(&path, "/state", ends);
}

#[test]
fn every_flow_of_real_money_ends_as_it_should_with_a_provider_of_one_file() {
    let sides = Sides::start();
    let client = sides.client();
    // The provider hears whoever knows the secret, and nobody else.
    for path in ["supply", "instructions"] {
        let unsigned = agent().post(client.provider(path)).send_json(json!({})).unwrap();
        assert_eq!(unsigned.status(), 401);
    }
    collects(&client, "deposito-1", 50_000);

    let bought = client.post(
        "/cashin/charge",
        &json!({ "amount_cents": 10_000, "destino": "cripto", "payer_tax_number": CPF,
            "payout_address": WALLET, "external_id": "compra-1" }),
    );
    client.play(&json!({ "qr_copypaste": bought["qr_copypaste"] }));
    let status = format!("/cashin/{}/status", id(&bought, "cashin_id"));
    client.until(&status, "/settlement_status", "sent");

    pays_out(&client, "saque-1", 5_000);
    client.until("/payouts?external_id=saque-1", "/payouts/0/status", "completed");
    let before = client.get("/saldo?customer_ref=ana")["disponivel_cents"].clone();
    pays_out(&client, "saque-2", 5_013);
    client.until("/payouts?external_id=saque-2", "/payouts/0/status", "failed");
    assert_eq!(client.get("/saldo?customer_ref=ana")["disponivel_cents"], before, "it went back");

    let converted = client.post(
        "/saldo/sacar-cripto",
        &json!({ "amount_cents": 10_000, "asset": "usdt", "chain": "polygon", "customer_ref": "ana",
            "payout_address": WALLET, "tax_number": CPF, "external_id": "conversao-1" }),
    );
    let status = format!("/cashin/{}/status", id(&converted, "cashin_id"));
    client.until(&status, "/settlement_status", "sent");

    let sale = |network: &str, brl: &str, external_id: &str| {
        json!({ "asset": "usdt", "network": network, "brl_amount": brl,
            "pix_key": "bia@exemplo.com.br", "refund_address": WALLET, "external_id": external_id })
    };
    sells(&client, &sale("polygon", "100.00", "venda-1"), "COMPLETED");
    sells(&client, &sale("arbitrum", "50.00", "venda-2"), "COMPLETED");
    let by_code = json!({ "asset": "usdt", "network": "polygon", "br_code": CODE,
        "refund_address": WALLET, "external_id": "venda-3" });
    sells(&client, &by_code, "COMPLETED");
    // The bank refuses this PIX, so the deposit goes back.
    sells(&client, &sale("polygon", "100.13", "venda-4"), "REFUNDED");

    let asked = client.post("/carteira-usdt/deposits", &json!({ "amount": "100" }));
    let deposit = json!({ "address": asked["address"], "amount": asked["amount_to_send"] });
    client.play(&deposit);
    client.until("/carteira-usdt/deposits", "/items/0/status", "available");
    let paid = client.post(
        "/carteira-usdt/payments",
        &json!({ "brl_amount": "50.00", "pix_key": "bia@exemplo.com.br",
            "funding_source": "crypto_usdt", "external_id": "pagamento-1" }),
    );
    let payment = format!("/carteira-usdt/payments/{}", id(&paid, "payment_id"));
    client.until(&payment, "/status", "concluido");
    let to = json!({ "amount": "20", "asset": "USDT", "network": "polygon", "address": WALLET });
    let quote = client.post("/carteira-usdt/withdrawals/quote", &to);
    let out = json!({ "quote_id": quote["quote_id"], "external_id": "retirada-1" });
    let out = client.post("/carteira-usdt/withdrawals", &out);
    let out = format!("/carteira-usdt/withdrawals/{}", id(&out, "withdrawal_id"));
    client.until(&out, "/status", "completed");

    let done = sides.end();
    let count = |topic: &str| done.iter().filter(|(what, _)| what == topic).count();
    let topics = [
        "pix.send",
        "crypto.deliver",
        "crypto.sell",
        "crypto.refund",
        "wallet.pay",
        "wallet.withdraw",
        "pix.received",
        "deposit.confirmed",
    ];
    assert_eq!(topics.map(count), [6, 2, 1, 1, 1, 1, 2, 4], "{done:?}");
}

#[test]
fn kills_of_either_side_lose_nothing_and_send_nothing_twice() {
    let mut sides = Sides::start();
    let client = sides.client();
    collects(&client, "deposito-0", 500_000);
    let workers: Vec<_> = (0..4)
        .map(|worker| {
            let client = client.clone();
            std::thread::spawn(move || {
                let mut payouts = Vec::new();
                for number in 0..12 {
                    collects(&client, &format!("d-{worker}-{number}"), 2_000 + number);
                    payouts.push(pays_out(&client, &format!("p-{worker}-{number}"), 1_000));
                }
                let order = json!({ "asset": "usdt", "network": "polygon", "amount": "20",
                    "pix_key": "bia@exemplo.com.br", "refund_address": WALLET,
                    "external_id": format!("v-{worker}") });
                sells(&client, &order, "COMPLETED");
                payouts
            })
        })
        .collect();
    for round in 0..8 {
        std::thread::sleep(Duration::from_millis(400 + 130 * round));
        if round % 2 == 0 {
            sides.kill_provider();
            std::thread::sleep(Duration::from_millis(200));
            sides.start_provider();
        } else {
            sides.kill_service();
            std::thread::sleep(Duration::from_millis(200));
            sides.start_service();
        }
    }
    let payouts: Vec<String> = workers.into_iter().flat_map(|it| it.join().unwrap()).collect();
    for worker in 0..4 {
        for number in 0..12 {
            let path = format!("/payouts?external_id=p-{worker}-{number}");
            client.until(&path, "/payouts/0/status", "completed");
        }
    }
    let done = sides.end();
    let of = |topic: &str| {
        let found = done.iter().filter(|(what, _)| what == topic);
        found.map(|(_, subject)| subject.clone()).collect::<Vec<String>>()
    };
    let sent = of("pix.send");
    let operations: BTreeSet<&String> = sent.iter().collect();
    assert_eq!((sent.len(), operations.len()), (48 + 4, 48 + 4), "each was sent once");
    assert!(payouts.iter().all(|payout| operations.contains(payout)));
    assert_eq!((of("pix.received").len(), of("deposit.confirmed").len()), (49, 4));
}

#[test]
fn a_service_without_a_provider_says_so_and_asks_nobody_to_repeat() {
    let (_folder, store) = folder();
    let mut command = std::process::Command::new(super::PROGRAM);
    command.args(["serve", "--listen", "127.0.0.1:0", "--internal-listen", "127.0.0.1:0"]);
    command.args(["--internal-token", super::TOKEN, "--store"]).arg(&store);
    command.stderr(Stdio::piped());
    let serving = Serving::from_command(command);
    let opened = json!({ "id": "o-1", "account": "loja" });
    let opened = report(&serving.address("the world"), "account.opened", &opened);
    let charge = json!({ "amount_cents": 5_000, "destino": "saldo", "payer_tax_number": CPF });
    let url = format!("{}/cashin/charge", serving.address("serves"));
    let key = opened["api_key"].as_str().unwrap();
    let (status, refused) = post(&agent(), &url, ("x-api-key", key), &charge);
    assert_eq!((status, &refused["erro"]), (504, &json!("provedor_sem_resposta")));
    assert_eq!(refused["acao"], "falar_com_suporte");
    serving.signal("TERM");
    let (said, well) = serving.rest_with_errors();
    let lines = said.lines().filter(|line| line.contains("supply-url is not set")).count();
    assert!(well && lines == 1, "{said}");
}

/// A payout is debited, and an address of webhooks kept, whether or not there is an outbox.
#[test]
fn a_start_without_an_outbox_says_that_nothing_is_instructed_and_no_webhook_is_sent() {
    let unset = |flags: &[&str]| {
        let (_folder, store) = folder();
        let mut command = std::process::Command::new(super::PROGRAM);
        command.args(["serve", "--listen", "127.0.0.1:0", "--internal-listen", "127.0.0.1:0"]);
        command.args(["--internal-token", super::TOKEN, "--store"]).arg(&store).args(flags);
        command.stderr(Stdio::piped());
        let serving = Serving::from_command(command);
        serving.signal("TERM");
        let (said, well) = serving.rest_with_errors();
        assert!(well, "{said}");
        said.lines().filter(|line| line.ends_with("outbox is not set")).count()
    };
    let to = ["--webhooks-to", "http://127.0.0.1:9"];
    assert_eq!((unset(&[]), unset(&to)), (1, 2));
    assert_eq!(unset(&[&to[..], &["--outbox"]].concat()), 0);
}

#[test]
fn a_provider_is_asked_only_where_its_url_and_its_secret_are_said() {
    let (folder, store) = folder();
    let short = folder.path().join("short");
    std::fs::write(&short, "whsec_bm90IGEgc2VjcmV0IG9mIDI0IGJ5dGVz").unwrap();
    for (flags, why) in [
        (&["--supply-url", "http://127.0.0.1:9/x"][..], "needs supply-secret-file"),
        (&["--supply-secret-file", "secret"], "needs supply-url"),
        (&["--supply-url", "ftp://x/", "--supply-secret-file", "SHORT"], "URL"),
        (&["--supply-url", "http://127.0.0.1:9/x", "--supply-secret-file", "nowhere"], "nowhere"),
    ] {
        let mut command = serve(&store);
        command.args(flags.iter().map(|flag| flag.replace("SHORT", short.to_str().unwrap())));
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && said.contains(why), "{flags:?}: {said}");
    }
    assert!(!store.exists(), "nothing was opened");
}
