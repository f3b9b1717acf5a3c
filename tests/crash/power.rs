//! The power goes after a sync has failed.
//!
//! A system that could not write a page says so once, and then takes the page for written: it is
//! still read back as it should be, the next sync succeeds, and only the power loss shows that the
//! disk never had it. So nothing may be acknowledged that needs such a page.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::program::{answers, killed, said_in_step, typed};
use super::running::Running;
use super::shim::{self, Fault};
use super::undisturbed::Undisturbed;

const PAGE: usize = 4_096;

/// A page that is read back and that the disk does not have.
struct Unwritten {
    place: usize,
    read_back: Vec<u8>,
    on_disk: Vec<u8>,
}

/// The pages of the log that differ from what the disk surely holds.
fn unwritten(log: &Path, kept: &Path) -> Vec<Unwritten> {
    let (log, mut kept) = (fs::read(log).unwrap(), fs::read(kept).unwrap());
    kept.resize(kept.len().max(log.len()), 0);
    let pages = log.chunks(PAGE).zip(kept.chunks(PAGE)).enumerate();
    let page = |(number, (read_back, on_disk)): (usize, (&[u8], &[u8]))| Unwritten {
        place: number * PAGE,
        read_back: read_back.to_vec(),
        on_disk: on_disk[..read_back.len()].to_vec(),
    };
    pages.map(page).filter(|page| page.read_back != page.on_disk).collect()
}

/// What is left when the power goes: pages that were never written again are as the disk has them,
/// and what is only ever in memory is gone.
fn lose_power(store: &str, pages: &[Unwritten]) {
    let log = format!("{store}-wal");
    let mut bytes = fs::read(&log).unwrap();
    for Unwritten { place, read_back, on_disk } in pages {
        let now = bytes.get_mut(*place..place + read_back.len());
        if let Some(now) = now.filter(|now| *now == &read_back[..]) {
            now.copy_from_slice(on_disk);
        }
    }
    fs::write(&log, bytes).unwrap();
    let _ = fs::remove_file(format!("{store}-shm"));
}

#[test]
fn nothing_is_acknowledged_on_top_of_what_a_failed_sync_left_unwritten() {
    let whole = Undisturbed::town(10, 300);
    let mut tried = 0;
    for number in (24..60).step_by(3) {
        let store = whole.store(&format!("power-{number}.db"));
        let (report, kept) = (whole.folder().join("report"), whole.folder().join("kept"));
        let mut failing = typed(&whole.file, &store);
        failing.env("SHIM_KEPT", &kept);
        shim::under(&mut failing, &store, Fault::ever_after("sync", number), &report);
        let stopped = said_in_step(failing, &whole.file);
        stopped.assert_clear_stop();
        let first = answers(&stopped.out);
        let pages = unwritten(format!("{store}-wal").as_ref(), &kept);
        assert!(!pages.is_empty(), "something was not written");

        // The disk works again; the system takes the pages for written.
        let again = Running::start(typed(&whole.file, &store), Some(&whole.file));
        let (second, ran) = killed(again, 40, Duration::ZERO);
        assert!(ran && second.len() >= 40);
        lose_power(&store, &pages);
        let answered = first.keys().chain(second.keys()).max().copied().unwrap();
        whole.assert_audited(&store, answered);
        whole.assert_ends(&store);
        tried += 1;
    }
    assert_eq!(tried, 12);
}
