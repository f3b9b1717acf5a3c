//! Writers that take over from one another at once, over a sound store, with merging beside them.

use std::sync::Arc;

use ledger_store::journal::{AppendError, Journal as _, Merging, ObjectStorage};
use ledger_store::{ObjectJournal, OpenMode, Row};
use object_store::memory::InMemory;

use super::gate::Gate;
use super::{LIVE, all_rows, commit, opened};

#[test]
fn of_writers_that_overtake_one_another_each_keeps_what_it_was_told_it_has_written() {
    let storage = ObjectStorage::from_store(Arc::new(InMemory::new()), "", "memory").unwrap();
    let merging = Merging { entries: 4, keep: 0, ..Merging::default() };
    let storage = storage.merging(merging);
    let written: Vec<Row> = std::thread::scope(|scope| {
        let write = |writer: u32| {
            let storage = storage.clone();
            scope.spawn(move || {
                let (mut journal, mut written) = (opened(&storage), Vec::new());
                for round in 0..25 {
                    let mut head = journal.open_writer().unwrap().head;
                    for number in 0..20 {
                        let record = format!("{writer}/{round}/{number}");
                        let commit = commit(head, &[&record]);
                        match journal.append(&commit) {
                            Ok(()) => {
                                head = commit.head();
                                written.extend(commit.rows);
                            }
                            Err(AppendError::Fenced { .. }) => break,
                            Err(error) => panic!("{error:?}"),
                        }
                    }
                }
                written
            })
        };
        let writers: Vec<_> = (0..4).map(write).collect();
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    let mut reader = ObjectJournal::open(&storage, LIVE, OpenMode::ReadOnly).unwrap();
    let mut written = written;
    written.sort_by_key(|row| row.first);
    assert!(written.len() > 100, "{}", written.len());
    assert_eq!(all_rows(&mut reader), written);
    reader.check().unwrap();
}

#[test]
fn of_two_that_create_a_ledger_at_once_both_have_the_identity_that_stands() {
    let gate = Gate::default();
    let storage = ObjectStorage::from_store(Arc::new(gate.clone()), "books", "a gate").unwrap();
    let create = |storage: &ObjectStorage| {
        let journal = ObjectJournal::open(storage, LIVE, OpenMode::create()).unwrap();
        journal.identity().vault_key
    };
    let (arrived, open) = gate.hold("/identity");
    std::thread::scope(|scope| {
        let late = scope.spawn(|| create(&storage));
        arrived.blocking_recv().unwrap();
        let first = create(&storage);
        open.send(()).unwrap();
        assert_eq!(late.join().unwrap(), first);
        assert_eq!(create(&storage), first);
    });
}
