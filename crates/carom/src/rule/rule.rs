//! Contact rules: which bodies touch, and under which laws.

use std::sync::Arc;

use carom_geometry::PairSolver;
use carom_law::{Friction, Indentation, Normal, Patch, Resistance, Touch};

use super::friction_point::FrictionAt;
use crate::error::{BuildError, Fault, Subject};
use crate::wear::{Bearing, Wear, WearLaw};
use crate::world::{SurfaceModel, World};

/// One side of a contact rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// all surfaces of all bodies, except those that joints with clearance add
    Any,
    /// all surfaces of a body, except those that joints with clearance add
    Body(String),
    /// one surface: body and surface
    Surface(String, String),
    /// several bodies and surfaces
    Several(Several),
}

/// Several bodies and surfaces as one side of a contact rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Several {
    /// what the rule and messages call them
    pub label: String,
    /// the bodies and surfaces
    pub members: Vec<Endpoint>,
    /// whether they were found by a wildcard or a group, so that a rule that names one of them is more specific
    pub found: bool,
}

impl Endpoint {
    /// Reads `*`, `body` or `body/surface`.
    ///
    /// ```
    /// use carom::Endpoint;
    /// assert_eq!(Endpoint::parse("*"), Endpoint::Any);
    /// assert_eq!(Endpoint::parse("ring/tread"), Endpoint::Surface("ring".into(), "tread".into()));
    /// ```
    pub fn parse(text: &str) -> Endpoint {
        match text.split_once('/') {
            None if text == "*" => Endpoint::Any,
            None => Endpoint::Body(text.to_owned()),
            Some((body, surface)) => Endpoint::Surface(body.to_owned(), surface.to_owned()),
        }
    }

    /// Returns several bodies and surfaces as one side of a rule. `label` is what messages call them. `found` says whether
    /// they were found by a wildcard or a group: a rule that names one of them is then more specific.
    ///
    /// ```
    /// use carom::Endpoint;
    /// let side = Endpoint::several("balls", ["ball1", "ball2"].map(Endpoint::parse), true);
    /// assert_eq!(side.to_string(), "balls");
    /// ```
    pub fn several(label: &str, members: impl IntoIterator<Item = Endpoint>, found: bool) -> Endpoint {
        let members = members.into_iter().collect();
        Endpoint::Several(Several { label: label.to_owned(), members, found })
    }

    /// Returns the sides that it consists of: itself, or its members.
    pub(crate) fn members(&self) -> &[Endpoint] {
        match self {
            Endpoint::Several(several) => &several.members,
            one => std::slice::from_ref(one),
        }
    }

    /// Returns whether it names the body, or a surface of the body.
    pub(crate) fn is_of(&self, body: &str) -> bool {
        let named = |e: &Endpoint| matches!(e, Endpoint::Body(b) | Endpoint::Surface(b, _) if b == body);
        self.members().iter().any(named)
    }

    /// Returns whether it is a side of the surface.
    fn matches(&self, world: &World, s: &SurfaceModel) -> bool {
        match self {
            Endpoint::Any => !s.of_joint,
            Endpoint::Body(b) => !s.of_joint && world.bodies[s.body].name == *b,
            Endpoint::Surface(b, name) => world.bodies[s.body].name == *b && s.name == *name,
            Endpoint::Several(several) => several.members.iter().any(|e| e.matches(world, s)),
        }
    }

    /// Returns how specific it is: 0 for all surfaces, 2 for a body, 4 for one surface; 1 less for those that a wildcard or a
    /// group finds.
    fn rank(&self) -> usize {
        match self {
            Endpoint::Any => 0,
            Endpoint::Body(_) => 2,
            Endpoint::Surface(..) => 4,
            Endpoint::Several(several) => {
                let least = several.members.iter().map(Endpoint::rank).min().unwrap_or_default();
                least.saturating_sub(usize::from(several.found))
            }
        }
    }
}

