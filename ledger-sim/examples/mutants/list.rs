//! The list of planted mistakes.

/// A mistake of one line.
pub struct Mutant {
    pub title: String,
    pub file: String,
    line: String,
    mistake: String,
}

/// Reads the list: blocks of a title, a file, a line and its mistake.
pub fn read(text: &str) -> Result<Vec<Mutant>, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let lines: Vec<&str> = lines.collect();
    let part = |block: &[&str], at: usize, sign: &str| {
        let told = block.get(at).and_then(|line| line.strip_prefix(sign));
        told.map(|told| told.trim().to_owned())
            .ok_or_else(|| format!("{block:?} lacks a line that begins with {sign:?}"))
    };
    let mutant = |block: &[&str]| {
        Ok(Mutant {
            title: part(block, 0, "= ")?,
            file: part(block, 1, "@ ")?,
            line: part(block, 2, "- ")?,
            mistake: part(block, 3, "+ ")?,
        })
    };
    lines.chunks(4).map(mutant).collect()
}

impl Mutant {
    /// The text with the mistake in it.
    pub fn planted(&self, sound: &str) -> Result<String, String> {
        let places = sound.lines().filter(|line| line.trim() == self.line).count();
        if places != 1 || self.line == self.mistake {
            return Err(format!(
                "{}: {}: {:?} stands there {places} times, and becomes {:?}",
                self.title, self.file, self.line, self.mistake
            ));
        }
        let swapped = |line: &str| {
            if line.trim() == self.line { self.mistake.clone() } else { line.to_owned() }
        };
        Ok(sound.lines().map(swapped).collect::<Vec<_>>().join("\n") + "\n")
    }
}
