//! Rewards: a thousandth of what referred agents settle (AGT-19 to AGT-23, FEE-35, INV-24).

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::agent::AGENT;
use crate::day::{Day, KEY, payout_body};

const NOON: &str = "2026-10-20T12:00:00Z";
const OTHER: &str = "ag_0000000000040123456789abcdef";
const OTHERS_KEY: &str = "svc_live_other";

/// An agent that referred another, which has R$ 10,000.00 to spend.
fn referred() -> Day {
    let mut day = Day::agency(NOON, &json!({}));
    let given = day.ask(NOON, "POST /mesh/referrals", &json!({ "capability": "brl_to_pix" }));
    assert_eq!(given.status, 200, "{}", given.body);
    let again = day.ask(NOON, "POST /mesh/referrals", &json!({ "capability": "brl_to_pix" }));
    assert_eq!(again.body, given.body, "the same referral");
    let referral = given.body["referral_id"].clone();
    assert!(referral.as_str().unwrap().starts_with("rf_"));
    day.admit_with(NOON, OTHER, OTHERS_KEY, &json!({ "referral": referral }));
    day.agree_for(OTHER, NOON, "{}");
    let charge = json!({
        "at": NOON, "as": "dep", "key": OTHERS_KEY, "request": "POST /cashin/charge",
        "supplied": { "qr_copypaste": "00020126-qr" },
        "body": { "destino": "saldo", "amount_cents": 1_000_000, "payer_tax_number": "39053344705" },
    });
    assert_eq!(day.line(&charge.to_string()).status, 200);
    assert_eq!(day.pix("dep", NOON, 1_000_000), "applied");
    day
}

fn settle(day: &mut Day, id: &str, cents: i64) {
    let line = json!({
        "at": NOON, "as": id, "key": OTHERS_KEY, "request": "POST /payouts",
        "body": payout_body(id, cents),
    });
    let answer = day.line(&line.to_string());
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(day.paid(id, NOON), "applied");
}

fn rewards(day: &mut Day) -> Value {
    day.get(NOON, &format!("/mesh/agents/{AGENT}/rewards"))
}

#[test]
fn fee_35_a_thousandth_of_settled_volume_and_nothing_for_registration() {
    let mut day = referred();
    let shown = rewards(&mut day);
    assert_eq!((&shown["balance_cents"], &shown["reward_bps"]), (&json!(0), &json!(10)));
    settle(&mut day, "a", 1_999);
    settle(&mut day, "b", 1);
    settle(&mut day, "c", 123_456);
    assert_eq!(
        rewards(&mut day),
        json!({
            "agent_id": AGENT,
            "status": "production_active",
            "reward_bps": 10,
            "referred_volume_cents": 125_456,
            "accrued_cents": 125,
            "balance_cents": 125,
            "referred": [{
                "agent_id": OTHER, "status": "production_active", "volume_cents": 125_456,
            }],
        })
    );
    assert_eq!(day.money(Control::Reward), 125);
    assert_eq!(day.money(Control::RewardExpense), 125);
}

#[test]
fn agt_22_lineage_and_volume_are_seen_from_both_ends() {
    let mut day = referred();
    settle(&mut day, "a", 5_000);
    day.deposit("d", NOON, "", 20_000);
    assert_eq!(day.payout("own", NOON, "", 700).status, 200);
    assert_eq!(day.paid("own", NOON), "applied");
    assert_eq!(
        day.get(NOON, &format!("/mesh/agents/{AGENT}/network")),
        json!({
            "agent_id": AGENT, "status": "production_active",
            "reputation": {
                "settled": 1, "failed": 0, "disputed": 0, "since": "2026-10-20T12:00:00Z",
            },
            "referred_by": null, "volume_cents": 700, "referred_volume_cents": 5_000,
            "referred": [{
                "agent_id": OTHER, "status": "production_active", "volume_cents": 5_000,
            }],
        })
    );
    let target = format!("GET /mesh/agents/{OTHER}/network");
    let theirs = day.ask_with(OTHERS_KEY, NOON, &target, &Value::Null);
    assert_eq!(theirs.body["referred_by"], AGENT);
    assert_eq!(theirs.body["referred"], json!([]));
    let theirs =
        day.ask_with(OTHERS_KEY, NOON, &target.replace("network", "rewards"), &Value::Null);
    assert_eq!(theirs.body["balance_cents"], 0, "who was referred earns nothing by it");
}

