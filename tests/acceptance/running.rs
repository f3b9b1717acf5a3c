//! A run of the program while it goes on: its answers are heard line by line, its own lines may
//! come in step with them, and it may be killed.

use std::io::{BufRead, BufReader, Read, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;

/// How long the answer to a line is waited for before the next line comes: a line that an earlier
/// run recorded, and was killed before it answered, has none.
const PATIENCE: Duration = Duration::from_millis(200);

/// A run that was started.
pub struct Running {
    child: Child,
    answers: Receiver<String>,
    hearing: JoinHandle<()>,
    /// What it says beside its answers, where that is heard.
    errors: Option<JoinHandle<String>>,
}

/// The last line that was answered, or that the run says is recorded already; the largest number
/// there is once it has ended.
type Reached = Arc<(Mutex<usize>, Condvar)>;

impl Running {
    /// Starts a run. With a file, it is a run of standard input, which is given the lines of the
    /// file as somebody types them: the next one comes once the one before is answered. So each
    /// that decides something is a commit, however fast or slow the disk is.
    pub fn start(mut command: Command, in_step: Option<&Path>) -> Self {
        let reached = Reached::default();
        let Some(file) = in_step else {
            command.stderr(Stdio::null());
            return Self::spawn(command, reached);
        };
        let text = std::fs::read_to_string(file).unwrap();
        command.stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut running = Self::spawn(command, Arc::clone(&reached));
        let (stdin, stderr) = (running.child.stdin.take(), running.child.stderr.take());
        let (stdin, stderr) = (stdin.unwrap(), stderr.unwrap());
        let seen = Arc::clone(&reached);
        running.errors = Some(std::thread::spawn(move || {
            let recorded = |line: &str| {
                let (_, rest) = line.split_once(": lines up to ")?;
                rest.split_once(" are recorded already")?.0.parse().ok()
            };
            let mut said = String::new();
            read_lines(stderr, &seen, recorded, |line| said.push_str(&line));
            said
        }));
        std::thread::spawn(move || feed(stdin, &text, &reached));
        running
    }

    fn spawn(mut command: Command, reached: Reached) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let stdout = child.stdout.take().unwrap();
        let (sender, answers) = channel();
        let hearing = std::thread::spawn(move || {
            let answered = |line: &str| {
                let answer: Value = serde_json::from_str(line).ok()?;
                usize::try_from(answer["line"].as_u64()?).ok()
            };
            read_lines(stdout, &reached, answered, |line| sender.send(line).unwrap());
            reach(&reached, usize::MAX);
        });
        Self { child, answers, hearing, errors: None }
    }

    /// The next answers, as many as are asked for or as there are.
    pub fn next(&self, answers: usize) -> String {
        self.answers.iter().take(answers).collect()
    }

    /// Kills it; gives the answers that were not taken, and whether it still ran.
    pub fn kill(mut self) -> (String, bool) {
        self.child.kill().unwrap();
        let Output { status, stdout, .. } = self.finish();
        (String::from_utf8(stdout).unwrap(), status.code().is_none())
    }

    /// Waits until it ends; gives the answers that were not taken, and what it said beside them.
    pub fn finish(mut self) -> Output {
        let status = self.child.wait().unwrap();
        self.hearing.join().unwrap();
        let stdout = self.answers.iter().collect::<String>().into_bytes();
        let errors = self.errors.map(|errors| errors.join().unwrap());
        Output { status, stdout, stderr: errors.unwrap_or_default().into_bytes() }
    }
}

/// Hears lines to their end, and what each says has been reached.
fn read_lines(
    from: impl Read,
    reached: &Reached,
    says: impl Fn(&str) -> Option<usize>,
    mut take: impl FnMut(String),
) {
    let (mut from, mut line) = (BufReader::new(from), String::new());
    while from.read_line(&mut line).unwrap() > 0 {
        if let Some(number) = says(&line) {
            reach(reached, number);
        }
        take(std::mem::take(&mut line));
    }
}

fn reach((reached, changed): &(Mutex<usize>, Condvar), number: usize) {
    let mut reached = reached.lock().unwrap();
    *reached = number.max(*reached);
    changed.notify_all();
}

fn feed(mut stdin: ChildStdin, text: &str, (reached, changed): &(Mutex<usize>, Condvar)) {
    for (before, line) in text.split_inclusive('\n').enumerate() {
        // Whoever was killed or stopped takes no more.
        if stdin.write_all(line.as_bytes()).is_err() {
            return;
        }
        let number = before + 1;
        let reached = reached.lock().unwrap();
        drop(changed.wait_timeout_while(reached, PATIENCE, |reached| *reached < number).unwrap());
    }
}
