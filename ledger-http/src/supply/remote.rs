//! A provider's service that is asked by signed POST: each question under an idempotency key, so
//! often and so long, and never more at once than is set.
//!
//! ```text
//! request -> need -> question -> POST, signed -> answer, read strictly -> supplied -> ledger
//!                        ^            |
//!                        '-- pause ---'  anything else, by the same key, `attempts` times in all
//! ```
//!
//! Without an answer nothing is recorded: what the provider may have issued nobody is shown.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant as Clock};

use ledger_core::contract::{Call, Environment, Secret};
use ledger_core::hexadecimal::digits;
use ledger_core::pix::{Document, Letters};
use ledger_core::time::Instant;
use ledger_store::provider::supply::{Need, need};
use ledger_store::provider::{
    Answer, ChargeAnswer, ChargeToIssue, DepositAddress, DepositToTake, KeyLookup, PixDescription,
    PixKeyToLookUp, Provider, Supplier,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use super::answer::{self, Answered};
use super::declared::{
    DEPOSIT_ADDRESS, KEY_HOLDER, PIX_DESCRIPTION, QR_CODE, QUESTIONS, Question, body,
};
use super::{ProviderAway, Supply, Supplying, fresh};
use crate::courier::Patience;
use crate::courier::guard::Guard;
use crate::courier::resolver::SystemLookup;
use crate::courier::sender::{Message, Sender, SenderFailed};
use crate::ledgers::OpenLedger;
use crate::operation::access::AccessLog;
use crate::operation::lines::QuestionAttempt;
use crate::operation::metrics::Questions;
use crate::push::{PushSettingsWrong, settings};

/// Outcomes of an attempt, of which each is counted.
const OUTCOMES: [&str; 7] =
    ["answered", "bad_answer", "redirected", "gone", "refused", "timed_out", "unreachable"];

/// Where and how a provider's service is asked. Its `Debug` does not show the secret.
#[derive(Clone, Debug)]
pub struct SupplySettings {
    url: Box<str>,
    secret: Secret,
    /// How long one attempt is waited for.
    pub patience: Patience,
    /// How often a question is asked, at most.
    pub attempts: u32,
    /// How long is waited before a question is asked again.
    pub pause: Duration,
    /// How many questions are under way at once, at most.
    pub at_once: usize,
}

impl SupplySettings {
    /// Questions go to this URL, http or https, signed with this secret as Standard Webhooks are.
    ///
    /// # Errors
    ///
    /// [`PushSettingsWrong`] for a URL or a secret that is none.
    pub fn new(url: &str, secret: &str) -> Result<Self, PushSettingsWrong> {
        let (url, secret) = settings::parse_target(url, secret)?;
        let patience = Patience { connect: Duration::from_secs(2), whole: Duration::from_secs(3) };
        let pause = Duration::from_millis(200);
        Ok(Self { url, secret, patience, attempts: 3, pause, at_once: 64 })
    }
}

/// Supplies the ledgers of real money by a provider's service; see docs/provider.md.
///
/// ```no_run
/// use ledger_http::{Ledgers, RemoteSupply, Service, ServiceBuilder, Silent, SupplySettings};
///
/// fn supplied(ledgers: Ledgers) -> Result<ServiceBuilder, Box<dyn std::error::Error>> {
///     let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
///     let settings = SupplySettings::new("http://10.0.0.7/supply", secret)?;
///     Ok(Service::builder(ledgers).supply(RemoteSupply::new(settings, Silent)?))
/// }
/// ```
pub struct RemoteSupply(Arc<Remote>);

/// The state that every question shares.
struct Remote {
    settings: SupplySettings,
    sender: Sender,
    permits: Semaphore,
    log: Box<dyn AccessLog>,
    questions: Questions,
}

impl RemoteSupply {
    /// A provider's service that is asked by these settings; each attempt is told to `log`.
    ///
    /// # Errors
    ///
    /// [`SenderFailed`] when TLS or the client cannot be set up.
    pub fn new(settings: SupplySettings, log: impl AccessLog) -> Result<Self, SenderFailed> {
        let sender = Sender::new(Guard::anywhere(), Arc::new(SystemLookup), settings.patience)?;
        let permits = Semaphore::new(settings.at_once);
        let questions = Questions::begin(&QUESTIONS.map(|question| question.name), &OUTCOMES);
        let log = Box::new(log);
        Ok(Self(Arc::new(Remote { settings, sender, permits, log, questions })))
    }
}

impl Supply for RemoteSupply {
    fn supply<'a>(&'a self, ledger: &'a OpenLedger, call: &'a mut Call) -> Supplying<'a> {
        Box::pin(async move {
            let issues = match need(&call.ask, &call.body, &call.supplied) {
                None | Some(Need::Entropy(_)) => return Ok(()),
                Some(Need::QrCode | Need::WalletAddress | Need::SaleAddress(_)) => true,
                // A look-up only advises: the contract says what its absence means.
                Some(Need::Lookup(_) | Need::Owner(_) | Need::Description(_)) => false,
            };
            if ledger.environment() != Environment::Live {
                return Ok(());
            }
            let patience = self.0.settings.patience.whole;
            let permit = tokio::time::timeout(patience, self.0.permits.acquire()).await;
            let mut is_away = true;
            if let Ok(Ok(_permit)) = permit {
                let caller = Arc::new(Caller {
                    remote: Arc::clone(&self.0),
                    runtime: Handle::current(),
                    ledger: ledger.label().to_owned(),
                    at: call.at,
                    began: Clock::now(),
                    is_away: AtomicBool::new(false),
                });
                let supplier = Supplier::new(Arc::clone(&caller) as Arc<dyn Provider>);
                Supply::supply(&supplier, ledger, &mut *call).await?;
                is_away = caller.is_away.load(Ordering::Relaxed);
            }
            if issues && is_away { Err(ProviderAway) } else { Ok(()) }
        })
    }

    fn questions(&self) -> Option<&Questions> {
        Some(&self.0.questions)
    }
}

