//! Facts of a product's own accounts: declared, and moved by entries that balance.
//!
//! A company that comes with customers brings their balances, and then closes its account for more:
//!
//! ```
//! use custody_ledger::fact::account::AccountOpened;
//! use custody_ledger::fact::product::{BalanceOpened, EntryLegOf, OpeningBalancesClosed};
//! use custody_ledger::prelude::*;
//! use custody_ledger::request::balance::GetBalance;
//! use custody_ledger::value::DecidedBy;
//!
//! let ledger = Ledger::open("memory:").wait()?;
//! let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
//! ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
//!
//! let decided = || DecidedBy::new("bia", "migration");
//! let bring = |id: &str, cents| {
//!     let of = EntryLegOf::new(AccountName::new("loja")?, Party::customer("ana")?);
//!     let balance = BalanceOpened::new(FactId::new(id)?, of, Amount::new(cents)?, decided()?);
//!     Ok::<_, Box<dyn std::error::Error>>(ledger.report(&balance).wait()?)
//! };
//! bring("opening-1", 125_000)?.ensure_applied()?;
//! let loja = ledger.client(ApiKey::new("svc_live_loja")?);
//! let balance = loja.ask(&GetBalance::new(Party::customer("ana")?)).wait()?.answer;
//! assert_eq!(balance.available.cents(), 125_000); // It waits for nothing.
//!
//! let (id, account) = (FactId::new("closed-1")?, AccountName::new("loja")?);
//! ledger.report(&OpeningBalancesClosed::new(id, account, decided()?)).wait()?.ensure_applied()?;
//! assert!(bring("opening-2", 1)?.ensure_applied().is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A raffle keeps the money of each draw apart: the holder of a `per_customer` account is any name,
//! which needs no money and is in no list of customers. A part of a ticket is taken back once, by
//! legs on the other sides:
//!
//! ```
//! # use custody_ledger::fact::account::AccountOpened;
//! use custody_ledger::fact::product::ProductAccountDeclaredClass::Liability;
//! use custody_ledger::fact::product::{
//!     BalanceOpened, EntryLeg, EntryLegOf, EntryPosted, EntryReversed, ProductAccountDeclared,
//! };
//! use custody_ledger::journal::Format;
//! use custody_ledger::prelude::*;
//! use custody_ledger::value::{DecidedBy, Text};
//!
//! # let ledger = Ledger::open("memory:").wait()?;
//! # let account = AccountName::new("loja")?;
//! # let opened = AccountOpened::new(FactId::new("acc-1")?, account.clone());
//! # ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
//! # let by = || DecidedBy::new("raffle", "ticket 7").expect("two texts");
//! # let ana = EntryLegOf::new(account.clone(), Party::customer("ana")?);
//! # let brought = BalanceOpened::new(FactId::new("b-1")?, ana, Amount::new(5_000)?, by());
//! # ledger.report(&brought).wait()?.ensure_applied()?;
//! let (id, name) = (FactId::new("pot")?, Text::new("rifa.pote")?);
//! let pot = ProductAccountDeclared::new(id, name, Liability, by());
//! ledger.report(&pot.per_customer(true)).wait()?.ensure_applied()?;
//!
//! let leg = |name: &str, of: &str| {
//!     let of = EntryLegOf::new(account.clone(), Party::customer(of)?);
//!     Ok::<_, Box<dyn std::error::Error>>(EntryLeg::new(Text::new(name)?).of(of))
//! };
//! let (price, half) = (Amount::new(2_000)?, Amount::new(1_000)?);
//! let (ana, draw) = (leg("cust.avail", "ana")?, leg("rifa.pote", "draw-1")?);
//! let bought = vec![ana.clone().debit(price), draw.clone().credit(price)];
//! let bought = EntryPosted::new(FactId::new("ticket-7")?, bought, by());
//! let ticket = ledger.report(&bought).wait()?.ensure_applied()?.operation.expect("an entry");
//!
//! let back = vec![draw.debit(half), ana.credit(half)];
//! let back = EntryReversed::new(FactId::new("back-7")?, ticket, by()).legs(back);
//! ledger.report(&back).wait()?.ensure_applied()?;
//!
//! // No request reads such an account: its balance is the sum of its lines here.
//! let entries = String::from_utf8(ledger.export(Format::Csv, Vec::new()).wait()?)?;
//! assert!(entries.contains("prod.liability,rifa.pote/loja/draw-1,BRL,-20.00"));
//! assert!(entries.contains("prod.liability,rifa.pote/loja/draw-1,BRL,10.00"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::declared::{list, part, words};
use crate::fact::fact;
use crate::value::{
    AccountName, Amount, Cents, DecidedBy, FactId, Metadata, OperationId, Party, Text,
};

list! { AnyFact:
    ProductAccountDeclared, EntryPosted, EntryReversed, TemplateAdopted, TemplatePosted,
    BalanceOpened, OpeningBalancesClosed,
}

