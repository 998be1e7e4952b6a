//! Line contacts: cylinders that meet along a line, in one another (a journal in its bearing) or side by side.
//!
//! They are elastic parts: any law of the family F = f_el (1 + η δ̇/v₀) takes one in place of K δⁿ (`elastic = "johnson"`). With q = F/(π E* L)
//! all but Pereira's are one formula, distinguished by the length c alone:
//!
//! δ = q ln(c/q), E = π E* L q (δ/2 − q/4), dF/dδ = π E* L/(ln(c/q) − 1)
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F, E | N, J | force, stored energy |
//! | δ | m | indentation |
//! | q | m | F/(π E* L): the load, as a length |
//! | c | m | what distinguishes the laws, from the radii and the length |
//! | E* | Pa | contact modulus of both materials |
//! | L | m | length of the line of contact: of the pair, or given |
//! | ΔR | m | R_b − R_j of a journal in a bearing, R_1 + R_2 of cylinders side by side |
//! | R | m | R_b R_j/ΔR, the relative radius of curvature |
//!
//! Range: 0 ≤ δ < c/e, at every law's own c. There ln(c/q) falls from ∞ to 1: the stiffness is positive and continuous, rises from zero, and is
//! infinite at δ = c/e, beyond which no load gives the indentation. A step that would go there fails and says so ([`crate::NormalLaw::reach`]).
//!
//! q is had from ℓ = ln(c/q), the root of ℓ − ln ℓ = ln(c/δ) above 1, by Newton's method within the bracket of [`logarithm`], to rounding; q = δ/ℓ then
//! loses nothing. E is the integral of F dδ = π E* L q (ln(c/q) − 1) dq in closed form. Derivatives: dq/dδ = 1/(ℓ − 1).

mod esdu_78035;
mod goldsmith;
mod johnson;
mod pereira;
mod radzimovsky;

use std::f64::consts::{E, PI};
use std::fmt;

use carom_base::elementary::{ln, log1p, pow};
use carom_base::param::Allowed;
use carom_base::{Args, Param, Quantity, Scalar, SpecError};

use crate::entry::{Reference, check_value};
use crate::error::LawError;
use crate::touch::{LineTouch, Meeting, Touch};

/// All elastic parts for lines, in the order listings show them.
pub static LINES: &[LineEntry] = &[
    johnson::ENTRY,
    radzimovsky::ENTRY,
    goldsmith::GOLDSMITH,
    goldsmith::DUBOWSKY_FREUDENSTEIN,
    esdu_78035::ENTRY,
    pereira::ENTRY,
];

/// An elastic part in the registry of those for lines.
pub struct LineEntry {
    /// the word in scenes
    pub name: &'static str,
    /// indentation or force, in plain Unicode
    pub formula: &'static str,
    /// where it holds
    pub range: &'static str,
    /// where it comes from and how it was checked
    pub reference: Reference,
    form: Form,
}

/// By its name: where its function is in memory is another place in every program.
impl fmt::Debug for LineEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LineEntry").field(&self.name).finish()
    }
}

/// What a line law is.
#[derive(Clone, Copy)]
enum Form {
    /// δ = q ln(c/q): c \[m\]
    Logarithm(fn(&Cylinders) -> f64),
    /// F = K δⁿ: K/(E* L) [m⁻ⁿ] and n, for a ΔR \[m\] within the range
    Power { law: fn(&Cylinders) -> (f64, f64), clearance: [f64; 2] },
}

/// Two cylinders along their line of contact.
#[derive(Clone, Copy, Debug)]
struct Cylinders {
    /// L \[m\]
    length: f64,
    /// ΔR \[m\]
    delta_r: f64,
    /// R \[m\]
    radius: f64,
    /// whether one is in the other
    inside: bool,
}

/// An elastic part for lines, with what is given of its geometry; the rest comes from the pair, at touch.
///
/// ```
/// use carom_law::normal::Line;
/// use carom_law::{Meeting, Touch};
/// // a journal of 9.5 mm in a bearing of 10 mm, steel on steel
/// let line = Line::new("johnson")?.length(0.010).radii(0.0095, 0.010);
/// let (stiffness, latched) = line.at(113.7362637362637e9, &Meeting::in_point(0.0, 0.0))?;
/// let touch = Touch { line: latched, ..Touch::point(stiffness, 1.0, 1.0) };
/// assert!((line.elastic(10e-6, &touch) / 5850.01365269 - 1.0).abs() < 1e-11);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Line {
    law: &'static LineEntry,
    length: Option<f64>,
    radii: Option<[f64; 2]>,
}

