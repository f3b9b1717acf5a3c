//! An operation as a row of a table, for people and tools.

use crate::coin::{Scale, Units};
use crate::id::SubaccountId;
use crate::money::Cents;

/// The part of an operation's row that differs from machine to machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperationRow<'a> {
    /// How it stands, in a word of the ledger's own.
    pub state: &'static str,
    /// The subaccount that it is about.
    pub subaccount: Option<SubaccountId>,
    /// The customer's name, where it is not the subaccount's.
    pub customer: Option<&'a str>,
    /// The subaccount that receives.
    pub counterparty: Option<SubaccountId>,
    /// The id that its account gave it.
    pub external_id: Option<&'a str>,
    /// How much it is about, in centavos; a correction's is signed.
    pub amount: Option<i64>,
    /// All that it costs.
    pub fee: Option<Cents>,
    /// How much of it came or went back.
    pub returned: Option<Cents>,
    /// The name of its crypto.
    pub asset: Option<String>,
    /// The name of the network of its crypto.
    pub network: Option<String>,
    /// How much crypto it is about, as a decimal of the asset.
    pub coins: Option<String>,
    /// The end-to-end id of its PIX; of money in suspense, the id that the world gave it.
    pub end_to_end: Option<&'a str>,
    /// The transaction of its crypto.
    pub transaction: Option<&'a str>,
}

/// Units of crypto as a decimal of its asset.
pub(in crate::ledger) fn text(units: Option<Units>, scale: Scale) -> Option<String> {
    units.map(|units| units.text(scale))
}
