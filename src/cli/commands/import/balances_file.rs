//! A CSV of opening balances: read whole, and every mistake is named with its line.

use std::collections::HashMap;
use std::path::Path;

use csv::StringRecord;
use ledger_core::ledger::Malformed;
use ledger_core::money::Amount;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::Failure;

/// The columns of the file; the last may be missing.
const COLUMNS: [&str; 4] = ["account", "customer_ref", "amount_cents", "description"];

/// How many bytes of the digest name a balance: enough that no two of them are alike.
const ID_BYTES: usize = 16;

/// A line of the file.
#[derive(Debug, PartialEq, Eq)]
pub struct OpeningBalance {
    /// The line's number in the file, from 1.
    pub line: u64,
    /// The API account's name.
    pub account: String,
    /// The subaccount; none for the house.
    customer: Option<String>,
    /// How much, in centavos.
    pub amount: Amount,
    description: Option<String>,
}

impl OpeningBalance {
    /// The body of the fact that opens it. Its id follows from whose it is, so a second run reports
    /// the same fact.
    pub fn fact_body(&self, actor: &str, reason: &str) -> Value {
        let mut body = json!({
            "id": self.fact_id(),
            "of": { "account": self.account },
            "amount_cents": self.amount.cents(),
            "actor": actor,
            "reason": reason,
        });
        if let Some(customer) = &self.customer {
            body["of"]["customer_ref"] = json!(customer);
        }
        if let Some(description) = &self.description {
            body["description"] = json!(description);
        }
        body
    }

    fn fact_id(&self) -> String {
        let mut digest = Sha256::new();
        digest.update(&self.account);
        digest.update([0]);
        digest.update(self.customer.as_deref().unwrap_or_default());
        let digits = digest.finalize();
        let digits = digits.iter().take(ID_BYTES).map(|byte| format!("{byte:02x}"));
        format!("opening-{}", digits.collect::<String>())
    }
}

/// Reads a file whose accounts `are_known`.
///
/// Every mistake is named with its line; then nothing of the file is taken.
pub fn read(path: &Path, are_known: impl Fn(&str) -> bool) -> Result<Vec<OpeningBalance>, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::of_file(path, &error))?;
    parse(&bytes, are_known).map_err(|mistakes| {
        let (path, count) = (path.display(), mistakes.len());
        Failure::new(format!("{path} is not taken, mistakes: {count}\n{}", mistakes.join("\n")))
    })
}

fn parse(
    bytes: &[u8],
    are_known: impl Fn(&str) -> bool,
) -> Result<Vec<OpeningBalance>, Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let header = reader.headers().map_err(|error| vec![format!("line 1: {error}")])?;
    let columns = Columns::find(header)?;
    let (mut balances, mut mistakes) = (Vec::new(), Vec::new());
    let mut lines = HashMap::new();
    for record in reader.records() {
        let line = match &record {
            Ok(record) => record.position(),
            Err(error) => error.position(),
        };
        let line = line.map_or(0, csv::Position::line);
        let read = record.map_err(|error| error.to_string());
        let read = read.and_then(|record| columns.balance(&record, line, &are_known));
        let read = read.and_then(|balance| {
            let whose = (balance.account.clone(), balance.customer.clone());
            match lines.insert(whose, line) {
                None => Ok(balance),
                Some(first) => Err(format!("line {first} has the same subaccount")),
            }
        });
        match read {
            Ok(balance) => balances.push(balance),
            Err(mistake) => mistakes.push(format!("line {line}: {mistake}")),
        }
    }
    if balances.is_empty() && mistakes.is_empty() {
        mistakes.push("line 2: there is no balance".to_owned());
    }
    if mistakes.is_empty() { Ok(balances) } else { Err(mistakes) }
}

/// The place of each column.
#[derive(Clone, Copy)]
struct Columns {
    count: usize,
    account: usize,
    customer: usize,
    amount: usize,
    description: Option<usize>,
}

impl Columns {
    fn find(header: &StringRecord) -> Result<Self, Vec<String>> {
        let place = |name: &str| header.iter().position(|column| column == name);
        let mut mistakes = Vec::new();
        for (number, column) in header.iter().enumerate() {
            if !COLUMNS.contains(&column) {
                let known = COLUMNS.join(", ");
                mistakes.push(format!("line 1: column {column:?} is none of {known}"));
            } else if place(column) != Some(number) {
                mistakes.push(format!("line 1: column {column} stands twice"));
            }
        }
        for column in &COLUMNS[..3] {
            if place(column).is_none() {
                mistakes.push(format!("line 1: column {column} is missing"));
            }
        }
        let [account, customer, amount, description] = COLUMNS.map(place);
        match (account, customer, amount) {
            (Some(account), Some(customer), Some(amount)) if mistakes.is_empty() => {
                Ok(Self { count: header.len(), account, customer, amount, description })
            }
            _ => Err(mistakes),
        }
    }