impl std::fmt::Display for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Endpoint::Any => write!(f, "*"),
            Endpoint::Body(b) => write!(f, "{b}"),
            Endpoint::Surface(b, s) => write!(f, "{b}/{s}"),
            Endpoint::Several(several) => write!(f, "{}", several.label),
        }
    }
}

/// A contact rule: which surfaces touch, and under which laws for the normal force, friction, and the resistance to rolling
/// and spinning. If several rules match a pair of surfaces, the most specific one applies.
///
/// ```
/// use carom::prelude::*;
/// let rule = ContactRule::between("ball", "floor")
///     .normal(HuntCrossley::restitution(0.8)?.stiffness(1e8))
///     .friction(Tanh::new(0.2, 1000.0)?);
/// # let _ = rule;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ContactRule {
    pub(crate) name: Option<String>,
    pub(crate) between: [Endpoint; 2],
    pub(crate) normal: Arc<dyn Normal>,
    pub(crate) friction: Option<Arc<dyn Friction>>,
    pub(crate) friction_at: FrictionAt,
    /// laws of resistance to rolling and to spinning
    pub(crate) resistance: [Option<Arc<dyn Resistance>>; 2],
    pub(crate) min_impact_speed: f64,
    /// solver that finds the contact points, if not the standard ones
    pub(crate) solver: Option<Arc<dyn PairSolver>>,
    pub(crate) wear: Option<Wear>,
    /// bearing of a joint with clearance, which can have a wear profile
    pub(crate) bearing: Option<Bearing>,
    pub(crate) none: bool,
    pub(crate) may_start_deep: bool,
}

impl ContactRule {
    /// Creates a rule between two bodies, two surfaces (`body/surface`), or all surfaces (`*`). The contact is elastic
    /// (`hertz`) and without friction unless other laws are given.
    pub fn between(a: &str, b: &str) -> ContactRule {
        ContactRule::between_sides(Endpoint::parse(a), Endpoint::parse(b))
    }

    /// Creates a rule between two sides, each of which may be several bodies and surfaces.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::Endpoint;
    /// let balls = Endpoint::several("balls", ["ball1", "ball2"].map(Endpoint::parse), true);
    /// let rule = ContactRule::between_sides(balls, Endpoint::parse("race"));
    /// # let _ = rule;
    /// ```
    pub fn between_sides(a: Endpoint, b: Endpoint) -> ContactRule {
        ContactRule {
            name: None,
            between: [a, b],
            normal: Arc::new(carom_law::normal::Hertz::new()),
            friction: None,
            friction_at: FrictionAt::Middle,
            resistance: [None, None],
            min_impact_speed: 1e-3,
            solver: None,
            wear: None,
            bearing: None,
            none: false,
            may_start_deep: false,
        }
    }

    /// Creates a rule by which no force acts between the two: they are meant to pass through each other. As the most specific
    /// rule applies to a pair of surfaces, this excludes a pair from a rule for all, and it states that a pair without a
    /// contact is intended.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let rule = ContactRule::none("ball", "curtain");
    /// # let _ = rule;
    /// ```
    pub fn none(a: &str, b: &str) -> ContactRule {
        ContactRule::between(a, b).without_force()
    }

    /// Makes it a rule by which no force acts, as [`none`](ContactRule::none) does.
    pub fn without_force(mut self) -> ContactRule {
        self.none = true;
        self
    }

    /// Allows the surfaces to overlap at the start by any depth, as those of an interference fit: no warning is given.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let rule = ContactRule::between("ring", "shaft").may_start_deep();
    /// # let _ = rule;
    /// ```
    pub fn may_start_deep(mut self) -> ContactRule {
        self.may_start_deep = true;
        self
    }

