//! Which ledgers a fact is for.

use std::sync::Arc;

use ledger_cells::FactRoute;
use ledger_core::contract::{Call, CallKind, Environment, opened_account};

use super::cells::blocking;
use super::{Ledgers, OpenLedger, Unanswered};

/// The facts of a ledger as a whole, which name neither operation nor account: where there are
/// several ledgers of real money, it is reported to each.
const OF_EACH: [&str; 11] = [
    "catalog.updated",
    "day.reopened",
    "markets.updated",
    "payer.reviewed",
    "policy.adopted",
    "product_account.declared",
    "rate.quoted",
    "statement.received",
    "template.adopted",
    "time.passed",
    "wallet.configured",
];

impl Ledgers {
    /// Tells whether a fact has an account placed in one of several ledgers before it is opened
    /// there.
    pub(crate) fn is_placed(&self, call: &Call) -> bool {
        let opens = |name: &str| opened_account(name).is_some();
        self.cells().is_some() && matches!(&call.ask, CallKind::Fact(name) if opens(name))
    }

    /// The ledgers of an environment that a fact is for: one, but for what is of each.
    ///
    /// # Errors
    ///
    /// [`Unanswered`] when a ledger takes no calls, or the directory is not written.
    pub(crate) async fn fact_routes(
        &self,
        environment: Environment,
        call: &Call,
    ) -> Result<Vec<FactRoute<Arc<OpenLedger>>>, Unanswered> {
        let plain = |ledger: &Arc<OpenLedger>| FactRoute { ledger: Arc::clone(ledger), turn: None };
        let cells = self.cells().filter(|_| environment == Environment::Live);
        let CallKind::Fact(name) = &call.ask else {
            return Ok(vec![plain(self.for_environment(environment))]);
        };
        let Some(cells) = cells.filter(|_| !OF_EACH.contains(&&**name)) else {
            return Ok(self.each_of(environment).map(plain).collect());
        };
        let (cells, call) = (Arc::clone(cells), call.clone());
        Ok(vec![blocking(move || cells.of_fact(&call)).await?])
    }
}

#[cfg(test)]
mod tests {
    use ledger_core::contract::{FACTS, Field, FieldType};
    use ledger_core::id::Kind;

    use super::*;

    /// What tells of whom or of what a fact is: whoever reports it names one of them at least.
    const NAMING: [&str; 9] = [
        "account",
        "agent_id",
        "e2e",
        "tx_hash",
        "receipt_id",
        "address",
        "from",
        "to",
        "refund_address",
    ];

    /// States the sums of one ledger: each of several closes its own days.
    const OF_ONE: &str = "day.closed";

    #[test]
    fn what_is_reported_to_each_ledger_names_neither_operation_nor_account() {
        // Of the fields within a field, an account's name alone says whom it is of.
        fn inner(field: &Field) -> &'static [Field] {
            match field.holds {
                FieldType::Objects(inner) | FieldType::Object(inner) => inner,
                _ => &[],
            }
        }
        fn holder(field: &Field) -> bool {
            field.name == "account" || inner(field).iter().any(holder)
        }
        fn is_identifying(field: &Field) -> bool {
            let name = field.name;
            let by_id = Kind::fields().any(|id| id == name);
            by_id || NAMING.contains(&name) || inner(field).iter().any(holder)
        }
        let found = FACTS.iter().filter(|shape| !shape.fields.iter().any(is_identifying));
        let mut found: Vec<_> =
            found.map(|shape| shape.name).filter(|name| *name != OF_ONE).collect();
        found.sort_unstable();
        assert_eq!(found, OF_EACH);
    }
}
