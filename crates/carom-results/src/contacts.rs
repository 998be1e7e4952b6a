//! Reads contact points back line by line, because there may be very many.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::csv::records;
use crate::data::DataFile;
use crate::error::ReadError;
use crate::files::CONTACTS;
use crate::tables::CONTACT;

/// A contact point that carries a force, at an output time or at a moment between two: a line of `contacts.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedContact {
    /// time \[s\]
    pub t: f64,
    /// `body/surface~body/surface`
    pub contact: String,
    /// name of the contact point within the contact
    pub feature: String,
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
    /// whether the line belongs to a moment between output times
    pub within: bool,
}

impl RecordedContact {
    /// Calls `each` with every line of a folder's `contacts.csv` in the order of time; without the file it is never called. An
    /// incomplete line, and what follows it, is left out.
    pub fn for_each(folder: &Path, mut each: impl FnMut(&RecordedContact)) -> Result<(), ReadError> {
        let path = folder.join(CONTACTS);
        let Ok(file) = File::open(&path) else { return Ok(()) };
        let broken = |line: usize, why: String| ReadError::Broken { path: path.clone(), line, why };
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let (mut text, mut line, mut contact) = (String::new(), 0, RecordedContact::default());
        loop {
            text.clear();
            line += 1;
            let read = reader.read_line(&mut text).map_err(|e| broken(line, e.to_string()))?;
            if read == 0 || !text.ends_with('\n') {
                return Ok(());
            }
            if line > 1 {
                contact.read(text.trim_end()).map_err(|why| broken(line, why))?;
                each(&contact);
            // folders of older versions lack the last column: they have output times only
            } else if ![CONTACT.join(","), CONTACT[..CONTACT.len() - 1].join(",")]
                .contains(&text.trim_end().to_owned())
            {
                return Err(broken(1, "its columns are not those of contacts".to_owned()));
            }
        }
    }

    /// Calls `each` with every line of a `contacts.csv` held in memory, in the order of time.
    pub(super) fn for_each_in(
        table: &DataFile,
        mut each: impl FnMut(&RecordedContact),
    ) -> Result<(), ReadError> {
        let mut contact = RecordedContact::default();
        let (names, features) = (table.texts(1), table.texts(2));
        let numbers: Vec<&[f64]> = (0..CONTACT.len()).map(|i| table.numbers(i)).collect();
        for row in 0..table.rows() {
            contact.t = numbers[0][row];
            contact.name(&names[row], &features[row]);
            contact.numbers().zip(&numbers[3..]).for_each(|(x, column)| *x = column[row]);
            contact.within = numbers[CONTACT.len() - 1].get(row) == Some(&1.0);
            each(&contact);
        }
        Ok(())
    }

    fn name(&mut self, contact: &str, feature: &str) {
        for (name, given) in [(&mut self.contact, contact), (&mut self.feature, feature)] {
            name.clear();
            name.push_str(given);
        }
    }

    /// Returns the numbers in the columns after the two names.
    fn numbers(&mut self) -> impl Iterator<Item = &mut f64> {
        let RecordedContact { point, normal, delta, delta_dot, f_n, f_t, couple, .. } = self;
        point.iter_mut().chain(normal).chain([delta, delta_dot, f_n]).chain(f_t).chain(couple)
    }

    /// Takes the values of a line.
    fn read(&mut self, line: &str) -> Result<(), String> {
        if line.contains('"') {
            let (lines, _) = records(&format!("{line}\n"));
            return self.take(lines.iter().flat_map(|l| &l.1).map(String::as_str));
        }
        self.take(line.split(','))
    }

    fn take<'t>(&mut self, mut fields: impl Iterator<Item = &'t str>) -> Result<(), String> {
        let number = |text: Option<&str>, column: usize| {
            let text = text.ok_or_else(|| format!("it ends before {}", CONTACT[column]))?;
            text.parse::<f64>().map_err(|_| format!("`{text}` in column {} is no number", CONTACT[column]))
        };
        self.t = number(fields.next(), 0)?;
        let mut text =
            |column: usize| fields.next().ok_or_else(|| format!("it ends before {}", CONTACT[column]));
        let (contact, feature) = (text(1)?, text(2)?);
        self.name(contact, feature);
        for (x, column) in self.numbers().zip(3..) {
            *x = number(fields.next(), column)?;
        }
        self.within = fields.next() == Some("1");
        Ok(())
    }
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

/// A contact point at an output time.
#[derive(Clone, Copy, Debug, PartialEq)]
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
        let RecordedContact { point, normal, delta, delta_dot, f_n, f_t, couple, .. } = *c;
        let point = RecordedPoint { point, normal, delta, delta_dot, f_n, f_t, couple };
        match t.get(at) == Some(&c.t) {
            true => all[index].lines.push((at, point)),
            false => all[index].within.push((c.t, point)),
        }
    })?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_and_bad_ones_are_said() {
        let mut c = RecordedContact::default();
        let numbers = "1,2,3,0,0,1,0.5,-1,7,4,5,6,0,0,9";
        c.read(&format!("0.25,\"a,b/s~c/d\",slice 3,{numbers}")).unwrap();
        assert!(!c.within);
        c.read(&format!("0.25,\"a,b/s~c/d\",slice 3,{numbers},1")).unwrap();
        assert!(c.within);
        c.read(&format!("0.25,\"a,b/s~c/d\",slice 3,{numbers},0")).unwrap();
        assert!(!c.within);
        assert_eq!((c.t, c.contact.as_str(), c.feature.as_str()), (0.25, "a,b/s~c/d", "slice 3"));
        assert_eq!((c.point, c.normal, c.f_n), ([1.0, 2.0, 3.0], [0.0, 0.0, 1.0], 7.0));
        assert_eq!((c.delta, c.delta_dot, c.f_t, c.couple), (0.5, -1.0, [4.0, 5.0, 6.0], [0.0, 0.0, 9.0]));
        assert_eq!(c.read("1,a,b,1,2").unwrap_err(), "it ends before pz");
        assert_eq!(c.read("1,a,b,1,x").unwrap_err(), "`x` in column py is no number");
    }
}
