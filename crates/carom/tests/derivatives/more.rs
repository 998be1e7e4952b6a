//! Elements that few models have: resistance to rolling and spinning, forces between points.

use std::sync::Arc;

use carom_base::Vec3;
use carom_law::resistance::{ROLLING, SPINNING};
use carom_law::{Friction, Normal, Patch, Resistance, ResistanceEntry, friction, normal};
use carom_testkit::one_in;
use nalgebra::Unit;

use super::{built, check, combinations, couples};
use carom::{Body, ContactRule, Dof, Drive, Force, Formula, Orbit, SpringDamper};

/// Returns the laws of a registry of resistance, each with as many of its parameters as fit each other.
fn resistance_laws(registry: &[ResistanceEntry]) -> Vec<Arc<dyn Resistance>> {
    // (the models of these tests have no materials)
    let known = |law: &Arc<dyn Resistance>| law.spring().is_none_or(|s| s.stiffness_ratio().is_some());
    let made = |e: &ResistanceEntry| {
        combinations(e.entry.params).into_iter().filter_map(|args| e.make(&args).ok()).find(known)
    };
    registry.iter().filter_map(made).collect()
}

/// The rule with these laws of rolling and spinning resistance.
fn resisting(
    rule: ContactRule,
    rolls: Option<Arc<dyn Resistance>>,
    spins: Option<Arc<dyn Resistance>>,
) -> ContactRule {
    let rule = rolls.into_iter().fold(rule, ContactRule::rolling_arc);
    spins.into_iter().fold(rule, ContactRule::spinning_arc)
}

/// Rolling and spinning resistance, alone and together, under friction with and without bristles. Where a pair has a
/// corner, its contact patch has a radius only if one is given.
#[test]
fn every_pair_with_every_resistance() {
    let normal = normal::find("hunt-crossley").unwrap();
    let mut laws = combinations(normal.entry.params).into_iter().filter_map(|args| normal.make(&args).ok());
    // (torsion asks for Hertz's exponent)
    let law = laws.find(|law| super::known(law.stiffness()) && law.exponent() == 1.5).unwrap();
    let tanh: Arc<dyn Friction> = Arc::new(friction::Tanh::new(0.4, 0.8).unwrap());
    let lugre: Arc<dyn Friction> = Arc::new(friction::LuGre::new(0.4, 0.7, 2.5, 2.5).unwrap());
    let (rolling, spinning) = (resistance_laws(ROLLING), resistance_laws(SPINNING));
    let given = |laws: Vec<Arc<dyn Resistance>>| -> Vec<_> {
        laws.into_iter().filter(|law| law.patch() != Patch::Curvature).collect()
    };
    let (rolling, given) = (given(rolling), given(spinning));
    let (mut entries, mut corners) = (0, 0);
    let some = |laws: &[Arc<dyn Resistance>]| -> Vec<Option<Arc<dyn Resistance>>> {
        laws.iter().cloned().map(Some).chain([None]).collect()
    };
    let frictions = [None, Some(&tanh), Some(&lugre)];
    for (i, couple) in couples().iter().enumerate() {
        // a part of all pairs of laws, another one with the next pair of shapes
        let (rolling, given) = (some(&rolling), some(&given));
        let laws = (0..rolling.len()).flat_map(|j| (0..given.len()).map(move |k| (j, k)));
        for (j, k) in one_in(7, laws.skip(i % 7)) {
            let (rolls, spins) = (&rolling[j], &given[k]);
            // one of the three, another one with the next pair
            let friction = frictions[(i + j + k) % frictions.len()];
            let change = |a, b| (a, b);
            let model = built((&couple.0, &couple.1), (&law, friction), change, |b, rule| {
                b.contact(resisting(rule, rolls.clone(), spins.clone()));
            });
            let shapes = format!("{} {}", couple.0.describe(), couple.1.describe());
            let (all, some) = check(&model, &format!("{shapes} {friction:?} {rolls:?} {spins:?}"));
            (entries, corners) = (entries + all, corners + some);
        }
    }
    assert!(corners * 1000 < entries, "{corners} corners in {entries}");
}

