//! What a purchase is, once its PIX was paid.

use ledger_core::id::{AccountId, SubaccountId};

use super::delivery::{DeliveryProgress, Stage};
use super::offer::{DeliveryTerms, Offer};
use crate::oracle::fees::Earned;

/// What a charge buys.
#[derive(Clone, Debug)]
pub(crate) struct Buy {
    pub(crate) account: AccountId,
    pub(in crate::oracle) customer: Option<Box<str>>,
    pub(crate) earned: Earned,
    pub(crate) delivery_terms: DeliveryTerms,
    pub(crate) course: DeliveryProgress,
    pub(crate) end: Option<End>,
    /// What was agreed, and at what price.
    pub(in crate::oracle) agreed: (DeliveryTerms, Earned),
    pub(in crate::oracle) offer: Offer,
    /// Of a purchase that goes on with what is left: what had gone back by then, and the last
    /// attempt of before.
    pub(crate) rest: Option<(i64, u32)>,
}

/// How a purchase ended without delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Part went back: a person decides about the rest.
    Halted,
    Returned,
    Credited(SubaccountId),
}

impl Buy {
    pub(in crate::oracle) fn new(
        account: AccountId,
        customer: Option<Box<str>>,
        earned: Earned,
        delivery_terms: DeliveryTerms,
        offer: Offer,
    ) -> Self {
        let (agreed, course) = ((delivery_terms, earned), DeliveryProgress::default());
        Self {
            account,
            customer,
            earned,
            delivery_terms,
            course,
            end: None,
            agreed,
            offer,
            rest: None,
        }
    }

    /// Tells whether nothing more is to be done.
    pub(crate) fn is_over(&self) -> bool {
        match self.end {
            Some(End::Halted) => false,
            Some(End::Returned | End::Credited(_)) => true,
            None => self.course.stage == Stage::Sent,
        }
    }
}