#[test]
fn agt_20_only_what_is_paid_or_sent_is_settled() {
    let mut day = referred();
    let line = json!({
        "at": NOON, "as": "p", "key": OTHERS_KEY, "request": "POST /payouts",
        "body": payout_body("p", 10_000),
    });
    assert_eq!(day.line(&line.to_string()).status, 200);
    assert_eq!(rewards(&mut day)["balance_cents"], 0, "requested");
    let body = json!({ "id": "unk", "payout_id": "$p.payout_id" });
    assert_eq!(day.report(NOON, "payout.unknown", &body), "applied");
    assert_eq!(rewards(&mut day)["balance_cents"], 0, "unknown");
    assert_eq!(day.paid("p", NOON), "applied");
    assert_eq!(rewards(&mut day)["balance_cents"], 10);
    let back = json!({
        "payout_id": "$p.payout_id", "return_id": day.outside_id(), "amount_cents": 10_000,
    });
    assert_eq!(day.report(NOON, "payout.returned", &back), "applied");
    assert_eq!(rewards(&mut day)["balance_cents"], 10, "what was earned stays earned");
}

#[test]
fn agt_23_whoever_refers_came_first_so_nobody_descends_from_itself() {
    let mut day = referred();
    let state = &day.sequencer().ledger().state;
    for (agent, member) in state.members() {
        let referrer = member.state.agent().unwrap().referrer;
        assert!(referrer.is_none_or(|referrer| referrer < agent));
    }
    // Coming again under another referral changes nothing.
    let given =
        day.ask_with(OTHERS_KEY, NOON, "POST /mesh/referrals", &json!({ "capability": "x" }));
    let referral = given.body["referral_id"].clone();
    let again = json!({
        "at": NOON, "fact": "agent.activated", "environment": "live",
        "body": {
            "id": "again", "agent_id": AGENT, "name": "Ada", "contact": "ada@example.com",
            "capabilities": ["x"], "settlement_address": crate::agent::WALLET, "referral": referral,
        },
        "supplied": { "key": KEY },
    });
    assert_eq!(day.line(&again.to_string()).body["outcome"], "known");
    assert_eq!(day.get(NOON, &format!("/mesh/agents/{AGENT}/network"))["referred_by"], Value::Null);
}

#[test]
fn agt_20_a_sale_settles_what_its_recipient_received_once_the_pix_is_paid() {
    let mut day = referred();
    day.markets(NOON);
    let line = |request: &str, body: Value, supplied: Value| {
        json!({
            "at": NOON, "as": request.len().to_string(), "key": OTHERS_KEY, "request": request,
            "body": body, "supplied": supplied,
        })
        .to_string()
    };
    let body = json!({
        "asset": "usdt", "network": "polygon", "brl_amount": "123.45",
        "pix_key": "ana@exemplo.com.br",
    });
    let quoted = day.line(&line("POST /cash-outs", body, json!({})));
    assert_eq!(quoted.status, 200, "{}", quoted.body);
    let order = quoted.body["cashout_id"].as_str().unwrap().to_owned();
    let accept = format!("POST /cash-outs/{order}/accept");
    let wallet = json!({ "deposit_address": crate::agent::WALLET });
    let accepted = day.line(&line(&accept, json!({}), wallet));
    assert_eq!(accepted.status, 200, "{}", accepted.body);
    let seen = json!({
        "cashout_id": order, "tx_hash": "0xd1", "asset": "usdt", "network": "polygon",
        "amount": quoted.body["amount"],
    });
    assert_eq!(day.report(NOON, "deposit.seen", &seen), "applied");
    let sure = json!({ "cashout_id": order, "tx_hash": "0xd1" });
    assert_eq!(day.report(NOON, "deposit.confirmed", &sure), "applied");
    assert_eq!(rewards(&mut day)["referred_volume_cents"], 0);
    let paid = json!({ "cashout_id": order, "e2e": day.outside_id() });
    assert_eq!(day.report(NOON, "cashout.paid", &paid), "applied");
    let shown = rewards(&mut day);
    assert_eq!(shown["referred_volume_cents"], 12_345, "what the recipient received");
    assert_eq!(shown["balance_cents"], 12);
}