impl PartialEq for Line {
    fn eq(&self, o: &Line) -> bool {
        self.law.name == o.law.name && self.length == o.length && self.radii == o.radii
    }
}

/// Scene key of the elastic part.
pub(crate) const ELASTIC: Param = Param::word(
    "elastic",
    &["power", "johnson", "radzimovsky", "goldsmith", "dubowsky-freudenstein", "esdu-78035", "pereira"],
    "power",
    "the elastic part: K δⁿ, or that of cylinders along a line, from materials, radii and length",
);

const LENGTH: Param = Param::optional(
    "length",
    Quantity::Length,
    Allowed::Positive,
    "that of the pair's line of contact",
    "length L of the line of contact (an `elastic` part for lines)",
);
const JOURNAL_RADIUS: Param = Param::optional(
    "journal_radius",
    Quantity::Length,
    Allowed::Positive,
    "that of the pair",
    "radius R_j of the journal (an `elastic` part for lines)",
);
const BEARING_RADIUS: Param = Param::optional(
    "bearing_radius",
    Quantity::Length,
    Allowed::Positive,
    "that of the pair",
    "radius R_b of the bearing (an `elastic` part for lines)",
);

/// Scene keys of what is given of the geometry.
pub(crate) const GEOMETRY: [Param; 3] = [LENGTH, JOURNAL_RADIUS, BEARING_RADIUS];

impl Line {
    /// By its word; refuses one that is not among [`LINES`].
    pub fn new(name: &str) -> Result<Line, LawError> {
        let law = LINES.iter().find(|e| e.name == name);
        let refused = || SpecError::NotAllowed {
            kind: "line",
            name: ELASTIC.name,
            value: format!("{name:?}"),
            allowed: ELASTIC.allowed.to_string(),
        };
        Ok(Line { law: law.ok_or_else(refused)?, length: None, radii: None })
    }

    /// With a given length L \[m\] > 0; the law's [`check`](crate::NormalLaw::check) refuses another.
    pub fn length(mut self, l: f64) -> Line {
        self.length = Some(l);
        self
    }

    /// With given radii \[m\], of the journal and of the bearing around it; the law's [`check`](crate::NormalLaw::check) refuses a journal that is not smaller.
    pub fn radii(mut self, journal: f64, bearing: f64) -> Line {
        self.radii = Some([journal, bearing]);
        self
    }

