//! `POST /sandbox/cashin/{cashin_id}/pay`: a test charge is paid (SBX-10).

use super::{Scenario, pix_id, test_keys_only};
use crate::contract::body::Body;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::call::{CallOutcome, Response};
use crate::contract::error::{Code, Problem};
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::views::Views;
use crate::id::{AccountId, Kind, LedgerName, OpId};
use crate::ledger::charge::Fact as ChargeFact;
use crate::ledger::{Archive, Fact, Intent, Operation, Reported};
use crate::machine::charge::{PixPayment, State};
use crate::time::Instant;

/// Pays a charge that waits; one that was paid is answered as it stands.
///
/// # Errors
///
/// `nao_permitido` on a production key; `status_invalido` for a charge that came to nothing.
pub fn pay<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.account()?;
    test_keys_only(context.ledger.state.is_sandbox())?;
    parts.body_if()?;
    let op = parts.operation(&[Kind::Charge]);
    let mut payment = None;
    // Time passes first: a charge whose deadline lies behind is no longer paid.
    let mut handled = context.read(|views, account, at| {
        let (op, charge, state) = views.charge_of(account, op)?;
        payment = payment_report(op, &state, parts.ledger, at)?;
        Ok(Body::from(views.operation_view(op, &charge)))
    })?;
    let Some(fact) = payment else { return Ok(handled) };
    let what = Intent::Fact(Reported { id: None, fact });
    let (_, execution) = context.execute(what, Vec::new())?;
    let account = context.account()?;
    let (op, charge, _) = context.views().charge_of(account, op)?;
    let body = Body::from(context.views().operation_view(op, &charge));
    let paid = CallOutcome::new(Response::ok(body), Some(execution));
    handled.records.extend(paid.records);
    handled.notifications.extend(paid.notifications);
    handled.instructions.extend(paid.instructions);
    Ok(CallOutcome { response: paid.response, ..handled })
}

/// What the provider reports of a charge that its payer pays now; nothing of one paid before.
fn payment_report(
    op: OpId,
    state: &State,
    ledger: &LedgerName,
    at: Instant,
) -> Result<Option<Fact>, Problem> {
    let order = match state {
        State::Pending(order) => order,
        State::Absent | State::Expired(_) | State::Failed(_) => {
            let detail = "this charge can no longer be paid: create another";
            return Err(Problem::new(Code::StateInvalid, detail));
        }
        State::UnderReview(_)
        | State::Delayed(_)
        | State::Paid(_)
        | State::Bought(_)
        | State::Refunded(_) => return Ok(None),
    };
    let e2e = pix_id('E', op, ledger, at).into();
    let payment = PixPayment { e2e, amount: order.amount, paid_at: at };
    let held_back = Scenario::from_order(order).is_some_and(|known| known.delays_settlement(order));
    let charge = Some(op);
    Ok(Some(if held_back {
        Fact::Charge(ChargeFact::PixSeen { charge, payment })
    } else {
        Fact::Charge(ChargeFact::PixReceived { charge, payment })
    }))
}

impl<A: Archive, V: Vault> Views<'_, A, V> {
    fn charge_of(
        &self,
        account: AccountId,
        op: Option<OpId>,
    ) -> Result<(OpId, Operation, State), Problem> {
        let found = op.and_then(|op| Some((op, self.operation(op)?)));
        let own = found.filter(|(_, known)| known.account() == Some(account));
        let charge = own.and_then(|(op, known)| {
            let state = known.charge()?.clone();
            Some((op, known, state))
        });
        charge.ok_or_else(|| Problem::new(Code::NotFound, "there is no such charge"))
    }
}