    /// The balance of a line, or what is wrong with it.
    fn balance(
        &self,
        record: &StringRecord,
        line: u64,
        are_known: impl Fn(&str) -> bool,
    ) -> Result<OpeningBalance, String> {
        if record.len() != self.count {
            return Err(format!("it has {} values for {} columns", record.len(), self.count));
        }
        let account = record[self.account].to_owned();
        if !are_known(&account) {
            return Err(format!("account {account:?} is not in the ledger"));
        }
        let wrong = |column: &str, why: Malformed| format!("{column} {why}");
        let given = |place: usize| Some(&record[place]).filter(|text| !text.is_empty());
        let customer = given(self.customer).map(str::to_owned);
        let checked = customer.as_deref().map_or(Ok(()), Malformed::new_customer);
        checked.map_err(|why| wrong("customer_ref", why))?;
        let amount = amount(&record[self.amount])?;
        let description = self.description.and_then(given).map(str::to_owned);
        let checked = description.as_deref().map_or(Ok(()), |text| Malformed::text(text, 255));
        checked.map_err(|why| wrong("description", why))?;
        Ok(OpeningBalance { line, account, customer, amount, description })
    }
}

/// A whole number of centavos above zero, in digits alone.
fn amount(text: &str) -> Result<Amount, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let amount = text.parse().ok().filter(|_| digits).and_then(Amount::new);
    let amount = amount.filter(|amount| Malformed::amount(*amount).is_ok());
    amount.ok_or_else(|| format!("amount_cents {text:?} is no whole number of centavos above zero"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<OpeningBalance>, Vec<String>> {
        parse(text.as_bytes(), |account| account == "loja")
    }

    #[test]
    fn columns_stand_in_any_order_and_an_empty_customer_is_the_house() {
        let text = "amount_cents,account,description,customer_ref\n\
                    125000,loja,\"Saldo, anterior\",ana\n70,loja,,\n";
        let balances = read(text).unwrap();
        let [ana, house] = &balances[..] else { panic!("{balances:?}") };
        let body = ana.fact_body("bia", "migration");
        assert_eq!(body["of"], json!({ "account": "loja", "customer_ref": "ana" }));
        assert_eq!(
            (&body["amount_cents"], &body["description"]),
            (&json!(125_000), &json!("Saldo, anterior"))
        );
        let body = house.fact_body("bia", "migration");
        assert_eq!((&body["of"], body.get("description")), (&json!({ "account": "loja" }), None));
        assert_eq!((ana.line, house.line), (2, 3));
    }

    #[test]
    fn an_id_follows_from_whose_the_balance_is_and_nothing_else() {
        let id = |text: &str| {
            read(&format!("account,customer_ref,amount_cents\n{text}")).unwrap()[0].fact_id()
        };
        assert_eq!(id("loja,ana,5"), id("loja,ana,7"));
        assert_ne!(id("loja,ana,5"), id("loja,,5"));
        assert_eq!(id("loja,ana,5").len(), "opening-".len() + 32);
    }

    #[test]
    fn every_mistake_is_named_with_its_line() {
        let text = "account,customer_ref,amount_cents\n\
                    loja,ana,5\nloja,ana,6\nbanca,ana,5\nloja,casa,5\nloja,bia,0\n\
                    loja,bia,1.5\nloja,bia,-5\nloja,bia\nloja, bia,5\nloja,bia,100000000000001\n";
        let mistakes = read(text).unwrap_err();
        let lines: Vec<_> =
            mistakes.iter().filter_map(|mistake| mistake.split(':').next()).collect();
        let expected: Vec<_> = (3..=11).map(|line| format!("line {line}")).collect();
        assert_eq!(lines, expected, "{mistakes:?}");
        assert_eq!(mistakes[0], "line 3: line 2 has the same subaccount");
        assert_eq!(mistakes[1], "line 4: account \"banca\" is not in the ledger");
        assert_eq!(mistakes[6], "line 9: it has 2 values for 3 columns");
    }

    #[test]
    fn a_header_names_each_column_once_and_no_other() {
        let mistakes = read("account,cliente,account\n").unwrap_err();
        assert_eq!(
            mistakes,
            [
                "line 1: column \"cliente\" is none of account, customer_ref, amount_cents, \
                 description",
                "line 1: column account stands twice",
                "line 1: column customer_ref is missing",
                "line 1: column amount_cents is missing",
            ]
        );
        let empty = read("account,customer_ref,amount_cents\n").unwrap_err();
        assert_eq!(empty, ["line 2: there is no balance"]);
    }
}
