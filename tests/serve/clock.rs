//! A start is held against the clock that the store's last record was written by (rulings 69).

use serde_json::{Value, json};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use super::serving::{Serving, TOKEN, agent, folder, post, report, serve};

/// Reports that an account was opened; gives the status.
fn opened(serving: &Serving, account: &str) -> (u16, Value) {
    let url = format!("{}/facts/account.opened", serving.address("the world"));
    let bearer = format!("Bearer {TOKEN}");
    let body = json!({ "id": format!("o-{account}"), "account": account });
    post(&agent(), &url, ("authorization", &bearer), &body)
}

fn execute(store: &std::path::Path, sql: &'static str) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let options = SqliteConnectOptions::new().filename(store);
        let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
        let done = sqlx::query(sql).execute(&mut connection).await.unwrap();
        done.rows_affected()
    })
}

/// The clock jumps an hour while nobody serves: less than a start elsewhere would be doubted for.
#[test]
fn a_restart_on_the_same_boot_is_held_against_the_moment_of_the_last_record() {
    let (_folder, store) = folder();
    let first = Serving::start(&store);
    report(&first.address("the world"), "account.opened", &json!({ "id": "o-1", "account": "a" }));
    first.signal("TERM");
    assert!(first.rest().1);
    // A restart alone is believed.
    let second = Serving::start(&store);
    assert_eq!(opened(&second, "b").0, 200);
    second.signal("TERM");
    assert!(second.rest().1);
    let set_back = "UPDATE ledger_moment SET wall = wall - 3600000000 WHERE ledger = 'live'";
    assert_eq!(execute(&store, set_back), 1);
    let doubting = Serving::start(&store);
    let (status, answer) = opened(&doubting, "c");
    assert_eq!((status, &answer["erro"]), (503, &json!("temporariamente_indisponivel")));
    doubting.signal("TERM");
    assert!(doubting.rest().1);
    // The same with a clock that is set back.
    let ahead = "UPDATE ledger_moment SET wall = wall + 7200000000 WHERE ledger = 'live'";
    assert_eq!(execute(&store, ahead), 1);
    let doubting = Serving::start(&store);
    assert_eq!(opened(&doubting, "c").0, 503);
    doubting.signal("TERM");
    assert!(doubting.rest().1);
    // Accepted once, it is believed from then on.
    let mut accepting = serve(&store);
    accepting.arg("--accept-clock");
    let accepting = Serving::from_command(accepting);
    assert_eq!(opened(&accepting, "c").0, 200);
    accepting.signal("KILL");
    drop(accepting);
    let last = Serving::start(&store);
    assert_eq!(opened(&last, "d").0, 200);
}
