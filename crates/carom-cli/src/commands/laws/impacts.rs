//! One impact under all normal laws.

use std::path::Path;

use carom::base::param::{Presence, Quantity};
use carom::base::{Args, Param, Value};
use carom::impact::{Impact, ImpactError};
use carom::law::impact::{StandardImpact, effective_restitution};
use carom::law::normal::{self, NormalEntry};
use carom::law::{Normal, Touch};
use carom_plot::{Axis, Curve, Figure, Look, Panel};

use crate::failure::Failure;
use crate::human::{si, unit_of};
use crate::plot;
use crate::text::{Table, columns, hanging};

/// The exponent `--stiffness` is for.
const N: f64 = 1.5;
/// Radius of a sphere on a foundation, in units of δ*: deep enough to be shallow.
const RADIUS: f64 = 10.0;
/// Points of a loop.
const POINTS: usize = 200;

/// The impact.
pub(super) struct Setup {
    c: f64,
    /// K is for n = 3/2
    touch: Touch,
    /// whether it was given, and numbers have units
    in_si: bool,
}

impl Setup {
    pub(super) fn new(
        c: f64,
        mass: Option<f64>,
        speed: Option<f64>,
        stiffness: Option<f64>,
    ) -> Result<Setup, Failure> {
        if !(0.0..=1.0).contains(&c) {
            return Err(Failure::Input(format!(
                "--compare {c}: a coefficient of restitution is from 0 to 1"
            )));
        }
        for (name, value) in [("mass", mass), ("speed", speed), ("stiffness", stiffness)] {
            if let Some(x) = value.filter(|x| !(*x > 0.0 && x.is_finite())) {
                return Err(Failure::Input(format!("--{name} {x}: it must be greater than 0")));
            }
        }
        let one = |x: Option<f64>| x.unwrap_or(1.0);
        let touch = Touch::point(one(stiffness), one(speed), one(mass));
        Ok(Setup { c, touch, in_si: mass.or(speed).or(stiffness).is_some() })
    }

    /// δ* = (m v₀²/K)^{1/(n+1)} [m].
    fn length(&self) -> f64 {
        (2.0 * self.energy() / self.touch.stiffness).powf(1.0 / (N + 1.0))
    }

    /// F* = m v₀²/δ* [N].
    fn force(&self) -> f64 {
        2.0 * self.energy() / self.length()
    }

    /// t* = δ*/v₀ [s].
    fn time(&self) -> f64 {
        self.length() / self.touch.v0
    }

    /// ½ m v₀² [J].
    fn energy(&self) -> f64 {
        0.5 * self.touch.mass * self.touch.v0 * self.touch.v0
    }

    /// The touch with the K [N/mⁿ] that gives the same δ* and F* for another exponent.
    fn touch(&self, exponent: f64) -> Touch {
        if exponent == N {
            return self.touch;
        }
        Touch { stiffness: self.force() / self.length().powf(exponent), ..self.touch }
    }

    /// The unit of a quantity in this impact; a law with another one is not compared.
    fn unit(&self, quantity: Quantity) -> Option<f64> {
        let Touch { v0, .. } = self.touch;
        match quantity {
            Quantity::Time => Some(self.time()),
            Quantity::InverseSpeed => Some(1.0 / v0),
            Quantity::LinearDamping => Some(self.force() / v0),
            Quantity::PointDamping => Some(self.force() / (self.length().powf(0.25) * v0)),
            Quantity::Number => Some(1.0),
            // over the circle of radius R in which the surfaces could meet at most
            Quantity::Pressure => Some(self.force() / (RADIUS * self.length() * self.length())),
            Quantity::SurfaceEnergy => Some(self.force() / (RADIUS * self.length())),
            _ => None,
        }
    }
}

/// A law in the comparison.
struct Row {
    entry: &'static NormalEntry,
    law: std::sync::Arc<dyn Normal>,
    impact: Impact,
    /// by its own constant: key, value, unit
    given: Option<(&'static str, f64, &'static str)>,
}

