//! One statement over the ledgers that an account lived in, put together of a part of each.
//!
//! Each ledger gives its part of a page: its items below a place, newest first, without the rows by
//! which balances were carried from ledger to ledger. The parts are merged by instant, and of one
//! instant in the order in which the account lived in the ledgers. What an item says was there
//! after it is what all operations before it, in whichever ledger, come to; so it goes on across a
//! move, and does not ask whether what was booked later in a ledger that was left is carried yet.
//!
//! A cursor is that of a row in its own ledger, as with one ledger: those that were given before a
//! move are as good after it.

use std::collections::VecDeque;

use serde_json::Value;

use super::account::balance_routes::statement_parameters;
use super::call::{Call, CallKind};
use super::cell::plan::carried_id;
use super::error::Problem;
use super::input::query::Target;
use super::input::tokens::Vault;
use super::statement::{Folded, Page, Rows as _, StatementQuery, View, page};
use super::views::Views;
use crate::accounting::{Row, RowKind};
use crate::id::{AccountId, Seq, SubaccountId};
use crate::ledger::{Archive, Event, ExternalId};
use crate::time::Instant;

const PATH: &str = "/saldo/extrato";

/// What a call asks of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementAsked {
    /// The customer; none for the house.
    pub customer: Option<Box<str>>,
    /// A row a leg, or a row an operation's step.
    pub view: View,
    /// How many rows, 1 to 200.
    pub limit: usize,
    /// The cursor that the page before ended with.
    pub before: Option<Box<str>>,
}

/// What `GET /saldo/extrato` is asked for. None for any other call, and for one that is refused for
/// what its query says.
#[must_use]
pub fn statement_asked(call: &Call) -> Option<StatementAsked> {
    let CallKind::Request { method, target, .. } = &call.ask else { return None };
    let target = Target::parse(target).ok().filter(|target| target.path() == PATH)?;
    if method != "GET" {
        return None;
    }
    let (view, customer, limit) = statement_parameters(&target).ok()?;
    let before = target.get("before").map(Into::into);
    Some(StatementAsked { customer: customer.map(Into::into), view, limit, before })
}

impl StatementAsked {
    /// The same call without its cursor: for a ledger that did not give it.
    #[must_use]
    pub fn without_cursor(&self, call: &Call) -> Call {
        let mut call = call.clone();
        if let CallKind::Request { target, .. } = &mut call.ask {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.append_pair("limit", &self.limit.to_string());
            if let Some(customer) = &self.customer {
                query.append_pair("customer_ref", customer);
            }
            if self.view == View::Operations {
                query.append_pair("visao", "operacoes");
            }
            *target = format!("{PATH}?{}", query.finish());
        }
        call
    }
}

/// Where a row stands among those of all ledgers: by instant, then in the order in which the
/// account lived in the ledgers, then by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowPlace {
    /// When it was booked.
    pub at: Instant,
    /// In which of the ledgers: 0 for the one that the account lived in first.
    pub ledger: usize,
    /// Its number there, from 1.
    pub number: u32,
}

/// What one ledger is asked for.
#[derive(Clone, Debug)]
pub struct PartAsked {
    /// The name of the account.
    pub account: Box<str>,
    /// Which of the ledgers that it lived in this one is.
    pub ledger: usize,
    /// What the whole statement is asked for.
    pub asked: StatementAsked,
    /// Where the page before ended; absent: with the newest row.
    pub before: Option<RowPlace>,
    /// The ids of the facts by which the balance left the ledgers before this one.
    pub entered: Vec<String>,
    /// The ids of the moves by which the account leaves this ledger.
    pub leaves_by: Vec<Box<str>>,
}

/// What one ledger has for a page.
#[derive(Clone, Debug, Default)]
pub struct StatementPart {
    /// Newest first; at most as many as the page has.
    items: VecDeque<Item>,
    /// What its operations come to below the last item, in centavos.
    below: i64,
    /// Whether any are.
    more: bool,
    /// The ids of the facts by which the balance left this ledger.
    left: Vec<String>,
}

/// A row, or the rows of a step.
#[derive(Clone, Debug)]
struct Item {
    place: RowPlace,
    cursor: String,
    body: Value,
    /// What the operations of its ledger come to with it, in centavos.
    total: i64,
}

impl StatementPart {
    /// The ids of the facts by which the balance left this ledger: the next one is asked with them.
    #[must_use]
    pub fn departure_ids(&self) -> &[String] {
        &self.left
    }

    /// What its operations come to as far as they are not on the page yet, in centavos.
    fn total(&self) -> i64 {
        self.items.front().map_or(self.below, |item| item.total)
    }
}

