//! Reads PLY files: text, or binary of either byte order. Of what a file declares the coordinates of vertices and the corners of faces are taken; a face with more than
//! three corners becomes a fan of triangles.

use super::{Corners, push};

/// The end of the header, without its line break.
const END: &[u8] = b"end_header";

/// How the data after the header are written.
#[derive(Clone, Copy, PartialEq)]
enum Coding {
    Text,
    LittleEndian,
    BigEndian,
}

/// A type of number, by its length in bytes.
#[derive(Clone, Copy)]
enum Number {
    Signed(usize),
    Unsigned(usize),
    Real(usize),
}

/// A property that every item of an element has.
struct Property<'h> {
    name: &'h str,
    number: Number,
    /// of a list, the type of the number of its entries
    list: Option<Number>,
}

/// Vertices, faces or something else.
struct Element<'h> {
    name: &'h str,
    count: usize,
    properties: Vec<Property<'h>>,
}

pub(super) fn triangles(bytes: &[u8]) -> Result<Vec<Corners>, String> {
    if !bytes.starts_with(b"ply") {
        return Err("it is no PLY file: its first line is not `ply`".to_owned());
    }
    let end = bytes.windows(END.len()).position(|w| w == END);
    let end = end.ok_or("its header has no end: a line `end_header` is expected")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let (coding, elements) = header(&head)?;
    let after = &bytes[end + END.len()..];
    // the rest of the line
    let start = after.iter().position(|b| *b == b'\n').map_or(after.len(), |k| k + 1);
    let text = String::from_utf8_lossy(if coding == Coding::Text { &after[start..] } else { &[] });
    let mut data = Data {
        coding,
        bytes,
        at: end + END.len() + start,
        words: "".split_ascii_whitespace(),
        line: head.lines().count() + 1,
        lines: text.lines(),
    };
    body(&mut data, &elements)
}

/// Reads the header up to its end.
fn header(text: &str) -> Result<(Coding, Vec<Element<'_>>), String> {
    let (mut coding, mut elements) = (None, Vec::<Element<'_>>::new());
    for (i, line) in text.lines().enumerate().skip(1) {
        let wrong = |why: String| format!("line {}: {why}", i + 1);
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["format", "ascii", _] => coding = Some(Coding::Text),
            ["format", "binary_little_endian", _] => coding = Some(Coding::LittleEndian),
            ["format", "binary_big_endian", _] => coding = Some(Coding::BigEndian),
            ["format", ..] => {
                let known = "ascii, binary_little_endian, binary_big_endian";
                return Err(wrong(format!("`{line}` is no format; expected: one of {known}, and 1.0")));
            }
            ["element", name, count] => {
                let count = count.parse();
                let count = count.map_err(|_| wrong(format!("`{line}` has no number of `{name}`")))?;
                elements.push(Element { name, count, properties: Vec::new() });
            }
            ["property", ref rest @ ..] => {
                let property = property(rest).ok_or_else(|| wrong(format!("`{line}` is no property")))?;
                let element = elements.last_mut();
                element
                    .ok_or_else(|| wrong("a property before any element".to_owned()))?
                    .properties
                    .push(property);
            }
            _ => {} // comments, obj_info
        }
    }
    let coding = coding.ok_or("its header has no line `format`")?;
    Ok((coding, elements))
}

fn property<'h>(words: &[&'h str]) -> Option<Property<'h>> {
    match *words {
        ["list", count, kind, name] => {
            Some(Property { name, number: number(kind)?, list: Some(number(count)?) })
        }
        [kind, name] => Some(Property { name, number: number(kind)?, list: None }),
        _ => None,
    }
}

fn number(kind: &str) -> Option<Number> {
    Some(match kind {
        "char" | "int8" => Number::Signed(1),
        "uchar" | "uint8" => Number::Unsigned(1),
        "short" | "int16" => Number::Signed(2),
        "ushort" | "uint16" => Number::Unsigned(2),
        "int" | "int32" => Number::Signed(4),
        "uint" | "uint32" => Number::Unsigned(4),
        "float" | "float32" => Number::Real(4),
        "double" | "float64" => Number::Real(8),
        _ => return None,
    })
}

