//! What a request names of what the ledger keeps, to be looked up before it is judged; each domain
//! says it of its own requests.

use crate::id::{Kind, OpId};

/// What a request names.
#[derive(Clone, Debug, Default)]
pub(in crate::ledger) struct Named<'r> {
    /// The kind of operation that it asks for, and the id that the client gives it.
    pub(in crate::ledger) identity: Option<(Kind, &'r str)>,
    /// The balances of the account.
    pub(in crate::ledger) balances: [Option<NamedBalance<'r>>; 2],
    /// The balances of the legs of a group: payer and recipient of each.
    pub(in crate::ledger) legs: Vec<[NamedBalance<'r>; 2]>,
    /// The operation of the account that it takes further, or uses.
    pub(in crate::ledger) operation: Option<OpId>,
}

/// A balance that a request names.
#[derive(Clone, Copy, Debug)]
pub(in crate::ledger) struct NamedBalance<'r> {
    /// The field that names it, as the wire calls it.
    pub(in crate::ledger) field: &'static str,
    /// The customer whose it is; none for the house's.
    pub(in crate::ledger) customer: Option<&'r str>,
}

impl<'r> Named<'r> {
    /// A request for an operation of this kind, under the client's own id.
    pub(in crate::ledger) fn new(kind: Kind, external_id: Option<&'r str>) -> Self {
        Self { identity: external_id.map(|id| (kind, id)), ..Self::default() }
    }

    /// A request that takes an operation further.
    pub(in crate::ledger) fn further(operation: OpId) -> Self {
        Self { operation: Some(operation), ..Self::default() }
    }

    /// The request names this balance, as its first.
    pub(in crate::ledger) fn with_balance(
        self,
        field: &'static str,
        customer: Option<&'r str>,
    ) -> Self {
        let [_, second] = self.balances;
        Self { balances: [Some(NamedBalance { field, customer }), second], ..self }
    }

    /// The request names this balance besides.
    pub(in crate::ledger) fn and(self, field: &'static str, customer: Option<&'r str>) -> Self {
        let [first, _] = self.balances;
        Self { balances: [first, Some(NamedBalance { field, customer })], ..self }
    }
}
