//! The report of an audit as a page and as JSON: the same figures, whole, by themselves.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::audit_markup::{Element, parse};
use crate::killed::{Folder, finished, run};
use crate::program::{called, printed};

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// What an audit report shows, section by section.
const SECTIONS: [&str; 24] = [
    "chain",
    "invariants",
    "sums",
    "trial_balance",
    "coverage",
    "over_time",
    "control",
    "roll_forward",
    "receivables",
    "holds",
    "waiting",
    "open_over_time",
    "ageing",
    "fees",
    "fee_schedules",
    "commission",
    "reserve",
    "trading",
    "duplicates",
    "set_aside",
    "remarks",
    "decisions",
    "limits",
    "ladder",
];

/// A store in which the examples and some more happened, and what its audit says.
struct Audited {
    folder: Folder,
    store: String,
    page: String,
    /// One object a ledger.
    json: Vec<Value>,
}

impl Audited {
    fn from_files(name: &str, files: &[&str], more: &[&str]) -> Self {
        let folder = Folder::new(&format!("audit-page-{name}"));
        let path = folder.path().join("ledger.db");
        for file in files {
            finished(run(Path::new(file), &path));
        }
        let (store, html) = (path.display().to_string(), folder.path().join("report.html"));
        let html = html.display().to_string();
        let asked = ["audit", &store, "--json", "--html", &html];
        let json = printed(&[&asked[..], more].concat());
        let json = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let page = std::fs::read_to_string(html).unwrap();
        Self { folder, store, page, json }
    }

    fn everything(name: &str, more: &[&str]) -> Self {
        let files = ["examples/whole-contract.jsonl", "tests/pages/unsettled.jsonl"];
        let files = files.map(|file| format!("{FOLDER}/{file}"));
        Self::from_files(name, &[&files[0], &files[1]], more)
    }
}

/// A figure of the page as it stands in JSON: by its own attribute where it is read otherwise.
fn exact(figure: &Element) -> String {
    let value = |tag: &str, name: &str| {
        let of = figure.children.first().filter(|child| child.tag == tag)?;
        of.attribute(name).map(str::to_owned)
    };
    let exact = value("data", "value").or_else(|| value("time", "datetime"));
    exact.unwrap_or_else(|| figure.text.clone())
}

/// The same of JSON.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn sections(page: &Element) -> Vec<&Element> {
    page.all("section")
}

#[test]
fn the_page_and_the_json_have_the_same_figures() {
    for audited in [
        Audited::everything("same", &[]),
        Audited::everything("same-english", &["--lang", "en"]),
        Audited::from_files(
            "settlement",
            &[&format!("{FOLDER}/examples/settlement-day.jsonl")],
            &[],
        ),
    ] {
        let page = parse(&audited.page);
        assert_eq!(audited.json.len(), 2, "both ledgers");
        let mut figures = 0;
        for ledger in &audited.json {
            let name = ledger["ledger"].as_str().unwrap();
            for (key, holds) in ledger["sections"].as_object().unwrap() {
                let id = format!("{name}.{key}");
                let shown = sections(&page);
                let shown = shown.iter().find(|section| section.attribute("id") == Some(&id));
                let shown = shown.unwrap_or_else(|| panic!("{id} is not shown"));
                let (on_page, in_json): (Vec<Vec<String>>, Vec<Vec<String>>) = match holds {
                    Value::Object(facts) => {
                        let values = shown.all("dd").into_iter().map(exact).collect();
                        let expected = facts.values().map(|value| match value {
                            // What has a line to itself says that it is nothing.
                            Value::Null => "–".to_owned(),
                            value => text(value),
                        });
                        (vec![values], vec![expected.collect()])
                    }
                    Value::Array(rows) => {
                        let row = |row: &&Element| row.all("td").into_iter().map(exact).collect();
                        let body = shown.all("tbody");
                        let found = body.iter().flat_map(|body| body.all("tr"));
                        let rows = rows
                            .iter()
                            .map(|row| row.as_object().unwrap().values().map(text).collect());
                        (found.collect::<Vec<_>>().iter().map(row).collect(), rows.collect())
                    }
                    other => panic!("{id} is {other}"),
                };
                assert_eq!(on_page, in_json, "{id}");
                figures += in_json.iter().map(Vec::len).sum::<usize>();
            }
        }
        assert!(figures > 500, "{figures} figures were compared");
    }
}

