//! Whoever was erased is in no byte of any file of a store: tables, log, snapshots, trees, outbox,
//! the courier's tables; on PostgreSQL in no file of the server, its write-ahead log included.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use aho_corasick::AhoCorasick;
use ledger_store::projection::Target;
use ledger_store::{OpenMode, ServiceTables, SqliteJournal};
use serde_json::Value;
use tempfile::TempDir;

use crate::program::{PROGRAM, done, outcome, refused};
use crate::server::{self, Server};

const CONTRACT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/whole-contract.jsonl");

const CPF: &str = "11144477735";
const EMAIL: &str = "zuleica.quixada@exemplo.org";
const PHONE: &str = "+5585987654321";
const NAME: &str = "Zuleica Quixadá Wanderley";
const RECIPIENT: &str = "ZULEICA Q WANDERLEY";
const TEXT: &str = "aluguel da casa de Zuleica Quixadá";
const OPERATOR_TEXT: &str = "Zuleica Wanderley contests the payment";
/// A text that is not named: it has her document in it.
const MENTION: &str = "repasse combinado (111.444.777-35)";
const OWNER_EMAIL: &str = "zuleica.dona@exemplo.org";
const OWNER: &str = "Zuleica Loja de Doces";

/// What waits for a second operator, with her document in it.
const PROPOSED: &str = "a courtesy to Zuleica that eva is to confirm";

/// Everything that stands of her.
const VALUES: [&str; 11] = [
    CPF,
    EMAIL,
    PHONE,
    NAME,
    RECIPIENT,
    TEXT,
    OPERATOR_TEXT,
    MENTION,
    OWNER_EMAIL,
    OWNER,
    PROPOSED,
];

/// What names her, as it is given to the commands.
const WHO: [&str; 18] = [
    "--document",
    CPF,
    "--pix-key",
    EMAIL,
    "--pix-key",
    PHONE,
    "--name",
    NAME,
    "--name",
    RECIPIENT,
    "--name",
    OWNER,
    "--text",
    TEXT,
    "--text",
    OPERATOR_TEXT,
    "--email",
    OWNER_EMAIL,
];

const BY: [&str; 4] = ["--by", "bia", "--reason", "request 17"];

/// How many other persons there are: enough that pages of the vault are split again and again.
const OTHERS: u64 = 1_500;

/// The courier's table of attempts, as it makes it.
const ATTEMPTS: &str = "CREATE TABLE webhook_attempts (ledger TEXT NOT NULL, event TEXT NOT NULL, \
    number BIGINT NOT NULL, kind TEXT NOT NULL, at BIGINT NOT NULL, outcome TEXT NOT NULL, \
    http_status BIGINT NOT NULL, latency_ms BIGINT NOT NULL, answer TEXT NOT NULL, \
    PRIMARY KEY (ledger, event, number))";

/// The table of what operators proposed, as the service makes it.
const PROPOSALS: &str = "CREATE TABLE operator_proposals (ledger TEXT NOT NULL, \
    decision TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, proposed_by TEXT NOT NULL, \
    proposed_at BIGINT NOT NULL, ended_by TEXT, outcome TEXT, PRIMARY KEY (ledger, decision, id))";

