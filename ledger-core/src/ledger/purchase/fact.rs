//! What is reported of purchases, of every delivery, and of what is on offer.

use crate::id::OpId;
use crate::ledger::archive::Archive;
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, attribute};
use crate::ledger::decision::lookup::{Lookup, claim_record, operation};
use crate::ledger::record::Scope;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::state::State;
use crate::machine::charge::PixPayment;
use crate::machine::delivery::{Command, DeliveryReport};
use crate::machine::erroneous_delivery;
use crate::terms::{Listing, Market, Quote};

facts! {
    /// What is reported of purchases, deliveries, and what is on offer.
    #[allow(missing_docs)] // Fields bear the wire's names; the contract module describes each.
    Fact {
        /// A delivery moved; with the PIX, that it was sent implies that it was paid.
        Delivery { op: Option<OpId>, command: Command, payment: Option<PixPayment> }
            is report_kind(&command.report),
            about *op,
            pix payment.as_ref().map(|paid| (Scope::ReceivedPix, &*paid.e2e)),
            at payment.as_mut().map(|paid| &mut paid.paid_at);
        /// An operator found out what became of a delivery: sent in this transaction, or not sent.
        DeliveryEvidence { op: Option<OpId>, sent: Option<Box<str>>, decided_by: OperatorDecision }
            is FactKind::DeliveryEvidence, about *op;
        /// An operator gives a delivery up.
        DeliveryGivenUp { op: Option<OpId>, to: GiveUpTo, decided_by: OperatorDecision }
            is FactKind::DeliveryGivenUp,
            about *op,
            pix to.return_id().map(|id| (Scope::ReturnedDeposit, id));
        /// An operator lets what is left of a purchase be delivered.
        DeliveryResumed { op: Option<OpId>, decided_by: OperatorDecision }
            is FactKind::DeliveryResumed, about *op;
        /// A claim on crypto that went astray ended.
        ErroneousDeliverySettled {
            erroneous_delivery: Option<OpId>,
            end: erroneous_delivery::End,
            decided_by: OperatorDecision,
        } is FactKind::ErroneousDeliverySettled, about *erroneous_delivery;
        /// Pairs were listed, changed or dropped; the ledger numbers assets and networks.
        CatalogueUpdated { listed: Vec<Listing>, dropped: Vec<(Box<str>, Box<str>)> }
            is FactKind::CatalogueUpdated;
        /// Pairs that sellers may deposit were listed, changed or dropped.
        MarketsUpdated { opened: Vec<Market>, closed: Vec<(Box<str>, Box<str>)> }
            is FactKind::MarketsUpdated;
        /// An asset's price was reported.
        RateQuoted { asset: Box<str>, quote: Quote }
            is FactKind::RateQuoted, at Some(&mut quote.at);
    }
}

/// Where the money of a delivery given up goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GiveUpTo {
    /// Back to the payer of a purchase, by this return.
    Payer(Box<str>),
    /// To custody: of a purchase, the customer's; of a conversion, where it came from.
    Custody,
}

const fn report_kind(report: &DeliveryReport) -> FactKind {
    match report {
        DeliveryReport::Begin => FactKind::DeliveryStarted,
        DeliveryReport::Accept => FactKind::DeliveryAccepted,
        DeliveryReport::Confirm(_) => FactKind::DeliverySent,
        DeliveryReport::Fail => FactKind::DeliveryFailed,
        DeliveryReport::Lose => FactKind::DeliveryUnknown,
    }
}

impl GiveUpTo {
    /// The return by which it goes back to the payer.
    fn return_id(&self) -> Option<&str> {
        match self {
            Self::Payer(return_id) => Some(return_id),
            Self::Custody => None,
        }
    }
}

impl Fact {
    /// The transaction in which it tells that something left.
    #[must_use]
    fn sent_in(&self) -> Option<&str> {
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

impl Fact {
    /// Every transaction that the fact names.
    pub(in crate::ledger) fn transactions(&mut self, mut each: impl FnMut(&mut Box<str>)) {
        match self {
            Self::Delivery { command, .. } => {
                if let DeliveryReport::Confirm(hash) = &mut command.report {
                    each(hash);
                }
            }
            Self::DeliveryEvidence { sent: Some(hash), .. } => each(hash),
            _ => {}
        }
    }
}

impl Lookup {
    /// What a purchase bought for a customer goes to that customer's custody when it is given up;
    /// a claim that is settled may be on the coins of an order.
    pub(in crate::ledger) fn add_purchase(
        &mut self,
        (state, archive): (&State, &impl Archive),
        fact: &Fact,
    ) {
        self.claimed = fact.sent_in().and_then(|hash| claim_record(archive, fact.about(), hash));
        if let Fact::ErroneousDeliverySettled { .. } = fact {
            let claim = self.operation.as_ref().and_then(|(_, known)| known.erroneous_delivery());
            let about = claim.and_then(|claim| claim.waiting()).map(|order| order.about);
            self.order = about.and_then(|about| operation(state, archive, about));
        }
        let Fact::DeliveryGivenUp { .. } = fact else { return };
        let order = self.operation.as_ref().and_then(|(_, known)| known.charge()?.order());
        let customer = order.and_then(|order| order.purchase.as_ref()?.customer.as_deref());
        let account = order.map(|order| order.account);
        let known = account.zip(customer);
        self.subaccounts[0] = known.and_then(|(id, name)| archive.subaccount(id, name));
    }
}

impl FactContext<'_> {
    /// A fact about a purchase, a delivery, or what is on offer.
    pub(in crate::ledger) fn decide_purchase(&self, fact: Fact) -> Decision {
        match fact {
            Fact::Delivery { command, payment, .. } => self.delivery(command, payment.as_ref()),
            Fact::DeliveryEvidence { sent, decided_by, .. } => {
                attribute(self.delivery_found_out(sent, decided_by), decided_by)
            }
            Fact::DeliveryGivenUp { to, decided_by, .. } => {
                attribute(self.given_up(to), decided_by)
            }
            Fact::DeliveryResumed { decided_by, .. } => {
                attribute(self.resume_delivery(), decided_by)
            }
            Fact::ErroneousDeliverySettled { end, decided_by, .. } => {
                attribute(self.erroneous_delivery_settled(end), decided_by)
            }
            Fact::CatalogueUpdated { listed, dropped } => self.catalogue(listed, dropped),
            Fact::MarketsUpdated { opened, closed } => self.markets(opened, closed),
            Fact::RateQuoted { asset, quote } => self.rate(asset, quote),
        }
    }
}
