//! Statements of a span of time, over as many pages as it has.

use custody_ledger::Clock as _;
use custody_ledger::prelude::*;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::value::{Instant, Span};

use super::shop::{Shop, amount, ana};

#[test]
fn a_span_has_its_rows_alone_newest_first_over_all_pages() {
    let shop = Shop::over("memory:");
    let cents = |number: i64| 1 + number % 30;
    shop.collect(&ana(), 10_000, 1);
    shop.clock.advance(Span::hours(1));
    let from = shop.clock.now();
    for number in 0..450 {
        let (bruno, id) = (Party::customer("bruno").unwrap(), format!("t-{number}"));
        let id = ExternalId::new(&id).unwrap();
        let transfer = CreateTransfer::new(ana(), bruno, amount(cents(number)), id);
        shop.loja.ask(&transfer).wait().unwrap();
    }
    shop.clock.advance(Span::hours(1));
    let to = shop.clock.now();
    shop.collect(&ana(), 7_000, 2);
    let within = |from: Instant, to: Instant| {
        let rows = shop.loja.statement_between(&ana(), from, to).wait().unwrap();
        rows.into_iter().map(|row| row.amount.cents()).collect::<Vec<i64>>()
    };
    let spent: Vec<i64> = (0..450).rev().map(|number| -cents(number)).collect();
    assert_eq!(within(from, to), spent);
    let all = within(Instant::default(), to.after(Span::hours(1)));
    assert!(all.len() >= 452 && all.contains(&7_000) && all.contains(&10_000), "{all:?}");
    assert!(within(to.after(Span::hours(1)), to.after(Span::hours(2))).is_empty());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let awaited = async { shop.loja.statement_between(&ana(), from, to).await.unwrap() };
    assert_eq!(runtime.block_on(awaited).len(), 450);
}
