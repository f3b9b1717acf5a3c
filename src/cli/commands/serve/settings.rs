//! What `serve` goes by: flags, environment variables, a TOML file, in that order.

use std::path::Path;
use std::time::Duration;

use ledger_http::courier::WebhookSettings;
use ledger_http::courier::guard::Forbidden;
use ledger_http::panel::settings::{MailServer, NoMailServer, NoSender, PanelSettings};
use ledger_http::push::PushSettings;
use ledger_http::{Limits, Rate};
use serde::{Deserialize, Serialize};

use super::options::{Log, Options};
use crate::Failure;
use crate::store::Store;

/// What an address says where nothing listens.
pub const NOWHERE: &str = "none";

/// What stands where a secret is not shown.
const HIDDEN: &str = "***";

/// What is in force; without a field for what is not said, an absent one is its default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Settings {
    pub listen: String,
    pub internal_listen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_token: Option<String>,
    pub console_listen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub console_token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub console_query_store: Option<String>,
    pub store: String,
    pub outbox: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions_to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions_secret: Option<String>,
    pub lease_seconds: u64,
    pub standby: bool,
    pub webhooks: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhooks_to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mail_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mail_from: Option<String>,
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
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: "127.0.0.1:8080".to_owned(),
            internal_listen: "127.0.0.1:8081".to_owned(),
            internal_token: None,
            console_listen: NOWHERE.to_owned(),
            console_token: None,
            console_query_store: None,
            store: "ledger.db".to_owned(),
            outbox: false,
            instructions_to: None,
            instructions_secret: None,
            lease_seconds: 0,
            standby: false,
            webhooks: true,
            webhooks_to: None,
            mail_url: None,
            mail_from: None,
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
        }
    }
}

impl Settings {
    /// What flags and environment say, over what the file says.
    pub fn of(options: &Options) -> Result<Self, Failure> {
        let mut table = match &options.config {
            Some(path) => read(path)?,
            None => toml::Table::new(),
        };
        let said = toml::Table::try_from(options)
            .map_err(|error| Failure::because("the flags are no settings", &error))?;
        table.extend(said);
        let settings: Self = table.try_into().map_err(|error: toml::de::Error| {
            // Not where it stands: the line may hold a secret.
            Failure::new(format!("the settings: {}", error.message()))
        })?;
        if settings.queue == 0 {
            return Err(Failure::new("the settings: queue must be at least 1"));
        }
        if settings.standby && settings.lease_seconds == 0 {
            return Err(Failure::new(
                "the settings: standby needs lease-seconds: without a lease it would take over \
                 from whoever serves",
            ));
        }
        Ok(settings)
    }

    /// How long the ledgers are held without being renewed; nothing where no lease is wanted.
    pub fn lease(&self) -> Option<Duration> {
        (self.lease_seconds > 0).then(|| Duration::from_secs(self.lease_seconds))
    }

    /// As a file of settings, without secrets.
    pub fn shown(&self) -> Result<String, Failure> {
        let mut shown = self.clone();
        // The store's own name, in which no password shows.
        shown.store = Store::parse(&self.store)?.to_string();
        let tables = self.console_query_store.as_deref().map(Store::parse).transpose()?;
        shown.console_query_store = tables.map(|tables| tables.to_string());
        shown.vault_key = self.vault_key.as_ref().map(|_| HIDDEN.to_owned());
        shown.mail_url = self.mail_server()?.map(|server| server.to_string());
        shown.console_token = self.console_token.as_ref().map(|_| HIDDEN.to_owned());
        shown.instructions_secret = self.instructions_secret.as_ref().map(|_| HIDDEN.to_owned());
        shown.internal_token = self.internal_token.as_ref().map(|_| HIDDEN.to_owned());
        toml::to_string(&shown).map_err(|error| Failure::because("the settings", &error))
    }

