//! The varied paths of a sweep: `PATH=VALUES`.

use carom::base::elementary::{log10, pow};
use carom_base::number::push_number;
use carom_scene::units;
use carom_scene::units::unit;

use super::error::SweepError;

/// A path of a scene, and the values it takes.
///
/// | values | meaning |
/// |---|---|
/// | `0.1,0.2,0.5` | these numbers |
/// | `hertz,flores` | these words |
/// | `0:60deg:7` | seven values, evenly spaced from 0 to 60 degrees |
/// | `1e-3:1e-1:9:log` | nine values with a constant ratio |
/// | `0:60deg`, `1e-3:1:log` | a range, in which a sampled plan places as many values as it has runs |
///
/// A unit after the last number applies to all. `log` comes last; numbers are written as in scenes.
///
/// ```
/// use carom_studies::sweep::Vary;
/// let tilt = Vary::parse("parameter/tilt=0:60deg:7")?;
/// assert_eq!(tilt.column(), "parameter/tilt [deg]");
/// assert_eq!(tilt.nth(1).unwrap().set, "parameter/tilt=10 deg");
/// let law = Vary::parse("contact/ball~floor/normal/law=hertz,flores")?;
/// assert_eq!(law.nth(1).unwrap().cell, "flores");
/// # Ok::<(), carom_studies::sweep::SweepError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    /// `table/name/key`, as in `--set`
    pub path: String,
    /// the values
    pub over: Over,
    /// unit of all numbers; may be empty
    pub unit: String,
    /// the text as given
    pub text: String,
}

/// The values of a varied path.
#[derive(Clone, Debug, PartialEq)]
pub enum Over {
    /// numbers, in [`Vary::unit`]
    Numbers(Vec<f64>),
    /// words, or numbers with different units
    Texts(Vec<String>),
    /// from one number to another, in [`Vary::unit`]
    Range {
        /// the first
        from: f64,
        /// the last
        to: f64,
        /// number of values; `None`: as many as the plan has runs
        count: Option<usize>,
        /// whether ratios are constant, not differences
        log: bool,
    },
}

/// A value of a varied path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// `path=value`, as in `--set`
    pub set: String,
    /// the value as in the table, without the unit
    pub cell: String,
}

/// Largest number of values of a range.
const MOST: usize = 10_000_000;

impl Vary {
    /// Reads `PATH=VALUES`.
    pub fn parse(text: &str) -> Result<Vary, SweepError> {
        let wrong = |why: &str| SweepError::Vary { text: text.to_owned(), why: why.to_owned() };
        let Some((path, values)) = text.split_once('=') else {
            return Err(wrong("`=` is missing: PATH=VALUES, as in run/rtol=1e-6,1e-8,1e-10"));
        };
        let (path, values) = (path.trim(), values.trim());
        if path.is_empty() || values.is_empty() {
            return Err(wrong("the path or the values are missing: PATH=VALUES"));
        }
        let parts = split(values, ',');
        if parts.iter().any(|p| p.is_empty()) {
            return Err(wrong("a value is empty"));
        }
        let ends = split(values, ':');
        let is_range = parts.len() == 1 && ends.len() > 1 && units::written(&ends[0]).is_some();
        let found = if is_range { range(&ends) } else { list(parts) };
        let (over, unit) = found.map_err(|why| wrong(&why))?;
        Ok(Vary { path: path.to_owned(), over, unit, text: text.to_owned() })
    }

    /// Returns the number of values; `None`: as many as a sampled plan has runs.
    pub fn count(&self) -> Option<usize> {
        match &self.over {
            Over::Numbers(all) => Some(all.len()),
            Over::Texts(all) => Some(all.len()),
            Over::Range { count, .. } => *count,
        }
    }

