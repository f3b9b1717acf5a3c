//! Signed notes and their keys, in the text forms of C2SP signed-note: a stranger can tell who
//! signed.

pub mod key;
pub mod note;
