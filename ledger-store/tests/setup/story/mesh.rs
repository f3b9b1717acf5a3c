//! The part of the story that is of agents: one that another referred settles volume, under a
//! mandate that is edited now and then.

use ledger_core::contract::Response;

use super::{Author, CPF, JUDGED, id_of};

const ADA: &str = "ag_0000000000050123456789abcdef";
const EVA: &str = "ag_0000000000060123456789abcdef";
const WALLET: &str = r#""settlement_address":"0x00112233445566778899aabbccddeeff00112233""#;

impl<F: FnMut(&str) -> Response> Author<F> {
    /// Two agents in production, the second referred by the first.
    fn open_mesh(&mut self) {
        self.admit(ADA, "ada", "");
        let given = self.ask("ada", "POST /mesh/referrals", r#""capability":"brl_to_pix""#, "");
        let referral = id_of(&given, "referral_id").expect("an agent in production refers");
        self.admit(EVA, "eva", &format!(r#","referral":"{referral}""#));
        self.referral = Some(referral);
        let body = format!(
            r#""account":"{EVA}","liberacao":"imediata","carencia_horas":0,"sem_retencao":true"#
        );
        self.world("terms.adopted", &body, "");
    }

    fn admit(&mut self, id: &str, name: &str, more: &str) {
        let body = format!(
            r#""agent_id":"{id}","name":"{name}","contact":"{name}@example.com","capabilities":["brl_to_pix"],{WALLET}{more}"#
        );
        let supplied = format!(r#","environment":"live","supplied":{{"key":"svc_live_{name}"}}"#);
        self.world("agent.activated", &body, &supplied);
    }

    /// Money comes in and goes out again, within the mandate or not.
    pub(super) fn mesh(&mut self) {
        if self.referral.is_none() {
            return self.open_mesh();
        }
        let number = self.number;
        let cents = 2_000 + self.dice.below(8_000);
        match self.dice.below(8) {
            0 => {
                let most = 1_000 + self.dice.below(9_000);
                let body = format!(r#""max_por_operacao_cents":{most},"contrapartes":["{CPF}"]"#);
                self.ask("eva", &format!("POST /mesh/agents/{EVA}/mandate"), &body, "");
            }
            1 => {
                let body = format!(r#""agent_id":"{EVA}",{JUDGED}"#);
                self.world("agent.suspended", &body, r#","environment":"live""#);
                self.world("agent.reinstated", &body, r#","environment":"live""#);
            }
            _ => {
                let body = format!(
                    r#""amount_cents":{cents},"destino":"saldo","payer_tax_number":"{CPF}","external_id":"in-{number}""#
                );
                let supplied = format!(r#","supplied":{{"qr_copypaste":"code-{number}"}}"#);
                let made = self.ask("eva", "POST /cashin/charge", &body, &supplied);
                let Some(charge) = id_of(&made, "cashin_id") else { return };
                let e2e = self.outside('E');
                let body =
                    format!(r#""cashin_id":"{charge}","e2e":"{e2e}","amount_cents":{cents}"#);
                self.fact("pix.received", &body, "");
                let half = cents / 2;
                let body = format!(
                    r#""amount_cents":{half},"tax_number":"{CPF}","pix_key":"{CPF}","external_id":"out-{number}""#
                );
                let made = self.ask("eva", "POST /payouts", &body, "");
                let Some(payout) = id_of(&made, "payout_id") else { return };
                let e2e = self.outside('E');
                let body = format!(r#""payout_id":"{payout}","e2e":"{e2e}""#);
                self.fact("payout.paid", &body, "");
            }
        }
    }
}
