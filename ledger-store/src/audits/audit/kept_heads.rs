//! Heads that were kept elsewhere, held against the chain.

use super::{Finding, ReplayError};
use crate::bytes::chain::Chain;
use crate::bytes::frame::{Row, RowBroken};
use crate::bytes::located_record::locate_record;
use crate::journal::{Head, Journal};

/// Tells whether every kept head lies on the chain that ends with `end`; the first that does not is
/// named.
///
/// Of a chain that is believed from `begun` on, heads before it are held against what leads to it:
/// the links are followed from the first of them, and nothing is replayed.
pub(super) fn check_heads(
    journal: &mut dyn Journal,
    name: &str,
    (begun, end): (Option<Head>, Head),
    mut kept: Vec<Head>,
) -> Result<(), Finding> {
    kept.sort_unstable_by_key(|head| head.seq);
    let Some((first, last)) = kept.first().copied().zip(kept.last().copied()) else {
        return Ok(());
    };
    let algorithm = journal.identity().algorithm;
    let mut until = last.seq;
    let mut chain = Chain::genesis(algorithm, name);
    if let Some(begun) = begun {
        until = until.max(begun.seq);
        if begun.seq <= first.seq {
            chain = begun.chain(algorithm);
        } else if first.seq > 0 {
            let there = locate_record(journal, name, first.seq);
            chain = there.map_err(|_| Finding::OtherPast { seq: first.seq })?.chain;
        }
        // What leads to the state that is believed must arrive there.
        kept.push(begun);
        kept.sort_by_key(|head| head.seq);
    }
    let mut kept = kept.into_iter().peekable();
    differs(&mut kept, &chain)?;
    while chain.seq() < until.min(end.seq) {
        let rows = journal.read(chain.seq() + 1, 16).map_err(ReplayError::from)?;
        if rows.is_empty() {
            break;
        }
        for frame in rows.iter().flat_map(Row::frames) {
            let frame = frame.map_err(RowBroken::from).map_err(ReplayError::from)?;
            if frame.seq == chain.seq() + 1 && chain.seq() < until {
                chain.push(frame.record);
                differs(&mut kept, &chain)?;
            }
        }
    }
    match kept.next() {
        Some(next) => Err(Finding::Truncated { expected: next.seq, found: chain.seq() }),
        None => Ok(()),
    }
}

/// Compares where the chain stands with the heads that were kept of it there.
fn differs(
    kept: &mut std::iter::Peekable<impl Iterator<Item = Head>>,
    chain: &Chain,
) -> Result<(), Finding> {
    while let Some(head) = kept.next_if(|head| head.seq == chain.seq()) {
        if head.link != chain.link() {
            return Err(Finding::OtherPast { seq: head.seq });
        }
    }
    Ok(())
}
