//! The checks of contact rules: names, laws, and a solver and a stiffness for every pair of surfaces that they join.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use carom_geometry::{BoundPair, GeometryError, PairSolver, RelativeCurvature, Side, pairs};
use carom_law::{Friction, LawError, Material, MaterialPair, Meeting, Patch, Stiffness, Touch, suits};

use super::describe::ContactRule;
use super::endpoint::Endpoint;
use super::pressure::{check_pressure, materials, solver_of, yielding};
use super::rule::{Against, RESISTANCE, Rule, adheres, springs};
use super::table::RuleTable;
use crate::error::{BuildError, Fault, Subject};
use crate::state::placed;
use crate::world::World;

/// Checks that the bodies and surfaces of a rule exist and that its laws are valid, and returns the rule as a model uses it.
pub(crate) fn check_rule(world: &World, rule: &ContactRule) -> Result<Rule, BuildError> {
    let name = rule.label();
    let subject = Subject::Contact(name.clone());
    for end in rule.between.iter().flat_map(Endpoint::members) {
        let (body, surface) = match end {
            Endpoint::Any | Endpoint::Several(_) => continue,
            Endpoint::Body(b) => (b, None),
            Endpoint::Surface(b, s) => (b, Some(s)),
        };
        let bodies: Vec<&str> = world.body_names().collect();
        let index = subject.find("between", "body", body, &bodies)?;
        let own = world.surfaces.iter().filter(|s| s.body == index);
        let names: Vec<&str> = own.map(|s| s.name.as_str()).collect();
        match surface {
            Some(s) if !names.contains(&s.as_str()) => {
                let full: Vec<String> = names.iter().map(|n| format!("{body}/{n}")).collect();
                let full: Vec<&str> = full.iter().map(String::as_str).collect();
                return Err(subject.unknown("between", "surface", &format!("{body}/{s}"), &full));
            }
            None if names.is_empty() => {
                let value = format!("body `{body}`, which has no surface");
                return Err(subject.bad("between", value, "bodies with surfaces"));
            }
            _ => {}
        }
    }
    let law = |key| {
        let subject = &subject;
        move |source: LawError| subject.fails(Some(key), source)
    };
    rule.normal.check().map_err(law("normal"))?;
    if let Some(friction) = &rule.friction {
        friction.check().map_err(law("friction"))?;
    }
    for (key, resistance) in RESISTANCE.into_iter().zip(&rule.resistance) {
        resistance.iter().try_for_each(|r| r.check()).map_err(law(key))?;
    }
    let springs = springs(&rule.friction, &rule.resistance);
    for (against, law) in Against::ALL.into_iter().zip(springs) {
        law.map_or(Ok(()), |law| check_depth(&subject, rule, against, law))?;
    }
    let speed = rule.min_impact_speed;
    if !(speed > 0.0 && speed.is_finite()) {
        return Err(subject.bad("min_impact_speed", speed, "a finite number greater than 0"));
    }
    let solver = solver_of(rule);
    let presses = check_pressure(&subject, rule, solver.as_ref())?;
    let remembers = rule.friction.as_ref().is_some_and(|f| f.remembers());
    let has_memory = springs.iter().any(Option::is_some);
    let with_history = match (remembers, has_memory) {
        (true, _) => "friction that remembers",
        (false, true) => "resistance that remembers",
        (false, false) => "a normal law with history or adhesion",
    };
    if let (true, Some(solver)) = (
        has_memory || rule.normal.has_phases() || adheres(&*rule.normal),
        solver.as_ref().filter(|s| !s.keeps_points()),
    ) {
        let value = format!("{} with {with_history}", solver.value());
        let allowed =
            "contact points that stay where they are on the bodies, as those of a number of slices do";
        return Err(subject.bad(solver.key(), value, allowed));
    }
    let wear = rule.wear.as_ref().map(|wear| wear.build(&subject, rule.bearing.as_ref()));
    let wear = wear.transpose()?.flatten();
    let soft = world.bodies.iter().filter(|b| b.soft.is_some());
    let mut deform = soft.filter(|b| rule.between.iter().any(|end| end.is_of(&b.name)));
    let felt = wear.as_ref().and_then(|wear| wear.profile.as_ref()).is_some_and(|p| p.feedback);
    if let (true, Some(body)) = (felt, deform.next()) {
        let value = format!("felt by body `{}`, which deforms", body.name);
        return Err(subject.bad("wear", value, "wear without feedback, or rigid bodies"));
    }
    let solver = solver.map(|solver| {
        // the sections of a ring are strips
        let strip = Touch { strip: true, ..Touch::point(1.0, 1.0, 1.0) };
        solver.for_powers(rule.normal.powers(&strip)).unwrap_or(solver)
    });
    Ok(Rule {
        none: rule.none,
        may_start_deep: rule.may_start_deep,
        wear,
        solver,
        presses,
        between: rule.between.clone(),
        normal: rule.normal.clone(),
        friction: rule.friction.clone(),
        resistance: rule.resistance.clone(),
        remembers,
        has_memory,
        adheres: adheres(&*rule.normal),
        min_impact_speed: speed,
        friction_at: rule.friction_at,
        name,
    })
}

