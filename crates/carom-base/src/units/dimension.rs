//! Physical dimensions of units.

use crate::quantity::Quantity;

/// Exponents of metre, kilogram, second and radian.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dimension([f64; 4]);

pub(super) const NONE: Dimension = Dimension([0.0; 4]);
pub(super) const LENGTH: Dimension = Dimension([1.0, 0.0, 0.0, 0.0]);
pub(super) const MASS: Dimension = Dimension([0.0, 1.0, 0.0, 0.0]);
pub(super) const TIME: Dimension = Dimension([0.0, 0.0, 1.0, 0.0]);
pub(super) const ANGLE: Dimension = Dimension([0.0, 0.0, 0.0, 1.0]);
pub(super) const SPEED: Dimension = Dimension([1.0, 0.0, -1.0, 0.0]);
pub(super) const FORCE: Dimension = Dimension([1.0, 1.0, -2.0, 0.0]);
pub(super) const PRESSURE: Dimension = Dimension([-1.0, 1.0, -2.0, 0.0]);
pub(super) const ENERGY: Dimension = Dimension([2.0, 1.0, -2.0, 0.0]);
pub(super) const POWER: Dimension = Dimension([2.0, 1.0, -3.0, 0.0]);
pub(super) const FREQUENCY: Dimension = Dimension([0.0, 0.0, -1.0, 0.0]);
pub(super) const ANGULAR_SPEED: Dimension = Dimension([0.0, 0.0, -1.0, 1.0]);

impl Dimension {
    /// That of a plain number.
    pub const NONE: Dimension = NONE;
    /// That of an angle.
    pub const ANGLE: Dimension = ANGLE;
    /// That of a time.
    pub const TIME: Dimension = TIME;

    /// Returns the dimension of a quantity; `exponent` is the exponent of a stiffness.
    pub fn of(quantity: Quantity, exponent: f64) -> Dimension {
        match quantity {
            // (its dimension is not asked for)
            Quantity::Number | Quantity::Any => NONE,
            Quantity::Length => LENGTH,
            Quantity::Mass => MASS,
            Quantity::Time => TIME,
            Quantity::Speed => SPEED,
            Quantity::InverseSpeed => NONE.times(&SPEED, -1.0),
            Quantity::Angle => ANGLE,
            Quantity::AngularSpeed => ANGULAR_SPEED,
            Quantity::Rate => FREQUENCY,
            Quantity::Pressure => PRESSURE,
            Quantity::Density => MASS.times(&LENGTH, -3.0),
            Quantity::Stiffness => FORCE.times(&LENGTH, -exponent),
            Quantity::LinearStiffness => FORCE.times(&LENGTH, -1.0),
            Quantity::PointStiffness => FORCE.times(&LENGTH, -1.5),
            Quantity::FoundationStiffness => PRESSURE.times(&LENGTH, -1.0),
            Quantity::SurfaceEnergy => ENERGY.times(&LENGTH, -2.0),
            Quantity::Force => FORCE,
            Quantity::Torque => ENERGY,
            Quantity::LinearDamping => FORCE.times(&SPEED, -1.0),
            Quantity::QuadraticDamping => FORCE.times(&SPEED, -2.0),
            Quantity::PointDamping => FORCE.times(&SPEED, -1.0).times(&LENGTH, -0.25),
            Quantity::TorsionStiffness => ENERGY.times(&ANGLE, -1.0),
            Quantity::TorsionDamping => ENERGY.times(&ANGULAR_SPEED, -1.0),
            Quantity::RollingDamping => LENGTH.times(&ANGULAR_SPEED, -1.0),
            Quantity::Acceleration => SPEED.times(&TIME, -1.0),
            Quantity::Inertia => MASS.times(&LENGTH, 2.0),
            Quantity::Viscosity => PRESSURE.times(&TIME, 1.0),
            Quantity::DensityGradient => MASS.times(&LENGTH, -4.0),
            Quantity::Energy => ENERGY,
            Quantity::Power => POWER,
            Quantity::AngularAcceleration => ANGULAR_SPEED.times(&TIME, -1.0),
            Quantity::WearCoefficient => NONE.times(&PRESSURE, -1.0),
            Quantity::Area => NONE.times(&LENGTH, 2.0),
            Quantity::Volume => NONE.times(&LENGTH, 3.0),
            Quantity::GravitationalParameter => NONE.times(&LENGTH, 3.0).times(&TIME, -2.0),
        }
    }