    /// Sets the solver that finds the contact points, in place of the first one that knows the surfaces: for rings (torus,
    /// supertorus) slices, that is a number of contact points along the ring, or one of
    /// [`pairs::NAMED`](carom_geometry::pairs::NAMED).
    ///
    /// ```
    /// use carom::prelude::*;
    /// let rule = ContactRule::between("ring", "floor")
    ///     .normal(ElasticFoundation::depth(1.0)?.damping(0.05))
    ///     .solver(Slices::new(36)?);
    /// # let _ = rule;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solver(self, solver: impl PairSolver + 'static) -> ContactRule {
        self.solver_arc(Arc::new(solver))
    }

    /// Sets the solver that finds the contact points, as a shared object.
    pub fn solver_arc(mut self, solver: Arc<dyn PairSolver>) -> ContactRule {
        self.solver = Some(solver);
        self
    }

    /// Adds wear by Archard's law: the volume worn off both sides together. (Only a bearing has a wear profile:
    /// [`Clearance::wear`](crate::Clearance::wear).)
    ///
    /// ```
    /// use carom::prelude::*;
    /// let rule = ContactRule::between("block", "floor").wear(Wear::coefficient(1e-13)); // [1/Pa]
    /// # let _ = rule;
    /// ```
    pub fn wear(mut self, wear: Wear) -> ContactRule {
        self.wear = Some(wear);
        self
    }

    /// Sets the rule's name; without one it is called `a~b`.
    pub fn named(mut self, name: &str) -> ContactRule {
        self.name = Some(name.to_owned());
        self
    }

    /// Sets the normal law.
    pub fn normal(mut self, law: impl Normal + 'static) -> ContactRule {
        self.normal = Arc::new(law);
        self
    }

    /// Sets the normal law, as a shared object.
    pub fn normal_arc(mut self, law: Arc<dyn Normal>) -> ContactRule {
        self.normal = law;
        self
    }

    /// Sets the friction law.
    pub fn friction(mut self, law: impl Friction + 'static) -> ContactRule {
        self.friction = Some(Arc::new(law));
        self
    }

    /// Sets the friction law, as a shared object.
    pub fn friction_arc(mut self, law: Arc<dyn Friction>) -> ContactRule {
        self.friction = Some(law);
        self
    }

    /// Sets where friction acts on the two bodies; the default is midway between their contact points.
    pub fn friction_at(mut self, at: FrictionAt) -> ContactRule {
        self.friction_at = at;
        self
    }

    /// Sets the law of resistance to rolling.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let rule = ContactRule::between("ball", "cloth").rolling(TanhCouple::new(1e-4, 0.1)?).spinning(HertzPatch::new(0.2, 0.1)?);
    /// # let _ = rule;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rolling(self, law: impl Resistance + 'static) -> ContactRule {
        self.rolling_arc(Arc::new(law))
    }

    /// Sets the law of resistance to rolling, as a shared object.
    pub fn rolling_arc(mut self, law: Arc<dyn Resistance>) -> ContactRule {
        self.resistance[0] = Some(law);
        self
    }

    /// Sets the law of resistance to spinning.
    pub fn spinning(self, law: impl Resistance + 'static) -> ContactRule {
        self.spinning_arc(Arc::new(law))
    }

    /// Sets the law of resistance to spinning, as a shared object.
    pub fn spinning_arc(mut self, law: Arc<dyn Resistance>) -> ContactRule {
        self.resistance[1] = Some(law);
        self
    }

    /// Sets the minimum impact speed [m/s]: a lower one is not latched, and laws that divide by the impact speed keep the
    /// last one, or use the minimum before the first.
    pub fn min_impact_speed(mut self, speed: f64) -> ContactRule {
        self.min_impact_speed = speed;
        self
    }

    /// Returns the rule's name or, without one, `a~b`.
    pub(crate) fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("{}~{}", self.between[0], self.between[1]))
    }
}

/// An indentation just above zero [m].
///
/// A located contact point touches and parts at δ = 0, by events. Rounding errors leave δ on either side, and stages of a
/// step end beyond. On both sides laws must give their forces at δ = 0⁺, or rates would jump within the first and the last
/// step of a contact: a dashpot pushes as soon as it touches, or pulls until it parts, and bristles relax under no load.
pub(crate) const TOUCHING: f64 = f64::MIN_POSITIVE;