/// One operation of every kind that carries a person, hers.
const HERS: [&str; 15] = [
    r#"{"at":"2026-11-21T12:00:00Z","as":"z0","fact":"account.opened","body":{"id":"z-0","account":"zl","terms":{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0}},"supplied":{"key":"svc_live_zl"}}"#,
    r#"{"at":"2026-11-21T12:00:00Z","as":"z13","fact":"rate.quoted","environment":"live","body":{"id":"rate-z","asset":"usdt","brl_per_unit":"5.40","source":"exchange"}}"#,
    r#"{"at":"2026-11-21T12:00:00Z","as":"z1","key":"svc_live_zl","request":"POST /cashin/charge","body":{"amount_cents":50000,"destino":"saldo","customer_ref":"zq","payer_tax_number":"CPF","payer_name":"NAME","external_id":"z-1"}}"#,
    r#"{"at":"2026-11-21T12:00:10Z","as":"z2","fact":"pix.received","body":{"cashin_id":"$z1.cashin_id","e2e":"E9040088820261121120000000009001","amount_cents":50000}}"#,
    r#"{"at":"2026-11-21T12:00:20Z","as":"z3","key":"svc_live_zl","request":"POST /cashin/charge","body":{"amount_cents":10000,"destino":"cripto","payer_tax_number":"CPF","payer_name":"NAME","payout_address":"0x52908400098527886e0f7030069857d2e4169ee7","external_id":"z-3"}}"#,
    r#"{"at":"2026-11-21T12:00:30Z","as":"z4","key":"svc_live_zl","request":"POST /saldo/transferir","body":{"amount_cents":2000,"from_customer_ref":"zq","to_customer_ref":"bia","descricao":"TEXT","external_id":"z-4"}}"#,
    r#"{"at":"2026-11-21T12:00:40Z","as":"z5","key":"svc_live_zl","request":"POST /payouts","body":{"customer_ref":"zq","amount_cents":5000,"pix_key":"EMAIL","tax_number":"CPF","external_id":"z-5"}}"#,
    r#"{"at":"2026-11-21T12:00:50Z","as":"z6","fact":"payout.paid","body":{"payout_id":"$z5.payout_id","e2e":"E9040088820261121120000000009002","recipient_name":"RECIPIENT","recipient_document":"CPF"}}"#,
    r#"{"at":"2026-11-21T12:01:00Z","as":"z7","key":"svc_live_zl","request":"POST /cash-outs","body":{"asset":"usdt","network":"polygon","brl_amount":"100.00","pix_key":"PHONE","refund_address":"0x52908400098527886e0f7030069857d2e4169ee7","external_id":"z-7"}}"#,
    r#"{"at":"2026-11-21T12:01:10Z","as":"z8","key":"svc_live_zl","request":"POST /saldo/sacar-cripto","body":{"amount_cents":10000,"asset":"usdt","chain":"polygon","payout_address":"0x52908400098527886e0f7030069857d2e4169ee7","tax_number":"CPF","customer_ref":"zq","external_id":"z-8"}}"#,
    r#"{"at":"2026-11-21T12:01:20Z","as":"z9","fact":"hold.placed","body":{"id":"z-9","account":"zl","customer_ref":"zq","cashin_id":"$z1.cashin_id","kind":"dispute","amount_cents":1000,"actor":"bia","reason":"OPERATOR_TEXT"}}"#,
    r#"{"at":"2026-11-21T12:01:30Z","as":"z10","request":"POST /keys","body":{"name":"OWNER","email":"OWNER_MAIL"},"ip":"203.0.113.8"}"#,
    r#"{"at":"2026-11-21T12:01:40Z","as":"z11","fact":"pix.received","body":{"e2e":"E9040088820261121120000000009003","amount_cents":777}}"#,
    r#"{"at":"2026-11-21T12:01:45Z","as":"z14","key":"svc_live_zl","request":"POST /saldo/transferir","body":{"amount_cents":2000,"from_customer_ref":"zq","to_customer_ref":"bia","descricao":"MENTION","external_id":"z-14"}}"#,
    r#"{"at":"2026-11-21T12:01:50Z","as":"z12","key":"svc_live_zl","request":"GET /saldo?customer_ref=zq"}"#,
];

fn hers(line: &str) -> String {
    let named = [
        ("OPERATOR_TEXT", OPERATOR_TEXT),
        ("\"TEXT", &format!("\"{TEXT}")),
        ("MENTION", MENTION),
        ("\"CPF", &format!("\"{CPF}")),
        ("OWNER_MAIL", OWNER_EMAIL),
        ("\"OWNER", &format!("\"{OWNER}")),
        ("\"EMAIL", &format!("\"{EMAIL}")),
        ("PHONE", PHONE),
        ("\"NAME", &format!("\"{NAME}")),
        ("RECIPIENT", RECIPIENT),
    ];
    named.iter().fold(line.to_owned(), |line, (word, value)| line.replace(word, value))
}

