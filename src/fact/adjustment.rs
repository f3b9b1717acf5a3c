//! Facts of corrections of balances.

use crate::declared::{list, words};
use crate::fact::fact;
use crate::value::{AccountName, Amount, DecidedBy, FactId, Instant, Party};

list! { AnyFact: FeeAdjusted, BalanceWrittenOff, BalanceCarried }

words! {
    /// Values of `income`: deposit, payout, purchase or conversion.
    FeeAdjustedIncome {
        Deposit = "deposit",
        Payout = "payout",
        Purchase = "purchase",
        Conversion = "conversion",
    }
}

fact! {
    /// A fee is corrected without a principal.
    FeeAdjusted: "fee.adjusted" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        account: AccountName, "the API account's name";
        party: Party as "customer_ref", "the subaccount";
        effect: i64 as "effect_cents", "signed: positive in the customer's favour";
        income?: FeeAdjustedIncome, "deposit, payout, purchase or conversion; absent: deposit";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// A negative balance is written off, at most what is owed.
    BalanceWrittenOff: "balance.written_off" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        account: AccountName, "the API account's name";
        party: Party as "customer_ref", "the subaccount";
        amount: Amount as "amount_cents", "centavos";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// A balance of an account that moves left this ledger, the whole of what is available, or came
    /// here.
    BalanceCarried: "balance.carried" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        account: AccountName, "the API account's name";
        party: Party as "customer_ref", "the subaccount";
        commission?: bool, "true: the account's commission";
        effect?: i64 as "effect_cents",
            "signed: what the balance here grows by; absent: nothing, only the rest is carried";
        deposited?: bool, "whether a PIX deposit was ever credited to it";
        waiting_until?: Instant, "when its waiting period ends";
    }
}