    /// What it takes of one caller.
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
            trusted_proxies: self.trusted_proxies.iter().map(network).collect::<Result<_, _>>()?,
        })
    }

    /// How webhooks are sent; none where the outbox that they come from is not kept, or nobody is
    /// to send them.
    pub fn webhooks(&self) -> Result<Option<WebhookSettings>, Failure> {
        if !(self.outbox && self.webhooks) {
            return Ok(None);
        }
        let receiver = self.webhooks_to.as_deref().map(str::parse).transpose();
        let receiver = receiver.map_err(|error: Forbidden| {
            Failure::because("webhooks-to is no address of a loopback interface", &error)
        })?;
        Ok(Some(WebhookSettings { receiver, ..WebhookSettings::default() }))
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
            return Err(Failure::new("the settings: mail-url needs mail-from"));
        };
        let from = from
            .parse()
            .map_err(|error: NoSender| Failure::because("mail-from is no address", &error))?;
        Ok(Some(PanelSettings::new(server, from)))
    }
}

impl Settings {
    /// How instructions are pushed; none where nobody says where to.
    pub fn pushed(&self) -> Result<Option<PushSettings>, Failure> {
        let (url, secret) = match (&self.instructions_to, &self.instructions_secret) {
            (None, None) => return Ok(None),
            (Some(url), Some(secret)) => (url, secret),
            _ => {
                return Err(Failure::new(
                    "the settings: instructions-to and instructions-secret go together",
                ));
            }
        };
        if !self.outbox {
            return Err(Failure::new("the settings: instructions-to needs outbox"));
        }
        let settings = PushSettings::new(url, secret);
        settings.map(Some).map_err(|error| Failure::because("the settings", &error))
    }
}

