//! Forces between points, and short-range fields.

use carom::field::Adhesion;
use carom::{Acting, FORCES, FieldRule, Force, Repulsion};

use super::kind::made;
use crate::scene::error::Problem;
use crate::scene::fields::Fields;

pub(super) fn force(f: &Fields) -> Result<Force, Problem> {
    let Some(([a, b], _)) = f.texts("between") else {
        return Err(Problem::new("`between` needs two bodies").at(f.at.clone(), ""));
    };
    let acting = made(FORCES.iter(), f)?;
    if let (Acting::Torque(_), Some(point)) = (&acting, f.given("point_a").or_else(|| f.given("point_b"))) {
        let problem =
            Problem::new(format!("a torque has no `{}`: it is the same at every point", point.name));
        return Err(problem.at(point.at.clone(), ""));
    }
    let mut force = Force::acting(a, b, acting);
    if let Some(name) = f.text("name") {
        force = force.named(name);
    }
    let point = |key: &str| f.vector(key).unwrap_or_default();
    Ok(force.points(point("point_a"), point("point_b")))
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
    if f.given("gauss_points").is_some() {
        field = field.gauss_points(whole(f, "gauss_points")? as usize);
    }
    if let Some(t) = f.table("repulsion") {
        let repulsion = match (t.number("coefficient"), t.number("rest_gap")) {
            (Some(coefficient), _) => Repulsion::Coefficient(coefficient),
            (None, gap) => Repulsion::RestGap(gap.unwrap_or_default()),
        };
        field = field.repulsion(whole(t, "exponent")?, repulsion);
    }
    let coefficient = |t: &Fields| t.number("coefficient").unwrap_or_default();
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

/// An exponent.
fn whole(f: &Fields, key: &str) -> Result<u32, Problem> {
    let x = f.number(key).unwrap_or_default();
    if x.fract() == 0.0 {
        return Ok(x as u32);
    }
    Err(Problem::new(format!("`{key}` cannot be {x}")).at(f.place(key), "allowed: a whole number"))
}
