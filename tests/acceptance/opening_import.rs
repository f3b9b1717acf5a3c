//! Opening balances from a CSV: tried, compared with a total, and imported once (P:OpeningBalances).

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use crate::opening::{NOON, closed};
use crate::program::{done, printed, refused};

/// A folder with a store in which `loja` is open.
fn shop() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let (lines, store) = (folder.path().join("lines.jsonl"), folder.path().join("ledger.db"));
    let opened = json!({
        "at": NOON, "fact": "account.opened", "body": { "id": "acc-1", "account": "loja" },
        "supplied": { "key": "svc_live_loja" },
    });
    fs::write(&lines, opened.to_string()).unwrap();
    let store = store.display().to_string();
    done(&["run", lines.to_str().unwrap(), "--store", &store]);
    (folder, store)
}

/// The arguments that import this text as balances.
fn importing(folder: &TempDir, store: &str, text: &str, more: &[&str]) -> Vec<String> {
    let file = folder.path().join("balances.csv");
    fs::write(&file, text).unwrap();
    let file = file.display().to_string();
    let plain = ["import", "--balances", &file, "--store", store, "--actor", "bia"];
    let reason = ["--reason", "migration", "--at", NOON];
    [&plain[..], &reason, more].concat().into_iter().map(str::to_owned).collect()
}

fn as_texts(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

const BALANCES: &str = "account,customer_ref,amount_cents,description\n\
                        loja,ana,125000,Saldo anterior\nloja,bia,50,\nloja,,4950,\n";

#[test]
fn opn_03_a_file_of_balances_is_tried_compared_with_its_total_and_imported_once() {
    let (folder, store) = shop();
    let import = |more: &[&str]| importing(&folder, &store, BALANCES, more);
    let tried = printed(&as_texts(&import(&["--dry-run", "--total", "130000"])));
    for text in ["loja", "1.300,00", "dry run: 3 balances, nothing is reported"] {
        assert!(tried.contains(text), "{text}: {tried}");
    }
    let differs = refused(&as_texts(&import(&["--total", "130001"])));
    assert!(differs.contains("sums to 130000 centavos, and --total is 130001"), "{differs}");
    let equity = || {
        let books = printed(&["trial-balance", &store]);
        books.lines().find(|line| line.contains("prod.equity")).map(str::to_owned)
    };
    assert_eq!(equity(), None, "nothing was reported");
    let first = printed(&as_texts(&import(&["--total", "130000"])));
    assert!(first.contains("applied 3, known 0, set aside 0"), "{first}");
    assert!(equity().is_some_and(|line| line.contains("1300.00")), "{:?}", equity());
    let again = printed(&as_texts(&import(&[])));
    assert!(again.contains("applied 0, known 3, set aside 0"), "{again}");
    // A run that was cut off goes on: one line more is the one that is applied.
    let longer = format!("{BALANCES}loja,cid,7,\n");
    let rest = printed(&as_texts(&importing(&folder, &store, &longer, &[])));
    assert!(rest.contains("applied 1, known 3, set aside 0"), "{rest}");
    let balance = printed(&["balance", &store, "loja", "--customer", "ana"]);
    assert!(balance.contains("1.250,00"), "{balance}");
    let hledger = folder.path().join("books.hledger").display().to_string();
    done(&["export", &store, "--format", "hledger", "--output", &hledger]);
    let hledger = fs::read_to_string(hledger).unwrap();
    assert!(hledger.contains(":prod:equity:equity.opening"), "{hledger}");
    done(&["audit", &store]);
}

#[test]
fn opn_04_a_file_with_a_mistake_is_refused_whole_and_each_mistake_is_named() {
    let (folder, store) = shop();
    let text = "account,customer_ref,amount_cents\nloja,ana,5\nbanca,ana,5\nloja,casa,5\n\
                loja,bia,0\nloja,ana,6\n";
    let error = refused(&as_texts(&importing(&folder, &store, text, &[])));
    for text in [
        "mistakes: 4",
        "line 3: account \"banca\" is not in the ledger",
        "line 4: customer_ref ",
        "line 5: amount_cents \"0\" is no whole number of centavos above zero",
        "line 6: line 2 has the same subaccount",
    ] {
        assert!(error.contains(text), "{text}: {error}");
    }
    assert!(!printed(&["trial-balance", &store]).contains("prod.equity"));
    let none = folder.path().join("none.db").display().to_string();
    refused(&as_texts(&importing(&folder, &none, BALANCES, &[])));
    assert!(!folder.path().join("none.db").exists(), "no store is made for balances");
    // The ledger may set a balance aside: its line is named.
    let lines = folder.path().join("close.jsonl");
    let close =
        json!({ "at": NOON, "fact": "opening_balances.closed", "body": closed("closed-1") });
    fs::write(&lines, close.to_string()).unwrap();
    done(&["run", lines.to_str().unwrap(), "--store", &store]);
    let late = refused(&as_texts(&importing(&folder, &store, BALANCES, &[])));
    assert!(late.contains("line 2 is set aside: opening_closed"), "{late}");
    let again = refused(&as_texts(&importing(&folder, &store, BALANCES, &[])));
    assert_eq!(again, late, "a repeat brings it no more than the first time");
}

#[test]
fn opn_03_a_clock_far_from_the_last_record_brings_no_balance_unless_an_instant_is_named() {
    let (folder, store) = shop();
    let import = importing(&folder, &store, BALANCES, &[]);
    let at = import.iter().position(|argument| argument == "--at").unwrap();
    // Beyond what any machine's clock shows while this is run.
    let lines = folder.path().join("later.jsonl");
    let later = json!({ "at": "2036-10-20T12:00:00Z", "fact": "time.passed", "body": {} });
    fs::write(&lines, later.to_string()).unwrap();
    done(&["run", lines.to_str().unwrap(), "--store", &store]);
    let error = refused(&as_texts(&[&import[..at], &import[at + 2..]].concat()));
    assert!(error.contains("by the last record: --at names the instant"), "{error}");
    let error = refused(&as_texts(&[&import[..=at], &["noon".to_owned()][..]].concat()));
    assert!(error.contains("--at noon is no instant"), "{error}");
    assert!(!printed(&["trial-balance", &store]).contains("prod.equity"));
    let named = [&import[..=at], &["2036-10-20T12:00:00Z".to_owned()][..]].concat();
    let first = printed(&as_texts(&named));
    assert!(first.contains("applied 3, known 0, set aside 0"), "{first}");
}
