//! Attempts: when they are made, what ends them, and what a restart keeps.

use std::time::Duration;

use ledger_core::time::{Instant, Span};
use ledger_store::ServiceTables;

use crate::receiver::Reply;
use crate::station::{KEY, Station, instant};

/// When an event is attempted next.
fn next_attempt(station: &Station, id: &str) -> Option<Instant> {
    let item = station.stands(KEY, id, "retrying");
    item["next_attempt_at"].as_str().map(instant)
}

#[test]
fn a_webhook_is_delivered_once_and_acknowledged() {
    let station = Station::start();
    station.deposit(KEY, "d");
    let seen = station.arrived("/loja", 2);
    let topics: Vec<_> = seen.iter().map(crate::receiver::Seen::topic).collect();
    assert_eq!(topics, ["cashin.paid", "cashin.settled"]);
    station.acknowledged();
    for seen in &seen {
        let item = station.stands(KEY, &seen.id(), "delivered");
        assert_eq!((&item["attempts"], &item["http_status"]), (&1.into(), &204.into()));
        assert_eq!(item["next_attempt_at"], serde_json::Value::Null);
    }
    station.nothing_more("/loja", 2);
}

#[test]
fn a_failure_is_tried_again_after_about_5_seconds_and_5_minutes_and_not_before() {
    let station = Station::start();
    station.receiver.always("/loja", Reply::with_status(500));
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    for (made, least, most) in [(1, 4, 6), (2, 240, 360), (3, 1_440, 2_160)] {
        station.until("the attempt to be written down", || {
            let item = station.stands(KEY, &first, "retrying");
            (item["attempts"] == made).then_some(())
        });
        let wait = next_attempt(&station, &first).unwrap().since(station.now());
        assert!(Span::seconds(least) <= wait && wait <= Span::seconds(most), "{wait:?}");
        station.advance(Span::seconds(least - 1));
        station.nothing_more("/loja", made);
        station.advance(Span::seconds(most - least + 2));
        station.arrived("/loja", made + 1);
    }
}

#[test]
fn the_tenth_failure_abandons_an_event_and_its_line_goes_on() {
    let station = Station::start();
    for _ in 0..10 {
        station.receiver.next("/loja", Reply::with_status(500));
    }
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    for made in 1..10 {
        station.until("the attempt to be written down", || {
            (station.stands(KEY, &first, "retrying")["attempts"] == made).then_some(())
        });
        station.advance(next_attempt(&station, &first).unwrap().since(station.now()));
        station.arrived("/loja", made + 1);
    }
    let item = station.stands(KEY, &first, "abandoned");
    assert_eq!((&item["attempts"], &item["http_status"]), (&10.into(), &500.into()));
    let seen = station.arrived("/loja", 11);
    assert!(seen[..10].iter().all(|seen| seen.id() == first));
    assert_eq!(seen[10].topic(), "cashin.settled", "the next of its line");
    station.acknowledged();
}

#[test]
fn retry_after_is_heeded_and_429_waits_a_minute_at_least() {
    let station = Station::start();
    station.receiver.next("/loja", Reply::with_status(503).with("retry-after", "1000"));
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    let wait = next_attempt(&station, &first).unwrap().since(station.now());
    assert_eq!(wait, Span::seconds(1_000));
    station.receiver.always("/loja", Reply::with_status(429));
    station.open_account("feira", "svc_live_feira");
    station.listen("svc_live_feira", "/feira");
    station.receiver.always("/feira", Reply::with_status(429));
    station.deposit("svc_live_feira", "e");
    let id = station.arrived("/feira", 1)[0].id();
    let item = station.stands("svc_live_feira", &id, "retrying");
    let next = instant(item["next_attempt_at"].as_str().unwrap());
    assert_eq!(next.since(station.now()), Span::seconds(60));
}

#[test]
fn a_time_out_is_a_failure_that_waits_a_minute() {
    let station = Station::start();
    let slow = Reply { after: Duration::from_secs(3), ..Reply::with_status(200) };
    station.receiver.next("/loja", slow);
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    let wait = next_attempt(&station, &first).unwrap().since(station.now());
    assert_eq!(wait, Span::seconds(60));
    let (_, shown) = station.ask("GET", &format!("/webhooks/deliveries/{first}"), KEY, None);
    assert_eq!(shown["history"][0]["outcome"], "timed_out", "{shown}");
}

#[test]
fn a_redirect_is_a_failure_and_is_not_followed() {
    let station = Station::start();
    let to = format!("http://{}/elsewhere", station.receiver.address);
    station.receiver.next("/loja", Reply::with_status(307).with("location", &to));
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    assert_eq!(station.stands(KEY, &first, "retrying")["http_status"], 307);
    assert!(station.receiver.seen_on("/elsewhere").is_empty());
}

#[test]
fn a_restart_goes_on_where_the_schedule_stood() {
    let mut station = Station::start();
    station.receiver.always("/loja", Reply::with_status(500));
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    let due = next_attempt(&station, &first).unwrap();
    station.end();
    station.begin();
    assert_eq!(next_attempt(&station, &first), Some(due));
    station.nothing_more("/loja", 1);
    station.advance(Span::seconds(7));
    station.arrived("/loja", 2);
    station.until("the second attempt to be written down", || {
        (station.stands(KEY, &first, "retrying")["attempts"] == 2).then_some(())
    });
}

