//! How far a log is known to have gone.

/// How far a log is known to have gone, whatever was read of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Reached {
    /// Every entry up to this one was written.
    pub(super) number: u64,
    /// The object that says so.
    pub(super) by: String,
}

impl Reached {
    /// Notes that an object says that every entry up to this one was written.
    pub(super) fn note(&mut self, number: u64, by: &object_store::path::Path) {
        if number > self.number {
            *self = Self { number, by: by.to_string() };
        }
    }
}
