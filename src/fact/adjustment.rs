//! Facts of corrections of balances.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::fact::sealed::Reported;
use crate::fact::{Fact, Report};
use crate::value::{AccountName, Amount, Body, DecidedBy, FactId, Instant, Party, Text};

/// A fee is corrected without a principal. (`fee.adjusted`)
#[derive(Clone, Debug, PartialEq)]
pub struct FeeAdjusted {
    id: FactId,
    account: AccountName,
    party: Party,
    effect: i64,
    income: Option<Text<16>>,
    decided_by: DecidedBy,
}

impl FeeAdjusted {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `account`: the API account's name.
    /// - `party`, on the wire `customer_ref`: the subaccount.
    /// - `effect`, on the wire `effect_cents`: signed: positive in the customer's favour.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(
        id: FactId,
        account: AccountName,
        party: Party,
        effect: i64,
        decided_by: DecidedBy,
    ) -> Self {
        Self { id, account, party, effect, income: None, decided_by }
    }

    /// Sets `income`: deposit (default), payout, purchase or conversion.
    #[must_use]
    pub fn income(mut self, income: Text<16>) -> Self {
        self.income = Some(income);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("account", &self.account)
            .with("customer_ref", &self.party)
            .with("effect_cents", &self.effect)
            .with("income", &self.income)
            .and(self.decided_by.body())
    }
}

crate::drawn!(FeeAdjusted {
    id: FactId,
    account: AccountName,
    party: Party,
    effect: i64,
    income: Option<Text<16>>,
    decided_by: DecidedBy,
});

impl Fact for FeeAdjusted {
    const NAME: &'static str = "fee.adjusted";
}

impl Reported for FeeAdjusted {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A negative balance is written off, at most what is owed. (`balance.written_off`)
#[derive(Clone, Debug, PartialEq)]
pub struct BalanceWrittenOff {
    id: FactId,
    account: AccountName,
    party: Party,
    amount: Amount,
    decided_by: DecidedBy,
}

impl BalanceWrittenOff {
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
        Self { id, account, party, amount, decided_by }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("account", &self.account)
            .with("customer_ref", &self.party)
            .with("amount_cents", &self.amount)
            .and(self.decided_by.body())
    }
}

crate::drawn!(BalanceWrittenOff {
    id: FactId,
    account: AccountName,
    party: Party,
    amount: Amount,
    decided_by: DecidedBy,
});

impl Fact for BalanceWrittenOff {
    const NAME: &'static str = "balance.written_off";
}

impl Reported for BalanceWrittenOff {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// A balance of an account that moves left this ledger, the whole of what is available, or came
/// here. (`balance.carried`)
#[derive(Clone, Debug, PartialEq)]
pub struct BalanceCarried {
    id: FactId,
    account: AccountName,
    party: Party,
    commission: Option<bool>,
    effect: Option<i64>,
    deposited: Option<bool>,
    waiting_until: Option<Instant>,
}

impl BalanceCarried {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `account`: the API account's name.
    /// - `party`, on the wire `customer_ref`: the subaccount.
    #[must_use]
    pub fn new(id: FactId, account: AccountName, party: Party) -> Self {
        Self {
            id,
            account,
            party,
            commission: None,
            effect: None,
            deposited: None,
            waiting_until: None,
        }
    }

    /// Sets `commission`: true: the account's commission.
    #[must_use]
    pub fn commission(mut self, commission: bool) -> Self {
        self.commission = Some(commission);
        self
    }

    /// Sets `effect_cents`: signed: what the balance here grows by; absent: nothing, only the
    /// rest is carried.
    #[must_use]
    pub fn effect(mut self, effect: i64) -> Self {
        self.effect = Some(effect);
        self
    }

    /// Sets `deposited`: whether a PIX deposit was ever credited to it.
    #[must_use]
    pub fn deposited(mut self, deposited: bool) -> Self {
        self.deposited = Some(deposited);
        self
    }

    /// Sets `waiting_until`: when its waiting period ends.
    #[must_use]
    pub fn waiting_until(mut self, waiting_until: Instant) -> Self {
        self.waiting_until = Some(waiting_until);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("account", &self.account)
            .with("customer_ref", &self.party)
            .with("commission", &self.commission)
            .with("effect_cents", &self.effect)
            .with("deposited", &self.deposited)
            .with("waiting_until", &self.waiting_until)
    }
}

crate::drawn!(BalanceCarried {
    id: FactId,
    account: AccountName,
    party: Party,
    commission: Option<bool>,
    effect: Option<i64>,
    deposited: Option<bool>,
    waiting_until: Option<Instant>,
});

impl Fact for BalanceCarried {
    const NAME: &'static str = "balance.carried";
}

impl Reported for BalanceCarried {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}
