//! The lines of a run, read by a thread of their own: a run that waits for input can still be
//! stopped, and answers what it has.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::Duration;

use crate::Failure;

/// The longest line, in bytes.
const LONGEST: u64 = 1 << 20;

/// How many lines are handed over at once, at most.
const BATCH: usize = 256;

/// How many bytes of lines are, but for the last of them.
const BATCH_BYTES: usize = 1 << 16;

/// How many batches are read ahead.
const AHEAD: usize = 64;

/// One line, as it was read.
pub enum Text {
    /// A line with something on it.
    Written(String),
    /// A line with nothing on it.
    Blank,
    /// A line that is no text.
    Unreadable(&'static str),
}

impl Text {
    /// How long it is, in bytes.
    const fn length(&self) -> usize {
        match self {
            Self::Written(text) => text.len(),
            Self::Blank | Self::Unreadable(_) => 0,
        }
    }
}

/// What comes next.
pub enum Next {
    /// A line of the input.
    Line(Text),
    /// No line yet: the input waits.
    Waiting,
    /// The end of the input.
    End,
}

/// The lines of a file, or of standard input.
pub struct Lines {
    from: Receiver<io::Result<Vec<Text>>>,
    batch: std::vec::IntoIter<Text>,
    name: String,
}

impl Lines {
    /// Opens the file at `path`; `-` is standard input.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let name = if is_standard_input(path) { "standard input".into() } else { path_text(path) };
        let input: Box<dyn Read + Send> = if is_standard_input(path) {
            Box::new(io::stdin())
        } else {
            if path.is_dir() {
                let what = "is a folder: name a file of JSON lines in it, or - for standard input";
                return Err(Failure::new(format!("{name} {what}")));
            }
            let what = "name a file of JSON lines, or - for standard input";
            let missing = |error| Failure::new(format!("{name}: {error}; {what}"));
            Box::new(File::open(path).map_err(missing)?)
        };
        let (to, from) = sync_channel(AHEAD);
        let reading = std::thread::Builder::new().name("lines".into());
        reading.spawn(move || read_all(BufReader::with_capacity(BATCH_BYTES, input), &to))?;
        Ok(Self { from, batch: Vec::new().into_iter(), name })
    }

    /// The next line, if there is one now.
    pub fn next(&mut self) -> Result<Next, Failure> {
        if let Some(line) = self.batch.next() {
            return Ok(Next::Line(line));
        }
        match self.from.try_recv() {
            Ok(batch) => self.take(batch),
            Err(TryRecvError::Empty) => Ok(Next::Waiting),
            Err(TryRecvError::Disconnected) => Ok(Next::End),
        }
    }

    /// The same, but waits a moment for it.
    pub fn wait(&mut self, moment: Duration) -> Result<Next, Failure> {
        match self.from.recv_timeout(moment) {
            Ok(batch) => self.take(batch),
            Err(RecvTimeoutError::Timeout) => Ok(Next::Waiting),
            Err(RecvTimeoutError::Disconnected) => Ok(Next::End),
        }
    }

    fn take(&mut self, batch: io::Result<Vec<Text>>) -> Result<Next, Failure> {
        let name = &self.name;
        let batch = batch.map_err(|error| Failure::new(format!("{name}: {error}")))?;
        self.batch = batch.into_iter();
        Ok(self.batch.next().map_or(Next::Waiting, Next::Line))
    }
}

/// Tells whether a path stands for standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn path_text(path: &Path) -> String {
    path.display().to_string()
}

/// Reads until the end, or until nobody listens any more.
fn read_all(mut input: BufReader<Box<dyn Read + Send>>, to: &SyncSender<io::Result<Vec<Text>>>) {
    let (mut batch, mut bytes) = (Vec::new(), 0);
    loop {
        match read(&mut input) {
            Ok(Some(line)) => {
                bytes += line.length();
                batch.push(line);
            }
            Ok(None) => break,
            Err(error) => {
                // Nobody listens when the run has ended by itself.
                let _ = to.send(Ok(batch)).and_then(|()| to.send(Err(error)));
                return;
            }
        }
        let whole = input.buffer().contains(&b'\n');
        if batch.len() == BATCH || bytes >= BATCH_BYTES || !whole {
            bytes = 0;
            if to.send(Ok(std::mem::take(&mut batch))).is_err() {
                return;
            }
        }
    }
    let _ = to.send(Ok(batch));
}

fn read(input: &mut BufReader<Box<dyn Read + Send>>) -> io::Result<Option<Text>> {
    let mut text = Vec::new();
    if input.by_ref().take(LONGEST + 1).read_until(b'\n', &mut text)? == 0 {
        return Ok(None);
    }
    if !text.ends_with(b"\n") && text.len() as u64 > LONGEST {
        skip_rest(input)?;
        return Ok(Some(Text::Unreadable("the line is longer than 1,048,576 bytes")));
    }
    Ok(Some(match String::from_utf8(text) {
        Err(_) => Text::Unreadable("the line is no UTF-8"),
        Ok(text) if text.trim().is_empty() => Text::Blank,
        Ok(text) => Text::Written(text.trim().to_owned()),
    }))
}

/// Reads on to the end of a line that is too long.
fn skip_rest(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let (used, done) = (end.map_or(buffer.len(), |end| end + 1), end.is_some());
        if used == 0 {
            return Ok(());
        }
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}
