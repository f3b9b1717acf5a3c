//! What settings must be, and what of them is never shown.

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
    Settings::from_options(&options).map_err(|failure| format!("{failure:?}"))
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
    let (_folder, path) = file(&said.redacted_text().unwrap());
    assert_eq!(settings(&["--config", &path]).unwrap(), said);
}

#[test]
fn cells_are_printed_as_they_are_said_and_stand_in_the_place_of_a_store() {
    let said = settings(&["--cell", "cell-b=b.db", "--cell", "cell-a=sqlite:a.db"]).unwrap();
    assert_eq!(said.cell, ["cell-b=b.db", "cell-a=sqlite:a.db"]);
    assert_eq!(said.own_store().unwrap().to_string(), "b.db");
    let (_folder, path) = file(&said.redacted_text().unwrap());
    let read = settings(&["--config", &path]).unwrap();
    assert_eq!(read.cell, ["cell-b=b.db", "cell-a=a.db"]);
    let beside = settings(&["--cell", "cell-a=a.db", "--directory", "dir.db"]).unwrap();
    assert_eq!(beside.own_store().unwrap().to_string(), "dir.db");
}

#[test]
fn what_cells_do_not_go_with_is_refused_by_name() {
    let refused = |with: &[&str]| {
        let given = [&["--cell", "cell-a=a.db"], with].concat();
        settings(&given).unwrap_err()
    };
    for (with, what) in [
        (&["--store", "ledger.db"][..], "store"),
        (&["--replica-of", "ledger.db"], "replica-of"),
        (&["--standby", "--lease-seconds", "2"], "standby"),
        (&["--checkpoint-key", "key.txt"], "checkpoint-key"),
        (&["--cell", "cell-a=b.db"], "two cells are named cell-a"),
        (&["--cell", "sandbox=b.db"], "cell sandbox"),
        (&["--cell", "directory=b.db"], "cell directory"),
        (&["--cell", "cell-b"], "NAME=STORE"),
        (&["--cell", "=b.db"], "a name has"),
        (&["--cell", "cell-b="], "say where it is kept"),
    ] {
        assert!(refused(with).contains(what), "{with:?}: {}", refused(with));
    }
    assert!(settings(&["--directory", "d.db"]).unwrap_err().contains("needs cell"));
    let secret = refused(&["--cell", "postgres://ana:hunter2@db/ledger"]);
    assert!(!secret.contains("hunter2"), "{secret}");
}

