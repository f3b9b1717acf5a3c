//! Rows whose chain was followed, record by record: all that can be done with them before they are
//! decoded and applied, and without the ledger's state, so another thread may do it.

use std::borrow::Borrow;

use crate::bytes::chain::{Chain, Link};
use crate::bytes::frame::{Frame, Row, RowBroken};
use crate::state::archive::STRETCH;

/// A row, as far as it is what was chained.
#[derive(Debug)]
pub(crate) struct VerifiedRow<R = Row> {
    row: R,
    /// The first record that follows, and how many are sound and wanted.
    first: u64,
    count: usize,
    /// The links of those of them that an archive keeps.
    links: Vec<(u64, Link)>,
    /// Where the chain stands after them; none where the row is at fault.
    after: Option<Chain>,
}

/// Follows a chain through rows, one after the other.
#[derive(Debug)]
pub(super) struct Verifier {
    chain: Chain,
    /// The last record that is wanted.
    until: u64,
    /// Tells whether the next row may begin before what follows.
    begins_within: bool,
}

impl<R: Borrow<Row>> VerifiedRow<R> {
    /// The records that follow, in order.
    pub(crate) fn frames(&self) -> impl Iterator<Item = Frame<'_>> {
        let frames = self.row.borrow().frames().map_while(Result::ok);
        frames.filter(|frame| self.first <= frame.seq).take(self.count)
    }

    /// How many these are.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The links of those of them that an archive keeps.
    pub(super) fn links(&self) -> &[(u64, Link)] {
        &self.links
    }

    /// Where the chain stands after them; none where the row is at fault.
    pub(super) const fn after(&self) -> Option<Chain> {
        self.after
    }
}

impl Verifier {
    /// One that goes on where `chain` stands, record `until` the last that is wanted.
    pub(super) const fn new(chain: Chain, until: u64) -> Self {
        Self { chain, until, begins_within: false }
    }

    /// The same where the first row may begin before what follows.
    pub(super) const fn within(self) -> Self {
        Self { begins_within: true, ..self }
    }

    /// Where the chain stands after the rows that were sound.
    pub(super) const fn chain(&self) -> Chain {
        self.chain
    }

    /// Tells whether the last record that is wanted was reached.
    pub(super) fn is_done(&self) -> bool {
        self.until <= self.chain.seq()
    }

    /// Follows the chain through a row; what is wrong with it comes after the records before that.
    /// The row that holds the last record that is wanted is proved to its end.
    pub(super) fn row<R: Borrow<Row>>(&mut self, of: R) -> (VerifiedRow<R>, Result<(), RowBroken>) {
        let Self { chain, until, begins_within } = self;
        let (row, algorithm, first) = (of.borrow(), chain.algorithm(), chain.seq() + 1);
        let (mut count, mut links, mut stopped) = (0, Vec::new(), None);
        let each = |frame: Frame<'_>, link| {
            let seq = frame.seq;
            count += usize::from(seq <= *until);
            if seq.is_multiple_of(STRETCH) && seq <= *until {
                links.push((seq, link));
            }
            if seq == *until {
                stopped = Some(Chain::resume(algorithm, seq, link));
            }
        };
        let within = std::mem::take(begins_within);
        let done = if within { row.verify_rest(chain, each) } else { row.verify(chain, each) };
        let after = done.is_ok().then(|| stopped.unwrap_or(*chain));
        (VerifiedRow { row: of, first, count, links, after }, done)
    }
}
