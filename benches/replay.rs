//! A journal replayed, its chain checked record by record, beside decoding alone.

#![allow(missing_docs)] // The macros of criterion write the items.

mod workload;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use ledger_core::id::Seq;
use ledger_store::sequencer::Sequencer;
use ledger_store::{Journal, MemoryDisk, MemoryJournal, OpenMode, codec};

const TOWN: u32 = 10_000;
const TRANSFERS: u64 = 200_000;

fn replay(c: &mut Criterion) {
    let disk = MemoryDisk::new();
    let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
    let mut journal = MemoryJournal::open(&disk, "live", mode).expect("memory opens");
    journal.open_writer().expect("memory is written");
    let mut sequencer = Sequencer::new("live", journal.identity());
    for command in
        workload::opening(TOWN).into_iter().chain(workload::transfers(TOWN, 0, TRANSFERS))
    {
        sequencer.execute(command).expect("benches ask what is granted");
        if sequencer.pending() >= 1_000 {
            journal
                .append(&sequencer.cut().expect("a thousand records"))
                .expect("memory is written");
        }
    }
    if let Some(commit) = sequencer.cut() {
        journal.append(&commit).expect("memory is written");
    }
    let records = sequencer.head().seq;
    drop(sequencer);

    let mut group = c.benchmark_group("replay");
    group.throughput(Throughput::Elements(records)).sample_size(10);
    group.bench_function("transfers", |b| {
        b.iter_batched(
            || (),
            |()| Sequencer::open(&mut journal, "live", |_, _| ()).expect("it replays"),
            BatchSize::PerIteration,
        );
    });
    let rows = journal.read(1, usize::MAX).expect("memory is read");
    group.bench_function("floor: decoding alone", |b| {
        b.iter(|| {
            for row in &rows {
                for frame in row.frames() {
                    let frame = frame.expect("the row is whole");
                    let record = codec::decode(Seq(frame.seq), frame.record);
                    std::hint::black_box(record.expect("it decodes"));
                }
            }
        });
    });
    group.finish();
}

criterion_group!(benches, replay);
criterion_main!(benches);
