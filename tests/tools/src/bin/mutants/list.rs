//! The list of planted mistakes.

/// A mistake, in one place or in several that are mistaken together.
pub struct Mutant {
    pub title: String,
    pub judge: Judge,
    pub changes: Vec<Change>,
}

/// Who is to catch a mistake.
#[derive(Clone, PartialEq, Eq)]
pub enum Judge {
    /// Everything that the simulator has.
    Everything,
    /// The checks of the outcome, while the oracle, the invariants and all assertions are silent.
    Outcome,
    /// A test that the list names.
    Test(Test),
}

/// A test, as `cargo test --locked` is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The package that it is of.
    pub package: String,
    /// The file of tests; none of those beside the code.
    pub file: Option<String>,
    /// The test, or what its name has in it.
    pub name: String,
}

/// One line of a mistake.
pub struct Change {
    pub file: String,
    line: String,
    mistake: String,
}

/// What the title of a mistake begins with that the checks of the outcome are to catch alone.
const OF_THE_OUTCOME: &str = "outcome: ";

/// Reads the list: blocks of a title, the test that is to notice it, where it is no matter of the
/// simulator, and, once or more often, a file, a line and its mistake.
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
        if let Some(named) = line.strip_prefix("! ") {
            let mutant = mutants.last_mut().ok_or_else(|| format!("{named} is before a title"))?;
            if mutant.judge != Judge::Everything {
                return Err(format!("{}: it has two judges", mutant.title));
            }
            mutant.judge = Judge::Test(Test::parse(named)?);
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

impl Test {
    /// Reads `-p PACKAGE --test FILE NAME`, or `-p PACKAGE --lib NAME`.
    fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (package, file, name) = match words[..] {
            ["-p", package, "--test", file, name] => (package, Some(file.to_owned()), name),
            ["-p", package, "--lib", name] => (package, None, name),
            _ => return Err(format!("{text:?} is not -p PACKAGE --test FILE NAME, or --lib NAME")),
        };
        Ok(Self { package: package.to_owned(), file, name: name.to_owned() })
    }

    /// The same for `cargo test --locked`.
    pub fn arguments(&self) -> Vec<&str> {
        let file = self.file.as_deref().map_or(vec!["--lib"], |file| vec!["--test", file]);
        [&["-p", &self.package], &file[..], &[&self.name]].concat()
    }
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