/// Returns pairs of surfaces that stand for all that a rule joins, in order: of surfaces of the same class under the same rules
/// one pair is enough. All pairs with a cavity are there, and all under a rule that names a solver.
fn examples(
    world: &World,
    table: &RuleTable,
    class: &[usize],
    solved: impl Fn(usize) -> bool,
) -> BTreeSet<(usize, usize)> {
    let mut buckets: BTreeMap<(usize, usize, bool, bool), Vec<usize>> = BTreeMap::new();
    for (i, s) in world.surfaces.iter().enumerate() {
        let key = (table.group(i), class[i], world.is_dynamic(s.body), s.shape.side == Side::Inside);
        buckets.entry(key).or_default().push(i);
    }
    let joined = |i: usize, j: usize| {
        let (a, b) = (world.surfaces[i].body, world.surfaces[j].body);
        a != b && (world.is_dynamic(a) || world.is_dynamic(b))
    };
    let mut pairs = BTreeSet::new();
    for (at, (p, of_p)) in buckets.iter().enumerate() {
        for (q, of_q) in buckets.iter().skip(at).filter(|(q, _)| p.2 || q.2) {
            let (i, j) = (of_p[0], of_q[0]);
            let all = p.3 || q.3 || table.get(i, j).is_some_and(|(rule, _)| solved(rule));
            let both = of_p.iter().flat_map(|&i| of_q.iter().map(move |&j| (i.min(j), i.max(j))));
            let mut both = both.filter(|&(i, j)| joined(i, j));
            match all {
                true => pairs.extend(both),
                false => pairs.extend(both.next()),
            }
        }
    }
    pairs
}

/// Checks that every kind of pair that a rule joins has a solver and a stiffness, and that every rule joins some surfaces.
pub(crate) fn check_pairs(world: &World, rules: &[Rule], table: &RuleTable) -> Result<(), BuildError> {
    let mut used = vec![false; rules.len()];
    // why the solver given by a rule has left all pairs so far to the standard ones
    let mut left: Vec<Result<(), Option<&str>>> = vec![Err(None); rules.len()];
    let mut seen = BTreeSet::new();
    // surfaces of the same kind, curvature and material, deformable or not, are checked once; whether a body fits into a
    // cavity depends on the dimensions of both, so such pairs are checked one by one
    let mut kinds: Vec<(String, Option<bool>, Option<usize>, bool)> = Vec::new();
    let class: Vec<usize> = world
        .surfaces
        .iter()
        .enumerate()
        .map(|(i, s)| {
            let error_factor = s.shape.surface.as_support().map(|support| support.is_strict());
            let kind = (s.shape.describe(), error_factor, s.material, world.deforms_surface(i));
            kinds.iter().position(|k| *k == kind).unwrap_or_else(|| {
                kinds.push(kind);
                kinds.len() - 1
            })
        })
        .collect();
    let solved = |rule: usize| rules[rule].solver.is_some();
    for (i, j) in examples(world, table, &class, solved) {
        let (a, b) = (&world.surfaces[i], &world.surfaces[j]);
        if let Some(rule) = table.none(i, j) {
            used[rule] = true;
        }
        let Some((rule, straight)) = table.get(i, j) else { continue };
        used[rule] = true;
        let leaves = |solver: &Arc<dyn PairSolver>| solver.leaves(&a.shape, &b.shape);
        left[rule] = match (left[rule], rules[rule].solver.as_ref().and_then(leaves)) {
            (Ok(()), _) | (_, None) => Ok(()),
            (Err(_), why) => Err(why),
        };
        let fits = [a, b].iter().any(|s| s.shape.side == Side::Inside);
        if fits || seen.insert((rule, class[i], class[j])) {
            let (a, b) = if straight { (i, j) } else { (j, i) };
            check_pair(world, &rules[rule], a, b)?;
        }
    }
    for (rule, why) in rules.iter().zip(&left) {
        if let (Some(solver), Err(Some(why))) = (&rule.solver, why) {
            let (value, allowed) = (format!("used: {why}"), "contacts of surfaces it is for");
            return Err(rule.subject().bad(solver.key(), value, allowed));
        }
    }
    match used.iter().position(|u| !u) {
        Some(rule) => {
            let why = match table.overruled_by(rule) {
                Some(other) => format!(
                    "it never applies: contact `{}` is more specific wherever they both match",
                    rules[other].name
                ),
                None => "it joins no two surfaces of different bodies of which one can move".to_owned(),
            };
            Err(rules[rule].subject().impossible(Some("between"), why))
        }
        None => Ok(()),
    }
}

