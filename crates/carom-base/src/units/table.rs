//! The units and prefixes.

use super::dimension::{
    ANGLE, ANGULAR_SPEED, Dimension, ENERGY, FORCE, FREQUENCY, LENGTH, MASS, POWER, PRESSURE, TIME,
};

/// Name, dimension, value in SI units as a factor and a power of ten, and whether it accepts prefixes.
pub(super) type Line = (&'static str, Dimension, f64, i32, bool);

const DEGREE: f64 = std::f64::consts::PI / 180.0;
const TURN: f64 = 2.0 * std::f64::consts::PI;

/// The units. Units from outside the SI have their exact definitions.
pub(super) const UNITS: &[Line] = &[
    ("m", LENGTH, 1.0, 0, true),
    ("g", MASS, 1.0, -3, true),
    ("s", TIME, 1.0, 0, true),
    ("rad", ANGLE, 1.0, 0, true),
    ("N", FORCE, 1.0, 0, true),
    ("Pa", PRESSURE, 1.0, 0, true),
    ("J", ENERGY, 1.0, 0, true),
    ("W", POWER, 1.0, 0, true),
    ("Hz", FREQUENCY, 1.0, 0, true),
    ("bar", PRESSURE, 1.0, 5, true),
    ("deg", ANGLE, DEGREE, 0, false),
    ("°", ANGLE, DEGREE, 0, false),
    ("rev", ANGLE, TURN, 0, false),
    ("rpm", ANGULAR_SPEED, TURN / 60.0, 0, false),
    ("min", TIME, 60.0, 0, false),
    ("h", TIME, 3600.0, 0, false),
    ("t", MASS, 1.0, 3, false),
    ("in", LENGTH, 0.0254, 0, false),
    ("ft", LENGTH, 0.3048, 0, false),
    ("lb", MASS, 0.45359237, 0, false),
    ("lbf", FORCE, 4.4482216152605, 0, false),
    ("psi", PRESSURE, 4.4482216152605 / (0.0254 * 0.0254), 0, false),
];

pub(super) const PREFIXES: &[(&str, i32)] = &[
    ("p", -12),
    ("n", -9),
    ("u", -6),
    ("µ", -6),
    ("μ", -6),
    ("m", -3),
    ("c", -2),
    ("d", -1),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
];

/// Units with prefixes that are suggested for misspelt ones.
pub(super) const COMMON: &[&str] =
    &["mm", "cm", "km", "kg", "mg", "ms", "us", "µs", "kN", "mN", "kPa", "MPa", "GPa", "kHz"];
