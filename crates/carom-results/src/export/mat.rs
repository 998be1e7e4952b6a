//! Exports to MATLAB's `.mat`, level 5 (MAT-File Format, R2021b).
//!
//! There is a struct per CSV file with a field per column: `r = load("run.mat"); plot(r.states.t, r.states.ball_z)`.
//! Characters that MATLAB does not allow in names become `_`; the original names of the columns are in the field `names`, a
//! cell array, in the order of the fields. Numbers are columns of doubles, texts are cell arrays.

use std::path::Path;

use super::data::unlike;
use super::{ExportError, Format, Options, data, write_file};
use crate::{ColumnValues, DataFile};

pub(super) static MAT: Format = Format {
    name: "mat",
    summary: "structs for MATLAB and Octave: load(\"run.mat\")",
    file: "run.mat",
    frames: None,
    write,
};

/// Types of data elements.
const INT8: u32 = 1;
const UINT16: u32 = 4;
const INT32: u32 = 5;
const UINT32: u32 = 6;
const DOUBLE: u32 = 9;
const MATRIX: u32 = 14;
/// Classes of arrays.
const CELL: u32 = 1;
const STRUCT: u32 = 2;
const CHAR: u32 = 4;
const DOUBLES: u32 = 6;
/// Longest name of a field, and the space reserved for it [bytes].
const LONGEST: usize = 63;
const ROOM: usize = 64;

fn write(folder: &Path, output: &Path, _options: &Options) -> Result<Vec<String>, ExportError> {
    let mut bytes = format!("{:<124}", "MATLAB 5.0 MAT-file, results of carom").into_bytes();
    // the version, and the letters that indicate the byte order
    bytes.extend([0x00, 0x01, b'I', b'M']);
    let (files, notices) = data::files(folder)?;
    for file in files {
        let element = structure(&file);
        if element.len() > i32::MAX as usize {
            return Err(ExportError::TooMuch { format: "mat", what: file.name.to_owned() });
        }
        bytes.extend(element);
    }
    write_file(output, &bytes)?;
    Ok(notices)
}

/// Makes a data element: type, length, data, and zeros up to a multiple of 8.
fn element(kind: u32, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(16 + data.len());
    out.extend(kind.to_le_bytes());
    out.extend((data.len() as u32).to_le_bytes());
    out.extend(data);
    out.resize(out.len().next_multiple_of(8), 0);
    out
}

/// Makes an array: class, dimensions, name, and its data.
fn matrix(class: u32, size: [usize; 2], name: &str, rest: &[Vec<u8>]) -> Vec<u8> {
    let flags: Vec<u8> = [class, 0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let dimensions: Vec<u8> = size.iter().flat_map(|n| (*n as i32).to_le_bytes()).collect();
    let parts = [element(UINT32, &flags), element(INT32, &dimensions), element(INT8, name.as_bytes())];
    element(MATRIX, &[parts.concat(), rest.concat()].concat())
}

fn doubles(x: &[f64]) -> Vec<u8> {
    let data: Vec<u8> = x.iter().flat_map(|x| x.to_le_bytes()).collect();
    matrix(DOUBLES, [x.len(), 1], "", &[element(DOUBLE, &data)])
}

fn text(t: &str) -> Vec<u8> {
    let units: Vec<u16> = t.encode_utf16().collect();
    let data: Vec<u8> = units.iter().flat_map(|u| u.to_le_bytes()).collect();
    matrix(CHAR, [usize::from(!units.is_empty()), units.len()], "", &[element(UINT16, &data)])
}

fn cells(texts: &[impl AsRef<str>]) -> Vec<u8> {
    let all: Vec<Vec<u8>> = texts.iter().map(|t| text(t.as_ref())).collect();
    matrix(CELL, [texts.len(), 1], "", &all)
}

/// Makes a struct of the columns of a file.
fn structure(file: &DataFile) -> Vec<u8> {
    let mut names: Vec<String> = Vec::new();
    for column in &file.columns {
        names.push(unlike(field_name(&column.name), &names, LONGEST));
    }
    let mut fields: Vec<Vec<u8>> = file
        .columns
        .iter()
        .map(|c| match &c.values {
            ColumnValues::Numbers(x) => doubles(x),
            ColumnValues::Texts(texts) => cells(texts),
        })
        .collect();
    let own: Vec<&str> = file.columns.iter().map(|c| &*c.name).collect();
    fields.push(cells(&own));
    names.push(unlike("names".to_owned(), &names, LONGEST));
    let mut room = Vec::with_capacity(ROOM * names.len());
    for name in &names {
        let start = room.len();
        room.extend(name.as_bytes());
        room.resize(start + ROOM, 0);
    }
    // a small element: type and length in one word
    let mut length = INT32.to_le_bytes().to_vec();
    length[2] = 4;
    length.extend((ROOM as i32).to_le_bytes());
    let rest = [&[length, element(INT8, &room)][..], &fields].concat();
    matrix(STRUCT, [1, 1], file.name, &rest)
}

/// Returns a valid name of a field: letters, digits and `_`, with a letter first.
fn field_name(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if plain.starts_with(|c: char| c.is_ascii_alphabetic()) { plain } else { format!("x{plain}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    #[test]
    fn names_are_valid_and_differ() {
        assert_eq!(field_name("ball.vz"), "ball_vz");
        assert_eq!(field_name("2nd-ball.x"), "x2nd_ball_x");
        let taken = ["a".to_owned(), "a_2".to_owned()];
        assert_eq!(unlike("a".to_owned(), &taken, 63), "a_3");
        let long = "b".repeat(80);
        assert_eq!(unlike(long.clone(), &["b".repeat(63)], 63), format!("{}_2", "b".repeat(61)));
    }

    #[test]
    fn elements_are_as_the_format_says() {
        assert_eq!(element(INT8, b"ab"), [1, 0, 0, 0, 2, 0, 0, 0, b'a', b'b', 0, 0, 0, 0, 0, 0]);
        let x = doubles(&[1.5]);
        // tag, flags, dimensions 1 × 1, no name, data
        assert_eq!(x.len(), 8 + 16 + 16 + 8 + 16);
        assert_eq!(x[..8], [14, 0, 0, 0, 56, 0, 0, 0]);
        assert_eq!(x[16..20], [6, 0, 0, 0]);
        assert_eq!(x[56..], 1.5f64.to_le_bytes());
        let columns = vec![Column { name: "t".into(), values: ColumnValues::Numbers(vec![0.0]) }];
        let s = structure(&DataFile { name: "states", file: "states.csv", columns });
        let room = 8 + 16 + 16 + 16 + 8;
        assert_eq!(s[room - 8..room], [5, 0, 4, 0, 64, 0, 0, 0]);
        assert_eq!(s[room..room + 16], [1, 0, 0, 0, 128, 0, 0, 0, b't', 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(s[room + 8 + 64..room + 8 + 69], *b"names");
    }
}
