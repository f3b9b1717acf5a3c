//! What the world is asked to do: given until it is acknowledged, in order per operation.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::served::Served;

fn items(answer: &crate::served::Answer) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.body()["items"].as_array().unwrap().clone()
}

#[test]
fn an_instruction_is_given_until_it_is_acknowledged() {
    let served = Served::funded();
    let world = served.world();
    assert_eq!(items(&world.get("/instructions")), [] as [Value; 0]);
    let payout = served.payout("p-1");
    let given = items(&world.get("/instructions"));
    assert_eq!(given.len(), 1, "{given:?}");
    assert_eq!((&given[0]["topic"], &given[0]["operation"]), (&json!("pix.send"), &json!(payout)));
    // The body shows the key masked; whoever sends the PIX is told it whole.
    assert!(!given[0]["body"].to_string().contains("52998224725"), "{given:?}");
    assert_eq!(given[0]["persons"]["pix_key"], "52998224725");
    assert_eq!(items(&world.get("/instructions")), given, "it is given again");
    let id = given[0]["id"].as_str().unwrap();
    let acknowledge = format!("/instructions/{id}/acknowledge");
    assert_eq!(world.post(&acknowledge, "").body()["acknowledged"], "now");
    assert_eq!(world.post(&acknowledge, "").body()["acknowledged"], "before");
    assert_eq!(items(&world.get("/instructions")), [] as [Value; 0]);
    let unknown = world.post("/instructions/none/acknowledge", "");
    assert_eq!((unknown.status, &unknown.body()["erro"]), (404, &json!("nao_encontrado")));
}

#[test]
fn whoever_waits_is_answered_as_soon_as_there_is_something() {
    let served = Served::funded();
    let world = served.world();
    let began = Instant::now();
    assert_eq!(items(&world.get("/instructions?wait=1")), [] as [Value; 0]);
    assert!(began.elapsed() >= Duration::from_secs(1), "it waited");
    let waiting = std::thread::spawn({
        let world = served.world();
        move || (items(&world.get("/instructions?wait=15")), Instant::now())
    });
    std::thread::sleep(Duration::from_millis(300));
    let (asked, id) = (Instant::now(), served.payout("p-1"));
    let (given, heard) = waiting.join().unwrap();
    assert_eq!(given[0]["operation"], id);
    assert!(heard - asked < Duration::from_secs(5), "it did not wait to the end");
}

#[test]
fn whoever_waits_does_not_keep_the_service_from_ending() {
    let mut served = Served::funded();
    let world = served.world();
    let waiting = std::thread::spawn(move || items(&world.get("/instructions?wait=60")));
    std::thread::sleep(Duration::from_millis(500));
    let began = Instant::now();
    served.service.close();
    assert!(served.end(), "it was answered");
    assert_eq!(waiting.join().unwrap(), [] as [Value; 0]);
    assert!(began.elapsed() < Duration::from_secs(4));
}

#[test]
fn a_service_without_an_outbox_says_so() {
    let served = Served::start();
    let world = served.world();
    let answer = world.get("/instructions?environment=sandbox");
    assert_eq!((answer.status, &answer.body()["erro"]), (404, &json!("nao_encontrado")));
    for wrong in ["limit=0", "limit=1001", "wait=61", "environment=moon", "x=1"] {
        let answer = world.get(&format!("/instructions?{wrong}"));
        assert_eq!((answer.status, &answer.body()["erro"]), (400, &json!("requisicao_invalida")));
    }
}
