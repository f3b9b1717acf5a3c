//! Whether a typed command brings values that the wire's readers would take: what is journaled
//! stands there for ever, by whatever door it came.

mod fact;
mod request;
pub(super) mod value;

use super::command::{Command, Intent, Public};
use super::decision::refusal::Refusal;
use value::{capabilities, text_if};

impl Command {
    /// Checks every value that the command brings in the clear, as the wire's readers do; and that
    /// a fact which the world gives no id has one of its own, by which it is known for ever.
    ///
    /// What a token stands for only its vault knows. A ledger does not check what is replayed: a
    /// journal is read as it was written.
    ///
    /// ```
    /// use ledger_core::ledger::{
    ///     Cause, Command, Fact, Intent, Malformed, OwnAccount, Refusal, Reported, treasury,
    /// };
    /// use ledger_core::{money::Amount, time::Instant};
    ///
    /// let amount = Amount::new(5_000).expect("fifty reais are above zero");
    /// let (from, to) = (OwnAccount::Funding, OwnAccount::ProviderPay);
    /// let fact = Fact::Treasury(treasury::Fact::Moved { from, to, amount });
    /// let told = |id| Command {
    ///     at: Instant::default(),
    ///     cause: Cause::default(),
    ///     what: Intent::Fact(Reported { id, fact: fact.clone() }),
    /// };
    /// assert_eq!(told(Some("t-1".into())).check(), Ok(()));
    /// // Told again, it would be taken for another.
    /// let nameless = Refusal::Malformed { field: "id", why: Malformed::Missing };
    /// assert_eq!(told(None).check(), Err(nameless));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Refusal::Malformed`] naming the field, as the wire calls it, and what is wrong with it.
    pub fn check(&self) -> Result<(), Refusal> {
        match &self.what {
            Intent::Request(_, request) => request::check(request),
            Intent::Public(Public::Register(registration)) => {
                capabilities(&registration.capabilities)?;
                text_if("referral", registration.referral.as_deref(), 64)
            }
            Intent::Enrolment(enrolment) => {
                text_if("documento_pais", enrolment.owner.country.as_deref(), 16)
            }
            Intent::Fact(reported) => fact::check(reported),
        }
    }
}
