//! Reads contact points back line by line, because there may be very many.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use carom_base::file;

use crate::csv::records;
use crate::data::DataFile;
use crate::error::ReadError;
use crate::files::CONTACTS;
use crate::tables::{CONTACT_FIRST, WITHIN_COLUMN, contact_columns};

/// A contact point that carries a force, at an output time or at a moment between two: a line of `contacts.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedContact {
    /// time \[s\]
    pub t: f64,
    /// `body/surface~body/surface`
    pub contact: String,
    /// name of the contact point within the contact
    pub feature: String,
    /// the numbers of the contact point
    pub at: RecordedPoint,
    /// whether the line belongs to a moment between output times
    pub within: bool,
}

/// Where a number of a contact point is kept.
type Cell = fn(&mut RecordedPoint) -> &mut f64;

/// The columns of `contacts.csv` that are read back, by their headings, and where their numbers are kept.
static CELLS: [(&str, Cell); 17] = [
    ("px", |p| &mut p.point[0]),
    ("py", |p| &mut p.point[1]),
    ("pz", |p| &mut p.point[2]),
    ("nx", |p| &mut p.normal[0]),
    ("ny", |p| &mut p.normal[1]),
    ("nz", |p| &mut p.normal[2]),
    ("delta", |p| &mut p.delta),
    ("delta_dot", |p| &mut p.delta_dot),
    ("fn", |p| &mut p.f_n),
    ("ftx", |p| &mut p.f_t[0]),
    ("fty", |p| &mut p.f_t[1]),
    ("ftz", |p| &mut p.f_t[2]),
    ("mx", |p| &mut p.couple[0]),
    ("my", |p| &mut p.couple[1]),
    ("mz", |p| &mut p.couple[2]),
    ("area", |p| &mut p.area),
    ("pressure", |p| &mut p.pressure),
];

/// No line is longer [bytes].
const LINE: u64 = 1 << 20;

/// The columns of the oldest folders. All folders have them; those that were added later may be missing, and what they
/// hold is then as in [`RecordedContact::default`]. (The oldest folders have output times only.)
const OLDEST: [&str; 18] = [
    "t",
    "contact",
    "feature",
    "px",
    "py",
    "pz",
    "nx",
    "ny",
    "nz",
    "delta",
    "delta_dot",
    "fn",
    "ftx",
    "fty",
    "ftz",
    "mx",
    "my",
    "mz",
];

/// What a column of a file holds.
#[derive(Clone, Copy)]
enum Role {
    Time,
    Contact,
    Feature,
    Number(Cell),
    Within,
    /// a number of [`CONTACT`](crate::tables::CONTACT) that is not read back
    Skipped,
}

