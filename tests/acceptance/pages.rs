//! Walks over pages, all of which end: with a cursor that is off by one, or a row that is given
//! again and again, a walk without a bound would fill memory instead of failing.

use std::collections::HashSet;

use serde_json::Value;

/// No list of a test takes so many pages.
const MOST: usize = 2_000;

/// Reads page after page: `read` is given what asks for a page, `&PARAMETER=CURSOR` or nothing for
/// the first, and gives the cursor of the next one, none after the last.
pub fn walk(parameter: &str, mut read: impl FnMut(&str) -> Option<String>) {
    let mut cursors = HashSet::new();
    let mut asked = String::new();
    for _ in 0..MOST {
        let Some(next) = read(&asked) else { return };
        assert!(cursors.insert(next.clone()), "cursor {next} leads to itself");
        asked = format!("&{parameter}={next}");
    }
    panic!("after {MOST} pages another one follows");
}

/// Does `round` until it says that there is no more to do.
pub fn rounds(mut round: impl FnMut() -> bool) {
    assert!((0..MOST).any(|_| !round()), "after {MOST} rounds another one follows");
}

/// The cursor of the page that follows, by the field that has it.
pub fn next(page: &Value, field: &str) -> Option<String> {
    page[field].as_str().map(str::to_owned)
}

#[test]
fn a_walk_that_does_not_end_fails() {
    let fails = |walk: fn()| std::panic::catch_unwind(walk).is_err();
    assert!(fails(|| walk("before", |_| Some("same".to_owned()))));
    assert!(fails(|| {
        let mut number = 0;
        walk("before", |_| {
            number += 1;
            Some(number.to_string())
        });
    }));
    assert!(fails(|| rounds(|| true)));
    let mut read = Vec::new();
    walk("before", |asked| {
        read.push(asked.to_owned());
        Some("2".to_owned()).filter(|_| asked.is_empty())
    });
    assert_eq!(read, ["", "&before=2"]);
}