/// A charge of somebody else, with a document of their own.
fn other(number: u64) -> String {
    let digits = format!("{:09}", 200_000_000 + number * 7919);
    let digit = |digits: &str| {
        let weights = (2..=digits.len() as u64 + 1).rev();
        let values = digits.bytes().map(|digit| u64::from(digit - b'0'));
        let rest = values.zip(weights).map(|(value, weight)| value * weight).sum::<u64>() % 11;
        if rest < 2 { 0 } else { 11 - rest }
    };
    let digits = format!("{digits}{}", digit(&digits));
    let digits = format!("{digits}{}", digit(&digits));
    format!(
        r#"{{"at":"2026-11-21T12:02:00Z","key":"svc_live_zl","request":"POST /cashin/charge","body":{{"amount_cents":1000,"destino":"saldo","customer_ref":"o","payer_tax_number":"{digits}","payer_name":"Somebody of number {number}","external_id":"o-{number}"}}}}"#
    )
}

/// A store in which everything that a ledger keeps stands, and what is beside it.
struct Lived {
    folder: TempDir,
    store: String,
}

impl Lived {
    /// Lives in the store of this name; absent: in a file of the folder `store`.
    fn new(store: Option<String>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("store")).unwrap();
        let file = folder.path().join("store/ledger.db").display().to_string();
        let lived = Self { store: store.unwrap_or(file), folder };
        done(&["checkpoint-key", &lived.path("key"), "--name", "ledger.example.com"]);
        let mut lines = fs::read_to_string(CONTRACT).unwrap();
        // First and last, so that her rows are moved by those that come between.
        let half = HERS.len() / 2;
        HERS[..half].iter().for_each(|line| writeln!(lines, "{}", hers(line)).unwrap());
        (1..=OTHERS).for_each(|number| writeln!(lines, "{}", other(number)).unwrap());
        let later = |line: &str| hers(line).replace("T12:01", "T12:03").replace("T12:00", "T12:03");
        HERS[half..].iter().for_each(|line| writeln!(lines, "{}", later(line)).unwrap());
        let answers = lived.run(&lines, "lines.jsonl");
        for label in 0..HERS.len() {
            let line = lines.lines().position(|line| line.contains(&format!(r#""as":"z{label}""#)));
            let line = line.unwrap() + 1;
            let answer: Value = answers
                .lines()
                .map(|answer| serde_json::from_str::<Value>(answer).unwrap())
                .find(|answer| answer["line"] == line)
                .unwrap();
            assert!(answer["status"].as_u64().unwrap() < 300, "{answer}");
        }
        done(&["project", &lived.store]);
        if lived.is_file() {
            let (said, _) = done(&["snapshot", &lived.store]);
            assert!(said.contains(" of earlier records, "), "{said}");
        }
        lived.echoed();
        lived
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn is_file(&self) -> bool {
        !self.store.starts_with("postgres")
    }

    fn run(&self, lines: &str, name: &str) -> String {
        let (file, kept, key) = (self.path(name), self.path("store/checkpoints"), self.path("key"));
        fs::write(&file, lines).unwrap();
        let trees = self.path("store/trees");
        let given = ["run", &file, "--store", &self.store, "--checkpoints", &kept];
        let more = ["--checkpoint-key", &key, "--trees", &trees, "--checkpoint-every", "100"];
        done(&[&given[..], &more].concat()).0
    }

    /// An endpoint has sent back what it was sent, as the courier's tables keep it.
    fn echoed(&self) {
        let target = if self.is_file() {
            Target::Sqlite(self.store.clone().into())
        } else {
            Target::Postgres(self.store.parse().unwrap())
        };
        let mut tables = ServiceTables::open(&target, "webhook_attempts", &[ATTEMPTS]).unwrap();
        let answer = format!(r#"{{"payer_name":"{}","cpf":"{CPF}"}}"#, NAME.escape_unicode());
        for number in 0..40 {
            let sql = "INSERT INTO webhook_attempts (ledger, event, number, kind, at, outcome, \
                http_status, latency_ms, answer) VALUES ('live', $1, 1, 'test', 0, '', 200, 1, $2)";
            let event = format!("ev_{number:030}");
            let values = vec![event.as_str().into(), answer.as_str().into()];
            tables.write(&[(sql.to_owned(), values)]).unwrap();
        }
        let mut tables = ServiceTables::open(&target, "operator_proposals", &[PROPOSALS]).unwrap();
        let sql = "INSERT INTO operator_proposals (ledger, decision, id, body, proposed_by, \
            proposed_at) VALUES ('live', 'fee.adjusted', 'f-1', $1, 'bia', 0)";
        let said = format!(r#"{{"id":"f-1","reason":"{PROPOSED}, 111.444.777-35"}}"#);
        tables.write(&[(sql.to_owned(), vec![said.as_str().into()])]).unwrap();
        let mut tables = ServiceTables::open(&target, "webhook_attempts", &[]).unwrap();
        let sql = "DELETE FROM webhook_attempts WHERE event < 'ev_000000000000000000000000000020'";
        tables.write(&[(sql.to_owned(), Vec::new())]).unwrap();
    }

    /// Returns what audits print of both ledgers: heads, counts and sums.
    fn audited(&self) -> String {
        done(&["audit", &self.store, "--trees", &self.path("store/trees")]).0
    }

    fn exported(&self, name: &str) -> Vec<u8> {
        let file = self.path(name);
        done(&["export", &self.store, "--format", "records", "--output", &file]);
        fs::read(file).unwrap()
    }

    fn proves_and_verifies(&self, name: &str) {
        let (proof, kept) = (self.path(name), self.path("store/checkpoints"));
        let live = done(&["checkpoint-key", &self.path("key")]).0;
        let live = live.lines().find_map(|line| line.strip_prefix("live: ")).unwrap();
        let trees = self.path("store/trees");
        let prove = ["prove", "record", &self.store, "100", "--checkpoint", &kept];
        done(&[&prove[..], &["--output", &proof, "--trees", &trees]].concat());
        done(&["verify-proof", &proof, "--checkpoint", &kept, "--key", live]);
    }
}

/// The forms in which a value may stand in a file.
fn forms(value: &str) -> Vec<Vec<u8>> {
    let escaped = |wide: bool| {
        value.chars().fold(String::new(), |mut text, c| {
            if c.is_ascii() && !wide {
                text.push(c);
            } else {
                write!(text, "\\u{:04x}", c as u32).unwrap();
            }
            text
        })
    };
    let digits: String = value.chars().filter(char::is_ascii_digit).collect();
    let mut texts = vec![value.to_owned(), value.to_uppercase(), escaped(false), escaped(true)];
    texts.push(value.escape_unicode().to_string());
    texts.push(value.bytes().fold(String::new(), |text, byte| text + &format!("{byte:02x}")));
    if value == CPF {
        texts.push("111.444.777-35".to_owned());
        texts.push("111444777-35".to_owned());
    }
    if digits.len() >= 11 {
        texts.push(digits.trim_start_matches("55").to_owned());
        texts.push(digits);
    }
    let mut forms: Vec<Vec<u8>> = texts.iter().map(|text| text.clone().into_bytes()).collect();
    forms.extend(texts.iter().map(|text| text.encode_utf16().flat_map(u16::to_le_bytes).collect()));
    forms.extend(texts.iter().map(|text| text.encode_utf16().flat_map(u16::to_be_bytes).collect()));
    forms
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => found.extend(files(&entry.path())),
            kind if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
    found
}

/// Which of these values stand in which file below the folder, in whatever form.
fn copies<'a>(folder: &Path, values: &[&'a str]) -> Vec<(&'a str, PathBuf)> {
    let forms =
        values.iter().flat_map(|value| forms(value).into_iter().map(move |form| (*value, form)));
    let (of, sought): (Vec<&str>, Vec<Vec<u8>>) = forms.unzip();
    let sought = AhoCorasick::new(sought).unwrap();
    let mut copies = Vec::new();
    for file in files(folder) {
        // A server removes files of its own meanwhile.
        let Ok(bytes) = fs::read(&file) else { continue };
        let found = sought.find_overlapping_iter(&bytes).map(|form| of[form.pattern().as_usize()]);
        let found: BTreeSet<&str> = found.collect();
        copies.extend(found.into_iter().map(|value| (value, file.clone())));
    }
    copies
}

/// Erases her, and shows that nothing of her is below `folder`, and that everything stands.
fn is_gone(lived: &Lived, folder: &Path) {
    let before = copies(folder, &VALUES);
    for value in VALUES {
        assert!(
            before.iter().any(|(found, _)| *found == value),
            "{value} is not found: {before:?}"
        );
    }
    let (audited, exported) = (lived.audited(), lived.exported("before"));
    lived.proves_and_verifies("before.proof");

    let (certificate, key) = (lived.path("certificate"), lived.path("key"));
    let certified = ["--certificate", &certificate, "--checkpoint-key", &key];
    let erase = [&["erase", &lived.store][..], &WHO, &BY, &certified].concat();
    let (printed, left) = done(&erase);
    assert_eq!(left, "", "nothing is left, and nothing is to be done");
    let after = copies(folder, &VALUES);
    assert!(after.is_empty(), "{after:#?}");
    for value in VALUES {
        assert!(!printed.contains(value), "{printed}");
    }

    assert_eq!(lived.audited(), audited, "every head stands");
    assert_eq!(lived.exported("after"), exported, "every record stands");
    lived.proves_and_verifies("after.proof");
    is_certified(lived, &audited);
    assert!(refused(&erase).contains("nothing was erased"));

    // Whoever comes back is stored anew.
    let again = hers(HERS[2]).replace("z-1", "z-again").replace("2026-11-21", "2026-11-22");
    lived.run(&again, "again.jsonl");
    let back = copies(folder, &[CPF, NAME, EMAIL]);
    for (value, is_back) in [(CPF, true), (NAME, true), (EMAIL, false)] {
        assert_eq!(back.iter().any(|(found, _)| *found == value), is_back, "{value}: {back:?}");
    }
}

fn is_certified(lived: &Lived, audited: &str) {
    let file = lived.path("certificate");
    let key = done(&["checkpoint-key", &lived.path("key")]).0;
    let of = |name: &str| key.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_owned();
    let verify =
        |key: &str| outcome(Command::new(PROGRAM).args(["verify-erasure", &file, "--key", key]));
    let (verified, text, _) = verify(&of("live: "));
    assert!(verified, "{text}");
    let line = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    assert_eq!((line("by "), line("reason "), line("ledger ")), ("bia", "request 17", "live"));
    assert!(audited.contains(line("head ")), "{audited}");
    let erased: Vec<Vec<&str>> = text
        .lines()
        .filter_map(|line| line.strip_prefix("erased "))
        .map(|line| line.split(' ').collect())
        .collect();
    let count = |kind: &str| erased.iter().filter(|parts| parts[0] == kind).count();
    // A document stands as such, and would as a key; an address registered a key, too.
    assert_eq!(["document", "name", "pix_key", "text", "email"].map(count), [1, 3, 2, 3, 1]);
    assert!(erased.iter().all(|parts| parts[2].parse::<u64>().unwrap() >= 1), "{text}");
    let documents = erased.iter().find(|parts| parts[0] == "document").unwrap();
    // Two charges, a payout, its payment, and a conversion.
    assert!(documents[2].parse::<u64>().unwrap() >= 4, "{text}");
    assert!(VALUES.iter().all(|value| !text.contains(value)));
    // Of another key, or changed, it is none.
    assert!(!verify(&of("sandbox: ")).0 && !verify("no key").0);
    let changed = fs::read_to_string(&file).unwrap().replace("by bia", "by caio");
    fs::write(&file, changed).unwrap();
    let (verified, _, error) = verify(&of("live: "));
    assert!(!verified && error.contains("is not of this text"), "{error}");
}

#[test]
fn who_was_erased_is_in_no_file_beside_an_sqlite_store() {
    let lived = Lived::new(None);
    is_gone(&lived, &lived.folder.path().join("store"));
}

#[test]
fn who_was_erased_is_in_no_file_of_a_postgresql_server() {
    let server = Server::start(&["min_wal_size=80MB", "max_wal_size=96MB"]);
    let url = server.database();
    let lived = Lived::new(Some(url.clone()));
    // As autovacuum does, by itself: samples of columns.
    server::execute(&url, "ANALYZE").unwrap();
    is_gone(&lived, server.socket());
}

#[test]
fn on_postgresql_the_service_says_what_only_the_owner_of_the_server_can_do() {
    let server = Server::start(&[]);
    let url = server.database();
    let _lived = Lived::new(Some(url.clone()));
    for role in ["writer", "reader"] {
        server::execute(&url, &format!("CREATE ROLE ledger_{role} LOGIN")).unwrap();
    }
    for grants in [
        include_str!("../../ledger-store/grants/postgres.sql"),
        "GRANT SELECT, UPDATE (answer) ON webhook_attempts TO ledger_writer",
        "GRANT SELECT, UPDATE ON operator_proposals TO ledger_writer",
    ] {
        server::execute(&url, grants).unwrap();
    }
    let writer = url.replace("ledger@", "ledger_writer@");
    let (_, left) = done(&[&["erase", &writer][..], &WHO, &BY].concat());
    let told = ["the table vault was not written anew", "the server's write-ahead log"];
    assert!(told.iter().all(|told| left.contains(told)), "{left}");
    assert!(refused(&["scrub", &writer]).contains("copies of what was erased may be left"));
    done(&["scrub", &url]);
    let after = copies(server.socket(), &VALUES);
    assert!(after.is_empty(), "{after:#?}");
}

#[test]
fn a_running_ledger_that_erases_leaves_nothing_in_its_file() {
    let lived = Lived::new(None);
    let person = {
        let mut journal = SqliteJournal::open(&lived.store, "live", OpenMode::ReadOnly).unwrap();
        let rows = ledger_store::Journal::vault(&mut journal).unwrap().into_iter();
        let tokens =
            ledger_core::contract::Tokens::new(ledger_store::Journal::identity(&journal).vault_key);
        rows.filter(|row| VALUES.contains(&&*row.value)).fold(
            custody_ledger::Person::default(),
            |person, row| {
                let sorts = custody_ledger::Sort::ALL;
                let sort = sorts.into_iter().find(|sort| *sort as u8 == row.kind).unwrap();
                let (value, mask) = (row.value.as_str().into(), row.mask.as_str().into());
                let token = tokens.token(sort, &row.value);
                person.with_stored(&custody_ledger::Personal { token, sort, value, mask })
            },
        )
    };
    let ledger = custody_ledger::Ledger::open(format!("sqlite:{}", lived.store)).wait().unwrap();
    // What was proposed stands beside the vault.
    assert_eq!(ledger.erase(person).wait().unwrap().len(), VALUES.len() - 1);
    assert_eq!(ledger.scrub_leftovers(), [""; 0]);
    let after = copies(&lived.folder.path().join("store"), &VALUES);
    assert!(after.is_empty(), "{after:#?}");
}

#[test]
fn who_is_held_is_not_erased_until_released() {
    for postgres in [false, true] {
        let lived = Lived::new(postgres.then(server::database));
        let place = |hold: &'static str| {
            let command = ["hold-person", &lived.store, "--hold", hold, "--document", CPF];
            [&command[..], &["--by", "caio", "--reason", "first instance"]].concat()
        };
        let release = |hold: &'static str| {
            let command = ["release-person", &lived.store, "--hold", hold];
            [&command[..], &["--by", "caio", "--reason", "closed"]].concat()
        };
        let certificate = lived.path("held");
        let erase = [&["erase", &lived.store][..], &WHO, &BY, &["--certificate", &certificate]];
        let erase = erase.concat();
        let placed = done(&place("0012")).0;
        assert!(placed.contains(r#""actor":"caio""#) && !placed.contains(CPF), "{placed}");
        done(&place("0013"));
        assert!(refused(&place("0012")).contains("0012 was placed before"));
        let error = refused(&erase);
        assert!(error.contains("the legal hold 0012, 0013 is in force"), "{error}");
        // Nothing of her went, what the holds do not name included.
        done(&release("0012"));
        assert!(refused(&release("0012")).contains("no hold named 0012 is in force"));
        assert!(refused(&erase).contains("the legal hold 0013 is in force"));
        assert!(!Path::new(&certificate).exists());
        // Somebody else is.
        let other = ["erase", &lived.store, "--name", "Somebody of number 7"];
        done(&[&other[..], &BY].concat());

        done(&release("0013"));
        let listed = done(&["person-holds", &lived.store]).0;
        let listed: Vec<Value> =
            listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let live: Vec<_> = listed.iter().filter(|hold| hold["ledger"] == "live").collect();
        assert_eq!(live.len(), 2, "{listed:?}");
        assert!(live.iter().all(|hold| hold["released"]["reason"] == "closed"), "{listed:?}");
        assert_eq!(done(&erase).0.lines().count(), VALUES.len());
        let text = fs::read_to_string(&certificate).unwrap();
        assert!(text.starts_with("custody-ledger erasure 1\nledger live\n"), "{text}");
    }
}