/// The keys by which a law loses energy that does not take a restitution, and whether it loses the more, the larger they are.
const OWN: [(&str, bool); 4] =
    [("damping", true), ("adhesion_energy", true), ("plasticity", true), ("yield_pressure", false)];

/// The key by which a law loses energy, if it does not take a restitution.
fn own(entry: &NormalEntry) -> Option<(&'static Param, bool)> {
    let params = entry.entry.params;
    let key = |(name, falls): (&str, bool)| params.iter().find(|p| p.name == name).map(|p| (p, falls));
    if has(params, "restitution") { None } else { OWN.into_iter().find_map(key) }
}

/// The comparison as text; and the figure, if there is to be one.
pub(super) fn compare(setup: &Setup, names: &[&'static str], to: Option<&Path>) -> Result<String, Failure> {
    let (mut rows, mut left_out) = (Vec::new(), Vec::new());
    for entry in normal::ALL.iter().filter(|e| names.contains(&e.name())) {
        match row(setup, entry) {
            Ok(row) => rows.push(row),
            Err(why) => left_out.push(why),
        }
    }
    if rows.is_empty() {
        return Err(Failure::Input(format!("nothing to compare: {}", left_out.join("; "))));
    }
    if let Some(path) = to {
        plot::write(&figure(setup, &rows)?, path)?;
    }
    Ok(text(setup, &rows, &left_out))
}

/// Values for all a law needs; `Err` says what it needs that is not known here.
fn args(setup: &Setup, entry: &NormalEntry, c: f64, touch: &Touch, given: f64) -> Result<Args, String> {
    let own = own(entry).map(|(p, _)| p.name);
    let mut args = Args::new();
    for p in entry.entry.params {
        let radius = RADIUS * setup.length();
        let value = match p.name {
            "restitution" => c,
            "stiffness" => touch.stiffness,
            "radius" => radius,
            "adhesion_range" => 0.1 * setup.length(),
            // K = π k R
            "foundation_modulus" => touch.stiffness / (std::f64::consts::PI * radius),
            name if Some(name) == own => given,
            _ if p.presence == Presence::Required => {
                return Err(format!(
                    "{} needs `{}`, and there is none to compare with",
                    entry.name(),
                    p.name
                ));
            }
            _ => continue,
        };
        args.set(p.name, Value::Number(value));
    }
    Ok(args)
}

fn has(params: &[Param], name: &str) -> bool {
    params.iter().any(|p| p.name == name)
}

/// A law with the restitution c, or with a value of its own key, and the touch in units that fit its exponent.
fn make(
    setup: &Setup,
    entry: &NormalEntry,
    c: f64,
    given: f64,
) -> Result<(std::sync::Arc<dyn Normal>, Touch), String> {
    let make = |touch: &Touch| entry.make(&args(setup, entry, c, touch, given)?).map_err(|e| e.to_string());
    let touch = setup.touch(make(&setup.touch)?.exponent());
    Ok((make(&touch)?, touch))
}

fn row(setup: &Setup, entry: &'static NormalEntry) -> Result<Row, String> {
    let given = match own(entry) {
        Some((p, falls)) => Some((p.name, fitting(setup, entry, p, falls)?, p.quantity.unit())),
        None => None,
    };
    let (law, touch) = make(setup, entry, setup.c, given.map_or(0.0, |(_, d, _)| d))?;
    let mut impact = Impact::of(&*law, &touch).map_err(|e| e.to_string())?;
    if let Some(eta) = entry.eta {
        // in closed form
        let Touch { mass, v0, stiffness, .. } = touch;
        let exact = StandardImpact { mass, v0, stiffness, exponent: law.exponent(), eta: eta(setup.c) };
        impact.restitution = exact.restitution();
        impact.max_indentation = exact.max_indentation();
        impact.peak_force = exact.peak_force();
    }
    Ok(Row { entry, law, impact, given })
}

/// The value of a law's own key with which this impact rebounds with c; `falls`: e falls as it grows. Of a law that loses nothing, a tenth of the unit.
fn fitting(setup: &Setup, entry: &NormalEntry, p: &Param, falls: bool) -> Result<f64, String> {
    let name = entry.name();
    let unit = setup
        .unit(p.quantity)
        .ok_or_else(|| format!("{name}: `{}` in {} is not known here", p.name, p.quantity.unit()))?;
    if make(setup, entry, setup.c, 0.1 * unit)?.0.is_elastic() {
        return Ok(0.1 * unit);
    }
    if setup.c == 1.0 && p.allowed.number(0.0) {
        return Ok(0.0);
    }
    let sign = if falls { 1.0 } else { -1.0 };
    let value = |ln: f64| unit * (sign * ln).exp();
    let excess = |ln: f64| -> Result<f64, String> {
        let (law, touch) = make(setup, entry, setup.c, value(ln))?;
        match Impact::of(&*law, &touch) {
            Ok(impact) => Ok(impact.restitution - setup.c),
            // they stick
            Err(ImpactError::NoEnd { .. }) => Ok(-setup.c),
            Err(e) => Err(e.to_string()),
        }
    };
    // (a plain number is a part of one)
    let (mut low, mut high) = (-16.0, if p.quantity == Quantity::Number { 0.99f64.ln() } else { 7.0 });
    if excess(high)? > 0.0 {
        return Err(format!("{name}: no `{}` rebounds with {}", p.name, setup.c));
    }
    while high - low > 1e-13 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if excess(middle)? > 0.0 { low = middle } else { high = middle }
    }
    // on the side that parts
    Ok(value(low))
}

