//! The whole journal of an open ledger: audited, exported, read as it stood, signed and proved.

use std::time::Duration;

use custody_ledger::journal::{
    Checkpoint, CheckpointsFile, Claim, Expect, Finding, Format, Head, JournalFailed, Moment, Note,
    Persons, Policy, Signer, Snapshots, TrialBalance,
};
use custody_ledger::prelude::*;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::{Ledger, OpenError, StartError};

use super::shop::{Shop, amount, ana};

const SELDOM: Policy = Policy { records: 1_000_000, time: Duration::from_hours(1) };

fn signer() -> Signer {
    Signer::new("ledger.example.com", [7; 32]).unwrap()
}

fn balance_of(party: &Party) -> GetBalance {
    GetBalance::new(party.clone())
}

fn key() -> ApiKey {
    ApiKey::new("svc_live_loja").unwrap()
}

/// A shop in a file, in memory, and what it did: two deposits of Ana's.
fn shops() -> Vec<(Option<tempfile::TempDir>, Shop)> {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("sqlite:{}", folder.path().join("ledger.db").display());
    let stores = [(Some(folder), file), (None, "memory:".to_owned())];
    let each = stores.into_iter().map(|(folder, store)| {
        let shop = Shop::built(Ledger::builder(store).outbox());
        shop.collect(&ana(), 10_000, 1);
        shop.collect(&ana(), 5_000, 2);
        (folder, shop)
    });
    each.collect()
}

#[test]
fn an_open_ledger_is_audited_against_the_heads_that_were_kept() {
    for (_folder, shop) in shops() {
        let kept = shop.ledger.head().unwrap();
        shop.collect(&ana(), 1_000, 3);
        let report = shop.ledger.audit(Expect { heads: vec![kept] }).wait().unwrap();
        assert_eq!(report.head(), Some(shop.ledger.head().unwrap()));
        let other = Head { link: shop.ledger.head().unwrap().link, ..kept };
        let found = shop.ledger.audit(Expect { heads: vec![other] }).wait().unwrap_err();
        let other_past = JournalFailed::Read(Finding::OtherPast { seq: kept.seq });
        assert_eq!(found.to_string(), other_past.to_string());
        // Nobody is kept from writing by it.
        shop.collect(&ana(), 1_000, 4);
    }
}

#[test]
fn entries_and_records_are_exported_while_the_ledger_is_written() {
    for (_folder, shop) in shops() {
        let table = shop.ledger.export(Format::Csv, Vec::new()).wait().unwrap();
        assert!(String::from_utf8(table).unwrap().contains("100.00"));
        let written = shop.ledger.export_records(Persons::Left, Vec::new()).wait().unwrap();
        let (records, head) = written;
        assert_eq!(head, shop.ledger.head().unwrap());
        assert!(records.starts_with(b"custody-ledger records 1\n"));
    }
}

#[test]
fn the_past_answers_as_it_did_and_changes_nothing() {
    for (_folder, shop) in shops() {
        let then = shop.ledger.head().unwrap();
        let before = shop.loja.ask(&balance_of(&ana())).wait().unwrap().answer;
        shop.collect(&ana(), 700, 3);
        let mut past = shop.ledger.at(Moment::Records(then.seq)).wait().unwrap();
        assert_eq!(past.head(), then);
        assert_eq!(past.ask(&key(), &balance_of(&ana())).unwrap(), before);
        assert!(past.trial_balance().iter().all(TrialBalance::is_even));
        let moves = CreateTransfer::new(ana(), Party::House, amount(1), "t-1".try_into().unwrap());
        assert!(matches!(past.ask(&key(), &moves), Err(Error::IsPast)));
        assert_eq!(past.head(), then);
        let never = shop.ledger.at(Moment::Records(1_000)).wait().unwrap_err();
        assert!(never.to_string().contains("no record 1000"), "{never}");
    }
}

#[test]
fn a_stranger_checks_what_an_open_ledger_proves() {
    for (_folder, shop) in shops() {
        let mut checkpoints = shop.ledger.checkpoints(&signer(), None, SELDOM).wait().unwrap();
        assert!(checkpoints.sign_when_due().unwrap().is_none());
        let earlier = checkpoints.sign().unwrap().unwrap();
        assert!(checkpoints.sign().unwrap().is_none(), "nothing was written since");
        let charge = shop.charge(&ana(), 300, "later").answer;
        let note = checkpoints.sign().unwrap().unwrap();
        let checkpoint = Checkpoint::parse(&note.text).unwrap();
        let account = AccountName::new("loja").unwrap();
        let claims = [
            Claim::Record(2),
            Claim::Operation(charge.id),
            Claim::Balance(account.clone(), ana()),
            Claim::Since(earlier),
        ];
        let proofs = shop.ledger.prove(&checkpoint, claims).wait().unwrap();
        let verifier = signer().of_ledger("live", "live").verifier();
        for proof in &proofs {
            proof.check(&checkpoint, &verifier, None).unwrap();
        }
        let later = shop.charge(&ana(), 300, "too-late").answer;
        let refused = shop.ledger.prove(&checkpoint, [Claim::Operation(later.id)]).wait();
        assert!(refused.is_err(), "the checkpoint does not know it");
        let nobody = Claim::Balance(account, Party::customer("nobody").unwrap());
        let refused = shop.ledger.prove(&checkpoint, [nobody]).wait().unwrap_err();
        assert!(refused.to_string().contains("nobody"), "{refused}");
    }
}

#[test]
fn checkpoints_in_a_file_are_gone_on_from() {
    let (folder, shop) = shops().into_iter().next().unwrap();
    let path = folder.unwrap().keep().join("checkpoints.txt");
    for number in 3..5 {
        let file = CheckpointsFile::open(&path).unwrap();
        let signs = shop.ledger.checkpoints(&signer(), Some(&file), SELDOM).wait();
        shop.collect(&ana(), 1_000, number);
        signs.unwrap().sign().unwrap().expect("a record was written");
    }
    assert_eq!(Note::all(&std::fs::read_to_string(&path).unwrap()).len(), 2);
    // Another ledger of that name is not signed over the first one.
    let other = Shop::over("memory:");
    let file = CheckpointsFile::open(&path).unwrap();
    let mut signs = other.ledger.checkpoints(&signer(), Some(&file), SELDOM).wait().unwrap();
    let forked = signs.sign().unwrap_err().to_string();
    assert!(forked.contains("is not what was signed"), "{forked}");
}

#[test]
fn a_ledger_opens_from_a_snapshot_of_an_open_one() {
    let (folder, shop) = shops().into_iter().next().unwrap();
    let folder = folder.unwrap();
    let snapshots = Snapshots::in_folder(folder.path().join("snapshots"));
    let head = shop.ledger.snapshot(&snapshots).wait().unwrap();
    assert_eq!(head, shop.ledger.head().unwrap());
    let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
    let refused = Ledger::builder(&store).open().wait().unwrap_err();
    assert!(matches!(refused, OpenError::Start(StartError::InUse { .. })), "{refused}");
    let before = shop.loja.ask(&balance_of(&ana())).wait().unwrap().answer;
    shop.ledger.shutdown().unwrap();
    let again = Shop::built(Ledger::builder(&store).snapshots(snapshots));
    assert_eq!(again.loja.ask(&balance_of(&ana())).wait().unwrap().answer, before);
    assert_eq!(again.ledger.at(Moment::Records(head.seq)).wait().unwrap().head(), head);
}
