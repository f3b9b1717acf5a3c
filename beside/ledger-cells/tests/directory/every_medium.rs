//! What a directory does on every medium.

use ledger_cells::directory::{DirectoryError, replay};
use ledger_core::directory::MoveStage;

use super::setup::medium::{Medium, on_every_medium};
use super::*;

/// Whoever writes it is gone after every step, and the next one goes on.
fn every_step_is_durable_once_it_was_answered<M: Medium>() {
    let medium = M::default();
    let commands = story(&on(&medium));
    for (place, command) in commands.iter().enumerate() {
        let mut directory = on(&medium);
        assert_eq!(directory.head().seq, place as u64);
        let event = directory.execute(command, at(1)).unwrap();
        assert!(event.is_some(), "{command:?}");
        let (lived, head) = (directory.directory().clone(), directory.head());
        drop(directory);
        // Said again after the crash, it is known, and nothing is written.
        let mut again = on(&medium);
        assert_eq!((again.directory(), again.head()), (&lived, head));
        assert_eq!(again.execute(command, at(2)).unwrap(), None);
        assert_eq!(again.head(), head);
    }
    let directory = on(&medium);
    let known = directory.directory();
    let key = directory.key_hash("svc_live_loja");
    assert_eq!(&*known.account_of_key(&key).unwrap().cell, "cell-b");
    let stages: Vec<MoveStage> = known.moves().map(|known| known.stage).collect();
    assert_eq!(stages, [MoveStage::Finished, MoveStage::Abandoned, MoveStage::UnderWay]);
}

fn a_reader_replays_what_a_writer_wrote_and_hears_of_each_record<M: Medium>() {
    let medium = M::default();
    let mut directory = on(&medium);
    let commands = story(&directory);
    let events = carried_out(&mut directory, &commands);
    let mut reader = medium.open(DIRECTORY, OpenMode::ReadOnly).unwrap();
    let mut read = Vec::new();
    let replayed =
        replay(&mut *reader, &[], |seq, record| read.push((seq, record.at, record.event.clone())))
            .unwrap();
    assert_eq!(&replayed.directory, directory.directory());
    assert_eq!((replayed.head(), replayed.at), (directory.head(), at(10)));
    let wrote = (1..)
        .zip(events)
        .map(|(seq, event)| (u64::from(seq), at(seq), event.expect("each of them is new")));
    assert_eq!(read, wrote.collect::<Vec<_>>());
    // The writer is still the writer.
    directory.execute(&place("feira"), at(11)).unwrap();
}

fn a_writer_that_was_taken_over_from_writes_and_answers_no_more<M: Medium>() {
    let medium = M::default();
    let mut old = on(&medium);
    carried_out(&mut old, &[cell("cell-a"), place("loja")]);
    let mut new = on(&medium);
    carried_out(&mut new, &[place("bazar")]);
    // Something new, something known, something that contradicts: the old one cannot tell.
    let to = "cell-a".into();
    let contradiction = Command::BeginMove { id: "m".into(), account: "loja".into(), to };
    for command in [place("feira"), place("loja"), contradiction] {
        let late = on(&medium);
        drop(late);
        assert!(matches!(old.execute(&command, at(9)), Err(DirectoryError::Fenced)));
    }
    let directory = on(&medium);
    let accounts: Vec<&str> =
        directory.directory().accounts().map(|residence| &*residence.account).collect();
    assert_eq!(accounts, ["bazar", "loja"]);
}

fn each_answer_of_a_fenced_writer_is_that_it_was_fenced<M: Medium>() {
    let medium = M::default();
    carried_out(&mut on(&medium), &[cell("cell-a"), place("loja")]);
    let unknown = Command::FinishMove { id: "none".into() };
    for command in [place("feira"), place("loja"), unknown] {
        let mut old = on(&medium);
        let _new = on(&medium);
        assert!(matches!(old.execute(&command, at(9)), Err(DirectoryError::Fenced)));
    }
    assert_eq!(on(&medium).head().seq, 2);
}

on_every_medium! {
    every_step_is_durable_once_it_was_answered,
    a_reader_replays_what_a_writer_wrote_and_hears_of_each_record,
    a_writer_that_was_taken_over_from_writes_and_answers_no_more,
    each_answer_of_a_fenced_writer_is_that_it_was_fenced,
}