/// Returns whether steps that resolve the motion under this law need not resolve what it dissipates. If the law holds its
/// force at zero, no force acts, and only the energy balance shows how the energy still stored is lost. If its force jumps at
/// touch, the motion is as smooth at the ends of the contact as in between, and steps are long; the dissipated power, D δ̇²,
/// changes twice as fast, and a formula of order p has an error that is 2^{p+1} times as large.
pub(crate) fn is_dashpot(law: &dyn Normal) -> bool {
    let first = Indentation { delta: TOUCHING, delta_dot: 1.0 };
    law.lets_go_early() || law.force(first, &Touch::point(1.0, 1.0, 1.0)).f_n > 1e-30
}

/// A contact rule in a model, after all checks.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) between: [Endpoint; 2],
    pub(crate) normal: Arc<dyn Normal>,
    pub(crate) friction: Option<Arc<dyn Friction>>,
    pub(crate) friction_at: FrictionAt,
    /// laws of resistance to rolling and to spinning
    pub(crate) resistance: [Option<Arc<dyn Resistance>>; 2],
    /// whether friction has memory, so that a contact point has a position in the state
    pub(crate) remembers: bool,
    pub(crate) min_impact_speed: f64,
    /// solver that finds the contact points, if not the standard ones
    pub(crate) solver: Option<Arc<dyn PairSolver>>,
    pub(crate) wear: Option<WearLaw>,
    /// whether no force acts between the surfaces that it names
    pub(crate) none: bool,
    /// whether a deep overlap at the start is intended
    pub(crate) may_start_deep: bool,
}

impl Rule {
    /// Returns the contact as the subject of an error message.
    pub(crate) fn subject(&self) -> Subject {
        Subject::Contact(self.name.clone())
    }

    /// Returns whether its normal law may be a dashpot, whose dissipation steps need not resolve ([`is_dashpot`]). (A
    /// user-defined function is first called in a run, where its errors belong.)
    pub(crate) fn has_dashpot(&self) -> bool {
        !self.normal.is_formula() || is_dashpot(&*self.normal)
    }

    /// Returns whether its forces depend on more than positions and velocities.
    pub(crate) fn depends_on_the_past(&self) -> bool {
        let profile = self.wear.as_ref().and_then(|wear| wear.profile.as_ref());
        self.normal.needs_impact_speed() || self.remembers || profile.is_some_and(|p| p.feedback)
    }
}

impl Rule {
    /// Returns whether it resists rolling or spinning.
    pub(crate) fn resists(&self) -> bool {
        self.resistance.iter().any(Option::is_some)
    }

    /// Returns whether one of its laws of resistance takes the radius of the contact patch from curvatures.
    pub(crate) fn asks_curvature(&self) -> bool {
        self.resistance.iter().flatten().any(|law| law.patch() == Patch::Curvature)
    }
}

/// The table of the rules that apply to pairs of surfaces. Surfaces that match the same endpoints form a group, so the table
/// stays small however many bodies there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleTable {
    /// group index of each surface
    group: Vec<usize>,
    groups: usize,
    /// index of the rule of each pair of groups, and whether the pair is in the order in which the rule names it
    rule: Vec<Option<(usize, bool)>>,
    /// index of the rule by which no force acts between a pair of groups, if there is one
    none: Vec<Option<usize>>,
    /// for every rule, index of a more specific one that applies to surfaces which both match, if there is one
    overruled_by: Vec<Option<usize>>,
}

impl RuleTable {
    /// Returns the index of a more specific rule that applies to surfaces which this rule matches too, if there is one.
    pub(crate) fn overruled_by(&self, rule: usize) -> Option<usize> {
        self.overruled_by[rule]
    }

    /// Returns the index of the rule for two surfaces, and whether (a, b) is the order in which it names them.
    pub(crate) fn get(&self, a: usize, b: usize) -> Option<(usize, bool)> {
        self.rule[self.group[a] * self.groups + self.group[b]]
    }

