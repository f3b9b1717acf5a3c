//! How a provider takes part: where instructions are pushed to, and where questions are asked.

use ledger_http::SupplySettings;
use ledger_http::push::PushSettings;

use super::Settings;
use crate::Failure;
use crate::commands::serve::secret_file;

impl Settings {
    /// How instructions are pushed; none where nobody says where to.
    pub fn push_settings(&self) -> Result<Option<PushSettings>, Failure> {
        let (to, with) = ("instructions-to", "instructions-secret");
        let (url, secret) = match (&self.instructions_to, &self.instructions_secret) {
            (None, None) => return Ok(None),
            (Some(url), Some(secret)) => (url, secret),
            (Some(_), None) => return Err(self.origins.missing_failure(to, with, "")),
            (None, Some(_)) => return Err(self.origins.missing_failure(with, to, "")),
        };
        if !self.outbox {
            return Err(self.origins.missing_failure(to, "outbox", ""));
        }
        let settings = PushSettings::new(url, secret);
        settings.map(Some).map_err(|error| Failure::because("the settings: instructions", &error))
    }

    /// How a provider's service is asked; none where nobody says where it is.
    pub fn supply_settings(&self) -> Result<Option<SupplySettings>, Failure> {
        let (to, with) = ("supply-url", "supply-secret-file");
        let (url, file) = match (&self.supply_url, &self.supply_secret_file) {
            (None, None) => return Ok(None),
            (Some(url), Some(file)) => (url, file),
            (Some(_), None) => return Err(self.origins.missing_failure(to, with, "")),
            (None, Some(_)) => return Err(self.origins.missing_failure(with, to, "")),
        };
        let settings = SupplySettings::new(url, secret_file::read(file)?.expose());
        settings.map(Some).map_err(|error| Failure::because("the settings: supply", &error))
    }
}
