//! The machine's clock as a service goes by it: held against the last record of real money, and
//! kept beside the records (rulings 69).

use std::sync::Arc;

use ledger_core::id::Environment;
use ledger_core::time::Span;
use ledger_http::Ledgers;
use ledger_store::clock::Clock;
use ledger_store::engine::EngineStatus;
use ledger_store::machine_clock::{KeptMoment, MachineClock, SystemTimeSource};
use ledger_store::projection::TablesFailed;

use super::settings::Settings;
use crate::store::Store;
use crate::{Failure, say};

/// The clock of a service, and its moment beside each ledger of real money.
pub(super) struct ServiceClock {
    machine: Arc<MachineClock>,
    kept: Vec<(Box<str>, KeptMoment)>,
    /// Tells whether it was said that it was set back.
    set_back: bool,
}

impl ServiceClock {
    /// The clock, held against the ledger of real money that was written to last.
    pub(super) fn new(
        store: &Store,
        ledgers: &Ledgers,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let jump = Span::seconds(settings.clock_jump_seconds);
        let machine = Arc::new(MachineClock::over(SystemTimeSource, jump));
        let (target, mut last, mut kept) = (store.target(), None, Vec::new());
        for ledger in ledgers.each_of(Environment::Live) {
            let state = ledger.engine().view().wait()?;
            let moment = target.as_ref().and_then(|target| KeptMoment::read(target, ledger.name()));
            if state.seq.0 > 0 && last.as_ref().is_none_or(|(at, _)| *at < state.now) {
                last = Some((state.now, moment.as_ref().and_then(KeptMoment::moment).cloned()));
            }
            kept.extend(moment.map(|moment| (Box::from(&**ledger.name()), moment)));
        }
        if let Some((at, moment)) = last {
            machine.hold_against(at, moment.as_ref());
        }
        if settings.accept_clock {
            machine.accept();
        } else if let Some(doubt) = machine.doubt() {
            say(&format!(
                "custody-ledger: {doubt}, by the last record: real money waits until the clock is \
                 right, or --accept-clock accepts it"
            ));
        }
        let mut clock = Self { machine, kept, set_back: false };
        // A clock that was accepted is believed from now on, however the service ends; what cannot
        // be kept yet, the first look while it serves says.
        let _ = clock.look(ledgers);
        Ok(clock)
    }

    /// The machine's clock.
    pub(super) fn machine(&self) -> Arc<MachineClock> {
        Arc::clone(&self.machine)
    }

    /// Keeps its moment where that is due, of ledgers that can be written to, and says once that it
    /// was set back, and once that it is right again.
    pub(super) fn look(&mut self, ledgers: &Ledgers) -> Result<(), Failure> {
        let set_back = self.machine.set_back();
        match (&set_back, self.set_back) {
            (Some(jump), false) => say(&format!(
                "custody-ledger: {jump}: it was set back, and the ledger's time stands still until \
                 it has caught up (what to do: custody-ledger runbook ClockDoubted)"
            )),
            (None, true) => say("custody-ledger: the machine's clock is no longer set back"),
            _ => {}
        }
        self.set_back = set_back.is_some();
        self.each(ledgers, KeptMoment::look)
    }

    /// Keeps its moment with the last records.
    pub(super) fn end(&mut self, ledgers: &Ledgers) -> Result<(), Failure> {
        self.each(ledgers, KeptMoment::end)
    }

    fn each(
        &mut self,
        ledgers: &Ledgers,
        keep: fn(&mut KeptMoment, &dyn Clock, u64) -> Result<(), TablesFailed>,
    ) -> Result<(), Failure> {
        for ledger in ledgers.each_of(Environment::Live) {
            let engine = ledger.engine();
            let kept = self.kept.iter_mut().find(|(name, _)| **name == **ledger.name());
            let Some((_, kept)) = kept.filter(|_| engine.status() == EngineStatus::Writing) else {
                continue;
            };
            keep(kept, &*self.machine, engine.counters().records)
                .map_err(|error| Failure::because("the time of records is not kept", &error))?;
        }
        Ok(())
    }
}
