//! The shapes that banks give their lists: each is read, what is no PIX is counted as that, and
//! nothing matches that merely looks alike (rulings 82).

use std::fs;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_custody-ledger");

const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/acceptance/fixtures/reconcile");

/// A folder with the store of a ledger that took in some lines.
struct Store {
    folder: TempDir,
}

impl Store {
    fn from_lines(lines: &str) -> Self {
        let store = Self { folder: tempfile::tempdir().unwrap() };
        let file = store.file("lines.jsonl", lines);
        let (_, err, code) = run_program(&["run", &file, "--store", &store.path("ledger.db")]);
        assert_eq!(code, Some(0), "{err}");
        store
    }

    fn from_file(name: &str) -> Self {
        Self::from_lines(&fs::read_to_string(format!("{FILES}/{name}")).unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// Returns what comes of a list, as JSON, and the exit code.
    fn compare_list(&self, list: &str, more: &[&str]) -> (Value, Option<i32>) {
        let store = self.path("ledger.db");
        let first = ["reconcile", list, "--store", &store, "--json"];
        let (out, err, code) = run_program(&[&first, more].concat());
        (serde_json::from_str(&out).unwrap_or_else(|_| panic!("{list}: {err}")), code)
    }

    /// The same of a file of the cases, with its columns where it is a CSV.
    fn case(&self, name: &str) -> (Value, Option<i32>) {
        let columns = format!("{FILES}/{}", name.replace(".csv", ".toml"));
        let more = if name.contains(".csv") { vec!["--columns", &columns] } else { Vec::new() };
        self.compare_list(&format!("{FILES}/{name}"), &more)
    }

    /// The same of these lines under these columns.
    fn csv(&self, lines: &str, columns: &str, more: &[&str]) -> (Value, Option<i32>) {
        let (list, columns) = (self.file("list.csv", lines), self.file("columns.toml", columns));
        self.compare_list(&list, &[&["--columns", &columns], more].concat())
    }
}

fn run_program(arguments: &[&str]) -> (String, String, Option<i32>) {
    let Output { status, stdout, stderr } = Command::new(PROGRAM).args(arguments).output().unwrap();
    let [out, err] = [stdout, stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(!err.contains("panicked"), "{err}");
    (out, err, status.code())
}

/// Matched, other day, differs, only ours, only theirs, duplicates; no PIX, and unreadable.
fn counts(found: &Value) -> ([usize; 6], [usize; 2]) {
    let count = |class: &str| found[class].as_array().unwrap().len();
    let classes = ["matched", "other_day", "differs", "only_ours", "only_theirs", "duplicates"];
    (classes.map(count), ["no_pix", "unreadable"].map(count))
}

#[test]
fn every_shape_of_a_statement_is_read_and_compared() {
    let store = Store::from_file("camt-ledger.jsonl");
    let all = [4, 0, 0, 0, 0, 0];
    for name in [
        "base",
        "bom",
        "utf16",
        "prefix",
        "five-decimals",
        "leading-zeros",
        "no-decimals",
        "one-decimal",
        "datetime-without-zone-fraction",
        "txid-and-e2e-in-other-refs",
        "UETR-and-instrid",
        "usd-account-beside",
        "v2-batch-AmtDtls",
        "reversal-RvslInd-of-payout",
    ] {
        let (found, code) = store.case(&format!("camt-{name}.xml"));
        assert_eq!((counts(&found), code), ((all, [0, 0]), Some(0)), "{name}: {found:#}");
    }
    // What is no PIX is counted as that, and all that is one matches.
    for (name, way, cents) in [
        ("e2e-notprovided", "in", 1_200),
        ("fee-with-details-no-e2e", "out", 35),
        ("tariff-entry-without-details", "out", 35),
    ] {
        let (found, code) = store.case(&format!("camt-{name}.xml"));
        assert_eq!((counts(&found), code), ((all, [1, 0]), Some(0)), "{name}: {found:#}");
        let other = &found["no_pix"][0];
        assert_eq!((&other["direction"], &other["amount_cents"]), (&json!(way), &json!(cents)));
    }
    let (found, code) = store.case("camt-two-statements-same-entries.xml");
    assert_eq!((counts(&found), code), (([4, 0, 0, 0, 0, 4], [0, 0]), Some(1)));
}

#[test]
fn an_end_to_end_id_in_another_case_is_another_id() {
    let (found, code) = Store::from_file("camt-ledger.jsonl").case("camt-e2e-upper-cased.xml");
    assert_eq!((counts(&found), code), (([3, 0, 0, 1, 1, 0], [0, 0]), Some(1)));
    let (found, code) = Store::from_file("reconcile-names-ledger.jsonl").case("same-e2e-case.csv");
    assert_eq!((counts(&found), code), (([0, 0, 0, 4, 1, 0], [0, 0]), Some(1)));
}

#[test]
fn names_that_look_alike_are_not_the_same() {
    let store = Store::from_file("reconcile-names-ledger.jsonl");
    let (found, code) = store.case("names-collide.csv");
    assert_eq!((counts(&found), code), (([0, 0, 0, 4, 4, 0], [0, 0]), Some(1)), "{found:#}");
    let columns = fs::read_to_string(format!("{FILES}/names-collide.toml")).unwrap();
    let same = "Data;Ref;Valor\n20/11/2026;order-1-11;50,00\n20/11/2026;Pedido_A;60,00\n\
                20/11/2026;água;70,00\n20/11/2026;日本;80,00\n";
    let (found, code) = store.csv(same, &columns, &[]);
    assert_eq!((counts(&found), code), (([4, 0, 0, 0, 0, 0], [0, 0]), Some(0)));
}

#[test]
fn every_shape_of_a_csv_is_read_and_compared() {
    let store = Store::from_file("reconcile-names-ledger.jsonl");
    for (name, expected) in [
        ("bom-crlf-quotes", ([1, 0, 0, 3, 0, 0], [0, 0])),
        ("currency-prefix", ([1, 0, 1, 2, 0, 0], [0, 0])),
        ("date-12h", ([1, 0, 0, 3, 0, 0], [0, 0])),
        ("inter-preamble", ([1, 0, 0, 3, 0, 0], [0, 0])),
        ("mp-two-columns", ([1, 0, 0, 3, 0, 0], [0, 0])),
        ("nbsp-minus", ([1, 0, 1, 2, 0, 0], [0, 0])),
        ("total-footer", ([1, 0, 0, 3, 0, 0], [1, 0])),
    ] {
        let (found, code) = store.case(&format!("{name}.csv"));
        assert_eq!((counts(&found), code), (expected, Some(1)), "{name}: {found:#}");
        // What is read the wrong way round goes the other way.
        for pair in found["differs"].as_array().unwrap() {
            assert_eq!(
                (&pair["theirs"]["direction"], &pair["ours"]["direction"]),
                (&json!("out"), &json!("in"))
            );
            assert_eq!(pair["theirs"]["amount_cents"], 6_000);
        }
    }
}

const COLUMNS: &str = "delimiter = \";\"\namount = \"1.234,56\"\ndate = \"20/11/2026\"\n\
                       [columns]\nend_to_end_id = \"E2E\"\namount = \"Valor\"\ndate = \"Data\"\n";

#[test]
fn columns_say_where_the_names_stand_how_the_list_ends_and_which_amount_is_which() {
    let store = Store::from_file("reconcile-names-ledger.jsonl");
    let id = |number: u32| format!("E9040088820261120120600000{number:06}");
    // Two columns of amounts, in Latin letters, with lines before and below.
    let list = format!(
        "Extrato\nData;E2E;Valor;Saldo\n\nData;E2E;Cr\u{e9}dito;D\u{e9}bito\n\
         20/11/2026;{};50,00;\n20/11/2026;{};;60,00\n20/11/2026;{};0,00;-70,00\n\
         20/11/2026;{};80,00;1,00\nSaldo final;x;1.234,00;\n",
        id(1),
        id(2),
        id(3),
        id(4)
    );
    let latin: Vec<u8> = list.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let columns = "delimiter = \";\"\namount = \"1.234,56\"\ndate = \"20/11/2026\"\n\
                   names_line = 4\nfooter = [\"Saldo\", \"Total\"]\n\
                   [columns]\nend_to_end_id = \"E2E\"\ncredit = \"Crédito\"\n\
                   debit = \"Débito\"\ndate = \"Data\"\n";
    let columns = store.file("two.toml", columns);
    let (found, code) = store.compare_list(&store.file("two.csv", latin), &["--columns", &columns]);
    assert_eq!((counts(&found), code), (([1, 0, 2, 1, 0, 0], [1, 1]), Some(1)), "{found:#}");
    assert_eq!(found["unreadable"][0]["line"], 8);
    // A line that has another number of columns, or no date, and names a PIX, is named.
    let list = format!(
        "Data;E2E;Valor\n20/11/2026;{}\nhoje;{};60,00\n20/11/2026;{};70,00;;\n;;\n\
         20/11/2026;{};80,00;0,00\n",
        id(1),
        id(2),
        id(3),
        id(4)
    );
    let (found, _) = store.csv(&list, COLUMNS, &[]);
    assert_eq!(counts(&found), ([1, 0, 0, 3, 0, 0], [0, 3]), "{found:#}");
    for (from, to, expected) in [
        ("amount = \"Valor\"\n", "credit = \"Valor\"\n", "either amount, or credit and debit"),
        ("[columns]", "names_line = 0\n[columns]", "lines are counted from 1"),
        ("amount = \"Valor\"\n", "", "missing field `amount`"),
    ] {
        let (list, wrong) =
            (store.file("l.csv", &list), store.file("w.toml", COLUMNS.replace(from, to)));
        let arguments =
            ["reconcile", &list, "--store", &store.path("ledger.db"), "--columns", &wrong];
        let (_, err, code) = run_program(&arguments);
        assert!(code == Some(1) && err.contains(expected), "{expected}: {err}");
    }
}

/// A statement of these entries.
fn statement(entries: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><Document><BkToCstmrStmt><Stmt>{entries}\
         </Stmt></BkToCstmrStmt></Document>"
    )
}

fn entry(amount: &str, way: &str, date: &str, details: &str) -> String {
    format!(
        "<Ntry><Amt Ccy=\"BRL\">{amount}</Amt><CdtDbtInd>{way}</CdtDbtInd>\
         <Sts>BOOK</Sts>{date}<NtryDtls>{details}</NtryDtls></Ntry>"
    )
}

fn details(id: &str, more: &str) -> String {
    format!("<TxDtls><Refs><EndToEndId>{id}</EndToEndId></Refs>{more}</TxDtls>")
}

#[test]
fn each_transaction_of_an_entry_has_its_own_amount_and_the_entrys_day() {
    let store = Store::from_file("camt-ledger.jsonl");
    let id = |number: u32| format!("E90400888202611201206000000000{number:02}");
    let amount = |text: &str| format!("<Amt Ccy=\"BRL\">{text}</Amt>");
    let value = "<ValDt><Dt>2026-11-20-03:00</Dt></ValDt>";
    let batch = entry(
        "150.00",
        "CRDT",
        value,
        &[details(&id(1), &amount("100.00")), details(&id(2), &amount("50.00"))].concat(),
    );
    let sent = format!("<![CDATA[{}]]>", id(3));
    let rest = [
        entry("30.00", "DBIT", value, &details(&sent, "")),
        entry(
            "50.00",
            "DBIT",
            value,
            &details(
                "D9040088820261120120600000000001",
                "<RtrInf/><AddtlTxInf>\u{e1} &amp; b</AddtlTxInf>",
            ),
        ),
    ]
    .concat();
    let latin = |text: String| -> Vec<u8> {
        text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
    };
    let list = store.file("a.xml", latin(statement(&format!("{batch}{rest}"))));
    let (found, code) = store.compare_list(&list, &[]);
    assert_eq!((counts(&found), code), (([4, 0, 0, 0, 0, 0], [0, 0]), Some(0)), "{found:#}");
    // What the bank calls the entry is the name of none of several.
    let named = "<NtryRef>D9040088820261120120600000000009</NtryRef><Sts>";
    let list = store
        .file("n.xml", latin(statement(&format!("{batch}{rest}").replacen("<Sts>", named, 1))));
    let (found, code) = store.compare_list(&list, &[]);
    assert_eq!((counts(&found), code), (([4, 0, 0, 0, 0, 0], [0, 0]), Some(0)), "{found:#}");
    // One of several without an amount of its own, and one with another: each is seen.
    let bare = batch.replacen(&amount("100.00"), "", 2).replacen(
        "<Ntry>",
        "<Ntry><Amt Ccy=\"BRL\">150.00</Amt>",
        1,
    );
    let list = store.file("b.xml", latin(statement(&format!("{bare}{rest}"))));
    let (found, _) = store.compare_list(&list, &[]);
    assert_eq!(counts(&found), ([3, 0, 0, 1, 0, 0], [0, 1]), "{found:#}");
    let swapped =
        batch.replace(">100.00<", ">x<").replace(">50.00<", ">100.00<").replace(">x<", ">50.00<");
    let list = store.file("c.xml", latin(statement(&format!("{swapped}{rest}"))));
    let (found, _) = store.compare_list(&list, &[]);
    assert_eq!(counts(&found), ([2, 0, 2, 0, 0, 0], [0, 0]), "{found:#}");
}

#[test]
fn an_entry_is_of_the_day_of_its_booking_and_of_an_account_in_reais() {
    let store = Store::from_file("camt-ledger.jsonl");
    let dates = "<BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-23</Dt></ValDt>";
    let id = "E9040088820261120120600000000001";
    let paid = entry("100.00", "CRDT", dates, &details(id, ""));
    let (found, _) = store.compare_list(&store.file("a.xml", statement(&paid)), &[]);
    assert_eq!(counts(&found), ([1, 0, 0, 3, 0, 0], [0, 0]), "{found:#}");
    let dollars = statement(&format!("<Acct><Ccy>USD</Ccy></Acct>{paid}"));
    let days = ["--from", "2026-11-20", "--to", "2026-11-20"];
    let (found, _) = store.compare_list(&store.file("b.xml", dollars), &days);
    assert_eq!(counts(&found), ([0, 0, 0, 4, 0, 0], [1, 0]), "{found:#}");
}

/// The lines that open an account and its floats.
fn opened() -> String {
    let lines = fs::read_to_string(format!("{FILES}/camt-ledger.jsonl")).unwrap();
    lines.split_inclusive('\n').take(9).collect()
}

fn charge(at: &str, label: &str, cents: u32) -> String {
    json!({"at": at, "key": "svc_live_loja", "request": "POST /cashin/charge", "as": label,
        "body": {"destino": "saldo", "amount_cents": cents, "external_id": label,
            "payer_tax_number": "52998224725", "customer_ref": "ana"}})
    .to_string()
        + "\n"
}

fn fact(at: &str, label: &str, name: &str, body: &Value) -> String {
    json!({"at": at, "fact": name, "as": label, "environment": "live", "body": body}).to_string()
        + "\n"
}

#[test]
fn a_pix_paid_before_midnight_and_told_after_it_is_open_on_neither_day() {
    // Rulings 82: 23:59:50 in Brasília is 02:59:50 in UTC; the next two tell no instant of payment.
    let late = "2026-11-21T02:55:00Z";
    let told = "2026-11-21T03:00:10Z";
    let [first, second, third] = [1, 2, 3].map(|n| format!("E904008882026112102590000000000{n}"));
    let lines = [
        opened(),
        charge(late, "c1", 5_000),
        charge(late, "c2", 6_000),
        fact(
            told,
            "f1",
            "pix.received",
            &json!({"cashin_id": "$c1.cashin_id", "e2e": first, "amount_cents": 5_000,
                "paid_at": "2026-11-21T02:59:50Z"}),
        ),
        fact(
            told,
            "f2",
            "pix.received",
            &json!({"cashin_id": "$c2.cashin_id", "e2e": second, "amount_cents": 6_000}),
        ),
        json!({"at": told, "key": "svc_live_loja", "request": "POST /payouts", "as": "o1",
            "body": {"customer_ref": "ana", "amount_cents": 3_000, "pix_key": "ana@exemplo.com.br",
                "tax_number": "52998224725", "external_id": "o1"}})
        .to_string()
            + "\n",
        fact(told, "f3", "payout.paid", &json!({"payout_id": "$o1.payout_id", "e2e": third})),
    ]
    .concat();
    let store = Store::from_lines(&lines);
    let list = format!(
        "Data;E2E;Valor\n20/11/2026 23:59:50;{first};50,00\n20/11/2026 23:59:55;{second};60,00\n\
         20/11/2026 23:59:58;{third};-30,00\n"
    );
    let (found, code) = store.csv(&list, COLUMNS, &[]);
    assert_eq!((counts(&found), code), (([3, 0, 0, 0, 0, 0], [0, 0]), Some(0)), "{found:#}");
    let next_day = ["--from", "2026-11-21", "--to", "2026-11-21"];
    let (found, code) = store.csv("Data;E2E;Valor\n", COLUMNS, &next_day);
    assert_eq!((counts(&found), code), (([0, 0, 0, 0, 0, 0], [0, 0]), Some(0)), "{found:#}");
}

#[test]
fn what_left_suspense_is_known_by_the_id_of_its_return() {
    let at = "2026-11-20T12:10:00Z";
    let pix = |number: u32| format!("E90400888202611201206000000000{number:02}");
    let back = "D9040088820261120121000000000001";
    let received = |number: u32, label: &str| {
        let body = json!({"e2e": pix(number), "amount_cents": 5_000});
        fact(at, label, "pix.received", &body)
    };
    let returned = |label: &str, of: &str, return_id: Option<&str>| {
        let mut body = json!({"id": label, "suspense_id": format!("${of}.suspense_id"),
            "actor": "bia", "reason": "nobody's"});
        if let Some(id) = return_id {
            body["return_id"] = json!(id);
        }
        fact(at, label, "suspense.returned", &body)
    };
    let lines = [
        opened(),
        received(1, "s1"),
        received(2, "s2"),
        returned("b1", "s1", Some(back)),
        returned("b2", "s2", Some(back)),
        returned("b3", "s2", None),
    ]
    .concat();
    let store = Store::from_lines(&lines);
    let columns = COLUMNS.replace("amount = \"Valor\"", "return_id = \"D\"\namount = \"Valor\"");
    let list = format!(
        "Data;E2E;D;Valor\n20/11/2026;{0};;50,00\n20/11/2026;{1};;50,00\n\
         20/11/2026;;{back};-50,00\n20/11/2026;{1};D9040088820261120121000000000002;-50,00\n",
        pix(1),
        pix(2),
    );
    // One return is one return; one told without its id is found by the PIX that it returns.
    let (found, code) = store.csv(&list, &columns, &[]);
    assert_eq!((counts(&found), code), (([4, 0, 0, 0, 0, 0], [0, 0]), Some(0)), "{found:#}");
    let other = list.replace(back, "D9040088820261120121000000000003");
    let (found, _) = store.csv(&other, &columns, &[]);
    assert_eq!(counts(&found), ([3, 0, 0, 1, 1, 0], [0, 0]), "{found:#}");
}

#[test]
fn lines_of_one_name_are_copies_only_where_they_say_the_same_and_nothing_is_left_of_it() {
    let store = Store::from_file("reconcile-names-ledger.jsonl");
    let columns = fs::read_to_string(format!("{FILES}/names-collide.toml")).unwrap();
    let rest = "20/11/2026;Pedido_A;60,00\n20/11/2026;água;70,00\n20/11/2026;日本;80,00\n";
    // The line that says another amount takes nothing from the one that says the same.
    let two =
        format!("Data;Ref;Valor\n20/11/2026;order-1-11;51,00\n20/11/2026;order-1-11;50,00\n{rest}");
    let (found, code) = store.csv(&two, &columns, &[]);
    assert_eq!((counts(&found), code), (([4, 0, 0, 0, 1, 0], [0, 0]), Some(1)), "{found:#}");
    assert_eq!(found["only_theirs"][0]["amount_cents"], 5_100);
    let twice = two.replace("51,00", "50,00");
    let (found, _) = store.csv(&twice, &columns, &[]);
    assert_eq!(counts(&found), ([4, 0, 0, 0, 0, 1], [0, 0]));
    assert_eq!(found["duplicates"][0]["first_line"], 2);
    // Of one id and two amounts, one is another PIX than the ledger's.
    let id = "E9040088820261120120600000000001";
    let list = format!("Data;E2E;Valor\n20/11/2026;{id};50,00\n20/11/2026;{id};51,00\n");
    let (found, _) = store.csv(&list, COLUMNS, &[]);
    assert_eq!(counts(&found), ([1, 0, 0, 3, 1, 0], [0, 0]), "{found:#}");
}

#[test]
fn a_swapped_field_is_noticed_whichever_it_is() {
    let store = Store::from_file("camt-ledger.jsonl");
    let base = fs::read_to_string(format!("{FILES}/camt-base.xml")).unwrap();
    let changed = |from: &str, to: &str| {
        assert!(base.contains(from), "{from}");
        let list = store.file("a.xml", base.replacen(from, to, 1));
        counts(&store.compare_list(&list, &[]).0).0
    };
    assert_eq!(changed("<CdtDbtInd>CRDT", "<CdtDbtInd>DBIT"), [3, 0, 1, 0, 0, 0]);
    assert_eq!(changed(">100.00<", ">100.01<"), [3, 0, 1, 0, 0, 0]);
    assert_eq!(changed("<Dt>2026-11-20<", "<Dt>2026-11-19<"), [3, 1, 0, 0, 0, 0]);
    assert_eq!(changed("0000000001<", "0000000009<"), [3, 0, 0, 1, 1, 0]);
    assert_eq!(changed("<Cd>BOOK<", "<Cd>PDNG<"), [3, 0, 0, 1, 0, 0]);
    assert_eq!(changed("<EndToEndId>D904", "<EndToEndId>D905"), [3, 0, 0, 1, 1, 0]);
}
