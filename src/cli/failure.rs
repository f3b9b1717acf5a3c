//! Why a command could not do what it was asked.

use std::process::ExitCode;

use ledger_store::journal::{TAKE_OVER, TAKE_OVER_BY};

use crate::say;

/// Why the program could not do what it was asked, cause by cause.
#[derive(Debug)]
pub struct Failure {
    pub(super) lines: Vec<String>,
    code: u8,
}

impl Failure {
    pub fn from_lines(lines: Vec<String>) -> Self {
        Self { lines, code: 1 }
    }

    /// A failure in one's own words.
    pub fn new(text: impl Into<String>) -> Self {
        Self::from_lines(vec![format!("custody-ledger: {}", text.into())])
    }

    /// An end that was asked for by a signal, with the code the program exits with.
    #[must_use]
    pub fn from_signal(text: &str, code: u8) -> Self {
        Self { code, ..Self::new(text) }
    }

    /// Options that do not go together; the program exits with 2, as for any it cannot read.
    #[must_use]
    pub fn of_usage(text: &str) -> Self {
        Self { code: 2, ..Self::new(text) }
    }

    /// A failure in one's own words, and why.
    pub fn because(text: &str, error: &(dyn std::error::Error + 'static)) -> Self {
        let mut failure = Self::new(text);
        failure.add_causes(Some(error));
        failure
    }

    /// A failure of the file at `path`, and why.
    pub fn of_file(path: &std::path::Path, error: &(dyn std::error::Error + 'static)) -> Self {
        Self::because(&path.display().to_string(), error)
    }

    /// Says it to the person who started the program, and gives the code to exit with. The library
    /// advises to take over by its method: a command says its option, or nothing of it.
    pub(super) fn end(&self, takes_over: bool) -> ExitCode {
        let of_library = format!("{TAKE_OVER}{TAKE_OVER_BY}");
        let own = if takes_over { format!("{TAKE_OVER} (--take-over)") } else { String::new() };
        for line in &self.lines {
            say(&line.replace(&of_library, &own));
        }
        if self.lines.is_empty() { ExitCode::SUCCESS } else { self.code.into() }
    }

    /// Adds why, cause by cause; what was said already is not said again.
    fn add_causes(&mut self, first: Option<&(dyn std::error::Error + 'static)>) {
        for cause in std::iter::successors(first, |cause| cause.source()) {
            let text = cause.to_string();
            if !self.lines.last().is_some_and(|before| before.ends_with(&text)) {
                self.lines.push(format!("  because: {text}"));
            }
        }
    }
}

/// Every line of it.
impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.lines.join("\n"))
    }
}

/// The reader of our output has enough when the pipe closes: no failure, and nothing to say.
fn heard_enough(error: &(dyn std::error::Error + 'static)) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

impl<E: std::error::Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        if heard_enough(&error) {
            return Self::from_lines(Vec::new());
        }
        let mut failure = Self::new(error.to_string());
        failure.add_causes(error.source());
        failure
    }
}