fn text(setup: &Setup, rows: &[Row], left_out: &[String]) -> String {
    let Setup { c, touch, in_si } = setup;
    let mut text = if *in_si {
        let (m, v, k) = (si(touch.mass * 1e3, "g"), si(touch.v0, "m/s"), touch.stiffness);
        let scales = [si(setup.length(), "m"), si(setup.force(), "N"), si(setup.time(), "s")];
        let [l, f, t] = scales;
        format!("{m} at {v} onto K = {k:e} N/m^1.5, c = {c}: δ* = {l}, F* = {f}, t* = {t}\n\n")
    } else {
        format!(
            "The standard impact at c = {c}, in units of δ* = (m v²/K)^(1/(n+1)), F* = m v²/δ*, t* = δ*/v, ½ m v²\n\n"
        )
    };
    text += &table(setup, rows).to_string();
    let notes: Vec<String> = rows
        .iter()
        .filter_map(|r| {
            let (key, value, unit) = r.given?;
            let units = if *in_si { format!(" {unit}") } else { String::new() };
            let why = match r.law.is_elastic() {
                true => "which loses nothing".to_owned(),
                false => format!("which gives {c} in this impact"),
            };
            Some(format!("{} with {key} = {value:.6}{units}, {why}", r.entry.name()))
        })
        .chain(left_out.iter().map(|why| format!("left out: {why}")))
        .collect();
    if !notes.is_empty() {
        text.push('\n');
    }
    notes.iter().for_each(|note| text += &hanging("  ", note, columns()));
    text
}

fn table(setup: &Setup, rows: &[Row]) -> Table {
    type Get = fn(&Impact) -> f64;
    let columns: [(&str, &str, f64, &str, Get); 4] = [
        ("duration", "s", setup.time(), "t*", |i| i.duration),
        ("peak force", "N", setup.force(), "F*", |i| i.peak_force),
        ("deepest", "m", setup.length(), "δ*", |i| i.max_indentation),
        ("lost", "J", setup.energy(), "½ m v²", |i| i.dissipated),
    ];
    let units = columns.map(|(_, unit, scale, own, get)| {
        let largest = rows.iter().map(|r| get(&r.impact)).fold(0.0, f64::max);
        if setup.in_si { unit_of(largest, unit) } else { (own.to_owned(), scale) }
    });
    let heads = columns.iter().zip(&units).map(|((head, ..), (unit, _))| format!("{head} [{unit}]"));
    let mut table = Table::new(["law".to_owned(), "restitution".to_owned()].into_iter().chain(heads));
    for r in rows {
        let numbers = columns.iter().zip(&units).map(|((.., get), (_, size))| {
            let x = get(&r.impact) / size;
            // −0 for a sphere that loses rounding errors only
            if x.abs() < 5e-5 { "0.0000".to_owned() } else { format!("{x:.4}") }
        });
        let head = [r.entry.name().to_owned(), format!("{:.5}", r.impact.restitution)];
        table.line(head.into_iter().chain(numbers));
    }
    table
}

