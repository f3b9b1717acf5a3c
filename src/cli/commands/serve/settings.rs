//! What `serve` goes by: flags, environment variables, a TOML file, in that order.

mod bounds;
pub mod inbox;
mod origins;
mod provider;

use std::path::PathBuf;
use std::time::Duration;

use ledger_core::time::Span;
use ledger_http::courier::WebhookSettings;
use ledger_http::panel::settings::{MailServer, NoMailServer, NoSender, PanelSettings};
use ledger_http::{CommitSource, Limits, Rate, Token};
use serde::{Deserialize, Serialize};

use super::cell::Cell;
use super::options::{Log, Options};
use super::secret_file;
use crate::Failure;
use crate::checkpoints::{CheckpointSettings, EVERY, SECONDS};
use crate::store::{self, Store};
use origins::Origins;

/// What an address says where nothing listens.
pub const NOWHERE: &str = "none";

/// What stands where a secret is not shown.
const HIDDEN: &str = "***";

/// What is in force; without a field for what is not said, an absent one is its default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools)] // Each is a switch of its own.
pub struct Settings {
    pub listen: String,
    pub internal_listen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics_token_file: Option<PathBuf>,
    pub console_listen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub console_token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub console_query_store: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hanging_after: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub second_operator: Vec<String>,
    pub store: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cell: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    pub outbox: bool,
    pub sentinel: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions_to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions_secret: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supply_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supply_secret_file: Option<PathBuf>,
    pub lease_seconds: u64,
    pub standby: bool,
    pub take_over: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replica_of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writer_url: Option<String>,
    pub replicas_listen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replica_secret_file: Option<PathBuf>,
    pub webhooks: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhooks_to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mail_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mail_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dashboard_secret_file: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoints: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint_key: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint_url: Option<String>,
    pub checkpoint_every: u64,
    pub checkpoint_seconds: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trees: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vault_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_url: Option<String>,
    pub trusted_proxies: Vec<String>,
    pub key_rate: u32,
    pub address_rate: u32,
    pub body_bytes: usize,
    pub handling_seconds: u64,
    pub header_seconds: u64,
    pub connections: usize,
    pub drain_seconds: u64,
    pub queue: usize,
    pub log: Log,
    pub sandbox_seed: u64,
    pub clock_jump_seconds: u32,
    pub fact_ahead_seconds: u32,
    /// Never written to a file: a clock is accepted once, by whoever starts the service.
    #[serde(skip_serializing)]
    pub accept_clock: bool,
    /// Never written to a file either.
    #[serde(skip_serializing)]
    pub accept_loss: Option<String>,
    /// Where each of them comes from.
    #[serde(skip)]
    pub origins: Origins,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: "127.0.0.1:8080".to_owned(),
            internal_listen: "127.0.0.1:8081".to_owned(),
            internal_token: None,
            metrics_token_file: None,
            console_listen: NOWHERE.to_owned(),
            console_token: None,
            console_query_store: None,
            hanging_after: Vec::new(),
            second_operator: Vec::new(),
            store: store::DEFAULT.to_owned(),
            cell: Vec::new(),
            directory: None,
            outbox: false,
            sentinel: false,
            instructions_to: None,
            instructions_secret: None,
            supply_url: None,
            supply_secret_file: None,
            lease_seconds: 0,
            standby: false,
            take_over: false,
            replica_of: None,
            writer_url: None,
            replicas_listen: NOWHERE.to_owned(),
            replica_secret_file: None,
            webhooks: true,
            webhooks_to: None,
            mail_url: None,
            mail_from: None,
            dashboard_secret_file: None,
            checkpoints: None,
            checkpoint_key: None,
            checkpoint_url: None,
            checkpoint_every: EVERY,
            checkpoint_seconds: SECONDS,
            trees: None,
            vault_key: None,
            base_url: None,
            docs_url: None,
            trusted_proxies: Vec::new(),
            key_rate: 6_000,
            address_rate: 12_000,
            body_bytes: 64 * 1024,
            handling_seconds: 30,
            header_seconds: 10,
            connections: 10_000,
            drain_seconds: 20,
            queue: 4_096,
            log: Log::Text,
            sandbox_seed: 1,
            clock_jump_seconds: 120,
            fact_ahead_seconds: 60,
            accept_clock: false,
            accept_loss: None,
            origins: Origins::default(),
        }
    }
}

