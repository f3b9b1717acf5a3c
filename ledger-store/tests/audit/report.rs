//! What an audit shows.

use ledger_core::id::{Kind, OpId, Seq};
use ledger_store::audit::{Expect, audit};
use ledger_store::{Journal, MemoryDisk};

use crate::setup;

/// The report over what `lines` make.
fn report_on(lines: &[&str]) -> String {
    let disk = MemoryDisk::new();
    let mut journal = setup::memory(&disk);
    let mut sequencer = setup::sequencer();
    for line in lines {
        let answer = sequencer.call(&setup::call(line));
        assert_eq!(answer.status, 200, "{line}: {}", answer.body);
    }
    journal.open_writer().unwrap();
    journal.append(&sequencer.cut().unwrap()).unwrap();
    audit(&mut journal, "live", Expect::default(), |_| ()).unwrap().to_string()
}

#[test]
fn rulings_4_a_provider_hold_that_is_overdue_waits_in_the_report_and_one_that_is_not_does_not() {
    let charge = OpId::new(Kind::Charge, Seq(2)).text(&"live".into());
    let received = format!(
        r#"{{"at":"2026-11-20T12:00:00Z","fact":"pix.received","body":{{"cashin_id":"{charge}","e2e":"E9040088820210128000800123873170","amount_cents":10000}}}}"#
    );
    let lines = |until: &'static str| {
        [
            r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"a","account":"loja"},"supplied":{"key":"svc_live_loja"}}"#,
            r#"{"at":"2026-11-20T12:00:00Z","key":"svc_live_loja","request":"POST /cashin/charge","body":{"amount_cents":10000,"destino":"saldo","payer_tax_number":"52998224725"},"supplied":{"qr_copypaste":"qr"}}"#,
            received.as_str(),
            until,
        ]
        .map(str::to_owned)
    };
    let reported = |until| {
        let lines = lines(until);
        report_on(&lines.each_ref().map(String::as_str))
    };
    let late = reported(r#"{"at":"2026-11-23T12:00:00Z","fact":"time.passed"}"#);
    assert!(late.contains(&format!("provider hold {charge}: 100.00, 48 h overdue")), "{late}");
    let in_time = reported(r#"{"at":"2026-11-21T12:00:00Z","fact":"time.passed"}"#);
    assert!(!in_time.contains("overdue"), "{in_time}");
}
