//! Accounts and entries of a product's own, on the wire, and subaccounts as their legs name them.

pub(super) mod fact;
mod template;

use super::object::{Json, object};
use super::registry::{Facts, Shown, shown_as};
use crate::contract::error::Problem;
use crate::contract::fact::parts::{ACCOUNT, CUSTOMER, account};
use crate::contract::input::fields::Fields;
use crate::contract::schema::bounds::{Customer, checked};
use crate::contract::schema::field::Field;
use crate::ledger::product::Holder;
use crate::machine::entry::State;

impl Shown for State {
    fn facts(&self) -> Facts<'_> {
        let status = match self {
            Self::Absent => None,
            Self::Posting(_) | Self::Posted(_) => Some("concluida"),
            Self::Reversing(_) | Self::Reversed(_) => Some("estornada"),
        };
        Facts { status, ..Facts::NONE }
    }

    // No client asks for an entry; people see what its product attached to it (P:Metadata).
    shown_as!(|_, views, of| match of.operation.metadata {
        Some(_) => object! { "entry_id": of.op.text(&views.state.name) },
        None => Json::Null,
    });
}

/// The fields of a holder.
const OF: &[Field] = &[ACCOUNT, CUSTOMER];

checked!(Holder { account: ACCOUNT, customer: Customer(CUSTOMER) });

/// Reads whose an account is, where the body says it.
fn holder_if(fields: &Fields<'_>) -> Result<Option<Holder>, Problem> {
    let Some(of) = fields.value("of") else { return Ok(None) };
    let of = Fields::new(of, fields.tokens(), fields.ledger())?;
    of.only(OF)?;
    holder(&of).map(Some)
}

/// Reads a holder.
fn holder(fields: &Fields<'_>) -> Result<Holder, Problem> {
    Ok(Holder { account: account(fields)?, customer: fields.customer("customer_ref")? })
}
