//! Exports to NumPy's `.npz`, an archive of named arrays (NEP 1, format 1.0).
//!
//! Every column of every CSV file becomes an array of doubles or of texts. Arrays of `states`, `energy`, `distances`, `fields`,
//! `kinematics`, `inverse`, `forces` and `signals` have the name of their column, except the time, which is `t` for `states.csv` and `energy.t`
//! etc. for the others. Arrays of all other files also carry the name of the file: `contacts.fn`.

use std::path::Path;
use std::sync::Arc;

use super::zip::Archive;
use super::{ExportError, Format, Options, data, write_file};
use crate::{ColumnValues, DataFile};

pub(super) static NPZ: Format = Format {
    name: "npz",
    summary: "arrays for NumPy: np.load(\"run.npz\")",
    file: "run.npz",
    frames: None,
    write,
};

/// Files whose arrays have the name of the column alone; each of their lines belongs to an output time.
const IN_TIME: [&str; 8] =
    ["states", "energy", "distances", "fields", "kinematics", "inverse", "forces", "signals"];

fn write(folder: &Path, output: &Path, _options: &Options) -> Result<Vec<String>, ExportError> {
    let too_much = |what: &str| ExportError::TooMuch { format: "npz", what: what.to_owned() };
    let mut archive = Archive::default();
    let (files, notices) = data::files(folder)?;
    for file in files {
        for column in &file.columns {
            let name = array_name(&file, &column.name);
            let fits = array(&column.values).and_then(|bytes| archive.add(&format!("{name}.npy"), &bytes));
            fits.ok_or_else(|| too_much(&name))?;
        }
    }
    let bytes = archive.finish().ok_or_else(|| too_much(&folder.display().to_string()))?;
    write_file(output, &bytes)?;
    Ok(notices)
}

fn array_name(file: &DataFile, column: &str) -> String {
    let plain = IN_TIME.contains(&file.name) && (column != "t" || file.name == "states");
    if plain { column.to_owned() } else { format!("{}.{column}", file.name) }
}

/// Returns a one-dimensional array as a `.npy` file.
fn array(values: &ColumnValues) -> Option<Vec<u8>> {
    let (kind, count, data): (String, usize, Vec<u8>) = match values {
        ColumnValues::Numbers(x) => {
            ("<f8".to_owned(), x.len(), x.iter().flat_map(|x| x.to_le_bytes()).collect())
        }
        ColumnValues::Texts(texts) => {
            // four bytes per character, all texts padded to the longest
            let longest = texts.iter().map(|t| t.chars().count()).max().unwrap_or(0).max(1);
            let letters = |t: &Arc<str>| -> Vec<u8> {
                let all = t.chars().map(u32::from).chain(std::iter::repeat(0)).take(longest);
                all.flat_map(u32::to_le_bytes).collect()
            };
            (format!("<U{longest}"), texts.len(), texts.iter().flat_map(letters).collect())
        }
    };
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({count},), }}");
    // magic number, version, length and header end at a multiple of 64
    let padded = (10 + header.len() + 1).next_multiple_of(64) - 10;
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend(u16::try_from(padded).ok()?.to_le_bytes());
    out.extend(header.as_bytes());
    out.resize(10 + padded - 1, b' ');
    out.push(b'\n');
    out.extend(data);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_as_the_format_says() {
        let bytes = array(&ColumnValues::Numbers(vec![1.5, f64::NAN])).unwrap();
        assert_eq!(bytes.len(), 128 + 16);
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00\x76\x00");
        assert!(bytes[10..128].starts_with(b"{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"));
        assert_eq!((bytes[127], &bytes[128..136]), (b'\n', &1.5f64.to_le_bytes()[..]));
        let bytes = array(&ColumnValues::Texts(vec!["ä".into(), "bc".into()])).unwrap();
        assert!(bytes[10..].starts_with(b"{'descr': '<U2'"));
        let data = &bytes[bytes.len() - 16..];
        assert_eq!(data, [0xE4, 0, 0, 0, 0, 0, 0, 0, b'b', 0, 0, 0, b'c', 0, 0, 0]);
    }
}
