//! The records of force elements.

use carom_base::{Quantity, Vec3};

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
    /// the generalised force on the coordinate that it acts along, if it acts along one coordinate
    pub effort: Option<EffortRecord>,
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

/// The generalised force on a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EffortRecord {
    /// its value [N m along an angle, N along a displacement]; a positive one increases the coordinate
    pub value: f64,
    /// its physical quantity: [`Quantity::Torque`] along an angle, [`Quantity::Force`] along a displacement
    pub quantity: Quantity,
}

/// A number that is recorded of a force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceColumn {
    /// the suffix of its column in results
    pub suffix: &'static str,
    /// its physical quantity
    pub quantity: Quantity,
    /// its value
    pub value: f64,
}

impl ForceRecord {
    /// Returns its numbers; which there are depends on the kind of force alone.
    ///
    /// ```
    /// let record = carom::ForceRecord { power: 6.0, work: Some(2.0), ..Default::default() };
    /// let last: Vec<_> = record.columns().skip(6).map(|c| (c.suffix, c.value)).collect();
    /// assert_eq!(last, [("power", 6.0), ("work", 2.0)]);
    /// ```
    pub fn columns(&self) -> impl Iterator<Item = ForceColumn> {
        let column = |suffix, quantity, value| ForceColumn { suffix, quantity, value };
        let vector = move |suffixes: [&'static str; 3], quantity, v: Vec3| {
            [0, 1, 2].map(|i| column(suffixes[i], quantity, v[i]))
        };
        let line = self.line.map(|l| {
            [
                column("length", Quantity::Length, l.length),
                column("rate", Quantity::Speed, l.rate),
                column("tension", Quantity::Force, l.tension),
            ]
        });
        vector(["fx", "fy", "fz"], Quantity::Force, self.on_first)
            .into_iter()
            .chain(vector(["mx", "my", "mz"], Quantity::Torque, self.couple))
            .chain(line.into_iter().flatten())
            .chain(self.effort.map(|e| column("effort", e.quantity, e.value)))
            .chain([column("power", Quantity::Power, self.power)])
            .chain(self.work.map(|w| column("work", Quantity::Energy, w)))
    }
}