    /// Its word in scenes.
    pub fn name(&self) -> &'static str {
        self.law.name
    }

    /// From a scene; `None`: none is asked for.
    pub(crate) fn from_args(law: &'static str, args: &Args) -> Result<Option<Line>, SpecError> {
        let given = GEOMETRY.each_ref().map(|p| args.number(p.name));
        let conflict = |what| Err(SpecError::Conflict { kind: law, what });
        let name = args.text(ELASTIC.name).unwrap_or("power");
        let Some(entry) = LINES.iter().find(|e| e.name == name) else {
            return match given {
                [None, None, None] => Ok(None),
                _ => conflict(
                    "`length`, `journal_radius` and `bearing_radius` are for an `elastic` part for lines",
                ),
            };
        };
        let radii = match given[1..] {
            [Some(journal), Some(bearing)] => Some([journal, bearing]),
            [None, None] => None,
            _ => return conflict("give both `journal_radius` and `bearing_radius`, or none"),
        };
        let line = Line { law: entry, length: given[0], radii };
        line.check(law).map(|()| Some(line))
    }

    /// What is given: in range, and fitting.
    pub(crate) fn check(&self, law: &'static str) -> Result<(), SpecError> {
        self.length.map_or(Ok(()), |l| check_value(law, &LENGTH, l))?;
        let Some([journal, bearing]) = self.radii else { return Ok(()) };
        check_value(law, &JOURNAL_RADIUS, journal)?;
        check_value(law, &BEARING_RADIUS, bearing)?;
        if journal >= bearing {
            let what = "`journal_radius` must be less than `bearing_radius`: the journal is in the bearing";
            return Err(SpecError::Conflict { kind: law, what });
        }
        match self.law.form {
            Form::Power { clearance: [lo, hi], .. } if !(lo..=hi).contains(&(bearing - journal)) => {
                let what =
                    "`bearing_radius` less `journal_radius` is outside the range the law was fitted for";
                Err(SpecError::Conflict { kind: law, what })
            }
            _ => Ok(()),
        }
    }

    /// The cylinders: as given, or as they meet.
    fn cylinders(&self, meeting: &Meeting) -> Result<Cylinders, LawError> {
        // signed: a hollow's radius is negative
        let [r_1, r_2] = self.radii.map_or(meeting.radii, |[journal, bearing]| [journal, -bearing]);
        let (length, delta_r) = (self.length.unwrap_or(meeting.length), (r_1 + r_2).abs());
        if !(length > 0.0 && delta_r > 0.0 && delta_r.is_finite()) {
            return Err(LawError::NotLineContact { law: self.law.name });
        }
        let radius = (r_1 * r_2).abs() / delta_r;
        Ok(Cylinders { length, delta_r, radius, inside: r_1 * r_2 < 0.0 })
    }

    /// The stiffness of a contact and what else is latched, from E* \[Pa\] and the shape in which its surfaces meet: π E* L [N/m] and c of a
    /// logarithmic law, K [N/mⁿ] and n of a power. Refuses surfaces that are no cylinders along a line, and a ΔR the law was not fitted for.
    pub fn at(&self, e_star: f64, meeting: &Meeting) -> Result<(f64, LineTouch), LawError> {
        let pair = self.cylinders(meeting)?;
        match self.law.form {
            Form::Logarithm(c) => Ok((PI * e_star * pair.length, LineTouch { c: c(&pair), n: 1.0 })),
            Form::Power { clearance: [lo, hi], .. } if !(lo..=hi).contains(&pair.delta_r) => {
                Err(LawError::BadClearance { law: self.law.name, value: pair.delta_r, lo, hi })
            }
            Form::Power { law, .. } => {
                let (k, n) = law(&pair);
                Ok((k * e_star * pair.length, LineTouch { c: f64::INFINITY, n }))
            }
        }
    }

    /// The indentation below which the law holds \[m\]: c/e.
    pub fn reach(&self, touch: &Touch) -> f64 {
        touch.line.c / E
    }

    /// F \[N\] at the indentation δ \[m\]; not a number where no load gives it ([`Line::reach`]).
    #[inline]
    pub fn elastic<S: Scalar>(&self, delta: S, touch: &Touch) -> S {
        let (k, LineTouch { c, n }) = (S::from_f64(touch.stiffness), touch.line);
        let at = delta.value();
        if at <= 0.0 {
            return S::from_f64(0.0);
        }
        match self.law.form {
            Form::Power { .. } => k * delta.powf(n),
            Form::Logarithm(_) => {
                let l = logarithm(c / at);
                // q = δ/ℓ, dq/dδ = 1/(ℓ − 1)
                let q = S::from_f64(at / l) + (delta - S::from_f64(at)) / S::from_f64(l - 1.0);
                k * q
            }
        }
    }

    /// ∫ F dδ \[J\] from 0.
    pub fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        let (k, LineTouch { c, n }) = (touch.stiffness, touch.line);
        if delta <= 0.0 {
            return 0.0;
        }
        match self.law.form {
            Form::Power { .. } => k * pow(delta, n) * delta / (n + 1.0),
            Form::Logarithm(_) => {
                let q = delta / logarithm(c / delta);
                k * q * (0.5 * delta - 0.25 * q)
            }
        }
    }
}

/// ℓ ≥ 1 with ℓ − ln ℓ = ln x, for x = c/δ ≥ e: −W₋₁(−1/x), by W the function of Lambert. Not a number below e.
///
/// With u = ln x − 1, 1 + √(2u) + 2u/3 < ℓ < 1 + √(2u) + u (Chatzigeorgiou, IEEE Commun. Lett. 17 (2013) 1505). The left side is convex and rises,
/// so that Newton's steps come down from the upper bound one after another and cannot leave the bracket.
///
/// ```
/// use carom_law::normal::logarithm;
/// let l: f64 = 7.25;
/// assert!((logarithm(l.exp() / l) - l).abs() < 1e-15 * 8.0);
/// assert!(logarithm(2.7).is_nan());
/// ```
pub fn logarithm(x: f64) -> f64 {
    let u = ln(x) - 1.0;
    if !(u >= 0.0) {
        return f64::NAN;
    }
    let root = (2.0 * u).sqrt();
    let (lo, mut l) = (1.0 + root + 2.0 / 3.0 * u, 1.0 + root + u);
    for _ in 0..50 {
        let above = l - 1.0;
        // ℓ − ln ℓ − 1 − u by ln(1 + above), which keeps its digits where ℓ is near 1
        let next = (l - (above - log1p(above) - u) * l / above).max(lo);
        // also where x = e: 0/0
        if !(l - next > f64::EPSILON * l) {
            break;
        }
        l = next;
    }
    l
}

#[cfg(test)]
mod tests;
