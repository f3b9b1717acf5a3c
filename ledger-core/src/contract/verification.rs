//! `GET /v1/verificar/{e2e}`: whether a PIX is known, and no more of it than anybody may know
//! (VER).

use serde_json::{Value, json};

use super::error::{Code, Problem, wrong};
use super::input::tokens::Vault;
use super::registry::{Receiver, Verified, facts};
use super::views::{Recall as _, Views};
use crate::id::{AccountId, OpId, Token};
use crate::ledger::{Archive, Event, ExternalId, PixDetails, Record, Scope};
use crate::money::{Amount, Cents};
use crate::pix::EndToEnd;
use crate::terms::Switch;
use crate::time::Instant;

/// The institution of a PIX that no bank carried.
const PLAYED_INSTITUTION: &str = "Banco Fictício (sandbox)";

/// The initials of whoever receives it.
const PLAYED_INITIALS: &str = "P.F.";

/// Where its receipt would be: a name that no address answers to (RFC 2606).
const PLAYED_RECEIPTS: &str = "https://sandbox.invalid/receipts/";

/// A PIX as the public sees it: no key, no document, no name (VER-02).
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    amount: Amount,
    at: Instant,
    /// Whether it paid for something and has not gone back as a whole.
    paid: bool,
    /// Whose name the receiver's initials are of, where that is known.
    receiver: Option<Box<str>>,
    /// What was reported of it besides (rulings 57).
    details: PixDetails,
}

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// The eight fields of a PIX received or sent (VER-01). Of the PIX itself the ledger answers
    /// from its records; what only the service knows of it comes supplied.
    ///
    /// A PIX of the sandbox says so, and is verified for whoever `tested` it alone: in public it
    /// is no money (rulings 77).
    ///
    /// # Errors
    ///
    /// `nao_encontrado` for a PIX that is not known, unless policy answers that (P:VerifyUnknown).
    pub fn verification(
        &self,
        e2e: &str,
        supplied: &Value,
        tested: bool,
    ) -> Result<Value, Problem> {
        let unknown = || Problem::new(Code::NotFound, "no PIX is known by this end-to-end id");
        let id = EndToEnd::parse(e2e);
        let seen = id.as_ref().and_then(|id| self.find_pix(id.as_str()));
        let Some(seen) = seen else {
            return if self.state.policy.unknown_pix_is_answered.is_some_and(Switch::is_on) {
                Ok(answer(None, None, &[None, None, None]))
            } else {
                Err(unknown())
            };
        };
        let text = |name: &str| match supplied.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if (1..=255).contains(&text.len()) => Ok(Some(text.clone())),
            Some(_) => {
                Err(wrong(&format!("supplied.{name}"), "must be a string of 1 to 255 bytes"))
            }
        };
        let reported = seen.details.clone();
        let institution = text("instituicao")?.or_else(|| reported.institution.map(Into::into));
        let reported_institution = institution.clone();
        let institution = institution.or_else(|| Some(id.as_ref()?.parts()?.ispb));
        let settled_by = text("liquidado_por")?.or_else(|| reported.settled_by.map(Into::into));
        let payment = text("comprovante_url")?;
        if payment.as_deref().is_some_and(|url| !url.starts_with("https://")) {
            return Err(wrong("supplied.comprovante_url", "must be an https:// address"));
        }
        let payment = payment.or_else(|| reported.receipt_url.map(Into::into));
        let named = reported.recipient.and_then(|name| self.person(name));
        let receiver = text("recebedor_nome")?.map(Into::into).or(named);
        let receiver = receiver.or_else(|| seen.receiver.clone());
        let initials = receiver.as_deref().and_then(initials);
        let initials = initials.as_deref();
        if !self.state.is_sandbox() {
            return Ok(answer(Some(&seen), initials, &[institution, settled_by, payment]));
        }
        let played = reported_institution.unwrap_or_else(|| PLAYED_INSTITUTION.to_owned());
        let payment = payment.or_else(|| Some(format!("{PLAYED_RECEIPTS}{e2e}")));
        let shown = [Some(played), settled_by, payment];
        let mut played = answer(Some(&seen), initials.or(Some(PLAYED_INITIALS)), &shown);
        played["verificado"] = tested.into();
        played["sandbox"] = true.into();
        Ok(played)
    }

    /// What the records tell of a PIX, received or sent.
    fn find_pix(&self, e2e: &str) -> Option<Seen> {
        let mut scopes = [Scope::ReceivedPix, Scope::SentPix].into_iter();
        scopes.find_map(|scope| {
            let outside = ExternalId { scope, id: e2e.into() };
            let record = self.archive.record(self.archive.fact_seq(&outside)?)?;
            let mut events = record.events.iter().filter(|event| names(event, &record, &outside));
            let seen = events.find_map(|event| self.of_operation(event.op()?, &record, e2e))?;
            let PixDetails { receipt_url, .. } = &seen.details;
            let details = self.archive.details_of(scope, e2e);
            let receipt_url = details.receipt_url.clone().or(receipt_url.clone());
            Some(Seen { details: PixDetails { receipt_url, ..details }, ..seen })
        })
    }

    fn of_operation(&self, op: OpId, record: &Record, e2e: &str) -> Option<Seen> {
        let operation = self.operation(op)?;
        let pix = match facts(&operation).verified {
            Verified::Nothing => return None,
            Verified::With(charge) => return self.of_operation(charge, record, e2e),
            Verified::Pix(pix) => pix,
        };
        let url = pix.receipt_url.filter(|url| url.starts_with("https://"));
        (pix.e2e == e2e).then(|| Seen {
            amount: pix.amount,
            at: pix.at.unwrap_or(record.at),
            paid: pix.paid,
            receiver: match pix.receiver {
                Receiver::Account => operation.account().and_then(|account| self.holder(account)),
                Receiver::Person(name) => name.and_then(|name| self.person(name)),
            },
            details: PixDetails { receipt_url: url.map(Into::into), ..PixDetails::default() },
        })
    }

    /// Who receives what is collected for an account: the name its key was asked for under, or the
    /// account's own.
    fn holder(&self, account: AccountId) -> Option<Box<str>> {
        let known = self.state.account(account)?;
        let named = known.owner.as_ref().and_then(|owner| owner.name);
        match named {
            Some(token) => self.person(token),
            None => Some(known.name.clone()),
        }
    }

    fn person(&self, token: Token) -> Option<Box<str>> {
        self.vault.value(token).map(Into::into)
    }
}