/// Binds two surfaces to the solver that their rule gives, or to the standard ones if it gives none or that solver leaves the
/// pair to them.
pub(crate) fn bind(world: &World, rule: &Rule, a: usize, b: usize) -> Result<Box<dyn BoundPair>, BuildError> {
    let (sa, sb) = (&world.surfaces[a].shape, &world.surfaces[b].shape);
    let own = rule.solver.as_ref().filter(|solver| solver.leaves(sa, sb).is_none());
    let yielding = yielding(world, rule, a, b)?;
    bind_surfaces(world, yielding.as_deref().or(own.map(Arc::as_ref)), a, b).map_err(|source| {
        let [a, b] = [a, b].map(|s| world.surface_name(s));
        rule.subject().fails(Some("between"), Fault::Pair { a, b, source })
    })
}

/// Binds two surfaces so that their distance can be measured independently of any contact; `None` if no solver knows it. The
/// standard solvers come first, then that of the rule; but slices are measured by the rule's solver, because their gaps are
/// those of the sections into which the ring is cut.
pub(crate) fn audit_pair(
    world: &World,
    rule: Option<&Rule>,
    a: usize,
    b: usize,
) -> Option<Box<dyn BoundPair>> {
    let (sa, sb) = (&world.surfaces[a].shape, &world.surfaces[b].shape);
    let own = rule.and_then(|rule| rule.solver.as_ref()).filter(|s| s.leaves(sa, sb).is_none());
    let own = own.map(Arc::as_ref);
    match own {
        Some(solver) if solver.key() == "slices" => bind_surfaces(world, own, a, b).ok(),
        _ => bind_surfaces(world, None, a, b)
            .or_else(|e| own.map_or(Err(e), |s| bind_surfaces(world, Some(s), a, b)))
            .ok(),
    }
}

/// Binds two surfaces to the solver `own` or, without one, to the first solver that knows them; deformed if their bodies
/// deform.
pub(crate) fn bind_surfaces(
    world: &World,
    own: Option<&dyn PairSolver>,
    a: usize,
    b: usize,
) -> Result<Box<dyn BoundPair>, GeometryError> {
    let (sa, sb) = (&world.surfaces[a].shape, &world.surfaces[b].shape);
    let deforms = [a, b].map(|s| world.deforms_surface(s));
    match (own, deforms) {
        (Some(solver), [false, false]) => pairs::bind_by(solver, sa, sb),
        (None, [false, false]) => pairs::bind_with(&world.solvers.0, sa, sb),
        (Some(solver), _) => pairs::bind_deformed(std::iter::once(solver), sa, sb, deforms),
        (None, _) => {
            let all = world.solvers.0.iter().chain(pairs::ALL).copied();
            pairs::bind_deformed(all, sa, sb, deforms)
        }
    }
}

/// Checks that two surfaces have a solver and, at one of their contact points at least, the stiffness and patch radii that
/// the laws need.
fn check_pair(world: &World, rule: &Rule, i: usize, j: usize) -> Result<(), BuildError> {
    let (a, b) = (world.surface_name(i), world.surface_name(j));
    let (sa, sb) = (&world.surfaces[i], &world.surfaces[j]);
    let contact = rule.subject();
    let needs = |key, (what, sources), why| {
        contact.fails(Some(key), Fault::NeedsStiffness { what, sources, a: a.clone(), b: b.clone(), why })
    };
    let lacks = |why| needs("normal", ("stiffness", "materials and curvature"), why);
    let without = |asked: [bool; 2]| {
        let mut both = [(&a, sa), (&b, sb)].into_iter().zip(asked);
        let ((name, _), _) = both.find(|((_, s), asked)| *asked && s.material.is_none())?;
        Some(format!("{name} has no material"))
    };
    let source = rule.normal.stiffness();
    let e_star = match source.asks_materials() {
        false => 0.0,
        true => {
            let asked = match source {
                Stiffness::Layers(layers) => layers.asks_materials(),
                _ => [true; 2],
            };
            if let Some(why) = without(asked) {
                return Err(lacks(why));
            }
            material_stiffness(world, rule, i, j).map_err(|e| lacks(e.to_string()))?
        }
    };
    shears(world, rule, i, j).map_err(|(key, e)| {
        needs(key, ("stiffness_ratio", "materials"), without([true; 2]).unwrap_or_else(|| e.to_string()))
    })?;
    let pair = bind(world, rule, i, j)?;
    if source.given().is_some() && !rule.asks_curvature() {
        return Ok(());
    }
    let law = |key, source: LawError| contact.fails(Some(key), source);
    let (ra, rb);
    let xa = placed!(sa.local, world.bodies[sa.body].rest.x, ra);
    let xb = placed!(sb.local, world.bodies[sb.body].rest.x, rb);
    // a stiffness at one of the points is sufficient: a pair without one in its present position may have one where it
    // touches
    let stiff = |k: usize| -> Result<(), BuildError> {
        let c = pair.curvature(k, xa, xb);
        source.at(e_star, &meeting(&c)).map_err(|error| match source {
            Stiffness::Bed(_) | Stiffness::Line(_) => law("normal", error),
            _ => lacks(error.to_string()),
        })?;
        for (key, resistance) in RESISTANCE.into_iter().zip(&rule.resistance) {
            let patch = resistance.as_ref().map_or(Patch::Unneeded, |r| r.patch());
            patch.radius(c.k_min, c.k_max).map_err(|error| law(key, error))?;
        }
        Ok(())
    };
    let mut refused = Ok(());
    for k in 0..pair.features() {
        match stiff(k) {
            Ok(()) => return Ok(()),
            Err(e) => refused = Err(e),
        }
    }
    refused
}

