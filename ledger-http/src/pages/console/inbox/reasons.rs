//! Reasons: why an operation is in the inbox, and what ends that, in words.

use ledger_core::ledger::WaitingReason;
use ledger_core::machine::cash_out::ReviewReason;

use crate::pages::console::filters::ANALYSIS;
use crate::pages::lang::Lang;

/// Why an operation waits or hangs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    Waits(WaitingReason),
    /// A recovery that nobody has decided.
    Analysis,
    Hangs,
}

/// A text in Portuguese and in English.
type Text = (&'static str, &'static str);

const PROVIDER: Text = ("o provedor informa", "the provider reports");
const DECISION: Text = ("uma decisão", "a decision");
const EVIDENCE: Text = ("prova do que houve", "evidence of what came of it");
const EITHER: Text = ("o provedor informa, ou prova", "the provider reports, or evidence");
const NETWORK: Text = ("a rede informa", "the network reports");

impl Reason {
    /// Every reason: those of waiting, then the analysis of recoveries, and hanging.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        WaitingReason::ALL.iter().copied().map(Self::Waits).chain([Self::Analysis, Self::Hangs])
    }

    /// Its name, as an address and a file have it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Waits(reason) => reason.name(),
            Self::Analysis => ANALYSIS,
            Self::Hangs => "hanging",
        }
    }

    /// Returns what it is called.
    pub(super) const fn label(self, lang: Lang) -> &'static str {
        lang.t(self.in_portuguese(), self.name())
    }

    const fn in_portuguese(self) -> &'static str {
        use WaitingReason as Of;
        let reason = match self {
            Self::Waits(reason) => reason,
            Self::Analysis => return "recuperação a decidir",
            Self::Hangs => return "parada",
        };
        match reason {
            Of::UnknownPayout => "saque sem resposta",
            Of::StoppedPayout => "saque em análise",
            Of::UnknownDelivery => "envio sem resposta",
            Of::HaltedPurchase => "compra interrompida",
            Of::ProviderHold => "retido no provedor",
            Of::PixReview => "PIX em análise",
            Of::Unattached => "valor a esclarecer",
            Of::ProviderClaim => "valor a reaver do provedor",
            Of::CryptoClaim => "cripto a reaver",
            Of::Unclaimed => "cripto sem ordem",
            Of::SaleReview => "venda em análise",
            Of::UnknownSale => "venda sem resposta",
            Of::RefundAddress => "devolução sem carteira",
            Of::RefundApproval => "devolução para o operador",
            Of::UnknownRefund => "devolução sem resposta",
            Of::DepositReview => "depósito da carteira em análise",
            Of::PaymentReview => "pagamento da carteira em análise",
            Of::ReserveKept => "reserva a decidir",
            Of::WithdrawalReview => "retirada da carteira em análise",
        }
    }

    /// What ends it, where a person may by a decision or where none may.
    pub(super) const fn ends(self, decision: Option<&'static str>, lang: Lang) -> &'static str {
        use WaitingReason as Of;
        let (pt, en) = match self {
            Self::Hangs if decision.is_some() => EITHER,
            Self::Waits(Of::UnknownRefund) => NETWORK,
            Self::Waits(
                Of::UnknownPayout
                | Of::UnknownDelivery
                | Of::UnknownSale
                | Of::PaymentReview
                | Of::WithdrawalReview,
            ) => EVIDENCE,
            _ if decision.is_some() => DECISION,
            _ => PROVIDER,
        };
        lang.t(pt, en)
    }
}

/// Why a sale is under review.
pub(super) const fn review(reason: ReviewReason, lang: Lang) -> &'static str {
    let pt = match reason {
        ReviewReason::Strange => "outro token ou rede, ou tarde demais",
        ReviewReason::Short => "chegou pouco",
        ReviewReason::TooMuch => "acima do maior pagamento",
        ReviewReason::Unpriced => "sem cotação",
        ReviewReason::KeyRefused => "chave PIX recusada",
        ReviewReason::Stopped => "pagamento sem resposta",
        ReviewReason::SaleLost => "troca sem resposta",
        ReviewReason::ReturnAwaited => "aguarda devolução do provedor",
        ReviewReason::RecipientDay => "limite diário do recebedor",
        ReviewReason::RecipientOrder => "limite do recebedor por ordem",
        ReviewReason::MandateOperation => "limite do mandato por operação",
        ReviewReason::MandateDay => "limite diário do mandato",
        ReviewReason::MandateRecipient => "recebedor fora do mandato",
    };
    lang.t(pt, reason.words())
}

#[cfg(test)]
mod tests {
    use ledger_core::id::Kind;

    use super::*;
    use crate::operators::decisions;

    #[test]
    fn every_decision_takes_the_operations_that_wait_for_it() {
        for reason in WaitingReason::ALL {
            let kinds: &[&str] = match reason {
                WaitingReason::UnknownPayout | WaitingReason::StoppedPayout => &["payout"],
                WaitingReason::UnknownDelivery => {
                    &["charge", "conversion", "commission_withdrawal"]
                }
                WaitingReason::HaltedPurchase => &["charge"],
                WaitingReason::Unattached | WaitingReason::ProviderClaim => &["suspense"],
                WaitingReason::CryptoClaim => &["stray"],
                WaitingReason::Unclaimed => &["receipt"],
                WaitingReason::SaleReview
                | WaitingReason::UnknownSale
                | WaitingReason::RefundAddress
                | WaitingReason::RefundApproval => &["cash_out"],
                WaitingReason::DepositReview => &["wallet_deposit"],
                WaitingReason::PaymentReview | WaitingReason::ReserveKept => &["wallet_payment"],
                WaitingReason::WithdrawalReview => &["crypto_withdrawal"],
                WaitingReason::ProviderHold
                | WaitingReason::PixReview
                | WaitingReason::UnknownRefund => &[],
            };
            let decision = reason.decision().map(|name| decisions::find_by_name(name).unwrap().0);
            assert_eq!(decision.is_none(), kinds.is_empty(), "{reason:?}");
            for kind in kinds {
                let kind = Kind::all().find(|known| known.name() == *kind).unwrap();
                let takes = decisions::field_for(decision.unwrap(), kind).is_some();
                assert!(takes, "{reason:?}: {kind:?}");
            }
        }
    }

    #[test]
    fn no_two_reasons_are_called_the_same() {
        for lang in [Lang::Pt, Lang::En] {
            let mut all: Vec<_> = Reason::all().map(|reason| reason.label(lang)).collect();
            all.sort_unstable();
            let named = all.len();
            all.dedup();
            assert_eq!((all.len(), named), (21, 21));
        }
    }
}