fn read(path: &Path) -> Result<toml::Table, Failure> {
    let named = |what: String| Failure::new(format!("{}: {what}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| named(error.to_string()))?;
    text.parse::<toml::Table>().map_err(|error| named(error.message().to_owned()))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        options: Options,
    }

    fn settings(arguments: &[&str]) -> Result<Settings, String> {
        let given = std::iter::once("serve").chain(arguments.iter().copied());
        let options = Program::parse_from(given).options;
        Settings::of(&options).map_err(|failure| format!("{failure:?}"))
    }

    fn file(text: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("serve.toml");
        std::fs::write(&path, text).unwrap();
        (folder, path.to_str().unwrap().to_owned())
    }

    #[test]
    fn a_flag_stands_over_the_file_and_the_file_over_the_defaults() {
        let (_folder, path) = file("listen = \"127.0.0.1:9000\"\nkey-rate = 7\n");
        let found = settings(&["--config", &path, "--key-rate", "8"]).unwrap();
        let expected =
            Settings { listen: "127.0.0.1:9000".to_owned(), key_rate: 8, ..Settings::default() };
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_printed_is_a_file_that_says_the_same() {
        let given = ["--trusted-proxies", "10.0.0.0/8,::1", "--log", "json", "--store", "memory:"];
        let said = settings(&given).unwrap();
        assert_eq!(said.trusted_proxies, ["10.0.0.0/8", "::1"]);
        let (_folder, path) = file(&said.shown().unwrap());
        assert_eq!(settings(&["--config", &path]).unwrap(), said);
    }

    #[test]
    fn every_flag_is_a_setting_of_the_file() {
        let (said, defaults) = (
            toml::Table::try_from(full()).unwrap(),
            toml::Table::try_from(Settings {
                internal_token: Some(String::new()),
                webhooks_to: Some(String::new()),
                mail_url: Some(String::new()),
                mail_from: Some(String::new()),
                console_token: Some(String::new()),
                console_query_store: Some(String::new()),
                instructions_to: Some(String::new()),
                instructions_secret: Some(String::new()),
                vault_key: Some(String::new()),
                base_url: Some(String::new()),
                docs_url: Some(String::new()),
                ..Settings::default()
            })
            .unwrap(),
        );
        let names = |table: &toml::Table| table.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&said), names(&defaults));
    }

    fn full() -> Options {
        Options {
            config: None,
            print_config: false,
            listen: Some(String::new()),
            internal_listen: Some(String::new()),
            internal_token: Some(String::new()),
            console_listen: Some(String::new()),
            console_token: Some(String::new()),
            console_query_store: Some(String::new()),
            store: Some(String::new()),
            outbox: Some(false),
            instructions_to: Some(String::new()),
            instructions_secret: Some(String::new()),
            lease_seconds: Some(0),
            standby: Some(false),
            webhooks: Some(false),
            webhooks_to: Some(String::new()),
            mail_url: Some(String::new()),
            mail_from: Some(String::new()),
            vault_key: Some(String::new()),
            base_url: Some(String::new()),
            docs_url: Some(String::new()),
            trusted_proxies: Some(Vec::new()),
            key_rate: Some(0),
            address_rate: Some(0),
            body_bytes: Some(0),
            handling_seconds: Some(0),
            header_seconds: Some(0),
            connections: Some(0),
            drain_seconds: Some(0),
            queue: Some(1),
            log: Some(Log::Off),
            sandbox_seed: Some(0),
        }
    }

    #[test]
    fn no_secret_is_printed_and_none_stands_in_an_error() {
        let instructions = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let (key, token) = ("ab".repeat(32), "token-".repeat(6));
        let console = "console-".repeat(5);
        let store = "postgres://loja:geheim@localhost/ledger";
        let mut said = vec!["--vault-key", &key, "--store", store, "--internal-token", &token];
        said.extend(["--console-token", &console]);
        said.extend(["--instructions-secret", instructions]);
        said.extend(["--console-query-store", "postgres://analyst:heimlich@localhost/ledger"]);
        said.extend(["--mail-url", "smtps://loja:geheim@smtp.example.com"]);
        let shown = settings(&said).unwrap().shown().unwrap();
        for secret in [&key, "geheim", "heimlich", instructions, &token, &console] {
            assert!(!shown.contains(secret), "{shown}");
        }
        assert!(shown.contains("mail-url = \"smtps://smtp.example.com:465\""), "{shown}");
        let wrong = settings(&["--mail-url", "imap://loja:geheim@x"]).unwrap();
        let error = format!("{:?}", wrong.shown().unwrap_err());
        assert!(!error.contains("geheim"), "{error}");
        let (_folder, path) = file("vault-key = [\"geheim\"]\n");
        let error = settings(&["--config", &path]).unwrap_err();
        assert!(!error.contains("geheim"), "{error}");
    }

    #[test]
    fn instructions_are_pushed_where_url_secret_and_outbox_are_all_set() {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let pushed = |arguments: &[&str]| {
            let found = settings(arguments).unwrap().pushed();
            found.map(|found| found.is_some()).map_err(|failure| format!("{failure:?}"))
        };
        let to = ["--instructions-to", "http://10.0.0.7/in"];
        assert_eq!(pushed(&[]), Ok(false));
        let whole = [&to[..], &["--instructions-secret", secret, "--outbox"]].concat();
        assert_eq!(pushed(&whole), Ok(true));
        for (wrong, said) in [
            (to.to_vec(), "go together"),
            (vec!["--instructions-secret", secret], "go together"),
            (whole[..4].to_vec(), "needs outbox"),
            ([&to[..], &["--instructions-secret", "geheim", "--outbox"]].concat(), "whsec_"),
        ] {
            let error = pushed(&wrong).unwrap_err();
            assert!(error.contains(said) && !error.contains("geheim"), "{error}");
        }
    }

    #[test]
    fn mail_needs_a_server_and_a_sender() {
        let panel = |arguments: &[&str]| settings(arguments).unwrap().panel();
        assert!(panel(&[]).unwrap().is_none());
        let server = ["--mail-url", "smtp://127.0.0.1:2525"];
        assert!(panel(&server).is_err());
        let said = |from| [&server[..], &["--mail-from", from]].concat();
        assert!(panel(&said("Loja <painel@loja.example>")).unwrap().is_some());
        assert!(panel(&said("painel")).is_err());
    }

    #[test]
    fn a_setting_that_nobody_knows_is_refused() {
        let (_folder, path) = file("lisen = \"127.0.0.1:9000\"\n");
        assert!(settings(&["--config", &path]).unwrap_err().contains("lisen"));
    }
}
