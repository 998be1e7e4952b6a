//! A spring and a dashpot by an expression or by a table: between points (`nonlinear-spring`), along an angle
//! (`nonlinear-torsion`), or along a displacement (`nonlinear-slide`).
//!
//! T = T(x, ẋ), with x the length or the coordinate; E = ∫ T(x, 0) dx
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | T | N, N m | draws the points together, or acts against the coordinate |
//! | x, ẋ | m, m/s; rad, rad/s | `x` and `rate` in the expression |
//! | E | J | stored energy, 0 at the rest |
//!
//! What T has at rest, T(x, 0), is elastic; the remainder is dissipated, and must not be negative in power. A table gives
//! T(x), to which a linear dashpot may be added. Kinks and jumps of the expression, and the points of a table, are located.
//! Checked: the period of Duffing's oscillator; a table of two lines against two springs.

use std::sync::Arc;

use carom_base::expression::{Expression, ExpressionError, Side};
use carom_base::interpolation::{Points, monotone_slopes, spline_seconds};
use carom_base::param::Allowed;
use carom_base::{Args, Dual, Entry, Jet, Param, Quantity, SpecError, integral};

use crate::coordinate::Coordinate;
use crate::force::{Acting, Line, Tension};

/// A tension by an expression of the length or coordinate `x` and its `rate`.
///
/// ```
/// use carom::{Line, NonlinearSpring};
/// let duffing = NonlinearSpring::new("200*x + 3e4*x^3 + 2*rate", 0.0)?;
/// assert!((duffing.tension(0.1, 1.0).f - 52.0).abs() < 1e-12); // [N]
/// assert!((duffing.energy(0.1) - (1.0 + 0.75)).abs() < 1e-12); // [J]
/// # Ok::<(), carom::base::expression::ExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NonlinearSpring {
    tension: Expression,
    /// index of `x` and of `rate` among the names of the expression
    names: [Option<usize>; 2],
    switches: Vec<Expression>,
    rest: f64,
}

/// What an expression of a nonlinear spring is.
const OF_X: &str = "a number, or an expression of `x` and `rate`";

const fn expression(name: &'static str, quantity: Quantity) -> Param {
    Param::optional(
        name,
        quantity,
        Allowed::Signal,
        "given by `table`",
        "the tension, or what acts against the coordinate, by `x` and `rate`",
    )
}
const fn table(x: Quantity, quantity: Quantity) -> Param {
    Param::optional(
        "table",
        quantity,
        Allowed::Curve(x),
        "given by an expression",
        "points [x, value], x increasing",
    )
}
const fn damping(quantity: Quantity) -> Param {
    Param::default("damping", quantity, Allowed::NotNegative, 0.0, "damping of a dashpot beside the table")
}
const fn rest(name: &'static str, quantity: Quantity) -> Param {
    Param::default(name, quantity, Allowed::Finite, 0.0, "where the stored energy counts as 0")
}
const INTERPOLATION: Param = Param::word(
    "interpolation",
    &["linear", "spline", "monotone"],
    "linear",
    "how a table is joined; it goes on straight beyond its ends",
);
const DISPLACEMENT: &str = Coordinate::DISPLACEMENT.names.name;
const COORDINATE: Param =
    Param::word("coordinate", Coordinate::DISPLACEMENTS, DISPLACEMENT, "which of the joint's displacements");

impl NonlinearSpring {
    pub(super) const SPRING: Entry<Acting> = Entry {
        name: "nonlinear-spring",
        summary: "a spring and a dashpot between points: the tension by an expression of length and rate, or by a table",
        params: &[
            expression("tension", Quantity::Force),
            table(Quantity::Length, Quantity::Force),
            INTERPOLATION,
            damping(Quantity::LinearDamping),
            rest("rest_length", Quantity::Length),
        ],
        build: |args| {
            Ok(Acting::line(Arc::new(NonlinearSpring::build(
                "nonlinear-spring",
                "tension",
                "rest_length",
                args,
            )?)))
        },
    };