/// The columns of a file: heading and role, in the order of the file.
struct Header(Vec<(&'static str, Role)>);

impl Header {
    /// Finds the roles of headings, which may be in any order; `None` if one is not known, or one that is needed is missing.
    fn new(headings: &[&str]) -> Option<Header> {
        let role = |heading: &&str| {
            let name = contact_columns(true).find(|name| name == heading)?;
            let cell = CELLS.iter().find(|cell| cell.0 == name);
            let [time, contact, feature] = CONTACT_FIRST;
            let role = match name {
                _ if name == time => Role::Time,
                _ if name == contact => Role::Contact,
                _ if name == feature => Role::Feature,
                _ if name == WITHIN_COLUMN => Role::Within,
                _ => cell.map_or(Role::Skipped, |cell| Role::Number(cell.1)),
            };
            Some((name, role))
        };
        let known: Vec<(&str, Role)> = headings.iter().map(role).collect::<Option<_>>()?;
        OLDEST.iter().all(|name| headings.contains(name)).then_some(Header(known))
    }
}

impl RecordedContact {
    /// Calls `each` with every line of a folder's `contacts.csv` in the order of time; without the file it is never called. An
    /// incomplete line, and what follows it, is left out.
    pub fn for_each(folder: &Path, mut each: impl FnMut(&RecordedContact)) -> Result<(), ReadError> {
        let path = folder.join(CONTACTS);
        let Ok(file) = file::open(&path) else { return Ok(()) };
        let broken = |line: usize, why: String| ReadError::Broken { path: path.clone(), line, why };
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let (mut text, mut line, mut contact) = (String::new(), 0, RecordedContact::default());
        let mut header: Option<Header> = None;
        loop {
            text.clear();
            line += 1;
            let read =
                (&mut reader).take(LINE).read_line(&mut text).map_err(|e| broken(line, e.to_string()))?;
            if read as u64 == LINE {
                return Err(broken(line, format!("it has more than {LINE} bytes")));
            }
            if read == 0 || !text.ends_with('\n') {
                return Ok(());
            }
            let text = text.trim_end();
            match &header {
                Some(header) => {
                    contact.read(header, text).map_err(|why| broken(line, why))?;
                    each(&contact);
                }
                None => {
                    let headings: Vec<&str> = text.split(',').collect();
                    let wrong = || broken(1, "its columns are not those of contacts".to_owned());
                    header = Some(Header::new(&headings).ok_or_else(wrong)?);
                }
            }
        }
    }

    /// Calls `each` with every line of a `contacts.csv` held in memory, in the order of time.
    pub(super) fn for_each_in(
        table: &DataFile,
        mut each: impl FnMut(&RecordedContact),
    ) -> Result<(), ReadError> {
        let mut contact = RecordedContact::default();
        let headings: Vec<&str> = table.columns.iter().map(|column| &*column.name).collect();
        // a table in memory was written by this program
        let Some(Header(header)) = Header::new(&headings) else { return Ok(()) };
        for row in 0..table.rows() {
            for (i, (_, role)) in header.iter().enumerate() {
                let number = || table.numbers(i)[row];
                match role {
                    Role::Time => contact.t = number(),
                    Role::Contact => replace(&mut contact.contact, &table.texts(i)[row]),
                    Role::Feature => replace(&mut contact.feature, &table.texts(i)[row]),
                    Role::Number(cell) => *cell(&mut contact.at) = number(),
                    Role::Within => contact.within = number() == 1.0,
                    Role::Skipped => (),
                }
            }
            each(&contact);
        }
        Ok(())
    }

    /// Takes the values of a line.
    fn read(&mut self, header: &Header, line: &str) -> Result<(), String> {
        if line.contains('"') {
            let (lines, _) = records(&format!("{line}\n"));
            return self.take(header, lines.iter().flat_map(|l| &l.1).map(String::as_str));
        }
        self.take(header, line.split(','))
    }

    fn take<'t>(&mut self, header: &Header, mut fields: impl Iterator<Item = &'t str>) -> Result<(), String> {
        for (name, role) in &header.0 {
            let text = fields.next().ok_or_else(|| format!("it ends before {name}"))?;
            let number =
                || text.parse::<f64>().map_err(|_| format!("`{text}` in column {name} is no number"));
            match role {
                Role::Time => self.t = number()?,
                Role::Contact => replace(&mut self.contact, text),
                Role::Feature => replace(&mut self.feature, text),
                Role::Number(cell) => *cell(&mut self.at) = number()?,
                Role::Within => self.within = text == "1",
                Role::Skipped => (),
            }
        }
        Ok(())
    }
}

/// Replaces a text, and keeps its memory.
fn replace(old: &mut String, new: &str) {
    old.clear();
    old.push_str(new);
}

/// A contact point over the output times at which it carries a force.
#[derive(Clone, Debug, PartialEq)]
pub struct PointHistory {
    /// `body/surface~body/surface`
    pub contact: String,
    /// name of the contact point within the contact
    pub feature: String,
    /// values at output times, each with the index of the output time
    pub lines: Vec<(usize, RecordedPoint)>,
    /// values at moments between output times \[s\], in the order of time
    pub within: Vec<(f64, RecordedPoint)>,
}

/// The numbers of a contact point at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecordedPoint {
    /// contact point on the first body \[m\]
    pub point: [f64; 3],
    /// unit normal, out of the first body into the second
    pub normal: [f64; 3],
    /// indentation \[m\]
    pub delta: f64,
    /// rate of the indentation [m/s]
    pub delta_dot: f64,
    /// normal force \[N\]
    pub f_n: f64,
    /// friction force on the first body \[N\]
    pub f_t: [f64; 3],
    /// couple on the first body [N m]
    pub couple: [f64; 3],
    /// area of a patch [m²]; 0 for a contact point
    pub area: f64,
    /// largest pressure of a patch \[Pa\]; 0 for a contact point
    pub pressure: f64,
}

