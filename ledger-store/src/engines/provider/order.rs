//! Orders: what the world is asked to do, read from an instruction of the outbox.

use std::fmt;

use ledger_core::contract::Vault;
use ledger_core::id::OpId;
use ledger_core::money::Amount;
use serde_json::Value;

use crate::tables::projection::Entry;

/// Something to be carried out, under its idempotency key. Its `Debug` shows no person.
#[derive(Clone)]
#[non_exhaustive]
pub struct Order<T> {
    /// The same for ever for the same order: whoever carries it out does it once under this key.
    pub idempotency_key: String,
    /// The operation that it is for, by its id: `po_…`, `ci_…`.
    pub operation: String,
    /// The instruction's own id in the outbox.
    pub id: String,
    /// The number of the record that asks for it.
    pub seq: u64,
    /// Which attempt, from 1.
    pub attempt: u32,
    /// What is to be done.
    pub what: T,
    /// The field by which facts name the operation.
    pub(super) field: &'static str,
}

/// A PIX to be sent.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SendPix {
    /// The amount to be sent, in centavos.
    pub amount: Amount,
    /// The key of whoever receives it.
    pub pix_key: Option<String>,
    /// The BR Code that is paid instead.
    pub br_code: Option<String>,
    /// The CPF or CNPJ of whoever receives it: as proven, or as the client claims; none where
    /// nobody said.
    pub document: Option<String>,
    /// Tells whether the document is proven: the key is the document, or a lookup of the key named
    /// it. None of what was ordered before this was kept.
    pub owner_proven: Option<bool>,
    /// What it is for.
    pub purpose: PixPurpose,
}

/// The kinds of orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrderKind {
    /// A PIX to be sent ([`SendPix`]).
    SendPix,
    /// Crypto to be delivered ([`Delivery`]).
    Deliver,
    /// A deposit to be sold ([`Sale`]).
    Sell,
    /// Crypto to be sent back ([`Refund`]).
    Refund,
    /// A withdrawal from a USDT wallet ([`WalletWithdrawal`]).
    Withdraw,
    /// A payment from a USDT wallet ([`WalletPayment`]).
    PayFromWallet,
}

/// What a PIX is sent for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PixPurpose {
    /// A payout to a PIX key or a BR Code.
    Payout,
    /// An order of crypto sold for a PIX.
    Sale,
}

/// Crypto to be delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Delivery {
    /// How much; none where the network takes more than there is.
    pub amount: Option<String>,
    /// The asset's name in the ledger, such as `usdt`.
    pub asset: String,
    /// The network that it is delivered on, such as `polygon`.
    pub network: String,
    /// The address of the wallet that receives it.
    pub address: String,
    /// The wallet's memo.
    pub tag: Option<String>,
}

/// An amount of crypto, as the contract writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CryptoAmount {
    /// The asset's name in the ledger, such as `usdt`.
    pub asset: String,
    /// The network that the coins are on, such as `polygon`.
    pub network: String,
    /// How much, as a decimal of the asset.
    pub amount: String,
}

/// A deposit to be sold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sale {
    /// What is sold.
    pub coins: CryptoAmount,
}

/// Crypto to be sent back.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refund {
    /// How much of what.
    pub coins: CryptoAmount,
    /// The return wallet.
    pub address: String,
}

/// A withdrawal from a USDT wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WalletWithdrawal {
    /// What arrives at the address: `USDT` or `USDC`.
    pub asset: String,
    /// The network on which it arrives, such as `polygon`.
    pub network: String,
    /// The external wallet.
    pub address: String,
    /// What leaves the wallet, in USDT as a decimal.
    pub amount: String,
    /// What was quoted to arrive, as a decimal.
    pub estimated: String,
    /// The least that may arrive, as a decimal.
    pub minimum: String,
}

/// A payment from a USDT wallet.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WalletPayment {
    /// The PIX that the payee receives.
    pub amount: Amount,
    /// The payee's key; none where a BR Code is paid.
    pub pix_key: Option<String>,
    /// The payee's CPF or CNPJ, where it is proven: the key is the document, or a lookup of the
    /// key named it.
    pub document: Option<String>,
    /// What may be spent of the wallet at most, in USDT as a decimal.
    pub reserved: String,
}

/// An order of any kind.
#[derive(Clone, Debug)]
pub(super) enum Task {
    SendPix(Order<SendPix>),
    Deliver(Order<Delivery>),
    Sell(Order<Sale>),
    Refund(Order<Refund>),
    Withdraw(Order<WalletWithdrawal>),
    Pay(Order<WalletPayment>),
}

/// The kind of order that an instruction of this topic is.
pub(super) fn kind_of(topic: &str) -> Option<OrderKind> {
    Some(match topic {
        "pix.send" => OrderKind::SendPix,
        "crypto.deliver" => OrderKind::Deliver,
        "crypto.sell" => OrderKind::Sell,
        "crypto.refund" => OrderKind::Refund,
        "wallet.withdraw" => OrderKind::Withdraw,
        "wallet.pay" => OrderKind::PayFromWallet,
        _ => return None,
    })
}

