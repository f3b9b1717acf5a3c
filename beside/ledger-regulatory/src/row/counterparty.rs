//! With whom a row was moved, as far as the ledger knows.

use ledger_core::id::OpId;
use ledger_core::ledger::{Event, Operation};
use ledger_core::network::address;
use ledger_store::sequencer::Sequencer;

use super::class::Classification;
use super::sale::deposit_sender;
use super::{Counterparty, Part, RowClass};
use crate::account::Commodity;
use crate::person::{Person, with_operation};

/// The network of an account's own wallet.
const POLYGON: &str = "polygon";

/// Returns with whom a move of this class was made.
pub(super) fn counterparty(
    sequencer: &Sequencer,
    event: &Event,
    ((class, undone), person): (Classification, &Person),
    part: &Part,
) -> Counterparty {
    match class {
        RowClass::Internal | RowClass::Own => Counterparty::Nobody,
        RowClass::FromOwnWallet | RowClass::ToOwnWallet if *person == Person::Institution => {
            Counterparty::Person(Person::Institution)
        }
        RowClass::Purchase | RowClass::Sale | RowClass::Swap | RowClass::Correction => {
            if *person == Person::Institution {
                Counterparty::Unknown
            } else {
                Counterparty::Person(Person::Institution)
            }
        }
        RowClass::Fee if undone => person_counterparty(part.from.person.clone()),
        RowClass::Fee | RowClass::TransferBetween => person_counterparty(part.to.person.clone()),
        RowClass::Attributed => Counterparty::Unknown,
        RowClass::TransferIn
        | RowClass::TransferOut
        | RowClass::FromOwnWallet
        | RowClass::ToOwnWallet => outside_counterparty(sequencer, event, part),
    }
}

fn person_counterparty(person: Person) -> Counterparty {
    match person {
        Person::Unknown => Counterparty::Unknown,
        known => Counterparty::Person(known),
    }
}

fn outside_counterparty(sequencer: &Sequencer, event: &Event, part: &Part) -> Counterparty {
    if [&part.from, &part.to].iter().any(|end| end.person == Person::Cells) {
        return Counterparty::Person(Person::Cells);
    }
    if part.commodity == Commodity::Reais {
        let known = event.op().is_some() && is_pix(part);
        return if known { Counterparty::Vault } else { Counterparty::Unknown };
    }
    let address = if part.from.is_clients() {
        event.op().and_then(|op| destination(sequencer, op))
    } else {
        deposit_sender(event)
    };
    address.map_or(Counterparty::Unknown, Counterparty::Address)
}

/// Tells whether it is a PIX of an operation that knows its other end: one in suspense does not.
fn is_pix(part: &Part) -> bool {
    let charts = [part.from.account.chart(), part.to.account.chart()];
    charts.iter().any(|chart| ["prov.pix", "prov.pay"].contains(chart))
        && !charts.contains(&"susp.pix")
}

/// The address that an operation sends coins to.
fn destination(sequencer: &Sequencer, op: OpId) -> Option<String> {
    with_operation(sequencer, op, |operation| address_of(operation).map(|(to, _)| to)).flatten()
}

/// The address that an operation sends coins to, with the network's name where it has one.
fn address_of(operation: &Operation) -> Option<(String, String)> {
    let charge = operation.charge().and_then(|state| {
        let to = &state.order()?.delivery;
        Some((to.address.as_deref()?.to_owned(), to.chain.to_string()))
    });
    let conversion = operation.conversion().and_then(|state| {
        let to = &state.progress()?.order.target;
        Some((to.address.as_deref()?.to_owned(), to.chain.to_string()))
    });
    let withdrawal = operation.crypto_withdrawal().and_then(|state| {
        let terms = &state.progress()?.order.terms;
        Some((terms.address.to_string(), terms.network.to_string()))
    });
    let refund = operation.cash_out().and_then(|state| {
        let progress = state.progress()?;
        let to = progress.refund.as_ref()?.to.as_deref()?;
        Some((to.to_owned(), progress.order.chain_name.to_string()))
    });
    let unmatched = operation
        .unmatched_deposit()
        .and_then(|state| Some((state.refund()?.to.as_deref()?.to_owned(), String::new())));
    charge.or(conversion).or(withdrawal).or(refund).or(unmatched)
}

/// Tells whether an operation sends to the wallet that its API account set as its own.
pub(super) fn is_to_own_wallet(sequencer: &Sequencer, op: OpId) -> bool {
    let read = |operation: &Operation| {
        let (to, chain) = address_of(operation)?;
        let account = sequencer.ledger().state.account(operation.account()?)?;
        let own = account.settlement.as_deref()?;
        let polygon = chain.eq_ignore_ascii_case(POLYGON);
        Some(polygon && address::is_same(POLYGON, Some(&to), Some(own)))
    };
    with_operation(sequencer, op, read).flatten().unwrap_or(false)
}
