//! Judging what the world reports of a payout.

use super::{Command, Event, State};
use crate::machine::Verdict;

/// Judges what the world reports. Whether a payout may be requested, its slice of the ledger says.
///
/// ```
/// # use ledger_core::id::{AccountId, SubaccountId, Token};
/// # use ledger_core::machine::payout::Order;
/// # use ledger_core::{money::Amount, terms::{PayoutFees, Switch}, time::Instant};
/// use ledger_core::machine::Verdict;
/// use ledger_core::machine::payout::{Command, Event, State, decide, evolve};
///
/// # let at = Instant::default();
/// # let order = Order {
/// #     account: AccountId(0), subaccount: SubaccountId(1), amount: Amount::CENTAVO,
/// #     fees: PayoutFees::default(), pix_key: Token([1; 16]), tax_number: Token([2; 16]),
/// #     external_id: None, created_at: at, return_refunds_fee: Switch::Off,
/// #     proven: Some(Switch::On),
/// # };
/// let requested = evolve(&State::Absent, &Event::Requested(Box::new(order)), at);
/// assert_eq!(decide(&requested, Command::Lose), Verdict::Applied(Event::Uncertain));
///
/// // Only evidence ends the uncertainty: a second report that nobody knows is known.
/// let uncertain = evolve(&requested, &Event::Uncertain, at);
/// assert_eq!(decide(&uncertain, Command::Lose), Verdict::Known);
/// let refused = decide(&uncertain, Command::Refuse);
/// assert!(matches!(refused, Verdict::Applied(Event::Failed { .. })));
/// ```
#[must_use]
pub fn decide(state: &State, command: Command) -> Verdict<Event> {
    use State::{Completed, Failed, Requested, Returned, Submitted, Uncertain, UnderReview};
    use Verdict::{Applied, Known, SetAside};
    match (state, command) {
        (Requested(_), Command::Stop) => Applied(Event::Stopped),
        (UnderReview(_), Command::Clear) => Applied(Event::Cleared),
        (Requested(_), Command::Submit) => Applied(Event::Submitted),
        (Requested(_) | Submitted(_), Command::Lose) => Applied(Event::Uncertain),
        // What was paid was paid, even where it should have stopped.
        (
            Requested(order) | UnderReview(order) | Submitted(order) | Uncertain(order),
            Command::Pay(e2e),
        ) => Applied(Event::Completed {
            account: order.account,
            amount: order.amount,
            fees: order.fees,
            e2e,
        }),
        (
            Requested(order) | UnderReview(order) | Submitted(order) | Uncertain(order),
            Command::Refuse,
        ) => Applied(Event::Failed {
            subaccount: order.subaccount,
            amount: order.amount,
            fees: order.fees,
        }),
        (Completed(paid), Command::Return(amount)) if paid.returnable_balance().covers(amount) => {
            Applied(Event::Returned {
                subaccount: paid.order.subaccount,
                account: paid.order.account,
                amount,
                fees: paid.fees_given_back(amount),
            })
        }

        // An older report than what is known.
        (Submitted(_) | Uncertain(_) | Failed(_) | Completed(_) | Returned(_), Command::Submit)
        | (Uncertain(_) | Failed(_) | Completed(_) | Returned(_), Command::Lose)
        | (Failed(_), Command::Refuse)
        | (UnderReview(_), Command::Stop)
        | (Requested(_), Command::Clear) => Known,
        (Completed(paid) | Returned(paid), Command::Pay(e2e)) if paid.e2e == e2e => Known,

        (_, _) => SetAside,
    }
}
