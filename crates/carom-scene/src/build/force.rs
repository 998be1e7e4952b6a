//! Makes forces between points, and short-range fields.

use carom::field::Adhesion;
use carom::{FORCES, FieldRule, Force, Repulsion};

use super::kind::made;
use crate::error::Problem;
use crate::fields::Fields;
use crate::own::Own;

pub(super) fn force(f: &Fields, own: &Own) -> Result<Force, Problem> {
    let acting = own.force(f, || made(FORCES.iter(), f))?;
    let points = (f.vector("point_a"), f.vector("point_b"));
    if let (true, Some(point)) = (acting.is_couple(), f.given("point_a").or_else(|| f.given("point_b"))) {
        let problem =
            Problem::new(format!("a torque has no `{}`: it is the same at every point", point.name));
        return Err(problem.at(point.at.clone(), ""));
    }
    if acting.takes("point") {
        let given = f.given("point_a").or_else(|| f.given("point_b"));
        match (acting.takes("point_a"), given) {
            // a bushing is the only force between points that can also be given at a single point
            (true, Some(_)) if points.0.is_none() || points.1.is_none() => {
                return Err(f.blame("a bushing has both `point_a` and `point_b`, or one `point`"));
            }
            (false, Some(point)) => {
                let problem = format!("a force on one body has no `{}`: it acts at its `point`", point.name);
                return Err(Problem::new(problem).at(point.at.clone(), ""));
            }
            _ => {}
        }
    }
    let mut force = match (f.texts("between"), f.text("joint"), f.text("body")) {
        (Some(([a, b], _)), ..) => Force::acting(a, b, acting),
        (_, Some(joint), _) => Force::on_joint(joint, acting),
        (.., Some(body)) => Force::on(body, acting),
        _ => return Err(Problem::new("`between` needs two bodies").at(f.at.clone(), "")),
    };
    if let Some(name) = f.text("name") {
        force = force.named(name);
    }
    if points != (None, None) {
        force = force.points(points.0.unwrap_or_default(), points.1.unwrap_or_default());
    }
    if let Some(point) = f.vector("point") {
        if points != (None, None) {
            return Err(f.blame("`point` excludes `point_a` and `point_b`"));
        }
        force = force.at(point);
    }
    if let Some(axis) = f.vector("axis") {
        force = force.axis(axis);
    }
    if let Some(axis) = f.vector("x_axis") {
        force = force.x_axis(axis);
    }
    Ok(force)
}

pub(super) fn field(f: &Fields) -> Result<FieldRule, Problem> {
    let mut field = match f.texts("between") {
        Some(([a, b], _)) => FieldRule::between(a, b),
        _ => return Err(Problem::new("`between` needs two sides").at(f.at.clone(), "")),
    };
    if let Some(name) = f.text("name") {
        field = field.named(name);
    }
    if let Some((faces, _)) = f.texts("faces") {
        let faces: Vec<&str> = faces.iter().map(String::as_str).collect();
        field = field.faces(&faces);
    }
    let coefficient = |t: &Fields| t.number("coefficient").unwrap_or_default();
    if f.given("gauss_points").is_some() {
        field = field.gauss_points(whole(f, "gauss_points")? as usize);
    }
    if f.given("points").is_some() {
        field = field.points(whole(f, "points")? as usize);
    }
    if let Some(t) = f.table("coulomb") {
        field = field.coulomb(coefficient(t), t.number("speed").unwrap_or_default());
    }
    if let Some(t) = f.table("repulsion") {
        let repulsion = match (t.number("coefficient"), t.number("rest_gap")) {
            (Some(coefficient), _) => Repulsion::Coefficient(coefficient),
            (None, gap) => Repulsion::RestGap(gap.unwrap_or_default()),
        };
        field = field.repulsion(whole(t, "exponent")?, repulsion);
    }
    if let Some(t) = f.table("damping") {
        field = field.damping(whole(t, "exponent")?, coefficient(t));
    }
    if let Some(t) = f.table("friction") {
        field = field.friction(whole(t, "exponent")?, coefficient(t));
    }
    if let Some(t) = f.table("adhesion") {
        field = field.adhesion(Adhesion {
            coefficient: coefficient(t),
            attraction_exponent: whole(t, "attraction_exponent")?,
            repulsion_exponent: whole(t, "repulsion_exponent")?,
            range: t.number("range").unwrap_or_default(),
        });
    }
    Ok(field)
}

/// Reads a whole number, as of an exponent.
pub(super) fn whole(f: &Fields, key: &str) -> Result<u32, Problem> {
    let x = f.number(key).unwrap_or_default();
    if x.fract() == 0.0 {
        return Ok(x as u32);
    }
    Err(Problem::new(format!("`{key}` cannot be {x}")).at(f.span(key), "allowed: a whole number"))
}
