//! The step of a crowd: a part of the shortest impact that there can be.

use carom_base::elementary::pow;
use carom_geometry::RelativeCurvature;
use carom_law::Touch;

use crate::model::Model;
use crate::rule::{material_stiffness, meeting};
use crate::world::{SurfaceModel, World};

/// A step is this part of the shortest impact.
pub(crate) const PART: f64 = 1.0 / 40.0;

/// Returns the longest step that a crowd takes by itself [s]: [`PART`] of the shortest impact of two surfaces, at the speed at which they
/// may meet. `None` if no law gives a stiffness.
pub(crate) fn stride(m: &Model) -> Option<f64> {
    let speed = speed(&m.world);
    let mut least: Vec<usize> = Vec::new();
    // the lightest surface of every group stands for all: lighter ones have shorter impacts
    let mut lightest: Vec<Option<usize>> = Vec::new();
    for i in 0..m.world.surfaces.len() {
        let group = m.table.group(i);
        if lightest.len() <= group {
            lightest.resize(group + 1, None);
        }
        let weighs = |i: usize| mass(&m.world, &m.world.surfaces[i]);
        if lightest[group].is_none_or(|known| weighs(i) < weighs(known)) {
            lightest[group] = Some(i);
        }
    }
    least.extend(lightest.iter().flatten());
    let pairs = least.iter().flat_map(|&a| least.iter().map(move |&b| (a, b)));
    let shortest = pairs.filter_map(|(a, b)| impact(m, a, b, speed)).fold(f64::INFINITY, f64::min);
    shortest.is_finite().then_some(PART * shortest)
}

/// Returns a speed at which bodies may meet [m/s]: that of the fastest, or of a fall over the height of all.
fn speed(world: &World) -> f64 {
    let fastest = world.free().map(|i| world.bodies[i].velocity.norm()).fold(world.scale.speed, f64::max);
    let along = world.gravity / world.gravity.norm().max(f64::MIN_POSITIVE);
    let heights = world.free().map(|i| along.dot(&world.bodies[i].rest.x.p));
    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    let fall = (2.0 * world.gravity.norm() * (high - low).max(0.0)).sqrt();
    fastest + fall
}

/// Returns the mass that moves with a surface [kg]; infinite if it is held.
fn mass(world: &World, surface: &SurfaceModel) -> f64 {
    if world.is_dynamic(surface.body) { world.bodies[surface.body].mass } else { f64::INFINITY }
}

/// Returns the duration of an impact of two surfaces [s], 2.94 δ/v at n = 3/2 with δ the largest indentation of an elastic one.
fn impact(m: &Model, a: usize, b: usize, v: f64) -> Option<f64> {
    let (rule, _) = m.table.get(a, b)?;
    let (rule, surfaces) = (&m.rules[rule], [a, b].map(|i| &m.world.surfaces[i]));
    let [across_a, across_b] = surfaces.map(|s| if s.radius.is_finite() { 1.0 / s.radius } else { 0.0 });
    let across = across_a + across_b;
    let source = rule.normal.stiffness();
    let e_star = if source.asks_materials() { material_stiffness(&m.world, rule, a, b).ok()? } else { 0.0 };
    let k = source.at(e_star, &meeting(&RelativeCurvature::point(across, across))).ok()?;
    let mass = 1.0 / surfaces.map(|s| 1.0 / mass(&m.world, s)).iter().sum::<f64>();
    let n = rule.normal.exponent_in(&Touch { radius: 1.0 / across, ..Touch::point(k, v, mass) });
    let depth = pow(0.5 * (n + 1.0) * mass * v * v / k, 1.0 / (n + 1.0));
    let duration = 2.94 * depth / v;
    (duration > 0.0).then_some(duration)
}