/// Tells whether an event is the one by which its record made a PIX known.
fn names(event: &Event, record: &Record, outside: &ExternalId) -> bool {
    let by_fact = record.outside.as_ref() == Some(outside) && event.op().is_some();
    by_fact || event.outsides().any(|known| known == *outside)
}

fn answer(seen: Option<&Seen>, initials: Option<&str>, reported: &[Option<String>; 3]) -> Value {
    let [institution, settled_by, payment] = reported;
    json!({
        "verificado": seen.is_some(),
        "pago": seen.is_some_and(|seen| seen.paid),
        "valor_brl": seen.map(|seen| reais(seen.amount.as_cents())),
        "pago_em": seen.map(|seen| seen.at.to_string()),
        "recebedor_iniciais": initials,
        "instituicao": institution,
        "liquidado_por": settled_by,
        "comprovante_url": payment,
    })
}

/// Reais as a decimal string.
fn reais(as_cents: Cents) -> String {
    format!("{}.{:02}", as_cents.cents() / 100, as_cents.cents() % 100)
}

/// The first letters of a name's words of three letters and more (P:Initials).
#[must_use]
pub fn initials(name: &str) -> Option<String> {
    let letters = |word: &&str| 3 <= word.chars().filter(|c| c.is_alphabetic()).count();
    let mut initials = String::new();
    for word in name.split_whitespace().filter(letters) {
        if let Some(first) = word.chars().find(|c| c.is_alphabetic()) {
            initials.extend(first.to_uppercase());
            initials.push('.');
        }
    }
    (!initials.is_empty()).then_some(initials)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_are_of_words_of_three_letters() {
        let of = |name: &str| initials(name).unwrap_or_default();
        assert_eq!(of("Maria de Souza"), "M.S.");
        assert_eq!(of("joão da silva Prado e Cia"), "J.S.P.C.");
        assert_eq!(of("Érica d'Ávila"), "É.D.");
        assert_eq!(of("loja"), "L.");
        assert_eq!(
            (of("Li Wu"), of(""), of("12 345 678")),
            (String::new(), String::new(), String::new())
        );
    }
}
