//! A ledger of the facade with an account whose house has money.

use custody_ledger::fact::account::AccountOpened;
use custody_ledger::fact::adjustment::FeeAdjusted;
use custody_ledger::prelude::*;
use custody_ledger::value::DecidedBy;
use custody_ledger::{Builder, Client};

/// Opens the ledger, which stays open as long as its client is there, and gives `cents` to the house of its one account.
pub fn client(builder: Builder, cents: i64) -> Client {
    let ledger = builder.tick(None).open().wait().expect("it opens");
    let account = AccountName::new("loja").expect("a name");
    let opened = AccountOpened::new("acc-1".try_into().expect("an id"), account.clone());
    let opened = opened.key("svc_live_loja".try_into().expect("a key"));
    ledger
        .report(&opened)
        .wait()
        .expect("it is applied")
        .ensure_applied()
        .expect("the books allow it");
    let by = DecidedBy::new("bench", "money").expect("texts").evidence("case").expect("text");
    let id = "gift".try_into().expect("an id");
    let gift = FeeAdjusted::new(id, account, Party::House, cents, by);
    ledger
        .report(&gift)
        .wait()
        .expect("it is applied")
        .ensure_applied()
        .expect("the books allow it");
    ledger.client(ApiKey::new("svc_live_loja").expect("a key"))
}