/// Returns the geometry in which two surfaces meet, in the form that laws use.
pub(crate) fn meeting(r: &RelativeCurvature) -> Meeting {
    Meeting { k_min: r.k_min, k_max: r.k_max, length: r.length, radii: r.radii }
}

/// Returns what the materials of two surfaces give for the stiffness of a rule: the contact modulus E* [Pa], or the stiffness of
/// their layers [Pa/m].
pub(crate) fn material_stiffness(world: &World, rule: &Rule, a: usize, b: usize) -> Result<f64, LawError> {
    let materials = materials(world, a, b);
    if let Stiffness::Layers(layers) = rule.normal.stiffness() {
        return Ok(layers.between(materials)?.stiffness);
    }
    let none = Material::new("(none)");
    let [a, b] = materials.map(|material| material.unwrap_or(&none));
    MaterialPair::new(a, b).e_star()
}

/// How stiff contacts of two materials are along the surface.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shear {
    /// κ: as a part of the stiffness along the normal
    pub(crate) ratio: f64,
    /// how much more a slender contact yields along its length than across, as a part of the mean; 0 where κ is given, which is for both
    pub(crate) contrast: f64,
    /// Poisson's ratio of both, of an ellipse that is turned; `None` where κ is given, which is for all shapes
    pub(crate) poisson: Option<f64>,
}

/// Returns how stiff a contact of two surfaces is against sliding, rolling and spinning, for laws with memory that ask for it; nothing for others. An error comes with the key of the law.
pub(crate) fn shears(
    world: &World,
    rule: &Rule,
    a: usize,
    b: usize,
) -> Result<[Shear; 3], (&'static str, LawError)> {
    let mut shears = [Shear::default(); 3];
    for one in rule.remembering().filter(|one| one.law.follows_depth()) {
        let none = Material::new("(none)");
        let [a, b] = materials(world, a, b).map(|material| material.unwrap_or(&none));
        let pair = MaterialPair::new(a, b);
        let of_materials = || match one.against {
            Against::Sliding => {
                Ok(Shear { ratio: pair.stiffness_ratio()?, contrast: pair.shear_contrast()?, poisson: None })
            }
            Against::Rolling | Against::Spinning => {
                let law = &rule.resistance[one.against as usize - 1];
                let ratio = law.as_ref().map_or(Ok(0.0), |law| law.stiffness_ratio_of(&pair))?;
                Ok(Shear { ratio, contrast: 0.0, poisson: Some(pair.mean_poisson()?) })
            }
        };
        let given = one.law.stiffness_ratio().map(|ratio| Shear { ratio, contrast: 0.0, poisson: None });
        shears[one.against as usize] =
            given.map_or_else(of_materials, Ok).map_err(|e| (one.against.key(), e))?;
    }
    Ok(shears)
}

/// Checks that the normal law gives what a law with memory needs that follows the depth.
fn check_depth(
    subject: &Subject,
    rule: &ContactRule,
    against: Against,
    friction: &dyn Friction,
) -> Result<(), BuildError> {
    if suits(friction, &*rule.normal) {
        return Ok(());
    }
    let (n, law) = (rule.normal.exponent(), rule.normal.name());
    let allowed = match (friction.needs_circle(), against) {
        (true, Against::Sliding) => {
            "normal laws with n = 1.5, whose stiffness tells the radius of the contact, as `hertz`, `thornton` or `jkr`; `mindlin-deresiewicz` is for others"
        }
        (true, _) => {
            "normal laws with n = 1.5, whose stiffness tells the radius of the contact, as `hertz`, `thornton` or `jkr`"
        }
        (false, _) => "normal laws of contacts in points, with a stiffness K, as `hertz` or `hunt-crossley`",
    };
    Err(subject.bad(
        against.key(),
        format!("{} with the normal law {law}, n = {n}", friction.name()),
        allowed,
    ))
}
