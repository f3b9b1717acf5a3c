//! The ten questions of an operator at night, each answered by one command and by one page, on a
//! month of 4,240 operations with 67 things waiting.

mod month;

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use ledger_core::time::Instant;
use serde_json::{Value, json};

use super::serving::{PROGRAM, Serving, TOKEN, agent, folder, patient, program, serve};
use month::{ACCOUNT, AMOUNT, CUSTOMER, DOCUMENT, E2E, EXTERNAL, Month, OPERATIONS, WAITING};

/// The month as it is served, and who asks.
struct Night {
    _folder: tempfile::TempDir,
    store: PathBuf,
    month: Month,
    serving: Serving,
    console: String,
    credential: PathBuf,
}

/// Centavos as a page in English has them.
fn reais(cents: i64) -> String {
    let (whole, mut text) = ((cents / 100).to_string(), String::new());
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    format!("{text}.{:02}", cents % 100)
}

/// The same with nothing between its thousands.
fn decimal(cents: i64) -> String {
    reais(cents).replace(',', "")
}

/// The rows of a text's tables, each by its cells.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let cells = text.lines().map(|line| line.split("  ").map(str::trim));
    cells.map(|cells| cells.filter(|cell| !cell.is_empty()).collect()).collect()
}

/// Returns what a page of HTML says, a line an element.
fn said(page: &str) -> String {
    let parts = page.split('<').filter_map(|part| part.split_once('>'));
    let texts = parts.map(|(_, text)| text.trim()).filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join("\n")
}

/// Receives webhooks: those of one account well, of all others badly.
fn receiver() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let mut first = String::new();
            stream.read_line(&mut first).unwrap();
            let mut line = String::new();
            let mut length = 0;
            while stream.read_line(&mut line).unwrap() > 2 {
                let lower = line.to_ascii_lowercase();
                if let Some(value) = lower.strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                line.clear();
            }
            std::io::Read::read_exact(&mut stream, &mut vec![0; length]).unwrap();
            let status = if first.contains("/padaria") { "204 No Content" } else { "500 Broken" };
            let answer = format!("HTTP/1.1 {status}\r\nconnection: close\r\n\r\n");
            stream.get_mut().write_all(answer.as_bytes()).unwrap();
        }
    });
    address
}

impl Night {
    fn begin() -> Self {
        let (folder, store) = folder();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        let month =
            Month::until(Instant::from_micros(i64::try_from(now.as_micros()).unwrap()).unwrap());
        let lines = folder.path().join("month.jsonl");
        std::fs::write(&lines, month.text()).unwrap();
        let began = std::time::Instant::now();
        let ran = program(&["run", lines.to_str().unwrap(), "--store", store.to_str().unwrap()]);
        let ended = String::from_utf8(ran.stderr).unwrap();
        eprintln!("the month took {:?}", began.elapsed());
        assert!(ran.status.success(), "{ended}");
        let refused = " 0 refused, 0 malformed;";
        let answers = String::from_utf8_lossy(&ran.stdout);
        let other = answers.lines().find(|line| !line.contains("\"status\":200"));
        assert!(ended.contains(refused), "{ended}: {other:?}");
        let credential = folder.path().join("bia.credential");
        let store_name = store.to_str().unwrap();
        let added = program(&["operator", "add", "bia", "--role", "decide", "--store", store_name]);
        std::fs::write(&credential, added.stdout).unwrap();
        let mut command = serve(&store);
        command.args(["--console-listen", "127.0.0.1:0", "--outbox"]);
        command.args(["--webhooks-to", &receiver()]);
        let serving = Serving::from_command({
            command.stderr(std::process::Stdio::piped());
            command
        });
        let console = serving.address("the console");
        Self { _folder: folder, store, month, serving, console, credential }
    }

    /// Returns what one command prints, typed as it stands; it must end well.
    fn typed(&self, command: &str) -> String {
        self.ran(&command.split_whitespace().collect::<Vec<_>>())
    }

    fn ran(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).env("CUSTODY_LEDGER_CONSOLE_URL", &self.console);
        command.env("CUSTODY_LEDGER_STORE", &self.store);
        let output = command.env("CUSTODY_LEDGER_CREDENTIAL_FILE", &self.credential).output();
        let output = output.unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn page(&self, path: &str) -> String {
        let asked = patient(Duration::from_mins(1)).get(format!("{}{path}", self.console));
        let asked = asked.header("accept-language", "en").call();
        let mut answer = asked.unwrap();
        assert_eq!(answer.status().as_u16(), 200, "{path}");
        answer.body_mut().read_to_string().unwrap()
    }
}

