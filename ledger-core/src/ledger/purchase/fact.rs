//! What is reported of purchases, of every delivery, and of what is on offer.

use crate::id::OpId;
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, attributed};
use crate::ledger::record::Scope;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::machine::charge::PixPayment;
use crate::machine::delivery::{Command, DeliveryReport};
use crate::machine::erroneous_delivery;
use crate::terms::{Listing, Market, Quote};

/// What is reported of purchases, deliveries, and what is on offer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Fields bear the names of the wire's; the contract module describes each.
pub enum Fact {
    /// A delivery moved; with the PIX, that it was sent implies that it was paid.
    Delivery { op: Option<OpId>, command: Command, payment: Option<PixPayment> },
    /// An operator found out what became of a delivery: sent in this transaction, or not sent.
    DeliveryEvidence { op: Option<OpId>, sent: Option<Box<str>>, decided_by: OperatorDecision },
    /// An operator gives a delivery up.
    DeliveryGivenUp { op: Option<OpId>, to: GiveUpTo, decided_by: OperatorDecision },
    /// An operator lets what is left of a purchase be delivered.
    DeliveryResumed { op: Option<OpId>, decided_by: OperatorDecision },
    /// A claim on crypto that went astray ended.
    ErroneousDeliverySettled {
        erroneous_delivery: Option<OpId>,
        end: erroneous_delivery::End,
        decided_by: OperatorDecision,
    },
    /// Pairs were listed, changed or dropped; the ledger gives assets and networks their numbers.
    CatalogueUpdated { listed: Vec<Listing>, dropped: Vec<(Box<str>, Box<str>)> },
    /// Pairs that sellers may deposit were listed, changed or dropped.
    MarketsUpdated { opened: Vec<Market>, closed: Vec<(Box<str>, Box<str>)> },
    /// An asset's price was reported.
    RateQuoted { asset: Box<str>, quote: Quote },
}

/// Where the money of a delivery given up goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GiveUpTo {
    /// Back to the payer of a purchase, by this return.
    Payer(Box<str>),
    /// To custody: of a purchase, the customer's; of a conversion, where it came from.
    Custody,
}

impl Fact {
    /// What kind of fact this is.
    #[must_use]
    pub const fn kind(&self) -> FactKind {
        match self {
            Self::Delivery { command, .. } => match command.report {
                DeliveryReport::Begin => FactKind::DeliveryStarted,
                DeliveryReport::Accept => FactKind::DeliveryAccepted,
                DeliveryReport::Confirm(_) => FactKind::DeliverySent,
                DeliveryReport::Fail => FactKind::DeliveryFailed,
                DeliveryReport::Lose => FactKind::DeliveryUnknown,
            },
            Self::DeliveryEvidence { .. } => FactKind::DeliveryEvidence,
            Self::DeliveryGivenUp { .. } => FactKind::DeliveryGivenUp,
            Self::DeliveryResumed { .. } => FactKind::DeliveryResumed,
            Self::ErroneousDeliverySettled { .. } => FactKind::ErroneousDeliverySettled,
            Self::CatalogueUpdated { .. } => FactKind::CatalogueUpdated,
            Self::MarketsUpdated { .. } => FactKind::MarketsUpdated,
            Self::RateQuoted { .. } => FactKind::RateQuoted,
        }
    }

    /// The operation the fact is about, if it names one.
    #[must_use]
    pub const fn about(&self) -> Option<OpId> {
        match self {
            Self::Delivery { op, .. }
            | Self::DeliveryEvidence { op, .. }
            | Self::DeliveryGivenUp { op, .. }
            | Self::DeliveryResumed { op, .. }
            | Self::ErroneousDeliverySettled { erroneous_delivery: op, .. } => *op,
            Self::CatalogueUpdated { .. }
            | Self::MarketsUpdated { .. }
            | Self::RateQuoted { .. } => None,
        }
    }

    /// The PIX it names besides, which may be known already.
    #[must_use]
    pub(in crate::ledger) fn pix(&self) -> Option<(Scope, &str)> {
        match self {
            Self::Delivery { payment: Some(payment), .. } => {
                Some((Scope::ReceivedPix, &payment.e2e))
            }
            Self::DeliveryGivenUp { to: GiveUpTo::Payer(return_id), .. } => {
                Some((Scope::ReturnedDeposit, return_id))
            }
            _ => None,
        }
    }

    /// The transaction in which it tells that something left.
    #[must_use]
    pub(in crate::ledger) fn sent_in(&self) -> Option<&str> {
        match self {
            Self::Delivery { command, .. } => match &command.report {
                DeliveryReport::Confirm(hash) => Some(hash),
                _ => None,
            },
            Self::DeliveryEvidence { sent, .. } => sent.as_deref(),
            _ => None,
        }
    }
}

impl FactContext<'_> {
    /// A fact about a purchase, a delivery, or what is on offer.
    pub(in crate::ledger) fn decide_purchase(&self, fact: Fact) -> Decision {
        match fact {
            Fact::Delivery { command, payment, .. } => self.delivery(command, payment.as_ref()),
            Fact::DeliveryEvidence { sent, decided_by, .. } => {
                attributed(self.delivery_found_out(sent, decided_by), decided_by)
            }
            Fact::DeliveryGivenUp { to, decided_by, .. } => {
                attributed(self.given_up(to), decided_by)
            }
            Fact::DeliveryResumed { decided_by, .. } => attributed(self.resumed(), decided_by),
            Fact::ErroneousDeliverySettled { end, decided_by, .. } => {
                attributed(self.erroneous_delivery_settled(end), decided_by)
            }
            Fact::CatalogueUpdated { listed, dropped } => self.catalogue(listed, dropped),
            Fact::MarketsUpdated { opened, closed } => self.markets(opened, closed),
            Fact::RateQuoted { asset, quote } => self.rate(asset, quote),
        }
    }
}
