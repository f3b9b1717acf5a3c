//! Where a charge stands after an event.

use crate::id::OpId;
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::state::State;
use crate::machine::charge;

impl State {
    pub(in crate::ledger) fn charge(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &charge::Event,
    ) -> Result<(), &'static str> {
        self.moves::<charge::State>(archive, record.at, (op, event), |ledger, before, after| {
            if let charge::Event::Credited { credit, .. } = event {
                let known = ledger.subaccounts.get_mut(credit.subaccount.0 as usize);
                let known = known.ok_or("a credit goes to a subaccount that exists")?;
                known.deposited = true;
                known.waiting_until = known.waiting_until.or(credit.waiting_until);
            }
            ledger.count(before, after, record.at);
            ledger.keep_part(op, before, after);
            Ok(())
        })
    }

    /// Keeps the release schedule equal to the held parts of paid charges.
    fn keep_part(&mut self, op: OpId, before: &charge::State, after: &charge::State) {
        let (old, new) = (before.unreleased(), after.unreleased());
        if old == new {
            return;
        }
        if let Some((subaccount, at, _)) = old {
            self.parts.remove(&(subaccount, at, op));
        }
        if let Some((subaccount, at, held)) = new {
            self.parts.insert((subaccount, at, op), held);
        }
    }
}
