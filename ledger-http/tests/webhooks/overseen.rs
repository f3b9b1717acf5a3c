//! Webhooks on the console: how endpoints stand, and what operators do about them.

use ledger_core::time::Span;
use ledger_http::operators::Role;

use crate::receiver::{Reply, Seen};
use crate::station::{KEY, Station};

impl Station {
    /// The cookie of a session of a new operator.
    fn signed_in(&self, name: &str, role: Role) -> String {
        let operators = self.service().operators().unwrap();
        let credential = operators.add(name, &[role], 0, self.now()).unwrap();
        let form = format!("to=/&credential={credential}");
        let [status, _, cookie, _] = self.console("/sign-in", "", Some(&form));
        assert_eq!(status, "303");
        cookie
    }

    fn page(&self, path: &str, cookie: &str) -> String {
        let [status, .., page] = self.console(path, cookie, None);
        assert_eq!(status, "200", "{path}: {page}");
        page
    }

    /// Presses the button that a page has for an act, its fields as they stand.
    fn press(&self, path: &str, cookie: &str, act: &str) -> String {
        let page = self.page(path, cookie);
        let form = page.split("<form class=").find(|form| form.contains(&format!("\"{act}\"")));
        let form = form.unwrap_or_else(|| panic!("{act} has a button: {page}"));
        let value = |input: &str, name: &str| {
            input.split(&format!(" {name}=\"")).nth(1)?.split('"').next().map(str::to_owned)
        };
        let fields = form.split("</form>").next().unwrap().split("<input").skip(1);
        let fields = fields.filter_map(|input| {
            Some(format!("{}={}", value(input, "name")?, value(input, "value")?))
        });
        let fields: Vec<_> = fields.collect();
        let to = value(form, "action").unwrap();
        let [status, leads, ..] = self.console(&to, cookie, Some(&fields.join("&")));
        assert_eq!(status, "303", "{act}");
        leads
    }
}

#[test]
fn an_endpoint_that_is_off_is_seen_switched_on_and_sent_what_it_missed() {
    let station = Station::start();
    station.open_account("outra", "svc_live_outra");
    station.receiver.next("/loja", Reply::with_status(410));
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    station.stands(KEY, &first, "abandoned");
    station.acknowledged();
    let list = station.page("/live/webhooks", "");
    for said in [">loja<", "switched off since", "(gone)", "0% (0 / 2)", "HTTP 410"] {
        assert!(list.contains(said), "{said} in {list}");
    }
    assert!(!list.contains(">outra<"), "it was sent nothing: {list}");
    let bia = station.signed_in("bia", Role::Decide);
    let leads = station.press("/live/webhooks/loja", &bia, "on");
    assert_eq!(leads, "/live/webhooks/loja?done=on");
    assert!(station.page(&leads, &bia).contains("Switched on again."));
    assert!(!station.page("/live/webhooks", "").contains("switched off"));
    assert_eq!(station.deliveries(KEY).get("webhook_desligado_em"), None);
    let leads = station.press("/live/webhooks/loja", &bia, "recover");
    assert_eq!(leads, "/live/webhooks/loja?done=queued-2");
    station.arrived("/loja", 3);
    station.stands(KEY, &first, "delivered");
    station.until("all of it to be delivered", || {
        station.page("/live/webhooks", "").contains("100% (2 / 2)").then_some(())
    });
    let log = station.log_text();
    for said in [r#""endpoint":"switch_on""#, r#""endpoint":"recover""#, r#""operator":"bia""#] {
        assert!(log.contains(said), "{said} in {log}");
    }
}

#[test]
fn an_event_shows_its_attempts_and_is_sent_again() {
    let station = Station::start();
    station.receiver.next("/loja", Reply::with_status(503));
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    station.stands(KEY, &first, "retrying");
    let list = station.page("/live/webhooks", "");
    assert!(list.contains("failing since") && list.contains("HTTP 503"), "{list}");
    let bia = station.signed_in("bia", Role::DecideAbove);
    let path = format!("/live/webhooks/loja/{first}");
    let leads = station.press(&path, &bia, "resend");
    assert_eq!(leads, format!("{path}?done=delivered-204"));
    let page = station.page(&leads, &bia);
    for said in ["Delivered: HTTP 204.", ">scheduled<", ">resend<", ">503<", ">delivered<"] {
        assert!(page.contains(said), "{said} in {page}");
    }
    // The operation that it is of says that it arrived, and leads to its attempts.
    let records = station.page("/live/records", &bia);
    let operation = records.split("/live/operations/ci_").nth(1).unwrap();
    let operation = format!("/live/operations/ci_{}", operation.split('"').next().unwrap());
    let operation = station.page(&operation, &bia);
    assert!(operation.contains(&format!("<a href=\"{path}\">delivered</a>")), "{operation}");
    // What the success counts is of the last 24 hours.
    station.acknowledged();
    assert!(station.page("/live/webhooks/loja", "").contains("100% (2 / 2)"));
    station.advance(Span::hours(25));
    assert!(!station.page("/live/webhooks", "").contains("100% ("));
}

