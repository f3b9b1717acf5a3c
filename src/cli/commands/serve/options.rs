//! The flags of `serve`, and the environment variables of the same names.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::store;

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
    /// Where the world reports facts and metrics are read: an address and a port, unix:PATH for a
    /// socket that its owner alone opens, or none [default: 127.0.0.1:8081].
    #[arg(long, value_name = "ADDRESS", env = "CUSTODY_LEDGER_INTERNAL_LISTEN")]
    pub internal_listen: Option<String>,
    /// The token that the world brings, of at least 32 characters; unless said, a random one on a
    /// loopback address, and none on a socket of the file system.
    #[arg(long, value_name = "TOKEN", env = "CUSTODY_LEDGER_INTERNAL_TOKEN")]
    #[arg(hide_env_values = true)]
    pub internal_token: Option<String>,
    /// The file of a token, of at least 32 characters, that opens metrics on the internal listener
    /// and nothing else: for whoever scrapes them.
    #[arg(long, value_name = "FILE", env = "CUSTODY_LEDGER_METRICS_TOKEN_FILE")]
    pub metrics_token_file: Option<PathBuf>,
    /// Where the operator's console is served; none to serve it nowhere [default: none].
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
    /// Where the tables stand that the console's queries read: a path, or on PostgreSQL a URL with
    /// a role that may read tables alone [default: the store, where it is a file].
    #[arg(long, value_name = "STORE", env = "CUSTODY_LEDGER_CONSOLE_QUERY_STORE")]
    #[arg(hide_env_values = true)]
    pub console_query_store: Option<String>,
    /// After how many minutes an operation under way stands in the console's inbox, by its kind
    /// [default: 60 for payout and `wallet_payment`, 120 for other kinds].
    ///
    /// Example: `serve --hanging-after payout=30,cash_out=240`
    #[arg(long, value_name = "KIND=MINUTES", value_delimiter = ',')]
    #[arg(env = "CUSTODY_LEDGER_HANGING_AFTER")]
    pub hanging_after: Option<Vec<String>>,
    /// Decisions that a second operator confirms, each about more than so many centavos, or about
    /// crypto whose price nobody says [default: none].
    ///
    /// Example: `serve --second-operator balance.written_off,suspense.returned=500000`
    #[arg(long, value_name = "DECISION[=CENTAVOS]", value_delimiter = ',')]
    #[arg(env = "CUSTODY_LEDGER_SECOND_OPERATOR")]
    pub second_operator: Option<Vec<String>>,
    #[arg(long, value_name = "STORE", help = store::HELP)]
    #[arg(env = store::VARIABLE, hide_env_values = true)]
    pub store: Option<String>,
    /// Serves this ledger of real money beside others: its name, and where it is kept. Said once
    /// for each; the first takes what nobody claims, such as a PIX without a charge. A ledger that
    /// is not there is made.
    ///
    /// Example: `serve --cell cell-a=a.db --cell cell-b=b.db --directory directory.db`
    #[arg(long, value_name = "NAME=STORE", value_delimiter = ',', env = "CUSTODY_LEDGER_CELL")]
    #[arg(hide_env_values = true)]
    pub cell: Option<Vec<String>>,
    /// Where the directory of the cells is kept, and beside it the ledger of test keys and the
    /// tables of the service [default: the store of the first cell].
    #[arg(long, value_name = "STORE", env = "CUSTODY_LEDGER_DIRECTORY", hide_env_values = true)]
    pub directory: Option<String>,
    /// Keeps an outbox of what the world is asked to do, for GET /instructions [default: false].
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    #[arg(env = "CUSTODY_LEDGER_OUTBOX")]
    pub outbox: Option<bool>,
    /// Holds every record against the invariants before it is written, and writes none that would
    /// break one [default: false].
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    #[arg(env = "CUSTODY_LEDGER_SENTINEL")]
    pub sentinel: Option<bool>,
    /// Pushes each instruction of the ledger of real money to this URL, until it is answered 2xx;
    /// needs an outbox and a secret.
    #[arg(long, value_name = "URL", env = "CUSTODY_LEDGER_INSTRUCTIONS_TO")]
    pub instructions_to: Option<String>,
    /// The secret that they are signed with, as Standard Webhooks write it: whsec_ and base64.
    #[arg(long, value_name = "SECRET", env = "CUSTODY_LEDGER_INSTRUCTIONS_SECRET")]
    #[arg(hide_env_values = true)]
    pub instructions_secret: Option<String>,
    /// Asks a provider at this URL for what only it can supply of real money: codes of charges,
    /// addresses of deposits, whose a PIX key is; needs a supply-secret-file. Without it requests
    /// that need one are refused.
    ///
    /// Example: `serve --supply-url http://10.0.0.7/supply --supply-secret-file provider.secret`
    #[arg(long, value_name = "URL", env = "CUSTODY_LEDGER_SUPPLY_URL")]
    pub supply_url: Option<String>,
    /// The file of the secret that questions are signed with, as Standard Webhooks write it: whsec_
    /// and base64.
    #[arg(long, value_name = "FILE", env = "CUSTODY_LEDGER_SUPPLY_SECRET_FILE")]
    pub supply_secret_file: Option<PathBuf>,
    /// Holds both ledgers by a lease of so many seconds, by the database's clock: nothing is
    /// answered once it has lapsed, and a standby takes over; 0 for none [default: 0].
    #[arg(long, value_name = "SECONDS", env = "CUSTODY_LEDGER_LEASE_SECONDS")]
    pub lease_seconds: Option<u64>,
    /// Stands by while another process serves this store: follows its commits, and serves once
    /// its lease has lapsed or it has ended [default: false].
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    #[arg(env = "CUSTODY_LEDGER_STANDBY")]
    pub standby: Option<bool>,
    /// Takes the ledgers over from a process that holds them, which is fenced; without it that one
    /// is named, and this one ends [default: false].
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    #[arg(env = "CUSTODY_LEDGER_TAKE_OVER")]
    pub take_over: Option<bool>,
    /// Reads the ledgers of this store while another process serves it, and writes nothing: each
    /// answer names its record in x-ledger-record, and x-ledger-at-least asks for one. SIGUSR1
    /// promotes it: it takes the ledgers over and serves them. An https URL is a service with
    /// replicas-listen, which is followed without a way to its store, and is never promoted.
    ///
    /// Example: `serve --replica-of postgres://reader@db/ledger --listen 10.0.0.3:8080`
    #[arg(long, value_name = "STORE", env = "CUSTODY_LEDGER_REPLICA_OF")]
    pub replica_of: Option<String>,
    /// Where the ledgers are written, which a replica answers whoever asks it to write.
    #[arg(long, value_name = "URL", env = "CUSTODY_LEDGER_WRITER_URL")]
    pub writer_url: Option<String>,
    /// Where replicas that have no way to the store follow the commits of both ledgers; none to
    /// offer them nowhere. It needs a replica-secret-file, and TLS of a proxy before it [default:
    /// none].
    #[arg(long, value_name = "ADDRESS", env = "CUSTODY_LEDGER_REPLICAS_LISTEN")]
    pub replicas_listen: Option<String>,
    /// The file of the secret, of at least 32 characters, that replicas bring to replicas-listen;
    /// a replica of an https URL brings it itself.
    #[arg(long, value_name = "FILE", env = "CUSTODY_LEDGER_REPLICA_SECRET_FILE")]
    pub replica_secret_file: Option<PathBuf>,
    /// Sends webhooks from the outbox; with false they wait there for a courier of yours [default:
    /// true].
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    #[arg(env = "CUSTODY_LEDGER_WEBHOOKS")]
    pub webhooks: Option<bool>,
    /// For development: sends the webhooks of all accounts to this address of a loopback
    /// interface, with its port, and none to the internet.
    #[arg(long, value_name = "URL", env = "CUSTODY_LEDGER_WEBHOOKS_TO")]
    pub webhooks_to: Option<String>,
    /// The server that mails the links of the dashboard: a URL of smtps, with user and password,
    /// or of smtp, with STARTTLS; without one nobody signs in.
    #[arg(long, value_name = "URL", env = "CUSTODY_LEDGER_MAIL_URL", hide_env_values = true)]
    pub mail_url: Option<String>,
    /// Whom that mail is from, as painel@example.com.
    #[arg(long, value_name = "ADDRESS", env = "CUSTODY_LEDGER_MAIL_FROM")]
    pub mail_from: Option<String>,
    /// The file of the secret, of at least 32 characters, that links and sessions of the dashboard
    /// are sealed by, the same for all processes of a service; absent, they end with the process.
    #[arg(long, value_name = "FILE", env = "CUSTODY_LEDGER_DASHBOARD_SECRET_FILE")]
    pub dashboard_secret_file: Option<PathBuf>,
    /// Adds signed checkpoints of both ledgers to this file; needs a checkpoint-key.
    #[arg(long, value_name = "FILE", env = "CUSTODY_LEDGER_CHECKPOINTS")]
    pub checkpoints: Option<PathBuf>,
    /// The file of the secret key that checkpoints are signed with, as `checkpoint-key` makes it;
    /// with it they are kept in the store, too.
    #[arg(long, value_name = "FILE", env = "CUSTODY_LEDGER_CHECKPOINT_KEY")]
    pub checkpoint_key: Option<PathBuf>,
    /// Posts each signed checkpoint to this URL, in order, until it is taken; needs a
    /// checkpoint-key.
    #[arg(long, value_name = "URL", env = "CUSTODY_LEDGER_CHECKPOINT_URL")]
    pub checkpoint_url: Option<String>,
    /// After so many records of a ledger one is written, and at the end [default: 1000].
    #[arg(long, value_name = "RECORDS", env = "CUSTODY_LEDGER_CHECKPOINT_EVERY")]
    pub checkpoint_every: Option<u64>,
    /// After so many seconds too, if anything was recorded [default: 60].
    #[arg(long, value_name = "SECONDS", env = "CUSTODY_LEDGER_CHECKPOINT_SECONDS")]
    pub checkpoint_seconds: Option<u64>,
    /// The folder of the trees over the records [default: beside the store, where it is a file].
    #[arg(long, value_name = "FOLDER", env = "CUSTODY_LEDGER_TREES")]
    pub trees: Option<PathBuf>,
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
    /// How far ahead the machine's clock may jump and is still believed, in seconds [default: 120].
    #[arg(long, value_name = "SECONDS", env = "CUSTODY_LEDGER_CLOCK_JUMP_SECONDS")]
    pub clock_jump_seconds: Option<u32>,
    /// How far ahead of the machine's clock a fact of real money may be dated, in seconds; one
    /// further ahead is taken as now [default: 60].
    #[arg(long, value_name = "SECONDS", env = "CUSTODY_LEDGER_FACT_AHEAD_SECONDS")]
    pub fact_ahead_seconds: Option<u32>,
    /// Accepts the machine's clock as it reads, although the last record lies after it, or more
    /// than 48 hours before it, or it jumped since on the same boot.
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub accept_clock: bool,
    /// Goes on from this head, RECORD:LINK, where a ledger ends whose later records are lost, and
    /// records that first; the refusal of a ledger that is not whole says the head.
    #[arg(long, value_name = "HEAD")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accept_loss: Option<String>,
}

/// How the line for each request looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Log {
    Json,
    Text,
    Off,
}