#[test]
fn the_page_is_whole_has_every_section_and_stands_for_itself() {
    let audited = Audited::everything("whole", &[]);
    let page = parse(&audited.page);
    let ids: Vec<&str> = sections(&page).iter().filter_map(|it| it.attribute("id")).collect();
    for ledger in ["live", "sandbox"] {
        let mine: Vec<&str> =
            ids.iter().filter_map(|id| id.strip_prefix(&format!("{ledger}."))).collect();
        assert_eq!(mine, SECTIONS, "{ledger}");
    }
    // Every section has words, and none is empty without saying so.
    for section in sections(&page) {
        let title = &section.all("h2")[0].text;
        assert!(!title.contains('_') && !title.is_empty(), "{title}");
        let holds = !section.all("td").is_empty() || !section.all("dd").is_empty();
        let says = section.all("p").iter().any(|p| p.attribute("class") == Some("empty"));
        assert!(holds != says, "{title}");
    }
    let heads = [page.all("th"), page.all("dt")].concat();
    assert!(heads.iter().all(|head| !head.text.contains('_')), "a column has no words");
    for part in ["http://", "https://", "src=", "<script", "@import", "url("] {
        assert!(!audited.page.contains(part), "{part}");
    }
    let links = page.all("a");
    let known: BTreeSet<&str> = [page.all("section"), page.all("article")]
        .concat()
        .iter()
        .filter_map(|it| it.attribute("id"))
        .collect();
    for link in links {
        let href = link.attribute("href").unwrap();
        let target = href.strip_prefix('#').expect("a link within the page");
        assert!(known.contains(target), "{href} leads nowhere");
    }
    // Plots of what changes and of what is held, and styles for each way of reading it.
    assert!(page.all("svg").len() >= 8, "{} plots", page.all("svg").len());
    for part in ["prefers-color-scheme:dark", "@media print", "R$\u{a0}", "viewBox"] {
        assert!(audited.page.contains(part), "{part}");
    }
}

