//! A provider's list of an example day against the ledger: what matches, and each way in which it
//! may not; bad files by their lines; and facts that an operator may report of it.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_custody-ledger");

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

/// A payout of the example day, as the list has it.
const ANA: &str = "22/11/2026 09:05:09;PIX;D;90,00;E904008882026112212050000000009e;;";

/// A folder with a store that has lived the example day.
struct Day {
    folder: TempDir,
    columns: String,
}

struct ProgramOutput {
    out: String,
    err: String,
    code: Option<i32>,
}

fn said(arguments: &[&str]) -> ProgramOutput {
    let Output { status, stdout, stderr } = Command::new(PROGRAM).args(arguments).output().unwrap();
    let [out, err] = [stdout, stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(!err.contains("panicked"), "{err}");
    ProgramOutput { out, err, code: status.code() }
}

fn example(name: &str) -> String {
    fs::read_to_string(format!("{EXAMPLES}/{name}")).unwrap()
}

impl Day {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let day = Self { folder, columns: format!("{EXAMPLES}/provider-columns.toml") };
        day.runs(&format!("{EXAMPLES}/custody-day.jsonl"));
        day
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn runs(&self, file: &str) -> String {
        let ran = said(&["run", file, "--store", &self.path("ledger.db")]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.out
    }

    fn reconciles(&self, file: &str, more: &[&str]) -> ProgramOutput {
        let store = self.path("ledger.db");
        let columns = ["--columns", self.columns.as_str()];
        let columns = if file.contains(".xml") { &[][..] } else { &columns[..] };
        said(&[&["reconcile", file, "--store", &store][..], columns, more].concat())
    }

    /// The list with some text of it replaced, and what came of it, as JSON.
    fn found(&self, from: &str, to: &str) -> (Value, Option<i32>) {
        let list = example("provider-day.csv");
        assert!(list.contains(from), "{from}");
        let file = self.file("list.csv", list.replacen(from, to, 1));
        let days = ["--from", "2026-11-22", "--to", "2026-11-22", "--json"];
        let said = self.reconciles(&file, &days);
        (serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}", said.err)), said.code)
    }
}

/// How many there are of each class: matched, other day, differs, only ours, only theirs, duplicates.
fn counts(found: &Value) -> [usize; 6] {
    ["matched", "other_day", "differs", "only_ours", "only_theirs", "duplicates"]
        .map(|class| found[class].as_array().unwrap().len())
}

#[test]
fn a_day_on_which_all_matches_is_told_so() {
    let day = Day::new();
    for (file, ignored) in [("provider-day.csv", "4 lines"), ("provider-day.xml", "4 lines")] {
        let said = day.reconciles(&format!("{EXAMPLES}/{file}"), &[]);
        assert_eq!((said.code, &*said.err), (Some(0), ""), "{}", said.out);
        let first = said.out.lines().next().unwrap();
        assert_eq!(
            first,
            format!("live, 2026-11-22 to 2026-11-22, {ignored} of the file, 1 ignored")
        );
        let matched = said.out.lines().find(|line| line.contains("matched  ")).unwrap();
        let cells: Vec<&str> = matched.split(['│', '┆']).map(str::trim).collect();
        assert_eq!(cells[1..5], ["matched", "4", "5,00", "130,00"]);
        assert!(!said.out.contains("only ours  ┆    1"), "{}", said.out);
    }
}

#[test]
fn each_class_of_difference_is_found_where_it_is_planted() {
    let day = Day::new();
    let (found, code) = day.found("90,00", "90,00");
    assert_eq!((counts(&found), code), ([4, 0, 0, 0, 0, 0], Some(0)));
    assert_eq!(found["matches"], true);

    let (found, code) = day.found("90,00", "90,01");
    assert_eq!((counts(&found), code), ([3, 0, 1, 0, 0, 0], Some(1)));
    let pair = &found["differs"][0];
    assert_eq!(
        (&pair["theirs"]["amount_cents"], &pair["ours"]["amount_cents"]),
        (&9_001.into(), &9_000.into())
    );
    assert_eq!((&pair["theirs"]["line"], &pair["ours"]["record"]), (&2.into(), &34.into()));

    let (found, code) = day.found("PIX;D;90,00", "PIX;C;90,00");
    assert_eq!((counts(&found), code), ([3, 0, 1, 0, 0, 0], Some(1)), "it went the other way");

    let (found, code) = day.found(&format!("{ANA}\n"), "");
    assert_eq!((counts(&found), code), ([3, 0, 0, 1, 0, 0], Some(1)));
    assert_eq!(found["only_ours"][0]["id"], "E904008882026112212050000000009e");

    let theirs = "22/11/2026 10:00:00;PIX;C;1.234,56;E9040088820261122130000000000777;;";
    let (found, code) = day.found(ANA, &format!("{ANA}\n{theirs}"));
    assert_eq!((counts(&found), code), ([4, 0, 0, 0, 1, 0], Some(1)));
    assert_eq!(found["only_theirs"][0]["amount_cents"], 123_456);
    assert_eq!(found["only_theirs"][0]["at"], "2026-11-22T13:00:00Z");

    let (found, code) = day.found(ANA, &format!("{ANA}\n{ANA}"));
    assert_eq!((counts(&found), code), ([4, 0, 0, 0, 0, 1], Some(1)));
    let twice = &found["duplicates"][0];
    assert_eq!((&twice["line"], &twice["first_line"]), (&3.into(), &2.into()));

    // The same PIX, booked before midnight here and after it there: matched, and listed.
    let (found, code) = day.found("22/11/2026 16:10:09", "23/11/2026 00:00:01");
    assert_eq!((counts(&found), code), ([3, 1, 0, 0, 0, 0], Some(0)));
    let pair = &found["other_day"][0];
    assert_eq!(
        (&pair["theirs"]["day"], &pair["ours"]["day"]),
        (&"2026-11-23".into(), &"2026-11-22".into())
    );
}

#[test]
fn a_line_without_the_id_of_a_pix_is_found_by_the_name_of_its_operation() {
    let day = Day::new();
    let listed = said(&["export", &day.path("ledger.db"), "--format", "jsonl"]).out;
    let record: Value =
        serde_json::from_str(listed.lines().find(|line| line.contains(r#""record":34,"#)).unwrap())
            .unwrap();
    let payout = record["operation"].as_str().unwrap();
    // As it is, and as a txid, which has letters and digits only.
    for name in [payout.to_owned(), payout.replace('_', "").to_uppercase()] {
        let (found, code) = day.found("E904008882026112212050000000009e;;", &format!(";;{name}"));
        assert_eq!((counts(&found), code), ([4, 0, 0, 0, 0, 0], Some(0)), "{found:#}");
    }
    let (found, _) = day.found("E904008882026112212050000000009e;;", ";;nobody-knows");
    assert_eq!(counts(&found), [3, 0, 0, 1, 1, 0]);
}

#[test]
fn a_table_for_a_person_names_what_is_open() {
    let day = Day::new();
    let list = example("provider-day.csv").replace("90,00", "90,01");
    let said = day.reconciles(&day.file("list.csv", format!("{list}{ANA}\n")), &[]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("2 items do not match"), "{}", said.err);
    let other = said.out.lines().find(|line| line.contains("│ only theirs") && line.contains("E9"));
    assert!(other.is_some_and(|line| line.contains("90,00")), "{}", said.out);
    let row =
        said.out.lines().find(|line| line.contains("│ differs") && line.contains("E9")).unwrap();
    assert!(row.contains("90,01") && row.contains("90,00") && row.contains("34"), "{row}");
}

#[test]
fn a_line_that_is_not_readable_is_counted_apart_and_a_list_of_facts_is_never_written_over() {
    let day = Day::new();
    let list = example("provider-day.csv").replace("90,00", "90.0x");
    let (list, facts) = (day.file("list.csv", list), day.path("facts.jsonl"));
    let said = day.reconciles(&list, &["--propose", &facts]);
    let counts = "1 item does not match; 1 line is not readable, and may say what is only ours";
    assert!(said.err.contains(counts), "{}", said.err);
    let again = day.reconciles(&list, &["--propose", &facts]).err;
    assert!(
        again.contains(&format!("--propose writes a new file, and {facts} is there")),
        "{again}"
    );
}

#[test]
fn bad_files_are_answered_by_their_lines_and_leave_nothing() {
    let day = Day::new();
    let list = example("provider-day.csv");
    let refused = |name: &str, bytes: &[u8], expected: &[&str]| {
        let file = day.file(name, bytes);
        let facts = day.path("facts.jsonl");
        let said = day.reconciles(&file, &["--propose", &facts]);
        assert_eq!((said.code, &*said.out), (Some(1), ""), "{expected:?}");
        for expected in expected {
            let expected = expected.replace("FILE", &file);
            assert!(said.err.contains(&expected), "{expected}: {}", said.err);
        }
        assert!(fs::metadata(&facts).is_err());
    };
    refused("a.csv", b"", &["FILE:1: the file is empty"]);
    refused("a.csv", list.lines().next().unwrap().as_bytes(), &["FILE:2: no line is below"]);
    refused(
        "a.csv",
        list.replace("Valor (R$)", "Valor").as_bytes(),
        &["FILE:1: no column is named \"Valor (R$)\": there are Data, Tipo"],
    );
    refused(
        "a.csv",
        list.replace("EndToEndId", "Data").as_bytes(),
        &["FILE:1: the column \"Data\" stands there twice"],
    );
    let latin: Vec<u8> = list.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    refused("a.csv", &latin, &["FILE:1: this is not UTF-8"]);
    refused(
        "a.xml",
        b"<Document><BkToCstmrStmt>",
        &["FILE:1: the file ends within Document/BkToCstmrStmt"],
    );
    refused("a.xml", b"<html></html>", &["FILE:1: no account statement is in it"]);
    refused("a.xml", b"<a>\n</b>", &["FILE:2: this is no XML"]);
}

#[test]
fn lines_that_cannot_be_read_are_named_and_the_rest_is_compared() {
    let day = Day::new();
    let list = example("provider-day.csv");
    let named = |name: &str, bytes: &[u8], matched: usize, expected: &[&str]| {
        let file = day.file(name, bytes);
        let days = ["--from", "2026-11-22", "--to", "2026-11-22", "--json"];
        let said = day.reconciles(&file, &days);
        let found: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!((said.code, counts(&found)[0]), (Some(1), matched), "{expected:?}: {found:#}");
        assert_eq!(found["matches"], false);
        let unreadable = found["unreadable"].as_array().unwrap();
        assert_eq!(unreadable.len(), expected.len(), "{unreadable:?}");
        for (expected, shown) in expected.iter().zip(unreadable) {
            assert!(said.err.contains(&format!("{file}:{expected}")), "{expected}: {}", said.err);
            let (line, what) = expected.split_once(": ").unwrap();
            assert_eq!(shown["line"].to_string(), line);
            assert!(shown["reason"].as_str().unwrap().contains(what), "{shown}");
        }
    };
    let bad = list
        .replace("90,00", "90.00")
        .replace("5,00;E", "5,001;E")
        .replacen(";20,00;", ";0,00;", 1);
    named(
        "a.csv",
        bad.as_bytes(),
        1,
        &[
            "2: \"90.00\" is no amount written as 1.234,56",
            "4: an amount of nothing",
            "6: \"5,001\" is no amount",
        ],
    );
    for (from, to, expected) in [
        ("22/11", "31/11", "2: \"31/11/2026 09:05:09\" is no date"),
        ("PIX;D", "PIX;X", "2: \"X\" is none of the words of [direction]"),
        ("009e;;", "009e;", "2: 6 columns, and not 7"),
        ("E904008882026112212050000000009e", "", "2: it has no id"),
    ] {
        named("a.csv", list.replacen(from, to, 1).as_bytes(), 3, &[expected]);
    }
    let unknown = list.replacen("Tarifa", "Juros", 1);
    named("a.csv", unknown.as_bytes(), 4, &["3: \"Juros\" is none of the kinds"]);
    let xml = example("provider-day.xml");
    let foreign = "an amount in another currency";
    named(
        "a.xml",
        xml.replace("Ccy=\"BRL\">20.00", "Ccy=\"USD\">20.00").as_bytes(),
        2,
        &[&format!("18: {foreign}"), &format!("23: {foreign}")],
    );
    let comma = xml.replace(">5.00<", ">5,00<");
    named("a.xml", comma.as_bytes(), 3, &["32: \"5,00\" is no amount of BRL"]);
}

#[test]
fn a_file_in_latin_letters_is_read_where_its_columns_say_so() {
    let mut day = Day::new();
    let list = example("provider-day.csv");
    let latin: Vec<u8> = list.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let columns = example("provider-columns.toml").replace("\"utf-8\"", "\"latin-1\"");
    day.columns = day.file("columns.toml", columns);
    let file = day.file("latin.csv", latin);
    assert_eq!(day.reconciles(&file, &[]).code, Some(0));
    for (from, to, expected) in [
        ("\"latin-1\"", "\"utf-16\"", "encoding = \"utf-16\" is none of"),
        ("\"1.234,56\"", "\"1,5\"", "amount = \"1,5\" is none of"),
        ("\"20/11/2026\"", "\"11/20\"", "date = \"11/20\" is none of"),
        ("\";\"", "\"ab\"", "delimiter = \"ab\" is none of"),
        ("out = [\"D\"]", "", "[direction] says which words"),
        ("kind = \"Tipo\"", "sort = \"Tipo\"", "unknown field `sort`"),
        ("amount = \"Valor (R$)\"", "", "missing field `amount`"),
    ] {
        let text = fs::read_to_string(&day.columns).unwrap();
        assert!(text.contains(from), "{from}");
        let kept = std::mem::take(&mut day.columns);
        day.columns = day.file("wrong.toml", text.replace(from, to));
        let said = day.reconciles(&file, &[]);
        assert!(said.code == Some(1) && said.err.contains(expected), "{expected}: {}", said.err);
        day.columns = kept;
    }
}

#[test]
fn what_only_the_provider_knows_is_proposed_as_facts_that_run_takes_and_nothing_is_booked_by_itself()
 {
    let day = Day::new();
    let theirs = [
        // A PIX, and a payout, of which nobody knows; a return of Ana's payout; and three of which
        // nothing can be proposed.
        "22/11/2026 10:00:00;PIX;C;1.234,56;E9040088820261122130000000000777;;",
        "22/11/2026 10:01:00;PIX;D;7,77;E9040088820261122130100000000778;;nobody",
        "22/11/2026 10:02:00;Devolução;C;1,00;E904008882026112212050000000009e;D9040088820261122130200000000779;",
        "22/11/2026 10:03:00;Devolução;C;1,00;;D9040088820261122130300000000780;",
        "22/11/2026 10:04:00;PIX;C;1,00;E123;;",
        "22/11/2026 10:05:00;PIX;D;1,00;E9040088820261122130500000000781;;",
    ];
    let list = example("provider-day.csv");
    let file = day.file("list.csv", format!("{list}{}\n", theirs.join("\n")));
    let head = |day: &Day| said(&["audit", &day.path("ledger.db")]).out;
    let before = head(&day);
    let facts = day.path("facts.jsonl");
    let first = day.reconciles(&file, &["--propose", &facts]);
    assert_eq!(first.code, Some(1));
    assert!(first.err.contains("line 10 is not proposed: it is a return"), "{}", first.err);
    assert!(first.err.contains("line 11 is not proposed: E123 is no id of a PIX"), "{}", first.err);
    assert!(first.err.contains("line 12 is not proposed: it was sent"), "{}", first.err);
    assert_eq!(head(&day), before, "nothing is booked by itself");
    let again = day.reconciles(&file, &["--propose", &facts]);
    assert!(again.code == Some(1) && again.err.contains("facts.jsonl"), "it is not written over");

    let proposed = fs::read_to_string(&facts).unwrap();
    let names: Vec<Value> = proposed
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["fact"].clone())
        .collect();
    assert_eq!(names, ["pix.received", "payout.paid", "payout.returned"]);
    let answers = day.runs(&facts);
    let outcomes: Vec<Value> = answers
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["body"]["outcome"].clone())
        .collect();
    assert_eq!(outcomes, ["set_aside", "set_aside", "applied"], "{answers}");

    // Now they are known; what could not be proposed is still open.
    let days = ["--from", "2026-11-22", "--to", "2026-11-22", "--json"];
    let found: Value = serde_json::from_str(&day.reconciles(&file, &days).out).unwrap();
    let [matched, other_day, rest @ ..] = counts(&found);
    assert_eq!((matched + other_day, rest), (7, [0, 0, 3, 0]), "{found:#}");
}