#[test]
fn events_that_are_ticked_are_sent_again_and_no_others() {
    let station = Station::start();
    station.open_account("outra", "svc_live_outra");
    station.listen("svc_live_outra", "/outra");
    for id in ["d", "e"] {
        station.deposit(KEY, id);
        station.acknowledged();
    }
    station.deposit_of(7, "svc_live_outra", "f");
    let seen = station.arrived("/loja", 4);
    let other = station.arrived("/outra", 2)[0].id();
    station.acknowledged();
    let bia = station.signed_in("bia", Role::Decide);
    let page = station.page("/live/webhooks/loja", &bia);
    for event in &seen {
        assert!(
            page.contains(&format!("type=\"checkbox\" name=\"event\" value=\"{}\"", event.id()))
        );
    }
    let token = page.split("name=\"token\" value=\"").nth(1).unwrap()[..64].to_owned();
    let (first, third) = (seen[0].id(), seen[2].id());
    let form = format!("token={token}&act=again&event={first}&event={third}&event={other}&event=x");
    let [_, leads, ..] = station.console("/live/webhooks/loja", &bia, Some(&form));
    assert_eq!(leads, "/live/webhooks/loja?done=queued-2");
    let mut again: Vec<_> = station.arrived("/loja", 6)[4..].iter().map(Seen::id).collect();
    again.sort();
    let mut ticked = vec![first, third];
    ticked.sort();
    assert_eq!(again, ticked);
    station.nothing_more("/loja", 6);
    station.nothing_more("/outra", 2);
    let none = format!("token={token}&act=again");
    let [_, leads, ..] = station.console("/live/webhooks/loja", &bia, Some(&none));
    assert_eq!(leads, "/live/webhooks/loja?done=queued-0");
}

#[test]
fn whoever_may_not_decide_looks_and_nothing_is_sent() {
    let station = Station::start();
    station.receiver.next("/loja", Reply::with_status(410));
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    station.acknowledged();
    let bia = station.signed_in("bia", Role::Decide);
    let page = station.page("/live/webhooks/loja", &bia);
    let token = page.split("name=\"token\" value=\"").nth(1).unwrap()[..64].to_owned();
    let form = |token: &str, act: &str| {
        format!("token={token}&act={act}&since=2026-11-01T00:00:00Z&event={first}")
    };
    let look = station.signed_in("eva", Role::Look);
    let held = station.signed_in("ines", Role::HoldFunds);
    for act in ["on", "recover", "resend", "again"] {
        for cookie in [&look, &held] {
            let page = station.page(&format!("/live/webhooks/loja/{first}"), cookie);
            assert!(!page.contains("name=\"act\""), "no button: {page}");
            let its = station.page("/live/decide", cookie);
            let its = its.split("name=\"token\" value=\"").nth(1).unwrap()[..64].to_owned();
            for token in [&its, &token] {
                let sent = form(token, act);
                let [status, ..] = station.console("/live/webhooks/loja", cookie, Some(&sent));
                assert_eq!(status, "403", "{act}");
            }
        }
        for (cookie, token) in [("", &*token), (&bia, "0")] {
            let sent = form(token, act);
            let [status, ..] = station.console("/live/webhooks/loja", cookie, Some(&sent));
            assert_eq!(status, "403", "{act}");
        }
    }
    station.nothing_more("/loja", 1);
    assert!(station.page("/live/webhooks", "").contains("switched off since"));
    // What is not there opens nothing, and what is not asked for does nothing.
    for gone in
        ["/live/webhooks/nobody", "/live/webhooks/nobody/evt_1", "/live/webhooks/loja/evt_1"]
    {
        assert_eq!(station.console(gone, &bia, None)[0], "404", "{gone}");
    }
    let other = form(&token, "erase");
    assert_eq!(station.console("/live/webhooks/loja", &bia, Some(&other))[0], "404");
    let unread = format!("token={token}&act=recover&since=yesterday");
    let [_, leads, ..] = station.console("/live/webhooks/loja", &bia, Some(&unread));
    assert_eq!(leads, "/live/webhooks/loja?done=unreadable");
}
