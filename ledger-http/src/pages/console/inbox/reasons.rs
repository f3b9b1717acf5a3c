//! Reasons: why an operation is in the inbox, what ends that, and the decision that does.

use ledger_core::id::Kind;

use crate::pages::lang::Lang;

/// A text in Portuguese and in English.
type Text = (&'static str, &'static str);

/// Why an operation waits or hangs.
pub(super) struct Reason {
    /// As the core and the address have it.
    pub(super) name: &'static str,
    /// In Portuguese; in English it is its name.
    pt: &'static str,
    ends: Text,
    /// The decision that ends it, where a person may.
    decision: Option<&'static str>,
}

const PROVIDER: Text = ("o provedor informa", "the provider reports");
const DECISION: Text = ("uma decisão", "a decision");
const EVIDENCE: Text = ("prova do que houve", "evidence of what came of it");
const NETWORK: Text = ("a rede informa", "the network reports");
/// The name of what hangs.
pub(super) const HANGING: &str = "hanging";

/// Every reason: those of the core by the names that it gives them, and what hangs.
pub(super) const REASONS: [Reason; 20] = [
    reason("unknown payout", "saque sem resposta", EVIDENCE, Some("payout.evidence")),
    reason("stopped payout", "saque em análise", DECISION, Some("payout.cleared")),
    reason("unknown delivery", "envio sem resposta", EVIDENCE, Some("delivery.evidence")),
    reason("halted purchase", "compra interrompida", DECISION, Some("delivery.resumed")),
    reason("provider hold", "retido no provedor", PROVIDER, None),
    reason("PIX under review", "PIX em análise", PROVIDER, None),
    reason("suspense", "valor a esclarecer", DECISION, Some("suspense.attached")),
    reason(
        "claim on the provider",
        "valor a reaver do provedor",
        DECISION,
        Some("suspense.returned"),
    ),
    reason("claim on crypto", "cripto a reaver", DECISION, Some("stray.settled")),
    reason("crypto nobody takes", "cripto sem ordem", DECISION, Some("refund.decided")),
    reason("sale under review", "venda em análise", DECISION, Some("cashout.cleared")),
    reason("unknown sale", "venda sem resposta", EVIDENCE, Some("cashout.stopped")),
    reason("refund without a wallet", "devolução sem carteira", DECISION, Some("refund.decided")),
    reason("refund for an operator", "devolução para o operador", DECISION, Some("refund.decided")),
    reason("unknown refund", "devolução sem resposta", NETWORK, None),
    reason(
        "wallet deposit under review",
        "depósito da carteira em análise",
        DECISION,
        Some("wallet.deposit.judged"),
    ),
    reason(
        "wallet payment under review",
        "pagamento da carteira em análise",
        EVIDENCE,
        Some("wallet.payment.resolved"),
    ),
    reason("reserve to decide on", "reserva a decidir", DECISION, Some("wallet.payment.resolved")),
    reason(
        "wallet withdrawal under review",
        "retirada da carteira em análise",
        EVIDENCE,
        Some("wallet.withdrawal.evidence"),
    ),
    reason(HANGING, "parada", PROVIDER, None),
];

const fn reason(
    name: &'static str,
    pt: &'static str,
    ends: Text,
    decision: Option<&'static str>,
) -> Reason {
    Reason { name, pt, ends, decision }
}

impl Reason {
    /// The reason that the core gives in these words: a sale says why it is under review besides.
    pub(super) fn of(why: &str) -> Option<&'static Self> {
        REASONS.iter().find(|known| why.split(" (").next() == Some(known.name))
    }

    pub(super) fn hanging() -> &'static Self {
        &REASONS[REASONS.len() - 1]
    }

    /// What it is called.
    pub(super) const fn shown(&self, lang: Lang) -> &'static str {
        lang.t(self.pt, self.name)
    }

    /// What ends it of an operation of this kind.
    pub(super) fn ends(&self, kind: Kind, lang: Lang) -> &'static str {
        if self.name == HANGING && self.decision(kind).is_some() {
            return lang.t("o provedor informa, ou prova", "the provider reports, or evidence");
        }
        lang.t(self.ends.0, self.ends.1)
    }

    /// The decision that ends it of an operation of this kind; of what hangs, the one that ends an
    /// unknown outcome, where the kind has it.
    pub(super) fn decision(&self, kind: Kind) -> Option<&'static str> {
        match (self.name, kind.name()) {
            (HANGING, "payout") => Some("payout.evidence"),
            (HANGING, "charge" | "conversion" | "commission_withdrawal") => {
                Some("delivery.evidence")
            }
            (HANGING, "cash_out") => Some("cashout.stopped"),
            _ => self.decision,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operators::decisions;

    #[test]
    fn every_decision_takes_the_operations_that_wait_for_it() {
        let deliveries = &["charge", "conversion", "commission_withdrawal"][..];
        let hang = &["payout", "charge", "conversion", "commission_withdrawal", "cash_out"][..];
        let decided = [
            ("unknown payout", &["payout"][..]),
            ("stopped payout", &["payout"]),
            ("unknown delivery", deliveries),
            ("halted purchase", &["charge"]),
            ("suspense", &["suspense"]),
            ("claim on the provider", &["suspense"]),
            ("claim on crypto", &["stray"]),
            ("crypto nobody takes", &["receipt"]),
            ("sale under review", &["cash_out"]),
            ("unknown sale", &["cash_out"]),
            ("refund without a wallet", &["cash_out"]),
            ("refund for an operator", &["cash_out"]),
            ("wallet deposit under review", &["wallet_deposit"]),
            ("wallet payment under review", &["wallet_payment"]),
            ("reserve to decide on", &["wallet_payment"]),
            ("wallet withdrawal under review", &["crypto_withdrawal"]),
            (HANGING, hang),
        ];
        for (name, kinds) in decided {
            let reason = Reason::of(name).unwrap();
            for kind in kinds {
                let kind = Kind::all().find(|known| known.name() == *kind).unwrap();
                let decision = reason.decision(kind).unwrap();
                let (shape, _) = decisions::named(decision).unwrap();
                let takes = decisions::field_for(shape, kind).is_some();
                assert!(takes, "{name}: {decision} takes no {kind:?}");
            }
        }
        let others =
            REASONS.iter().filter(|reason| decided.iter().all(|(of, _)| *of != reason.name));
        assert!(others.clone().all(|reason| reason.decision.is_none()));
        assert_eq!(others.count() + decided.len(), REASONS.len());
        assert_eq!(Reason::of("sale under review (Network)").unwrap().name, "sale under review");
    }
}
