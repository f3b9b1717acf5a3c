//! Deliveries of webhooks, held against the notices that they are of.

use std::collections::BTreeMap;

use super::backend::{Backend, TablesFailed};
use super::schema::table::{Cell, Cells};

/// The table of deliveries, where a service sends webhooks from the outbox.
pub(super) const DELIVERIES: &str = "webhook_deliveries";

/// How many notices are read at once.
const AT_ONCE: i64 = 5_000;

/// A delivery that no notice made, or that says otherwise than its notice.
pub(super) struct WrongDelivery {
    pub(super) event: Cell,
    /// A column, what its notice says, and what the delivery says; none where there is no notice.
    pub(super) differs: Option<(&'static str, Cell, Cell)>,
}

/// Finds a delivery that is not of a notice that the fold gives, or says otherwise than that what
/// it is about and for whom. How it went, no record says.
pub(super) fn wrong_delivery(
    again: &mut dyn Backend,
    found: &mut dyn Backend,
    name: &str,
) -> Result<Option<WrongDelivery>, TablesFailed> {
    if !found.has(DELIVERIES)? {
        return Ok(None);
    }
    let sql = "SELECT event, topic, account FROM webhook_deliveries WHERE ledger = $1";
    let rows = found.read(sql, &[name.into()])?;
    let mut deliveries: BTreeMap<Cell, Cells> =
        rows.into_iter().map(|mut row| (row.remove(0), row)).collect();
    let sql = "SELECT id, topic, account, seq, place FROM outbox \
        WHERE ledger = $1 AND kind = 'notice' AND (seq, place) > ($2, $3) \
        ORDER BY seq, place LIMIT $4";
    let mut after = (Cell::Integer(0), Cell::Integer(0));
    while !deliveries.is_empty() {
        let mut notices = again.read(sql, &[name.into(), after.0, after.1, AT_ONCE.into()])?;
        for notice in &notices {
            let [event, topic, account, ..] = &notice[..] else { continue };
            let Some(delivery) = deliveries.remove(event) else { continue };
            let columns = [("topic", topic, &delivery[0]), ("account", account, &delivery[1])];
            // An event of nobody has no account in the outbox.
            let mut differing = columns
                .into_iter()
                .filter(|(_, expected, found)| expected != found && **expected != Cell::Null);
            if let Some((column, expected, found)) = differing.next() {
                let differs = Some((column, expected.clone(), found.clone()));
                return Ok(Some(WrongDelivery { event: event.clone(), differs }));
            }
        }
        let Some(last) = notices.pop() else { break };
        after = (last[3].clone(), last[4].clone());
    }
    Ok(deliveries.into_keys().next().map(|event| WrongDelivery { event, differs: None }))
}