    /// Returns the i-th value.
    pub fn nth(&self, i: usize) -> Option<Setting> {
        match &self.over {
            Over::Numbers(all) => all.get(i).map(|x| self.number(*x)),
            Over::Texts(all) => all.get(i).map(|text| self.text(text)),
            Over::Range { count, .. } => {
                let last = count.filter(|n| i < *n)?.saturating_sub(1).max(1);
                Some(self.number(self.between(i as f64, last as f64)))
            }
        }
    }

    /// Returns the value at this fraction of the range, from 0 to 1; a list is divided into equal parts, one per value.
    pub fn at(&self, share: f64) -> Setting {
        let index = |n: usize| ((share * n as f64) as usize).min(n.saturating_sub(1));
        match &self.over {
            Over::Numbers(all) => self.number(all[index(all.len())]),
            Over::Texts(all) => self.text(&all[index(all.len())]),
            Over::Range { .. } => self.number(self.between(share, 1.0)),
        }
    }

    /// Returns the heading of its column in the table: the path, and the unit.
    pub fn column(&self) -> String {
        if self.unit.is_empty() { self.path.clone() } else { format!("{} [{}]", self.path, self.unit) }
    }

    /// Returns the value at i of n equal parts of the range; both ends are exact.
    fn between(&self, i: f64, n: f64) -> f64 {
        let Over::Range { from, to, log, .. } = self.over else { return f64::NAN };
        // (from (n − i) + to i)/n rather than from + i (to − from)/n: with round ends the values between are round
        let mixed = |from: f64, to: f64| (from * (n - i) + to * i) / n;
        match log {
            _ if i == 0.0 => from,
            _ if i == n => to,
            true => from.signum() * pow(10f64, mixed(log10(from.abs()), log10(to.abs()))),
            false => mixed(from, to),
        }
    }

    fn number(&self, x: f64) -> Setting {
        let mut bytes = Vec::new();
        push_number(&mut bytes, x);
        let cell = String::from_utf8_lossy(&bytes).into_owned();
        let space = if self.unit.is_empty() { "" } else { " " };
        Setting { set: format!("{}={cell}{space}{}", self.path, self.unit), cell }
    }

    fn text(&self, text: &str) -> Setting {
        let bare = text.trim_matches(['"', '\'']);
        Setting { set: format!("{}={text}", self.path), cell: bare.to_owned() }
    }
}

/// Splits at this character, but not within quotes and brackets.
fn split(text: &str, at: char) -> Vec<String> {
    let (mut parts, mut depth, mut quote) = (vec![String::new()], 0usize, None);
    for c in text.chars() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            (None, '[' | '{' | '(') => depth += 1,
            (None, ']' | '}' | ')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        match parts.last_mut() {
            Some(part) if c != at || depth > 0 || quote.is_some() => part.push(c),
            _ => parts.push(String::new()),
        }
    }
    parts.iter().map(|p| p.trim().to_owned()).collect()
}

/// Returns the common unit: all have the same one, or none before the last.
fn common<'u>(all: &[(f64, &'u str)]) -> Option<&'u str> {
    let last = all.last()?.1;
    all.iter().all(|(_, unit)| unit.is_empty() || *unit == last).then_some(last)
}

fn checked(name: &str) -> Result<String, String> {
    if !name.is_empty() {
        unit(name)?;
    }
    Ok(name.to_owned())
}

fn list(parts: Vec<String>) -> Result<(Over, String), String> {
    let numbers: Option<Vec<(f64, &str)>> = parts.iter().map(|p| units::written(p)).collect();
    match numbers.as_deref().and_then(|all| Some((all, common(all)?))) {
        Some((all, unit)) if unit.is_empty() || unit_like(unit) => {
            Ok((Over::Numbers(all.iter().map(|x| x.0).collect()), checked(unit)?))
        }
        _ => Ok((Over::Texts(parts), String::new())),
    }
}

/// Returns whether it is a unit, so that a word that begins with a digit (`2nd`) is not taken as a number.
fn unit_like(text: &str) -> bool {
    unit(text).is_ok() || text.chars().next().is_some_and(char::is_whitespace)
}

