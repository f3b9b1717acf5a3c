//! A small month, each report of it whole.
#![allow(missing_docs)] // The names of tests are sentences.

mod world;

use ledger_regulatory::{
    AssetPrice, ClientReport, ClientReportError, CosifBalance, CosifMapping, CustodyPosition,
    RowFormat, check_report, ledger_rows, rows_csv,
};
use ledger_store::days::{Period, Span};
use ledger_store::moment::Moment;
use ledger_store::sequencer::Sequencer;
use ledger_store::signing::key::Signer;

use world::{NAME, november};

const MAPPING: &str = include_str!("mapping.toml");

fn span(from: &str, to: &str) -> Span {
    Span::parse(from, to, Period::Day).unwrap()
}

#[test]
fn the_position_states_own_and_clients_parts_with_the_price_that_the_ledger_knows() {
    let mut world = november();
    let moment: Moment = "2026-11-30".parse().unwrap();
    let then = Sequencer::open_at(&mut world.journal(), NAME, None, moment, |_, _| ()).unwrap();
    let position = CustodyPosition::read(&then).unwrap();
    let text = position.totals_csv();
    let rows: Vec<&str> = text.lines().skip(1).collect();
    let record = position.head.seq;
    assert_eq!(
        rows,
        [
            format!(
                "{record},2026-11-05T12:00:00Z,BRL,1107.00,106.00,0.00,1001.00,,reais,,1107.00,106.00,1001.00"
            ),
            format!(
                "{record},2026-11-05T12:00:00Z,usdt,100.000000,0.000000,0.000000,100.000000,5.40,exchange,2026-11-02T12:04:00Z,540.00,0.00,540.00"
            ),
        ]
    );
    let clients = position.clients_csv();
    let clients: Vec<&str> =
        clients.lines().skip(1).map(|line| line.split_once("Z,").unwrap().1).collect();
    assert_eq!(
        clients,
        [
            "loja/ana,BRL,cust.avail,89.00,,reais,,89.00",
            "loja/casa,BRL,cust.avail,10.00,,reais,,10.00",
            "unknown,BRL,susp.pix,7.00,,reais,,7.00",
        ]
    );
    assert_eq!(position.json(false)["without_price"], serde_json::json!([]));
}

#[test]
fn an_asset_of_no_known_price_is_listed_and_has_no_value() {
    let mut world = november();
    let moment: Moment = "2026-11-02T12:03:30Z".parse().unwrap();
    let then = Sequencer::open_at(&mut world.journal(), NAME, None, moment, |_, _| ()).unwrap();
    let position = CustodyPosition::read(&then).unwrap();
    let shown = position.json(true);
    assert_eq!(shown["without_price"], serde_json::json!(["usdt"]));
    assert!(shown["assets"][1]["price"].is_null());
    assert!(shown["assets"][1]["total"]["reais"].is_null());
    assert!(position.totals_csv().contains("without price"));
}

#[test]
fn the_rows_of_the_month_are_these() {
    let mut world = november();
    let (rows, _) = ledger_rows(&mut world.journal(), NAME, span("2026-11", "2026-11")).unwrap();
    let text = rows_csv(&rows, RowFormat::Neutral);
    let column = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        [cells[4], cells[6], cells[7], cells[8], cells[9], cells[10], cells[19]].join(" ")
    };
    let rows: Vec<String> = text.lines().skip(1).map(column).collect();
    assert_eq!(
        rows,
        [
            "from_own_wallet institution institution BRL 1000.00 1000.00 ",
            "from_own_wallet institution institution usdt 100.000000  reais",
            "transfer_in loja/ana vault BRL 100.00 100.00 ",
            "fee loja/ana institution BRL 1.00 1.00 ",
            "transfer_between loja/ana loja/casa BRL 10.00 10.00 ",
            "transfer_in unknown unknown BRL 7.00 7.00 person counterparty",
        ]
    );
    let declared = rows_csv(&[], RowFormat::CryptoDeclaration);
    assert!(declared.starts_with("day,class,undone,person,"));
}

