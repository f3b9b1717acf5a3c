//! Licence expressions of SPDX, as manifests have them.

/// Tells whether `expression` leaves a choice of which every part is allowed.
///
/// `AND` binds more than `OR`; a slash is an old way to write `OR`, and `+` says "or later".
pub fn is_allowed(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: &words, allowed };
    let is_allowed = reader.any();
    assert!(reader.words.is_empty(), "{expression} is no licence expression");
    is_allowed
}

struct Reader<'a> {
    words: &'a [&'a str],
    allowed: &'a dyn Fn(&str) -> bool,
}

impl Reader<'_> {
    fn any(&mut self) -> bool {
        let mut is_allowed = self.all();
        while self.took("OR") {
            is_allowed |= self.all();
        }
        is_allowed
    }

    fn all(&mut self) -> bool {
        let mut is_allowed = self.one();
        while self.took("AND") {
            is_allowed &= self.one();
        }
        is_allowed
    }

    fn one(&mut self) -> bool {
        if self.took("(") {
            let is_allowed = self.any();
            assert!(self.took(")"), "a bracket is not closed");
            return is_allowed;
        }
        let (name, rest) = self.words.split_first().expect("a licence is named");
        self.words = rest;
        // An exception allows more than the licence, so the licence is enough.
        if self.took("WITH") {
            self.words = &self.words[1..];
        }
        (self.allowed)(name.trim_end_matches('+'))
    }

    fn took(&mut self, word: &str) -> bool {
        let is_next = self.words.first() == Some(&word);
        if is_next {
            self.words = &self.words[1..];
        }
        is_next
    }
}
