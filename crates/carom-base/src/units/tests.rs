//! Units in strings.

use crate::quantity::Quantity;

use super::table::{PREFIXES, UNITS};
use super::*;

fn si(text: &str, quantity: Quantity) -> f64 {
    parse(text, &Dimension::of(quantity, 1.5)).unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[test]
fn units_give_the_same_double_as_si() {
    use Quantity::*;
    let table = [
        ("25 mm", Length, 0.025),
        ("35mm", Length, 0.035),
        ("0.1 um", Length, 1e-7),
        ("2.5 in", Length, 2.5 * 0.0254),
        ("-3 cm", Length, -0.03),
        ("7", Length, 7.0),
        ("1e-3 km", Length, 1.0),
        ("96.8 g", Mass, 0.0968),
        ("2 t", Mass, 2000.0),
        ("10 us", Time, 1e-5),
        ("10 µs", Time, 1e-5),
        ("10 μs", Time, 1e-5),
        ("1.5 min", Time, 90.0),
        ("60 deg", Angle, 60f64.to_radians()),
        ("60°", Angle, 60f64.to_radians()),
        ("30 rpm", AngularSpeed, 30.0 * (std::f64::consts::TAU / 60.0)),
        ("1 rev/s", AngularSpeed, std::f64::consts::TAU),
        ("36 km/h", Speed, 36_000.0 / 3600.0),
        ("210 GPa", Pressure, 210e9),
        ("1 N/mm^2", Pressure, 1e6),
        ("5 kg m^-1 s^-2", Pressure, 5.0),
        ("7.85 g/cm^3", Density, 7850.0),
        ("7850 kg/m³", Density, 7850.0),
        ("9.81 m/s^2", Acceleration, 9.81),
        ("9.81 m/s/s", Acceleration, 9.81),
        ("9.81 m / s**2", Acceleration, 9.81),
        ("1e3 N/m^1.5", Stiffness, 1e3),
        ("1e3 kN/(m^0.5 m)", Stiffness, 1e6),
        ("3 s/m", InverseSpeed, 3.0),
        ("1.5 s/mm", InverseSpeed, 1500.0),
        ("39 kg*mm^2", Inertia, 39e-6),
        ("2 kN/mm", LinearStiffness, 2e6),
        ("1e3 N/m^1.5", PointStiffness, 1e3),
        ("5 MPa/mm", FoundationStiffness, 5e9),
        ("12 mN", Force, 0.012),
        ("3 N s/mm", LinearDamping, 3e3),
        ("3 kg/s", LinearDamping, 3.0),
        ("3 N s^2/m^2", QuadraticDamping, 3.0),
        ("3 g/mm", QuadraticDamping, 3.0),
        ("40 N s/m^1.25", PointDamping, 40.0),
        ("0.1 mm s/rad", RollingDamping, 1e-4),
        ("20 kN mm/rad", TorsionStiffness, 20.0),
        ("3 N m s/rad", TorsionDamping, 3.0),
        ("1e-13 m^2/N", WearCoefficient, 1e-13),
        ("2 mm^3/(N m)", WearCoefficient, 2e-9),
        ("0.3", Number, 0.3),
        ("1 m/m", Number, 1.0),
    ];
    for (text, quantity, expected) in table {
        assert_eq!(si(text, quantity), expected, "{text}");
    }
    // not a whole power of ten, so 10^4.5 is rounded
    let k = si("2 N/mm^1.5", Stiffness);
    assert!((k - 2.0 * 10f64.powf(4.5)).abs() < 1e-11 * k);
}

#[test]
fn refusals_say_why() {
    let length = Dimension::of(Quantity::Length, 1.5);
    let table = [
        ("25 kg", "\"25 kg\" is a mass"),
        ("25 MPa", "\"25 MPa\" is a pressure"),
        ("25 mn", "`mn` is not a unit"),
        ("mm", "\"mm\" is not a number"),
        ("", "\"\" is not a number"),
        ("1.2.3", "\".3\" is not a unit"),
        ("2 m/", "\"m/\" is not a unit"),
        ("2 m^x", "\"m^x\" is not a unit"),
        ("2 (m", "\"(m\" is not a unit"),
        ("2 m)", "\"m)\" is not a unit"),
        ("nan m", "\"nan m\" is not a number"),
        ("5 rad", "\"5 rad\" is an angle"),
    ];
    for (text, expected) in table {
        assert_eq!(parse(text, &length).unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn every_unit_and_prefix_reads() {
    for unit in UNITS {
        assert!(named(unit.0).is_ok());
        for (prefix, _) in PREFIXES {
            assert_eq!(named(&format!("{prefix}{}", unit.0)).is_ok(), unit.4 || known(prefix, unit.0));
        }
    }
}

/// Returns whether a prefix and a unit spell another unit by chance: `m` and `in`.
fn known(prefix: &str, unit: &str) -> bool {
    let word = format!("{prefix}{unit}");
    UNITS.iter().any(|u| u.0 == word)
        || PREFIXES
            .iter()
            .any(|(p, _)| word.strip_prefix(p).is_some_and(|rest| UNITS.iter().any(|u| u.0 == rest && u.4)))
}

/// Digits in groups are no product of units.
#[test]
fn digits_in_groups_are_refused() {
    for text in ["5 111 mm", "5 1 mm", "7 1 1 mm/s", "1 m1/s", "1 (1 m)"] {
        assert!(matches!(parse_any(text), Err(UnitError::Malformed(_))), "{text}");
    }
    for (text, x) in [("12 1/s", 12.0), ("0.5 1", 0.5), ("3 m/(1 s)", f64::NAN), ("2 1/(s m)", 2.0)] {
        assert!(x.is_nan() || parse_any(text).unwrap().0 == x, "{text}");
    }
}
