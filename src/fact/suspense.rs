//! Facts of money that waits for a person.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::fact::sealed::Reported;
use crate::fact::{Fact, Report};
use crate::value::{Body, DecidedBy, EndToEndId, FactId, OperationId};

/// An operator gives a PIX in suspense to a charge, which it then pays. (`suspense.attached`)
#[derive(Clone, Debug, PartialEq)]
pub struct SuspenseAttached {
    id: FactId,
    suspense: OperationId,
    charge: OperationId,
    decided_by: DecidedBy,
}

impl SuspenseAttached {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `suspense`, on the wire `suspense_id`: what waits.
    /// - `charge`, on the wire `cashin_id`: the charge.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(
        id: FactId,
        suspense: OperationId,
        charge: OperationId,
        decided_by: DecidedBy,
    ) -> Self {
        Self { id, suspense, charge, decided_by }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("suspense_id", &self.suspense)
            .with("cashin_id", &self.charge)
            .and(self.decided_by.body())
    }
}

crate::drawn!(SuspenseAttached {
    id: FactId,
    suspense: OperationId,
    charge: OperationId,
    decided_by: DecidedBy,
});

impl Fact for SuspenseAttached {
    const NAME: &'static str = "suspense.attached";
}

impl Reported for SuspenseAttached {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// What stood in suspense went back: to the payer, or to us. (`suspense.returned`)
#[derive(Clone, Debug, PartialEq)]
pub struct SuspenseReturned {
    id: FactId,
    suspense: OperationId,
    return_id: Option<EndToEndId>,
    decided_by: DecidedBy,
}

impl SuspenseReturned {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `suspense`, on the wire `suspense_id`: what waits.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(id: FactId, suspense: OperationId, decided_by: DecidedBy) -> Self {
        Self { id, suspense, return_id: None, decided_by }
    }

    /// Sets `return_id`: the return by which it went back, as the provider lists it.
    #[must_use]
    pub fn return_id(mut self, return_id: EndToEndId) -> Self {
        self.return_id = Some(return_id);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("suspense_id", &self.suspense)
            .with("return_id", &self.return_id)
            .and(self.decided_by.body())
    }
}

crate::drawn!(SuspenseReturned {
    id: FactId,
    suspense: OperationId,
    return_id: Option<EndToEndId>,
    decided_by: DecidedBy,
});

impl Fact for SuspenseReturned {
    const NAME: &'static str = "suspense.returned";
}

impl Reported for SuspenseReturned {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}