/// One call whose questions are asked.
struct Caller {
    remote: Arc<Remote>,
    runtime: Handle,
    ledger: String,
    /// When the call came, by the service's clock.
    at: Instant,
    began: Clock,
    /// Tells whether a question had no answer.
    is_away: AtomicBool,
}

impl Caller {
    /// Asks a question, from a thread that may block.
    fn ask<T>(
        &self,
        question: &Question,
        body: Option<Value>,
        read: impl Fn(&Answered) -> Result<T, String>,
    ) -> Answer<T> {
        let Some(body) = body else { return Answer::Unknown };
        // What has no id of its client's is another one each time.
        let once = question.name == QR_CODE.name && body.get("external_id").is_none();
        let nonce = if once { fresh() } else { Ok(String::new()) };
        let answer = nonce.ok().and_then(|nonce| {
            let key = idempotency_key(question, &self.ledger, &body, &nonce);
            self.runtime.block_on(self.send(question, &key, body, read))
        });
        answer.unwrap_or_else(|| {
            self.is_away.store(true, Ordering::Relaxed);
            Answer::Unknown
        })
    }

    /// Asks until there is an answer, as often as is set; none where there is none.
    async fn send<T>(
        &self,
        question: &Question,
        key: &str,
        body: Value,
        read: impl Fn(&Answered) -> Result<T, String>,
    ) -> Option<Answer<T>> {
        let Remote { settings, sender, log, questions, .. } = &*self.remote;
        let text = text(question, &self.ledger, key, body);
        for number in 1..=settings.attempts {
            if number > 1 {
                tokio::time::sleep(settings.pause).await;
            }
            let at = self.now();
            let secrets = std::slice::from_ref(&settings.secret);
            let message = Message { id: key, body: &text, secrets, at };
            let sent = sender.post_standard(&settings.url, message).await;
            let answer = sent.outcome.is_success().then(|| {
                let found = answer::read(question, &sent.answer)?;
                Ok(match found {
                    Some(found) => Answer::Known(read(&found)?),
                    None => Answer::Unknown,
                })
            });
            let attempt = QuestionAttempt {
                at,
                question: question.name,
                key: key.to_owned(),
                number,
                outcome: match &answer {
                    Some(Ok(_)) => "answered",
                    Some(Err(_)) => "bad_answer",
                    None => sent.outcome.name(),
                },
                status: sent.outcome.status(),
                fault: answer
                    .as_ref()
                    .and_then(|read: &Result<_, String>| read.as_ref().err().cloned()),
                took: sent.took,
            };
            questions.note(&attempt);
            log.note_question(&attempt);
            if let Some(Ok(answer)) = answer {
                return Some(answer);
            }
        }
        None
    }

