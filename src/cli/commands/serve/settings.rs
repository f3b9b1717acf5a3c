//! What `serve` is told: by flags, by environment variables, by a TOML file, in that order.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use ledger_http::courier::WebhookSettings;
use ledger_http::courier::guard::Forbidden;
use ledger_http::{Limits, Rate};
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::store::Store;

/// What an address says where nothing listens.
pub const NOWHERE: &str = "none";

/// What stands where a secret is not shown.
const HIDDEN: &str = "***";

#[derive(Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Options {
    /// A TOML file that says the same as the flags, by their names.
    #[arg(long, value_name = "FILE", env = "CUSTODY_LEDGER_CONFIG")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Prints the settings as such a file, secrets hidden, and ends.
    #[arg(long)]
    #[serde(skip)]
    pub print_config: bool,
    /// Where clients are served: an address and a port [default: 127.0.0.1:8080].
    #[arg(long, value_name = "ADDRESS", env = "CUSTODY_LEDGER_LISTEN")]
    pub listen: Option<String>,
    /// Where the world reports facts and metrics are read; none to listen for it nowhere [default:
    /// 127.0.0.1:8081].
    #[arg(long, value_name = "ADDRESS", env = "CUSTODY_LEDGER_INTERNAL_LISTEN")]
    pub internal_listen: Option<String>,
    /// The token that the world brings, of at least 32 characters; on a loopback address a random
    /// one unless said.
    #[arg(long, value_name = "TOKEN", env = "CUSTODY_LEDGER_INTERNAL_TOKEN")]
    #[arg(hide_env_values = true)]
    pub internal_token: Option<String>,
    /// Where the operator's console is served, which only reads; none to serve it nowhere [default:
    /// none].
    #[arg(long, visible_alias = "console", value_name = "ADDRESS")]
    #[arg(env = "CUSTODY_LEDGER_CONSOLE_LISTEN")]
    pub console_listen: Option<String>,
    /// The token that the console asks for, of at least 32 characters; on a loopback address it
    /// asks for none unless one is said.
    #[arg(
        long,
        value_name = "TOKEN",
        env = "CUSTODY_LEDGER_CONSOLE_TOKEN",
        hide_env_values = true
    )]
    pub console_token: Option<String>,
    /// Where the ledgers are kept: PATH, sqlite:PATH, postgres://... or memory: [default:
    /// ledger.db].
    #[arg(long, env = "CUSTODY_LEDGER_STORE", hide_env_values = true)]
    pub store: Option<String>,
    /// Keeps an outbox of what the world is asked to do, for GET /instructions [default: false].
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    #[arg(env = "CUSTODY_LEDGER_OUTBOX")]
    pub outbox: Option<bool>,
    /// Sends webhooks from the outbox; with false they wait there for a courier of yours [default:
    /// true].
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    #[arg(env = "CUSTODY_LEDGER_WEBHOOKS")]
    pub webhooks: Option<bool>,
    /// For development: sends the webhooks of all accounts to this address of a loopback
    /// interface, with its port, and none to the internet.
    #[arg(long, value_name = "URL", env = "CUSTODY_LEDGER_WEBHOOKS_TO")]
    pub webhooks_to: Option<String>,
    /// The key under which new ledgers hide persons, 64 hexadecimal digits; a random one unless
    /// said.
    #[arg(long, value_name = "HEX", env = "CUSTODY_LEDGER_VAULT_KEY", hide_env_values = true)]
    pub vault_key: Option<String>,
    /// The address that clients reach the service by, which its documents name [default: http://
    /// and where it listens].
    #[arg(long, value_name = "URL", env = "CUSTODY_LEDGER_BASE_URL")]
    pub base_url: Option<String>,
    /// Where errors are described at length, as their `docs` says [default: /docs of the base
    /// address].
    #[arg(long, value_name = "URL", env = "CUSTODY_LEDGER_DOCS_URL")]
    pub docs_url: Option<String>,
    /// The proxies whose X-Forwarded-For is believed: addresses, or networks as 10.0.0.0/8.
    #[arg(long, value_name = "NETWORK", value_delimiter = ',')]
    #[arg(env = "CUSTODY_LEDGER_TRUSTED_PROXIES")]
    pub trusted_proxies: Option<Vec<String>>,
    /// How many requests a minute a key may make; 0 for any number [default: 6000].
    #[arg(long, value_name = "N", env = "CUSTODY_LEDGER_KEY_RATE")]
    pub key_rate: Option<u32>,
    /// How many requests a minute an address may make; 0 for any number [default: 12000].
    #[arg(long, value_name = "N", env = "CUSTODY_LEDGER_ADDRESS_RATE")]
    pub address_rate: Option<u32>,
    /// The most bytes of a body [default: 65536].
    #[arg(long, value_name = "N", env = "CUSTODY_LEDGER_BODY_BYTES")]
    pub body_bytes: Option<usize>,
    /// How many seconds a request may take [default: 30].
    #[arg(long, value_name = "SECONDS", env = "CUSTODY_LEDGER_HANDLING_SECONDS")]
    pub handling_seconds: Option<u64>,
    /// How many seconds the head of a request may take to arrive, and a connection may be idle
    /// [default: 10].
    #[arg(long, value_name = "SECONDS", env = "CUSTODY_LEDGER_HEADER_SECONDS")]
    pub header_seconds: Option<u64>,
    /// How many connections are served at once, on each listener [default: 10000].
    #[arg(long, value_name = "N", env = "CUSTODY_LEDGER_CONNECTIONS")]
    pub connections: Option<usize>,
    /// How many seconds requests that are under way are waited for at the end [default: 20].
    #[arg(long, value_name = "SECONDS", env = "CUSTODY_LEDGER_DRAIN_SECONDS")]
    pub drain_seconds: Option<u64>,
    /// How many calls may wait to be decided by each ledger [default: 4096].
    #[arg(long, value_name = "N", env = "CUSTODY_LEDGER_QUEUE")]
    pub queue: Option<usize>,
    /// How the line for each request looks, on standard error: json, text or off [default: text].
    #[arg(long, value_name = "FORMAT", env = "CUSTODY_LEDGER_LOG")]
    pub log: Option<Log>,
    /// The seed of the sandbox's prices [default: 1].
    #[arg(long, value_name = "N", env = "CUSTODY_LEDGER_SANDBOX_SEED")]
    pub sandbox_seed: Option<u64>,
}

