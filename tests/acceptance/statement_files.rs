//! The statement of a period as files: a page to print, CSV, and OFX that has the same rows.

use std::path::Path;

use serde_json::Value;

use crate::killed::{Folder, finished, run};
use crate::program::called;

const DAY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/custody-day.jsonl");

fn bytes(arguments: &[&str]) -> Vec<u8> {
    let output = called(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

struct StatementStore {
    _folder: Folder,
    store: String,
}

impl StatementStore {
    fn new(name: &str) -> Self {
        let folder = Folder::new(&format!("statement-files-{name}"));
        let store = folder.path().join("ledger.db");
        finished(run(Path::new(DAY), &store));
        let store = store.display().to_string();
        Self { _folder: folder, store }
    }

    fn file(&self, format: &str, more: &[&str]) -> Vec<u8> {
        let asked = ["statement", &self.store, "loja", "--customer", "ana", "--format", format];
        bytes(&[&asked[..], more].concat())
    }

    /// The rows of the CSV: instant, number, operation, value and balance after.
    fn rows(&self, more: &[&str]) -> Vec<[String; 5]> {
        let csv = String::from_utf8(self.file("csv", more)).unwrap();
        let mut lines = csv.lines();
        let head = "at,row,operation,description,value,balance_after,record";
        assert_eq!(lines.next(), Some(head));
        let row = |line: &str| {
            let of: Vec<&str> = line.split(',').collect();
            [of[0], of[1], of[2], of[4], of[5]].map(str::to_owned)
        };
        lines.map(row).collect()
    }

    fn all(&self) -> Vec<Value> {
        let asked = ["statement", &self.store, "loja", "--customer", "ana", "--limit", "200"];
        let page: Value =
            serde_json::from_slice(&bytes(&[&asked[..], &["--json"]].concat())).unwrap();
        let mut items = page["items"].as_array().unwrap().clone();
        items.reverse();
        items
    }
}

/// The values of one element, in their order.
fn values<'a>(ofx: &'a str, name: &str) -> Vec<&'a str> {
    let mark = format!("<{name}>");
    ofx.lines().filter_map(|line| line.strip_prefix(&*mark)).collect()
}

#[test]
fn the_periods_of_a_statement_make_up_the_whole() {
    let kept = StatementStore::new("whole");
    let all = kept.all();
    let month = kept.rows(&["--from", "2026-11"]);
    assert_eq!(month.len(), all.len());
    for (row, item) in month.iter().zip(&all) {
        let cents = |text: &str| text.replace('.', "").parse::<i64>().unwrap();
        assert_eq!(cents(&row[3]), item["valor_cents"], "{row:?}");
        assert_eq!(cents(&row[4]), item["saldo_apos_cents"], "{row:?}");
        assert_eq!(row[2], item["origem_id"], "{row:?}");
    }
    let parts = ["2026-11-20", "2026-11-21", "2026-11-22"].map(|day| kept.rows(&["--from", day]));
    let rest = kept.rows(&["--from", "2026-11-23", "--to", "2026-12"]);
    assert!(parts.iter().all(|part| part.len() < month.len()));
    assert_eq!([parts.concat(), rest].concat(), month);
    // What was decided after a moment is in none.
    let earlier = kept.rows(&["--from", "2026-11", "--at", "2026-11-20"]);
    assert_eq!(earlier, parts[0]);
}

#[test]
fn ofx_has_the_rows_of_the_csv_under_ids_of_their_own() {
    let kept = StatementStore::new("ofx");
    let period = ["--from", "2026-11-20", "--to", "2026-11-22"];
    let rows = kept.rows(&period);
    let ofx = kept.file("ofx", &period);
    let ofx: String = ofx.iter().copied().map(char::from).collect();
    assert!(ofx.starts_with("OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\n"), "{ofx}");
    assert_eq!(values(&ofx, "CURDEF"), ["BRL"]);
    assert_eq!(values(&ofx, "ACCTID"), ["loja/ana"]);
    assert_eq!(values(&ofx, "DTSTART"), ["20261120000000.000[-3:BRT]"]);
    let ids: Vec<String> = rows.iter().map(|row| format!("{}.{}", row[2], row[1])).collect();
    assert_eq!(values(&ofx, "FITID"), ids);
    let amounts: Vec<&str> = rows.iter().map(|row| &*row[3]).collect();
    assert_eq!(values(&ofx, "TRNAMT"), amounts);
    let posted = values(&ofx, "DTPOSTED");
    for (row, posted) in rows.iter().zip(&posted) {
        let digits: String = row[0][..19].chars().filter(char::is_ascii_digit).collect();
        assert!(posted.starts_with(&digits) && posted.ends_with("[-3:BRT]"), "{posted} {row:?}");
    }
    assert_eq!(values(&ofx, "BALAMT"), [&*rows.last().unwrap()[4]]);
    assert!(values(&ofx, "MEMO").contains(&"Dep\u{f3}sito PIX"), "{ofx}");
    // Each element that holds others is closed, in its order.
    let mut open = Vec::new();
    for line in ofx.lines().filter(|line| line.starts_with('<')) {
        match line.strip_prefix("</") {
            Some(name) => assert_eq!(open.pop(), Some(name.trim_end_matches('>'))),
            None if line.ends_with('>') => open.push(&line[1..line.len() - 1]),
            None => {}
        }
    }
    assert!(open.is_empty(), "{open:?}");
    // Days without a row have the balance that they begin with.
    let none = kept.file("ofx", &["--from", "2026-12"]);
    let none: String = none.iter().copied().map(char::from).collect();
    assert_eq!(values(&none, "FITID"), Vec::<&str>::new());
    let last = kept.rows(&["--from", "2026-11"]);
    assert_eq!(values(&none, "BALAMT"), [&*last.last().unwrap()[4]]);
}

#[test]
fn the_page_is_portuguese_and_says_whose_it_is() {
    let kept = StatementStore::new("page");
    let file = kept.file("html", &["--from", "2026-11-20", "--institution", "Loja & Cia"]);
    let page = String::from_utf8(file).unwrap();
    for part in
        ["lang=\"pt-BR\"", "Loja &#38; Cia", "20/11/2026 – 20/11/2026", "Saldo anterior", "size:A4"]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("<script") && !page.contains("src="), "it stands for itself");
    let english = kept.file("html", &["--from", "2026-11-20", "--lang", "en"]);
    assert!(String::from_utf8(english).unwrap().contains("Opening balance"));
}

#[test]
fn what_is_no_period_or_nobodys_is_refused_and_writes_nothing() {
    let kept = StatementStore::new("refused");
    let file = format!("{}.ofx", kept.store);
    let refused = |more: &[&str], code: i32| {
        let asked = ["statement", &kept.store, "loja", "--output", &file];
        let output = called(&[&asked[..], more].concat());
        assert_eq!(output.status.code(), Some(code), "{more:?}");
        assert!(!Path::new(&file).exists(), "{more:?}");
    };
    refused(&["--format", "ofx"], 2);
    refused(&["--format", "ofx", "--from", "2026-11", "--view", "operations"], 2);
    refused(&["--format", "ofx", "--from", "yesterday"], 2);
    refused(&["--format", "ofx", "--from", "2026-12", "--to", "2026-11"], 1);
    refused(&["--format", "ofx", "--from", "2026-11", "--customer", "nobody"], 1);
}
