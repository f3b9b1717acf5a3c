//! A ledger that plays a sandbox: bank, exchange and networks by script.

pub(super) use ledger_sim::{Sandbox, SandboxWorld};

use super::Builder;

impl Builder {
    /// Plays a sandbox: a ledger of test keys, `sandbox` unless another name is said, in which
    /// bank, exchange and networks are played by script as the clock goes, a flow in about fifteen
    /// seconds. Prices come from the seed. A ledger of real money is never played: it does not
    /// open.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use custody_ledger::fact::account::AccountOpened;
    /// use custody_ledger::prelude::*;
    /// use custody_ledger::request::charge::{CreateCharge, CreateChargeDestination, GetCharge};
    /// use custody_ledger::request::sandbox::PaySandboxCharge;
    /// use custody_ledger::value::Span;
    /// use custody_ledger::view::ChargeStatus;
    /// use custody_ledger::{Ledger, ManualClock};
    ///
    /// let clock = Arc::new(ManualClock::at("2026-11-20T12:00:00Z").expect("it is RFC 3339"));
    /// let ledger = Ledger::builder("memory:").sandbox(7).clock(Arc::clone(&clock)).open().wait()?;
    /// let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
    /// ledger.report(&opened.key("svc_test_loja".try_into()?)).wait()?.ensure_applied()?;
    ///
    /// let loja = ledger.client(ApiKey::new("svc_test_loja")?);
    /// let (ten, payer) = (Amount::new(1_000)?, Document::new("52998224725")?);
    /// let charge = CreateCharge::new(ten, payer, Party::House, ExternalId::new("p-1")?);
    /// let charge = charge.destination(CreateChargeDestination::Balance);
    /// let charge = loja.ask(&charge.sandbox_scenario("hold".try_into()?)).wait()?.answer;
    /// loja.ask(&PaySandboxCharge::new(charge.id.clone())).wait()?;
    ///
    /// clock.advance(Span::seconds(90));
    /// ledger.play_now().wait()?;
    /// let paid = loja.ask(&GetCharge::new(charge.id)).wait()?.answer;
    /// assert_eq!(paid.status, ChargeStatus::Paid);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sandbox(mut self, seed: u64) -> Self {
        self.sandbox = Some(Sandbox::new(seed));
        self
    }
}
