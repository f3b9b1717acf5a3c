//! Memory that CBOR is written to.

use std::convert::Infallible;

use minicbor::Encode;
use minicbor::encode::Write;

/// Memory as the codec takes it: most of what CBOR puts down is a byte or nine, which are put where
/// they belong in here and need no call into another crate.
struct Memory<'a>(&'a mut Vec<u8>);

impl Write for Memory<'_> {
    type Error = Infallible;

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        match bytes {
            [byte] => self.0.push(*byte),
            _ => self.0.extend_from_slice(bytes),
        }
        Ok(())
    }
}

/// Appends `value` to `into`.
///
/// # Panics
///
/// Never: writing to memory cannot fail.
pub(super) fn encode(value: &impl Encode<()>, into: &mut Vec<u8>) {
    minicbor::encode(value, Memory(into)).expect("writing to memory cannot fail");
}