#[test]
fn every_flag_is_a_setting_of_the_file() {
    let (said, defaults) = (
        toml::Table::try_from(full()).unwrap(),
        toml::Table::try_from(Settings {
            internal_token: Some(String::new()),
            metrics_token_file: Some(PathBuf::new()),
            webhooks_to: Some(String::new()),
            mail_url: Some(String::new()),
            mail_from: Some(String::new()),
            dashboard_secret_file: Some(PathBuf::new()),
            console_token: Some(String::new()),
            console_query_store: Some(String::new()),
            instructions_to: Some(String::new()),
            instructions_secret: Some(String::new()),
            supply_url: Some(String::new()),
            supply_secret_file: Some(PathBuf::new()),
            checkpoints: Some(PathBuf::new()),
            checkpoint_key: Some(PathBuf::new()),
            checkpoint_url: Some("https://witness.example/notes".to_owned()),
            trees: Some(PathBuf::new()),
            vault_key: Some(String::new()),
            base_url: Some(String::new()),
            docs_url: Some(String::new()),
            replica_of: Some(String::new()),
            writer_url: Some(String::new()),
            hanging_after: vec!["payout=30".to_owned()],
            second_operator: vec!["fee.adjusted=1".to_owned()],
            replica_secret_file: Some(PathBuf::new()),
            cell: vec!["cell-a=a.db".to_owned()],
            directory: Some(String::new()),
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
        metrics_token_file: Some(PathBuf::new()),
        console_listen: Some(String::new()),
        console_token: Some(String::new()),
        console_query_store: Some(String::new()),
        hanging_after: Some(vec!["payout=30".to_owned()]),
        second_operator: Some(vec!["fee.adjusted=1".to_owned()]),
        store: Some(String::new()),
        cell: Some(vec!["cell-a=a.db".to_owned()]),
        directory: Some(String::new()),
        outbox: Some(false),
        sentinel: Some(true),
        instructions_to: Some(String::new()),
        instructions_secret: Some(String::new()),
        supply_url: Some(String::new()),
        supply_secret_file: Some(PathBuf::new()),
        lease_seconds: Some(0),
        standby: Some(false),
        take_over: Some(false),
        replica_of: Some("ledger.db".to_owned()),
        writer_url: Some(String::new()),
        replicas_listen: Some(String::new()),
        replica_secret_file: Some(PathBuf::new()),
        webhooks: Some(false),
        webhooks_to: Some(String::new()),
        mail_url: Some(String::new()),
        mail_from: Some(String::new()),
        dashboard_secret_file: Some(PathBuf::new()),
        checkpoints: Some(PathBuf::new()),
        checkpoint_key: Some(PathBuf::new()),
        checkpoint_url: Some("https://witness.example/notes".to_owned()),
        checkpoint_every: Some(1),
        checkpoint_seconds: Some(0),
        trees: Some(PathBuf::new()),
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
        clock_jump_seconds: Some(0),
        fact_ahead_seconds: Some(0),
        accept_clock: false,
        accept_loss: None,
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
    let shown = settings(&said).unwrap().redacted_text().unwrap();
    for secret in [&key, "geheim", "heimlich", instructions, &token, &console] {
        assert!(!shown.contains(secret), "{shown}");
    }
    assert!(shown.contains("mail-url = \"smtps://smtp.example.com:465\""), "{shown}");
    let wrong = settings(&["--mail-url", "imap://loja:geheim@x"]).unwrap();
    let error = format!("{:?}", wrong.redacted_text().unwrap_err());
    assert!(!error.contains("geheim"), "{error}");
    let (_folder, path) = file("vault-key = [\"geheim\"]\n");
    let error = settings(&["--config", &path]).unwrap_err();
    assert!(!error.contains("geheim"), "{error}");
}

#[test]
fn instructions_are_pushed_where_url_secret_and_outbox_are_all_set() {
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    let pushed = |arguments: &[&str]| {
        let found = settings(arguments).unwrap().push_settings();
        found.map(|found| found.is_some()).map_err(|failure| format!("{failure:?}"))
    };
    let to = ["--instructions-to", "http://10.0.0.7/in"];
    assert_eq!(pushed(&[]), Ok(false));
    let whole = [&to[..], &["--instructions-secret", secret, "--outbox"]].concat();
    assert_eq!(pushed(&whole), Ok(true));
    for (wrong, said) in [
        (to.to_vec(), "instructions-to (set by --instructions-to) needs instructions-secret,"),
        (
            vec!["--instructions-secret", secret],
            "instructions-secret (set by --instructions-secret) needs instructions-to, which is not",
        ),
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
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret");
    let sealed = ["--dashboard-secret-file", file.to_str().unwrap()];
    let sealed = [said("painel@loja.example"), sealed.to_vec()].concat();
    assert!(panel(&sealed).is_err(), "there is no file");
    std::fs::write(&file, "short").unwrap();
    assert!(format!("{:?}", panel(&sealed).unwrap_err()).contains("a token has at least"));
    std::fs::write(&file, "0123456789abcdef0123456789abcdef\n").unwrap();
    assert!(panel(&sealed).unwrap().unwrap().secret.is_some());
}

#[test]
fn a_setting_that_is_none_is_named_by_its_file_and_line_and_shown_to_nobody() {
    for (text, said) in [
        ("log = \"text\"\nlisten = 4711\n", ":2: listen must be a string"),
        ("lisen = \"4711\"\n", ":1: lisen is no setting; the nearest is listen: "),
        ("outbox = true\n\nvault-key = [\"4711\"]\n", ":3: vault-key must be "),
        ("queue = \"4711\"\n", ":1: queue must be a whole number"),
        ("second-operator = \"4711\"\n", ":1: second-operator must be a list, such as "),
        ("log = \"text\"\naccept-clock = true\n", ":2: accept-clock is accepted once"),
        ("\"accept-clock\" = true\n", ":1: accept-clock is accepted once"),
        ("'accept-loss' = '1:00'\n", ":1: accept-loss is accepted once"),
        ("\"accept\\u002dloss\" = '1:00'\n", ": accept-loss is accepted once"),
        ("outbox = true\nlisten = \n", ":2: "),
    ] {
        let (_folder, path) = file(text);
        let error = settings(&["--config", &path]).unwrap_err();
        assert!(error.contains(&format!("{path}{said}")) && !error.contains("4711"), "{error}");
    }
}

#[test]
fn a_setting_without_the_one_it_needs_is_named_by_where_it_is_set() {
    let (_folder, path) =
        file("supply-url = \"http://10.0.0.7\"\ncheckpoint-url = \"https://w\"\n");
    let whole = settings(&["--config", &path, "--checkpoint-key", "key"]).unwrap();
    let supply = whole.supply_settings().unwrap_err().to_string();
    let wanted = format!("supply-url (set in {path}:1) needs supply-secret-file, which is not set");
    assert!(supply.ends_with(&wanted), "{supply}");
    let checkpoints = settings(&["--config", &path]).unwrap_err();
    assert!(checkpoints.contains(&format!("checkpoint-url (set in {path}:2)")), "{checkpoints}");
}

#[test]
fn checkpoints_are_signed_by_a_key_and_kept_in_the_store_with_it_alone() {
    for unsigned in [["--checkpoints", "kept"], ["--checkpoint-url", "https://witness.example"]] {
        assert!(settings(&unsigned).unwrap_err().contains("needs checkpoint-key"));
    }
    let alone = settings(&["--checkpoint-key", "key"]).unwrap();
    assert!(alone.checkpoints().is_some_and(|kept| kept.file.is_none() && kept.url.is_none()));
    let said = settings(&["--checkpoints", "kept", "--checkpoint-key", "key"]).unwrap();
    assert_eq!(said.checkpoints().unwrap().every, EVERY);
    assert!(settings(&[]).unwrap().checkpoints().is_none());
}

#[test]
fn commits_are_offered_and_followed_with_a_secret_of_a_file_alone() {
    let stream = ["--replica-of", "https://writer.example:9443"];
    for without in [&["--replicas-listen", "127.0.0.1:0"][..], &stream] {
        let error = settings(without).unwrap_err();
        assert!(error.contains("needs replica-secret-file"), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret");
    let secret = ["--replica-secret-file", file.to_str().unwrap()];
    let given = settings(&[&stream[..], &secret].concat()).unwrap();
    // The store is not what is followed.
    assert_eq!(given.store, Settings::default().store);
    assert!(format!("{:?}", given.stream().unwrap_err()).contains("secret"), "there is no file");
    for (text, said) in [("", "a token has at least"), ("short\n", "a token has at least")] {
        std::fs::write(&file, text).unwrap();
        let error = format!("{:?}", given.stream().unwrap_err());
        assert!(error.contains(said) && !error.contains("short"), "{error}");
    }
    std::fs::write(&file, format!("{}\n", "geheim".repeat(6))).unwrap();
    assert_eq!(given.stream().unwrap().unwrap().to_string(), stream[1]);
    let shown = given.redacted_text().unwrap();
    assert!(shown.contains(stream[1]) && !shown.contains("geheim"), "{shown}");
    let named = ["--replica-of", "https://loja:geheim@writer.example"];
    let named = settings(&[&named[..], &secret].concat()).unwrap();
    assert!(!named.redacted_text().unwrap().contains("geheim"));
    assert!(format!("{:?}", named.stream().unwrap_err()).contains("without a user"));
    let both = [&stream[..], &secret, &["--replicas-listen", "127.0.0.1:0"]].concat();
    assert!(settings(&both).unwrap_err().contains("offers no commits"));
    // A replica of a store offers them once it is promoted.
    let promoted = ["--replica-of", "ledger.db", "--replicas-listen", "127.0.0.1:0"];
    assert!(settings(&[&promoted[..], &secret].concat()).unwrap().stream().unwrap().is_none());
}

#[test]
fn bounds_of_the_inbox_name_a_kind_and_minutes() {
    let hanging = |said: &str| settings(&["--hanging-after", said]).unwrap().hanging();
    let bounds = hanging("payout=30,cash_out=240").unwrap();
    let bounds: Vec<_> = bounds.into_iter().map(|(kind, of)| (kind.name(), of)).collect();
    let expected = [("payout", Span::seconds(1_800)), ("cash_out", Span::hours(4))];
    assert_eq!(bounds, expected);
    for wrong in ["payout", "payout=", "payouts=30", "payout=-1", "payout=1h", "payout=99999999999"]
    {
        let error = format!("{:?}", hanging(wrong).unwrap_err());
        assert!(error.contains("hanging-after") && error.contains("wallet_payment"), "{error}");
    }
}

#[test]
fn what_would_serve_nobody_is_refused_by_its_name_and_where_it_is_set() {
    for name in [
        "body-bytes",
        "handling-seconds",
        "header-seconds",
        "connections",
        "queue",
        "clock-jump-seconds",
        "checkpoint-every",
    ] {
        let (_folder, path) = file(&format!("log = \"text\"\n{name} = 0\n"));
        let error = settings(&["--config", &path]).unwrap_err();
        let said = format!("{name} (set in {path}:2) must be at least 1");
        assert!(error.contains(&said), "{error}");
    }
    for (flag, wrong, right) in [
        ("--listen", "8080", "such as 127.0.0.1:8080"),
        ("--listen", "none", "such as 127.0.0.1:8080"),
        ("--console-listen", "8082", "such as 127.0.0.1:8080"),
        ("--base-url", "ledger.example.com", "such as https://api.example.com"),
        ("--docs-url", "x", "such as https://api.example.com"),
        ("--webhooks-to", "https://example.com", "such as http://127.0.0.1:9000"),
    ] {
        let error = settings(&[flag, wrong]).unwrap_err();
        let said = format!("(set by {flag}) must be ");
        assert!(error.contains(&said) && error.contains(right), "{error}");
    }
    for right in ["unix:/run/world", "none", "[::1]:8081", "localhost:0"] {
        assert_eq!(settings(&["--internal-listen", right]).unwrap().internal_listen, right);
    }
}

#[test]
fn a_mistyped_variable_is_refused_with_the_nearest() {
    let refused = |name: &str| {
        let set = std::iter::once(name.into());
        origins::assert_variables(set).map_err(|failure| failure.to_string())
    };
    let error = refused("CUSTODY_LEDGER_LEASE_SECOND").unwrap_err();
    assert!(error.contains("the nearest is CUSTODY_LEDGER_LEASE_SECONDS"), "{error}");
    // Those of other commands, and what Kubernetes sets for a service of this name.
    for other in [
        "CUSTODY_LEDGER_LEASE_SECONDS",
        "CUSTODY_LEDGER_CREDENTIAL_FILE",
        "CUSTODY_LEDGER_SERVICE_HOST",
        "CUSTODY_LEDGER_SERVICE_PORT",
        "CUSTODY_LEDGER_PORT",
        "CUSTODY_LEDGER_PORT_8080_TCP_ADDR",
        "LEASE_SECOND",
    ] {
        assert_eq!(refused(other), Ok(()), "{other}");
    }
}
