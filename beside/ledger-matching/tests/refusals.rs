//! Files that are wrong are refused with file, line and column, and no part of them is matched.
#![allow(missing_docs)] // The names of tests are sentences.

use ledger_matching::read::columns::Columns;
use ledger_matching::read::{chain, exchange, provider};
use ledger_matching::{Quantity, Rules};

const COLUMNS: &str = include_str!("world/columns.toml");
const CHAIN: &str = include_str!("../../../examples/matching/tron.json");
const EXCHANGE: &str = include_str!("../../../examples/matching/exchange.csv");

fn refusal_of_chain(from: &str, to: &str) -> String {
    assert!(CHAIN.contains(from), "{from}");
    let text = CHAIN.replacen(from, to, 1);
    chain::read(("tron.json", 0), text.as_bytes()).unwrap_err().to_string()
}

fn refusal_of_exchange(from: &str, to: &str) -> String {
    assert!(EXCHANGE.contains(from), "{from}");
    let columns = Columns::parse("columns.toml", COLUMNS).unwrap().exchange.unwrap();
    let text = EXCHANGE.replacen(from, to, 1);
    exchange::read(("exchange.csv", 0), text.as_bytes(), &columns).unwrap_err().to_string()
}

#[test]
fn a_chain_s_faults_are_named_by_line_and_column() {
    for (from, to, refusal) in [
        ("\"2000\"", "2000", "tron.json:16:20: invalid type: integer `2000`, expected a string"),
        ("\"2000\"", "\"2e3\"", "tron.json:10:5: amount: \"2e3\" is no decimal above zero"),
        ("\"time\"", "\"tyme\"", "tron.json:12:12: unknown field `tyme`"),
        ("\"network\"", "\"net\"", "tron.json:3:7: unknown field `net`"),
        ("2026-11-20T12:41:00Z", "yesterday", "tron.json:10:5: time: \"yesterday\" is no instant"),
        (
            "\"to\": \"TJRabPrwbZy45sbavfcjinPJC18kjpRTv8\"",
            "\"to\": \"T1\"",
            "tron.json:10:5: neither address is watched",
        ),
        ("\"86.5\"", "\"\"", "tron.json:30:5: closing: \"\" is no decimal"),
        (
            "2026-11-21T03:00:00Z",
            "2026-11-19T03:00:00Z",
            "tron.json:1:1: to: the statement ends before it begins",
        ),
    ] {
        let refused = refusal_of_chain(from, to);
        assert!(refused.starts_with(refusal), "{refused}");
    }
}

#[test]
fn an_exchange_s_faults_are_named_by_line_and_cell() {
    for (from, to, refusal) in [
        ("Deposit", "Gift", "exchange.csv:4:2: \"Gift\" is none of the words of [exchange.kind]"),
        ("6480.00", "6480,00", "exchange.csv:5:1: "),
        ("6480.00", "much", "exchange.csv:5:9: \"much\" is no decimal of this file"),
        (
            "SELL",
            "LEND",
            "exchange.csv:5:5: \"LEND\" is neither bought nor sold by [exchange.side]",
        ),
        ("2026-11-20 12:46:00", "20.11.", "exchange.csv:4:1: \"20.11.\" is no time"),
        ("Total", "Sum", "exchange.csv:1:1: no column is named \"Total\""),
    ] {
        let refused = refusal_of_exchange(from, to);
        assert!(refused.starts_with(refusal), "{refused}");
    }
}

#[test]
fn rules_and_columns_are_refused_where_they_are_wrong() {
    let rules = |text| Rules::parse("rules.toml", text).unwrap_err().to_string();
    for (text, refusal) in [
        (
            "[[rule]]\nname = \"a\"\nsource = \"bank\"\n",
            "rules.toml:3:10: \"bank\" is none of provider, chain and exchange",
        ),
        ("[provider]\ntariff = 0.35\n", "rules.toml:2:10: invalid type"),
        ("[provider]\ntarif = \"0.35\"\n", "rules.toml:2:1: unknown field `tarif`"),
        (
            "[[rule]]\nname = \"a\"\nsource = \"chain\"\n[[rule]]\nname = \"a\"\nsource = \"chain\"\n",
            "rules.toml:6:1: two rules are named \"a\"",
        ),
    ] {
        let refused = rules(text);
        assert!(refused.starts_with(refusal), "{refused}");
    }
    let columns = Columns::parse("columns.toml", "[exchange]\nname = 3\n").unwrap_err().to_string();
    assert!(columns.starts_with("columns.toml:2:8: invalid type"), "{columns}");
}

#[test]
fn a_camt_states_its_balances_and_when_it_was_made() {
    let text = r#"<Document><BkToCstmrStmt><Stmt><CreDtTm>2026-11-21T03:00:00Z</CreDtTm>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="BRL">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="BRL">0.35</Amt><CdtDbtInd>DBIT</CdtDbtInd></Bal>
<Ntry><Amt Ccy="BRL">100.35</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2026-11-20</Dt></BookgDt><AddtlNtryInf>Tarifa mensal</AddtlNtryInf></Ntry>
</Stmt></BkToCstmrStmt></Document>"#;
    let rules = Rules::parse("rules.toml", "[provider.words]\nfee = [\"Tarifa\"]\n").unwrap();
    let statement =
        provider::read(("bank.xml", 0), text.as_bytes(), None, &rules.provider).unwrap();
    let balance = &statement.balances[0];
    let ends = (balance.opening.unwrap().to_string(), balance.closing.unwrap().to_string());
    assert_eq!(ends, ("100.00".to_owned(), "-0.35".to_owned()));
    assert_eq!(statement.made.as_deref(), Some("2026-11-21T03:00:00Z"));
    let movement = &statement.movements[0];
    assert_eq!((movement.class.name(), movement.position.line), ("fee", 4));
    assert_eq!(movement.signed_amount(), Quantity::from_cents(-10_035));
}

#[test]
fn a_csv_of_a_provider_needs_its_columns() {
    let rules = Rules::default();
    let refused = provider::read(("bank.csv", 0), b"a,b\n", None, &rules.provider).unwrap_err();
    assert!(refused.to_string().starts_with("bank.csv:1:1: a CSV needs [provider]"));
}