impl RecordedPoint {
    /// Returns the force on the first body \[N\]: −f_n n + f_t.
    pub fn force(&self) -> [f64; 3] {
        [0, 1, 2].map(|i| self.f_t[i] - self.f_n * self.normal[i])
    }
}

/// Collects the contact points of `contacts.csv` in the order in which they first touch. `each_line` goes through the lines;
/// those of output times that are not in `t` are left out.
pub(crate) fn touching(
    t: &[f64],
    each_line: impl FnOnce(&mut dyn FnMut(&RecordedContact)) -> Result<(), ReadError>,
) -> Result<Vec<PointHistory>, ReadError> {
    let mut all: Vec<PointHistory> = Vec::new();
    let mut indices: HashMap<String, HashMap<String, usize>> = HashMap::new();
    each_line(&mut |c| {
        let at = t.partition_point(|x| *x < c.t);
        // moments after the last output time come from a run that was killed
        if t.get(at).is_none_or(|x| !c.within && *x != c.t) {
            return;
        }
        let known = indices.get(&c.contact).and_then(|features| features.get(&c.feature)).copied();
        let index = known.unwrap_or_else(|| {
            let (contact, feature) = (c.contact.clone(), c.feature.clone());
            indices.entry(contact.clone()).or_default().insert(feature.clone(), all.len());
            all.push(PointHistory { contact, feature, lines: Vec::new(), within: Vec::new() });
            all.len() - 1
        });
        match t.get(at) == Some(&c.t) {
            true => all[index].lines.push((at, c.at)),
            false => all[index].within.push((c.t, c.at)),
        }
    })?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(line: &str) -> Option<Header> {
        Header::new(&line.split(',').collect::<Vec<_>>())
    }

    #[test]
    fn lines_come_back_and_bad_ones_are_said() {
        let mut c = RecordedContact::default();
        let oldest = OLDEST.join(",");
        let (old, new) = (header(&oldest).unwrap(), header(&format!("{oldest},within")).unwrap());
        let numbers = "1,2,3,0,0,1,0.5,-1,7,4,5,6,0,0,9";
        c.read(&old, &format!("0.25,\"a,b/s~c/d\",slice 3,{numbers}")).unwrap();
        assert!(!c.within);
        c.read(&new, &format!("0.25,\"a,b/s~c/d\",slice 3,{numbers},1")).unwrap();
        assert!(c.within);
        c.read(&new, &format!("0.25,\"a,b/s~c/d\",slice 3,{numbers},0")).unwrap();
        assert!(!c.within);
        assert_eq!((c.t, c.contact.as_str(), c.feature.as_str()), (0.25, "a,b/s~c/d", "slice 3"));
        let at = c.at;
        assert_eq!((at.point, at.normal, at.f_n), ([1.0, 2.0, 3.0], [0.0, 0.0, 1.0], 7.0));
        assert_eq!(
            (at.delta, at.delta_dot, at.f_t, at.couple),
            (0.5, -1.0, [4.0, 5.0, 6.0], [0.0, 0.0, 9.0])
        );
        assert_eq!(c.read(&old, "1,a,b,1,2").unwrap_err(), "it ends before pz");
        assert_eq!(c.read(&old, "1,a,b,1,x").unwrap_err(), "`x` in column py is no number");
    }

    /// Columns are found by their headings; one that is not known, or is missing, is refused.
    #[test]
    fn headers_of_older_folders_are_known() {
        assert!(header("t,contact,feature,px").is_none());
        assert!(header(&format!("{},within,colour", OLDEST.join(","))).is_none());
        let mut c = RecordedContact::default();
        let turned: Vec<&str> = OLDEST.into_iter().rev().collect();
        let line = "9,0,0,6,5,4,7,-1,0.5,1,0,0,3,2,1,slice 3,a~b,0.25";
        c.read(&header(&turned.join(",")).unwrap(), line).unwrap();
        assert_eq!((c.t, c.at.point, c.at.couple), (0.25, [1.0, 2.0, 3.0], [0.0, 0.0, 9.0]));
    }
}
