//! Cursors: a number, and six digits derived from whom it was issued for.

use super::tokens::Vault;
use crate::contract::error::{Code, Problem};
use crate::contract::views::Views;
use crate::id::{AccountId, SubaccountId};
use crate::ledger::Archive;

/// How many digits of a cursor say whom it was issued for.
const CHECK_DIGITS: u64 = 1_000_000;

/// What cursors are issued for, beside the two views of a statement.
const CUSTOMERS: u8 = 2;
const COMMISSION: u8 = 3;

/// A decimal string for this number, of this ledger, view, account and subaccount.
pub(in crate::contract) fn issue(
    ledger: &str,
    view: u8,
    account: AccountId,
    subaccount: u32,
    number: u64,
) -> String {
    format!("{number}{:06}", six_digits(ledger, view, account, subaccount))
}

/// The number of a cursor; none when it was issued for another or by nobody.
pub(in crate::contract) fn read(
    ledger: &str,
    view: u8,
    account: AccountId,
    subaccount: u32,
    text: &str,
) -> Option<u64> {
    let digits = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
    let value: u64 = if digits { text.parse().ok()? } else { return None };
    let issued = value % CHECK_DIGITS == six_digits(ledger, view, account, subaccount);
    issued.then_some(value / CHECK_DIGITS)
}

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// A cursor of `GET /saldo/clientes`: the last subaccount shown.
    pub(in crate::contract) fn customer_cursor(
        &self,
        account: AccountId,
        subaccount: SubaccountId,
    ) -> String {
        issue(&self.state.name, CUSTOMERS, account, 0, u64::from(subaccount.0) + 1)
    }

    /// The subaccount a cursor names.
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` when it was not issued for this account.
    pub(in crate::contract) fn read_customer_cursor(
        &self,
        account: AccountId,
        text: &str,
    ) -> Result<SubaccountId, Problem> {
        let number = read(&self.state.name, CUSTOMERS, account, 0, text);
        let number = number.and_then(|number| number.checked_sub(1));
        let number = number.and_then(|number| u32::try_from(number).ok());
        number.map(SubaccountId).ok_or_else(|| {
            let detail = "cursor must be the next_cursor of this account";
            Problem::new(Code::RequestInvalid, detail)
        })
    }

    /// A cursor of `GET /comissao/extrato`.
    pub(in crate::contract) fn commission_cursor(&self, account: AccountId, number: u32) -> String {
        issue(&self.state.name, COMMISSION, account, 0, u64::from(number))
    }

    /// The row a cursor of a commission names; none when it was not issued for this account.
    pub(in crate::contract) fn read_commission_cursor(
        &self,
        account: AccountId,
        text: &str,
    ) -> Option<u32> {
        let number = read(&self.state.name, COMMISSION, account, 0, text)?;
        u32::try_from(number).ok()
    }
}

fn six_digits(ledger: &str, view: u8, account: AccountId, subaccount: u32) -> u64 {
    let mut hasher = blake3::Hasher::new_derive_key("custody-ledger statement cursor v1");
    hasher.update(ledger.as_bytes());
    hasher.update(&[0, view]);
    hasher.update(&account.0.to_le_bytes());
    hasher.update(&subaccount.to_le_bytes());
    crate::id::first_eight(hasher.finalize().as_bytes()) % CHECK_DIGITS
}
