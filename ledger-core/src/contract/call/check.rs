//! Checks that a typed command brings values that the wire's readers would take, by whatever door
//! it came.

use crate::contract::fact::parts::ID;
use crate::contract::sale::body::REFUND_TO;
use crate::contract::schema::bounds::{Bound, Checked, checked, refuse_field};
use crate::ledger::{Command, Fact, Intent, Malformed, Public, Refusal, Reported, Request};

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
            Intent::Request(_, request) => request.check_bounds(),
            Intent::Public(Public::Register(registration)) => registration.check_bounds(),
            Intent::Enrolment(enrolment) => enrolment.check_bounds(),
            Intent::Fact(reported) => reported.check_bounds(),
        }
    }
}

checked!(enum Request {
    Charge(asked),
    Transfer(asked),
    Group(asked),
    Payout(asked),
    Conversion(asked),
    Wallet(asked),
    Settings(asked),
    CashOut(asked),
    AcceptCashOut { supplied },
    RefundAddress { address: REFUND_TO },
    Agent(asked),
    Described { request },
} else RotateKey);

checked!(enum Fact {
    Account(fact),
    Charge(fact),
    Payout(fact),
    Hold(fact),
    Suspense(fact),
    Adjustment(fact),
    Purchase(fact),
    Treasury(fact),
    Product(fact),
    Sale { report },
    Agent(fact),
    Wallet(fact),
    Cell(fact),
    Closing(fact),
    Recovery(fact),
    Described { beside, fact },
} else HandedOut, TimePassed);

impl Checked for Reported {
    fn check_bounds(&self) -> Result<(), Refusal> {
        match &self.id {
            Some(id) => ID.holds(id)?,
            None if self.fact.kind().needs_id() => refuse_field(ID.name, Err(Malformed::Missing))?,
            None => {}
        }
        self.fact.check_bounds()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Token;
    use crate::ledger::wallet::{self, PaymentFinding};
    use crate::ledger::{Cause, OperatorDecision};
    use crate::machine::cash_out::Pix;
    use crate::machine::wallet::payment::Adjudication;
    use crate::time::Instant;

    /// A payment that an operator found paid, by a PIX whose receipt is there.
    fn found_paid(receipt: String) -> Command {
        let pix = Pix {
            e2e: "E9040088820261120120300123873190".into(),
            paid_at: Instant::default(),
            receipt_url: Some(receipt.into()),
            receipt_pdf_url: None,
            verify_url: None,
        };
        let nobody = Token([0; 16]);
        let fact = wallet::Fact::PaymentResolved {
            payment: None,
            finding: PaymentFinding::Decided(Adjudication::Paid(pix)),
            decided_by: OperatorDecision { actor: nobody, reason: nobody, evidence: None },
        };
        let fact = Fact::Wallet(Box::new(fact));
        let what = Intent::Fact(Reported { id: Some("found-1".into()), fact });
        Command { at: Instant::default(), cause: Cause::default(), what }
    }

    #[test]
    fn a_payment_found_paid_brings_no_receipt_that_the_wire_would_refuse() {
        let address = |length: usize| "a".repeat(length);
        assert_eq!(found_paid(address(512)).check(), Ok(()));
        let too_long = Refusal::Malformed { field: "receipt_url", why: Malformed::TooLong(512) };
        assert_eq!(found_paid(address(513)).check(), Err(too_long));
    }
}
