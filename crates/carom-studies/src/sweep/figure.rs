//! Makes figures of a sweep: a measure over the varied values.

use carom_plot::{Axis, Curve, Figure, Heat, Look, Mark, Panel};
use carom_scene::units::unit;
use carom_scene::units::{Measure, ShownUnit};

use super::error::SweepError;
use super::table::Table;
use super::vary::{Over, Vary};

/// Size of a panel [px].
const SIZE: (f64, f64) = (560.0, 420.0);
/// Lines with up to this many points show the points.
const FEW: usize = 60;

/// A figure to draw from a sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// the measure, by its name in the table
    pub measure: String,
    /// horizontal axis: a varied path, or the end of one; by default the first
    pub against: Option<String>,
    /// varied path with dots or a line for each of its values; without it, if two paths were varied, a map
    pub by: Option<String>,
    /// restriction to rows with these values: `path=value`, as in the table
    pub at: Vec<String>,
    /// whether the vertical axis is logarithmic
    pub log: bool,
    /// text above the figure; may be empty
    pub title: String,
}

/// The values of a column along an axis; words are placed at their index in the list, from 1.
struct Along<'t> {
    vary: &'t Vary,
    words: Vec<String>,
}

impl<'t> Along<'t> {
    fn of(table: &'t Table, i: usize) -> Along<'t> {
        let vary = &table.varied[i];
        let words = match &vary.over {
            Over::Texts(all) => (0..all.len()).filter_map(|k| vary.nth(k)).map(|s| s.cell).collect(),
            _ => Vec::new(),
        };
        Along { vary, words }
    }

    fn value(&self, cell: &str) -> f64 {
        match self.words.iter().position(|w| w == cell) {
            Some(i) => (i + 1) as f64,
            None => cell.parse().unwrap_or(f64::NAN),
        }
    }

    fn axis(&self) -> Axis {
        let label = self.vary.column();
        match &self.vary.over {
            Over::Texts(_) => Axis::names(label, self.words.clone()),
            Over::Range { log: true, from, .. } if *from > 0.0 => Axis::log(label),
            _ => Axis::linear(label),
        }
    }
}

/// Returns the last part of a path: `coefficient` of `friction/coefficient`.
fn short(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

impl Table {
    /// Makes the figure: a line over one path, lines for the values of a second, or a map over two. Samples are dots, which in a
    /// map over two are coloured. With `against`, samples of more than two paths are dots over that one.
    pub fn figure(&self, wanted: &Wanted) -> Result<Figure, SweepError> {
        let wrong = |why: String| Err(SweepError::Figure(why));
        let values = self.measure(&wanted.measure)?;
        let fixed = wanted.at.iter().map(|text| self.fixed(text)).collect::<Result<Vec<_>, _>>()?;
        let rows: Vec<(&Vec<String>, f64)> = self
            .rows
            .iter()
            .zip(values)
            .filter(|(row, _)| fixed.iter().all(|(i, cell)| same(&row[i + 1], cell)))
            .collect();
        if rows.is_empty() {
            return wrong("there is no row to draw".to_owned());
        }
        let by = wanted.by.as_ref().map(|name| self.varied_by(name)).transpose()?;
        let free: Vec<usize> =
            (0..self.varied.len()).filter(|i| !fixed.iter().any(|f| f.0 == *i) && by != Some(*i)).collect();
        let across = match &wanted.against {
            Some(name) => self.varied_by(name)?,
            None => match free.first() {
                Some(i) => *i,
                None => return wrong("nothing is left to draw it over".to_owned()),
            },
        };
        if by == Some(across) {
            return wrong("`against` and `by` name the same".to_owned());
        }
        let rest: Vec<usize> = free.into_iter().filter(|i| *i != across).collect();
        let shown = self.shown(&wanted.measure, &rows);
        let scaled: Vec<(&Vec<String>, f64)> = rows.iter().map(|(row, x)| (*row, x / shown.value)).collect();
        let label = match shown.text.as_str() {
            "" => wanted.measure.clone(),
            unit => format!("{} [{unit}]", wanted.measure),
        };
        let panel = match rest[..] {
            [other] if self.design != "grid" && by.is_none() && wanted.against.is_none() => {
                self.scattered(&scaled, across, other, label)
            }
            _ if self.design != "grid" => self.lines(&scaled, across, by, (label, wanted.log), Mark::Points),
            [] => {
                let mark = if scaled.len() <= FEW * by.map_or(1, |_| 10) { Mark::Dots } else { Mark::Line };
                self.lines(&scaled, across, by, (label, wanted.log), mark)
            }
            [other] if by.is_none() => self.map(&scaled, across, other, label),
            _ => {
                let left: Vec<&str> = rest.iter().map(|i| self.varied[*i].path.as_str()).collect();
                return wrong(format!("say at which value of {}: at PATH=VALUE", left.join(", ")));
            }
        };
        Ok(Figure::new(1).title(&wanted.title).panel_size(SIZE.0, SIZE.1).panel(panel))
    }

    /// Draws one line, or one for each value of another path.
    fn lines(
        &self,
        rows: &[(&Vec<String>, f64)],
        across: usize,
        by: Option<usize>,
        (label, log): (String, bool),
        mark: Mark,
    ) -> Panel {
        let along = Along::of(self, across);
        let mut curves: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
        for (row, value) in rows {
            let name = by.map_or(String::new(), |i| {
                let Vary { path, unit, .. } = &self.varied[i];
                format!("{} = {} {unit}", short(path), row[i + 1]).trim_end().to_owned()
            });
            let point = (along.value(&row[across + 1]), *value);
            match curves.iter_mut().find(|c| c.0 == name) {
                Some(curve) => curve.1.push(point),
                None => curves.push((name, vec![point])),
            }
        }
        let y = if log { Axis::log(label) } else { Axis::linear(label) };
        let curves = curves.into_iter().enumerate().map(|(n, (name, mut points))| {
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            Curve::new(name, points, n).look(Look::nth(n)).mark(mark)
        });
        Panel::new(along.axis(), y).curves(curves)
    }

    /// Draws a colour for every pair of values.
    fn map(&self, rows: &[(&Vec<String>, f64)], across: usize, up: usize, label: String) -> Panel {
        let (x, y) = (Along::of(self, across), Along::of(self, up));
        let middles = |along: &Along<'_>, i: usize| {
            let mut all: Vec<f64> = rows.iter().map(|(row, _)| along.value(&row[i + 1])).collect();
            all.sort_by(f64::total_cmp);
            all.dedup();
            all
        };
        let (xs, ys) = (middles(&x, across), middles(&y, up));
        let mut values = vec![vec![f64::NAN; xs.len()]; ys.len()];
        for (row, value) in rows {
            let index = |all: &[f64], x: f64| all.partition_point(|a| a.total_cmp(&x).is_lt());
            let (i, j) = (index(&xs, x.value(&row[across + 1])), index(&ys, y.value(&row[up + 1])));
            values[j][i] = *value;
        }
        Panel::new(x.axis(), y.axis()).heat(Heat::new(label, xs, ys, values))
    }

    /// Draws a coloured dot for every sample.
    fn scattered(&self, rows: &[(&Vec<String>, f64)], across: usize, up: usize, label: String) -> Panel {
        let (x, y) = (Along::of(self, across), Along::of(self, up));
        let dot =
            |(row, value): &(&Vec<String>, f64)| (x.value(&row[across + 1]), y.value(&row[up + 1]), *value);
        let dots = rows.iter().map(dot).collect();
        Panel::new(x.axis(), y.axis()).heat(Heat::dots(label, dots))
    }

    /// Finds a varied path by its whole name or its end.
    fn varied_by(&self, name: &str) -> Result<usize, SweepError> {
        let ends =
            |v: &Vary| v.path.strip_suffix(name).is_some_and(|head| head.is_empty() || head.ends_with('/'));
        let mut fits = (0..self.varied.len()).filter(|i| ends(&self.varied[*i]));
        match (fits.next(), fits.next()) {
            (Some(i), None) => Ok(i),
            (first, _) => {
                let all: Vec<&str> = self.varied.iter().map(|v| v.path.as_str()).collect();
                let what = if first.is_some() { "several paths end in" } else { "there was not varied" };
                Err(SweepError::Figure(format!("{what} `{name}`; varied: {}", all.join(", "))))
            }
        }
    }

    /// Reads `path=value`.
    fn fixed(&self, text: &str) -> Result<(usize, String), SweepError> {
        let Some((path, cell)) = text.split_once('=') else {
            return Err(SweepError::Figure(format!("at {text}: PATH=VALUE, as the table has it")));
        };
        let i = self.varied_by(path.trim())?;
        let cell = cell.trim();
        match self.rows.iter().any(|row| same(&row[i + 1], cell)) {
            true => Ok((i, cell.to_owned())),
            false => Err(SweepError::Figure(format!("at {text}: no row has this value"))),
        }
    }

    /// Chooses the unit in which a measure is shown.
    fn shown(&self, measure: &str, rows: &[(&Vec<String>, f64)]) -> ShownUnit {
        let name = self.measures.iter().find(|m| m.0 == measure).map_or("", |m| m.1.as_str());
        let largest = rows.iter().map(|r| r.1.abs()).filter(|x| x.is_finite()).fold(0.0, f64::max);
        let dimension = unit(name).ok().filter(|_| !name.is_empty()).and_then(|u| u.dimension);
        ShownUnit::fitting(&Measure::new(dimension), largest)
    }
}

/// Returns whether both are the same text, or the same number.
fn same(cell: &str, asked: &str) -> bool {
    cell == asked || cell.parse::<f64>().is_ok_and(|a| asked.parse() == Ok(a))
}
