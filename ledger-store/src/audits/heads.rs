//! Heads kept elsewhere: a file of lines, which belongs on other media than the journal.
//!
//! ```text
//! live 1234:38701383ba4cb446...     ledger, record, link after it; the line ends with LF
//! ```
//!
//! Whoever can write to a journal can rewrite it and chain it anew, or cut its end; a head kept
//! where they cannot write is what tells. An audit is given the whole file and proves every line of
//! it.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::bytes::signing::note::CUT;
use crate::engines::engine::Follower;
use crate::journal::{Commit, Head};

/// A head, and the ledger it is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptHead {
    /// The ledger's name in its store.
    pub ledger: String,
    /// Where it stood.
    pub head: Head,
}

/// A line that is no head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is no head: LEDGER RECORD:LINK")]
pub struct HeadsMalformed {
    /// Its number, from 1.
    pub line: usize,
}

/// A file to which heads are added.
///
/// ```
/// # use std::{fs::read_to_string, time::Duration};
/// # use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
/// # let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("heads");
/// use ledger_core::contract::Line;
/// use ledger_core::ledger::Origin;
/// use ledger_store::engine::Engine;
/// use ledger_store::heads::{HeadsFile, parse};
///
/// let keeper = HeadsFile::open(&path, Duration::ZERO)?.keeper("live");
/// let engine = Engine::builder("live").follower(keeper).start(Box::new(journal))?;
/// let line = r#"{"at": "2026-11-20T12:00:00Z", "fact": "time.passed"}"#;
/// let line = Line::parse(line, |_| Ok(String::new())).expect("it is well formed");
/// engine.call(line.call(Origin::Call)).wait()?;
/// assert_eq!(parse(&read_to_string(path)?)?[0].head, engine.head()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HeadsFile {
    file: Arc<File>,
    every: Duration,
}

/// Adds the heads of one ledger to a file, commit by commit, before anybody is answered; where that
/// fails, the engine stops and says so.
#[derive(Debug)]
pub struct HeadsKeeper {
    file: Arc<File>,
    every: Duration,
    ledger: String,
    written: Option<Instant>,
    waiting: Option<Head>,
}

/// The kept heads that a chain was found to go through.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proved {
    heads: usize,
    last: u64,
}

/// Reads the lines of a file of heads. A line whose end is missing was cut off and says nothing.
///
/// ```
/// use ledger_store::heads::parse;
///
/// let link = "38701383ba4cb4463870138338701383ba4cb44638701383ba4cb44638701383";
/// let kept = parse(&format!("live 1234:{link}\nlive 1250:3870"))?; // The last line was cut off.
/// assert_eq!((&*kept[0].ledger, kept[0].head.seq, kept.len()), ("live", 1234, 1));
/// # Ok::<(), ledger_store::heads::HeadsMalformed>(())
/// ```
///
/// # Errors
///
/// [`HeadsMalformed`] naming the first line that is no head.
pub fn parse(text: &str) -> Result<Vec<KeptHead>, HeadsMalformed> {
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let lines = (1..).zip(whole.lines());
    let said = lines.filter(|(_, line)| !line.is_empty() && !line.ends_with(CUT));
    said.map(|(number, line)| head(line).ok_or(HeadsMalformed { line: number })).collect()
}

fn head(line: &str) -> Option<KeptHead> {
    let (ledger, head) = line.split_once(' ')?;
    let (number, digits) = head.split_once(':')?;
    let head = Head { seq: number.parse().ok()?, link: digits.parse().ok()? };
    Some(KeptHead { ledger: ledger.to_owned(), head })
}

/// Opens a file to read it and add lines to it, and makes it where it is missing. A last line that
/// was cut off is ended.
///
/// # Errors
///
/// When the file cannot be read and written.
pub fn open_to_add(path: &Path) -> io::Result<File> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    if file.seek(SeekFrom::End(0))? > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            writeln!(file, "{CUT}")?;
        }
    }
    Ok(file)
}

impl HeadsFile {
    /// Opens the file to add to it, and makes it where it is missing. A line is added for every
    /// commit, but of one ledger none sooner than `every` after the last; what waits then is added
    /// when the ledger is closed.
    ///
    /// # Errors
    ///
    /// When the file cannot be read and written.
    pub fn open(path: &Path, every: Duration) -> io::Result<Self> {
        Ok(Self { file: Arc::new(open_to_add(path)?), every })
    }

