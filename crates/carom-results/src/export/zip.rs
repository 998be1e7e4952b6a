//! Writes a ZIP archive of uncompressed files (PKWARE APPNOTE 6.3.9), with ZIP64 records if there are very many.

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END_64: u32 = 0x0606_4b50;
const LOCATOR_64: u32 = 0x0706_4b50;
/// Flag: names are in UTF-8.
const UTF8: u16 = 1 << 11;
/// Fixed date 1980-01-01, so that archives of the same results are identical byte for byte.
const DATE: u16 = 0x0021;

/// An archive in preparation.
#[derive(Debug, Default)]
pub(super) struct Archive {
    bytes: Vec<u8>,
    central: Vec<u8>,
    entries: u64,
}

impl Archive {
    /// Adds a file; `None` if it does not fit into an archive.
    pub(super) fn add(&mut self, name: &str, content: &[u8]) -> Option<()> {
        let (size, at) = (u32::try_from(content.len()).ok()?, u32::try_from(self.bytes.len()).ok()?);
        let length = u16::try_from(name.len()).ok()?;
        let sum = crc32(content);
        let common = |out: &mut Vec<u8>| {
            for x in [20, UTF8, 0, 0, DATE] {
                out.extend(u16::to_le_bytes(x));
            }
            for x in [sum, size, size] {
                out.extend(u32::to_le_bytes(x));
            }
            out.extend(length.to_le_bytes());
            out.extend(0u16.to_le_bytes());
        };
        self.bytes.extend(LOCAL.to_le_bytes());
        common(&mut self.bytes);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(content);
        self.central.extend(CENTRAL.to_le_bytes());
        self.central.extend(20u16.to_le_bytes());
        common(&mut self.central);
        // comment, disk, attributes
        self.central.extend([0; 10]);
        self.central.extend(at.to_le_bytes());
        self.central.extend(name.as_bytes());
        self.entries += 1;
        Some(())
    }

    /// Returns the whole archive; `None` if it is too large.
    pub(super) fn finish(mut self) -> Option<Vec<u8>> {
        let (at, size) = (self.bytes.len() as u64, self.central.len() as u64);
        let (at_32, size_32) = (u32::try_from(at).ok()?, u32::try_from(size).ok()?);
        self.bytes.extend(&self.central);
        let count = u16::try_from(self.entries).ok().filter(|n| *n < u16::MAX);
        if count.is_none() {
            let end = self.bytes.len() as u64;
            self.bytes.extend(END_64.to_le_bytes());
            self.bytes.extend(44u64.to_le_bytes());
            self.bytes.extend([45, 0, 45, 0]);
            self.bytes.extend([0; 8]);
            for x in [self.entries, self.entries, size, at] {
                self.bytes.extend(x.to_le_bytes());
            }
            self.bytes.extend(LOCATOR_64.to_le_bytes());
            self.bytes.extend(0u32.to_le_bytes());
            self.bytes.extend(end.to_le_bytes());
            self.bytes.extend(1u32.to_le_bytes());
        }
        let count = count.unwrap_or(u16::MAX);
        self.bytes.extend(END.to_le_bytes());
        for x in [0, 0, count, count] {
            self.bytes.extend(x.to_le_bytes());
        }
        self.bytes.extend(size_32.to_le_bytes());
        self.bytes.extend(at_32.to_le_bytes());
        self.bytes.extend(0u16.to_le_bytes());
        Some(self.bytes)
    }
}

/// Computes the CRC-32 (ISO 3309) of bytes with a table.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let mut c = i as u32;
            let mut k = 0;
            while k < 8 {
                c = if c & 1 == 1 { 0xEDB8_8320 ^ (c >> 1) } else { c >> 1 };
                k += 1;
            }
            table[i] = c;
            i += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |c: u32, b| TABLE[((c ^ u32::from(*b)) & 0xFF) as usize] ^ (c >> 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_the_sum() {
        // the value for "123456789" from catalogues of CRCs
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b""), 0);
    }

    #[test]
    fn very_many_files() {
        let mut archive = Archive::default();
        for i in 0..70_000 {
            archive.add(&i.to_string(), b"x").unwrap();
        }
        let bytes = archive.finish().unwrap();
        let end = &bytes[bytes.len() - 22..];
        assert_eq!((&end[..4], &end[8..12]), (&END.to_le_bytes()[..], &[0xFF; 4][..]));
        let record = &bytes[bytes.len() - 22 - 20 - 56..];
        assert_eq!(record[..4], END_64.to_le_bytes());
        assert_eq!(record[24..32], 70_000u64.to_le_bytes());
    }
}
