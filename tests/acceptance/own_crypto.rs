//! Crypto of our own that moves: between which accounts, and what the books say then.

use serde_json::json;

use crate::day::Day;

const NOON: &str = "2026-11-20T12:00:00Z";

#[test]
fn our_own_crypto_moves_between_all_of_our_own_accounts() {
    let mut day = Day::trading(NOON, "{}");
    let mut moved = 0;
    for account in ["treas", "exp.gas", "exp.loss", "recv.prov", "fx"] {
        let before = day.coins("usdt", account);
        let body = json!({
            "id": format!("move-{account}"), "asset": "usdt", "chain": "polygon", "amount": "1.5",
            "from": "equity.funding", "to": account,
        });
        assert_eq!(day.report(NOON, "treasury.moved", &body), "applied", "{account}");
        assert_eq!(day.coins("usdt", account), before - 1_500_000, "{account}");
        moved += 1_500_000;
        assert_eq!(day.coins("usdt", "equity.funding"), moved);
    }
}
