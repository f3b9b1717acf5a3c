//! `docs/PROJECTIONS.md` says what there is, and its queries run.

use ledger_store::projection::Projector;
use ledger_store::projection::schema::EVERY_TABLE;
use ledger_store::projection::schema::table::{Column, Need, Sort};

use crate::setup::LIVE;
use crate::{Home, journal, lived};

const DOCUMENT: &str = include_str!("../../../docs/PROJECTIONS.md");

fn line(column: &Column) -> String {
    let sort = match column.sort {
        Sort::Integer => "integer",
        Sort::Text => "text",
    };
    let null = if column.need == Need::Always { "" } else { ", or null" };
    format!("| `{}` | {sort}{null} | {} |", column.name, column.about)
}

#[test]
fn the_document_has_every_table_and_column_and_no_other() {
    let mut expected = Vec::new();
    for table in EVERY_TABLE {
        expected.push(format!("### `{}`", table.name));
        expected.push(table.about.to_owned());
        expected.extend(table.columns.iter().map(line));
    }
    let section = DOCUMENT.split("## The tables").nth(1).unwrap().split("\n## ").next().unwrap();
    let ignored =
        |line: &&str| !["", "|---|---|---|", "| Column | Holds | Meaning |"].contains(line);
    let mut found = section.lines().skip_while(|line| !line.starts_with("### ")).filter(ignored);
    for expected in &expected {
        assert_eq!(found.next(), Some(expected.as_str()));
    }
    let left: Vec<_> =
        found.filter(|line| line.starts_with('#') || line.starts_with('|')).collect();
    assert_eq!(left, Vec::<&str>::new());
}

#[test]
fn the_columns_of_the_databases_are_those_of_the_document() {
    for home in Home::both() {
        Projector::open(&mut journal(&[]), LIVE, &home.target).unwrap();
        for table in EVERY_TABLE {
            let names = table.columns.iter().map(|column| column.name).collect::<Vec<_>>();
            let all = names.join(", ");
            home.query(&format!("SELECT ledger, {all} FROM {} WHERE 1 = 0", table.name));
        }
    }
}

#[test]
fn the_documents_queries_run_and_find_something_on_both_databases() {
    let story = lived(20, 500);
    let blocks = DOCUMENT.split("```sql\n").skip(1);
    let queries: Vec<&str> = blocks.map(|block| block.split("```").next().unwrap()).collect();
    assert_eq!(queries.len(), 5);
    for home in Home::both() {
        Projector::open(&mut journal(&story.commits), LIVE, &home.target).unwrap();
        for query in &queries {
            let found = home.query(query);
            let proves_by_finding_nothing = query.contains("-- finds nothing");
            assert_eq!(found.is_empty(), proves_by_finding_nothing, "{query}: {found:?}");
        }
    }
}
