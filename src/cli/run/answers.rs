//! What a run gives: answers on standard output, events in their file, and the count of both.

use std::io::{BufWriter, StdoutLock, Write};

use ledger_core::contract::{Body, Response};
use serde::Serialize;
use serde_json::Value;

use crate::Failure;
use crate::events::Events;

/// How many bytes of answers are written at once, at most.
const AT_ONCE: usize = 1 << 16;

/// Counts for the line that ends a run.
#[derive(Default)]
struct Counts {
    lines: u64,
    before: u64,
    answered: u64,
    refused: u64,
    malformed: u64,
    applied: u64,
    known: u64,
    set_aside: u64,
    /// The first line that was refused or malformed.
    first_refused: Option<u64>,
}

/// The answer to a line, with what followed from it.
pub struct Answer {
    /// The line's number.
    pub number: u64,
    /// What it is answered.
    pub response: Response,
    /// The events and instructions that followed.
    pub effects: Vec<Value>,
    /// Tells whether the line could not be read.
    pub malformed: bool,
    /// Tells whether the answer is given; one that was given before is not, unless it is asked for.
    pub given: bool,
}

/// The answer to a line as it is given.
#[derive(Serialize)]
struct AnswerLine<'a> {
    line: u64,
    status: u16,
    body: &'a Body,
}

/// Where answers go.
pub struct Answers {
    out: BufWriter<StdoutLock<'static>>,
    /// The text of an answer, in the place of the one before it.
    text: Vec<u8>,
    events: Option<Events>,
    counts: Counts,
    /// Tells whether a line that is refused or malformed fails the run.
    fails: bool,
    /// What is not durable yet, and so not given.
    held: Vec<Answer>,
    /// The last line that was answered.
    last: u64,
    /// The last line whose answer has left this program.
    left: u64,
}

impl Answers {
    /// To standard output, and to a file of events; `fails` has a refusal fail the run.
    pub fn new(events: Option<Events>, fails: bool) -> Self {
        let out = BufWriter::with_capacity(AT_ONCE, std::io::stdout().lock());
        let (text, counts, held) = (Vec::new(), Counts::default(), Vec::new());
        Self { out, text, events, counts, fails, held, last: 0, left: 0 }
    }

    /// Tells whether events and instructions are wanted.
    pub const fn wants_events(&self) -> bool {
        self.events.is_some()
    }

    /// Counts a line that was read.
    pub const fn count_line(&mut self) {
        self.counts.lines += 1;
    }

    /// Keeps an answer until what it says is durable.
    pub fn hold(&mut self, answer: Answer) {
        self.held.push(answer);
    }

    /// Gives an answer, after those that were held.
    pub fn give(&mut self, answer: Answer) -> Result<(), Failure> {
        self.give_held()?;
        self.give_now(answer)
    }

    /// Gives what was held.
    pub fn give_held(&mut self) -> Result<(), Failure> {
        let held = std::mem::take(&mut self.held);
        held.into_iter().try_for_each(|answer| self.give_now(answer))
    }

    /// The run has come to lines that no journal holds: no event of theirs is in the file yet.
    pub fn go_on(&mut self) {
        if let Some(events) = &mut self.events {
            events.go_on();
        }
    }

    /// Everything given has left this program.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(|error| self.unheard(&error))?;
        self.left = self.last;
        self.events.as_mut().map_or(Ok(()), Events::flush)
    }

    fn give_now(&mut self, answer: Answer) -> Result<(), Failure> {
        let Answer { number, mut response, effects, malformed, given } = answer;
        if let Some(events) = &mut self.events {
            events.write(number, effects)?;
        }
        self.last = number;
        self.count(number, &response, malformed, given);
        if !given {
            return Ok(());
        }
        if response.status >= 400
            && let Some(Value::String(detail)) = response.body.get_mut("detail")
        {
            *detail = format!("line {number}: {detail}");
        }
        let Response { status, body } = &response;
        self.text.clear();
        serde_json::to_writer(&mut self.text, &AnswerLine { line: number, status: *status, body })
            .map_err(|error| Failure::new(error.to_string()))?;
        self.text.push(b'\n');
        self.out.write_all(&self.text).map_err(|error| self.unheard(&error))
    }

    /// Fails a run of which a line was refused or malformed, where that is asked for.
    pub fn verdict(&self) -> Result<(), Failure> {
        let Counts { refused, malformed, first_refused, .. } = &self.counts;
        let Some(first) = first_refused.filter(|_| self.fails) else { return Ok(()) };
        let counts = format!("{refused} refused and {malformed} malformed");
        Err(Failure::new(format!("lines were not taken: {counts}, the first of them line {first}")))
    }

    /// Counts a line: one that was recorded before, and is not given, only if it was not taken.
    fn count(&mut self, number: u64, response: &Response, malformed: bool, given: bool) {
        let counts = &mut self.counts;
        counts.before += u64::from(!given);
        let outcome = response.body.text("outcome");
        let count = match (response.status, outcome) {
            _ if malformed => &mut counts.malformed,
            (200, _) if !given => return,
            (200, Some("applied")) => &mut counts.applied,
            (200, Some("known")) => &mut counts.known,
            (200, Some("set_aside")) => &mut counts.set_aside,
            (200, _) => &mut counts.answered,
            _ => &mut counts.refused,
        };
        *count += 1;
        if malformed || response.status != 200 {
            counts.first_refused.get_or_insert(number);
        }
    }

    /// Answers that nobody could be given.
    fn unheard(&self, error: &std::io::Error) -> Failure {
        Failure::new(format!(
            "standard output: {error}; what was decided is durable, and `--answers-from {}` gives \
             the answers that were not given",
            self.left + 1
        ))
    }
}

impl std::fmt::Display for Answers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Counts { lines, before, answered, refused, malformed, .. } = &self.counts;
        let Counts { applied, known, set_aside, first_refused, .. } = &self.counts;
        let what = if *lines == 1 { "line" } else { "lines" };
        write!(
            f,
            "{lines} {what}: {answered} answered, {refused} refused, {malformed} malformed; facts: \
             {applied} applied, {known} known, {set_aside} set aside; {before} recorded before"
        )?;
        match first_refused {
            Some(first) if !self.fails => write!(
                f,
                "\nthe first line refused or malformed is {first}: --fail-on-refused exits with 1 \
                 for it"
            ),
            _ => Ok(()),
        }
    }
}
