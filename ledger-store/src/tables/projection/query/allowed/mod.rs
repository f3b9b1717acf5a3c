//! Which queries may be asked: those of which every part is understood and every name is known.
//!
//! A query is parsed, each part of its tree is held against a list of what is allowed, and what the
//! database gets is the tree written anew: no comment, quotation mark or second statement of the
//! text comes through. Written anew it must read as the same tree.

mod expr;
mod names;
mod walk;

use std::panic::resume_unwind;
use std::thread;

use sqlparser::ast::{Query, Statement};
use sqlparser::dialect::{Dialect as Reads, PostgreSqlDialect, SQLiteDialect};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, Tokenizer};
use thiserror::Error;

pub use names::readable_tables;
use walk::Walk;

use crate::tables::projection::schema::table::Dialect;

/// The longest text of a query, in bytes.
const MOST_BYTES: usize = 8_192;

/// The most words and signs of a query: a tree is no deeper than its text is long, and the stack
/// of the thread that reads it has room for this.
const MOST_TOKENS: usize = 800;

/// Of the stack of the thread that reads a query, in bytes: several times what the deepest takes
/// where nothing is optimized. Only what is used of it takes memory.
const STACK: usize = 64 << 20;

/// How deep parentheses may stand in each other.
const DEEPEST: usize = 24;

/// Why a query is not asked: a sentence for whoever wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct QueryRefused(String);

impl QueryRefused {
    /// The database would open for this query what is none of the tables.
    #[cfg(feature = "sqlite")]
    pub(super) fn program(code: &str) -> Self {
        Self(format!("the database would open more for it than the tables ({code})"))
    }
}

/// A refusal in these words.
fn refuse<T>(why: impl Into<String>) -> Result<T, QueryRefused> {
    Err(QueryRefused(why.into()))
}

/// The query as the database gets it.
///
/// # Errors
///
/// [`QueryRefused`] for whatever is not one query over the tables that may be read.
pub(super) fn check_query(sql: &str, dialect: Dialect) -> Result<String, QueryRefused> {
    if sql.len() > MOST_BYTES {
        return refuse(format!("a query has at most {MOST_BYTES} bytes"));
    }
    thread::scope(|scope| {
        let reads = || written_anew(sql, dialect);
        let thread = thread::Builder::new().name("ledger-query".to_owned()).stack_size(STACK);
        let reading = thread.spawn_scoped(scope, reads);
        let reading = reading.or_else(|_| refuse("the system gives no thread to read a query"))?;
        reading.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// The query as its tree is written, on this stack.
fn written_anew(sql: &str, dialect: Dialect) -> Result<String, QueryRefused> {
    let reads: &dyn Reads = match dialect {
        Dialect::Sqlite => &SQLiteDialect {},
        Dialect::Postgres => &PostgreSqlDialect {},
    };
    let query = parse_query(sql, reads)?;
    Walk::default().whole(&query)?;
    let written = query.to_string();
    if parse_query(&written, reads).as_ref() != Ok(&query) {
        return refuse("the query cannot be written anew as it was understood");
    }
    Ok(written)
}

fn parse_query(sql: &str, reads: &dyn Reads) -> Result<Query, QueryRefused> {
    let no_sql = |error: String| QueryRefused(format!("this is not understood as SQL: {error}"));
    let tokens = Tokenizer::new(reads, sql).tokenize();
    let tokens = tokens.map_err(|error| no_sql(error.to_string()))?;
    is_small(&tokens)?;
    let statements = Parser::new(reads).with_tokens(tokens).parse_statements();
    let mut statements = statements.map_err(|error| no_sql(error.to_string()))?.into_iter();
    match (statements.next(), statements.next()) {
        (Some(Statement::Query(query)), None) => Ok(*query),
        (None, _) => refuse("there is no query"),
        (_, Some(_)) => refuse("one statement at a time"),
        (Some(_), None) => refuse("only queries are asked: SELECT, WITH or VALUES"),
    }
}

fn is_small(tokens: &[Token]) -> Result<(), QueryRefused> {
    let mut depth = 0_usize;
    let mut count = 0;
    for token in tokens {
        match token {
            Token::Whitespace(_) => continue,
            Token::LParen | Token::LBracket | Token::LBrace => depth += 1,
            Token::RParen | Token::RBracket | Token::RBrace => depth = depth.saturating_sub(1),
            _ => {}
        }
        count += 1;
        if depth > DEEPEST {
            return refuse(format!("parentheses stand at most {DEEPEST} deep"));
        }
        if count > MOST_TOKENS {
            return refuse(format!("a query has at most {MOST_TOKENS} words and signs"));
        }
    }
    Ok(())
}