fn range(ends: &[String]) -> Result<(Over, String), String> {
    let form = "FROM:TO:COUNT, FROM:TO:COUNT:log, or for samples FROM:TO and FROM:TO:log";
    let number =
        |i: usize| units::written(&ends[i]).ok_or_else(|| format!("`{}` is not a number; {form}", ends[i]));
    let both = [number(0)?, number(1)?];
    let unit = common(&both).ok_or_else(|| "both ends in the same unit".to_owned())?;
    let ([(from, _), (to, _)], unit) = (both, checked(unit)?);
    let (rest, log) = match ends[2..].split_last() {
        Some((last, rest)) if last == "log" => (rest, true),
        _ => (&ends[2..], false),
    };
    let count = match rest {
        [] => None,
        [n] => {
            let count = n.parse().ok().filter(|n: &usize| (1..=MOST).contains(n));
            Some(count.ok_or_else(|| format!("`{n}` is not a count from 1 to {MOST}; {form}"))?)
        }
        _ => return Err(form.to_owned()),
    };
    if !(from.is_finite() && to.is_finite()) {
        return Err("both ends must be finite".to_owned());
    }
    if log && !(from * to > 0.0) {
        return Err("even ratios need both ends above zero, or both below".to_owned());
    }
    Ok((Over::Range { from, to, count, log }, unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<String> {
        let vary = Vary::parse(text).unwrap();
        (0..vary.count().unwrap()).map(|i| vary.nth(i).unwrap().cell).collect()
    }

    #[test]
    fn lists_ranges_and_words() {
        assert_eq!(cells("p=0:60deg:7"), ["0", "10", "20", "30", "40", "50", "60"]);
        assert_eq!(cells("p=0.1:0.3:3"), ["0.1", "0.2", "0.3"]);
        assert_eq!(cells("p=1e-3:1e-1:3:log"), ["0.001", "0.01", "0.1"]);
        assert_eq!(cells("p=-1:-100:3:log"), ["-1", "-10", "-100"]);
        assert_eq!(cells("p=5:7:1"), ["5"]);
        assert_eq!(cells("law=hertz,flores"), ["hertz", "flores"]);
        assert_eq!(cells("axis=[1,0,0],[0,1,0]"), ["[1,0,0]", "[0,1,0]"]);
        assert_eq!(cells("name=\"a,b\",'c:d'"), ["a,b", "c:d"]);
        assert_eq!(cells("on=true,false"), ["true", "false"]);
        let list = Vary::parse("p=10,20,30mm").unwrap();
        assert_eq!((list.column().as_str(), list.nth(0).unwrap().set.as_str()), ("p [mm]", "p=10 mm"));
        let mixed = Vary::parse("p=1mm,1cm").unwrap();
        assert_eq!((mixed.column().as_str(), mixed.nth(1).unwrap().set.as_str()), ("p", "p=1cm"));
        let range = Vary::parse("p=1mm:1m:log").unwrap_err().to_string();
        assert!(range.contains("same unit"), "{range}");
        let range = Vary::parse("p=1:100:log").unwrap();
        assert_eq!((range.count(), range.at(0.5).cell.as_str()), (None, "10"));
        let words = Vary::parse("p=a,b,c").unwrap();
        let at = [0.0, 0.3, 0.34, 0.7, 1.0].map(|u| words.at(u).cell);
        assert_eq!(at, ["a", "a", "b", "c", "c"]);
    }

    #[test]
    fn wrong_ones_say_why() {
        for (text, why) in [
            ("p", "`=` is missing"),
            ("p=", "missing"),
            ("p=1,,2", "a value is empty"),
            ("p=0:1:0", "not a count"),
            ("p=0:1:x", "not a count"),
            ("p=0:x:3", "`x` is not a number"),
            ("p=0:1:3:log", "even ratios"),
            ("p=1:2:3:4:log", "FROM:TO:COUNT"),
            ("p=0:5mn:3", "did you mean"),
        ] {
            let said = Vary::parse(text).unwrap_err().to_string();
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