#[test]
fn agt_09_lineage_volume_mandate_rewards_and_reputation_survive_a_new_key() {
    let mut day = referred();
    settle(&mut day, "a", 5_000);
    day.deposit("d", NOON, "", 20_000);
    assert_eq!(day.payout("own", NOON, "", 700).status, 200);
    assert_eq!(day.paid("own", NOON), "applied");
    let mandate = json!({ "max_por_operacao_cents": 1_000 });
    let granted = day.ask(NOON, &format!("POST /mesh/agents/{AGENT}/mandate"), &mandate);
    assert_eq!(granted.status, 200, "{}", granted.body);
    let whole = |day: &mut Day, key: &str| {
        [
            "GET /mesh/agents/ID/network",
            "GET /mesh/agents/ID/rewards",
            "POST /mesh/agents/ID/validate",
        ]
        .map(|request| {
            let answer = day.ask_with(key, NOON, &request.replace("ID", AGENT), &Value::Null);
            assert_eq!(answer.status, 200, "{request}: {}", answer.body);
            answer.body
        })
    };
    let before = whole(&mut day, KEY);
    let [network, rewards, record] = &before;
    assert_eq!(
        (&network["volume_cents"], &network["referred"][0]["agent_id"]),
        (&json!(700), &json!(OTHER))
    );
    assert_eq!(network["reputation"]["settled"], 1);
    assert_eq!((&rewards["agent_id"], &rewards["balance_cents"]), (&json!(AGENT), &json!(5)));
    assert_eq!(record["mandate"]["max_por_operacao_cents"], 1_000);
    let rotate = |day: &mut Day, key: &str, entropy: &str| {
        let line = json!({
            "at": NOON, "key": key, "command": "key.rotate", "supplied": { "entropy": entropy },
        });
        let made = day.line(&line.to_string());
        assert_eq!(made.status, 200, "{}", made.body);
        made.body["api_key"].as_str().unwrap().to_owned()
    };
    let next = rotate(&mut day, KEY, crate::agent::ENTROPY);
    assert_eq!(
        day.ask(NOON, &format!("GET /mesh/agents/{AGENT}/network"), &Value::Null).status,
        401
    );
    assert_eq!(whole(&mut day, &next), before, "under the same id, nothing is lost");
    let above = day.ask_with(&next, NOON, "POST /payouts", &payout_body("b", 1_001));
    assert_eq!(above.body["erro"], "mandate_valor_acima_do_teto");
    // What comes afterwards goes on where it stood: its own volume, and what it is rewarded for.
    let paid = json!({
        "at": NOON, "as": "b", "key": next, "request": "POST /payouts", "body": payout_body("b", 300),
    });
    assert_eq!(day.line(&paid.to_string()).status, 200);
    assert_eq!(day.paid("b", NOON), "applied");
    settle(&mut day, "c", 5_000);
    let [network, rewards, _] = whole(&mut day, &next);
    assert_eq!(
        (&network["volume_cents"], &network["reputation"]["settled"]),
        (&json!(1_000), &json!(2))
    );
    assert_eq!(
        (&network["referred_volume_cents"], &rewards["balance_cents"]),
        (&json!(10_000), &json!(10))
    );
}
