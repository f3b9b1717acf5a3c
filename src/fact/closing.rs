//! Facts of the close of days: statements as evidence, days closed and reopened.
//!
//! `custody-ledger close` (feature `closing`) adds the accounts up and reports them; a service may
//! report them itself.

use crate::declared::{list, part, words};
use crate::fact::fact;
use crate::value::{DecidedBy, Decimal, FactId, Instant, Text};

list! { AnyFact: StatementReceived, DayClosed, DayReopened }

words! {
    /// Values of `source`: provider, chain or exchange.
    StatementReceivedSource {
        Provider = "provider",
        Chain = "chain",
        Exchange = "exchange",
    }
}

part! {
    /// Of [`StatementReceived`]: what one account comes to.
    StatementTotal {
        name: Text<255>, "the account, as matching names it";
        opening?: Decimal, "its balance before the first movement; absent: zero";
        closing?: Decimal, "its balance after the last; absent: zero";
        incoming?: Decimal, "the sum of what came in";
        outgoing?: Decimal, "the sum of what left";
        movements?: Decimal, "how many movements it has, a whole number";
    }
}

fact! {
    /// A statement of accounts outside was received; its file stands elsewhere, under its hash. It
    /// books nothing.
    StatementReceived: "statement.received" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        sha256: Text<64>, "the SHA-256 of the file, 64 hexadecimal digits";
        source: StatementReceivedSource, "provider, chain or exchange";
        origin?: Text<255>, "whose statement it is, as the file says";
        begins: Instant, "the first instant that it is of";
        ends: Instant, "the last instant that it is of";
        made_at?: Instant, "when it was made";
        totals: Vec<StatementTotal>, "what each account comes to";
        decided_by: DecidedBy, "who decided, and why";
    }
}

part! {
    /// Of [`DayClosed`]: an account of the chart over the day.
    DayClosedAccount {
        name: Text<64>, "the account's name in the chart";
        asset?: Text<32>, "the asset; absent: reais";
        chain?: Text<32>, "the network that coins are kept on";
        opening_debit?: Decimal, "what it had at the beginning, where debits were more";
        opening_credit?: Decimal, "the same, where credits were more";
        debits?: Decimal, "the sum of what was debited";
        credits?: Decimal, "the sum of what was credited";
    }
}

part! {
    /// Of [`DayClosed`]: a statement that the day was held against.
    DayClosedStatement {
        sha256: Text<64>, "the SHA-256 of the file, 64 hexadecimal digits";
    }
}

part! {
    /// Of [`DayClosed`]: how many things are open for one reason.
    DayClosedOpen {
        reason: Text<64>, "why it is open, a word";
        count: Decimal, "how many things, a whole number";
    }
}

fact! {
    /// A day that is over is closed, after the day before it, as the books were at its end; with
    /// other amounts it is set aside.
    DayClosed: "day.closed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        day: Text<10>, "the day in Brasília, YYYY-MM-DD";
        accounts: Vec<DayClosedAccount>,
            "every account of the chart that had something or was booked on, each once";
        statements?: Vec<DayClosedStatement>,
            "the statements that it was held against, each reported before";
        matching_sha256?: Text<64>,
            "the SHA-256 of what the matching came to, 64 hexadecimal digits";
        open?: Vec<DayClosedOpen>, "what is open, by reason";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// A person opens the last closed day again; while a later one is closed, it is set aside.
    DayReopened: "day.reopened" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        day: Text<10>, "the day in Brasília, YYYY-MM-DD";
        decided_by: DecidedBy, "who decided, and why";
    }
}
