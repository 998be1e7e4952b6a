//! The records of force elements.

use carom_base::Vec3;

/// The action of a force element on its bodies: a spring, a motor, a load.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForceRecord {
    /// its name in results: see [`Model::force_names`](crate::Model::force_names)
    pub force: String,
    /// force on its first body, world frame [N]
    pub on_first: Vec3,
    /// couple on its first body about that body's centre of mass, world frame [N m]
    pub couple: Vec3,
    /// its length and tension, if it acts along the line between two points
    pub line: Option<LineRecord>,
    /// the generalised force on the coordinate that it acts along [N or N m], if it acts along one coordinate
    pub effort: Option<f64>,
    /// power of its forces on all its bodies [W]
    pub power: f64,
    /// work of its forces on all its bodies since the start [J], if that is integrated
    pub work: Option<f64>,
}

/// A line between two points that carries a tension.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LineRecord {
    /// the distance between the points [m]
    pub length: f64,
    /// its rate [m/s]
    pub rate: f64,
    /// tension [N], which draws the points together
    pub tension: f64,
}

impl ForceRecord {
    /// Returns its numbers, each with the suffix of its column in results; which there are depends on the kind of force alone.
    ///
    /// ```
    /// let record = carom::ForceRecord { effort: Some(3.0), power: 6.0, ..Default::default() };
    /// let last: Vec<_> = record.columns().skip(6).collect();
    /// assert_eq!(last, [("effort", 3.0), ("power", 6.0)]);
    /// ```
    pub fn columns(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let (f, m) = (&self.on_first, &self.couple);
        let vectors = [("fx", f.x), ("fy", f.y), ("fz", f.z), ("mx", m.x), ("my", m.y), ("mz", m.z)];
        let line = self.line.map(|l| [("length", l.length), ("rate", l.rate), ("tension", l.tension)]);
        let effort = self.effort.map(|q| ("effort", q));
        let work = self.work.map(|w| ("work", w));
        vectors
            .into_iter()
            .chain(line.into_iter().flatten())
            .chain(effort)
            .chain([("power", self.power)])
            .chain(work)
    }
}
