//! Facts of holds, and orders of courts.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::fact::sealed::Reported;
use crate::fact::{Fact, Report};
use crate::value::{AccountName, Amount, Body, DecidedBy, FactId, OperationId, Party, Wire};

/// What `kind` may say: dispute, precautionary, judicial or administrative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HoldPlacedKind {
    /// On the wire `dispute`.
    Dispute,
    /// On the wire `precautionary`.
    Precautionary,
    /// On the wire `judicial`.
    Judicial,
    /// On the wire `administrative`.
    Administrative,
}

crate::drawn!(one HoldPlacedKind { Dispute, Precautionary, Judicial, Administrative });

impl Wire for HoldPlacedKind {
    fn wire(&self) -> Value {
        match self {
            Self::Dispute => "dispute",
            Self::Precautionary => "precautionary",
            Self::Judicial => "judicial",
            Self::Administrative => "administrative",
        }
        .into()
    }
}

/// An operator blocks money; for what is short the hold keeps watching. (`hold.placed`)
#[derive(Clone, Debug, PartialEq)]
pub struct HoldPlaced {
    id: FactId,
    account: AccountName,
    party: Party,
    charge: Option<OperationId>,
    kind: HoldPlacedKind,
    amount: Amount,
    decided_by: DecidedBy,
}

impl HoldPlaced {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `account`: the API account's name.
    /// - `party`, on the wire `customer_ref`: the subaccount.
    /// - `kind`: dispute, precautionary, judicial or administrative.
    /// - `amount`, on the wire `amount_cents`: centavos.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(
        id: FactId,
        account: AccountName,
        party: Party,
        kind: HoldPlacedKind,
        amount: Amount,
        decided_by: DecidedBy,
    ) -> Self {
        Self { id, account, party, charge: None, kind, amount, decided_by }
    }

    /// Sets `cashin_id`: the charge that is the cause; its own held part is taken first, and
    /// its return takes what the block holds.
    #[must_use]
    pub fn charge(mut self, charge: OperationId) -> Self {
        self.charge = Some(charge);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("account", &self.account)
            .with("customer_ref", &self.party)
            .with("cashin_id", &self.charge)
            .with("kind", &self.kind)
            .with("amount_cents", &self.amount)
            .and(self.decided_by.body())
    }
}

crate::drawn!(HoldPlaced {
    id: FactId,
    account: AccountName,
    party: Party,
    charge: Option<OperationId>,
    kind: HoldPlacedKind,
    amount: Amount,
    decided_by: DecidedBy,
});

impl Fact for HoldPlaced {
    const NAME: &'static str = "hold.placed";
}

impl Reported for HoldPlaced {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// An operator lets go: of so much, or of everything and for good. (`hold.released`)
#[derive(Clone, Debug, PartialEq)]
pub struct HoldReleased {
    id: FactId,
    hold: OperationId,
    amount: Option<Amount>,
    decided_by: DecidedBy,
}

impl HoldReleased {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `hold`, on the wire `hold_id`: the hold.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(id: FactId, hold: OperationId, decided_by: DecidedBy) -> Self {
        Self { id, hold, amount: None, decided_by }
    }

    /// Sets `amount_cents`: how much; absent: everything, and the watch ends.
    #[must_use]
    pub fn amount(mut self, amount: Amount) -> Self {
        self.amount = Some(amount);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("hold_id", &self.hold)
            .with("amount_cents", &self.amount)
            .and(self.decided_by.body())
    }
}

crate::drawn!(HoldReleased {
    id: FactId,
    hold: OperationId,
    amount: Option<Amount>,
    decided_by: DecidedBy,
});

impl Fact for HoldReleased {
    const NAME: &'static str = "hold.released";
}

impl Reported for HoldReleased {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A court takes money from a balance, which may become negative; it waits in suspense until
/// suspense.returned says that it left. (`court.ordered`)
#[derive(Clone, Debug, PartialEq)]
pub struct CourtOrdered {
    id: FactId,
    account: AccountName,
    party: Party,
    hold: Option<OperationId>,
    amount: Amount,
    decided_by: DecidedBy,
}

impl CourtOrdered {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `account`: the API account's name.
    /// - `party`, on the wire `customer_ref`: the subaccount.
    /// - `amount`, on the wire `amount_cents`: centavos.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(
        id: FactId,
        account: AccountName,
        party: Party,
        amount: Amount,
        decided_by: DecidedBy,
    ) -> Self {
        Self { id, account, party, hold: None, amount, decided_by }
    }

    /// Sets `hold_id`: the block placed for this order; it gives first.
    #[must_use]
    pub fn hold(mut self, hold: OperationId) -> Self {
        self.hold = Some(hold);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("account", &self.account)
            .with("customer_ref", &self.party)
            .with("hold_id", &self.hold)
            .with("amount_cents", &self.amount)
            .and(self.decided_by.body())
    }
}

crate::drawn!(CourtOrdered {
    id: FactId,
    account: AccountName,
    party: Party,
    hold: Option<OperationId>,
    amount: Amount,
    decided_by: DecidedBy,
});

impl Fact for CourtOrdered {
    const NAME: &'static str = "court.ordered";
}

impl Reported for CourtOrdered {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}
