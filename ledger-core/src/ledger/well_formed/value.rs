//! Single values of commands, each checked as the wire's readers do and refused by its field.

use crate::ledger::decision::refusal::Refusal;
use crate::ledger::malformed::Malformed;
use crate::machine::cash_out::Pix;
use crate::machine::charge::PixPayment;
use crate::money::Amount;

/// The longest name of a transaction: its hash, and the number of an output.
const TRANSACTION: usize = 128 + "#65535".len();

pub(in crate::ledger) fn of(
    field: &'static str,
    checked: Result<(), Malformed>,
) -> Result<(), Refusal> {
    checked.map_err(|why| Refusal::Malformed { field, why })
}

pub(in crate::ledger) fn text(field: &'static str, text: &str, most: usize) -> Result<(), Refusal> {
    of(field, Malformed::text(text, most))
}

pub(in crate::ledger) fn text_if(
    field: &'static str,
    given: Option<&str>,
    most: usize,
) -> Result<(), Refusal> {
    given.map_or(Ok(()), |given| text(field, given, most))
}

pub(in crate::ledger) fn customer(field: &'static str, name: Option<&str>) -> Result<(), Refusal> {
    name.map_or(Ok(()), |name| of(field, Malformed::customer(name)))
}

pub(in crate::ledger) fn amount(field: &'static str, amount: Amount) -> Result<(), Refusal> {
    of(field, Malformed::amount(amount))
}

pub(in crate::ledger) fn capabilities(named: &[Box<str>]) -> Result<(), Refusal> {
    named.iter().try_for_each(|name| of("capabilities", Malformed::capability(name)))
}

pub(in crate::ledger) fn end_to_end(field: &'static str, id: &str) -> Result<(), Refusal> {
    of(field, Malformed::end_to_end(id))
}

pub(in crate::ledger) fn payment(paid: &PixPayment) -> Result<(), Refusal> {
    end_to_end("e2e", &paid.e2e)?;
    amount("amount_cents", paid.amount)
}

pub(in crate::ledger) fn pix(paid: &Pix) -> Result<(), Refusal> {
    end_to_end("e2e", &paid.e2e)?;
    text_if("receipt_url", paid.receipt_url.as_deref(), 512)?;
    text_if("receipt_pdf_url", paid.receipt_pdf_url.as_deref(), 512)?;
    text_if("verify_url", paid.verify_url.as_deref(), 512)
}

pub(in crate::ledger) fn transaction(hash: &str) -> Result<(), Refusal> {
    text("tx_hash", hash, TRANSACTION)
}