#[test]
fn the_client_s_report_adds_up_and_holds_against_its_key_and_no_other() {
    let mut world = november();
    let read = |journal: &mut ledger_store::MemoryJournal, from: &str| {
        ClientReport::read(journal, NAME, ("loja", Some("ana")), span(from, "2026-11-30"))
    };
    let report = read(&mut world.journal(), "2026-11-04").unwrap();
    let asset = &report.assets[0];
    assert_eq!(
        (asset.opening, asset.came, asset.went, asset.closing_sum()),
        (9_900, 0, 1_000, 8_900)
    );
    assert_eq!(report.movements.len(), 1);

    let key = Signer::new("ledger.example.com", [7; 32]).unwrap().of_ledger(NAME, NAME);
    let text = report.json(Some(&key)).to_string();
    let statement = check_report(&text, Some(&key.verifier())).unwrap();
    assert!(statement.contains(&format!("link {}", report.head.link)), "{statement}");
    let other = Signer::new("ledger.example.com", [8; 32]).unwrap().of_ledger(NAME, NAME);
    assert!(check_report(&text, Some(&other.verifier())).is_err());
    let unsigned = report.json(None).to_string();
    assert!(check_report(&unsigned, None).is_ok());
    assert!(check_report(&unsigned, Some(&key.verifier())).is_err());
    for (was, is) in [("89.00", "89.01"), ("2026-11-30", "2026-11-29"), ("sha256 ", "sha256 0")] {
        let changed = text.replacen(was, is, 1);
        assert!(check_report(&changed, None).is_err(), "{was} was changed to {is}");
    }

    let page = report.html(Some(&key));
    assert!(page.contains("Saldo final") && page.contains("<td>89,00</td>"), "{page}");
    assert!(page.contains("04/11/2026 09:00") && !page.contains("<script"));
    assert!(page.contains("size: A4"));
    let all = read(&mut world.journal(), "2026-11-01").unwrap();
    assert_eq!((all.assets[0].opening, all.movements.len()), (0, 3));
    let nobody = ("loja", Some("<eva>"));
    let refused =
        ClientReport::read(&mut world.journal(), NAME, nobody, span("2026-11", "2026-11"));
    assert!(matches!(refused, Err(ClientReportError::NoClient(name)) if name == "loja/<eva>"));
}

#[test]
fn the_month_by_cosif_accounts_is_this_document() {
    let mut world = november();
    let mapping = CosifMapping::parse(MAPPING).unwrap();
    let balance = CosifBalance::read(&mut world.journal(), NAME, "2026-11", &mapping).unwrap();
    assert!(balance.over);
    assert_eq!(
        balance.xml(false),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <documento codigoDocumento=\"4010\" cnpj=\"12345678\" dataBase=\"2026-11\" tipoRemessa=\"I\">\n  \
         <contas>\n    \
         <conta codigoConta=\"1000000000\" saldo=\"1647.00\"/>\n    \
         <conta codigoConta=\"1100000000\" saldo=\"1107.00\"/>\n    \
         <conta codigoConta=\"1200000000\" saldo=\"540.00\"/>\n    \
         <conta codigoConta=\"4100000000\" saldo=\"106.00\"/>\n    \
         <conta codigoConta=\"6100000000\" saldo=\"1540.00\"/>\n    \
         <conta codigoConta=\"7100000000\" saldo=\"1.00\"/>\n  \
         </contas>\n</documento>\n"
    );
    assert!(balance.xml(true).contains("tipoRemessa=\"S\""));
    assert_eq!(balance.total, 164_700);
    assert_eq!(
        balance.prices["usdt"],
        AssetPrice::parse("5.40", "exchange", balance.prices["usdt"].at).unwrap()
    );
    let shown = balance.json();
    assert_eq!(shown["debits"], shown["credits"]);
}

#[test]
fn results_of_an_earlier_half_year_stand_in_their_own_account() {
    let mut world = november();
    let mapping = CosifMapping::parse(MAPPING).unwrap();
    let january = CosifBalance::read(&mut world.journal(), NAME, "2027-01", &mapping).unwrap();
    let code = |code: &str| january.accounts.iter().find(|account| account.code == code);
    assert!(code("7100000000").is_none());
    assert_eq!(code("6200000000").map(|account| account.centavos), Some(100));
    let without = MAPPING.replace("earlier_results = \"6200000000\"\n", "");
    let without = CosifMapping::parse(&without).unwrap();
    let refused = CosifBalance::read(&mut world.journal(), NAME, "2027-01", &without);
    let text = refused.unwrap_err().to_string();
    assert!(text.contains("rev.deposit in BRL") && text.contains("earlier"), "{text}");
}