words! {
    /// Values of `class`: asset, liability, equity, income or expense.
    ProductAccountDeclaredClass {
        Asset = "asset",
        Liability = "liability",
        Equity = "equity",
        Income = "income",
        Expense = "expense",
    }
}

part! {
    /// Of [`ProductAccountDeclared`]: a unit that products count in, such as points.
    ///
    /// Amounts of its accounts are in its smallest unit: of `milhas` with two decimals, an
    /// [`Amount`] of 150 is 1.50.
    ProductUnit {
        name: Text<16>, "its name: 1 to 16 lower-case letters and digits, such as `pontos`";
        decimals: u16, "of the unit, 0 to 18, the same in each account that counts it";
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
        asset?: Text<32>,
            "an asset of the catalogue that it counts, in smallest units; absent, and no unit: \
             centavos";
        unit?: ProductUnit, "a unit of your own that it counts";
        decided_by: DecidedBy, "who decided, and why";
    }
}

part! {
    /// Of [`EntryLeg`] and [`BalanceOpened`]: whose an account is.
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
        debit?: Amount as "debit_cents",
            "what is debited, in smallest units of the account; a leg has this or the other";
        credit?: Amount as "credit_cents", "what is credited";
    }
}

fact! {
    /// A product posts an entry over its own accounts, customers' available money and the house's
    /// own; a customer spends no more than is available.
    EntryPosted: "entry.posted" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        legs: Vec<EntryLeg>,
            "2 to 100 legs, each of another account, of which debits and credits are equal in each \
             unit";
        description?: Text<255>, "what statements of the customers say";
        metadata?: Metadata,
            "pairs of the account's own: at most 16, and 2,048 bytes as JSON; a key has 1 to 40 \
             characters, a value is text of at most 500, a whole number, true, false or null";
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

part! {
    /// Of [`TemplateAdopted`]: a number that a posting gives.
    TemplateAmount {
        name: Text<32>, "its name in the expressions: lower-case letters, digits and _";
        from: Cents, "the least it may be";
        to: Cents, "the most it may be";
    }
}

part! {
    /// Of [`TemplateAdopted`]: a leg, whose amount is an expression.
    TemplateLeg {
        name: Text<64>, "the account's name, as legs of entries have it";
        of?: Text<32>, "whose it is: one of the template's holders";
        debit?: Text<255>, "what is debited; a leg has this or the other";
        credit?: Text<255>, "what is credited";
    }
}

fact! {
    /// A product has a kind of entry whose amounts follow from parameters, proven to balance for
    /// all of them; what cannot be proven is refused.
    TemplateAdopted: "template.adopted" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        name: Text<64>,
            "the template's name; adopted under a name that is known it is that name's next \
             version";
        amounts: Vec<TemplateAmount>, "1 to 16 numbers that a posting gives: centavos, rates";
        holders?: Vec<Text<255>>, "up to 16 names of subaccounts that a posting gives";
        legs: Vec<TemplateLeg>,
            "2 to 100 legs, each of another account; what each comes to is an expression over the \
             amounts: whole numbers, + - *, min(a, b), max(a, b), and quotients that say how they \
             are rounded, down(a / 100), up(a / 100) or half_even(a / 100); one leg may be `rest`";
        conditions?: Vec<Text<255>>,
            "up to 16 comparisons of expressions, by < <= = >= or >, such as `valor >= 100`; where \
             one does not hold, nothing is posted";
        decided_by: DecidedBy, "who decided, and why";
    }
}

part! {
    /// Of [`TemplatePosted`]: a value for an amount of the template.
    TemplateValue {
        name: Text<32>, "the amount's name in the template";
        value: Cents, "its value, within the amount's range";
    }
}

part! {
    /// Of [`TemplatePosted`]: a subaccount for a holder of the template.
    TemplateHolder {
        name: Text<32>, "the holder's name in the template";
        account: AccountName, "the API account's name";
        party: Party as "customer_ref", "the subaccount";
    }
}

fact! {
    /// A product posts an entry by a template, which gives each leg's amount; a customer spends no
    /// more than is available.
    TemplatePosted: "template.posted" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        template: Text<64>, "the template's name";
        version?: u16, "its version; absent: the latest";
        amounts: Vec<TemplateValue>, "a value for each of its amounts";
        holders?: Vec<TemplateHolder>, "a subaccount for each of its holders";
        description?: Text<255>, "what statements of the customers say";
        metadata?: Metadata,
            "pairs of the account's own: at most 16, and 2,048 bytes as JSON; a key has 1 to 40 \
             characters, a value is text of at most 500, a whole number, true, false or null";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// A company brings a balance that a customer or the house had elsewhere; it is available at
    /// once, counts against no limit, and is debited to equity.opening.
    BalanceOpened: "balance.opened" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        of: EntryLegOf, "whose it is";
        amount: Amount as "amount_cents", "centavos";
        description?: Text<255>, "what the customer's statement says";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// An account takes no opening balances any more: all that come later are set aside.
    OpeningBalancesClosed: "opening_balances.closed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        account: AccountName, "the API account's name";
        decided_by: DecidedBy, "who decided, and why";
    }
}
