//! Units for showing numbers, with the prefix that makes them readable.

use carom::base::elementary::{pow, powi};
use carom_base::Quantity;

use super::dimension::{Dimension, NONE};
use super::measure::Measure;
use super::{UnitError, expression_unit};

/// A unit in which numbers are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownUnit {
    /// as on an axis: `mm`, `m/s²`
    pub text: String,
    /// its value in SI units
    pub value: f64,
    /// its dimension, if known
    pub dimension: Option<Dimension>,
}

/// A quantity, and the units in which it may be shown with their powers of ten, in increasing order.
type Line = (Quantity, &'static [(&'static str, i32)]);

const UNITS: &[Line] = &[
    (Quantity::Length, &[("nm", -9), ("µm", -6), ("mm", -3), ("m", 0), ("km", 3)]),
    (Quantity::Time, &[("ns", -9), ("µs", -6), ("ms", -3), ("s", 0)]),
    (Quantity::Mass, &[("mg", -6), ("g", -3), ("kg", 0)]),
    (Quantity::Speed, &[("µm/s", -6), ("mm/s", -3), ("m/s", 0), ("km/s", 3)]),
    (Quantity::Angle, &[("µrad", -6), ("mrad", -3), ("rad", 0)]),
    (Quantity::AngularSpeed, &[("µrad/s", -6), ("mrad/s", -3), ("rad/s", 0)]),
    (Quantity::Acceleration, &[("mm/s²", -3), ("m/s²", 0), ("km/s²", 3)]),
    (Quantity::AngularAcceleration, &[("rad/s²", 0)]),
    (Quantity::Rate, &[("1/s", 0)]),
    (Quantity::Force, &[("µN", -6), ("mN", -3), ("N", 0), ("kN", 3), ("MN", 6)]),
    (Quantity::Torque, &[("µN m", -6), ("mN m", -3), ("N m", 0), ("kN m", 3), ("MN m", 6)]),
    (Quantity::Energy, &[("nJ", -9), ("µJ", -6), ("mJ", -3), ("J", 0), ("kJ", 3), ("MJ", 6)]),
    (Quantity::Power, &[("µW", -6), ("mW", -3), ("W", 0), ("kW", 3), ("MW", 6)]),
    (Quantity::Pressure, &[("Pa", 0), ("kPa", 3), ("MPa", 6), ("GPa", 9)]),
    (Quantity::Density, &[("kg/m³", 0)]),
    (Quantity::LinearStiffness, &[("N/m", 0), ("kN/m", 3), ("MN/m", 6), ("GN/m", 9)]),
    (Quantity::LinearDamping, &[("N s/m", 0), ("kN s/m", 3)]),
    (Quantity::QuadraticDamping, &[("N s²/m²", 0)]),
    (Quantity::Inertia, &[("kg m²", 0)]),
];

impl ShownUnit {
    /// Chooses the unit for numbers up to `largest`: the plain SI unit if `largest` is from 0.1 to 10⁴ in it, else one with a
    /// prefix.
    pub fn fitting(measure: &Measure, largest: f64) -> ShownUnit {
        let plain = |text: String| ShownUnit { text, value: 1.0, dimension: measure.dimension };
        let Some(dimension) = measure.dimension else { return plain(String::new()) };
        // without a known quantity, the dimension of energy and torque is taken as energy
        let same = |q: Quantity| Dimension::of(q, 0.0).same(&dimension);
        let known = measure.quantity.and_then(|q| UNITS.iter().find(|(of, _)| *of == q));
        let energy = || UNITS.iter().find(|(q, _)| *q == Quantity::Energy && same(*q));
        let Some((_, units)) = known.or_else(energy).or_else(|| UNITS.iter().find(|(q, _)| same(*q))) else {
            let text = if dimension.same(&NONE) { "1".to_owned() } else { raised(&dimension.to_string()) };
            return plain(text);
        };
        let good = |ten: i32| (0.1..1e4).contains(&(largest / powi(10f64, ten)));
        let base = units.iter().find(|(_, ten)| *ten == 0).unwrap_or(&units[0]);
        let better = || {
            let fits = units.iter().rev().find(|(_, ten)| good(*ten));
            let edge = if largest < 1.0 { units.first() } else { units.last() };
            fits.or(edge).filter(|_| largest > 0.0 && largest.is_finite()).unwrap_or(base)
        };
        let (text, ten) = if good(base.1) { base } else { better() };
        ShownUnit { text: (*text).to_owned(), value: powi(10f64, *ten), dimension: Some(dimension) }
    }