/// Reads the items of all elements.
fn body(data: &mut Data<'_>, elements: &[Element<'_>]) -> Result<Vec<Corners>, String> {
    let (mut vertices, mut all, mut entries) = (Vec::<[f64; 3]>::new(), Vec::new(), Vec::new());
    for element in elements {
        let coordinate = |name: &str| element.properties.iter().position(|p| p.name == name);
        let places = [coordinate("x"), coordinate("y"), coordinate("z")];
        if element.name == "vertex" && places.contains(&None) {
            return Err("its element `vertex` has not all of the properties x, y, z".to_owned());
        }
        // an item without properties takes no place in the file
        let count = if element.properties.is_empty() { 0 } else { element.count };
        for _ in 0..count {
            let mut at = [0.0; 3];
            for (k, property) in element.properties.iter().enumerate() {
                let Some(count) = property.list else {
                    let x = data.next(property.number)?;
                    places.iter().position(|p| *p == Some(k)).into_iter().for_each(|i| at[i] = x);
                    continue;
                };
                entries.clear();
                for _ in 0..data.next(count)? as usize {
                    entries.push(data.next(property.number)?);
                }
                if element.name == "face" && ["vertex_indices", "vertex_index"].contains(&property.name) {
                    face(&mut all, &vertices, &entries, &data.here())?;
                }
            }
            if element.name == "vertex" {
                vertices.push(at);
            }
        }
    }
    Ok(all)
}

/// Adds a face as a fan of triangles.
fn face(all: &mut Vec<Corners>, vertices: &[[f64; 3]], numbers: &[f64], here: &str) -> Result<(), String> {
    if numbers.len() < 3 {
        return Err(format!("{here}: a face with {} corners; expected: 3 or more", numbers.len()));
    }
    let corner = |k: &f64| {
        // a negative number becomes 0 when it is made a count
        let vertex = if *k >= 0.0 { vertices.get(*k as usize) } else { None };
        vertex.copied().ok_or_else(|| {
            format!("{here}: there is no vertex {k}: there are {}, counted from 0", vertices.len())
        })
    };
    let corners = numbers.iter().map(corner).collect::<Result<Vec<_>, _>>()?;
    corners[1..].windows(2).try_for_each(|w| push(all, [corners[0], w[0], w[1]], || here.to_owned()))
}

/// What follows the header, number by number.
struct Data<'d> {
    coding: Coding,
    bytes: &'d [u8],
    /// the next byte, of a binary file
    at: usize,
    /// what is left of a line, and of the lines, of a text
    words: std::str::SplitAsciiWhitespace<'d>,
    line: usize,
    lines: std::str::Lines<'d>,
}

