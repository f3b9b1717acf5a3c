//! The terms of a payout: fixed when it is requested.

use minicbor::{Decode, Encode};

use crate::id::{AccountId, SubaccountId, Token};
use crate::money::Amount;
use crate::terms::{PayoutFees, Switch};
use crate::time::Instant;

/// The terms of a payout: fixed when requested.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Order {
    /// The API account that asked; the partner's part of the fees is its commission.
    #[n(0)]
    pub account: AccountId,
    /// The subaccount debited.
    #[n(1)]
    pub subaccount: SubaccountId,
    /// What the beneficiary receives, in centavos.
    #[n(2)]
    pub amount: Amount,
    /// The fees on top, as in force at creation (FEE-32).
    #[n(3)]
    pub fees: PayoutFees,
    /// The beneficiary's PIX key.
    #[n(4)]
    pub pix_key: Token,
    /// The beneficiary's CPF or CNPJ.
    #[n(5)]
    pub tax_number: Token,
    /// The client's own id.
    #[n(6)]
    pub external_id: Option<Box<str>>,
    /// When it was requested.
    #[n(7)]
    pub created_at: Instant,
    /// Tells whether a return of the whole gives the service fee back (P:PayoutReturn).
    #[n(8)]
    pub return_refunds_fee: Switch,
    /// Tells whether the key is proven to belong to the document: the key is the document, or a
    /// lookup named it. None in records made before it was kept: whom the client named is who
    /// receives.
    #[n(9)]
    pub proven: Option<Switch>,
}

impl Order {
    /// Returns the terms of a payout without an id of the client's, whose key nobody proved, and
    /// whose service fee a return leaves with the house.
    #[must_use]
    pub const fn new(
        account: AccountId,
        subaccount: SubaccountId,
        amount: Amount,
        fees: PayoutFees,
        pix_key: Token,
        tax_number: Token,
        created_at: Instant,
    ) -> Self {
        Self {
            account,
            subaccount,
            amount,
            fees,
            pix_key,
            tax_number,
            external_id: None,
            created_at,
            return_refunds_fee: Switch::Off,
            proven: None,
        }
    }

    /// The full debit: amount and all fees (FEE-30); `None` on overflow.
    #[must_use]
    pub fn total_debit(&self) -> Option<Amount> {
        self.amount.plus(self.fees.total()?)
    }

    /// The document that receives for certain, which alone a mandate can name (rulings 66).
    #[must_use]
    pub fn counterparty(&self) -> Option<Token> {
        (self.proven != Some(Switch::Off)).then_some(self.tax_number)
    }
}
