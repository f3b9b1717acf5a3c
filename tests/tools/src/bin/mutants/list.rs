//! The list of planted mistakes.

/// A mistake, in one place or in several that are mistaken together.
pub struct Mutant {
    pub title: String,
    pub judge: Judge,
    pub changes: Vec<Change>,
}

/// Who is to catch a mistake.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// Everything that the simulator has.
    Everything,
    /// The checks of the outcome, while the oracle, the invariants and all assertions are silent.
    Outcome,
}

/// One line of a mistake.
pub struct Change {
    pub file: String,
    line: String,
    mistake: String,
}

/// What the title of a mistake begins with that the checks of the outcome are to catch alone.
const OF_THE_OUTCOME: &str = "outcome: ";

/// Reads the list: blocks of a title and, once or more often, a file, a line and its mistake.
pub fn read(text: &str) -> Result<Vec<Mutant>, String> {
    let mut mutants: Vec<Mutant> = Vec::new();
    let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("= ") {
            let own = title.strip_prefix(OF_THE_OUTCOME);
            let judge = if own.is_some() { Judge::Outcome } else { Judge::Everything };
            let title = own.unwrap_or(title).trim().to_owned();
            mutants.push(Mutant { title, judge, changes: Vec::new() });
            continue;
        }
        let file = part(Some(line), "@ ")?;
        let (line, mistake) = (part(lines.next(), "- ")?, part(lines.next(), "+ ")?);
        let mutant = mutants.last_mut().ok_or_else(|| format!("{file} comes before a title"))?;
        mutant.changes.push(Change { file, line, mistake });
    }
    match mutants.iter().find(|mutant| mutant.changes.is_empty()) {
        Some(mutant) => Err(format!("{}: there is no mistake", mutant.title)),
        None => Ok(mutants),
    }
}

fn part(line: Option<&str>, sign: &str) -> Result<String, String> {
    let rest = line.and_then(|line| line.strip_prefix(sign)).map(|rest| rest.trim().to_owned());
    rest.ok_or_else(|| format!("{line:?} does not begin with {sign:?}"))
}

impl Change {
    /// The text with the mistake in it.
    pub fn planted(&self, sound: &str) -> Result<String, String> {
        let places = sound.lines().filter(|line| line.trim() == self.line).count();
        if places != 1 || self.line == self.mistake {
            return Err(format!(
                "{}: {:?} stands there {places} times, and becomes {:?}",
                self.file, self.line, self.mistake
            ));
        }
        let swapped = |line: &str| {
            if line.trim() == self.line { self.mistake.clone() } else { line.to_owned() }
        };
        Ok(sound.lines().map(swapped).collect::<Vec<_>>().join("\n") + "\n")
    }
}
