//! Whom a ceiling counts and a mandate names: the key, and documents; a document that the client
//! merely claims widens neither (rulings 66).

use ledger_core::contract::Response;
use ledger_core::pix::BrCode;
use serde_json::{Value, json};

use crate::agent::AGENT;
use crate::day::{AT_ONCE, Day, KEY, OWNER, payout_body};
use crate::market::WALLET;
use crate::selling::{STANDARD, merge, to_mail};

const NOON: &str = "2026-11-20T12:00:00Z";
const BIA: &str = "39053344705";
const MAIL: &str = "ana@exemplo.com.br";
const WHOLE: &str = "100000.00";

fn selling() -> Day {
    Day::selling(NOON, STANDARD)
}

/// A sale of so many reais, quoted and accepted: what refuses either.
fn sells(day: &mut Day, id: &str, reais: &str, to: Value) -> Result<(), String> {
    let mut body = json!({ "brl_amount": reais, "refund_address": WALLET });
    merge(&mut body, to);
    taken(day, id, body, &json!({}))
}

/// The same of a body as it stands, with what a lookup told.
fn taken(day: &mut Day, id: &str, mut body: Value, supplied: &Value) -> Result<(), String> {
    merge(&mut body, json!({ "asset": "usdt", "network": "polygon", "external_id": id }));
    let line = json!({
        "at": NOON, "as": id, "key": KEY, "request": "POST /cash-outs", "body": body,
        "supplied": supplied,
    });
    refusal(&day.line(&line.to_string()))?;
    refusal(&day.accept(id, NOON))
}

fn refusal(answer: &Response) -> Result<(), String> {
    match answer.status {
        200 | 201 => Ok(()),
        _ => Err(answer.body["erro"].as_str().unwrap().to_owned()),
    }
}

fn full() -> Result<(), String> {
    Err("limite_diario_recebedor".to_owned())
}

fn mail(claimed: Option<&str>) -> Value {
    json!({ "pix_key": MAIL, "payee_tax_number": claimed })
}

fn document(number: &str) -> Value {
    json!({ "pix_key": number, "pix_key_type": "cpf" })
}

/// A code with this account in it, of so many reais.
fn code(account: &str, reais: &str) -> String {
    let field = |tag: &str, value: &str| format!("{tag}{:02}{value}", value.len());
    let account = field("26", &(field("00", "br.gov.bcb.pix") + account));
    let start = [
        field("00", "01"),
        account,
        field("52", "0000"),
        field("53", "986"),
        field("54", reais),
        field("58", "BR"),
        field("59", "FULANO DE TAL"),
        field("60", "BRASILIA"),
        field("62", &field("05", "***")),
        "6304".to_owned(),
    ]
    .concat();
    let code = format!("{start}{:04X}", checksum(start.as_bytes()));
    BrCode::parse(&code).expect("the code is whole");
    code
}

/// The checksum of a BR Code: CRC-16/CCITT-FALSE.
fn checksum(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xffff, |sum, byte| {
        (0..8).fold(sum ^ (u16::from(*byte) << 8), |sum, _| {
            (sum << 1) ^ if sum & 0x8000 == 0 { 0 } else { 0x1021 }
        })
    })
}

fn by_code(account: &str, reais: &str) -> Value {
    json!({ "br_code": code(account, reais), "refund_address": WALLET })
}

fn dynamic(url: &str) -> String {
    format!("25{:02}{url}", url.len())
}

#[test]
fn one_key_is_paid_no_more_a_day_whatever_document_is_claimed() {
    for first in [None, Some(OWNER)] {
        for second in [None, Some(OWNER), Some(BIA)] {
            let mut day = selling();
            assert_eq!(sells(&mut day, "a", WHOLE, mail(first)), Ok(()));
            assert_eq!(sells(&mut day, "b", "6.00", mail(second)), full(), "{first:?} {second:?}");
            let upper = json!({ "pix_key": "Ana@Exemplo.COM.br", "payee_tax_number": second });
            assert_eq!(sells(&mut day, "c", "6.00", upper), full());
        }
    }
}