    pub(super) const TORSION: Entry<Acting> = Entry {
        name: "nonlinear-torsion",
        summary: "a spring and a dashpot about an axis: the couple by an expression of angle and rate, or by a table",
        params: &[
            expression("torque", Quantity::Torque),
            table(Quantity::Angle, Quantity::Torque),
            INTERPOLATION,
            damping(Quantity::TorsionDamping),
            rest("rest_angle", Quantity::Angle),
        ],
        build: |args| {
            Ok(Acting::torsion(Arc::new(NonlinearSpring::build(
                "nonlinear-torsion",
                "torque",
                "rest_angle",
                args,
            )?)))
        },
    };

    pub(super) const SLIDE: Entry<Acting> = Entry {
        name: "nonlinear-slide",
        summary: "a spring and a dashpot along a displacement of a joint, by an expression or by a table",
        params: &[
            expression("force", Quantity::Force),
            table(Quantity::Length, Quantity::Force),
            INTERPOLATION,
            damping(Quantity::LinearDamping),
            rest("rest_displacement", Quantity::Length),
            COORDINATE,
        ],
        build: |args| {
            let law = NonlinearSpring::build("nonlinear-slide", "force", "rest_displacement", args)?;
            Ok(Acting::slide(Arc::new(law), args.text(COORDINATE.name).unwrap_or(DISPLACEMENT)))
        },
    };

    /// Creates a spring from an expression of `x` [m or rad] and `rate` [m/s or rad/s]; `rest`: where its stored energy
    /// counts as 0.
    pub fn new(tension: &str, rest: f64) -> Result<NonlinearSpring, ExpressionError> {
        NonlinearSpring::of(Expression::parse(tension)?, rest)
    }

    /// Creates a spring from an expression whose only names are `x` and `rate`.
    pub fn of(tension: Expression, rest: f64) -> Result<NonlinearSpring, ExpressionError> {
        if let Some(name) = tension.names().iter().find(|name| !["x", "rate"].contains(&name.as_str())) {
            let message =
                format!("there is no `{name}`, but only `x`, the length or the coordinate, and its `rate`");
            return Err(ExpressionError { message, at: 0 });
        }
        tension.smooth_pieces()?;
        let names = ["x", "rate"].map(|known| tension.names().iter().position(|name| name == known));
        let switches = tension.switches().into_iter().map(|s| s.value).collect();
        Ok(NonlinearSpring { tension, names, switches, rest })
    }

    fn build(
        kind: &'static str,
        key: &'static str,
        rest: &str,
        args: &Args,
    ) -> Result<NonlinearSpring, SpecError> {
        let wrong = |name: &'static str| {
            move |e: ExpressionError| SpecError::NotAllowed {
                kind,
                name,
                value: format!("this: {}", e.message),
                allowed: format!("{OF_X}, smooth but for kinks and jumps"),
            }
        };
        let rest = args.number(rest).unwrap_or_default();
        let given = args.expressions(key).and_then(|all| all.first());
        match (given, args.table("table")) {
            (Some(_), None) if args.number("damping").is_some_and(|c| c > 0.0) => {
                let what = "`damping` is of a dashpot beside a `table`; an expression has it as `c*rate`";
                Err(SpecError::Conflict { kind, what })
            }
            (Some(tension), None) => NonlinearSpring::of(tension.clone(), rest).map_err(wrong(key)),
            (None, Some(points)) => {
                let course = args.text(INTERPOLATION.name).unwrap_or("linear");
                let beyond = straight_on(course, points);
                let points: String = points.iter().map(|[x, y]| format!(", {x:e}, {y:e}")).collect();
                let c = args.number("damping").unwrap_or_default();
                let dashpot = if c > 0.0 { format!(" + {c:e}*rate") } else { String::new() };
                let tension = format!("{course}(x{points}){beyond}{dashpot}");
                NonlinearSpring::new(&tension, rest).map_err(wrong("table"))
            }
            _ => Err(SpecError::Conflict {
                kind,
                what: match key {
                    "tension" => "a nonlinear spring has `tension` or `table`, one of them",
                    "torque" => "a nonlinear spring about an axis has `torque` or `table`, one of them",
                    _ => "a nonlinear spring along a displacement has `force` or `table`, one of them",
                },
            }),
        }
    }

    /// Returns the values of the names, in the order of the expression.
    fn values<N: Copy>(&self, x: N, rate: N) -> [N; 2] {
        // (a name that does not occur has a place beyond those that are read)
        match self.names {
            [Some(1), _] | [None, Some(0)] => [rate, x],
            _ => [x, rate],
        }
    }

    fn at(&self, x: f64, rate: f64, sides: &[Side]) -> f64 {
        self.tension.at_sides(&self.values(x, rate), sides)
    }

    fn depends_on_rate(&self) -> bool {
        self.names[1].is_some()
    }
}