/// The page that the parts of all ledgers make, as `GET /saldo/extrato` answers it.
#[must_use]
pub fn whole_statement(asked: &StatementAsked, mut parts: Vec<StatementPart>) -> Value {
    let (mut items, mut last) = (Vec::new(), None);
    while items.len() < asked.limit {
        let total: i64 = parts.iter().map(StatementPart::total).sum();
        let newest = parts.iter_mut().filter(|part| !part.items.is_empty());
        let newest = newest.max_by_key(|part| part.items.front().map(|item| item.place));
        let Some(mut item) = newest.and_then(|part| part.items.pop_front()) else { break };
        if asked.view == View::Entries {
            item.body["saldo_apos_cents"] = total.into();
        }
        items.push(item.body);
        last = Some(item.cursor);
    }
    let more = parts.iter().any(|part| part.more || !part.items.is_empty());
    page(asked.view, asked.customer.as_deref(), &items, last.as_deref().filter(|_| more))
}

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// The place of the row that a cursor names, where this ledger gave it for this statement.
    #[must_use]
    pub fn statement_place(&self, asked: &PartAsked) -> Option<RowPlace> {
        let account = self.state.account_named(&asked.account)?;
        let subaccount = self.party(account, asked.asked.customer.as_deref())?;
        let before = asked.asked.before.as_deref()?;
        let mut rows = Folded { views: self, subaccount };
        let one = asked.query(account, subaccount);
        let count = rows.count().ok()?;
        let number = Page { ledger: &self.state.name, asked: &one, rows: &mut rows }
            .read_cursor(before, count)
            .ok()?;
        let at = self.archive.row(subaccount, number)?.at;
        Some(RowPlace { at, ledger: asked.ledger, number })
    }

    /// What this ledger has for a page of a whole statement; nothing where it has no such account,
    /// or no such customer of it.
    ///
    /// # Errors
    ///
    /// As of [`Views::statement`].
    pub fn statement_part(&self, asked: &PartAsked) -> Result<StatementPart, Problem> {
        let account = self.state.account_named(&asked.account);
        let party = account.and_then(|account| {
            Some((account, self.party(account, asked.asked.customer.as_deref())?))
        });
        let Some((account, subaccount)) = party else { return Ok(StatementPart::default()) };
        let left = self.left_by(subaccount, &asked.leaves_by);
        let carried = self.carried_amounts(subaccount, asked.entered.iter().chain(&left));
        let (one, mut rows) =
            (asked.query(account, subaccount), Folded { views: self, subaccount });
        let count = self.state.books.subaccount(subaccount).rows;
        let mut number = match asked.before {
            Some(before) => self.rows_below(subaccount, count, asked.ledger, before),
            None => count,
        };
        let below = if number == 0 {
            0
        } else {
            let row = self.row(subaccount, number);
            let carried = carried.iter().filter(|(seq, _)| *seq <= row.seq);
            row.balance_after.cents() - carried.map(|(_, cents)| cents).sum::<i64>()
        };
        let mut page = Page { ledger: &self.state.name, asked: &one, rows: &mut rows };
        let mut part = StatementPart { items: VecDeque::new(), below, more: false, left };
        while number > 0 {
            let row = self.row(subaccount, number);
            if row.kind == RowKind::Carried {
                number -= 1;
                continue;
            }
            if part.items.len() == asked.asked.limit {
                part.more = true;
                break;
            }
            let first = match asked.asked.view {
                View::Entries => number,
                View::Operations => page.first_of_step(number)?,
            };
            let body = page.item(first, number)?;
            let place = RowPlace { at: row.at, ledger: asked.ledger, number: first };
            let cursor = page.cursor(asked.asked.view, first);
            part.items.push_back(Item { place, cursor, body, total: part.below });
            let values = (first..=number).map(|number| self.row(subaccount, number).value.cents());
            part.below -= values.sum::<i64>();
            number = first - 1;
        }
        Ok(part)
    }

    fn row(&self, subaccount: SubaccountId, number: u32) -> Row {
        let row = self.archive.row(subaccount, number);
        row.expect("the books count only rows that the archive was given")
    }

    /// How many of a subaccount's rows stand below a place. Rows are dated in their order.
    fn rows_below(
        &self,
        subaccount: SubaccountId,
        count: u32,
        ledger: usize,
        before: RowPlace,
    ) -> u32 {
        let is_below = |number: u32| {
            let at = self.row(subaccount, number).at;
            RowPlace { at, ledger, number } < before
        };
        if count == 0 || is_below(count) {
            return count;
        }
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            if is_below(middle + 1) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The ids of the facts by which a balance left this ledger in these moves.
    fn left_by(&self, subaccount: SubaccountId, moves: &[Box<str>]) -> Vec<String> {
        let key = subaccount.0.to_string();
        let mut left = Vec::new();
        for id in moves {
            let ids = (1..=u32::MAX).map(|number| carried_id(id, &key, number));
            left.extend(
                ids.take_while(|id| self.archive.fact_seq(&ExternalId::fact(id)).is_some()),
            );
        }
        left
    }

    /// The records by which a balance was carried under these ids, and what came here by each, in
    /// centavos: less than nothing where it left.
    fn carried_amounts<'i>(
        &self,
        of: SubaccountId,
        ids: impl Iterator<Item = &'i String>,
    ) -> Vec<(Seq, i64)> {
        let by =
            |id: &String| {
                let seq = self.archive.fact_seq(&ExternalId::fact(id))?;
                let events = self.archive.record(seq)?.events;
                events.iter().find_map(|event| match event {
                    Event::BalanceCarried {
                        subaccount, commission_of: None, given, taken, ..
                    } if *subaccount == of => Some((seq, given.cents() - taken.cents())),
                    _ => None,
                })
            };
        ids.filter_map(by).collect()
    }
}

impl PartAsked {
    /// What is asked of one ledger's statement.
    fn query(&self, account: AccountId, subaccount: SubaccountId) -> StatementQuery<'_> {
        StatementQuery {
            account,
            subaccount: Some(subaccount),
            customer: self.asked.customer.as_deref(),
            view: self.asked.view,
            limit: self.asked.limit,
            before: self.asked.before.as_deref(),
        }
    }
}