impl Data<'_> {
    fn here(&self) -> String {
        match self.coding {
            Coding::Text => format!("line {}", self.line),
            _ => format!("byte {}", self.at),
        }
    }

    fn next(&mut self, number: Number) -> Result<f64, String> {
        if self.coding == Coding::Text { self.next_word() } else { self.next_bytes(number) }
    }

    fn next_word(&mut self) -> Result<f64, String> {
        loop {
            if let Some(word) = self.words.next() {
                return word.parse().map_err(|_| format!("line {}: `{word}` is no number", self.line));
            }
            let line = self.lines.next();
            let line =
                line.ok_or_else(|| format!("it ends after line {}: a number is expected", self.line))?;
            self.words = line.split_ascii_whitespace();
            self.line += 1;
        }
    }

    fn next_bytes(&mut self, number: Number) -> Result<f64, String> {
        let (Number::Signed(n) | Number::Unsigned(n) | Number::Real(n)) = number;
        let given = self.bytes.get(self.at..self.at + n);
        let given =
            given.ok_or_else(|| format!("it ends at byte {}: a number is expected", self.bytes.len()))?;
        self.at += n;
        let mut eight = [0; 8];
        eight[..n].copy_from_slice(given);
        if self.coding == Coding::BigEndian {
            eight[..n].reverse();
        }
        let bits = u64::from_le_bytes(eight);
        Ok(match number {
            Number::Unsigned(_) => bits as f64,
            // the sign is in the highest of its bits
            Number::Signed(n) => ((bits << (64 - 8 * n)) as i64 >> (64 - 8 * n)) as f64,
            Number::Real(4) => f64::from(f32::from_bits(bits as u32)),
            Number::Real(_) => f64::from_bits(bits),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "ply\nformat ascii 1.0\ncomment a square\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\n\
                        element face 1\nproperty list uchar int vertex_indices\nproperty float area\nend_header\n";
    const BODY: &str = "0 0 0 255\n1 0 0 255\n1 1 0 255\n0 1 0 0\n4 0 1 2 3 1.0\n";
    const SQUARE: [Corners; 2] = [
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]],
        [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
    ];

    fn binary(big: bool) -> Vec<u8> {
        let format = if big { "binary_big_endian" } else { "binary_little_endian" };
        let mut bytes = HEAD.replace("ascii", format).into_bytes();
        let mut put = |mut part: Vec<u8>| {
            if big {
                part.reverse();
            }
            bytes.extend(part);
        };
        for line in BODY.lines().take(4) {
            let numbers: Vec<f32> = line.split(' ').map(|w| w.parse().unwrap()).collect();
            numbers[..3].iter().for_each(|x| put(x.to_le_bytes().to_vec()));
            put(vec![numbers[3] as u8]);
        }
        put(vec![4]);
        (0i32..4).for_each(|k| put(k.to_le_bytes().to_vec()));
        put(1f32.to_le_bytes().to_vec());
        bytes
    }

    #[test]
    fn all_three_codings_are_read() {
        assert_eq!(triangles(format!("{HEAD}{BODY}").as_bytes()).unwrap(), SQUARE);
        assert_eq!(triangles(format!("{HEAD}{BODY}").replace('\n', "\r\n").as_bytes()).unwrap(), SQUARE);
        assert_eq!(triangles(&binary(false)).unwrap(), SQUARE);
        assert_eq!(triangles(&binary(true)).unwrap(), SQUARE);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line_or_byte() {
        let said =
            |a: &str, b: &str| triangles(format!("{HEAD}{BODY}").replace(a, b).as_bytes()).unwrap_err();
        assert_eq!(said("ply", "PLY"), "it is no PLY file: its first line is not `ply`");
        assert_eq!(said("end_header", "end"), "its header has no end: a line `end_header` is expected");
        assert_eq!(
            said("ascii", "utf8"),
            "line 2: `format utf8 1.0` is no format; expected: one of ascii, binary_little_endian, binary_big_endian, and 1.0"
        );
        assert_eq!(said("format ascii 1.0\n", ""), "its header has no line `format`");
        assert_eq!(
            said("vertex 4", "vertex four"),
            "line 4: `element vertex four` has no number of `vertex`"
        );
        assert_eq!(said("property float z", "property real z"), "line 7: `property real z` is no property");
        assert_eq!(said("float z", "float w"), "its element `vertex` has not all of the properties x, y, z");
        assert_eq!(said("1 1 0 255", "1 one 0 255"), "line 15: `one` is no number");
        assert_eq!(
            said("4 0 1 2 3", "4 0 1 2 4"),
            "line 17: there is no vertex 4: there are 4, counted from 0"
        );
        assert_eq!(
            said("4 0 1 2 3", "4 0 1 2 -3"),
            "line 17: there is no vertex -3: there are 4, counted from 0"
        );
        assert_eq!(said("4 0 1 2 3", "2 0 1"), "line 17: a face with 2 corners; expected: 3 or more");
        assert_eq!(said("3 1.0\n", "3"), "it ends after line 17: a number is expected");
        let bytes = binary(true);
        let cut = triangles(&bytes[..bytes.len() - 1]).unwrap_err();
        assert_eq!(cut, format!("it ends at byte {}: a number is expected", bytes.len() - 1));
    }
}