#[test]
fn names_of_the_journal_are_text_and_nothing_else() {
    let folder = Folder::new("audit-page-names");
    let lines = folder.path().join("names.jsonl");
    let name = r#"<b>&\"'</b>"#;
    let text = format!(
        r#"{{"at":"2026-11-20T12:00:00Z","fact":"account.opened","environment":"live","body":{{"id":"a","account":"{name}"}},"supplied":{{"key":"svc_live_loja"}}}}
{{"at":"2026-11-20T12:01:00Z","fact":"fee.adjusted","body":{{"id":"g-1","account":"{name}","effect_cents":900,"actor":"<i>bia</i>","reason":"a > b & c","evidence":"case-1"}}}}
{{"at":"2026-11-20T12:02:00Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{{"amount_cents":100,"from_customer_ref":"casa","to_customer_ref":"<script>alert(1)</script>","external_id":"t-1"}}}}
"#
    );
    std::fs::write(&lines, text).unwrap();
    let audited = Audited::from_files("escaped", &[lines.to_str().unwrap()], &[]);
    let page = parse(&audited.page);
    let cells: Vec<&str> = page.all("td").iter().map(|cell| cell.text.as_str()).collect();
    for text in ["<b>&\"'</b>", "<i>bia</i>", "a > b & c", "<script>alert(1)</script>"] {
        assert!(cells.contains(&text), "{text}");
    }
    assert!(page.all("script").is_empty() && page.all("b").is_empty() && page.all("i").is_empty());
}

#[test]
fn figures_are_those_of_the_day_and_sums_are_even() {
    let audited =
        Audited::from_files("day", &[&format!("{FOLDER}/examples/settlement-day.jsonl")], &[]);
    let live = &audited.json[0]["sections"];
    let rows = |key: &str| live[key].as_array().unwrap();
    let find = |key: &str, column: &str, value: &str| {
        let found = rows(key).iter().find(|row| row[column] == value);
        found.unwrap_or_else(|| panic!("{key}: {value} of {live:#}")).clone()
    };
    // As the audit says it in text (docs/cli.md).
    let brl = find("sums", "commodity", "BRL");
    assert_eq!((&brl["debits"], &brl["credits"]), (&"11200.00".into(), &"11200.00".into()));
    let fx = rows("trial_balance").iter().find(|row| row["account"] == "fx").unwrap();
    assert_eq!((&fx["credit"], &fx["debit"]), (&"918.12".into(), &Value::Null));
    for key in ["sums", "control"] {
        assert!(rows(key).iter().all(|row| row["equal"] == true), "{key}");
    }
    for key in ["roll_forward", "commission", "reserve"] {
        assert!(
            !rows(key).is_empty() && rows(key).iter().all(|row| row["agrees"] == true),
            "{key}"
        );
    }
    // What the trading positions come to is what stands in the exchange accounts.
    let cents = |text: &Value| text.as_str().unwrap().replace('.', "").parse::<i128>().unwrap();
    let reais: i128 = rows("trading")
        .iter()
        .filter_map(|row| match (&row["commodity"], &row["against"]) {
            (_, against) if against == "BRL" => Some(cents(&row["position_against"])),
            (commodity, _) if commodity == "BRL" => Some(cents(&row["position"])),
            _ => None,
        })
        .sum();
    assert_eq!(reais, 91_812);
    // What was earned by type is what the income accounts hold.
    let earned = find("fees", "account", "rev.purchase");
    assert_eq!(earned["net"], "31.78");
    let last = rows("over_time").iter().rfind(|row| row["commodity"] == "BRL").unwrap().clone();
    let coverage = find("coverage", "commodity", "BRL");
    assert_eq!(last["held"], coverage["held"], "the last moment is the ledger as it stands");
    assert!(live["chain"]["replays_agree"] == true && live["chain"]["records"] == 105);
}

#[test]
fn the_head_says_whose_it_is_of_when_and_by_whom() {
    let of = ["--institution", "Loja & Cia", "--preparer", "Bia"];
    let audited = Audited::everything("headed", &of);
    let heading = |page: &str| {
        let page = parse(page);
        let head = page
            .all("dl")
            .into_iter()
            .find(|list| list.attribute("class").is_some_and(|class| class.contains("heading")));
        let said = head.unwrap().all("dd").into_iter().map(|said| said.text.clone());
        said.collect::<Vec<_>>()
    };
    assert_eq!(heading(&audited.page), ["Loja & Cia", "20/11/2026 – 21/11/2026", "Bia"]);
    let quarter = Audited::everything("quarter", &["--period", "4º trimestre de 2026"]);
    assert_eq!(heading(&quarter.page), ["4º trimestre de 2026"]);
}

#[test]
fn a_ledger_at_fault_leaves_the_page_before_as_it_was() {
    let audited = Audited::everything("fault", &[]);
    let html = audited.folder.path().join("report.html").display().to_string();
    let other = ["audit", &audited.store, "--environment", "live", "--html", &html];
    let kept = "2:0000000000000000000000000000000000000000000000000000000000000000";
    let refused = called(&[&other[..], &["--head", kept]].concat());
    assert!(!refused.status.success());
    assert!(String::from_utf8(refused.stderr).unwrap().contains("NOT verified"));
    assert_eq!(std::fs::read_to_string(&html).unwrap(), audited.page);
    let nowhere = called(&["audit", &audited.store, "--html", "/nowhere/report.html"]);
    assert!(!nowhere.status.success());
    assert!(String::from_utf8(nowhere.stderr).unwrap().contains("/nowhere/report.html"));
    let both = called(&["audit", &audited.store, "--html", &html, "--invariant", "INV-07"]);
    assert!(String::from_utf8(both.stderr).unwrap().contains("--html"));
    // One ledger alone, and in text as before.
    let text = printed(&other);
    assert!(text.starts_with("Ledger live: verified"), "{text}");
    let page = parse(&std::fs::read_to_string(&html).unwrap());
    assert_eq!(page.all("article").len(), 1);
}

#[test]
fn the_figures_of_the_settlement_day_are_those_that_were_written_down() {
    let audited =
        Audited::from_files("golden", &[&format!("{FOLDER}/examples/settlement-day.jsonl")], &[]);
    let mut live = audited.json[0].clone();
    // Its hashes are of the version and of the vault's key.
    live["sections"].as_object_mut().unwrap().remove("chain").unwrap();
    let path = Path::new(FOLDER).join("tests/acceptance/settlement_day.audit.json");
    let found = format!("{live:#}\n");
    if std::env::var("GOLDEN").is_ok_and(|mode| mode == "write") {
        std::fs::write(&path, &found).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(kept == found, "other figures: GOLDEN=write cargo test --test acceptance audit_page");
}