#[test]
fn the_ten_questions_of_a_night_are_each_answered_by_one_command_and_one_page() {
    let night = Night::begin();
    assert_eq!(night.month.operations, OPERATIONS);
    night.what_is_stuck_and_why();
    night.how_much_money_is_unknown();
    night.is_it_balanced();
    night.which_endpoints_fail();
    night.payouts_older_than_an_hour_with_their_sum();
    night.what_is_owed_against_what_is_held();
    night.find_by_whatever_is_known();
    night.what_happened_to_a_customer_on_a_day();
    night.settle_a_suspense();
    night.what_to_do_when_fenced();
}

impl Night {
    fn what_is_stuck_and_why(&self) {
        let (text, page) = (self.typed("look waiting"), said(&self.page("/live/waiting")));
        let Month { unknown, suspense, stopped, hanging, held, .. } = &self.month;
        let waits = unknown.0 + suspense.0 + stopped.0 + held.0;
        assert_eq!(waits + hanging.0, WAITING);
        for (name, number) in [("Wait for a person", waits), ("Hanging", hanging.0)] {
            assert!(text.contains(&format!("{name}: {number} (")), "{text}");
            assert!(page.contains(&format!("{name}\n{number}\n")), "{page}");
        }
        // A value in suspense says why it was set aside.
        let aside = ["it names nothing that is here", "another amount than was ordered"];
        for (whys, (number, cents)) in [
            (&["unknown payout"][..], unknown),
            (&["stopped payout"], stopped),
            (&["requested for over 1 h"], hanging),
            (&aside, suspense),
            (&["provider hold"], held),
        ] {
            let is_of = |of: &str| whys.iter().any(|why| of.ends_with(&format!(": {why}")));
            let found: Vec<_> = rows(&text)
                .into_iter()
                .filter(|row| row[..].first().is_some_and(|of| is_of(of)))
                .map(|row| row[1].trim_end_matches(" BRL").replace([',', '.'], ""))
                .collect();
            let sum: i64 = found.iter().map(|cents| cents.parse::<i64>().unwrap()).sum();
            assert_eq!((found.len(), sum), (*number, *cents), "{whys:?}: {text}");
            let shown = whys.iter().map(|why| page.matches(&format!(": {why}\n")).count());
            assert_eq!(shown.sum::<usize>(), *number, "{whys:?}: {page}");
        }
    }

    fn how_much_money_is_unknown(&self) {
        let (number, cents) = self.month.unknown;
        let (money, operations) =
            (format!("{} BRL", reais(cents)), format!("{number} operations of unknown outcome"));
        let text = self.typed("look waiting why=unknown");
        assert!(text.contains(&format!("Unknown money: {money} ({operations})")), "{text}");
        let page = said(&self.page("/live/waiting?why=unknown"));
        assert!(page.contains(&format!("Unknown money\n{money}\n{operations}")), "{page}");
    }

    fn is_it_balanced(&self) {
        let (_, held) = self.month.owed_and_held();
        let text = self.typed("trial-balance");
        let sides = text.lines().find(|line| line.contains("equal")).expect("it says so");
        assert_eq!(sides.matches(&decimal(held)).count(), 2, "{text}");
        let page = said(&self.page("/live/trial-balance"));
        assert!(page.contains("debits and credits are equal in each"), "{page}");
        assert!(page.contains(&format!("Sum\n{0}\n{0}", reais(held))), "{page}");
    }

