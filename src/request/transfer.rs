//! Requests of transfers between the balances of an account.
//!
//! A group moves all of its legs, or none, and its parts sum to the price to the centavo. This sale
//! gives the house a rate, and two sellers shares of what is left; a fifth of each part goes back,
//! and of the last part the rest:
//!
//! ```
//! # use custody_ledger::fact::account::AccountOpened;
//! # use custody_ledger::fact::product::{BalanceOpened, EntryLegOf};
//! use custody_ledger::prelude::*;
//! use custody_ledger::request::transfer::{CreateTransferGroup, TransferLeg};
//! use custody_ledger::value::Bps;
//!
//! # let ledger = Ledger::open("memory:").wait()?;
//! # let account = AccountName::new("loja")?;
//! # let opened = AccountOpened::new(FactId::new("acc-1")?, account.clone());
//! # ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
//! # let decided = custody_ledger::value::DecidedBy::new("bia", "migration")?;
//! # let of = EntryLegOf::new(account, Party::customer("ana")?);
//! # let balance = BalanceOpened::new(FactId::new("b-1")?, of, Amount::new(10_000)?, decided);
//! # ledger.report(&balance).wait()?.ensure_applied()?;
//! # let loja = ledger.client(ApiKey::new("svc_live_loja")?);
//! let buyer = Party::customer("ana")?;
//! let leg = |to: Party| TransferLeg::new(buyer.clone(), to);
//! let sale = vec![
//!     leg(Party::House).rate(Bps::new(250)?),
//!     leg(Party::customer("bia")?).shares(2),
//!     leg(Party::customer("eva")?).rest(true), // One share.
//! ];
//! let sale = CreateTransferGroup::new(Amount::new(10_000)?, sale, ExternalId::new("sale-1")?);
//! let sale = loja.ask(&sale).wait()?.answer;
//! let parts: Vec<i64> = sale.legs.iter().map(|leg| leg.amount.cents()).collect();
//! assert_eq!(parts, [250, 6_500, 3_250]);
//!
//! let (last, others) = sale.legs.split_last().expect("three legs");
//! let back = |to: &Party| TransferLeg::new(to.clone(), buyer.clone());
//! let mut legs = Vec::new();
//! for leg in others {
//!     let cents = i128::from(leg.amount.cents()) * 2_000 / 10_000;
//!     legs.push(back(&leg.to).amount(Amount::new(cents.try_into()?)?));
//! }
//! legs.push(back(&last.to).rest(true));
//! let back = CreateTransferGroup::new(Amount::new(2_000)?, legs, ExternalId::new("back-1")?);
//! let back = loja.ask(&back).wait()?.answer;
//! let parts: Vec<i64> = back.legs.iter().map(|leg| leg.amount.cents()).collect();
//! assert_eq!(parts, [50, 1_300, 650]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A leg that comes to less than a centavo refuses its group: leave out a rate of zero, or of a
//! price too small for it.

use crate::declared::{list, part};
use crate::request::{Account, request};
use crate::value::{Amount, Bps, ExternalId, Metadata, Party, Text};

list! { AnyRequest: CreateTransfer, CreateTransferGroup }

request! {
    /// Move between subaccounts: `POST /saldo/transferir`.
    ///
    /// Moves available reais between the house and subaccounts, without a PIX.
    ///
    /// It may be refused for `amount_invalido`, `carencia_primeiro_deposito`, `custodia_desligada`,
    /// `external_id_divergente`, `origem_igual_destino` or `saldo_insuficiente`.
    CreateTransfer: "POST /saldo/transferir", Account => Transfer;
    body {
        from: Party as "from_customer_ref", "who pays";
        to: Party as "to_customer_ref", "who receives";
        amount: Amount as "amount_cents", "how much";
        description?: Text<255> as "descricao", "a note";
        external_id: ExternalId, "the account's own id: asked again, nothing is done twice";
        metadata?: Metadata,
            "pairs of the account's own: at most 16, and 2,048 bytes as JSON; a key has 1 to 40 \
             characters, a value is text of at most 500, a whole number, true, false or null";
    }
}

part! {
    /// Of `CreateTransferGroup`: the moves, 1 to 100; they sum to `amount_cents`.
    ///
    /// Exactly one setter says how much a leg moves.
    TransferLeg {
        from: Party as "from_customer_ref", "who pays";
        to: Party as "to_customer_ref", "who receives";
        amount?: Amount as "amount_cents", "how much it moves";
        rate?: Bps as "bps", "its rate of the whole";
        shares?: u16 as "partes", "its shares of what amounts and rates leave";
        rest?: bool as "resto", "whether it moves the rest: one share of what is left";
    }
}

request! {
    /// Move among several subaccounts: `POST /saldo/transferir` with `pernas`.
    ///
    /// Up to 100 transfers under one `external_id`: all of them are made, or none. Each leg of
    /// `pernas` moves an amount, a rate of the whole, shares of what these leave, or the rest;
    /// together they move `amount_cents`. A refusal names the leg. What a leg brings pays for no
    /// other leg of the group. An extension of this service.
    ///
    /// It may be refused for `amount_invalido`, `carencia_primeiro_deposito`, `custodia_desligada`,
    /// `external_id_divergente`, `origem_igual_destino` or `saldo_insuficiente`.
    CreateTransferGroup: "POST /saldo/transferir", Account => TransferGroup;
    body {
        amount: Amount as "amount_cents", "how much";
        legs: Vec<TransferLeg> as "pernas", "the moves, 1 to 100; they sum to `amount_cents`";
        description?: Text<255> as "descricao", "a note";
        external_id: ExternalId, "the account's own id: asked again, nothing is done twice";
        metadata?: Metadata,
            "pairs of the account's own: at most 16, and 2,048 bytes as JSON; a key has 1 to 40 \
             characters, a value is text of at most 500, a whole number, true, false or null";
    }
}
