//! A fault in words, and panics as such.
//!
//! Panics are failures: what panics anywhere in a run is caught and named by where it stands.
//!
//! A panic says where it happened to the process's hook alone, so a hook of ours stands before the
//! one that was set: it notes the panics of [`caught`] and leaves all others to that one.

use std::cell::{Cell, RefCell};
use std::panic;
use std::panic::{AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

/// What is wrong with what is under test, in words.
pub(crate) type Mismatch = String;

/// The beginning of every caught panic's text, its place after it.
pub(crate) const PANIC: &str = "a panic at ";

thread_local! {
    /// How many calls of [`caught`] this thread is in.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// The last panic of this thread, in words.
    static LAST: RefCell<Option<Mismatch>> = const { RefCell::new(None) };
}

/// Runs `work`; a panic in it is an error that says where it happened and with which message.
///
/// The values that `work` holds are as they were when it panicked: to be looked at, and not gone on
/// with.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T, Mismatch>) -> Result<T, Mismatch> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if DEPTH.get() == 0 {
                before(info);
            } else {
                LAST.set(Some(describe(info)));
            }
        }));
    });
    DEPTH.set(DEPTH.get() + 1);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    done.unwrap_or_else(|_| {
        // Whoever sets another hook after ours keeps the panic's place to itself.
        Err(LAST.take().unwrap_or_else(|| format!("{PANIC}an unknown place")))
    })
}

fn describe(info: &PanicHookInfo<'_>) -> Mismatch {
    let message = info.payload_as_str().unwrap_or("it left no message");
    match info.location() {
        Some(place) => format!("{PANIC}{place}: {message}"),
        None => format!("{PANIC}an unknown place: {message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_that_names_its_place_and_its_message() {
        let line = line!() + 1;
        let wrong = caught::<()>(|| panic!("out of {}", "turn")).expect_err("it panicked");
        let place = format!("a panic at ledger-sim/src/failure/wrong.rs:{line}:");
        assert!(wrong.starts_with(&place) && wrong.ends_with(": out of turn"), "{wrong}");
    }

    #[test]
    fn a_panic_inside_another_call_is_named_by_the_inner_one() {
        let wrong = caught(|| {
            let inner = caught::<()>(|| panic!("inner")).expect_err("it panicked");
            assert!(inner.ends_with(": inner"), "{inner}");
            Err::<(), _>("outer".to_owned())
        });
        assert_eq!(wrong, Err("outer".to_owned()));
    }

    #[test]
    fn what_does_not_panic_is_what_it_was() {
        assert_eq!(caught(|| Ok(7)), Ok(7));
        assert_eq!(caught::<()>(|| Err("no".into())), Err("no".into()));
    }
}