/// A body whose mass is driven, under gravity: a contact with friction, bristles, rolling resistance and a spring
/// accelerate its current mass.
#[test]
fn masses_and_gravity_in_time() {
    let law: Arc<dyn Normal> = Arc::new(normal::HuntCrossley::damping(0.3).unwrap().stiffness(3e4));
    let tanh: Arc<dyn Friction> = Arc::new(friction::Tanh::new(0.4, 0.8).unwrap());
    let lugre: Arc<dyn Friction> = Arc::new(friction::LuGre::new(0.4, 0.7, 2.5, 2.5).unwrap());
    let rolling = resistance_laws(ROLLING).remove(0);
    let couple = &couples()[0];
    let held = |b: Body| b.velocity([0.0; 3]).angular_velocity([0.0; 3]).dofs(&[Dof::Y, Dof::Rz]);
    for friction in [&tanh, &lugre] {
        for hold in [false, true] {
            let change = |a, b| if hold { (held(a), b) } else { (a, b) };
            let model = built((&couple.0, &couple.1), (&law, Some(friction)), change, |b, rule| {
                let spring = SpringDamper::new(150.0, 0.4).unwrap().damping(7.0);
                b.contact(rule.rolling_arc(rolling.clone()));
                b.force(Force::between("a", "b", spring).points([0.3, -0.1, 0.2], [-0.2, 0.4, 0.1]));
                b.drive(Drive::new("body/a/mass", Formula::new("1.3*(1 + 40*t)").unwrap()));
                b.drive(Drive::new("body/b/mass", Formula::new("2*exp(-30*t)").unwrap()));
                b.drive(Drive::new("world/gravity/1", Formula::new("30*sin(10*t)").unwrap()));
            });
            let (_, corners) = check(&model, "driven");
            assert_eq!(corners, 0);
        }
    }
}

/// Springs and dashpots between points off the centres of mass, together with a contact: free, fixed and prescribed bodies.
#[test]
fn forces_between_points() {
    let law: Arc<dyn Normal> = Arc::new(normal::Hertz::new().stiffness(3e4));
    let couple = &couples()[0];
    let moved = |b: Body| {
        let axis = Unit::new_normalize(Vec3::new(0.3, -0.5, 0.8));
        let orbit = Orbit { to_centre: Vec3::new(0.4, 0.3, -0.2), axis, rate: 0.3 };
        b.moved_by(orbit).velocity([0.0; 3]).angular_velocity([0.0; 3])
    };
    let held = |b: Body| b.velocity([0.0; 3]).angular_velocity([0.0; 3]).dofs(&[Dof::Y, Dof::Rz]);
    let centred = |b: Body| b.inertia([0.4; 3]).centre_of_mass([0.0; 3]);
    type Change<'a> = (&'a str, &'a dyn Fn(Body, Body) -> (Body, Body));
    let changes: [Change<'_>; 5] = [
        ("free", &|a, b| (a, b)),
        ("A held", &|a, b| (held(a), b)),
        ("A moved", &|a, b| (moved(a), b)),
        ("B moved", &|a, b| (a, moved(b))),
        ("both alike about their centres", &|a, b| (centred(a), centred(b))),
    ];
    let spring = SpringDamper::new(150.0, 0.4).unwrap();
    for (what, change) in &changes {
        for spring in [spring, spring.damping(7.0)] {
            let model = built((&couple.0, &couple.1), (&law, None), change, |b, rule| {
                let points = ([0.3, -0.1, 0.2], [-0.2, 0.4, 0.1]);
                b.contact(rule).force(Force::between("a", "b", spring).points(points.0, points.1));
                b.force(Force::between("b", "a", spring).named("centres"));
            });
            let (_, corners) = check(&model, what);
            assert_eq!(corners, 0, "{what}");
        }
    }
}