    /// The instant now, by the service's clock.
    fn now(&self) -> Instant {
        let elapsed = i64::try_from(self.began.elapsed().as_micros()).unwrap_or_default();
        Instant::from_micros(self.at.micros().saturating_add(elapsed)).unwrap_or(self.at)
    }
}

impl Provider for Caller {
    fn qr_code(&self, charge: &ChargeToIssue<'_>) -> Answer<ChargeAnswer> {
        let payer =
            charge.payer_tax_number.and_then(|text| Document::parse(text, Letters::Accepted));
        let body = body(
            &QR_CODE,
            [
                ("account", charge.account.map(Value::from)),
                ("external_id", charge.external_id.map(Value::from)),
                ("amount_cents", charge.amount_cents.map(Value::from)),
                ("payer_tax_number", payer.map(|payer| payer.as_str().into())),
                ("payer_name", charge.payer_name.map(Value::from)),
            ],
        );
        self.ask(&QR_CODE, body, |found| answer::code(found, charge.amount_cents))
    }

    fn key_holder(&self, key: &PixKeyToLookUp<'_>) -> Answer<KeyLookup> {
        let body = body(
            &KEY_HOLDER,
            [
                ("account", key.account.map(Value::from)),
                ("key", Some(key.key.into())),
                ("type", key.kind.map(Value::from)),
            ],
        );
        self.ask(&KEY_HOLDER, body, answer::holder)
    }

    fn deposit_address(&self, deposit: &DepositToTake<'_>) -> Answer<DepositAddress> {
        let body = body(
            &DEPOSIT_ADDRESS,
            [
                ("account", deposit.account.map(Value::from)),
                ("cashout_id", deposit.cashout_id.map(Value::from)),
                ("asset", deposit.asset.map(Value::from)),
                ("network", deposit.network.map(Value::from)),
                ("amount", deposit.amount.map(Value::from)),
            ],
        );
        self.ask(&DEPOSIT_ADDRESS, body, |found| answer::address(found, deposit.network))
    }

    fn describe_pix(&self, e2e: &str) -> Answer<PixDescription> {
        let body = body(&PIX_DESCRIPTION, [("e2e", Some(e2e.into()))]);
        self.ask(&PIX_DESCRIPTION, body, answer::description)
    }
}

/// The key of a question: the same for the same question of the same ledger, so that a request
/// that a client repeats means what was issued for it before.
fn idempotency_key(question: &Question, ledger: &str, body: &Value, nonce: &str) -> String {
    let said = json!([question.name, ledger, body, nonce]).to_string();
    format!("sq_{}", digits(&Sha256::digest(said.as_bytes())[..16]))
}

/// A question as it is sent.
pub(super) fn text(question: &Question, ledger: &str, key: &str, body: Value) -> String {
    let mut sent = json!({ "question": question.name, "idempotency_key": key,
        "environment": Environment::Live.name() });
    if ledger != Environment::Live.name() {
        sent["ledger"] = ledger.into();
    }
    sent["body"] = body;
    sent.to_string()
}

impl std::fmt::Debug for RemoteSupply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RemoteSupply").field("settings", &self.0.settings).finish_non_exhaustive()
    }
}