    /// Returns the index of the rule by which no force acts between two surfaces, if there is one.
    pub(crate) fn none(&self, a: usize, b: usize) -> Option<usize> {
        self.none[self.group[a] * self.groups + self.group[b]]
    }

    pub(crate) fn new(rules: &[Rule], world: &World) -> Result<RuleTable, BuildError> {
        // for every endpoint of the rules, whether it matches the surface; last, whether its body is dynamic
        let key = |s: &SurfaceModel| -> Vec<bool> {
            let matches = |e: &Endpoint| e.matches(world, s);
            let free = world.is_dynamic(s.body);
            rules.iter().flat_map(|r| r.between.iter().map(matches)).chain([free]).collect()
        };
        let free = |k: &[bool]| k.last() == Some(&true);
        let mut keys: Vec<Vec<bool>> = Vec::new();
        let mut example = Vec::new();
        let mut group = Vec::new();
        for (i, s) in world.surfaces.iter().enumerate() {
            let k = key(s);
            let g = keys.iter().position(|x| *x == k).unwrap_or_else(|| {
                keys.push(k);
                example.push(i);
                keys.len() - 1
            });
            group.push(g);
        }
        let mut rule = Vec::with_capacity(keys.len() * keys.len());
        let mut overruled_by = vec![None; rules.len()];
        for (ga, a) in keys.iter().enumerate() {
            for (gb, b) in keys.iter().enumerate() {
                // between two bodies that are not dynamic it does not matter which rule applies
                if !free(a) && !free(b) {
                    rule.push(None);
                    continue;
                }
                let best = best_rule(rules, a, b).map_err(|(first, second)| {
                    let [a, b] = [ga, gb].map(|group| world.surface_name(example[group]));
                    let [name, other] = [first, second].map(|rule| &rules[rule].name);
                    let why = format!("contacts `{name}` and `{other}` both speak of {a} and {b}");
                    let first = rules[first].subject();
                    rules[second].subject().fails(Some("between"), Fault::SaidTwice { why, first })
                })?;
                if let Some((best, _)) = best {
                    let others = matching(rules.len(), a, b).filter(|&i| i != best);
                    others.for_each(|i| overruled_by[i] = Some(best));
                }
                rule.push(best);
            }
        }
        let silent = |found: &Option<(usize, bool)>| found.map(|(i, _)| i).filter(|&i| rules[i].none);
        let none: Vec<Option<usize>> = rule.iter().map(silent).collect();
        rule.iter_mut().zip(&none).filter(|(_, none)| none.is_some()).for_each(|(rule, _)| *rule = None);
        Ok(RuleTable { group, groups: keys.len(), rule, none, overruled_by })
    }
}

/// Finds the most specific rule that matches two groups, and whether they are in its order. If several matching rules are the
/// most specific, the first two are an error; less specific ones do not matter, in whatever order the rules are given.
fn best_rule(rules: &[Rule], a: &[bool], b: &[bool]) -> Result<Option<(usize, bool)>, (usize, usize)> {
    let rank = |rule: &Rule| rule.between[0].rank() + rule.between[1].rank();
    let all = || matching(rules.len(), a, b);
    let Some(most) = all().map(|i| rank(&rules[i])).max() else { return Ok(None) };
    let mut best = all().filter(|&i| rank(&rules[i]) == most);
    match (best.next(), best.next()) {
        (Some(first), Some(second)) => Err((first, second)),
        (first, _) => Ok(first.map(|i| (i, in_order(i, a, b)))),
    }
}

/// Returns the indices of the rules that match two groups, in either order.
fn matching<'k>(rules: usize, a: &'k [bool], b: &'k [bool]) -> impl Iterator<Item = usize> + 'k {
    (0..rules).filter(move |&i| in_order(i, a, b) || in_order(i, b, a))
}

/// Says whether a rule matches two groups in the order in which it names them.
fn in_order(rule: usize, a: &[bool], b: &[bool]) -> bool {
    a[2 * rule] && b[2 * rule + 1]
}