/// Returns what is added to a table of an expression, which is constant beyond its ends, so that it goes on straight.
fn straight_on(course: &str, points: &[[f64; 2]]) -> String {
    let Ok(p) = Points::new(points) else { return String::new() };
    let last = p.last();
    let slopes = match course {
        "spline" => {
            let m = spline_seconds(&p);
            // s ∓ h (2 M + M')/6 at the two ends
            let bend =
                |near: usize, far: usize| (points[far][0] - points[near][0]) * (2.0 * m[near] + m[far]) / 6.0;
            [p.slope(0) - bend(0, 1), p.slope(last - 1) - bend(last, last - 1)]
        }
        "monotone" => {
            let all = monotone_slopes(&p);
            [all[0], all[last]]
        }
        _ => [p.slope(0), p.slope(last - 1)],
    };
    let [first, end] = [points[0][0], points[last][0]];
    format!(" + ({:e})*min(0, x - ({first:e})) + ({:e})*max(0, x - ({end:e}))", slopes[0], slopes[1])
}

impl Line for NonlinearSpring {
    fn tension(&self, length: f64, rate: f64) -> Tension {
        self.tension_on(length, rate, &[])
    }

    fn tension_dual(&self, length: Dual<2>, rate: Dual<2>) -> Tension<Dual<2>> {
        self.tension_dual_on(length, rate, &[])
    }

    fn tension_on(&self, length: f64, rate: f64, sides: &[Side]) -> Tension {
        let f = self.at(length, rate, sides);
        Tension { f, f_elastic: if self.depends_on_rate() { self.at(length, 0.0, &[]) } else { f } }
    }

    fn tension_dual_on(&self, length: Dual<2>, rate: Dual<2>, sides: &[Side]) -> Tension<Dual<2>> {
        let slope = |rate: f64, [dx, dv]: [f64; 2], sides: &[Side]| {
            let jet = |value: f64, rate: f64| Jet { value, rate, second: 0.0 };
            self.tension.at_sides(&self.values(jet(length.re, dx), jet(rate, dv)), sides).rate
        };
        let Tension { f, f_elastic } = self.tension_on(length.re, rate.re, sides);
        let by = [slope(rate.re, [1.0, 0.0], sides), slope(rate.re, [0.0, 1.0], sides)];
        let elastic = if self.depends_on_rate() { [slope(0.0, [1.0, 0.0], &[]), 0.0] } else { by };
        let chain = |re: f64, eps: [f64; 2]| Dual { re, eps }.compose(&[length, rate]);
        Tension { f: chain(f, by), f_elastic: chain(f_elastic, elastic) }
    }

    fn energy(&self, length: f64) -> f64 {
        integral(&|x| self.at(x, 0.0, &[]), self.rest, length)
    }

    fn is_elastic(&self) -> bool {
        !self.depends_on_rate()
    }

    fn switches(&self) -> usize {
        self.switches.len()
    }

    fn switch(&self, index: usize, length: f64, rate: f64) -> f64 {
        self.switches[index].at(&self.values(length, rate))
    }

    fn check(&self) -> Result<(), SpecError> {
        let finite = self.rest.is_finite() && self.at(self.rest, 0.0, &[]).is_finite();
        if finite {
            return Ok(());
        }
        let (value, allowed) =
            (format!("not finite at the rest, {}", self.rest), "finite numbers".to_owned());
        Err(SpecError::NotAllowed { kind: "nonlinear-spring", name: "tension", value, allowed })
    }
}