    fn which_endpoints_fail(&self) {
        let began = std::time::Instant::now();
        loop {
            let (text, page) = (self.typed("look webhooks"), self.page("/live/webhooks"));
            if text.contains("Failing: 1\n") && text.contains("100% (6 / 6)") {
                let failing = text.lines().filter(|line| line.contains("500"));
                let failing: Vec<_> = failing.collect();
                assert_eq!(failing.len(), 1, "{text}");
                assert!(failing[0].starts_with("farmacia  "), "{text}");
                assert!(said(&page).contains("Failing\n1\n"), "{page}");
                return;
            }
            assert!(began.elapsed() < Duration::from_secs(30), "{text}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    fn payouts_older_than_an_hour_with_their_sum(&self) {
        let (number, cents) = self.month.payouts_over_an_hour;
        let text = self.typed("look waiting kind=payout older=1h");
        let sums = rows(&text).into_iter().find(|row| row.first() == Some(&"PIX payout")).unwrap();
        let counted: usize = sums[1..3].iter().map(|count| count.parse::<usize>().unwrap()).sum();
        assert_eq!((counted, sums[3]), (number, &*reais(cents)), "{text}");
        let page = said(&self.page("/live/waiting?kind=payout&older=1h"));
        assert!(page.contains(&format!("Sums of what is filtered: {number} / ")), "{page}");
        assert!(page.contains(&format!("\n{}\nBRL\n", reais(cents))), "{page}");
    }

    fn what_is_owed_against_what_is_held(&self) {
        let (owed, held) = self.month.owed_and_held();
        let known = ["BRL", &reais(held), &reais(owed), &reais(held - owed)];
        let text = self.typed("look solvency");
        assert!(rows(&text).iter().any(|row| row[..] == known), "{text}");
        let page = said(&self.page("/live/solvency"));
        assert!(page.contains(&known.join("\n")), "{page}");
    }

    fn find_by_whatever_is_known(&self) {
        let (whole, deposit) = (format!("R$ {},{}", AMOUNT / 100, AMOUNT % 100), "500.00");
        for (text, by, amount) in [
            (E2E, "PIX id", &*reais(AMOUNT)),
            (EXTERNAL, "external id", &*reais(AMOUNT)),
            (&*whole, "amount", &*reais(AMOUNT)),
            (DOCUMENT, "person", deposit),
        ] {
            let found = self.ran(&["find", text]);
            let hits: Vec<_> = found.lines().map(|hit| hit.split("  ").collect()).collect();
            assert_eq!(hits.len(), 1, "{text}: {found}");
            let hit: &Vec<&str> = &hits[0];
            assert_eq!((hit[2], hit[3], hit[5]), (ACCOUNT, amount, by), "{found}");
            let query = text.replace(' ', "+");
            let page = self.page(&format!("/live/find?q={query}"));
            assert!(page.contains(hit[0]) && page.contains(amount), "{text}: {page}");
        }
    }

    fn what_happened_to_a_customer_on_a_day(&self) {
        let day = &self.month.day;
        let text = self.typed(&format!(
            "statement {ACCOUNT} --customer {CUSTOMER} --format csv --from {day} --lang en"
        ));
        let path =
            format!("/live/accounts/{ACCOUNT}/statement/file?customer={CUSTOMER}&from={day}");
        assert_eq!(self.page(&format!("{path}&to={day}&as=csv")), text);
        let happened: Vec<Vec<&str>> =
            text.lines().skip(1).map(|line| line.split(',').skip(3).take(3).collect()).collect();
        let paid = format!("-{}", reais(AMOUNT));
        let expected = [
            ["PIX deposit", "500.00", "500.00"],
            ["Deposit fee", "-1.00", "499.00"],
            ["PIX payout", "-300.00", "199.00"],
            ["Reversal", "300.00", "499.00"],
            ["PIX payout", &*paid, "375.53"],
        ];
        assert_eq!(happened, expected, "{text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with(&**day)), "{text}");
    }

    /// One is settled by a command, after a dry run of it; another by a click and two buttons.
    fn settle_a_suspense(&self) {
        let (number, _) = self.month.suspense;
        let text = self.typed("look waiting why=suspense");
        let waits = rows(&text);
        let of = |charge: &str| -> (String, String) {
            let one = waits.iter().find(|row| row.contains(&charge)).expect("it waits");
            assert!(one.contains(&"a decision: suspense.attached"), "{text}");
            let found = self.ran(&["find", charge]);
            (one[one.len() - 1].to_owned(), found.split("  ").next().unwrap().to_owned())
        };
        let (suspense, charge) = of("a-mais-0");
        let decide = format!(
            "decide suspense.attached suspense_id={suspense} cashin_id={charge} --id att-1 \
             --reason a-centavo-too-much"
        );
        let tried: Value =
            serde_json::from_str(&self.typed(&format!("{decide} --dry-run"))).unwrap();
        assert_eq!(tried["outcome"], "applied", "{tried}");
        self.waits_yet(number);
        self.typed(&decide);
        self.waits_yet(number - 1);

        let (suspense, charge) = of("a-mais-1");
        let browser = Browser::signed_in(&self.console, &self.credential);
        let inbox = browser.get("/live/waiting?why=suspense");
        let link = inbox
            .split("href=\"")
            .find(|link| link.starts_with("/live/decide?") && link.contains(&suspense));
        let link = link.unwrap().split('"').next().unwrap().replace("&#38;", "&");
        let form = inputs(browser.get(&link).split("<form class=\"writing\"").nth(1).unwrap());
        assert!(form.contains(&format!("cashin_id={charge}")), "{form}");
        let form = form.replace("reason=", "reason=a+centavo+too+much");
        let (status, shown) = browser.post("/live/decide", &form);
        assert_eq!(status, 200, "{shown}");
        self.waits_yet(number - 1);
        let confirm =
            shown.split("<form class=\"search\"").find(|form| form.contains("\"confirm\""));
        let (status, taken) = browser.post("/live/decide", &inputs(confirm.unwrap()));
        assert_eq!(status, 303, "{taken}");
        self.waits_yet(number - 2);
    }

    fn waits_yet(&self, suspense: usize) {
        let text = self.typed("look waiting why=suspense");
        assert!(text.contains(&format!("Wait for a person: {suspense} (")), "{text}");
    }

    /// Another process takes the ledger over: the first ends, and its last words lead to what to do.
    fn what_to_do_when_fenced(self) {
        let mut other = serve(&self.store);
        other.arg("--take-over");
        let _other = Serving::from_command(other);
        let (said, well) = self.serving.rest_with_errors();
        assert!(!well, "{said}");
        let (_, advice) =
            said.split_once("what to do: custody-ledger ").expect("it says what to do");
        let (command, words) = advice.trim().split_once(' ').unwrap();
        let told = program(&[command, words.trim_matches('\'')]);
        let told = String::from_utf8(told.stdout).unwrap();
        assert!(told.contains("this one may be started as `--standby`"), "{told}");
    }
}

/// A browser with a session of an operator.
struct Browser {
    agent: ureq::Agent,
    console: String,
    cookie: String,
}

impl Browser {
    fn signed_in(console: &str, credential: &Path) -> Self {
        let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0);
        let agent = config.build().into();
        let mut browser = Self { agent, console: console.to_owned(), cookie: String::new() };
        let credential = std::fs::read_to_string(credential).unwrap();
        let form = format!("to=/live/decide&credential={}", credential.trim());
        let answer = browser.sent("/sign-in", &form);
        let cookie = answer.headers()["set-cookie"].to_str().unwrap();
        cookie.split(';').next().unwrap().clone_into(&mut browser.cookie);
        browser
    }

    fn get(&self, path: &str) -> String {
        let asked = self.agent.get(format!("{}{path}", self.console));
        let asked = asked.header("cookie", &self.cookie).header("accept-language", "en");
        asked.call().unwrap().body_mut().read_to_string().unwrap()
    }

    fn sent(&self, path: &str, form: &str) -> ureq::http::Response<ureq::Body> {
        let asked = self.agent.post(format!("{}{path}", self.console));
        let asked = asked.header("cookie", &self.cookie).header("origin", &self.console);
        let asked = asked.header("content-type", "application/x-www-form-urlencoded");
        asked.send(form).unwrap()
    }

    fn post(&self, path: &str, form: &str) -> (u16, String) {
        let mut answer = self.sent(path, form);
        (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
    }
}

/// Returns what a form carries, as a browser sends it.
fn inputs(form: &str) -> String {
    let value = |input: &str, name: &str| {
        let value = input.split(&format!("{name}=\"")).nth(1)?.split('"').next()?;
        Some(value.replace(' ', "+"))
    };
    let inputs = form.split("</form>").next().unwrap().split("<input").skip(1);
    let pairs = inputs.filter_map(|input| {
        Some(format!("{}={}", value(input, " name")?, value(input, " value")?))
    });
    pairs.collect::<Vec<_>>().join("&")
}

/// The file of a small store may not grow any more: readiness names what to do, and so does `serve`.
#[test]
fn a_full_disk_and_a_silent_provider_are_said_with_what_to_do() {
    let (_folder, store) = folder();
    let arguments: Vec<_> = serve(&store).get_args().map(std::ffi::OsStr::to_owned).collect();
    drop(Serving::start(&store));
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 1400; exec \"$0\" \"$@\"", PROGRAM]);
    command.args(arguments).stderr(std::process::Stdio::piped());
    let serving = Serving::from_command(command);
    let world = serving.address("the world");
    let bearer = format!("Bearer {TOKEN}");
    let began = std::time::Instant::now();
    let told = loop {
        let body = json!({ "id": format!("o-{:?}", began.elapsed()), "account": "x".repeat(60) });
        let asked = agent().post(format!("{world}/facts/account.opened"));
        let _ = asked.header("authorization", &bearer).send_json(&body).unwrap();
        let mut ready = agent().get(format!("{world}/health/ready")).call().unwrap();
        let ready: Value = ready.body_mut().read_json().unwrap();
        if let Some(advice) = ready["ledgers"]["live"]["runbook"].as_str() {
            break advice.to_owned();
        }
        assert!(began.elapsed() < Duration::from_mins(1), "{ready}");
    };
    let words: Vec<&str> = told.split(' ').skip(1).collect();
    assert_eq!(words, ["runbook", "CommitsFailing"]);
    let advice = String::from_utf8(program(&words).stdout).unwrap();
    assert!(advice.contains("Make room"), "{advice}");
    serving.signal("KILL");
    let (said, _) = serving.rest_with_errors();
    assert!(said.contains(&format!("what to do: {told}")), "{said}");
    let provider = String::from_utf8(program(&["runbook", "ProviderSilent"]).stdout).unwrap();
    assert!(provider.contains("Once the provider is back, everything is sent"), "{provider}");
}
