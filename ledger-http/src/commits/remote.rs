//! A journal that is read from the service which writes it.

use std::collections::VecDeque;
use std::time::Duration;

use ledger_store::journal::{Identity, Opening, Reopen, Scrub, Source, Token};
use ledger_store::vault::{LegalHold, OperatorNote};
use ledger_store::{
    AppendError, Chain, Commit, Head, Journal, JournalError, OpenError, Row, VaultRow,
};
use thiserror::Error;

use super::page::{LedgerPrint, Page};
use super::routes::MOST_ROWS;
use super::source::{Ahead, CommitSource};
use crate::operation::with_causes;

/// How many rows are asked for ahead.
const ROWS_AHEAD: usize = 16;

/// How long the writer keeps a page back that has nothing in it, in seconds.
const WAIT: u64 = 15;

/// The same where the writer was away, and it is to be known whether it is back.
const AT_ONCE: u64 = 0;

/// A ledger's journal as the service that writes it offers it, for reading.
///
/// Rows are asked for ahead of whoever reads in order, and at the journal's end the next page is
/// waited for on a thread of the source's, so a look at it costs nothing. What was followed must
/// stay: a writer whose journal ends before it, or has another record in its place, was restored
/// from an older copy, and is refused by [`JournalError::WentBack`] for as long as this is open.
///
/// ```no_run
/// use ledger_http::{CommitSource, RemoteJournal, Token};
/// use ledger_store::engine::Replica;
///
/// let secret = Token::new(std::fs::read_to_string("replica.secret")?.trim())?;
/// let writer = CommitSource::new("https://writer.example:9443", secret)?;
/// let replica = Replica::builder("live").follow(Box::new(RemoteJournal::open(&writer, "live")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RemoteJournal {
    source: CommitSource,
    name: String,
    identity: Identity,
    ledger: LedgerPrint,
    /// The last record that whoever reads has proved, by reading on.
    followed: Head,
    /// The last record of the rows that were given; none where nothing was since it last jumped.
    given: Option<Head>,
    /// The record that whoever reads on asks for next.
    next: u64,
    /// Where the writer's journal ended when it was last heard of.
    head: Head,
    /// Rows that come next, and were not given yet.
    rows: VecDeque<Row>,
    ahead: Option<Ahead>,
    /// Why the writer gave no answer, until it gives one.
    away: Option<String>,
}

/// What a page says that cannot be.
#[derive(Debug, Error)]
enum PageForeign {
    #[error("the writer has another ledger of this name now")]
    Ledger,
}

