//! Facts of a product's own accounts: declared, and moved by entries that balance.

use crate::declared::{part, words};
use crate::fact::fact;
use crate::value::{AccountName, Amount, DecidedBy, FactId, OperationId, Party, Text};

words! {
    /// What `class` may say: asset, liability, equity, income or expense.
    ProductAccountDeclaredClass {
        Asset = "asset",
        Liability = "liability",
        Equity = "equity",
        Income = "income",
        Expense = "expense",
    }
}

fact! {
    /// A product has an account of its own, once for each name; it is part of the chart.
    ProductAccountDeclared: "product_account.declared" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        name: Text<64>,
            "the account's name: lower-case letters, digits and _ in words parted by points, the \
             first none of the chart's own, such as `taxas.cartao`";
        class: ProductAccountDeclaredClass, "asset, liability, equity, income or expense";
        per_customer?: bool, "true: each customer has one; absent: one for all";
        overdraft?: bool,
            "true: it may stand below zero, in the sign of its class; absent: it may not";
        decided_by: DecidedBy, "who decided, and why";
    }
}

part! {
    /// Of [`EntryLeg`]: whose an account is.
    EntryLegOf {
        account: AccountName, "the API account's name";
        party: Party as "customer_ref", "the subaccount";
    }
}

part! {
    /// A leg of an entry, of [`EntryPosted`] and [`EntryReversed`].
    EntryLeg {
        name: Text<64>,
            "the account's name as it was declared; or cust.avail, equity.funding, prov.pix, \
             prov.pay, recv.prov, tariff.due or fx";
        of?: EntryLegOf, "whose it is, of cust.avail and of what each customer has one of";
        debit?: Amount as "debit_cents", "what is debited; a leg has this or the other";
        credit?: Amount as "credit_cents", "what is credited";
    }
}

fact! {
    /// A product posts an entry over its own accounts, customers' available money and the house's
    /// own; a customer spends no more than is available.
    EntryPosted: "entry.posted" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        legs: Vec<EntryLeg>,
            "2 to 100 legs, each of another account, of which debits and credits are equal";
        description?: Text<255>, "what statements of the customers say";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// A product takes an entry back, once: as a whole, or by legs that give back no more than
    /// theirs took.
    EntryReversed: "entry.reversed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        entry: OperationId as "entry_id", "the entry";
        legs?: Vec<EntryLeg>, "what goes back; absent: all of it";
        decided_by: DecidedBy, "who decided, and why";
    }
}