#[test]
fn a_document_counts_whoever_it_is_claimed_for_and_its_own_key() {
    let mut day = selling();
    assert_eq!(sells(&mut day, "a", "60000.00", mail(Some(OWNER))), Ok(()));
    let other = json!({ "pix_key": "bia@exemplo.com.br", "payee_tax_number": OWNER });
    assert_eq!(sells(&mut day, "b", "40000.00", other.clone()), Ok(()));
    assert_eq!(sells(&mut day, "c", "6.00", document(OWNER)), full());
    assert_eq!(sells(&mut day, "d", "6.00", other), full());
    // Each key has room of its own left.
    assert_eq!(sells(&mut day, "e", "40000.00", mail(None)), Ok(()));
    assert_eq!(sells(&mut day, "f", "6.00", mail(Some(BIA))), full());
    // A key that is a document counts as that, whatever else is claimed of it.
    let mut day = selling();
    let mut claimed = document(OWNER);
    claimed["payee_tax_number"] = BIA.into();
    assert_eq!(sells(&mut day, "a", WHOLE, claimed), Ok(()));
    assert_eq!(sells(&mut day, "b", "6.00", document(OWNER)), full());
    assert_eq!(sells(&mut day, "c", "6.00", document(BIA)), full());
}

#[test]
fn what_a_lookup_proved_counts_as_well() {
    let mut day = selling();
    let asked = |reais: &str, key: &str| json!({ "brl_amount": reais, "pix_key": key, "refund_address": WALLET });
    let found = json!({ "owner": OWNER });
    assert_eq!(taken(&mut day, "a", asked(WHOLE, MAIL), &found), Ok(()));
    let phone = "+5511987654321";
    assert_eq!(taken(&mut day, "b", asked("6.00", phone), &found), full());
    assert_eq!(sells(&mut day, "c", "6.00", document(OWNER)), full());
    assert_eq!(taken(&mut day, "d", asked("6.00", phone), &json!({ "owner": BIA })), Ok(()));
    let wrong = taken(&mut day, "e", asked("6.00", phone), &json!({ "owner": "1" }));
    assert_eq!(wrong, Err("formato_invalido".to_owned()));
}

#[test]
fn a_code_counts_as_the_key_or_the_address_in_it() {
    let mut day = selling();
    let fixed = format!("01{:02}{MAIL}", MAIL.len());
    assert_eq!(taken(&mut day, "a", by_code(&fixed, "90000.00"), &json!({})), Ok(()));
    assert_eq!(sells(&mut day, "b", "10000.01", mail(Some(BIA))), full());
    assert_eq!(sells(&mut day, "c", "10000.00", mail(Some(BIA))), Ok(()));
    assert_eq!(taken(&mut day, "d", by_code(&fixed, "6.00"), &json!({})), full());
    // A blank stands for the `@` in old printed codes.
    let printed = fixed.replace('@', " ");
    assert_eq!(taken(&mut day, "e", by_code(&printed, "6.00"), &json!({})), full());
    // Codes of one address are of one recipient, whatever their queries and documents.
    let url = dynamic("pix.example.com/cob/8b3d?v=1");
    assert_eq!(taken(&mut day, "f", by_code(&url, WHOLE), &json!({})), Ok(()));
    for (number, url) in
        ["pix.example.com/cob/8b3d", "Pix.Example.com/cob/8b3d?v=2#x"].into_iter().enumerate()
    {
        let mut body = by_code(&dynamic(url), "6.00");
        body["payee_tax_number"] = BIA.into();
        assert_eq!(taken(&mut day, &format!("g{number}"), body, &json!({})), full(), "{url}");
    }
    let other = by_code(&dynamic("pix.example.com/cob/8b3e?v=1"), "6.00");
    assert_eq!(taken(&mut day, "h", other, &json!({})), Ok(()));
}

#[test]
fn what_comes_to_nothing_is_given_back_to_everybody_whom_it_counted() {
    for ends in ["expiry", "failure", "refund"] {
        let mut day = selling();
        assert_eq!(sells(&mut day, "a", WHOLE, mail(Some(OWNER))), Ok(()));
        let mut at = NOON;
        match ends {
            "expiry" => at = "2026-11-20T12:16:00Z",
            "failure" => {
                let id = json!({ "id": "can-1" });
                assert_eq!(day.sale_reports("a", NOON, "cashout.cancelled", id), "applied");
            }
            _ => {
                let amount = day.order("a", NOON)["amount"].as_str().unwrap().to_owned();
                day.deposited("a", NOON, &amount);
                let id = json!({ "id": "imp-1" });
                assert_eq!(day.sale_reports("a", NOON, "cashout.pix_impossible", id), "applied");
                assert_eq!(day.judge("a", NOON, "refund.decided", json!({})), "applied");
                let sent = json!({ "tx_hash": "0xback" });
                assert_eq!(day.sale_reports("a", NOON, "refund.sent", sent), "applied");
            }
        }
        day.prices(at);
        let to = |more: Value| {
            let mut body = json!({ "brl_amount": WHOLE, "refund_address": WALLET });
            merge(&mut body, more);
            body
        };
        let key = day.sell("b", at, ("usdt", "polygon"), to(mail(Some(BIA))));
        assert_eq!(key.status, 200, "{ends}: {}", key.body);
        let owner = day.sell("c", at, ("usdt", "polygon"), to(document(OWNER)));
        assert_eq!(owner.status, 200, "{ends}: {}", owner.body);
    }
}