/// Reads an instruction; persons come whole from the vault. None where it cannot be read, or a
/// person whom it cannot be carried out without was erased.
pub(super) fn read(entry: &Entry, op: OpId, vault: &impl Vault) -> Option<Task> {
    let body = Body { entry, vault };
    let order = Order {
        idempotency_key: entry.idempotency_key.clone(),
        operation: entry.operation.clone(),
        id: entry.id.clone(),
        seq: entry.seq,
        attempt: body.number("attempt").and_then(|it| u32::try_from(it).ok()).unwrap_or(1),
        what: (),
        field: op.field(),
    };
    Some(match &*entry.topic {
        "pix.send" => {
            let sale = op.kind() == ledger_core::id::Kind::CashOut;
            let purpose = if sale { PixPurpose::Sale } else { PixPurpose::Payout };
            let (pix_key, br_code) = (body.person("pix_key").ok()?, body.person("br_code").ok()?);
            let amount = body.cents("amount_cents")?;
            if pix_key.is_none() && br_code.is_none() {
                return None;
            }
            // An erased document only says less: the key is what is paid.
            let document = body.person("tax_number").unwrap_or_default();
            let owner_proven = body.flag("owner_proven");
            let send = SendPix { amount, pix_key, br_code, document, owner_proven, purpose };
            Task::SendPix(order.with_task(send))
        }
        "crypto.deliver" => Task::Deliver(order.with_task(Delivery {
            amount: body.text_if("amount"),
            asset: body.text("asset")?,
            network: body.text("chain")?,
            address: body.text("payout_address")?,
            tag: body.text_if("payout_tag"),
        })),
        "crypto.sell" => Task::Sell(order.with_task(Sale { coins: body.coins()? })),
        "crypto.refund" => {
            let (coins, address) = (body.coins()?, body.text("refund_address")?);
            Task::Refund(order.with_task(Refund { coins, address }))
        }
        "wallet.withdraw" => Task::Withdraw(order.with_task(WalletWithdrawal {
            asset: body.text("asset")?,
            network: body.text("network")?,
            address: body.text("address")?,
            amount: body.text("amount")?,
            estimated: body.text("amount_estimated")?,
            minimum: body.text("minimum_received")?,
        })),
        "wallet.pay" => Task::Pay(order.with_task(WalletPayment {
            amount: body.cents("amount_cents")?,
            pix_key: body.person("pix_key").ok()?,
            document: body.person("tax_number").unwrap_or_default(),
            reserved: body.text("usdt_reserved")?,
        })),
        _ => return None,
    })
}

impl Order<()> {
    fn with_task<T>(self, what: T) -> Order<T> {
        let Self { idempotency_key, operation, id, seq, attempt, what: (), field } = self;
        Order { idempotency_key, operation, id, seq, attempt, what, field }
    }
}

/// A person without whom an instruction cannot be carried out was erased.
struct Erased;

/// The body of an instruction, as the contract renders it.
struct Body<'a, V> {
    entry: &'a Entry,
    vault: &'a V,
}

impl<V: Vault> Body<'_, V> {
    fn number(&self, name: &str) -> Option<i64> {
        self.entry.body.get(name).and_then(Value::as_i64)
    }

    fn cents(&self, name: &str) -> Option<Amount> {
        self.number(name).and_then(Amount::new)
    }

    fn flag(&self, name: &str) -> Option<bool> {
        self.entry.body.get(name).and_then(Value::as_bool)
    }

    fn text_if(&self, name: &str) -> Option<String> {
        self.entry.body.get(name).and_then(Value::as_str).map(str::to_owned)
    }

    fn text(&self, name: &str) -> Option<String> {
        self.text_if(name).filter(|text| !text.is_empty())
    }

    fn coins(&self) -> Option<CryptoAmount> {
        Some(CryptoAmount {
            asset: self.text("asset")?,
            network: self.text("network")?,
            amount: self.text("amount")?,
        })
    }

    /// A person's value in whole; none where nobody is named.
    fn person(&self, name: &str) -> Result<Option<String>, Erased> {
        let mut persons = self.entry.persons.iter();
        let Some((_, token)) = persons.find(|(field, _)| *field == name) else { return Ok(None) };
        self.vault.value(*token).map(|value| Some(value.to_owned())).ok_or(Erased)
    }
}

impl<T> fmt::Debug for Order<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Order");
        shown.field("idempotency_key", &self.idempotency_key).field("attempt", &self.attempt);
        shown.finish_non_exhaustive()
    }
}

impl fmt::Debug for SendPix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SendPix").field("amount", &self.amount).finish_non_exhaustive()
    }
}

impl fmt::Debug for WalletPayment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WalletPayment").field("amount", &self.amount).finish_non_exhaustive()
    }
}