    /// Who adds the heads of the ledger of this name: a follower of its engine.
    #[must_use]
    pub fn keeper(&self, ledger: &str) -> HeadsKeeper {
        HeadsKeeper {
            file: Arc::clone(&self.file),
            every: self.every,
            ledger: ledger.to_owned(),
            written: None,
            waiting: None,
        }
    }
}

impl HeadsKeeper {
    fn write(&mut self, head: Head) -> io::Result<()> {
        let line = KeptHead { ledger: self.ledger.clone(), head };
        // In one piece, so that ledgers that share the file do not cut each other's lines.
        (&*self.file).write_all(format!("{line}\n").as_bytes())?;
        self.written = Some(Instant::now());
        self.waiting = None;
        Ok(())
    }
}

impl Follower for HeadsKeeper {
    fn follow(&mut self, commit: &Commit) -> Result<(), String> {
        let head = commit.head();
        if self.written.is_some_and(|written| written.elapsed() < self.every) {
            self.waiting = Some(head);
            return Ok(());
        }
        self.write(head).map_err(|error| format!("the head could not be kept: {error}"))
    }
}

impl Drop for HeadsKeeper {
    /// Nobody is left to learn that the last head could not be kept; an audit then proves less.
    fn drop(&mut self) {
        if let Some(head) = self.waiting {
            let _ = self.write(head);
        }
    }
}

impl Proved {
    pub(crate) fn by(heads: &[Head]) -> Self {
        let last = heads.iter().map(|head| head.seq).max().unwrap_or_default();
        Self { heads: heads.len(), last }
    }
}

/// What the proof rests on besides the journal itself.
impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.heads {
            0 => f.write_str(
                "verified against no kept head: whoever can rewrite the journal can chain it anew",
            ),
            heads => write!(f, "verified against {heads}, the last of record {}", self.last),
        }
    }
}

impl fmt::Display for KeptHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}:{}", self.ledger, self.head.seq, self.head.link)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::chain::{Algorithm, Chain};
    use crate::bytes::frame::FrameWriter;

    /// Commits of one record each.
    fn commits(count: usize) -> Vec<Commit> {
        let mut frames = FrameWriter::new(Chain::genesis(Algorithm::Blake3, "live"));
        let mut commit = || {
            let previous = Head::from_chain(&frames.chain());
            frames.push(b"record");
            Commit { previous, rows: frames.cut().into_iter().collect(), vault: Vec::new() }
        };
        (0..count).map(|_| commit()).collect()
    }

    fn file_texts(every: Duration, commits: &[Commit]) -> (String, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("heads");
        let mut keeper = HeadsFile::open(&path, every).unwrap().keeper("live");
        for commit in commits {
            keeper.follow(commit).unwrap();
        }
        let before = std::fs::read_to_string(&path).unwrap();
        drop(keeper);
        (before, std::fs::read_to_string(&path).unwrap())
    }

    #[test]
    fn every_commit_leaves_its_head_before_it_is_answered() {
        let commits = commits(3);
        let (before, after) = file_texts(Duration::ZERO, &commits);
        assert_eq!(before, after);
        let heads: Vec<_> = parse(&after).unwrap().into_iter().map(|kept| kept.head).collect();
        assert_eq!(heads, commits.iter().map(Commit::head).collect::<Vec<_>>());
    }

    #[test]
    fn between_the_first_and_the_last_none_comes_sooner_than_asked() {
        let commits = commits(5);
        let (before, after) = file_texts(Duration::from_hours(1), &commits);
        let heads = |text| parse(text).unwrap().into_iter().map(|kept| kept.head.seq);
        assert_eq!(heads(&before).collect::<Vec<_>>(), [1]);
        assert_eq!(heads(&after).collect::<Vec<_>>(), [1, 5]);
    }

    #[test]
    fn a_line_that_was_cut_off_says_nothing_and_is_passed_over_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("heads");
        let whole = file_texts(Duration::ZERO, &commits(2)).1;
        let cut = &whole[..whole.len() - 9];
        assert_eq!(parse(cut).unwrap().len(), 1);
        std::fs::write(&path, cut).unwrap();
        let mut keeper = HeadsFile::open(&path, Duration::ZERO).unwrap().keeper("live");
        keeper.follow(&commits(2)[1]).unwrap();
        let heads = parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(heads.iter().map(|kept| kept.head.seq).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn a_line_that_is_no_head_is_named() {
        let sound = file_texts(Duration::ZERO, &commits(1)).1;
        for wrong in ["live\n", "live 1\n", "live 1:00\n", "live x:{}\n", "1:00 live\n"] {
            assert_eq!(parse(&format!("{sound}\n{wrong}")), Err(HeadsMalformed { line: 3 }));
        }
    }
}
