//! What the lines of many facts have.

/// An end-to-end id of 32 letters and digits, the same for the same id.
pub(crate) fn end_to_end(id: &str) -> String {
    if id.len() == 32 && id.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return id.to_owned();
    }
    let plain: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("E{plain:0>31}")
}