/// What a stream of commits has no answer to.
#[derive(Debug, Error)]
#[error("a stream of commits has no {0}")]
struct NotStreamed(&'static str);

impl RemoteJournal {
    /// Opens the ledger named `name` of the service at `source`. Blocks, as all of its methods do.
    ///
    /// # Errors
    ///
    /// When the service cannot be reached, refuses the secret or has no such ledger.
    pub fn open(source: &CommitSource, name: &str) -> Result<Self, OpenError> {
        let identity = source.identity(name)?;
        let genesis = Head::from_chain(&Chain::genesis(identity.algorithm, name));
        Ok(Self {
            source: source.clone(),
            name: name.to_owned(),
            identity,
            ledger: LedgerPrint::new(name, &identity),
            followed: genesis,
            given: None,
            next: 1,
            head: genesis,
            rows: VecDeque::new(),
            ahead: None,
            away: None,
        })
    }

    /// The page with record `from` in it, if the writer has that; none where it was asked for and
    /// did not come yet.
    fn page(&mut self, from: u64, rows: usize) -> Result<Option<Page>, JournalError> {
        let is_there = from <= self.head.seq;
        let read = match self.ahead.take() {
            None => self.source.page(&self.name, from - 1, rows.clamp(1, MOST_ROWS)),
            Some(ahead) => match (ahead.take_page(is_there), &self.away) {
                (Some(read), _) => read,
                (None, away) => {
                    let away = away.clone().map_or(Ok(None), |why| Err(not_there(why)));
                    self.ahead = Some(ahead);
                    return away;
                }
            },
        };
        let page = read.map_err(|error| {
            let error = error.of_journal(from - 1);
            self.ask_whether_away(&error, from - 1);
            error
        })?;
        self.accept(from, &page)?;
        (self.head, self.away) = (page.head, None);
        Ok(Some(page))
    }

    /// After a failure the writer is taken to be away until it gives the page after a record, for
    /// which it is asked at once: whoever reads is not held up meanwhile.
    fn ask_whether_away(&mut self, error: &JournalError, after: u64) {
        if let JournalError::Medium(source) = error {
            self.away = Some(with_causes(&**source));
            self.ahead = Some(self.source.ahead(&self.name, after, ROWS_AHEAD, AT_ONCE));
        }
    }

    /// Tells whether a page is of this ledger, in order, and of the past that was followed. What is
    /// in its records the chain proves.
    fn accept(&self, from: u64, page: &Page) -> Result<(), JournalError> {
        if page.ledger != self.ledger {
            let source = PageForeign::Ledger.into();
            return Err(JournalError::Damaged { seq: from, source });
        }
        let Head { seq, link } = self.followed;
        let went_back = JournalError::WentBack { seq, head: page.head.seq };
        let is_other = page.head.seq == seq && page.head.link != link;
        if page.head.seq < seq || is_other {
            return Err(went_back);
        }
        let mut expected = None;
        for row in &page.rows {
            let fits = match expected {
                Some(expected) => row.first == expected,
                None => (row.first..=row.last()).contains(&from),
            };
            if !fits {
                let expected = expected.unwrap_or(from);
                return Err(JournalError::Gap { expected, found: row.first });
            }
            expected = row.last().checked_add(1);
            if (row.first..=row.last()).contains(&seq) {
                let mut frames = row.frames().map_while(Result::ok);
                let there = frames.find(|frame| frame.seq == seq);
                if there.is_some_and(|frame| !link.0.starts_with(&frame.check)) {
                    return Err(went_back);
                }
            }
        }
        Ok(())
    }
}

impl Journal for RemoteJournal {
    fn open_writer(&mut self) -> Result<Opening, JournalError> {
        Err(JournalError::StreamOnly)
    }

    fn claim(&mut self, _lease: Option<Duration>) -> Result<Opening, JournalError> {
        Err(JournalError::StreamOnly)
    }

    fn renew(&mut self, _lease: Duration) -> Result<(), JournalError> {
        Err(JournalError::StreamOnly)
    }

    fn release(&mut self) -> Result<(), JournalError> {
        Err(JournalError::StreamOnly)
    }

    fn lease_left(&mut self) -> Result<Option<Duration>, JournalError> {
        Err(JournalError::StreamOnly)
    }

    fn append(&mut self, _commit: &Commit) -> Result<(), AppendError> {
        Err(AppendError::Failed(JournalError::StreamOnly.into()))
    }

    fn is_last_writer(&mut self) -> Result<bool, JournalError> {
        Ok(false)
    }

    fn identity(&self) -> Identity {
        self.identity
    }

    fn reopen(&self) -> Reopen {
        let (source, name) = (self.source.clone(), self.name.clone());
        Reopen::by(move || Self::open(&source, &name))
    }

    fn head(&mut self) -> Result<Head, JournalError> {
        let after = self.given.map_or(self.followed.seq, |given| given.seq);
        let page = self.source.page(&self.name, after, 1);
        let page = page.map_err(|error| error.of_journal(after))?;
        self.accept(after + 1, &page)?;
        self.head = page.head;
        Ok(page.head)
    }

    fn read(&mut self, from_seq: u64, max_rows: usize) -> Result<Vec<Row>, JournalError> {
        let from = from_seq.max(1);
        let continues = from == self.next;
        let given = self.given.take();
        if continues {
            // Whoever reads on has proved what was read.
            self.followed = given.into_iter().fold(self.followed, later);
        } else {
            (self.ahead, self.next) = (None, from);
            self.rows.clear();
        }
        if self.rows.is_empty() {
            let Some(page) = self.page(from, max_rows)? else { return Ok(Vec::new()) };
            let last = page.rows.last().map_or(from - 1, Row::last);
            // Who reads here and there reads no further.
            if continues || page.rows.is_empty() {
                self.ahead = Some(self.source.ahead(&self.name, last, ROWS_AHEAD, WAIT));
            }
            self.rows = page.rows.into();
        }
        let some = max_rows.max(1).min(self.rows.len());
        let rows: Vec<Row> = self.rows.drain(..some).collect();
        if let Some(row) = rows.last() {
            self.next = row.last() + 1;
            self.given = Some(Head { seq: row.last(), link: row.link });
        }
        Ok(rows)
    }

    fn vault(&mut self) -> Result<Vec<VaultRow>, JournalError> {
        Err(not_streamed("list of values: they are given by their tokens"))
    }

    fn values(&mut self, tokens: &[Token]) -> Result<Vec<VaultRow>, JournalError> {
        if let Some(why) = &self.away {
            return Err(not_there(why.clone()));
        }
        let values = self.source.values(&self.name, tokens);
        let mut values = values.map_err(|error| {
            let error = JournalError::Medium(error.into());
            if self.ahead.is_some() {
                let after = self.rows.back().map_or(self.next - 1, Row::last);
                self.ask_whether_away(&error, after);
            }
            error
        })?;
        // What was not asked for is nobody's to show.
        values.retain(|row| tokens.contains(&row.token));
        values.sort_unstable_by_key(|row| row.token);
        Ok(values)
    }

    fn erase(&mut self, _token: Token) -> Result<bool, JournalError> {
        Err(JournalError::StreamOnly)
    }

    fn scrub(&mut self, _scrub: Scrub) -> Result<Vec<String>, JournalError> {
        Err(JournalError::StreamOnly)
    }

    fn holds(&mut self) -> Result<Vec<LegalHold>, JournalError> {
        Err(not_streamed("legal holds"))
    }

    fn place_hold(&mut self, _hold: &LegalHold) -> Result<bool, JournalError> {
        Err(JournalError::StreamOnly)
    }

    fn release_hold(&mut self, _id: &str, _note: &OperatorNote) -> Result<bool, JournalError> {
        Err(JournalError::StreamOnly)
    }
}

/// The later of two heads.
fn later(one: Head, other: Head) -> Head {
    if one.seq < other.seq { other } else { one }
}

/// A writer that gave no answer, and did not give one since.
fn not_there(why: String) -> JournalError {
    JournalError::Medium(why.into())
}

fn not_streamed(what: &'static str) -> JournalError {
    let source: Source = NotStreamed(what).into();
    JournalError::Medium(source)
}
