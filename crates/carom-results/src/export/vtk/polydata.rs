//! Writes a `.vtp` file: points, cells, and the data at the points.

use std::fmt::Write as _;

/// Points with cells and data.
#[derive(Debug, Default)]
pub(super) struct PolyData {
    /// whether numbers are written in single precision
    single: bool,
    pub(super) points: Vec<[f64; 3]>,
    pub(super) verts: Vec<Vec<i32>>,
    pub(super) lines: Vec<Vec<i32>>,
    pub(super) polys: Vec<Vec<i32>>,
    data: Vec<(&'static str, Array)>,
    names: Vec<(&'static str, Vec<String>)>,
}

#[derive(Debug)]
enum Array {
    Vectors(Vec<[f64; 3]>),
    Scalars(Vec<f64>),
    Integers(Vec<i32>),
}

impl PolyData {
    /// Makes a set whose numbers are written in single precision.
    pub(super) fn single() -> PolyData {
        PolyData { single: true, ..PolyData::default() }
    }

    /// Makes a set of these points.
    pub(super) fn of(points: Vec<[f64; 3]>) -> PolyData {
        PolyData { points, ..PolyData::default() }
    }

    pub(super) fn vectors(&mut self, name: &'static str, x: Vec<[f64; 3]>) {
        self.data.push((name, Array::Vectors(x)));
    }

    pub(super) fn scalars(&mut self, name: &'static str, x: Vec<f64>) {
        self.data.push((name, Array::Scalars(x)));
    }

    pub(super) fn integers(&mut self, name: &'static str, x: Vec<i32>) {
        self.data.push((name, Array::Integers(x)));
    }

    /// Adds texts of the whole set, as field data.
    pub(super) fn names(&mut self, name: &'static str, texts: Vec<String>) {
        self.names.push((name, texts));
    }

    /// Returns the file.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut file = File { single: self.single, ..File::default() };
        let head = "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n";
        file.xml += head;
        file.xml += "<FieldData>\n";
        for (name, texts) in &self.names {
            // every text ends with a zero byte
            let codes: Vec<String> =
                texts.iter().flat_map(|t| t.bytes().chain([0])).map(|b| b.to_string()).collect();
            let _ = writeln!(
                file.xml,
                "<DataArray type=\"String\" Name=\"{name}\" NumberOfTuples=\"{}\" format=\"ascii\">\n{}\n</DataArray>",
                texts.len(),
                codes.join(" ")
            );
        }
        file.xml += "</FieldData>\n";
        let _ = writeln!(
            file.xml,
            "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">",
            self.points.len(),
            self.verts.len(),
            self.lines.len(),
            self.polys.len()
        );
        file.xml += "<PointData>\n";
        for (name, array) in &self.data {
            match array {
                Array::Vectors(x) => file.doubles(name, 3, x.as_flattened()),
                Array::Scalars(x) => file.doubles(name, 1, x),
                Array::Integers(x) => file.integers(name, x),
            }
        }
        file.xml += "</PointData>\n<Points>\n";
        file.doubles("Points", 3, self.points.as_flattened());
        file.xml += "</Points>\n";
        for (name, cells) in [("Verts", &self.verts), ("Lines", &self.lines), ("Polys", &self.polys)] {
            let _ = writeln!(file.xml, "<{name}>");
            let ends = cells.iter().scan(0, |end, cell| {
                *end += cell.len() as i32;
                Some(*end)
            });
            file.integers("connectivity", &cells.concat());
            file.integers("offsets", &ends.collect::<Vec<_>>());
            let _ = writeln!(file.xml, "</{name}>");
        }
        file.xml += "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
        let mut bytes = file.xml.into_bytes();
        bytes.extend(file.appended);
        bytes.extend(b"\n</AppendedData>\n</VTKFile>\n");
        bytes
    }
}

/// The XML text, and the numbers appended to it.
#[derive(Default)]
struct File {
    single: bool,
    xml: String,
    appended: Vec<u8>,
}

impl File {
    fn array(&mut self, kind: &str, name: &str, components: usize, bytes: Vec<u8>) {
        let offset = self.appended.len();
        let _ = writeln!(
            self.xml,
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\"/>"
        );
        self.appended.extend((bytes.len() as u64).to_le_bytes());
        self.appended.extend(bytes);
    }

    fn doubles(&mut self, name: &str, components: usize, x: &[f64]) {
        match self.single {
            true => {
                let bytes = x.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect();
                self.array("Float32", name, components, bytes);
            }
            false => {
                self.array("Float64", name, components, x.iter().flat_map(|x| x.to_le_bytes()).collect());
            }
        }
    }

    fn integers(&mut self, name: &str, x: &[i32]) {
        self.array("Int32", name, 1, x.iter().flat_map(|x| x.to_le_bytes()).collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_where_the_text_says() {
        let mut p = PolyData::of(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]]);
        p.polys = vec![vec![0, 1, 2]];
        p.scalars("s", vec![1.0, 2.0, 3.5]);
        p.names("who", vec!["a".to_owned(), "é".to_owned()]);
        let bytes = p.bytes();
        let mark = b"<AppendedData encoding=\"raw\">\n_";
        let start = bytes.windows(mark.len()).position(|w| w == mark).unwrap() + mark.len();
        let text = std::str::from_utf8(&bytes[..start]).unwrap();
        assert!(text.contains("NumberOfPoints=\"3\"") && text.contains("\n97 0 195 169 0\n"), "{text}");
        let offset = |name: &str| -> usize {
            let at = text.find(&format!("Name=\"{name}\"")).unwrap();
            let rest = text[at..].split("offset=\"").nth(1).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        let doubles = |name: &str, n: usize| -> Vec<f64> {
            let at = start + offset(name);
            assert_eq!(bytes[at..at + 8], (8 * n as u64).to_le_bytes());
            let data = &bytes[at + 8..at + 8 + 8 * n];
            data.chunks(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect()
        };
        assert_eq!(doubles("s", 3), [1.0, 2.0, 3.5]);
        assert_eq!(doubles("Points", 9)[8], 0.5);
    }
}