#[test]
fn an_order_is_judged_again_for_everybody_before_its_pix_is_sent() {
    let mut day = selling();
    assert_eq!(sells(&mut day, "v", "30000.00", mail(Some(OWNER))), Ok(()));
    assert_eq!(sells(&mut day, "o", "50000.00", document(OWNER)), Ok(()));
    let amount: f64 = day.order("v", NOON)["amount"].as_str().unwrap().parse().unwrap();
    day.deposited("v", NOON, &format!("{:.6}", amount * 2.0));
    let order = day.order("v", NOON);
    assert_eq!(order["review_reason"], "limite_diario_recebedor", "{order}");
    assert!(!day.instructions().iter().any(|asked| asked["instruction"] == "pix.send"));
}

#[test]
fn a_key_named_where_none_was_refused_gives_an_order_no_other_room() {
    let mut day = selling();
    assert_eq!(sells(&mut day, "v", "30000.00", mail(None)), Ok(()));
    assert_eq!(sells(&mut day, "o", "70000.00", mail(None)), Ok(()));
    let amount: f64 = day.order("v", NOON)["amount"].as_str().unwrap().parse().unwrap();
    day.deposited("v", NOON, &format!("{:.6}", amount * 2.0));
    assert_eq!(day.order("v", NOON)["review_reason"], "limite_diario_recebedor");
    let other = json!({ "pix_key": "bia@exemplo.com.br" });
    assert_eq!(day.judge("v", NOON, "cashout.cleared", other), "set_aside");
    assert!(!day.instructions().iter().any(|asked| asked["instruction"] == "pix.send"));
}

#[test]
fn a_corrected_key_counts_from_its_correction_and_the_first_no_longer() {
    let mut day = selling();
    assert_eq!(sells(&mut day, "a", "60000.00", mail(None)), Ok(()));
    let amount = day.order("a", NOON)["amount"].as_str().unwrap().to_owned();
    day.deposited("a", NOON, &amount);
    let back = json!({ "id": "ref-1", "returned_cents": 6_000_000 });
    assert_eq!(day.sale_reports("a", NOON, "cashout.key_refused", back), "applied");
    assert_eq!(
        sells(&mut day, "b", "50000.00", json!({ "pix_key": "bia@exemplo.com.br" })),
        Ok(())
    );
    let corrected = |key: &str| json!({ "pix_key": key });
    let clear = "cashout.cleared";
    assert_eq!(day.judge("a", NOON, clear, corrected("bia@exemplo.com.br")), "set_aside");
    assert_eq!(day.judge("a", NOON, clear, corrected("leo@exemplo.com.br")), "applied");
    assert_eq!(sells(&mut day, "c", WHOLE, mail(None)), Ok(()));
    assert_eq!(
        sells(&mut day, "d", "40000.01", json!({ "pix_key": "leo@exemplo.com.br" })),
        full()
    );
}

#[test]
fn a_payment_from_the_wallet_counts_as_its_key_too() {
    let mut day = Day::paying_with(NOON, "100000");
    let key = json!({ "brl_amount": "60000.00", "pix_key": "Ana@Example.com" });
    assert_eq!(day.pay_from_wallet("p", NOON, key).status, 201);
    for step in
        [json!({ "step": "order_created" }), json!({ "step": "accepted", "address": WALLET })]
    {
        assert_eq!(day.payment_reports("p", NOON, "started", step), "applied");
    }
    let claimed = json!({ "pix_key": "ana@example.com", "payee_tax_number": BIA });
    assert_eq!(sells(&mut day, "a", "40000.01", claimed.clone()), full());
    assert_eq!(sells(&mut day, "b", "40000.00", claimed), Ok(()));
    let more = json!({ "brl_amount": "6.00", "pix_key": "ana@example.com" });
    assert_eq!(refusal(&day.pay_from_wallet("q", NOON, more)), full());
}

