//! What strangers may see: pictures of codes, receipts, verifications.

use std::io::Cursor;

use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::house::{BASE, CODE, House, KEY, is_a_page};

/// CIN-23: the picture is where the charge says it is, and a camera reads the charge's code of it.
#[tokio::test]
async fn a_charges_picture_is_its_code() {
    let house = House::lived_in().await;
    let body = json!({ "amount_cents": 1000, "destino": "saldo", "external_id": "figura-1",
        "payer_tax_number": "52998224725" });
    let charge = house.send("POST", "/cashin/charge", KEY, &body).await;
    let url = charge["qr_image_url"].as_str().unwrap();
    assert!(url.starts_with(&format!("{BASE}/qr/ci_")), "{url}");
    let answer = house.get(url).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "image/png"));
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert!(answer.header("cache-control").starts_with("private, max-age="));
    let mut decoder = png::Decoder::new(Cursor::new(answer.bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let side = reader.next_frame(&mut pixels).unwrap().width as usize;
    let mut image =
        rqrr::PreparedImage::prepare_from_greyscale(side, side, |x, y| pixels[y * side + x]);
    assert_eq!(image.detect_grids()[0].decode().unwrap().1, CODE);

    let svg = house.get(&url.replace(".png", ".svg")).await;
    assert_eq!((svg.status, svg.header("content-type")), (200, "image/svg+xml"));
    // The same charge, asked for again or by its status, has the same picture.
    assert_eq!(house.send("POST", "/cashin/charge", KEY, &body).await["qr_image_url"], url);
    let status = format!("/cashin/{}/status", charge["cashin_id"].as_str().unwrap());
    assert_eq!(house.ask(&status, &[("x-api-key", KEY)]).await.body()["qr_image_url"], url);
}

#[tokio::test]
async fn an_address_that_was_not_given_opens_nothing() {
    let house = House::lived_in().await;
    let id = house.answers["deposit"]["cashin_id"].as_str().unwrap();
    let sale = house.answers["depix"]["cashout_id"].as_str().unwrap();
    let none = "0".repeat(32);
    for target in [
        format!("/qr/{id}/{none}.png"),
        format!("/qr/{id}/{none}"),
        format!("/qr/ci_000000000000000000000000000000/{none}.png"),
        format!("/qr/{sale}/{none}.svg"),
        format!("/receipts/{sale}/{none}"),
        format!("/receipts/{id}/{none}"),
        "/verify/E9040088820261120999900000000009".to_owned(),
        "/verify/%3Cscript%3E".to_owned(),
    ] {
        let answer = house.get(&target).await;
        assert_eq!(answer.status, 404, "{target}");
        is_a_page(&answer);
    }
}

/// COUT-28, WAL-28: what was paid has a receipt where its provider named none, and it opens.
#[tokio::test]
async fn what_was_paid_has_a_receipt_that_hides_whom_it_names() {
    let house = House::lived_in().await;
    let key = [("x-api-key", KEY)];
    let sale = house.answers["depix"]["cashout_id"].as_str().unwrap();
    let sale = house.ask(&format!("/cash-outs/{sale}"), &key).await.body();
    let payment = house.answers["pay"]["payment_id"].as_str().unwrap();
    let payment = house.ask(&format!("/carteira-usdt/payments/{payment}"), &key).await.body();
    let payouts = house.ask("/payouts?external_id=saque-pix-1", &key).await.body();
    let payout = payouts["payouts"][0].clone();
    // The provider's own receipt stays.
    let named = house.answers["sale"]["cashout_id"].as_str().unwrap();
    let named = house.ask(&format!("/cash-outs/{named}"), &key).await.body();
    assert_eq!(named["receipt_url"], "https://example.com/r/4");

    for (paid, amount, masked) in [
        (&sale, "R$\u{a0}99,94", "***.982.247-**"),
        (&payment, "R$\u{a0}50,00", "b***@exemplo.com.br"),
        (&payout, "R$\u{a0}50,00", "a***@exemplo.com.br"),
    ] {
        let answer =
            house.get(paid["receipt_url"].as_str().unwrap_or_else(|| panic!("{paid}"))).await;
        assert_eq!(answer.status, 200, "{paid}");
        is_a_page(&answer);
        let text = answer.text();
        assert!(text.contains(amount) && text.contains(masked), "{text}");
        assert!(text.contains("PIX enviado") && text.contains("lang=\"pt-BR\""), "{text}");
        for secret in ["52998224725", "529.982.247-25", "ana@exemplo", "bia@exemplo"] {
            assert!(!text.contains(secret), "{secret}");
        }
    }

    // Its public page says less: no key, no document.
    let url = sale["verify_url"].as_str().unwrap();
    let answer = house.get(url).await;
    assert_eq!(answer.status, 200);
    is_a_page(&answer);
    let text = answer.text();
    assert!(text.contains("R$\u{a0}99,94") && text.contains("Verificado e pago"), "{text}");
    assert!(!text.contains("982.247"), "{text}");
}

#[tokio::test]
async fn a_page_speaks_english_to_whoever_asks_for_it() {
    let house = House::lived_in().await;
    let target = "/verify/E9040088820261120122600000000003";
    let answer = house.ask(target, &[("accept-language", "en-US,en;q=0.9")]).await;
    assert!(answer.text().contains("Verified and paid"), "{}", answer.text());
    assert_eq!(answer.header("content-language"), "en");
    assert!(answer.headers.get("set-cookie").is_none());
    let answer = house.get(&format!("{target}?lang=en")).await;
    assert!(answer.text().contains("R$\u{a0}50.00"), "{}", answer.text());
    let kept = answer.header("set-cookie").split(';').next().unwrap().to_owned();
    let answer = house.ask(target, &[("cookie", &kept)]).await;
    assert!(answer.text().contains("<html lang=\"en\">"), "{}", answer.text());
}

#[tokio::test]
async fn the_stylesheet_of_a_page_is_the_one_its_policy_names() {
    use base64::Engine as _;

    let answer = House::empty().get("/verify/x").await;
    let text = answer.text();
    let style = text.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    let hash = base64::prelude::BASE64_STANDARD.encode(Sha256::digest(style.as_bytes()));
    let policy = answer.header("content-security-policy").to_owned();
    assert!(policy.contains(&format!("'sha256-{hash}'")), "{policy}");
}

/// A page that looks like proof of a payment must not come of the sandbox.
#[tokio::test]
async fn a_payment_of_the_sandbox_is_verified_by_no_page() {
    let mut house = House::empty();
    let body = json!({ "email": "dev@exemplo.com.br" });
    let key = house.send("POST", "/keys/sandbox", "", &body).await["api_key"].clone();
    let key = key.as_str().unwrap();
    let body = json!({ "amount_cents": 5000, "destino": "saldo", "external_id": "s-1",
        "payer_tax_number": "52998224725" });
    let charge = house.send("POST", "/cashin/charge", key, &body).await;
    assert!(charge["qr_image_url"].as_str().unwrap().starts_with(BASE));
    let pay = format!("/sandbox/cashin/{}/pay", charge["cashin_id"].as_str().unwrap());
    house.send("POST", &pay, key, &json!({})).await;
    let at = house.service.now().after(ledger_core::time::Span::hours(1)).to_string();
    let line = json!({ "at": at, "environment": "sandbox", "fact": "time.passed" });
    house.play(&line.to_string()).await;
    let status = format!("/cashin/{}/status", charge["cashin_id"].as_str().unwrap());
    let paid = house.ask(&status, &[("x-api-key", key)]).await.body();
    assert_eq!(paid["status"], "paid");
    let answer = house.get(&format!("/verify/{}", paid["e2e"].as_str().unwrap())).await;
    assert_eq!(answer.status, 200);
    let body = house.get(&format!("/v1/verificar/{}", paid["e2e"].as_str().unwrap())).await.body();
    assert_eq!((&body["verificado"], &body["sandbox"]), (&json!(false), &json!(true)), "{body}");
}
