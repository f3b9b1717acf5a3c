//! Lines and columns of a text, counted once however many places are looked up.

/// Counts lines up to places that come in the order of the text.
pub struct LineCounter<'a> {
    text: &'a str,
    counted: usize,
    line: u64,
    begins: usize,
}

impl<'a> LineCounter<'a> {
    pub const fn new(text: &'a str) -> Self {
        Self { text, counted: 0, line: 1, begins: 0 }
    }

    /// The line and column, from 1, of a part of the text that is no earlier than the last one.
    pub fn position_of(&mut self, part: &str) -> (u64, u32) {
        let place = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let place = place.min(self.text.len());
        let passed = &self.text.as_bytes()[self.counted.min(place)..place];
        for (at, byte) in passed.iter().enumerate() {
            if *byte == b'\n' {
                self.line += 1;
                self.begins = self.counted + at + 1;
            }
        }
        self.counted = self.counted.max(place);
        let before = self.text.get(self.begins..place).map_or(0, |text| text.chars().count());
        (self.line, u32::try_from(before + 1).unwrap_or(u32::MAX))
    }
}

/// The line and column, from 1, of a byte of a text.
pub fn position_at(text: &str, place: usize) -> (u64, u32) {
    let before = text.get(..place.min(text.len())).unwrap_or(text);
    let line = before.matches('\n').count() as u64 + 1;
    let begins = before.rfind('\n').map_or(0, |place| place + 1);
    let column = before[begins..].chars().count() + 1;
    (line, u32::try_from(column).unwrap_or(u32::MAX))
}

/// The place of a part of a text, where that stands at a line and column.
pub fn position_within(outer: (u64, u32), inner: (usize, usize)) -> (u64, u32) {
    let line = inner.0 as u64;
    let column = u32::try_from(inner.1).unwrap_or(u32::MAX);
    if line <= 1 {
        (outer.0, outer.1 + column.saturating_sub(1))
    } else {
        (outer.0 + line - 1, column)
    }
}