/// How the line for each request looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Log {
    Json,
    Text,
    Off,
}

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
    pub store: String,
    pub outbox: bool,
    pub webhooks: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhooks_to: Option<String>,
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
            store: "ledger.db".to_owned(),
            outbox: false,
            webhooks: true,
            webhooks_to: None,
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
        Ok(settings)
    }

    /// As a file of settings, without secrets.
    pub fn shown(&self) -> Result<String, Failure> {
        let mut shown = self.clone();
        // The store's own name, in which no password shows.
        shown.store = Store::parse(&self.store)?.to_string();
        shown.vault_key = self.vault_key.as_ref().map(|_| HIDDEN.to_owned());
        shown.console_token = self.console_token.as_ref().map(|_| HIDDEN.to_owned());
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
                console_token: Some(String::new()),
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
            store: Some(String::new()),
            outbox: Some(false),
            webhooks: Some(false),
            webhooks_to: Some(String::new()),
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
        let (key, token) = ("ab".repeat(32), "token-".repeat(6));
        let console = "console-".repeat(5);
        let store = "postgres://loja:geheim@localhost/ledger";
        let mut said = vec!["--vault-key", &key, "--store", store, "--internal-token", &token];
        said.extend(["--console-token", &console]);
        let shown = settings(&said).unwrap().shown().unwrap();
        for secret in [&key, "geheim", &token, &console] {
            assert!(!shown.contains(secret), "{shown}");
        }
        let (_folder, path) = file("vault-key = [\"geheim\"]\n");
        let error = settings(&["--config", &path]).unwrap_err();
        assert!(!error.contains("geheim"), "{error}");
    }

    #[test]
    fn a_setting_that_nobody_knows_is_refused() {
        let (_folder, path) = file("lisen = \"127.0.0.1:9000\"\n");
        assert!(settings(&["--config", &path]).unwrap_err().contains("lisen"));
    }
}