/// An agent that lets itself pay the owner of one document only, with money.
fn mandated() -> Day {
    let mut day = Day::agency(NOON, &json!({ "contrapartes": [OWNER] }));
    day.markets(NOON);
    day.deposit("d", NOON, "", 1_000_000);
    day
}

fn stranger() -> Result<(), String> {
    Err("mandate_contraparte_nao_autorizada".to_owned())
}

#[test]
fn an_authorised_document_that_is_merely_claimed_passes_no_mandate() {
    let mut day = mandated();
    let payout = |day: &mut Day, id: &str, supplied: Value| {
        let line = json!({
            "at": NOON, "key": KEY, "request": "POST /payouts", "body": payout_body(id, 1_000),
            "supplied": supplied,
        });
        refusal(&day.line(&line.to_string()))
    };
    assert_eq!(payout(&mut day, "a", json!({})), stranger());
    assert_eq!(payout(&mut day, "a", json!({ "owner": null })), stranger());
    assert_eq!(payout(&mut day, "a", json!({ "owner": BIA })), stranger());
    assert_eq!(payout(&mut day, "a", json!({ "owner": OWNER })), Ok(()));
    let mut own = payout_body("b", 1_000);
    own["pix_key"] = OWNER.into();
    assert_eq!(refusal(&day.ask(NOON, "POST /payouts", &own)), Ok(()));
    assert_eq!(sells(&mut day, "c", "100.00", mail(Some(OWNER))), stranger());
    assert_eq!(sells(&mut day, "c", "100.00", document(OWNER)), Ok(()));
    let asked = json!({ "brl_amount": "100.00", "pix_key": MAIL, "refund_address": WALLET });
    assert_eq!(taken(&mut day, "e", asked.clone(), &json!({ "owner": BIA })), stranger());
    assert_eq!(taken(&mut day, "e", asked, &json!({ "owner": OWNER })), Ok(()));
    assert_eq!(refusal(&day.convert("f", NOON, "", 5_000)), stranger());
}

#[test]
fn a_mandate_that_comes_to_name_somebody_stops_what_only_claims_to_be_theirs() {
    let mut day = Day::agency(NOON, &json!({}));
    day.markets(NOON);
    assert_eq!(sells(&mut day, "v", "100.00", mail(Some(OWNER))), Ok(()));
    let edit = format!("POST /mesh/agents/{AGENT}/mandate");
    assert_eq!(day.ask(NOON, &edit, &json!({ "contrapartes": [OWNER] })).status, 200);
    let amount = day.order("v", NOON)["amount"].as_str().unwrap().to_owned();
    day.deposited("v", NOON, &amount);
    assert_eq!(day.order("v", NOON)["review_reason"], "mandato_contraparte");
}

#[test]
fn an_instruction_says_the_document_and_whether_it_is_proven() {
    let mut day = selling();
    let sent = |day: &Day| {
        let mut asked = day.instructions().iter().rev();
        asked.find(|asked| asked["instruction"] == "pix.send").unwrap().clone()
    };
    for (claimed, supplied, document, proven) in [
        (None, json!({}), Value::Null, false),
        (Some(OWNER), json!({}), json!("***.982.247-**"), false),
        (Some(OWNER), json!({ "owner": BIA }), json!("***.533.447-**"), true),
    ] {
        let id = format!("v{proven}{}", claimed.is_some());
        let mut body = to_mail("100.00");
        body["payee_tax_number"] = claimed.into();
        assert_eq!(taken(&mut day, &id, body, &supplied), Ok(()));
        let amount = day.order(&id, NOON)["amount"].as_str().unwrap().to_owned();
        day.deposited(&id, NOON, &amount);
        let asked = sent(&day);
        assert_eq!((&asked["tax_number"], &asked["owner_proven"]), (&document, &json!(proven)));
    }
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "", 100_000);
    assert_eq!(day.payout("p", NOON, "", 1_000).status, 200);
    assert_eq!(sent(&day)["owner_proven"], false);
    assert_eq!(sent(&day)["tax_number"], "***.982.247-**");
    let mut own = payout_body("q", 1_000);
    own["pix_key"] = OWNER.into();
    assert_eq!(day.ask(NOON, "POST /payouts", &own).status, 200);
    assert_eq!(sent(&day)["owner_proven"], true);
}