    /// Returns the unit of that name.
    pub(crate) fn named(text: &str) -> Result<ShownUnit, UnitError> {
        let text = text.trim();
        let unit = expression_unit(text)?;
        let value = unit.factor * if unit.ten == 0.0 { 1.0 } else { pow(10f64, unit.ten) };
        Ok(ShownUnit { text: raised(text), value, dimension: Some(unit.dimension) })
    }

    /// Returns whether numbers of this measure can be shown in it.
    pub fn fits(&self, measure: &Measure) -> bool {
        self.dimension.zip(measure.dimension).is_some_and(|(a, b)| a.same(&b))
    }
}

/// Writes powers as superscripts: `m/s^2` as `m/s²`.
fn raised(text: &str) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let mut out = String::new();
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        if c != '^' {
            out.push(if c == 'u' && letters.peek().is_some() && out.is_empty() { 'µ' } else { c });
            continue;
        }
        while let Some(d) = letters.peek().copied().filter(|d| d.is_ascii_digit() || "-.".contains(*d)) {
            letters.next();
            out.push(match d {
                '-' => '⁻',
                '.' => '·',
                d => d.to_digit(10).map_or(d, |d| digits[d as usize]),
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_make_numbers_readable() {
        for (quantity, largest, text, value) in [
            (Quantity::Length, 0.66, "m", 1.0),
            (Quantity::Length, 0.0999, "mm", 1e-3),
            (Quantity::Length, 3.66e-3, "mm", 1e-3),
            (Quantity::Length, 3e-5, "µm", 1e-6),
            (Quantity::Length, 1e-15, "nm", 1e-9),
            (Quantity::Length, 0.0, "m", 1.0),
            (Quantity::Force, 9_999.0, "N", 1.0),
            (Quantity::Force, 12_000.0, "kN", 1e3),
            (Quantity::Force, 1e15, "MN", 1e6),
            (Quantity::Torque, 0.02, "mN m", 1e-3),
            (Quantity::Energy, 0.02, "mJ", 1e-3),
            (Quantity::Time, 2e-6, "µs", 1e-6),
            (Quantity::AngularAcceleration, 1e7, "rad/s²", 1.0),
            (Quantity::Number, 1e7, "1", 1.0),
            (Quantity::Length, f64::NAN, "m", 1.0),
        ] {
            let unit = ShownUnit::fitting(&Measure::of(Some(quantity)), largest);
            assert_eq!((unit.text.as_str(), unit.value), (text, value), "{quantity:?} {largest}");
        }
        assert_eq!(ShownUnit::fitting(&Measure::of(None), 1.0).text, "");
        // an expression is shown by its dimension alone
        for (quantity, text) in [(Quantity::Acceleration, "m/s²"), (Quantity::Torque, "J")] {
            let mut measure = Measure::of(Some(quantity));
            measure.quantity = None;
            assert_eq!(ShownUnit::fitting(&measure, 1.0).text, text);
        }
    }

    #[test]
    fn units_by_name() {
        let deg = ShownUnit::named("deg").unwrap();
        assert!(
            deg.fits(&Measure::of(Some(Quantity::Angle)))
                && (deg.value * 180.0 - std::f64::consts::PI).abs() < 1e-15
        );
        let unit = ShownUnit::named("um/s^2").unwrap();
        assert_eq!((unit.text.as_str(), unit.value), ("µm/s²", 1e-6));
        assert!(ShownUnit::named("mn").is_err());
        assert_eq!(raised("kg m^-1.5"), "kg m⁻¹·⁵");
    }
}