impl Settings {
    /// Returns what flags and environment say, over what the file says.
    pub fn from_options(options: &Options) -> Result<Self, Failure> {
        let file = options.config.as_deref();
        let (text, mut table) = file.map(origins::read).transpose()?.unwrap_or_default();
        let said = toml::Table::try_from(options)
            .map_err(|error| Failure::because("the flags are no settings", &error))?;
        if let Some(failure) = file.and_then(|path| origins::once_fault(path, &text, &table)) {
            return Err(failure);
        }
        origins::assert_variables(std::env::vars_os().map(|(name, _)| name))?;
        let origins = Origins::new(file, &text, &said);
        table.extend(said);
        let store_is_said = table.contains_key("store");
        let mut settings: Self = table.try_into().map_err(|error: toml::de::Error| {
            let in_file = file.and_then(|path| origins::setting_fault(path, &text));
            in_file.unwrap_or_else(|| Failure::new(format!("the settings: {}", error.message())))
        })?;
        settings.origins = origins;
        settings.assert_fits_cells(store_is_said)?;
        settings.assert_sound()?;
        let kept = [
            ("checkpoints", settings.checkpoints.is_some()),
            ("checkpoint-url", settings.checkpoint_url.is_some()),
        ];
        if let Some((name, _)) = kept.into_iter().find(|(_, kept)| *kept)
            && settings.checkpoint_key.is_none()
        {
            return Err(settings.origins.missing_failure(
                name,
                "checkpoint-key",
                ": it signs them",
            ));
        }
        if settings.standby && settings.lease_seconds == 0 {
            let why = ": without a lease it would take over from whoever serves";
            return Err(settings.origins.missing_failure("standby", "lease-seconds", why));
        }
        if let Some(store) = &settings.replica_of {
            if settings.standby {
                return Err(Failure::new(
                    "the settings: a standby takes over by itself and a replica when it is asked \
                     to: say standby or replica-of",
                ));
            }
            if !is_stream(store) {
                settings.store.clone_from(store);
            } else if settings.replicas_listen != NOWHERE {
                return Err(Failure::new(
                    "the settings: a replica of a service offers no commits: leave replicas-listen \
                     out",
                ));
            }
        }
        let streams = settings.replica_of.as_deref().is_some_and(is_stream);
        let offers = settings.replicas_listen != NOWHERE;
        if (streams || offers) && settings.replica_secret_file.is_none() {
            let name = if streams { "replica-of" } else { "replicas-listen" };
            let why = ": whoever follows reads all records and personal values";
            return Err(settings.origins.missing_failure(name, "replica-secret-file", why));
        }
        Ok(settings)
    }

    /// What cells are not served with is refused.
    fn assert_fits_cells(&self, store_is_said: bool) -> Result<(), Failure> {
        if Cell::all(&self.cell)?.is_empty() {
            return match &self.directory {
                None => Ok(()),
                Some(_) => Err(self.origins.missing_failure("directory", "cell", "")),
            };
        }
        let contradicts = [
            (store_is_said, "store: each cell has its own, and directory says where the rest is"),
            (self.replica_of.is_some(), "replica-of, which follows one ledger of real money"),
            (self.standby, "standby, which takes over one ledger of real money"),
            (self.checkpoint_key.is_some(), "checkpoint-key, which signs one ledger of real money"),
        ];
        match contradicts.into_iter().find(|(said, _)| *said) {
            Some((_, what)) => {
                Err(Failure::new(format!("the settings: cell does not go with {what}")))
            }
            None => Ok(()),
        }
    }

    /// Where the ledger of test keys is kept, with the tables of the service: beside the ledger of
    /// real money, or beside the directory of several.
    pub fn own_store(&self) -> Result<Store, Failure> {
        let cells = Cell::all(&self.cell)?;
        let first = cells.first().map_or(&*self.store, Cell::store);
        Store::parse(self.directory.as_deref().unwrap_or(first))
    }

    /// The service whose commits are followed; none where a store is, or nothing.
    pub fn stream(&self) -> Result<Option<CommitSource>, Failure> {
        let Some(url) = self.replica_of.as_deref().filter(|url| is_stream(url)) else {
            return Ok(None);
        };
        let secret = self.replica_secret()?;
        let source = CommitSource::new(url, secret);
        source.map(Some).map_err(|error| Failure::because("replica-of", &error))
    }

    /// Returns what replicas bring.
    pub fn replica_secret(&self) -> Result<Token, Failure> {
        let path = self.replica_secret_file.as_deref();
        secret_file::read(path.expect("whoever needs the secret was refused without its file"))
    }

    /// How long the ledgers are held without being renewed; nothing where no lease is wanted.
    pub fn lease(&self) -> Option<Duration> {
        (self.lease_seconds > 0).then(|| Duration::from_secs(self.lease_seconds))
    }