#[test]
fn what_is_under_way_is_answered_and_written_down_before_the_courier_ends() {
    let mut station = Station::start();
    let slow = Reply { after: Duration::from_millis(300), ..Reply::with_status(200) };
    station.receiver.next("/loja", slow);
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    station.end();
    station.begin();
    station.stands(KEY, &first, "delivered");
    let seen = station.arrived("/loja", 2);
    assert_ne!(seen[1].id(), first, "it is not sent again");
}

/// The process dies after a delivery is written down and before the outbox has it.
#[test]
fn an_event_delivered_before_a_crash_is_acknowledged_after_it_and_its_operation_goes_on() {
    let mut station = Station::start();
    station.deposit(KEY, "d");
    let [first, second] = [0, 1].map(|place| station.arrived("/loja", 2)[place].id());
    station.acknowledged();
    station.end();
    let mut tables = ServiceTables::open(station.target(), "webhook_deliveries", &[]).unwrap();
    let forgotten = "DELETE FROM webhook_deliveries WHERE event = $1".to_owned();
    let pending = "UPDATE outbox SET acknowledged_at = NULL WHERE id IN ($1, $2)".to_owned();
    let ids = vec![first.as_str().into(), second.as_str().into()];
    let undone = [(forgotten, vec![second.as_str().into()]), (pending, ids)];
    assert_eq!(tables.write(&undone).unwrap(), 3);
    station.begin();
    let seen = station.arrived("/loja", 3);
    assert_eq!(seen[2].id(), second, "the event that was delivered is not sent again");
    station.acknowledged();
    station.nothing_more("/loja", 3);
}

#[test]
fn of_an_answer_20_000_bytes_are_kept() {
    let station = Station::start();
    let reply = Reply { body: "é".repeat(20_000), ..Reply::with_status(500) };
    station.receiver.next("/loja", reply);
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    station.stands(KEY, &first, "retrying");
    let (status, shown) = station.ask("GET", &format!("/webhooks/deliveries/{first}"), KEY, None);
    assert_eq!(status, 200, "{shown}");
    let answer = shown["history"][0]["answer"].as_str().unwrap();
    assert_eq!(answer, "é".repeat(10_000));
}

#[test]
fn what_has_ended_is_forgotten_after_30_days_and_what_waits_is_not() {
    let station = Station::start();
    station.deposit(KEY, "d");
    let seen = station.arrived("/loja", 2);
    station.acknowledged();
    station.advance(Span::days(15));
    station.receiver.next("/loja", Reply::with_status(503));
    station.deposit(KEY, "e");
    let waiting = station.arrived("/loja", 3)[2].id();
    station.stands(KEY, &waiting, "retrying");
    assert_eq!(station.deliveries(KEY)["items"].as_array().unwrap().len(), 3);
    // Every attempt from here on fails, so what waits goes on waiting.
    station.receiver.always("/loja", Reply::with_status(503));
    station.advance(Span::days(16));
    station.until("old deliveries to be forgotten", || {
        let listed = station.deliveries(KEY);
        let ids: Vec<_> =
            listed["items"].as_array().unwrap().iter().map(|it| it["id"].clone()).collect();
        (ids == [waiting.as_str()]).then_some(())
    });
    let path = format!("/webhooks/deliveries/{}", seen[0].id());
    assert_eq!(station.ask("GET", &path, KEY, None).0, 404);
}

/// Runs statements in the database of a station, as an administrator might.
fn execute(station: &Station, statements: &[&str]) {
    let tables = ServiceTables::existing(station.target(), "webhook_filters").unwrap();
    let statements: Vec<_> = statements.iter().map(|sql| ((*sql).to_owned(), Vec::new())).collect();
    tables.unwrap().write(&statements).unwrap();
}

#[test]
fn what_cannot_be_written_down_is_not_sent_again_and_keeps_no_other_account_waiting() {
    let station = Station::start();
    station.open_account("outra", "svc_live_outra");
    station.listen("svc_live_outra", "/outra");
    let full = "CREATE TRIGGER full BEFORE UPDATE ON webhook_deliveries \
        WHEN OLD.account = 'loja' BEGIN SELECT RAISE(FAIL, 'the disk is full'); END";
    execute(&station, &[full]);
    for id in ["a", "b", "c"] {
        station.deposit(KEY, id);
    }
    station.deposit_of(123, "svc_live_outra", "d");
    let sent = station.arrived("/loja", 3).len();
    let other = station.arrived("/outra", 2);
    station.stands("svc_live_outra", &other[1].id(), "delivered");
    std::thread::sleep(Duration::from_millis(2_500));
    assert_eq!(station.receiver.seen_on("/loja").len(), sent, "each was sent once");
    execute(&station, &["DROP TRIGGER full"]);
    station.arrived("/loja", 6);
    station.acknowledged();
    station.nothing_more("/loja", 6);
}