    /// Multiplies by a power of another dimension.
    pub fn times(&self, other: &Dimension, power: f64) -> Dimension {
        let mut out = *self;
        for (a, b) in out.0.iter_mut().zip(other.0) {
            *a += power * b;
        }
        out
    }

    /// Returns whether both dimensions are equal.
    pub fn same(&self, other: &Dimension) -> bool {
        self.0.iter().zip(other.0).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    /// Returns whether both dimensions are equal if an angle is a plain number: rad is 1.
    pub fn same_but_angles(&self, other: &Dimension) -> bool {
        let plain = |d: &Dimension| Dimension([d.0[0], d.0[1], d.0[2], 0.0]);
        plain(self).same(&plain(other))
    }
}

/// Words for dimensions, for messages.
const NOUNS: &[(Dimension, &str)] = &[
    (NONE, "a plain number"),
    (LENGTH, "a length"),
    (MASS, "a mass"),
    (TIME, "a time"),
    (SPEED, "a speed"),
    (ANGLE, "an angle"),
    (ANGULAR_SPEED, "an angular speed"),
    (FREQUENCY, "a frequency"),
    (FORCE, "a force"),
    (PRESSURE, "a pressure"),
    (ENERGY, "an energy or a torque"),
    (POWER, "a power"),
    (Dimension([1.0, 0.0, -2.0, 0.0]), "an acceleration"),
    (Dimension([2.0, 0.0, 0.0, 0.0]), "an area"),
    (Dimension([3.0, 0.0, 0.0, 0.0]), "a volume"),
    (Dimension([-3.0, 1.0, 0.0, 0.0]), "a density"),
    (Dimension([2.0, 1.0, 0.0, 0.0]), "a moment of inertia"),
    (Dimension([0.0, 1.0, -2.0, 0.0]), "a linear stiffness"),
    (Dimension([-0.5, 1.0, -2.0, 0.0]), "a stiffness in N/m^1.5"),
    (Dimension([-2.0, 1.0, -2.0, 0.0]), "a pressure per length"),
    (Dimension([0.0, 1.0, -1.0, 0.0]), "a damping in N s/m"),
    (Dimension([-1.0, 1.0, 0.0, 0.0]), "a damping in N s^2/m^2"),
    (Dimension([-0.25, 1.0, -1.0, 0.0]), "a damping in N s/m^1.25"),
    (Dimension([2.0, 1.0, -2.0, -1.0]), "a stiffness in N m/rad"),
    (Dimension([2.0, 1.0, -1.0, -1.0]), "a damping in N m s/rad"),
    (Dimension([1.0, 0.0, 1.0, -1.0]), "a damping in m s/rad"),
    (Dimension([-1.0, 0.0, 1.0, 0.0]), "one over a speed"),
];

/// Quantities whose units have names of their own.
const DERIVED: &[Quantity] = &[
    Quantity::Speed,
    Quantity::AngularSpeed,
    Quantity::Acceleration,
    Quantity::Force,
    Quantity::Pressure,
    Quantity::Torque,
    Quantity::Power,
    Quantity::Density,
    Quantity::LinearStiffness,
];

impl Dimension {
    /// Describes the dimension in words if it has a name, else in base units.
    pub fn noun(&self) -> String {
        match NOUNS.iter().find(|(d, _)| d.same(self)) {
            Some((_, noun)) => (*noun).to_owned(),
            None => format!("in {self}"),
        }
    }

    /// Describes the dimension in words with its unit: `a length in m`.
    pub fn described(&self) -> String {
        let noun = self.noun();
        if self.same(&NONE) || noun.contains("in ") { noun } else { format!("{noun} in {}", self.unit()) }
    }

    /// Returns its SI unit: `m/s`, `N`, `kg m`.
    pub fn unit(&self) -> String {
        let named = DERIVED.iter().find(|q| Dimension::of(**q, 0.0).same(self));
        named.map_or_else(|| self.to_string(), |q| q.unit().to_owned())
    }
}

/// Writes the dimension in base units: `kg/(m s^2)` as `kg m^-1 s^-2`.
impl std::fmt::Display for Dimension {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let power = |name: &str, p: f64| match p {
            1.0 => name.to_owned(),
            p => format!("{name}^{p}"),
        };
        let order = [1, 0, 2, 3];
        let names = ["m", "kg", "s", "rad"];
        let parts: Vec<String> =
            order.iter().filter(|&&i| self.0[i].abs() > 1e-9).map(|&i| power(names[i], self.0[i])).collect();
        match parts.as_slice() {
            [] => write!(f, "no unit"),
            _ => write!(f, "{}", parts.join(" ")),
        }
    }
}