    /// How checkpoints are written, if any are.
    pub fn checkpoints(&self) -> Option<CheckpointSettings<'_>> {
        Some(CheckpointSettings {
            file: self.checkpoints.as_deref(),
            url: self.checkpoint_url.as_deref(),
            key: self.checkpoint_key.as_deref()?,
            every: self.checkpoint_every,
            seconds: self.checkpoint_seconds,
            trees: self.trees.as_deref(),
        })
    }

    /// As a file of settings, without secrets.
    pub fn redacted_text(&self) -> Result<String, Failure> {
        let mut shown = self.clone();
        // The store's own name, in which no password shows.
        shown.store = Store::parse(&self.store)?.to_string();
        let tables = self.console_query_store.as_deref().map(Store::parse).transpose()?;
        shown.console_query_store = tables.map(|tables| tables.to_string());
        shown.replica_of = self.replica_of.as_ref().map(|followed| match followed {
            // Nothing is followed at a URL with a user or a password.
            url if is_stream(url) && url.contains('@') => HIDDEN.to_owned(),
            url if is_stream(url) => url.clone(),
            _ => shown.store.clone(),
        });
        shown.vault_key = self.vault_key.as_ref().map(|_| HIDDEN.to_owned());
        shown.mail_url = self.mail_server()?.map(|server| server.to_string());
        shown.console_token = self.console_token.as_ref().map(|_| HIDDEN.to_owned());
        shown.instructions_secret = self.instructions_secret.as_ref().map(|_| HIDDEN.to_owned());
        shown.internal_token = self.internal_token.as_ref().map(|_| HIDDEN.to_owned());
        shown.directory =
            self.directory.as_deref().map(Store::parse).transpose()?.map(|at| at.to_string());
        shown.cell =
            Cell::all(&self.cell)?.iter().map(Cell::redacted_text).collect::<Result<_, _>>()?;
        let unwritten = |error| Failure::because("the settings", &error);
        let mut table = toml::Table::try_from(&shown).map_err(unwritten)?;
        if !self.cell.is_empty() {
            table.remove("store");
        }
        toml::to_string(&table).map_err(unwritten)
    }

    /// Returns what it takes of one caller.
    pub fn limits(&self) -> Result<Limits, Failure> {
        let network = |text: &String| {
            let read = text.parse();
            read.map_err(|error| Failure::because(&format!("trusted-proxies: {text}"), &error))
        };
        Ok(Limits {
            body_bytes: self.body_bytes,
            handling: Duration::from_secs(self.handling_seconds),
            header_read: Duration::from_secs(self.header_seconds),
            per_key: Rate::per_minute(self.key_rate),
            per_address: Rate::per_minute(self.address_rate),
            fact_ahead: Span::seconds(self.fact_ahead_seconds),
            trusted_proxies: self.trusted_proxies.iter().map(network).collect::<Result<_, _>>()?,
        })
    }

    /// How webhooks are sent; none where the outbox that they come from is not kept, or nobody is
    /// to send them.
    pub fn webhooks(&self) -> Result<Option<WebhookSettings>, Failure> {
        if !(self.outbox && self.webhooks) {
            return Ok(None);
        }
        Ok(Some(WebhookSettings { receiver: self.receiver()?, ..WebhookSettings::default() }))
    }

    /// The server that links are mailed by.
    fn mail_server(&self) -> Result<Option<MailServer>, Failure> {
        let server = self.mail_url.as_deref().map(str::parse).transpose();
        server.map_err(|error: NoMailServer| {
            Failure::because("mail-url is no server that takes mail", &error)
        })
    }

    /// How the links of the dashboard are mailed; nothing where they are not.
    pub fn panel(&self) -> Result<Option<PanelSettings>, Failure> {
        let Some(server) = self.mail_server()? else { return Ok(None) };
        let Some(from) = self.mail_from.as_deref() else {
            return Err(self.origins.missing_failure("mail-url", "mail-from", ""));
        };
        let from = from
            .parse()
            .map_err(|error: NoSender| Failure::because("mail-from is no address", &error))?;
        let secret = self.dashboard_secret_file.as_deref().map(secret_file::read).transpose()?;
        Ok(Some(PanelSettings { secret, ..PanelSettings::new(server, from) }))
    }
}

/// Tells whether it is a service that is followed, and no store.
fn is_stream(followed: &str) -> bool {
    followed.starts_with("http://") || followed.starts_with("https://")
}

#[cfg(test)]
mod tests;