/// Above the force against the indentation, below the restitution that comes out against the one asked for; at the
/// left the family with a closed form, at the right the others.
fn figure(setup: &Setup, rows: &[Row]) -> Result<Figure, Failure> {
    let (length, force) = if setup.in_si {
        let deepest = rows.iter().map(|r| r.impact.max_indentation).fold(0.0, f64::max);
        let highest = rows.iter().map(|r| r.impact.peak_force).fold(0.0, f64::max);
        (unit_of(deepest, "m"), unit_of(highest, "N"))
    } else {
        (("δ*".to_owned(), setup.length()), ("F*".to_owned(), setup.force()))
    };
    let groups = [true, false].map(|family| {
        let of_group = |(_, r): &(usize, &Row)| r.entry.eta.is_some() == family;
        rows.iter().enumerate().filter(of_group).collect::<Vec<_>>()
    });
    let groups: Vec<_> = groups.iter().filter(|g| !g.is_empty()).collect();
    let mut figure = Figure::new(groups.len());
    for group in &groups {
        let (x, y) = (format!("indentation δ [{}]", length.0), format!("normal force F [{}]", force.0));
        let family = group.iter().any(|(_, r)| r.entry.eta.is_some());
        let title = if family {
            "the family K δⁿ (1 + η v/v₀)"
        } else {
            "dashpots, dents, adhesion, foundations"
        };
        let mut panel = Panel::new(Axis::linear(x), Axis::linear(y)).title(title);
        for (i, r) in group.iter() {
            panel = panel.curve(Curve::new(r.entry.name(), hysteresis(r, length.1, force.1)?, *i));
        }
        figure = figure.panel(panel);
    }
    for group in &groups {
        let axes = ["restitution asked for c [1]", "restitution that comes out e [1]"];
        let [x, y] = axes.map(|label| Axis::linear(label).range(0.0, 1.0));
        let ideal = Curve::new("e = c", vec![(0.0, 0.0), (1.0, 1.0)], 0).look(Look::faint());
        let curves = group.iter().filter(|(_, r)| has(r.entry.entry.params, "restitution"));
        let mut panel = Panel::new(x, y);
        for (i, r) in curves {
            panel = panel.curve(Curve::new(r.entry.name(), restitutions(setup, r.entry), *i));
        }
        figure = figure.panel(panel.curve(ideal));
    }
    Ok(figure)
}

/// From touch around to touch: where a law lets go early, no force acts on the rest of the way.
fn hysteresis(r: &Row, length: f64, force: f64) -> Result<Vec<(f64, f64)>, Failure> {
    let path = r.impact.path(&*r.law, POINTS).map_err(|e| Failure::Run(e.to_string()))?;
    // (surfaces that adhere hold each other beyond where they touch)
    let least = if r.entry.entry.params.iter().any(|p| p.name == "adhesion_energy") {
        f64::NEG_INFINITY
    } else {
        0.0
    };
    let mut points: Vec<(f64, f64)> =
        path.iter().map(|p| (p.delta.max(least) / length, p.f_n / force)).collect();
    let [start, end] = [points.first(), points.last()].map(|p| p.map_or(0.0, |p| p.0.min(0.0)));
    points.extend([(end, 0.0), (start, 0.0)]);
    Ok(points)
}

/// e over c = 0.05 … 1; what a law does not take is left out.
fn restitutions(setup: &Setup, entry: &NormalEntry) -> Vec<(f64, f64)> {
    (5..=100)
        .filter_map(|percent| {
            let c = f64::from(percent) / 100.0;
            let e = match entry.eta {
                Some(eta) => effective_restitution(eta(c)),
                None => {
                    let (law, touch) = make(setup, entry, c, 0.0).ok()?;
                    Impact::of(&*law, &touch).ok()?.restitution
                }
            };
            Some((c, e))
        })
        .collect()
}
