//! Values to show a law with: for the line of a scene, and to compare friction laws.

use carom::base::param::{Presence, Quantity};
use carom::base::{Args, Param, Value};

/// A key of a quantity, a usual value in SI units, and the value as one writes it.
type Usual = (&'static str, Quantity, f64, &'static str);

/// Keys that several laws have, or whose value must fit another's.
const BY_NAME: [Usual; 15] = [
    ("restitution", Quantity::Number, 0.7, "0.7"),
    ("plasticity", Quantity::Number, 0.5, "0.5"),
    ("coefficient", Quantity::Number, 0.3, "0.3"),
    ("static_coefficient", Quantity::Number, 0.4, "0.4"),
    ("adhesion_range", Quantity::Length, 5e-10, "\"0.5 nm\""),
    ("transition_speed", Quantity::Speed, 1e-3, "\"1 mm/s\""),
    ("v0", Quantity::Speed, 1e-4, "\"0.1 mm/s\""),
    ("v1", Quantity::Speed, 1e-3, "\"1 mm/s\""),
    ("stribeck_speed", Quantity::Speed, 3e-3, "\"3 mm/s\""),
    ("slope", Quantity::InverseSpeed, 3000.0, "\"3000 s/m\""),
    ("decay", Quantity::InverseSpeed, 500.0, "\"500 s/m\""),
    ("bristle_stiffness", Quantity::LinearStiffness, 1e5, "\"1e5 N/m\""),
    // of rolling and spinning
    ("coefficient", Quantity::Length, 1e-4, "\"0.1 mm\""),
    ("transition_rate", Quantity::AngularSpeed, 0.1, "\"0.1 rad/s\""),
    ("dwell_time", Quantity::Time, 0.1, "\"0.1 s\""),
];

/// For any other key.
fn by_quantity(quantity: Quantity) -> (f64, &'static str) {
    match quantity {
        Quantity::Number => (1.0, "1"),
        Quantity::Length => (0.01, "\"10 mm\""),
        Quantity::Mass => (1.0, "\"1 kg\""),
        Quantity::Time => (1e-5, "\"10 us\""),
        Quantity::Speed => (1e-3, "\"1 mm/s\""),
        Quantity::InverseSpeed => (0.5, "\"0.5 s/m\""),
        Quantity::Angle => (0.1, "\"0.1 rad\""),
        Quantity::AngularSpeed => (1.0, "\"1 rad/s\""),
        Quantity::Rate => (10.0, "\"10 1/s\""),
        Quantity::Pressure => (1e9, "\"1 GPa\""),
        Quantity::Density => (1e3, "\"1000 kg/m^3\""),
        Quantity::Stiffness | Quantity::PointStiffness => (1e8, "\"1e8 N/m^1.5\""),
        Quantity::LinearStiffness => (1e6, "\"1e6 N/m\""),
        Quantity::FoundationStiffness => (1e9, "\"1e9 Pa/m\""),
        Quantity::SurfaceEnergy => (0.05, "\"0.05 J/m^2\""),
        Quantity::Force => (1.0, "\"1 N\""),
        Quantity::Torque => (1.0, "\"1 N m\""),
        Quantity::LinearDamping => (10.0, "\"10 N s/m\""),
        Quantity::QuadraticDamping => (10.0, "\"10 N s^2/m^2\""),
        Quantity::PointDamping => (100.0, "\"100 N s/m^1.25\""),
        Quantity::TorsionStiffness => (10.0, "\"10 N m/rad\""),
        Quantity::TorsionDamping => (1.0, "\"1 N m s/rad\""),
        Quantity::RollingDamping => (1e-5, "\"0.01 mm s/rad\""),
        Quantity::Acceleration => (9.81, "\"9.81 m/s^2\""),
        Quantity::Inertia => (1.0, "\"1 kg m^2\""),
        Quantity::Viscosity => (100.0, "\"100 Pa s\""),
        Quantity::DensityGradient => (100.0, "100"),
        Quantity::Energy => (1.0, "\"1 J\""),
        Quantity::Power => (1.0, "\"1 W\""),
        Quantity::AngularAcceleration => (1.0, "\"1 rad/s^2\""),
        Quantity::WearCoefficient => (1e-13, "\"1e-13 m^2/N\""),
        Quantity::Any => (1.0, "1"),
        Quantity::Area => (1.0, "\"1 m^2\""),
        Quantity::Volume => (1.0, "\"1 m^3\""),
        Quantity::GravitationalParameter => (1.0, "\"1 m^3/s^2\""),
    }
}

/// The usual value of a key, in SI units.
pub(super) fn usual_value(p: &Param) -> f64 {
    usual(p).0
}

fn usual(p: &Param) -> (f64, &'static str) {
    let named = BY_NAME.iter().find(|(name, quantity, ..)| (*name, *quantity) == (p.name, p.quantity));
    named.map_or_else(|| by_quantity(p.quantity), |(.., x, text)| (*x, *text))
}

/// Whether a key is in the sample: all that must be given, and of those of which one must be, the first.
fn shown(p: &&Param) -> bool {
    let first = p.name == "restitution" || p.quantity == Quantity::FoundationStiffness;
    p.presence == Presence::Required || first
}

/// Usual values for all keys a law needs.
pub(super) fn args(params: &[Param]) -> Args {
    params.iter().filter(shown).fold(Args::new(), |args, p| args.with(p.name, Value::Number(usual(p).0)))
}

/// The same as the line of a scene: `normal = { law = "flores", restitution = 0.7 }`.
pub(super) fn line(kind: &str, name: &str, params: &[Param]) -> String {
    let values: String =
        params.iter().filter(shown).map(|p| format!(", {} = {}", p.name, usual(p).1)).collect();
    format!("{kind} = {{ law = \"{name}\"{values} }}")
}

/// A number of the tables; what rounding leaves of nothing is nothing.
pub(super) fn cell(x: f64) -> String {
    format!("{:.4}", if x.abs() < 5e-5 { 0.0 } else { x })
}
