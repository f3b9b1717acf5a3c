//! Numbers and byte strings in a file: little endian, lengths first.

use std::io::{self, Read};

/// The longest byte string believed at once; what is longer grows as it is read.
const BELIEVED: usize = 1 << 20;

pub(crate) mod encode {
    use std::io::{self, Write};

    pub(crate) fn number(into: &mut impl Write, number: u64) -> io::Result<()> {
        into.write_all(&number.to_le_bytes())
    }

    pub(crate) fn words<const N: usize>(into: &mut impl Write, words: [u32; N]) -> io::Result<()> {
        into.write_all(words.map(u32::to_le_bytes).as_flattened())
    }

    pub(crate) fn bytes(into: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
        number(into, bytes.len() as u64)?;
        into.write_all(bytes)
    }
}

/// Reads what [`encode`] wrote, in the same order.
pub(crate) trait Take: Read + Sized {
    fn take_array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut array = [0; N];
        self.read_exact(&mut array)?;
        Ok(array)
    }

    fn take_number(&mut self) -> io::Result<u64> {
        Ok(u64::from_le_bytes(self.take_array()?))
    }

    fn take_length(&mut self) -> io::Result<usize> {
        usize::try_from(self.take_number()?).map_err(|_| io::ErrorKind::InvalidData.into())
    }

    fn take_words<const N: usize>(&mut self) -> io::Result<[u32; N]> {
        let mut words = [[0; 4]; N];
        self.read_exact(words.as_flattened_mut())?;
        Ok(words.map(u32::from_le_bytes))
    }

    fn take_bytes(&mut self) -> io::Result<Vec<u8>> {
        let length = self.take_number()?;
        let believed = usize::try_from(length).unwrap_or(BELIEVED).min(BELIEVED);
        let mut bytes = Vec::with_capacity(believed);
        let read = self.by_ref().take(length).read_to_end(&mut bytes)? as u64;
        if read == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

impl<R: Read> Take for R {}
