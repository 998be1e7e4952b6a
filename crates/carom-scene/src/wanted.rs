//! Forms of values in words, for messages and the reference.

use carom_base::Quantity;
use carom_base::param::Allowed;

use crate::keys::{Form, Key, Kind};

/// An example of an expression of time and state.
const SIGNAL: &str = "\"-k*(arm.angle - target) - c*arm.rate\"";

/// Describes the value that a key needs, for messages.
pub(crate) fn wanted_note(key: &Key) -> String {
    format!("`{}` is {}", key.name, wanted(&key.form))
}

/// Describes a value of the form, for messages.
pub(crate) fn wanted(form: &Form) -> String {
    match form {
        Form::Text | Form::Name => "a string".to_owned(),
        Form::Bool => "true or false".to_owned(),
        Form::Number(Quantity::Number, _) => "a number".to_owned(),
        Form::Number(q, _) => {
            format!("a number in {}, or a string with a unit, as {}", q.unit(), example(*q))
        }
        Form::CountOr(least, most, word) => format!("a whole number from {least} to {most}, or \"{word}\""),
        Form::Vector(n, Quantity::Number, _) => format!("an array of {n} numbers"),
        Form::Vector(n, q, _) => {
            format!("an array of {n} numbers in {}, or strings with units, as {}", q.unit(), example(*q))
        }
        Form::Each(n, q, _) => {
            format!(
                "a number in {}, or a string with a unit, as {}, or an array of {n} of them",
                q.unit(),
                example(*q)
            )
        }
        Form::Rows(n, q, _) => {
            format!("an array of arrays of {n} numbers in {}, or strings with units", q.unit())
        }
        Form::List(q, _) => {
            format!("an array of numbers in {}, or strings with units, as {}", q.unit(), example(*q))
        }
        Form::Tensor(q) => format!("an array of 3 moments in {}, or of 3 rows of 3", q.unit()),
        Form::Word(words) => format!("one of {}", quoted(&words.all())),
        Form::Words(words) => format!("an array of words, each one of {}", quoted(&words.all())),
        Form::Texts(n) => format!("an array of {n} strings"),
        Form::TextList => "an array of strings".to_owned(),
        Form::OneOrTexts => "a string, or an array of strings".to_owned(),
        Form::Sides => "an array of 2 sides, each a string or an array of strings".to_owned(),
        Form::Part => "a table".to_owned(),
        Form::Parameters => "a table of numbers by name".to_owned(),
        Form::Expression => "an expression of the time in a string, as \"0.01*sin(40*t)\"".to_owned(),
        Form::Signal(q) => format!(
            "{}, or an expression of time and state, as {SIGNAL}",
            wanted(&Form::Number(*q, Allowed::Finite))
        ),
        Form::Signals(n, q) => {
            let numbers = wanted(&Form::Vector(*n, *q, Allowed::Finite));
            format!("{numbers}, or with expressions of time and state, as {SIGNAL}")
        }
        Form::Matrix => "an array of rows of numbers, as [[1, 0], [0, 1]]".to_owned(),
        Form::Readings => format!("an expression of time and state, as {SIGNAL}, or an array of them"),
        Form::Curve(..) => "an array of points [x, value], two or more, x increasing".to_owned(),
        Form::Points(_) => "an array of points [t, value], two or more, their times increasing".to_owned(),
        Form::Target => "the path of a number that can be driven, as \"body/NAME/density\"".to_owned(),
        Form::Table(t) => match &t.kinds {
            Some(k) => format!("a table with `{}`, one of {}", k.tag, names(&(k.all)())),
            None => "a table".to_owned(),
        },
        Form::Array(t) => format!("an array of tables, [[{}]]", t.title),
        Form::Tables(_) => "a table, or an array of tables".to_owned(),
        Form::Map(t) => format!("a table of tables, [{}.NAME]", t.title),
        Form::OneKind(noun, all) => format!("a table with one {noun}, of {}", names(&all())),
    }
}

fn names(kinds: &[Kind]) -> String {
    quoted(&kinds.iter().map(|k| k.name).collect::<Vec<_>>())
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(", ")
}

/// Returns an example of a value with a unit, for messages and the reference.
pub(crate) fn example(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Number => "0.5",
        Quantity::Length => "\"25 mm\"",
        Quantity::Mass => "\"100 g\"",
        Quantity::Time => "\"10 ms\"",
        Quantity::Speed => "\"50 mm/s\"",
        Quantity::InverseSpeed => "\"1 s/mm\"",
        Quantity::Angle => "\"60 deg\"",
        Quantity::AngularSpeed => "\"30 rpm\"",
        Quantity::Rate => "\"50 1/s\"",
        Quantity::Pressure => "\"210 GPa\"",
        Quantity::Density => "\"7.85 g/cm^3\"",
        Quantity::Stiffness | Quantity::PointStiffness => "\"1e6 N/m^1.5\"",
        Quantity::LinearStiffness => "\"2 kN/mm\"",
        Quantity::FoundationStiffness => "\"5 MPa/mm\"",
        Quantity::Force => "\"12 N\"",
        Quantity::Torque => "\"5 N m\"",
        Quantity::LinearDamping => "\"3 N s/m\"",
        Quantity::QuadraticDamping => "\"3 N s^2/m^2\"",
        Quantity::PointDamping => "\"40 N s/m^1.25\"",
        Quantity::TorsionStiffness => "\"20 N m/rad\"",
        Quantity::TorsionDamping => "\"3 N m s/rad\"",
        Quantity::RollingDamping => "\"0.1 mm s/rad\"",
        Quantity::Acceleration => "\"9.81 m/s^2\"",
        Quantity::Inertia => "\"39 kg mm^2\"",
        Quantity::Viscosity => "\"100 Pa s\"",
        Quantity::DensityGradient => "\"100 kg/m^4\"",
        Quantity::Energy => "\"3 J\"",
        Quantity::Power => "\"2 kW\"",
        Quantity::AngularAcceleration => "\"5 rad/s^2\"",
        Quantity::WearCoefficient => "\"1e-13 m^2/N\"",
        Quantity::Area => "\"3 mm^2\"",
        Quantity::Volume => "\"3 mm^3\"",
        Quantity::Any => "\"40 N m/rad\"",
        Quantity::GravitationalParameter => "\"3.986e14 m^3/s^2\"",
        Quantity::SurfaceEnergy => "\"0.05 J/m^2\"",
    }
}
