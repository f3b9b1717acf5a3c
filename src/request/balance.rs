//! Requests of balances, statements and commission.

use crate::declared::{list, words};
use crate::request::{Account, request};
use crate::value::{Instant, PageSize, Party, Text};

list! { AnyRequest:
    GetBalance, GetBalanceAt, ConsolidatedBalance, ListCustomers, GetStatement, GetCommission,
    CommissionStatement,
}

request! {
    /// Show a balance: `GET /saldo`.
    ///
    /// The house's balance, or one subaccount's. Only `disponivel_cents` can be spent.
    GetBalance: "GET /saldo", Account => Balance;
    target {
        party: Party as "customer_ref", "whose";
    }
}

request! {
    /// Show the balance of an instant: `GET /saldo?em=`.
    ///
    /// What the house or a subaccount had at `em`, available and blocked together: the running
    /// balance of its statement then. An extension of this service; the contract has the balance as
    /// it stands alone.
    GetBalanceAt: "GET /saldo", Account => BalanceAt;
    target {
        party: Party as "customer_ref", "whose";
        at: Instant as "em", "which: `em`";
    }
}

request! {
    /// Show all balances together: `GET /saldo/consolidado`.
    ///
    /// The house, all subaccounts, and everything together.
    ConsolidatedBalance: "GET /saldo/consolidado", Account => ConsolidatedBalance;
}

request! {
    /// List subaccounts: `GET /saldo/clientes`.
    ///
    /// Subaccounts with their balances, in pages.
    ListCustomers: "GET /saldo/clientes", Account => Customers;
    target {
        limit?: PageSize, "the parameter `limit`";
        with_balance?: bool as "com_saldo", "the parameter `com_saldo`";
        cursor?: Text<255>, "the parameter `cursor`";
    }
}

words! {
    /// Values of `visao`: lancamentos or operacoes.
    StatementView { Entries = "lancamentos", Operations = "operacoes" }
}

request! {
    /// Show a statement: `GET /saldo/extrato`.
    ///
    /// The accounting ledger, whose entries sum to the balance, or with `visao=operacoes` a row for
    /// each operation.
    GetStatement: "GET /saldo/extrato", Account => Statement;
    target {
        party: Party as "customer_ref", "whose";
        limit?: PageSize, "the parameter `limit`";
        before?: Text<255>, "the parameter `before`";
        view?: StatementView as "visao", "the parameter `visao`";
    }
}

request! {
    /// Show the commission: `GET /comissao`.
    ///
    /// The partner's commission that was not withdrawn.
    GetCommission: "GET /comissao", Account => Commission;
}

request! {
    /// Show the ledger of commission: `GET /comissao/extrato`.
    ///
    /// Entries of the commission, newest first.
    CommissionStatement: "GET /comissao/extrato", Account => CommissionStatement;
    target {
        limit?: PageSize, "the parameter `limit`";
        before?: Text<255>, "the parameter `before`";
    }
}
